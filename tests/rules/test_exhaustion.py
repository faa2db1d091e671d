"""Exhaustion: CND-5, by the rules of 2024 or, by setting, of 2014."""

import pytest

from bridge.engine.catalogue import DISADVANTAGE, NUMBER, Modifier, Speed
from bridge.engine.publish import summary_of
from bridge.rules.exhaustion import exhaustion, modifiers, speed
from tests.creatures import house

OLD = {"exhaustion.rules": "2014"}


@pytest.mark.parametrize("rules", ["2024", "system"])
@pytest.mark.parametrize("level", range(1, 7))
def test_two_a_level_on_every_d20_test_and_five_feet(rules, level):
    settings = house({"exhaustion.rules": rules}).settings
    assert modifiers(level, settings) == tuple(
        Modifier(roll, NUMBER, -2 * level) for roll in ("attack", "check", "save")
    )
    assert speed(level, settings) == Speed(less=5 * level)


@pytest.mark.parametrize(
    ("level", "rolls", "expected"),
    [
        (1, {"check"}, None),
        (2, {"check"}, Speed(halved=True)),
        (3, {"check", "attack", "save"}, Speed(halved=True)),
        (4, {"check", "attack", "save"}, Speed(halved=True)),
        (5, {"check", "attack", "save"}, Speed(halved=True, zero=True)),
        (6, {"check", "attack", "save"}, Speed(halved=True, zero=True)),
    ],
)
def test_the_older_ladder(level, rolls, expected):
    settings = house(OLD).settings
    assert {(m.roll, m.gives) for m in modifiers(level, settings)} == {(roll, DISADVANTAGE) for roll in rolls}
    assert speed(level, settings) == expected


@pytest.mark.parametrize(("rules", "ours"), [("system", False), ("2014", True), ("2024", True)])
def test_cmb_7_the_systems_own_part_is_replaced_only_where_the_house_chose(rules, ours):
    assert exhaustion.instead(house({"exhaustion.rules": rules}).settings) is ours


@pytest.mark.parametrize(
    ("level", "rules", "words"),
    [
        (1, "system", "−2 on D20 Tests, Speed −5 ft. A long rest takes a level; death at 6."),
        (5, "2024", "−10 on D20 Tests, Speed −25 ft. A long rest takes a level; death at 6."),
        (6, "system", "Death."),
        (1, "2014", "Disadvantage on ability checks. A long rest takes a level."),
        (2, "2014", "Disadvantage on ability checks; speed halved. A long rest takes a level."),
        (
            6,
            "2014",
            (
                "Disadvantage on ability checks; speed halved; disadvantage on attacks and saves; hit point maximum "
                "halved; speed 0; death. A long rest takes a level."
            ),
        ),
    ],
)
def test_its_summary_says_what_the_level_does(level, rules, words):
    assert summary_of(house({"exhaustion.rules": rules}), "exhaustion", level) == words
