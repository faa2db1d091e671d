"""One Foundry world, without I/O: pictures and happenings in, operations out."""

from bridge.world.memory import Row
from bridge.world.world import World

__all__ = ["Row", "World"]
