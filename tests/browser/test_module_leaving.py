"""The way out before the module is uninstalled, and the report for whoever helps: nothing of ours and no secret is left."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, Bridge, pair, reach, seat, statuses, until

if TYPE_CHECKING:
    from tests.browser.conftest import MakeContext, MakeFoundry

OPEN = f"[data-tool='{ID}-window']"
CLEAN = f"#{ID}-window [data-action=cb-clean]"


def flagged(server: Any) -> list[str]:
    """Where flags of ours are, messages aside."""
    world = server.world
    found = []
    for actor in [*world.actors, *(token.get("delta") or {} for scene in world.scenes for token in scene["tokens"])]:
        parts = [actor, *actor.get("effects", ()), *actor.get("items", ())]
        found += [str(part.get("name")) for part in parts if ID in part.get("flags", {})]
    return found + [user["name"] for user in world.users if ID in user.get("flags", {})]


@pytest.mark.parametrize("profile", PROFILES)
async def test_what_is_ours_goes_and_all_else_stays(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server = await foundry(profile, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.evaluate(f"{API}.drink(standin.actor('bors'), {{ count: 6 }})")
    await until(lambda: "intoxicated" in statuses(server, "bors"), "the drinks to show")
    # PET-1: what is poisoned and turns to stone has its poison halted.
    await gm.evaluate("standin.actor('mira').toggleStatusEffect('poisoned')")
    await until(lambda: "poisoned" in statuses(server, "mira"), "the poison")
    await gm.evaluate("standin.actor('mira').toggleStatusEffect('petrified')")
    await until(lambda: "poisoned" not in statuses(server, "mira"), "the poison to be halted")
    await gm.evaluate("standin.actor('goblin').toggleStatusEffect('dazed')")
    await until(lambda: len(flagged(server)) > 3, "stamps")

    await gm.click(OPEN)
    await gm.click(CLEAN)
    await gm.click("dialog [data-action=no]")
    assert flagged(server)
    await gm.click(CLEAN)
    await gm.click("dialog [data-action=yes]")
    await until(lambda: not flagged(server), "everything to be clean")
    await reach(gm, "unpaired")
    # The pause switch is set free last.
    await gm.wait_for_function(f"!{API}.paused()")
    assert statuses(server, "bors") == set()
    assert {"petrified", "poisoned"} <= statuses(server, "mira")
    assert server.page_errors == []


async def test_another_gms_browser_brings_nothing_back(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    users = [documents.user("gm", gm=True), documents.user("zed", gm=True)]
    server = await foundry(module_dir=MODULE, users=users)
    browser = await context()
    zed = await server.open(browser, "zed")
    await pair(zed, bridge)
    await zed.close()
    gm = await seat(server, context, "gm")
    await pair(gm, bridge, await bridge.new_code())
    zed = await server.open(browser, "zed")
    await reach(zed, "waiting")
    await gm.evaluate("standin.damage('bors', 30)")
    await until(lambda: "bloodied" in statuses(server, "bors"), "Bloodied")
    await gm.click(OPEN)
    await gm.click(CLEAN)
    await gm.click("dialog [data-action=yes]")
    await until(lambda: not flagged(server), "everything to be clean")
    await gm.wait_for_function(f"!{API}.paused()")
    # A key is for one identity of a world, and that is gone.
    await reach(zed, "unpaired")
    assert flagged(server) == []
    # The module stays: it can be paired again at once.
    await gm.click(f"#{ID}-window [data-action=close]")
    await pair(gm, bridge, await bridge.new_code())
    await until(lambda: "bloodied" in statuses(server, "bors"), "Bloodied again")


async def test_a_report_names_no_secret_and_nobody(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server = await foundry(module_dir=MODULE, modules=["dice-so-nice"])
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    key: str = await gm.evaluate(f"game.settings.get('{ID}', 'key')")
    await gm.click(OPEN)
    await gm.click(f"#{ID}-window [data-action=cb-report]")
    await gm.wait_for_function("game.clipboard.copied")
    text: str = await gm.evaluate("game.clipboard.copied")
    found = json.loads(text)
    assert (found["state"], found["profile"], found["creatures"] > 0) == ("connected", "v14+dnd5e-6", True)
    assert any(module.startswith("dice-so-nice") for module in found["modules"])
    assert key not in text
    for secret in ("Bors", "Mira", "Gm", "127.0.0.1"):
        assert secret not in text
