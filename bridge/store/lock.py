"""The lock of a data folder: one bridge at a time.

The lock is the system's own and goes away with the process, however it ends.  The file says who holds it, for people
and for the command line: ``{"pid": 1234, "url": "ws://127.0.0.1:8787"}``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from bridge.errors import LockedError, StoreError

LOCK = "bridge.lock"
_FAR = 1 << 30
"""Windows locks bytes, not files: one that is far behind the text, so that the text can be read."""


class Holder(Struct, frozen=True):
    """Who holds a data folder; ``url`` is empty until it listens."""

    pid: int = 0
    url: str = ""


class FolderLock:
    """Holds a data folder until ``release``.

    Raises:
        LockedError: Another process holds it.
        StoreError: The folder cannot be made or written.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / LOCK
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            message = f"The data folder {folder} cannot be used: {error}."
            raise StoreError(message) from error
        try:
            _take(self._file)
        except OSError as error:
            os.close(self._file)
            pid = holder(folder).pid
            message = f"Another bridge (process {pid}) uses the data folder {folder}. Stop it, or name another folder."
            raise LockedError(message) from error
        self.describe("")

    def describe(self, url: str) -> None:
        """Write down where this bridge listens."""
        text = msgspec.json.encode(Holder(os.getpid(), url))
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, text)

    def release(self) -> None:
        """Let the folder go."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def holder(folder: Path) -> Holder:
    """Return who holds, or held, the folder."""
    try:
        return msgspec.json.decode((folder / LOCK).read_bytes(), type=Holder)
    except (OSError, msgspec.DecodeError):
        return Holder()


if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
