"""The cause ledger: why a creature has a condition, and why something has changed nothing."""

import pytest

from bridge.engine import events as e
from bridge.engine.conditions import Creature
from bridge.engine.ledger import why, why_not
from bridge.engine.state import Timer
from tests.creatures import BOOK, creature, drunk, effect, house, plain, play


def test_every_reason_is_named():
    """CMB-1, CMB-2."""
    timer = Timer("seconds", 0, 60)
    actor = creature(
        effect("stunned", 1, "incapacitated", source="Actor.b", timer=timer),
        effect("unconscious", 1, "incapacitated", cause="intoxicated"),
        plain("incapacitated"),
    )
    assert [cause.name for cause in why(BOOK, actor, "incapacitated")] == ["stunned", "unconscious", "effect"]
    (stunned,) = why(BOOK, actor, "stunned")
    assert (stunned.source, stunned.timer, stunned.forced) == ("Actor.b", timer, False)
    (asleep,) = why(BOOK, actor, "unconscious")
    assert asleep.name == asleep.brought_by == "intoxicated"


def test_what_it_does_not_have_has_no_reason():
    assert why(BOOK, creature(effect("prone")), "stunned") == []
    assert why(BOOK, creature(effect("poisoned"), condition_immunities=("poisoned",)), "poisoned") == []


# Why nothing happened.


def said(actor, event, settings=None):
    """Return the keys and words of what is said of an event that has changed nothing."""
    decision = play(actor, event, settings=settings)
    book = house(settings)
    return [(say.key, say.text) for say in why_not(Creature(decision.after, book, event.at), [event], decision)]


SAVE = effect("poisoned", timer=Timer("save", 0, ability="con", dc=13, moment="end"))


@pytest.mark.parametrize(
    ("actor", "event", "key", "words"),
    [
        (creature(), e.Drank(), "drink-counts", "1 of the 2 drinks"),
        (drunk(6), e.Drank(), "drink-top", "only restarts the sober hour"),
        (creature(), e.Ate(), "meal-sober", "It is sober"),
        (drunk(2), e.Ate(at=5), "meal-counts", "when the hour is full"),
        (creature(immunities=("poison",)), e.Drank(), "drink-nothing", "immune to poison"),
        (
            creature(SAVE),
            e.Rolled(request="r", reason="ends:x", total=9, dc=13),
            "roll-failed",
            "Rolled 9 against DC 13",
        ),
        (creature(effect("bleeding")), e.HealingRefused(amount=3), "refused", "Bleeding refuses 3"),
        (creature(type="group"), e.Drank(), "cannot-drink", "cannot drink"),
    ],
)
def test_it_says_why_nothing_happened(actor, event, key, words):
    found = said(actor, event)
    assert key in [known for known, _ in found]
    assert any(words in text for _, text in found)


def test_a_willing_drinker_is_told_of_the_drinks_though_immune():
    assert [key for key, _ in said(creature(immunities=("poison",)), e.Drank(willing=True))] == ["drink-counts"]


@pytest.mark.parametrize(("mode", "key"), [("off", "rule-off"), ("remind", "rule-asks"), ("ask", "rule-asks")])
def test_a_rule_that_does_not_act_says_so(mode, key):
    assert key in [known for known, _ in said(creature(), e.Drank(), {"conditions.intoxicated.mode": mode})]


def test_what_has_happened_needs_no_excuse():
    assert said(creature(), e.Drank(count=2)) == []
    assert said(creature(SAVE), e.Rolled(request="r", reason=f"ends:{SAVE.id}", total=15, success=True, dc=13)) == []


def test_without_a_decision_the_excuses_alone_speak():
    found = why_not(Creature(creature(), BOOK, 0), [e.Ate()], None)
    assert [say.key for say in found] == ["meal-sober"]
