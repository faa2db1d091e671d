"""Bloodied: BLO-1 to BLO-6, as the rules say it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.decide import decide
from bridge.engine.state import Habits, HitPoints, Memory
from tests.creatures import BOOK, creature, effect, has, kinds, plain, play, posted

LOST = e.HitPointsLost(amount=1, value=1)
BLOODIED = effect("bloodied")


def judged(value, top, *effects, tempmax=0, temp=0, event=LOST, settings=None, **more):
    actor = creature(*effects, hp=0, **more)
    actor = structs.replace(actor, hp=HitPoints(value, top, temp, tempmax))
    return has(play(actor, event, settings=settings).after, "bloodied")


@pytest.mark.parametrize(
    ("value", "top", "expected"),
    [
        (11, 22, True),
        (11, 21, False),
        (10, 21, True),
        (12, 22, False),
        (1, 1, False),
        (0, 1, True),
        (1, 2, True),
        (20, 20, False),
    ],
)
def test_at_half_the_maximum_or_less(value, top, expected):
    """BLO-1: the three examples of the rule, and the edges."""
    assert judged(value, top) is expected
    assert judged(value, top, BLOODIED) is expected


@given(st.integers(0, 300), st.integers(1, 300))
def test_exactly_while_twice_the_current_is_no_more_than_the_maximum(value, top):
    """BLO-1."""
    assert judged(value, top) is (2 * value <= top)


def test_the_temporary_maximum_counts_and_temporary_hit_points_do_not():
    """BLO-1."""
    assert judged(11, 20, tempmax=2)
    assert not judged(11, 22, tempmax=-1)
    assert judged(10, 20, temp=50)


@pytest.mark.parametrize(
    "event",
    [
        LOST,
        e.HitPointsRegained(amount=1, before=HitPoints(4, 20), after=HitPoints(5, 20)),
        e.MaximumChanged(was=8, now=20),
        e.Seen(),
        e.ConditionChanged(condition="dead", was=1, level=0),
    ],
)
def test_judged_on_every_change_at_first_sight_and_when_death_ends(event):
    """BLO-2."""
    assert judged(5, 20, event=event)


@pytest.mark.parametrize(
    "event",
    [e.TurnStarted(combat="c", round=1, turn=0), e.Ate(), e.ConditionChanged(condition="prone", was=0, level=1)],
)
def test_nothing_else_judges_it(event):
    """BLO-2."""
    assert not judged(5, 20, event=event)


def test_at_zero_it_stays():
    """BLO-3, and its setting."""
    assert judged(0, 20)
    assert not judged(0, 20, settings={"bloodied.at-zero": False})


def test_the_dead_are_not_shown_as_bloodied():
    """BLO-3, and its setting."""
    assert not judged(0, 20, BLOODIED, plain("dead"), event=e.ConditionChanged(condition="dead", was=0, level=1))
    assert not judged(0, 20, plain("dead"))
    assert judged(0, 20, plain("dead"), settings={"bloodied.when-dead": True})


@pytest.mark.parametrize(("value", "top", "tempmax"), [(0, 0, 0), (0, 5, -5), (0, 5, -9)])
def test_creatures_with_maximum_zero_are_never_bloodied(value, top, tempmax):
    """BLO-4."""
    assert not judged(value, top, tempmax=tempmax)


def test_creatures_without_hit_points_are_never_bloodied():
    """BLO-4."""
    assert not has(play(creature(hp=None), e.Seen()).after, "bloodied")


@pytest.mark.parametrize(("value", "effects"), [(15, ()), (5, (BLOODIED,))])
def test_a_change_on_the_same_side_changes_nothing(value, effects):
    """BLO-6."""
    decision = play(creature(*effects, hp=value), LOST)
    assert kinds(decision) == []
    assert decision.after == decision.before


def test_what_the_gm_took_off_stays_off_until_hit_points_change():
    """CMB-8: "stays off until what it derives from changes next"."""
    removed = play(creature(hp=3), e.ConditionChanged(condition="bloodied", was=1, level=0, by=e.GM)).after
    assert not has(removed, "bloodied")
    assert removed.memory.off == ("bloodied",)
    assert not has(play(removed, e.Seen()).after, "bloodied")
    assert has(play(removed, LOST).after, "bloodied")


def test_taking_off_what_is_not_due_is_not_remembered():
    """CMB-8."""
    removed = play(creature(hp=15), e.ConditionChanged(condition="bloodied", was=1, level=0, by=e.GM)).after
    assert removed.memory.off == ()


def test_putting_it_on_again_by_hand_forgets_that_it_was_off():
    """CMB-8."""
    actor = creature(BLOODIED, hp=3, memory=Memory(off=("bloodied",)))
    assert play(actor, e.ConditionChanged(condition="bloodied", was=0, level=1, by=e.GM)).after.memory.off == ()


def test_switched_off_it_never_comes():
    """BLO-1, off."""
    assert not judged(5, 20, settings={"conditions.bloodied.mode": "off"})


def test_an_effect_that_is_disabled_by_hand_is_switched_on_again_when_it_is_due():
    """CMB-1."""
    off = structs.replace(BLOODIED, disabled=True)
    after = play(creature(off, hp=5), LOST).after
    assert has(after, "bloodied")
    assert len(after.effects) == 1


def test_blo_7_a_note_of_the_gms_starts_and_ends_with_it():
    """BLO-7."""
    actor = structs.replace(creature(BLOODIED, hp=5), habits=Habits(when_bloodied="Rage"))
    gained = play(actor, e.ConditionChanged(condition="bloodied", was=0, level=1))
    lost = play(actor, e.ConditionChanged(condition="bloodied", was=1, level=0))
    assert [post.say.text for post in posted(gained)] == ["While Bloodied: Rage"]
    assert [post.say.text for post in posted(lost)] == ["No longer: Rage"]


def test_blo_7_an_attached_effect_is_switched_on_and_off_with_it():
    """BLO-7."""
    attached = effect("frightened", cause="when-bloodied", disabled=True)
    actor = creature(attached, hp=5)
    after = play(actor, e.ConditionChanged(condition="bloodied", was=0, level=1)).after
    assert has(after, "frightened")
    over = play(after, e.ConditionChanged(condition="bloodied", was=1, level=0)).after
    assert not has(over, "frightened")


def test_cmb_8_temporary_hit_points_that_are_lost_judge_nothing():
    """BLO-1: "temporary hit points never count"."""
    wiped_off = creature(hp=3)
    assert not has(play(wiped_off, e.HitPointsLost(amount=2, value=0)).after, "bloodied")
    assert has(play(wiped_off, e.HitPointsLost(amount=2, value=1)).after, "bloodied")


def test_blo_5_where_the_system_judges_ours_stands_aside():
    book = BOOK.given({}, aside=("bloodied",))
    for actor in (creature(hp=3), creature(effect("bloodied"))):
        decision = decide(book, actor, [e.HitPointsLost(amount=2, value=2)], 0)
        assert decision.after.effects == actor.effects
