"""House settings: what a rulebook may say, and what holds when it says nothing (rules, section 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

OFF = "off"
REMIND = "remind"
ASK = "ask"
AUTO = "auto"
MOST_TEXT = 100
MOST_TEXTS = 200


class BadSetting(Exception):
    """A setting that is not known, or a value that it cannot have.  ``key`` says which."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key


@dataclass(frozen=True)
class Setting:
    """One key with its default and what it may be: one of ``choices``, or a number of at least ``least``.

    A default that is a list: any of the choices, or short texts where there are none.
    """

    key: str
    default: Any
    choices: tuple[Any, ...] = ()
    least: int = 0
    text: bool = False
    """Free text, e.g. a damage formula."""

    def check(self, value: Any) -> Any:  # noqa: ANN401  # a setting may be of any kind: that is what is checked
        """Return the value, or raise BadSetting in plain words."""
        if isinstance(self.default, list) and not self.choices:
            return self._texts(value)
        if isinstance(self.default, list):
            if not isinstance(value, list | tuple) or any(v not in self.choices for v in value):
                raise BadSetting(self.key, f"must be a list of {', '.join(map(str, self.choices))}, not {value!r}")
            return list(value)
        if self.choices:
            # A year is a word as well, written without its quotes: 2014.
            word = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
            if word not in self.choices or isinstance(word, bool) != isinstance(self.choices[0], bool):
                known = ", ".join(str(choice).lower() for choice in self.choices)
                raise BadSetting(self.key, f"must be one of {known}, not {value!r}")
            # Our own copy of the word: what is equal to a default is then left out on the wire, whoever wrote it.
            return self.choices[self.choices.index(word)]
        if self.text:
            if not isinstance(value, str) or not 1 <= len(value) <= MOST_TEXT:
                raise BadSetting(self.key, f"must be a short text, not {value!r}")
            return value
        if not isinstance(value, int) or isinstance(value, bool) or value < self.least:
            raise BadSetting(self.key, f"must be a whole number of at least {self.least}, not {value!r}")
        return value

    def _texts(self, value: Any) -> list[str]:  # noqa: ANN401  as above
        if not isinstance(value, list | tuple) or len(value) > MOST_TEXTS:
            raise BadSetting(self.key, f"must be a list of at most {MOST_TEXTS} short texts, not {value!r}"[:MOST_TEXT])
        for each in value:
            if not isinstance(each, str) or not 1 <= len(each) <= MOST_TEXT:
                raise BadSetting(self.key, f"must be a list of short texts: {each!r} is none")
        return list(value)


TRUE_FALSE = (True, False)
GENERAL = (
    Setting("rolls.mode", "suggest", ("off", "suggest", "enforce")),
    Setting("limits.players", "refuse", ("off", "warn", "refuse")),
    Setting("limits.gm", "warn", ("off", "warn", "refuse")),
    Setting("players.own-hand", "accept", ("accept", "ask", "put-back")),
    Setting("cards.gain", "all", ("off", "gm", "owner", "all")),
    Setting("cards.turn", "owner", ("off", "gm", "owner", "all")),
    Setting("cards.derived", "off", ("off", "gm", "owner", "all")),
    Setting("cards.npcs", "all", ("gm", "all")),
)


class Settings(Mapping[str, Any]):
    """All settings of a rulebook: what it says, else the defaults."""

    def __init__(self, known: Iterable[Setting], values: Mapping[str, Any]) -> None:
        self.known = {setting.key: setting for setting in known}
        self.given: dict[str, Any] = {}
        for key, value in values.items():
            if key not in self.known:
                raise BadSetting(key, "there is no such setting")
            self.given[key] = self.known[key].check(value)

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401  # as above
        return self.given[key] if key in self.given else self.known[key].default

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)
