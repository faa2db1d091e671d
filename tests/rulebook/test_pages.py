"""A rulebook as questions, and answers back into its text."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.engine.publish import summary_of
from bridge.engine.settings import Setting
from bridge.rulebook.book import check, parse
from bridge.rulebook.edit import CannotEdit
from bridge.rulebook.pages import LABELS, PAGES, Question, edits, page, question_of, version, written

GM = """\
# Saltmarsh, since the storm.
name = "Saltmarsh"

[settings]
limits.gm = "off"  # they know what they do
bleeding.ends-on = ["long-rest"]

[conditions.prone]
summary = "Flat on the ground."

[conditions.poisoned]
save = { ability = "con", dc = 13 }

[own.chilled]
name = "Chilled"
icon = "icons/cold.webp"
levels = 2
summary = ["Cold.", "Very cold."]
"""


def questions(text: str = "") -> dict[str, Question]:
    """Every question of every page, by its key and page: the same one may stand on two pages."""
    found = [(id, q) for id in PAGES for group in page(id, text).groups for q in group.questions]
    return {q.key: q for _, q in found}


def change(text: str, **answers: Any) -> str:
    """The text after answers, given with ``__`` for a dot and ``_`` for a dash."""
    given = {key.replace("__", ".").replace("_", "-"): value for key, value in answers.items()}
    return written(text, edits(text, given))


@pytest.mark.parametrize("text", ["", GM, 'base = "plain-2024"'])
def test_what_holds_is_no_change(text: str) -> None:
    """All questions answered with what they show: nothing differs."""
    assert edits(text, {key: question.value for key, question in questions(text).items()}) == {}
    assert written(text, {}) == text


def test_every_setting_is_asked_for_and_has_words() -> None:
    known = set(parse("").settings.known)
    assert known - questions().keys() == set()
    plain = {key for key in known if not key.startswith("conditions.")}
    assert plain == LABELS.keys()


def test_an_answer_is_written_and_every_note_stays() -> None:
    after = change(GM, limits__gm="refuse", limits__players="warn")
    assert 'limits.gm = "refuse"  # they know what they do' in after
    assert after.startswith("# Saltmarsh, since the storm.\n")
    found = parse(after).settings
    assert (found["limits.gm"], found["limits.players"]) == ("refuse", "warn")
    assert found["bleeding.ends-on"] == ["long-rest"]


def answered(setting: Setting) -> Any:
    """Another value than what holds."""
    if isinstance(setting.default, bool):
        return not setting.default
    if isinstance(setting.default, list):
        return setting.choices[:1] or ["grog", "mead 2"]
    if setting.choices:
        return next(choice for choice in setting.choices if choice != setting.default)
    return {"ignited.damage": "2d6", "ignited.type": "cold"}.get(setting.key, 7)


@pytest.mark.parametrize("key", sorted(parse("").settings.known))
def test_every_setting_can_be_changed_and_taken_back(key: str) -> None:
    setting = parse("").settings.known[key]
    value = answered(setting)
    after = written("", edits("", {key: value}))
    got = parse(after).settings[key]
    assert got == (list(value) if isinstance(value, tuple) else value)
    back = parse(written(after, edits(after, {key: setting.default}))).settings[key]
    assert back == setting.default


def test_words_of_a_condition() -> None:
    after = change("", conditions__bleeding__name="Gushing", conditions__bleeding__summary="It gushes.")
    book = parse(after)
    assert book.conditions["bleeding"].name == "Gushing"
    assert summary_of(book, "bleeding") == "It gushes."
    # An empty text says nothing: what is shipped holds again.
    again = parse(change(after, conditions__bleeding__name="", conditions__bleeding__summary=" "))
    assert again.conditions["bleeding"].name == "Bleeding"
    assert summary_of(again, "bleeding") == summary_of(parse(""), "bleeding")


def test_a_level_has_words_of_its_own() -> None:
    after = written("", edits("", {"conditions.intoxicated.summary.2": "Sways."}))
    data = tomllib.loads(after)["conditions"]["intoxicated"]["summary"]
    assert (len(data), data[1]) == (6, "Sways.")
    assert data[0] == summary_of(parse(""), "intoxicated", 1)
    back = written(after, edits(after, {"conditions.intoxicated.summary.2": ""}))
    assert "summary" not in tomllib.loads(back).get("conditions", {}).get("intoxicated", {})


def test_a_condition_of_the_gms_own_is_asked_about_as_well() -> None:
    asked = questions(GM)
    assert asked["conditions.chilled.summary.2"].value == "Very cold."
    assert "without.chilled" not in asked
    after = written(GM, edits(GM, {"conditions.chilled.mode": "ask", "conditions.chilled.summary.2": "Ice."}))
    assert tomllib.loads(after)["own"]["chilled"]["mode"] == "ask"
    assert summary_of(parse(after), "chilled", 2) == "Ice."


def test_durations_and_saves() -> None:
    after = written(
        "", edits("", {"conditions.poisoned.lasts": "10 minutes", "conditions.poisoned.save.ability": "con"})
    )
    assert tomllib.loads(after)["conditions"]["poisoned"] == {
        "lasts": "10 minutes",
        "save": {"ability": "con", "dc": 10, "at": "end"},
    }
    assert questions(GM)["conditions.poisoned.save.dc"].value == 13
    harder = written(GM, edits(GM, {"conditions.poisoned.save.dc": 15}))
    assert tomllib.loads(harder)["conditions"]["poisoned"]["save"] == {"ability": "con", "dc": 15, "at": "end"}
    none = written(GM, edits(GM, {"conditions.poisoned.save.ability": ""}))
    assert "save" not in tomllib.loads(none).get("conditions", {}).get("poisoned", {})


def test_a_condition_is_left_out_and_taken_in_again() -> None:
    after = written("", edits("", {"without.ignited": True}))
    assert "ignited" not in parse(after).conditions
    assert questions(after)["without.ignited"].value is True
    assert "conditions.ignited.mode" not in questions(after)
    assert "ignited" in parse(written(after, edits(after, {"without.ignited": False}))).conditions


def test_what_cannot_be_is_refused_with_its_key() -> None:
    after = written(
        "", edits("", {"ignited.damage": "lots", "conditions.prone.lasts": "a while", "intoxicated.base": "x"})
    )
    problems = check(after).problems
    assert {question_of(problem.path) for problem in problems} == {
        "ignited.damage",
        "conditions.prone.lasts",
        "intoxicated.base",
    }


def test_an_answer_to_no_question_is_no_change() -> None:
    assert edits("", {"base.x": 1, "page": "bleeding", "settings": {"a": 1}}) == {}


def test_two_states_of_a_text_are_told_apart() -> None:
    assert version("") != version(" ")
    assert version(GM) == version(GM)
    assert parse(GM).source == GM


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["own", "own.x.name", "settings", "limits.gm", "conditions.prone.mode", "without", "a..b", ""])


@given(changes=st.dictionaries(KEYS | st.text(max_size=12), JSON, max_size=4))
def test_whatever_a_window_sends_is_written_or_refused(changes: dict[str, Any]) -> None:
    with suppress(CannotEdit):
        check(written(GM, changes))


@given(answers=st.dictionaries(st.sampled_from(sorted(questions(GM))), JSON, max_size=3))
@settings(max_examples=15)
def test_whatever_is_answered_is_a_change_or_refused(answers: dict[str, Any]) -> None:
    with suppress(CannotEdit):
        check(written(GM, edits(GM, answers)))
