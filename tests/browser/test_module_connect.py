"""The module's link: pairing, coming back, taking turns between tabs and GMs, pausing; each state in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, Bridge, cards, pair, reach, seat, state, statuses, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

WINDOW = f"#{ID}-window"
OPEN = f"[data-tool='{ID}-window']"


async def sentence(page: Page) -> str:
    """What the window says about the link."""
    if not await page.locator(WINDOW).count():
        await page.click(OPEN)
    return await page.locator(f"{WINDOW} .cb-state").inner_text()


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_gm_pairs_and_reloads(profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(profile, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    assert "Not paired" in await sentence(gm)
    await gm.click(f"{WINDOW} [data-action=close]")

    await pair(gm, bridge)
    await until(lambda: cards(server, "summary"), "the summary of the first connection")
    assert "Connected" in await sentence(gm)

    await gm.reload()
    await gm.wait_for_function("window.standin?.ready === true")
    await reach(gm, "connected")
    assert len(cards(server, "summary")) == 1
    assert server.page_errors == []


async def test_a_wrong_code_is_said_to_be_wrong(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await gm.click(OPEN)
    await gm.fill(f"{WINDOW} [name=url]", bridge.url)
    await gm.fill(f"{WINDOW} [name=code]", "AAAA-AAAA")
    await gm.click(f"{WINDOW} .cb-pair")
    await reach(gm, "refused")
    assert "not the code" in await sentence(gm)

    # The right one still works, in the same window.
    await gm.fill(f"{WINDOW} [name=code]", await bridge.pairing_code())
    await gm.click(f"{WINDOW} .cb-pair")
    await reach(gm, "connected")


async def test_the_key_is_no_secret_of_the_world(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    key: str = await gm.evaluate(f"game.settings.get('{ID}', 'key')")
    assert len(key) == 64
    assert key not in str(server.world.__dict__)
    assert key not in str(server.journal)


async def test_the_bridge_goes_and_comes_back(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)

    await bridge.stop(kill=True)
    await reach(gm, "down")
    assert "does not answer" in await sentence(gm)
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")

    await bridge.start()
    await reach(gm, "connected")
    await until(lambda: server.actor("bors")["flags"].get(ID, {}).get("memory"), "the gap to be looked at")


async def test_another_bridge_at_the_same_address_is_not_trusted(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await bridge.stop()
    stranger = Bridge(bridge.folder.with_name("stranger"))
    stranger.port = bridge.port
    await stranger.start()
    try:
        await reach(gm, "refused", "impostor")
        assert "Pair it again" in await sentence(gm)
    finally:
        await stranger.stop()


async def test_a_second_tab_waits_and_takes_over(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    browser = await context()
    first = await server.open(browser, "gm")
    await pair(first, bridge)
    second = await server.open(browser, "gm")
    await reach(second, "taken")
    assert await state(first) == "connected"
    assert "another window" in await sentence(second)

    await first.close(run_before_unload=True)
    await reach(second, "connected")


async def test_of_two_gms_the_active_one_speaks(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    users = [documents.user("amy", gm=True), documents.user("bob", gm=True), documents.user("ann", character="bors")]
    server = await foundry(users=users, module_dir=MODULE)
    browser = await context()
    bob = await server.open(browser, "bob")
    await pair(bob, bridge)
    amy = await seat(server, context, "amy")
    # Amy is the active GM, but her browser is not paired: Bob goes on.
    assert await amy.evaluate("game.user.isActiveGM")
    assert await state(amy) == "unpaired"
    assert await state(bob) == "connected"

    await bob.close()
    await pair(amy, bridge, await bridge.new_code())
    bob = await server.open(browser, "bob")
    await reach(bob, "waiting")
    assert "Amy" in await sentence(bob)
    await amy.close()
    await reach(bob, "connected")


async def test_a_player_has_no_window_and_no_link(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    ann = await seat(server, context, "ann")
    assert await ann.locator(OPEN).count() == 0
    await ann.evaluate(f"{API}.pause()")
    assert not await ann.evaluate(f"{API}.paused()")


async def test_the_pause_switch_stops_everything_for_everyone(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(module_dir=MODULE)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await pair(gm, bridge)
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await gm.evaluate("standin.damage('bors', 12)")
    await gm.click(f"[data-tool='{ID}-pause']")
    await reach(gm, "paused")
    await ann.wait_for_function(f"{API}.paused()")

    await ann.evaluate("standin.heal('bors', 5, {by: 'item'})")
    assert server.actor("bors")["system"]["attributes"]["hp"]["value"] == 13

    await gm.evaluate(f"{API}.pause(false)")
    await reach(gm, "connected")
    await ann.wait_for_function(f"!{API}.paused()")
    await ann.evaluate("standin.heal('bors', 5, {by: 'item'})")
    # What was healed meanwhile stays; from now on it is refused again.
    assert server.actor("bors")["system"]["attributes"]["hp"]["value"] == 13
    await until(lambda: len(cards(server, "refusal")) == 1, "the refusal's card")
    assert "bleeding" in statuses(server, "bors")


async def test_what_players_do_without_a_gm_is_caught_up(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(module_dir=MODULE)
    browser = await context()
    gm = await server.open(browser, "gm")
    await pair(gm, bridge)
    await gm.close()
    ann = await seat(server, context, "ann")
    await ann.evaluate("ui.chat.processMessage('/drink 3')")
    await until(lambda: server.actor("bors")["flags"].get(ID, {}).get("outbox"), "the outbox")

    gm = await server.open(browser, "gm")
    await until(lambda: "intoxicated" in statuses(server, "bors"), "the drinks to count")
    await until(lambda: not server.actor("bors")["flags"][ID]["outbox"], "the outbox to be empty")
