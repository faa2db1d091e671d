"""A message, or a creature, that makes a rule of ours fail: told, left out, and the rest goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from bridge import protocol
from bridge.decode import encode
from bridge.engine.state import HitPoints
from bridge.errors import CloseCode
from bridge.host import Host
from bridge.world import World, world
from bridge.world.quarantine import MOST, Quarantine
from tests.peer import ORIGIN, opened, picture, unpack

GM = protocol.By("gm", gm=True)


@pytest.fixture(autouse=True)
def _as_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "quarantine", True)


@pytest.fixture
def host() -> Iterator[Host]:
    with Host.open() as host:
        yield host


@pytest.fixture
def key(host: Host) -> tuple[str, str]:
    return host.pair(world="w", origin=ORIGIN)


def drank(n: int, actor: str = "b") -> bytes:
    # The first creature bears the summary of the first sight, whose receipt it waits for.
    return encode(protocol.Drank(n, f"h{n}", f"Actor.{actor}", GM, count=2))


def poison_decide(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the rules fail for the creature of this name."""

    def decide(book: Any, actor: Any, events: Any, now: int) -> Any:
        if actor.name == name:
            raise ZeroDivisionError
        return real(book, actor, events, now)

    real = world.decide
    monkeypatch.setattr(world, "decide", decide)


def test_a_decision_that_fails_is_told_left_out_and_never_comes_back(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _ = opened(host, key=key)
    host.exchange(session, encode(picture(1, "a", "b", "c")))
    poison_decide(monkeypatch, "b")
    with capture_logs() as logs:
        said = unpack(host.exchange(session, drank(2)))
        said += unpack(host.exchange(session, drank(3)))
        others = unpack(host.exchange(session, drank(4, "c")))
    assert [message["code"] for message in said if message["type"] == "error"] == ["invalid", "invalid"]
    assert [message["n"] for message in said if message["type"] == "ack"] == [2, 3]
    assert session.is_open
    assert any(message["type"] == "apply" for message in others)
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["left out"]
    assert host.world("w").memory.pending.keys() <= {"Actor.a", "Actor.c"}
    again, _ = opened(host, key=key)
    assert "error" not in [
        message["type"] for message in unpack(host.exchange(again, encode(picture(1, "a", "b", "c"))))
    ]


def test_what_was_on_disk_when_it_began_to_fail_is_left_out_too(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _ = opened(host, key=key)
    host.exchange(session, encode(picture(1, "a", "b", "c")))
    host.exchange(session, drank(2))
    host.drop("w")
    assert host.world("w").memory.pending
    poison_decide(monkeypatch, "b")
    for expected in (["error"], []):
        session, _ = opened(host, key=key)
        said = unpack(host.exchange(session, encode(picture(1, "a", "b", "c"))))
        assert [message["type"] for message in said if message["type"] == "error"] == expected
        assert session.is_open


def test_a_message_that_fails_counts_as_taken_and_its_neighbours_count(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(place: World, message: Any) -> Any:
        if message.id == "h2":
            raise KeyError(message.id)
        return real(place, message)

    real = world.read_happening
    monkeypatch.setattr(world, "read_happening", read)
    session, _ = opened(host, key=key)
    host.exchange(session, encode(picture(1, "a", "b", "c")))
    text = b'{"type":"batch","messages":[%b,%b]}' % (drank(2), drank(3))
    said = unpack(host.exchange(session, text))
    (error,) = [message for message in said if message["type"] == "error"]
    assert (error["code"], error["about"], error["id"]) == ("invalid", 2, "h2")
    assert said[-1] == {"type": "ack", "n": 3}
    assert any(message["type"] == "apply" for message in said)


def test_a_creature_that_fails_does_not_keep_the_others_from_being_seen(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def causes(before: Any, after: Any, **more: Any) -> Any:
        if after.actor.name == "b":
            raise RuntimeError
        return real(before, after, **more)

    real = world.causes
    session, _ = opened(host, key=key)
    host.exchange(session, encode(picture(1, "a", "b", "c")))
    monkeypatch.setattr(world, "causes", causes)
    whole = picture(2, "a", "b", "c")
    hurt = [structs.replace(actor, hp=HitPoints(5, 10)) for actor in whole.actors]
    said = unpack(host.exchange(session, encode(protocol.Picture(2, tuple(hurt)))))
    assert [message["about"] for message in said if message["type"] == "error"] == [2]
    assert [actor.hp for actor in host.world("w").memory.actors.values()] == [HitPoints(5, 10)] * 3


def test_a_clock_that_fails_does_not_keep_the_world_from_being_loaded(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def dues(self: object, creature: object, after: int) -> int | None:
        raise OverflowError

    session, _ = opened(host, key=key)
    host.exchange(session, encode(picture(1, "a", "b", "c")))
    host.drop("w")
    monkeypatch.setattr("bridge.engine.conditions.Rulebook.dues", dues)
    assert opened(host, key=key)[0].is_open


def test_without_the_quarantine_it_fails_for_ever(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(World, "quarantine", False)
    poison_decide(monkeypatch, "b")
    for _ in range(3):
        session, _ = opened(host, key=key)
        host.exchange(session, encode(picture(1, "a", "b", "c")))
        host.exchange(session, drank(2))
        assert session.closed is not None
        assert session.closed.code == CloseCode.INTERNAL


def test_each_kind_of_failure_is_given_out_once() -> None:
    quarantine = Quarantine()
    for number in range(10):
        for kind in (KeyError, ValueError):
            quarantine.add(_raised(kind), f"{number}")
    assert [failure.what for failure in quarantine.take()] == ["0", "0"]
    assert quarantine.take() == []
    quarantine._known |= dict.fromkeys(("x", "y", number) for number in range(MOST - 2))
    quarantine.add(_raised(TypeError), "one kind too many")
    assert quarantine.take() == []
    with pytest.raises(KeyError):
        Quarantine(raises=True).add(_raised(KeyError), "")


def _raised(kind: type[Exception]) -> Exception:
    try:
        raise kind  # noqa: TRY301  it is to have a traceback
    except Exception as error:  # noqa: BLE001  whatever was asked for
        return error
