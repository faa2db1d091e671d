"""Every mistake is told in plain words, with its line and path, and all of them at once."""

from __future__ import annotations

import pytest

from bridge.engine.settings import BadSetting
from bridge.rulebook.book import check, parse
from bridge.rulebook.lines import line_of, lines
from bridge.rulebook.problems import BadRulebook

OWN = '[own.chilled]\nname = "Chilled"\nsummary = "Cold."\n'
BROKEN = [
    ("name = 5", "f:1: name: must be a text in quotes of 1 to 60 letters, not 5"),
    ("nam = 'x'", 'f:1: nam: there is no such key: did you mean "name"?'),
    ("zzz = 1", "f:1: zzz: there is no such key: there are name, base, without, settings, conditions, own"),
    ("\nbase = 'house-rule'", 'f:2: base: must be one of house-rules, plain-2024, not "house-rule": did you mean'),
    ("without = ['bleding']", 'f:1: without[1]: there is no condition "bleding": did you mean "bleeding"?'),
    ("without = ['zzzzz']", 'f:1: without[1]: there is no condition "zzzzz": there are bleeding, blinded'),
    ("without = ['incapacitated']", 'f:1: without: leaves out "incapacitated", which Paralyzed brings: leave paraly'),
    ("without = 3", "f:1: without: must be a list, each of it a text in quotes of 1 to 60 letters, not 3"),
    ("settings = 3", "f:1: settings: must be a table, not 3"),
    ("conditions = 3", "f:1: conditions: must be a table for each condition: [conditions.ID]"),
    ("own = 3", "f:1: own: must be a table for each condition: [own.ID]"),
    ("[own]\nchilled = 3", "f:2: own.chilled: must be a table, not 3"),
    ("[settings]\nrolls.mode = 'sugest'", "f:2: settings.rolls.mode: must be one of off, suggest, enforce, not 'sug"),
    ("[settings]\nrolls.mode = 'sugest'", 'did you mean "suggest"?'),
    ("[settings]\n\n'limits.gm' = 1", "f:3: settings.limits.gm: must be one of off, warn, refuse, not 1"),
    ("[settings.limits]\ngm = 1", "f:2: settings.limits.gm: must be one of off, warn, refuse, not 1"),
    ("[settings]\nrolls.mood = 1", 'f:2: settings.rolls.mood: there is no such setting: did you mean "rolls.mode"?'),
    ("[settings]\nzzz = 1", "f:2: settings.zzz: there is no such setting: docs/house-rules.md lists them"),
    ("[settings]\nbleeding.ends-on = ['x']", "must be a list of long-rest, hit-die, medicine, not ['x']"),
    ("[settings]\nbloodied.at-zero = 1", "f:2: settings.bloodied.at-zero: must be one of true, false, not 1"),
    (
        "[settings]\nbloodied.at-zero = 'true'",
        "f:2: settings.bloodied.at-zero: must be one of true, false, not 'true': write true without quotes",
    ),
    ("[settings]\nintoxicated.base = -1", "f:2: settings.intoxicated.base: must be a whole number of at least 0"),
    ("[settings]\nignited.damage = 'fire'", 'f:2: settings.ignited.damage: "fire" cannot be rolled: write dice such'),
    ("[settings]\nignited.type = 'fir'", 'not "fir": did you mean "fire"?'),
    ("[settings]\n'conditions.prone.mode' = 'x'", "f:2: settings.conditions.prone.mode: must be one of off, remind"),
    ("[conditions.prone]\nmode = 'x'", 'f:2: conditions.prone.mode: must be one of off, remind, ask, auto, not "x"'),
    ("[conditions.pron]\nname = 'x'", 'f:1: conditions.pron: there is no condition "pron": did you mean "prone"? A'),
    ("[conditions.zzzz]\nname = 'x'", 'there is no condition "zzzz". A condition of your own is a table [own.zzzz]'),
    ("without = ['dazed']\n[conditions.dazed]\nname = 'x'", 'f:2: conditions.dazed: "dazed" is left out by "without"'),
    ("[conditions.prone]\nsummary = ['a', 'b']", "f:2: conditions.prone.summary: needs one text for each of its 1 "),
    ("[conditions.prone]\nsummary = 3", "must be a text in quotes of 1 to 600 letters or a list, each of it a text"),
    ("[conditions.prone]\nlevels = 3", "f:2: conditions.prone.levels: there is no such key"),
    ("[own.chilled]\nname = 'x'", "f:1: own.chilled: needs a summary: a text in quotes of 1 to 600 letters or a list"),
    ("[own.Chilled]\nname = 'x'\nsummary = 'x'", "f:1: own.Chilled: an id has small letters, digits and dashes"),
    ("[own.prone]\nname = 'x'\nsummary = 'x'", 'f:1: own.prone: there is a condition "prone" already: change it in'),
    ("[own.incapacitated-twice]\nname = 'x'\nsummary = 'x'", 'begins like "incapacitated": Foundry keeps eleven le'),
    (OWN + "levels = 99", "f:4: own.chilled.levels: must be a whole number from 1 to 10, not 99"),
    (OWN + "sourced = 'yes'", 'f:4: own.chilled.sourced: must be true or false, not "yes"'),
    (OWN + "implied = ['chilled']", "f:4: own.chilled.implied[1]: a condition cannot name itself here"),
    (OWN + "left-behind = ['pron']", 'f:4: own.chilled.left-behind[1]: there is no condition "pron": did you mean'),
    (OWN + "immune-to = ['zzzzz']", 'own.chilled.immune-to[1]: there is no condition "zzzzz": there are bleeding,'),
    (OWN + "icon = 'snow'", "f:4: own.chilled.icon: must be a path in Foundry's data, e.g."),
    (OWN + "lasts = 'a while'", 'f:4: own.chilled.lasts: "a while" is not understood: write a number with seconds'),
    (OWN + "lasts = '0 rounds'", '"0 rounds" is not understood'),
    (OWN + "speed = { zero = true, from-level = 2 }", "f:4: own.chilled.speed.from-level: there are only 1 levels"),
    (OWN + "limits = { act = true }", "f:4: own.chilled.limits.act: there is no such key: did you mean"),
    (OWN + "save = { ability = 'con' }", "f:4: own.chilled.save: needs a dc: a whole number from 1 to 40"),
    (OWN + "gate = { grants = ['spel'] }", "f:4: own.chilled.gate.grants[1]: must be one of hit-die,"),
    (OWN + "ends-on = ['long-rst']", "f:4: own.chilled.ends-on[1]: must be one of short-rest, long-rest, hit-die, com"),
    (OWN + "damage = { formula = 'x', type = 'cold' }", 'f:4: own.chilled.damage.formula: "x" cannot be rolled'),
    (OWN + "damage = { formula = ['1', '2'], type = 'cold' }", "needs one formula for each of its 1 levels"),
    (OWN + "damage = { formula = '1', type = 'cld' }", 'not "cld": did you mean "cold"?'),
    (
        OWN + "[[own.chilled.modifiers]]\nroll = 'check'\ngives = 'advantge'",
        "f:6: own.chilled.modifiers[1].gives: must",
    ),
    (OWN + "modifiers = [\n{ roll = 'save', gives = 'number' } ]", "f:4: own.chilled.modifiers[1]: gives a number and"),
    (OWN + "modifiers = [{ roll = 'save', gives = 'fail', value = 1 }]", "fail has no value: leave it out, or write"),
    (OWN + "modifiers = [{ roll = 'save', gives = 'fail', from-level = 2 }]", "from-level: there are only 1 levels"),
    (OWN + "modifiers = [{ roll = 'check', gives = 'fail', tags = ['perceptoin'] }]", 'did you mean "perception"?'),
    (OWN + "modifiers = [{ roll = 'check', gives = 'fail', but-tags = ['stelth'] }]", "modifiers[1].but-tags[1]: "),
    (
        OWN + "modifiers = [{ roll = 'save', gives = 'fail', when = { within = -1 } }]",
        "must be a number from 0 to 10000",
    ),
    (OWN + "modifiers = 3", "f:4: own.chilled.modifiers: must be a list, each of it a table, not 3"),
    ("a = = 1", "f:1: is not TOML: Invalid value"),
    ("[settings", "f: is not TOML"),
    ("a = " + "[" * 5000, "f: is nested too deeply"),
    ("#" * 200_001, "f: has 200001 letters: at most 200000 are read"),
]


@pytest.mark.parametrize(("text", "told"), BROKEN, ids=range(len(BROKEN)))
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(text: str, told: str) -> None:
    with pytest.raises(BadRulebook) as error:
        parse(text, "f")
    assert told in str(error.value)
    assert check(text).book is None


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    text = "nam = 1\nbase = 'x'\nwithout = ['y']\n[settings]\nrolls.mode = 1\n[conditions.pron]\n[own.c]\nname = 1\n"
    problems = check(text).problems
    assert [problem.line for problem in problems] == [1, 2, 3, 5, 6, 7, 8]


def test_it_is_a_bad_setting_too() -> None:
    with pytest.raises(BadSetting) as error:
        parse("[settings]\nrolls.mode = 1")
    assert error.value.key == "settings.rolls.mode"


def test_a_text_that_says_nothing_is_the_house_rules() -> None:
    assert parse("").name == "house-rules"
    assert parse("name = 'Mine'").name == "Mine"


@pytest.mark.parametrize("text", ["rolls.mode = 'off'", "'rolls.mode' = 'off'", "rolls = { mode = 'off' }"])
def test_settings_may_be_written_in_any_way(text: str) -> None:
    reading = check(f"[settings]\n{text}\n")
    assert reading.book is not None
    assert reading.book.settings["rolls.mode"] == "off"
    assert reading.given == {"rolls.mode": "off"}


def test_modes_stand_with_their_condition_or_among_the_settings() -> None:
    for text in ("[conditions.prone]\nmode = 'off'", "[settings.conditions.prone]\nmode = 'off'"):
        assert parse(text).mode("prone") == "off"
    assert parse(OWN + "mode = 'ask'\nrolls = 'off'").mode("chilled") == "ask"


def test_the_line_of_a_key_is_found_whatever_stands_between() -> None:
    text = 'a = """\nb = 1\n"""\nc = [\n  1, # [\n]\n[d."e f"]\ng.h = "x" # y\n'
    text += "[[i]]\nj = 1\n[[i]]\nj = 2\nk = '''x'''\nl = 1\n"
    known = lines(text)
    assert known == {
        "a": 1, "c": 4, "d.e f": 7, "d.e f.g.h": 8,
        "i": 9, "i[1]": 9, "i[1].j": 10, "i[2]": 11, "i[2].j": 12, "i[2].k": 13, "i[2].l": 14,
    }  # fmt: skip
    assert line_of(known, "i[2].j[3].x") == 12
    assert line_of(known, "d.e f.g") == 8
    assert line_of(known, "d") == 7
    assert line_of(known, "z.y") is None


def test_what_should_be_a_table_and_is_none_is_told_and_nothing_breaks() -> None:
    problems = check('own = 1.5\n[conditions.prone]\nmode = "off"\n').problems
    assert [problem.path for problem in problems] == ["own"]
