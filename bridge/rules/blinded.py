"""Blinded.  Rule: CND-1."""

from bridge.engine.catalogue import ADVANTAGE, DISADVANTAGE, FAIL, Modifier, Predicate
from bridge.engine.conditions import Condition

blinded = Condition(
    id="blinded",
    name="Blinded",
    summary="Fails ability checks that need sight. Disadvantage on its attacks; advantage on attacks on it.",
    modifiers=(
        Modifier("check", FAIL, when=Predicate(asks="sight")),
        Modifier("attack", DISADVANTAGE),
        Modifier("attack", ADVANTAGE, on_me=True),
    ),
)
