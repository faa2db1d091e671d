"""A simulated table whose books can be balanced without asking the engine.

Bleeding creatures are refused healing; the GM allows some of it, and edits hit points by hand.  Whatever breaks on the
way: every refusal has one card, and every creature has what was granted, once.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

from msgspec import structs

from bridge.engine.apply import static_id
from bridge.engine.state import Actor, Effect, HitPoints
from bridge.protocol import By, Cause, Pressed, Refused
from bridge.protocol import Table as About
from bridge.table.documents import GM, Documents
from bridge.table.table import NEW, Table
from bridge.world.memory import MOST_SEEN

START = 500_000
PLAYER = By("player", name="A player")


class Noting(Table):
    """A table that notes which happenings were acknowledged."""

    def __init__(self, about: About, documents: Documents, keys: dict[str, str]) -> None:
        super().__init__(about, documents, keys)
        self._acked: dict[str, None] = {}

    def acknowledged(self, n: int) -> None:
        self._acked.update((id, None) for id, sent in self._sent.items() if sent <= n)
        super().acknowledged(n)

    @property
    def acked(self) -> set[str]:
        """The newest ids that were acknowledged: a bridge forgets what is older than the last ``MOST_SEEN``."""
        return {*islice(reversed(self._acked), MOST_SEEN // 2)}


class Ledger:
    """Traffic of one world, and what must have come of it."""

    def __init__(self, world: str, seed: int, creatures: int = 4) -> None:
        self.random = random.Random(seed)
        bleeding = Effect(static_id("bleeding"), ("bleeding",), name="Bleeding")
        actors = [
            Actor(f"Actor.c{number}", f"c{number}", hp=HitPoints(START, 2 * START), effects=(bleeding,), owned=True)
            for number in range(creatures)
        ]
        keys = {actor.name: actor.id for actor in actors}
        self.table = Noting(About(world, "Saltmarsh"), Documents(0, {actor.id: actor for actor in actors}), keys)
        self.expected = {actor.id: START for actor in actors}
        self.refused: list[int] = []
        self._pressed: set[str] = set()
        self._amounts = 0

    def act(self, count: int = 1) -> None:
        """Let things happen at the table."""
        for _ in range(count):
            self.random.choice((self._refuse, self._refuse, self._allow, self._edit))()

    def problems(self) -> list[str]:
        """Return where the books do not balance; nothing may be on its way."""
        documents = self.table.documents
        found = [f"{len(documents.outbox)} happenings still wait"] if documents.outbox else []
        for id, hp in self.expected.items():
            shown = documents.actors[id].hp
            if shown is None or shown.value != hp:
                found.append(f"{id} has {shown.value if shown else None} hit points instead of {hp}")
        cards = Counter(m.card.data["refused"] for m in documents.messages.values() if m.card.kind == "refusal")
        wanted = Counter(self.refused)
        found += [
            f"{wanted[amount]} refusals of {amount} have {cards[amount]} cards"
            for amount in wanted | cards
            if cards[amount] != wanted[amount]
        ]
        return found

    def _amount(self) -> int:
        """Return hit points that no other change has in a while: two equal ones at one moment cannot be told apart."""
        self._amounts += 1
        return self._amounts * 7919 % 997 + 1

    def _somebody(self) -> Actor:
        return self.random.choice(list(self.table.documents.actors.values()))

    def _refuse(self) -> None:
        amount = self._amount()
        self.refused.append(amount)
        self.table.happen(Refused(0, NEW, self._somebody().id, PLAYER, amount=amount, cause=Cause("spell")))

    def _allow(self) -> None:
        cards = [m for m in self.table.documents.messages.values() if m.card.kind == "refusal"]
        cards = [m for m in cards if m.card.id not in self._pressed]
        if not cards:
            return
        message = self.random.choice(cards)
        self._pressed.add(message.card.id)
        self.expected[message.card.actor] += message.card.data["refused"]
        self.table.happen(Pressed(0, NEW, message.card.actor, GM, button="allow", card=message.state()))

    def _edit(self) -> None:
        actor, amount = self._somebody(), self._amount()
        assert actor.hp is not None
        if self.expected[actor.id] > START:
            # What was granted is hurt again: a maximum that is reached would hide what is granted twice.
            amount = -amount
        self.expected[actor.id] += amount
        hp = structs.replace(actor.hp, value=actor.hp.value + amount)
        self.table.write(structs.replace(actor, hp=hp), cause=Cause("gm-edit"), by=GM)
