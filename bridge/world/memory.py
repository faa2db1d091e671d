"""What the bridge remembers of a world, as rows: losing it loses history, never the game (design, law 1)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from bridge.engine.changes import Say
from bridge.engine.events import AnyEvent, ConditionChanged
from bridge.engine.state import Actor
from bridge.protocol import Card, Table
from bridge.world.clock import Clock
from bridge.world.row import Row
from bridge.world.turns import Fight

_encoder = msgspec.json.Encoder()
MOST_SEEN = 4096
"""Happenings, presses and answers that are known to have been taken; older ones are forgotten."""
MOST_WAITING = 200
"""Cards whose buttons the GM can press from the console, too."""
MOST_DENIED = 5
"""For each creature: what was refused to it, or did nothing."""
MOST_AREAS = 64
"""Uses of items whose effects may still come to further creatures."""
MOST_HISTORY = 1000
"""Decisions that can be looked up and undone."""


class Pending(Struct, frozen=True):
    """Events that wait for the receipt of their answer.  ``now``: world time when they arrived."""

    id: int
    actor: str
    events: tuple[AnyEvent, ...]
    now: int
    gap: bool = False
    tries: int = 0
    group: int = 0
    """What one time jump, one rest or one area did is one group (UND-1); its own id when it stands alone."""
    area: bool = False
    """The group is what one word or one use did to several creatures: its cards are one (CRD-1)."""


class Flight(Struct, frozen=True):
    """An answer on its way to Foundry: what the creature was, and what it should be once that is done."""

    id: int
    before: Actor
    after: Actor


class Chapter(Struct, frozen=True):
    """A decision in the history."""

    id: int
    actor: str
    at: int
    before: Actor
    after: Actor
    lines: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    """What had happened, and by whom."""
    rules: tuple[str, ...] = ()
    """Whose rules answered it, as ids of conditions."""
    changed: tuple[ConditionChanged, ...] = ()
    cards: tuple[str, ...] = ()
    group: int = 0
    undone: bool = False
    undoes: int = 0
    """The group that it took back."""
    damaged: bool = False
    """Damage went through the system: what it left is known when Foundry shows it."""


class Denied(Struct, frozen=True):
    """Why something that happened to a creature did nothing.  ``id``: its decision; 0 where no rule answered."""

    id: int
    at: int
    say: Say
    card: str = ""
    """The card that says so."""


class Waiting(Struct, frozen=True):
    """A card with a button that is still to be pressed."""

    card: Card
    at: int


class Jump(Struct, frozen=True):
    """The last move of the clock, and the group of what it did."""

    since: int
    to: int
    group: int


class Area(Struct, frozen=True):
    """The group of what one use of an item puts on creatures, and when that began."""

    group: int
    at: int


class Basics(Struct):
    """The few things of which there is one in a world."""

    last: int = 0
    """The newest id given to events."""
    clock: Clock | None = None
    """None until the world was seen for the first time."""
    jump: Jump | None = None
    table: Table | None = None
    rests_told: bool = False
    """The GM was told that another module rests creatures without a message (BLD-12)."""


class Memory:
    """All that is kept, and which rows of it have changed since they were last taken."""

    def __init__(self, journal: str, rows: Iterable[Row] = ()) -> None:
        self.journal = journal
        self.basics = Basics()
        self.actors: dict[str, Actor] = {}
        self.fights: dict[str, Fight] = {}
        self.pending: dict[str, list[Pending]] = {}
        self.flights: dict[str, Flight] = {}
        self.seen: dict[str, None] = {}
        self.asked: dict[str, str] = {}
        self.history: dict[int, Chapter] = {}
        self.denied: dict[str, tuple[Denied, ...]] = {}
        self.waiting: dict[str, Waiting] = {}
        self.areas: dict[str, Area] = {}
        """Use of an item -> what it has done."""
        self._changed: dict[tuple[str, str], Any] = {}
        self._unsaved: dict[int, None] = {}
        """Pending events that no row tells of yet: answered at once, none has to."""
        self._told = ""
        """The journal's name as the last row said it."""
        for row in rows:
            if row.value is not None:
                self._load(row.kind, row.key, row.value)
        for queue in self.pending.values():
            queue.sort(key=lambda pending: pending.id)
        self.history = dict(sorted(self.history.items()))

    def _load(self, kind: str, key: str, value: bytes) -> None:
        match kind:
            case "basics":
                self.basics = _decode(value, Basics)
            case "journal":
                self._told = self.journal = _decode(value, str)
            case "actor":
                self.actors[key] = _decode(value, Actor)
            case "fight":
                self.fights[key] = _decode(value, Fight)
            case "pending":
                pending = _decode(value, Pending)
                self.pending.setdefault(pending.actor, []).append(pending)
            case "flight":
                self.flights[key] = _decode(value, Flight)
            case "seen":
                self.seen[key] = None
            case "asked":
                self.asked[key] = _decode(value, str)
            case "decision":
                self.history[int(key)] = _decode(value, Chapter)
            case "denied":
                self.denied[key] = _decode(value, tuple[Denied, ...])
            case "waiting":
                self.waiting[key] = _decode(value, Waiting)
            case "area":
                self.areas[key] = _decode(value, Area)
            case _:
                # A newer bridge wrote it; it is kept on disk and left alone.
                pass

    def take(self) -> list[Row]:
        """Return the rows that have changed since the last call."""
        rows = [
            Row(kind, key, None if value is None else _encoder.encode(value))
            for (kind, key), value in self._changed.items()
        ]
        self._changed.clear()
        self._unsaved.clear()
        return rows

    def keep_basics(self) -> None:
        """Mark the basics as changed."""
        self._changed["basics", ""] = self.basics
        if self.journal != self._told:
            self._changed["journal", ""] = self._told = self.journal

    def next_id(self) -> int:
        """Return a new id for events; ids never repeat in a world."""
        self.basics.last += 1
        self.keep_basics()
        return self.basics.last

    def keep_actor(self, actor: Actor) -> None:
        """Keep the newest picture of a creature."""
        self.actors[actor.id] = actor
        self._changed["actor", actor.id] = actor

    def drop_actor(self, id: str) -> None:
        """Forget a creature that is gone, and what was pending for it."""
        self.actors.pop(id, None)
        self._changed["actor", id] = None
        for pending in self.pending.pop(id, []):
            self._forget(pending.id)
        self.drop_flight(id)
        if self.denied.pop(id, None) is not None:
            self._changed["denied", id] = None
        for card in [card for card, waiting in self.waiting.items() if waiting.card.actor == id]:
            self.drop_waiting(card)

    def keep_fight(self, fight: Fight) -> None:
        """Keep the newest picture of a combat."""
        self.fights[fight.combat.id] = fight
        self._changed["fight", fight.combat.id] = fight

    def drop_fight(self, id: str) -> None:
        """Forget a combat that is over."""
        self.fights.pop(id, None)
        self._changed["fight", id] = None

    def keep_pending(self, pending: Pending) -> None:
        """Queue events of a creature, or replace the entry with the same id."""
        queue = self.pending.setdefault(pending.actor, [])
        if not queue or queue[-1].id < pending.id:
            queue.append(pending)
            self._unsaved[pending.id] = None
        else:
            place = bisect_left(queue, pending.id, key=lambda old: old.id)
            queue[place : place + (queue[place].id == pending.id)] = [pending]
        self._changed["pending", str(pending.id)] = pending

    def drop_pending(self, actor: str, up_to: int) -> None:
        """Forget events that have been answered: all up to this id."""
        queue = self.pending.get(actor)
        while queue and queue[0].id <= up_to:
            self._forget(queue.pop(0).id)
        if queue is not None and not queue:
            del self.pending[actor]

    def _forget(self, pending: int) -> None:
        if pending in self._unsaved:
            self._changed.pop(("pending", str(pending)), None)
        else:
            self._changed["pending", str(pending)] = None

    def keep_flight(self, actor: str, flight: Flight) -> None:
        """Keep an answer that is on its way."""
        self.flights[actor] = flight
        self._changed["flight", actor] = flight

    def drop_flight(self, actor: str) -> None:
        """Forget an answer that has arrived, or failed."""
        if self.flights.pop(actor, None) is not None:
            self._changed["flight", actor] = None

    def first_time(self, key: str) -> bool:
        """Tell whether this happening, press or answer is new; remember it."""
        if key in self.seen:
            return False
        self.seen[key] = None
        self._changed["seen", key] = True
        while len(self.seen) > MOST_SEEN:
            oldest = next(iter(self.seen))
            del self.seen[oldest]
            self._changed["seen", oldest] = None
        return True

    def keep_asked(self, request: str, actor: str) -> None:
        """Remember a roll or dice that were asked for."""
        self.asked[request] = actor
        self._changed["asked", request] = actor
        while len(self.asked) > MOST_SEEN:
            self.drop_asked(next(iter(self.asked)))

    def drop_asked(self, request: str) -> None:
        """The roll has come in."""
        if self.asked.pop(request, None) is not None:
            self._changed["asked", request] = None

    def keep_denied(self, actor: str, denied: Denied) -> None:
        """Remember why something did nothing; what is decided afresh is said once."""
        others = [
            old
            for old in self.denied.get(actor, ())
            if not denied.id or (old.id, old.say.key) != (denied.id, denied.say.key)
        ]
        self.denied[actor] = (*others, denied)[-MOST_DENIED:]
        self._changed["denied", actor] = self.denied[actor]

    def keep_waiting(self, waiting: Waiting) -> None:
        """Remember a card that waits for the GM."""
        self.waiting[waiting.card.id] = waiting
        self._changed["waiting", waiting.card.id] = waiting
        while len(self.waiting) > MOST_WAITING:
            self.drop_waiting(next(iter(self.waiting)))

    def drop_waiting(self, card: str) -> None:
        """A button of the card was pressed."""
        if self.waiting.pop(card, None) is not None:
            self._changed["waiting", card] = None

    def keep_area(self, use: str, area: Area) -> None:
        """Remember what a use has begun to do."""
        self.areas.pop(use, None)
        self.areas[use] = area
        self._changed["area", use] = area
        while len(self.areas) > MOST_AREAS:
            self._drop_area(next(iter(self.areas)))

    def drop_areas(self, group: int) -> None:
        """The group was undone: what the same use does from now on is another one."""
        for use in [use for use, area in self.areas.items() if area.group == group]:
            self._drop_area(use)

    def _drop_area(self, use: str) -> None:
        del self.areas[use]
        self._changed["area", use] = None

    def keep_chapter(self, chapter: Chapter) -> None:
        """Add a decision to the history, or change it there."""
        self.history[chapter.id] = chapter
        self._changed["decision", f"{chapter.id}"] = chapter
        while len(self.history) > MOST_HISTORY:
            oldest = next(iter(self.history))
            del self.history[oldest]
            self._changed["decision", f"{oldest}"] = None


def _decode(value: bytes, shape: Any) -> Any:  # noqa: ANN401  # any type that a row may hold
    return msgspec.json.decode(value, type=shape)
