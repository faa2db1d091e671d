"""What is settled does not pile up: the rows of a world stay as many as the world needs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bridge.host import SCRATCH, Host
from bridge.world import memory
from bridge.world.memory import Memory
from tests.peer import ORIGIN
from tests.reliability.ledger import Ledger
from tests.reliability.seat import Seat

MOST = 50


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST_SEEN", MOST)
    monkeypatch.setattr(memory, "MOST_HISTORY", MOST)


def kinds(folder: Path) -> Counter[str]:
    """Play for long; return the rows that are kept, by kind."""
    with Host.open(folder) as host:
        seat = Seat(host, Ledger("w", 1), host.pair(world="w", origin=ORIGIN))
        for _ in range(20):
            seat.play(20)
        seat.leave()
        assert seat.ledger.problems() == []
        return Counter(row.kind for row in host.store.load("w"))


def test_a_long_evening_leaves_no_more_rows_than_are_needed(tmp_path: Path) -> None:
    found = kinds(tmp_path)
    assert found["seen"] == found["decision"] == MOST
    assert found["pending"] == found["flight"] == found["asked"] == 0
    assert found["actor"] == 4


def test_without_pruning_they_would_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST_SEEN", 10**6)
    monkeypatch.setattr(Memory, "drop_pending", lambda self, actor, up_to: self.pending.pop(actor, None))
    found = kinds(tmp_path)
    assert found["seen"] > 2 * MOST
    assert found["pending"] > 2 * MOST


def test_worlds_that_somebody_tried_something_in_go_with_the_next_start(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        host.pair(world=f"{SCRATCH}1", origin=ORIGIN)
        host.pair(world="w", origin=ORIGIN)
        host.world_settings[f"{SCRATCH}1"] = {}
    with Host.open(tmp_path) as host:
        assert [client.world for client in host.pairings.all()] == ["w"]
        assert host.world_settings.text(f"{SCRATCH}1") == ""
