"""Words of conditions: a GM's own wherever the module shows them, ours in the user's language."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import ID, MODULE
from tests.browser.test_module_rolls import put, shot

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

SHIPPED = json.loads((MODULE / "catalogue.json").read_text(encoding="utf-8"))
TIMED = {"end": "seconds", "left": 5400, "ability": "con", "dc": 13, "moment": "end"}


def renamed(names: dict[str, str], summaries: dict[str, str]) -> Any:
    """A catalogue in which a GM has named and described conditions anew."""
    found = json.loads(json.dumps(SHIPPED))
    for entry in found["conditions"]:
        entry["name"] = names.get(entry["id"], entry["name"])
        for level in entry["levels"]:
            level["summary"] = summaries.get(entry["id"], level["summary"])
    return {**found, "version": "theirs"}


async def put_in_force(page: Page, catalogue: Any) -> None:
    """What the bridge's message does."""
    await page.evaluate(f"catalogue => game.settings.set('{ID}', 'catalogue', catalogue)", catalogue)


async def card(page: Page, condition: str, **more: Any) -> str:
    """Post a card about a condition and read it."""
    entry = next(each for each in SHIPPED["conditions"] if each["id"] == condition)
    data = {"name": entry["name"], "summary": entry["levels"][0]["summary"], "ends": entry.get("ends", ""), **more}
    line = {"key": "gained", "text": "English", "data": data, "condition": condition, "level": 1}
    made = {
        "id": f"j.{condition}.{len(more)}",
        "kind": "conditions",
        "actor": f"Actor.{documents.stable_id('bors')}",
        "title": {"key": "title-conditions", "text": entry["name"], "data": {"names": entry["name"]}},
        "lines": [line],
    }
    await page.evaluate(f"card => import('/modules/{ID}/scripts/cards.mjs').then(m => m.postCard(card))", made)
    await page.wait_for_selector(f".chat-card.{ID}")
    return await page.inner_text(f".chat-message:last-of-type .chat-card.{ID}")


async def german(foundry: Any, context: Any, profile: str = "v14+dnd5e-6") -> Page:
    """A GM who reads German."""
    server = await foundry(profile, actors=[documents.fighter("bors", owner="ann")], module_dir=MODULE)
    browser = await context()
    await browser.add_init_script("localStorage.setItem('core.language', '\"de\"')")
    page: Page = await server.open(browser, "gm")
    return page


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_new_name_is_shown_everywhere_and_taken_back(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    page = await german(foundry, context, profile)
    await put_in_force(
        page, renamed({"poisoned": "Queasy", "intoxicated": "Merry"}, {"poisoned": "Green in the face."})
    )
    await put(page, "bors", "poisoned")
    await put(page, "bors", "intoxicated", level=1)
    assert await page.evaluate("standin.actor('bors').effects.get('dnd5epoisoned000').name") == "Queasy"
    await page.evaluate("standin.actor('bors').sheet.render({force: true})")
    await page.wait_for_selector("[data-condition-id=poisoned] :text('Queasy')")
    await page.evaluate("canvas.hud.token.bind(standin.placeable('bors'))")
    assert "Merry 1" in (await page.get_attribute("[data-status-id=intoxicated]", "data-tooltip-text") or "")
    said = await card(page, "poisoned", summary="Green in the face.")
    assert said.startswith("Queasy")
    assert "Green in the face." in said

    # Back to what was shipped: the system's own name, and ours in German.
    await put_in_force(page, {**SHIPPED, "version": "ours"})
    await page.evaluate("standin.actor('bors').sheet.render({force: true})")
    await page.wait_for_selector("[data-condition-id=poisoned] :text('Poisoned')")
    await page.evaluate("canvas.hud.token.bind(standin.placeable('bors'))")
    assert "Betrunken 1" in (await page.get_attribute("[data-status-id=intoxicated]", "data-tooltip-text") or "")


async def test_what_a_condition_does_and_when_it_ends_is_said_in_german(
    foundry: MakeFoundry, context: MakeContext
) -> None:
    page = await german(foundry, context)
    said = await card(page, "bleeding")
    assert "Keine Trefferpunkte zurück" in said
    assert "Die Spielleitung beendet es." in said
    said = await card(page, "ignited", **TIMED)
    assert "1W4 Feuerschaden am Anfang jedes eigenen Zugs." in said
    assert "Endet in 90 Minuten. Ein Constitution-Rettungswurf (SG 13) am Ende des eigenen Zugs beendet es." in said
    assert "Die Seite hat nur die Überschrift" in said
    await shot(page, "cards-german")

    # What a setting has changed is not what is translated: better English than wrong.
    said = await card(page, "ignited", summary="2d6 fire damage at the start of each of its turns.", a=1)
    assert "2d6 fire damage" in said
    assert "1W4" not in said


async def test_times_and_plurals_are_the_languages_own(foundry: MakeFoundry, context: MakeContext) -> None:
    page = await german(foundry, context)
    ends = f"end => import('/modules/{ID}/scripts/words.mjs').then(m => m.endText(end))"
    assert await page.evaluate(ends, {"end": "rounds", "left": 1}) == "Endet nach 1 Runde."
    assert await page.evaluate(ends, {"end": "rounds", "left": 1200}) == "Endet nach 1.200 Runden."
    assert await page.evaluate(ends, {"end": "seconds", "left": 86_400}) == "Endet in 1 Tag."
    assert await page.evaluate(ends, {"end": "turn-start"}) == "Endet am Anfang eines Zugs."
    assert (
        await says(page, "harm", {"formula": "1d4", "type": "cold", "name": "Chilled"})
        == "Chilled: 1d4 Schaden (Cold)."
    )
    assert await says(page, "refused", {"amount": 7, "what": "", "cause": "spell"}) == (
        "7 Trefferpunkte durch einen Zauber kommen nicht zurück."
    )


async def says(page: Page, key: str, data: dict[str, Any]) -> str:
    """A line of a card in the page's language."""
    say = f"line => import('/modules/{ID}/scripts/words.mjs').then(m => m.textOf(line))"
    found: str = await page.evaluate(say, {"key": key, "text": "English", "data": data})
    return found
