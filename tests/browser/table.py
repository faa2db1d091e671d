"""A real bridge in a process of its own, and a table of browsers that are paired with it."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Page

from tests.browser.foundry.merge import Json
from tests.browser.foundry.server import FoundryServer

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "foundry-module"
ID = "condition-bridge"
API = f"game.modules.get('{ID}').api"
PATIENCE = 20.0


class Bridge:
    """`bridge serve` on a port that stays the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.code = ""
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._log: list[str] = []

    @property
    def url(self) -> str:
        """Where the module connects to."""
        return f"ws://127.0.0.1:{self.port}/"

    @property
    def log(self) -> str:
        """Everything that it has printed."""
        return "\n".join(self._log)

    async def start(self) -> None:
        """Start it and wait until it listens."""
        self._log.clear()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bridge", "serve", "--port", str(self.port), "--data-dir", str(self.folder)),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self._reader = asyncio.create_task(self._read())
        found = await self._line(r"running at http://127\.0\.0\.1:(\d+)")
        self.port = int(found[1])

    async def pairing_code(self) -> str:
        """The code that it prints when nobody is paired yet."""
        return (await self._line(r"([0-9A-Z]{4}-[0-9A-Z]{4})"))[1]

    async def new_code(self) -> str:
        """A code for one more browser, as `bridge pair` prints it."""
        text = await self.run("pair")
        found = re.search(r"([0-9A-Z]{4}-[0-9A-Z]{4})", text)
        assert found, text
        return found[1]

    async def run(self, *words: str) -> str:
        """What a command of the command line prints, given while the bridge runs."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bridge", *words, "--data-dir", str(self.folder)),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        return (await process.communicate())[0].decode()

    async def stop(self, *, kill: bool = False) -> None:
        """End it: gently, or as `kill -9` does."""
        if self._process is None:
            return
        if self._process.returncode is None:
            if kill:
                self._process.kill()
            else:
                self._process.terminate()
        await self._process.wait()
        if self._reader:
            await self._reader
        self._process = None

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self._log.append(line.decode().rstrip())

    async def _line(self, pattern: str) -> re.Match[str]:
        found: list[re.Match[str]] = []

        def look() -> bool:
            match = re.search(pattern, self.log)
            if match:
                found.append(match)
            return match is not None

        await until(look, f"the bridge to print {pattern}; it said:\n{self.log}")
        return found[0]


async def until(holds: Callable[[], Any], what: str = "", seconds: float = PATIENCE) -> None:
    """Wait until something holds."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not holds():
        assert loop.time() < end, f"waited in vain for {what or holds}"
        await asyncio.sleep(0.02)


async def state(page: Page) -> str:
    """The state of the link on this page."""
    found: str = await page.evaluate(f"{API}.status().state")
    return found


async def reach(page: Page, *states: str) -> None:
    """Wait until the link is in one of these states."""
    wanted = list(states)
    await page.wait_for_function(
        f"(states) => globalThis.game?.ready && states.includes({API}?.status().state)", arg=wanted
    )


async def pair(page: Page, bridge: Bridge, code: str | None = None) -> None:
    """Pair a GM's page with the bridge through its window, as a person does."""
    await page.click(f"[data-tool='{ID}-window']")
    await page.fill(f"#{ID}-window [name=url]", bridge.url)
    await page.fill(f"#{ID}-window [name=code]", code or await bridge.pairing_code())
    await page.click(f"#{ID}-window .cb-pair")
    await reach(page, "connected")
    await page.click(f"#{ID}-window [data-action=close]")


def hp(server: FoundryServer, actor: str) -> int:
    """An actor's current hit points, as the server has them."""
    value: int = server.actor(actor)["system"]["attributes"]["hp"]["value"]
    return value


def cards(server: FoundryServer, kind: str | None = None) -> list[Json]:
    """The cards in the chat, as their messages' flags keep them."""
    kept = [message["flags"][ID]["card"] for message in server.world.messages if "card" in message["flags"].get(ID, {})]
    return [card for card in kept if kind in (None, card["kind"])]


def statuses(server: FoundryServer, actor: str) -> set[str]:
    """The statuses of an actor's own effects."""
    return {s for effect in server.actor(actor)["effects"] if not effect.get("disabled") for s in effect["statuses"]}


async def seat(server: FoundryServer, context: Callable[[], Any], user: str) -> Page:
    """Open a browser of its own for a user."""
    made: BrowserContext = await context()
    return await server.open(made, user)
