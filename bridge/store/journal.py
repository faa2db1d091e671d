"""One writer thread between the event loop and the store.

**Group commit without a timer.**  While one batch is on its way to the disk the next one gathers; an idle journal
commits at once.  There is never more than one batch in flight.

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
    epoch: int


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
        self._queue: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._waiting: defaultdict[str, _Load] = defaultdict(_Load)
        self._waiters: list[asyncio.Future[None]] = []
        self._epoch = 0
        self._lost = -1
        """The newest epoch whose submissions are void."""
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
        self._queue.put(Item(world, writes, size, done, self._epoch))

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
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _committed(self, batch: list[Item], seconds: float) -> None:
        if self._times is not None:
            self._times.add(seconds)
        for item in batch:
            if item.epoch != self._epoch:
                continue
            load = self._waiting[item.world]
            load.items -= 1
            load.bytes -= item.size
            if not load.items:
                del self._waiting[item.world]
            item.done()
        self._wake()

    def _broken(self, sentence: str) -> None:
        self._epoch += 1
        self._waiting.clear()
        self._failed(sentence)
        self._wake()

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
            batch, ended = self._take(CALM if dirty else None)
            if batch:
                dirty = self._write(batch) or dirty
            elif dirty and not ended:
                dirty = False
                self._tidy()
            if ended:
                return

    def _take(self, patience: float | None) -> tuple[list[Item], bool]:
        """Return all that gathered, and whether the end was among it; nothing after ``patience`` seconds."""
        found: list[Item] = []
        try:
            item = self._queue.get(timeout=patience)
            while item is not None:
                if item.epoch > self._lost:
                    found.append(item)
                item = self._queue.get_nowait()
        except queue.Empty:
            return found, False
        return found, True

    def _write(self, batch: list[Item]) -> bool:
        writes = [write for item in batch for write in item.writes]
        began = time.perf_counter()
        try:
            if writes:
                self._store.append_many(writes)
        except Exception as error:  # noqa: BLE001  whatever it was, the thread must live on and the outcome is unknown
            self._lost = batch[-1].epoch
            self.error = error
            self._call(self._broken, str(error) if isinstance(error, BridgeError) else repr(error))
            self._recover()
            return False
        self._call(self._committed, batch, time.perf_counter() - began)
        return bool(writes)

    def _recover(self) -> None:
        pause = FIRST_RETRY
        while not self._stop.is_set():
            try:
                self._store.reopen()
                self._store.set_meta(PROBE, b"1")
            except StoreError:
                self._stop.wait(pause)
                pause = min(LONGEST_RETRY, 2 * pause)
            else:
                self._call(self._recovered)
                return

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
