from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import structlog

from bridge.cli.app import main
from bridge.engine.events import ConditionChanged
from bridge.engine.state import Actor, HitPoints
from bridge.history import Search, chapters, find, lines, span
from bridge.host import Host
from bridge.world.memory import Chapter
from bridge.world.row import Row
from tests.peer import ORIGIN
from tests.reliability.ledger import Ledger
from tests.reliability.seat import Seat

BORS = Actor("Actor.b", "Bors the Bold", hp=HitPoints(10, 20))
MEG = Actor("Actor.m", "Meg")
DRUNK = ConditionChanged(condition="intoxicated", was=0, level=1)
HEALED = msgspec.structs.replace(BORS, hp=HitPoints(12, 20))
FOUND = [
    Chapter(1, BORS.id, 0, BORS, BORS, ("Bleeding: x",), ("healing refused (spell) by player",), ("bleeding",)),
    Chapter(2, MEG.id, 7200, MEG, MEG, rules=("intoxicated",), changed=(DRUNK,)),
    Chapter(3, BORS.id, 9000, BORS, HEALED, undone=True, rules=("bleeding",)),
]


@pytest.fixture(autouse=True)
def _of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        (Search(), [1, 2, 3]),
        (Search(creature="bors"), [1, 3]),
        (Search(creature="Actor.m"), [2]),
        (Search(condition="intoxicated"), [2]),
        (Search(rule="bleeding"), [1, 3]),
        (Search(rule="BLD-7"), [1, 3]),
        (Search(rule="int-4"), [2]),
        (Search(since=3600), [2, 3]),
        (Search(creature="bors", since=3600, rule="bleeding"), [3]),
        (Search(creature="nobody"), []),
    ],
)
def test_decisions_are_found_by_creature_condition_rule_and_time(search: Search, expected: list[int]) -> None:
    assert [chapter.id for chapter in find(FOUND, search)] == expected


def test_rows_are_read_in_the_order_of_their_ids() -> None:
    rows = [Row("decision", str(chapter.id), msgspec.json.encode(chapter)) for chapter in reversed(FOUND)]
    assert chapters([*rows, Row("seen", "h", b"true")]) == FOUND
    assert list(find([], Search())) == []


def test_a_decision_is_told_with_its_reason_and_what_it_changed() -> None:
    assert lines(FOUND[0]) == [
        "day 0, 00:00:00  Bors the Bold: healing refused (spell) by player",
        "    Bleeding: x",
    ]
    assert lines(FOUND[1]) == ["day 0, 02:00:00  Meg: unknown", "    intoxicated 0 → 1"]
    assert "taken back" in lines(FOUND[2])[0]
    assert lines(FOUND[2])[1] == "    hit points 10 → 12"


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("30 min", 1800), ("2 hours", 7200), ("1 day", 86_400), ("5s", 5)]
)
def test_spans_are_read(text: str, seconds: int) -> None:
    assert span(text) == seconds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Host.open(tmp_path / "data") as host:
        Seat(host, Ledger("w", 1), host.pair(world="w", origin=ORIGIN)).play()
    return tmp_path / "data"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["history", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_shows_and_exports(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "--data-dir", str(folder), "--rule", "BLD-7")
    assert code == 0
    assert "healing refused (spell)" in out
    code, out, _ = run(capsys, "--data-dir", str(folder), "--export", str(tmp_path / "all.jsonl"))
    exported = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert out == f"{len(exported)} decisions are in {tmp_path / 'all.jsonl'}.\n"
    assert {"before", "after", "why", "id"} <= exported[-1].keys()
    assert run(capsys, "--data-dir", str(folder), "--creature", "nobody")[1].startswith("Nothing")


def test_what_cannot_be_read_or_written_is_told(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    assert run(capsys, "--data-dir", str(folder), "--since", "yesterday")[0] == 64
    code, _, err = run(capsys, "--data-dir", str(folder), "--world", "x")
    assert code == 77
    assert "There are: w" in err
    assert run(capsys, "--data-dir", str(folder), "--export", str(tmp_path / "no" / "x"))[0] == 74
