"""Each of the small rules that a table of the file asks for."""

from __future__ import annotations

import pytest

from bridge.engine import events as e
from bridge.engine.changes import EndConcentration, RollDice, TakeDamage
from bridge.engine.decide import Decision, decide
from bridge.engine.state import Actor, Memory
from bridge.rulebook.book import parse
from tests.creatures import creature, effect, kinds, plain, time_passes

BOOK = parse("""
[own.odd]
name = "Odd"
summary = "Odd."
limits = { concentration = true }
ends-on = ["combat", "hit-die", "long-rest"]
damage = { formula = "1d6", type = "acid", at = "end" }

[own.calm]
name = "Calm"
summary = "Calm."
ends-on = ["short-rest"]
damage = { formula = "1", type = "cold", out-of-combat = false }
""")


def play(actor: Actor, *events: e.Event) -> Decision:
    return decide(BOOK, actor, events, events[-1].at)


def left(decision: Decision) -> list[str]:
    return [each.statuses[0] for each in decision.after.effects]


def hurt(now: int, was: int = 0, **more) -> Actor:
    return creature(effect("odd"), **more, memory=notes_of(was, now))


def notes_of(since: int, paid: int) -> Memory:
    return Memory(notes={"odd": {"since": since, "paid": paid}})


@pytest.mark.parametrize(
    ("event", "kept"),
    [
        (e.CombatLeft(combat="c"), []),
        (e.CombatLeft(combat="c", ended=False), ["odd"]),
        (e.RestFinished(kind="long"), []),
        (e.RestFinished(kind="short"), ["odd"]),
    ],
)
def test_it_ends_on_what_is_named_and_on_nothing_else(event: e.Event, kept: list[str]) -> None:
    assert left(play(creature(effect("odd")), event)) == kept


def test_a_long_rest_ends_what_a_short_one_does() -> None:
    """TIM-1."""
    assert left(play(creature(effect("calm")), e.RestFinished(kind="long"))) == []


@pytest.mark.parametrize(("cause", "kept"), [("hit-die", []), ("spell", ["odd"])])
def test_a_hit_die_ends_it_by_its_cause(cause: str, kept: list[str]) -> None:
    actor = creature(effect("odd"))
    event = e.HitPointsRegained(amount=1, before=actor.hp, after=actor.hp, cause=cause)
    assert left(play(actor, event)) == kept


def test_concentration_ends_and_cannot_begin() -> None:
    actor = creature(effect("odd"), concentrating=True)
    assert EndConcentration in kinds(play(actor, e.ConcentrationBegan()))
    gained = e.ConditionChanged(condition="odd", was=0, level=1)
    assert EndConcentration in kinds(play(actor, gained))
    assert EndConcentration not in kinds(play(creature(effect("odd")), gained))


def test_it_hurts_at_the_moment_that_is_named_and_never_the_dead() -> None:
    start, end = (kind(combat="c", round=1, turn=0) for kind in (e.TurnStarted, e.TurnEnded))
    assert RollDice in kinds(play(creature(effect("odd")), end))
    assert RollDice not in kinds(play(creature(effect("odd")), start))
    assert RollDice in kinds(play(creature(effect("calm")), start))
    assert RollDice not in kinds(play(creature(effect("odd"), plain("dead")), end))


def test_the_dice_hurt_also_when_it_is_over_and_no_other_dice_do() -> None:
    thrown = e.DiceRolled(request="r", reason="harm:odd", total=3)
    assert play(creature(), thrown).outputs == [TakeDamage(amount=3, type="acid")]
    assert play(creature(), e.DiceRolled(request="r", reason="harm:calm", total=0)).outputs == []


def test_out_of_combat_it_hurts_every_six_seconds_that_are_not_paid_for() -> None:
    assert kinds(play(hurt(0), time_passes(13))).count(RollDice) == 2
    assert kinds(play(hurt(12), time_passes(13))).count(RollDice) == 0
    assert kinds(play(hurt(20), time_passes(13))).count(RollDice) == 0
    assert kinds(play(creature(effect("calm")), time_passes(13))).count(RollDice) == 0


def test_in_combat_the_turns_have_paid_for_the_seconds() -> None:
    done = play(hurt(0, combat="c", round=1), time_passes(13))
    assert RollDice not in kinds(done)
    assert done.after.memory.notes["odd"]["paid"] == 13


def test_a_clock_that_is_set_back_hurts_nobody_twice() -> None:
    """TIM-5."""
    done = play(hurt(112, 100), e.ClockSetBack(at=50, since=112))
    assert done.after.memory.notes["odd"] == {"since": 50, "paid": 112}
    assert RollDice not in kinds(play(done.after, time_passes(100, 50)))


def test_its_clock_is_forgotten_with_it_and_begins_anew_in_another_world() -> None:
    """CMB-12."""
    gone = play(creature(memory=notes_of(0, 0)), e.ConditionChanged(condition="odd", was=1, level=0))
    assert gone.after.memory.notes == {}
    seen = play(hurt(0), e.Seen(at=500, foreign=True))
    assert seen.after.memory.notes["odd"] == {"since": 500, "paid": 500}
    assert play(hurt(0), e.Seen(at=500)).after.memory.notes["odd"] == {"since": 0, "paid": 0}
