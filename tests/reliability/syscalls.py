"""Commits until told to stop, however often the disk fails: ``python -m tests.reliability.syscalls FOLDER [careless]``.

It prints the number of each commit that it acknowledges.  ``careless``: acknowledges also what failed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bridge.errors import StoreError
from bridge.store.sqlite import SqliteStore
from bridge.world.row import Row

COMMITS = 40


def main(folder: str, *weak: str) -> None:
    store = None
    for number in range(COMMITS):
        try:
            if store is None:
                store = SqliteStore(Path(folder) / "bridge.db")
            store.append_many([("w", Row("n", str(number), b"x" * 500))])
            if number % 10 == 9:
                store._checkpoint()
        except StoreError:
            if store is not None:
                _reopen(store)
            if "careless" not in weak:
                continue
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def _reopen(store: SqliteStore) -> None:
    for _ in range(5):
        try:
            store.reopen()
        except StoreError:
            continue
        return


if __name__ == "__main__":
    main(*sys.argv[1:])
