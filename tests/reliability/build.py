"""The bridge as a process of its own, as it is or weakened: ``python -m tests.reliability.build FOLDER [WEAKNESS]``.

A weakened build is what proves that a test can fail.  Without arguments it reads such lines (JSON lists) from its input
and answers each with the number of a process that it forked for it: a whole bridge, without the time to load Python.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence

from bridge.connection import Connection
from bridge.errors import DiskFullError, SetupError, StoreError
from bridge.process import run
from bridge.server import Server  # noqa: F401  loaded before the first fork
from bridge.session import Output
from bridge.settings import Settings
from bridge.store.base import Write
from bridge.store.sqlite import SqliteStore
from bridge.world import World  # noqa: F401  as the server
from bridge.world.memory import Memory


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

    def first_time(self: Memory, key: str) -> bool:
        known(self, key)
        return True

    known = Memory.first_time
    Memory.first_time = first_time  # type: ignore[method-assign]


def disk_fails(error: type[StoreError] = StoreError) -> None:
    """Fail at every commit of a world, and at nothing else."""

    def append_many(self: SqliteStore, writes: Sequence[Write]) -> None:
        raise error("the cable is loose")

    SqliteStore.append_many = append_many  # type: ignore[method-assign]


def disk_is_full() -> None:
    """Have no room for any commit of a world."""
    disk_fails(DiskFullError)


WEAKNESSES: dict[str, Callable[[], None]] = {
    "acks-early": acks_early,
    "sees-twice": sees_twice,
    "disk-fails": disk_fails,
    "disk-is-full": disk_is_full,
}


def main(folder: str, *weaknesses: str) -> int:
    for weakness in weaknesses:
        WEAKNESSES[weakness]()
    try:
        run(Settings(port=0, data_dir=folder, log_level="warning"), lambda _: None, lambda _: None)
    except SetupError as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
        return error.exit_code
    return 0


def nursery() -> None:
    # Nobody waits for the children: the system forgets them when they are dead.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        folder, *weaknesses = json.loads(line)
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            errors = os.open(f"{folder}/stderr.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(errors, 1)
            os.dup2(errors, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os._exit(main(folder, *weaknesses))
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(main(*sys.argv[1:]))
    nursery()
