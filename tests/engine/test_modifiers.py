"""The reference evaluator: CMB-5, CMB-6, ROL-1 to ROL-5, and Speed and limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from bridge.engine.catalogue import (
    ADVANTAGE,
    CRITICAL,
    DISADVANTAGE,
    FAIL,
    NUMBER,
    Catalogue,
    Entry,
    Level,
    Modifier,
    Predicate,
    Speed,
)
from bridge.engine.modifiers import Facts, Roll, distance, evaluate, limits_on, matches, speed_of
from bridge.engine.state import Place
from tests.creatures import catalogue, creature, drunk, effect, plain


def rolls(roll, *mine, target=(), facts=None, settings=None):
    return evaluate(
        catalogue(settings), creature(*mine), roll, creature(*target) if target is not None else None, facts or Facts()
    )


def gives(roll, *mine, **more):
    return rolls(roll, *mine, **more).gives


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("check.wis.perception", Roll("check", "wis", frozenset({"perception"}))),
        ("save.con.concentration", Roll("save", "con", frozenset({"concentration"}))),
        ("attack.melee", Roll("attack", None, frozenset({"melee"}))),
        ("initiative", Roll("initiative", "dex")),
        ("save.death", Roll("save", None, frozenset({"death"}))),
    ],
)
def test_rolls_are_read_from_their_names(text, expected):
    assert Roll.parse(text) == expected


def test_any_number_of_sources_cancel_to_a_normal_roll():
    """CMB-5."""
    many = (plain("poisoned"), plain("prone"), plain("restrained"))
    assert gives("attack.melee", *many, target=(plain("stunned"),)) == {"normal"}
    assert gives("attack.melee", *many) == {"disadvantage"}
    assert gives("attack.melee", target=(plain("stunned"), plain("paralyzed"))) == {"advantage"}


def test_penalties_of_different_conditions_add():
    """CMB-5."""
    both = evaluate(catalogue(), drunk(4, effect("exhaustion", 1)), "check.str", None, Facts())
    assert both.gives == {"-6"}


def test_one_condition_never_applies_twice_to_one_roll():
    """CMB-5: two effects that carry it, and two modifiers of one effect that fit."""
    assert gives("check.wis.insight", effect("intoxicated", 3), effect("intoxicated", 3, id="other")) == {"-3"}
    twice = Level("", (Modifier("check", NUMBER, -1), Modifier("check", NUMBER, -2, abilities=("wis",))))
    book = Catalogue("all", "", (Entry("x", "X", "", (twice,)),))
    assert evaluate(book, creature(effect("x")), "check.wis", None, Facts()).gives == {"-1"}


def test_every_modifier_names_its_source():
    """CMB-6."""
    assert rolls("check.str", plain("poisoned")).reasons == ["Disadvantage: Poisoned"]
    assert rolls("check.str", effect("intoxicated", 3)).reasons == ["-3: Intoxicated"]
    assert rolls("save.dex", plain("stunned")).reasons == ["Fails: Stunned"]


@pytest.mark.parametrize(
    ("condition", "feet", "expected"),
    [
        ("prone", 5, {"advantage"}),
        ("prone", 6, {"disadvantage"}),
        ("prone", 30, {"disadvantage"}),
        ("paralyzed", 5, {"advantage", "critical"}),
        ("paralyzed", 10, {"advantage"}),
    ],
)
def test_distance_decides(condition, feet, expected):
    """CND-10, CND-13, ROL-1."""
    assert gives("attack.melee", target=(plain(condition),), facts=Facts(distance=feet)) == expected


def test_prone_and_unconscious_together():
    """ROL-2: within 5 ft advantage once, at 30 ft they cancel."""
    down = (plain("prone"), plain("unconscious"))
    assert gives("attack.melee", target=down, facts=Facts(distance=5)) == {"advantage", "critical"}
    assert gives("attack.ranged", target=down, facts=Facts(distance=30)) == {"normal"}


def test_what_depends_on_an_unknown_distance_is_offered_not_applied():
    """ROL-3."""
    outcome = rolls("attack.melee", target=(plain("prone"),))
    assert outcome.gives == {"normal"}
    assert [given.modifier.gives for given in outcome.offered] == [ADVANTAGE, DISADVANTAGE]


def test_without_a_target_nothing_of_it_applies():
    """ROL-3."""
    assert gives("attack.melee", plain("invisible"), target=None) == {"normal"}


@pytest.mark.parametrize(("condition", "question"), [("blinded", "sight"), ("deafened", "hearing")])
def test_what_only_people_know_is_offered(condition, question):
    """ROL-4, CND-1, CND-4."""
    outcome = rolls("check.wis.perception", plain(condition))
    assert outcome.gives == {"normal"}
    assert [(given.modifier.gives, given.modifier.when.asks) for given in outcome.offered] == [(FAIL, question)]


@pytest.mark.parametrize("condition", ["paralyzed", "petrified", "stunned", "unconscious"])
def test_an_automatic_failure_stands_beside_what_else_the_roll_gets(condition):
    """ROL-5."""
    assert gives("save.dex", plain(condition), plain("restrained")) == {"fail", "disadvantage"}
    assert gives("save.str", plain(condition)) == {"fail"}
    assert gives("save.con", plain(condition)) == {"normal"}


@pytest.mark.parametrize(("seen", "expected"), [(True, {"disadvantage"}), (False, {"normal"}), (None, {"normal"})])
def test_fear_works_while_its_source_is_seen(seen, expected):
    """CND-6."""
    facts = Facts(sources_seen={} if seen is None else {"Actor.b": seen})
    outcome = rolls("check.str", effect("frightened", source="Actor.b"), facts=facts)
    assert outcome.gives == expected
    assert bool(outcome.offered) is (seen is None)


def test_one_of_two_sources_in_sight_is_enough():
    """CND-6."""
    both = (effect("frightened", source="Actor.b"), effect("frightened", id="other", source="Actor.c"))
    assert gives("check.str", *both, facts=Facts(sources_seen={"Actor.b": False, "Actor.c": True})) == {"disadvantage"}
    assert gives("check.str", *both, facts=Facts(sources_seen={"Actor.b": False, "Actor.c": False})) == {"normal"}


@pytest.mark.parametrize(("seen", "expected"), [(False, {"advantage"}), (True, {"normal"}), (None, {"normal"})])
def test_the_invisible_gain_only_where_they_are_not_seen(seen, expected):
    """CND-9."""
    assert gives("attack.melee", plain("invisible"), target=(plain("x"),), facts=Facts(roller_seen=seen)) == expected


@pytest.mark.parametrize(("seen", "expected"), [(False, {"disadvantage"}), (True, {"normal"})])
def test_attacks_on_the_unseen(seen, expected):
    """CND-9."""
    assert gives("attack.melee", target=(plain("invisible"),), facts=Facts(target_seen=seen)) == expected


def test_a_grapple_hinders_attacks_on_all_but_the_grappler():
    """CND-7."""
    held = creature(effect("grappled", source="Actor.b"))
    other, grappler = (structs.replace(creature(), id=id) for id in ("Actor.c", "Actor.b"))
    assert evaluate(catalogue(), held, "attack.melee", other, Facts()).gives == {"disadvantage"}
    assert evaluate(catalogue(), held, "attack.melee", grappler, Facts()).gives == {"normal"}


def test_the_charmer_has_advantage_and_no_one_else():
    """CND-2."""
    charmed = creature(effect("charmed", source="Actor.b"))
    charmer, other = (structs.replace(creature(), id=id) for id in ("Actor.b", "Actor.c"))
    for skill in ("deception", "intimidation", "performance", "persuasion"):
        assert evaluate(catalogue(), charmer, f"check.cha.{skill}", charmed, Facts()).gives == {"advantage"}
        assert evaluate(catalogue(), other, f"check.cha.{skill}", charmed, Facts()).gives == {"normal"}
    offered = evaluate(catalogue(), charmer, "check.cha", charmed, Facts()).offered
    assert [given.modifier.when.asks for given in offered] == ["social"]


def test_initiative_is_a_dexterity_check_wherever_checks_are_named():
    """Rules, section 1."""
    assert gives("initiative", plain("poisoned")) == {"disadvantage"}
    assert gives("initiative", effect("intoxicated", 3)) == {"-3"}
    assert gives("initiative", effect("intoxicated", 2)) == {"normal"}
    assert gives("initiative", plain("incapacitated")) == {"disadvantage"}
    assert gives("initiative", plain("invisible")) == {"advantage"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"rolls.mode": "off"}, {"normal"}),
        ({"conditions.poisoned.rolls": "off"}, {"normal"}),
        ({"rolls.mode": "off", "conditions.poisoned.rolls": "suggest"}, {"disadvantage"}),
        ({"conditions.poisoned.mode": "off"}, {"normal"}),
    ],
)
def test_roll_modifiers_can_be_switched_off(settings, expected):
    """Rules, section 11."""
    assert gives("attack.melee", plain("poisoned"), settings=settings) == expected


@given(st.sampled_from(["str", "dex", "con", "int", "wis", "cha", None]), st.sets(st.sampled_from(["a", "b", "death"])))
def test_a_modifier_fits_by_ability_and_tags(ability, tags):
    modifier = Modifier("save", NUMBER, 1, abilities=("str", "dex"), but_tags=("death",))
    assert matches(modifier, Roll("save", ability, frozenset(tags))) == (
        ability in ("str", "dex") and "death" not in tags
    )
    assert not matches(modifier, Roll("check", ability, frozenset(tags)))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (Place("s", 0, 0), Place("s", 5, 0), 5),
        (Place("s", 0, 0), Place("s", 5, 5), 5),
        (Place("s", 0, 0), Place("s", 10, 0), 10),
        (Place("s", 0, 0), Place("s", 0, 0), 5),
        (Place("s", 0, 0, size=10), Place("s", 10, 0), 5),
        (Place("s", 0, 0, size=10), Place("s", 15, 0), 10),
        (Place("s", 5, 5, size=2.5), Place("s", 10, 5), 5),
        (Place("s", 5, 5, size=2.5), Place("s", 12.5, 5, size=2.5), 5),
        (Place("s", 5, 5, size=2.5), Place("s", 15, 5), 10),
        (Place("s", 0, 0), Place("s", 0, 0, elevation=30), 30),
        (Place("s", 0, 0, size=2.5), Place("s", 5, 0, elevation=5), 5),
        (Place("s", 0, 0), Place("t", 0, 0), None),
        (None, Place("s", 0, 0), None),
    ],
)
def test_distance_is_between_the_nearest_spaces(a, b, expected):
    """ROL-1: "diagonals included"; "a Large creature counts from its nearest square"; a Tiny one fills its own."""
    assert distance(a, b) == distance(b, a) == expected


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ((), 30),
        (("prone",), 30),
        (("stunned",), 30),
        (("paralyzed",), 0),
        (("petrified",), 0),
        (("unconscious",), 0),
        (("restrained",), 0),
        (("grappled",), 0),
    ],
)
def test_speed(conditions, expected):
    """CND-7, CND-10, CND-11, CND-14, CND-15, CND-16."""
    assert speed_of(catalogue(), creature(*map(plain, conditions))) == expected


def test_speed_is_reduced_first_then_halved_once_for_each_then_zero():
    """INT-7."""
    level = lambda **speed: (Level("", speed=Speed(**speed)),)  # noqa: E731  # three of them, side by side
    entries = (
        Entry("a", "A", "", level(halved=True)),
        Entry("b", "B", "", level(less=5)),
        Entry("c", "C", "", level(zero=True)),
    )
    book = Catalogue("all", "", entries)
    assert speed_of(book, creature(plain("a"), plain("b"), speed=30)) == 12
    assert speed_of(book, creature(plain("b"), speed=3)) == 0
    assert speed_of(book, creature(plain("a"), plain("c"))) == 0


def test_limits_name_the_condition_that_brings_them():
    """CND-8, DAZ-2."""
    found = {entry.id: limits for entry, limits in limits_on(catalogue(), creature(plain("stunned"), plain("dazed")))}
    assert found["incapacitated"].action
    assert found["incapacitated"].reaction
    assert found["dazed"].move_or_action
    assert not found["dazed"].action


def test_a_critical_hit_and_a_predicate_without_conditions():
    assert CRITICAL in gives("attack.melee", target=(plain("unconscious"),), facts=Facts(distance=0))
    book = Catalogue("all", "", (Entry("x", "X", "", (Level("", (Modifier("check", ADVANTAGE, when=Predicate()),)),)),))
    assert evaluate(book, creature(plain("x")), "check.str", None, Facts()).gives == {"advantage"}


def test_cmb_4_forced_on_the_immune_the_systems_own_speed_is_ours_to_set():
    known = catalogue(None, "v14+dnd5e-5.3")
    forced = effect("paralyzed", forced=True)
    assert speed_of(known, creature(forced, condition_immunities=("paralyzed",))) == 0
    assert speed_of(known, creature(effect("paralyzed"))) == 30


def test_rol_3_what_depends_on_the_source_is_offered_while_nobody_is_targeted():
    held = creature(effect("grappled", source="Actor.b"))
    outcome = evaluate(catalogue(), held, "attack", None, Facts())
    assert outcome.given == ()
    assert [given.condition for given in outcome.offered] == ["grappled"]
    of_nobody = evaluate(catalogue(), creature(effect("grappled")), "attack", creature(), Facts())
    assert [given.condition for given in of_nobody.offered] == ["grappled"]
