"""One writer thread between the event loop and the store.

**Group commit without a timer.**  While one batch is on its way to the disk the next one gathers; an idle journal
commits at once, at the end of the loop's turn.  There is never more than one batch in flight.

**Nobody waits.**  ``submit`` returns at once; ``done`` is called on the loop, in order, when the writes are on disk.
The reader of a socket looks at ``full`` and stops reading above the bound.

**A failed commit is an unknown outcome.**  Nothing that was submitted before ``failed`` is reported done; the store is
reopened in the background until a write succeeds, then ``recovered`` is called and the journal takes writes again.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bridge.counts import Times
from bridge.errors import BridgeError, StoreError
from bridge.store.base import Client, Store, Write

PROBE = "probe"
"""The named value that is written to see whether the disk works again."""
FIRST_RETRY = 0.05
LONGEST_RETRY = 5.0
"""Seconds between attempts to reopen a broken store; each is twice as long as the one before."""
CALM = 1.0
"""Seconds without work after which the store may tidy up."""


class Item(NamedTuple):
    """One submission."""

    world: str
    writes: Sequence[Write]
    size: int
    done: Callable[[], None]


class _Load:
    """What of one world waits for the disk."""

    __slots__ = ("bytes", "items")

    def __init__(self) -> None:
        self.items = 0
        self.bytes = 0


class Journal:
    """Writes to a store from one thread.  Made, and used, on a running event loop.

    ``items`` and ``size``: how much of one world may wait.  ``times``: where it is counted how long commits take.
    ``failed(sentence)`` and ``recovered()`` are called on the loop.
    """

    def __init__(
        self,
        store: Store,
        *,
        items: int = 1024,
        size: int = 4 * 1024 * 1024,
        failed: Callable[[str], None],
        recovered: Callable[[], None],
        times: Times | None = None,
    ) -> None:
        self._store = store
        self._items = items
        self._size = size
        self._failed = failed
        self._recovered = recovered
        self._times = times
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[list[Item] | None] = queue.SimpleQueue()
        """Batches for the thread; none: the end."""
        self._gathered: list[Item] = []
        self._busy = False
        """A batch is on its way, or the disk is broken."""
        self._waiting: defaultdict[str, _Load] = defaultdict(_Load)
        self._waiters: list[asyncio.Future[None]] = []
        self.error: Exception | None = None
        """Why the last commit that failed did."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # On the loop.

    def submit(self, world: str, writes: Sequence[Write], done: Callable[[], None]) -> None:
        """Have ``writes`` committed, then ``done`` called.  Without writes it still waits its turn."""
        size = sum(_size(write) for write in writes)
        load = self._waiting[world]
        load.items += 1
        load.bytes += size
        self._gathered.append(Item(world, writes, size, done))
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._hand_over)

    @property
    def waiting(self) -> int:
        """How many submissions wait for the disk."""
        return sum(load.items for load in self._waiting.values())

    def waits(self, world: str) -> bool:
        """Tell whether something of this world waits for the disk."""
        return world in self._waiting

    def full(self, world: str) -> bool:
        """Tell whether so much of this world waits that its reader must stop."""
        load = self._waiting.get(world)
        return load is not None and (load.items >= self._items or load.bytes >= self._size)

    async def room(self, world: str) -> None:
        """Wait until the world is not full."""
        while self.full(world):
            await self._change()

    async def drained(self) -> None:
        """Wait until nothing waits for the disk."""
        while self._waiting:
            await self._change()

    async def close(self) -> None:
        """Write what was submitted, then end the thread.  The store stays open."""
        self._stop.set()
        self._hand_over()
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _hand_over(self) -> None:
        """Give the thread what has gathered."""
        self._busy = bool(self._gathered)
        if self._gathered:
            batch, self._gathered = self._gathered, []
            self._queue.put(batch)

    def _committed(self, batch: list[Item], seconds: float) -> None:
        # First of all: the disk has work again while the replies are sent.
        self._hand_over()
        if self._times is not None:
            self._times.add(seconds)
        for item in batch:
            load = self._waiting[item.world]
            load.items -= 1
            load.bytes -= item.size
            if not load.items:
                del self._waiting[item.world]
            item.done()
        self._wake()

    def _broken(self, sentence: str) -> None:
        self._gathered.clear()
        self._waiting.clear()
        self._failed(sentence)
        self._wake()

    def _mended(self) -> None:
        self._recovered()
        self._hand_over()

    async def _change(self) -> None:
        waiter = self._loop.create_future()
        self._waiters.append(waiter)
        await waiter

    def _wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    # In the thread.

    def _run(self) -> None:
        dirty = False
        while True:
            try:
                batch = self._queue.get(timeout=CALM if dirty else None)
            except queue.Empty:
                dirty = False
                self._tidy()
                continue
            if batch is None:
                return
            writes = [write for item in batch for write in item.writes]
            began = time.perf_counter()
            try:
                if writes:
                    self._store.append_many(writes)
            except Exception as error:  # noqa: BLE001  whatever it was, the thread must live on and the outcome is unknown
                self.error = error
                self._call(self._broken, str(error) if isinstance(error, BridgeError) else repr(error))
                if not self._recover():
                    return
            else:
                self._call(self._committed, batch, time.perf_counter() - began)
                dirty = dirty or bool(writes)

    def _recover(self) -> bool:
        """Try until the store works again; false when the journal is closed before that."""
        pause = FIRST_RETRY
        while not self._stop.is_set():
            try:
                self._store.reopen()
                self._store.set_meta(PROBE, b"1")
            except StoreError:
                self._stop.wait(pause)
                pause = min(LONGEST_RETRY, 2 * pause)
            else:
                self._call(self._mended)
                return True
        return False

    def _tidy(self) -> None:
        # A checkpoint that fails loses nothing: the next commit will say what is wrong.
        with contextlib.suppress(StoreError):
            self._store.tidy()

    def _call(self, function: Callable[..., None], *args: object) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            # The loop is closed: nobody is left to tell.
            self._stop.set()


def _size(write: Write) -> int:
    if isinstance(write, Client):
        return 256
    value = write[1].value
    return 64 + (len(value) if value is not None else 0)
