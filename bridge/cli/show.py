"""A rulebook for reading: tables of settings and conditions in the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import structs
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bridge.engine.catalogue import Limits, Modifier, Predicate, Speed
from bridge.engine.conditions import Condition, Rulebook
from bridge.engine.publish import ends_of, level_of
from bridge.engine.words import ABILITIES, name_of
from bridge.rulebook.file import DamageItem


def show_book(console: Console, book: Rulebook, given: Mapping[str, Any], source: str) -> None:
    """Show every setting with its default and where its value is from, then the conditions."""
    console.print(f"[bold]{escape(book.name)}[/]")
    settings = Table("Setting", "Value", "Default", "From", title="Settings", title_justify="left")
    for key, setting in book.settings.known.items():
        place = source if key in given else "its base" if key in book.settings.given else "default"
        if key.startswith("conditions.") and place == "default":
            # Two for each condition: only those that somebody has written are worth a line.
            continue
        settings.add_row(*map(escape, (key, value(book.settings[key]), value(setting.default), place)))
    console.print(settings)
    conditions = Table("Condition", "Name", "Levels", "Mode", title="Conditions", title_justify="left")
    for condition in book.conditions.values():
        levels = str(condition.levels) if condition.levels > 1 else ""
        conditions.add_row(*map(escape, (condition.id, condition.name, levels, book.mode(condition.id))))
    console.print(conditions)
    console.print("All about one of them: bridge rulebook show CONDITION")


def show_condition(console: Console, book: Rulebook, id: str, damage: DamageItem | None = None) -> None:
    """Show what a condition does at each level, and what ends it.  ``damage``: what its table in the file deals."""
    condition = book.conditions[id]
    console.print(f"[bold]{escape(condition.name)}[/] ({escape(id)})")
    for level in range(1, condition.levels + 1):
        _level(console, book, condition, level)
    gate = condition.gate(book.settings) if condition.gate else None
    rows = {
        "Damage": damage_words(damage) if damage is not None else "",
        "Implies": names(book, condition.implied),
        "Leaves behind": names(book, condition.left_behind),
        "Makes immune to": names(book, condition.immune_to),
        "Lets healing through": ", ".join(gate.grants) if gate else "",
        "Ends": ends_of(book, condition),
        "Where it is from": condition.origin,
        "Mode": book.mode(id),
        "Roll modifiers": str(book.settings[f"conditions.{id}.rolls"] or book.settings["rolls.mode"]),
    }
    for title, text in rows.items():
        if text:
            console.print(f"[dim]{title}:[/] {escape(text)}")
    for setting in condition.settings:
        console.print(f"[dim]{escape(setting.key)}:[/] {escape(value(book.settings[setting.key]))}")


def _level(console: Console, book: Rulebook, condition: Condition, level: int) -> None:
    found = level_of(book, condition, level, None)
    title = f"Level {level}: " if condition.levels > 1 else ""
    console.print(f"{title}{escape(found.summary)}")
    for modifier in found.modifiers:
        console.print(f"  · {escape(modifier_words(modifier))}")
    if found.limits is not None:
        console.print(f"  · {escape(limit_words(found.limits))}")
    if found.speed is not None:
        console.print(f"  · {escape(speed_words(found.speed))}")


def modifier_words(modifier: Modifier) -> str:
    """Say a modifier in one line: what it gives, to which rolls, when."""
    given = f"{modifier.value:+d}" if modifier.gives == "number" else modifier.gives
    if modifier.gives == "difficulty":
        given = f"DC {modifier.value:+d}"
    abilities = ", ".join(ABILITIES.get(each, each) for each in modifier.abilities)
    without = [ABILITIES.get(each, each) for each in modifier.but_abilities] + list(modifier.but_tags)
    parts = [
        f"{given} on {'others’ ' if modifier.on_me else ''}{modifier.roll}{'s at it' if modifier.on_me else 's'}",
        f"of {abilities}" if abilities else "",
        f"({', '.join(modifier.tags)})" if modifier.tags else "",
        f"except {', '.join(without)}" if without else "",
        when_words(modifier.when) if modifier.when else "",
    ]
    return " ".join(part for part in parts if part)


def when_words(when: Predicate) -> str:
    """Say when a modifier holds."""
    words = {
        "within": lambda v: f"within {v:g} ft",
        "beyond": lambda v: f"beyond {v:g} ft",
        "source_seen": lambda v: f"while its source is {'' if v else 'not '}in sight",
        "unseen": lambda v: f"while it is {'unseen' if v else 'seen'}",
        "other_is_source": lambda v: f"by or against {'its source' if v else 'anyone but its source'}",
        "asks": lambda v: f"where {v} is needed",
    }
    return ", ".join(words[key](each) for key, each in structs.asdict(when).items() if each is not None)


def damage_words(damage: DamageItem) -> str:
    """Say what it deals, and when."""
    formula = damage.formula if isinstance(damage.formula, str) else ", ".join(damage.formula)
    away = "; out of combat every 6 seconds" if damage.out_of_combat else "; only in combat"
    return f"{formula} {damage.type} at the {damage.at} of its turn{away}"


def limit_words(limits: Limits) -> str:
    """Say what it cannot do."""
    words = {
        "action": "no action",
        "bonus": "no bonus action",
        "reaction": "no reaction",
        "move_or_action": "a move or an action, not both",
        "concentration": "no concentration",
        "closer_to_source": "not closer to its source",
        "attack_source": "no attack on its source",
        "crawl": "only crawling",
    }
    return ", ".join(text for key, text in words.items() if getattr(limits, key))


def speed_words(speed: Speed) -> str:
    """Say what happens to Speed."""
    parts = [
        f"−{speed.less} ft" if speed.less else "",
        "halved" if speed.halved else "",
        "0" if speed.zero else "",
    ]
    return "Speed " + ", then ".join(part for part in parts if part)


def names(book: Rulebook, ids: tuple[str, ...]) -> str:
    """Return names of conditions in one line."""
    return ", ".join(name_of(book, id) for id in ids)


def value(found: object) -> str:
    """Return a setting's value as people write it."""
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, list):
        return ", ".join(map(str, found)) or "none"
    return str(found)
