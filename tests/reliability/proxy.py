"""A proxy between module and bridge that does to bytes what bad networks do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Literal

from msgspec import Struct

Way = Literal["up", "down"]
STEP = 0.01


class Weather(Struct):
    """What happens to bytes while it lasts."""

    delay: float = 0.0
    """Seconds that each piece waits."""
    slice: int = 65_536
    """Bytes of a piece at most."""
    rate: float = 0.0
    """Bytes a second; 0: as fast as it goes."""
    held: frozenset[Way] = frozenset()
    """Ways on which nothing moves, while the connection stays open (half-open)."""


class Proxy:
    """Passes connections on to a port."""

    def __init__(self, to: int) -> None:
        self._to = to
        self.weather = Weather()
        self._links: set[_Line] = set()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)

    def cut(self) -> None:
        """Break every connection at both ends."""
        for line in list(self._links):
            line.near.transport.abort()
            line.far.transport.abort()

    def linger(self, seconds: float) -> None:
        """Break every connection at the module's end; what it had sent still reaches the bridge, that much later."""
        for line in list(self._links):
            line.late = seconds
            line.near.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        line = _Line(writer, far_writer)
        self._links.add(line)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._pump(line, "up", reader, far_writer))
                tasks.create_task(self._pump(line, "down", far_reader, writer))
        finally:
            self._links.discard(line)
            for end in (writer, far_writer):
                end.transport.abort()

    async def _pump(self, line: _Line, way: Way, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                while data:
                    weather = self.weather
                    while way in self.weather.held and not line.late:  # noqa: ASYNC110  nothing tells when
                        await asyncio.sleep(STEP)
                    piece, data = data[: weather.slice], data[weather.slice :]
                    pause = weather.delay + (len(piece) / weather.rate if weather.rate else 0)
                    if pause:
                        await asyncio.sleep(pause)
                    writer.write(piece)
                    await writer.drain()
        if line.late and way == "up":
            await asyncio.sleep(line.late)
        # One end is gone, so the other goes too.
        writer.transport.close()
        if not line.late:
            line.near.transport.abort()
            line.far.transport.abort()


class _Line:
    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.near, self.far = near, far
        self.late = 0.0


@contextlib.asynccontextmanager
async def proxied(to: int) -> AsyncIterator[Proxy]:
    """Stand before a port for a while."""
    proxy = Proxy(to)
    await proxy.start()
    try:
        yield proxy
    finally:
        assert proxy._server is not None
        proxy._server.close()
        proxy.cut()
        while proxy._links:  # noqa: ASYNC110  nothing tells when
            await asyncio.sleep(STEP)
