"""A bridge in a process of its own, which a test can kill, and a table that talks to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from websockets.exceptions import WebSocketException

from bridge.errors import BridgeError
from bridge.host import DATABASE, Host
from bridge.store.lock import holder
from bridge.store.sqlite import SqliteStore
from bridge.table.executor import receive
from bridge.table.link import ORIGIN, Key, Link, LinkBroken, Wire, _Socket
from bridge.protocol import Table as About
from tests.reliability.ledger import Ledger

PATIENCE = 60.0
PATIENT_DIALS = 20
ROOT = Path(__file__).parents[2]


class Bridge:
    """A bridge that runs until it is killed or told to stop."""

    def __init__(self, folder: Path, *weaknesses: str, before: Sequence[str] = (), wait: bool = True) -> None:
        self.folder = folder
        environ = {name: value for name, value in os.environ.items() if not name.startswith("BRIDGE_")}
        self._killer: threading.Timer | None = None
        self._errors = (folder / "stderr.txt").open("ab")
        self.process = subprocess.Popen(  # noqa: S603  our own program
            [*before, sys.executable, "-m", "tests.reliability.build", str(folder), *weaknesses],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=environ,
        )
        self.url = self._listening(traced=bool(before)) if wait else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()

    @property
    def errors(self) -> str:
        """What it has said to its terminal."""
        return (self.folder / "stderr.txt").read_text()

    def kill(self) -> None:
        """Kill it on the spot."""
        if self._killer is not None:
            self._killer.join()
        self.process.kill()
        self.process.wait(PATIENCE)
        self._errors.close()

    def kill_soon(self, seconds: float) -> None:
        """Kill it in a moment."""
        self._killer = threading.Timer(seconds, self.process.kill)
        self._killer.start()

    def _listening(self, *, traced: bool) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = holder(self.folder)
            alive = self.process.poll() is None
            if found.url and alive and (traced or found.pid == self.process.pid):
                return found.url
            assert alive, self.errors
            time.sleep(0.005)
        raise AssertionError(self.errors)


class Wired(Link):
    """The table's link to a bridge in another process."""

    def __init__(self, world: str, key: tuple[str, str]) -> None:
        super().__init__()
        self.world = world
        self.key = Key(*key)
        self.url = ""

    def wire(self) -> Wire:
        for _ in range(PATIENT_DIALS):
            try:
                return _Socket(f"{self.url}/socket")
            except ConnectionRefusedError:
                # It is about to listen, or dead.
                time.sleep(0.01)
            except (OSError, EOFError, WebSocketException) as error:
                raise LinkBroken(str(error)) from error
        raise LinkBroken("nobody listens")

    def second_key(self, about: About) -> Key:
        raise NotImplementedError

    def close(self) -> None:
        self.drop()


def pair(folder: Path, world: str) -> tuple[str, str]:
    """Pair a browser while no bridge runs."""
    with Host.open(folder) as host:
        return host.pair(world=world, origin=ORIGIN)


def connect(ledger: Ledger, link: Link) -> None:
    """Begin a conversation, and show the whole world.  Raises LinkBroken."""
    limits, said = link.connect(ledger.table.about)
    ledger.table.connected(page=limits.page)
    for message in said:
        receive(ledger.table, message)


def exchange(ledger: Ledger, link: Link) -> bool:
    """Send what is to be sent and take what comes; tell whether there was anything.  Raises LinkBroken."""
    sent = ledger.table.take()
    if sent:
        link.send(sent)
    said = link.receive()
    for message in said:
        receive(ledger.table, message)
    return bool(sent or said)


def disconnect(ledger: Ledger, link: Link) -> None:
    """Break the link from our side."""
    ledger.table.disconnected()
    link.drop()


def on_disk(folder: Path, world: str, beside: Path) -> tuple[str, set[str]]:
    """Look at a copy of what a dead bridge left: what ``integrity_check`` says, and the happenings that it knows."""
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    for name in (DATABASE, f"{DATABASE}-wal"):
        if (folder / name).exists():
            shutil.copy(folder / name, beside / name)
    try:
        store = SqliteStore(beside / DATABASE, durability="normal")
    except BridgeError as error:
        return str(error), set()
    (said,) = store._db.execute("PRAGMA integrity_check").fetchone()
    known = {row.key for row in store.load(world) if row.kind == "seen"}
    store.close()
    return said, known
