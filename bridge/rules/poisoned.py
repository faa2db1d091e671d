"""Poisoned.  Rules: CND-12, PET-1 to PET-4 (halting stands in ``petrified``)."""

from bridge.engine.catalogue import DISADVANTAGE, Modifier
from bridge.engine.conditions import Condition

poisoned = Condition(
    id="poisoned",
    name="Poisoned",
    summary="Disadvantage on ability checks and attack rolls.",
    modifiers=(Modifier("check", DISADVANTAGE), Modifier("attack", DISADVANTAGE)),
)
