"""The other side, for tests: a module that proves its key, in this process or over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from bridge import auth, protocol
from bridge.decode import encode, frame
from bridge.host import Host
from bridge.server import Server
from bridge.session import Session

ORIGIN = "http://localhost:30000"
VERSIONS = protocol.Versions(protocol.OLDEST, protocol.NEWEST)
PATIENCE = 10.0
"""Seconds after which a test that waits for a message fails."""

Message = dict[str, Any]


def unpack(text: bytes | str | None) -> list[Message]:
    """Return the messages of a frame, batch or not."""
    if text is None:
        return []
    message = msgspec.json.decode(text)
    return message["messages"] if message["type"] == "batch" else [message]


def prove(
    challenge: str, id: str, key: str, world: str = "w", origin: str = ORIGIN, **changes: Any
) -> tuple[protocol.Auth, str]:
    """Return the ``auth`` that answers a challenge, and the nonce in it."""
    ours = auth.new_secret()
    mac = auth.client_proof(key, challenge, ours, world, origin)
    message = protocol.Auth(VERSIONS, id, ours, mac, protocol.Table(world), "gm-user", "Gamemaster")
    return msgspec.structs.replace(message, **changes), ours


def greeted(host: Host, origin: str = ORIGIN) -> tuple[Session, str]:
    """Begin a conversation in this process; return it and the bridge's nonce."""
    session = host.session(origin)
    (challenge,) = unpack(host.finish(session.greet()))
    return session, challenge["nonce"]


def opened(host: Host, world: str = "w", key: tuple[str, str] | None = None) -> tuple[Session, list[Message]]:
    """Open a session in this process; return it and what the bridge said to that."""
    client, secret = key or host.pair(world=world, origin=ORIGIN)
    session, nonce = greeted(host)
    return session, unpack(host.exchange(session, encode(prove(nonce, client, secret, world)[0])))


def picture(n: int, *ids: str) -> protocol.Picture:
    """Return a whole world in one page, of creatures without anything."""
    actors = tuple(protocol.Actor(f"Actor.{id}", name=id) for id in ids)
    return protocol.Picture(n, actors, clock=0, page=1, pages=1)


def batch(*messages: msgspec.Struct | bytes) -> bytes:
    """Return messages in one frame."""
    return frame([each if isinstance(each, bytes) else encode(each) for each in messages])


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds that nothing tells of."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110  there is no event for what only a test wants to know
            await asyncio.sleep(0.001)


class Peer:
    """A module over a real socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def receive(self) -> list[Message]:
        """Return the messages of the next frame."""
        async with asyncio.timeout(PATIENCE):
            return unpack(await self.socket.recv())

    async def until(self, kind: str) -> Message:
        """Return the next message of a type."""
        while True:
            for message in await self.receive():
                if message["type"] == kind:
                    return message

    async def send(self, *messages: msgspec.Struct | bytes) -> None:
        """Send messages in one frame."""
        await self.socket.send(batch(*messages), text=True)

    async def closed(self) -> tuple[int, str]:
        """Wait until the bridge closes; return code and reason."""
        async with asyncio.timeout(PATIENCE):
            await self.socket.wait_closed()
        return self.socket.close_code or 0, self.socket.close_reason or ""

    async def open(self, key: tuple[str, str], world: str = "w") -> Message:
        """Prove a key; return the welcome."""
        challenge = await self.until("challenge")
        await self.send(prove(challenge["nonce"], *key, world)[0])
        return await self.until("welcome")


@contextlib.asynccontextmanager
async def running(host: Host) -> AsyncIterator[Server]:
    """Serve a host on a free port for a while."""
    host.settings = msgspec.structs.replace(host.settings, port=0)
    server = Server(host)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@contextlib.asynccontextmanager
async def dialled(server: Server, origin: str | None = ORIGIN, path: str = "/") -> AsyncIterator[Peer]:
    """Connect to a server."""
    url = f"ws://127.0.0.1:{server.port}{path}"
    async with connect(url, origin=origin, compression=None, proxy=None) as socket:  # type: ignore[arg-type]
        yield Peer(socket)
