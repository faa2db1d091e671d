from collections import Counter
from typing import Any

import pytest

from bridge.engine.publish import publish
from bridge.rulebook.book import parse as parse_rulebook
from bridge.table.files import ScenarioError
from bridge.table.names import FAMILIES, check
from bridge.table.scenario import parse
from tools import rule_index


def told(expect: dict[str, Any] | None = None, sheet: dict[str, Any] | None = None, **more: Any) -> None:
    """Check the names of a scenario of one step, with Bors at the table."""
    steps = [{"do": "note", "expect": expect or {}}]
    scenario = parse({"title": "x", "actors": {"bors": sheet or {}}, "steps": steps, **more})
    check(scenario, publish(parse_rulebook(scenario.text), None))


def roll(what: str, **more: Any) -> dict[str, Any]:
    return {"rolls": [{"actor": "bors", "roll": what, **({"gives": ["normal"]} | more)}]}


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        (
            {"bors": {"lacks": ["poisonned"]}},
            "expect.bors.lacks: there is no condition 'poisonned': did you mean \"poi",
        ),
        ({"bors": {"has": ["sleepy"]}}, "expect.bors.has: there is no condition 'sleepy'"),
        ({"bors": {"conditions": ["dazd"]}}, 'did you mean "dazed"?'),
        ({"bors": {"level": {"intoxicatd": 0}}}, "expect.bors.level: there is no condition 'intoxicatd'"),
        ({"bors": {"remaining": {"stuned": 6}}}, "expect.bors.remaining: there is no condition 'stuned'"),
        ({"bors": {"hit-dice": {"fihgter": 0}}}, "expect.bors.hit-dice: there is no class 'fihgter'"),
        ({"why": {"bors": {"incapacited": []}}}, "expect.why: there is no condition 'incapacited'"),
        (roll("chek.wis"), "expect.rolls[0].roll: there is no kind of roll 'chek': did you mean \"check\"?"),
        (roll("check.wisdom"), "there is no 'wisdom': did you mean \"wis\"?"),
        (roll("check.wis.percepton"), "there is no 'percepton': did you mean \"perception\"?"),
        ({"rolls": [{"actor": "bors", "roll": "attack"}]}, "steps[1] (note).expect.rolls[0]: expects nothing"),
    ],
)
def test_a_slip_in_what_is_expected_is_named_with_its_place(expect: dict[str, Any], says: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        told(expect, {"hit-dice": {"fighter": [0, 1, 10]}})
    assert str(caught.value).startswith("steps[1] (note).expect")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        ({"conditions": ["poisonned"]}, "actors.bors.conditions: there is no condition 'poisonned'"),
        ({"conditions": [{"is": "prone", "level": 2}]}, "actors.bors.conditions: prone has levels up to 1, not 2"),
        ({"condition-immunities": ["poison"]}, "actors.bors.condition-immunities: there is no condition 'poison'"),
        ({"level": {"intoxicated": 7}}, "actors.bors.level: intoxicated has levels up to 6, not 7"),
        ({"level": {"exhaused": 1}}, "actors.bors.level: there is no condition 'exhaused'"),
    ],
)
def test_a_slip_on_a_sheet_is_named_with_its_place(sheet: dict[str, Any], says: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        told(sheet=sheet)
    assert says in str(caught.value)


@pytest.mark.parametrize("id", ["BLD-99", "bld-1", "INT-0", "CMB", "TIM-1a"])
def test_a_rule_that_the_house_does_not_have(id: str) -> None:
    with pytest.raises(ScenarioError, match="rules: there is no rule"):
        told(rules=[id])


def test_the_house_has_as_many_rules_as_its_page() -> None:
    assert Counter(id.partition("-")[0] for id in rule_index.rules()) == FAMILIES


def test_what_is_known_passes() -> None:
    """Statuses of the system, tools of any name, rules of one's own, and what this rulebook leaves out."""
    expect = {"bors": {"lacks": ["stable", "bleeding"]}, **roll("check.dex.thieves-tools")}
    told(expect, {"conditions": ["burning", {"is": "exhaustion", "level": 6}]}, rules=["CMB-12", "HOUSE-1"])
    told(roll("save.con.concentration"), rulebook="plain-2024")
    told(roll("save.wis.vs-frightened"), {"level": {"exhaustion": 0}}, rulebook="plain-2024")
    told({"bors": {"lacks": ["bleeding"]}}, rulebook="plain-2024")
