"""All conditions of the page as data: consistency over all of it, and the rules that are a line each."""

import pytest

from bridge.engine import events as e
from bridge.engine.modifiers import limits_on
from bridge.rules import conditions as all_conditions
from tests.creatures import BOOK, by_gm, catalogue, creature, effect, has, plain, play

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


def test_a_grapple_ends_when_the_grappler_is_incapacitated_or_apart():
    """CND-7, setting."""
    held = creature(effect("grappled", source="Actor.b"))
    assert not has(play(held, e.OtherChanged(other="Actor.b", condition="incapacitated", level=1)).after, "grappled")
    assert has(play(held, e.OtherChanged(other="Actor.c", condition="incapacitated", level=1)).after, "grappled")
    assert has(play(held, e.OtherChanged(other="Actor.b", condition="prone", level=1)).after, "grappled")
    assert not has(play(held, e.OtherApart(other="Actor.b")).after, "grappled")
    assert has(play(held, e.OtherApart(other="Actor.b"), settings={"grappled.ends-apart": False}).after, "grappled")
