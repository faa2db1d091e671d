"""`make bench`: how fast the bridge is beside the raw echo of its own WebSocket library, in one run.

Rounds are interleaved and shuffled; each ratio is formed inside a round and the median of the rounds is told.  The
server is on one core, the browsers on another.  Absolute numbers are this machine's; ratios are what to carry over.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import NamedTuple

from playwright.async_api import Error as BrowserError

from bench import inside, page, rolls
from bench.load import Browser, connect
from bench.subject import Subject, running

FLUSH = 0.000_15
"""Seconds that a good drive takes to flush."""
FLUSHES = 200
"""How often it is measured how long such a flush takes here, with what the system adds."""
SERVERS = ("echo", "normal", "full")
SHAPES = {"1 × 1": (1, 1), "10 × 1": (10, 1), "100 × 1": (100, 1), "10 × 16": (10, 16), "1000 × 1": (1000, 1)}
"""Connections × events on their way on each."""
RATE = 1000
"""Events a second of the run with a fixed rate."""
CALM = 25
"""Events a second of a GM in a flood of strangers: a very busy table, and half of what a connection may send."""


class Measured(NamedTuple):
    """One server under one load."""

    throughput: float
    cpu: float
    """Microseconds of processor time for each event."""
    p50: float
    p99: float
    """Milliseconds."""
    lost: int
    lag: float
    """Milliseconds that the server's loop was late, in the 99th percentile."""


def quiet() -> None:
    """Ask for a turn of our own on a machine where others work, and keep off the server's core."""
    with contextlib.suppress(OSError, AttributeError):
        os.setsid()
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("-20")
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})


@contextlib.contextmanager
def server(kind: str, worlds: int, *, guarded: bool = False):  # noqa: ANN201  a context manager says what it gives
    """Run one of the servers; ``guarded``: with the limits that every bridge has."""
    if kind == "echo":
        with running("echo") as subject:
            yield subject
        return
    memory = Path("/dev/shm")  # noqa: S108  a disk in memory
    with (
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder,
        running("guarded" if guarded else "bridge", worlds, kind, FLUSH, folder) as subject,
    ):
        yield subject


async def browsers(subject: Subject, count: int, *, show: bool = True) -> list[Browser]:
    """Connect so many browsers."""
    found = [Browser(number) for number in range(count)]
    for browser in found:
        await connect(subject.port, browser, subject.keys[browser.number] if subject.keys else None, show=show)
    return found


async def closed_loop(subject: Subject, count: int, depth: int, seconds: float) -> Measured:
    """Every browser sends again when it is answered."""
    found = await browsers(subject, count)
    for browser in found:
        browser.go(depth)
    await asyncio.sleep(seconds / 4)
    for browser in found:
        browser.times.clear()
    subject.lag()
    before, cpu, began = sum(each.answered for each in found), subject.cpu(), perf_counter()
    await asyncio.sleep(seconds)
    events, used = sum(each.answered for each in found) - before, subject.cpu() - cpu
    took = perf_counter() - began
    return await _told(found, events, used, took, subject.lag())


async def open_loop(subject: Subject, count: int, seconds: float, rate: int = RATE) -> Measured:
    """Events are due at fixed times, whatever the server does; latency counts from when they were due."""
    found = await browsers(subject, count)
    subject.lag()
    cpu, began = subject.cpu(), perf_counter()
    total = int(rate * seconds)
    for number in range(total):
        due = began + number / rate
        while (wait := due - perf_counter()) > 0:
            await asyncio.sleep(wait if wait > 0.001 else 0)  # noqa: PLR2004  a timer is no finer
        found[number % count].send_one(due)
    return await _told(found, total, subject.cpu() - cpu, seconds, subject.lag())


async def _told(found: list[Browser], events: int, used: float, took: float, lag: float) -> Measured:
    for browser in found:
        browser.going = False
    end = monotonic() + 5
    while any(browser.sent for browser in found) and monotonic() < end:
        await asyncio.sleep(0.01)
    lost = sum(len(browser.sent) for browser in found)
    times = sorted(time for browser in found for time in browser.times) or [0.0]
    for browser in found:
        browser.close()
    p50, p99 = (times[min(len(times) - 1, int(len(times) * part))] * 1e3 for part in (0.5, 0.99))
    return Measured(events / took, used / max(1, events) * 1e6, p50, p99, lost, lag)


def flooded(seconds: float) -> tuple[Measured, Measured, float, float]:
    """A GM in a calm, and in a flood of strangers; how many came a second, and the bytes that they left behind."""
    with server("full", 1, guarded=True) as subject:
        calm = _run(open_loop(subject, 1, seconds, CALM))
        before = subject.memory()
        words = [sys.executable, "bench/flood.py", str(subject.port), str(seconds)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as flood:
            storm = _run(open_loop(subject, 1, seconds, CALM))
            strangers = int(flood.communicate()[0])
        sleep(1)
        return calm, storm, strangers / seconds, subject.memory() - before


async def idle(subject: Subject, count: int, *, show: bool) -> float:
    """Bytes of an idle connection, with or without the world that it shows."""
    before = subject.memory()
    found = await browsers(subject, count, show=show)
    await asyncio.sleep(0.5)
    used = subject.memory() - before
    for browser in found:
        browser.close()
    return used / count


def starting(times: int) -> tuple[float, float]:
    """Milliseconds of processor time until it listens, and those of the libraries that it needs, imported alone."""
    code = "import websockets.asyncio.server, msgspec, sqlite3\nfrom bridge.logger import structlog"
    alone, whole = [], []
    for _ in range(times):
        before = _children()
        subprocess.run([sys.executable, "-c", code], check=True)
        alone.append(_children() - before)
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-m", "bridge", "serve", "--port", "0", "--data-dir", folder]
            env = os.environ | {"PYTHONUNBUFFERED": "1", "XDG_CONFIG_HOME": folder}
            with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env) as process:
                assert process.stdout is not None
                process.stdout.readline()
                whole.append(Subject(process, 0, []).cpu())  # type: ignore[arg-type]
                process.terminate()
                process.wait()
    return min(whole) * 1e3, min(alone) * 1e3


def _children() -> float:
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def flush() -> float:
    """Milliseconds that such a flush takes here: a timer of the system is late by some tens of microseconds."""
    found = []
    for _ in range(FLUSHES):
        began = perf_counter()
        sleep(FLUSH)
        found.append(perf_counter() - began)
    return statistics.median(found) * 1e3


class Bench:
    """One run of everything."""

    def __init__(self, *, quick: bool) -> None:
        self.rounds = 1 if quick else 5
        self.seconds = 1.0 if quick else 3.0
        self.shapes = {name: each for name, each in SHAPES.items() if not quick or each[0] <= 100}  # noqa: PLR2004
        self.began = monotonic()
        self.found: dict[tuple[str, str], list[Measured]] = {}
        self.rules: dict[str, dict[str, float]] = {}
        self.flush = flush()

    def say(self, text: str) -> None:
        """Show how far it is."""
        print(f"{monotonic() - self.began:5.0f} s  {text}", file=sys.stderr, flush=True)

    def loads(self) -> None:
        """All servers under all loads, round by round."""
        for round in range(1, self.rounds + 1):
            for name, (count, depth) in self.shapes.items():
                for kind in random.sample(SERVERS, len(SERVERS)):
                    with server(kind, count) as subject:
                        found = _run(closed_loop(subject, count, depth, self.seconds))
                    self._keep(name, kind, found, round)
            for kind in random.sample(SERVERS, len(SERVERS)):
                with server(kind, 10) as subject:
                    self._keep("1,000 a second", kind, _run(open_loop(subject, 10, self.seconds)), round)

    def _keep(self, name: str, kind: str, found: Measured, round: int) -> None:
        self.found.setdefault((name, kind), []).append(found)
        numbers = f"{found.throughput:9,.0f}/s  {found.cpu:6.1f} µs  p99 {found.p99:6.2f} ms"
        self.say(f"round {round}/{self.rounds}  {name:15} {kind:7} {numbers}")

    def ratio(self, name: str, kind: str, what: str) -> float:
        """The median over the rounds of a server's number over the echo's."""
        pairs = zip(self.found[name, kind], self.found[name, "echo"], strict=True)
        return statistics.median(getattr(one, what) / getattr(echo, what) for one, echo in pairs)

    def median(self, name: str, kind: str, what: str) -> float:
        """The median over the rounds."""
        return statistics.median(getattr(each, what) for each in self.found[name, kind])

    def rows(self) -> list[page.Row]:
        """What was measured, with the goal beside it."""
        ratio, median, row = self.ratio, self.median, page.Row
        found = [
            row("full, 100 connections", ratio("100 × 1", "full", "throughput"), "≥ 50 % of the echo", 0.5, "%"),
            row("full, 10 × 16 on their way", ratio("10 × 16", "full", "throughput"), "≥ 90 % of the echo", 0.9, "%"),
            row("normal, 100 connections", ratio("100 × 1", "normal", "throughput"), "≥ 60 % of the echo", 0.6, "%"),
            row("normal, 10 × 16", ratio("10 × 16", "normal", "throughput"), "≥ 110 % of the echo", 1.1, "%"),
            row("CPU per event, full, 100 × 1", ratio("100 × 1", "full", "cpu"), "≤ 2 × the echo", 2, "×", below=True),
            row(
                "p50 at 1,000 events/s, full",
                median("1,000 a second", "full", "p50"),
                "≤ echo + 2 flushes",
                median("1,000 a second", "echo", "p50") + 2 * self.flush,
                "ms",
                below=True,
            ),
            row(
                "p99 at 1,000 events/s, full",
                median("1,000 a second", "full", "p99"),
                "≤ 2.5 × echo + 3 flushes",
                2.5 * median("1,000 a second", "echo", "p99") + 3 * self.flush,
                "ms",
                below=True,
            ),
            row(
                "loop late at 1,000 events/s, full, p99",
                median("1,000 a second", "full", "lag"),
                "≤ 2 ms",
                2,
                "ms",
                below=True,
            ),
            row(
                "answers lost", sum(each.lost for all in self.found.values() for each in all), "none", 0, "", below=True
            ),
        ]
        return found + self.others()

    def others(self) -> list[page.Row]:
        """What needs no load."""
        row = page.Row
        self.say("idle connections")
        count = 100 * self.rounds
        sizes = []
        for kind, show in (("echo", False), ("normal", False), ("normal", True)):
            with server(kind, count) as subject:
                sizes.append(_run(idle(subject, count, show=show)) / 1024)
        self.say("starting")
        started, libraries = starting(3 + self.rounds)
        self.say("the engine")
        times = 100 * self.rounds
        ten = inside.deciding(inside.TEN, times)
        self.rules = inside.each_rule(times)
        self.say("worlds of 100, 1,000 and 10,000")
        small, _, large = (inside.in_a_crowd(size, times) for size in (100, 1000, 10_000))
        self.say("a whole world of 1,000")
        stall, _ = min(inside.taking_in(1000) for _ in range(3))
        return [
            row("idle connection", sizes[1], "≤ 20 KB", 20, "KB", below=True),
            row("of it: the library alone", sizes[0], "", None, "KB"),
            row("idle connection with a world of one creature", sizes[2], "", None, "KB"),
            row("start to listening, CPU", started, "≤ 150 ms", 150, "ms", below=True),
            row("of it: the libraries alone", libraries, "", None, "ms"),
            row("1,000 creatures taken in, longest stall", stall, "≤ 15 ms", 15, "ms", below=True),
            row("an event among 10,000 over among 100", large / small, "≤ 1.5 ×", 1.5, "×", below=True),
            *(
                row(f"decision, ten conditions: {name}", value, "≤ 25 µs", 25, "µs", below=True)
                for name, value in ten.items()
            ),
            *self.flood(),
            *self.rolls(),
        ]

    def flood(self) -> list[page.Row]:
        """A GM among strangers."""
        self.say("a flood of strangers")
        calm, storm, strangers, left = flooded(2 * self.seconds)
        row = page.Row
        return [
            row("a GM's event in a calm, p99", calm.p99, "", None, "ms"),
            row(
                f"the same while {strangers:,.0f} strangers a second knock",
                storm.p99,
                "≤ 100 ms",
                100,
                "ms",
                below=True,
            ),
            row("memory that they leave behind", left / 2**20, "≤ 64 MB", 64, "MB", below=True),
        ]

    def rolls(self) -> list[page.Row]:
        """What the module adds to a roll, where there is a browser."""
        self.say("a roll in the browser")
        try:
            found = _run(rolls.main())
        except BrowserError as error:
            self.say(f"not measured: {str(error).splitlines()[0]}")
            return []
        goal = f"≤ {rolls.LIMIT:.0f} ms"
        return [page.Row("a roll in the browser, median", found["median"], goal, rolls.LIMIT, "ms", below=True)]


def loads(bench: Bench) -> dict[tuple[str, str], tuple[float, ...]]:
    """Load and server -> the medians: events a second, p50, p99, loop late, processor time."""
    kinds = ("throughput", "p50", "p99", "lag", "cpu")
    return {key: tuple(bench.median(*key, kind) for kind in kinds) for key in sorted(bench.found, key=_order)}


def _order(key: tuple[str, str]) -> tuple[int, int]:
    return [*SHAPES, "1,000 a second"].index(key[0]), SERVERS.index(key[1])


def _run(coroutine):  # noqa: ANN001, ANN202  any coroutine, and what it gives
    try:
        import uvloop
    except ImportError:
        return asyncio.run(coroutine)
    return uvloop.run(coroutine)


def main(arguments: list[str]) -> int:
    """Measure, print the table, and write the page when asked to."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: about a minute")
    parser.add_argument("--write", action="store_true", help="put the result into docs/performance.md")
    options = parser.parse_args(arguments)
    from bridge.log import configure
    from bridge.settings import Settings

    configure(Settings(log_level="error"))
    quiet()
    sleep(0.1)
    bench = Bench(quick=options.quick)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    bench.loads()
    rows = bench.rows()
    machine = f"{platform.system()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}"
    whole = page.measured(rows, machine, loads(bench), bench.rules)
    print(whole)
    if options.write:
        page.write(whole, {key: [m.throughput for m in found] for key, found in bench.found.items()})
    missed = [row for row in rows if row.met is False]
    print(f"\n{len(missed)} of {len(rows)} missed; {monotonic() - bench.began:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
