"""Fixtures for every test that needs a browser: a Chromium and stand-in Foundries."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, async_playwright

from tests.browser.chromium import executable
from tests.browser.foundry import documents
from tests.browser.foundry.merge import Json
from tests.browser.foundry.server import FoundryServer
from tests.browser.foundry.world import World
from tests.browser.table import Bridge

_SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

MakeFoundry: TypeAlias = Callable[..., Awaitable[FoundryServer]]
MakeContext: TypeAlias = Callable[[], Awaitable[BrowserContext]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What uses the one browser runs on the event loop that the browser lives on."""
    for item in items:
        if Path(__file__).parent in item.path.parents and "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One Chromium for the whole run: the one that is named, else the machine's own, else Playwright's."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable(), args=_SWITCHES)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def context(chromium: Browser) -> AsyncIterator[MakeContext]:
    """Makes browser contexts (one per person at the table, as each has a browser of their own)."""
    async with AsyncExitStack() as stack:

        async def make() -> BrowserContext:
            made = await chromium.new_context(viewport={"width": 1440, "height": 900})
            stack.push_async_callback(made.close)
            return made

        yield make


@pytest_asyncio.fixture(loop_scope="session")
async def foundry() -> AsyncIterator[MakeFoundry]:
    """Makes running stand-in Foundries.

    `await foundry(profile, actors=[…], users=[…], scenes=[…], settings={"dnd5e.bloodied": "none"},
    packs={"world.monsters": […]}, module_dir=…, modules=["midi-qol"])`; what is left out is a table with a GM, two players, a fighter,
    a cleric and a goblin.
    """
    async with AsyncExitStack() as stack:

        async def make(
            profile: str = "v14+dnd5e-6",
            *,
            actors: list[Json] | None = None,
            users: list[Json] | None = None,
            scenes: list[Json] | None = None,
            settings: Json | None = None,
            packs: dict[str, list[Json]] | None = None,
            module_dir: Path | None = None,
            modules: Iterable[str] = (),
        ) -> FoundryServer:
            cast = actors if actors is not None else default_actors()
            world = World(
                users=users if users is not None else default_users(),
                actors=cast,
                scenes=scenes if scenes is not None else [documents.scene("tavern", documents.placed(cast))],
                packs=packs or {},
            )
            server = FoundryServer(profile, world=world, module_dir=module_dir, modules=modules)
            await stack.enter_async_context(server)
            for key, value in {"core.time": 1_000_000, **(settings or {})}.items():
                namespace, name = key.split(".", 1)
                await server.set_setting(namespace, name, value)
            server.journal.clear()
            return server

        yield make


@pytest_asyncio.fixture(loop_scope="session")
async def bridge(tmp_path: Path) -> AsyncIterator[Bridge]:
    """A running bridge of its own, with nobody paired."""
    made = Bridge(tmp_path / "bridge")
    await made.start()
    yield made
    await made.stop()


def default_users() -> list[Json]:
    """A GM and two players."""
    return [
        documents.user("gm", gm=True, color="#d0a040"),
        documents.user("ann", character="bors", color="#4aa3df"),
        documents.user("ben", character="mira", color="#7bc96f"),
    ]


def default_actors() -> list[Json]:
    """The players' fighter and cleric, and the GM's goblin on an unlinked token."""
    return [documents.fighter("bors", owner="ann"), documents.cleric("mira", owner="ben"), documents.goblin()]
