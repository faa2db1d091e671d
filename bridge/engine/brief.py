"""The brief at the start of a turn: what its conditions mean for a creature now (CRD-2)."""

from __future__ import annotations

from collections.abc import Iterator

from .changes import Button, Change, Post, Say
from .conditions import Condition, Creature
from .events import TurnStarted
from .publish import level_of, summary_of
from .settings import OFF

TURN_ROLLS = ("attack", "check", "save")

brief = Condition(id="brief", name="Turn", summary="", concerns=lambda it: bool(it.actor.effects))


def matters(it: Creature, condition: Condition) -> bool:
    """Tell whether the condition has anything to say about the creature's own turn."""
    if it.book.mode(condition.id) == OFF:
        return False
    level = level_of(it.book, condition, it.level(condition.id), None)
    own = any(not m.on_me and m.roll in TURN_ROLLS for m in level.modifiers)
    acts = any(event is TurnStarted for event, *_ in condition.rules)
    return own or acts or level.limits is not None or level.speed is not None


@brief.on(TurnStarted, always=True, order=90)
def tell(event: TurnStarted, it: Creature) -> Iterator[Change]:
    """CRD-2: "one short card for its owner and the GM, with what matters this turn, and none when nothing does"."""
    audience = it.settings["cards.turn"]
    if audience == OFF or it.has("dead"):
        return
    for id, level in sorted(it.conditions.items()):
        condition = it.book.conditions.get(id)
        if condition is None or not matters(it, condition):
            continue
        name = f"{condition.name} {level}" if condition.levels > 1 else condition.name
        text = f"{name}: {summary_of(it.book, id, level)}"
        yield Post(
            kind="turn",
            say=Say("turn-line", text, {"name": name, "summary": summary_of(it.book, id, level)}, id, level),
            buttons=tuple(Button(b.id, b.label, b.who) for b in condition.turn_buttons),
            audience=audience,
        )
