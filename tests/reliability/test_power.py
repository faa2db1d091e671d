"""Power cuts, modelled: the real store on a disk that forgets what was not synced, opened again by the real store."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bridge.errors import BridgeError
from bridge.store.sqlite import SqliteStore
from bridge.world.row import Row
from tests.reliability.counts import SEED, count

disk = pytest.importorskip("tests.reliability.disk", reason="apsw is not installed", exc_type=ImportError)

pytestmark = pytest.mark.timeout(7200)
COMMITS = 40
CUTS = 50
"""Cuts of the power in each recording."""
PATH = "/bridge.db"


class Recorded(SqliteStore):
    """The real store, on a recording disk.  ``synchronous``: weakened to this, when given."""

    def __init__(self, on: Any, synchronous: str = "") -> None:
        self._disk, self._weak = on, synchronous
        super().__init__()

    def _connect(self) -> Any:
        return disk.Connection(self._disk, PATH)

    def _prepare(self, db: Any, *, check: bool) -> None:
        super()._prepare(db, check=check)
        if self._weak:
            db.execute(f"PRAGMA synchronous = {self._weak}")


def record(seed: int, synchronous: str = "") -> tuple[list[Any], list[dict[str, bytes]]]:
    """Commit rows; return what the disk saw and the rows after each commit, none first."""
    chance, made = random.Random(seed), disk.Disk()
    store = Recorded(made, synchronous)
    states: list[dict[str, bytes]] = [{}]
    for number in range(1, COMMITS + 1):
        rows = [
            Row(
                "k",
                str(chance.randrange(30)),
                None if chance.random() < 0.2 else chance.randbytes(chance.randrange(900)),
            )
            for _ in range(chance.randrange(1, 8))
        ]
        store.append_many([("w", row) for row in rows] + [("w", Row("k", "n", b"%d" % number))])
        made.ack(number)
        state = dict(states[-1])
        for row in rows:
            state.pop(row.key, None)
            if row.value is not None:
                state[row.key] = row.value
        states.append(state | {"n": b"%d" % number})
        if chance.random() < 0.15:
            store._checkpoint()
    store.close()
    return made.log, states


def judge(files: dict[str, bytearray], acked: int, states: list[dict[str, bytes]], folder: Path) -> str:
    """Open what a cut has left; say ``ok``, ``lost`` or ``corrupt``."""
    folder.mkdir()
    disk.leave(files, folder)
    try:
        store = SqliteStore(folder / "bridge.db", durability="normal")
    except BridgeError:
        return "corrupt"
    (said,) = store._db.execute("PRAGMA integrity_check").fetchone()
    found = {row.key: row.value for row in store.load("w")}
    store.close()
    if said != "ok" or found not in states:
        return "corrupt"
    # The commit that was under way may be there or not; it is never there in part.
    return "ok" if states.index(found) >= acked else "lost"


def outcomes(folder: Path, cuts: int, synchronous: str = "") -> Counter[str]:
    found: Counter[str] = Counter()
    for part in range(cuts // CUTS):
        log, states = record(SEED + part, synchronous)
        chance = random.Random(SEED + part)
        for number in range(CUTS):
            files, acked = disk.cut(log[: chance.randrange(len(log))], chance)
            made = folder / f"{part}-{number}"
            found[judge(files, acked, states, made)] += 1
            shutil.rmtree(made)
    return found


def test_a_power_cut_loses_nothing_that_was_acknowledged_and_damages_nothing(tmp_path: Path) -> None:
    cuts = count(500, 20_000)
    assert outcomes(tmp_path, cuts) == {"ok": cuts}


def test_with_fewer_syncs_acknowledged_rows_are_lost(tmp_path: Path) -> None:
    assert outcomes(tmp_path, 100, "NORMAL")["lost"] > 50


def test_without_syncs_the_database_is_damaged(tmp_path: Path) -> None:
    assert outcomes(tmp_path, 100, "OFF")["corrupt"] > 5
