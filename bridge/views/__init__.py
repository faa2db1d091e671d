"""What a GM's window shows, made here and drawn by the module: one pure function of the world for each view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bridge import protocol as p
from bridge.views import configure, console, history, why

if TYPE_CHECKING:
    from bridge.world import World

About = Mapping[str, p.Asked]
VIEWS: dict[str, Callable[[World, About], p.View]] = {
    "configure": configure.view,
    "console": console.view,
    "history": history.view,
    "why": why.view,
}


def answer(world: World, ask: p.Ask) -> p.Answer | p.Error:
    """Answer a question; one that makes us fail is told, and all else goes on."""
    if not ask.by.gm:
        return p.Error("not-allowed", "Only a GM can see that.", id=ask.id)
    if ask.what not in VIEWS:
        return p.Error("unknown-view", f"There is no view {ask.what!r}.", id=ask.id)
    try:
        return p.Answer(ask.id, VIEWS[ask.what](world, ask.about))
    except Exception as error:  # noqa: BLE001  as for a message: a bug of ours must not end the session
        world.failures.add(error, f"the view {ask.what!r}")
        return p.Error("invalid", "The bridge met an error of its own with this view. Its log says more.", id=ask.id)
