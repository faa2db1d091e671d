"""Durations, as the rules say them (TIM-1, TIM-2, TIM-3, TIM-4, TIM-5, TIM-6, TIM-8)."""

import pytest

from bridge.engine import events as e
from bridge.engine.changes import AskSave
from bridge.engine.state import Timer
from bridge.engine.timers import due, remaining
from tests.creatures import creature, effect, has, play

NOW = 1_000_000


def timed(*args, **more):
    return effect("poisoned", timer=Timer(*args, **more))


def left(actor, event, now=NOW):
    decision = play(actor, event, now=now)
    return decision, has(decision.after, "poisoned")


def test_tim_4_with_the_combat_ends_what_lasts_until_then():
    _, stays = left(creature(timed("combat", NOW, combat="c")), e.CombatLeft(at=NOW, combat="c", round=3))
    assert not stays


def test_tim_4_what_counted_in_rounds_goes_on_in_seconds():
    timer = Timer("rounds", NOW, 5, combat="c", round=2)
    decision, stays = left(creature(effect("poisoned", timer=timer)), e.CombatLeft(at=NOW, combat="c", round=4))
    assert stays
    (found,) = decision.after.effects
    assert found.mark.timer == Timer("seconds", NOW, 18)


def test_tim_4_another_combat_ends_nothing():
    _, stays = left(creature(timed("combat", NOW, combat="c")), e.CombatLeft(at=NOW, combat="d", round=3))
    assert stays


def test_tim_6_what_has_ended_already_ends_once():
    """TIM-6: the core or another module was quicker: nothing is left to end, and nothing is done."""
    decision = play(creature(), e.TimePassed(at=NOW + 60, since=NOW), now=NOW + 60)
    assert decision.lines == ()


def test_tim_1_a_jump_ends_what_is_over_and_nothing_else():
    poison, deaf = timed("seconds", NOW, 60), effect("deafened", timer=Timer("seconds", NOW, 61))
    after = play(creature(poison, deaf), e.TimePassed(at=NOW + 60, since=NOW), now=NOW + 60).after
    assert not has(after, "poisoned")
    assert has(after, "deafened")


def test_tim_2_rounds_outside_combat_are_six_seconds_each():
    assert due(Timer("rounds", NOW, 3)) == NOW + 18
    assert due(Timer("rounds", NOW, 3, combat="c", round=1)) is None


@pytest.mark.parametrize(
    ("round", "initiative", "stays"),
    [(4, 15.0, True), (5, 16.0, True), (5, 15.0, False), (5, 14.0, False), (6, 20.0, False)],
)
def test_tim_2_rounds_end_at_the_initiative_point_at_which_they_began(round, initiative, stays):
    timer = Timer("rounds", NOW, 3, combat="c", round=2, initiative=15.0, combatant="a")
    reached = e.RoundReached(combat="c", round=round, turn=0, initiative=initiative, acted=("a",), tied=("a",))
    _, is_left = left(creature(effect("poisoned", timer=timer)), reached)
    assert is_left is stays


def test_tim_5_never_more_than_the_whole_duration_is_left():
    timer = Timer("seconds", NOW, 600)
    assert remaining(timer, NOW + 300) == 300
    assert remaining(timer, NOW - 1000) == 600
    rounds = Timer("rounds", NOW, 3, combat="c", round=2)
    assert [remaining(rounds, NOW, round) for round in (1, 2, 3, 4, 5, 6)] == [3, 3, 2, 1, 0, 0]


def test_tim_5_a_start_that_lies_in_the_future_becomes_now():
    decision, _ = left(creature(timed("seconds", NOW, 600)), e.ClockSetBack(at=NOW - 50, since=NOW), NOW - 50)
    assert decision.after.effects[0].mark.timer.began == NOW - 50


def test_tim_8_until_a_creatures_turn_with_no_combat_is_six_seconds():
    assert due(Timer("turn-start", NOW, creature="goblin")) == NOW + 6


def test_tim_8_its_next_turn_is_one_that_began_after_it_was_given():
    timer = Timer("turn-end", NOW, creature="goblin", combat="c", round=2, turn=1)
    actor = creature(effect("poisoned", timer=timer))
    same = e.OtherTurn(other="goblin", moment="turn-end", combat="c", round=2, turn=1)
    later = e.OtherTurn(other="goblin", moment="turn-end", combat="c", round=3, turn=1)
    gone = e.OtherTurn(other="goblin", moment="turn-end", combat="c", round=2, turn=0, gone=True)
    assert [left(actor, event)[1] for event in (same, later, gone)] == [True, False, False]


@pytest.mark.parametrize(("kind", "rest", "stays"), [("short-rest", "short", False), ("short-rest", "long", False)])
def test_tim_1_until_a_rest(kind, rest, stays):
    assert left(creature(timed(kind, NOW)), e.RestFinished(kind=rest))[1] is stays


def test_tim_1_a_long_rest_is_waited_for_through_a_short_one():
    assert left(creature(timed("long-rest", NOW)), e.RestFinished(kind="short"))[1]


def test_tim_3_a_save_is_asked_once_however_many_turns_were_passed_and_the_card_says_how_many():
    actor = creature(timed("save", NOW, ability="wis", dc=13, moment="start"))
    decision = play(actor, e.TurnStarted(combat="c", round=5, turn=0, passed=2))
    (ask,) = [change for change in decision.outputs if isinstance(change, AskSave)]
    assert (ask.ability, ask.dc) == ("wis", 13)
    assert "3 turns" in ask.say.text
    success = e.Rolled(request="r", reason=ask.reason, success=True)
    assert not has(play(actor, success).after, "poisoned")
