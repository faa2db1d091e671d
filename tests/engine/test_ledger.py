"""The cause ledger: why a creature has a condition."""

from bridge.engine.ledger import why
from bridge.engine.state import Timer
from tests.creatures import BOOK, creature, effect, plain


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
