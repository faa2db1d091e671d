"""The one entry point of the engine: what the rules want, now that this happened.

Laws: same input, same decision; every chain of consequences ends; a rule sees the creature as the rules before it
left it.  Nothing here may ask the time, roll dice or talk to anyone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import msgspec
from msgspec import Struct, structs

from .apply import apply
from .causes import causes
from .changes import APPROVAL, Change, Post, Remember, Say, SetCondition, Tell, Use
from .conditions import Condition, Creature, Rulebook
from .events import (
    GM,
    RULE,
    AnyEvent,
    ConditionChanged,
    DiceRolled,
    Event,
    FellDue,
    Given,
    Pressed,
    Rolled,
    TimePassed,
    TurnStarted,
)
from .settings import ASK, AUTO, REMIND
from .state import Actor
from .words import describe

MAX_EVENTS = 512
"""A chain of consequences longer than this is a rule that feeds itself."""


class RulesDidNotSettle(Exception):
    """The rules kept on causing one another."""


class Line(Struct, frozen=True):
    """One thing a rule did, and why.  The table reads this; so does the history."""

    condition: str
    event: Event
    change: Change


class Decision(Struct, frozen=True):
    """What the rules made of the events.  ``changed``: conditions that moved, from first to last level."""

    before: Actor
    after: Actor
    lines: tuple[Line, ...]
    changed: tuple[ConditionChanged, ...] = ()

    @property
    def moved(self) -> bool:
        """Tell whether it changed what is seen of the creature: hit points, Hit Dice or effects."""
        return shape(self.before)[:-1] != shape(self.after)[:-1]

    @property
    def outputs(self) -> list[Change]:
        """The changes that are not seen on the creature: cards, requests, dice, notes to the GM."""
        return [line.change for line in self.lines]


def shape(actor: Actor) -> tuple[object, ...]:
    """Return what of a creature an undo sets back (UND-1); last, what the rules remember."""
    effects = {e.id: (e.statuses, e.disabled, e.mark and structs.replace(e.mark, stamp=0)) for e in actor.effects}
    return actor.hp, actor.hit_dice, effects, actor.memory.notes


def decide(book: Rulebook, actor: Actor, events: Iterable[Event], now: int) -> Decision:
    """Let the rules answer ``events``, and answer each other, until nothing more happens."""
    return _Deliberation(book, actor, now).run(events)


class _Deliberation:
    """One decision in the making."""

    def __init__(self, book: Rulebook, actor: Actor, now: int) -> None:
        self.book = book
        self.before = actor
        self.actor = actor
        self.now = now
        self.lines: list[Line] = []
        self.changed: dict[str, ConditionChanged] = {}
        self.queue: deque[Event] = deque()
        self.handled = 0
        self.approved: set[str] = set()
        """Conditions whose rules the GM has let act in this decision."""
        self._seen: Creature | None = None

    def run(self, events: Iterable[Event]) -> Decision:
        self.queue.extend(events)
        while self.queue:
            event = self.queue.popleft()
            self.answer(event)
            if isinstance(event, TimePassed):
                self.fall_due(event)
        changed = tuple(event for event in self.changed.values() if event.was != event.level)
        return Decision(self.before, self.actor, tuple(self.lines), changed)

    def fall_due(self, event: TimePassed) -> None:
        """TIM-1, INT-9: "A jump is judged in the order in which things fall due."."""
        now, later = self.now, self.queue
        cursor, self.queue = event.since, deque()
        while (due := self.book.dues(self.creature(), cursor)) is not None and due <= event.at:
            cursor = self.now = due
            self.queue.append(FellDue(at=due))
            while self.queue:
                self.answer(self.queue.popleft())
        self.now, self.queue = now, later

    def creature(self) -> Creature:
        seen = self._seen
        if seen is None or seen.actor is not self.actor or seen.now != self.now:
            seen = self._seen = Creature(self.actor, self.book, self.now, seen)
        return seen

    def answer(self, event: Event) -> None:
        self.handled += 1
        if self.handled > MAX_EVENTS:
            message = f"{event} after {MAX_EVENTS} events"
            raise RulesDidNotSettle(message)
        if isinstance(event, ConditionChanged):
            self.note(event)
            self.keep_off(event)
        if isinstance(event, Pressed) and event.button == "approve" and "condition" in event.data:
            self.approve(event)
            return
        answers = list(self.book.rules_for(event, self.creature()))
        if answers and isinstance(event, TurnStarted):
            # TIM-3: "nothing triggers for a turn that has begun before": the stamp outlives the bridge's own store.
            memory = self.actor.memory
            turns = {**memory.turns, event.combat: (event.round, event.turn)}
            self.actor = structs.replace(self.actor, memory=structs.replace(memory, turns=turns))
        for condition, rule in answers:
            if changes := list(rule(event, self.creature())):
                self.obey(condition, event, changes)
        if isinstance(event, ConditionChanged):
            self.leave_behind(event)

    def obey(self, condition: Condition, event: Event, changes: list[Change]) -> None:
        """Carry out what a rule wants, as far as its mode lets it (rules, section 11)."""
        mode = self.book.mode(condition.id)
        if (isinstance(event, Pressed) and event.by == GM) or (mode == ASK and isinstance(event, DiceRolled | Rolled)):
            # Whoever approves need not be asked, nor again when the dice that were approved have come in.
            self.approved.add(condition.id)
        if condition.id in self.approved:
            # What follows from it by the same rule is approved with it.
            mode = AUTO
        acts = [change for change in changes if not isinstance(change, Remember | Tell | Post | Use)]
        if acts and mode in (REMIND, ASK):
            changes = [change for change in changes if change not in acts] if mode == REMIND else []
            changes.append(_proposal(self.book, condition, event, acts, ask=mode == ASK))
        for change in changes:
            self.do(condition.id, event, change)

    def do(self, condition: str, event: Event, change: Change) -> None:
        if isinstance(change, SetCondition):
            # CMB-4: "by hand (GM) or by an item or by implication"; nor by a rule.
            immune = change.condition in self.actor.condition_immunities and not change.forced
            # A rulebook may leave conditions out that the rules of others bring.
            if immune or change.condition not in self.book.conditions:
                return
        before = self.creature()
        after = apply(self.book, self.actor, change)
        self.lines.append(Line(condition, event, change))
        if after is self.actor:
            return
        self.actor = after
        # What the GM says is done by the GM's own hand (INT-16).
        self.queue.extend(causes(before, self.creature(), by=GM if isinstance(event, Given) else RULE))

    def approve(self, event: Pressed) -> None:
        """Carry out what was proposed, on the creature as it is now."""
        condition = self.book.conditions.get(str(event.data.get("condition", "")))
        if condition is None:
            return
        approved = msgspec.convert(event.data.get("event"), AnyEvent)
        self.approved.add(condition.id)
        self.do(condition.id, event, Use(card=event.card, button="approve", say=Say("approved", "Approved.")))
        for owner, rule in list(self.book.rules_for(approved, self.creature())):
            if owner.id == condition.id:
                for change in list(rule(approved, self.creature())):
                    self.do(owner.id, approved, change)

    def note(self, event: ConditionChanged) -> None:
        """Remember the first and last level of each condition that moved, for one line on the card (CRD-1)."""
        first = self.changed.get(event.condition)
        if first is None:
            self.changed[event.condition] = event
        else:
            implied = first.implied and event.implied
            by = event.by if first.by == RULE else first.by
            self.changed[event.condition] = structs.replace(event, was=first.was, implied=implied, by=by)

    def leave_behind(self, event: ConditionChanged) -> None:
        """CMB-3: "Left-behind conditions start with their parent"; a parent that was put back leaves nothing."""
        condition = self.book.conditions.get(event.condition)
        if condition is None or event.was or not event.level:
            return
        for status in condition.left_behind:
            creature = self.creature()
            if not creature.has(condition.id):
                return
            if not creature.has(status) and status not in self.actor.condition_immunities:
                self.do(condition.id, event, SetCondition(condition=status))

    def keep_off(self, event: ConditionChanged) -> None:
        """CMB-8: a derived condition that the GM takes off stays off until what it derives from changes next."""
        condition = self.book.conditions.get(event.condition)
        if condition is None or condition.derived is None or event.by == RULE:
            return
        memory = self.actor.memory
        off = {status for status in memory.off if status != event.condition}
        if not event.level and condition.derived(self.creature()):
            off.add(event.condition)
        if set(memory.off) != off:
            self.actor = structs.replace(self.actor, memory=structs.replace(memory, off=tuple(sorted(off))))


def _proposal(book: Rulebook, condition: Condition, event: Event, acts: list[Change], *, ask: bool) -> Post:
    """Say what the rule would do; in mode ``ask`` with a button that lets it."""
    text = "; ".join(describe(book, act) for act in acts)
    data = {"condition": condition.id, "event": msgspec.to_builtins(event)} if ask else {}
    buttons = APPROVAL if ask else ()
    return Post(
        kind="notice",
        say=Say("proposal", f"{condition.name}: {text}.", {"what": text}, condition=condition.id),
        buttons=buttons,
        data=data,
        audience="gm" if ask else None,
    )
