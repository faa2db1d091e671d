"""Where scenarios are played: one stand-in Foundry, one bridge, and browser pages that are used again and again."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

import msgspec
from playwright.async_api import Browser, BrowserContext, Page

from bridge.engine.publish import publish
from bridge.host import Host
from bridge.rulebook.book import parse
from bridge.server import Server
from bridge.settings import Settings
from bridge.table.people import seat
from bridge.table.scenario import Scenario
from bridge.table.table import Table
from tests.browser.foundry.merge import Json
from tests.browser.foundry.profiles import PROFILES
from tests.browser.foundry.server import FoundryServer
from tests.browser.foundry.world import World
from tests.browser.player import cast
from tests.browser.table import MODULE

SCRIPT = Path(__file__).with_name("page.js")
PATIENCE = 20.0
PLENTY = 1_000_000
"""A story is told faster than any table plays."""


class Unsettled(Exception):
    """Table and bridge do not come to rest."""


class Stage:
    """Use it as an async context manager, and `begin` each scenario."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self.server = FoundryServer(module_dir=MODULE)
        self.pages: dict[str, Page] = {}
        """User -> the page on which they sit in this scenario."""
        self.world = ""
        self._spare: list[Page] = []
        self._contexts: list[BrowserContext] = []
        self._host: Host | None = None
        self._bridge: Server | None = None

    async def __aenter__(self) -> Self:
        self._host = Host.open(self._folder, Settings(port=0, durability="normal", rate=PLENTY, burst=PLENTY))
        self._bridge = Server(self._host)
        await self._bridge.start()
        await self.server.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for context in self._contexts:
            await context.close()
        await self.server.stop()
        assert self._bridge is not None
        assert self._host is not None
        await self._bridge.stop()
        self._host.close()

    @property
    def gm(self) -> Page:
        """The GM's page."""
        return self.pages[cast.GM]

    async def begin(self, scenario: Scenario, profile: str, players: list[str]) -> Table:
        """Set everything up as the scenario says; return what the simulated table would begin with."""
        await self._leave()
        self.world = f"w{uuid.uuid4().hex[:15]}"
        table = seat(scenario, self.world)
        await self._furnish(scenario, table, profile)
        assert self._host is not None
        self._host.world_settings.keep(self.world, scenario.text)
        client, key = self._host.pair(world=self.world, origin=self.server.url)
        assert self._bridge is not None
        paired = {"client": client, "key": key, "url": self._bridge.url.replace("http", "ws") + "/"}
        for number, user in enumerate([cast.GM, *players]):
            self.pages[user] = await self._page(number)
        await asyncio.gather(*(self._open(user, paired if user == cast.GM else {}) for user in self.pages))
        await self.gm.wait_for_function("player.state().link === 'connected'")
        if not scenario.world.clock_in_combat:
            await self.gm.evaluate("CONFIG.time.roundTime = 0")
        await self.settle()
        return table

    async def _furnish(self, scenario: Scenario, table: Table, profile: str) -> None:
        server = self.server
        server.profile = PROFILES[profile]
        server._modules = list(scenario.world.modules)
        server.world = World(
            users=cast.users(scenario),
            actors=cast.actors(scenario, table, profile),
            scenes=[cast.scene(scenario, table)],
            combats=cast.combats(table, scenario),
        )
        bloodied = "all" if scenario.world.native_bloodied else "none"
        for name, value in {
            "core.time": scenario.world.time,
            "dnd5e.bloodied": bloodied,
            "condition-bridge.world": self.world,
            **_known_before(scenario, profile),
        }.items():
            namespace, key = name.split(".", 1)
            await server.set_setting(namespace, key, value)
        server.journal.clear()
        server.refused.clear()
        server.page_errors.clear()

    async def _leave(self) -> None:
        """Everybody leaves the world of the last scenario, and the bridge forgets it."""
        await asyncio.gather(*(page.goto("about:blank") for page in self.pages.values()))
        self.pages.clear()
        if self.world and self._host is not None:
            self._host.forget(self.world)
        for _ in range(500):
            if not self.server.clients:
                break
            await asyncio.sleep(0.002)

    async def _page(self, number: int) -> Page:
        while len(self._spare) <= number:
            context = await self._browser.new_context(viewport={"width": 1200, "height": 800})
            self._contexts.append(context)
            await context.add_init_script(path=SCRIPT)
            page = await context.new_page()
            page.on("pageerror", lambda error: self.server.page_errors.append(str(error)))
            page.on("console", lambda said: self.server._listen("", said))
            self._spare.append(page)
        return self._spare[number]

    async def _open(self, user: str, paired: dict[str, str]) -> None:
        query = urlencode({"user": _id(user), **paired})
        page = self.pages[user]
        await page.goto(f"{self.server.url}/game?{query}")
        await page.wait_for_function("window.standin?.ready === true")

    async def settle(self) -> None:
        """Wait until nobody has anything left to say: twice in a row nothing was on its way and nothing had come."""
        before: list[int] = []
        states: list[Json] = []
        end = asyncio.get_running_loop().time() + PATIENCE
        while asyncio.get_running_loop().time() < end:
            # What the server has sent so far has arrived when this has.
            await asyncio.gather(*(self.server.dice(user) for user in self.pages))
            states = await asyncio.gather(*(page.evaluate("player.state()") for page in self.pages.values()))
            now = [state["total"] for state in states] + [len(self.server.journal)]
            quiet = all(state["quiet"] for state in states)
            if quiet and now == before:
                return
            before = now if quiet else []
            if not quiet:
                await asyncio.sleep(0.005)
        raise Unsettled(f"still talking: {states}")

    async def look(self) -> Any:
        """What there is to be seen on the GM's page."""
        return await self.gm.evaluate("player.look()")


def _known_before(scenario: Scenario, profile: str) -> Json:
    """Conditions of the house's own are statuses from the second start of a world on, so this is not its first."""
    if not scenario.rulebook:
        return {}
    return {"condition-bridge.catalogue": msgspec.to_builtins(publish(parse(scenario.text), profile))}


def _id(user: str) -> str:
    from tests.browser.foundry.documents import stable_id

    return stable_id(user)
