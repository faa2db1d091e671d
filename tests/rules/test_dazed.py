"""Dazed (CND-3, DAZ-1, DAZ-2, DAZ-3)."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.changes import EndConcentration
from bridge.engine.modifiers import limits_on
from tests.creatures import ALL, creature, effect, kinds, play

DAZED = effect("dazed")


def concentrating(*effects):
    return structs.replace(creature(*effects), concentrating=True)


def test_daz_1_gaining_it_ends_concentration():
    gained = e.ConditionChanged(condition="dazed", was=0, level=1)
    assert EndConcentration in kinds(play(concentrating(DAZED), gained))


def test_daz_1_a_concentration_that_starts_while_dazed_ends_at_once():
    assert EndConcentration in kinds(play(concentrating(DAZED), e.ConcentrationBegan()))


@pytest.mark.parametrize("condition", ["blinded", "prone", "poisoned"])
def test_others_do_not_end_it(condition):
    gained = e.ConditionChanged(condition=condition, was=0, level=1)
    assert EndConcentration not in kinds(play(concentrating(effect(condition)), gained))


def test_cnd_3_its_limits_are_those_of_the_fifth_section():
    """CND-3, DAZ-2: move or act, no bonus action, no reaction."""
    ((entry, limits),) = limits_on(ALL, creature(DAZED))
    assert entry.id == "dazed"
    assert (limits.move_or_action, limits.bonus, limits.reaction, limits.action) == (True, True, True, False)


def test_daz_1_losing_it_or_having_nothing_to_lose_ends_nothing():
    for actor, level in ((creature(DAZED), 1), (concentrating(DAZED), 0)):
        changed = e.ConditionChanged(condition="dazed", was=1 - level, level=level)
        assert EndConcentration not in kinds(play(actor, changed))
