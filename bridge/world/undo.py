"""Undo: from *after* back to *before*, where the world still shows *after* (UND-1 to UND-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from bridge.engine.decide import Decision, shape
from bridge.engine.state import Actor, Effect
from bridge.engine.timers import due, duration, last_round
from bridge.protocol import Line, UpdateCard
from bridge.world.memory import Chapter
from bridge.world.memory import Memory as WorldMemory
from bridge.world.plan import same

if TYPE_CHECKING:
    from bridge.world import World


class Conflict(Exception):
    """The world no longer shows what the decision left; ``line`` names the later change."""

    def __init__(self, line: Line) -> None:
        self.line = line
        super().__init__(line.text)


def target(memory: WorldMemory, decision: int | None) -> int | None:
    """Return the group of the decision that is named, else of the last that changed something."""
    if decision is not None:
        chapter = memory.history.get(decision)
        return None if chapter is None or chapter.undone else chapter.group
    for chapter in reversed(memory.history.values()):
        if not chapter.undone and changed(chapter):
            return chapter.group
    return None


def parts(memory: WorldMemory, group: int) -> dict[str, Chapter]:
    """Return what the group did to each creature, from the first *before* to the last *after*."""
    found: dict[str, Chapter] = {}
    for chapter in memory.history.values():
        if chapter.group == group and not chapter.undone:
            first = found.get(chapter.actor)
            found[chapter.actor] = structs.replace(chapter, before=first.before) if first else chapter
    return {actor: chapter for actor, chapter in found.items() if changed(chapter)}


def changed(chapter: Chapter) -> bool:
    """Tell whether the decision changed the creature at all."""
    return shape(chapter.before) != shape(chapter.after)


def on_cards(memory: WorldMemory, group: int, actor: str, stamp: int) -> tuple[UpdateCard, ...]:
    """UND-1: "its card": say on the cards of a group that it was undone, or that this was taken back (UND-5)."""
    chapters = [chapter for chapter in memory.history.values() if chapter.group == group and chapter.actor == actor]
    posted = [card for chapter in chapters for card in chapter.cards]
    button, say = "undo", Line("undone", "Undone.")
    if undone := next((chapter.undoes for chapter in chapters if chapter.undoes), 0):
        posted = [
            card
            for chapter in memory.history.values()
            if chapter.group == undone and chapter.actor == actor
            for card in chapter.cards
        ]
        button, say = "redo", Line("redone", "Done again.")
    return tuple(UpdateCard(card, button, say, stamp) for card in posted)


def back(world: World, chapter: Chapter) -> Decision:
    """Return the decision that leads back to *before*.  Raises Conflict where something has changed since (UND-2)."""
    if chapter.actor not in world.memory.actors:
        raise Conflict(Line("undo-gone", "That creature is gone."))
    shown = world.view(chapter.actor)
    before, after = chapter.before, chapter.after
    result = shown
    who: dict[str, str | int] = {"who": shown.name}
    for field, key, words in (
        ("hp", "undo-hit-points", "The hit points"),
        ("hit_dice", "undo-hit-dice", "The Hit Dice"),
    ):
        was, left, now = (getattr(actor, field) for actor in (before, after, shown))
        if was not in (left, now):
            if now != left:
                raise Conflict(Line(key, f"{words} of {shown.name} have changed since.", who))
            result = structs.replace(result, **{field: was})
    effects = {x.id: x for x in shown.effects}
    for id in dict.fromkeys(x.id for x in (*before.effects, *after.effects)):
        old, left_effect, now_effect = before.effect(id), after.effect(id), effects.get(id)
        if same(old, left_effect) or same(now_effect, old):
            continue
        if not same(now_effect, left_effect):
            known = now_effect or left_effect or old
            name = known.name if known and known.name else "A condition"
            condition = known.statuses[0] if known and known.statuses else None
            text = f"{name} of {shown.name} has changed since."
            raise Conflict(Line("undo-condition", text, {**who, "name": name}, condition))
        effects.pop(id, None)
        if old is not None:
            effects[id] = _returned(old, chapter, shown, world.now) if left_effect is None else old
    notes = dict(shown.memory.notes)
    for id in dict.fromkeys((*before.memory.notes, *after.memory.notes)):
        was, left = before.memory.notes.get(id), after.memory.notes.get(id)
        if was in (left, notes.get(id)):
            continue
        if notes.get(id) != left:
            text = f"What {shown.name} has drunk, eaten or burnt has changed since."
            raise Conflict(Line("undo-notes", text, who))
        notes.pop(id, None)
        if was is not None:
            notes[id] = was
    memory = structs.replace(before.memory, receipt=shown.memory.receipt, turns=shown.memory.turns, notes=notes)
    result = structs.replace(result, effects=tuple(effects.values()), memory=memory)
    return Decision(shown, result, ())


def _returned(effect: Effect, chapter: Chapter, it: Actor, now: int) -> Effect:
    """UND-4: "An ending that is undone returns without an end, unless its end still lies ahead."."""
    mark = effect.mark
    if mark is None or mark.timer is None:
        return effect
    timer = mark.timer
    end, last = due(timer), last_round(timer)
    if end is not None:
        ahead = end > now
    elif last is not None:
        ahead = it.combat == timer.combat and it.round is not None and it.round < last
    else:
        # A turn, a save, a rest or a combat: it lies ahead where something else than it made the ending.
        ahead = duration.id not in chapter.rules
    return effect if ahead else structs.replace(effect, mark=structs.replace(mark, timer=None))
