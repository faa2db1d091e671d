"""Bombs, floods, and those who never read or never answer: a paired GM's conversation goes on, memory stays bounded."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import resource
import struct
import sys
import zlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bridge import server as server_module
from bridge.connection import Connection
from bridge.host import Host
from bridge.server import Server
from bridge.settings import Settings
from tests.peer import ORIGIN, PATIENCE, Peer, dialled, eventually, picture, running
from tests.reliability.counts import count
from tests.test_http import ask, upgrade

pytestmark = pytest.mark.timeout(7200)
MORE = 64 * 1024
"""Kilobytes by which memory may grow."""


ENOUGH = 512 * 1024
LONG_ANSWER = b'{"type":"batch","messages":[%s]}' % b",".join([b'{"type":"%s"}' % (b"x" * 64)] * 500)
"""What is said of each is longer than itself."""


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def files_open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@contextlib.asynccontextmanager
async def talking(**settings: object) -> AsyncIterator[tuple[Server, Peer, tuple[str, str]]]:
    """Have a paired GM in conversation."""
    with Host.open(settings=Settings(**settings)) as host:  # type: ignore[arg-type]
        key = host.pair(world="w", origin=ORIGIN)
        async with running(host) as server, dialled(server) as peer:
            await peer.open(key)
            yield server, peer, host.pair(world="v", origin=ORIGIN)


async def still_talks(peer: Peer, n: int) -> None:
    await peer.send(picture(n, "a", "b"))
    assert (await peer.until("ack"))["n"] == n


async def raw(server: Server, origin: str = ORIGIN) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a WebSocket by hand."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = ["GET /socket HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
    lines += [f"{name}: {value}" for name, value in upgrade(origin)]
    lines += ["Sec-WebSocket-Extensions: permessage-deflate"]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 101 " in head
    assert b"permessage-deflate" not in head
    return reader, writer


def frame(payload: bytes, first: int) -> bytes:
    """Return a masked frame (the mask is zero)."""
    size = len(payload)
    head = bytes([first, 0x80 | 127]) + struct.pack("!Q", size)
    return head + bytes(4) + payload


def bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(b"a" * (megabytes << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)[:-4]


async def close_code(reader: asyncio.StreamReader) -> int:
    """Read until the other side closes; return its close code, 0 for none."""
    async with asyncio.timeout(PATIENCE):
        data = b""
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                data += piece
    at = data.rfind(b"\x88")
    return int.from_bytes(data[at + 2 : at + 4], "big") if at >= 0 else 0


@pytest.mark.parametrize(
    ("payload", "first", "code"),
    [
        (bomb(64), 0xC1, 1002),
        (b"[" * (16 << 20), 0x81, 1009),
        (b'{"type":"batch","messages":[' * 9000, 0x81, 0),
        (b"\xff" * 1000, 0x81, 1007),
        (b"x", 0x82, 1003),
        (b"x", 0x83, 1002),
        (b"x", 0x80, 1002),
    ],
    ids=["compressed", "huge", "deep", "not-utf-8", "binary", "reserved", "continued"],
)
async def test_a_bomb_ends_its_own_conversation(payload: bytes, first: int, code: int) -> None:
    before = memory()
    async with talking(prove_within=0.5) as (server, peer, _):
        reader, writer = await raw(server)
        with contextlib.suppress(OSError):
            writer.write(frame(payload, first))
            await writer.drain()
        found = await close_code(reader)
        writer.close()
        assert found == code or (code == 0 and found in {1009, 4007})
        await still_talks(peer, 1)
    # The one who sends it holds it as well.
    assert memory() - before < MORE + 3 * len(payload) // 1024


async def test_fragments_without_end_are_bounded() -> None:
    async with talking(prove_within=2) as (server, peer, _):
        reader, writer = await raw(server)
        with contextlib.suppress(OSError):
            writer.write(frame(b"[", 0x01) + frame(b"[", 0x00) * 20_000)
            await writer.drain()
        assert await close_code(reader) in {1002, 1008, 1009}
        writer.close()
        await still_talks(peer, 1)


async def test_in_a_flood_of_strangers_a_gm_is_heard_and_all_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "OPEN_WITHIN", 0.5)
    many = count(150, 1000)
    before = memory()
    async with talking(unproven=8, prove_within=0.5) as (server, peer, _):
        idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(many)]
        answers = await asyncio.gather(*(ask(server, "/socket", *upgrade()) for _ in range(50)))
        for n in range(1, 20):
            await still_talks(peer, n)
        statuses = [answer.status for answer in answers]
        assert statuses.count(101) <= 50
        assert set(statuses) <= {101, 503}
        await eventually(lambda: len(server._connections) == 1)
        for _, writer in idle:
            writer.close()
        await still_talks(peer, 20)
        # There is room again.
        async with dialled(server):
            pass
    assert memory() - before < MORE


async def test_strangers_get_no_more_than_their_places() -> None:
    async with talking(unproven=8) as (server, _, _), contextlib.AsyncExitStack() as held:
        for _ in range(8):
            await held.enter_async_context(dialled(server))
        assert (await ask(server, "/socket", *upgrade())).status == 503


async def test_without_that_bound_they_get_all() -> None:
    async with talking(unproven=1000) as (server, _, _), contextlib.AsyncExitStack() as held:
        for _ in range(40):
            await held.enter_async_context(dialled(server))
        assert len(server._connections) == 41


def _answered(connection: Connection, asked: int) -> bool:
    return connection.session.closed is not None or len(connection.session._wrong) >= asked


async def unsent(outgoing: int) -> tuple[int, int]:
    """Let peers ask for much and read nothing; return the most bytes that wait for one, and how many were cut off."""
    generous = {"malformed": 100_000, "rate": 100_000, "burst": 100_000, "ping": 60.0}
    async with talking(outgoing=outgoing, **generous) as (server, peer, _), contextlib.AsyncExitStack() as held:
        most, cut = 0, 0
        for number in range(count(3, 30)):
            key = server.host.pair(world=f"v{number}", origin=ORIGIN)
            slow = await held.enter_async_context(dialled(server))
            await slow.open(key, f"v{number}")
            (theirs,) = (each for each in server._connections if each.session.world == f"v{number}")
            slow.socket.transport.pause_reading()
            asked = 0
            for _ in range(150):
                await slow.socket.send(LONG_ANSWER, text=True)
                # Wait until the bridge has read it: then its answer waits, or the peer has been cut off.
                asked += 500
                await eventually(partial(_answered, theirs, asked))
                most = max(most, theirs._socket.transport.get_write_buffer_size())
                cut += theirs.session.closed is not None
                if most > ENOUGH or theirs.session.closed is not None:
                    break
            slow.socket.transport.abort()
        await still_talks(peer, 1)
    return most, cut


async def test_those_who_never_read_cost_no_more_than_their_bound() -> None:
    most, cut = await unsent(64 * 1024)
    assert most < ENOUGH
    assert cut == count(3, 30)


async def test_without_that_bound_it_would_pile_up() -> None:
    most, cut = await unsent(64 * 1024 * 1024)
    assert most > ENOUGH
    assert cut == 0


async def test_a_peer_that_is_half_open_is_let_go() -> None:
    async with talking(ping=0.5) as (server, _, key), dialled(server) as peer:
        await peer.open(key, "v")
        # It is there and answers nothing any more, not even the pings.
        peer.socket.transport.pause_reading()
        await eventually(lambda: "v" not in server.host.speakers)
        peer.socket.transport.abort()


async def test_without_pings_it_would_stay() -> None:
    async with talking(ping=60) as (server, _, key), dialled(server) as peer:
        await peer.open(key, "v")
        peer.socket.transport.pause_reading()
        await asyncio.sleep(1.5)
        assert "v" in server.host.speakers
        peer.socket.transport.abort()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc of Linux")
async def test_conversations_leave_nothing_behind() -> None:
    async with talking() as (server, peer, key):
        for _ in range(5):
            async with dialled(server) as other:
                await other.open(key, "v")
        gc.collect()
        files, tasks = files_open(), len(asyncio.all_tasks())
        for _ in range(count(50, 1000)):
            async with dialled(server) as other:
                await other.open(key, "v")
        await eventually(lambda: len(server._connections) == 1)
        await eventually(lambda: len(asyncio.all_tasks()) <= tasks and files_open() <= files)
        await still_talks(peer, 1)
