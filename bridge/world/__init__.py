"""One Foundry world, without I/O: pictures and happenings in, operations out."""

from typing import TYPE_CHECKING, Any

from bridge.world.row import Row

if TYPE_CHECKING:
    from bridge.world.world import World

__all__ = ["Row", "World"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  whatever it is
    """Load the world itself when it is asked for: the store needs its rows alone, and a bridge starts without it."""
    if name == "World":
        from bridge.world.world import World

        return World
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
