"""All worlds of one bridge, and who may speak for them.  No sockets.

The server, the simulated table and the tests all use this same class::

    with Host.open(folder) as host:
        client, key = host.pair(world="w", origin="http://localhost:30000")
        session = host.session(origin="http://localhost:30000")
        host.exchange(session, frame)         # commits, then returns the frame to send

A bridge that is killed and started again is ``host.close()`` and ``Host.open`` on the same folder: nothing is written
but by a commit.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bridge import auth
from bridge.counts import Counts
from bridge.errors import CloseCode, ConfigError, RefusedError, StoreError, close
from bridge.house import Houses, RulebookMaker
from bridge.notice import Notice
from bridge.pairings import Pairings
from bridge.settings import Settings
from bridge.store.base import Store, Write
from bridge.store.lock import FolderLock
from bridge.store.opening import DATABASE, open_store
from bridge.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from bridge import protocol
    from bridge.engine.catalogue import Catalogue
    from bridge.session import Output, Session
    from bridge.store.journal import Journal
    from bridge.world import World

__all__ = ["DATABASE", "SECRET", "Busy", "Host", "read_secret"]

SCRATCH = "scratch-"
"""How the names of worlds begin that somebody tries something in."""
SECRET = "bridge.key"  # noqa: S105  a file's name


class Busy(Exception):
    """A world cannot be loaded while something of it is still on its way to the disk."""


class Host:
    """Worlds by id, the session that speaks for each, and the pairings."""

    def __init__(
        self,
        store: Store,
        secret: str,
        settings: Settings,
        *,
        rulebook: RulebookMaker | None = None,
        lock: FolderLock | None = None,
        now: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.store = store
        self.secret = secret
        self.lock = lock
        self.now = now
        self.pairings = Pairings(store, secret, seconds=settings.pairing, now=now, clock=clock)
        self.world_settings = Houses(store, rulebook, changed=self.use_rulebook)
        """World id -> its rulebook, and the settings of it."""
        self.notice = Notice(store)
        """What every GM must be told once."""
        self.counts = Counts()
        self.journal: Journal | None = None
        """The server's writer; none where commits are made at once."""
        self.trouble = ""
        """Why nothing can be saved just now, as a sentence."""
        self.speakers: dict[str, Session] = {}
        """World id -> the one session that is open for it."""
        self._worlds: dict[str, World] = {}

    @classmethod
    def open(
        cls,
        folder: Path | None = None,
        settings: Settings | None = None,
        *,
        rulebook: RulebookMaker | None = None,
        now: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Open a data folder, or a host that forgets all when ``folder`` is none.

        Raises:
            LockedError: Another bridge uses the folder.
            StoreError: The folder or its database cannot be used.
            ConfigError: The database is of a newer bridge.

        """
        settings = settings or Settings()
        if folder is None:
            return cls(SqliteStore(), auth.new_secret(), settings, rulebook=rulebook, now=now, clock=clock)
        lock = FolderLock(folder)
        try:
            secret = read_secret(folder, make=True)
            store, sentence = open_store(folder, durability=settings.durability, refuse=settings.on_corrupt == "refuse")
        except BaseException:
            lock.release()
            raise
        host = cls(store, secret, settings, rulebook=rulebook, lock=lock, now=now, clock=clock)
        if sentence:
            host.notice.post(sentence)
        for world in {client.world for client in host.pairings.all() if client.world.startswith(SCRATCH)}:
            # Whoever tried something in it is gone, as the bridge was.
            host.forget(world)
        return host

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and let the folder go.  What was not committed is gone, as after a kill."""
        self.store.close()
        if self.lock is not None:
            self.lock.release()

    def session(self, origin: str) -> Session:
        """Begin a conversation with a browser of this origin."""
        from bridge.session import Session

        return Session(self, origin)

    def pair(
        self, *, world: str, origin: str, user: str = "gm", name: str = "", world_name: str = ""
    ) -> tuple[str, str]:
        """Pair a browser without a code; return its client id and its key.  It is on disk."""
        client = self.pairings.add(world, origin, user, name, world_name)
        self.store.append_many([client])
        return client.id, self.pairings.key(client.id)

    def revoke(self, id: str) -> bool:
        """Revoke a browser's key and cut it off; false when there is no such client.  It is on disk."""
        client = self.pairings.revoke(id)
        if client is None:
            return False
        self.store.append_many([client])
        speaker = self.speakers.get(client.world)
        if speaker is not None and speaker.client == id:
            speaker.end(close(CloseCode.REVOKED))
        return True

    def rotate(self) -> int:
        """Make every key void by a new secret, and cut all browsers off; return how many.  It is on disk."""
        if self.lock is not None:
            _write_secret(self.lock.folder / SECRET)
            self.secret = read_secret(self.lock.folder)
        else:
            self.secret = auth.new_secret()
        revoked = self.pairings.rotate(self.secret)
        self.store.append_many(revoked)
        for speaker in [*self.speakers.values()]:
            speaker.end(close(CloseCode.REVOKED))
        return len(revoked)

    def world(self, id: str) -> World:
        """Return a world, loaded when it is not at hand.

        Raises:
            Busy: Something of it waits for the disk, so the disk does not show it as it is yet.

        """
        world = self._worlds.get(id)
        if world is None:
            from bridge.world import World

            if self.journal is not None and self.journal.waits(id):
                raise Busy
            # A store that was lost or restored must not give out the ids of the old one again.
            journal = auth.new_id()
            world = World(id, self.world_settings.rulebook(id), self.store.load(id), journal)
            world.before = self.world_settings.before(id)
            self._worlds[id] = world
        return world

    def use_rulebook(self, id: str) -> None:
        """Put the rulebook that is kept for a world in force at once, for an open session too."""
        try:
            world = self.world(id)
        except Busy:
            # It will be loaded with the new rulebook in any case.
            return
        replies = world.use(self.world_settings.rulebook(id))
        world.before = self.world_settings.before(id)
        speaker = self.speakers.get(id)
        if speaker is not None:
            speaker.say(replies)
            return
        writes: list[Write] = [(id, row) for row in world.take()]
        if self.journal is not None:
            self.journal.submit(id, writes, lambda: None)
        else:
            self.commit(writes)

    def configure(self, id: str, wish: protocol.Configured) -> list[protocol.Message | Catalogue]:
        """Put other house rules in force for a world whose GM asks for it; return what its session says.

        Raises:
            RefusedError: They are not those that the GM has seen, or the new ones have problems.

        """
        from bridge.engine.settings import BadSetting
        from bridge.rulebook import edit, pages

        houses, world = self.world_settings, self.world(id)
        text = houses.text(id)
        if pages.version(text) != wish.version:
            message = "The house rules have changed meanwhile: look again at what would change."
            raise RefusedError(message)
        before = houses.before(id)
        try:
            new = wish.text if wish.text is not None else before if wish.undo else pages.written(text, wish.changes)
            if new is None:
                message = "There is no earlier change to undo."
                raise RefusedError(message)
            houses.keep(id, new, told=False)
        except (edit.CannotEdit, BadSetting) as error:
            raise RefusedError(str(error)) from error
        replies = world.use(houses.rulebook(id))
        world.before, world.put = houses.before(id), wish.id
        return replies

    def claim(self, world: str, session: Session) -> bool:
        """Let a session speak for a world.  False: another client does."""
        speaker = self.speakers.get(world)
        if speaker is not None:
            if speaker.client != session.client:
                return False
            self.counts.takeovers += 1
            speaker.end(close(CloseCode.SUPERSEDED))
        self.speakers[world] = session
        return True

    def release(self, world: str, session: Session) -> None:
        """Forget a session that ended."""
        if self.speakers.get(world) is session:
            del self.speakers[world]

    def commit(self, writes: list[Write]) -> None:
        """Commit at once."""
        if writes:
            self.store.append_many(writes)

    def exchange(self, session: Session, text: str | bytes) -> bytes | None:
        """Take a frame, commit, and return the frame to send, if any.  ``session.closed`` says whether that was all."""
        return self.finish(session.receive(text))

    def finish(self, output: Output) -> bytes | None:
        """Commit what a session wants committed and return the frame to send, if any."""
        self.commit(output.writes)
        return output.frame

    def drop(self, id: str, code: CloseCode = CloseCode.DEGRADED, reason: str = "") -> None:
        """Let a world go from memory and end its session; when it comes back it is read from disk."""
        self._worlds.pop(id, None)
        speaker = self.speakers.get(id)
        if speaker is not None:
            speaker.end(close(code, reason or "The world is loaded afresh."))

    def forget(self, id: str) -> None:
        """Delete all that is kept of a world, its pairings included."""
        self.drop(id, CloseCode.REVOKED, "This world was removed from the bridge. Pair it again.")
        self.store.forget(id)
        self.world_settings.forget(id)
        self.pairings.reload()

    def fail(self, sentence: str) -> None:
        """A commit failed: its outcome is unknown, so all that is in memory is void until ``recover``."""
        self.trouble = sentence
        self._worlds.clear()
        for speaker in list(self.speakers.values()):
            speaker.end(close(CloseCode.DEGRADED))

    def recover(self) -> None:
        """The store works again; go on from what it holds."""
        self.pairings.reload()
        self.trouble = ""


def read_secret(folder: Path, *, make: bool = False) -> str:
    """Return the secret of a data folder; ``make`` one when there is none.

    Raises:
        StoreError: There is none, or it cannot be read.
        ConfigError: It is damaged.

    """
    path = folder / SECRET
    try:
        if make and not path.exists():
            _write_secret(path)
        secret = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        message = f"The secret {path} cannot be read: {error}."
        raise StoreError(message) from error
    if not auth.is_nonce(secret):
        message = f"The secret {path} is damaged. Move it away; every browser must then pair again."
        raise ConfigError(message)
    return secret


def _write_secret(path: Path) -> None:
    """Write a fresh secret, whole or not at all, readable by its owner only."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, auth.new_secret().encode())
        os.fsync(file)
    finally:
        os.close(file)
    draft.replace(path)
