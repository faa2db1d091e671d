"""Every scenario without a fault of the bridge, through the real module in Chromium, with the results that it states.

The same files are played by the simulated table (`tests/test_scenarios.py`): that both agree ties the two together.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from bridge.table.run import files
from bridge.table.scenario import Scenario, load, parse
from tests.browser.foundry.profiles import PROFILES
from tests.browser.player.faults import FAULTS
from tests.browser.player.play import play
from tests.browser.player.stage import Stage

FOLDER = Path(__file__).parents[1] / "scenarios"
LONG = os.environ.get("CONDITION_BRIDGE_LONG") == "1"
EVERYDAY = re.compile(r"(?:BLD|BLO|INT|CMB)-")
DIFFERENT = re.compile(
    r"(?:combining/(?:what-|first-|blood-|immune-)|bloodied/(?:half-|at-zero|first-)|intoxicated/in-combat-)"
)
"""Files whose subject is done in another way by each Foundry and dnd5e: they are played in all of them."""

SCENARIOS = {str(path.relative_to(FOLDER).with_suffix("")): load(path) for path in files([FOLDER])}


def faulty(scenario: Scenario) -> bool:
    """Tell whether something goes wrong on purpose in it."""
    return any(type(told.step) in FAULTS for told in scenario.steps)


def cases() -> list[tuple[str, str]]:
    """What is played: each file in one profile, the same every time; all in all profiles for the long run."""
    found = []
    for name, scenario in SCENARIOS.items():
        if faulty(scenario) or not (LONG or any(EVERYDAY.match(rule) for rule in scenario.rules)):
            continue
        for number, profile in enumerate(PROFILES):
            named = scenario.world.profile if "profile" in (FOLDER / f"{name}.toml").read_text("utf-8") else None
            mine = profile == named if named else zlib.crc32(name.encode()) % len(PROFILES) == number
            if mine or (named is None and (LONG or DIFFERENT.match(name))):
                found.append((name, profile))
    return found


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def stage(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One table for all of them."""
    async with Stage(chromium, tmp_path_factory.mktemp("bridge")) as made:
        yield made


@pytest.mark.parametrize(("name", "profile"), cases())
async def test_it_ends_as_it_says(name: str, profile: str, stage: Stage) -> None:
    failures = await play(stage, SCENARIOS[name], profile)
    assert failures == [], "\n".join(map(str, failures))


async def test_what_is_not_so_is_seen(stage: Stage) -> None:
    told: dict[str, Any] = {
        "title": "Nothing of this is so",
        "actors": {"bors": {"hp": {"value": 5}, "conditions": ["bleeding"]}},
        "steps": [
            {
                "do": "heal",
                "actor": "bors",
                "amount": 7,
                "by": "spell",
                "expect": {
                    "bors": {
                        "hp": 12,
                        "temp": 1,
                        "max": 19,
                        "conditions": ["bleeding"],
                        "has": ["prone"],
                        "lacks": ["bleeding"],
                        "level": {"intoxicated": 1},
                        "hit-dice": 3,
                        "speed": 20,
                        "effects": 7,
                        "remaining": {"bleeding": 60},
                        "concentrating": True,
                    },
                    "why": {"bors": {"bleeding": ["prone"]}},
                    "refused": {"bors": 6},
                    "cards": 2,
                    "cards-to": ["gm"],
                    "card-says": "Granted",
                    "asked": [{"actor": "bors", "save": "con", "dc": 10}],
                    "denied": True,
                    "rolls": [{"actor": "bors", "roll": "check.str", "gives": ["advantage"]}],
                    "operations": 9,
                    "error": "invalid",
                    "connected": False,
                },
            }
        ],
    }
    failures = await play(stage, parse(told), "v14+dnd5e-6")
    expected = told["steps"][0]["expect"]
    wrong = {*expected, *expected["bors"]} - {"bors"}
    assert {failure.key for failure in failures} == wrong


def test_nothing_is_left_out_in_silence() -> None:
    played = {name for name, _ in cases()}
    asked = {name for name, one in SCENARIOS.items() if any(EVERYDAY.match(rule) for rule in one.rules)}
    assert asked - played == {name for name in asked if faulty(SCENARIOS[name])}
