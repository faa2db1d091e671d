"""What another rulebook would change for the creatures that are now on the table, before it is in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.engine.conditions import Condition, Creature, Rulebook
from bridge.engine.decide import RulesDidNotSettle, decide
from bridge.engine.events import Seen
from bridge.engine.publish import level_of, summary_of
from bridge.engine.state import Actor
from bridge.engine.words import name_of

if TYPE_CHECKING:
    from bridge.world import World

NOTHING = "Nothing changes for the creatures now on the table."
MOST_NAMES = 6


def changes(world: World, book: Rulebook) -> list[str]:
    """Return in plain lines what would change: settings, conditions (and who has them), what begins and ends."""
    old, new = world.book, world.fitted(book)
    creatures = [Creature(world.view(id), old, world.now) for id in world.memory.actors]
    found = [*_settings(old, new)]
    for id in sorted(old.conditions.keys() | new.conditions.keys()):
        found += _condition(id, old, new, _names(it.actor for it in creatures if it.has(id)))
    told = len(found)
    for it in creatures:
        found += _begins_and_ends(it, new, world.now)
    concerned = any("(now: " in line for line in found) or len(found) > told
    if not concerned:
        found.append(NOTHING)
    fresh = new_statuses(old, new)
    if fresh:
        names = ", ".join(new.conditions[id].name for id in fresh)
        found.append(f"Reload Foundry (F5) in every browser: its list of conditions does not have {names} yet.")
    return found


def new_statuses(old: Rulebook, new: Rulebook) -> list[str]:
    """Return the statuses that the module has to register, which it can do only while Foundry loads."""
    had = {id for id, condition in old.conditions.items() if condition.own}
    return [id for id, condition in new.conditions.items() if condition.own and id not in had]


def _settings(old: Rulebook, new: Rulebook) -> Iterator[str]:
    for key in sorted(old.settings.keys() & new.settings.keys()):
        was, now = old.settings[key], new.settings[key]
        if was != now and not key.startswith("conditions."):
            yield f"{key}: {_shown(was)} becomes {_shown(now)}."


def _condition(id: str, old: Rulebook, new: Rulebook, who: str) -> Iterator[str]:
    was, now = old.conditions.get(id), new.conditions.get(id)
    if was is None or now is None:
        known = now or was
        if known is not None:
            here = "is new" if was is None else "is left out: it stays on the sheet and does nothing"
            yield f"{known.name} {here}{who}."
        return
    if was.name != now.name:
        yield f"{was.name} is called {now.name}{who}."
    for key, word in (("mode", f"{now.name} is"), ("rolls", f"The roll modifiers of {now.name} are")):
        before, after = (book.settings[f"conditions.{id}.{key}"] for book in (old, new))
        if before != after:
            common = (book.settings["rolls.mode"] for book in (old, new))
            before, after = (mode or default for mode, default in zip((before, after), common, strict=True))
            yield f"{word} {after}, no longer {before}{who}."
    for level in range(1, max(was.levels, now.levels) + 1):
        yield from _level(id, level, old, new, who)
    yield from _whole(was, now, old, new, who)


def _level(id: str, level: int, old: Rulebook, new: Rulebook, who: str) -> Iterator[str]:
    was, now = old.conditions[id], new.conditions[id]
    name = f"{now.name} {level}" if max(was.levels, now.levels) > 1 else now.name
    if level > now.levels or level > was.levels:
        yield f"{name} {'is new' if level > was.levels else 'is no level any more'}{who}."
        return
    before, after = (summary_of(book, id, level) for book in (old, new))
    if before != after:
        yield f"{name} says from now on{who}: {after}"
    a, b = level_of(old, was, level, None), level_of(new, now, level, None)
    parts = {"rolls": a.modifiers != b.modifiers, "limits": a.limits != b.limits, "Speed": a.speed != b.speed}
    moved = [part for part, differs in parts.items() if differs]
    if moved:
        yield f"{name} has other {' and '.join(moved)}{who}."


def _whole(was: Condition, now: Condition, old: Rulebook, new: Rulebook, who: str) -> Iterator[str]:
    gates = [each.gate(book.settings) if each.gate else None for each, book in ((was, old), (now, new))]
    if gates[0] != gates[1]:
        yield f"{now.name} lets other healing through{who}."
    for key, word in (("implied", "implies"), ("left_behind", "leaves behind"), ("immune_to", "makes immune to")):
        before, after = getattr(was, key), getattr(now, key)
        if before != after:
            names = ", ".join(name_of(new, other) for other in after)
            yield f"{now.name} {word} {names or 'nothing'}{who}."


def _begins_and_ends(it: Creature, new: Rulebook, now: int) -> Iterator[str]:
    """Let the new rules look at the creature as they will when they come into force."""
    name = it.actor.name or "A creature"
    if it.actor.hp is None and it.actor.type not in ("character", "npc"):
        return
    try:
        decision = decide(new, it.actor, [Seen(at=now)], now)
    except RulesDidNotSettle as error:
        yield f"{name}: the new rules would not come to rest: {error}"
        return
    after = Creature(decision.after, new, now)
    before = Creature(it.actor, new, now)
    for id in sorted(before.conditions.keys() | after.conditions.keys()):
        condition = new.conditions.get(id)
        if condition is None or before.level(id) == after.level(id):
            continue
        yield f"{name} would {'become' if after.level(id) else 'no longer be'} {condition.name}."
    held = {effect.id for effect in it.actor.effects if effect.disabled}
    for effect in decision.after.effects:
        if effect.disabled and effect.id not in held:
            yield f"{name}: {effect.name or effect.statuses[0]} would be halted."


def _names(actors: Iterator[Actor]) -> str:
    names = sorted(actor.name or "a creature" for actor in actors)
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f" (now: {', '.join(names[:MOST_NAMES])}{more})"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return (", ".join(map(str, value)) or "nothing") if isinstance(value, list) else str(value)
