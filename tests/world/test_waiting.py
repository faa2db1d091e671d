"""In which order what waits for one creature is heard."""

from __future__ import annotations

from bridge.engine import events as e
from bridge.rules import rulebook
from bridge.world.memory import Pending
from bridge.world.waiting import hands_first, waits_for_hands

BOOK = rulebook()
MEAL = e.Ate(at=600)
HAND = e.ConditionChanged(at=600, condition="intoxicated", level=2, was=1, by=e.GM)
BACK = e.ClockSetBack(at=-3000, since=600)


def queue(*events: e.AnyEvent) -> list[Pending]:
    """One event in each of what waits."""
    return [Pending(id=n, actor="a", events=(event,), now=event.at) for n, event in enumerate(events, 1)]


def test_nothing_is_reordered_without_a_hand() -> None:
    assert not waits_for_hands(queue(MEAL, BACK), BOOK)
    assert not waits_for_hands(queue(HAND, MEAL), BOOK)
    assert waits_for_hands(queue(MEAL, HAND), BOOK)


def test_a_rule_and_a_derived_condition_are_no_hand() -> None:
    by_rule = e.ConditionChanged(at=600, condition="intoxicated", level=2, was=1, by=e.RULE)
    derived = e.ConditionChanged(at=600, condition="bloodied", level=1, was=0, by=e.GM)
    assert not waits_for_hands(queue(MEAL, by_rule, derived), BOOK)


def test_the_hand_goes_first_and_all_else_keeps_its_place() -> None:
    first, second, third = hands_first(queue(MEAL, HAND, MEAL), BOOK, ())
    assert [first.events, second.events, third.events] == [(HAND, MEAL), (), (MEAL,)]


def test_what_a_clock_set_back_overtakes_keeps_no_time_ahead_of_it() -> None:
    # INT-15: "drinks and clocks that now lie in the future are moved to now"
    first, *_ = hands_first(queue(MEAL, HAND, BACK), BOOK, ("intoxicated",))
    assert [type(event) for event in first.events] == [e.ConditionChanged, e.ClockSetBack, e.Ate]
    assert (first.events[-1].at, first.now) == (-3000, -3000)


def test_a_clock_set_back_stays_in_its_place_where_no_hand_has_set_a_clock() -> None:
    first, _, third = hands_first(queue(MEAL, HAND, BACK), BOOK, ())
    assert (first.events, first.now, third.events) == ((HAND, MEAL), 600, (BACK,))
