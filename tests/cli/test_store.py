"""``bridge backup``, ``bridge restore`` and ``bridge doctor``, with a bridge running and without."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bridge.cli import store
from bridge.cli.app import main
from bridge.control import Backup, ask
from bridge.errors import RefusedError
from bridge.host import SECRET, Host
from bridge.store import backup
from bridge.store.opening import DATABASE
from bridge.world.row import Row
from tests.peer import ORIGIN, opened, running

COMMANDS = ["backup", "restore", "doctor"]


@pytest.fixture(autouse=True)
def _of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "200")
    yield
    structlog.reset_defaults()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Host.open(tmp_path / "data") as host:
        host.pair(world="w", origin=ORIGIN)
        host.commit([("w", Row("k", "1", b"early")), ("w", Row("journal", "", b'"old"'))])
    return tmp_path / "data"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def rows(folder: Path) -> dict[str, bytes | None]:
    with Host.open(folder) as host:
        return {row.kind: row.value for row in host.store.load("w")}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"bridge {command}" in out.split("Example", 1)[1]


def test_a_copy_brings_back_what_was(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert run(capsys, "backup", str(copy), "--data-dir", str(folder))[0] == 0
    with Host.open(folder) as host:
        host.commit([("w", Row("k", "1", b"late"))])
        (client,) = host.pairings.all()
    code, out, _ = run(capsys, "restore", str(copy), "--data-dir", str(folder))
    assert code == 0
    found = rows(folder)
    assert found["k"] == b"early"
    assert found["journal"] != b'"old"'
    (kept,) = (folder / backup.FOLDER).glob("before-restore-*.db")
    assert str(kept) in out
    assert backup.problem(kept) == ""
    with Host.open(folder) as host:
        _, said = opened(host, key=(client.id, host.pairings.key(client.id)))
        assert "restored from copy.db" in next(m["message"] for m in said if m["type"] == "status")


def test_an_unnamed_copy_goes_among_the_others_and_never_over_one(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    for number in (1, 2):
        assert run(capsys, "backup", "--data-dir", str(folder))[0] == 0
        assert len(backup.usual(folder)) == number
    code, _, err = run(capsys, "backup", str(folder / DATABASE), "--data-dir", str(folder))
    assert code == 77
    assert "already" in err


def test_what_is_no_copy_is_not_restored(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.db").write_bytes(b"no database at all" * 1000)
    code, _, err = run(capsys, "restore", str(tmp_path / "bad.db"), "--data-dir", str(folder))
    assert code == 77
    assert "Nothing was changed" in err
    assert rows(folder)["k"] == b"early"


def test_a_damaged_database_is_set_aside_by_a_restore(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    assert run(capsys, "backup", str(tmp_path / "copy.db"), "--data-dir", str(folder))[0] == 0
    (folder / DATABASE).write_bytes(b"no database at all" * 1000)
    assert run(capsys, "restore", str(tmp_path / "copy.db"), "--data-dir", str(folder))[0] == 0
    assert (folder / f"{DATABASE}.corrupt-1").exists()
    assert rows(folder)["k"] == b"early"


def test_a_command_in_passing_does_not_set_a_damaged_database_aside(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / DATABASE).write_bytes(b"no database at all" * 1000)
    assert run(capsys, "status", "--data-dir", str(folder))[0] == 74
    assert not list(folder.glob("*.corrupt-*"))


async def test_a_running_bridge_is_copied_and_not_restored(folder: Path, tmp_path: Path) -> None:
    with Host.open(folder) as host:
        async with running(host):
            made = (await asyncio.to_thread(ask, folder, Backup(str(tmp_path / "copy.db"))))["file"]
            assert backup.problem(Path(made)) == ""
            assert await asyncio.to_thread(main, ["restore", made, "--data-dir", str(folder)]) == 75
            text = await asyncio.to_thread(store.doctor, data_dir=folder)
            assert text in (0, store.NOT_WELL)
    assert host.secret not in (tmp_path / "copy.db").read_bytes().decode("latin-1")


async def test_a_bridge_without_a_folder_has_no_place_for_copies() -> None:
    from bridge.control import carry_out

    with Host.open() as host, pytest.raises(RefusedError, match="name a file"):
        await carry_out(Backup(), host)


async def test_a_running_bridge_makes_a_copy_every_day(folder: Path) -> None:
    from tests.peer import eventually

    with Host.open(folder) as host:
        async with running(host):
            await eventually(lambda: len(backup.usual(folder)) == 1)
        async with running(host):
            await asyncio.sleep(0)
    # One of today is there already.
    assert len(backup.usual(folder)) == 1


def test_the_doctor_finds_all_well_and_tells_no_secret(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    run(capsys, "backup", "--data-dir", str(folder))
    code, out, _ = run(capsys, "doctor", "--data-dir", str(folder))
    assert (code, "!!" in out) == (0, False)
    assert "1 worlds, 1 browsers" in out
    assert (folder / SECRET).read_text() not in out


def test_the_doctor_says_what_is_not_well(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / DATABASE).write_bytes(b"no database at all" * 1000)
    (folder / f"{DATABASE}.corrupt-1").touch()
    (folder / SECRET).write_text("short")
    if sys.platform != "win32":
        (folder / SECRET).chmod(0o644)
    code, out, _ = run(capsys, "doctor", "--data-dir", str(folder))
    assert code == store.NOT_WELL
    bad = [line for line in out.splitlines() if line.startswith("!!")]
    assert all(any(word in line for line in bad) for word in ("not a database", "corrupt-1", "secret", "Copies"))
    assert sys.platform == "win32" or any("Others can read" in line for line in bad)


def test_the_doctor_sees_a_bridge_that_was_never_started(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "doctor", "--data-dir", str(tmp_path / "nowhere"))
    assert code == 0
    assert "made by bridge serve" in out
    (tmp_path / "empty").mkdir(mode=0o700)
    code, out, _ = run(capsys, "doctor", "--data-dir", str(tmp_path / "empty"))
    assert "No database yet" in out
