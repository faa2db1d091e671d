"""What no type can say: names that must exist, levels that must fit, dice that can be rolled."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping

from bridge.engine.apply import static_id
from bridge.engine.catalogue import DIFFICULTY, NUMBER
from bridge.engine.conditions import Condition, Rulebook

from .durations import lasting
from .file import ModifierItem, Own, Touch
from .problems import Problem, near
from .vocabulary import SYSTEM, TAGS, DamageType

_ID = re.compile(r"[a-z][a-z0-9-]{1,39}")
_DICE = re.compile(r"\s*(?:\d{0,3}d\d{1,4}|\d{1,4})(?:\s*[+-]\s*(?:\d{0,3}d\d{1,4}|\d{1,4}))*\s*")
_DRINK = re.compile(r"[^\W\d_][^\d]*?(?: [1-9]\d?)?")
_DAMAGE_TYPES: tuple[str, ...] = DamageType.__args__  # type: ignore[attr-defined]  # a Literal has them


def check_without(without: tuple[str, ...], base: Rulebook, problems: list[Problem]) -> None:
    """What is left out must be there."""
    for number, id in enumerate(without, 1):
        if id not in base.conditions:
            hint = near(id, base.conditions) or f": there are {', '.join(base.conditions)}"
            problems.append(Problem(f"without[{number}]", f'there is no condition "{id}"{hint}'))


def unknown_condition(id: str, known: Collection[str], without: Collection[str]) -> str:
    """Say why a table ``[conditions.ID]`` is about nothing."""
    if id in without:
        return f'"{id}" is left out by "without": take it out of there, or this table away'
    hint = near(id, known) or "."
    return f'there is no condition "{id}"{hint} A condition of your own is a table [own.{id}]'


def check_id(path: str, id: str, left: Mapping[str, Condition], owns: Collection[str], problems: list[Problem]) -> bool:
    """The id of a condition of the GM's own must be new, and one that Foundry can tell from all others."""
    before = len(problems)
    if not _ID.fullmatch(id):
        problems.append(Problem(path, "an id has small letters, digits and dashes and begins with a letter: own.my-id"))
    elif id in left:
        message = f'there is a condition "{id}" already: change it in [conditions.{id}], or name it in "without" first'
        problems.append(Problem(path, message))
    else:
        twins = [other for other in (*left, *owns, *SYSTEM) if other != id and static_id(other) == static_id(id)]
        if twins:
            message = f'begins like "{twins[0]}": Foundry keeps eleven letters and could not tell the two apart'
            problems.append(Problem(path, message))
    return len(problems) == before


def check(path: str, id: str, touch: Touch, levels: int, everyone: Collection[str], problems: list[Problem]) -> bool:
    """Check one table of a condition; tell whether it is right."""
    before = len(problems)
    for key in ("implied", "left_behind", "immune_to"):
        for number, other in enumerate(getattr(touch, key) or (), 1):
            place = f"{path}.{key.replace('_', '-')}[{number}]"
            if other == id:
                problems.append(Problem(place, "a condition cannot name itself here"))
            elif other not in everyone:
                hint = near(other, everyone) or f": there are {', '.join(sorted(everyone))}"
                problems.append(Problem(place, f'there is no condition "{other}"{hint}'))
    for number, item in enumerate(touch.modifiers or (), 1):
        _modifier(f"{path}.modifiers[{number}]", item, levels, problems)
    if isinstance(touch.summary, tuple) and len(touch.summary) != levels:
        message = f"needs one text for each of its {levels} levels, or one for all; there are {len(touch.summary)}"
        problems.append(Problem(f"{path}.summary", message))
    for key in ("limits", "speed"):
        part = getattr(touch, key)
        if part is not None and part.from_level > levels:
            problems.append(Problem(f"{path}.{key}.from-level", f"there are only {levels} levels"))
    if touch.icon is not None and isinstance(touch, Own) and "/" not in touch.icon:
        message = 'must be a path in Foundry\'s data, e.g. "icons/magic/water/snowflake-ice-blue.webp"'
        problems.append(Problem(f"{path}.icon", message))
    if touch.lasts is not None:
        try:
            lasting(touch.lasts)
        except ValueError as error:
            problems.append(Problem(f"{path}.lasts", f'"{touch.lasts}" is not understood: {error}'))
    if touch.damage is not None:
        formulas = (touch.damage.formula,) if isinstance(touch.damage.formula, str) else touch.damage.formula
        for formula in formulas:
            _dice(f"{path}.damage.formula", formula, problems)
        if isinstance(touch.damage.formula, tuple) and len(formulas) != levels:
            message = f"needs one formula for each of its {levels} levels, or one for all; there are {len(formulas)}"
            problems.append(Problem(f"{path}.damage.formula", message))
    return len(problems) == before


def check_needed(conditions: Mapping[str, Condition], problems: list[Problem]) -> None:
    """What a condition implies or leaves behind must not be left out."""
    for condition in conditions.values():
        for other in (*condition.implied, *condition.left_behind):
            if other not in conditions:
                message = f'leaves out "{other}", which {condition.name} brings: leave {condition.id} out too'
                if not any(other in each.message or f".{other}" in each.path for each in problems):
                    problems.append(Problem("without", message))


def check_setting(path: str, key: str, value: object, problems: list[Problem]) -> None:
    """Free texts among the settings that must be dice or a damage type."""
    if key == "ignited.damage":
        _dice(path, str(value), problems)
    if key == "intoxicated.drinks" and isinstance(value, list):
        for number, drink in enumerate(value, 1):
            if not _DRINK.fullmatch(str(drink)):
                message = f'"{drink}" is no drink: write a word, and behind it how many drinks it counts as ("grog 2")'
                problems.append(Problem(f"{path}[{number}]", message))
    if key == "ignited.type" and value not in _DAMAGE_TYPES:
        hint = near(value, _DAMAGE_TYPES)
        problems.append(Problem(path, f'must be one of {", ".join(_DAMAGE_TYPES)}, not "{value}"{hint}'))


def _dice(path: str, formula: str, problems: list[Problem]) -> None:
    if not _DICE.fullmatch(formula):
        problems.append(Problem(path, f'"{formula}" cannot be rolled: write dice such as "1d4" or "2d6 + 1"'))


def _modifier(path: str, item: ModifierItem, levels: int, problems: list[Problem]) -> None:
    numbered = item.gives in (NUMBER, DIFFICULTY)
    if numbered and not item.value:
        problems.append(Problem(path, f"gives a {item.gives} and needs its value, e.g. value = -2"))
    if item.value and not numbered:
        message = f'{item.gives} has no value: leave it out, or write gives = "number"'
        problems.append(Problem(f"{path}.value", message))
    if item.from_level > levels:
        problems.append(Problem(f"{path}.from-level", f"there are only {levels} levels"))
    for key in ("tags", "but_tags"):
        for number, tag in enumerate(getattr(item, key), 1):
            close = difflib.get_close_matches(tag, TAGS, 1, 0.8)
            if tag not in TAGS and close:
                message = f'"{tag}" is no word for a roll: did you mean "{close[0]}"?'
                problems.append(Problem(f"{path}.{key.replace('_', '-')}[{number}]", message))
