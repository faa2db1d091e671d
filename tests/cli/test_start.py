"""The short way of the command line: the same as the long one, and nothing is loaded that a server does not need."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

import bridge
from bridge.cli import app, serve, start
from bridge.host import Host

UNWANTED = {
    "argparse",
    "bridge.cli.app",
    "bridge.control",
    "bridge.decode",
    "bridge.engine",
    "bridge.metrics",
    "bridge.protocol",
    "bridge.rules",
    "bridge.session",
    "bridge.table",
    "bridge.world.world",
    "cyclopts",
    "html",
    "multiprocessing",
    "prometheus_client",
    "pygments",
    "rich",
    "tomlkit",
    "tomllib",
    "urllib.request",
    "unittest",
    "zipfile._path",
}
"""What listening does not need."""

USUAL = [
    [],
    ["--port", "9000"],
    ["--port=9000", "--host", "::1"],
    ["--data-dir", "./data", "--config", "bridge.toml"],
    ["--public-url", "https://bridge.example", "--log-level", "debug", "--log-format=json"],
    ["--tls-cert", "a.pem", "--tls-key", "b.pem", "--insecure-lan", "--on-corrupt", "refuse"],
]
UNUSUAL = [
    ["--help"],
    ["-h"],
    ["--port"],
    ["--port", "many"],
    ["--port", "-1"],
    ["--port", "1", "--port", "2"],
    ["--prot", "1"],
    ["here"],
    ["--host", ""],
    ["--allowed-hosts", "a", "b"],
    ["--insecure-lan=yes"],
    ["--durability", "normal"],
    ["--", "x"],
]


@pytest.fixture(autouse=True)
def _afterwards() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, Any], Path | None]]:
    """What the server was started with."""
    found: list[tuple[dict[str, Any], Path | None]] = []

    def note(flags: dict[str, Any], config: Path | None) -> int:
        found.append(({name: value for name, value in flags.items() if value is not None}, config))
        return 0

    monkeypatch.setattr(serve, "serve", note)
    return found


@pytest.mark.parametrize("words", USUAL, ids=" ".join)
def test_the_short_way_says_the_same_as_the_long_one(
    words: list[str], said: list[tuple[dict[str, Any], Path | None]]
) -> None:
    assert start.options(words) is not None
    assert start.main(["serve", *words]) == 0
    assert app.main(["serve", *words]) == 0
    short, long = said
    assert short == long


@pytest.mark.parametrize("words", UNUSUAL, ids=" ".join)
def test_whatever_is_unusual_goes_the_long_way(words: list[str]) -> None:
    assert start.options(words) is None


def test_the_long_way_is_the_same_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["serve", "--help"]) == 0
    assert "--allowed-hosts" in capsys.readouterr().out
    assert start.main(["dance"]) == 64
    capsys.readouterr()
    assert start.main(["--version"]) == 0
    assert capsys.readouterr().out == f"{bridge.__version__}\n"


def test_a_person_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("BRIDGE_DATA_DIR", str(tmp_path))
    assert start.main(["serve", "--host", "192.168.1.5"]) == 77
    assert start.main(["health"]) == 69
    lines = capsys.readouterr().err.splitlines()
    assert [line[:8] for line in lines] == ["bridge: ", "bridge: "]


def loaded(code: str) -> set[str]:
    ending = "\nimport sys; print('\\n'.join(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code + ending], check=True, capture_output=True, text=True)
    return set(said.stdout.split())


LISTENING = """
import asyncio, sys
from bridge import process
from bridge.cli import serve, start
def stop(server, *_):
    print("\\n".join(sys.modules))
    server.stopped.set()
serve._announce = stop
sys.exit(start.main(["serve", "--port", "0", "--data-dir", sys.argv[1]]))
"""


def test_what_listening_does_not_need_is_not_loaded_before_it(tmp_path: Path) -> None:
    with Host.open(tmp_path):
        pass
    said = subprocess.run(
        [sys.executable, "-c", LISTENING, tmp_path], check=True, capture_output=True, text=True, timeout=60
    )
    found = set(said.stdout.split())
    assert "bridge.server" in found
    assert found & UNWANTED == set()


def test_the_long_way_loads_what_the_short_one_does_not() -> None:
    """Negative control: the list names what really is there otherwise."""
    assert {"cyclopts", "rich", "bridge.cli.app"} <= loaded("import bridge.cli.app, rich")
    assert "rich" in loaded("import structlog")
    assert "rich" not in loaded("import bridge.logger")
    assert "rich" in loaded("import bridge.logger, rich")
