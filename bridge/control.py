"""Commands to a running bridge: over its own port, proved with a key from the data folder.

Only with no bridge running does the command line open the store itself.  Proof goes both ways before a command is
sent, so another program on the port learns nothing::

    bridge        {"type": "greeting", "nonce": B}
    command line  {"type": "prove", "nonce": C, "mac": HMAC(key, "command-line|B|C")}
    bridge        {"type": "proved", "mac": HMAC(key, "bridge|C|B")}
    command line  {"type": "pair"}
    bridge        {"type": "done", "result": {...}}  or  {"type": "refused", "message": "..."}
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct
from websockets.exceptions import ConnectionClosed, WebSocketException

from bridge import auth
from bridge.engine.settings import BadSetting
from bridge.errors import BridgeError, CloseCode, LockedError, RefusedError, StoreError, UnavailableError
from bridge.history import chapters, plain
from bridge.host import SCRATCH
from bridge.rulebook import book, edit
from bridge.rulebook.dry_run import changes
from bridge.settings import Settings
from bridge.store import backup
from bridge.store.lock import holder

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection
    from websockets.asyncio.server import ServerConnection

    from bridge.host import Host

ANSWER_WITHIN = 10.0
"""Seconds for each answer."""
LARGEST = 256 * 1024 * 1024
"""Bytes of an answer: a history may be long."""


class Said(Struct, frozen=True, tag_field="type", tag=str.lower):
    """Base class of what crosses the control socket."""


class Greeting(Said, frozen=True):
    """Bridge, first."""

    nonce: str


class Prove(Said, frozen=True):
    """The command line's proof of the key."""

    nonce: str
    mac: str


class Proved(Said, frozen=True):
    """The bridge's proof of the key."""

    mac: str


class Done(Said, frozen=True):
    """What a command gave back."""

    result: dict[str, Any]


class Refused(Said, frozen=True):
    """Why a command was not carried out."""

    message: str


class Pair(Said, frozen=True):
    """Open a pairing window.  Gives ``code`` and ``seconds``."""


class Pairings(Said, frozen=True):
    """Gives ``clients``: every paired browser, revoked ones included."""


class Revoke(Said, frozen=True):
    """Revoke a browser's key and cut it off."""

    client: str


class Rotate(Said, frozen=True):
    """Make every key void by a new secret.  Gives ``browsers``, how many were cut off."""


class House(Said, frozen=True):
    """Set the rulebook settings of a world, when given.  Gives ``settings``."""

    world: str
    settings: dict[str, Any] | None = None


class Rulebook(Said, frozen=True):
    """Put another rulebook in force for a world, when its text is given; ``dry``: only say what would change.

    Gives ``text``, ``name`` and ``changes``, the lines of what (would have) changed for the creatures on the table.
    """

    world: str
    text: str | None = None
    dry: bool = False


class Scratch(Said, frozen=True):
    """Make a world to try something in.  Gives ``world``, ``client`` and ``key``; ``forget`` it afterwards."""

    origin: str
    settings: dict[str, Any] = {}
    rulebook: str = ""
    """The text of the rulebook to which the settings are added."""


class Forget(Said, frozen=True):
    """Delete all that is kept of a world."""

    world: str


class History(Said, frozen=True):
    """Gives ``chapters``: every decision that is kept of a world, of the only one when none is named."""

    world: str = ""


class Backup(Said, frozen=True):
    """Copy the database, to ``file`` when it is named.  Gives ``file``."""

    file: str = ""


class Health(Said, frozen=True, tag="status"):
    """Gives how the bridge is: ``url``, ``worlds``, ``connected``, ``paired`` and ``trouble``."""


class Stop(Said, frozen=True):
    """Stop the bridge."""


class Running(NamedTuple):
    """A bridge that runs: where, and how it is asked to stop."""

    url: str
    stop: Callable[[], None]


Command = Pair | Pairings | Revoke | Rotate | House | Rulebook | Scratch | Forget | History | Backup | Health | Stop

_commands = msgspec.json.Decoder(Command)
_answers = msgspec.json.Decoder(Done | Refused)


async def carry_out(command: Command, host: Host, running: Running | None = None) -> dict[str, Any]:
    """Carry a command out on a host.  ``running``: the bridge that serves it, if any.

    Raises:
        UnavailableError: It needs a running bridge.
        RefusedError: What it names is not there, or does not fit.

    """
    match command:
        case Pair():
            _needed(running)
            window = host.pairings.open_window()
            return {"code": window.shown, "seconds": host.settings.pairing}
        case Stop():
            # The answer is on its way before the bridge stops.
            asyncio.get_running_loop().call_soon(_needed(running).stop)
            return {}
        case Pairings():
            return {"clients": msgspec.to_builtins(host.pairings.all())}
        case Revoke(client):
            if not host.revoke(client):
                message = f"There is no paired browser {client}. List them with: bridge pairings"
                raise RefusedError(message)
            return {}
        case Rotate():
            return {"browsers": host.rotate()}
        case House(world, settings):
            if settings is not None:
                _set_house(host, world, settings)
            return {"settings": host.world_settings[world]}
        case Rulebook(world, text, dry):
            return await _rulebook(host, world, text, dry=dry)
        case Scratch(origin, settings, text):
            world = f"{SCRATCH}{auth.new_id()}"
            _keep(host, world, edit.with_settings(text, settings))
            client, key = host.pair(world=world, origin=origin, name="scratch", world_name="A world to try things in")
            return {"world": world, "client": client, "key": key}
        case Forget(world):
            host.drop(world)
            if host.journal is not None:
                await host.journal.drained()
            host.forget(world)
            return {}
        case History(world):
            return {"chapters": [plain(chapter) for chapter in chapters(host.store.load(_only(host, world)))]}
        case Backup(file):
            return {"file": str(await _backup(host, file))}
        case Health():
            return {
                "url": running.url if running is not None else "",
                "worlds": host.store.worlds(),
                "connected": sorted(host.speakers),
                "paired": sum(1 for client in host.pairings.all() if not client.revoked),
                "trouble": host.trouble,
            }


def _only(host: Host, world: str) -> str:
    worlds = host.store.worlds()
    if world in worlds or (not world and len(worlds) == 1):
        return world or worlds[0]
    there = ", ".join(sorted(worlds)) or "none yet"
    message = f"There is no world {world}. There are: {there}." if world else f"Name a world; there are: {there}."
    raise RefusedError(message)


async def _backup(host: Host, file: str) -> Path:
    if not file and host.lock is None:
        message = "A bridge without a data folder has no place of its own for copies: name a file."
        raise RefusedError(message)
    path = Path(file) if file or host.lock is None else backup.new_name(host.lock.folder)
    if path.exists():
        message = f"There is a file {path} already. Name another one."
        raise RefusedError(message)
    await asyncio.to_thread(host.store.backup, path)
    return path


def _needed(running: Running | None) -> Running:
    if running is None:
        message = "No bridge is running with this data folder. Start it with: bridge serve"
        raise UnavailableError(message)
    return running


async def _rulebook(host: Host, world: str, text: str | None, *, dry: bool) -> dict[str, Any]:
    known = {*host.store.worlds(), *(client.world for client in host.pairings.all())}
    houses = host.world_settings
    if world not in known and not houses.text(world):
        there = ", ".join(sorted(known)) or "none yet"
        message = f"There is no world {world}. There are: {there}."
        raise RefusedError(message)
    lines: list[str] = []
    if text is not None:
        try:
            new = book.parse(text)
        except BadSetting as error:
            raise RefusedError(str(error)) from error
        if host.journal is not None:
            await host.journal.drained()
        try:
            lines = [say.text for say in changes(host.world(world), new)]
        except StoreError as error:
            # What is kept cannot be read: whatever can be read is better.
            lines = [str(error)]
        if not dry:
            _keep(host, world, text)
    kept = houses.text(world)
    name = book.check(kept).book
    return {"text": kept, "name": name.name if name else "", "changes": lines}


def _keep(host: Host, world: str, text: str) -> None:
    try:
        host.world_settings.keep(world, text)
    except BadSetting as error:
        raise RefusedError(str(error)) from error


def _set_house(host: Host, world: str, settings: dict[str, Any]) -> None:
    try:
        host.world_settings[world] = settings
    except BadSetting as error:
        raise RefusedError(str(error)) from error


async def answer(socket: ServerConnection, host: Host, running: Running) -> None:
    """Bridge: serve one command line until it closes."""
    key = auth.control_key(host.secret)
    try:
        async with asyncio.timeout(ANSWER_WITHIN):
            if not await _prove(socket, key):
                await socket.close(CloseCode.NOT_PROVEN, "The key of the data folder was not proved.")
                return
        async for text in socket:
            await socket.send(msgspec.json.encode(await _answered(text, host, running)).decode())
    except (ConnectionClosed, TimeoutError):
        pass


async def _prove(socket: ServerConnection, key: str) -> bool:
    ours = auth.new_secret()
    await socket.send(msgspec.json.encode(Greeting(ours)).decode())
    try:
        theirs = msgspec.json.decode(await socket.recv(), type=Prove)
    except (msgspec.DecodeError, RecursionError):
        return False
    if not auth.is_nonce(theirs.nonce) or not auth.equal(
        theirs.mac, auth.proof(key, "command-line", ours, theirs.nonce)
    ):
        return False
    await socket.send(msgspec.json.encode(Proved(auth.proof(key, "bridge", theirs.nonce, ours))).decode())
    return True


async def _answered(text: str | bytes, host: Host, running: Running) -> Done | Refused:
    try:
        return Done(await carry_out(_commands.decode(text), host, running))
    except (BridgeError, msgspec.DecodeError, RecursionError) as error:
        return Refused(str(error))


def ask(folder: Path, command: Command) -> dict[str, Any]:
    """Command line: have a command carried out by the bridge that holds the data folder, or without one.

    Raises:
        UnavailableError: It needs a running bridge, or the running one does not answer.
        RefusedError: It was not carried out.

    """
    from bridge.host import Host

    if not folder.is_dir():
        message = f"There is no data folder {folder} yet. Start the bridge with: bridge serve"
        raise UnavailableError(message)
    try:
        # What is damaged is for the bridge itself to set aside, not for a command in passing.
        host = Host.open(folder, Settings(on_corrupt="refuse"))
    except LockedError:
        return asyncio.run(_ask(folder, command))
    with host:
        return asyncio.run(carry_out(command, host))


async def ask_bridge(url: str, key: str, command: Command) -> dict[str, Any]:
    """Have a command carried out by the bridge at ``url``, e.g. ``ws://127.0.0.1:8787``.

    Raises:
        UnavailableError: It does not answer.
        RefusedError: It is another bridge, or did not carry the command out.

    """
    from websockets.asyncio.client import connect

    # The proof is stronger than a certificate for 127.0.0.1 that nobody signed.
    tls = ssl._create_unverified_context() if url.startswith("wss:") else None  # noqa: S323, SLF001
    try:
        async with connect(
            url + "/control", ssl=tls, compression=None, proxy=None, open_timeout=ANSWER_WITHIN, max_size=LARGEST
        ) as socket:
            await _prove_to(socket, key)
            await socket.send(msgspec.json.encode(command).decode())
            answer = _answers.decode(await socket.recv())
    except (OSError, WebSocketException, msgspec.DecodeError) as error:
        message = f"The bridge at {url} does not answer: {error}."
        raise UnavailableError(message) from error
    if isinstance(answer, Refused):
        raise RefusedError(answer.message)
    return answer.result


async def _prove_to(socket: ClientConnection, key: str) -> None:
    ours = auth.new_secret()
    theirs = msgspec.json.decode(await socket.recv(), type=Greeting).nonce
    mac = auth.proof(key, "command-line", theirs, ours)
    await socket.send(msgspec.json.encode(Prove(ours, mac)).decode())
    proved = msgspec.json.decode(await socket.recv(), type=Proved)
    if not auth.equal(proved.mac, auth.proof(key, "bridge", ours, theirs)):
        message = "What listens there is not this data folder's bridge."
        raise RefusedError(message)


async def _ask(folder: Path, command: Command) -> dict[str, Any]:
    from bridge.host import read_secret

    url = holder(folder).url
    if not url:
        message = "The bridge is starting or stopping just now. Try again in a moment."
        raise UnavailableError(message)
    return await ask_bridge(url, auth.control_key(read_secret(folder)), command)
