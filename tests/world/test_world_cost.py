"""An event costs what it changes, not the size of the world: counted in calls of the bridge's own functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from msgspec import structs

from bridge import protocol as p
from bridge.engine.state import Actor, Effect, HitPoints, Mark, Timer
from bridge.rules import rulebook
from bridge.world import World

HOUR = 3600


def crowd(count: int) -> tuple[World, list[Actor]]:
    """A world of ``count`` creatures that all have clocks, five of them in a combat."""
    timer = Timer("seconds", 1_000_000, 1000 * HOUR)
    drunk = {"intoxicated": {"since": 1_000_000, "needed": 2}}
    actors = [
        Actor(
            f"Actor.{number}",
            hp=HitPoints(20, 20),
            effects=(
                Effect("dnd5epoisoned000", ("poisoned",), mark=Mark(timer=timer)),
                Effect("dnd5eintoxicated", ("intoxicated",), mark=Mark(level=3)),
            ),
            memory=structs.replace(Actor("x").memory, notes=drunk),
        )
        for number in range(count)
    ]
    world = World("w", rulebook({"cards.turn": "off"}))
    world.connect(p.Table("w"))
    pages = [actors[i : i + 500] for i in range(0, count, 500)]
    fight = p.Combat("c", 1, 0, tuple(p.Combatant(f"c{i}", f"Actor.{i}", 20.0 - i) for i in range(5)))
    shown = [
        p.Picture(n, actors=tuple(page), combats=(fight,), clock=1_000_000, page=n, pages=len(pages))
        for n, page in enumerate(pages, 1)
    ]
    world.receive(shown)
    world.take()
    return world, actors


def calls(run: Callable[[], object]) -> int:
    """Count the calls of Python functions while ``run`` runs."""
    count = 0

    def note(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def cost(count: int, message: Callable[[list[Actor], int], p.FromModule]) -> int:
    world, actors = crowd(count)
    n = len(range(0, count, 500)) + 1
    return calls(lambda: world.receive([message(actors, n)]))


def next_turn(_actors: list[Actor], n: int) -> p.FromModule:
    order = tuple(p.Combatant(f"c{i}", f"Actor.{i}", 20.0 - i) for i in range(5))
    return p.Picture(n, combats=(p.Combat("c", 1, 1, order),))


def a_blow(actors: list[Actor], n: int) -> p.FromModule:
    return p.Picture(n, actors=(structs.replace(actors[0], hp=HitPoints(5, 20)),))


def an_hour(_actors: list[Actor], n: int) -> p.FromModule:
    return p.Picture(n, clock=1_000_000 + HOUR)


def a_drink(_actors: list[Actor], n: int) -> p.FromModule:
    return p.Drank(n, f"h{n}", "Actor.0", p.By("u"))


def test_a_turn_a_blow_a_drink_and_an_hour_visit_no_more_of_5000_than_of_5():
    for event in (next_turn, a_blow, a_drink, an_hour):
        # Some words are put together once and then remembered.
        cost(5, event)
        assert cost(5000, event) == cost(5, event), event.__name__


def test_the_count_sees_a_world_that_visits_everybody():
    """Negative control: setting the clock back concerns everybody with a clock, and the count says so."""

    def set_back(_actors: list[Actor], n: int) -> p.FromModule:
        return p.Picture(n, clock=999_000)

    assert cost(500, set_back) > 50 * cost(5, set_back)


def pages(count: int, size: int = 100) -> list[p.Picture]:
    """A whole world of creatures that all need an answer: each has drunk, and nobody has counted how much it stands."""
    actors = [
        Actor(
            f"Actor.{number}",
            hp=HitPoints(3, 20),
            effects=(Effect("dnd5eintoxicated", ("intoxicated",), mark=Mark(level=3)),),
        )
        for number in range(count)
    ]
    found = [actors[i : i + size] for i in range(0, count, size)]
    return [p.Picture(n, actors=tuple(page), clock=5, page=n, pages=len(found)) for n, page in enumerate(found, 1)]


def taken_in(shown: list[p.Picture], *after: p.FromModule, some: bool) -> tuple[World, list[p.Message], int]:
    """Take a whole world in; return it, the replies, and the most calls in one go once the last page has come."""
    world = World("w", rulebook({"cards.turn": "off"}))
    world.connect(p.Table("w"))
    replies: list[p.Message] = []
    for message in shown[:-1]:
        replies += world.receive([message], some=some)
    longest = calls(lambda: replies.extend(world.receive([shown[-1], *after], some=some)))
    while world.more:
        longest = max(longest, calls(lambda: replies.extend(world.receive([], some=some))))
    return world, replies, longest


def test_a_large_world_is_taken_in_by_slices_that_do_not_grow_with_it():
    slices = [taken_in(pages(count), some=True)[2] for count in (500, 2000)]
    assert slices[1] < 1.2 * slices[0]
    assert taken_in(pages(500), some=False)[2] > 5 * slices[0]


def test_by_slices_or_at_once_the_same_is_done_and_what_came_after_the_last_page_waits():
    shown = pages(300)
    drank = [p.Drank(n, f"h{n}", f"Actor.{n}", p.By("u")) for n in (4, 6)]
    results = []
    for some in (True, False):
        world, replies, _ = taken_in(shown, *drank, some=some)
        world.skip(5)
        replies += world.receive([], some=some)
        results.append((world.memory.actors, world.memory.pending, world.memory.flights, replies[-1]))
        assert len([reply for reply in replies if isinstance(reply, p.Apply)]) == 300
    assert results[0] == results[1]
    assert results[0][-1] == p.Ack(6)


def test_a_message_that_cannot_be_read_between_slices_holds_nothing_back():
    shown = pages(300)
    world = World("w", rulebook())
    world.connect(p.Table("w"))
    world.receive(shown, some=True)
    assert world.more
    world.skip(4)
    world.receive([p.Drank(5, "h", "Actor.1", p.By("u"))], some=True)
    while world.more:
        replies = world.receive([], some=True)
    assert replies[-1] == p.Ack(5)


def test_another_rulebook_between_slices_answers_nobody_twice():
    world = World("w", rulebook())
    world.connect(p.Table("w"))
    replies = world.receive(pages(300), some=True)
    replies += [reply for reply in world.use(rulebook({"intoxicated.window": 60})) if isinstance(reply, p.Apply)]
    while world.more:
        replies += world.receive([], some=True)
    applied = [reply.actor for reply in replies if isinstance(reply, p.Apply)]
    assert sorted(applied) == sorted(set(applied))
    assert len(applied) == 300
