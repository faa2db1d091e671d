"""Damage each turn, and out of combat every six seconds: what Ignited does, for a condition from a file."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bridge.engine.changes import Change, Post, Remember, RollDice, Say, TakeDamage
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import (
    ClockSetBack,
    ConditionChanged,
    DiceRolled,
    Event,
    Seen,
    TimePassed,
    TurnEnded,
    TurnStarted,
)
from bridge.engine.timers import lasts_until

from .file import DamageItem

EVERY = 6
MOST_ROLLS = 10
REASON = "harm:"
"""Reason of the dice of such damage: this and the condition's id."""


class Notes(Struct, frozen=True, omit_defaults=True):
    """Since when it hurts, and until when that is paid for, in seconds of world time."""

    since: int | None = None
    paid: int | None = None


class Harm:
    """The damage of one condition."""

    def __init__(self, condition: Condition, item: DamageItem) -> None:
        self.condition = condition
        self.item = item

    def hang(self) -> None:
        """Hang its rules on the condition."""
        on = self.condition.on
        # A condition that is over still answers for dice that were thrown, and forgets its clock.
        on(DiceRolled, always=True)(self.hurt)
        on(TurnStarted if self.item.at == "start" else TurnEnded, order=5)(self.turn)
        if self.item.out_of_combat:
            on(ConditionChanged, always=True)(self.begin)
            on(Seen)(self.begin)
            on(TimePassed)(self.pass_time)
            on(ClockSetBack)(self.set_back)
            self.condition.due(self.next)

    def formula(self, level: int) -> str:
        """Return the dice at a level; the last of the list for those beyond it."""
        formula = self.item.formula
        return formula if isinstance(formula, str) else formula[min(level, len(formula)) - 1]

    def roll(self, it: Creature) -> RollDice:
        """Ask for the dice."""
        id, name = self.condition.id, self.condition.name
        formula = self.formula(max(1, it.level(id)))
        text = f"{name}: {formula} {self.item.type} damage."
        say = Say("harm", text, {"formula": formula, "type": self.item.type, "name": name}, condition=id)
        return RollDice(formula=formula, reason=f"{REASON}{id}", say=say)

    def hurt(self, event: DiceRolled, it: Creature) -> Iterator[Change]:
        """Deal it through the system, so that resistances count."""
        if event.reason == f"{REASON}{self.condition.id}" and event.total > 0:
            yield TakeDamage(amount=event.total, type=self.item.type)

    def turn(self, event: Event, it: Creature) -> Iterator[Change]:
        """Hurt once a turn, the living."""
        if not it.has("dead"):
            yield self.roll(it)

    def begin(self, event: ConditionChanged | Seen, it: Creature) -> Iterator[Change]:
        """Begin to count, or forget it."""
        id = self.condition.id
        if isinstance(event, ConditionChanged) and event.condition != id:
            return
        notes = it.notes(id, Notes)
        if not it.has(id):
            if notes != Notes():
                yield Remember(condition=id, notes=None)
        elif notes.since is None or (isinstance(event, Seen) and event.foreign):
            yield Remember(condition=id, notes=Notes(it.now, it.now))

    def next(self, it: Creature, after: int) -> int | None:
        """Return the next multiple of six seconds after its start."""
        notes = it.notes(self.condition.id, Notes)
        if notes.since is None or it.actor.combat is not None or not it.has(self.condition.id) or it.has("dead"):
            return None
        paid = max(after, notes.paid if notes.paid is not None else notes.since)
        return notes.since + EVERY * ((paid - notes.since) // EVERY + 1)

    def pass_time(self, event: TimePassed, it: Creature) -> Iterator[Change]:
        """Out of combat: every six seconds, at most ten rolls for one jump; in a combat its turns have paid for it."""
        id = self.condition.id
        notes = it.notes(id, Notes)
        if notes.since is None:
            return
        paid = max(event.since, notes.paid if notes.paid is not None else notes.since)
        if event.at <= paid:
            return
        yield Remember(condition=id, notes=Notes(notes.since, event.at))
        if it.actor.combat is not None or it.has("dead"):
            return
        until = max(paid, lasts_until(it, id, event.at))
        count = (until - notes.since) // EVERY - (paid - notes.since) // EVERY
        for _ in range(min(count, MOST_ROLLS)):
            yield self.roll(it)
        if count > MOST_ROLLS:
            rest = count - MOST_ROLLS
            text = f"{self.condition.name}: {rest} more times 6 seconds have passed: not rolled."
            yield Post(
                kind="notice",
                say=Say("harm-on", text, {"count": rest, "name": self.condition.name}, condition=id),
                audience="gm",
            )

    def set_back(self, event: ClockSetBack, it: Creature) -> Iterator[Change]:
        """TIM-5: a start that now lies in the future becomes now; what has hurt stays paid for."""
        notes = it.notes(self.condition.id, Notes)
        if notes.since is not None and notes.since > event.at:
            yield Remember(condition=self.condition.id, notes=Notes(event.at, notes.paid))
