"""All conditions of the page as data: consistency over all of it, and the rules that are a line each."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.modifiers import Facts, evaluate, limits_on, speed_of
from bridge.rules import conditions as all_conditions
from tests.creatures import ALL, BOOK, by_gm, catalogue, creature, effect, has, plain, play

PAGE = {
    "bleeding", "blinded", "bloodied", "charmed", "dazed", "deafened", "exhaustion", "frightened", "grappled",
    "ignited",
    "incapacitated", "intoxicated", "invisible", "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned",
    "unconscious",
}  # fmt: skip


def test_every_condition_of_the_page_is_there_once():
    ids = [condition.id for condition in all_conditions()]
    assert sorted(ids) == sorted(set(ids))
    assert set(ids) == PAGE


@pytest.mark.parametrize("id", sorted(PAGE))
def test_its_data_are_sound(id):
    condition = BOOK.conditions[id]
    assert condition.name
    assert all(status in BOOK.conditions for status in (*condition.implied, *condition.left_behind))
    assert all(setting.key.partition(".")[0] in (id, "down") for setting in condition.settings)
    assert all(setting.check(setting.default) == setting.default for setting in condition.settings)


@pytest.mark.parametrize("id", ["exhaustion", "grappled", "ignited"])
def test_what_the_page_only_names_says_where_its_rule_comes_from(id):
    """CND-5, CND-7, IGN-1."""
    assert BOOK.conditions[id].origin


@pytest.mark.parametrize("id", ["charmed", "frightened", "grappled"])
def test_what_has_a_source_says_so(id):
    """CND-2, CND-6, CND-7."""
    assert BOOK.conditions[id].sourced


@pytest.mark.parametrize("id", ["incapacitated", "paralyzed", "petrified", "stunned", "unconscious", "dazed"])
def test_concentration_ends_and_cannot_begin(id):
    """CND-8, DAZ-1."""
    actor = creature(plain(id), concentrating=True)
    implied = BOOK.implied.get(id, ())
    gained = [by_gm(id, 0, 1), *(e.ConditionChanged(condition=x, was=0, level=1, implied=True) for x in implied)]
    assert not play(actor, *gained).after.concentrating
    assert not play(actor, e.ConcentrationBegan()).after.concentrating


@pytest.mark.parametrize("id", ["prone", "poisoned", "stunned"])
def test_it_changes_nothing_when_it_is_off(id):
    """Rules, section 11: off."""
    settings = {f"conditions.{id}.mode": "off"}
    actor = creature(plain(id), concentrating=id != "stunned")
    assert (
        play(actor, e.ConcentrationBegan(), e.TurnStarted(combat="c", round=1, turn=0), settings=settings).after.effects
        == actor.effects
    )


def test_incapacitated_takes_every_action():
    """CND-8."""
    (_, limits), *_ = limits_on(catalogue(), creature(plain("stunned")))
    assert (limits.action, limits.bonus, limits.reaction, limits.concentration) == (True, True, True, True)


def test_prone_only_crawls():
    """CND-13."""
    assert [limits.crawl for _, limits in limits_on(catalogue(), creature(plain("prone")))] == [True]


def test_restrained_is_speed_zero_unless_the_house_reads_the_other_sentence():
    """CND-14, setting."""
    entry = next(x for x in catalogue({"restrained.crawl": True}).conditions if x.id == "restrained")
    assert entry.levels[0].speed is None
    assert entry.levels[0].limits.crawl
    assert entry.instead
    assert "heading wins" not in entry.levels[0].summary
    own = next(x for x in catalogue().conditions if x.id == "restrained")
    assert (own.instead, own.levels[0].limits) == (False, None)
    assert "heading wins" in own.levels[0].summary


def test_a_grapple_ends_when_the_grappler_is_incapacitated_or_apart():
    """CND-7, setting."""
    held = creature(effect("grappled", source="Actor.b"))
    assert not has(play(held, e.OtherChanged(other="Actor.b", condition="incapacitated", level=1)).after, "grappled")
    assert has(play(held, e.OtherChanged(other="Actor.c", condition="incapacitated", level=1)).after, "grappled")
    assert has(play(held, e.OtherChanged(other="Actor.b", condition="prone", level=1)).after, "grappled")
    assert not has(play(held, e.OtherApart(other="Actor.b")).after, "grappled")
    assert has(play(held, e.OtherApart(other="Actor.b"), settings={"grappled.ends-apart": False}).after, "grappled")


# Section 1, row by row: what a creature with the condition gets, and who attacks it.

NORMAL = "normal"
ROLLS = ("attack", "check.str", "check.wis", "save.str", "save.dex", "save.con", "initiative")
ROWS = {
    # mine, in the order of ROLLS; attacks on me from 5 ft and from 6 ft; Speed of 30; what is limited
    "bleeding": (NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, 30, ""),
    "blinded": ("disadvantage", NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, "advantage", "advantage", 30, ""),
    "bloodied": (NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, 30, ""),
    "charmed": (NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, 30, "attack_source"),
    "dazed": (
        NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, 30, "bonus reaction move_or_action",
    ),
    "deafened": (NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, 30, ""),
    "grappled": (NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, 0, ""),
    "ignited": (NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, 30, ""),
    "incapacitated": (
        NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, "disadvantage", NORMAL, NORMAL, 30,
        "action bonus reaction concentration",
    ),
    "invisible": (NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, "advantage", NORMAL, NORMAL, 30, ""),
    "paralyzed": (
        NORMAL, NORMAL, NORMAL, "fail", "fail", NORMAL, "disadvantage", "advantage critical", "advantage", 0,
        "action bonus reaction concentration",
    ),
    "petrified": (
        NORMAL, NORMAL, NORMAL, "fail", "fail", NORMAL, "disadvantage", "advantage", "advantage", 0,
        "action bonus reaction concentration",
    ),
    "poisoned": (
        "disadvantage", "disadvantage", "disadvantage", NORMAL, NORMAL, NORMAL, "disadvantage", NORMAL, NORMAL, 30, "",
    ),
    "prone": (
        "disadvantage", NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, "advantage", "disadvantage", 30, "crawl",
    ),
    "restrained": (
        "disadvantage", NORMAL, NORMAL, NORMAL, "disadvantage", NORMAL, NORMAL, "advantage", "advantage", 0, "",
    ),
    "stunned": (
        NORMAL, NORMAL, NORMAL, "fail", "fail", NORMAL, "disadvantage", "advantage", "advantage", 30,
        "action bonus reaction concentration",
    ),
    "unconscious": (
        NORMAL, NORMAL, NORMAL, "fail", "fail", NORMAL, "disadvantage", "advantage critical", "advantage", 0,
        "action bonus reaction concentration",
    ),
}  # fmt: skip


def gives(roller, roll, target=None, **facts):
    return " ".join(sorted(evaluate(ALL, roller, roll, target, Facts(**facts)).gives))


@pytest.mark.parametrize("id", ROWS)
def test_a_row_of_the_first_section(id):
    """CND-1 to CND-16."""
    *rolls, near, far, speed, limited = ROWS[id]
    bearer, other = creature(plain(id)), creature()
    assert [gives(bearer, roll) for roll in ROLLS] == rolls
    assert gives(other, "attack", bearer, distance=5) == near
    assert gives(other, "attack", bearer, distance=6) == far
    assert speed_of(ALL, bearer) == speed
    limits = [limits for _, limits in limits_on(ALL, bearer)]
    assert {name for each in limits for name in each.__struct_fields__ if getattr(each, name)} == set(limited.split())


@pytest.mark.parametrize(
    ("id", "sense"),
    [("blinded", "sight"), ("deafened", "hearing")],
)
def test_checks_that_need_a_sense_are_offered_to_fail(id, sense):
    """CND-1, CND-4, ROL-4."""
    (offered,) = evaluate(ALL, creature(plain(id)), "check.wis.perception", None, Facts()).offered
    assert (offered.modifier.gives, offered.modifier.when.asks, offered.condition) == ("fail", sense, id)
    assert evaluate(ALL, creature(plain(id)), "save.wis", None, Facts()).offered == ()


@pytest.mark.parametrize(("seen", "gets"), [(True, "disadvantage"), (False, NORMAL)])
def test_frightened_in_sight_of_its_source(seen, gets):
    """CND-6."""
    afraid = creature(effect("frightened", source="Actor.b"))
    for roll in ("attack", "check.cha", "initiative"):
        assert gives(afraid, roll, sources_seen={"Actor.b": seen}) == gets
    assert gives(afraid, "save.wis", sources_seen={"Actor.b": True}) == NORMAL
    ((entry, limits),) = limits_on(ALL, afraid)
    assert (entry.id, limits.closer_to_source) == ("frightened", True)


def test_grappled_fights_its_grappler_best():
    """CND-7."""
    held, grappler, other = creature(effect("grappled", source="Actor.b")), creature(), creature()
    grappler, other = structs.replace(grappler, id="Actor.b"), structs.replace(other, id="Actor.c")
    assert gives(held, "attack", grappler) == NORMAL
    assert gives(held, "attack", other) == "disadvantage"
    assert gives(other, "attack", held) == NORMAL


@pytest.mark.parametrize(
    ("roll", "gets", "offered"),
    [
        ("check.cha.persuasion", "advantage", 0),
        ("check.cha.deception", "advantage", 0),
        ("check.cha.intimidation", "advantage", 0),
        ("check.cha.performance", "advantage", 0),
        ("check.cha", NORMAL, 1),
        ("check.wis.insight", NORMAL, 0),
        ("save.cha", NORMAL, 0),
    ],
)
def test_the_charmer_sways_the_charmed(roll, gets, offered):
    """CND-2, ROL-4."""
    charmed = creature(effect("charmed", source="Actor.b"))
    charmer, other = structs.replace(creature(), id="Actor.b"), structs.replace(creature(), id="Actor.c")
    assert gives(charmer, roll, charmed) == gets
    assert gives(other, roll, charmed) == NORMAL
    found = evaluate(ALL, charmer, roll, charmed, Facts()).offered
    assert [given.modifier.when.asks for given in found] == ["social"] * offered
    assert gives(charmed, roll, charmer) == NORMAL


@pytest.mark.parametrize(("seen", "mine", "on_me"), [(True, NORMAL, NORMAL), (False, "advantage", "disadvantage")])
def test_invisible_to_those_who_cannot_see_it(seen, mine, on_me):
    """CND-9."""
    hidden, other = creature(plain("invisible")), structs.replace(creature(), id="Actor.b")
    assert gives(hidden, "attack", other, roller_seen=seen) == mine
    assert gives(other, "attack", hidden, target_seen=seen) == on_me


def test_what_follows_from_what():
    """CMB-2, CMB-3, PET-3, and which statuses are ours alone."""
    book = BOOK.conditions.values()
    implying = {"paralyzed", "petrified", "stunned", "unconscious"}
    assert {c.id: c.implied for c in book if c.implied} == dict.fromkeys(implying, ("incapacitated",))
    assert {c.id: c.left_behind for c in book if c.left_behind} == {"unconscious": ("prone",)}
    assert {c.id: c.immune_to for c in book if c.immune_to} == {"petrified": ("poisoned",)}
    assert {c.id: c.icon for c in book if c.own} == {id: id for id in ("dazed", "ignited", "intoxicated")}
    assert {c.id for c in book if c.sourced} == {"charmed", "frightened", "grappled"}
    assert {c.id for c in book if c.origin} == {"exhaustion", "grappled", "ignited"}
    assert {c.id: c.levels for c in book if c.levels > 1} == {"exhaustion": 6, "intoxicated": 6}
    assert {c.id for c in book if c.gate} == {"bleeding"}
    assert all(c.name == c.id.capitalize() for c in book)


DEFAULTS = {
    "bleeding.gm-edits": "granted", "bleeding.player-edits": "refused", "bleeding.max-rise": "granted",
    "bleeding.death-save-20": "stable", "bleeding.ends-on": [], "bloodied.at-zero": True, "bloodied.when-dead": False,
    "intoxicated.base": 2, "intoxicated.minimum": 2, "intoxicated.window": 3600, "intoxicated.sober-hour": 3600,
    "intoxicated.level-6": "save", "intoxicated.dc": 10, "intoxicated.dc-step": 5, "exhaustion.rules": "system",
    "grappled.ends-apart": True, "restrained.crawl": False, "ignited.damage": "1d4", "ignited.type": "fire",
    "ignited.when": "turn-start", "ignited.system-burning": True, "down.mode": "off", "down.npc": "dead",
}  # fmt: skip
CHOICES = {
    "bleeding.gm-edits": ("granted", "refused"), "bleeding.player-edits": ("granted", "refused"),
    "bleeding.max-rise": ("granted", "refused"), "bleeding.death-save-20": ("stable", "wakes"),
    "bleeding.ends-on": ("long-rest", "hit-die", "medicine"), "intoxicated.level-6": ("save", "at-once"),
    "exhaustion.rules": ("2014", "2024", "system"), "ignited.when": ("turn-start", "turn-end"),
    "down.mode": ("off", "ask", "auto"), "down.npc": ("dead", "unconscious"),
}  # fmt: skip


@pytest.mark.parametrize("key", DEFAULTS)
def test_the_settings_of_section_eleven(key):
    known = BOOK.settings.known[key]
    assert BOOK.settings[key] == DEFAULTS[key]
    assert type(known.default) is type(DEFAULTS[key])
    if isinstance(DEFAULTS[key], bool):
        assert set(known.choices) == {True, False}
    else:
        assert known.choices == CHOICES.get(key, ())


def test_numbers_of_drinks_have_a_least():
    least = {key: s.least for key, s in BOOK.settings.known.items() if key.startswith("intoxicated.") and s.least}
    assert least == {"intoxicated.minimum": 1, "intoxicated.window": 1, "intoxicated.sober-hour": 1}
