"""One socket of a module: carries frames between it and its session.

The reader never waits for the disk: replies are sent from the journal's callback, all that are ready in one frame.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed

from bridge.decode import frame
from bridge.errors import Close, CloseCode, close

if TYPE_CHECKING:
    from bridge.session import Output, Session
    from bridge.settings import Settings
    from bridge.store.journal import Journal

CLOSE_WITHIN = 2.0
"""Seconds for a closing handshake, and for the last bytes of an HTTP answer."""


class Connection:
    """Runs until the socket is closed."""

    def __init__(
        self, socket: ServerConnection, address: str, session: Session, journal: Journal, settings: Settings
    ) -> None:
        self.address = address
        """The other side's address."""
        self.session = session
        self.overflows = 0
        """How often its reader had to wait for the disk."""
        self.draining = False
        """Nothing that comes in is taken any more."""
        self._socket = socket
        self._journal = journal
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._waiting = 0
        """Outputs that wait for the disk."""
        self._ready: list[bytes] = []
        self._closing: Close | None = None
        self._flushing = False
        self._closer: asyncio.Task[None] | None = None
        session.on_end = self.close
        session.on_output = self._deliver

    async def run(self) -> None:
        """Talk until the socket is closed, by either side."""
        late = self._loop.call_later(self._settings.prove_within, self._too_late)
        try:
            self._deliver(self.session.greet())
            async for text in self._socket:
                if not isinstance(text, str):
                    self.session.end(close(CloseCode.BINARY))
                elif not self.draining:
                    await self._take(text)
        except ConnectionClosed:
            pass
        finally:
            late.cancel()
            self.session.lost()
            if self._closer is not None:
                await self._closer

    def send(self, message: bytes) -> None:
        """Send one encoded message, after those that are ready."""
        self._ready.append(message)
        self._flush_soon()

    def close(self, how: Close) -> None:
        """Close the socket; what is not sent yet is not sent any more."""
        if self._closer is None:
            self._ready.clear()
            self._closer = self._loop.create_task(self._close(how))

    async def _close(self, how: Close) -> None:
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                await self._socket.close(how.code, how.reason)
        except TimeoutError:
            # It does not even read that it is being closed.
            self._socket.transport.abort()

    async def _take(self, text: str) -> None:
        output = self.session.receive(text)
        if output.delay:
            await asyncio.sleep(output.delay)
        self._deliver(output)
        if self._journal.full(self.session.world):
            self.overflows += 1
            await self._journal.room(self.session.world)
        if output.pause:
            await asyncio.sleep(output.pause)

    def _deliver(self, output: Output) -> None:
        """Have it committed, then sent; never before what came earlier."""
        if output.writes or self._waiting:
            self._waiting += 1
            self._journal.submit(self.session.world, output.writes, partial(self._committed, output))
        else:
            self._pass_on(output)

    def _committed(self, output: Output) -> None:
        self._waiting -= 1
        self._pass_on(output)

    def _pass_on(self, output: Output) -> None:
        self._ready += output.messages
        self._closing = self._closing or output.close
        self._flush_soon()

    def _flush_soon(self) -> None:
        if not self._flushing and self._closer is None:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if self._closer is not None:
            return
        if self._ready:
            broadcast((self._socket,), frame(self._ready), text=True)
            self._ready.clear()
        if self._closing is not None:
            self.close(self._closing)
        elif self._socket.transport.get_write_buffer_size() > self._settings.outgoing:
            self.session.end(close(CloseCode.TOO_SLOW))

    def _too_late(self) -> None:
        if not self.session.is_open:
            self.session.end(close(CloseCode.NOT_PROVEN))
