"""Dazed: it may move or act, not both.  Rules: DAZ-1 to DAZ-3."""

from collections.abc import Iterator

from bridge.engine.catalogue import Limits
from bridge.engine.changes import Change, EndConcentration
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import ConcentrationBegan, ConditionChanged

dazed = Condition(
    id="dazed",
    name="Dazed",
    summary="Loses concentration. On its turn it may move or take one action; no bonus action, no reaction.",
    own=True,
    icon="dazed",
    limits=Limits(bonus=True, reaction=True, move_or_action=True),
)


@dazed.on(ConditionChanged)
def lose_concentration(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """DAZ-1: "Gaining Dazed ends concentration at once"."""
    if event.condition == "dazed" and event.level and it.actor.concentrating:
        yield EndConcentration()


@dazed.on(ConcentrationBegan)
def cannot_concentrate(event: ConcentrationBegan, it: Creature) -> Iterator[Change]:
    """DAZ-1: "a concentration that starts while Dazed ends at once"."""
    yield EndConcentration()
