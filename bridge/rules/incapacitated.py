"""Incapacitated.  Rule: CND-8."""

from collections.abc import Iterator

from bridge.engine.catalogue import DISADVANTAGE, Limits, Modifier
from bridge.engine.changes import Change, EndConcentration
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import ConcentrationBegan, ConditionChanged

incapacitated = Condition(
    id="incapacitated",
    name="Incapacitated",
    summary="No actions, bonus actions or reactions, no concentration, no speech. Disadvantage on initiative.",
    modifiers=(Modifier("initiative", DISADVANTAGE),),
    limits=Limits(action=True, bonus=True, reaction=True, concentration=True),
)


@incapacitated.on(ConditionChanged)
def lose_concentration(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """CND-8: "concentration ends"."""
    if event.condition == "incapacitated" and event.level and it.actor.concentrating:
        yield EndConcentration()


@incapacitated.on(ConcentrationBegan)
def cannot_concentrate(event: ConcentrationBegan, it: Creature) -> Iterator[Change]:
    """CND-8: what begins while Incapacitated ends at once."""
    yield EndConcentration()
