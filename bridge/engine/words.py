"""What a change is in plain English, for cards that propose it and for the history."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .changes import (
    AskSave,
    Change,
    EndConcentration,
    EndCondition,
    RollDice,
    SetCondition,
    SetHitDice,
    SetHitPoints,
    SetStatus,
    TakeDamage,
)

if TYPE_CHECKING:
    from .conditions import Rulebook
    from .events import Event

ABILITIES = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}


def name_of(book: Rulebook, condition: str) -> str:
    """Return the condition's name, or a tidy form of an unknown status."""
    known = book.conditions.get(condition)
    return known.name if known else condition.replace("-", " ").capitalize()


def turns_text(passed: int) -> str:
    """TIM-3: "once for that creature, however many of its turns were passed, and the card says how many"."""
    return f" ({passed + 1} turns have passed.)" if passed else ""


def happened(event: Event) -> str:
    """Say in a few words what happened, to whom it was due and by whose hand, for the history."""
    text = _in_words(type(event).__name__)
    details = [str(getattr(event, name, "")) for name in ("condition", "cause", "label")]
    found = [detail for detail in details if detail and detail != "unknown"]
    by = getattr(event, "by", "")
    about = f" ({', '.join(found)})" if found else ""
    return f"{text}{about}{f' by {by}' if by else ''}"


@lru_cache
def _in_words(name: str) -> str:
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


def describe(book: Rulebook, change: Change) -> str:
    """Say what the change does, as a clause without a full stop."""
    match change:
        case SetCondition(condition=condition, level=level):
            levelled = condition in book.conditions and book.conditions[condition].levels > 1
            return f"becomes {name_of(book, condition)}{f' {level}' if levelled else ''}"
        case EndCondition(condition=condition):
            return f"is no longer {name_of(book, condition)}"
        case SetHitPoints(value=value):
            return f"hit points are set to {value}"
        case SetHitDice():
            return "Hit Dice are set back"
        case SetStatus(status=status, on=on):
            return f"is {'' if on else 'no longer '}{status}"
        case TakeDamage(amount=amount, type=type):
            return f"takes {amount} {type} damage"
        case EndConcentration():
            return "loses concentration"
        case AskSave(ability=ability, dc=dc):
            return f"makes a {ABILITIES.get(ability, ability)} saving throw, DC {dc}"
        case RollDice(formula=formula):
            return f"{formula} is rolled"
        case _:
            return "is noted"
