"""Two GMs and a player, pages that reload or leave at any moment, a bridge that is killed: nothing is lost or doubled.

Each schedule is drawn from a seed, and said when it fails.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import TimeoutError as Waited

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, Bridge, cards, hp, pair, reach, state, until
from tests.reliability.counts import SEED, count

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

SCHEDULES = 25
"""At one table, each with a fighter of its own."""
STEPS = 14
THRESHOLD = 3
"""INT-1: Constitution 14."""
GMS = ("amy", "bob")


class Seat:
    """A person with a browser of their own, who may be away, or between two pages."""

    def __init__(self, name: str, server: FoundryServer, browser: BrowserContext) -> None:
        self.name = name
        self.server = server
        self.browser = browser
        self.page: Page | None = None

    async def come(self) -> None:
        """Open the game, if it is not open."""
        if self.page is None:
            self.page = await self.server.open(self.browser, self.name)

    async def leave(self) -> None:
        """Close the page, as a person or a crash does, in the middle of whatever it does."""
        if self.page is not None:
            page, self.page = self.page, None
            await page.close()

    async def reload(self) -> None:
        """Load the page again, in the middle of whatever it does."""
        if self.page is not None:
            # Chromium takes no reload before the last one has begun to show something.
            await self.page.wait_for_load_state("domcontentloaded")
            await self.page.reload(wait_until="commit")

    async def do(self, script: str, *, after: str = "true") -> bool:
        """Do something once the page is ready, and shows what it is to come after; false when nobody is there."""
        if self.page is None:
            return False
        await self.page.wait_for_function(f"window.standin?.ready === true && {after}")
        await self.page.evaluate(script)
        return True


class Unlike(Exception):
    """What Foundry shows at the end, where it is not what was done."""


class Evening:
    """Two GMs and a player at one table, with a bridge of their own."""

    def __init__(self, server: FoundryServer, bridge: Bridge, seats: dict[str, Seat]) -> None:
        self.server = server
        self.bridge = bridge
        self.seats = seats

    async def play(self, fighter: str, rng: random.Random) -> Counter[str]:
        """Play a schedule that is drawn step by step; return what was done, and how often."""
        done: Counter[str] = Counter()
        for _ in range(STEPS):
            name = rng.choices(("drink", "heal", "hurt", "reload", "leave", "come", "kill"), (6, 3, 3, 4, 2, 3, 1))[0]
            if name == "kill":
                await self.bridge.stop(kill=True)
                await self.bridge.start()
            elif name in {"reload", "leave", "come"}:
                await getattr(self.seats[rng.choice((*GMS, "ann"))], name)()
            elif await self._act(name, fighter, rng, done):
                done[name] += 1
            await asyncio.sleep(rng.choice((0, 0, 0.01, 0.05)))
        return done

    async def _act(self, name: str, fighter: str, rng: random.Random, done: Counter[str]) -> bool:
        who = rng.choice(GMS if name == "hurt" else (*GMS, "ann", "ann"))
        if name == "hurt":
            # Two GMs who write at one moment overwrite each other in Foundry itself.
            seen = f"standin.actor('{fighter}').system.attributes.hp.value === {90 - done['hurt']}"
            return await self.seats[who].do(f"standin.damage('{fighter}', 1)", after=seen)
        if name == "heal":
            return await self.seats[who].do(f"standin.heal('{fighter}', 2, {{by: 'item'}})")
        return done["drink"] < 6 * THRESHOLD - 1 and await self.seats[who].do(
            f"{API}.drink(standin.actor('{fighter}'))"
        )

    async def end(self, fighter: str, done: Counter[str]) -> None:
        """Everyone comes back; then all that was done has had its effect once."""
        for seat in self.seats.values():
            await seat.come()
        for name, wanted_state in (("amy", "connected"), ("bob", "waiting")):
            try:
                await reach(self._page(name), wanted_state)
            except Waited as error:
                raise Unlike({name: f"{await state(self._page(name))}, not {wanted_state}"}) from error
        drinks = done["drink"]
        wanted = {
            "hp": 90 - done["hurt"],
            # INT-4: "the level rises by one and those drinks are used up"
            "level": drinks // THRESHOLD,
            "drinks left": drinks % THRESHOLD,
            # BLD-7: a card for each refusal.
            "refusals": done["heal"],
            "levels told twice": [],
            "last level told": drinks // THRESHOLD,
            "waiting": 0,
        }
        found: dict[str, Any] = {}

        def settled() -> bool:
            found.update(self._found(fighter))
            return found == wanted

        try:
            await until(settled, "everything to have had its effect once")
        except AssertionError as error:
            different = {key: f"{found[key]}, not {wanted[key]}" for key in wanted if found[key] != wanted[key]}
            raise Unlike(different) from error

    def _page(self, name: str) -> Page:
        page = self.seats[name].page
        assert page
        return page

    def _found(self, fighter: str) -> dict[str, Any]:
        actor = self.server.actor(fighter)
        flags = actor["flags"].get(ID, {})
        notes = json.loads(flags.get("memory", "{}")).get("notes", {}).get("intoxicated", {})
        marks = [
            json.loads(effect["flags"].get(ID, {}).get("mark", "{}"))
            for effect in actor["effects"]
            if "intoxicated" in effect["statuses"]
        ]
        mine = [card for card in cards(self.server) if actor["_id"] in card["actor"]]
        told = Counter(
            line["data"]["level"]
            for card in mine
            for line in card.get("lines", ())
            if line.get("condition") == "intoxicated" and line["key"] in {"gained", "risen"}
        )
        return {
            "hp": hp(self.server, fighter),
            "level": sum(mark.get("level", 1) for mark in marks),
            "drinks left": len(notes.get("drinks", ())),
            "refusals": sum(card["kind"] == "refusal" for card in mine),
            "levels told twice": [level for level, times in told.items() if times > 1],
            "last level told": max(told, default=0),
            "waiting": len(flags.get("outbox", {})),
        }


async def evening(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, profile: str, module: Path = MODULE
) -> Evening:
    """Everyone has come, and both GMs' browsers are paired."""
    users = [documents.user("amy", gm=True), documents.user("bob", gm=True), documents.user("ann", character="bors00")]
    cast = [documents.fighter(f"bors{n:02}", owner="ann", hp=(90, 100)) for n in range(SCHEDULES)]
    server = await foundry(profile, users=users, actors=cast, module_dir=module)
    seats = {name: Seat(name, server, await context()) for name in ("amy", "bob", "ann")}
    for name in ("amy", "bob"):
        await seats[name].come()
        page = seats[name].page
        assert page
        if name == "amy":
            await pair(page, bridge)
            await seats[name].leave()
        else:
            await pair(page, bridge, await bridge.new_code())
    await seats["bob"].do("Promise.all(game.actors.map(actor => actor.toggleStatusEffect('bleeding')))")
    return Evening(server, bridge, seats)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("table", range(count(1, 20)))
async def test_nothing_is_lost_or_doubled(
    table: int, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    made = await evening(foundry, context, bridge, [*PROFILES][-1 - table % len(PROFILES)])
    for n in range(SCHEDULES):
        seed = f"{SEED}-{table}-{n}"
        done = await made.play(f"bors{n:02}", random.Random(seed))
        try:
            await made.end(f"bors{n:02}", done)
        except Unlike as error:
            pytest.fail(f"schedule {seed}: {error}", pytrace=False)
    # Chromium itself says so while the bridge is down.
    assert [error for error in made.server.page_errors if "WebSocket connection to" not in error] == []


@pytest.mark.timeout(600)
async def test_a_module_that_gives_a_new_id_each_time_would_be_seen(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, tmp_path: Path
) -> None:
    """Negative control."""
    weak = tmp_path / "weak"
    shutil.copytree(MODULE, weak)
    script = weak / "scripts/outbox.mjs"
    text = script.read_text()
    assert "  send(happening);\n" in text
    script.write_text(text.replace("  send(happening);\n", "  send({ ...happening, id: foundry.utils.randomID() });\n"))
    made = await evening(foundry, context, bridge, "v14+dnd5e-6", weak)

    async def play() -> None:
        for n in range(SCHEDULES):
            await made.end(f"bors{n:02}", await made.play(f"bors{n:02}", random.Random(n)))

    with pytest.raises(Unlike):
        await play()
