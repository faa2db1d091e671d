"""A disk whose power can be cut: it records what SQLite does to its files, and makes what a cut would leave of them.

Until a file is synced, every sector of every write, and every truncation, may or may not have reached the platter.
Names of files are taken to be durable at once.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import apsw

SECTOR = 512
_numbers = itertools.count()


class Op(NamedTuple):
    """One step: a write, a truncate (to ``offset``), a sync or a delete of a file, or the ack of commit ``offset``."""

    kind: Literal["write", "truncate", "sync", "delete", "ack"]
    name: str = ""
    offset: int = 0
    data: bytes = b""


class Disk(apsw.VFS):
    """A file system in memory that writes down all that is done to it."""

    def __init__(self) -> None:
        self.label = f"disk{next(_numbers)}"
        super().__init__(self.label, base="")
        self.log: list[Op] = []
        self.files: dict[str, bytearray] = {}

    def ack(self, number: int) -> None:
        """Note that a commit was acknowledged."""
        self.log.append(Op("ack", offset=number))

    def xOpen(self, name: Any, flags: list[int]) -> _File:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        flags[1] = flags[0]
        self.files.setdefault(path, bytearray())
        return _File(self, path)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802
        self.files.pop(name, None)
        self.log.append(Op("delete", name))

    def xAccess(self, name: str, flags: int) -> bool:  # noqa: N802
        return name in self.files

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name


class _File:
    def __init__(self, disk: Disk, name: str) -> None:
        self._disk, self._name = disk, name

    @property
    def _data(self) -> bytearray:
        return self._disk.files[self._name]

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(self._data[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        _write(self._data, offset, data)
        self._disk.log.append(Op("write", self._name, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        del self._data[size:]
        self._disk.log.append(Op("truncate", self._name, size))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.log.append(Op("sync", self._name))

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._data)

    def xClose(self) -> None:  # noqa: N802
        pass

    def xLock(self, level: int) -> None:  # noqa: N802
        pass

    def xUnlock(self, level: int) -> None:  # noqa: N802
        pass

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, op: int, pointer: int) -> bool:  # noqa: N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return 4096

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return int(apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE)


class Result:
    """What a statement gave, as ``sqlite3`` shows it."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def fetchone(self) -> Any:
        return self._rows[0] if self._rows else None

    def fetchall(self) -> list[Any]:
        return self._rows


class Connection:
    """A connection to a disk of ours that looks like one of ``sqlite3``."""

    def __init__(self, disk: Disk, path: str) -> None:
        self._db = apsw.Connection(path, vfs=disk.label)
        # Our disk has no shared memory, so the WAL's index must live in this process.
        self.execute("PRAGMA locking_mode = EXCLUSIVE")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Result:
        return Result(list(self._db.execute(sql, values)))

    executescript = execute

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def close(self) -> None:
        self._db.close()


def cut(log: Sequence[Op], chance: random.Random) -> tuple[dict[str, bytearray], int]:
    """Return the files that a cut after these steps leaves, and the last commit that was acknowledged before it."""
    solid: dict[str, bytearray] = {}
    loose: dict[str, list[Op]] = {}
    acked = -1
    for op in log:
        match op.kind:
            case "ack":
                acked = op.offset
            case "delete":
                solid.pop(op.name, None)
                loose.pop(op.name, None)
            case "sync":
                for waiting in loose.pop(op.name, []):
                    _do(solid.setdefault(op.name, bytearray()), waiting)
            case _:
                solid.setdefault(op.name, bytearray())
                loose.setdefault(op.name, []).append(op)
    for name, ops in loose.items():
        kept = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for op in ops:
            for part in _sectors(op):
                if chance.random() < kept:
                    _do(solid[name], part)
    return solid, acked


def leave(files: dict[str, bytearray], folder: Path) -> None:
    """Write files into a folder."""
    for name, data in files.items():
        (folder / Path(name).name).write_bytes(data)


def _sectors(op: Op) -> Iterator[Op]:
    if op.kind != "write":
        yield op
        return
    offset, end = op.offset, op.offset + len(op.data)
    while offset < end:
        after = min(end, (offset // SECTOR + 1) * SECTOR)
        yield Op("write", op.name, offset, op.data[offset - op.offset : after - op.offset])
        offset = after


def _do(data: bytearray, op: Op) -> None:
    if op.kind == "write":
        _write(data, op.offset, op.data)
    else:
        del data[op.offset :]


def _write(data: bytearray, offset: int, new: bytes) -> None:
    data.extend(bytes(max(0, offset - len(data))))
    data[offset : offset + len(new)] = new
