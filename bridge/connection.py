"""One socket of a module: carries frames between it and its session.

Nobody waits for the disk: what comes in is taken at once, all of one read together, up to a bound; replies are sent
from the journal's callback, all that are ready in one frame.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from bridge.decode import encode, frame
from bridge.errors import Close, CloseCode, close
from bridge.protocol import Status
from bridge.socket import CLOSE_WITHIN

if TYPE_CHECKING:
    from bridge.session import Output, Session
    from bridge.settings import Settings
    from bridge.socket import Socket
    from bridge.store.journal import Journal

AT_ONCE = 64
"""Frames that are taken before others have their turn."""


class Connection:
    """Runs until the socket is closed."""

    def __init__(self, socket: Socket, address: str, session: Session, journal: Journal, settings: Settings) -> None:
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
        self._texts: list[str] = []
        """What has come in and is not taken yet."""
        self._slow: asyncio.Task[None] | None = None
        """Takes it when it cannot be taken at once; meanwhile nothing is read."""
        self._waiting = 0
        """Outputs that wait for the disk."""
        self._ready: list[bytes] = []
        self._closing: Close | None = None
        self._flushing = False
        self._closer: asyncio.Task[None] | None = None
        session.sliced = True
        session.on_end = self.close
        session.on_output = self._deliver

    async def run(self) -> None:
        """Talk until the socket is closed, by either side."""
        late = self._loop.call_later(self._settings.prove_within, self._too_late)
        try:
            self._deliver(self.session.greet())
            self._socket.listen(self._arrived, self.session.end)
            await self._socket.wait_closed()
        finally:
            late.cancel()
            self.session.lost()
            if self._slow is not None:
                self._slow.cancel()
            if self._closer is not None:
                await self._closer

    def send(self, message: bytes) -> None:
        """Send one encoded message, after those that are ready."""
        self._ready.append(message)
        self._flush_soon()

    def tell(self, state: str, text: str = "") -> None:
        """Say how the bridge is."""
        self.send(encode(Status(state, text)))

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

    def _arrived(self, texts: list[str]) -> None:
        if self.draining:
            return
        self._texts += texts
        if self._slow is None:
            output = self._take()
            if not output.delay:
                self._deliver(output)
                if not (output.pause or output.more or self._texts or self._journal.full(self.session.world)):
                    return
            self._socket.transport.pause_reading()
            self._slow = self._loop.create_task(self._slowly(output))

    def _take(self) -> Output:
        """Take what came first: of a stranger one frame, as its answer may have to come late."""
        count = AT_ONCE if self.session.is_open else 1
        texts, self._texts = self._texts, []
        if len(texts) > count:
            texts, self._texts = texts[:count], texts[count:]
        return self.session.receive(*texts)

    async def _slowly(self, output: Output) -> None:
        try:
            await self._go_on(output)
        except Exception:
            # A bug of ours: nobody would read this socket any more.
            self._socket.transport.abort()
            raise
        self._slow = None
        self._socket.transport.resume_reading()

    async def _go_on(self, output: Output) -> None:
        """Take the rest as fast as the disk and the bounds of the sender allow."""
        if output.delay:
            await asyncio.sleep(output.delay)
            self._deliver(output)
        while True:
            if self._journal.full(self.session.world):
                self.overflows += 1
                await self._journal.room(self.session.world)
            await asyncio.sleep(output.pause)
            if output.more:
                output = self.session.go_on()
            elif self._texts and not self.draining:
                output = self._take()
                await asyncio.sleep(output.delay)
            else:
                break
            self._deliver(output)

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
            self._socket.say(frame(self._ready))
            self._ready.clear()
        if self._closing is not None:
            self.close(self._closing)
        elif self._socket.unsent > self._settings.outgoing:
            self.session.end(close(CloseCode.TOO_SLOW))

    def _too_late(self) -> None:
        if not self.session.is_open:
            self.session.end(close(CloseCode.NOT_PROVEN))
