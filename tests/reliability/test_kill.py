"""``kill -9`` of the whole bridge under traffic: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.table.link import LinkBroken
from tests.reliability.counts import SEED, count
from tests.reliability.ledger import Ledger
from tests.reliability.process import Bridge, Nursery, Wired, connect, disconnect, exchange, on_disk, pair

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.timeout(7200),
]

PARTS = 4
"""The kills are spread over so many tables, so that they can run side by side."""
MOST_EXCHANGES = 12
LATEST = 0.02
"""Seconds from the last exchange to the kill, at most."""
LOST = 0.25
"""How often the answers to an exchange are lost on the way."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


class Unbalanced(AssertionError):
    """The books do not balance."""


def suffer(nursery: Nursery, folder: Path, seed: int, kills: int, *weaknesses: str) -> Ledger:
    """Kill the bridge so often, then let it finish; return the table.  Raises Unbalanced."""
    chance = random.Random(seed)
    ledger, link = Ledger("w", seed), Wired("w", pair(folder, "w"))
    for _ in range(kills):
        with Bridge(nursery, folder, *weaknesses) as bridge:
            link.url = bridge.url
            left = chance.randrange(MOST_EXCHANGES)
            while bridge.alive:
                try:
                    left = _talk(ledger, link, chance, left, bridge)
                except LinkBroken:
                    disconnect(ledger, link)
        said, known = on_disk(folder, "w", folder / "copy")
        if said != "ok":
            raise Unbalanced(said)
        if lost := ledger.table.acked - known:
            raise Unbalanced(f"acknowledged and not on disk: {lost}")
    with Bridge(nursery, folder, *weaknesses) as bridge:
        link.url = bridge.url
        connect(ledger, link)
        while exchange(ledger, link):
            pass
        disconnect(ledger, link)
    if found := ledger.problems():
        raise Unbalanced("\n".join(found))
    return ledger


def _talk(ledger: Ledger, link: Wired, chance: random.Random, left: int, bridge: Bridge) -> int:
    """Exchange so often, then kill the bridge while the next exchange is on its way."""
    if left == 0:
        bridge.kill_soon(chance.random() * LATEST)
    connect(ledger, link)
    while left:
        left -= 1
        ledger.act(chance.randrange(1, 6))
        if not left:
            bridge.kill_soon(chance.random() * LATEST)
        if chance.random() < LOST:
            link.send(ledger.table.take())
            disconnect(ledger, link)
            return left
        exchange(ledger, link)
    bridge.wait()
    raise LinkBroken("killed")


@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_any_moment_it_loses_nothing_that_it_acknowledged_and_does_nothing_twice(
    nursery: Nursery, tmp_path: Path, part: int
) -> None:
    ledger = suffer(nursery, tmp_path, SEED + part, count(40, 1000) // PARTS)
    assert len(ledger.refused) > 20


@pytest.mark.parametrize(
    ("weakness", "complaint"),
    [("acks-early", "acknowledged and not on disk"), ("sees-twice", "cards|hit points")],
)
def test_a_weakened_build_fails(nursery: Nursery, tmp_path: Path, weakness: str, complaint: str) -> None:
    with pytest.raises(Unbalanced, match=complaint):
        suffer(nursery, tmp_path, SEED, 12, weakness)
