"""The store that needs nothing: one SQLite file.

WAL with ``synchronous=FULL``: a commit is on disk when it returns.  Exactly one connection, because SQLite before
3.51.3 can damage a WAL that two connections write or checkpoint at once.  Checkpoints are ours: done in the commit's
path they cost its slowest percent.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from bridge.errors import ConfigError, DamagedError, DiskFullError, StoreError
from bridge.store.backup import BEFORE_SCHEMA, finish, new_name
from bridge.store.base import Client, Store, Write
from bridge.world.row import Row

VERSION = sqlite3.sqlite_version_info
LARGE = 16 * 1024 * 1024
"""Bytes of WAL at which a checkpoint is made even under load."""
WORTH = 1024 * 1024
"""Bytes of WAL below which an idle bridge lets it be."""

MIGRATIONS = (
    """
    CREATE TABLE worlds (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE rows (
        number INTEGER PRIMARY KEY,
        world INTEGER NOT NULL REFERENCES worlds ON DELETE CASCADE,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        UNIQUE (world, kind, key)
    ) STRICT;
    CREATE TABLE clients (
        id TEXT PRIMARY KEY,
        world TEXT NOT NULL,
        origin TEXT NOT NULL,
        user TEXT NOT NULL,
        name TEXT NOT NULL,
        world_name TEXT NOT NULL,
        created INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        revoked INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
    """,
)
"""``MIGRATIONS[n]`` turns version n into n + 1 (``PRAGMA user_version``)."""

_PUT = """
    INSERT INTO rows (world, kind, key, value) VALUES {}
    ON CONFLICT (world, kind, key) DO UPDATE SET value = excluded.value
"""
_PUTS = {count: _PUT.format(", ".join(["(?, ?, ?, ?)"] * count)) for count in (64, 16, 4, 1)}
"""Rows -> the statement that puts so many: between two statements the loop's thread takes its turn, and time."""
_DELETE = "DELETE FROM rows WHERE world = ? AND kind = ? AND key = ?"
_PUT_CLIENT = "INSERT OR REPLACE INTO clients VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


class SqliteStore(Store):
    """A store in one file, or in memory when ``path`` is none.

    Raises:
        ConfigError: The file is of a newer bridge.
        DamagedError: It is damaged.
        StoreError: It cannot be opened.

    """

    def __init__(self, path: Path | None = None, *, durability: str = "full") -> None:
        self._path = path
        self._wal = f"{path}-wal" if path is not None else ""
        self._durability = durability
        self._mutex = threading.Lock()
        self._numbers: dict[str, int] = {}
        self._db = self._open(check=True)

    def load(self, world: str) -> list[Row]:
        """Return all rows of a world, in the order in which they were first written."""
        query = (
            "SELECT kind, key, value FROM rows WHERE world = (SELECT number FROM worlds WHERE id = ?) ORDER BY number"
        )
        with self._mutex, _translated():
            return [Row(*found) for found in self._db.execute(query, (world,))]

    def append_many(self, writes: Sequence[Write]) -> None:
        """Commit all of it, or nothing; on return it is on disk."""
        with self._mutex, _translated(), self._transaction():
            rows: dict[tuple[int, str, str], bytes | None] = {}
            for write in writes:
                if isinstance(write, Client):
                    self._db.execute(_PUT_CLIENT, _client_values(write))
                else:
                    world, row = write
                    number = self._numbers.get(world) or self._number(world)
                    rows[number, row.kind, row.key] = row.value
            self._write_rows(rows)
        if self._wal_size() > LARGE:
            # It is committed: a checkpoint that fails loses nothing, and the next commit says what is wrong.
            with contextlib.suppress(StoreError):
                self._checkpoint()

    def worlds(self) -> list[str]:
        """Return the ids of all worlds that have rows."""
        query = "SELECT id FROM worlds WHERE EXISTS (SELECT 1 FROM rows WHERE world = worlds.number) ORDER BY number"
        with self._mutex, _translated():
            return [id for (id,) in self._db.execute(query)]

    def clients(self) -> list[Client]:
        """Return every client, revoked ones included, the oldest first."""
        with self._mutex, _translated():
            return [Client(*found) for found in self._db.execute("SELECT * FROM clients ORDER BY created, rowid")]

    def forget(self, world: str) -> None:
        """Delete a world's rows and its clients."""
        with self._mutex, _translated(), self._transaction():
            self._db.execute("DELETE FROM worlds WHERE id = ?", (world,))
            self._db.execute("DELETE FROM clients WHERE world = ?", (world,))
            self._numbers.pop(world, None)

    def meta(self, key: str) -> bytes | None:
        """Return a named value."""
        with self._mutex, _translated():
            found = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None

    def set_meta(self, key: str, value: bytes | None) -> None:
        """Keep a named value; ``None`` deletes it."""
        with self._mutex, _translated(), self._transaction():
            if value is None:
                self._db.execute("DELETE FROM meta WHERE key = ?", (key,))
            else:
                self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def backup(self, file: Path) -> None:
        """Write a whole and checked copy to this file, at once or not at all."""
        with _translated():
            with self._mutex:
                draft = _copy(self._db, file)
            finish(draft, file)

    def tidy(self) -> None:
        """Bring a WAL of some size back into the database."""
        if self._wal_size() > WORTH:
            self._checkpoint()

    def reopen(self) -> None:
        """Start afresh after an error: what was committed is read from disk again."""
        if self._path is None:
            return
        with self._mutex, _translated():
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._numbers.clear()
            self._db = self._open(check=False)

    def close(self) -> None:
        """Close; SQLite brings the WAL back into the database."""
        with self._mutex, _translated():
            self._db.close()

    def _open(self, *, check: bool) -> sqlite3.Connection:
        with _translated():
            if self._path is not None:
                # Created here, so that it is never readable by others, not even for a moment.
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            db = self._connect()
            try:
                self._prepare(db, check=check)
            except BaseException:
                db.close()
                raise
            return db

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path or ":memory:", isolation_level=None, check_same_thread=False)

    def _prepare(self, db: sqlite3.Connection, *, check: bool) -> None:
        db.execute("PRAGMA busy_timeout = 5000")
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {'NORMAL' if self._durability == 'normal' else 'FULL'}")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute(f"PRAGMA journal_size_limit = {LARGE}")
        if sys.platform == "darwin":
            # There fsync alone leaves data in the drive's cache.
            db.execute("PRAGMA fullfsync = ON")
        if check:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                message = f"The database {self._path} is damaged ({found}). Restore a backup, or move the file away."
                raise DamagedError(message)
        self._migrate(db)

    def _migrate(self, db: sqlite3.Connection) -> None:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            message = f"The database {self._path} was made by a newer bridge. Update this one."
            raise ConfigError(message)
        if 0 < version < len(MIGRATIONS) and self._path is not None:
            file = new_name(self._path.parent, f"{BEFORE_SCHEMA}{version + 1}")
            finish(_copy(db, file), file)
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            # Numbers given out in here may not exist on disk.
            self._numbers.clear()
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _write_rows(self, rows: dict[tuple[int, str, str], bytes | None]) -> None:
        values: list[int | str | bytes] = []
        for key, value in rows.items():
            if value is None:
                self._db.execute(_DELETE, key)
            else:
                values += (*key, value)
        start = 0
        for count, statement in _PUTS.items():
            while len(values) - start >= 4 * count:
                self._db.execute(statement, values[start : start + 4 * count])
                start += 4 * count

    def _number(self, world: str) -> int:
        self._db.execute("INSERT OR IGNORE INTO worlds (id) VALUES (?)", (world,))
        (number,) = self._db.execute("SELECT number FROM worlds WHERE id = ?", (world,)).fetchone()
        self._numbers[world] = number
        return int(number)

    def _wal_size(self) -> int:
        try:
            return os.stat(self._wal).st_size if self._wal else 0  # noqa: PTH116  after every commit
        except OSError:
            return 0

    def _checkpoint(self) -> None:
        with self._mutex, _translated():
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _client_values(client: Client) -> tuple[str | int, ...]:
    return (
        client.id,
        client.world,
        client.origin,
        client.user,
        client.name,
        client.world_name,
        client.created,
        client.seen,
        client.revoked,
    )


def _copy(db: sqlite3.Connection, file: Path) -> Path:
    """Write a copy beside a file, readable by its owner only; return it."""
    draft = file.with_name(f"{file.name}.new")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    db.execute("VACUUM INTO ?", (str(draft),))
    return draft


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Turn what SQLite and the system raise into our own error."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        message = f"The bridge's database failed: {error}."
        raise _kind(error)(message) from error


def _kind(error: Exception) -> type[StoreError]:
    if isinstance(error, OSError):
        return DiskFullError if error.errno == errno.ENOSPC else StoreError
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return DiskFullError
    return DamagedError if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} else StoreError
