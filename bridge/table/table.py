"""The simulated table: a stand-in for Foundry and our module.  It speaks the protocol and does no I/O.

What people do becomes writes and happenings in ``outgoing``; whoever holds the link calls ``take`` and ``receive``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from msgspec import Struct, structs

from bridge.engine.modifiers import refused_healing
from bridge.engine.state import Actor
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
UNKNOWN = "unknown"
NEW = ""
"""The id of a happening that has none yet."""
PAST_THE_GATE = "database"
"""The cause of a write that no client saw, so that no gate judged it."""


class NotDone(Exception):
    """The table itself will not do it; ``code`` is one of the protocol's error codes.

    ``fault``: the scenario got it wrong, unless it expects an error.
    """

    def __init__(self, code: str, message: str, *, fault: bool = True) -> None:
        super().__init__(message)
        self.code = code
        self.fault = fault


class Record(Struct):
    """What the table saw in one step."""

    cards: list[Card] = []
    rows: list[Card] = []
    """What came to a card that stood there already, as a row of it."""
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
        self.clock_in_combat = True
        """A new round moves the clock."""
        self.tokens = 0
        """How many tokens were put down after the start."""
        self.dice = Dice()
        self.record = Record()
        self.linked = False
        self.outgoing: list[Outgoing] = []
        self.own: deque[tuple[int, Outgoing]] = deque(maxlen=2)
        """The last messages that were not echoes of an Apply, as they were sent, each with the life of its session."""
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
            self._put(reaction, by=by)

    def _put(self, actor: Actor, *, cause: Cause | None = None, by: By | None = None, apply: int | None = None) -> None:
        self.documents.actors[actor.id] = actor
        self.show(Picture(0, actors=(actor,), cause=cause, by=by, apply=apply))

    def show(self, picture: Picture) -> None:
        """Queue a picture.  Without a link nobody sees it: the whole world is shown when the link is back."""
        if self.linked:
            self.outgoing.append(picture)

    def combat_write(self, combat: Combat, *, by: By | None = GM) -> None:
        """Write a combat and show it whole."""
        self.documents.combats[combat.id] = combat
        self.show(Picture(0, combats=(combat,), by=by))

    def clock_write(self, seconds: int) -> None:
        """Move the clock."""
        if seconds:
            self.documents.clock += seconds
            self.show(Picture(0, clock=self.documents.clock))

    def gone(self, refs: Iterable[str]) -> None:
        """Delete creatures."""
        known = tuple(ref for ref in refs if self.documents.actors.pop(ref, None))
        if known:
            self.show(Picture(0, gone=known, by=GM))

    def happen(self, happening: Happening) -> None:
        """Give it an id and the time, keep it in the outbox, and send it when there is a link."""
        id = f"h{self._life}-{self.documents.new_id('h')}"
        self.post(structs.replace(happening, id=id, at=self.documents.clock))

    def post(self, happening: Happening | Undo) -> None:
        """Put it in the outbox; it stays there until it is acknowledged."""
        self.documents.outbox[happening.id] = happening
        if self.linked:
            self.outgoing.append(happening)

    # The gate.

    def change(self, before: Actor, after: Actor, cause: str, *, by: By, label: str = "") -> None:
        """Change hit points on a client: what the gate refuses is not written, and is reported (BLD-10)."""
        if cause == PAST_THE_GATE:
            self.write(after, cause=Cause())
            return
        kind = Cause(kind=cause, label=label)
        refused = self._refused(before, after, cause)
        if refused and after.hp is not None:
            after = structs.replace(after, hp=structs.replace(after.hp, value=after.hp.value - refused))
        self.write(after, cause=kind, by=by)
        if refused:
            self.refuse(after.id, refused)
            self.happen(Refused(0, NEW, after.id, by, amount=refused, cause=kind))

    def _refused(self, before: Actor, after: Actor, cause: str) -> int:
        catalogue = self.documents.catalogue
        if catalogue is None or before.hp is None or after.hp is None:
            return 0
        if cause == UNKNOWN and _restored(before, after):
            # BLD-12: a rest by another module; the bridge says of which kind.
            return 0
        return refused_healing(catalogue, before, before.hp, after.hp, cause)

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
            page_shown = Picture(
                0,
                actors=part,
                combats=tuple(self.documents.combats.values()) if first else (),
                clock=self.documents.clock if first else None,
                page=number,
                pages=len(parts),
            )
            self.show(page_shown)
        self.outgoing += self.documents.outbox.values()

    def again(self, count: int) -> list[Outgoing] | None:
        """Return the last messages as they were sent, the newest first; none when there were not so many.

        What an earlier session sent is not sent as it was: a happening goes out once more with a number of this
        session, and a picture was replaced by the whole world.
        """
        last = list(self.own)[-count:]
        if len(last) < count:
            return None
        self.outgoing += [
            message for life, message in reversed(last) if life != self._life and not isinstance(message, Picture)
        ]
        return [message for life, message in reversed(last) if life == self._life]

    def disconnected(self) -> None:
        """Forget what was about to be shown; happenings stay in the outbox."""
        self.linked = False
        self.outgoing.clear()

    def counted(self, n: int | None) -> None:
        """A message that is not ours took this number."""
        if n == self._n + 1:
            self._n = n

    def take(self) -> list[Outgoing]:
        """Return what is to be sent now, numbered."""
        found: list[Outgoing] = []
        for message in self.outgoing:
            self._n += 1
            numbered: Outgoing = structs.replace(message, n=self._n)
            found.append(numbered)
            if isinstance(numbered, Picture):
                empty = not (numbered.actors or numbered.gone or numbered.combats or numbered.ended)
                echo = numbered.apply is not None or numbered.pages > 0 or (empty and numbered.clock is None)
            else:
                echo = isinstance(numbered, Failed)
                if not isinstance(numbered, Failed):
                    self._sent[numbered.id] = self._n
            if not echo:
                self.own.append((self._life, numbered))
        self.outgoing.clear()
        self.record.story += found
        return found


def _restored(before: Actor, after: Actor) -> bool:
    """Tell whether Hit Dice came back."""
    return any(dice.left > before.hit_dice[key].left for key, dice in after.hit_dice.items() if key in before.hit_dice)
