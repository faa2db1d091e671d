"""The bridge as a process of its own, as it is or weakened: ``python -m tests.reliability.build FOLDER [WEAKNESS]``.

A weakened build is what proves that a test can fail.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from bridge.connection import Connection
from bridge.memory import Memory
from bridge.process import run
from bridge.session import Output
from bridge.settings import Settings
from bridge.store.base import Write
from bridge.store.sqlite import SqliteStore


def acks_early() -> None:
    """Acknowledge before it is on disk."""

    def deliver(self: Connection, output: Output) -> None:
        self._journal.submit(self.session.world, output.writes, lambda: None)
        self._pass_on(output)

    def append_many(self: SqliteStore, writes: Sequence[Write]) -> None:
        time.sleep(0.05)
        commit(self, writes)

    commit = SqliteStore.append_many
    Connection._deliver = deliver  # type: ignore[method-assign]
    SqliteStore.append_many = append_many  # type: ignore[method-assign]


def sees_twice() -> None:
    """Take everything that comes for new."""
    Memory.first_time = lambda self, key: True  # type: ignore[method-assign]  # noqa: ARG005


WEAKNESSES: dict[str, Callable[[], None]] = {"acks-early": acks_early, "sees-twice": sees_twice}


def main(folder: str, *weaknesses: str) -> None:
    for weakness in weaknesses:
        WEAKNESSES[weakness]()
    run(Settings(port=0, data_dir=folder, log_level="warning"), lambda _: None, lambda _: None)


if __name__ == "__main__":
    main(*sys.argv[1:])
