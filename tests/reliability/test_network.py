"""Fault schedules on the wire: once the faults end, every table is as it must be, and nothing is on its way."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from bridge.host import Host
from bridge.settings import Settings
from bridge.world.memory import Memory
from tests.peer import ORIGIN, running
from tests.reliability.browser import Browser
from tests.reliability.counts import SEED, count
from tests.reliability.ledger import Ledger
from tests.reliability.proxy import Proxy, Weather, proxied

BESIDE = 20
"""Schedules that run side by side, each a world of its own."""
CONVERGED_WITHIN = 60.0
"""A guard against hangs; on an idle machine it takes less than a second."""
SILENCE = 2.0
SETTINGS = Settings(ping=0.5, unproven=1000, connections=10_000, durability="normal", allowed_hosts=("127.0.0.1",))


class Told(NamedTuple):
    """What came of a schedule."""

    problems: list[str]
    connections: int


async def cut(proxy: Proxy, chance: random.Random) -> None:
    proxy.cut()


async def reorder(proxy: Proxy, chance: random.Random) -> None:
    """The module connects anew, and what it had sent before arrives after that."""
    proxy.weather = Weather(delay=0.02)
    await asyncio.sleep(0.02)
    proxy.linger(chance.random() * 0.3)


def weather(
    make: Callable[[random.Random], Weather], longest: float
) -> Callable[[Proxy, random.Random], Awaitable[None]]:
    async def fault(proxy: Proxy, chance: random.Random) -> None:
        proxy.weather = make(chance)
        await asyncio.sleep(chance.random() * longest)
        if chance.random() < 0.3:
            proxy.cut()

    return fault


FAULTS: dict[str, Callable[[Proxy, random.Random], Awaitable[None]]] = {
    "cut": cut,
    "half-open": weather(
        lambda chance: Weather(held=chance.choice((frozenset({"up"}), frozenset({"down"}), frozenset({"up", "down"})))),
        3,
    ),
    "delay": weather(lambda chance: Weather(delay=chance.random() * 0.1), 0.5),
    "slow": weather(lambda chance: Weather(rate=chance.randrange(2000, 20_000), slice=64), 0.5),
    "slice": weather(lambda chance: Weather(slice=chance.randrange(1, 8)), 0.3),
    "reorder": reorder,
}


async def suffer(host: Host, port: int, number: int) -> Told:
    """Play one schedule to its end."""
    world, chance = f"w{number}", random.Random(SEED + number)
    ledger = Ledger(world, SEED + number, creatures=2)
    key = host.pair(world=world, origin=ORIGIN)
    async with proxied(port) as proxy:
        browser = Browser(ledger, proxy.port, key, silence=SILENCE)
        running = asyncio.create_task(browser.run())
        try:
            for _ in range(chance.randrange(3, 7)):
                browser.act(chance.randrange(1, 6))
                await asyncio.sleep(chance.random() * 0.1)
                await FAULTS[chance.choice(list(FAULTS))](proxy, chance)
                browser.act(chance.randrange(3))
                proxy.weather = Weather()
            async with asyncio.timeout(CONVERGED_WITHIN):
                while not (browser.quiet and _is_done(host, world)):  # noqa: ASYNC110  nothing tells when
                    await asyncio.sleep(0.02)
        except TimeoutError:
            return Told([f"{world} did not come to rest", *ledger.problems()], browser.connections)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    return Told([f"{world}: {problem}" for problem in ledger.problems()], browser.connections)


def _is_done(host: Host, world: str) -> bool:
    memory = host._worlds[world].memory if world in host._worlds else None
    return memory is not None and not memory.pending and not memory.flights


async def outcomes(numbers: range, *, until_bad: bool = False) -> list[Told]:
    told: list[Told] = []
    with Host.open(settings=SETTINGS) as host:
        async with running(host) as server:
            for first in range(numbers.start, numbers.stop, BESIDE):
                some = range(first, min(first + BESIDE, numbers.stop))
                told += await asyncio.gather(*(suffer(host, server.port, number) for number in some))
                if until_bad and any(each.problems for each in told):
                    break
    return told


@pytest.mark.timeout(7200)
async def test_once_the_faults_end_every_table_is_as_it_must_be() -> None:
    told = await outcomes(range(count(60, 2000)))
    assert [problem for each in told for problem in each.problems] == []
    # The faults were real: most tables had to connect again.
    assert sum(each.connections > 1 for each in told) > len(told) / 2


async def test_a_bridge_that_takes_repeats_for_new_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "first_time", lambda self, key: True)
    told = await outcomes(range(60), until_bad=True)
    assert any("cards" in problem or "hit points" in problem for each in told for problem in each.problems)
