"""What another rulebook would change for the creatures that are now on the table, before it is in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.engine.changes import Say
from bridge.engine.conditions import Condition, Creature, Rulebook
from bridge.engine.decide import RulesDidNotSettle, decide
from bridge.engine.events import Seen
from bridge.engine.publish import level_of, summary_of
from bridge.engine.state import Actor
from bridge.engine.words import name_of

if TYPE_CHECKING:
    from bridge.world import World

NOTHING = Say("change-nothing", "Nothing changes for the creatures now on the table.")
LEFT_OUT = "is left out: it stays on the sheet and does nothing"
MOST_NAMES = 6


def changes(world: World, book: Rulebook) -> list[Say]:
    """Return in plain lines what would change: settings, conditions (and who has them), what begins and ends."""
    old, new = world.book, world.fitted(book)
    creatures = [Creature(world.view(id), old, world.now) for id in world.memory.actors]
    found = list(_settings(old, new))
    concerned = False
    for id in sorted(old.conditions.keys() | new.conditions.keys()):
        who = _names(it.actor for it in creatures if it.has(id))
        told = list(_condition(id, old, new, who))
        concerned = concerned or bool(told and who)
        found += told
    moved = [say for it in creatures for say in _begins_and_ends(it, new, world.now)]
    found += moved if moved or concerned else [NOTHING]
    fresh = new_statuses(old, new)
    if fresh:
        names = ", ".join(new.conditions[id].name for id in fresh)
        text = f"Reload Foundry (F5) in every browser: its list of conditions does not have {names} yet."
        found.append(Say("change-reload", text, {"names": names}))
    return found


def new_statuses(old: Rulebook, new: Rulebook) -> list[str]:
    """Return the statuses that the module has to register, which it can do only while Foundry loads."""
    had = {id for id, condition in old.conditions.items() if condition.own}
    return [id for id, condition in new.conditions.items() if condition.own and id not in had]


def _settings(old: Rulebook, new: Rulebook) -> Iterator[Say]:
    for key in sorted(old.settings.keys() & new.settings.keys()):
        was, now = old.settings[key], new.settings[key]
        if was != now and not key.startswith("conditions."):
            data: dict[str, str | int] = {"setting": key, "was": _shown(was), "now": _shown(now)}
            yield Say("change-setting", f"{key}: {_shown(was)} becomes {_shown(now)}.", data)


def _condition(id: str, old: Rulebook, new: Rulebook, who: str) -> Iterator[Say]:
    was, now = old.conditions.get(id), new.conditions.get(id)
    if was is None or now is None:
        known = now or was
        if known is not None:
            key, here = ("change-new", "is new") if was is None else ("change-gone", LEFT_OUT)
            yield Say(key, f"{known.name} {here}{who}.", {"name": known.name, "who": who}, id)
        return
    if was.name != now.name:
        names: dict[str, str | int] = {"was": was.name, "now": now.name, "who": who}
        yield Say("change-renamed", f"{was.name} is called {now.name}{who}.", names)
    for key, word in (("mode", f"{now.name} is"), ("rolls", f"The roll modifiers of {now.name} are")):
        before, after = (str(book.settings[f"conditions.{id}.{key}"]) for book in (old, new))
        if before != after:
            common = (str(book.settings["rolls.mode"]) for book in (old, new))
            before, after = (mode or default for mode, default in zip((before, after), common, strict=True))
            moved: dict[str, str | int] = {"setting": f"condition.{key}", "was": before, "now": after}
            data = {"name": now.name, "who": who, **moved}
            yield Say("change-mode", f"{word} {after}, no longer {before}{who}.", data, id)
    for level in range(1, max(was.levels, now.levels) + 1):
        yield from _level(id, level, old, new, who)
    yield from _whole(was, now, old, new, who)


def _level(id: str, level: int, old: Rulebook, new: Rulebook, who: str) -> Iterator[Say]:
    was, now = old.conditions[id], new.conditions[id]
    many = max(was.levels, now.levels) > 1
    name = f"{now.name} {level}" if many else now.name
    data: dict[str, str | int] = {"name": name, "who": who}
    shown = level if many else 0
    if level > was.levels:
        yield Say("change-new", f"{name} is new{who}.", data, id, shown)
        return
    if level > now.levels:
        yield Say("change-level-gone", f"{name} is no level any more{who}.", data, id, shown)
        return
    before, after = (summary_of(book, id, level) for book in (old, new))
    if before != after:
        yield Say("change-says", f"{name} says from now on{who}: {after}", {**data, "text": after}, id, shown)
    a, b = level_of(old, was, level, None), level_of(new, now, level, None)
    if a.modifiers != b.modifiers:
        yield Say("change-other-rolls", f"{name} has other roll modifiers{who}.", data, id, shown)
    if a.limits != b.limits:
        yield Say("change-other-limits", f"{name} has other limits{who}.", data, id, shown)
    if a.speed != b.speed:
        yield Say("change-other-speed", f"{name} has another Speed{who}.", data, id, shown)


def _whole(was: Condition, now: Condition, old: Rulebook, new: Rulebook, who: str) -> Iterator[Say]:
    data: dict[str, str | int] = {"name": now.name, "who": who}
    gates = [each.gate(book.settings) if each.gate else None for each, book in ((was, old), (now, new))]
    if gates[0] != gates[1]:
        yield Say("change-gate", f"{now.name} lets other healing through{who}.", data, now.id)
    for key, told, word in (
        ("implied", "change-implied", "implies"),
        ("left_behind", "change-left-behind", "leaves behind"),
        ("immune_to", "change-immune-to", "makes immune to"),
    ):
        before, after = getattr(was, key), getattr(now, key)
        if before != after:
            names = ", ".join(name_of(new, other) for other in after) or "nothing"
            others: dict[str, str | int] = {"conditions": ",".join(after), "names": names}
            yield Say(told, f"{now.name} {word} {names}{who}.", {**data, **others}, now.id)


def _begins_and_ends(it: Creature, new: Rulebook, now: int) -> Iterator[Say]:
    """Let the new rules look at the creature as they will when they come into force."""
    who = it.actor.name or "A creature"
    if it.actor.hp is None and it.actor.type not in ("character", "npc"):
        return
    try:
        decision = decide(new, it.actor, [Seen(at=now)], now)
    except RulesDidNotSettle as error:
        text = f"{who}: the new rules would not come to rest: {error}"
        yield Say("change-restless", text, {"who": who, "text": str(error)})
        return
    after = Creature(decision.after, new, now)
    before = Creature(it.actor, new, now)
    for id in sorted(before.conditions.keys() | after.conditions.keys()):
        condition = new.conditions.get(id)
        if condition is None or before.level(id) == after.level(id):
            continue
        data: dict[str, str | int] = {"name": condition.name, "who": who}
        key, would = ("change-begins", "become") if after.level(id) else ("change-ends", "no longer be")
        yield Say(key, f"{who} would {would} {condition.name}.", data, id)
    held = {effect.id for effect in it.actor.effects if effect.disabled}
    for effect in decision.after.effects:
        if effect.disabled and effect.id not in held:
            name = effect.name or effect.statuses[0]
            yield Say("change-halted", f"{who}: {name} would be halted.", {"who": who, "name": name})


def _names(actors: Iterator[Actor]) -> str:
    """Return who has a condition now, in brackets."""
    names = sorted(actor.name or "a creature" for actor in actors)
    if not names:
        return ""
    more = f" +{len(names) - MOST_NAMES}" if len(names) > MOST_NAMES else ""
    return f" ({', '.join(names[:MOST_NAMES])}{more})"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return (", ".join(map(str, value)) or "nothing") if isinstance(value, list) else str(value)
