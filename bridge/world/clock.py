"""World time as the rules count it: the clock, and seconds of rounds that the clock has not shown yet.

TIM-7: "In a combat whose rounds run while the clock stands still, seconds are counted as 6 a round; when the clock
catches up, what was counted is not counted again."
"""

from __future__ import annotations

from msgspec import Struct

from bridge.engine.timers import ROUND


class Clock(Struct):
    """What Foundry shows, and how far the rules are ahead of it."""

    shown: int = 0
    """The clock in Foundry, in seconds."""
    lag: int = 0
    """Seconds counted in rounds beyond it."""
    early: int = 0
    """Seconds that it has moved for a round whose own message is still to come."""

    @property
    def now(self) -> int:
        """World time as the rules count it, in seconds."""
        return self.shown + self.lag

    def move(self, to: int) -> None:
        """Foundry's clock has moved to ``to``."""
        step = to - self.shown
        self.shown = to
        if step < 0:
            # TIM-5: a clock that is set back is a correction of all of it.
            self.lag = self.early = 0
            return
        caught_up = min(self.lag, step)
        self.lag -= caught_up
        self.early = min(ROUND, self.early + step - caught_up)

    def rounds(self, count: int) -> None:
        """``count`` new rounds of a combat have begun."""
        seconds = count * ROUND
        shown = min(self.early, seconds)
        self.early -= shown
        self.lag += seconds - shown
