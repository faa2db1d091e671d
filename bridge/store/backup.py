"""Copies of the database: made whole or not at all, checked before they count, never deleted to make room for a worse.

In the data folder: ``backups/bridge-<time>.db`` (of every day, and by hand), ``before-schema-<n>-<time>.db`` and
``before-restore-<time>.db``.  What was found damaged stands beside the database as ``bridge.db.corrupt-<n>``.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

from bridge.errors import StoreError

FOLDER = "backups"
USUAL = "bridge"
BEFORE_SCHEMA = "before-schema-"
BEFORE_RESTORE = "before-restore"
TABLES = frozenset({"worlds", "rows", "clients", "meta"})
COMPANIONS = ("", "-wal", "-shm")
"""A database is these files."""


def new_name(folder: Path, what: str = USUAL) -> Path:
    """Return where a new copy goes; the folder for it is made."""
    made = folder / FOLDER
    made.mkdir(mode=0o700, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    file = made / f"{what}-{stamp}.db"
    number = 1
    while file.exists():
        number += 1
        file = made / f"{what}-{stamp}-{number}.db"
    return file


def usual(folder: Path) -> list[Path]:
    """Return the usual copies, the newest first."""
    return _newest_first((folder / FOLDER).glob(f"{USUAL}-*.db"))


def thin_out(folder: Path, keep: int) -> None:
    """Delete the oldest of the usual copies."""
    for file in usual(folder)[keep:]:
        file.unlink(missing_ok=True)


def problem(file: Path) -> str:
    """Say what is wrong with a copy; empty when it is good."""
    if not file.is_file():
        return "there is no such file"
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
            (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                return str(found)
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    except sqlite3.Error as error:
        return str(error)
    return "" if tables >= TABLES else "it is not a database of a bridge"


def finish(draft: Path, file: Path) -> None:
    """Check a draft, bring it to the disk, and give it its name.

    Raises:
        StoreError: It is not good; it is deleted.

    """
    if wrong := problem(draft):
        draft.unlink(missing_ok=True)
        message = f"The copy {file} did not come out well: {wrong}."
        raise StoreError(message)
    _sync(draft)
    draft.replace(file)
    _sync_folder(file.parent)


def set_aside(database: Path) -> Path:
    """Move a damaged database, with what belongs to it, to a name of its own; return that."""
    number = 1
    while (aside := database.with_name(f"{database.name}.corrupt-{number}")).exists():
        number += 1
    # Its log goes first: a database without its log is worth more than a log with somebody else's database.
    for companion in reversed(COMPANIONS):
        file = Path(f"{database}{companion}")
        if file.exists():
            file.replace(Path(f"{aside}{companion}"))
    return aside


def newest_good(folder: Path) -> Path | None:
    """Return the newest copy that is good and was not replaced on purpose."""
    found = [*(folder / FOLDER).glob(f"{USUAL}-*.db"), *(folder / FOLDER).glob(f"{BEFORE_SCHEMA}*.db")]
    return next((file for file in _newest_first(found) if not problem(file)), None)


def put_back(file: Path, database: Path) -> None:
    """Make a copy the database; what was there must have been moved away or saved."""
    draft = database.with_name(f"{database.name}.new")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    shutil.copyfile(file, draft)
    for companion in COMPANIONS[1:]:
        # A log that is left behind would be played into the other database.
        Path(f"{database}{companion}").unlink(missing_ok=True)
    finish(draft, database)


def _newest_first(files: Iterable[Path]) -> list[Path]:
    return sorted(files, key=lambda file: (file.stat().st_mtime, file.name), reverse=True)


def _sync(file: Path) -> None:
    number = os.open(file, os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
