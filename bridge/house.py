"""The house rules of each world: its rulebook, kept in the store as the text that the GM wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from bridge.errors import StoreError
from bridge.store.base import Store

if TYPE_CHECKING:
    from bridge.engine.conditions import Rulebook

RulebookMaker = Callable[[dict[str, Any]], "Rulebook"]
"""Turns settings into a rulebook; raises ``BadSetting`` when they do not fit."""

MOST_PARSED = 64
"""Rulebooks that are kept ready."""
_PREFIX = "rulebook:"
_BEFORE = "rulebook-before:"


class Houses:
    """World id -> rulebook: a text; empty when nothing was set, and the standard rulebook holds.

    What is kept is on disk at once; ``changed(world)`` is called then and puts it in force.
    As a mapping it is the settings that the text gives.
    """

    def __init__(self, store: Store, make: RulebookMaker | None, changed: Callable[[str], None]) -> None:
        self._store = store
        self._make = make
        self._changed = changed
        self._parsed: dict[str, Rulebook] = {}
        """Text -> rulebook: worlds with the same rules share one."""

    def text(self, world: str) -> str:
        """Return the rulebook of a world as it was written; empty when nothing was set."""
        value = self._store.meta(_PREFIX + world)
        if value is None or value == b"{}":
            return ""
        if value.startswith(b"{"):
            # A bridge of the first days kept the settings alone.
            from bridge.rulebook import edit

            return edit.with_settings("", msgspec.json.decode(value, type=dict[str, Any]))
        return value.decode()

    def before(self, world: str) -> str | None:
        """Return the rulebook that a world had before its last change."""
        value = self._store.meta(_BEFORE + world)
        return None if value is None else value.decode()

    def keep(self, world: str, text: str, *, told: bool = True) -> None:
        """Check the text of a rulebook, keep it for a world and put it in force.

        ``told``: ``changed`` is called; else whoever asks puts it in force.

        Raises:
            BadSetting: The text has problems (BadRulebook); nothing has changed.

        """
        self._built(text)
        before = self.text(world)
        if before != text:
            self._store.set_meta(_BEFORE + world, before.encode())
        self._store.set_meta(_PREFIX + world, text.encode())
        if told:
            self._changed(world)

    def rulebook(self, world: str) -> Rulebook:
        """Return the rulebook of a world; the standard one when nothing is set.

        Raises:
            StoreError: What is kept does not fit this bridge any more.

        """
        from bridge.engine.settings import BadSetting

        text = self.text(world)
        known = self._parsed.get(text)
        if known is not None:
            return known
        try:
            found = self._built(text)
        except BadSetting as error:
            message = f"The rulebook of world {world} does not fit this bridge (bridge rulebook export): {error}"
            raise StoreError(message) from error
        if self._make is None:
            if len(self._parsed) >= MOST_PARSED:
                del self._parsed[next(iter(self._parsed))]
            self._parsed[text] = found
        return found

    def __getitem__(self, world: str) -> dict[str, Any]:
        from bridge.rulebook import edit

        return edit.given(self.text(world))

    def __setitem__(self, world: str, settings: dict[str, Any]) -> None:
        """Check and keep the settings of a world; the rest of its rulebook stays.  Raises BadSetting."""
        from bridge.engine.settings import BadSetting
        from bridge.rulebook import edit

        try:
            text = edit.with_settings(self.text(world), settings, only=True)
        except edit.CannotEdit as error:
            raise BadSetting("settings", str(error)) from error
        self.keep(world, text)

    def forget(self, world: str) -> None:
        """Remove a world's rulebook, when it has any."""
        self._store.set_meta(_PREFIX + world, None)
        self._store.set_meta(_BEFORE + world, None)

    def _built(self, text: str) -> Rulebook:
        if self._make is None:
            from bridge.rulebook import book

            return book.parse(text)
        from bridge.rulebook import edit

        return self._make(edit.given(text))
