"""Ignited: how it burns, in combat and out of it, and how it ends (IGN-1, IGN-2, IGN-3)."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.changes import Post, RollDice, TakeDamage, Tell, Use
from bridge.engine.conditions import Creature
from bridge.engine.state import Memory, Timer
from tests.creatures import BOOK, creature, effect, has, plain, play

NOW = 1_000_000
FIRE = effect("ignited")


def burning(**more):
    actor = creature(FIRE, **more)
    return structs.replace(actor, memory=Memory(notes={"ignited": {"since": NOW, "burnt": NOW}}))


def rolls(decision):
    return sum(isinstance(change, RollDice) for change in decision.outputs)


def passed(actor, seconds, since=NOW):
    return play(actor, e.TimePassed(at=since + seconds, since=since), now=since + seconds)


def test_ign_2_burns_every_six_seconds_while_time_advances():
    assert [rolls(passed(burning(), seconds)) for seconds in (5, 6, 11, 12, 60)] == [0, 1, 1, 2, 10]


def test_ign_2_at_most_ten_rolls_a_jump_and_the_rest_is_told():
    decision = passed(burning(), 600)
    assert rolls(decision) == 10
    (post,) = [change for change in decision.outputs if isinstance(change, Post)]
    assert post.audience == "gm"
    assert post.say.data["count"] == 90


def test_tim_1_a_fire_that_ends_within_a_jump_burns_until_then():
    timed = effect("ignited", timer=Timer("seconds", NOW, 12))
    actor = structs.replace(burning(), effects=(timed,))
    assert [rolls(passed(actor, seconds)) for seconds in (6, 12, 60, 600)] == [1, 2, 2, 2]
    longer = effect("burning", timer=Timer("seconds", NOW, 24))
    assert rolls(passed(structs.replace(actor, effects=(timed, longer)), 60)) == 4
    assert rolls(passed(structs.replace(actor, effects=(timed, effect("burning"))), 60)) == 10


def test_ign_2_seconds_that_have_burnt_do_not_burn_again():
    once = passed(burning(), 12).after
    back = play(once, e.ClockSetBack(at=NOW, since=NOW + 12), now=NOW).after
    assert rolls(passed(back, 12)) == 0
    assert rolls(passed(back, 18)) == 1


def press(button, **more):
    return e.Pressed(button=button, card="c", **more)


def test_ign_3_extinguish_takes_the_action_and_leaves_it_prone():
    actor = structs.replace(burning(), combat="c", round=3)
    after = play(actor, press("extinguish")).after
    assert not has(after, "ignited")
    assert has(after, "prone")
    assert after.memory.lost == ("c", 3)


def test_ign_3_no_action_left_or_incapacitated_puts_nothing_out():
    spent = play(burning(), press("extinguish", spent=("action",)))
    assert has(spent.after, "ignited")
    assert any(isinstance(change, Tell) for change in spent.outputs)
    stunned = creature(FIRE, effect("stunned", 1, "incapacitated"))
    assert has(play(stunned, press("extinguish")).after, "ignited")


def test_ign_3_doused_or_dead_it_is_over():
    assert not has(play(burning(), press("doused")).after, "ignited")
    dead = structs.replace(burning(), effects=(FIRE, effect("dead")))
    assert not has(play(dead, e.ConditionChanged(condition="dead", was=0, level=1)).after, "ignited")


# In combat.


def turn(kind, passed=0):
    return kind(at=NOW + 12, combat="c", round=3, turn=0, passed=passed)


@pytest.mark.parametrize(("when", "burns_at"), [("turn-start", e.TurnStarted), ("turn-end", e.TurnEnded)])
def test_ign_1_it_burns_once_at_its_moment_of_the_turn(when, burns_at):
    settings = {"ignited.when": when, "ignited.damage": "2d6", "ignited.type": "acid"}
    for kind in (e.TurnStarted, e.TurnEnded):
        decision = play(burning(), turn(kind), settings=settings)
        assert rolls(decision) == (1 if kind is burns_at else 0)
        assert rolls(play(creature(), turn(kind), settings=settings)) == 0
    (roll,) = [
        change for change in play(burning(), turn(burns_at), settings=settings).outputs if isinstance(change, RollDice)
    ]
    assert (roll.formula, roll.reason, roll.say.text) == ("2d6", "ignited.damage", "It burns: 2d6 acid damage.")
    assert roll.say.data == {"formula": "2d6", "type": "acid", "turns": 1}


@pytest.mark.parametrize("when", ["turn-start", "turn-end"])
def test_tim_3_of_several_turns_one_burns_and_the_card_says_how_many(when):
    kind = e.TurnStarted if when == "turn-start" else e.TurnEnded
    decision = play(burning(), turn(kind, passed=2), settings={"ignited.when": when})
    (roll,) = [change for change in decision.outputs if isinstance(change, RollDice)]
    assert roll.say.text == "It burns: 1d4 fire damage. (3 turns have passed.)"
    assert roll.say.data["turns"] == 3


def test_ign_2_what_a_turn_has_burnt_is_paid_for():
    notes = play(burning(), turn(e.TurnStarted)).after.memory.notes["ignited"]
    assert notes == {"since": NOW, "burnt": NOW + 12}
    ahead = structs.replace(burning(), memory=Memory(notes={"ignited": {"since": NOW, "burnt": NOW + 90}}))
    assert play(ahead, turn(e.TurnStarted)).after.memory.notes["ignited"]["burnt"] == NOW + 90


def test_ign_2_in_combat_the_clock_burns_nothing_and_its_seconds_are_paid_for():
    fights = structs.replace(burning(), combat="c", round=1)
    decision = passed(fights, 60)
    assert rolls(decision) == 0
    assert decision.after.memory.notes["ignited"] == {"since": NOW, "burnt": NOW + 60}
    assert BOOK.dues(Creature(fights, BOOK, NOW), NOW) is None
    assert BOOK.dues(Creature(burning(), BOOK, NOW), NOW) == NOW + 6
    assert BOOK.dues(Creature(burning(), BOOK, NOW), NOW + 6) == NOW + 12


@pytest.mark.parametrize(
    ("reason", "total", "amount"), [("ignited.damage", 3, 3), ("ignited.damage", 0, None), ("else", 3, None)]
)
def test_ign_1_its_dice_hurt_through_the_system(reason, total, amount):
    decision = play(burning(), e.DiceRolled(request="r", reason=reason, total=total), settings={"ignited.type": "cold"})
    hurt = [(change.amount, change.type) for change in decision.outputs if isinstance(change, TakeDamage)]
    assert hurt == ([] if amount is None else [(amount, "cold")])


# Catching fire, and the clock.


def gained(condition="ignited", was=0, level=1):
    return e.ConditionChanged(at=NOW, condition=condition, was=was, level=level)


@pytest.mark.parametrize("condition", ["ignited", "burning"])
def test_ign_2_it_counts_from_its_start_and_says_how_it_ends(condition):
    decision = play(creature(effect(condition)), gained(condition))
    assert decision.after.memory.notes["ignited"] == {"since": NOW, "burnt": NOW}
    (post,) = [change for change in decision.outputs if isinstance(change, Post)]
    assert [(b.id, b.who) for b in post.buttons] == [("extinguish", "owner"), ("doused", "gm")]


def test_ign_2_what_burns_already_does_not_begin_anew():
    twice = structs.replace(burning(), effects=(FIRE, effect("burning")))
    assert play(twice, gained("burning")).after.memory == twice.memory
    assert play(twice, structs.replace(gained("burning", 1, 0), at=NOW + 9)).after.memory == twice.memory


def test_ign_1_the_systems_burning_counts_by_setting():
    settings = {"ignited.system-burning": False}
    assert play(creature(effect("burning")), gained("burning"), settings=settings).after.memory.notes == {}
    assert play(creature(effect("prone")), gained("prone")).after.memory.notes == {}


def test_ign_3_put_out_nothing_is_remembered():
    out = structs.replace(burning(), effects=())
    assert play(out, gained(was=1, level=0)).after.memory.notes == {}
    assert play(creature(), gained(was=1, level=0)).lines == ()


@pytest.mark.parametrize(("foreign", "since"), [(False, NOW - 50), (True, NOW)])
def test_cmb_12_a_fire_of_another_world_begins_anew(foreign, since):
    old = structs.replace(creature(FIRE), memory=Memory(notes={"ignited": {"since": NOW - 50, "burnt": NOW - 2}}))
    decision = play(old, e.Seen(at=NOW, foreign=foreign), now=NOW)
    assert decision.after.memory.notes["ignited"]["since"] == since
    assert [change for change in decision.outputs if isinstance(change, Post)] == []


@pytest.mark.parametrize(("to", "since"), [(NOW - 5, NOW - 5), (NOW, NOW), (NOW + 5, NOW)])
def test_tim_5_a_start_in_the_future_becomes_now_and_what_has_burnt_stays_burnt(to, since):
    after = play(burning(), e.ClockSetBack(at=to, since=NOW + 60), now=to).after
    assert after.memory.notes["ignited"] == {"since": since, "burnt": NOW}


# Putting it out.


@pytest.mark.parametrize(
    ("more", "spent", "effects"),
    [
        ({}, ("attack",), ()),
        ({}, ("move", "action"), ()),
        ({}, ("move",), ("dazed",)),
        ({}, (), ("incapacitated",)),
        ({"combat": "c", "round": 3, "memory": Memory(lost=("c", 3), notes={"ignited": {"since": NOW}})}, (), ()),
    ],
)
def test_ign_3_no_action_is_left(more, spent, effects):
    actor = structs.replace(creature(FIRE, *map(effect, effects)), **more)
    decision = play(actor, press("extinguish", spent=spent))
    assert has(decision.after, "ignited")
    assert [change.code for change in decision.outputs if isinstance(change, Tell)] == ["not-allowed"]


@pytest.mark.parametrize(
    ("more", "spent", "effects"),
    [
        ({}, ("move", "bonus", "reaction"), ()),
        ({}, (), ("dazed",)),
        ({"combat": "c", "round": 4, "memory": Memory(lost=("c", 3))}, (), ()),
        ({"memory": Memory(lost=("c", 3))}, (), ()),
    ],
)
def test_ign_3_an_action_is_left(more, spent, effects):
    actor = structs.replace(creature(FIRE, *map(effect, effects)), **more)
    decision = play(actor, press("extinguish", spent=spent))
    assert not has(decision.after, "ignited")
    assert has(decision.after, "prone")
    (used,) = [change for change in decision.outputs if isinstance(change, Use)]
    assert (used.card, used.button) == ("c", "extinguish")


def test_ign_3_whoever_lies_already_lies_once():
    after = play(creature(FIRE, effect("burning"), plain("prone")), press("extinguish")).after
    assert [x.statuses for x in after.effects] == [("prone",)]


def test_ign_3_doused_takes_no_action_and_lays_nobody_down():
    decision = play(structs.replace(burning(), combat="c", round=3), press("doused", spent=("action",)))
    assert decision.after.effects == ()
    assert decision.after.memory.lost is None


def test_ign_3_where_nothing_burns_there_is_nothing_to_put_out():
    assert play(creature(), press("doused")).lines == ()
    assert play(burning(), press("water")).lines == ()


@pytest.mark.parametrize(("condition", "level", "burns"), [("dead", 1, False), ("dead", 0, True), ("prone", 1, True)])
def test_ign_3_only_death_ends_it(condition, level, burns):
    after = play(creature(FIRE, effect("burning")), gained(condition, 1 - level, level)).after
    assert (has(after, "ignited"), has(after, "burning")) == (burns, burns)
