"""From the text of a rulebook to the engine's ``Rulebook``, or to all that is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, get_args

import msgspec
from msgspec import Struct, structs

from bridge.engine.conditions import Rulebook
from bridge.engine.settings import BadSetting
from bridge.rules import rulebook as house_rules

from . import meaning
from .file import Base, File
from .lines import line_of, lines
from .made import made, touched
from .problems import BadRulebook, Problem, near
from .reading import Item, read

SHIPPED: tuple[str, ...] = get_args(Base)
HOUSE_RULES = "house-rules"
MOST_LETTERS = 200_000
_PLACE = re.compile(r" \(at line (\d+), column \d+\)$")


class Reading(Struct, frozen=True):
    """What came of a text: a rulebook, or problems."""

    book: Rulebook | None
    problems: tuple[Problem, ...] = ()
    given: Mapping[str, Any] = {}
    """The settings that the text itself gives; the others are its base's."""
    file: File | None = None


def parse(text: str, name: str = "rulebook") -> Rulebook:
    """Return the rulebook.  Raises BadRulebook with every problem; ``name`` is what the file is called in them."""
    reading = check(text)
    if reading.book is None:
        raise BadRulebook(name, reading.problems)
    return reading.book


def check(text: str) -> Reading:
    """Read a text; never raises."""
    if len(text) > MOST_LETTERS:
        return Reading(None, (Problem("", f"has {len(text)} letters: at most {MOST_LETTERS} are read"),))
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        what = _PLACE.sub("", str(error))
        return Reading(None, (Problem("", f"is not TOML: {what}", int(found[1]) if found else None),))
    except RecursionError:
        return Reading(None, (Problem("", "is nested too deeply"),))
    problems: list[Problem] = []
    reading = _build(data, problems)
    if not problems:
        if reading.book is not None:
            reading.book.source = text
        return reading
    known = lines(text)
    placed = [Problem(each.path, each.message, line_of(known, each.path)) for each in problems]
    return Reading(None, tuple(sorted(placed, key=lambda each: each.line or 0)))


@cache
def shipped_text(name: str) -> str:
    """Return the text of a rulebook that comes with the bridge."""
    return files(__package__).joinpath("books", f"{name}.toml").read_text(encoding="utf-8")


def shipped(name: str) -> Rulebook:
    """Return a rulebook that comes with the bridge."""
    return house_rules() if name == HOUSE_RULES else _shipped_file(name)


@cache
def _shipped_file(name: str) -> Rulebook:
    return parse(shipped_text(name), name)


def settings_in(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that the data of a file gives, by their dotted keys, whatever they are."""
    found = _flat(data.get("settings", {}))
    for table in ("conditions", "own"):
        for id, touch in _tables(data.get(table, {})):
            found |= {f"conditions.{id}.{key}": touch[key] for key in ("mode", "rolls") if key in touch}
    return found


def _build(data: dict[str, Any], problems: list[Problem]) -> Reading:
    # A problem in one part must not hide those of another: a part that cannot be read is left out.
    parts = {key: value for key, value in data.items() if key not in {"conditions", "own"}}
    good = {key: value for key, value in parts.items() if read({key: value}, File, "", problems) is not None}
    head = msgspec.convert(good, File)
    base = shipped(head.base)
    ids = {id for id, _ in _tables(data.get("own"))}
    meaning.check_without(head.without, base, problems)
    left = {id: c for id, c in base.conditions.items() if id not in head.without}
    everyone = {*left, *ids}
    touches = _read_tables(data, "conditions", File, problems)
    owns = _read_tables(data, "own", File, problems)
    conditions = dict(left)
    for id, touch in touches.items():
        if id not in left:
            problems.append(Problem(f"conditions.{id}", meaning.unknown_condition(id, left, head.without)))
        elif meaning.check(f"conditions.{id}", id, touch, left[id].levels, everyone, problems):
            conditions[id] = touched(left[id], touch, base.settings)
    for id, own in owns.items():
        fits = meaning.check_id(f"own.{id}", id, left, ids, problems)
        if meaning.check(f"own.{id}", id, own, own.levels, everyone, problems) and fits:
            conditions[id] = made(id, own, base)
    given = settings_in(data) if isinstance(data.get("settings", {}), dict) else {}
    meaning.check_needed(conditions, problems)
    book = _with_settings(head, base, conditions, given, data, problems)
    return Reading(book, given=given, file=structs.replace(head, conditions=touches, own=owns))


def _tables(data: object) -> list[tuple[str, dict[str, Any]]]:
    return [(id, each) for id, each in data.items() if isinstance(each, dict)] if isinstance(data, dict) else []


def _read_tables(data: Mapping[str, Any], key: str, kind: type[Item], problems: list[Problem]) -> dict[str, Any]:
    """Read each of the tables of conditions by itself."""
    found: dict[str, Any] = {}
    table = data.get(key, {})
    if not isinstance(table, dict):
        problems.append(Problem(key, f"must be a table for each condition: [{key}.ID]"))
        return found
    for id, value in table.items():
        file = read({key: {id: value}}, kind, "", problems)
        if file is not None:
            found[id] = getattr(file, key)[id]
    return found


def _with_settings(
    head: File,
    base: Rulebook,
    conditions: dict[str, Any],
    given: Mapping[str, Any],
    data: Mapping[str, Any],
    problems: list[Problem],
) -> Rulebook:
    """Check every setting by itself, then put all together."""
    name = head.name or head.base
    empty = Rulebook(conditions.values(), {}, name, base.general)
    known = empty.settings.known
    good = {key: value for key, value in base.settings.given.items() if key in known}
    ids = {id for key in ("conditions", "own") for id, _ in _tables(data.get(key))}
    for key, value in given.items():
        _, id, part = [*key.split("."), "", ""][:3]
        if key.startswith("conditions.") and id in ids and part in {"mode", "rolls"}:
            place = f"{'own' if id in dict(_tables(data.get('own'))) else 'conditions'}.{id}.{part}"
            if key in _flat(data.get("settings", {})):
                place = f"settings.{key}"
            if id not in conditions:
                # The condition itself has a problem, which is told.
                continue
        else:
            place = f"settings.{key}"
        if key not in known:
            hint = near(key, known) or ": docs/house-rules.md lists them"
            problems.append(Problem(place, f"there is no such setting{hint}"))
            continue
        try:
            good[key] = known[key].check(value)
        except BadSetting as error:
            if place.startswith("settings."):
                hint = near(value, known[key].choices) if isinstance(value, str) else ""
                problems.append(Problem(place, str(error).removeprefix(f"{key}: ") + hint))
            continue
        meaning.check_setting(place, key, value, problems)
    return Rulebook(conditions.values(), good, name, base.general)


def _flat(table: object, before: str = "") -> dict[str, Any]:
    """Return settings by their dotted key, however the file nests them."""
    found: dict[str, Any] = {}
    for key, value in table.items() if isinstance(table, dict) else ():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = value
    return found
