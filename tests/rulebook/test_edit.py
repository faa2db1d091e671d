"""A change from code keeps what the GM wrote around it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.rulebook.book import check, parse
from bridge.rulebook.edit import CannotEdit, edit, unset, with_settings
from bridge.rulebook.edit import given as settings_of

TEXT = """\
# My table.
name = "Saltmarsh"   # the campaign

[settings]
# Long rests are rare here.
bleeding.ends-on = ["long-rest"]   # agreed in May
"limits.gm" = "warn"

[settings.intoxicated]
base = 3  # strong heads

[conditions.prone]
mode = "remind" # until we know it by heart

[own.chilled]
name = "Chilled"  # brr
summary = "Cold."
"""


def comments(text: str) -> list[str]:
    return [line.partition("#")[2] for line in text.splitlines() if "#" in line]


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("bleeding.ends-on", ["hit-die"], 'bleeding.ends-on = ["hit-die"]   # agreed in May'),
        ("limits.gm", "off", '"limits.gm" = "off"'),
        ("limits.players", "off", '"limits.players" = "off"'),
        ("intoxicated.base", 4, "base = 4  # strong heads"),
        ("intoxicated.dc", 12, '"intoxicated.dc" = 12'),
        ("conditions.prone.mode", "auto", 'mode = "auto" # until we know it by heart'),
        ("conditions.prone.rolls", "off", 'rolls = "off"'),
        ("conditions.stunned.mode", "off", 'mode = "off"'),
        ("conditions.chilled.mode", "ask", 'mode = "ask"'),
        ("own.chilled.name", "Icy", 'name = "Icy"  # brr'),
        ("own.chilled.lasts", "1 hour", 'lasts = "1 hour"'),
        ("name", "Greyhawk", 'name = "Greyhawk"   # the campaign'),
        ("without", ["dazed"], 'without = ["dazed"]'),
    ],
)
def test_a_key_is_set_in_its_place_and_every_comment_stays(key: str, value: object, line: str) -> None:
    new = edit(TEXT, key, value)
    assert line in new.splitlines()
    assert comments(new) == comments(TEXT)
    assert check(new).book is not None
    assert edit(new, key, value) == new


@pytest.mark.parametrize("key", ["bleeding.ends-on", "limits.gm", "intoxicated.base", "conditions.prone.mode"])
def test_a_key_is_taken_out_and_its_default_holds_again(key: str) -> None:
    new = unset(TEXT, key)
    book = parse(new)
    assert book.settings[key] == book.settings.known[key].default
    assert len(comments(new)) >= len(comments(TEXT)) - 1
    assert unset(new, key) == new


def test_settings_are_set_among_others_or_alone() -> None:
    both = with_settings(TEXT, {"rolls.mode": "off"})
    assert settings_of(both) == {**settings_of(TEXT), "rolls.mode": "off"}
    alone = with_settings(TEXT, {"rolls.mode": "off"}, only=True)
    assert settings_of(alone) == {"rolls.mode": "off"}
    assert "# My table." in alone
    assert parse(alone).conditions["chilled"].name == "Chilled"
    assert with_settings("", {}) == ""


@pytest.mark.parametrize(
    "change", [lambda: edit("a = =", "name", "x"), lambda: unset("[", "x"), lambda: settings_of("[")]
)
def test_what_is_not_toml_is_not_changed(change: Any) -> None:
    with pytest.raises(CannotEdit, match="not TOML"):
        change()


def test_what_would_be_harmed_is_left_alone() -> None:
    for text, key, value in (("own = { a = 1 }", "own.a", {"b": {}}), ("settings = 3", "rolls.mode", "off")):
        with pytest.raises(CannotEdit, match="by hand"):
            edit(text, key, value)


VALUES = {
    "rolls.mode": ["off", "suggest", "enforce"],
    "limits.gm": ["off", "warn", "refuse"],
    "bleeding.ends-on": [[], ["long-rest"], ["hit-die", "medicine"]],
    "bloodied.at-zero": [True, False],
    "intoxicated.base": [1, 2, 7],
    "conditions.prone.mode": ["off", "auto"],
    "conditions.chilled.rolls": ["off", "enforce"],
}
CHANGES = st.lists(
    st.sampled_from([(key, value) for key, values in VALUES.items() for value in (*values, None)]), max_size=6
)


@settings(max_examples=40)
@given(CHANGES)
def test_any_row_of_changes_leaves_what_was_said_last(changes: list[tuple[str, Any]]) -> None:
    text, expected = TEXT, settings_of(TEXT)
    for key, value in changes:
        if value is None:
            text = unset(text, key)
            expected.pop(key, None)
        else:
            text = edit(text, key, value)
            expected[key] = value
    assert settings_of(text) == expected
    assert check(text).book is not None
    assert "# Long rests are rare here." in text
