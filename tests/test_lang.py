"""The module's languages: nothing missing, nothing unused, nothing left untranslated.

English words of conditions stand with the conditions themselves; ``en.json`` has all others.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from bridge.engine.conditions import Condition
from bridge.engine.publish import summary_of
from bridge.protocol import Line
from bridge.rulebook.book import parse
from bridge.rulebook.pages import PAGES
from bridge.rules import rulebook
from bridge.views import configure
from bridge.world import World

ROOT = Path(__file__).resolve().parents[1]
MODULE = ROOT / "foundry-module"
PREFIX = "CONDITION-BRIDGE"
LANGUAGES = sorted(path.stem for path in (MODULE / "lang").glob("*.json"))
OTHERS = [language for language in LANGUAGES if language != "en"]
ASKED = ("set-", "word-", "group-", "page-", "fact-", "change-")
"""Lines of the window for the house rules whose English stands in the bridge, where a terminal shows them, too."""
OURS = ("Condition.", "Summary.", "Ends.", "Origin.", *(f"Line.{key}" for key in ASKED))
"""What translates English words that stand in the bridge alone."""
FREE = {"proposal", "turn-line", "summary-line", "caused", "happened", "name", "problem", "wrong"}
"""Lines without a key: whole sentences of the bridge, names, and a condition's own words."""
BUILT = (*ASKED, "title-", "silent-", "happened-", "asleep-", "blackout-", "missed-")
"""Beginnings of keys that are put together while the bridge runs."""
SAME = {"Window.title"}
"""What reads the same in every language: names."""


def flat(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Texts by their dotted key."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of a language."""
    return dict(flat(json.loads((MODULE / "lang" / f"{language}.json").read_text(encoding="utf-8"))[PREFIX]))


@cache
def scripts() -> str:
    """Everything that the module's scripts say."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((MODULE / "scripts").glob("*.mjs")))


def said() -> set[str]:
    """The keys of all lines that the bridge writes: first arguments of ``Say`` and ``Line``, and what stands in them."""
    found: set[str] = set()
    for path in (ROOT / "bridge").rglob("*.py"):
        if "table" in path.parts or "cli" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", getattr(node.func, "attr", "")) not in {
                "Say",
                "Line",
            }:
                continue
            first = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "key"), None)
            found |= set(words(first)) if first is not None else set()
    return found


def words(node: ast.expr) -> Iterator[str]:
    """The keys that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        yield f"{node.values[0].value}*"
    elif isinstance(node, ast.IfExp):
        yield from words(node.body)
        yield from words(node.orelse)


def test_the_bridges_lines_have_words() -> None:
    """``gained``, ``risen``, ``fallen`` and ``ended`` are changes."""
    keys = {key for key in said() if not key.endswith("*") and not key.startswith(ASKED)} - FREE
    assert len(keys) > 25
    known = {key.split(".", 1)[1] for key in texts("en") if key.startswith(("Line.", "Change."))}
    assert keys - known == set()


def test_every_button_has_words() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "bridge").rglob("*.py"))
    buttons = set(re.findall(r'\bButton\(\s*"([a-z-]+)"', source))
    assert buttons
    assert {f"Button.{button}" for button in buttons} - set(texts("en")) == set()


def test_what_the_scripts_say_has_words() -> None:
    literal = set(re.findall(r'\bt\(\s*"([\w.-]+)"', scripts()))
    literal |= set(re.findall(rf'"{PREFIX}\.([\w.-]+)"', scripts()))
    counted = set(re.findall(r'\bcounted\(\s*"([A-Z][\w.-]+)"', scripts()))
    assert len(literal) > 50
    wanted = literal | {f"{key}.{form}" for key in counted for form in ("one", "other")}
    assert wanted - set(texts("en")) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_left_over(language: str) -> None:
    """A key is used as it stands, or as the rest of a template such as ``Serving.${kind}``."""
    source = scripts()
    starts = [*re.findall(r"`(?:[A-Z-]+\.)?([A-Z]\w*\.[\w.-]*)\$\{", source), "Line.", "Condition."]
    starts += [f"{key}." for key in re.findall(r'\bcounted\(\s*"([A-Z][\w.-]+)"', source)]
    unused = [
        key
        for key in texts(language)
        if not re.search(rf'["\'`:?]?\b{re.escape(key)}["\'`]', source) and not key.startswith(tuple(starts))
    ]
    assert unused == []
    lines = {key.removeprefix("Line.") for key in texts(language) if key.startswith("Line.")}
    begun = (*BUILT, *(key[:-1] for key in said() if key.endswith("*")))
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "bridge").rglob("*.py"))
    assert {key for key in lines if f'"{key}"' not in source and not key.startswith(begun)} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_says_all_that_english_says(language: str) -> None:
    theirs = {key for key in texts(language) if not key.startswith(OURS)}
    assert theirs ^ set(texts("en")) == set()
    same = {key for key in theirs if texts(language)[key] == texts("en")[key]} - SAME
    # Names and places for words alone are no words.
    assert {key for key in same if re.search(r"\w", re.sub(r"\{\w+\}", "", texts("en")[key]))} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_places_for_words(language: str) -> None:
    def places(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    english = texts("en")
    found = {key for key, text in texts(language).items() if key in english and places(text) != places(english[key])}
    # The singular may say the number as a word.
    assert {key for key in found if not key.endswith(".one")} == set()


def asked() -> set[str]:
    """The keys of all lines of the window for the house rules."""
    world = World("w", parse(""))
    world.before = "limits.gm"
    found: set[str] = set()

    def walk(part: object) -> None:
        if isinstance(part, Line):
            found.add(part.key)
        if isinstance(part, Struct):
            for name in part.__struct_fields__:
                walk(getattr(part, name))
        elif isinstance(part, tuple):
            for each in part:
                walk(each)

    for page in PAGES:
        walk(configure.view(world, {"page": page}))
    dry_run = (ROOT / "bridge/rulebook/dry_run.py").read_text(encoding="utf-8")
    values = {f"word-{word or 'none'}" for word in configure.WORDS}
    return found | values | set(re.findall(r'"(change-[a-z-]+)"', dry_run))


def translated(condition: Condition) -> Iterator[str]:
    """The keys that a translation of a shipped condition has."""
    if condition.own:
        yield f"Condition.{condition.id}"
    for level in range(1, condition.levels + 1):
        if summary_of(rulebook(), condition.id, level):
            yield f"Summary.{condition.id}.{level}"
    if condition.ends:
        yield f"Ends.{condition.id}"
    if condition.origin:
        yield f"Origin.{condition.id}"


@pytest.mark.parametrize("language", OTHERS)
def test_every_shipped_condition_is_translated_and_no_other(language: str) -> None:
    wanted = {key for condition in rulebook().conditions.values() for key in translated(condition)}
    wanted |= {f"Line.{key}" for key in asked() if key.startswith(ASKED)}
    assert len(wanted) > 30
    assert {key for key in texts(language) if key.startswith(OURS)} ^ wanted == set()
    english = [summary_of(rulebook(), c.id, n) for c in rulebook().conditions.values() for n in range(1, c.levels + 1)]
    assert set(texts(language).values()) & set(english) == set()


@pytest.mark.parametrize("language", OTHERS)
def test_numbers_of_a_summary_survive_translation(language: str) -> None:
    """All but distances, which another language may give in metres."""
    for condition in rulebook().conditions.values():
        for level in range(1, condition.levels + 1):
            said_in_english = summary_of(rulebook(), condition.id, level)
            theirs = texts(language)[f"Summary.{condition.id}.{level}"]
            signed = re.compile(r"[+−]\d+(?!\d| ft|,?\d* m)|\d+d\d+|\d+W\d+")
            numbers = sorted(each.replace("d", "W") for each in signed.findall(said_in_english))
            assert sorted(each.replace("d", "W") for each in signed.findall(theirs)) == numbers, condition.id
