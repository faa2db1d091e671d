"""How the table talks to a bridge: in this process, or over a real WebSocket."""

from __future__ import annotations

import asyncio
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from bridge import auth, control
from bridge.decode import encode, frame
from bridge.errors import Close
from bridge.host import Host, read_secret
from bridge.protocol import (
    NEWEST,
    OLDEST,
    Ack,
    Auth,
    Batch,
    Challenge,
    Error,
    FromBridge,
    Limits,
    Message,
    Pair,
    Paired,
    Versions,
    Welcome,
)
from bridge.protocol import Table as About
from bridge.rulebook.edit import with_settings
from bridge.session import Session
from bridge.settings import Settings, load

from .table import Outgoing

ORIGIN = "http://localhost:30000"
PATIENCE = 10.0
"""Seconds that a bridge over the wire may take for an answer."""
SPEAKS = Versions(OLDEST, NEWEST)

M = TypeVar("M", bound=Message)

_decoder: msgspec.json.Decoder[FromBridge] = msgspec.json.Decoder(FromBridge)


class LinkBroken(Exception):
    """The bridge ended the conversation, or will not begin one.  ``errors``: what it said first."""

    def __init__(self, reason: str, errors: Sequence[Error] = ()) -> None:
        super().__init__(reason)
        self.errors = list(errors)


class Wire(ABC):
    """One conversation: frames out, frames in."""

    @abstractmethod
    def send(self, text: str | bytes) -> None:
        """Send a frame."""

    @abstractmethod
    def receive(self) -> bytes | str | None:
        """Return the next frame, waiting for it where it has to travel; none when there is none.  Raises LinkBroken."""

    @abstractmethod
    def close(self) -> None:
        """End it from our side."""


class Key(msgspec.Struct, frozen=True):
    """What a paired browser keeps."""

    client: str
    key: str


class Link(ABC):
    """A bridge as the table sees it."""

    breakable = False
    """The bridge may be stopped, killed and started again."""

    def __init__(self) -> None:
        self.world = ""
        self.key = Key("", "")
        self._wire: Wire | None = None
        self._limits = Limits(message=65_536, batch=100, page=50)
        self._unacknowledged = 0
        """Number of the last message that the bridge has not acknowledged yet; 0 when there is none."""

    @abstractmethod
    def wire(self) -> Wire:
        """Begin a conversation."""

    @abstractmethod
    def second_key(self, about: About) -> Key:
        """Pair another browser for the same world."""

    def restart(self, *, kill: bool) -> None:
        """Stop the bridge, or kill it, and start it again.  A `Story` asks this of a `breakable` link only."""
        raise NotImplementedError  # a bridge that runs for others has nothing that could be called here

    @abstractmethod
    def close(self) -> None:
        """Leave nothing behind."""

    def connect(self, about: About) -> tuple[Limits, list[FromBridge]]:
        """Prove our key; return what the bridge accepts, and what it says at once.  Raises LinkBroken."""
        self._wire = self.wire()
        self._unacknowledged = 0
        limits, said = introduce(self._wire, self.key, about)
        self._limits = limits
        return limits, said

    def meet_second(self, about: About) -> list[Error]:
        """Let a second browser ask for the same world; return what it is told."""
        wire = self.wire()
        try:
            introduce(wire, self.second_key(about), about)
        except LinkBroken as refusal:
            return refusal.errors
        finally:
            wire.close()
        return []

    def send(self, messages: Sequence[Outgoing]) -> None:
        """Send messages in as few frames as the bridge accepts."""
        size, group = 0, list[bytes]()
        for message in messages:
            self._unacknowledged = max(self._unacknowledged, message.n)
            encoded = encode(message)
            if group and (len(group) == self._limits.batch or size + len(encoded) + 100 > self._limits.message):
                self.send_text(frame(group))
                size, group = 0, []
            group.append(encoded)
            size += len(encoded) + 1
        if group:
            self.send_text(frame(group))

    def send_text(self, text: str | bytes) -> None:
        """Send a frame as it is."""
        if self._wire is not None:
            self._wire.send(text)

    def receive(self) -> list[FromBridge]:
        """Return everything that the bridge has to say to what it was sent.  Raises LinkBroken.

        What it says to a message comes no later than its acknowledgement.
        """
        found: list[FromBridge] = []
        while self._unacknowledged and self._wire is not None and (text := self._wire.receive()) is not None:
            for message in unpack(text):
                found.append(message)
                if isinstance(message, Ack) and message.n >= self._unacknowledged:
                    self._unacknowledged = 0
        return found

    def drop(self) -> None:
        """Break the link; the bridge goes on."""
        if self._wire is not None:
            self._wire.close()
        self._wire = None


def introduce(wire: Wire, key: Key, about: About) -> tuple[Limits, list[FromBridge]]:
    """Go through the introduction, proving each to the other that the key is known."""
    challenge = _next(wire, Challenge)
    ours = auth.new_secret()
    mac = auth.client_proof(key.key, challenge.nonce, ours, about.world, ORIGIN)
    wire.send(encode(Auth(SPEAKS, key.client, ours, mac, about, user="gm", user_name="Gamemaster")))
    text = wire.receive()
    said = unpack(text) if text is not None else []
    if not said or not isinstance(said[0], Welcome):
        errors = [message for message in said if isinstance(message, Error)]
        raise LinkBroken(errors[0].message if errors else "the bridge does not welcome us", errors)
    if said[0].mac != auth.server_proof(key.key, ours, challenge.nonce, about.world):
        message = "this is another bridge than the one we were paired with"
        raise LinkBroken(message)
    return said[0].limits, said[1:]


def _next(wire: Wire, kind: type[M]) -> M:
    text = wire.receive()
    said = unpack(text) if text is not None else []
    if not said or not isinstance(said[0], kind):
        message = f"the bridge did not say {kind.__name__.lower()}"
        raise LinkBroken(message, [each for each in said if isinstance(each, Error)])
    return said[0]


def unpack(text: str | bytes) -> list[FromBridge]:
    """Return the messages of a frame."""
    message = _decoder.decode(text)
    return [_decoder.decode(raw) for raw in message.messages] if isinstance(message, Batch) else [message]


class _Direct(Wire):
    """A conversation with a session in this process."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.session: Session = host.session(ORIGIN)
        self._frames: list[bytes] = []
        self._keep(host.finish(self.session.greet()))

    def send(self, text: str | bytes) -> None:
        self._keep(self._host.exchange(self.session, text))

    def receive(self) -> bytes | None:
        if self._frames:
            return self._frames.pop(0)
        closed = self.session.closed
        if closed is not None:
            raise LinkBroken(_reason(closed))
        return None

    def close(self) -> None:
        self.session.lost()

    def _keep(self, text: bytes | None) -> None:
        if text is not None:
            self._frames.append(text)


def _reason(closed: Close) -> str:
    return f"the bridge closed the link ({closed.code}): {closed.reason}"


class InProcess(Link):
    """A whole bridge in this process, on a real database in a folder of its own."""

    breakable = True

    def __init__(self, world: str, settings: dict[str, Any], rulebook: str = "") -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(prefix="bridge-scenario-")
        # A scenario may kill the bridge, never the computer.
        self._settings = Settings(durability="normal")
        self._host = self._open()
        self.world = world
        try:
            self._host.world_settings.keep(world, with_settings(rulebook, settings))
            self.key = Key(*self._host.pair(world=world, origin=ORIGIN))
        except BaseException:
            self.close()
            raise

    def wire(self) -> Wire:
        """Talk to a session of our own host."""
        return _Direct(self._host)

    def second_key(self, about: About) -> Key:
        """Pair it at the host."""
        return Key(*self._host.pair(world=about.world, origin=ORIGIN, user="second-gm"))

    def restart(self, *, kill: bool) -> None:
        """Let the host go, and open the same folder again."""
        if kill:
            # Whoever is killed says no goodbye: the session is simply never heard of again.
            self._wire = None
        else:
            self.drop()
        self._host.close()
        self._host = self._open()

    def close(self) -> None:
        """Close the host and remove its folder."""
        self.drop()
        self._host.close()
        self._folder.cleanup()

    def _open(self) -> Host:
        return Host.open(Path(self._folder.name), self._settings)


class _Socket(Wire):
    """A conversation over a WebSocket."""

    def __init__(self, url: str) -> None:
        self._open = ExitStack()
        dialled = connect(url, origin=Origin(ORIGIN), compression=None, proxy=None)
        self._socket: ClientConnection = self._open.enter_context(dialled)

    def send(self, text: str | bytes) -> None:
        try:
            self._socket.send(text, text=True)
        except ConnectionClosed as error:
            raise LinkBroken(_closed(error)) from error

    def receive(self) -> str | bytes | None:
        try:
            return self._socket.recv(timeout=PATIENCE)
        except TimeoutError as error:
            message = f"the bridge did not answer within {PATIENCE:.0f} seconds"
            raise LinkBroken(message) from error
        except ConnectionClosed as error:
            raise LinkBroken(_closed(error)) from error

    def close(self) -> None:
        self._open.close()


def _closed(error: ConnectionClosed) -> str:
    return _reason(Close(error.rcvd.code, error.rcvd.reason)) if error.rcvd else "the bridge is gone"


class OverTheWire(Link):
    """A running bridge, in a scratch world that is forgotten afterwards."""

    def __init__(self, url: str, settings: dict[str, Any], folder: Path | None = None, rulebook: str = "") -> None:
        super().__init__()
        parts = urlsplit(url)
        self._base = f"{parts.scheme.replace('http', 'ws')}://{parts.netloc}"
        self._control = auth.control_key(read_secret(folder or load().folder))
        made = self._ask(control.Scratch(ORIGIN, settings, rulebook))
        self.world = made["world"]
        self.key = Key(made["client"], made["key"])

    def wire(self) -> Wire:
        """Open a WebSocket."""
        return _Socket(f"{self._base}/socket")

    def second_key(self, about: About) -> Key:
        """Pair it with a code, as a GM does."""
        code = self._ask(control.Pair())["code"]
        wire = self.wire()
        try:
            _next(wire, Challenge)
            wire.send(encode(Pair(SPEAKS, code, about, user="second-gm")))
            paired = _next(wire, Paired)
        finally:
            wire.close()
        return Key(paired.client, paired.key)

    def close(self) -> None:
        """Have the scratch world forgotten."""
        self.drop()
        self._ask(control.Forget(self.world))

    def _ask(self, command: control.Command) -> dict[str, Any]:
        return asyncio.run(control.ask_bridge(self._base, self._control, command))
