"""The table's dice: scripted ones first, then thrown from a fixed seed."""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterable

_TERM = re.compile(r"([+-]?)\s*(?:(\d*)d(\d+)|(\d+))")


class Dice:
    """Throws dice.  What a step scripts is shown in order; what is left over when the step ends is forgotten."""

    def __init__(self, seed: int = 20) -> None:
        self._random = random.Random(seed)  # noqa: S311 - dice at a make-believe table, the same every time
        self._scripted: deque[int] = deque()

    def script(self, shown: Iterable[int]) -> None:
        """Let the next dice show these."""
        self._scripted = deque(shown)

    def throw(self, sides: int) -> int:
        """Return what one die shows."""
        if self._scripted:
            return self._scripted.popleft()
        return self._random.randint(1, sides)

    def roll(self, formula: str) -> int:
        """Return the total of a formula such as ``1d4 + 2``."""
        total, rest = 0, formula.strip()
        while rest:
            found = _TERM.match(rest)
            if not found:
                message = f"the table cannot roll {formula!r}"
                raise ValueError(message)
            sign = -1 if found[1] == "-" else 1
            if found[4]:
                total += sign * int(found[4])
            else:
                total += sign * sum(self.throw(int(found[3])) for _ in range(int(found[2] or 1)))
            rest = rest[found.end() :].strip()
        return total
