"""Bad input, much of it: every one is answered or ends its own conversation, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import resource
from pathlib import Path

import msgspec
import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from bridge import auth, protocol
from bridge.decode import Bounds, Text, encode, error, take, take_first
from bridge.errors import PeerError
from bridge.host import Host
from bridge.server import Server
from bridge.settings import Settings
from tests.peer import ORIGIN, dialled, greeted, picture, running
from tests.reliability.counts import SEED, count
from tests.reliability.noise import inputs, valid

pytestmark = pytest.mark.timeout(7200)
BOUNDS = Bounds(500, 50)
TRIES = 10
"""What a stranger sends at once: twice as much as is put up with."""
MORE = 64 * 1024
"""Kilobytes by which memory may grow."""
OPEN_HANDED = Settings(
    malformed=100_000, rate=100_000, burst=100_000, unproven=1000, connections=1000, durability="normal"
)


def memory() -> int:
    """Return the most memory that this process has ever had, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def judge(text: Text) -> int:
    """Take an input as a session does; return how many messages were taken."""
    taken = 0
    for found in take(text, BOUNDS):
        if isinstance(found, PeerError):
            encode(error(found))
        else:
            # What is taken can be said again: nothing in it is more than JSON can carry.
            encode(found)
            taken += 1
    try:
        take_first(text)
    except PeerError as problem:
        encode(error(problem))
    return taken


def test_the_decoder_answers_everything() -> None:
    before, taken, many = memory(), 0, count(200_000, 10_000_000)
    for text in inputs(SEED, many):
        taken += judge(text)
    assert memory() - before < MORE
    # The damage is subtle enough: some of it still is a message.
    assert many / 100 < taken < many


def test_a_bare_decoder_does_not() -> None:
    decoder, failures = msgspec.json.Decoder(protocol.FromModule), set()
    for text in inputs(SEED, 5000):
        try:
            decoder.decode(text)
        except msgspec.DecodeError:
            pass
        except Exception as problem:  # noqa: BLE001  whatever it is, nobody expected it
            failures.add(type(problem))
    assert failures


def test_the_undamaged_messages_are_good() -> None:
    kinds = {type(found) for text in valid() for found in take(text, BOUNDS)} - {PeerError}
    assert len(kinds) > 10


async def test_over_a_socket_nothing_fails_and_nobody_else_notices() -> None:
    many = count(20_000, 500_000)
    before = memory()
    with Host.open(settings=OPEN_HANDED) as host, capture_logs() as logs:
        key, neighbour = host.pair(world="w", origin=ORIGIN), host.pair(world="v", origin=ORIGIN)
        async with running(host) as server, dialled(server) as quiet:
            await quiet.open(neighbour, "v")
            source, sent, ended = inputs(SEED, many), 0, 0
            while sent < many:
                async with dialled(server) as peer:
                    await peer.open(key)
                    reader = asyncio.create_task(_drain(peer.socket))
                    try:
                        for text in source:
                            sent += 1
                            await peer.socket.send(text, text=sent % 500 != 0)
                    except ConnectionClosed:
                        ended += 1
                    reader.cancel()
                    await asyncio.gather(reader, return_exceptions=True)
            await quiet.send(picture(1, "a"))
            assert (await quiet.until("ack"))["n"] == 1
            async with dialled(server) as peer:
                await peer.open(key)
                await peer.send(picture(1, "a"))
                assert (await peer.until("ack"))["n"] == 1
    assert ended
    # Nothing met a bug of ours: neither in a world nor in a handler.
    assert [entry for entry in logs if entry["log_level"] in {"error", "critical"}] == []
    assert memory() - before < MORE


async def _drain(socket: object) -> None:
    async for _ in socket:  # type: ignore[attr-defined]
        pass


async def test_a_handler_that_fails_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.session.take", lambda text, bounds: [msgspec.json.decode(text)])
    with Host.open(settings=OPEN_HANDED) as host, capture_logs() as logs:
        key = host.pair(world="w", origin=ORIGIN)
        async with running(host) as server, dialled(server) as peer:
            await peer.open(key)
            await peer.socket.send("[" * 10_000, text=True)
            assert (await peer.closed())[0] == 1011
    assert [entry for entry in logs if entry["log_level"] == "error"]


def test_whatever_a_stranger_says_first_is_answered() -> None:
    with Host.open(settings=OPEN_HANDED) as host, capture_logs() as logs:
        session, _ = greeted(host)
        for text in inputs(SEED + 2, count(20_000, 500_000)):
            host.finish(session.receive(text))
            assert not session.is_open
            if session.closed is not None:
                session, _ = greeted(host)
    assert [entry for entry in logs if entry["log_level"] in {"error", "critical"}] == []


async def test_as_a_stranger_nothing_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A wrong proof is answered later each time; that is tested elsewhere.
    monkeypatch.setattr(auth, "DELAYS", (0.0,))
    with Host.open(tmp_path, OPEN_HANDED) as host, capture_logs() as logs:
        host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            source = inputs(SEED + 1, count(2000, 40_000))
            while texts := list(itertools.islice(source, TRIES)):
                await _knock(server, texts)
        assert host.store.worlds() == []
    assert [entry for entry in logs if entry["log_level"] in {"error", "critical"}] == []


async def _knock(server: Server, texts: list[bytes]) -> None:
    async with dialled(server) as peer:
        with contextlib.suppress(ConnectionClosed):
            for text in texts:
                await peer.socket.send(text, text=True)
            await peer.socket.send(b"{}", text=True)
            while True:
                assert not {message["type"] for message in await peer.receive()} & {"welcome", "paired", "ack", "apply"}
