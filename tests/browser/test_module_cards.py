"""Cards, drinks, saves and levels as people see and press them, with a real bridge."""

from __future__ import annotations

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
