"""The disk is full, or fails: nothing acknowledged is lost, the module is told, and all goes on when it works again."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.host import DATABASE, Host
from bridge.store.sqlite import SqliteStore
from bridge.table.link import LinkBroken
from tests.reliability.counts import SEED, count
from tests.reliability.ledger import Ledger
from tests.reliability.process import ROOT, Bridge, Nursery, Wired, connect, disconnect, exchange, pair

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="faults of Linux"),
    pytest.mark.timeout(7200),
]
PATIENCE = 60.0


def strace_works() -> bool:
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


FAULTS = [
    (call, error)
    for call in ("pwrite64", "fdatasync", "fsync", "ftruncate", "openat")
    for error in ("EIO", "ENOSPC")
    if (call, error) not in {("fsync", "ENOSPC"), ("ftruncate", "ENOSPC")}
]


def commit_under(folder: Path, call: str, error: str, when: str, *weak: str) -> list[int]:
    """Commit while system calls fail; return the commits that were acknowledged."""
    folder.mkdir()
    done = subprocess.run(
        [
            *("strace", "-f", "-qq", "--seccomp-bpf", "-o", os.devnull, "-P", f"{folder}/{DATABASE}"),
            *(
                "-P",
                f"{folder}/{DATABASE}-wal",
                "-e",
                f"trace={call}",
                "-e",
                f"inject={call}:error={error}:when={when}",
            ),
            *(sys.executable, "-m", "tests.reliability.syscalls", str(folder), *weak),
        ],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [int(line) for line in done.stdout.split()]


def lost(folder: Path, acked: list[int]) -> set[int]:
    """Return the commits that were acknowledged and are not there."""
    store = SqliteStore(folder / DATABASE)
    assert store._db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    found = {int(row.key) for row in store.load("w")}
    store.close()
    return set(acked) - found


@pytest.mark.skipif(not strace_works(), reason="strace is not here, or may not trace")
def test_whichever_system_call_fails_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    points = [(call, error, number, end) for call, error in FAULTS for number in range(1, 101) for end in ("", "+")]
    chosen = chance.sample(points, count(24, len(points)))
    some = 0
    for index, (call, error, number, end) in enumerate(chosen):
        folder = tmp_path / str(index)
        acked = commit_under(folder, call, error, f"{number}{end}")
        assert not lost(folder, acked), (call, error, number, end)
        some += len(acked)
        shutil.rmtree(folder)
    assert some


@pytest.mark.skipif(not strace_works(), reason="strace is not here, or may not trace")
def test_whoever_acknowledges_what_failed_is_found_out(tmp_path: Path) -> None:
    acked = commit_under(tmp_path / "x", "pwrite64", "ENOSPC", "40+", "careless")
    assert lost(tmp_path / "x", acked)


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a disk of two megabytes."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no disk may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True, check=False)


def play_on(ledger: Ledger, link: Wired) -> None:
    """Play until the link breaks, or long enough.  Raises LinkBroken."""
    for _ in range(500):
        ledger.act(5)
        exchange(ledger, link)


def health(bridge: Bridge) -> int:
    url = bridge.url.replace("ws:", "http:") + "/healthz"
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:  # noqa: S310  our own address
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root may mount a disk")
def test_a_full_disk_is_told_and_survived(nursery: Nursery, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as folder:
        ledger, link = Ledger("w", SEED), Wired("w", pair(folder, "w"))
        with Bridge(nursery, folder) as bridge:
            link.url = bridge.url
            connect(ledger, link)
            ledger.act(20)
            while exchange(ledger, link):
                pass
            with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
                while filler.write(b"x" * 4096):
                    pass
            with pytest.raises(LinkBroken, match="4013"):
                play_on(ledger, link)
            disconnect(ledger, link)
            assert health(bridge) == 503
            with pytest.raises(LinkBroken, match=r"4013|disk"):
                connect(ledger, link)
            disconnect(ledger, link)
            assert bridge.alive
            (folder / "filler").unlink()
            end = time.monotonic() + PATIENCE
            while health(bridge) != 200:
                assert time.monotonic() < end
                time.sleep(0.05)
            connect(ledger, link)
            while exchange(ledger, link):
                pass
            disconnect(ledger, link)
        assert ledger.problems() == []
        with Host.open(folder) as host:
            assert ledger.table.acked <= {row.key for row in host.store.load("w") if row.kind == "seen"}


@pytest.mark.parametrize(("weakness", "code"), [("disk-fails", 74), ("disk-is-full", None)])
def test_three_failures_in_a_minute_end_it_with_74_and_a_full_disk_does_not(
    tmp_path: Path, weakness: str, code: int | None
) -> None:
    from bridge.store.lock import holder

    ledger, link = Ledger("w", SEED), Wired("w", pair(tmp_path, "w"))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.reliability.build", str(tmp_path), weakness], cwd=ROOT, stderr=subprocess.PIPE
    )
    try:
        end = time.monotonic() + PATIENCE
        while holder(tmp_path).pid != process.pid or not holder(tmp_path).url:
            assert time.monotonic() < end
            time.sleep(0.01)
        link.url = holder(tmp_path).url
        for _ in range(10):
            with contextlib.suppress(LinkBroken):
                connect(ledger, link)
                exchange(ledger, link)
            disconnect(ledger, link)
            time.sleep(0.1)
            if process.poll() is not None:
                break
        assert process.poll() == code
    finally:
        process.kill()
        _, said = process.communicate()
    assert code is None or b"3 times within a minute" in said
