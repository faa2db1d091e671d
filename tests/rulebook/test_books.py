"""The rulebooks that come with the bridge, and what a file makes of conditions."""

from __future__ import annotations

import re

import pytest

from bridge.engine.catalogue import Gate, Limits, Modifier, Predicate, Speed
from bridge.engine.publish import publish
from bridge.rulebook.book import SHIPPED, check, parse, shipped, shipped_text
from bridge.rules import rulebook

PROFILES = ["v13+dnd5e-5.3", "v14+dnd5e-5.3", "v14+dnd5e-6"]
HOUSE_ONLY = {"bleeding", "dazed", "ignited", "intoxicated"}


def entry(text: str, id: str, profile: str | None = None):
    return next(each for each in publish(parse(text), profile).conditions if each.id == id)


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_the_house_rules_as_a_file_are_the_house_rules(profile: str | None) -> None:
    assert publish(parse(shipped_text("house-rules")), profile) == publish(rulebook(), profile)
    assert publish(parse(shipped_text("house-rules")), profile).version == publish(rulebook(), profile).version


def test_the_house_rules_as_a_file_name_every_setting_with_its_default() -> None:
    given = check(shipped_text("house-rules")).given
    settings = rulebook().settings
    assert given.keys() == {key for key in settings if not key.startswith("conditions.")}
    assert all(settings[key] == value for key, value in given.items())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_rulebook_has_no_problem_and_bears_its_name(name: str) -> None:
    assert check(shipped_text(name)).problems == ()
    assert shipped(name).name == name


def test_plain_rules_know_no_house_rule() -> None:
    plain = shipped("plain-2024")
    assert plain.conditions.keys() == rulebook().conditions.keys() - HOUSE_ONLY
    assert not {key for key in plain.settings if key.partition(".")[0] in HOUSE_ONLY}
    assert plain.settings["down.mode"] == "auto"
    assert not [each for each in publish(plain, None).conditions if each.own or each.gate]
    texts = " ".join(
        f"{level.summary} {each.origin}" for each in publish(plain, None).conditions for level in each.levels
    )
    assert not re.search(r"\bpage\b", texts)


@pytest.mark.parametrize("profile", PROFILES)
def test_what_the_system_does_is_left_to_it_in_plain_rules_too(profile: str) -> None:
    house = {each.id: each for each in publish(rulebook(), profile).conditions}
    for each in publish(shipped("plain-2024"), profile).conditions:
        assert not each.instead
        assert [level.modifiers for level in each.levels] == [level.modifiers for level in house[each.id].levels]
        assert [level.speed for level in each.levels] == [level.speed for level in house[each.id].levels]


def test_a_rulebook_may_start_from_the_plain_one() -> None:
    book = parse('base = "plain-2024"\n[settings]\ndown.npc = "unconscious"\n')
    assert "bleeding" not in book.conditions
    assert (book.settings["down.mode"], book.settings["down.npc"]) == ("auto", "unconscious")
    assert book.name == "plain-2024"


def test_a_text_over_ours_takes_our_note_along() -> None:
    before = entry("", "grappled")
    after = entry('[conditions.grappled]\nsummary = "Held."\nname = "Held"\nicon = "a/b.svg"\n', "grappled")
    assert "points elsewhere" in before.origin
    assert (after.origin, after.name, after.icon, after.levels[0].summary) == ("", "Held", "a/b.svg", "Held.")
    assert after.levels[0].modifiers == before.levels[0].modifiers
    kept = entry('[conditions.grappled]\nsummary = "Held."\norigin = "Our page."\n', "grappled")
    assert kept.origin == "Our page."


def test_the_level_stands_in_the_text() -> None:
    found = entry('[conditions.exhaustion]\nsummary = "Tired {level}."\n', "exhaustion")
    assert [level.summary for level in found.levels] == [f"Tired {n}." for n in range(1, 7)]


def test_other_modifiers_than_the_systems_stand_in_place_of_them() -> None:
    text = '[conditions.poisoned]\nmodifiers = [{ roll = "attack", gives = "disadvantage" }]\n'
    found = entry(text, "poisoned", "v14+dnd5e-5.3")
    assert found.instead
    assert found.levels[0].modifiers == (Modifier("attack", "disadvantage"),)
    assert not entry('[conditions.poisoned]\nname = "Sick"\n', "poisoned", "v14+dnd5e-5.3").instead


def test_all_that_a_table_says_reaches_the_catalogue() -> None:
    text = """
    [own.cursed-king]
    name = "Cursed king"
    summary = ["One.", "Two."]
    levels = 2
    sourced = true
    implied = ["poisoned"]
    left-behind = ["prone"]
    gate = { grants = ["hit-die"], max-rise = false }
    limits = { reaction = true, from-level = 2 }
    speed = { halved = true, less = 5, times-level = true, from-level = 2 }
    modifiers = [
        { roll = "save", gives = "number", value = -1, times-level = true, abilities = ["wis"], but-tags = ["death"] },
        { roll = "attack", gives = "critical", on-me = true, from-level = 2, when = { within = 5 } },
    ]
    """
    found = entry(text, "cursed-king")
    assert (found.own, found.sourced, found.icon) == (True, True, "icons/svg/aura.svg")
    assert (found.implied, found.left_behind) == (("poisoned",), ("prone",))
    assert found.gate == Gate(("allow", "form", "rest", "hit-die"), max_rise=False)
    one, two = found.levels
    wisdom = Modifier("save", "number", -1, abilities=("wis",), but_tags=("death",))
    assert (one.summary, one.modifiers, one.limits, one.speed) == ("One.", (wisdom,), None, None)
    assert (two.limits, two.speed) == (Limits(reaction=True), Speed(halved=True, less=10))
    assert two.modifiers[0].value == -2
    assert two.modifiers[1] == Modifier("attack", "critical", on_me=True, when=Predicate(within=5))


def test_a_status_that_foundry_has_is_not_registered_again() -> None:
    assert not entry('[own.silenced]\nname = "Silenced"\nsummary = "No voice."\n', "silenced").own
    again = 'without = ["dazed"]\n[own.dazed]\nname = "Dazed"\nsummary = "Slow."\n'
    assert entry(again, "dazed").own
    assert entry(again, "dazed").icon == "dazed"


def test_changing_a_condition_leaves_the_shipped_one_as_it_was() -> None:
    before = len(rulebook().conditions["poisoned"].rules)
    parse('[conditions.poisoned]\nlasts = "1 hour"\nends-on = ["long-rest"]\n')
    assert len(rulebook().conditions["poisoned"].rules) == before


def test_what_ends_it_is_said() -> None:
    text = '[own.chilled]\nname = "C"\nsummary = "c"\n'
    ends = parse(text + 'lasts = "1 hour"\nsave = { ability = "con", dc = 9 }\nends-on = ["combat"]').conditions
    assert ends["chilled"].ends == (
        "Lasts 1 hour when nothing else is said. "
        "A Constitution save, DC 9, at the end of its turn ends it. Ends with the combat."
    )
    assert parse(text + 'ends = "By magic."\nends-on = ["combat"]').conditions["chilled"].ends == "By magic."
    assert parse(text).conditions["chilled"].ends == ""
