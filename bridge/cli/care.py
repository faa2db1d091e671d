"""Care for a data folder from the command line: bring a copy back, and look at everything once."""

from __future__ import annotations

import contextlib
import os
import platform
import stat
import sys
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import bridge
from bridge.errors import BridgeError, ConfigError, RefusedError, StoreError
from bridge.host import SECRET, read_secret
from bridge.notice import Notice
from bridge.settings import Settings
from bridge.store import backup
from bridge.store.lock import FolderLock, holder
from bridge.store.opening import DATABASE, begin_anew
from bridge.store.sqlite import VERSION, SqliteStore

LIBRARIES = ("msgspec", "websockets", "structlog", "cyclopts")
OLDEST_SQLITE = (3, 51, 3)
"""Older ones can damage a log that two connections write; this bridge has one."""
LARGE = 512 * 1024 * 1024


class Finding(NamedTuple):
    """One thing that was looked at."""

    good: bool
    text: str


def restore(folder: Path, file: Path) -> str:
    """Make a copy the database again; return where the present one is kept, empty when there was none.

    Raises:
        LockedError: The bridge is running.
        RefusedError: The file is no good copy.

    """
    with contextlib.closing(_Held(folder)):
        if wrong := backup.problem(file):
            message = f"{file} cannot be restored: {wrong}. Nothing was changed."
            raise RefusedError(message)
        database = folder / DATABASE
        kept = _keep(database) if database.exists() else ""
        backup.put_back(file, database)
        store = SqliteStore(database)
        try:
            begin_anew(store)
            Notice(store).post(
                f"The bridge's database was restored from {file.name}: what happened after that copy was made is "
                "missing in the history and in undo. Your world is as it is."
            )
        finally:
            store.close()
        return kept


class _Held:
    def __init__(self, folder: Path) -> None:
        self._lock = FolderLock(folder)

    def close(self) -> None:
        self._lock.release()


def _keep(database: Path) -> str:
    file = backup.new_name(database.parent, backup.BEFORE_RESTORE)
    try:
        store = SqliteStore(database)
    except (StoreError, ConfigError):
        return str(backup.set_aside(database))
    try:
        store.backup(file)
    finally:
        store.close()
    return str(file)


def examine(settings: Settings) -> list[Finding]:
    """Look at everything; no secret is in what it says."""
    found = [
        Finding(True, f"Condition Bridge {bridge.__version__}"),
        Finding(True, f"Python {platform.python_version()} on {platform.platform()}"),
        Finding(True, "Libraries: " + ", ".join(f"{name} {version(name)}" for name in LIBRARIES)),
        _sqlite(),
    ]
    folder = settings.folder
    if not folder.is_dir():
        return [*found, Finding(True, f"No data folder {folder} yet: it is made by bridge serve.")]
    found.append(Finding(os.access(folder, os.R_OK | os.W_OK), f"Data folder: {folder}"))
    found += _modes(folder)
    found.append(_secret(folder))
    found += _database(folder)
    copies = backup.usual(folder)
    text = f"Copies of the database: {len(copies)}" + (f", the newest {copies[0].name}" if copies else "")
    found.append(Finding(bool(copies) or not settings.backups, text))
    aside = sorted(
        path.name for path in folder.glob(f"{DATABASE}.corrupt-*") if path.name[-4:] not in backup.COMPANIONS
    )
    if aside:
        found.append(Finding(False, f"Damaged databases that were set aside: {', '.join(aside)}"))
    free = os.statvfs(folder) if hasattr(os, "statvfs") else None
    if free is not None:
        room = free.f_bavail * free.f_frsize
        found.append(Finding(room > LARGE // 8, f"Room on the disk: {room // 1024 // 1024} MiB"))
    return found


def _sqlite() -> Finding:
    text = f"SQLite {'.'.join(map(str, VERSION))}"
    if VERSION < OLDEST_SQLITE:
        text += " (fine here: one connection only; other programs must not write to the database)"
    return Finding(True, text)


def _modes(folder: Path) -> list[Finding]:
    if sys.platform == "win32":
        return []
    files = [folder, folder / SECRET, *folder.glob(f"{DATABASE}*"), *(folder / backup.FOLDER).glob("*")]
    open_ones = [path.name for path in files if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077]
    if not open_ones:
        return [Finding(True, "The files are yours only.")]
    return [Finding(False, f"Others can read: {', '.join(open_ones)}. Take that away: chmod -R go= {folder}")]


def _secret(folder: Path) -> Finding:
    if not (folder / SECRET).exists():
        return Finding(True, "No secret yet: it is made by bridge serve.")
    try:
        read_secret(folder)
    except BridgeError as error:
        return Finding(False, str(error))
    return Finding(True, "The secret is there.")


def _database(folder: Path) -> list[Finding]:
    database = folder / DATABASE
    if not database.exists():
        return [Finding(True, "No database yet.")]
    files = [Path(f"{database}{end}") for end in backup.COMPANIONS]
    size = sum(file.stat().st_size for file in files if file.exists())
    found = [Finding(size < LARGE, f"Database: {size / 1024 / 1024:.1f} MiB")]
    try:
        lock = FolderLock(folder)
    except BridgeError:
        who = holder(folder)
        found.append(Finding(True, f"The bridge is running (process {who.pid}, {who.url or 'starting'})."))
        return found
    try:
        # Nobody else has it open, so this may look at it, log and all.
        store = SqliteStore(database)
        worlds, clients = store.worlds(), store.clients()
        store.close()
        found.append(
            Finding(True, f"It is whole: {len(worlds)} worlds, {len(clients)} browsers; no bridge is running.")
        )
    except BridgeError as error:
        found.append(Finding(False, str(error)))
    finally:
        lock.release()
    return found
