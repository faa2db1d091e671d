"""A real store whose commits a test can hold back, or let fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from bridge.errors import StoreError
from bridge.store.base import Write
from bridge.store.sqlite import SqliteStore

PATIENCE = 10.0


class GatedStore(SqliteStore):
    """Commits wait until ``gate`` is set; while ``broken`` is a sentence, every write fails with it."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()
        """Set when a commit has begun."""
        self.batches: list[int] = []
        """Writes in each commit."""
        self.broken = ""

    def append_many(self, writes: Sequence[Write]) -> None:
        """Commit once the gate is open."""
        self.entered.set()
        assert self.gate.wait(PATIENCE)
        self.batches.append(len(writes))
        self._fail_if_broken()
        super().append_many(writes)

    def set_meta(self, key: str, value: bytes | None) -> None:
        """Keep a named value, unless broken."""
        self._fail_if_broken()
        super().set_meta(key, value)

    def hold(self) -> None:
        """Hold the next commits back."""
        self.entered.clear()
        self.gate.clear()

    async def begun(self) -> None:
        """Wait until a commit has begun since ``hold``."""
        assert await asyncio.to_thread(self.entered.wait, PATIENCE)

    def _fail_if_broken(self) -> None:
        if self.broken:
            raise StoreError(self.broken)
