"""The brief at the start of a turn: what its conditions mean for a creature now (CRD-2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .changes import Button, Change, Post, Say
from .conditions import Condition, Creature, Rulebook
from .events import TurnStarted
from .publish import level_of, summary_of
from .settings import OFF

TURN_ROLLS = ("attack", "check", "save")

brief = Condition(id="brief", name="Turn", summary="", concerns=lambda it: bool(it.actor.effects))


@lru_cache(maxsize=1024)
def line(book: Rulebook, id: str, level: int) -> Post | None:
    """Return what a condition means for its bearer's turn; none: nothing."""
    condition = book.conditions.get(id)
    if condition is None or not matters(book, condition, level):
        return None
    name = f"{condition.name} {level}" if condition.levels > 1 else condition.name
    summary = summary_of(book, id, level)
    return Post(
        kind="turn",
        say=Say("turn-line", f"{name}: {summary}", {"name": name, "summary": summary}, id, level),
        buttons=tuple(Button(b.id, b.label, b.who) for b in condition.turn_buttons),
        audience=book.settings["cards.turn"],
    )


def matters(book: Rulebook, condition: Condition, level: int) -> bool:
    """Tell whether the condition has anything to say about the creature's own turn."""
    if book.mode(condition.id) == OFF:
        return False
    found = level_of(book, condition, level, None)
    own = any(not m.on_me and m.roll in TURN_ROLLS for m in found.modifiers)
    acts = any(event is TurnStarted for event, *_ in condition.rules)
    return own or acts or found.limits is not None or found.speed is not None


def told(it: Creature, id: str, level: int = 1) -> Post | None:
    """Return what is told of a condition at the start of its bearer's turn; none: nothing."""
    return None if it.settings["cards.turn"] == OFF or it.has("dead") else line(it.book, id, level)


@brief.on(TurnStarted, always=True, order=90)
def tell(event: TurnStarted, it: Creature) -> Iterator[Change]:
    """CRD-2: "one short card for its owner and the GM, with what matters this turn, and none when nothing does"."""
    for id, level in sorted(it.conditions.items()):
        if (post := told(it, id, level)) is not None:
            yield post
