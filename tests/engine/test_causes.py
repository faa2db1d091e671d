"""From two pictures to what happened between them."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.causes import causes
from bridge.engine.conditions import Creature
from bridge.engine.state import HitPoints
from tests.creatures import BOOK, creature, effect, plain


def between(before, after, **more):
    return causes(Creature(before, BOOK, 7), Creature(after, BOOK, 7), **more)


def hp(before, after):
    one, other = (structs.replace(creature(), hp=HitPoints(*points)) for points in (before, after))
    return between(one, other, cause="spell", label="Cure Wounds")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((5, 20), (5, 20), []),
        (
            (5, 20),
            (9, 20),
            [
                e.HitPointsRegained(
                    at=7, amount=4, before=HitPoints(5, 20), after=HitPoints(9, 20), cause="spell", label="Cure Wounds"
                )
            ],
        ),
        ((9, 20), (5, 20), [e.HitPointsLost(at=7, amount=4, value=4)]),
        ((9, 20, 5), (7, 20, 2), [e.HitPointsLost(at=7, amount=5, value=2)]),
        ((9, 20, 5), (9, 20, 2), [e.HitPointsLost(at=7, amount=3, value=0)]),
        ((9, 20), (9, 20, 5), []),
        ((9, 20), (9, 25), [e.MaximumChanged(at=7, was=20, now=25)]),
        ((9, 20), (9, 20, 0, 5), [e.MaximumChanged(at=7, was=20, now=25)]),
    ],
)
def test_hit_points_regained_lost_and_the_maximum_are_told_apart(before, after, expected):
    """BLD-3, BLO-1, BLO-2."""
    assert hp(before, after) == expected


def test_one_change_is_judged_by_its_net_effect():
    """BLD-6."""
    assert [type(x) for x in hp((5, 20, 4), (9, 20, 0))] == [e.HitPointsLost, e.HitPointsRegained]


def test_conditions_that_come_go_and_change_level_are_told_with_the_hand_that_did_it():
    """CMB-8."""
    before = creature(effect("prone"), effect("intoxicated", 2))
    after = creature(effect("intoxicated", 3), effect("bleeding"))
    found = between(before, after, by=e.GM)
    assert [(x.condition, x.was, x.level, x.by) for x in found] == [
        ("bleeding", 0, 1, "gm"),
        ("intoxicated", 2, 3, "gm"),
        ("prone", 1, 0, "gm"),
    ]


def test_what_is_only_implied_is_told_as_such():
    """CMB-2."""
    found = between(creature(), creature(effect("stunned", 1, "incapacitated")))
    assert {x.condition: x.implied for x in found} == {"stunned": False, "incapacitated": True}


def test_a_second_source_is_no_second_condition():
    """CMB-1."""
    one, two = plain("poisoned"), plain("poisoned", id="other")
    (found,) = between(creature(one), creature(one, two))
    assert isinstance(found, e.EffectsChanged)
    assert found.came == ("other",)
    (found,) = between(creature(one, two), creature(two))
    assert [x.id for x in found.gone] == [one.id]


def test_names_stamps_and_order_are_no_news():
    first, second = effect("poisoned"), effect("prone")
    renamed = structs.replace(first, name="Poison!", mark=structs.replace(first.mark, stamp=9))
    assert between(creature(first, second), creature(second, renamed)) == []


def test_concentration_that_begins_is_told_and_one_that_ends_is_not():
    """DAZ-1, INT-7."""
    calm, busy = creature(), creature(concentrating=True)
    assert between(calm, busy) == [e.ConcentrationBegan(at=7)]
    assert between(busy, calm) == []


def test_what_has_no_hit_points_tells_none():
    """CMB-9."""
    assert between(creature(hp=None), creature()) == between(creature(), creature(hp=None)) == []
