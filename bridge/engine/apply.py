"""What a change does to the picture of an actor."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec import structs

from .changes import (
    ANY,
    UNSEEN,
    Change,
    EndConcentration,
    EndCondition,
    EndEffect,
    LoseAction,
    MarkEffect,
    Remember,
    RestoreEffect,
    SetCondition,
    SetHitDice,
    SetHitPoints,
    SetStatus,
)
from .conditions import Rulebook
from .state import Actor, Effect, Mark

ID_LENGTH = 16


@lru_cache(maxsize=1024)
def static_id(status: str) -> str:
    """Return the id of the effect that stands for a status: padded or cut to 16 characters, as dnd5e does it."""
    return f"dnd5e{''.join(c for c in status if c.isalnum())}".ljust(ID_LENGTH, "0")[:ID_LENGTH]


def apply(book: Rulebook, actor: Actor, change: Change) -> Actor:
    """Return the actor as the change leaves it.  What is not seen on the creature leaves it as it is."""
    if isinstance(change, UNSEEN):
        return actor
    match change:
        case SetCondition():
            return _set(book, actor, change)
        case EndCondition(condition=condition, cause=cause):
            return _replace(actor, [e for e in actor.effects if not _ends(book, e, condition, cause)])
        case EndEffect(effect=id):
            return _replace(actor, [e for e in actor.effects if e.id != id])
        case RestoreEffect(effect=effect):
            return _replace(actor, [*(e for e in actor.effects if e.id != effect.id), effect])
        case MarkEffect(effect=id, mark=mark, disabled=disabled):
            return _replace(
                actor,
                [
                    structs.replace(e, mark=mark, disabled=e.disabled if disabled is None else disabled)
                    if e.id == id
                    else e
                    for e in actor.effects
                ],
            )
        case SetHitPoints(value=value) if actor.hp is not None:
            return structs.replace(actor, hp=structs.replace(actor.hp, value=max(0, value)))
        case SetHitDice(hit_dice=hit_dice):
            dice = {
                k: structs.replace(d, left=hit_dice[k].left) if k in hit_dice else d for k, d in actor.hit_dice.items()
            }
            return structs.replace(actor, hit_dice=dice)
        case SetStatus(status=status, on=on):
            without = [e for e in actor.effects if status not in e.statuses]
            return _replace(actor, [*without, Effect(static_id(status), (status,))] if on else without)
        case EndConcentration():
            return structs.replace(actor, concentrating=False)
        case Remember(condition=condition, notes=notes):
            kept = {k: v for k, v in actor.memory.notes.items() if k != condition}
            if notes is not None:
                kept[condition] = msgspec.json.decode(msgspec.json.encode(notes))
            return structs.replace(actor, memory=structs.replace(actor.memory, notes=kept))
        case LoseAction(combat=combat, round=round):
            return structs.replace(actor, memory=structs.replace(actor.memory, lost=(combat, round)))
        case _:
            return actor


def _replace(actor: Actor, effects: list[Effect]) -> Actor:
    return structs.replace(actor, effects=tuple(effects))


def _set(book: Rulebook, actor: Actor, change: SetCondition) -> Actor:
    """Change the effect that this cause brought, or put a new one on."""
    condition = book.conditions[change.condition]
    level = min(max(change.level, 0), condition.levels)
    if level == 0:
        return apply(book, actor, EndCondition(condition=change.condition, cause=change.cause or ANY))
    mine = [e for e in actor.effects if change.condition in e.statuses and e.cause == change.cause]
    # A disabled one is switched on again rather than shadowed: its document id is taken.
    mine.sort(key=lambda e: (e.disabled, e.id != static_id(change.condition)))
    old = mine[0] if mine else None
    mark = structs.replace(old.mark or Mark(), level=level) if old else Mark(level=level, cause=change.cause)
    if change.source:
        mark = structs.replace(mark, source=change.source)
    if change.timer:
        mark = structs.replace(mark, timer=change.timer)
    if change.forced:
        mark = structs.replace(mark, forced=True)
    if old:
        new = structs.replace(old, mark=mark, disabled=False)
        return _replace(actor, [new if e is old else e for e in actor.effects])
    id = static_id(change.condition)
    if actor.effect(id):
        id = static_id(f"x{change.cause or ''}{change.condition}")
    statuses = (change.condition, *condition.implied)
    return _replace(actor, [*actor.effects, Effect(id, statuses, name=condition.name, mark=mark)])


def _ends(book: Rulebook, effect: Effect, condition: str, cause: str | None) -> bool:
    """Tell whether ending the condition ends this effect: one that merely implies it stays."""
    if effect.fixed or effect.disabled or condition not in effect.statuses:
        return False
    if cause not in (ANY, effect.cause):
        return False
    return not any(condition in book.implied.get(status, ()) for status in effect.statuses)
