"""The windows, dialogs and cards hold against axe (WCAG 2.1, A and AA), in both themes and with motion reduced.

Colours are those that the stand-in gives to Foundry's variables: what a real Foundry's skin does to them is not seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bridge.rulebook.pages import PAGES
from tests.browser.table import API, ID, MODULE, ROOT, Bridge, cards, pair, seat, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

AXE = ROOT / "node_modules/axe-core/axe.min.js"
WINDOW = f"#{ID}-window"
RULES = f"#{ID}-configure"
CARDS = f"#chat .{ID}"
RUN = """async (places) => {
    const found = await axe.run({ include: places.map((place) => [place]) },
        { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'] });
    return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}"""


async def faults(page: Page, *places: str) -> list[str]:
    """What axe finds in these parts of the page."""
    if not await page.evaluate("'axe' in window"):
        await page.add_script_tag(path=AXE)
    for place in places:
        assert await page.locator(place).count(), place
    found: list[str] = await page.evaluate(RUN, list(places))
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing(theme: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE, modules=["midi-qol"])
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    for page in (gm, ann):
        await page.emulate_media(reduced_motion="reduce")
        await page.evaluate(f"game.settings.set('core', 'theme', '{theme}')")
    await gm.click(f"[data-tool='{ID}-window']")
    # Not paired yet.
    assert await faults(gm, WINDOW) == []
    await gm.click(f"{WINDOW} [data-action=close]")
    await pair(gm, bridge)

    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.evaluate(f"{API}.drink(standin.actor('mira'), {{ count: 4 }})")
    await gm.evaluate("standin.heal('bors', 7, {by: 'item'})")
    give = "{ lasts: 'save', ability: 'wis', dc: 13, source: standin.actor('goblin') }"
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'frightened', {give})")
    await until(lambda: len(cards(server)) >= 5, "the cards")
    assert await faults(gm, CARDS) == []
    assert await faults(ann, CARDS) == []

    await gm.click(f"[data-tool='{ID}-window']")
    await gm.wait_for_selector(f"{WINDOW} [data-list=denied] .cb-row")
    await gm.click(f"{WINDOW} [data-form=give] summary")
    assert await faults(gm, WINDOW) == []
    await gm.click(f"{WINDOW} [data-action=cb-clean]")
    await gm.wait_for_selector("dialog [data-action=no]")
    assert await faults(gm, "dialog") == []
    await gm.click("dialog [data-action=no]")

    await gm.click(f"{WINDOW} [data-action=cb-configure]")
    await gm.wait_for_selector(f"{RULES} [data-view=configure] button")
    for name in (*PAGES, "modules", "connection", "file"):
        await gm.click(f"{RULES} [data-control=page-{name}]")
        await gm.wait_for_selector(
            f"{RULES} [data-control=page-{name}][aria-current=page]:not(:disabled):not([aria-disabled=true])"
        )
        assert await faults(gm, RULES) == [], name
    assert server.page_errors == []


async def test_a_button_without_a_name_would_be_found(foundry: MakeFoundry, context: MakeContext) -> None:
    """Negative control."""
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await gm.click(f"[data-tool='{ID}-window']")
    await gm.evaluate(f"document.querySelector('{WINDOW} .window-content').append(document.createElement('button'))")
    assert any(fault.startswith("button-name") for fault in await faults(gm, WINDOW))
