"""The documents of a simulated world: creatures, combats, cards, the clock.  All values in it are immutable."""

from __future__ import annotations

import msgspec
from msgspec import Struct, structs

from bridge.engine.catalogue import Catalogue
from bridge.engine.state import Actor
from bridge.protocol import (
    AskRoll,
    Button,
    By,
    Card,
    CardState,
    Combat,
    Happening,
    Line,
    Undo,
)

GM = By(user="gm", gm=True, name="Gamemaster")
SCENE = "scene00000000001"
ID_LENGTH = 16
FEET = 5
"""Feet to a square."""


def document_id(text: str) -> str:
    """Return the sixteen letters and digits that Foundry wants, the same for the same text."""
    plain = "".join(c for c in text if c.isascii() and c.isalnum())
    if plain == text and len(text) <= ID_LENGTH and not text.endswith("0"):
        return plain.ljust(ID_LENGTH, "0")
    # Names that differ only in what an id cannot hold must not meet in one id.
    number = 0
    for byte in text.encode():
        number = (number * 257 + byte) % 0xFFFF_FFFF_FFFB
    return (plain[:4] + f"{number:012x}").rjust(ID_LENGTH, "x")[-ID_LENGTH:]


def player_of(key: str) -> By:
    """Return the player who owns the creature with this key."""
    return By(user=f"player-{document_id(key)}", name=f"{key}'s player")


class Message(Struct, frozen=True):
    """A chat message that holds a card, and what its flag remembers.

    ``rows``: what it holds of further creatures (CRD-1).
    """

    card: Card
    done: dict[str, int] = {}
    """Button -> the stamp of its use."""
    outcomes: tuple[Line, ...] = ()
    ask: AskRoll | None = None
    answered: bool = False
    """The roll that it asks for was made."""
    rows: tuple[Message, ...] = ()

    @property
    def cards(self) -> tuple[Message, ...]:
        """All that it shows: its own card, and the rows."""
        return (self, *self.rows)

    def state(self) -> CardState:
        """Return what is sent along with a press."""
        return CardState(id=self.card.id, actor=self.card.actor, data=self.card.data, done=tuple(self.done))

    def button(self, id: str) -> Button | None:
        """Return the button with this id."""
        return next((button for button in self.card.buttons if button.id == id), None)


class Documents(Struct):
    """Everything that Foundry keeps.  ``outbox`` is the flag in which happenings wait until they are acknowledged."""

    clock: int
    actors: dict[str, Actor] = {}
    combats: dict[str, Combat] = {}
    messages: dict[str, Message] = {}
    outbox: dict[str, Happening | Undo] = {}
    spent: dict[str, tuple[tuple[str, int, int], tuple[str, ...]]] = {}
    """Creature -> its turn (combat, round, turn) and what it has used in it."""
    catalogue: Catalogue | None = None
    made: int = 0
    """How many documents got an id of their own."""

    def copy(self) -> Documents:
        """Return a backup."""
        return Documents(
            self.clock,
            dict(self.actors),
            dict(self.combats),
            dict(self.messages),
            dict(self.outbox),
            dict(self.spent),
            self.catalogue,
            self.made,
        )

    def card(self, id: str) -> Message | None:
        """Return the card with this id, also where it is a row of another's message."""
        alone = self.messages.get(id)
        messages = (alone,) if alone else self.messages.values()
        return next((card for message in messages for card in message.cards if card.card.id == id), None)

    def keep(self, card: Message) -> bool:
        """Keep a card in the message of its group; tell whether that is a new one."""
        id = card.card.group or card.card.id
        there = self.messages.get(id)
        if there is None or there.card.id == card.card.id:
            self.messages[id] = card
        else:
            rows = {row.card.id: row for row in there.rows} | {card.card.id: card}
            self.messages[id] = structs.replace(there, rows=tuple(rows.values()))
        return there is None

    def combat_of(self, ref: str) -> Combat | None:
        """Return the running combat in which the creature is, the latest first."""
        for combat in reversed(self.combats.values()):
            if any(combatant.actor == ref for combatant in combat.order):
                return combat
        return None

    def new_id(self, word: str) -> str:
        """Return an id for a document that has none of its own."""
        self.made += 1
        return document_id(f"{word[:8]}{self.made:08d}")


def plain(value: Struct) -> dict[str, object]:
    """Return a message as plain data, for the reader."""
    found: dict[str, object] = msgspec.to_builtins(value)
    return found
