"""Browsers that send as fast as they are answered: bare sockets, so that the server is the limit and not the client.

Every tenth event wakes a rule: hit points fall below half or rise above it again, and Bloodied comes or goes.
"""

from __future__ import annotations

import asyncio
import re
import struct
from collections import deque
from time import perf_counter

import msgspec

from bridge import auth, protocol
from bridge.decode import encode
from bridge.engine.state import Effect, HitPoints, Memory, Place

ORIGIN = "http://localhost:30000"
ACK = b'"type":"ack","n":'
APPLY = b'"type":"apply"'
WAKES = 10
"""One event in so many wakes a rule."""
NO_MASK = b"\0\0\0\0"
OTHERS = tuple(
    Effect(id.ljust(16, "0"), (status,))
    for id, status in (("dnd5epoisoned", "poisoned"), ("dnd5eprone", "prone"), ("dnd5edeafened", "deafened"))
)
BLOODIED = Effect("dnd5ebloodied000", ("bloodied",))


class Apply(msgspec.Struct):
    """What an answer says of itself."""

    id: int
    memory: Memory


class Batch(msgspec.Struct):
    """A frame with several messages."""

    messages: list[msgspec.Raw]


def framed(payload: bytes) -> bytes:
    """Return a text frame of a client; the mask of zeros is one, and costs the client nothing."""
    size = len(payload)
    if size < 126:  # noqa: PLR2004  the lengths are the protocol's own
        return struct.pack("!BB", 0x81, 0x80 | size) + NO_MASK + payload
    if size < 65536:  # noqa: PLR2004
        return struct.pack("!BBH", 0x81, 0xFE, size) + NO_MASK + payload
    return struct.pack("!BBQ", 0x81, 0xFF, size) + NO_MASK + payload


class Browser(asyncio.Protocol):
    """One connection, with ``depth`` events on their way."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.n = 1
        self.sent: deque[float] = deque()
        self.times: list[float] = []
        self.answered = 0
        self.going = False
        self.echoed = False
        self._acked = 1
        self._bloodied = False
        self._low = False
        self._memory = Memory()
        self._shape = b""
        self._writer: asyncio.StreamWriter | None = None
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def take_over(self, writer: asyncio.StreamWriter) -> None:
        """Go on where the handshake ended."""
        self._writer = writer
        self._transport = writer.transport  # type: ignore[assignment]
        writer.transport.set_protocol(self)

    def close(self) -> None:
        """Hang up."""
        self.going = False
        if self._transport is not None:
            self._transport.abort()

    def _picture(self, hp: int, x: int) -> protocol.Picture:
        effects = (*OTHERS, BLOODIED) if self._bloodied else OTHERS
        actor = protocol.Actor(
            f"Actor.{self.number:016}",
            name="Vex the Unready",
            hp=HitPoints(hp, 30),
            effects=effects,
            abilities={"str": 12, "dex": 16, "con": 14, "int": 10, "wis": 8, "cha": 13},
            memory=self._memory,
            place=Place("Scene.0123456789abcdef", x=x),
        )
        return protocol.Picture(self.n, (actor,))

    def first(self) -> bytes:
        """Return the whole world, in one page."""
        picture = msgspec.structs.replace(self._picture(25, 0), clock=0, page=1, pages=1)
        return framed(encode(picture))

    def next(self) -> bytes:
        """Return the next event."""
        self.n += 1
        if self.n % WAKES == 0:
            self._low = not self._low
            self._shape = b""
        if not self._shape:
            self.n, n = 1234567890, self.n
            text = encode(self._picture(10 if self._low else 25, 9876543210))
            self.n = n
            self._shape = text.replace(b"1234567890", b"%d", 1).replace(b"9876543210", b"%d", 1)
        return framed(self._shape % (self.n, self.n % 50))

    def go(self, depth: int) -> None:
        """Keep so many events on their way until told to stop."""
        self.going = True
        self._send(depth)

    def _send(self, count: int) -> None:
        assert self._transport is not None
        now = perf_counter()
        self._transport.write(b"".join([self.next() for _ in range(count)]))
        self.sent.extend([now] * count)

    def send_one(self, scheduled: float) -> None:
        """Send one event that was due at a time."""
        assert self._transport is not None
        self._transport.write(self.next())
        self.sent.append(scheduled)

    def data_received(self, data: bytes) -> None:
        """Count the events that what came in answers."""
        buffer = self._buffer + data if self._buffer else data
        at, size = 0, len(buffer)
        done = 0
        while size - at >= 2:  # noqa: PLR2004
            length, head = buffer[at + 1], 2
            if length == 126:  # noqa: PLR2004
                if size - at < 4:  # noqa: PLR2004
                    break
                length, head = int.from_bytes(buffer[at + 2 : at + 4]), 4
            elif length == 127:  # noqa: PLR2004
                if size - at < 10:  # noqa: PLR2004
                    break
                length, head = int.from_bytes(buffer[at + 2 : at + 10]), 10
            if size - at < head + length:
                break
            if buffer[at] & 0x0F == 1:
                done += self._answer(buffer[at + head : at + head + length])
            at += head + length
        self._buffer = buffer[at:]
        if done:
            now = perf_counter()
            for _ in range(done):
                self.times.append(now - self.sent.popleft())
            self.answered += done
            if self.going:
                self._send(done)

    def _answer(self, payload: bytes) -> int:
        if self.echoed:
            return 1
        if APPLY in payload:
            self._carry_out(payload)
        place = payload.rfind(ACK)
        if place < 0:
            return 0
        found = re.match(rb"\d+", payload[place + len(ACK) :])
        n = int(found[0]) if found else self._acked
        done, self._acked = n - self._acked, max(n, self._acked)
        return max(0, done)

    def _carry_out(self, payload: bytes) -> None:
        """Let the next event show that the answer was carried out."""
        raws = msgspec.json.decode(payload, type=Batch).messages if b'"batch"' in payload[:20] else [payload]
        for raw in raws:
            if APPLY in bytes(raw)[:20]:
                self._memory = msgspec.json.decode(raw, type=Apply).memory
                self._shape = b""
                if b'"condition":"bloodied"' in bytes(raw):
                    self._bloodied = not self._bloodied


async def connect(port: int, browser: Browser, key: tuple[str, str] | None, *, show: bool = True) -> None:
    """Open a connection; with a key prove it, and show the world."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = ["GET / HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: {ORIGIN}", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    await reader.readuntil(b"\r\n\r\n")
    if key is None:
        browser.echoed = True
    else:
        await _open(reader, writer, browser, key)
        if show:
            await _show(reader, writer, browser)
    browser.take_over(writer)


async def _open(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, browser: Browser, key: tuple[str, str]
) -> None:
    world = f"w{browser.number}"
    challenge = msgspec.json.decode(await _frame(reader))
    ours = auth.new_secret()
    mac = auth.client_proof(key[1], challenge["nonce"], ours, world, ORIGIN)
    versions = protocol.Versions(protocol.OLDEST, protocol.NEWEST)
    writer.write(framed(encode(protocol.Auth(versions, key[0], ours, mac, protocol.Table(world), "gm", "GM"))))
    await _frame(reader)


async def _show(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, browser: Browser) -> None:
    writer.write(browser.first())
    while ACK not in (payload := await _frame(reader)):
        pass
    if APPLY in payload:
        browser._carry_out(payload)  # noqa: SLF001


async def _frame(reader: asyncio.StreamReader) -> bytes:
    _, length = await reader.readexactly(2)
    if length == 126:  # noqa: PLR2004
        length = int.from_bytes(await reader.readexactly(2))
    elif length == 127:  # noqa: PLR2004
        length = int.from_bytes(await reader.readexactly(8))
    return await reader.readexactly(length)
