"""What the bridge counts while it works: plain numbers, so that counting costs next to nothing.

Every key is one of a few that the code names: no name of a world, a person or a creature, and nothing that a stranger
can choose.  ``metrics.py`` tells them to whoever asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

FAST = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
"""Bounds in seconds, for what the disk does."""
SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds in seconds, for what a browser does."""


class Times:
    """How long something took, counted in buckets."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.buckets = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.buckets[bisect_left(self.bounds, seconds)] += 1
        self.sum += seconds


class Counts:
    """All that is counted, from start to end of the process."""

    def __init__(self) -> None:
        self.auth_failures: Counter[str] = Counter()
        """``code``: a wrong pairing code; ``key``: a wrong proof."""
        self.received: Counter[str] = Counter()
        """Messages that were taken, by type."""
        self.rejected: Counter[str] = Counter()
        """Messages that were answered with an error, by its code."""
        self.commands: Counter[str] = Counter()
        """Answers to Foundry: ``sent``, ``done`` and ``failed``."""
        self.redeliveries = 0
        """Answers that were sent a second time, after a connection broke."""
        self.latency = Times(SLOW)
        """From sending an answer until Foundry shows its receipt."""
        self.commit = Times(FAST)
        """From handing writes to the disk until they are there."""
        self.sessions = 0
        """Conversations that were opened."""
        self.takeovers = 0
        """Conversations that another one of the same browser has ended."""
        self.overflows = 0
        """How often a reader had to wait because too much of its world waited for the disk."""
        self.storage_errors: Counter[str] = Counter()
        """Failures of the disk: ``full``, ``damaged`` or ``other``."""
