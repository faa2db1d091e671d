"""Petrified and Poisoned (PET-1, PET-2, PET-3, PET-4), Poisoned itself (CND-12)."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.modifiers import Facts, evaluate
from bridge.engine.state import Timer
from tests.creatures import ALL, creature, effect, has, play, told

NOW = 1_000_000
STONE = effect("petrified", 1, "incapacitated")
GAINED = e.ConditionChanged(condition="petrified", was=0, level=1)
LOST = e.ConditionChanged(condition="petrified", was=1, level=0)


def poison(amount=3600):
    return effect("poisoned", timer=Timer("seconds", NOW, amount))


def test_cnd_12_poisoned_gives_disadvantage_on_checks_and_attacks():
    actor = creature(effect("poisoned"))
    for roll, gives in (("check.str", "disadvantage"), ("attack", "disadvantage"), ("save.con", "normal")):
        assert evaluate(ALL, actor, roll, None, Facts()).gives == {gives}


def test_pet_1_poison_is_halted_with_what_is_left():
    after = play(creature(STONE, poison()), GAINED, now=NOW + 600).after
    assert not has(after, "poisoned")
    halted = next(x for x in after.effects if "poisoned" in x.statuses)
    assert halted.mark.held
    assert halted.mark.halted.amount == 3000
    much_later = play(after, e.TimePassed(at=NOW + 90_000, since=NOW + 600), now=NOW + 90_000).after
    assert any("poisoned" in x.statuses for x in much_later.effects)


def test_pet_2_poison_resumes_with_exactly_what_was_left():
    stone = play(creature(STONE, poison()), GAINED, now=NOW + 600).after
    flesh = structs.replace(stone, effects=tuple(x for x in stone.effects if "petrified" not in x.statuses))
    after = play(flesh, LOST, now=NOW + 90_000).after
    assert has(after, "poisoned")
    (again,) = after.effects
    assert again.mark.timer == Timer("seconds", NOW + 90_000, 3000)


def test_pet_2_only_the_last_petrified_resumes_it():
    stone = play(creature(STONE, effect("petrified", id="another0000000"), poison()), GAINED, now=NOW).after
    one_less = structs.replace(stone, effects=tuple(x for x in stone.effects if x.id != STONE.id))
    assert not has(one_less, "poisoned")


def test_pet_3_no_new_poison_while_petrified():
    event = e.EffectsChanged(condition="poisoned", by=e.GM, came=("dnd5epoisoned000",))
    after = play(creature(STONE, poison()), event).after
    assert not any("poisoned" in x.statuses for x in after.effects)


def test_pet_4_a_halted_poison_that_the_gm_deletes_is_gone():
    stone = play(creature(STONE, poison()), GAINED, now=NOW).after
    deleted = structs.replace(stone, effects=tuple(x for x in stone.effects if "poisoned" not in x.statuses))
    flesh = structs.replace(deleted, effects=())
    assert play(flesh, LOST).after.effects == ()


# What is halted, and what is left of it when the stone ends.


def halted(timer, **more):
    """Return what stands on the poison when the creature has become stone at ``NOW``."""
    actor = structs.replace(creature(STONE, effect("poisoned", timer=timer)), **more)
    after = play(actor, structs.replace(GAINED, at=NOW), now=NOW).after
    return next(x for x in after.effects if "poisoned" in x.statuses), after


IN_FIGHT = {"combat": "c", "round": 4}


@pytest.mark.parametrize(
    ("timer", "more", "left"),
    [
        (Timer("seconds", NOW - 10, 60), {}, Timer("seconds", NOW, 50)),
        (Timer("seconds", NOW - 90, 60), {}, Timer("seconds", NOW, 0)),
        (Timer("rounds", NOW - 10, 3), {}, Timer("seconds", NOW, 8)),
        (Timer("rounds", NOW, 5, combat="c", round=2), IN_FIGHT, Timer("rounds", NOW, 3, combat="c", round=2)),
        (Timer("rounds", NOW, 5, combat="c", round=9), IN_FIGHT, Timer("rounds", NOW, 5, combat="c", round=9)),
        (Timer("rounds", NOW, 5, combat="c", round=2), {}, Timer("rounds", NOW, 5, combat="c", round=2)),
        (
            Timer("save", NOW, ability="con", dc=9, moment="end"),
            {},
            Timer("save", NOW, ability="con", dc=9, moment="end"),
        ),
    ],
)
def test_pet_1_what_is_left_is_kept(timer, more, left):
    found, _ = halted(timer, **more)
    assert (found.disabled, found.mark.held, found.mark.timer) == (True, True, None)
    assert found.mark.halted == left


@pytest.mark.parametrize(
    ("timer", "more", "again"),
    [
        (Timer("rounds", NOW, 5, combat="c", round=2), IN_FIGHT, Timer("rounds", NOW + 60, 3, combat="c", round=14)),
        (Timer("rounds", NOW, 5, combat="c", round=2), {}, Timer("seconds", NOW + 60, 30)),
        (Timer("turn-end", NOW, creature="o", combat="c", round=4), {}, Timer("seconds", NOW + 60, 6)),
        (
            Timer("turn-end", NOW, creature="o", combat="c", round=4),
            IN_FIGHT,
            Timer("turn-end", NOW + 60, creature="o", combat="c", round=4),
        ),
        (Timer("short-rest", NOW), {}, Timer("short-rest", NOW + 60)),
        (Timer("combat", NOW, combat="c"), IN_FIGHT, Timer("combat", NOW + 60, combat="c")),
    ],
)
def test_pet_2_it_goes_on_as_it_was_or_by_the_clock_when_its_combat_is_over(timer, more, again):
    _, stone = halted(timer, **more)
    flesh = structs.replace(stone, effects=tuple(x for x in stone.effects if "petrified" not in x.statuses))
    if more:
        flesh = structs.replace(flesh, round=14)
    (found,) = play(flesh, structs.replace(LOST, at=NOW + 60), now=NOW + 60).after.effects
    assert (found.disabled, found.mark.held, found.mark.halted) == (False, False, None)
    assert found.mark.timer == again


def test_tim_4_what_lasted_until_a_combat_that_is_over_ends_with_the_stone():
    _, stone = halted(Timer("combat", NOW, combat="c"), **IN_FIGHT)
    flesh = structs.replace(stone, effects=tuple(x for x in stone.effects if "petrified" not in x.statuses), combat="d")
    assert play(flesh, LOST, now=NOW).after.effects == ()


def test_pet_1_a_poison_without_an_end_is_halted_and_resumes_without_one():
    found, stone = halted(None)
    assert (found.mark.held, found.mark.halted) == (True, None)
    flesh = structs.replace(stone, effects=tuple(x for x in stone.effects if "petrified" not in x.statuses))
    (again,) = play(flesh, LOST, now=NOW).after.effects
    assert (again.disabled, again.mark.timer) == (False, None)


def test_pet_1_a_poison_that_the_gm_has_disabled_is_none_of_its_business():
    off = effect("poisoned", disabled=True)
    stone = play(creature(STONE, off), GAINED, now=NOW).after
    assert off in stone.effects
    flesh = structs.replace(stone, effects=(off,))
    assert play(flesh, LOST, now=NOW).after.effects == (off,)


def test_pet_1_at_first_sight_a_poison_is_halted_too():
    after = play(creature(STONE, poison()), e.Seen(at=NOW), now=NOW).after
    assert not has(after, "poisoned")


def test_pet_1_only_stone_halts():
    for event in (e.ConditionChanged(condition="prone", was=0, level=1), LOST):
        assert has(play(creature(STONE, poison()), event, now=NOW).after, "poisoned")


def test_pet_3_the_gm_is_told_and_can_force_it():
    event = e.EffectsChanged(condition="poisoned", by=e.GM, came=("dnd5epoisoned000",))
    decision = play(creature(STONE, poison()), event)
    assert [(tell.code, "immune to Poisoned:" in tell.text) for tell in told(decision)] == [("immune", True)]
    forced = creature(STONE, effect("poisoned", forced=True))
    assert has(play(forced, event).after, "poisoned")
    assert has(play(creature(STONE, poison()), structs.replace(event, condition="prone")).after, "poisoned")
    own = e.ConditionChanged(condition="poisoned", was=0, level=1, by=e.RULE)
    assert has(play(creature(STONE, poison()), own).after, "poisoned")
