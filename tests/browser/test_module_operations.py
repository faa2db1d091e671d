"""What the bridge may have done in Foundry, one operation at a time, and what the module tells of the rest of the world.

The operations are given to the module as they come off the line; the last tests have a real bridge.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, Bridge, cards, hp, pair, seat, statuses, until
from tests.browser.test_module_rolls import put, shot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

every_profile = pytest.mark.parametrize("profile", PROFILES)
BORS = f"Actor.{documents.stable_id('bors')}"


async def seats(
    foundry: Any, context: Any, profile: str = "v14+dnd5e-6", points: int = 10
) -> tuple[FoundryServer, Page]:
    """A GM's page at a table where Bors has some of his 20 hit points."""
    cast = [documents.fighter("bors", owner="ann", hp=(points, 20), spent=2), documents.cleric("mira", owner="ben")]
    cast += [documents.goblin(), documents.group("party", ["bors", "mira"])]
    quiet = {"dnd5e.bloodied": "none"}
    server = await foundry(profile, actors=cast, module_dir=MODULE, settings=quiet)
    return server, await seat(server, context, "gm")


async def carry_out(page: Page, server: FoundryServer, number: int, *operations: dict[str, Any]) -> None:
    """Let the module carry out an Apply, and wait for its receipt."""
    apply = {"type": "apply", "id": number, "actor": BORS, "operations": operations, "memory": {"receipt": number}}
    await page.evaluate(f"apply => import('/modules/{ID}/scripts/apply.mjs').then(m => m.receive(apply))", apply)

    def receipt() -> int:
        memory = server.actor("bors")["flags"].get(ID, {}).get("memory", "{}")
        found: int = json.loads(memory).get("receipt", 0)
        return found

    await until(lambda: receipt() == number, "the receipt")


@every_profile
async def test_damage_goes_through_the_system_and_only_once(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server, gm = await seats(foundry, context, profile)
    await gm.evaluate("standin.actor('bors').update({'system.traits.dr.value': ['fire']})")
    burn = {"op": "damage.apply", "amount": 6, "damage": "fire", "id": "burn-1"}
    await carry_out(gm, server, 1, burn)
    assert hp(server, "bors") == 7
    await carry_out(gm, server, 2, burn)
    assert hp(server, "bors") == 7


@every_profile
async def test_hit_points_and_the_receipt_are_one_write(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    """Were they two, nothing would tell after a crash between them whether hit points were put back already."""
    server, gm = await seats(foundry, context, profile)
    await gm.evaluate("window.written = []; Hooks.on('updateActor', (_, data) => written.push(JSON.stringify(data)))")
    await carry_out(gm, server, 1, {"op": "hp.set", "was": 10, "value": 12, "quiet": True}, {"op": "concentration.end"})
    (written,) = [text for text in await gm.evaluate("written") if '"hp"' in text]
    assert ID in written
    assert hp(server, "bors") == 12


async def test_hit_points_that_change_while_the_rest_is_written_stay(
    foundry: MakeFoundry, context: MakeContext
) -> None:
    server, gm = await seats(foundry, context)
    await gm.evaluate(
        "(bors => bors.endConcentration = () => bors.update({'system.attributes.hp.value': 4}))(standin.actor('bors'))"
    )
    apply = [{"op": "concentration.end"}, {"op": "hp.set", "was": 10, "value": 12}]
    await gm.evaluate(
        f"apply => import('/modules/{ID}/scripts/apply.mjs').then(m => m.receive(apply))",
        {"type": "apply", "id": 1, "actor": BORS, "operations": apply, "memory": {"receipt": 1}},
    )
    await carry_out(gm, server, 2)
    assert hp(server, "bors") == 4


@every_profile
async def test_hit_dice_are_set_on_the_class(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm = await seats(foundry, context, profile)
    await carry_out(gm, server, 1, {"op": "hit-dice.set", "was": {"fighter": 3}, "left": {"fighter": 5}})
    [fighter] = [item for item in server.actor("bors")["items"] if item["type"] == "class"]
    assert fighter["system"]["hd"]["spent"] == 0


async def test_dice_lie_in_the_open_and_are_thrown_once(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm = await seats(foundry, context)
    card = {
        "id": "j.1.dice",
        "kind": "dice",
        "actor": BORS,
        "title": {"key": "dice", "text": "1d4", "data": {"formula": "1d4"}},
    }
    roll = {"op": "dice.roll", "card": card, "formula": "1d4", "reason": "burn"}
    await server.dice("gm", 3)
    await carry_out(gm, server, 1, roll)
    await carry_out(gm, server, 2, roll)
    assert len(cards(server, "dice")) == 1
    outbox = server.actor("bors")["flags"][ID]["outbox"]
    assert [json.loads(told)["total"] for told in outbox.values()] == [3]


async def test_concentration_is_ended_by_the_systems_own_way(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm = await seats(foundry, context)
    bless = documents.bless()
    await gm.evaluate("item => standin.actor('bors').createEmbeddedDocuments('Item', [item])", bless)
    assert await gm.evaluate("standin.concentrate('bors', 'Bless')")
    await carry_out(gm, server, 1, {"op": "concentration.end"})
    assert "concentrating" not in statuses(server, "bors")
    assert "dnd5e.endConcentration" in await gm.evaluate("standin.journal")


@every_profile
async def test_aid_is_no_healing_and_more_of_it_is(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    """BLD-4: an effect that raises the maximum, and a healing apart by the same use."""
    server, gm = await seats(foundry, context, profile)
    await put(gm, "bors", "bleeding")
    change = {"key": "system.attributes.hp.tempmax", "mode": 2, "value": "5"}
    await gm.evaluate(
        """change => {
          const origin = standin.actor("mira").items.getName("Cure Wounds").uuid;
          return standin.actor("bors").createEmbeddedDocuments("ActiveEffect", [{ name: "Aid", origin, changes: [change] }]);
        }""",
        change,
    )
    await gm.evaluate("standin.heal('bors', 5, {by: 'spell', from: 'mira'})")
    assert hp(server, "bors") == 15
    await gm.evaluate("standin.heal('bors', 5, {by: 'spell', from: 'mira'})")
    assert hp(server, "bors") == 15


async def test_what_a_feature_adds_to_a_hit_die_is_refused(foundry: MakeFoundry, context: MakeContext) -> None:
    """BLD-2: "What a feature adds on top of the Hit Die is refused"."""
    server, gm = await seats(foundry, context)
    await put(gm, "bors", "bleeding")
    await server.dice("gm", 4)
    await gm.evaluate("standin.hitDie('bors', {rolls: [{parts: ['3'], options: {}}]})")
    assert hp(server, "bors") == 10 + 4 + 2


@every_profile
async def test_rests_of_a_group_and_of_another_kind(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm = await seats(foundry, context, profile)
    await put(gm, "bors", "bleeding")
    # A kind of rest of this table's own, which gives no hit points back.
    await gm.evaluate("CONFIG.DND5E.restTypes.nap = { label: 'Nap', duration: { normal: 10 } }")
    await gm.evaluate("standin.actor('bors').initiateRest({ type: 'nap', dialog: false, chat: false })")
    assert hp(server, "bors") == 10
    await gm.evaluate("standin.groupRest('party')")
    await until(lambda: hp(server, "bors") == 20, "the long rest")
    told = [json.loads(text) for text in server.actor("bors")["flags"][ID]["outbox"].values()]
    assert [(one["type"], one["kind"]) for one in told if one["type"] == "restFinished"] == [
        ("restFinished", "short"),
        ("restFinished", "long"),
    ]
    assert server.page_errors == []


# https://github.com/foundryvtt/dnd5e/issues/5666
@every_profile
async def test_whoever_rests_with_the_party_rests_as_if_alone(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """BLD-2, INT-13: by the party's own sheet, with Hit Dice that the system spends for everyone."""
    names = ("bors", "kara", "alone")
    cast = [documents.fighter(name, hp=(5, 20)) for name in names]
    cast += [documents.cleric("mira", hp=(5, 20)), documents.group("party", ["bors", "kara", "mira"])]
    server = await foundry(profile, actors=cast, module_dir=MODULE, settings={"dnd5e.bloodied": "none"})
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    for name in ("bors", "alone"):
        await gm.evaluate(f"{API}.apply(standin.actor('{name}'), 'bleeding')")
        await gm.evaluate(f"{API}.setLevel(standin.actor('{name}'), 'intoxicated', 3)")

    def state(name: str) -> tuple[int, int, set[str]]:
        spent = next(one for one in server.actor(name)["items"] if one["type"] == "class")["system"]["hd"]["spent"]
        return hp(server, name), spent, statuses(server, name)

    drunk = {"bleeding", "bloodied", "intoxicated"}
    await until(lambda: state("bors")[2] == state("alone")[2] == drunk, "both to bleed")
    short = "shortRest({dialog: false, autoRest: true, autoHD: true})"
    for who, dice in (("party", 9), ("alone", 3)):
        await server.dice("gm", *[4] * dice)
        await gm.evaluate(f"standin.actor('{who}').{short}.then(() => null)")
    # 4 and Constitution, three times over, up to the maximum.
    for name in names:
        await until(lambda n=name: state(n)[:2] == (20, 3), f"the Hit Dice of {name}")
    await until(lambda: state("bors")[2] == state("alone")[2] == drunk - {"bloodied"}, "what a short rest leaves")
    assert state("mira")[:2] == (20, 3)
    for name in names:
        await gm.evaluate(f"standin.damage('{name}', 16)")
    for who in ("party", "alone"):
        await gm.evaluate(f"standin.longRest('{who}', {{autoRest: true}})")
    await until(lambda: state("bors") == state("alone") == (20, 0, {"bleeding"}), "the night")
    assert state("kara") == (20, 0, set())
    assert cards(server, "refusal") == []
    assert server.actor("party")["effects"] == []
    assert ID not in server.actor("party")["flags"]
    assert server.page_errors == []


async def test_what_is_particular_about_a_creature(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm = await seats(foundry, context)
    await gm.evaluate(
        f"""(() => {{
          const controls = [];
          Hooks.callAll("getHeaderControlsApplicationV2", standin.actor("bors").sheet, controls);
          controls.find(one => one.action === "{ID}-habits").onClick();
        }})()"""
    )
    dialog = ".application.condition-bridge:has([name=tolerance])"
    await gm.fill(f"{dialog} [name=tolerance]", "2")
    await gm.check(f"{dialog} [name=willing]")
    await gm.check(f"{dialog} [name=poison]")
    await gm.fill(f"{dialog} [name=bloodied]", "Rages <b>now</b>")
    await shot(gm, "habits")
    await gm.click(f"{dialog} button[data-action=ok]")
    await until(lambda: "habits" in server.actor("bors")["flags"].get(ID, {}), "the habits")
    assert json.loads(server.actor("bors")["flags"][ID]["habits"]) == {
        "tolerance": 2,
        "willing": True,
        "saveAdvantage": ["poison"],
        "whenBloodied": "Rages <b>now</b>",
    }


async def test_everything_is_said_in_german(foundry: MakeFoundry, context: MakeContext) -> None:
    cast = [documents.fighter("bors", owner="ann"), documents.goblin()]
    server = await foundry("v14+dnd5e-6", actors=cast, module_dir=MODULE)
    gm = await context()
    await gm.add_init_script("localStorage.setItem('core.language', '\"de\"')")
    page = await server.open(gm, "gm")
    await put(page, "bors", "intoxicated", level=4)
    await page.evaluate("standin.attack('bors', {target: 'goblin'})")
    await page.wait_for_selector(".cb-told")
    assert await page.inner_text(".cb-told") == "−4: Betrunken 4"
    await page.evaluate("canvas.hud.token.bind(standin.placeable('bors'))")
    await shot(page, "hud-german")
    await page.click(f"[data-tool='{ID}-window']")
    assert "gekoppelt" in (await page.inner_text(f"#{ID}-window")).lower()


@asynccontextmanager
async def closing(code: int) -> AsyncIterator[tuple[str, list[ServerConnection]]]:
    """A bridge that closes every line at once, with one code; its address, and the lines that it had."""
    lines: list[ServerConnection] = []

    async def close(line: ServerConnection) -> None:
        lines.append(line)
        await line.close(code, "because")

    async with serve(close, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/", lines


@pytest.mark.parametrize(("code", "state"), [(4011, "taken"), (4012, "refused")])
async def test_codes_after_which_the_tab_stops(
    code: int, state: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server = await foundry("v14+dnd5e-6", module_dir=MODULE)
    made = await context()
    async with closing(code) as (url, lines):
        for key, value in {"url": url, "key": "ab" * 32, "client": "c"}.items():
            await made.add_init_script(f"localStorage.setItem('{ID}.{key}', {json.dumps(json.dumps(value))})")
        gm = await server.open(made, "gm")
        await gm.wait_for_function(f"{API}?.status().state === '{state}'")
        assert len(lines) == 1
        # Somebody comes: for a tab that still tries, that is a reason to try at once.
        await seat(server, context, "ann")
        await gm.evaluate("standin.settle()")
        await gm.click(f"[data-tool='{ID}-window']")
        await gm.click(f"#{ID}-window [data-action=cb-retry]")
        await until(lambda: len(lines) > 1, "the try by hand")
        await gm.wait_for_function(f"{API}.status().state === '{state}'")
        await asyncio.wait_for(lines[-1].wait_closed(), 5)
        assert len(lines) == 2


def sent(page: Page) -> list[dict[str, Any]]:
    """Everything that a page says to the bridge from now on, message by message."""
    found: list[dict[str, Any]] = []

    def hear(payload: str | bytes) -> None:
        message = json.loads(payload)
        found.extend(message["messages"] if message["type"] == "batch" else [message])

    page.on("websocket", lambda line: line.on("framesent", hear))
    return found


@pytest.mark.timeout(90)
async def test_undo_from_the_chat_and_what_is_gone(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server, gm = await seats(foundry, context)
    told = sent(gm)
    await pair(gm, bridge)
    await gm.evaluate(f"{API}.drink(standin.actor('bors'), {{count: 4}})")
    await until(lambda: cards(server, "conditions"), "the card")
    await gm.click("[data-bridge-button=undo]")
    await until(lambda: "intoxicated" not in statuses(server, "bors"), "the level is undone")
    await gm.locator(".chat-message .cb-done:has-text('Undone.')").wait_for()
    await shot(gm, "undone")
    assert await gm.locator("[data-bridge-button=undo]").count() == 0
    # Scenes and creatures that go are told of, unlinked tokens' own creatures too.
    token = await gm.evaluate("standin.placeable('goblin').actor.uuid")
    await gm.evaluate("standin.actor('mira').delete()")
    await gm.evaluate("canvas.scene.delete()")
    lost = [f"Actor.{documents.stable_id('mira')}", token]
    await until(lambda: set(lost) <= {ref for one in told for ref in one.get("gone", [])}, "what is gone")
    assert await gm.evaluate(f"{API}.status().state") == "connected"
    assert server.page_errors == []


@every_profile
async def test_what_an_unlinked_token_takes_over_from_its_actor_is_shown(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(profile, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.evaluate("standin.actor('goblin').toggleStatusEffect('poisoned')")
    for which in ("standin.actor('goblin')", "standin.placeable('goblin').actor"):
        await gm.wait_for_function(f"async () => (await {API}.why({which}, 'poisoned'))?.length === 1")
    assert await gm.evaluate("standin.actor('goblin') !== standin.placeable('goblin').actor")
