from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from bridge.store.journal import Journal
from bridge.world.row import Row
from tests.gated import PATIENCE, GatedStore


class Desk:
    """A journal with what it reported."""

    def __init__(self, store: GatedStore, **limits: int) -> None:
        self.store = store
        self.failures: list[str] = []
        self.recovered = asyncio.Event()
        self.done: list[str] = []
        self.journal = Journal(store, failed=self.failures.append, recovered=self.recovered.set, **limits)

    def submit(self, name: str, world: str = "w", size: int = 1) -> None:
        self.journal.submit(world, [(world, Row("a", name, b"x" * size))], lambda: self.done.append(name))

    async def drained(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.journal.drained()


@contextlib.asynccontextmanager
async def desk(**limits: int) -> AsyncIterator[Desk]:
    store = GatedStore()
    made = Desk(store, **limits)
    try:
        yield made
    finally:
        store.gate.set()
        await made.journal.close()
        store.close()


async def test_done_is_called_in_order_when_the_rows_are_on_disk() -> None:
    async with desk() as d:
        for name in "abc":
            d.submit(name)
        assert d.done == []
        await d.drained()
        assert d.done == ["a", "b", "c"]
        assert [row.key for row in d.store.load("w")] == ["a", "b", "c"]


async def test_what_gathers_while_a_batch_is_written_goes_in_one_more_batch() -> None:
    async with desk() as d:
        d.store.hold()
        d.submit("first")
        await d.store.begun()
        for number in range(50):
            d.submit(f"n{number}")
        d.store.gate.set()
        await d.drained()
        assert d.store.batches == [1, 50]


async def test_a_submission_without_writes_waits_for_those_before_it() -> None:
    async with desk() as d:
        d.store.hold()
        d.submit("a")
        d.journal.submit("w", [], lambda: d.done.append("reply"))
        assert d.journal.waits("w")
        d.store.gate.set()
        await d.drained()
        assert d.done == ["a", "reply"]
        assert not d.journal.waits("w")


async def test_a_reply_that_fails_does_not_keep_the_next_from_the_disk() -> None:
    async with desk() as d:
        failed: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(str(context["exception"])))

        def fail() -> None:
            raise ValueError(d)

        d.journal.submit("v", [("v", Row("a", "b", b"x"))], fail)
        d.submit("next")
        await asyncio.sleep(0)
        d.submit("later")
        while "later" not in d.done:  # noqa: ASYNC110  there is no event for what only a test wants to know
            await asyncio.sleep(0.001)
        assert len(failed) == 1


async def test_above_the_bound_the_reader_of_that_world_waits_and_no_other() -> None:
    async with desk(items=2, size=1000) as d:
        d.store.hold()
        d.submit("a")
        assert not d.journal.full("w")
        d.submit("b")
        assert d.journal.full("w")
        assert not d.journal.full("v")
        d.submit("large", "v", size=1000)
        assert d.journal.full("v")
        waiting = asyncio.create_task(d.journal.room("w"))
        await asyncio.sleep(0)
        assert not waiting.done()
        d.store.gate.set()
        async with asyncio.timeout(PATIENCE):
            await waiting
        await d.drained()


async def test_after_a_failure_nothing_that_was_submitted_before_is_reported_done() -> None:
    async with desk() as d:
        d.store.hold()
        d.store.broken = "disk full"
        d.submit("a")
        await d.store.begun()
        d.submit("b")
        d.store.gate.set()
        await d.drained()
        assert d.failures == ["disk full"]
        assert d.done == []
        assert d.store.load("w") == []


async def test_once_the_disk_works_again_the_journal_goes_on() -> None:
    async with desk() as d:
        d.store.broken = "disk full"
        d.submit("lost")
        await d.drained()
        d.submit("kept")
        assert not d.recovered.is_set()
        d.store.broken = ""
        async with asyncio.timeout(PATIENCE):
            await d.recovered.wait()
        await d.drained()
        assert d.done == ["kept"]
        assert [row.key for row in d.store.load("w")] == ["kept"]


async def test_closing_writes_what_was_submitted() -> None:
    store = GatedStore()
    d = Desk(store)
    d.submit("a")
    async with asyncio.timeout(PATIENCE):
        await d.journal.close()
    assert [row.key for row in store.load("w")] == ["a"]
    store.close()


async def test_closing_does_not_wait_for_a_broken_disk() -> None:
    async with desk() as d:
        d.store.broken = "disk full"
        d.submit("a")
        await d.drained()
        async with asyncio.timeout(PATIENCE):
            await d.journal.close()


def test_a_journal_outlives_a_loop_that_was_closed_under_it() -> None:
    store = GatedStore()

    async def begin() -> Desk:
        d = Desk(store)
        store.hold()
        d.submit("a")
        return d

    d = asyncio.run(begin())
    store.gate.set()
    d.journal._queue.put(None)
    d.journal._thread.join(PATIENCE)
    assert not d.journal._thread.is_alive()
    assert [row.key for row in store.load("w")] == ["a"]
    store.close()


@pytest.mark.parametrize("count", [2000])
async def test_many_small_submissions_make_few_commits(count: int) -> None:
    async with desk(items=10**6) as d:
        for number in range(count):
            d.submit(str(number))
        await d.drained()
        assert len(d.done) == count
        assert len(d.store.batches) < count / 10
