"""The GM's window for the house rules: every page, every field, every button, with a real bridge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bridge.rulebook.pages import PAGES
from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, Bridge, pair, reach, seat, until
from tests.browser.test_module_rolls import shot

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

WINDOW = f"#{ID}-configure"
LONG = "Bartholomew Featherstonehaugh-Throckmorton the Unreasonably Long-Winded"


async def table(
    foundry: Any,
    context: Any,
    bridge: Bridge,
    profile: str = "v14+dnd5e-6",
    language: str = "en",
    modules: tuple[str, ...] = (),
) -> tuple[FoundryServer, Page]:
    """A GM who is paired, and Bors with a long name."""
    cast = [documents.fighter("bors", owner="ann"), documents.goblin()]
    cast[0]["name"] = LONG
    server = await foundry(profile, actors=cast, module_dir=MODULE, modules=modules)
    browser = await context()
    if language != "en":
        await browser.add_init_script(f"localStorage.setItem('core.language', '\"{language}\"')")
    gm = await server.open(browser, "gm")
    await pair(gm, bridge)
    return server, gm


async def configure(page: Page, subject: str = "table") -> None:
    """Open the window as a person does, and turn to a page."""
    if not await page.locator(WINDOW).count():
        await page.evaluate(f"new (game.settings.menus.get('{ID}.configure').type)().render({{force: true}})")
        await page.wait_for_selector(WINDOW)
    await page.click(f"{WINDOW} [data-control=page-{subject}]")
    await page.wait_for_selector(f"{WINDOW} [data-control=page-{subject}][aria-current=page]")


def field(key: str) -> str:
    return f"{WINDOW} [name='{key}']"


async def look(page: Page, group: str) -> None:
    """Ask what a form would change."""
    await page.click(f"{WINDOW} [data-form=group-{group}] [data-control=look]")


async def put(page: Page) -> None:
    """Put it in force."""
    await page.click(f"{WINDOW} [data-list=changes] [data-control=put]")
    await page.wait_for_selector(f"{WINDOW} .cb-note.good")


async def text(page: Page) -> str:
    found: str = await page.inner_text(WINDOW)
    return found


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_change_is_shown_first_then_put_in_force(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await table(foundry, context, bridge, profile)
    await configure(gm, "bleeding")
    await gm.check(field("bleeding.ends-on.long-rest"))
    await gm.select_option(field("bleeding.gm-edits"), "refused")
    await look(gm, "bleeding")
    await gm.wait_for_selector(f"{WINDOW} [data-list=changes]")
    said = await gm.inner_text(f"{WINDOW} [data-list=changes]")
    assert "Ends by itself with: a long rest, no longer nothing." in said
    assert "The GM types hit points: refused, no longer granted." in said
    await put(gm)
    assert await gm.is_checked(field("bleeding.ends-on.long-rest"))

    # It is the bridge's: a reload shows the same.
    await gm.reload()
    await gm.wait_for_function("window.standin?.ready === true")
    await reach(gm, "connected")
    await configure(gm, "bleeding")
    assert await gm.is_checked(field("bleeding.ends-on.long-rest"))
    assert await gm.input_value(field("bleeding.gm-edits")) == "refused"
    assert server.page_errors == []


async def test_every_page_is_drawn_and_can_be_looked_at(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await table(foundry, context, bridge)
    for theme in ("dark", "light"):
        await gm.evaluate(f"game.settings.set('core', 'theme', '{theme}')")
        for subject in PAGES:
            await configure(gm, subject)
            await gm.evaluate("w => document.querySelector(`${w} details`)?.setAttribute('open', '')", WINDOW)
            await shot(gm, f"configure-{subject}-{theme}")
    # Every field has a label of its own.
    for subject in PAGES:
        await configure(gm, subject)
        bare = await gm.evaluate(
            """root => [...document.querySelectorAll(`${root} form [name]:not(.cb-tags)`)].filter(
              input => !input.labels?.length).map(input => input.name)""",
            WINDOW,
        )
        assert bare == []
    assert server.page_errors == []


async def test_words_of_a_condition_reach_the_table(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server, gm = await table(foundry, context, bridge)
    await configure(gm, "conditions")
    await gm.click(f"{WINDOW} [data-form=group-poisoned] summary")
    await gm.fill(field("conditions.poisoned.name"), "Queasy <b>very</b>")
    await gm.fill(field("conditions.poisoned.summary"), "Green in the face.")
    await gm.select_option(field("conditions.poisoned.rolls"), "enforce")
    await look(gm, "poisoned")
    await gm.wait_for_selector(f"{WINDOW} :text('Poisoned is called Queasy <b>very</b>')")
    assert await gm.is_visible(field("conditions.poisoned.name"))
    await put(gm)
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('poisoned')")
    await gm.wait_for_selector(f".chat-card.{ID} :text('Green in the face.')")
    assert "Queasy <b>very</b>" in await gm.inner_text(f".chat-card.{ID}:has-text('Green')")
    assert await gm.locator(".chat-card b:text('very')").count() == 0
    assert server.page_errors == []


async def test_what_is_wrong_stands_at_its_field(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    _, gm = await table(foundry, context, bridge)
    await configure(gm, "others")
    await gm.click(f"{WINDOW} [data-form=group-ignited] summary")
    await gm.fill(field("ignited.damage"), "lots")
    await look(gm, "ignited")
    await gm.wait_for_selector(
        f"{WINDOW} .cb-problem :text('cannot be rolled'), {WINDOW} .cb-problem:has-text('cannot be rolled')"
    )
    assert await gm.input_value(field("ignited.damage")) == "lots"
    assert await gm.locator(f"{WINDOW} [data-control=put]").count() == 0
    await shot(gm, "configure-problem")
    await gm.fill(field("ignited.damage"), "2d6")
    await look(gm, "ignited")
    await gm.wait_for_selector(f"{WINDOW} [data-control=put]")
    await shot(gm, "configure-changes")
    await gm.click(f"{WINDOW} [data-control=drop]")
    await gm.wait_for_selector(f"{WINDOW} [data-list=changes]", state="detached")
    assert await gm.input_value(field("ignited.damage")) == "1d4"


async def test_drinks_and_habits(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server, gm = await table(foundry, context, bridge)
    await configure(gm, "intoxicated")
    await gm.fill(field("intoxicated.drinks"), "rations 3\nmead")
    await gm.select_option(field("intoxicated.words"), "family")
    await look(gm, "intoxicated")
    await put(gm)
    assert await gm.input_value(field("intoxicated.drinks")) == "rations 3\nmead"
    await gm.evaluate("standin.useItem('bors', 'Rations')")
    await gm.wait_for_selector(f".chat-card.{ID} :text('Giddy 1')")
    await gm.click(f"{WINDOW} [data-list=drinkers] [data-control=habits]")
    await gm.fill("dialog [name=tolerance]", "2")
    await gm.click("dialog [data-action=ok]")
    await gm.wait_for_selector(f"{WINDOW} [data-list=drinkers] :text('Tolerance: 2')")
    assert json.loads(server.actor("bors")["flags"][ID]["habits"])["tolerance"] == 2


async def test_a_file_goes_out_comes_in_and_is_taken_back(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, tmp_path: Path
) -> None:
    _, gm = await table(foundry, context, bridge)
    await configure(gm, "file")
    async with gm.expect_download() as caught:
        await gm.click(f"{WINDOW} [data-control=export]")
    saved = await (await caught.value).path()
    assert (await caught.value).suggested_filename == "house-rules.toml"
    assert "intoxicated.base = 2" in saved.read_text(encoding="utf-8")

    ours = tmp_path / "saltmarsh.toml"
    ours.write_text('name = "Saltmarsh"  # since the storm\n[settings]\nlimits.gm = "off"\n', encoding="utf-8")
    await gm.set_input_files(field("text"), ours)
    await gm.click(f"{WINDOW} [data-form=import] [data-control=look]")
    await gm.wait_for_selector(f"{WINDOW} :text('What a condition forbids, for the GM: off, no longer warned of.')")
    await put(gm)
    assert await gm.input_value(field("name")) == "Saltmarsh"

    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[settings]\nlimits.gm = "wran"\n', encoding="utf-8")
    await gm.set_input_files(field("text"), wrong)
    await gm.click(f"{WINDOW} [data-form=import] [data-control=look]")
    await gm.wait_for_selector(f"{WINDOW} .cb-note.bad:has-text('rulebook:2: settings.limits.gm')")
    large = tmp_path / "large.toml"
    large.write_text("#" * 200_001, encoding="utf-8")
    await gm.set_input_files(field("text"), large)
    assert "200,000" in await gm.evaluate("name => document.querySelector(name).validationMessage", field("text"))

    await gm.click(f"{WINDOW} [data-control=page-file]")
    await gm.click(f"{WINDOW} [data-control=back]")
    await gm.wait_for_selector(f"{WINDOW} :text('What a condition forbids, for the GM: warned of, no longer off.')")
    await put(gm)
    assert await gm.input_value(field("name")) == ""


async def test_what_another_gm_changed_meanwhile_is_told(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    _, gm = await table(foundry, context, bridge)
    await configure(gm, "table")
    await gm.select_option(field("limits.gm"), "off")
    await look(gm, "rolls")
    await gm.wait_for_selector(f"{WINDOW} [data-control=put]")
    # The command line, or another GM, is quicker.
    file = bridge.folder.parent / "theirs.toml"
    file.write_text('[settings]\ncards.gain = "gm"\n', encoding="utf-8")
    await bridge.run("rulebook", "import", str(file), "--yes")
    await gm.click(f"{WINDOW} [data-control=put]")
    await gm.wait_for_selector(f"#notifications :text('have changed meanwhile'), {WINDOW} :text('have changed since')")
    assert await gm.locator(f"{WINDOW} .cb-note.good").count() == 0


async def test_without_the_bridge_and_for_players(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server, gm = await table(foundry, context, bridge)
    await configure(gm, "bleeding")
    await bridge.stop()
    await gm.wait_for_selector(f"{WINDOW} :text('kept by the bridge')")
    assert await gm.locator(f"{WINDOW} [data-form]").count() == 0
    await shot(gm, "configure-away")
    await bridge.start()
    await gm.wait_for_selector(f"{WINDOW} [data-form=group-bleeding]")
    ann = await seat(server, context, "ann")
    await ann.evaluate("ui.sidebar?.changeTab?.('settings', 'primary')")
    assert not await ann.evaluate(f"game.user.isGM || !game.settings.menus.get('{ID}.configure').restricted")
    await ann.evaluate(f"new (game.settings.menus.get('{ID}.configure').type)().render({{force: true}})")
    await ann.wait_for_selector(WINDOW)
    assert await ann.locator(f"{WINDOW} [data-form]").count() == 0


async def test_what_another_module_does_is_left_to_it_or_taken_back(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await table(foundry, context, bridge, modules=("midi-qol", "dice-so-nice"))
    await configure(gm, "modules")
    row = f"{WINDOW} [data-module=midi-qol]"
    for ours in (["limits"], []):
        await gm.click(f"{row} button[data-part=limits]")
        await until(lambda ours=ours: server.world.setting(ID, "ours") == ours, "the choice to be kept")  # type: ignore[misc]
        await gm.wait_for_selector(f"{row}:has-text('{'as well' if ours else 'stand aside'}')")
    assert await gm.locator(f"{WINDOW} [data-module=dice-so-nice] button").count() == 0
    # It is the table's, and a reload shows the same.
    await gm.click(f"{row} button")
    await gm.reload()
    await reach(gm, "connected")
    await configure(gm, "modules")
    await gm.wait_for_selector(f"{row}:has-text('as well')")
    assert server.page_errors == []


async def test_the_connection_can_be_paused_forgotten_and_paired_anew(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await table(foundry, context, bridge)
    await configure(gm, "connection")
    await gm.click(f"{WINDOW} [data-action=cb-pause]")
    await reach(gm, "paused")
    await gm.click(f"{WINDOW} [data-action=cb-pause]")
    await reach(gm, "connected")
    await gm.click(f"{WINDOW} [data-action=cb-report]")
    await gm.wait_for_function("game.clipboard.copied")
    await bridge.stop()
    await reach(gm, "down")
    await bridge.start()
    await gm.click(f"{WINDOW} [data-action=cb-retry]")
    await reach(gm, "connected")
    await gm.click(f"{WINDOW} [data-action=cb-clean]")
    await gm.click("dialog [data-action=no]")
    await gm.click(f"{WINDOW} [data-action=cb-forget]")
    await reach(gm, "unpaired")
    await gm.fill(f"{WINDOW} [name=url]", bridge.url)
    await gm.fill(f"{WINDOW} [name=code]", await bridge.new_code())
    await gm.click(f"{WINDOW} .cb-pair")
    await reach(gm, "connected")
    assert [error for error in server.page_errors if "WebSocket connection to" not in error] == []


async def test_it_speaks_german_at_twice_the_size(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    _, gm = await table(foundry, context, bridge, language="de")
    await gm.wait_for_selector(".chat-card :text('Betreute Kreaturen: 3')")
    await configure(gm, "intoxicated")
    said = await text(gm)
    assert "Ein Getränk zählt" in said
    assert "What" not in said
    await gm.select_option(field("intoxicated.level-6"), "at-once")
    await look(gm, "intoxicated")
    await gm.wait_for_selector(f"{WINDOW} :text('Auf Stufe 6: sofort bewusstlos, nicht mehr ein Rettungswurf')")
    # What the bridge refuses is said in German as well.
    await gm.evaluate("standin.actor('goblin').update({'system.traits.ci.value': ['poisoned']})")
    await gm.evaluate(f"{API}.apply(standin.actor('goblin'), 'poisoned')")
    await gm.wait_for_selector("#notifications :text('ist immun dagegen')")
    await gm.evaluate("document.documentElement.style.fontSize = '200%'")
    await shot(gm, "configure-german-200")
    wide = await gm.evaluate(
        "w => { const c = document.querySelector(`${w} .window-content`); return c.scrollWidth - c.clientWidth }",
        WINDOW,
    )
    assert wide <= 1
