"""Charmed, by a source.  Rule: CND-2."""

from bridge.engine.catalogue import ADVANTAGE, Limits, Modifier, Predicate
from bridge.engine.conditions import Condition

SOCIAL = ("deception", "intimidation", "performance", "persuasion")

charmed = Condition(
    id="charmed",
    name="Charmed",
    summary="It may not attack the charmer or target it with damaging abilities or magic, and spares it in areas. "
    "The charmer has advantage on Charisma checks to influence it.",
    sourced=True,
    modifiers=(
        Modifier("check", ADVANTAGE, on_me=True, tags=SOCIAL, when=Predicate(other_is_source=True)),
        Modifier(
            "check",
            ADVANTAGE,
            on_me=True,
            abilities=("cha",),
            but_tags=SOCIAL,
            when=Predicate(other_is_source=True, asks="social"),
        ),
    ),
    limits=Limits(attack_source=True),
)
