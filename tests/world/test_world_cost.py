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
        assert cost(5000, event) == cost(5, event), event.__name__


def test_the_count_sees_a_world_that_visits_everybody():
    """Negative control: setting the clock back concerns everybody with a clock, and the count says so."""

    def set_back(_actors: list[Actor], n: int) -> p.FromModule:
        return p.Picture(n, clock=999_000)

    assert cost(500, set_back) > 50 * cost(5, set_back)
