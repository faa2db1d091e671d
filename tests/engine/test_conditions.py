"""Conditions combined on one creature: CMB-1, CMB-2, CMB-3; and the rulebook that holds their rules."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.apply import apply
from bridge.engine.changes import EndEffect, Post, Say
from bridge.engine.conditions import Condition, Creature, Rulebook
from bridge.engine.decide import decide
from bridge.engine.state import Mark, Memory
from bridge.rules.intoxicated import Notes
from tests.creatures import BOOK, by_gm, conditions, creature, effect, has, level, plain, play

PARENTS = ("paralyzed", "petrified", "stunned", "unconscious")


def test_a_condition_is_there_while_one_enabled_effect_carries_it():
    """CMB-1."""
    one, two = plain("poisoned"), plain("poisoned", id="other")
    assert conditions(creature(one, two)) == {"poisoned": 1}
    assert has(creature(structs.replace(one, disabled=True), two), "poisoned")
    assert not has(creature(structs.replace(one, disabled=True)), "poisoned")


def test_two_effects_count_once_at_the_higher_level():
    """CMB-1."""
    assert level(creature(effect("intoxicated", 2), effect("intoxicated", 5, id="other"))) == 5


@pytest.mark.parametrize("parent", PARENTS)
def test_four_conditions_imply_incapacitated_with_or_without_foundrys_help(parent):
    """CMB-2."""
    assert has(creature(plain(parent)), "incapacitated")
    assert has(creature(plain(parent, "incapacitated")), "incapacitated")


def test_ending_stunned_while_paralyzed_stays_leaves_incapacitated():
    """CMB-2."""
    actor = creature(plain("stunned", "incapacitated"), plain("paralyzed", "incapacitated"))
    left = apply(BOOK, actor, EndEffect(effect=actor.effects[0].id))
    assert conditions(left) == {"paralyzed": 1, "incapacitated": 1}
    none = apply(BOOK, left, EndEffect(effect=left.effects[0].id))
    assert conditions(none) == {}


def test_what_falls_unconscious_falls_prone_and_stays_so():
    """CMB-3."""
    fallen = play(creature(plain("unconscious", "incapacitated")), by_gm("unconscious", 0, 1)).after
    assert has(fallen, "prone")
    awake = structs.replace(fallen, effects=tuple(x for x in fallen.effects if "unconscious" not in x.statuses))
    assert has(play(awake, by_gm("unconscious", 1, 0)).after, "prone")


def test_one_that_was_prone_is_simply_still_prone():
    """CMB-3."""
    actor = creature(plain("prone"), plain("unconscious", "incapacitated"))
    assert play(actor, by_gm("unconscious", 0, 1)).after.effects == actor.effects


def test_one_immune_to_prone_does_not_fall_prone():
    """CMB-3, CMB-4."""
    actor = creature(plain("unconscious"), condition_immunities=("prone",))
    assert not has(play(actor, by_gm("unconscious", 0, 1)).after, "prone")


def test_a_second_source_of_unconscious_makes_it_fall_once_only():
    """CMB-3."""
    up_again = creature(plain("unconscious", "incapacitated"))
    news = e.EffectsChanged(condition="unconscious", by=e.GM)
    assert not has(play(up_again, news).after, "prone")


@pytest.mark.parametrize("forced", [True, False])
def test_the_immune_have_a_condition_only_when_it_is_forced(forced):
    """CMB-4."""
    actor = creature(effect("poisoned", forced=forced), condition_immunities=("poisoned",))
    assert has(actor, "poisoned") is forced


def test_one_immune_to_incapacitated_is_not_made_so_by_implication():
    """CMB-4."""
    assert not has(
        creature(plain("stunned", "incapacitated"), condition_immunities=("incapacitated",)), "incapacitated"
    )


# The rulebook.


def spy(id, order=0, always=True, event=e.Ate):
    condition = Condition(id=id, name=id, summary="")
    condition.on(event, order=order, always=always)(lambda event, it: [Post(kind="notice", say=Say(id, id))])
    return condition


def keys(book, actor, event=None):
    return [line.condition for line in decide(book, actor, [event or e.Ate()], 0).lines]


def test_rules_run_by_order_then_id_never_by_the_order_of_import():
    found = [spy("b"), spy("z", order=-1), spy("a")]
    assert keys(Rulebook(found), creature()) == keys(Rulebook(reversed(found)), creature()) == ["z", "a", "b"]


def test_a_rule_runs_for_bearers_only_unless_it_says_always():
    book = Rulebook([spy("a", always=False), spy("b")])
    assert keys(book, creature()) == ["b"]
    assert keys(book, creature(effect("a"))) == ["a", "b"]


def test_a_condition_that_is_off_has_no_rules_and_no_clock():
    """Rules, section 11."""
    clocked = spy("a")
    clocked.due(lambda it, after: after + 5)
    assert Rulebook([clocked]).dues(Creature(creature(), BOOK, 0), 3) == 8
    off = Rulebook([clocked], {"conditions.a.mode": "off"})
    assert keys(off, creature()) == []
    assert off.dues(Creature(creature(), off, 0), 3) is None


def test_the_next_due_time_is_the_earliest_of_all():
    first, second = spy("a"), spy("b")
    first.due(lambda it, after: 50)
    first.due(lambda it, after: None)
    second.due(lambda it, after: 20)
    assert Rulebook([first, second]).dues(Creature(creature(), BOOK, 0), 0) == 20


def test_the_rulebook_knows_which_events_need_a_decision():
    """Design, section 3: an event costs what it changes."""
    it = Creature(creature(), BOOK, 0)
    assert not Rulebook([spy("a", always=False)]).answers(e.Ate(), it)
    assert Rulebook([spy("a")]).answers(e.Ate(), it)
    assert Rulebook([]).answers(by_gm("x", 0, 1), it)


def test_a_rulebook_can_be_given_more_settings():
    book = BOOK.given({"bloodied.at-zero": False})
    assert book.settings["bloodied.at-zero"] is False
    assert book.conditions == BOOK.conditions
    assert BOOK.settings["bloodied.at-zero"] is True


# The creature.


def test_notes_that_cannot_be_read_are_empty():
    """CMB-8."""
    for raw in ({"drinks": 5}, "x", None):
        it = Creature(creature(memory=Memory(notes={"intoxicated": raw})), BOOK, 0)
        assert it.notes("intoxicated", Notes) == Notes()


def test_it_tells_whose_effect_brought_a_condition():
    it = Creature(creature(effect("unconscious", cause="intoxicated"), effect("stunned", 1, "incapacitated")), BOOK, 0)
    assert it.brought_by("unconscious", "intoxicated")
    assert not it.brought_by("unconscious", "down")
    assert it.carried("stunned")
    assert not it.carried("incapacitated")


@pytest.mark.parametrize(("score", "expected"), [(1, -5), (9, -1), (10, 0), (11, 0), (12, 1), (30, 10)])
def test_modifiers_follow_from_scores(score, expected):
    assert creature(abilities={"con": score}).score_modifier("con") == expected
    assert creature().score_modifier("con") == 0
    assert Mark().level == 1
