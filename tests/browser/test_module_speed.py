"""What conditions do to Speed counts in what Foundry moves by: in order, on every client, and no longer than they last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import seat
from tests.browser.test_module_rolls import table

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

every_profile = pytest.mark.parametrize("profile", PROFILES)

WALK = "standin.actor('bors').system.attributes.movement.walk"


async def walks(page: Page, feet: float) -> None:
    """It comes to this Speed, which the whole of the movement's data agrees with."""
    await page.wait_for_function(f"{WALK} === {feet}")
    movement = await page.evaluate("({...standin.actor('bors').system.attributes.movement})")
    assert movement["speed"] == feet
    assert movement["max"] == feet
    assert movement["slowed"] is (feet <= 15)


async def level(page: Page, level: int) -> None:
    """The GM sets the level of Intoxicated by hand, as the token HUD does."""
    await page.evaluate(
        "async level => (await import('/modules/condition-bridge/scripts/statuses.mjs'))"
        ".setLevel(standin.actor('bors'), 'intoxicated', level)",
        level,
    )


@every_profile
async def test_halved_after_flat_reductions_on_every_client(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server = await table(foundry, profile)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await walks(gm, 30)
    await gm.evaluate("standin.actor('bors').update({'system.attributes.exhaustion': 1})")
    await walks(ann, 25)
    await level(gm, 4)
    await walks(ann, 25)
    # INT-7: "Speed halved (rounded down, after flat reductions such as Exhaustion's)"
    await level(gm, 5)
    await walks(gm, 12)
    await walks(ann, 12)
    await ann.reload()
    await ann.wait_for_function("window.standin?.ready")
    await walks(ann, 12)
    await gm.evaluate("game.settings.set('condition-bridge', 'paused', true)")
    await walks(ann, 25)
    await gm.evaluate("game.settings.set('condition-bridge', 'paused', false)")
    await walks(ann, 12)
    await level(gm, 0)
    await walks(ann, 25)
    assert server.page_errors == []


async def test_metres_are_halved_as_feet_are(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v14+dnd5e-5.3")
    gm = await seat(server, context, "gm")
    await gm.evaluate(
        """standin.actor('bors').update({'system.attributes.movement': {walk: '9', fly: '12', units: 'm'}})"""
    )
    await level(gm, 5)
    await gm.wait_for_function(f"{WALK} === 4.5")
    assert await gm.evaluate("standin.actor('bors').system.attributes.movement.fly") == 6


@every_profile
async def test_exhaustion_of_2014_stands_in_place_of_the_systems_own(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server = await table(foundry, profile, exhaustion_rules="2014")
    gm = await seat(server, context, "gm")
    for exhaustion, feet in ((1, 30), (2, 15), (5, 0)):
        await gm.evaluate("level => standin.actor('bors').update({'system.attributes.exhaustion': level})", exhaustion)
        await walks(gm, feet)
    # With the module paused it is the system's own again: -5 ft for each level.
    await gm.evaluate("game.settings.set('condition-bridge', 'paused', true)")
    await walks(gm, 5)
