"""Answers on their way: what of a picture is their doing, and what a broken one has done already (design, law 4)."""

from msgspec import structs

from bridge.engine.state import Effect, HitPoints, Memory
from bridge.world.flights import base, progress, unexplained
from bridge.world.memory import Flight
from tests.creatures import creature, effect

BEFORE = creature(effect("intoxicated", 2), hp=12)
AFTER = creature(effect("intoxicated", 3), hp=5)
FLIGHT = Flight(7, BEFORE, AFTER)


def shown(level=2, hp=12, receipt=0):
    effects = [effect("intoxicated", level)] if level else []
    return creature(*effects, hp=hp, memory=Memory(receipt=receipt))


def test_a_part_that_stands_as_wanted_is_the_answers_doing():
    assert unexplained(BEFORE, shown(3, 12), FLIGHT) == shown(3, 12)
    assert unexplained(BEFORE, shown(2, 5, receipt=7), FLIGHT).hp == HitPoints(5, 20)


def test_any_other_difference_is_news():
    assert unexplained(BEFORE, shown(4, 9), FLIGHT) == BEFORE
    assert unexplained(BEFORE, shown(0, 12), FLIGHT) == BEFORE
    assert unexplained(BEFORE, shown(4, 9), None) == BEFORE


def test_hit_points_are_written_with_the_receipt_so_without_it_they_are_news():
    """7 were lost in the moment in which 7 are to be put back: both count."""
    assert unexplained(BEFORE, shown(2, 5, receipt=6), FLIGHT).hp == BEFORE.hp
    assert base(shown(2, 5, receipt=6), FLIGHT).hp == HitPoints(5, 20)


def test_what_the_answer_does_not_touch_is_never_its_doing():
    only_hp = Flight(7, shown(3, 12), shown(3, 5))
    assert unexplained(shown(2, 12), shown(3, 12), only_hp) == shown(2, 12)


def test_a_broken_answer_is_decided_again_from_where_it_began():
    assert base(shown(3, 12), FLIGHT) == BEFORE
    assert base(shown(4, 9), FLIGHT) == shown(4, 9)
    assert base(shown(3, 5), None) == shown(3, 5)


def test_an_effect_that_the_answer_made_or_ended_is_there_or_gone_again():
    other = effect("prone", id="x")
    made = Flight(7, creature(), creature(other))
    assert base(creature(other), made).effects == ()
    assert base(creature(), Flight(7, creature(other), creature())).effects == (other,)


def test_an_effect_that_others_have_changed_is_theirs_from_then_on():
    theirs = progress(FLIGHT, BEFORE, shown(5, 12))
    assert unexplained(shown(5, 12), shown(3, 12), theirs) == shown(5, 12)
    gone = progress(FLIGHT, BEFORE, shown(0, 12))
    assert base(shown(0, 12), gone).effects == ()


def test_names_and_stamps_make_no_difference():
    renamed = structs.replace(BEFORE, effects=(structs.replace(BEFORE.effects[0], name="x"),))
    assert progress(FLIGHT, BEFORE, renamed) == FLIGHT
    assert isinstance(renamed.effects[0], Effect)
