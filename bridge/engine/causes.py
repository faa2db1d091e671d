"""From two pictures of one actor to the events that lie between them.

Used twice: on what Foundry shows us, and on what our own rules have just done.
Nobody has to say "this was healing": it is healing when hit points went up.
"""

from __future__ import annotations

from .conditions import Creature
from .events import (
    SYSTEM,
    ConcentrationBegan,
    ConditionChanged,
    EffectsChanged,
    Event,
    HitPointsLost,
    HitPointsRegained,
    MaximumChanged,
)
from .state import Actor, Effect


def causes(
    before: Creature, after: Creature, *, by: str = SYSTEM, cause: str = "unknown", label: str = "", gap: bool = False
) -> list[Event]:
    """Return the events between the two pictures of one creature, in a fixed order."""
    began = after.actor.concentrating and not before.actor.concentrating
    return [
        *([ConcentrationBegan(at=after.now)] if began else []),
        *hit_points(before.actor, after.actor, at=after.now, cause=cause, label=label, gap=gap),
        *conditions(before, after, by=by),
    ]


def hit_points(
    before: Actor, after: Actor, *, at: int, cause: str = "unknown", label: str = "", gap: bool = False
) -> list[Event]:
    """Return what happened to hit points: current ones and temporary ones apart, net of one change (BLD-6)."""
    was, now = before.hp, after.hp
    if was is None or now is None or was == now:
        return []
    found: list[Event] = []
    if was.top != now.top:
        found.append(MaximumChanged(at=at, was=was.top, now=now.top))
    lost = max(0, was.value - now.value)
    buffer = max(0, was.temp - now.temp)
    if lost or buffer:
        found.append(HitPointsLost(at=at, amount=lost + buffer, value=lost))
    if now.value > was.value:
        found.append(
            HitPointsRegained(
                at=at, amount=now.value - was.value, before=was, after=now, cause=cause, label=label, gap=gap
            )
        )
    return found


def conditions(before: Creature, after: Creature, *, by: str = SYSTEM) -> list[Event]:
    """Return which conditions came, went or changed level, and which effects changed without that."""
    found: list[Event] = []
    one, other = before.actor, after.actor
    if one.effects == other.effects and one.condition_immunities == other.condition_immunities:
        return found
    old, new = _marked(_others(one, other)), _marked(_others(other, one))
    gone = tuple(effect for key, effect in old.items() if key not in new)
    came = tuple(effect for key, effect in new.items() if key not in old)
    for id in sorted({id for id, _ in before.conditions.items() ^ after.conditions.items()}):
        was, level = before.level(id), after.level(id)
        found.append(
            ConditionChanged(
                at=after.now,
                condition=id,
                was=was,
                level=level,
                by=by,
                implied=not before.carried(id) and not after.carried(id),
                gone=tuple(effect for effect in gone if id in effect.statuses),
                came=tuple(effect.id for effect in came if id in effect.statuses),
            )
        )
    changed = {event.condition for event in found if isinstance(event, ConditionChanged)}
    others = sorted({status for effect in (*gone, *came) for status in effect.statuses} - changed)
    found.extend(
        EffectsChanged(
            at=after.now,
            condition=id,
            by=by,
            gone=tuple(effect for effect in gone if id in effect.statuses),
            came=tuple(effect.id for effect in came if id in effect.statuses),
        )
        for id in others
    )
    return found


def _others(one: Actor, other: Actor) -> list[Effect]:
    """Return the effects of one picture that are not the same in the other."""
    there = {effect.id: effect for effect in other.effects}
    return [effect for effect in one.effects if there.get(effect.id) != effect]


def _marked(effects: list[Effect]) -> dict[object, Effect]:
    """Return the effects by what of them matters to the rules: names and stamps do not."""
    return {(e.id, frozenset(e.statuses), e.disabled, _sense(e)): e for e in effects}


def _sense(effect: Effect) -> object:
    mark = effect.mark
    if mark is None:
        return None
    return (mark.level, mark.cause, mark.source, mark.forced, mark.held, mark.timer)
