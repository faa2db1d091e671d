"""The short phrases of a scenario file: spans of time, and when a condition ends."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
SHORT = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

_LENGTH = re.compile(r"(\d+)\s*(second|minute|hour|day|round)s?", re.IGNORECASE)
_TURN = re.compile(r"(start|end) of (.+?)(?:'s|’s|') next turn", re.IGNORECASE)
_SAVE = re.compile(r"save (str|dex|con|int|wis|cha) (?:dc )?(\d+) at (start|end) of (?:its |the )?turn", re.IGNORECASE)
_SPAN = re.compile(r"(\d+)\s*([smhd])", re.IGNORECASE)


class Lasting(Struct, frozen=True):
    """When a condition ends, as a scenario says it; ``creature`` is still a key of ``[actors]``."""

    kind: Literal["seconds", "rounds", "turn-start", "turn-end", "save", "combat", "short-rest", "long-rest"]
    amount: int = 0
    creature: str | None = None
    ability: str | None = None
    dc: int = 0
    moment: str | None = None


def lasting(text: str) -> Lasting:
    """Read when a condition ends, e.g. ``1 hour``, ``end of bors's next turn`` or ``save con 15 at end of turn``."""
    words = " ".join(text.split())
    if words.lower() == "combat":
        return Lasting("combat")
    if words.lower() == "short rest":
        return Lasting("short-rest")
    if words.lower() == "long rest":
        return Lasting("long-rest")
    if found := _LENGTH.fullmatch(words):
        number, unit = int(found[1]), found[2].lower()
        return Lasting("rounds", number) if unit == "round" else Lasting("seconds", number * UNITS[unit])
    if found := _TURN.fullmatch(words):
        return Lasting("turn-start" if found[1].lower() == "start" else "turn-end", creature=found[2])
    if found := _SAVE.fullmatch(words):
        return Lasting("save", ability=found[1].lower(), dc=int(found[2]), moment=found[3].lower())
    message = (
        f"I do not understand how long {text!r} is: write a number with seconds, minutes, hours, days or rounds, "
        '"start of NAME\'s next turn", "end of NAME\'s next turn", "save con 15 at end of turn", '
        '"combat", "short rest" or "long rest"'
    )
    raise ValueError(message)


def span(value: int | str) -> int:
    """Read a jump of the clock in seconds: ``3600``, ``"1h"``, ``"-30m"``, ``"1h30m"``, ``"2 hours"``."""
    if isinstance(value, int):
        return value
    words = value.strip()
    sign = -1 if words.startswith(("-", "−")) else 1
    words = words.lstrip("+-−").strip()
    if words.isdigit():
        return sign * int(words)
    if (found := _LENGTH.fullmatch(words)) and (unit := found[2].lower()) in UNITS:
        return sign * int(found[1]) * UNITS[unit]
    parts = _SPAN.findall(words)
    if not parts or _SPAN.sub("", words).strip():
        message = f'I do not understand the time {value!r}: write seconds, or a text such as "1h", "-30m", "1h30m"'
        raise ValueError(message)
    return sign * sum(int(number) * SHORT[unit.lower()] for number, unit in parts)
