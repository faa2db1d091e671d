"""What a store must do.  SQLite is one; every other one passes the same contract test.

A store is used by one thread at a time (it locks inside), and ``append_many`` is all-or-nothing.  When ``append_many``
raises, its outcome is **unknown**: call ``reopen`` and read again, never assume that nothing was written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from bridge.world.row import Row


class Client(Struct, frozen=True):
    """One paired browser.  Times in Unix seconds, for people only.  Its key is not here: it is derived (``auth``)."""

    id: str
    world: str
    origin: str
    user: str
    name: str = ""
    world_name: str = ""
    created: int = 0
    seen: int = 0
    revoked: int = 0
    """When it was revoked; 0: it was not."""


Write = tuple[str, Row] | Client
"""One change: a world's id with a row of it (no value: delete it), or a client."""


class Store(ABC):
    """A durable map of rows per world, the clients, and a few named values."""

    @abstractmethod
    def load(self, world: str) -> list[Row]:
        """Return all rows of a world, in the order in which they were first written."""

    @abstractmethod
    def append_many(self, writes: Sequence[Write]) -> None:
        """Commit all of it, or nothing; on return it is on disk."""

    @abstractmethod
    def worlds(self) -> list[str]:
        """Return the ids of all worlds that have rows."""

    @abstractmethod
    def clients(self) -> list[Client]:
        """Return every client, revoked ones included, the oldest first."""

    @abstractmethod
    def forget(self, world: str) -> None:
        """Delete a world's rows and its clients."""

    @abstractmethod
    def meta(self, key: str) -> bytes | None:
        """Return a named value."""

    @abstractmethod
    def set_meta(self, key: str, value: bytes | None) -> None:
        """Keep a named value; ``None`` deletes it."""

    @abstractmethod
    def backup(self, file: Path) -> None:
        """Write a whole and checked copy to this file, at once or not at all; others may go on writing meanwhile."""

    @abstractmethod
    def tidy(self) -> None:
        """Do house-keeping; called from time to time while nothing waits to be written."""

    @abstractmethod
    def reopen(self) -> None:
        """Start afresh after an error."""

    @abstractmethod
    def close(self) -> None:
        """Close; the store cannot be used any more.  A second time does nothing."""
