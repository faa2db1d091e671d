"""The module's link: pairing, coming back, taking turns between tabs and GMs, pausing; each state in one sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, Bridge, cards, pair, reach, seat, state, statuses, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

WINDOW = f"#{ID}-window"
OPEN = f"[data-tool='{ID}-window']"


async def sentence(page: Page) -> str:
    """What the window says about the link."""
    if not await page.locator(WINDOW).count():
        await page.click(OPEN)
    return await page.locator(f"{WINDOW} .cb-state").inner_text()


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_gm_pairs_and_reloads(profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(profile, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    assert "Not paired" in await sentence(gm)
    await gm.click(f"{WINDOW} [data-action=close]")

    await pair(gm, bridge)
    await until(lambda: cards(server, "summary"), "the summary of the first connection")
    assert "Connected" in await sentence(gm)

    await gm.reload()
    await gm.wait_for_function("window.standin?.ready === true")
    await reach(gm, "connected")
    assert len(cards(server, "summary")) == 1
    assert server.page_errors == []


async def test_a_wrong_code_is_said_to_be_wrong(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await gm.click(OPEN)
    await gm.fill(f"{WINDOW} [name=url]", bridge.url)
    await gm.fill(f"{WINDOW} [name=code]", "AAAA-AAAA")
    await gm.click(f"{WINDOW} .cb-pair")
    await reach(gm, "refused")
    assert "not the code" in await sentence(gm)

    # The right one still works, in the same window.
    await gm.fill(f"{WINDOW} [name=code]", await bridge.pairing_code())
    await gm.click(f"{WINDOW} .cb-pair")
    await reach(gm, "connected")


async def test_the_key_is_no_secret_of_the_world(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    key: str = await gm.evaluate(f"game.settings.get('{ID}', 'key')")
    assert len(key) == 64
    assert key not in str(server.world.__dict__)
    assert key not in str(server.journal)


async def test_the_bridge_goes_and_comes_back(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)

    await bridge.stop(kill=True)
    await reach(gm, "down")
    assert "does not answer" in await sentence(gm)
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")

    await bridge.start()
    await reach(gm, "connected")
    await until(lambda: server.actor("bors")["flags"].get(ID, {}).get("memory"), "the gap to be looked at")


# https://github.com/Chrrxs/robloxstudio-mcp/issues/95
# https://github.com/adambdooley/foundry-vtt-mcp/pull/90
@pytest.mark.parametrize("profile", PROFILES)
async def test_a_new_process_of_the_bridge_is_found_without_a_hand_and_clocks_go_on(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(profile, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.evaluate(f"{API}.setLevel(standin.actor('bors'), 'intoxicated', 3)")
    await gm.evaluate(f"{API}.water(standin.actor('bors'))")
    # The first summary has left a receipt there before.
    await until(lambda: "fed" in str(server.actor("bors")["flags"].get(ID, {}).get("memory")), "clock and water")
    # The pauses between two tries are written down, and cut short.
    await gm.evaluate(
        """() => {
          globalThis.pauses = [];
          const { setTimeout } = window;
          window.setTimeout = (act, pause, ...rest) => {
            if ( act?.name !== "reconsider" ) return setTimeout(act, pause, ...rest);
            pauses.push(pause);
            return setTimeout(act, 20);
          };
        }"""
    )
    await bridge.stop(kill=True)
    await gm.wait_for_function("pauses.length >= 12")
    await gm.evaluate("game.time.advance(3600)")
    await bridge.start()
    await reach(gm, "connected")

    def level() -> int:
        [effect] = [one for one in server.actor("bors")["effects"] if "intoxicated" in one["statuses"]]
        found: int = json.loads(effect["flags"][ID]["mark"]).get("level", 1)
        return found

    await until(lambda: level() == 2, "the hour that passed meanwhile")
    await gm.evaluate(f"{API}.water(standin.actor('bors'))")
    await gm.evaluate("game.time.advance(3599)")
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'deafened')")
    await until(lambda: "deafened" in statuses(server, "bors"), "what comes after it")
    assert level() == 2
    await gm.evaluate("game.time.advance(1)")
    await until(lambda: level() == 1, "the next hour")
    # The page is the one that saw the bridge go.
    pauses = [pause / 1000 for pause in await gm.evaluate("pauses")]
    assert all(pause <= min(30, 0.5 * 2**tried) for tried, pause in enumerate(pauses))
    assert max(pauses[:2]) <= 1 < max(pauses[4:])


# https://github.com/adambdooley/foundry-vtt-mcp/issues/6
# https://github.com/msgspec/msgspec/issues/691
@pytest.mark.parametrize("profile", PROFILES)
async def test_a_creature_that_the_bridge_cannot_take_keeps_no_other_away(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """One is out of all bounds, one too large, at the first look and again afterwards."""
    cast = [
        documents.goblin("dummy", hp=(9_999_999, 9_999_999), linked=True),
        documents.fighter("bors", owner="ann", hp=(12, 20)),
        documents.fighter("hoard", owner="ann"),
    ]
    cast[2]["effects"] = [
        {"_id": documents.stable_id(f"heap{n:03}x"), "name": "x" * 2000, "statuses": ["marked"], "flags": {}}
        for n in range(600)
    ]
    server = await foundry(profile, actors=cast, module_dir=MODULE, settings={"dnd5e.bloodied": "none"})
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await until(lambda: cards(server, "summary"), "the first look at the world")
    said = "\n".join(await gm.evaluate("ui.notifications.history.map((one) => one.message)"))
    assert "Hoard: there is too much" in said
    assert "Dummy (Actor.dummy00000000000) was left out: Expected `int` <= 1000000" in said
    await gm.evaluate("globalThis.sameLine = true")
    for name in ("dummy", "hoard"):
        await gm.evaluate(f"standin.damage('{name}', 1)")
    await gm.evaluate("standin.damage('bors', 7)")
    await until(lambda: "bloodied" in statuses(server, "bors"), "the others to be watched over")
    # Once they are like any other, they are treated like any other.
    await gm.evaluate("standin.actor('dummy').update({'system.attributes.hp': {value: 9, max: 20}}).then(() => null)")
    await gm.evaluate(
        "(it => it.deleteEmbeddedDocuments('ActiveEffect', it.effects.map(one => one.id)))(standin.actor('hoard'))"
        ".then(() => null)"
    )
    await gm.evaluate("standin.damage('hoard', 11)")
    for name in ("dummy", "hoard"):
        await until(lambda n=name: "bloodied" in statuses(server, n), f"{name} to be watched over")
    assert await gm.evaluate("sameLine")
    assert await state(gm) == "connected"
    assert server.page_errors == []


async def test_another_bridge_at_the_same_address_is_not_trusted(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await bridge.stop()
    stranger = Bridge(bridge.folder.with_name("stranger"))
    stranger.port = bridge.port
    await stranger.start()
    try:
        await reach(gm, "refused", "impostor")
        assert "Pair it again" in await sentence(gm)
    finally:
        await stranger.stop()


async def test_a_second_tab_waits_and_takes_over(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    browser = await context()
    first = await server.open(browser, "gm")
    await pair(first, bridge)
    second = await server.open(browser, "gm")
    await reach(second, "taken")
    assert await state(first) == "connected"
    assert "another window" in await sentence(second)

    await first.close(run_before_unload=True)
    await reach(second, "connected")


async def test_of_two_gms_the_active_one_speaks(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    users = [documents.user("amy", gm=True), documents.user("bob", gm=True), documents.user("ann", character="bors")]
    server = await foundry(users=users, module_dir=MODULE)
    browser = await context()
    bob = await server.open(browser, "bob")
    await pair(bob, bridge)
    amy = await seat(server, context, "amy")
    # Amy is the active GM, but her browser is not paired: Bob goes on.
    assert await amy.evaluate("game.user.isActiveGM")
    assert await state(amy) == "unpaired"
    assert await state(bob) == "connected"

    await bob.close()
    await pair(amy, bridge, await bridge.new_code())
    bob = await server.open(browser, "bob")
    await reach(bob, "waiting")
    assert "Amy" in await sentence(bob)
    await amy.close()
    await reach(bob, "connected")


THREE_GMS = [
    documents.user("amy", gm=True),
    documents.user("bob", gm=True),
    {**documents.user("cat"), "role": 3},
    documents.user("ann", character="bors"),
]
"""The active GM, another one, an assistant, and a player."""


async def crowded(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, profile: str
) -> tuple[FoundryServer, dict[str, Page]]:
    """All of them are there, and both GMs' browsers are paired; the assistant's is not."""
    cast = [documents.fighter("bors", owner="ann", hp=(12, 20))]
    quiet = {"dnd5e.bloodied": "none"}
    server = await foundry(profile, users=THREE_GMS, actors=cast, module_dir=MODULE, settings=quiet)
    bob = await seat(server, context, "bob")
    await pair(bob, bridge)
    await until(lambda: cards(server, "summary"), "the first look at the world")
    await bob.close()
    pages = {"amy": await seat(server, context, "amy")}
    await pair(pages["amy"], bridge, await bridge.new_code())
    pages["bob"] = await server.open(bob.context, "bob")
    for name in ("cat", "ann"):
        pages[name] = await seat(server, context, name)
    await reach(pages["bob"], "waiting")
    return server, pages


def made(server: FoundryServer, condition: str) -> int:
    """How often an effect with this condition was made, by anybody."""
    created = [one for one in server.journal if one["action"] == "create" and one["documentName"] == "ActiveEffect"]
    return sum(condition in effect["statuses"] for one in created for effect in one["result"])


def posted(server: FoundryServer, kind: str) -> int:
    """How often a card of this kind was posted, by anybody."""
    created = [one for one in server.journal if one["action"] == "create" and one["documentName"] == "ChatMessage"]
    messages = [message for one in created for message in one["result"]]
    return sum(message["flags"].get(ID, {}).get("card", {}).get("kind") == kind for message in messages)


def receipt(server: FoundryServer) -> int:
    """The receipt of the last answer of the bridge's that was carried out on Bors."""
    found: int = json.loads(server.actor("bors")["flags"].get(ID, {}).get("memory", "{}")).get("receipt", 0)
    return found


# https://github.com/Plushtoast/dsa5-foundryVTT/issues/1733
# https://github.com/foundryvtt/pf2e/pull/21395
@pytest.mark.parametrize("profile", PROFILES)
async def test_what_every_client_sees_is_done_by_one(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, pages = await crowded(foundry, context, bridge, profile)
    server.journal.clear()
    # The owner's own hand, while three GMs look on.
    await pages["ann"].evaluate("standin.damage('bors', 7)")
    await pages["ann"].evaluate("ui.chat.processMessage('/drink 3')")
    await until(lambda: posted(server, "conditions") == 1, "the card of the level")
    for page in pages.values():
        await page.wait_for_function(
            "['bloodied', 'intoxicated'].every((id) => standin.actor('bors').statuses.has(id))"
        )
    # Whatever another client would do of its own has been done by the time that these have come round.
    await pages["cat"].evaluate("standin.actor('bors').toggleStatusEffect('prone')")
    await until(lambda: posted(server, "conditions") == 2, "the card of the next change")
    assert (made(server, "bloodied"), made(server, "intoxicated"), made(server, "prone")) == (1, 1, 1)
    assert posted(server, "conditions") == 2
    assert server.page_errors == []


# https://github.com/asacolips-projects/dungeonworld/issues/208
# https://github.com/foundryvtt/foundryvtt/issues/7278
# https://github.com/foundryvtt/pf2e/pull/21228
@pytest.mark.parametrize("moment", ["effect", "save", "card"])
async def test_what_the_acting_gm_leaves_half_done_is_finished_by_another_once(
    moment: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, pages = await crowded(foundry, context, bridge, "v14+dnd5e-6")
    server.journal.clear()
    before = receipt(server)
    # Amy hears late: she is gone before she knows that what she has written is written.
    server.delay("amy", 0.4)
    await pages["ann"].evaluate("ui.chat.processMessage('/drink 18')")
    done = {
        "effect": lambda: made(server, "intoxicated"),
        "save": lambda: posted(server, "save"),
        "card": lambda: posted(server, "conditions"),
    }
    await until(done[moment], f"the {moment}")
    await pages["amy"].close()
    assert receipt(server) == before
    await reach(pages["bob"], "connected")
    await until(lambda: not server.actor("bors")["flags"][ID].get("outbox"), "the drinks to be taken")
    await until(lambda: receipt(server) > before and posted(server, "conditions"), "the rest of it")
    await pages["cat"].evaluate("standin.actor('bors').toggleStatusEffect('prone')")
    await until(lambda: posted(server, "conditions") == 2, "the card of the next change")
    assert (made(server, "intoxicated"), posted(server, "save")) == (1, 1)
    [effect] = [one for one in server.actor("bors")["effects"] if "intoxicated" in one["statuses"]]
    assert json.loads(effect["flags"][ID]["mark"])["level"] == 6
    assert server.page_errors == []


async def test_a_player_has_no_window_and_no_link(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    ann = await seat(server, context, "ann")
    assert await ann.locator(OPEN).count() == 0
    await ann.evaluate(f"{API}.pause()")
    assert not await ann.evaluate(f"{API}.paused()")


async def test_the_pause_switch_stops_everything_for_everyone(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(module_dir=MODULE)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await pair(gm, bridge)
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.click(f"[data-tool='{ID}-pause']")
    await reach(gm, "paused")
    await ann.wait_for_function(f"{API}.paused()")

    await ann.evaluate("standin.heal('bors', 5, {by: 'item'})")
    assert server.actor("bors")["system"]["attributes"]["hp"]["value"] == 13

    await gm.evaluate(f"{API}.pause(false)")
    await reach(gm, "connected")
    await ann.wait_for_function(f"!{API}.paused()")
    await ann.evaluate("standin.heal('bors', 5, {by: 'item'})")
    # What was healed meanwhile stays; from now on it is refused again.
    assert server.actor("bors")["system"]["attributes"]["hp"]["value"] == 13
    await until(lambda: len(cards(server, "refusal")) == 1, "the refusal's card")
    assert "bleeding" in statuses(server, "bors")


async def test_what_players_do_without_a_gm_is_caught_up(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(module_dir=MODULE)
    browser = await context()
    gm = await server.open(browser, "gm")
    await pair(gm, bridge)
    await gm.close()
    ann = await seat(server, context, "ann")
    await ann.evaluate("ui.chat.processMessage('/drink 3')")
    await until(lambda: server.actor("bors")["flags"].get(ID, {}).get("outbox"), "the outbox")

    gm = await server.open(browser, "gm")
    await until(lambda: "intoxicated" in statuses(server, "bors"), "the drinks to count")
    await until(lambda: not server.actor("bors")["flags"][ID]["outbox"], "the outbox to be empty")
