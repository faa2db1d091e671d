"""What a change does to the picture of a creature."""

import pytest
from msgspec import structs

from bridge.engine import changes as c
from bridge.engine.apply import apply, static_id
from bridge.engine.state import Effect, HitDice, Mark, Timer
from tests.creatures import BOOK, conditions, creature, effect, has, level, plain


def done(actor, *changes):
    for change in changes:
        actor = apply(BOOK, actor, change)
    return actor


@pytest.mark.parametrize(
    ("status", "id"),
    [("bloodied", "dnd5ebloodied000"), ("incapacitated", "dnd5eincapacitat"), ("x-y", "dnd5exy000000000")],
)
def test_an_effect_has_the_id_that_dnd5e_gives_its_status(status, id):
    assert static_id(status) == id


def test_a_condition_is_put_on_with_what_it_implies():
    """CMB-2."""
    (made,) = done(creature(), c.SetCondition(condition="unconscious", cause="intoxicated")).effects
    assert made.statuses == ("unconscious", "incapacitated")
    assert made.cause == "intoxicated"
    assert made.id == static_id("unconscious")


def test_the_level_of_what_is_there_moves_and_all_else_of_its_mark_stays():
    source = effect("intoxicated", 2, source="Actor.b", timer=Timer("combat", 0))
    (made,) = done(creature(source), c.SetCondition(condition="intoxicated", level=4)).effects
    assert made.mark == structs.replace(source.mark, level=4)


@pytest.mark.parametrize(("wanted", "expected"), [(-3, 0), (0, 0), (1, 1), (6, 6), (99, 6)])
def test_levels_stay_within_their_range(wanted, expected):
    """INT-5: "The level never passes 6"."""
    assert (
        level(done(creature(effect("intoxicated", 3)), c.SetCondition(condition="intoxicated", level=wanted)))
        == expected
    )


def test_another_cause_brings_an_effect_of_its_own():
    """CMB-1."""
    actor = done(creature(effect("unconscious")), c.SetCondition(condition="unconscious", cause="intoxicated"))
    assert len(actor.effects) == 2
    assert len({x.id for x in actor.effects}) == 2


def test_ending_one_cause_leaves_the_other():
    """CMB-1, INT-12."""
    actor = creature(effect("unconscious", cause="intoxicated"), effect("unconscious", id="spell"))
    after = done(actor, c.EndCondition(condition="unconscious", cause="intoxicated"))
    assert [x.id for x in after.effects] == ["spell"]


def test_ending_a_condition_leaves_what_only_implies_it():
    """CMB-2."""
    stunned = effect("stunned", 1, "incapacitated")
    actor = creature(stunned, effect("incapacitated"))
    assert done(actor, c.EndCondition(condition="incapacitated")).effects == (stunned,)


def test_what_belongs_to_an_item_cannot_be_ended():
    item = structs.replace(plain("poisoned"), fixed=True)
    assert done(creature(item), c.EndCondition(condition="poisoned")).effects == (item,)


def test_a_disabled_effect_is_switched_on_again():
    off = structs.replace(effect("bloodied"), disabled=True)
    (made,) = done(creature(off), c.SetCondition(condition="bloodied")).effects
    assert not made.disabled


def test_hit_points_go_no_lower_than_zero_and_what_has_none_keeps_none():
    assert done(creature(hp=5), c.SetHitPoints(value=-3)).hp.value == 0
    assert done(creature(hp=None), c.SetHitPoints(value=3)).hp is None


def test_hit_dice_are_set_back_by_class():
    actor = creature(hit_dice={"fighter": HitDice(3, 3), "bard": HitDice(1, 2)})
    after = done(actor, c.SetHitDice(hit_dice={"fighter": HitDice(1, 3), "monk": HitDice(9, 9)}))
    assert {k: d.left for k, d in after.hit_dice.items()} == {"fighter": 1, "bard": 1}


def test_statuses_are_switched_on_once_and_off():
    on = done(creature(), c.SetStatus(status="stable", on=True), c.SetStatus(status="stable", on=True))
    assert [x.statuses for x in on.effects] == [("stable",)]
    assert not has(done(on, c.SetStatus(status="stable", on=False)), "stable")


def test_marks_are_written_and_effects_ended_by_id():
    actor = creature(effect("poisoned"), effect("prone"))
    marked = done(actor, c.MarkEffect(effect=static_id("poisoned"), mark=Mark(held=True), disabled=True))
    assert "poisoned" not in conditions(marked)
    assert marked.effects[0].mark.held
    assert done(actor, c.EndEffect(effect=static_id("poisoned"))).effects == (actor.effects[1],)


def test_notes_are_kept_in_the_shape_in_which_foundry_shows_them_back():
    kept = done(creature(), c.Remember(condition="x", notes={"a": (1, 2)})).memory.notes
    assert kept == {"x": {"a": [1, 2]}}
    assert done(creature(notes={}), c.Remember(condition="intoxicated", notes=None)).memory.notes == {}


def test_a_lost_action_and_a_lost_concentration_are_seen_on_the_creature():
    after = done(creature(concentrating=True), c.EndConcentration(), c.LoseAction(combat="c", round=3))
    assert not after.concentrating
    assert after.memory.lost == ("c", 3)


def test_what_is_not_seen_on_the_creature_leaves_it_alone():
    actor = creature()
    assert done(actor, c.Tell(code="x", say=c.Say("x", "y")), c.TakeDamage(amount=3, type="fire")) is actor


def test_a_restored_effect_is_there_once():
    old = Effect("a", ("poisoned",))
    assert done(creature(old), c.RestoreEffect(effect=effect("poisoned", id="a"))).effects == (
        effect("poisoned", id="a"),
    )


def test_a_condition_is_put_on_with_its_source_its_end_and_the_gms_force():
    """CMB-4, TIM-1."""
    timer = Timer("seconds", 0, 60)
    change = c.SetCondition(condition="frightened", source="Actor.b", timer=timer, forced=True)
    (made,) = done(creature(), change).effects
    assert made.mark == Mark(source="Actor.b", timer=timer, forced=True)
    (same,) = done(creature(made), c.SetCondition(condition="frightened")).effects
    assert same.mark == made.mark
