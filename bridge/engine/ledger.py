"""The cause ledger: why a creature has a condition, and why what happened last did nothing to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from .changes import Post, Say, Tell
from .conditions import Creature, Rulebook
from .decide import Decision
from .events import Event
from .modifiers import levels_of
from .settings import ASK, OFF, REMIND
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


def why_not(it: Creature, events: Iterable[Event], decision: Decision | None) -> Iterator[Say]:
    """Say why healing was refused, or why a drink, a meal or a roll has changed nothing.

    ``it``: the creature as the decision left it; without a decision no rule has answered at all.
    """
    outputs = decision.outputs if decision else []
    moved = {event.condition for event in decision.changed} if decision else set()
    for change in outputs:
        if isinstance(change, Tell):
            yield change.say
        if isinstance(change, Post) and change.kind == "refusal" and change.say:
            yield change.say
    for event in events:
        for condition, excuse in it.book.excuses.get(type(event), ()):
            mode = it.book.mode(condition.id)
            if mode == OFF:
                yield Say("rule-off", f"{condition.name} is switched off in the house rules.", condition=condition.id)
            elif mode in (REMIND, ASK):
                text = f"{condition.name} is not automatic here: the card says what to do."
                yield Say("rule-asks", text, condition=condition.id)
            elif condition.id not in moved and (say := excuse(event, it)) is not None:
                yield say
