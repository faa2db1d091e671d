"""Undo: UND-1 to UND-5."""

import pytest
from msgspec import structs

from bridge import protocol as p
from bridge.engine.state import Timer
from bridge.engine.timers import due
from tests.creatures import creature, drunk, effect, has, level
from tests.desk import GM, PLAYER, Desk


def drinker():
    desk = Desk(creature())
    for _ in range(2):
        desk.happen(p.Drank, count=2)
    return desk


def test_the_last_decision_is_taken_back_whole():
    """UND-1."""
    desk = drinker()
    before = desk.actor()
    desk.happen(p.Drank, count=2)
    assert level(desk.actor()) == 3
    desk.undo()
    assert level(desk.actor()) == 2
    assert desk.actor().memory.notes == before.memory.notes


def test_an_undo_can_be_undone():
    """UND-5."""
    desk = drinker()
    desk.undo()
    desk.undo()
    assert level(desk.actor()) == 2


def test_only_a_gm_can_undo():
    desk = drinker()
    desk.undo(by=PLAYER)
    assert (level(desk.actor()), desk.codes()) == (2, ["not-allowed"])


def test_where_the_world_shows_something_else_it_is_refused():
    """UND-2: "otherwise it is refused and names the later change"."""
    desk = drinker()
    desk.write(effects=(effect("intoxicated", 5),))
    last = max(
        id
        for id, chapter in desk.world.memory.history.items()
        if any(x.condition == "intoxicated" for x in chapter.changed) and level(chapter.after) == 2
    )
    desk.undo(last)
    assert level(desk.actor()) == 5
    assert desk.codes() == ["conflict"]
    assert "changed since" in desk.errors[-1].message


@pytest.mark.parametrize("decision", [None, 9999])
def test_nothing_to_undo_is_an_error(decision):
    desk = Desk(creature())
    desk.undo(decision)
    assert desk.codes() == ["conflict"]


def test_what_was_undone_is_not_derived_again_until_hit_points_change():
    """UND-3."""
    desk = Desk(creature(hp=20))
    desk.hp(5)
    assert has(desk.actor(), "bloodied")
    desk.undo()
    assert not has(desk.actor(), "bloodied")
    desk.start()
    assert not has(desk.actor(), "bloodied")
    desk.hp(4)
    assert has(desk.actor(), "bloodied")


def test_a_refusal_undone_gives_the_hit_points_back():
    """UND-1."""
    desk = Desk(creature(effect("bleeding"), hp=15))
    desk.hp(18, "spell")
    assert desk.actor().hp.value == 15
    desk.undo()
    assert desk.actor().hp.value == 18
    assert len(desk.cards("refusal")) == 1


def test_a_time_jump_is_one_group_for_all_creatures():
    """UND-1: "A time jump … is one group"."""
    two = [structs.replace(drunk(3, since=1_000_000, notes={"fed": 1_000_000}), id=f"Actor.{x}") for x in "ab"]
    desk = Desk(*two)
    desk.time(3600)
    assert [level(desk.actor(f"Actor.{x}")) for x in "ab"] == [2, 2]
    desk.undo()
    assert [level(desk.actor(f"Actor.{x}")) for x in "ab"] == [3, 3]
    assert desk.foundry.clock == 1_003_600


@pytest.mark.parametrize(("back", "ends"), [(0, None), (3600, 1_003_600)])
def test_an_ending_that_is_undone_has_no_end_unless_it_still_lies_ahead(back, ends):
    """UND-4."""
    desk = Desk(creature(effect("poisoned", timer=Timer("seconds", 1_000_000, 3600))))
    desk.time(3600)
    assert not has(desk.actor(), "poisoned")
    if back:
        desk.time(-back)
    desk.undo()
    assert has(desk.actor(), "poisoned")
    (found,) = desk.actor().effects
    assert (found.mark.timer and due(found.mark.timer)) == ends


def test_an_undo_that_is_repeated_is_done_once():
    desk = drinker()
    message = p.Undo(0, "same", GM)
    for _ in range(2):
        desk.foundry._put(message)
        desk.settle()
    assert level(desk.actor()) == 1


def test_what_followed_from_damage_that_a_rule_dealt_goes_with_it():
    """UND-1: "whole": the wound and the Bloodied that it brought are one group."""
    desk = Desk(creature(effect("ignited"), hp=11))
    desk.combat(1, 0, "b", "a")
    desk.combat(1, 1, "b", "a")
    (request,) = desk.foundry.rolling
    desk.foundry.dice(request, 4)
    desk.settle()
    assert desk.actor().hp.value == 7
    assert has(desk.actor(), "bloodied")
    desk.undo()
    assert desk.actor().hp.value == 11
    assert not has(desk.actor(), "bloodied")
