"""From a data folder to a store that works, whatever is found there."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NamedTuple

import msgspec

from bridge.errors import DamagedError
from bridge.logger import get_logger
from bridge.store import backup
from bridge.store.base import Store
from bridge.store.sqlite import SqliteStore
from bridge.world.row import Row

DATABASE = "bridge.db"

log = get_logger()


class Opened(NamedTuple):
    """A store, and what the GM must know of how it was found."""

    store: SqliteStore
    sentence: str = ""


def open_store(folder: Path, *, durability: str = "full", refuse: bool = False) -> Opened:
    """Open the database of a folder.  A damaged one is set aside whole, and the newest good copy takes its place.

    Raises:
        DamagedError: It is damaged, and ``refuse`` says to leave it at that.
        ConfigError: It is of a newer bridge.
        StoreError: The disk failed.

    """
    path = folder / DATABASE
    try:
        return Opened(SqliteStore(path, durability=durability))
    except DamagedError as error:
        if refuse:
            raise
        why = str(error)
    aside = backup.set_aside(path)
    copy = backup.newest_good(folder)
    if copy is not None:
        backup.put_back(copy, path)
        rest = f"It goes on with the copy {copy.name}: what happened after that is missing in the history and in undo."
    else:
        rest = "There was no copy of it: history and undo begin anew, and every browser must be paired again."
    log.error("the database was damaged", why=why, aside=aside.name, copy=copy.name if copy else "")
    store = SqliteStore(path, durability=durability)
    begin_anew(store)
    return Opened(store, f"The bridge's database was damaged; it was set aside as {aside.name}. {rest}")


def begin_anew(store: Store) -> None:
    """After an older copy came back: no id that the lost future gave out may be given out again."""
    store.append_many(
        [(world, Row("journal", "", msgspec.json.encode(secrets.token_hex(8)))) for world in store.worlds()],
    )
