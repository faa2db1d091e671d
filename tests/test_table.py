"""The simulated table by itself: what Foundry and the module do, without a bridge."""

from typing import Any

import pytest
from msgspec import structs

from bridge.engine.apply import static_id
from bridge.engine.publish import publish
from bridge.engine.state import Effect, HitPoints, Mark, Memory
from bridge.protocol import (
    Ack,
    Apply,
    ApplyDamage,
    Button,
    Card,
    Drank,
    Failed,
    Line,
    Picture,
    PostCard,
    Refused,
    RollDice,
    SetCondition,
    SetHitPoints,
    UpdateCard,
)
from bridge.rules import rulebook
from bridge.table.executor import receive
from bridge.table.people import seat
from bridge.table.scenario import parse
from bridge.table.story import act
from bridge.table.table import NotDone, Table

BORS = "bors"


def table(actors: dict[str, Any] | None = None, **more: Any) -> Table:
    """Return a linked table that has shown its world, with the catalogue in force."""
    found = seat(parse({"title": "x", "actors": actors or {BORS: {}}, **more}), "w")
    found.documents.catalogue = publish(rulebook(), found.about.profile)
    found.connected(page=50)
    found.take()
    return found


def do(at: Table, do: str, **fields: Any) -> list[Any]:
    """Do a step; return what the table sends."""
    (told,) = parse({"title": "x", "actors": {key: {} for key in at.keys}, "steps": [{"do": do, **fields}]}).steps
    act(told.step, at)
    return at.take()


def card(id: str = "c", *, kind: Any = "notice") -> Card:
    """Return a card."""
    return Card(id, kind, "Actor.bors000000000000", Line("k", "text"))


@pytest.fixture
def bleeding() -> Table:
    """A bleeding fighter at 5 of 20."""
    return table(
        {BORS: {"hp": {"value": 5, "max": 20}, "conditions": ["bleeding"], "hit-dice": {"fighter": [1, 3, 10]}}}
    )


# Hit points.


def test_the_gate_refuses_before_anything_is_written(bleeding: Table) -> None:
    """BLD-10: no flicker of hit points upward."""
    (refused,) = do(bleeding, "heal", actor=BORS, amount=7, by="spell")
    assert isinstance(refused, Refused)
    assert (refused.amount, refused.cause.kind) == (7, "spell")
    assert bleeding.actor(BORS).hp == HitPoints(5, 20)


def test_what_is_left_of_a_refused_change_is_written(bleeding: Table) -> None:
    shown, refused = do(bleeding, "hp", actor=BORS, value=13, max=25, by="spell")
    assert shown.actors[0].hp == HitPoints(10, 25)
    assert refused.amount == 3


def test_a_write_past_foundry_meets_no_gate(bleeding: Table) -> None:
    (shown,) = do(bleeding, "heal", actor=BORS, amount=7, by="database")
    assert (shown.actors[0].hp.value, shown.cause.kind, shown.by) == (12, "unknown", None)


def test_a_hit_die_is_two_writes_for_a_character_and_one_for_an_npc(bleeding: Table) -> None:
    points, dice = do(bleeding, "heal", actor=BORS, amount=7, by="hit-die")
    assert (points.actors[0].hp.value, points.actors[0].hit_dice["fighter"].left) == (12, 1)
    assert dice.actors[0].hit_dice["fighter"].left == 0
    ogre = table({"ogre": {"type": "npc", "hp": {"value": 5}, "hit-dice": {"npc": [1, 3, 10]}}})
    (both,) = do(ogre, "heal", actor="ogre", amount=7, by="hit-die")
    assert (both.actors[0].hp.value, both.actors[0].hit_dice["npc"].left) == (12, 0)


@pytest.mark.parametrize(
    ("sheet", "type", "left"),
    [
        ({}, "fire", (0, 13)),
        ({"resistances": ["fire"]}, "fire", (0, 18)),
        ({"resistances": ["fire"]}, None, (0, 13)),
        ({"immunities": ["fire"]}, "fire", (3, 20)),
        ({"conditions": ["petrified"]}, "force", (0, 18)),
    ],
)
def test_damage_is_soaked_and_resisted(sheet: dict[str, Any], type: str | None, left: tuple[int, int]) -> None:
    at = table({BORS: {"hp": {"temp": 3}, **sheet}})
    told = {} if type is None else {"type": type}
    do(at, "damage", actor=BORS, amount=10, **told)
    hp = at.actor(BORS).hp
    assert hp is not None
    assert (hp.temp, hp.value) == left


def test_healing_stops_at_the_maximum_in_force() -> None:
    at = table({BORS: {"hp": {"value": 18, "max": 20, "tempmax": 5}}})
    do(at, "heal", actor=BORS, amount=20)
    assert at.actor(BORS).hp == HitPoints(25, 20, 0, 5)


def test_a_long_rest_restores_and_a_short_one_does_not() -> None:
    at = table({BORS: {"hp": {"value": 1, "max": 20, "temp": 4, "tempmax": 5}, "hit-dice": {"fighter": [0, 3, 10]}}})
    assert [m.__class__.__name__ for m in do(at, "rest", actor=BORS, kind="short")] == [
        "RestBegan",
        "Picture",
        "RestFinished",
    ]
    began, points, dice, clock, finished = do(at, "rest", actor=BORS, kind="long")
    assert points.actors[0].hp == HitPoints(20, 20)
    assert dice.actors[0].hit_dice["fighter"].left == 3
    assert points.cause.kind == dice.cause.kind == "long-rest"
    assert clock.clock == 1_000_000 + 3600 + 28_800
    assert (began.kind, finished.hit_dice_before["fighter"].left) == ("long", 0)


@pytest.mark.parametrize(("time", "clock"), [("before", 1), ("after", -1), ("with", -2), ("none", None)])
def test_the_clock_moves_when_the_scenario_says(time: str, clock: int | None) -> None:
    at = table({BORS: {"hp": {"value": 1}}})
    sent = do(at, "rest", actor=BORS, time=time)
    places = [i for i, m in enumerate(sent) if isinstance(m, Picture) and m.clock is not None]
    assert places == ([] if clock is None else [clock % len(sent)])


def test_an_interrupted_rest_is_only_time() -> None:
    (clock,) = do(table(), "rest", actor=BORS, interrupted=True)
    assert clock.clock == 1_000_000 + 28_800


# Conditions.


def test_the_icon_of_unconscious_brings_incapacitated_and_a_rider() -> None:
    first, rider = do(table(), "add", actor=BORS, condition="unconscious")
    assert first.actors[0].effects == (
        Effect("dnd5eunconscious", ("unconscious", "incapacitated"), name="Unconscious"),
    )
    assert first.by.gm
    assert rider.actors[0].effects[1].id == "dnd5eprone000000"
    # The rider is made by the client that made the first: active-effect.mjs, _onCreate.
    assert rider.by == first.by


def test_an_item_brings_the_bare_status_and_the_rider() -> None:
    first, rider = do(table(), "add", actor=BORS, condition="unconscious", by="item")
    assert first.actors[0].effects[0].statuses == ("unconscious",)
    assert first.actors[0].effects[0].id != static_id("unconscious")
    assert len(rider.actors[0].effects) == 2


def test_the_icon_of_what_is_on_does_nothing_and_the_console_adds_a_second() -> None:
    at = table({BORS: {"conditions": ["poisoned"]}})
    assert do(at, "add", actor=BORS, condition="poisoned") == []
    (shown,) = do(at, "add", actor=BORS, condition="poisoned", lasts="1 hour", forced=True)
    second = shown.actors[0].effects[1]
    assert second.id != static_id("poisoned")
    assert second.mark is not None
    assert second.mark.forced
    assert second.mark.timer is not None
    assert (second.mark.timer.kind, second.mark.timer.amount, second.mark.timer.began) == ("seconds", 3600, 1_000_000)


def test_a_timer_given_in_combat_knows_where_it_began() -> None:
    at = table({BORS: {}, "gob": {"type": "npc"}}, combat={"order": [BORS, "gob"], "round": 2, "turn": "gob"})
    (shown,) = do(at, "add", actor=BORS, condition="poisoned", lasts="3 rounds", **{"from": "gob"})
    mark = shown.actors[0].effects[0].mark
    assert mark.source == at.keys["gob"]
    assert (mark.timer.round, mark.timer.turn, mark.timer.initiative) == (2, 1, 19.0)
    assert mark.timer.combatant == at.documents.combats["combat0000000000"].order[1].id


def test_the_icon_counts_levels() -> None:
    at = table()
    for _ in range(8):
        do(at, "add", actor=BORS, condition="intoxicated")
    assert at.actor(BORS).effects[0].level == 6
    do(at, "remove", actor=BORS, condition="intoxicated")
    assert at.actor(BORS).effects[0].level == 5
    do(at, "set-level", actor=BORS, condition="intoxicated", level=0)
    assert at.actor(BORS).effects == ()


def test_the_sixth_exhaustion_is_death() -> None:
    at = table()
    do(at, "set-level", actor=BORS, condition="exhaustion", level=6)
    assert at.actor(BORS).effects[0].statuses == ("exhaustion", "dead")
    do(at, "remove", actor=BORS, condition="exhaustion")
    assert at.actor(BORS).effects[0].statuses == ("exhaustion",)


def test_native_bloodied_follows_writes_of_hit_points() -> None:
    at = table(world={"native-bloodied": True})
    do(at, "damage", actor=BORS, amount=10)
    assert [e.id for e in at.actor(BORS).effects] == ["dnd5ebloodied000"]
    do(at, "heal", actor=BORS, amount=1)
    assert at.actor(BORS).effects == ()


def test_what_is_not_there_is_named() -> None:
    at = table({BORS: {}, "cart": {"type": "vehicle"}})
    for step, code in (
        ({"do": "eat", "actor": "nobody"}, "unknown-actor"),
        ({"do": "add", "actor": BORS, "condition": "flummoxed"}, "unknown-condition"),
        ({"do": "heal", "actor": "cart", "amount": 1}, "invalid"),
        ({"do": "next-turn"}, "invalid"),
        ({"do": "answer", "actor": BORS, "total": 1}, "invalid"),
        ({"do": "press", "button": "allow"}, "not-allowed"),
    ):
        with pytest.raises(NotDone) as caught:
            do(at, **step)
        assert caught.value.code == code


# Combat.


def test_a_new_round_moves_the_clock_in_a_write_of_its_own() -> None:
    at = table({BORS: {}, "gob": {}})
    do(at, "start-combat", order=[BORS, "gob"])
    (second,) = do(at, "next-turn")
    assert (second.combats[0].round, second.combats[0].turn) == (1, 1)
    turn, clock = do(at, "next-turn")
    assert (turn.combats[0].round, turn.combats[0].turn, clock.clock) == (2, 0, 1_000_006)
    turn, clock = do(at, "previous-turn")
    assert (turn.combats[0].round, turn.combats[0].turn, clock.clock) == (1, 1, 1_000_000)
    do(at, "turn", to=BORS, round=4)
    assert at.documents.clock == 1_000_018


def test_leaving_keeps_whose_turn_it_is() -> None:
    at = table({"a": {}, "b": {}, "c": {}}, combat={"order": ["a", "b", "c"], "turn": "b"})
    (shown,) = do(at, "remove-combatant", actor="a")
    assert shown.combats[0].order[shown.combats[0].turn].actor == at.keys["b"]
    do(at, "next-turn")
    (shown,) = do(at, "remove-combatant", actor="c")
    assert shown.combats[0].turn == 0


def test_an_unlinked_token_takes_its_creature_along() -> None:
    at = table({"gob": {"type": "npc", "linked": False, "at": [1, 1]}, BORS: {"at": [2, 2]}})
    first = at.keys["gob"]
    (shown,) = do(at, "remove-token", actor="gob")
    assert shown.gone == (first,)
    (shown,) = do(at, "add-token", actor="gob")
    assert shown.actors[0].id == at.keys["gob"] != first
    (ended,) = do(at, "delete-scene")[:1]
    assert ended.gone == (at.keys["gob"],)
    assert at.actor(BORS).place is None


# The module's executor.


def apply(at: Table, *operations: Any, id: int = 1) -> list[Any]:
    """Let the bridge ask for something; return what the table sends."""
    receive(at, Apply(id, at.keys[BORS], operations, Memory(receipt=id, world="w")))
    return at.take()


def test_one_picture_for_each_write_and_the_receipt_last() -> None:
    at = table()
    first, second = apply(at, ApplyDamage(8, "fire", "d"), PostCard(card()))
    assert (first.actors[0].hp.value, first.actors[0].memory.receipt, first.apply) == (12, 0, 1)
    assert second.actors[0].memory.receipt == 1
    assert [posted.id for posted in at.record.cards] == ["c"]
    assert len(at.record.operations) == 1


def test_hit_points_and_the_receipt_are_one_write() -> None:
    (shown,) = apply(table(), SetHitPoints(20, 12), PostCard(card()))
    assert (shown.actors[0].hp.value, shown.actors[0].memory.receipt, shown.apply) == (12, 1, 1)


def test_the_same_apply_again_changes_nothing() -> None:
    at = table()
    ask = (SetHitPoints(20, 12), PostCard(card()), ApplyDamage(3, "fire", "d"))
    apply(at, *ask)
    after = at.actor(BORS)
    (shown,) = apply(at, *ask)
    assert shown.actors == (after,)
    assert len(at.documents.messages) == 1


def test_where_something_differs_nothing_is_done() -> None:
    at = table()
    mark = Mark(level=2)
    for wrong in (
        SetHitPoints(19, 12),
        SetCondition("dnd5eprone000000", "prone", there=True, was=mark, mark=Mark()),
    ):
        at = table({BORS: {"conditions": ["prone"]}})
        shown, failed = apply(at, PostCard(card()), wrong)
        assert isinstance(failed, Failed)
        assert failed.code == "changed"
        assert shown.actors[0] == at.actor(BORS)
        assert at.documents.messages == {}
        assert at.actor(BORS).memory.receipt == 0


def test_a_rider_that_was_quicker_is_marked() -> None:
    at = table()
    unconscious = SetCondition("dnd5eunconscious", "unconscious", ("unconscious", "incapacitated"), mark=Mark(stamp=1))
    prone = SetCondition("dnd5eprone000000", "prone", ("prone",), mark=Mark(stamp=1))
    apply(at, unconscious, prone)
    assert [(e.id, e.mark) for e in at.actor(BORS).effects] == [
        ("dnd5eunconscious", Mark(stamp=1)),
        ("dnd5eprone000000", Mark(stamp=1)),
    ]


def test_a_button_is_used_once() -> None:
    at = table()
    apply(at, PostCard(card()))
    use = UpdateCard("c", "allow", Line("k", "done"), stamp=2)
    (receipt,) = apply(at, use, id=2)
    assert receipt.actors[0].memory.receipt == 2
    _, failed = apply(at, UpdateCard("c", "allow", Line("k", "again"), stamp=3), id=3)
    assert failed.code == "already-done"


def test_cards_of_one_group_are_rows_of_one() -> None:
    """CRD-1: "Area effects on several creatures: one card with a row each"; a row is no card more."""
    at = table()
    rows = [structs.replace(card(id), group="area", buttons=(Button("undo", "Undo"),)) for id in ("one", "two", "two")]
    for number, row in enumerate(rows, 1):
        apply(at, PostCard(row), id=number)
    (message,) = at.documents.messages.values()
    assert [one.card.id for one in message.cards] == ["one", "two"]
    assert [one.id for one in at.record.cards] == ["one"]
    assert [one.id for one in at.record.rows] == ["two"]
    # What is done to a row is done to that alone, and once.
    apply(at, UpdateCard("two", "undo", Line("k", "done"), stamp=4), id=4)
    _, failed = apply(at, UpdateCard("two", "undo", Line("k", "done"), stamp=5), id=5)
    assert failed.code == "already-done"
    (message,) = at.documents.messages.values()
    assert [one.done for one in message.cards] == [{}, {"undo": 4}]
    assert at.documents.card("nobody's") is None


def test_dice_are_thrown_once_and_come_back() -> None:
    at = table()
    at.dice.script([3])
    rolled, _ = sorted(apply(at, RollDice(card(kind="dice"), "1d4 + 2", "r")), key=lambda m: isinstance(m, Picture))
    assert (rolled.total, rolled.reason, rolled.request) == (5, "r", "c")


def test_what_is_gone_fails() -> None:
    at = table()
    receive(at, Apply(1, "Actor.none", (), Memory()))
    (failed,) = at.take()
    assert failed.code == "refused"


# The link.


def test_happenings_wait_in_the_outbox_and_pictures_do_not() -> None:
    at = table()
    at.disconnected()
    assert do(at, "drink", actor=BORS) == []
    assert do(at, "damage", actor=BORS, amount=1) == []
    at.connected(page=50)
    world, drank = at.take()
    assert (world.n, world.page, world.pages, world.actors[0].hp.value) == (1, 1, 1, 19)
    assert isinstance(drank, Drank)
    at.disconnected()
    at.connected(page=50)
    _, again = at.take()
    assert again.id == drank.id
    receive(at, Ack(again.n))
    assert at.documents.outbox == {}


def test_a_large_world_comes_in_pages() -> None:
    at = table({f"a{number}": {} for number in range(7)})
    at.connected(page=3)
    pages = at.take()
    assert [len(page.actors) for page in pages] == [3, 3, 1]
    assert [page.clock for page in pages] == [1_000_000, None, None]


def test_names_that_differ_never_meet_in_one_id() -> None:
    names = ["bors", "Bors", "börs", "börs!", "Ælin", "김", "🐉", "a" * 40, "a" * 41, "bors0", "x" * 16, "x" * 17]
    at = table({name: {} for name in names})
    assert len(set(at.keys.values())) == len(names)
    assert all(len(ref.removeprefix("Actor.")) == 16 for ref in at.keys.values())
