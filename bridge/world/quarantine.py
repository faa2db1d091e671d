"""What made a rule of ours fail, each kind of failure once."""

from __future__ import annotations

import traceback
from typing import NamedTuple

MOST = 256
"""Kinds of failures that are told apart; after that only known ones are kept quiet."""


class Failure(NamedTuple):
    """One kind of failure.  ``what``: what was being looked at."""

    error: Exception
    what: str


class Quarantine:
    """Failures since they were last taken.  ``raises``: fail at once instead, for tests."""

    def __init__(self, *, raises: bool = False) -> None:
        self._raises = raises
        self._known: dict[tuple[str, str, int], None] = {}
        self._new: list[Failure] = []

    def add(self, error: Exception, what: str) -> None:
        """Note a failure, unless its like has been noted before."""
        if self._raises:
            raise error
        last = traceback.extract_tb(error.__traceback__)[-1]
        kind = (type(error).__name__, last.filename, last.lineno or 0)
        if kind in self._known or len(self._known) == MOST:
            return
        self._known[kind] = None
        self._new.append(Failure(error, what))

    def take(self) -> list[Failure]:
        """Return the new ones."""
        new, self._new = self._new, []
        return new
