"""What is wrong with a rulebook, in plain words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from msgspec import Struct

from bridge.engine.settings import BadSetting


class Problem(Struct, frozen=True):
    """One thing that is wrong: where, what, and what would be right."""

    path: str
    """The key's path, e.g. ``own.chilled.modifiers[2].gives``; empty for the file as a whole."""
    message: str
    line: int | None = None

    def told(self, file: str) -> str:
        """Return it in one line, as compilers do it."""
        place = f"{file}:{self.line}" if self.line else file
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"


class BadRulebook(BadSetting):
    """A rulebook that cannot be used.  ``problems`` has everything that is wrong, in the order of the file."""

    def __init__(self, file: str, problems: Iterable[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        first = self.problems[0]
        super().__init__(first.path, first.message)

    def __str__(self) -> str:
        return "\n".join(problem.told(self.file) for problem in self.problems)


def near(word: object, known: Iterable[object]) -> str:
    """Return ``: did you mean "x"?`` when a known word is close, else what there is."""
    words = [str(each) for each in known]
    if {"True", "False"} & set(words):
        return f": write {str(word).lower()} without quotes" if str(word).lower() in ("true", "false") else ""
    found = difflib.get_close_matches(str(word), words, 1)
    return f': did you mean "{found[0]}"?' if found else ""
