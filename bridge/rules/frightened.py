"""Frightened, of a source.  Rule: CND-6."""

from bridge.engine.catalogue import DISADVANTAGE, Limits, Modifier, Predicate
from bridge.engine.conditions import Condition

frightened = Condition(
    id="frightened",
    name="Frightened",
    summary="Disadvantage on ability checks and attacks while it sees what it fears; it may not willingly move closer.",
    sourced=True,
    modifiers=(
        Modifier("check", DISADVANTAGE, when=Predicate(source_seen=True)),
        Modifier("attack", DISADVANTAGE, when=Predicate(source_seen=True)),
    ),
    limits=Limits(closer_to_source=True),
)
