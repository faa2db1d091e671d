"""The simulated table: a stand-in for Foundry and our module.  It speaks the protocol and does no I/O.

What people do becomes writes and happenings in ``outgoing``; whoever holds the link calls ``take`` and ``receive``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import Struct, structs

from bridge.engine.modifiers import refused_healing
from bridge.engine.state import Actor, HitPoints
from bridge.protocol import (
    AskRoll,
    By,
    Card,
    Cause,
    Combat,
    Error,
    Failed,
    FromBridge,
    Happening,
    Operation,
    Picture,
    Refused,
    Undo,
)
from bridge.protocol import Table as About

from .dice import Dice
from .documents import GM, Documents, player_of
from .foundry import after_write
from .scenario import Sheet

Outgoing = Picture | Happening | Undo | Failed
H = TypeVar("H")
PAST_THE_GATE = "database"
"""The cause of a write that no client saw, so that no gate judged it."""


class NotDone(Exception):
    """The table itself will not do it; ``code`` is one of the protocol's error codes."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Record(Struct):
    """What the table saw in one step."""

    cards: list[Card] = []
    refused: dict[str, int] = {}
    asked: list[AskRoll] = []
    denied: bool = False
    operations: list[tuple[str, Operation]] = []
    errors: list[Error] = []
    story: list[Outgoing | FromBridge] = []
    """All messages of the step, both ways, in order."""


class Table:
    """Documents, and the module that shows them to the bridge."""

    def __init__(self, about: About, documents: Documents, keys: dict[str, str]) -> None:
        self.about = about
        self.documents = documents
        self.keys = keys
        """Key of ``[actors]`` -> reference of the creature."""
        self.sheets: dict[str, Sheet] = {}
        self.tokenless: set[str] = set()
        """Creatures whose token was removed."""
        self.tokens = 0
        """How many tokens were put down after the start."""
        self.dice = Dice()
        self.record = Record()
        self.linked = False
        self.outgoing: list[Outgoing] = []
        self.own: deque[Outgoing] = deque(maxlen=2)
        """The last messages that were not echoes of an Apply, as they were sent."""
        self._n = 0
        self._sent: dict[str, int] = {}
        self._life = 0

    # Who is who.

    def actor(self, key: str) -> Actor:
        """Return the creature with this key."""
        found = self.documents.actors.get(self.keys.get(key, ""))
        if found is None:
            message = f"there is no creature {key!r} at the table"
            raise NotDone("unknown-actor", message)
        return found

    def key_of(self, ref: str) -> str | None:
        """Return the key of a creature."""
        return next((key for key, known in self.keys.items() if known == ref), None)

    def hand_of(self, key: str) -> By:
        """Return who plays the creature: its player, or the GM."""
        return player_of(key) if self.actor(key).owned else GM

    def acknowledged(self, n: int) -> None:
        """Forget the happenings that the bridge has on disk."""
        for id in [id for id, sent in self._sent.items() if sent <= n]:
            del self._sent[id]
            self.documents.outbox.pop(id, None)

    # Writing, and showing what was written.

    def write(
        self, actor: Actor, *, cause: Cause | None = None, by: By | None = None, apply: int | None = None
    ) -> None:
        """Write a creature in one Foundry write; what Foundry does in answer follows as writes of its own."""
        before = self.documents.actors.get(actor.id)
        if before == actor:
            return
        self._put(actor, cause=cause, by=by, apply=apply)
        for reaction in after_write(before, actor, native_bloodied=self.about.native_bloodied):
            self._put(reaction)

    def _put(
        self, actor: Actor, *, cause: Cause | None = None, by: By | None = None, apply: int | None = None
    ) -> None:
        self.documents.actors[actor.id] = actor
        self.show(actors=(actor,), cause=cause, by=by, apply=apply)

    def show(self, **fields: Any) -> None:
        """Queue a picture.  Without a link nobody sees it: the whole world is shown when the link is back."""
        if self.linked:
            self.outgoing.append(Picture(n=0, **fields))

    def combat_write(self, combat: Combat, *, by: By | None = GM) -> None:
        """Write a combat and show it whole."""
        self.documents.combats[combat.id] = combat
        self.show(combats=(combat,), by=by)

    def clock_write(self, seconds: int) -> None:
        """Move the clock."""
        if seconds:
            self.documents.clock += seconds
            self.show(clock=self.documents.clock)

    def gone(self, refs: Iterable[str]) -> None:
        """Delete creatures."""
        known = tuple(ref for ref in refs if self.documents.actors.pop(ref, None))
        if known:
            self.show(gone=known, by=GM)

    def happen(self, kind: type[H], ref: str, by: By, **fields: Any) -> H:
        """Keep a happening in the outbox, and send it when there is a link."""
        id = f"h{self._life}-{self.documents.new_id('h')}"
        happening: Any = kind(n=0, id=id, actor=ref, by=by, at=self.documents.clock, **fields)  # type: ignore[call-arg]
        self.post(happening)
        return happening  # type: ignore[no-any-return]

    def post(self, happening: Happening | Undo) -> None:
        """Put it in the outbox; it stays there until it is acknowledged."""
        self.documents.outbox[happening.id] = happening
        if self.linked:
            self.outgoing.append(happening)

    # The gate.

    def change_hit_points(self, actor: Actor, after: HitPoints, cause: str, *, by: By, label: str = "", **more: Any) -> None:
        """Change hit points on a client: what the gate refuses is not written, and is reported (BLD-10)."""
        before = actor.hp
        if before is None:
            return
        refused = 0
        if self.documents.catalogue is not None and cause != PAST_THE_GATE:
            refused = refused_healing(self.documents.catalogue, actor, before, after, cause)
        kind = Cause() if cause == PAST_THE_GATE else Cause(kind=cause, label=label)
        after = structs.replace(after, value=after.value - refused)
        self.write(structs.replace(actor, hp=after, **more), cause=kind, by=None if cause == PAST_THE_GATE else by)
        if refused:
            self.refuse(actor.id, refused)
            self.happen(Refused, actor.id, by, amount=refused, cause=kind)

    def refuse(self, ref: str, amount: int) -> None:
        """Note hit points that were refused in this step."""
        self.record.refused[ref] = self.record.refused.get(ref, 0) + max(0, amount)

    # The link.

    def connected(self, *, page: int) -> None:
        """Show the whole world in pages, then what waited in the outbox."""
        self._n = 0
        self._sent.clear()
        self._life += 1
        self.linked = True
        self.outgoing.clear()
        actors = tuple(self.documents.actors.values())
        parts = [actors[i : i + page] for i in range(0, len(actors), page)] or [()]
        for number, part in enumerate(parts, 1):
            first = number == 1
            self.show(
                actors=part,
                combats=tuple(self.documents.combats.values()) if first else (),
                clock=self.documents.clock if first else None,
                page=number,
                pages=len(parts),
            )
        self.outgoing += self.documents.outbox.values()

    def disconnected(self) -> None:
        """Forget what was about to be shown; happenings stay in the outbox."""
        self.linked = False
        self.outgoing.clear()

    def take(self) -> list[Outgoing]:
        """Return what is to be sent now, numbered."""
        found: list[Outgoing] = []
        for message in self.outgoing:
            self._n += 1
            numbered: Outgoing = structs.replace(message, n=self._n)
            found.append(numbered)
            if isinstance(numbered, Picture):
                echo = numbered.apply is not None or numbered.pages > 0
            else:
                echo = isinstance(numbered, Failed)
                if not isinstance(numbered, Failed):
                    self._sent[numbered.id] = self._n
            if not echo:
                self.own.append(numbered)
        self.outgoing.clear()
        self.record.story += found
        return found
