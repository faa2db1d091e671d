"""Unconscious: Incapacitated as long as it lasts, and Prone that stays.  Rules: CND-16, CMB-2, CMB-3."""

from bridge.engine.catalogue import ADVANTAGE, CRITICAL, FAIL, Modifier, Predicate, Speed
from bridge.engine.conditions import Condition

unconscious = Condition(
    id="unconscious",
    name="Unconscious",
    summary="Incapacitated, unaware, Speed 0, drops what it holds and falls Prone. Strength and Dexterity saves fail. "
    "Attacks on it: advantage; a hit from within 5 ft is a critical hit.",
    implied=("incapacitated",),
    left_behind=("prone",),
    modifiers=(
        Modifier("save", FAIL, abilities=("str", "dex")),
        Modifier("attack", ADVANTAGE, on_me=True),
        Modifier("attack", CRITICAL, on_me=True, when=Predicate(within=5)),
    ),
    speed=Speed(zero=True),
)
