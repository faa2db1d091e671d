"""A WebSocket whose listener is called at once with what has come in: no queue and no task in between.

The library does the rest: handshake, frames, pings and the closing handshake.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from bridge.errors import Close, CloseCode, close

if TYPE_CHECKING:
    from websockets.protocol import Event
    from websockets.typing import BytesLike

CLOSE_WITHIN = 2.0
"""Seconds for a closing handshake, and for the last bytes of an HTTP answer."""
AT_ONCE = 64 * 1024
"""Bytes of one read: asyncio makes room for as many each time, and above 128 KiB asks the system for it."""
FRAGMENTS = 4096
"""How many pieces a message may be sent in."""


class Socket(ServerConnection):
    """Until somebody listens it is the library's own."""

    # Beside the many attributes of the library each of ours would make a larger dictionary of them.
    __slots__ = ("_end", "_listener", "_pieces", "_texts")
    _end: Callable[[Close], None]
    _listener: Callable[[list[str]], None] | None
    _pieces: list[bytes]
    _texts: list[str]

    def listen(self, listener: Callable[[list[str]], None], end: Callable[[Close], None]) -> None:
        """Call ``listener`` with the texts that each read of the socket brings, ``end`` with what ends the talk.

        ``recv`` is of no use from now on.
        """
        # Nobody asks for the headers any more, and the library would keep them as long as the connection lasts.
        for message in (self.request, self.response):
            if message is not None:
                message.headers.clear()
        self._texts = []
        self._pieces = []
        self._listener = listener
        self._end = end

    def say(self, text: bytes) -> None:
        """Send a text now.  It does not wait until there is room: whoever calls looks at ``unsent``."""
        if self.protocol.state is State.OPEN:
            self.transport.write(_head(len(text)) + text)

    @property
    def unsent(self) -> int:
        """Bytes that the other side has not taken yet."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        if hasattr(transport, "max_size"):
            transport.max_size = AT_ONCE
        self._listener = None
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Take bytes off the network."""
        super().data_received(data)
        if self._listener is not None and self._texts:
            texts, self._texts = self._texts, []
            self._listener(texts)

    def process_event(self, event: Event) -> None:
        """Take a frame, or the request before the first one."""
        if self._listener is None or not isinstance(event, Frame):
            super().process_event(event)
        elif event.opcode is Opcode.TEXT and event.fin:
            self._take(event.data)
        elif event.opcode is Opcode.BINARY:
            self._end(close(CloseCode.BINARY))
        elif event.opcode is Opcode.TEXT or event.opcode is Opcode.CONT:
            self._put_together(event)
        else:
            super().process_event(event)

    def _put_together(self, frame: Frame) -> None:
        # The library bounds the bytes of all pieces together, and sees to their order.
        self._pieces.append(bytes(frame.data))
        if frame.fin:
            self._take(b"".join(self._pieces))
            self._pieces.clear()
        elif len(self._pieces) == FRAGMENTS:
            self._pieces.clear()
            self._end(close(CloseCode.TOO_BIG))

    def _take(self, data: BytesLike) -> None:
        try:
            self._texts.append(str(data, "utf-8"))
        except UnicodeDecodeError:
            self._end(close(CloseCode.BAD_TEXT))


def _head(size: int) -> bytes:
    """Return what stands before the text of a frame that is whole and not masked (RFC 6455, section 5.2)."""
    if size < 126:  # noqa: PLR2004  the lengths are the protocol's own
        return b"\x81%c" % size
    if size < 65_536:  # noqa: PLR2004
        return b"\x81\x7e" + size.to_bytes(2)
    return b"\x81\x7f" + size.to_bytes(8)
