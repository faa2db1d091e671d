"""How much: what fits into every day, or the full count."""

from __future__ import annotations

import os

LONG = os.environ.get("CONDITION_BRIDGE_LONG") == "1"
SEED = int(os.environ.get("CONDITION_BRIDGE_SEED", "20260101"))
"""The seed of every random choice in these tests."""


def count(everyday: int, long: int) -> int:
    """Return how often a test is to do it."""
    return long if LONG else everyday
