"""A bridge in a process of its own, which a test can kill, and a table that talks to it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from websockets.exceptions import WebSocketException

from bridge.errors import BridgeError
from bridge.host import DATABASE, Host
from bridge.protocol import Table as About
from bridge.store.lock import holder
from bridge.store.sqlite import SqliteStore
from bridge.table.executor import receive
from bridge.table.link import ORIGIN, Key, Link, LinkBroken, Wire, _Socket
from tests.reliability.ledger import Ledger

PATIENCE = 60.0
PATIENT_DIALS = 20
ROOT = Path(__file__).parents[2]


class Nursery:
    """Makes bridges, each a process of its own."""

    def __init__(self) -> None:
        environ = {name: value for name, value in os.environ.items() if not name.startswith("BRIDGE_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.build"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environ,
            text=True,
        )

    def fork(self, folder: Path, *weaknesses: str) -> int:
        """Begin a bridge; return its process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([str(folder), *weaknesses]), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """Make no more."""
        self._process.communicate("", PATIENCE)


class Bridge:
    """A bridge that runs until it is killed."""

    def __init__(self, nursery: Nursery, folder: Path, *weaknesses: str) -> None:
        self.folder = folder
        self.pid = nursery.fork(folder, *weaknesses)
        self._killer: threading.Timer | None = None
        self.url = self._listening()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def errors(self) -> str:
        """What it has said to its terminal."""
        return (self.folder / "stderr.txt").read_text()

    @property
    def alive(self) -> bool:
        """It has not been killed yet."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def send(self, number: int) -> None:
        """Send it a signal, if it is there."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it on the spot."""
        if self._killer is not None:
            self._killer.join()
        self.send(signal.SIGKILL)
        self.wait()

    def kill_soon(self, seconds: float) -> None:
        """Kill it in a moment."""
        self._killer = threading.Timer(seconds, self.send, [signal.SIGKILL])
        self._killer.start()

    def wait(self) -> None:
        """Wait for its end."""
        end = time.monotonic() + PATIENCE
        while self.alive:
            assert time.monotonic() < end
            time.sleep(0.002)

    def _listening(self) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = holder(self.folder)
            if found.pid == self.pid and found.url:
                return found.url
            assert self.alive, self.errors
            time.sleep(0.002)
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
