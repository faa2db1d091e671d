"""Undo: from *after* back to *before*, where the world still shows *after* (UND-1 to UND-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from bridge.engine.decide import Decision
from bridge.engine.state import Actor, Memory
from bridge.memory import Chapter
from bridge.memory import Memory as WorldMemory
from bridge.plan import same

if TYPE_CHECKING:
    from bridge.world import World


class Conflict(Exception):
    """The world no longer shows what the decision left; the message names the later change."""


def undo_target(memory: WorldMemory, decision: int | None) -> Chapter | None:
    """Return the decision to be undone: the one that is named, else the last that changed something."""
    if decision is not None:
        chapter = memory.history.get(decision)
        return None if chapter is None or chapter.undone else chapter
    for chapter in reversed(memory.history.values()):
        if not chapter.undone and changed(chapter):
            return chapter
    return None


def changed(chapter: Chapter) -> bool:
    """Tell whether the decision changed the creature at all."""
    return _parts(chapter.before) != _parts(chapter.after)


def _parts(actor: Actor) -> tuple[object, ...]:
    memory = structs.replace(actor.memory, receipt=0, world="", turns={})
    effects = tuple(structs.replace(x, name="", mark=x.mark and structs.replace(x.mark, stamp=0)) for x in actor.effects)
    return actor.hp, actor.hit_dice, effects, memory


def undone(world: World, chapter: Chapter, *, check: bool = False) -> Decision:
    """Return the decision that leads back.  Raises Conflict where something has changed since (UND-2)."""
    shown = world.memory.actors.get(chapter.actor)
    if shown is None:
        message = "That creature is gone."
        raise Conflict(message)
    shown = world.view(chapter.actor)
    before, after = chapter.before, chapter.after
    target = shown
    if before.hp != after.hp:
        if shown.hp != after.hp:
            message = f"The hit points of {shown.name} have changed since."
            raise Conflict(message)
        target = structs.replace(target, hp=before.hp)
    if before.hit_dice != after.hit_dice:
        if shown.hit_dice != after.hit_dice:
            message = f"The Hit Dice of {shown.name} have changed since."
            raise Conflict(message)
        target = structs.replace(target, hit_dice=before.hit_dice)
    effects = {x.id: x for x in shown.effects}
    for id in dict.fromkeys(x.id for x in (*before.effects, *after.effects)):
        was, now = before.effect(id), after.effect(id)
        if same(was, now):
            continue
        if not same(effects.get(id), now):
            name = (now or was).name if (now or was) else "A condition"  # type: ignore[union-attr]  # one of them is there
            message = f"{name or 'A condition'} of {shown.name} has changed since."
            raise Conflict(message)
        if was is None:
            effects.pop(id, None)
        else:
            effects[id] = was
    memory: Memory = structs.replace(before.memory, receipt=shown.memory.receipt, turns=shown.memory.turns)
    target = structs.replace(target, effects=tuple(effects.values()), memory=memory)
    return Decision(shown, target, ())
