"""The bridge on a port: listens, serves, and stops without losing an answer."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ssl
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from websockets.asyncio.server import Server as Listener
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bridge import auth
from bridge.address import Hosts, Proxies, base_url, check_safe, reachable
from bridge.errors import CloseCode, ConfigError, DamagedError, DiskFullError, StoreError, UnavailableError, close
from bridge.http import CONTROL, Crowd, Peer, Site
from bridge.log import library_logger
from bridge.logger import get_logger
from bridge.module_files import ModuleFiles
from bridge.socket import CLOSE_WITHIN, Socket
from bridge.store import backup
from bridge.store.journal import Journal

if TYPE_CHECKING:
    from bridge.connection import Connection
    from bridge.host import Host

OPEN_WITHIN = 5.0
"""Seconds for the HTTP part of a handshake."""
DRAIN_WITHIN = 3.0
"""Seconds for answers that wait for the disk when the bridge stops."""
HARD = 4
"""A frame of up to so many times the limit is answered ``too-large``; a longer one closes the socket."""
FAILURES = 3
"""Failures of the disk within a minute at which the bridge gives up, so that whoever watches it starts it afresh."""
MINUTE, DAY = 60.0, 86_400.0
RENEW_AFTER = 60.0
"""Seconds after which a spent code is replaced while nobody is paired."""

log = get_logger()


class Server:
    """Serves one host.  ``start``, then ``stop``; both once.

    ``on_code(window)`` is called when a pairing code is made because nobody is paired.
    """

    def __init__(self, host: Host, *, on_code: Callable[[auth.Window], None] | None = None) -> None:
        check_safe(host.settings)
        self._proxies = Proxies(host.settings.trusted_proxies)
        self.host = host
        self.stopped = asyncio.Event()
        """Set when somebody asked the bridge to stop."""
        self.failure: StoreError | None = None
        """Why it stops of its own accord."""
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._settings = host.settings
        self._on_code = on_code
        self._connections: set[Connection] = set()
        self._controls: set[ServerConnection] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: Listener | None = None
        self._site: Site | None = None
        self._port = 0

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._port

    @property
    def url(self) -> str:
        """How browsers reach it, e.g. ``http://127.0.0.1:8787``."""
        return base_url(self._settings, self._port)

    @property
    def manifest_url(self) -> str:
        """Where Foundry installs the module from."""
        return ModuleFiles(self.url).manifest_url

    async def start(self) -> None:
        """Listen.

        Raises:
            UnavailableError: The port is taken, or the address is not ours.
            ConfigError: The certificate cannot be used.

        """
        settings, host = self._settings, self.host
        tls = _tls(settings.tls_cert, settings.tls_key)
        host.journal = Journal(
            host.store,
            items=settings.queue,
            size=settings.queue_bytes,
            failed=self._failed,
            recovered=self._recovered,
            times=host.counts.commit,
        )
        try:
            self._listener = await serve(
                self._handle,
                settings.host,
                settings.port,
                ssl=tls,
                start_serving=False,
                compression=None,
                max_size=HARD * settings.message,
                open_timeout=OPEN_WITHIN,
                close_timeout=CLOSE_WITHIN,
                ping_interval=settings.ping,
                ping_timeout=settings.ping,
                process_request=self._respond,
                server_header=None,
                create_connection=Socket,
                logger=library_logger("bridge.websockets"),
            )
        except OSError as error:
            await host.journal.close()
            raise UnavailableError(_why_not(error, settings.host, settings.port)) from error
        self._port = self._listener.sockets[0].getsockname()[1]
        files = ModuleFiles(self.url)
        self._site = Site(host, Hosts(settings, self._port), files, self._is_ready, self._crowd, self._states)
        if host.lock is not None:
            secure = "s" if settings.tls_cert else ""
            host.lock.describe(f"ws{secure}://{reachable(settings.host)}:{self._port}")
        await self._listener.start_serving()
        self._tasks = [asyncio.create_task(each) for each in (self._beat(), self._keep_a_code(), self._keep_copies())]

    async def stop(self) -> None:
        """Take nothing more in, let what waits for the disk be answered, close every socket, close the journal."""
        self.stopped.set()
        listener, journal = self._listener, self.host.journal
        assert listener is not None  # noqa: S101  started
        assert journal is not None  # noqa: S101  started
        for task in self._tasks:
            task.cancel()
        listener.close(close_connections=False)
        for connection in self._connections:
            connection.draining = True
            if connection.session.is_open:
                connection.tell("stopping", "The bridge is stopping.")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_WITHIN):
                await journal.drained()
        # One turn of the loop sends what the last commit made ready.
        await asyncio.sleep(0)
        for connection in list(self._connections):
            connection.session.end(close(CloseCode.STOPPING))
        for control in list(self._controls):
            await control.close(CloseCode.STOPPING)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN + 1):
                await listener.wait_closed()
        await journal.close()
        self.host.journal = None

    async def _handle(self, socket: ServerConnection) -> None:
        connection = self._connected(socket)
        if connection is None:
            await self._handle_control(socket)
            return
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self.host.counts.overflows += connection.overflows
            session = connection.session
            ended = session.closed
            log.debug("session ended", session=session.id, world=session.world, close=ended.code if ended else 0)

    def _connected(self, socket: ServerConnection) -> Connection | None:
        """Return the connection of a module; none: the other side has commands."""
        from bridge.connection import Connection

        request, journal = socket.request, self.host.journal
        assert request is not None  # noqa: S101  the handshake is done
        assert journal is not None  # noqa: S101  started
        assert isinstance(socket, Socket)  # noqa: S101  so it was asked for
        if request.path.partition("?")[0] == CONTROL:
            return None
        session = self.host.session(request.headers["Origin"])
        return Connection(socket, self._peer(socket, request).remote, session, journal, self._settings)

    async def _handle_control(self, socket: ServerConnection) -> None:
        from bridge.control import Running, answer

        self._controls.add(socket)
        try:
            await answer(socket, self.host, Running(self.url, self.stopped.set))
        finally:
            self._controls.discard(socket)

    def _respond(self, connection: ServerConnection, request: Request) -> Response | None:
        assert self._site is not None  # noqa: S101  set before anything can come in
        return self._site.respond(request, self._peer(connection, request))

    def _peer(self, connection: ServerConnection, request: Request) -> Peer:
        forwarded = request.headers.get_all("X-Forwarded-For")
        remote = self._proxies.client(str(connection.remote_address[0]), forwarded)
        return Peer(str(connection.local_address[0]), remote, bool(forwarded or request.headers.get_all("Forwarded")))

    def _crowd(self, address: str) -> Crowd:
        strangers = sum(1 for each in self._connections if not each.session.is_open and each.address == address)
        return Crowd(len(self._connections) + len(self._controls), strangers)

    def _states(self) -> dict[str, int]:
        open_ = sum(each.session.is_open for each in self._connections)
        return {"open": open_, "proving": len(self._connections) - open_, "control": len(self._controls)}

    def _is_ready(self) -> bool:
        return not self.host.trouble and not self.stopped.is_set()

    def _failed(self, sentence: str) -> None:
        self.host.fail(sentence)
        log.error("cannot save", why=sentence)
        journal, now = self.host.journal, self.host.now()
        error = journal.error if journal is not None else None
        kind = "full" if isinstance(error, DiskFullError) else "damaged" if isinstance(error, DamagedError) else "other"
        self.host.counts.storage_errors[kind] += 1
        if journal is None or isinstance(journal.error, DiskFullError):
            # Starting afresh makes no room; it goes on by itself when there is some.
            return
        self._failures.append(now)
        if len(self._failures) == FAILURES and now - self._failures[0] < MINUTE:
            self.failure = StoreError(f"The disk failed {FAILURES} times within a minute; the last time: {sentence}")
            self.stopped.set()

    def _recovered(self) -> None:
        self.host.recover()
        log.warning("can save again")

    async def _beat(self) -> None:
        """Send a sign of life: a page's script does not see the pings, and a dead link looks like silence to it."""
        while True:
            await asyncio.sleep(self._settings.ping)
            for connection in self._connections:
                if connection.session.is_open:
                    connection.tell("ok")

    async def _keep_copies(self) -> None:
        """Make a copy of the database every day."""
        lock, keep = self.host.lock, self._settings.backups
        if lock is None or not keep:
            return
        while True:
            newest = next(iter(backup.usual(lock.folder)), None)
            age = time.time() - newest.stat().st_mtime if newest is not None else DAY
            if age >= DAY and self._is_ready():
                try:
                    file = backup.new_name(lock.folder)
                    await asyncio.to_thread(self.host.store.backup, file)
                    backup.thin_out(lock.folder, keep)
                except (StoreError, OSError) as error:
                    log.warning("no copy was made", why=str(error))
                age = 0.0
            await asyncio.sleep(min(DAY - age, DAY / 24))

    async def _keep_a_code(self) -> None:
        """Keep a pairing code open while nobody is paired at all."""
        pairings = self.host.pairings
        while True:
            if not pairings.exist() and not pairings.is_open():
                window = pairings.open_window()
                if self._on_code is not None:
                    self._on_code(window)
            await asyncio.sleep(RENEW_AFTER)


def _tls(cert: str, key: str) -> ssl.SSLContext | None:
    if not cert:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cert, key or None)
    except (OSError, ssl.SSLError) as error:
        message = f"The certificate {cert} cannot be used: {error}."
        raise ConfigError(message) from error
    return context


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use, perhaps by another bridge. "
            f"Stop that program, or choose another port: bridge serve --port {port + 1}"
        )
    return f"The bridge cannot listen on {host}, port {port}: {error.strerror or error}."
