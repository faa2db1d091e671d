"""Real sockets between a peer and a served host: when things are sent, and when the socket is closed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import msgspec
import pytest
from websockets.frames import Frame, Opcode

from bridge import auth
from bridge.connection import AT_ONCE, Connection
from bridge.decode import encode
from bridge.errors import CloseCode
from bridge.host import Host
from bridge.server import HARD, Server
from bridge.settings import Settings
from bridge.world.world import SLICE
from tests.gated import GatedStore
from tests.peer import ORIGIN, Message, Peer, dialled, eventually, picture, prove, running

Key = tuple[str, str]


@contextlib.asynccontextmanager
async def served(**limits: object) -> AsyncIterator[tuple[Server, Key, GatedStore]]:
    """Serve a host with one paired browser."""
    store = GatedStore()
    settings = msgspec.convert({name.replace("_", "-"): value for name, value in limits.items()}, Settings)
    with Host(store, auth.new_secret(), settings) as host:
        key = host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            try:
                yield server, key, store
            finally:
                store.gate.set()


def connection_of(server: Server) -> Connection:
    (connection,) = server._connections
    return connection


def connection_to(server: Server, world: str) -> Connection:
    """The connection that is open to a world."""
    (connection,) = [one for one in server._connections if one.session.world == world]
    return connection


def taken(server: Server) -> int:
    """The newest number that the world has taken."""
    return server.host.world("w")._n


def acks(messages: list[Message]) -> list[int]:
    return [message["n"] for message in messages if message["type"] == "ack"]


async def test_nothing_is_acknowledged_before_it_is_on_disk() -> None:
    async with served() as (server, key, store), dialled(server) as peer:
        await peer.open(key)
        store.hold()
        await peer.send(picture(1, "a"))
        await store.begun()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await peer.socket.recv()
        store.gate.set()
        assert acks(await peer.receive()) == [1]
        assert any(row.key == "Actor.a" for row in store.load("w"))


async def test_the_reader_goes_on_while_the_disk_works_and_all_replies_come_in_one_frame() -> None:
    async with served() as (server, key, store), dialled(server) as peer:
        await peer.open(key)
        store.hold()
        await peer.send(picture(1, "a"))
        await store.begun()
        for n in (2, 3, 4):
            await peer.send(picture(n, "a"))
        await eventually(lambda: taken(server) == 4)
        store.gate.set()
        # The second frame holds what gathered during the first commit; both commits may be told of at once.
        frames = [acks(await peer.receive())]
        if 4 not in frames[0]:
            frames.append(acks(await peer.receive()))
        found = [n for each in frames for n in each]
        assert found[-1] == 4
        assert found == sorted(found)


async def test_all_that_one_read_brings_is_acknowledged_once() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        pieces = [Frame(Opcode.TEXT, encode(picture(n, "a"))).serialize(mask=True) for n in range(1, 9)]
        peer.socket.transport.write(b"".join(pieces))
        assert acks(await peer.receive()) == [8]


async def test_many_small_frames_in_one_read_leave_others_their_turn() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        pieces = [Frame(Opcode.TEXT, encode(picture(n, "a"))).serialize(mask=True) for n in range(1, 2 * AT_ONCE + 2)]
        peer.socket.transport.write(b"".join(pieces))
        found: list[int] = []
        while 2 * AT_ONCE + 1 not in found:
            found += acks(await peer.receive())
        assert found == [AT_ONCE, 2 * AT_ONCE, 2 * AT_ONCE + 1]


async def test_a_text_in_pieces_is_put_together() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        text = encode(picture(1, "a")).decode()
        await peer.socket.send([text[:5], text[5:20], text[20:]])
        assert acks(await peer.receive()) == [1]


async def test_above_the_bound_the_reader_stops_reading() -> None:
    async with served(queue=3) as (server, key, store), dialled(server) as peer:
        await peer.open(key)
        store.hold()
        for n in (1, 2, 3):
            await peer.send(picture(n, "a"))
            await eventually(lambda n=n: taken(server) == n)  # type: ignore[misc]
        await store.begun()
        assert server.host.journal is not None
        assert server.host.journal.full("w")
        for n in range(4, 21):
            await peer.send(picture(n, "a"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await peer.socket.recv()
        assert taken(server) == 3
        store.gate.set()
        found: list[int] = []
        while 20 not in found:
            found += acks(await peer.receive())
        assert found[:3] == [1, 2, 3]
        assert found == sorted(found)


async def test_a_failed_commit_sends_everybody_away_and_they_come_back_to_what_is_on_disk() -> None:
    async with served() as (server, key, store):
        async with dialled(server) as peer:
            await peer.open(key)
            await peer.send(picture(1, "a"))
            await peer.until("ack")
            store.broken = "The disk is full."
            await peer.send(picture(2, "a", "b"))
            assert (await peer.closed())[0] == CloseCode.DEGRADED
        assert server.host.trouble == "The disk is full."
        async with dialled(server) as peer:
            challenge = await peer.until("challenge")
            await peer.send(prove(challenge["nonce"], *key)[0])
            assert await peer.closed() == (CloseCode.DEGRADED, "The disk is full.")
        store.broken = ""
        await eventually(lambda: not server.host.trouble)
        async with dialled(server) as peer:
            assert (await peer.open(key))["known"]
            assert list(server.host.world("w").memory.actors) == ["Actor.a"]


async def test_a_binary_frame_ends_it() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        await peer.socket.send(b"{}")
        assert (await peer.closed())[0] == CloseCode.BINARY


async def test_text_that_is_not_utf_8_ends_it() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        await peer.socket.send(b'{"type":"\xff"}', text=True)
        assert (await peer.closed())[0] == CloseCode.BAD_TEXT


# https://github.com/adambdooley/foundry-vtt-mcp/issues/6
async def test_a_frame_over_the_limit_is_answered_and_one_far_over_it_ends_it() -> None:
    async with served(message=4096) as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        await peer.send(b"[" + b" " * 5000)
        assert (await peer.until("error"))["code"] == "too-large"
        await peer.send(b"[" + b" " * (HARD * 4096))
        assert (await peer.closed())[0] == CloseCode.TOO_BIG


# https://github.com/python-websockets/websockets/issues/1382
# https://github.com/Kludex/uvicorn/issues/398
@pytest.mark.parametrize(("over", "code"), [(-1, "unknown-type"), (0, "unknown-type"), (1, "too-large")])
async def test_the_limit_itself_is_still_accepted_and_the_link_goes_on(over: int, code: str) -> None:
    async with served(message=4096) as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        for _ in range(2):
            await peer.send(b'{"type":"tea"}'.ljust(4096 + over))
            assert (await peer.until("error"))["code"] == code


async def test_whoever_does_not_prove_a_key_in_time_is_sent_away() -> None:
    async with served(prove_within=0.05) as (server, key, _):
        async with dialled(server) as peer:
            await peer.until("challenge")
            assert (await peer.closed())[0] == CloseCode.NOT_PROVEN
        async with dialled(server) as peer:
            await peer.open(key)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.15):
                    await peer.socket.wait_closed()


async def test_a_wrong_proof_is_answered_late_and_final() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        challenge = await peer.until("challenge")
        began = asyncio.get_running_loop().time()
        await peer.send(prove(challenge["nonce"], *key, mac="0" * 64)[0])
        assert (await peer.until("error"))["code"] == "not-paired"
        assert asyncio.get_running_loop().time() - began >= auth.DELAYS[0]
        assert (await peer.closed())[0] == CloseCode.REVOKED


async def test_revoking_cuts_a_live_socket() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        server.host.revoke(key[0])
        async with asyncio.timeout(1):
            assert (await peer.closed())[0] == CloseCode.REVOKED


async def test_a_new_secret_cuts_a_live_socket() -> None:
    async with served() as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        server.host.rotate()
        async with asyncio.timeout(1):
            assert (await peer.closed())[0] == CloseCode.REVOKED


async def test_the_same_browser_takes_over_and_another_waits() -> None:
    async with served() as (server, key, _), dialled(server) as first, dialled(server) as second:
        await first.open(key)
        await second.open(key)
        assert (await first.closed())[0] == CloseCode.SUPERSEDED
        async with dialled(server) as third:
            challenge = await third.until("challenge")
            await third.send(prove(challenge["nonce"], *server.host.pair(world="w", origin=ORIGIN))[0])
            assert (await third.until("error"))["code"] == "taken"
            assert (await third.closed())[0] == CloseCode.TAKEN


async def test_a_browser_that_leaves_makes_room_at_once() -> None:
    async with served() as (server, key, _):
        other = server.host.pair(world="w", origin=ORIGIN)
        async with dialled(server) as peer:
            await peer.open(key)
        async with dialled(server) as peer:
            await peer.open(other)


# https://github.com/aio-libs/aiohttp/issues/1367
# https://github.com/jaylfc/taOS/issues/656
async def test_a_browser_that_does_not_read_is_cut_off_and_its_memory_given_back() -> None:
    async with served(outgoing=65_536) as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        connection = connection_of(server)
        peer.socket.transport.pause_reading()
        sent = 0
        while connection.session.closed is None:
            connection.send(b'{"type":"status","state":"' + b"x" * 65_536 + b'"}')
            sent += 1
            assert sent < 1000
            await asyncio.sleep(0)
        assert connection.session.closed.code == CloseCode.TOO_SLOW
        await eventually(lambda: not server._connections)
        peer.socket.transport.abort()


# https://github.com/aio-libs/aiohttp/issues/1367
# https://github.com/jaylfc/taOS/issues/656
async def test_while_one_browser_does_not_read_another_world_is_served() -> None:
    async with served(outgoing=65_536) as (server, key, _), dialled(server) as deaf, dialled(server) as other:
        await deaf.open(key)
        connection = connection_to(server, "w")
        await other.open(server.host.pair(world="v", origin=ORIGIN), "v")
        deaf.socket.transport.pause_reading()
        n = 0
        while connection.session.closed is None:
            connection.send(b'{"type":"status","state":"' + b"x" * 65_536 + b'"}')
            n += 1
            assert n < 1000
            await other.send(picture(n, "a"))
            found: list[int] = []
            async with asyncio.timeout(5):
                while n not in found:
                    found += acks(await other.receive())
        assert connection.session.closed.code == CloseCode.TOO_SLOW
        assert connection_to(server, "v").session.closed is None
        deaf.socket.transport.abort()


async def test_whoever_sends_too_fast_is_read_more_slowly() -> None:
    async with served(rate=100, burst=1) as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        began = asyncio.get_running_loop().time()
        for n in range(1, 12):
            await peer.send(picture(n, "a"))
        await eventually(lambda: taken(server) == 11)
        await peer.send(picture(12, "a"))
        found: list[int] = []
        while 12 not in found:
            found += acks(await peer.receive())
        assert asyncio.get_running_loop().time() - began >= 0.09


async def test_compression_is_not_agreed_to() -> None:
    from websockets.asyncio.client import connect

    async with served() as (server, key, _):
        url = f"ws://127.0.0.1:{server.port}/"
        async with connect(url, origin=ORIGIN, compression="deflate", proxy=None) as socket:  # type: ignore[arg-type]
            assert socket.protocol.extensions == []
            await Peer(socket).open(key)


async def test_while_a_large_world_is_taken_in_others_have_their_turn() -> None:
    async with served(page=1000) as (server, key, _), dialled(server) as peer:
        await peer.open(key)
        world = server.host.world("w")
        await peer.send(picture(1, *(f"c{number}" for number in range(1000))))
        turns = 0
        while not world.memory.actors:  # noqa: ASYNC110  turns of the loop are what is counted
            await asyncio.sleep(0)
        while world.more:
            await asyncio.sleep(0)
            turns += 1
        assert turns >= 1000 / SLICE - 2
        assert (await peer.until("ack"))["n"] == 1
        assert len(world.memory.actors) == 1000
