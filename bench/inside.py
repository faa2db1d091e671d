"""What is measured inside one process: the engine, a whole world taken in, and what an event costs in a large one."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable
from time import perf_counter

from msgspec import structs

from bridge import protocol
from bridge.decode import encode
from bridge.engine import events
from bridge.engine.decide import decide
from bridge.engine.state import Actor, Effect, HitPoints, Mark, Memory, Place, Timer
from bridge.host import Host
from bridge.rules import rulebook
from bridge.settings import Settings
from bridge.world import World

TEN = (
    *("bleeding", "blinded", "charmed", "dazed", "deafened"),
    *("frightened", "grappled", "intoxicated", "poisoned", "prone"),
)
HOUR = 3600
PAGE = 50


def creature(number: int, conditions: tuple[str, ...] = ("poisoned",)) -> Actor:
    """Return a creature with these conditions, the first of them with a clock."""
    timer = Mark(timer=Timer("seconds", 1_000_000, 1000 * HOUR))
    effects = tuple(
        Effect(f"dnd5e{id}".ljust(16, "0")[:16], (id,), mark=timer if not place else None)
        for place, id in enumerate(conditions)
    )
    place = Place("Scene.a", x=5.0 * (number % 100), y=5.0 * (number // 100))
    return Actor(f"Actor.{number:016}", name=f"Creature {number}", hp=HitPoints(25, 30), effects=effects, place=place)


def micros(run: Callable[[], object], times: int) -> float:
    """Return the median microseconds of one run."""
    found = []
    for _ in range(times):
        began = perf_counter()
        run()
        found.append(perf_counter() - began)
    return statistics.median(found) * 1e6


HAPPENED: dict[str, events.Event] = {
    "lost hit points": events.HitPointsLost(at=0, amount=3, value=3),
    "refused healing": events.HitPointsRegained(
        at=0, amount=5, before=HitPoints(25, 30), after=HitPoints(30, 30), refused=5
    ),
    "began a turn": events.TurnStarted(at=0, combat="c", round=1, turn=0),
    "ended a turn": events.TurnEnded(at=0, combat="c", round=1, turn=0),
    "an hour passed": events.TimePassed(at=HOUR, since=0, jump=HOUR),
}


def deciding(conditions: tuple[str, ...], times: int) -> dict[str, float]:
    """Microseconds of a decision for a creature with these conditions, by what happened to it."""
    book = rulebook()
    actor = creature(0, conditions)
    return {
        name: micros(lambda event=event: decide(book, actor, [event], 0), times)  # type: ignore[misc]
        for name, event in HAPPENED.items()
    }


def each_rule(times: int) -> dict[str, dict[str, float]]:
    """Condition -> the same for a creature that has nothing else."""
    return {id: deciding((id,), times) for id in sorted(rulebook().conditions)}


def crowd(count: int) -> World:
    """Return a world of so many creatures, each with a clock."""
    world = World("w", rulebook({"cards.turn": "off"}))
    world.connect(protocol.Table("w"))
    actors = [creature(number) for number in range(count)]
    pages = [actors[start : start + PAGE] for start in range(0, count, PAGE)]
    for n, page in enumerate(pages, 1):
        world.receive([protocol.Picture(n, tuple(page), clock=1_000_000, page=n, pages=len(pages))])
        world.take()
    return world


def in_a_crowd(count: int, times: int) -> float:
    """Microseconds of one creature's step in a world of so many."""
    world = crowd(count)
    memory = Memory(receipt=world.memory.actors[creature(0).id].memory.receipt, world="w")
    actor = structs.replace(creature(0), memory=memory)
    n = (count + PAGE - 1) // PAGE
    steps = [structs.replace(actor, place=Place("Scene.a", x=float(step % 50)), memory=memory) for step in range(times)]
    pictures = iter([protocol.Picture(n + step, (each,)) for step, each in enumerate(steps, 1)])
    gc.collect()
    gc.freeze()

    def one() -> None:
        world.receive([next(pictures)])
        world.take()

    return micros(one, times)


def taking_in(count: int) -> tuple[float, float]:
    """Milliseconds of the longest stall while a whole world is taken in, page by page, and of all pages together."""
    from bench.load import ORIGIN

    with Host.open(settings=Settings(rate=100_000, burst=100_000)) as host:
        session, _ = _opened(host, ORIGIN)
        actors = [creature(number, ("poisoned", "prone", "charmed")) for number in range(count)]
        pages = [actors[start : start + PAGE] for start in range(0, count, PAGE)]
        frames = [
            encode(protocol.Picture(n, tuple(page), clock=0, page=n, pages=len(pages))).decode()
            for n, page in enumerate(pages, 1)
        ]
        gc.collect()
        gc.freeze()
        stalls = []
        session.sliced = True
        for frame in frames:
            began = perf_counter()
            output = session.receive(frame)
            stalls.append((perf_counter() - began) * 1e3)
            while output.more:
                began = perf_counter()
                output = session.go_on()
                stalls.append((perf_counter() - began) * 1e3)
    return max(stalls), sum(stalls)


def _opened(host: Host, origin: str) -> tuple[object, object]:
    from bridge import auth

    client, key = host.pair(world="w", origin=origin)
    session = host.session(origin)
    session.greet()
    ours = auth.new_secret()
    mac = auth.client_proof(key, session._nonce, ours, "w", origin)  # noqa: SLF001  the challenge, without a socket
    versions = protocol.Versions(protocol.OLDEST, protocol.NEWEST)
    output = session.receive(encode(protocol.Auth(versions, client, ours, mac, protocol.Table("w"), "gm", "GM")))
    return session, output
