"""The house rules of each world: its rulebook's settings, kept in the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from bridge.engine.conditions import Rulebook
from bridge.store.base import Store

RulebookMaker = Callable[[dict[str, Any]], Rulebook]
"""Turns settings into a rulebook; raises ``BadSetting`` when they do not fit."""

_PREFIX = "rulebook:"


class Houses:
    """World id -> settings, a JSON object; empty when nothing was set.

    What is set is on disk at once, and in force from the world's next session on; ``changed(world)`` is called then.
    """

    def __init__(self, store: Store, make: RulebookMaker | None, changed: Callable[[str], None]) -> None:
        self._store = store
        self._make = make
        self._changed = changed

    def rulebook(self, world: str) -> Rulebook:
        """Return the rulebook of a world; the standard one when nothing is set."""
        return self._built(self[world])

    def __getitem__(self, world: str) -> dict[str, Any]:
        value = self._store.meta(_PREFIX + world)
        return {} if value is None else msgspec.json.decode(value, type=dict[str, Any])

    def __setitem__(self, world: str, settings: dict[str, Any]) -> None:
        """Check and keep the settings of a world.  Raises BadSetting."""
        self._built(settings)
        self._store.set_meta(_PREFIX + world, msgspec.json.encode(settings))
        self._changed(world)

    def forget(self, world: str) -> None:
        """Remove a world's settings, when it has any."""
        self._store.set_meta(_PREFIX + world, None)

    def _built(self, settings: dict[str, Any]) -> Rulebook:
        if self._make is not None:
            return self._make(settings)
        from bridge.rules import rulebook

        return rulebook(settings)
