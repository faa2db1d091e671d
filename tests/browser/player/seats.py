"""Who sits where in a story, and how they are asked to do things."""

from __future__ import annotations

import asyncio
from typing import Any

from bridge.engine.state import Actor
from bridge.table.scenario import Scenario
from bridge.table.table import Table
from tests.browser.foundry.merge import Json
from tests.browser.foundry.server import FoundryServer
from tests.browser.player import cast, look
from tests.browser.player.stage import Stage


class Seats:
    """The people at the table of one scenario.

    ``table`` holds what Foundry showed last, as the simulated table would.
    """

    def __init__(self, stage: Stage, scenario: Scenario, profile: str, table: Table) -> None:
        self.stage = stage
        self.scenario = scenario
        self.profile = profile
        self.table = table
        self.shown: Json = {}
        self.denied = False
        """Something that was tried in this step was refused."""

    @property
    def server(self) -> FoundryServer:
        """The stand-in's server."""
        return self.stage.server

    def actor(self, key: str) -> Actor:
        """A creature, as it was shown last."""
        return self.table.actor(key)

    def hand(self, key: str) -> str:
        """Who plays the creature, as far as they sit at the table: their user's short name."""
        user = cast.user_of(key)
        return user if user in self.stage.pages else cast.GM

    def by(self, by: str | None, key: str) -> str:
        """Who it is: left out, whoever plays the creature."""
        return cast.GM if by == "gm" else self.hand(key if by in {None, "player"} else str(by))

    async def do(self, user: str, what: str, *arguments: Any) -> Any:
        """Have it done on a user's page."""
        page = self.stage.pages[user]
        return await page.evaluate(f"args => player.{what}(...args)", list(arguments))

    async def everywhere(self, what: str, *arguments: Any) -> list[Any]:
        """Have it done on all pages."""
        return await asyncio.gather(*(self.do(user, what, *arguments) for user in self.stage.pages))

    async def look(self) -> Json:
        """Look at what there is."""
        self.shown = await self.stage.look()
        look.take_in(self.table, self.shown)
        return self.shown
