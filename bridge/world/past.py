"""Two memories of one world, Foundry's and ours: which of them is of another time, and what the GM is told of it.

Foundry's stamps are the truth in every case (design, law 1).  Receipts that are lower than we know: the world was
restored; higher ones: our store was; receipts where we know nothing: our store is a new one.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bridge.engine.state import Actor
from bridge.protocol import Table
from bridge.world.memory import Memory

WORLD_RESTORED = (
    "This world was restored from an older backup: it is taken as it stands now. "
    "What the bridge did since then is only in its history."
)
STORE_RESTORED = (
    "The bridge's store is older than this world, perhaps a restored backup: the world is taken as it stands now. "
    "What the bridge did in between is missing in history and undo."
)
STORE_LOST = (
    "The bridge has no memory of this world, though it has worked here before: the world is taken as it stands now. "
    "History and undo begin anew."
)
COPY = (
    "This is a copy of a world that speaks with the bridge just now ({name}). Close the other one, "
    "or give the copy an identity of its own (docs/reliability.md says how)."
)
MOVED = (
    "This world was last seen in another folder of Foundry ({was}, now {home}). If both are played, "
    "give one of them an identity of its own (docs/reliability.md says how)."
)


class Past(Struct, frozen=True):
    """What the GM is told.  ``behind``: our own store is the older one."""

    sentence: str
    behind: bool = False


def past(memory: Memory, world: str, shown: Sequence[Actor], *, first: bool) -> Past | None:
    """Compare the stamps of a whole world with what is remembered; none when they fit."""
    ours = [actor for actor in shown if actor.memory.world == world]
    newest = max((actor.memory.receipt for actor in ours), default=0)
    if first:
        return Past(STORE_LOST) if newest else None
    if newest > memory.basics.last:
        return Past(STORE_RESTORED, behind=True)
    for actor in ours:
        known = memory.actors.get(actor.id)
        if known is not None and actor.memory.receipt < known.memory.receipt:
            return Past(WORLD_RESTORED)
    return None


def is_copy(one: Table, other: Table) -> bool:
    """Tell whether two that name the same world are kept in different places."""
    return bool(one.home and other.home and one.home != other.home)


def moved(was: Table | None, now: Table) -> str:
    """Return what the GM is told when the world is somewhere else than the last time."""
    return MOVED.format(was=was.home, home=now.home) if was is not None and is_copy(was, now) else ""
