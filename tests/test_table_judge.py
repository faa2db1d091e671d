"""What the module judges on the spot: limits, sight, speed, and what a roll gets."""

from typing import Any

import pytest

from bridge.engine.catalogue import Catalogue, Entry, Level, Limits, Speed
from bridge.engine.state import Memory
from bridge.table.documents import GM, player_of
from bridge.table.judge import approaches, concentration_denied, denied, sees, speed
from bridge.table.people import place, seat
from bridge.table.scenario import parse
from bridge.table.story import act
from bridge.table.table import Table

PLAYER = player_of("bors")


def entry(id: str, **level: Any) -> Entry:
    """Return a condition of one level."""
    return Entry(id, id.capitalize(), "", (Level("", **level),))


CATALOGUE = Catalogue(
    profile="all",
    version="1",
    conditions=(
        entry("dazed", limits=Limits(bonus=True, reaction=True, move_or_action=True)),
        entry("incapacitated", limits=Limits(action=True, bonus=True, reaction=True, concentration=True)),
        entry("frightened", limits=Limits(closer_to_source=True)),
        entry("charmed", limits=Limits(attack_source=True)),
        entry("drunk", speed=Speed(halved=True)),
    ),
)


def table(*conditions: Any, combat: bool = True, **gob: Any) -> Table:
    """Return a table at which it is Bors's turn."""
    told: dict[str, Any] = {
        "title": "x",
        "actors": {"bors": {"conditions": list(conditions), "at": [0, 0]}, "gob": {"type": "npc", "at": [6, 0], **gob}},
    }
    if combat:
        told["combat"] = {"order": ["bors", "gob"]}
    found = seat(parse(told), "w")
    found.documents.catalogue = CATALOGUE
    return found


def use(at: Table, action: str, **fields: Any) -> bool:
    """Use something; tell whether it was denied."""
    at.record.denied = False
    step = {"do": "use", "actor": "bors", "action": action, **fields}
    act(parse({"title": "x", "actors": {"bors": {}, "gob": {}}, "steps": [step]}).steps[0].step, at)
    return at.record.denied


def test_dazed_is_to_move_or_to_act() -> None:
    at = table("dazed")
    assert [use(at, what) for what in ("action", "move", "action", "bonus", "reaction")] == [
        False,
        True,
        True,
        True,
        True,
    ]
    at = table("dazed")
    assert [use(at, what) for what in ("move", "move", "attack", "action")] == [False, False, True, True]
    at = table("dazed")
    assert [use(at, what) for what in ("attack", "attack", "action", "move")] == [False, False, True, True]


def test_dazed_outside_combat_limits_nothing() -> None:
    at = table("dazed", combat=False)
    assert [use(at, what) for what in ("action", "move", "bonus", "reaction")] == [False] * 4


def test_a_new_turn_is_a_new_choice() -> None:
    at = table("dazed")
    assert not use(at, "move")
    for _ in range(2):
        act(parse({"title": "x", "steps": [{"do": "next-turn"}]}).steps[0].step, at)
    assert not use(at, "action")


def test_the_gm_is_warned_and_not_refused() -> None:
    at = table("incapacitated")
    assert use(at, "action")
    assert not use(at, "action", by="gm")
    at.documents.catalogue = type(CATALOGUE)(
        "all", "2", CATALOGUE.conditions, limits_gm="refuse", limits_players="warn"
    )
    assert use(at, "action", by="gm")
    assert not use(at, "action")


def test_a_lost_action_is_lost_in_its_turn_only() -> None:
    at = table()
    bors = at.actor("bors")
    at.documents.actors[bors.id] = type(bors)(bors.id, owned=True, memory=Memory(lost=("combat0000000000", 1)))
    assert use(at, "action")
    assert not use(at, "move")
    at.documents.actors[bors.id] = type(bors)(bors.id, owned=True, memory=Memory(lost=("combat0000000000", 2)))
    assert not use(at, "action")


def test_the_charmer_is_not_attacked() -> None:
    at = table({"is": "charmed", "from": "gob"}, "prone")
    assert use(at, "attack", target="gob")
    assert not use(at, "attack", target="bors")
    assert not denied(at, at.actor("bors"), "action", PLAYER)


@pytest.mark.parametrize(("square", "refused"), [((1, 0), True), ((0, 1), False), ((-1, 0), False), ((12, 0), False)])
def test_nobody_goes_closer_to_what_they_fear(square: tuple[float, float], refused: bool) -> None:
    at = table({"is": "frightened", "from": "gob"})
    to = place(at, "bors", square)
    assert to is not None
    assert approaches(at, at.actor("bors"), to, PLAYER) == refused
    assert not approaches(at, at.actor("bors"), to, GM)


def test_concentration() -> None:
    at = table("incapacitated")
    assert concentration_denied(at, at.actor("bors"), PLAYER)
    assert not concentration_denied(at, at.actor("gob"), PLAYER)


def test_sight() -> None:
    at = table(**{"unseen-by": ["bors"]})
    bors, gob = at.actor("bors"), at.actor("gob")
    assert sees(at, gob, bors) is True
    assert sees(at, bors, gob) is False
    at.tokenless.add(bors.id)
    assert sees(at, bors, gob) is None


def test_flat_reductions_come_before_halving() -> None:
    """INT-7: 30 feet, less 5 for one level of exhaustion, halved and rounded down."""
    for conditions, feet in ((("drunk",), 15), (("drunk", "exhaustion"), 12), (("drunk", "grappled"), 0)):
        at = table(*conditions)
        assert speed(at, at.actor("bors")) == feet
