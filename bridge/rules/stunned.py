"""Stunned.  Rules: CND-15, CMB-2.  The page does not set Speed to 0: neither do we."""

from bridge.engine.catalogue import ADVANTAGE, FAIL, Modifier
from bridge.engine.conditions import Condition

stunned = Condition(
    id="stunned",
    name="Stunned",
    summary="Incapacitated. Strength and Dexterity saves fail. Advantage on attacks on it.",
    implied=("incapacitated",),
    modifiers=(
        Modifier("save", FAIL, abilities=("str", "dex")),
        Modifier("attack", ADVANTAGE, on_me=True),
    ),
)
