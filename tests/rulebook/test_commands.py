"""``bridge rulebook``: check, show, try, export, import; with the bridge running and without it."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bridge import control
from bridge.cli.app import main
from bridge.errors import RefusedError, StoreError
from bridge.host import Host
from bridge.rulebook.book import shipped_text
from bridge.settings import Settings
from tests.peer import ORIGIN, dialled, picture, running

FOLDER = Path(__file__).parent
WINTER = FOLDER / "winter.toml"
STORY = FOLDER.parent / "scenarios" / "rulebook" / "plain-no-house-rule.toml"


@pytest.fixture(autouse=True)
def _of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    # The loggers of this process must not keep the stream of one test for the next.
    configure = structlog.configure
    monkeypatch.setattr(structlog, "configure", lambda **how: configure(**{**how, "cache_logger_on_first_use": False}))
    yield
    structlog.reset_defaults()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Host.open(tmp_path / "bridge") as host:
        host.pair(world="w", origin=ORIGIN, world_name="Saltmarsh")
    return tmp_path / "bridge"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["rulebook", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def answers(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


@pytest.mark.parametrize("command", ["check", "show", "try", "export", "import"])
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"bridge rulebook {command}" in out.split("Example", 1)[1]


def test_check_tells_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", WINTER)
    assert code == 0
    assert "all is well. It changes 1 settings." in out
    assert "Chilled" in out


def test_check_tells_every_problem_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("nam = '[red]'\n[settings]\nrolls.mode = 1\n", encoding="utf-8")
    code, out, _ = run(capsys, "check", tmp_path / "r.toml")
    assert code == 1
    assert f"{tmp_path}/r.toml:1: nam: " in out
    assert f"{tmp_path}/r.toml:3: settings.rolls.mode: " in out
    assert out.endswith("2 problems.\n")


@pytest.mark.parametrize("command", ["check", "import"])
def test_a_file_that_is_not_there_ends_with_64(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, _, err = run(capsys, command, "nowhere.toml")
    assert code == 64
    assert "nowhere.toml" in err


def test_a_file_that_is_no_text_ends_with_78(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_bytes(b"\xff\xfe")
    assert run(capsys, "check", tmp_path / "r.toml")[0] == 78
    assert run(capsys, "check", tmp_path)[0] == 64


def test_show_tells_where_each_value_is_from(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "r.toml"
    file.write_text('base = "plain-2024"\n[settings]\nrolls.mode = "enforce"\n', encoding="utf-8")
    code, out, _ = run(capsys, "show", "--rulebook", file)
    rows = {line.split("│")[1].strip(): line for line in out.splitlines() if line.count("│") > 3}
    assert code == 0
    assert "enforce" in rows["rolls.mode"]
    assert "r.toml" in rows["rolls.mode"]
    assert "its base" in rows["down.mode"]
    assert "default" in rows["cards.gain"]
    assert "prone" in rows
    assert "bleeding" not in rows


@pytest.mark.parametrize(
    ("id", "words"),
    [
        (
            "chilled",
            ["Level 2", "2d4 cold at the start", "disadvantage on checks of Dexterity", "Speed −20 ft", "DC 13"],
        ),
        ("withered", ["Lets healing through", "no reaction, no concentration"]),
        ("frozen", ["Implies: Stunned", "Leaves behind: Prone", "Makes immune to: Ignited, Chilled"]),
        ("intoxicated", ["Level 6", "DC +6 on others’ checks at it (intimidation)", "intoxicated.dc-step: 5"]),
        ("prone", ["beyond 5 ft", "only crawling"]),
        ("frightened", ["while its source is in sight", "not closer to its source"]),
        ("grappled", ["anyone but its source", "Where it is from"]),
        ("blinded", ["where sight is needed"]),
        ("invisible", ["while it is unseen"]),
    ],
)
def test_show_tells_all_about_a_condition(capsys: pytest.CaptureFixture[str], id: str, words: list[str]) -> None:
    code, out, _ = run(capsys, "show", id, "--rulebook", WINTER)
    assert code == 0
    assert [word for word in words if word not in out] == []


def test_show_refuses_what_it_cannot_show(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "show", "nothing")[0] == 64
    assert run(capsys, "show", "--rulebook", WINTER, "--world", "w")[0] == 64
    (tmp_path / "r.toml").write_text("x = 1", encoding="utf-8")
    assert run(capsys, "show", "--rulebook", tmp_path / "r.toml")[0] == 1


def test_try_plays_a_story_under_another_rulebook(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "try", STORY)[0] == 0
    code, out, _ = run(capsys, "try", STORY, "--rulebook", "house-rules")
    assert code == 1
    assert "0 passed, 1 failed" in out
    assert run(capsys, "try")[0] == 64
    assert run(capsys, "try", "nowhere")[0] == 64
    (tmp_path / "r.toml").write_text("x = 1", encoding="utf-8")
    assert run(capsys, "try", STORY, "--rulebook", tmp_path / "r.toml")[0] == 1


def test_a_scenario_whose_rulebook_is_wrong_fails_with_its_problems(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "r.toml").write_text("x = 1", encoding="utf-8")
    story = tmp_path / "s.toml"
    for named, word in (("r.toml", "there is no such key"), ("none.toml", "cannot be read")):
        story.write_text(f'title = "t"\nrulebook = "{named}"\n', encoding="utf-8")
        code, out, _ = run(capsys, "try", story)
        assert code == 1
        assert word in out


def test_what_is_imported_is_exported_as_it_was_written(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    data = ("--data-dir", folder)
    code, out, _ = run(capsys, "import", WINTER, "--yes", *data)
    assert code == 0
    assert "Chilled is new." in out
    assert "The rulebook Winter is in force." in out
    assert run(capsys, "export", tmp_path / "out.toml", *data)[0] == 0
    assert (tmp_path / "out.toml").read_text(encoding="utf-8") == WINTER.read_text(encoding="utf-8")
    assert run(capsys, "export", tmp_path / "out.toml", *data)[0] == 64
    assert run(capsys, "export", tmp_path / "no" / "out.toml", *data)[0] == 64
    code, out, _ = run(capsys, "export", "--world", "w", *data)
    assert out == WINTER.read_text(encoding="utf-8")
    code, out, _ = run(capsys, "show", "chilled", "--world", "w", *data)
    assert "Chilled" in out


def test_a_world_without_a_rulebook_exports_the_house_rules(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(capsys, "export", "--data-dir", folder)[1] == shipped_text("house-rules")


@pytest.mark.parametrize("answer", ["n\n", "", "\n"])
def test_a_no_changes_nothing(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    answers(monkeypatch, answer)
    code, out, _ = run(capsys, "import", WINTER, "--data-dir", folder)
    assert code == 1
    assert "Nothing was changed." in out
    with Host.open(folder) as host:
        assert host.world_settings.text("w") == ""


def test_a_yes_puts_it_in_force(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, "y\n")
    assert run(capsys, "import", WINTER, "--data-dir", folder)[0] == 0
    with Host.open(folder) as host:
        assert host.world("w").house.name == "Winter"


def test_a_wrong_file_is_not_imported(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("x = 1", encoding="utf-8")
    run(capsys, "import", WINTER, "--yes", "--data-dir", folder)
    assert run(capsys, "import", tmp_path / "r.toml", "--yes", "--data-dir", folder)[0] == 1
    with Host.open(folder) as host:
        assert host.world_settings.text("w") == WINTER.read_text(encoding="utf-8")
        with pytest.raises(RefusedError, match="no such key"):
            asyncio.run(control.carry_out(control.Rulebook("w", "x = 1"), host))
        assert host.world("w").house.name == "Winter"


def test_of_several_worlds_one_has_to_be_named(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    with Host.open(folder) as host:
        host.pair(world="v", origin=ORIGIN)
    code, _, err = run(capsys, "import", WINTER, "--yes", "--data-dir", folder)
    assert code == 64
    assert "w (Saltmarsh)" in err
    assert run(capsys, "export", "--world", "zzz", "--data-dir", folder)[0] == 77


def test_without_any_world_there_is_nothing_to_import_into(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Host.open(tmp_path / "b").close()
    assert run(capsys, "export", "--data-dir", tmp_path / "b")[0] == 64
    assert run(capsys, "export", "--data-dir", tmp_path / "none")[0] == 69


async def test_a_running_bridge_tells_the_module_at_once(tmp_path: Path) -> None:
    with Host.open(tmp_path, Settings(durability="normal")) as host:
        async with running(host) as server:
            key = server.host.pair(world="w", origin=ORIGIN)
            async with dialled(server) as peer:
                welcome = await peer.open(key)
                assert welcome["rulebook"] == "house-rules"
                await peer.send(picture(1, "a"))
                await peer.until("ack")
                code = await asyncio.to_thread(
                    main, ["rulebook", "import", str(WINTER), "--yes", "--data-dir", str(tmp_path)]
                )
                assert code == 0
                catalogue = await peer.until("catalogue")
                assert "chilled" in {each["id"] for each in catalogue["conditions"]}
            async with dialled(server) as peer:
                assert (await peer.open(key))["rulebook"] == "Winter"


def test_a_kept_rulebook_that_fits_no_more_is_told_and_can_be_replaced(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    with Host.open(folder) as host:
        host.store.set_meta("rulebook:w", b"x = 1")
        with pytest.raises(StoreError, match="does not fit this bridge"):
            host.world("w")
    code, out, _ = run(capsys, "import", WINTER, "--yes", "--data-dir", folder)
    assert code == 0
    assert "does not fit this bridge" in out


def test_the_settings_of_the_first_days_are_read(folder: Path) -> None:
    with Host.open(folder) as host:
        host.store.set_meta("rulebook:w", b'{"rolls.mode": "off"}')
        assert host.world_settings["w"] == {"rolls.mode": "off"}
        assert host.world("w").house.settings["rolls.mode"] == "off"


def test_settings_changed_from_code_keep_the_gms_notes(folder: Path) -> None:
    with Host.open(folder) as host:
        host.world_settings.keep("w", WINTER.read_text(encoding="utf-8"))
        host.world_settings["w"] = {"limits.gm": "off"}
        assert host.world_settings["w"] == {"limits.gm": "off"}
        assert "# A rulebook for the tests" in host.world_settings.text("w")
        assert host.world("w").house.conditions["chilled"].levels == 2
