"""The simulated table behind a WebSocket, with a module's patience: it connects again for ever."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bridge.decode import encode, frame
from bridge.protocol import Ack, Challenge, Welcome
from bridge.table.executor import receive
from bridge.table.link import unpack
from tests.peer import ORIGIN, prove
from tests.reliability.ledger import Ledger


class Browser:
    """Runs until cancelled.  ``silence``: seconds without a sign of life after which the link counts as dead."""

    def __init__(self, ledger: Ledger, port: int, key: tuple[str, str], *, silence: float) -> None:
        self.ledger = ledger
        self.connections = 0
        self._port = port
        self._key = key
        self._silence = silence
        self._news = asyncio.Event()
        self._unacked = 0

    def act(self, count: int) -> None:
        """Let things happen at the table."""
        self.ledger.act(count)
        self._news.set()

    @property
    def quiet(self) -> bool:
        """All that happened has been told and acknowledged."""
        table = self.ledger.table
        return table.linked and not table.outgoing and not table.documents.outbox and not self._unacked

    async def run(self) -> None:
        """Connect, talk, and again."""
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, EOFError):
                async with self._dial() as socket, asyncio.TaskGroup() as tasks:
                    sender = tasks.create_task(self._send(socket))
                    try:
                        await self._listen(socket)
                    finally:
                        sender.cancel()
            self.ledger.table.disconnected()
            await asyncio.sleep(0.02)

    @contextlib.asynccontextmanager
    async def _dial(self) -> AsyncIterator[ClientConnection]:
        url = f"ws://127.0.0.1:{self._port}/socket"
        async with asyncio.timeout(self._silence):
            socket = await connect(
                url,
                origin=ORIGIN,  # type: ignore[arg-type]
                compression=None,
                proxy=None,
                ping_interval=None,
                close_timeout=0.1,
            )
        try:
            yield socket
        except BaseExceptionGroup as group:
            # A task group of one task and its listener: whichever failed first is what happened.
            raise group.exceptions[0] from None
        finally:
            socket.transport.abort()

    async def _listen(self, socket: ClientConnection) -> None:
        table = self.ledger.table
        while True:
            async with asyncio.timeout(self._silence):
                text = await socket.recv()
            for message in unpack(text):
                match message:
                    case Challenge(nonce=nonce):
                        proof, _ = prove(nonce, *self._key, table.about.world)
                        await socket.send(encode(proof), text=True)
                    case Welcome(limits=limits):
                        self.connections += 1
                        self._unacked = 0
                        table.connected(page=limits.page)
                    case _:
                        receive(table, message)
                        if isinstance(message, Ack) and message.n >= self._unacked:
                            self._unacked = 0
            self._news.set()

    async def _send(self, socket: ClientConnection) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            if self.ledger.table.linked and (messages := self.ledger.table.take()):
                self._unacked = messages[-1].n
                await socket.send(frame([encode(message) for message in messages]), text=True)
