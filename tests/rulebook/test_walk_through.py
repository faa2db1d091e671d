"""Every command and every file of the worked example in docs/house-rules.md, run in its order."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest
import structlog

from bridge.cli.app import main
from bridge.host import Host
from bridge.rulebook.file import File, LimitsItem, ModifierItem, Own, SpeedItem, When
from bridge.table.scenario import load
from tests.creatures import creature, plain
from tests.peer import ORIGIN

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "house-rules.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = [text for language, text in BLOCKS if language == "toml"]
SAID = [text for language, text in BLOCKS if language == "text"]
COMMANDS = [line for language, text in BLOCKS if not language for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, text in zip(("rulebook.toml", "chilled.toml"), FILES, strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BRIDGE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    # The loggers of this process must not keep the stream of one test for the next.
    configure = structlog.configure
    monkeypatch.setattr(structlog, "configure", lambda **how: configure(**{**how, "cache_logger_on_first_use": False}))
    with Host.open(tmp_path / "data") as host:
        host.pair(world="w", origin=ORIGIN)
        memory = host.world("w").memory
        memory.keep_actor(creature(plain("grappled")))
        host.commit([("w", row) for row in host.world("w").take()])
    yield tmp_path
    structlog.reset_defaults()


def test_every_command_of_the_example_works(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(COMMANDS) >= 9
    for line in COMMANDS:
        monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
        code = main(shlex.split(line)[1:])
        out, err = capsys.readouterr()
        assert code == 0, (line, out, err)
        if line == "bridge rulebook import rulebook.toml":
            shown = SAID[1].splitlines()
            assert out.splitlines()[: len(shown) - 1] == shown[:-1]
            assert out.splitlines()[len(shown) - 1].startswith(shown[-1])
        if line == "bridge rulebook export mine.toml":
            assert (folder / "mine.toml").read_text(encoding="utf-8") == FILES[0]


def test_the_mistake_of_the_example_is_told_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = FILES[0].replace('limits.players = "warn"', 'limits.players = "wran"')
    (folder / "rulebook.toml").write_text(wrong, encoding="utf-8")
    assert main(["rulebook", "check", "rulebook.toml"]) == 1
    assert capsys.readouterr().out == SAID[0]


def test_without_the_condition_the_story_of_the_example_fails(folder: Path) -> None:
    text = FILES[0].replace('name = "Chilled"', 'name = "Chilled"\nmode = "off"')
    (folder / "rulebook.toml").write_text(text, encoding="utf-8")
    assert load(folder / "chilled.toml").rulebook == text
    assert main(["rulebook", "try", "chilled.toml"]) == 1


@pytest.mark.parametrize("kind", [File, Own, ModifierItem, LimitsItem, SpeedItem, When])
def test_every_key_of_the_file_stands_in_the_page(kind: type) -> None:
    assert [name for name in kind.__struct_encode_fields__ if f"`{name}" not in PAGE and f"`[{name}" not in PAGE] == []
