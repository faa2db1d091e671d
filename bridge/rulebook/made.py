"""From a table of the file to an engine ``Condition``: data where the table has data, rules where it asks for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from msgspec import structs

from bridge.engine.catalogue import Gate, Limits, Modifier, Predicate, Speed
from bridge.engine.conditions import Condition, Rulebook
from bridge.engine.profiles import PROFILES, native
from bridge.engine.publish import level_of
from bridge.engine.settings import Settings
from bridge.engine.words import ABILITIES

from . import acts
from .durations import lasting
from .file import LimitsItem, ModifierItem, Own, SpeedItem, Touch
from .harm import Harm
from .vocabulary import ALWAYS_GRANTED, SYSTEM

ICON = "icons/svg/aura.svg"
"""Of Foundry's own icons the one that says nothing in particular."""
OCCASIONS = {
    "short-rest": "a short or long rest",
    "long-rest": "a long rest",
    "hit-die": "a Hit Die",
    "combat": "the combat",
    "death": "death",
}
NATIVE = frozenset(id for profile in PROFILES for id in native(profile))


def made(id: str, own: Own, base: Rulebook) -> Condition:
    """Return the GM's own condition; it may stand in place of one of the base that was left out."""
    before = base.conditions.get(id)
    condition = Condition(
        id=id,
        name=own.name,
        summary="",
        levels=own.levels,
        sourced=own.sourced,
        own=before.own if before else id not in SYSTEM,
        icon=own.icon or (before.icon if before else ICON),
    )
    return _in_place_of(before, _written(condition, own), base.settings)


def touched(condition: Condition, touch: Touch, settings: Settings) -> Condition:
    """Return the condition with what the table says in place of what it was, and the rules that the table asks for."""
    return _in_place_of(condition, _written(condition, touch), settings)


def _in_place_of(before: Condition | None, after: Condition, settings: Settings) -> Condition:
    """CMB-7: where the system's own part is another than the rulebook's, ours stands in place of it."""
    if before is None or after.id not in NATIVE or _by_the_system(before, settings) == _by_the_system(after, settings):
        return after
    return replace(after, instead=lambda _: True)


def _by_the_system(condition: Condition, settings: Settings) -> list[object]:
    book = Rulebook([condition])
    book.settings = settings
    found: list[object] = []
    for profile in PROFILES:
        for level in range(1, condition.levels + 1):
            done = level_of(book, condition, level, profile)
            found.append((done.native, done.native_speed))
    return found


def _written(condition: Condition, touch: Touch) -> Condition:
    given: dict[str, Any] = {
        name: value
        for name in ("name", "icon", "origin", "ends", "implied", "left_behind", "immune_to")
        if (value := getattr(touch, name)) is not None
    }
    if touch.summary is not None:
        given["summary"] = _summary(touch.summary)
        # The note that the page is silent goes with our text, not with the GM's.
        given.setdefault("origin", "")
    if touch.ends is None and (words := _ends(touch)):
        given["ends"] = words
    if touch.modifiers is not None:
        given["modifiers"] = _modifiers(touch.modifiers)
    if touch.limits is not None:
        given["limits"] = _limits(touch.limits)
    if touch.speed is not None:
        given["speed"] = _speed(touch.speed)
    if touch.gate is not None:
        gate = Gate(grants=(*ALWAYS_GRANTED, *touch.gate.grants), max_rise=touch.gate.max_rise)
        given["gate"] = lambda _: gate
    new = replace(condition, **given, rules=[*condition.rules], dues=[*condition.dues])
    _hang(new, touch)
    return new


def _ends(touch: Touch) -> str:
    """Say what ends it by what the table has."""
    found: list[str] = []
    if touch.lasts is not None:
        found.append(f"Lasts {touch.lasts} when nothing else is said.")
    if (save := touch.save) is not None:
        found.append(f"A {ABILITIES[save.ability]} save, DC {save.dc}, at the {save.at} of its turn ends it.")
    if touch.ends_on:
        found.append(f"Ends with {', '.join(OCCASIONS[each] for each in touch.ends_on)}.")
    return " ".join(found)


def _hang(condition: Condition, touch: Touch) -> None:
    if touch.lasts is not None or touch.save is not None:
        acts.give_duration(condition, lasting(touch.lasts) if touch.lasts else None, touch.save)
    if touch.damage is not None:
        Harm(condition, touch.damage).hang()
    if touch.ends_on:
        acts.end_on(condition, touch.ends_on)
    if touch.limits is not None and touch.limits.concentration:
        acts.end_concentration(condition)
    if touch.immune_to:
        acts.keep_off(condition)
    if touch.gate is not None:
        acts.refuse_healing(condition)


def _summary(text: str | tuple[str, ...]) -> Callable[[int, Settings], str]:
    """``{level}`` in the text is the level; of a list each level has its own."""

    def say(level: int, settings: Settings) -> str:
        found = text if isinstance(text, str) else text[min(level, len(text)) - 1]
        return found.replace("{level}", str(level))

    return say


def _modifiers(items: tuple[ModifierItem, ...]) -> Callable[[int, Settings], tuple[Modifier, ...]]:
    def at(level: int, settings: Settings) -> tuple[Modifier, ...]:
        return tuple(_modifier(item, level) for item in items if level >= item.from_level)

    return at


def _modifier(item: ModifierItem, level: int) -> Modifier:
    return Modifier(
        roll=item.roll,
        gives=item.gives,
        value=item.value * level if item.times_level else item.value,
        on_me=item.on_me,
        abilities=item.abilities,
        tags=item.tags,
        but_abilities=item.but_abilities,
        but_tags=item.but_tags,
        when=Predicate(**structs.asdict(item.when)) if item.when else None,
    )


def _limits(item: LimitsItem) -> Callable[[int, Settings], Limits | None]:
    given = structs.asdict(item)
    limits = Limits(**{name: value for name, value in given.items() if name != "from_level"})

    def at(level: int, settings: Settings) -> Limits | None:
        return limits if level >= item.from_level else None

    return at


def _speed(item: SpeedItem) -> Callable[[int, Settings], Speed | None]:
    def at(level: int, settings: Settings) -> Speed | None:
        if level < item.from_level:
            return None
        return Speed(zero=item.zero, halved=item.halved, less=item.less * level if item.times_level else item.less)

    return at
