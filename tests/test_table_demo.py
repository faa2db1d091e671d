from pathlib import Path

import pytest

from bridge.table.demo import main


def test_the_evening_is_played_and_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    said = " ".join(capsys.readouterr().out.split())
    for words in (
        "refused 7 hit points of Bors, before they were written",
        "on the card Allowed: 7 hit points regained.",
        "decides Thora: intoxicated 6",
        "a Constitution save, DC 10",
        "decides Thora: unconscious",
        "Thora: 30/30; incapacitated, intoxicated 6, prone, unconscious",
        "decides Thora: unconscious ends",
    ):
        assert words in said


def test_another_file_may_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.toml"
    path.write_text('title = "Short"\n[actors.bors]\n[[steps]]\ndo = "note"\ntext = "[b]Once[/]"\n', encoding="utf-8")
    assert main(path) == 0
    said = capsys.readouterr().out
    assert "Short" in said
    assert "[b]Once[/]" in said
    path.write_text("title = 1", encoding="utf-8")
    assert main(path) == 1
    path.write_text(
        'title = "x"\n[actors.bors]\n[[steps]]\ndo = "eat"\nactor = "bors"\nexpect.cards = 1\n', encoding="utf-8"
    )
    assert main(path) == 1
