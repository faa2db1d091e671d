"""What the stand-in's own tests share: opening a table, and writing down which hooks came."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from playwright.async_api import BrowserContext, Page

from .server import FoundryServer


async def open_two(
    server: FoundryServer, context: Callable[[], Awaitable[BrowserContext]], player: str = "ann"
) -> tuple[Page, Page]:
    """A GM's browser and a player's."""
    return await server.open(await context(), "gm"), await server.open(await context(), player)


async def record(page: Page, *hooks: str) -> None:
    """Write down the named hooks from now on, in `seen`."""
    await page.evaluate(
        """names => {
          globalThis.seen = [];
          for ( const name of names ) Hooks.on(name, () => { globalThis.seen.push(name); });
        }""",
        list(hooks),
    )


def points(server: FoundryServer, actor: str = "bors") -> int:
    """Current hit points of a world actor, as the server has them."""
    value: int = server.actor(actor)["system"]["attributes"]["hp"]["value"]
    return value
