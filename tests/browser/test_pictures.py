"""The pictures of the documentation, and that everything in them fits: `make screenshots` keeps them.

`CONDITION_BRIDGE_PICTURES` names the folder that they go to.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.table import API, ID, MODULE, Bridge, cards, pair, seat, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

WINDOW = f"#{ID}-window"
RULES = f"#{ID}-configure"
SPILLED = """(root) => [...document.querySelector(root).querySelectorAll('button, select, bdi, strong, h2, h3, summary')]
    .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
    .map((one) => one.textContent.trim() || one.outerHTML)"""
"""Texts that are wider than what holds them."""


async def picture(page: Page, name: str, place: str, folder: Path) -> None:
    """Keep a picture of a part of the page."""
    await page.evaluate("document.querySelector('#notifications').replaceChildren()")
    await page.evaluate("Promise.all([...document.images].map(image => image.decode().catch(() => {})))")
    await page.locator(place).screenshot(path=folder / f"{name}.png", animations="disabled")


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_pictures_of_the_documentation(
    language: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge, tmp_path: Path
) -> None:
    named = os.environ.get("CONDITION_BRIDGE_PICTURES", "")
    folder = Path(named) if named and language == "en" else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    if language != "en":
        await gm.add_init_script(f"localStorage.setItem('core.language', '\"{language}\"')")
        await gm.reload()
        await gm.wait_for_function("window.standin?.ready === true")
    await pair(gm, bridge)
    await gm.evaluate("game.messages.forEach((message) => message.delete())")
    await until(lambda: not cards(server), "an empty chat")

    # A fight in the tavern.
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.evaluate(f"{API}.drink(standin.actor('mira'), {{ count: 4, label: 'Ale' }})")
    await until(lambda: len(cards(server, "conditions")) == 2, "two cards")
    await gm.evaluate("standin.heal('bors', 7, {by: 'item'})")
    await until(lambda: len(cards(server, "refusal")) == 1, "the refusal")
    source = "source: standin.actor('goblin')"
    await gm.evaluate(
        f"{API}.apply(standin.actor('bors'), 'frightened', {{ lasts: 'save', ability: 'wis', dc: 13, {source} }})"
    )
    await gm.evaluate(f"{API}.apply(standin.actor('mira'), 'poisoned', {{ lasts: 'minutes', amount: 10 }})")
    await until(lambda: len(cards(server, "conditions")) == 4, "four cards")
    await gm.evaluate(f"{API}.drink(standin.actor('bors'), {{ label: 'Ale' }})")
    await picture(gm, "cards", "#ui-right", folder)

    await gm.set_viewport_size({"width": 1440, "height": 1600})
    await gm.click(f"[data-tool='{ID}-window']")
    await gm.wait_for_function(
        "(place) => document.querySelectorAll(place).length === 2", arg=f"{WINDOW} [data-list=denied] .cb-row"
    )
    await gm.evaluate(f"document.querySelector('{WINDOW}').style.maxHeight = 'none'")
    for theme, where in (("light", tmp_path), ("dark", folder)):
        await gm.evaluate(f"game.settings.set('core', 'theme', '{theme}')")
        await picture(gm, "console", WINDOW, where)
    assert await gm.evaluate(SPILLED, WINDOW) == []

    await gm.click(f"{WINDOW} [data-form=give] summary")
    await gm.select_option(f"{WINDOW} [name=lasts]", "save")
    await picture(gm, "give", f"{WINDOW} [data-form=give]", folder)
    assert await gm.evaluate(SPILLED, WINDOW) == []

    # The house rules.
    await gm.click(f"{WINDOW} [data-action=cb-configure]")
    await gm.wait_for_selector(f"{RULES} [data-view=configure] button")
    await gm.evaluate(f"document.querySelector('{RULES}').style.maxHeight = 'none'")
    await picture(gm, "configure", RULES, folder)
    assert await gm.evaluate(SPILLED, RULES) == []
    await gm.click(f"{RULES} [data-action=close]")

    # As wide as a window gets on a small screen at 200 %.
    await gm.evaluate(f"document.querySelector('{WINDOW}').style.width = '340px'")
    await gm.locator(WINDOW).screenshot(path=tmp_path / "narrow.png")
    assert await gm.evaluate(SPILLED, WINDOW) == []
    content = f"document.querySelector('{WINDOW} .window-content')"
    assert await gm.evaluate(f"{content}.scrollWidth <= {content}.clientWidth")
    assert server.page_errors == []
