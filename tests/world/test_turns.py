"""Turns between two pictures of one combat: TIM-3, TIM-8."""

import pytest
from msgspec import structs

from bridge.protocol import Combat, Combatant
from bridge.world.turns import Passage, passage, reached, remember

ORDER = "abc"


def combat(round, turn, order=ORDER):
    return Combat(
        "c",
        round,
        turn,
        tuple(Combatant(f"k{x}", f"Actor.{x}" if x != "-" else None, 20 - i) for i, x in enumerate(order)),
    )


def begun(fight, after):
    return [(turn.actor[-1], turn.round, turn.passed) for turn in passage(fight, after).begun]


def ended(fight, after):
    return [turn.actor[-1] for turn in passage(fight, after).ended]


def seen(*pictures):
    fight = None
    for picture in pictures:
        fight = remember(fight, picture)
    return fight


# https://github.com/foundryvtt/foundryvtt/issues/10387
def test_a_combat_that_is_written_without_moving_begins_and_ends_nothing():
    """Somebody is renamed, hidden or beaten: only a later turn is a new turn, only a higher round a new round."""
    fight = seen(combat(3, 1))
    order = combat(3, 1).order
    beaten = structs.replace(combat(3, 1), order=(structs.replace(order[0], defeated=True), *order[1:]))
    for after in (combat(3, 1), beaten, structs.replace(combat(3, 1), scene="another")):
        assert passage(fight, after) == Passage()


def test_a_combat_that_has_just_begun_begins_the_first_turn():
    assert begun(None, combat(1, 0)) == [("a", 1, 0)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [((1, 0), (1, 1), [("b", 1, 0)]), ((1, 2), (2, 0), [("a", 2, 0)]), ((1, 0), (1, 0), [])],
)
def test_a_turn_begins_when_its_place_comes(before, after, expected):
    assert begun(seen(combat(*before)), combat(*after)) == expected


def test_the_turn_before_ends():
    assert ended(seen(combat(1, 0)), combat(1, 1)) == ["a"]
    assert ended(seen(combat(1, 0)), combat(1, 2)) == ["a", "b"]


def test_skipped_forward_everything_in_between_comes_once_for_each():
    """TIM-3: "once for that creature, however many of its turns were passed, and the card says how many"."""
    assert begun(seen(combat(1, 0)), combat(1, 2)) == [("b", 1, 0), ("c", 1, 0)]
    assert sorted(begun(seen(combat(1, 0)), combat(5, 0))) == [("a", 5, 3), ("b", 4, 3), ("c", 4, 3)]


def test_stepped_back_nothing_begins_and_going_on_again_neither():
    """TIM-3: "back, nothing triggers for a turn that has begun before"."""
    fight = seen(combat(1, 0), combat(1, 1))
    back = passage(fight, combat(1, 0))
    assert (back.begun, back.back) == ((), True)
    fight = remember(fight, combat(1, 0))
    assert begun(fight, combat(1, 1)) == []
    fight = remember(fight, combat(1, 1))
    assert begun(fight, combat(1, 2)) == [("c", 1, 0)]


def test_creatures_are_followed_when_initiative_is_rolled_again():
    """TIM-3."""
    fight = seen(combat(1, 0), combat(1, 1))
    assert begun(fight, combat(1, 1, "cba")) == []
    assert begun(remember(fight, combat(1, 1, "cba")), combat(2, 0, "cba")) == [("c", 2, 0)]


def test_a_combatant_that_leaves_begins_nothing_for_others():
    """TIM-3, TIM-8."""
    fight = seen(combat(1, 0), combat(1, 1))
    assert begun(fight, combat(1, 1, "ac")) == [("c", 1, 0)]
    assert begun(fight, combat(1, 0, "ac")) == []


def test_one_that_joins_has_its_turn_when_it_comes():
    fight = remember(seen(combat(1, 0)), combat(1, 0, "adbc"))
    assert begun(fight, combat(1, 1, "adbc")) == [("d", 1, 0)]


def test_places_without_a_creature_begin_nothing():
    assert begun(seen(combat(1, 0, "a-b")), combat(1, 1, "a-b")) == []
    assert begun(None, combat(1, 0, "")) == []


def test_a_place_beyond_the_order_is_the_last_one():
    assert begun(seen(combat(1, 0)), combat(1, 9)) == [("b", 1, 0), ("c", 1, 0)]


def test_the_point_of_the_order_is_told_with_its_ties():
    """TIM-2."""
    tie = Combat(
        "c", 2, 1, tuple(Combatant(f"k{x}", f"Actor.{x}", i) for x, i in (("a", 15.0), ("b", 10.0), ("d", 10.0)))
    )
    point = reached(tie)
    assert (point.round, point.initiative, point.acted, point.tied) == (2, 10.0, ("kb",), ("kb", "kd"))
