"""From a rulebook to the catalogue, and what each profile does by itself (CMB-7)."""

import msgspec
import pytest

from bridge.engine.catalogue import NUMBER, Catalogue
from bridge.engine.profiles import PROFILES, V13_5, V14_5, V14_6
from bridge.engine.publish import publish, summary_of
from tests.creatures import ALL, BOOK, catalogue


def entry(id, profile=None, settings=None):
    return next(e for e in catalogue(settings, profile).conditions if e.id == id)


def given(id, profile):
    return {(m.roll, m.gives, m.on_me) for m in entry(id, profile).levels[0].modifiers}


def test_it_holds_every_condition_with_every_level():
    found = catalogue()
    assert [e.id for e in found.conditions] == sorted(BOOK.conditions)
    assert all(len(e.levels) == BOOK.conditions[e.id].levels for e in found.conditions)
    assert all(level.summary for e in found.conditions for level in e.levels)


def test_own_statuses_are_marked_and_have_an_icon():
    own = {e.id for e in catalogue().conditions if e.own}
    assert {"intoxicated", "dazed", "ignited"} <= own
    assert all(e.icon for e in catalogue().conditions if e.own)


def test_it_crosses_the_wire():
    found = catalogue()
    assert msgspec.json.decode(msgspec.json.encode(found), type=Catalogue) == found


def test_its_version_changes_exactly_when_anything_in_it_does():
    assert catalogue().version == catalogue().version
    assert catalogue({"bleeding.gm-edits": "refused"}).version != catalogue().version
    assert catalogue({"intoxicated.dc": 12}).version == catalogue().version
    assert len({catalogue(None, profile).version for profile in (None, *PROFILES)}) == 4


@pytest.mark.parametrize("profile", PROFILES)
def test_what_the_system_does_is_not_published_a_second_time(profile):
    """CMB-7."""
    assert ("check", "disadvantage", False) not in given("poisoned", profile)
    assert ("save", "disadvantage", False) not in given("restrained", profile)
    assert ("initiative", "disadvantage", False) not in given("incapacitated", profile)
    assert entry("paralyzed", profile).levels[0].speed is None
    assert ("attack", "advantage", True) in given("paralyzed", profile)


@pytest.mark.parametrize(("profile", "ours"), [(V13_5, True), (V14_5, True), (V14_6, False)])
def test_poisoned_attacks_are_native_only_where_the_system_reads_them(profile, ours):
    """CMB-7."""
    assert (("attack", "disadvantage", False) in given("poisoned", profile)) is ours


def test_settings_reach_the_gate_the_modes_and_the_limits():
    settings = {
        "bleeding.player-edits": "granted",
        "conditions.prone.mode": "off",
        "limits.gm": "refuse",
        "rolls.mode": "enforce",
    }
    found = catalogue(settings)
    assert "player-edit" in entry("bleeding", None, settings).gate.grants
    assert entry("prone", None, settings).mode == "off"
    assert (found.limits_gm, found.limits_players, found.rolls) == ("refuse", "refuse", "enforce")


def test_summaries_follow_level_and_are_empty_for_the_unknown():
    assert summary_of(BOOK, "intoxicated", 2) != summary_of(BOOK, "intoxicated", 3)
    assert summary_of(BOOK, "nonsense") == ""
    assert publish(BOOK, None).profile == "all"


# https://github.com/zeel01/MonsterBlocks/issues/13
def test_modifiers_are_plain_numbers():
    """Never text, in which a minus might be of another kind."""
    numbers = [m.value for e in ALL.conditions for each in e.levels for m in each.modifiers if m.gives == NUMBER]
    assert -2 in numbers
    assert {type(number) for number in numbers} == {int}


def test_cmb_7_what_the_house_put_in_place_of_the_systems_own_is_published_whole():
    ours = entry("exhaustion", V14_5, {"exhaustion.rules": "2014"})
    assert ours.instead
    assert ours.levels[2].modifiers
    assert ours.levels[2].native == ()
    left = entry("exhaustion", V14_5)
    assert not left.instead
    assert left.levels[2].modifiers == ()
