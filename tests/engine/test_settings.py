"""House settings: defaults of section 11, and plain words where a value does not fit."""

import pytest

from bridge.engine.settings import BadSetting, Setting, Settings
from bridge.rules import rulebook

DEFAULTS = {
    "rolls.mode": "suggest", "limits.players": "refuse", "limits.gm": "warn",
    "bleeding.gm-edits": "granted", "bleeding.player-edits": "refused", "bleeding.max-rise": "granted",
    "bleeding.death-save-20": "stable", "bleeding.ends-on": [], "bloodied.at-zero": True, "bloodied.when-dead": False,
    "intoxicated.base": 2, "intoxicated.minimum": 2, "intoxicated.window": 3600, "intoxicated.sober-hour": 3600,
    "intoxicated.level-6": "save", "intoxicated.dc": 10, "intoxicated.dc-step": 5, "exhaustion.rules": "system",
    "grappled.ends-apart": True, "restrained.crawl": False, "ignited.damage": "1d4", "ignited.type": "fire",
    "ignited.when": "turn-start", "ignited.system-burning": True, "down.mode": "off", "down.npc": "dead",
    "players.own-hand": "accept", "cards.gain": "all", "cards.turn": "owner", "cards.derived": "off",
}  # fmt: skip


@pytest.mark.parametrize(("key", "default"), DEFAULTS.items())
def test_what_holds_when_the_rulebook_says_nothing(key, default):
    """Rules, section 11."""
    assert rulebook().settings[key] == default


def test_every_condition_has_a_mode():
    """Rules, section 11."""
    book = rulebook()
    assert all(book.mode(id) == "auto" for id in book.conditions)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("nonsense", 1),
        ("conditions.nonsense.mode", "off"),
        ("conditions.prone.mode", "on"),
        ("bloodied.at-zero", "yes"),
        ("bloodied.at-zero", 1),
        ("intoxicated.base", "2"),
        ("intoxicated.base", -1),
        ("intoxicated.base", True),
        ("intoxicated.minimum", 0),
        ("intoxicated.window", 0),
        ("intoxicated.dc", 2.5),
        ("bleeding.ends-on", "long-rest"),
        ("bleeding.ends-on", ["tea"]),
        ("ignited.damage", ""),
        ("rolls.mode", None),
    ],
)
def test_what_does_not_fit_is_refused_with_its_key(key, value):
    with pytest.raises(BadSetting, match=key) as error:
        rulebook({key: value})
    assert error.value.key == key


def test_a_year_may_be_written_as_a_number():
    assert rulebook({"exhaustion.rules": 2014}).settings["exhaustion.rules"] == "2014"
    with pytest.raises(BadSetting, match="must be one of 2014, 2024, system, not 2015"):
        rulebook({"exhaustion.rules": 2015})


def test_what_is_given_wins_over_the_default():
    settings = Settings([Setting("a", 1), Setting("b", 2)], {"a": 5})
    assert dict(settings) == {"a": 5, "b": 2}
    assert len(settings) == 2


@pytest.mark.parametrize("value", ["ale", ["ale", ""], [5], ["x" * 101], ["ale"] * 1000])
def test_a_list_of_words_holds_short_texts(value):
    with pytest.raises(BadSetting, match=r"intoxicated\.drinks"):
        rulebook({"intoxicated.drinks": value})
    assert rulebook({"intoxicated.drinks": ("ale", "mead 2")}).settings["intoxicated.drinks"] == ["ale", "mead 2"]
