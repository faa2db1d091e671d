"""The history of a world, searched: what was decided for whom, why, by whose hand, and what it changed."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from bridge import rules
from bridge.world.memory import Chapter
from bridge.world.row import Row

_RULE_ID = re.compile(r"\b([A-Z]{3})-\d")
_SPAN = re.compile(r"\s*(\d+)\s*(s|sec|seconds?|min|minutes?|h|hours?|d|days?)?\s*")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Search(Struct, frozen=True):
    """What is looked for; what is left out does not matter.

    ``creature``: a part of its name, or its reference.  ``rule``: the condition whose rule acted, or the id of one of
    its rules, such as ``BLD-7``.  ``since``: seconds of world time before the newest decision.
    """

    creature: str = ""
    condition: str = ""
    rule: str = ""
    since: int | None = None


def chapters(rows: Iterable[Row]) -> list[Chapter]:
    """Return the decisions among the rows of a world, the oldest first."""
    found = [
        msgspec.json.decode(row.value, type=Chapter) for row in rows if row.kind == "decision" and row.value is not None
    ]
    return sorted(found, key=lambda chapter: chapter.id)


def find(all_: list[Chapter], search: Search) -> Iterator[Chapter]:
    """Return the decisions that fit."""
    newest = max((chapter.at for chapter in all_), default=0)
    rule = _owner(search.rule)
    for chapter in all_:
        names = {chapter.actor, chapter.before.name.casefold()}
        wanted = search.creature.casefold()
        if wanted and search.creature not in names and wanted not in chapter.before.name.casefold():
            continue
        if search.condition and search.condition not in {event.condition for event in chapter.changed}:
            continue
        if rule and rule not in chapter.rules:
            continue
        if search.since is not None and chapter.at < newest - search.since:
            continue
        yield chapter


def span(text: str) -> int:
    """Return the seconds of ``90``, ``30 min``, ``2 hours`` or ``1 day``.  Raises ValueError."""
    found = _SPAN.fullmatch(text.lower())
    if found is None:
        message = f"{text!r} is no span of time: say 90, 30 min, 2 hours or 1 day"
        raise ValueError(message)
    return int(found[1]) * _UNITS[(found[2] or "s")[0]]


def lines(chapter: Chapter) -> list[str]:
    """Return what people read of a decision: a line of what it was, and one for each thing that it did."""
    undone = " — taken back since" if chapter.undone else ""
    why = "; ".join(chapter.why) or "unknown"
    head = f"{clock(chapter.at)}  {chapter.before.name or chapter.actor}: {why}{undone}"
    return [head, *(f"    {line}" for line in chapter.lines), *(f"    {line}" for line in _moved(chapter))]


def clock(seconds: int) -> str:
    """Return world time as days and a time of day."""
    days, rest = divmod(seconds, 86_400)
    return f"day {days}, {rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


def plain(chapter: Chapter) -> dict[str, Any]:
    """Return a decision with all that is known of it, for a file."""
    found: dict[str, Any] = msgspec.to_builtins(chapter)
    return found


def _moved(chapter: Chapter) -> Iterator[str]:
    before, after = chapter.before.hp, chapter.after.hp
    if before is not None and after is not None and before != after:
        yield f"hit points {before.value} → {after.value}"
    for event in chapter.changed:
        yield f"{event.condition} {event.was} → {event.level}"


def _owner(rule: str) -> str:
    """Return the condition to which a rule belongs."""
    return _prefixes().get(rule[:3].upper(), rule) if _RULE_ID.match(rule.upper()) else rule


@cache
def _prefixes() -> dict[str, str]:
    found: dict[str, str] = {}
    for module in pkgutil.iter_modules(rules.__path__):
        text = importlib.import_module(f"{rules.__name__}.{module.name}").__doc__ or ""
        for prefix in _RULE_ID.findall(text):
            found.setdefault(prefix, module.name)
    return found
