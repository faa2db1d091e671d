"""Cards, drinks, saves and levels as people see and press them, with a real bridge."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.merge import Json
from tests.browser.foundry.profiles import PROFILES
from tests.browser.foundry.server import FoundryServer
from tests.browser.table import API, ID, MODULE, Bridge, cards, hp, pair, reach, seat, statuses, until

if TYPE_CHECKING:
    from tests.browser.conftest import MakeContext, MakeFoundry

ALLOW = "[data-bridge-button=allow]"
ROLL = "[data-bridge-button=roll]"


async def table(foundry: Any, context: Any, bridge: Bridge, profile: str = "v14+dnd5e-6", **more: Any) -> Any:
    """A paired GM, and Ann beside him."""
    server = await foundry(profile, module_dir=MODULE, **more)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await pair(gm, bridge)
    await until(lambda: cards(server, "summary"), "the first look at the world")
    return server, gm, ann


def level(server: FoundryServer, actor: str = "bors") -> str | None:
    """The name that the drinker's effect bears."""
    found = [e["name"] for e in server.actor(actor)["effects"] if "intoxicated" in e["statuses"]]
    return found[0] if found else None


def texts(card: Json) -> str:
    """Everything that a card says."""
    return " ".join(line["text"] for line in card["lines"])


@pytest.mark.parametrize("profile", PROFILES)
async def test_allow_grants_the_refused_amount_once(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge, profile)
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await until(lambda: cards(server, "conditions"), "the card of Bleeding")
    await ann.evaluate("standin.heal('bors', 5, {by: 'item'})")
    await until(lambda: cards(server, "refusal"), "the card of the refusal")
    assert "Potion of Healing" in texts(cards(server, "refusal")[0])
    await ann.wait_for_selector(".condition-bridge[data-kind=refusal]")
    assert await ann.locator(ALLOW).count() == 0

    await gm.reload()
    await reach(gm, "connected")
    await gm.click(ALLOW)
    await until(lambda: hp(server, "bors") == 13, "the hit points that are allowed")
    await gm.wait_for_selector(".condition-bridge .cb-done")
    assert await gm.locator(ALLOW).count() == 0
    assert len(cards(server, "refusal")) == 1
    assert server.page_errors == []


async def test_allow_is_kept_while_the_bridge_is_away(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge)
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await until(lambda: cards(server, "conditions"), "the card of Bleeding")
    await ann.evaluate("standin.tokenBar('bors', '+5')")
    await until(lambda: cards(server, "refusal"), "the card of the refusal")
    await bridge.stop(kill=True)
    await reach(gm, "down")
    await gm.click(ALLOW)
    await gm.reload()
    await bridge.start()
    await reach(gm, "connected")
    await until(lambda: hp(server, "bors") == 13, "the hit points that are allowed")


@pytest.mark.parametrize("profile", PROFILES)
async def test_drinks_by_item_and_by_command(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge, profile)
    # Constitution 14: three drinks in one hour make a level.
    await ann.evaluate("standin.useItem('bors', 'Ale (mug)')")
    await ann.fill("#chat-message, [name=chat-message], textarea", "/drink 2")
    await ann.press("#chat-message, [name=chat-message], textarea", "Enter")
    await until(lambda: level(server) == "Intoxicated 1", "level 1")
    effect = next(e for e in server.actor("bors")["effects"] if "intoxicated" in e["statuses"])
    assert effect["_id"] == "dnd5eintoxicated"
    assert effect["img"].endswith("/intoxicated-1.svg")
    # No potion is alcohol, no bread is beer.
    await ann.evaluate("standin.useItem('bors', 'Potion of Healing')")
    await ann.evaluate("standin.useItem('bors', 'Rations')")
    await ann.evaluate("ui.chat.processMessage('/drink 3')")
    await until(lambda: level(server) == "Intoxicated 2", "level 2")
    await gm.evaluate("game.time.advance(3600)")
    await until(lambda: level(server) == "Intoxicated 1", "the sober hour with food")
    assert server.page_errors == []


@pytest.mark.parametrize("profile", PROFILES)
async def test_undo_stands_in_the_menu_of_a_cards_message_for_the_gm_once(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge, profile)
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'poisoned')")
    await until(lambda: "poisoned" in statuses(server, "bors"), "the poison")
    card = ".chat-message:has(.condition-bridge[data-kind=conditions]:has-text('Poisoned'))"
    entry = "#context-menu >> text=Undo"
    await ann.click(card, button="right")
    assert await ann.locator(entry).count() == 0
    await gm.click(card, button="right")
    await gm.click(entry)
    await until(lambda: "poisoned" not in statuses(server, "bors"), "the undo")
    await gm.wait_for_selector(f"{card} .cb-done:has-text('Undone.')")
    await gm.click(card, button="right")
    assert await gm.locator(entry).count() == 0
    # What is no card of ours has no such entry.
    await gm.evaluate("standin.say('hello')")
    await gm.click(".chat-message:has-text('hello')", button="right")
    assert await gm.locator(entry).count() == 0
    assert server.page_errors == []


async def test_a_command_that_is_wrong_is_answered_to_whoever_typed_it(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    _, gm, ann = await table(foundry, context, bridge)
    await ann.evaluate("ui.chat.processMessage('/drink lots')")
    await ann.wait_for_selector("#notifications :text('is not understood')")
    assert await gm.locator("#notifications :text('is not understood')").count() == 0


@pytest.mark.parametrize("profile", PROFILES)
async def test_the_save_at_level_6_is_asked_of_the_player(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge, profile)
    await gm.evaluate(f"{API}.setLevel(standin.actor('bors'), 'intoxicated', 6)")
    await until(lambda: cards(server, "save"), "the card of the save")
    await ann.wait_for_selector(".application [data-action=normal]")
    assert await gm.locator(".application [data-action=normal]").count() == 0

    # Closed: nothing is lost, the card waits. Reloaded: it waits as well.
    await ann.click(".application:has([data-action=normal]) [data-action=close]")
    await ann.reload()
    await ann.wait_for_function("window.standin?.ready === true")
    await server.dice("ann", 2)
    await ann.click(ROLL)
    await ann.click(".application [data-action=normal]")
    fallen = {"unconscious", "incapacitated", "prone"}
    await until(lambda: fallen <= statuses(server, "bors"), "passing out")
    await ann.wait_for_selector(".condition-bridge[data-kind=save] .cb-done")
    assert await ann.locator(ROLL).count() == 0
    assert len(cards(server, "save")) == 1

    # Below 6 it wakes, still Prone.
    await gm.evaluate(f"{API}.setLevel(standin.actor('bors'), 'intoxicated', 5)")
    await until(lambda: "unconscious" not in statuses(server, "bors"), "waking")
    assert "prone" in statuses(server, "bors")
    assert server.page_errors == []


@pytest.mark.parametrize("profile", PROFILES)
async def test_levels_go_up_and_down_with_clicks(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, _ = await table(foundry, context, bridge, profile)
    control = "[data-status-id=intoxicated]"

    async def click(button: Any, wanted: str | None) -> None:
        await gm.evaluate("canvas.hud.token.bind(standin.placeable('bors'))")
        await gm.click(control, button=button)
        await until(lambda: level(server) == wanted, f"{wanted}")

    await click("left", "Intoxicated 1")
    await click("left", "Intoxicated 2")
    await click("right", "Intoxicated 1")
    await click("right", None)
    await gm.wait_for_selector(".condition-bridge :text('No longer in force')")


async def test_names_are_text_and_secrets_stay_secret(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    evil = "<img src=x onerror=alert(1)>"
    cast = [documents.fighter("bors", owner="ann"), documents.goblin()]
    cast[0]["items"].append(documents.ale())
    cast[0]["items"][-1].update(name=evil, _id="evilPotion000000")
    cast[0]["name"] = evil
    cast[1]["prototypeToken"]["name"] = "Spy"
    server, gm, ann = await table(foundry, context, bridge, actors=cast)
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await until(lambda: cards(server, "conditions"), "the card of Bleeding")
    await ann.evaluate("standin.actor('bors').update({'system.attributes.hp.value': 18})")
    await until(lambda: cards(server, "refusal"), "the card of the refusal")
    await ann.wait_for_selector(".condition-bridge[data-kind=refusal]")
    assert await ann.locator(".condition-bridge img[src=x], .message-content img[src=x]").count() == 0

    # A hidden goblin's card goes to the GM alone.
    token = server.token("goblin")
    await gm.evaluate(f"canvas.scene.tokens.get('{token['_id']}').update({{hidden: true}})")
    await gm.evaluate(f"canvas.scene.tokens.get('{token['_id']}').actor.toggleStatusEffect('poisoned')")
    await until(
        lambda: [c for c in cards(server, "conditions") if "Poisoned" in c["title"]["text"]], "the goblin's card"
    )
    await gm.wait_for_selector(".condition-bridge :text('Poisoned')")
    assert await ann.locator(".condition-bridge :text('Poisoned')").count() == 0


async def test_a_player_cannot_forge_a_card_or_speak_as_gm(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge)
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await until(lambda: cards(server, "conditions"), "the card of Bleeding")
    uuid = f"Actor.{documents.stable_id('bors')}"
    title = {"key": "x", "text": "Forged"}
    card = {"id": "forged", "actor": uuid, "kind": "refusal", "title": title, "data": "{}", "done": [], "outcomes": []}
    message = {"content": "x", "flags": {ID: {"card": card}}}
    await ann.evaluate("message => ChatMessage.implementation.create(message)", message)
    press = {
        "type": "pressed",
        "id": "forged1",
        "actor": uuid,
        "at": 0,
        "button": "allow",
        "owner": True,
        "by": {"user": documents.stable_id("gm"), "gm": True},
        "card": {"id": "forged", "actor": uuid, "data": {"refused": 9}, "done": []},
    }
    forged = {f"flags.{ID}.outbox.forged1": json.dumps(press)}
    await ann.evaluate("forged => standin.actor('bors').update(forged)", forged)
    await until(lambda: not server.actor("bors")["flags"][ID].get("outbox"), "the press to be taken and answered")
    assert hp(server, "bors") == 8
    assert await gm.locator(".condition-bridge :text('Forged')").count() == 0


async def test_kill_in_mid_evening_loses_and_doubles_nothing(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge)
    for drinks in range(1, 7):
        await ann.evaluate("ui.chat.processMessage('/drink')")
        if drinks in {2, 4}:
            await bridge.stop(kill=True)
            await bridge.start()
    await reach(gm, "connected")
    await until(lambda: level(server) == "Intoxicated 2", "six drinks to count as six")
    await until(lambda: not server.actor("bors")["flags"][ID]["outbox"], "the outbox to be empty")

    def told() -> list[int]:
        lines = [card["lines"][0] for card in cards(server, "conditions")]
        return [line["level"] for line in lines if line.get("condition") == "intoxicated"]

    # The card comes after the effect.
    await until(lambda: told()[-1:] == [2], "the card of level 2")
    assert told() in ([1, 2], [2])
    assert server.page_errors == [e for e in server.page_errors if "WebSocket" in e]


UNDO = "[data-bridge-button=undo]"
ROWS = ".condition-bridge[data-kind=conditions] .cb-row"
SEVERAL = ".condition-bridge:has(.cb-row)"
POST = f"cards => import('/modules/{ID}/scripts/cards.mjs').then(m => Promise.allSettled(cards.map(card => m.postCard(card))))"


def rows(server: FoundryServer) -> list[list[str]]:
    """The cards about conditions: who is told of on each, by name, in the order of the alphabet."""
    found = [[card, *card.get("rows", {}).values()] for card in cards(server, "conditions")]
    return [sorted(one.get("name", "") for one in shown) for shown in found]


async def area(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, profile: str, spell: Json
) -> tuple[FoundryServer, Any, Any]:
    """A table with a warlock who knows this spell, and a second goblin that nobody sees."""
    cast = [
        documents.fighter("bors", owner="ann"),
        documents.cleric("mira"),
        documents.goblin(),
        documents.goblin("spy"),
    ]
    cast[1]["items"].append(spell)
    server, gm, ann = await table(foundry, context, bridge, profile, actors=cast)
    token = server.token("spy")
    await gm.evaluate(f"canvas.scene.tokens.get('{token['_id']}').update({{hidden: true}})")
    return server, gm, ann


SELECTED = """names => { canvas.tokens.controlled.slice().forEach(token => token.release());
  for (const name of names) standin.placeable(name).control({ releaseOthers: false }); }"""


@pytest.mark.parametrize("profile", PROFILES)
async def test_one_word_of_the_gm_to_several_is_one_card(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """CRD-1, UND-1: from the console to three tokens; undone as one, once, also after a reload."""
    server, gm, ann = await table(foundry, context, bridge, profile)
    await gm.click(f"[data-tool='{ID}-window']")
    await gm.click(f"#{ID}-window [data-form=give] summary")
    await gm.select_option(f"#{ID}-window [data-form=give] [name=condition]", "poisoned")
    await gm.evaluate(SELECTED, ["bors", "mira", "goblin"])
    await gm.click(f"#{ID}-window [data-form=give] [data-control=give]")
    await until(lambda: rows(server) == [["Bors", "Goblin", "Mira"]], "one card with three rows")
    await ann.wait_for_function(f"document.querySelectorAll('{ROWS}').length === 3")
    said = await ann.inner_text(".condition-bridge[data-kind=conditions]")
    assert (said.count("Poisoned"), said.count("attack rolls"), said.count("Goblin")) == (1, 1, 1)
    assert await ann.locator(UNDO).count() == 0
    assert await gm.locator(UNDO).count() == 1

    await gm.reload()
    await reach(gm, "connected")
    await gm.click(UNDO)
    everyone = ("bors", "mira", "goblin")
    await until(lambda: all("poisoned" not in statuses(server, one) for one in everyone[:2]), "the undo")
    await gm.wait_for_selector(".condition-bridge[data-kind=conditions] .cb-done")
    await gm.wait_for_function(f"!document.querySelector('{UNDO}')")
    assert await gm.locator(".condition-bridge .cb-done").count() == 1
    assert len(rows(server)) == 1
    # The undo is undone: the same card says so.
    await gm.evaluate(f"{API}.undo()")
    await until(lambda: {"poisoned"} <= statuses(server, "bors") & statuses(server, "mira"), "the undo of the undo")
    await gm.wait_for_selector(".condition-bridge .cb-done:has(.fa-rotate-right)")
    assert server.page_errors == []


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("concentration", [False, True])
async def test_the_effects_of_one_use_are_one_card(
    profile: str, concentration: bool, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """CRD-1, CRD-3: whoever is hidden has a row in a card for the GM alone; a second press adds none."""
    spell = documents.ray(concentration=concentration)
    server, gm, ann = await area(foundry, context, bridge, profile, spell)
    used = await gm.evaluate("standin.useItem('mira', 'Ray of Sickness')")
    spy = await gm.evaluate("standin.placeable('spy').actor.uuid")
    goblin = await gm.evaluate("standin.placeable('goblin').actor.uuid")
    press = f"standin.applyEffect('{used['message']}', 'Ray of Sickness', 'bors', '{spy}', 'mira', '{goblin}')"
    await gm.evaluate(press)
    expected = [["Bors", "Goblin", "Mira"], ["Spy"]]
    await until(lambda: rows(server) == expected, "one card for all, and one for the GM")
    shown, secret = (message for message in server.world.messages if _about(message))
    assert shown["whisper"] == []
    assert secret["whisper"] == [documents.stable_id("gm")]
    await ann.wait_for_function(f"document.querySelectorAll('{ROWS}').length === 3")
    assert "Spy" not in await ann.inner_text("#chat")

    await gm.evaluate(press)
    await gm.evaluate("standin.settle()")
    # What comes after it is answered: so is this.
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('prone')")
    await until(lambda: len(rows(server)) == 3, "the card of another condition")
    assert rows(server)[:2] == expected
    assert server.page_errors == []


def _about(message: Json) -> bool:
    return bool(message["flags"].get(ID, {}).get("card", {}).get("kind") == "conditions")


async def test_rows_say_what_differs_and_what_is_common_once(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await table(foundry, context, bridge)
    both = "[standin.actor('bors'), standin.actor('mira')]"
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'exhaustion', {{level: 1}})")
    await until(lambda: len(rows(server)) == 1, "the card of one")
    await gm.evaluate(f"{API}.apply({both}, 'exhaustion', {{level: 2}})")
    await until(lambda: rows(server)[-1] == ["Bors", "Mira"], "the card of two")
    await ann.wait_for_function(f"document.querySelectorAll('{ROWS}').length === 2")
    assert await ann.locator(ROWS).all_inner_texts() == ["Bors\nUp from level 1", "Mira\nNow in force"]
    said = await ann.inner_text(SEVERAL)
    assert [said.count(words) for words in ("Exhaustion 2", "Speed")] == [1, 1]

    # Other levels, and a second condition for one of them.
    await gm.evaluate(f"{API}.apply({both}, 'exhaustion', {{level: 0}})")
    await until(lambda: rows(server)[-1] == ["Bors", "Mira"] and len(rows(server)) == 3, "the card of the end")
    lines = [[("exhaustion", 1)], [("exhaustion", 2), ("prone", 0)]]
    made = [_row(name, found) for name, found in zip(("bors", "mira"), lines, strict=True)]
    await gm.evaluate(POST, made)
    await ann.wait_for_function(f"document.querySelectorAll('{ROWS}').length === 6")
    bors, mira = (await ann.locator(ROWS).all_inner_texts())[-2:]
    assert bors == "Bors\nExhaustion 1 · Now in force"
    assert mira == "Mira\nExhaustion 2 · Now in force\nProne · Now in force"
    said = await ann.locator(SEVERAL).last.inner_text()
    assert [said.count(f"Does {words}") for words in ("exhaustion 1", "exhaustion 2", "prone 0")] == [1, 1, 1]
    assert server.page_errors == []


async def test_the_same_card_twice_and_two_at_once_lose_and_double_nothing(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """Law 4: rows that come at once, again, after a reload, and from two GMs' browsers."""
    users = [*map(_user, ("gm", "gm2")), documents.user("ann")]
    server = await foundry(module_dir=MODULE, users=users)
    gm, other = await seat(server, context, "gm"), await seat(server, context, "gm2")
    made = [{**_row("bors", [("poisoned", 0)]), "id": f"j.{number}"} for number in range(6)]
    await asyncio.gather(gm.evaluate(POST, made[:4]), other.evaluate(POST, made[2:]))
    await gm.reload()
    await gm.wait_for_function("window.standin?.ready === true")
    # The second time nothing is left over.
    for page in (gm, other):
        await page.evaluate(POST, made)
    (card,) = cards(server, "conditions")
    found = [card["id"], *(row["id"] for row in card["rows"].values())]
    assert sorted(found) == [one["id"] for one in made]


def _user(name: str) -> Json:
    return documents.user(name, gm=True)


def _row(name: str, conditions: list[tuple[str, int]]) -> Json:
    """A card of a group, as the bridge makes it."""
    lines = [
        {
            "key": "gained",
            "text": f"{condition} {level}",
            "condition": condition,
            "level": level,
            "data": {"was": 0, "summary": f"Does {condition} {level}."},
        }
        for condition, level in conditions
    ]
    title = {"key": "title-conditions", "text": "Conditions", "data": {"names": "x"}}
    fields = {
        "id": f"j.{name}",
        "kind": "conditions",
        "actor": f"Actor.{documents.stable_id(name)}",
        "group": "j.g1.all",
    }
    return {**fields, "title": title, "lines": lines}
