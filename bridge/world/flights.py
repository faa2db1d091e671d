"""Answers that are on their way, and what a broken one has done already (design, law 4).

A picture of a creature has parts: hit points, Hit Dice, concentration, and each effect.  A part that stands as the
answer wanted it is the answer's doing; any other difference is news.  Hit points are written with the receipt: without
it they are never the answer's doing.
"""

from __future__ import annotations

from msgspec import structs

from bridge.engine.state import Actor, Effect
from bridge.world.memory import Flight
from bridge.world.plan import same

PARTS = ("hit_dice", "concentrating")


def unexplained(known: Actor, shown: Actor, flight: Flight | None) -> Actor:
    """Return ``known`` with what our own answer has changed by now, so that it is no news."""
    if flight is None:
        return known
    after = flight.after
    before = flight.before
    parts = (*PARTS, "hp") if flight.id <= shown.memory.receipt else PARTS
    ours = {
        part: getattr(shown, part)
        for part in parts
        if getattr(before, part) != getattr(after, part) == getattr(shown, part)
    }
    effects = {effect.id: effect for effect in known.effects}
    for id in dict.fromkeys(effect.id for effect in (*before.effects, *after.effects)):
        now = shown.effect(id)
        if not same(before.effect(id), after.effect(id)) and same(now, after.effect(id)):
            effects.pop(id, None)
            if now is not None:
                effects[id] = now
    return structs.replace(known, effects=tuple(effects.values()), **ours)


def progress(flight: Flight, known: Actor, shown: Actor) -> Flight:
    """Note that others have changed an effect of the answer: what stands there from now on is their doing."""
    if known.effects == shown.effects:
        return flight
    before, after = flight.before, flight.after
    others = {
        id: shown.effect(id)
        for id in {effect.id for effect in (*before.effects, *after.effects)}
        if not same(known.effect(id), shown.effect(id)) and not same(shown.effect(id), after.effect(id))
    }
    if not others:
        return flight
    return structs.replace(flight, before=_with(before, others), after=_with(after, others))


def _with(actor: Actor, others: dict[str, Effect | None]) -> Actor:
    kept = [effect for effect in actor.effects if effect.id not in others]
    return structs.replace(actor, effects=(*kept, *(effect for effect in others.values() if effect is not None)))


def base(shown: Actor, flight: Flight | None) -> Actor:
    """Return the creature without what a broken answer to the same events has done: they are decided from there."""
    if flight is None:
        return shown
    before, after = flight.before, flight.after
    undone = {part: getattr(before, part) for part in PARTS if getattr(shown, part) == getattr(after, part)}
    effects = {effect.id: effect for effect in shown.effects}
    for id in {effect.id for effect in (*before.effects, *after.effects)}:
        was, wanted = before.effect(id), after.effect(id)
        if not same(was, wanted) and same(shown.effect(id), wanted):
            effects.pop(id, None)
            if was is not None:
                effects[id] = was
    order = dict.fromkeys(effect.id for effect in (*before.effects, *shown.effects))
    return structs.replace(shown, effects=tuple(effects[id] for id in order if id in effects), **undone)
