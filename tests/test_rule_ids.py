"""Every rule of docs/rules.md is named by a test and a scenario, and has a scenario that fails without the rule."""

import re
from functools import cache
from pathlib import Path

import pytest
from msgspec import structs

from bridge.rules import rulebook
from bridge.table.run import link_for
from bridge.table.scenario import Scenario, load
from bridge.table.story import Story
from tools import rule_index

RULES = list(rule_index.rules())
NOT_AT_THE_TABLE = {
    "CRD-6": "the simulated table shows plain English only",
}
"""Rules that no scenario can show, and why; a test shows them."""
FOLLOWS = {
    "CND-3": "it only points to DAZ-1 to DAZ-3",
    "ROL-2": "it follows from CND-13, CND-16 and CMB-5",
}
"""Rules that have no code of their own, and why."""
CONDITION = {
    "BLD": "bleeding",
    "BLO": "bloodied",
    "INT": "intoxicated",
    "DAZ": "dazed",
    "PET": "petrified",
    "IGN": "ignited",
}
"""The condition whose mode switches a family of rules off."""


def condition_of(id: str) -> str | None:
    """Return the condition that a rule belongs to."""
    family = id.partition("-")[0]
    if family == "CND":
        name = re.match(r"\w+", rule_index.rules()[id])
        return name.group().lower() if name else None
    return CONDITION.get(family)


def test_the_ids_are_found() -> None:
    assert len(RULES) == len(set(RULES)) == 100
    assert rule_index.rules()["BLD-3"] == "Temporary hit points are not hit points regained: granted."
    assert (condition_of("CND-16"), condition_of("TIM-1")) == ("unconscious", None)


def test_every_rule_is_named_by_a_test() -> None:
    named = rule_index.tests()
    assert [id for id in RULES if not named[id]] == []


def test_every_rule_is_named_by_a_scenario() -> None:
    named = rule_index.scenarios()
    assert [id for id in RULES if not named[id] and id not in NOT_AT_THE_TABLE] == []
    assert [id for id in NOT_AT_THE_TABLE if named[id]] == [], "these have a scenario by now: take them off the list"


def test_every_rule_is_named_where_it_is_carried_out() -> None:
    named = rule_index.sources()
    assert [id for id in RULES if not named[id] and id not in FOLLOWS] == []


def test_every_id_in_a_scenario_exists() -> None:
    unknown = {
        (path.name, id)
        for path in Path(rule_index.ROOT / "tests/scenarios").rglob("*.toml")
        for id in re.findall(r'"([A-Z]{3}-\d+)"', path.read_text(encoding="utf-8").partition("\n[")[0])
        if id not in RULES
    }
    assert unknown == set()


def test_the_section_that_says_where_each_rule_lives_is_fresh() -> None:
    assert rule_index.RULES.read_text(encoding="utf-8") == rule_index.page(), "run python -m tools.rule_index"


def test_every_setting_of_the_rulebook_stands_in_the_page() -> None:
    page = rule_index.RULES.read_text(encoding="utf-8").partition("## 11.")[2].partition("## 12.")[0]
    keys = {key for key in rulebook().settings if not key.startswith("conditions.")}
    assert {key for key in keys if f"`{key}`" not in page} == set()


# Switched off, its scenario fails.

NOT_BY_MODE = {
    "CND-4": "all that Deafened does is to offer a failure (ROL-4), and a scenario has no word for what is offered",
}
"""Rules whose scenarios cannot fail when the condition is off, and why; a test shows them."""


def plays(scenario: Scenario) -> bool:
    """Tell whether a scenario passes."""
    link = link_for(scenario)
    try:
        story = Story(scenario, link)
        story.begin()
        return not any(played.unmet for played in story.play())
    finally:
        link.close()


@cache
def needs(file: str, id: str) -> bool:
    """Tell whether a scenario passes, and fails without the rule."""
    scenario = load(rule_index.ROOT / file)
    if id == "BLO-5":
        # It says that ours stands aside where the system judges: here the system does not.
        without = structs.replace(scenario, world=structs.replace(scenario.world, native_bloodied=False))
    else:
        off = {f"conditions.{condition_of(id)}.mode": "off"}
        without = structs.replace(scenario, settings=scenario.settings | off)
    return plays(scenario) and not plays(without)


@pytest.mark.parametrize("id", [id for id in RULES if condition_of(id) and id not in NOT_BY_MODE])
def test_switched_off_its_scenario_fails(id: str) -> None:
    files = rule_index.scenarios()[id]
    assert not files or any(needs(file, id) for file in files), "none of its scenarios needs the rule"


@pytest.mark.long
@pytest.mark.parametrize("id", [id for id in RULES if condition_of(id) and id not in NOT_BY_MODE])
def test_most_of_its_scenarios_need_the_rule(id: str) -> None:
    """Some say what a rule does not do, and hold without it; where most do, the rule is not pinned down."""
    files = rule_index.scenarios()[id]
    weak = [file for file in files if not needs(file, id)]
    assert len(weak) <= max(1, len(files) // 2), weak
