"""Petrified and Poisoned (PET-1, PET-2, PET-3, PET-4), Poisoned itself (CND-12)."""

from msgspec import structs

from bridge.engine import events as e
from bridge.engine.modifiers import Facts, evaluate
from bridge.engine.state import Timer
from tests.creatures import ALL, creature, effect, has, play

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
