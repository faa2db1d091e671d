"""Who may speak for which world: paired browsers, and the window in which a new one may pair."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from bridge import auth
from bridge.store.base import Client, Store


class Pairings:
    """The clients of a store, by id.

    ``secret``: the data folder's, of which every key is derived.  ``now``: monotonic seconds.  ``clock``: Unix seconds,
    only to show people when something was.
    """

    def __init__(
        self,
        store: Store,
        secret: str,
        *,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._secret = secret
        self._seconds = seconds
        self._now = now
        self._clock = clock
        self.failures = auth.Failures()
        self.window: auth.Window | None = None
        self._clients: dict[str, Client] = {}
        self._origins: frozenset[str] = frozenset()
        self.reload()

    def reload(self) -> None:
        """Read the clients from the store."""
        self._clients = {client.id: client for client in self._store.clients()}
        self._note_origins()

    def all(self) -> list[Client]:
        """Return every client, revoked ones included."""
        return list(self._clients.values())

    def get(self, id: str) -> Client | None:
        """Return a client that is not revoked."""
        client = self._clients.get(id)
        return client if client is not None and not client.revoked else None

    def key(self, id: str) -> str:
        """Return the key of a client, whether it exists or not."""
        return auth.client_key(self._secret, id)

    def knows(self, origin: str) -> bool:
        """Tell whether a client that is not revoked comes from this origin."""
        return origin in self._origins

    def exist(self) -> bool:
        """Tell whether anybody is paired."""
        return bool(self._origins)

    def open_window(self) -> auth.Window:
        """Open a pairing window; one that is open already is closed."""
        self.window = auth.Window.open(self._now(), self._seconds)
        return self.window

    def is_open(self) -> bool:
        """Tell whether a browser may pair now."""
        return self.window is not None and self.window.is_open(self._now())

    def attempt(self, code: str) -> bool:
        """Try a pairing code."""
        return self.window is not None and self.window.attempt(code, self._now())

    def tries_left(self) -> int:
        """Return how many more codes may be tried."""
        return self.window.tries if self.window is not None and self.is_open() else 0

    def add(self, world: str, origin: str, user: str, name: str = "", world_name: str = "") -> Client:
        """Make a client.  The caller has it written before it tells anybody."""
        at = int(self._clock())
        return self._keep(Client(auth.new_id(), world, origin, user, name, world_name, at, at))

    def seen(self, client: Client, user: str, name: str, world_name: str) -> Client:
        """Note that a client was here.  The caller has it written."""
        at = int(self._clock())
        changed = msgspec.structs.replace(client, user=user, name=name, world_name=world_name, seen=at)
        return self._keep(changed)

    def revoke(self, id: str) -> Client | None:
        """Revoke a client.  The caller has it written.  None: there is no such client."""
        client = self._clients.get(id)
        if client is None:
            return None
        return self._keep(msgspec.structs.replace(client, revoked=client.revoked or int(self._clock())))

    def rotate(self, secret: str) -> list[Client]:
        """Derive keys of another secret from now on, and revoke everybody.  The caller has those returned written."""
        self._secret = secret
        valid = [client.id for client in self._clients.values() if not client.revoked]
        return [client for id in valid if (client := self.revoke(id)) is not None]

    def _keep(self, client: Client) -> Client:
        self._clients[client.id] = client
        self._note_origins()
        return client

    def _note_origins(self) -> None:
        self._origins = frozenset(client.origin for client in self._clients.values() if not client.revoked)
