"""Paralyzed.  Rules: CND-10, CMB-2."""

from bridge.engine.catalogue import ADVANTAGE, CRITICAL, FAIL, Modifier, Predicate, Speed
from bridge.engine.conditions import Condition

paralyzed = Condition(
    id="paralyzed",
    name="Paralyzed",
    summary="Incapacitated, Speed 0. Strength and Dexterity saves fail. Attacks on it: advantage; "
    "a hit from within 5 ft is a critical hit.",
    implied=("incapacitated",),
    modifiers=(
        Modifier("save", FAIL, abilities=("str", "dex")),
        Modifier("attack", ADVANTAGE, on_me=True),
        Modifier("attack", CRITICAL, on_me=True, when=Predicate(within=5)),
    ),
    speed=Speed(zero=True),
)
