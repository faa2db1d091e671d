"""What every GM must be told once, however often the bridge is started until then: e.g. that its store was damaged."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from bridge.store.base import Store

_KEY = "notice"


class _Posted(Struct):
    text: str
    told: list[str] = []


class Notice:
    """A sentence in the store, and the worlds that have been told."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def post(self, text: str) -> None:
        """Have every world told; it replaces an older notice."""
        self._store.set_meta(_KEY, msgspec.json.encode(_Posted(text)))

    def take(self, world: str) -> str:
        """Return what this world has not been told yet; it counts as told."""
        found = self._store.meta(_KEY)
        if found is None:
            return ""
        posted = msgspec.json.decode(found, type=_Posted)
        if world in posted.told:
            return ""
        posted.told.append(world)
        self._store.set_meta(_KEY, msgspec.json.encode(posted))
        return posted.text
