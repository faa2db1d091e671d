"""``bridge scenario run``, and every expectation with its negative control: what is wrong must fail."""

from pathlib import Path
from typing import Any

import pytest

from bridge.table.run import main, play

BLEEDING = """
title = "A healing word"
[actors.bors]
hp = { value = 5, max = 20 }
conditions = ["bleeding", { is = "poisoned", lasts = "1 hour" }]
hit-dice = { fighter = [2, 3, 10] }
[[steps]]
do = "heal"
actor = "bors"
amount = 7
by = "spell"
"""
TRUE = {
    "bors.hp": 5,
    "bors.temp": 0,
    "bors.max": 20,
    "bors.conditions": ["poisoned", "bloodied", "bleeding"],
    "bors.has": ["bleeding"],
    "bors.lacks": ["prone"],
    "bors.level.intoxicated": 0,
    "bors.hit-dice": 2,
    "bors.speed": 30,
    "bors.effects": 3,
    "bors.remaining.poisoned": 3600,
    "bors.concentrating": False,
    "why.bors.poisoned": ["effect"],
    "refused.bors": 7,
    "cards": 1,
    "cards-to": ["all"],
    "card-says": "7 hit points",
    "asked": [],
    "denied": False,
    "operations": 0,
    "connected": True,
}
FALSE = {
    "bors.hp": 12,
    "bors.temp": 1,
    "bors.max": 21,
    "bors.conditions": ["bleeding"],
    "bors.has": ["prone"],
    "bors.lacks": ["bleeding"],
    "bors.level.intoxicated": 1,
    "bors.hit-dice": 3,
    "bors.speed": 25,
    "bors.effects": 2,
    "bors.remaining.poisoned": 3599,
    "bors.concentrating": True,
    "why.bors.poisoned": [],
    "refused.bors": 6,
    "cards": 0,
    "cards-to": ["gm"],
    "card-says": "8 hit points",
    "denied": True,
    "operations": 1,
    "connected": False,
    "error": "immune",
}


def toml(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return repr(value) if isinstance(value, int) else f'"{value}"'


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines that were printed, without those of a log that nobody has configured."""
    return [line for line in capsys.readouterr().out.splitlines() if "[info " not in line]


def written(tmp_path: Path, text: str) -> Path:
    """Write a scenario file."""
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("key", TRUE)
def test_what_is_so_is_met(tmp_path: Path, key: str) -> None:
    outcome = play(written(tmp_path, f"{BLEEDING}expect.{key} = {toml(TRUE[key])}\n"))
    assert outcome.failures == []


@pytest.mark.parametrize("key", FALSE)
def test_what_is_not_so_fails(tmp_path: Path, key: str) -> None:
    outcome = play(written(tmp_path, f"{BLEEDING}expect.{key} = {toml(FALSE[key])}\n"))
    (failure,) = outcome.failures
    assert failure.startswith("step 1 (heal): ")


@pytest.mark.parametrize(
    ("roll", "met"),
    [
        ({"actor": "bors", "roll": "check.str", "gives": ["disadvantage"]}, True),
        ({"actor": "bors", "roll": "check.str", "gives": ["normal"]}, False),
        ({"actor": "bors", "roll": "check.str", "because": ["Disadvantage: Poisoned"]}, True),
        ({"actor": "bors", "roll": "check.str", "because": []}, False),
        ({"actor": "bors", "roll": "save.con", "gives": ["normal"], "dc": 0}, True),
        ({"actor": "bors", "roll": "save.con", "dc": "+1"}, False),
    ],
)
def test_rolls(tmp_path: Path, roll: dict[str, Any], met: bool) -> None:
    outcome = play(written(tmp_path, f"{BLEEDING}expect.rolls = {toml([roll])}\n"))
    assert outcome.passed == met


def test_what_was_asked(tmp_path: Path) -> None:
    step = 'do = "set-level"\nactor = "bors"\ncondition = "intoxicated"\nlevel = 6\n'
    story = f'title = "x"\n[actors.bors]\n[[steps]]\n{step}'
    for asked, met in (([{"actor": "bors", "save": "con", "dc": 10}], True), ([], False)):
        assert play(written(tmp_path, f"{story}expect.asked = {toml(asked)}\n")).passed == met


def test_the_lines_and_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "one" / "good.toml"
    good.parent.mkdir()
    good.write_text(f"{BLEEDING}expect.bors.hp = 5\n", encoding="utf-8")
    assert main([good]) == 0
    assert printed(capsys) == [f"ok {good}: A healing word", "1 passed, 0 failed"]
    bad = tmp_path / "one" / "bad.toml"
    bad.write_text(f"{BLEEDING}expect.bors.hp = 6\n", encoding="utf-8")
    (tmp_path / "one" / "broken.toml").write_text("title = 1", encoding="utf-8")
    assert main([tmp_path]) == 1
    lines = printed(capsys)
    assert lines[0] == f"FAILED {bad}: A healing word"
    assert lines[1] == "    step 1 (heal): bors.hp: expected 6, there was 5"
    assert lines[2].startswith(f"FAILED {tmp_path / 'one' / 'broken.toml'}")
    assert "Expected `str`, got `int`" in lines[3]
    assert lines[-1] == "1 passed, 2 failed"


def test_a_setting_that_does_not_exist_fails(tmp_path: Path) -> None:
    outcome = play(written(tmp_path, 'title = "x"\n[settings]\nhealing = "off"\n'))
    (failure,) = outcome.failures
    assert "settings.healing: there is no such setting" in failure


def test_a_step_that_cannot_be_done_fails_unless_its_error_is_expected(tmp_path: Path) -> None:
    step = 'title = "x"\n[actors.bors]\n[[steps]]\ndo = "add"\nactor = "bors"\ncondition = "flummoxed"\n'
    assert "can be done" in play(written(tmp_path, step)).failures[0]
    assert play(written(tmp_path, f'{step}expect.error = "unknown-condition"\n')).passed


def test_verbose_tells_the_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([written(tmp_path, f"{BLEEDING}expect.bors.hp = 6\n")], verbose=True)
    said = capsys.readouterr().out
    for words in (
        "bors: 5/20; bleeding, poisoned",
        "1. bors: heal amount 7, by spell",
        "→ bors refused amount 7, cause kind spell",
        "← bors: card to all: Healing refused · Bleeding refuses 7 hit points",
        "bors.hp: expected 6, there was 5",
    ):
        assert words in said


def test_markup_in_names_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'title = "[bold]x[/]"\n[actors."[red]b[/]"]\n[[steps]]\ndo = "eat"\nactor = "[red]b[/]"\n'
    assert main([written(tmp_path, text)], verbose=True) == 0
    assert "[red]b[/]: eat" in capsys.readouterr().out


def test_a_hidden_creature_is_not_named_on_a_card_for_all(tmp_path: Path) -> None:
    """CRD-3: "names hidden from players stay hidden"."""
    step = 'do = "add"\nactor = "mira"\ncondition = "frightened"\nfrom = "spy"\nexpect.card-says = "spy"\n'
    for hidden, passed in (("false", True), ("true", False)):
        actors = f"[actors.mira]\n[actors.spy]\nhidden = {hidden}\n"
        assert play(written(tmp_path, f'title = "x"\n{actors}[[steps]]\n{step}')).passed is passed
