"""Adding a condition touches one file (design, section 4): catalogue, cards, decisions and the world derive from it."""

import sys
from importlib import invalidate_caches

import pytest
from msgspec import structs

import bridge.rules
from bridge import protocol as p
from bridge.engine.modifiers import Facts, evaluate
from bridge.engine.publish import publish
from tests.creatures import creature, effect
from tests.desk import Desk

MADE_UP = '''
"""Hexed: made up for a test."""

from bridge.engine.catalogue import NUMBER, Limits, Modifier
from bridge.engine.changes import EndCondition, Post, Say, SetCondition
from bridge.engine.conditions import Condition
from bridge.engine.events import Ate, HitPointsLost
from bridge.engine.settings import Setting

hexed = Condition(
    id="hexed",
    name="Hexed",
    summary=lambda level, settings: f"−{level} on saves.",
    levels=3,
    own=True,
    icon="hexed",
    implied=("poisoned",),
    left_behind=("prone",),
    modifiers=lambda level, settings: (Modifier("save", NUMBER, -level),),
    limits=Limits(reaction=True),
    settings=(Setting("hexed.most", 3, least=1),),
)


@hexed.on(HitPointsLost, always=True)
def worsen(event, it):
    yield SetCondition(condition="hexed", level=min(it.settings["hexed.most"], it.level("hexed") + 1))


@hexed.on(Ate)
def lift(event, it):
    yield EndCondition(condition="hexed")
    yield Post(kind="notice", say=Say("hexed-lifted", "The hex is gone."))
'''


@pytest.fixture
def one_more_file(tmp_path, monkeypatch):
    """Lie a file beside the others, and take it away again."""
    (tmp_path / "hexed.py").write_text(MADE_UP)
    monkeypatch.setattr(bridge.rules, "__path__", [*bridge.rules.__path__, str(tmp_path)])
    invalidate_caches()
    yield
    sys.modules.pop("bridge.rules.hexed", None)
    if hasattr(bridge.rules, "hexed"):
        del bridge.rules.hexed


@pytest.mark.usefixtures("one_more_file")
def test_one_file_is_all():
    book = bridge.rules.rulebook({"hexed.most": 2, "conditions.hexed.mode": "auto"})

    entry = next(x for x in publish(book, None).conditions if x.id == "hexed")
    assert (entry.name, entry.own, entry.icon, entry.implied, len(entry.levels)) == (
        "Hexed",
        True,
        "hexed",
        ("poisoned",),
        3,
    )
    assert entry.levels[1].summary == "−2 on saves."
    assert evaluate(publish(book, None), creature(effect("hexed", 2)), "save.wis", None, Facts()).gives == {"-2"}

    desk = Desk(creature(hp=20), book=book)
    for hp in (19, 18, 17):
        desk.hp(hp)
    assert next(x for x in desk.actor().effects if "hexed" in x.statuses).level == 2
    assert any("prone" in x.statuses for x in desk.actor().effects)
    cards = [card for card in desk.cards("conditions") if any(line.condition == "hexed" for line in card.lines)]
    assert "−1 on saves." in cards[0].lines[0].text + cards[0].lines[-1].text
    desk.happen(p.Ate)
    assert not any("hexed" in x.statuses for x in desk.actor().effects)
    assert any(line.text == "The hex is gone." for card in desk.cards() for line in card.lines)

    effects = (*desk.actor().effects, effect("hexed", 3))
    desk.write(effects=effects)
    assert any(line.level == 3 and line.condition == "hexed" for card in desk.cards() for line in card.lines)


@pytest.mark.usefixtures("one_more_file")
def test_switched_off_it_is_as_if_it_were_not_there():
    book = bridge.rules.rulebook({"conditions.hexed.mode": "off"})
    desk = Desk(structs.replace(creature(hp=20), owned=True), book=book)
    desk.hp(5)
    assert not any("hexed" in x.statuses for x in desk.actor().effects)


def test_the_shipped_rulebook_knows_nothing_of_it():
    assert "hexed" not in bridge.rules.rulebook().conditions
