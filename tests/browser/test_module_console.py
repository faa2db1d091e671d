"""The GM's console: every button and field, by mouse and by keyboard, after a reload, and with the bridge off."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest

from bridge.engine.apply import static_id
from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, ROOT, Bridge, cards, hp, pair, reach, seat, statuses, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.merge import Json
    from tests.browser.foundry.server import FoundryServer

WINDOW = f"#{ID}-window"
OPEN = f"[data-tool='{ID}-window']"


def row(creature: str, condition: str) -> str:
    """The row of a condition in the list of who has what."""
    return f"{WINDOW} [data-list=statuses] [data-row*='{creature}'][data-row$='-{condition}']"


def level(server: FoundryServer, actor: str) -> int:
    """The level of Intoxicated, as the server has it."""
    found = [effect for effect in server.actor(actor)["effects"] if "intoxicated" in effect["statuses"]]
    return int(mark_of(found[0]).get("level", 1)) if found else 0


def mark_of(effect: dict[str, object]) -> dict[str, object]:
    """What the bridge stamped on an effect."""
    import json

    flags = effect["flags"]
    assert isinstance(flags, dict)
    raw = flags[ID]["mark"]
    return json.loads(raw) if isinstance(raw, str) else raw


async def at_table(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, profile: str = "v14+dnd5e-6"
) -> tuple[FoundryServer, Page]:
    """A paired GM with the console open."""
    server = await foundry(profile, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.click(OPEN)
    await gm.wait_for_selector(f"{WINDOW} [data-form=give]")
    return server, gm


async def rulebook(bridge: Bridge, tmp: str, text: str) -> None:
    """Put house rules in force, as a person does in a terminal."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bridge", "rulebook", "import", tmp, "--yes", "--data-dir", str(bridge.folder)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, (text, out.decode())


async def choose(gm: Page, *actors: str) -> None:
    """Select tokens."""
    await gm.evaluate(
        "(names) => { canvas.tokens.controlled.slice().forEach(token => token.release());"
        " for (const name of names) standin.actor(name).getActiveTokens()[0].control({ releaseOthers: false }); }",
        list(actors),
    )


async def fill(gm: Page, form: str, **values: str | bool) -> None:
    """Fill in the fields of a form, each as its kind wants it."""
    details = gm.locator(f"{WINDOW} [data-form={form}]")
    if not await details.evaluate("(element) => element.open"):
        await details.locator("summary").click()
    for name, value in values.items():
        field = details.locator(f"[name={name}]")
        if isinstance(value, bool):
            await field.set_checked(value)
        elif await field.evaluate("(element) => element.localName") == "select":
            await field.select_option(value)
        else:
            await field.fill(value)


async def press(gm: Page, place: str, control: str) -> None:
    """Press a button of a view."""
    await gm.click(f"{WINDOW} {place} [data-control='{control}']")


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_condition_is_given_ended_and_explained(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge, profile)
    assert "Nobody has a condition" in await gm.inner_text(f"{WINDOW} [data-list=statuses]")

    await choose(gm, "bors", "mira")
    source = await gm.evaluate("standin.actor('goblin').uuid")
    await fill(gm, "give", condition="poisoned", lasts="minutes", amount="10", source=source)
    await press(gm, "[data-form=give]", "give")
    await until(lambda: {"poisoned"} <= statuses(server, "bors") & statuses(server, "mira"), "both to be poisoned")
    await gm.wait_for_selector(row("bors", "poisoned"))
    said = await gm.inner_text(row("bors", "poisoned"))
    assert "10 minutes" in said
    assert "Caused by Goblin" in said

    # Why? In the same window, and back.
    await gm.click(f"{row('bors', 'poisoned')} [data-control=why]")
    await gm.wait_for_selector(f"{WINDOW} [data-view=why]")
    assert "By the GM's word." in await gm.inner_text(f"{WINDOW} [data-list=causes]")
    await press(gm, "[data-view=why]", "back")
    await gm.wait_for_selector(row("bors", "poisoned"))

    # Undo takes it from both: one word, one group.
    await gm.click(f"{WINDOW} [data-list=decisions] [data-control=undo] >> nth=0")
    await until(lambda: not statuses(server, "bors") | statuses(server, "mira"), "the undo")

    # Whatever was looked at last, it opens with the console.
    await press(gm, "[data-view=console]", "history")
    await gm.wait_for_selector(f"{WINDOW} [data-view=history]")
    await gm.click(f"{WINDOW} [data-action=close]")
    await gm.click(OPEN)
    await gm.wait_for_selector(f"{WINDOW} [data-view=console] [data-form=give]")
    assert server.page_errors == []


async def test_every_field_of_a_duration_is_used_and_only_shown_when_it_counts(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await choose(gm, "bors")
    await fill(gm, "give", condition="intoxicated", level="4", lasts="save", ability="wis", dc="17", moment="start")
    shown = gm.locator(f"{WINDOW} [data-form=give] .form-group:visible")
    assert await shown.count() == 8
    await press(gm, "[data-form=give]", "give")
    await until(lambda: level(server, "bors") == 4, "level 4")
    (effect,) = (one for one in server.actor("bors")["effects"] if "intoxicated" in one["statuses"])
    timer = mark_of(effect)["timer"]
    assert isinstance(timer, dict)
    assert (timer["kind"], timer["ability"], timer["dc"], timer["moment"]) == ("save", "wis", 17, "start")
    await gm.wait_for_selector(row("bors", "intoxicated"))
    assert "Wisdom save, DC 17" in await gm.inner_text(row("bors", "intoxicated"))

    # One level more, one less, and the end, by the buttons of the row.
    for control, expected in (("more", 5), ("less", 4), ("end", 0)):
        await gm.click(f"{row('bors', 'intoxicated')} [data-control={control}]")
        await until(lambda expected=expected: level(server, "bors") == expected, f"level {expected}")
        if expected:
            await gm.wait_for_function(
                "([place, text]) => document.querySelector(place)?.innerText.includes(text)",
                arg=[row("bors", "intoxicated"), f"Intoxicated {expected}"],
            )
    await fill(gm, "give", condition="prone", lasts="")
    assert await shown.count() == 4


async def test_the_immune_are_spared_unless_it_is_forced(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    actors = [documents.fighter("bors", owner="ann", condition_immunities=("poisoned",))]
    server = await foundry(module_dir=MODULE, actors=actors)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.click(OPEN)
    await gm.wait_for_selector(f"{WINDOW} [data-form=give]")
    await choose(gm, "bors")
    await fill(gm, "give", condition="poisoned")
    await press(gm, "[data-form=give]", "give")
    await gm.wait_for_selector(f"{WINDOW} [data-list=denied]")
    assert "immune to Poisoned" in await gm.inner_text(f"{WINDOW} [data-list=denied]")
    await fill(gm, "give", forced=True)
    await press(gm, "[data-form=give]", "give")
    await until(lambda: "poisoned" in statuses(server, "bors"), "the forced condition")


async def test_a_round_of_drinks_food_and_water(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await fill(gm, "drinks", count="2", strength="2")
    await press(gm, "[data-form=drinks]", "table")
    await until(lambda: level(server, "bors") and level(server, "mira"), "the round to be drunk")
    assert "intoxicated" not in statuses(server, "goblin")

    before = level(server, "mira")
    await choose(gm, "mira")
    await press(gm, "[data-form=drinks]", "selected")
    await until(lambda: level(server, "mira") > before, "one more for Mira")
    for control in ("food", "water"):
        await press(gm, "[data-form=drinks]", control)
    await gm.wait_for_function(
        "(place) => document.querySelector(place)?.innerText.includes('Next change in 60 minutes')"
        " || document.querySelector(place)?.innerText.includes('Next change in 1 hour')",
        arg=row("mira", "intoxicated"),
    )
    # With nobody selected nobody drinks.
    await choose(gm)
    await press(gm, "[data-form=drinks]", "selected")
    await gm.wait_for_selector("#notifications >> text=Select a token first")


async def test_a_refused_healing_is_explained_and_allowed(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await gm.wait_for_selector(row("bors", "bleeding"))
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.evaluate("standin.heal('bors', 5, {by: 'item'})")
    await gm.wait_for_selector(f"{WINDOW} [data-list=denied] [data-control=allow]")
    assert hp(server, "bors") == 8
    await press(gm, "[data-list=denied]", "allow")
    await until(lambda: hp(server, "bors") == 13, "the healing")
    # The card knows it as well.
    await until(lambda: cards(server, "refusal")[0]["done"] == ["allow"], "the card")


async def ask_of_drinks(bridge: Bridge) -> None:
    """House rules in which Intoxicated waits for the GM's word."""
    book = bridge.folder / "book.toml"
    text = 'name = "Asking"\n[settings]\n"conditions.intoxicated.mode" = "ask"\n'
    book.write_text(text, encoding="utf-8")
    await rulebook(bridge, str(book), text)


@pytest.mark.parametrize(("answer", "levels"), [("approve", 1), ("refuse", 0)])
async def test_what_waits_is_answered_on_its_card(
    answer: str, levels: int, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await ask_of_drinks(bridge)
    await gm.evaluate(f"{API}.drink(standin.actor('bors'), {{ count: 4 }})")
    await gm.click(f"[data-bridge-button={answer}]")
    await until(lambda: cards(server, "notice")[0]["done"] == ["approve"], "the card")
    # A refusal does not look like a success.
    shown = ".cb-done.success .fa-check" if answer == "approve" else ".cb-done.failure .fa-ban"
    await gm.wait_for_selector(f".condition-bridge[data-kind=notice] {shown}")
    await gm.wait_for_selector(f"{WINDOW} [data-list=waiting]", state="detached")
    await until(lambda: level(server, "bors") == levels, "the drinks")
    # One answer is given, neither is left.
    for button in ("approve", "refuse"):
        await gm.wait_for_selector(f"[data-bridge-button={button}]", state="detached")


@pytest.mark.parametrize("answer", ["approve", "refuse"])
async def test_what_waits_is_answered_one_by_one_and_all_at_once(
    answer: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await ask_of_drinks(bridge)
    for actor in ("bors", "mira", "goblin"):
        await gm.evaluate(f"{API}.drink(standin.actor('{actor}'), {{ count: 4 }})")
    waiting = f"{WINDOW} [data-list=waiting]"
    await gm.wait_for_function("(place) => document.querySelectorAll(place).length === 3", arg=f"{waiting} .cb-row")
    await press(gm, "[data-list=waiting] .cb-creature:first-child", answer)
    await gm.wait_for_function("(place) => document.querySelectorAll(place).length === 2", arg=f"{waiting} .cb-row")
    await press(gm, "[data-list=waiting]", f"{answer}-all")
    await gm.wait_for_selector(waiting, state="detached")
    await until(lambda: all("approve" in card["done"] for card in cards(server, "notice")), "the cards")
    assert len(cards(server, "notice")) == 3
    if answer == "approve":
        await until(lambda: all(level(server, name) for name in ("bors", "mira")), "the drinks to work")
    else:
        assert not level(server, "bors")
        assert not level(server, "mira")


async def test_the_history_is_searched_by_every_field(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    _, gm = await at_table(foundry, context, bridge)
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await gm.evaluate(f"{API}.drink([standin.actor('bors'), standin.actor('mira')], {{ count: 4 }})")
    await gm.wait_for_selector(row("mira", "intoxicated"))
    await press(gm, "[data-view=console]", "history")
    found = f"{WINDOW} [data-list=found]"
    await gm.wait_for_selector(found)

    async def look(count: int, **values: str) -> None:
        everything = {"creature": "", "condition": "", "rule": "", "since": ""} | values
        await fill(gm, "search", **everything)
        await press(gm, "[data-form=search]", "find")
        await gm.wait_for_function(
            "([place, count]) => document.querySelectorAll(`${place} .cb-row`).length === count", arg=[found, count]
        )

    await look(1, creature="mir")
    await look(1, condition="bleeding")
    await look(2, rule="INT-4")
    await look(0, creature="nobody")
    await look(4, since="1 hour")
    await fill(gm, "search", since="yesterday")
    await gm.press(f"{WINDOW} [name=since]", "Enter")
    await gm.wait_for_selector(f"{WINDOW} .cb-note.warning")
    await press(gm, "[data-view=history]", "back")
    await gm.wait_for_selector(f"{WINDOW} [data-view=console]")


async def test_it_is_opened_and_worked_by_keyboard_alone(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    for actor in ("bors", "mira"):
        await gm.evaluate(f"standin.actor('{actor}').toggleStatusEffect('prone')")
    await gm.keyboard.press("Alt+Shift+B")
    await gm.wait_for_selector(row("mira", "prone"))
    await gm.focus(f"{row('bors', 'prone')} [data-control=end]")
    await gm.keyboard.press("ArrowDown")
    focused = "document.activeElement.closest('[data-row]')?.dataset.row + ' ' + document.activeElement.dataset.control"
    assert (await gm.evaluate(focused)).endswith("mira000000000000-prone end")

    # The list is drawn anew by what others do, and the focus stays where it was.
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await gm.wait_for_selector(row("bors", "bleeding"))
    assert (await gm.evaluate(focused)).endswith("mira000000000000-prone end")
    await gm.keyboard.press("Enter")
    await until(lambda: "prone" not in statuses(server, "mira"), "Mira to stand")

    # What is being typed stays as well.
    await fill(gm, "drinks", count="7")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('blinded')")
    await gm.wait_for_selector(row("bors", "blinded"))
    assert await gm.input_value(f"{WINDOW} [name=count]") == "7"
    await gm.keyboard.press("Escape")
    await gm.evaluate("document.activeElement.blur()")
    await gm.keyboard.press("Alt+Shift+B")
    await gm.wait_for_selector(WINDOW, state="detached")


async def test_clocks_run_without_the_bridge_being_asked(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'poisoned', {{ lasts: 'minutes', amount: 10 }})")
    await gm.wait_for_selector(row("bors", "poisoned"))
    assert "10 minutes" in await gm.inner_text(row("bors", "poisoned"))
    # Nothing leaves this browser any more.
    await gm.evaluate("WebSocket.prototype.send = () => {}")
    await server.advance_time(240)
    await gm.wait_for_function(
        "(place) => document.querySelector(place)?.innerText.includes('6 minutes')", arg=row("bors", "poisoned")
    )


async def test_rounds_are_counted_as_the_combat_goes_on(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    _, gm = await at_table(foundry, context, bridge)
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'poisoned', {{ lasts: 'rounds', amount: 3 }})")
    await gm.wait_for_selector(row("bors", "poisoned"))
    assert "3 rounds" in await gm.inner_text(row("bors", "poisoned"))
    for _ in range(2):
        await gm.evaluate("standin.nextTurn()")
    await gm.wait_for_function(
        "(place) => document.querySelector(place)?.innerText.includes('2 rounds')", arg=row("bors", "poisoned")
    )


async def test_with_the_bridge_off_it_shows_what_the_documents_show_and_still_pauses(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await gm.evaluate(f"{API}.drink(standin.actor('bors'), {{ count: 9 }})")
    await gm.wait_for_selector(row("bors", "intoxicated"))
    await bridge.stop(kill=True)
    await reach(gm, "down")
    await gm.wait_for_selector(f"{WINDOW} .cb-state.bad")
    assert "Intoxicated" in await gm.inner_text(row("bors", "intoxicated"))
    assert await gm.locator(f"{WINDOW} [data-control]").count() == 0
    # After a reload, too, and what is put on meanwhile.
    await gm.reload()
    await gm.wait_for_function("window.standin?.ready === true")
    await gm.click(OPEN)
    await gm.evaluate("standin.actor('mira').toggleStatusEffect('prone')")
    await gm.wait_for_selector(row("mira", "prone"))
    assert await gm.evaluate(f"{API}.why(standin.actor('mira'), 'prone')") is None
    # What the GM says meanwhile is kept until the bridge is back.
    await gm.evaluate(f"{API}.apply(['bors', 'mira'].map((name) => standin.actor(name)), 'blinded')")

    await gm.click(f"{WINDOW} [data-action=cb-pause]")
    await reach(gm, "paused")
    await gm.click(f"{WINDOW} [data-action=cb-pause]")
    await bridge.start()
    await gm.click(f"{WINDOW} [data-action=cb-retry]")
    await reach(gm, "connected")
    await gm.wait_for_selector(f"{row('bors', 'intoxicated')} [data-control=why]")
    await until(lambda: "blinded" in statuses(server, "bors") & statuses(server, "mira"), "what was said meanwhile")


async def test_the_menu_of_the_settings_opens_the_same_window(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """Foundry makes a window of its own from the class that the menu names."""
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.evaluate(f"new (game.settings.menus.get('{ID}.window').type)().render({{ force: true }})")
    await gm.wait_for_selector(f"{WINDOW} [data-form=give]")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('prone')")
    await gm.wait_for_selector(row("bors", "prone"))
    await gm.click(OPEN)
    await gm.wait_for_selector(WINDOW, state="detached")


async def test_it_is_the_same_after_a_reload(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    _, gm = await at_table(foundry, context, bridge)
    await gm.evaluate(f"{API}.drink(standin.actor('bors'))")
    await gm.evaluate("standin.actor('mira').toggleStatusEffect('prone')")
    view = f"document.querySelector('{WINDOW} .cb-view').innerText"
    await gm.wait_for_selector(row("mira", "prone"))
    await gm.wait_for_selector(f"{WINDOW} [data-list=denied]")
    before = await gm.evaluate(view)
    assert "1 of the 3 drinks" in before
    await gm.reload()
    await gm.wait_for_function("window.standin?.ready === true")
    await reach(gm, "connected")
    await gm.click(OPEN)
    await gm.wait_for_selector(f"{WINDOW} [data-list=denied]")
    assert await gm.evaluate(view) == before


async def test_names_are_text_and_long_lists_can_be_searched(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    names = ["<img src=x onerror=alert(1)>", "אברהם", "Aurelian Thistlewick-Brandywine of the Far Hills"]
    actors = [documents.goblin(f"goblin{letter}", linked=True) for letter in "abcdefghijklmnop"]
    for actor, name in zip(actors, names, strict=False):
        actor["name"] = actor["prototypeToken"]["name"] = name
    server = await foundry(module_dir=MODULE, actors=actors)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.evaluate("Promise.all(game.actors.map((actor) => actor.toggleStatusEffect('prone')))")
    await gm.click(OPEN)
    creatures = f"{WINDOW} [data-list=statuses] .cb-creature"
    await gm.wait_for_function("(place) => document.querySelectorAll(place).length === 16", arg=creatures)
    assert await gm.locator(f"{WINDOW} img[src=x]").count() == 0
    assert await gm.locator(f"{creatures} bdi").first.inner_text() == names[0]
    await gm.fill(f"{WINDOW} [name=statuses-filter]", "thistle")
    assert await gm.locator(f"{creatures}:visible").count() == 1
    # It stays sifted when it is drawn anew.
    await gm.evaluate("standin.actor('goblinf').toggleStatusEffect('blinded')")
    await gm.wait_for_function("(place) => document.querySelector(place)", arg=row("goblinf", "blinded"))
    assert await gm.locator(f"{creatures}:visible").count() == 1
    assert server.page_errors == []


async def test_two_hundred_creatures_are_listed_searched_and_worked(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    def prone(name: str) -> Json:
        flags = {"disabled": False, "changes": [], "duration": {}, "flags": {}, "system": {}, "transfer": False}
        effect = {
            "_id": static_id("prone"),
            "name": "Prone",
            "statuses": ["prone"],
            "type": "base",
            "origin": None,
            **flags,
        }
        return documents.goblin(name, linked=True, effects=[effect])

    actors = [prone(f"{one}{two}goblin") for one in "abcdefghij" for two in "abcdefghijklmnopqrst"]
    server = await foundry(module_dir=MODULE, actors=actors, scenes=[documents.scene("tavern", [])])
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.click(OPEN)
    creatures = f"{WINDOW} [data-list=statuses] .cb-creature"
    await gm.wait_for_function("(place) => document.querySelectorAll(place).length === 200", arg=creatures)
    await gm.focus(f"{row('jtgoblin', 'prone')} [data-control=end]")
    top = await gm.evaluate(f"document.querySelector('{WINDOW} [data-list=statuses] .cb-list').scrollTop")
    assert top > 1000
    await gm.evaluate("standin.actor('aagoblin').toggleStatusEffect('blinded')")
    await gm.wait_for_selector(row("aagoblin", "blinded"), state="attached")
    # Drawn anew, it is where it was.
    again = await gm.evaluate(f"document.querySelector('{WINDOW} [data-list=statuses] .cb-list').scrollTop")
    assert abs(again - top) < 60
    await gm.keyboard.press("Enter")
    await until(lambda: "prone" not in statuses(server, "jtgoblin"), "the last one to stand")
    assert server.page_errors == []


async def test_what_macros_and_other_modules_may_use(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    await gm.evaluate(
        f"globalThis.heard = []; for (const name of ['state', 'news', 'applied', 'refused', 'paused', 'rules'])"
        f" Hooks.on('{ID}.' + name, (...args) => {{ heard.push([name, ...args.map(String)]); }})"
    )
    await gm.evaluate(
        f"{API}.apply(['bors', 'mira'].map((name) => standin.actor(name)), 'stunned', {{ source: standin.actor('goblin') }})"
    )
    await until(lambda: "stunned" in statuses(server, "bors") & statuses(server, "mira"), "both to be stunned")
    await gm.wait_for_selector(row("bors", "stunned"))
    causes = await gm.evaluate(f"{API}.why(standin.actor('bors'), 'incapacitated')")
    assert causes == ["Stunned brings it along"]
    assert await gm.evaluate(f"{API}.why(standin.actor('bors'), 'prone')") == []
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'stunned', {{ level: 0 }})")
    await until(lambda: "stunned" not in statuses(server, "bors"), "Bors to be free")
    await gm.evaluate(f"{API}.undo()")
    await until(lambda: "stunned" in statuses(server, "bors"), "the undo")
    await gm.evaluate("standin.actor('mira').toggleStatusEffect('bleeding')")
    await gm.evaluate("standin.damage('mira', 5)")
    await gm.evaluate("standin.heal('mira', 5, {by: 'item'})")
    await gm.evaluate(f"{API}.pause(true)")
    await gm.wait_for_function("heard.some(([name]) => name === 'paused')")
    heard = {name for name, *_ in await gm.evaluate("heard")}
    assert heard >= {"state", "news", "applied", "refused", "paused"}


async def test_a_player_gives_nothing_and_is_told_nothing(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm = await at_table(foundry, context, bridge)
    ann = await seat(server, context, "ann")
    await ann.keyboard.press("Alt+Shift+B")
    assert await ann.locator(WINDOW).count() == 0
    await ann.evaluate(f"{API}.apply(standin.actor('bors'), 'prone')")
    await ann.evaluate(f"{API}.drink([standin.actor('bors'), standin.actor('goblin')], {{ count: 9 }})")
    assert await ann.evaluate(f"{API}.why(standin.actor('bors'), 'prone')") is None
    # The bridge has taken both, and refused both.
    await until(lambda: not server.actor("bors")["flags"].get(ID, {}).get("outbox"), "the outbox to be empty")
    await gm.evaluate("standin.actor('mira').toggleStatusEffect('prone')")
    await gm.wait_for_selector(row("mira", "prone"))
    assert statuses(server, "bors") == set()
    assert "intoxicated" not in statuses(server, "goblin")
