"""The effects tab of a sheet: levels, clocks, and the meter of Intoxicated, without a bridge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import ID, MODULE, seat
from tests.browser.test_module_rolls import put, shot

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

START = 1_000_000
LONG = "Bartholomew Featherstonehaugh-Throckmorton the Unreasonably Long-Winded"


async def open_sheet(page: Page, actor: str) -> None:
    """Open a creature's sheet."""
    await page.evaluate(
        f"(standin.placeable('{actor}')?.actor ?? standin.actor('{actor}')).sheet.render({{force: true}})"
    )
    await page.wait_for_selector(".sheet .tab[data-tab=effects]")


async def remember(page: Page, actor: str, **notes: Any) -> None:
    """Stamp on a creature what the bridge remembers of its drinks."""
    memory = json.dumps({"receipt": 1, "notes": {"intoxicated": notes}})
    await page.evaluate(
        "([actor, flag, memory]) => (standin.placeable(actor)?.actor ?? standin.actor(actor)).update({[flag]: memory})",
        [actor, f"flags.{ID}.memory", memory],
    )


async def clock(page: Page, condition: str) -> str:
    """What stands below a condition's name among the conditions, or below its effect's."""
    return await page.inner_text(f".sheet [data-condition-id={condition}] .cb-clock")


async def tavern(foundry: Any, context: Any, profile: str = "v14+dnd5e-6") -> tuple[FoundryServer, Page]:
    """A GM, and Bors with a long name, three levels deep."""
    cast = [documents.fighter("bors", owner="ann"), documents.cleric("mira", owner="ben"), documents.goblin()]
    cast[0]["name"] = LONG
    server = await foundry(profile, actors=cast, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    return server, gm


@pytest.mark.parametrize("profile", PROFILES)
async def test_the_meter_shows_drinks_and_the_sober_hour(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server, gm = await tavern(foundry, context, profile)
    for actor in ("bors", "goblin"):
        await remember(gm, actor, drinks=[START - 4000, START - 600, START], since=START - 600, needed=3)
        await put(gm, actor, "intoxicated", level=3)
        await open_sheet(gm, actor)
        meter = await gm.inner_text(".sheet:last-of-type .cb-meter")
        assert "Intoxicated 3" in meter
        # One of the three is more than an hour old.
        assert "2 drinks count; 3 make a level" in meter
        assert await gm.locator(".sheet:last-of-type .cb-meter p:nth-child(2) .cb-dots .full").count() == 2
        assert "This sober hour ends in 50 minutes" in meter
        assert "Food or water: not yet" in meter
        await gm.click(".sheet:last-of-type [data-action=close]")

    # Time goes on, and something is eaten: an open sheet shows it.
    await open_sheet(gm, "bors")
    await gm.evaluate("game.time.advance(1800)")
    await gm.wait_for_selector(".cb-meter :text('ends in 20 minutes')")
    await remember(gm, "bors", drinks=[], since=START - 600, fed=START + 60, needed=3)
    await gm.wait_for_selector(".cb-meter :text('Food or water: yes')")
    await gm.wait_for_selector(".cb-meter :text('0 drinks count')")
    assert await gm.locator(".cb-meter").count() == 1
    assert server.page_errors == []


async def test_a_sober_creature_has_no_meter(foundry: MakeFoundry, context: MakeContext) -> None:
    _, gm = await tavern(foundry, context)
    await remember(gm, "bors", drinks=[START], since=START, needed=2)
    await open_sheet(gm, "bors")
    assert await gm.locator(".cb-meter").count() == 0


@pytest.mark.parametrize("profile", PROFILES)
async def test_levels_and_clocks_stand_below_the_names(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server, gm = await tavern(foundry, context, profile)
    combat = await gm.evaluate("standin.startCombat(['mira', 'goblin', 'bors'])")
    await put(gm, "bors", "bleeding", timer={"kind": "seconds", "began": START, "amount": 600})
    await put(
        gm, "bors", "poisoned", timer={"kind": "save", "began": START, "ability": "con", "dc": 13, "moment": "end"}
    )
    rounds = {"kind": "rounds", "began": START, "amount": 2, "combat": combat, "round": 1, "turn": 0}
    await put(gm, "bors", "blinded", timer=rounds)
    await put(gm, "bors", "charmed", timer={"kind": "long-rest", "began": START})
    await put(gm, "bors", "prone", held=True, halted={"kind": "seconds", "began": START, "amount": 90})
    await put(gm, "bors", "intoxicated", level=2)
    await open_sheet(gm, "bors")
    assert await gm.inner_text(".effect[data-effect-id=dnd5ebleeding000] .cb-clock") == "Ends in 10 minutes"
    assert await gm.inner_text(".effect[data-effect-id=dnd5eintoxicated] .cb-clock") == "Level 2"
    assert await clock(gm, "poisoned") == "A Constitution save, DC 13, at the end of its turn ends it"
    assert await clock(gm, "blinded") == "Ends after 2 rounds"
    assert await clock(gm, "charmed") == "Ends with a long rest"
    assert await clock(gm, "prone") == "Halted · Ends in 90 seconds"
    assert await gm.locator("[data-condition-id=stunned] .cb-clock").count() == 0

    await gm.evaluate("game.combat.nextRound()")
    await gm.wait_for_selector("[data-condition-id=blinded] :text('after 1 round')")
    await gm.evaluate("game.combat.nextRound()")
    await gm.wait_for_selector("[data-condition-id=blinded] :text('in this round')")
    await gm.evaluate("game.time.advance(61)")
    await gm.wait_for_selector("[data-effect-id=dnd5ebleeding000] :text('in 9 minutes')")
    assert await gm.locator("[data-effect-id=dnd5ebleeding000] .cb-clock").count() == 1
    for theme in ("dark", "light"):
        await gm.evaluate(f"game.settings.set('core', 'theme', '{theme}')")
        await remember(gm, "bors", drinks=[START], since=START, needed=2)
        await gm.evaluate("document.querySelector('.sheet .window-content').scrollTop = 400")
        await shot(gm, f"sheet-{theme}")
    assert server.page_errors == []


async def test_an_owner_sees_the_meter_and_others_see_no_sheet(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm = await tavern(foundry, context)
    await put(gm, "bors", "intoxicated", level=1)
    await remember(gm, "bors", drinks=[START], since=START, needed=2)
    ann = await seat(server, context, "ann")
    await open_sheet(ann, "bors")
    assert "1 drink counts; 2 make a level" in await ann.inner_text(".cb-meter")


async def test_looks_are_this_browsers_own(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm = await tavern(foundry, context)
    await put(gm, "bors", "intoxicated", level=1)
    await gm.evaluate(f"game.settings.set('{ID}', 'meter', false)")
    await gm.evaluate(f"game.settings.set('{ID}', 'short', true)")
    await open_sheet(gm, "bors")
    assert await gm.locator(".cb-meter").count() == 0
    assert await clock_of_effect(gm) == "Level 1"
    line = {
        "key": "gained",
        "text": "x",
        "data": {"summary": "Long words. More of them.", "ends": "Soon."},
        "condition": "prone",
    }
    card = {"id": "j.1", "kind": "conditions", "title": {"key": "title-conditions", "text": "x"}, "lines": [line]}
    card["actor"] = f"Actor.{documents.stable_id('bors')}"
    await gm.evaluate(f"card => import('/modules/{ID}/scripts/cards.mjs').then(m => m.postCard(card))", card)
    said = await gm.inner_text(f".chat-card.{ID}")
    assert "Soon." in said
    assert "Long words" not in said
    # Another browser has its own.
    ann = await seat(server, context, "ann")
    await ann.wait_for_selector(f".chat-card.{ID} :text('Long words')")


async def clock_of_effect(page: Page) -> str:
    """What stands below Intoxicated."""
    return await page.inner_text(".effect[data-effect-id=dnd5eintoxicated] .cb-clock")
