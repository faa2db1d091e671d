"""How long a condition lasts when it is put on without a duration, e.g. ``1 minute`` or ``combat``."""

from __future__ import annotations

import re

from msgspec import Struct, structs

from bridge.engine.conditions import Creature
from bridge.engine.state import Timer

from .file import SaveItem

UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
UNTIL = {"combat": "combat", "short rest": "short-rest", "long rest": "long-rest"}
RIGHT = (
    'write a number with seconds, minutes, hours, days or rounds ("1 minute"), "start of its next turn", '
    '"end of its next turn", "combat", "short rest" or "long rest"'
)
_LENGTH = re.compile(r"(\d{1,9})\s*(second|minute|hour|day|round)s?")
_TURN = re.compile(r"(start|end) of its next turn")


class Lasting(Struct, frozen=True):
    """A default duration: what a ``Timer`` is before it has begun."""

    kind: str
    amount: int = 0


def lasting(text: str) -> Lasting:
    """Read a phrase.  Raises ValueError in plain words."""
    words = " ".join(text.split()).lower()
    if words in UNTIL:
        return Lasting(UNTIL[words])
    if (found := _LENGTH.fullmatch(words)) and int(found[1]):
        number, unit = int(found[1]), found[2]
        return Lasting("rounds", number) if unit == "round" else Lasting("seconds", number * UNITS[unit])
    if found := _TURN.fullmatch(words):
        return Lasting(f"turn-{found[1]}")
    raise ValueError(RIGHT)


def timer(it: Creature, lasts: Lasting | None, save: SaveItem | None) -> Timer:
    """Return the timer that begins now, at this point of the creature's combat."""
    actor = it.actor
    begun = Timer(
        kind=lasts.kind if lasts else "save",
        began=it.now,
        amount=lasts.amount if lasts else 0,
        creature=actor.id if lasts and lasts.kind.startswith("turn-") else None,
        combat=actor.combat,
        round=actor.round or 0,
        turn=actor.turn or 0,
        initiative=actor.initiative,
        combatant=actor.combatant,
    )
    return structs.replace(begun, ability=save.ability, dc=save.dc, moment=save.at) if save else begun
