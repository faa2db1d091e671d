"""Who has frightened, charmed or grappled a creature: asked once, at the click on the icon, and never in the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import ID, MODULE, seat, until
from tests.browser.test_module_rolls import shot

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

PICKER = ".application:has(.cb-sources)"
CHOSEN = f"{PICKER} .cb-source-choice:has(:checked)"


def source(server: FoundryServer, actor: str, status: str) -> str:
    """The source that an actor's condition has by its stamp."""
    [effect] = [one for one in server.actor(actor)["effects"] if status in one["statuses"]]
    found: str = json.loads(effect["flags"].get(ID, {}).get("mark", "{}")).get("source", "")
    return found


async def click(page: Page, actor: str, status: str) -> None:
    """Click a status in the palette of a token."""
    await page.evaluate(f"canvas.hud.token.bind(standin.placeable('{actor}'))")
    await page.click(f"#token-hud [data-status-id={status}]")
    await page.evaluate("canvas.hud.token.clear()")


async def seats(foundry: Any, context: Any, profile: str = "v14+dnd5e-6") -> tuple[FoundryServer, Page, Page]:
    """A GM and Bors' player; the goblin's name is not shown to players, the ogre's is, the ghost is hidden."""
    cast = [documents.fighter("bors", owner="ann"), documents.cleric("mira", owner="ben"), documents.goblin()]
    cast += [documents.goblin("ogre"), documents.goblin("ghost")]
    tokens = documents.placed(cast)
    tokens[2]["displayName"] = 0
    tokens[4]["hidden"] = True
    server = await foundry(profile, actors=cast, scenes=[documents.scene("cave", tokens)], module_dir=MODULE)
    return server, await seat(server, context, "gm"), await seat(server, context, "ann")


@pytest.mark.parametrize("profile", PROFILES)
async def test_the_target_is_proposed(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, _ = await seats(foundry, context, profile)
    await gm.evaluate("standin.target('goblin')")
    goblin = await gm.evaluate("standin.placeable('goblin').actor.uuid")
    for status in ("frightened", "charmed", "grappled"):
        await click(gm, "bors", status)
        await gm.wait_for_selector(PICKER)
        assert "targeted" in await gm.inner_text(CHOSEN)
        await shot(gm, f"source-picker-{status}")
        await gm.click(f"{PICKER} button[data-action=ok]")
        await until(lambda s=status: source(server, "bors", s) == goblin, "the source")
    assert server.page_errors == []


async def test_who_attacked_last_is_proposed(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, _ = await seats(foundry, context)
    await gm.evaluate(
        "(standin.target('bors'), standin.placeable('goblin').actor.items.getName('Scimitar').system.activities"
        ".getByType('attack')[0].rollAttack({}, {configure: false}))"
    )
    await gm.evaluate("standin.target()")
    await click(gm, "bors", "frightened")
    await gm.wait_for_selector(PICKER)
    assert "attacked last" in await gm.inner_text(CHOSEN)
    await gm.click(f"{PICKER} .cb-source-choice:has-text('Mira')")
    await gm.click(f"{PICKER} button[data-action=ok]")
    await until(lambda: source(server, "bors", "frightened"), "the source")
    assert source(server, "bors", "frightened") == f"Actor.{documents.stable_id('mira')}"


async def test_it_works_without_one_and_does_not_ask_again(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, _ = await seats(foundry, context)
    await click(gm, "bors", "charmed")
    await gm.wait_for_selector(PICKER)
    assert "Nobody" in await gm.inner_text(CHOSEN)
    await gm.click(f"{PICKER} [data-action=close]")
    await gm.evaluate("standin.actor('bors').effects.contents[0].update({name: 'Charmed!'})")
    await gm.evaluate("standin.settle()")
    assert source(server, "bors", "charmed") == ""
    assert await gm.locator(PICKER).count() == 0


async def test_a_player_sees_only_names_that_are_open(foundry: MakeFoundry, context: MakeContext) -> None:
    server, _, ann = await seats(foundry, context)
    await click(ann, "bors", "frightened")
    await ann.wait_for_selector(PICKER)
    names = await ann.locator(f"{PICKER} .cb-name").all_inner_texts()
    assert names == ["Mira", "someone", "Ogre", "Nobody in particular"]
    await ann.click(f"{PICKER} .cb-source-choice:has-text('someone')")
    await ann.click(f"{PICKER} button[data-action=ok]")
    await until(lambda: source(server, "bors", "frightened"), "the source")


async def test_one_click_on_several_creatures_asks_once(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, _ = await seats(foundry, context)
    await gm.evaluate("Promise.all(['bors', 'mira'].map(name => standin.actor(name).toggleStatusEffect('frightened')))")
    await gm.wait_for_selector(PICKER)
    assert await gm.locator(PICKER).count() == 1
    assert "Bors, Mira" in await gm.inner_text(f"{PICKER} .hint")
    await gm.click(f"{PICKER} .cb-source-choice:has-text('Ogre')")
    await gm.click(f"{PICKER} button[data-action=ok]")
    await until(lambda: source(server, "mira", "frightened"), "the source")
    assert source(server, "bors", "frightened") == source(server, "mira", "frightened")


async def test_an_effect_from_an_item_brings_its_source(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, _ = await seats(foundry, context)
    await gm.evaluate(
        """(() => {
          const origin = standin.actor("mira").items.getName("Cure Wounds").uuid;
          return standin.actor("bors").createEmbeddedDocuments("ActiveEffect", [{ name: "Fear", statuses: ["frightened"], origin }]);
        })()"""
    )
    assert source(server, "bors", "frightened") == f"Actor.{documents.stable_id('mira')}"
    assert await gm.locator(PICKER).count() == 0
