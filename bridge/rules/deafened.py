"""Deafened.  Rule: CND-4."""

from bridge.engine.catalogue import FAIL, Modifier, Predicate
from bridge.engine.conditions import Condition

deafened = Condition(
    id="deafened",
    name="Deafened",
    summary="Fails ability checks that need hearing.",
    modifiers=(Modifier("check", FAIL, when=Predicate(asks="hearing")),),
)
