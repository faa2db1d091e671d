"""``bridge health``, ``bridge config``, ``bridge logs`` and ``bridge module``."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bridge import log
from bridge.cli import service
from bridge.cli.app import main
from bridge.host import Host
from bridge.log import configure
from bridge.settings import Settings
from tests.peer import running


@pytest.fixture(autouse=True)
def _of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "200")
    yield
    structlog.reset_defaults()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", ["health", "config", "logs", "module"])
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"bridge {command}" in out.split("Example", 1)[1]


async def test_a_running_bridge_is_well_until_it_cannot_save(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with Host.open(tmp_path) as host:
        async with running(host):
            words = ["health", "--data-dir", str(tmp_path)]
            assert await asyncio.to_thread(main, words) == 0
            host.trouble = "The disk is full."
            assert await asyncio.to_thread(main, words) == 69
    assert capsys.readouterr().out.split() == ['{"status":"ok"}', '{"status":"degraded"}']


def test_a_bridge_that_is_not_there_is_not_well(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "health", "--data-dir", str(tmp_path))[0] == 69
    (tmp_path / "bridge.lock").write_text('{"pid": 1, "url": "ws://127.0.0.1:1"}')
    code, out, err = run(capsys, "health", "--data-dir", str(tmp_path))
    assert (code, out) == (69, "")
    assert "does not answer" in err


def test_every_setting_is_shown_with_where_it_comes_from_and_no_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("/etc/hidden.pem\n")
    file = tmp_path / "bridge.toml"
    file.write_text("ping = 20\n")
    monkeypatch.setenv("BRIDGE_PORT", "9000")
    monkeypatch.setenv("BRIDGE_TLS_KEY_FILE", str(secret))
    monkeypatch.setenv("BRIDGE_PUBLIC_URL", "https://gm:hunter2@bridge.example")
    code, out, _ = run(capsys, "config", "--config", str(file))
    assert code == 0
    lines = {line.split()[0]: line.split()[1:] for line in out.splitlines()}
    assert lines["port"] == ["9000", "BRIDGE_PORT"]
    assert lines["ping"] == ["20.0", str(file)]
    assert lines["tls-key"] == ["***", "BRIDGE_TLS_KEY_FILE"]
    assert lines["public-url"] == ['"https://***@bridge.example"', "BRIDGE_PUBLIC_URL"]
    assert lines["host"] == ['"127.0.0.1"', "default"]
    assert "hidden" not in out
    assert "hunter2" not in out
    code, out, _ = run(capsys, "config", "--changed", "--config", str(file))
    assert [line.split()[0] for line in out.splitlines()] == ["port", "public-url", "tls-key", "ping"]


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "logs" / "bridge.log"
    monkeypatch.setenv("BRIDGE_LOG_FILE", str(path))
    file = log.LogFile(path)
    configure(Settings(log_format="json"), file)  # type: ignore[arg-type]
    structlog.get_logger().info("session opened", world="w\x1b[2J")
    structlog.get_logger().warning("the disk is slow")
    structlog.get_logger().error("left out", exc_info=ZeroDivisionError())
    yield path
    file.close()


def test_a_log_file_is_for_its_owner_and_read_with_a_command(capsys: pytest.CaptureFixture[str], logged: Path) -> None:
    assert logged.stat().st_mode & 0o077 == 0
    assert json.loads(logged.read_text().splitlines()[0])["event"] == "session opened"
    code, out, err = run(capsys, "logs")
    assert (code, err) == (0, "")
    assert "session opened  world=w" in out
    assert "\x1b" not in out
    assert "ZeroDivisionError" in out
    assert "session opened" not in run(capsys, "logs", "--level", "warning")[1]
    assert "slow" not in run(capsys, "logs", "--lines", "1")[1]


def test_a_large_log_file_is_set_aside_and_still_read(
    capsys: pytest.CaptureFixture[str], logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "LARGE", 10)
    structlog.get_logger().info("in the new file")
    assert log.aside(logged).exists()
    assert len(logged.read_text().splitlines()) == 1
    out = run(capsys, "logs")[1]
    assert out.index("session opened") < out.index("in the new file")


def test_what_comes_later_is_followed(
    capsys: pytest.CaptureFixture[str], logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threading.Event()

    def another(_seconds: float) -> None:
        if looked.is_set():
            raise KeyboardInterrupt
        looked.set()
        structlog.get_logger().error("just now")

    monkeypatch.setattr(service.time, "sleep", another)
    with pytest.raises(SystemExit, match="130"):
        main(["logs", "--follow", "--lines", "0"])
    out = capsys.readouterr().out
    assert "just now" in out
    assert "session opened" not in out


def test_without_a_log_file_it_says_where_the_log_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "logs")
    assert code == 64
    assert "BRIDGE_LOG_FILE" in err


def test_a_log_file_that_cannot_be_written_is_a_plain_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BRIDGE_LOG_FILE", str(tmp_path / "file" / "bridge.log"))
    code, _, err = run(capsys, "serve", "--port", "0", "--data-dir", str(tmp_path / "data"))
    assert code == 74
    assert "cannot be written" in err


def test_the_module_is_written_again_over_an_older_one_and_over_nothing_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BRIDGE_PUBLIC_URL", "https://bridge.example")
    target = tmp_path / "modules" / "condition-bridge"
    assert run(capsys, "module", str(target))[0] == 0
    (target / "scripts/of-an-older-version.mjs").touch()
    assert run(capsys, "module", str(target))[0] == 0
    assert not (target / "scripts/of-an-older-version.mjs").exists()
    manifest = json.loads((target / "module.json").read_text())
    assert manifest["manifest"] == "https://bridge.example/module/module.json"
    assert all((target / script).is_file() for script in manifest["esmodules"])
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    code, _, err = run(capsys, "module", str(other))
    assert code == 77
    assert "something else" in err
    assert [path.name for path in other.iterdir()] == ["mine.txt"]
