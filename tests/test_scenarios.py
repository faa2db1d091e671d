"""Every scenario file of the project, through the whole bridge; some of them over a real WebSocket as well."""

import asyncio
from pathlib import Path

import pytest

from bridge.host import Host
from bridge.settings import Settings
from bridge.table.faults import BREAKING
from bridge.table.run import main, play
from bridge.table.scenario import load
from tests.peer import running

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.toml"))
OVER_THE_WIRE = [path for path in FILES if path.parent.name in {"bleeding", "dazed", "rulebook"}]


def name(path: Path) -> str:
    """Return what a file is called in the test's name."""
    return str(path.relative_to(FOLDER).with_suffix(""))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_scenario_ends_as_it_says(path: Path) -> None:
    outcome = play(path)
    assert outcome.passed, "\n".join(outcome.failures)


def test_there_are_scenarios() -> None:
    assert FILES


async def test_over_the_wire_the_same_stories_end_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stories = [path for path in OVER_THE_WIRE if not any(isinstance(told.step, BREAKING) for told in load(path).steps)]
    with Host.open(tmp_path, Settings(durability="normal")) as host:
        async with running(host) as server:
            code = await asyncio.to_thread(main, stories, False, server.url, folder=tmp_path)
        assert host.store.worlds() == []
    said = capsys.readouterr().out
    assert code == 0, said
    assert said.splitlines()[-1] == f"{len(stories)} passed, 0 failed"


async def test_a_bridge_that_runs_for_others_is_not_broken(tmp_path: Path) -> None:
    path = tmp_path / "kill.toml"
    path.write_text('title = "x"\n[[steps]]\ndo = "kill-bridge"\n', encoding="utf-8")
    with Host.open(tmp_path / "data", Settings(durability="normal")) as host:
        async with running(host) as server:
            outcome = await asyncio.to_thread(play, path, url=server.url, folder=tmp_path / "data")
    assert "play this file without --url" in outcome.failures[0]
