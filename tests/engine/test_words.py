"""What changes are called in plain English."""

import pytest

from bridge.engine import changes as c
from bridge.engine.words import describe, name_of
from tests.creatures import BOOK


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (c.SetCondition(condition="prone"), "becomes Prone"),
        (c.SetCondition(condition="intoxicated", level=3), "becomes Intoxicated 3"),
        (c.EndCondition(condition="prone"), "is no longer Prone"),
        (c.SetHitPoints(value=7), "hit points are set to 7"),
        (c.SetHitDice(hit_dice={}), "Hit Dice are set back"),
        (c.SetStatus(status="stable", on=True), "is stable"),
        (c.SetStatus(status="stable", on=False), "is no longer stable"),
        (c.TakeDamage(amount=3, type="fire"), "takes 3 fire damage"),
        (c.EndConcentration(), "loses concentration"),
        (c.AskSave(ability="con", dc=15, reason="x", say=c.Say("x", "x")), "makes a Constitution saving throw, DC 15"),
        (c.RollDice(formula="1d4", reason="x", say=c.Say("x", "x")), "1d4 is rolled"),
        (c.Remember(condition="x", notes=None), "is noted"),
    ],
)
def test_a_change_is_a_clause(change, words):
    assert describe(BOOK, change) == words


def test_an_unknown_status_gets_a_tidy_name():
    assert name_of(BOOK, "very-tired") == "Very tired"
