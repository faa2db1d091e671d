"""What conditions do not let a creature do: refused to its player, warned of to the GM, on the client that acts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, seat, until
from tests.browser.test_module_rolls import put, table

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

every_profile = pytest.mark.parametrize("profile", PROFILES)


async def warned(page: Page) -> str:
    """What the page was told since the last time."""
    text: str = await page.evaluate(
        "(() => { const all = [...document.querySelectorAll('#notifications .warning')];"
        " const text = all.map(one => one.innerText).join(' '); all.forEach(one => one.remove()); return text; })()"
    )
    return text


async def use(page: Page, actor: str, item: str) -> bool:
    """Use an item; whether anything came of it."""
    return bool(await page.evaluate(f"standin.useItem('{actor}', '{item}')"))


async def move(page: Page, actor: str, at: tuple[int, int]) -> bool:
    """Drag a token to a square; whether it went there."""
    await page.evaluate(f"standin.moveToken('{actor}', {list(at)})")
    place = await page.evaluate(f"(({{x, y}}) => [x / 100, y / 100])(standin.placeable('{actor}').document)")
    return bool(place == list(at))


def used(server: FoundryServer, actor: str = "bors") -> list[str]:
    """What waits for the bridge about turns."""
    outbox = server.actor(actor)["flags"].get(ID, {}).get("outbox", {})
    return [told["what"] for told in map(json.loads, outbox.values()) if told["type"] == "used"]


async def seats(foundry: Any, context: Any, profile: str, *conditions: str) -> tuple[FoundryServer, Page, Page]:
    """A GM and Bors' player, with conditions on Bors."""
    server = await table(foundry, profile)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    for condition in conditions:
        await put(gm, "bors", condition)
        await ann.wait_for_function(f"standin.actor('bors').statuses.has('{condition}')")
    return server, gm, ann


@every_profile
async def test_incapacitated_does_nothing(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, ann = await seats(foundry, context, profile, "stunned")
    assert not await use(ann, "bors", "Longsword")
    assert "cannot take an action" in await warned(ann)
    assert not await use(ann, "bors", "Potion of Healing")
    assert "bonus action" in await warned(ann)
    assert await use(gm, "bors", "Longsword")
    assert "Incapacitated" in await warned(gm)
    assert server.page_errors == []


@every_profile
async def test_dazed_moves_or_acts(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, ann = await seats(foundry, context, profile, "dazed")
    # DAZ-3: outside combat there is no turn to count.
    assert await use(ann, "bors", "Potion of Healing")
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await ann.wait_for_function("game.combat?.round === 1")
    assert await use(ann, "bors", "Longsword")
    await until(lambda: used(server) == ["attack"], "the attack to be told")
    # "further attacks of the same turn belong to the same action"
    assert await use(ann, "bors", "Longsword")
    assert not await use(ann, "bors", "Ale (mug)")
    assert not await use(ann, "bors", "Potion of Healing")
    assert not await move(ann, "bors", (2, 3))
    assert "has acted this turn" in await warned(ann)
    # "A token that the GM drags is never refused"
    assert await move(gm, "bors", (2, 4))
    assert "Dazed" in await warned(gm)
    # What was done is known after a reload.
    await ann.reload()
    await ann.wait_for_function("window.standin?.ready")
    assert not await move(ann, "bors", (2, 3))
    await gm.evaluate("standin.nextTurn()")
    await gm.evaluate("standin.nextTurn()")
    await ann.wait_for_function("game.combat.round === 2")
    assert await move(ann, "bors", (2, 3))
    await until(lambda: used(server)[-1] == "move", "the movement to be told")
    assert not await use(ann, "bors", "Longsword")
    assert await move(ann, "bors", (2, 2))


async def test_a_pull_by_the_gm_is_no_movement_of_its_own(foundry: MakeFoundry, context: MakeContext) -> None:
    _, gm, ann = await seats(foundry, context, "v14+dnd5e-6", "dazed")
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await ann.wait_for_function("game.combat?.round === 1")
    assert await move(gm, "bors", (2, 4))
    assert await use(ann, "bors", "Longsword")


@every_profile
async def test_frightened_does_not_move_closer(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    _, gm, ann = await seats(foundry, context, profile)
    await move(gm, "goblin", (8, 2))
    source = await gm.evaluate("standin.placeable('goblin').actor.uuid")
    await put(gm, "bors", "frightened", source=source)
    await ann.wait_for_function("standin.actor('bors').statuses.has('frightened')")
    assert not await move(ann, "bors", (3, 2))
    assert "closer to what it fears" in await warned(ann)
    assert await move(ann, "bors", (1, 2))
    assert await move(ann, "bors", (1, 0))
    assert await move(gm, "bors", (4, 2))
    assert "Frightened" in await warned(gm)


@every_profile
async def test_charmed_spares_the_charmer(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, ann = await seats(foundry, context, profile)
    await put(gm, "bors", "charmed", source=await gm.evaluate("standin.placeable('goblin').actor.uuid"))
    await ann.wait_for_function("standin.actor('bors').statuses.has('charmed')")
    await ann.evaluate("standin.target('goblin')")
    assert not await use(ann, "bors", "Longsword")
    assert "charmed it" in await warned(ann)
    # An attack from a card that stands there already, too.
    assert await ann.evaluate("standin.attack('bors', {target: 'goblin'})") is None
    assert await ann.evaluate("standin.attack('bors', {target: 'mira'})")
    assert await use(ann, "bors", "Potion of Healing")
    assert server.page_errors == []


@pytest.mark.parametrize(("condition", "level"), [("intoxicated", 5), ("stunned", 1)])
async def test_concentration_that_may_not_start(
    condition: str, level: int, foundry: MakeFoundry, context: MakeContext
) -> None:
    server = await table(foundry, "v14+dnd5e-6")
    gm = await seat(server, context, "gm")
    await put(gm, "mira", condition, level=level)
    assert await gm.evaluate("standin.concentrate('mira', 'Bless')") is None
    assert "cannot begin to concentrate" in await warned(gm)
    await gm.evaluate(f"standin.actor('mira').toggleStatusEffect('{condition}', {{active: false}})")
    assert await gm.evaluate("standin.concentrate('mira', 'Bless')")


async def test_an_action_that_was_lost(foundry: MakeFoundry, context: MakeContext) -> None:
    """INT-10: "Only the action is lost"."""
    server, gm, ann = await seats(foundry, context, "v14+dnd5e-6", "intoxicated")
    combat = await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await server.edit(
        f"Actor.{documents.stable_id('bors')}", {"flags": {ID: {"memory": json.dumps({"lost": [combat, 1]})}}}
    )
    await ann.wait_for_function("game.combat?.round === 1")
    assert not await use(ann, "bors", "Longsword")
    assert "No action left" in await warned(ann)
    assert await use(ann, "bors", "Potion of Healing")
    assert await move(ann, "bors", (2, 3))


async def test_settings_pause_and_another_module(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v14+dnd5e-6", limits_players="warn", limits_gm="off", modules=("midi-qol",))
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await put(gm, "bors", "stunned")
    await ann.wait_for_function("standin.actor('bors').statuses.has('stunned')")
    assert await use(ann, "bors", "Longsword")
    assert await warned(ann) == ""
    await gm.evaluate(f"game.settings.set('{ID}', 'ours', ['limits'])")
    await ann.wait_for_function(f"game.settings.get('{ID}', 'ours').length")
    assert await use(ann, "bors", "Longsword")
    assert "cannot take an action" in await warned(ann)
    assert await use(gm, "bors", "Longsword")
    assert await warned(gm) == ""
    await gm.evaluate(f"{API}.pause(true)")
    await ann.wait_for_function(f"{API}.paused()")
    assert await use(ann, "bors", "Longsword")
    assert await warned(ann) == ""
