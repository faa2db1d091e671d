"""Durations, as the rules say them (TIM-1, TIM-2, TIM-3, TIM-4, TIM-5, TIM-6, TIM-8)."""

import pytest
from msgspec import structs

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
    _, put_on_before_there_was_one = left(creature(timed("combat", NOW)), e.CombatLeft(at=NOW, combat="c", round=3))
    assert not put_on_before_there_was_one


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


# Rounds and turns of a combat.


@pytest.mark.parametrize(("round", "turn", "stays"), [(4, 9, True), (5, 0, True), (5, 1, False), (5, 2, False)])
def test_tim_2_without_initiative_the_place_in_the_order_counts(round, turn, stays):
    timer = Timer("rounds", NOW, 3, combat="c", round=2, turn=1)
    reached = e.RoundReached(combat="c", round=round, turn=turn)
    assert left(creature(effect("poisoned", timer=timer)), reached)[1] is stays


@pytest.mark.parametrize(
    ("combatant", "acted", "tied", "stays"),
    [
        ("a", ("b",), ("a", "b"), True),
        ("a", ("b", "a"), ("a", "b"), False),
        ("a", ("b",), ("b",), False),
        (None, ("b",), ("b",), False),
    ],
)
def test_tim_2_of_equal_initiatives_the_one_that_began_it_counts_while_it_is_there(combatant, acted, tied, stays):
    timer = Timer("rounds", NOW, 3, combat="c", round=2, initiative=15.0, combatant=combatant)
    reached = e.RoundReached(combat="c", round=5, turn=0, initiative=15.0, acted=acted, tied=tied)
    assert left(creature(effect("poisoned", timer=timer)), reached)[1] is stays


def test_tim_2_rounds_of_another_combat_end_nothing():
    timer = Timer("rounds", NOW, 1, combat="c", round=2, turn=1)
    assert left(creature(effect("poisoned", timer=timer)), e.RoundReached(combat="d", round=9, turn=9))[1]


@pytest.mark.parametrize(
    "other",
    [
        {"other": "ogre"},
        {"moment": "turn-start"},
        {"combat": "d"},
    ],
)
def test_tim_1_only_the_turn_that_it_waits_for_ends_it(other):
    timer = Timer("turn-end", NOW, creature="goblin", combat="c", round=2, turn=1)
    event = {"other": "goblin", "moment": "turn-end", "combat": "c", "round": 3, "turn": 1} | other
    assert left(creature(effect("poisoned", timer=timer)), e.OtherTurn(**event))[1]


@pytest.mark.parametrize(
    ("combatant", "initiative", "turn", "stays"),
    [
        ("g", 9.0, 5, True),  # the very turn in which it was given
        ("o", 9.0, 0, False),  # later in the order, though others have left before it
        ("o", 11.0, 5, True),  # earlier in the order: its next turn is in the next round
        ("o", 10.0, 2, False),
        ("o", 10.0, 1, True),
        ("o", None, 2, False),
        ("o", None, 0, True),
    ],
)
def test_tim_1_a_turn_of_the_same_round_counts_when_it_comes_later(combatant, initiative, turn, stays):
    timer = Timer("turn-end", NOW, creature="o", combat="c", round=2, turn=1, initiative=10.0, combatant="g")
    event = e.OtherTurn(
        other="o", moment="turn-end", combat="c", round=2, turn=turn, initiative=initiative, combatant=combatant
    )
    assert left(creature(effect("poisoned", timer=timer)), event)[1] is stays


def test_tim_1_a_turn_of_an_earlier_round_is_no_next_turn():
    timer = Timer("turn-end", NOW, creature="o", combat="c", round=2, turn=1)
    assert left(creature(effect("poisoned", timer=timer)), e.OtherTurn(**OTHER, round=1, turn=5))[1]


OTHER = {"other": "o", "moment": "turn-end", "combat": "c"}


# Saves.


def saves(timer, event):
    return [
        change for change in play(creature(effect("poisoned", timer=timer)), event).outputs if type(change) is AskSave
    ]


def test_tim_1_a_save_is_asked_at_its_own_moment():
    end = Timer("save", NOW, ability="wis", dc=13, moment="end")
    start = Timer("save", NOW, ability="wis", dc=13, moment="start")
    begins, ends = e.TurnStarted(combat="c", round=1, turn=0), e.TurnEnded(combat="c", round=1, turn=0)
    assert [len(saves(end, begins)), len(saves(end, ends))] == [0, 1]
    assert [len(saves(start, begins)), len(saves(start, ends))] == [1, 0]
    assert saves(Timer("seconds", NOW, 60), ends) == []


def test_tim_1_a_save_may_end_it_before_its_time():
    (ask,) = saves(
        Timer("seconds", NOW, 60, ability="con", dc=15, moment="end"), e.TurnEnded(combat="c", round=1, turn=0)
    )
    assert (ask.ability, ask.dc, ask.tags) == ("con", 15, ("vs-poisoned",))
    assert ask.say.text == "A Constitution save, DC 15, ends Poisoned."
    assert ask.say.data == {"name": "Poisoned", "ability": "con", "dc": 15, "turns": 1}


def test_tim_3_the_end_of_several_turns_is_one_save_and_its_card_says_how_many():
    timer = Timer("save", NOW, ability="wis", dc=13, moment="end")
    (ask,) = saves(timer, e.TurnEnded(combat="c", round=4, turn=0, passed=3))
    assert ask.say.text.endswith("(4 turns have passed.)")
    assert ask.say.data["turns"] == 4


@pytest.mark.parametrize(
    ("reason", "success", "timer", "stays"),
    [
        ("ends:dnd5epoisoned000", True, Timer("save", NOW, ability="con", dc=10, moment="end"), False),
        ("ends:dnd5epoisoned000", False, Timer("save", NOW, ability="con", dc=10, moment="end"), True),
        ("ends:dnd5eblinded0000", True, Timer("save", NOW, ability="con", dc=10, moment="end"), True),
        ("something else", True, Timer("save", NOW, ability="con", dc=10, moment="end"), True),
        ("ends:dnd5epoisoned000", True, Timer("seconds", NOW, 60), True),
        ("ends:dnd5epoisoned000", True, None, True),
    ],
)
def test_tim_1_a_successful_save_ends_what_it_was_asked_for(reason, success, timer, stays):
    found = effect("poisoned", timer=timer)
    assert found.id == "dnd5epoisoned000"
    assert left(creature(found), e.Rolled(request="r", reason=reason, success=success))[1] is stays


# Combats end, and are set back.


@pytest.mark.parametrize(
    ("timer", "after"),
    [
        (Timer("combat", NOW, combat="c"), None),
        (Timer("rounds", NOW - 60, 5, combat="c", round=2), Timer("seconds", NOW, 18)),
        (Timer("rounds", NOW - 60, 5, combat="c", round=9), Timer("seconds", NOW, 30)),
        (Timer("rounds", NOW - 60, 2, combat="c", round=2), None),
        (Timer("rounds", NOW - 60, 1, combat="c", round=2), None),
        (Timer("turn-start", NOW - 60, creature="o", combat="c", round=4), Timer("seconds", NOW, 6)),
        (Timer("turn-end", NOW - 60, creature="o", combat="c", round=4), Timer("seconds", NOW, 6)),
        (Timer("long-rest", NOW - 60, combat="c"), Timer("long-rest", NOW - 60, combat="c")),
        (
            Timer("rounds", NOW - 60, 5, combat="c", round=3, ability="con", dc=9, moment="end"),
            Timer("seconds", NOW, 24, ability="con", dc=9, moment="end"),
        ),
    ],
)
def test_tim_4_what_a_combat_leaves_when_it_ends(timer, after):
    found = play(creature(effect("poisoned", timer=timer)), e.CombatLeft(at=NOW, combat="c", round=4)).after.effects
    assert [effect.mark.timer for effect in found] == ([] if after is None else [after])


def test_tim_2_who_leaves_a_combat_that_goes_on_keeps_its_rounds_there():
    left_alone = e.CombatLeft(at=NOW, combat="c", ended=False, round=4)
    for timer in (Timer("rounds", NOW, 5, combat="c", round=2), Timer("turn-end", NOW, creature="o", combat="c")):
        (found,) = play(creature(effect("poisoned", timer=timer)), left_alone).after.effects
        assert found.mark.timer == timer
    assert not left(creature(timed("combat", NOW, combat="c")), left_alone)[1]


@pytest.mark.parametrize(
    ("round", "turn", "initiative", "combatant"),
    [(2, 1, 10.0, "g"), (3, 0, 10.0, "g"), (2, 0, 18.0, "b"), (1, 5, 18.0, "b")],
)
def test_tim_5_a_combat_set_back_before_it_was_given_gives_it_anew(round, turn, initiative, combatant):
    timer = Timer("rounds", NOW, 3, combat="c", round=2, turn=1, initiative=10.0, combatant="g")
    back = e.CombatSetBack(combat="c", round=round, turn=turn, initiative=18.0, combatant="b")
    (found,) = play(creature(effect("poisoned", timer=timer)), back).after.effects
    began = min((2, 1), (round, turn))
    assert (found.mark.timer.round, found.mark.timer.turn) == began
    assert (found.mark.timer.initiative, found.mark.timer.combatant) == (initiative, combatant)
    (other,) = play(creature(effect("poisoned", timer=timer)), structs.replace(back, combat="d")).after.effects
    assert other.mark.timer == timer


def test_tim_5_a_clock_set_back_leaves_rounds_of_a_combat_alone():
    rounds = Timer("rounds", NOW, 3, combat="c", round=2)
    for timer in (rounds, Timer("seconds", NOW - 100, 600)):
        (found,) = play(creature(effect("poisoned", timer=timer)), e.ClockSetBack(at=NOW - 50, since=NOW)).after.effects
        assert found.mark.timer == timer


def test_cmb_12_stamps_of_another_world_begin_anew_and_forget_its_combats():
    timer = Timer("rounds", 5, 3, combat="c", round=2)
    (found,) = play(creature(effect("poisoned", timer=timer)), e.Seen(at=NOW, foreign=True)).after.effects
    assert found.mark.timer == Timer("rounds", NOW, 3, round=2)
    (same,) = play(creature(effect("poisoned", timer=timer)), e.Seen(at=NOW)).after.effects
    assert same.mark.timer == timer


def test_what_is_switched_off_does_not_end_by_itself():
    actor = creature(timed("seconds", NOW, 60))
    for mode, stays in (("off", True), ("auto", False)):
        event = e.TimePassed(at=NOW + 60, since=NOW)
        decision = play(actor, event, now=NOW + 60, settings={"conditions.poisoned.mode": mode})
        assert has(decision.after, "poisoned") is stays


def test_tim_1_what_comes_with_an_end_behind_it_ends_at_once():
    gained = e.ConditionChanged(at=NOW + 60, condition="poisoned", was=0, level=1)
    assert not left(creature(timed("seconds", NOW, 60)), gained, NOW + 60)[1]
    assert left(creature(timed("seconds", NOW, 61)), gained, NOW + 60)[1]
