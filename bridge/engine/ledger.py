"""The cause ledger: why a creature has a condition."""

from __future__ import annotations

from msgspec import Struct

from .conditions import Rulebook
from .modifiers import levels_of
from .state import Actor, Timer


class Cause(Struct, frozen=True):
    """One reason: another condition that implies it, or an effect that carries it."""

    implied_by: str | None = None
    effect: str | None = None
    source: str | None = None
    brought_by: str | None = None
    """The rule that brought it, e.g. ``intoxicated``."""
    forced: bool = False
    timer: Timer | None = None

    @property
    def name(self) -> str:
        """The cause in one word: the implying condition, the rule, or ``effect``."""
        return self.implied_by or self.brought_by or "effect"


def why(book: Rulebook, actor: Actor, condition: str) -> list[Cause]:
    """Return every reason why the creature has the condition; none when it has not."""
    levels = levels_of(actor, book.implied)
    if condition not in levels:
        return []
    found = [Cause(implied_by=status) for status in sorted(levels) if condition in book.implied.get(status, ())]
    for effect in actor.effects:
        implied = any(condition in book.implied.get(status, ()) for status in effect.statuses)
        if condition in effect.statuses and not effect.disabled and not implied:
            mark = effect.mark
            found.append(
                Cause(
                    effect=effect.id,
                    source=mark.source if mark else None,
                    brought_by=mark.cause if mark else None,
                    forced=bool(mark and mark.forced),
                    timer=mark.timer if mark else None,
                )
            )
    return found
