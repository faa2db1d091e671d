"""Invisible.  Rule: CND-9."""

from bridge.engine.catalogue import ADVANTAGE, DISADVANTAGE, Modifier, Predicate
from bridge.engine.conditions import Condition

invisible = Condition(
    id="invisible",
    name="Invisible",
    summary="Advantage on initiative. Against those who cannot see it: advantage on its attacks, disadvantage on "
    "theirs, and effects that need to see their target do not reach it.",
    modifiers=(
        Modifier("initiative", ADVANTAGE),
        Modifier("attack", ADVANTAGE, when=Predicate(unseen=True)),
        Modifier("attack", DISADVANTAGE, on_me=True, when=Predicate(unseen=True)),
    ),
)
