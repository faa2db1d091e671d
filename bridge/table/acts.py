"""How a step of a scenario is done at the table.  The functions stand by subject in ``acts_*.py``."""

from __future__ import annotations

from functools import singledispatch

from bridge.protocol import By

from .documents import GM, player_of
from .steps import Note, Step
from .table import NotDone, Table

PLAYER = "player"


@singledispatch
def act(step: Step, table: Table) -> None:
    """Do a step at the table."""
    message = f"{type(step).__name__} is not something that is done at {table.about.name!r}"
    raise TypeError(message)


@act.register
def _(_step: Note, _table: Table) -> None:
    """Nothing; for the reader."""


def someone(table: Table, by: str | None, key: str) -> By:
    """Return who it is: ``gm``, ``player`` (the creature's), an actor's key (its player), or left out: whose it is."""
    match by:
        case None:
            return table.hand_of(key)
        case "gm":
            return GM
        case "player":
            return player_of(key)
        case other:
            if other not in table.keys:
                message = f"there is no creature {other!r} at the table"
                raise NotDone("unknown-actor", message)
            return player_of(other)
