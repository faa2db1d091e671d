"""Chat commands: ``/drink [number] [strength=N] [willing]``, ``/eat``, ``/water``, ``/conditions`` (INT-17)."""

from __future__ import annotations

from msgspec import Struct

from bridge.protocol import Line

MOST = 1000


class BadCommand(Exception):
    """The command cannot be read; ``line`` says what to type."""

    def __init__(self, line: Line) -> None:
        self.line = line
        super().__init__(line.text)


class Command(Struct, frozen=True):
    """A command as typed.  ``name``: the creature that a GM names with ``@``."""

    verb: str
    count: int = 1
    strength: int = 1
    willing: bool = False
    name: str | None = None


def parse(text: str) -> Command:
    """Read a chat command; the words may stand in any order.  Raises BadCommand."""
    words = text.strip().split()
    if not words or words[0].lower() not in ("/drink", "/eat", "/water", "/conditions"):
        raise BadCommand(Line("command-unknown", "Known commands are /drink, /eat, /water and /conditions."))
    verb, count, strength, willing, name = words[0][1:].lower(), 1, 1, False, None
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        if word.startswith("@"):
            # A name may have blanks: it takes all words that are not the command's own.
            parts = [word[1:]]
            while rest and not _is_own(verb, rest[0]):
                parts.append(rest.pop(0))
            name = " ".join(parts)
        elif verb == "drink" and word.lower() == "willing":
            willing = True
        elif verb == "drink" and word.lower().startswith("strength="):
            strength = _number(word[len("strength=") :], "strength")
        elif verb == "drink" and word.isdecimal():
            count = _number(word, "number of drinks")
        else:
            usage = "/drink [number] [strength=N] [willing] [@name]" if verb == "drink" else f"/{verb} [@name]"
            text = f"“{word[:40]}” is not understood. Type {usage}."
            raise BadCommand(Line("command-word", text, {"text": word[:40], "usage": usage}))
    return Command(verb, count, strength, willing, name)


def _is_own(verb: str, word: str) -> bool:
    return verb == "drink" and (word.isdecimal() or word.lower() == "willing" or word.lower().startswith("strength="))


def _number(text: str, what: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MOST:
        text = f"The {what} must be a number from 1 to {MOST}."
        key = "command-strength" if what == "strength" else "command-count"
        raise BadCommand(Line(key, text, {"most": MOST}))
    return int(text)
