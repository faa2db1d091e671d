"""One evening at the table, from pairing to the morning after, in each pair of Foundry and dnd5e.

`CONDITION_BRIDGE_SHOTS` names a folder for pictures of its key moments.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.foundry.profiles import PROFILES
from tests.browser.foundry.server import FoundryServer
from tests.browser.table import ID, MODULE, Bridge, cards, hp, reach, seat, statuses, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

ALLOW = "[data-bridge-button=allow]"
DIALOG = ".application:has([data-action=normal])"
WINDOW = f"#{ID}-window"
HOUR = 3600


class Evening:
    """The people at the table, and what they see."""

    def __init__(self, server: FoundryServer, gm: Page, ann: Page, ben: Page, shots: Path) -> None:
        self.server, self.gm, self.ann, self.ben = server, gm, ann, ben
        self._shots = shots
        self._number = 0

    async def shot(self, page: Page, what: str) -> None:
        """Keep a picture of what somebody sees."""
        self._number += 1
        await page.evaluate("Promise.all([...document.images].map(image => image.decode().catch(() => {})))")
        await page.screenshot(path=self._shots / f"{self._number:02}-{what}.png", animations="disabled")

    async def icon(self, status: str, button: str = "left", shot: str = "") -> None:
        """Click a status in the palette of Bors' token."""
        await self.gm.evaluate("canvas.hud.token.bind(standin.placeable('bors'))")
        if shot:
            await self.shot(self.gm, shot)
        await self.gm.click(f"#token-hud [data-status-id={status}]", button=button)  # type: ignore[arg-type]
        await self.gm.evaluate("canvas.hud.token.clear()")

    async def say(self, page: Page, text: str) -> None:
        """Type into the chat."""
        await page.fill("#chat-message", text)
        await page.press("#chat-message", "Enter")

    def has(self, *wanted: str) -> bool:
        """Tell whether Bors has all of these statuses."""
        return set(wanted) <= statuses(self.server, "bors")

    def level(self) -> int:
        """How drunk Bors is, by the name that everybody can read."""
        names = [e["name"] for e in self.server.actor("bors")["effects"] if "intoxicated" in e["statuses"]]
        return int(names[0].rsplit(" ", 1)[1]) if names else 0

    async def becomes(self, level: int) -> None:
        """Wait until Bors is that drunk."""
        await until(lambda: self.level() == level, f"Intoxicated {level}, it is {self.level()}")

    async def apply(self, page: Page) -> None:
        """Press the tray of the last healing roll."""
        tray = page.locator("damage-application").last
        await tray.wait_for()
        await tray.locator("[data-action=applyDamage]").click()


@pytest.mark.timeout(240)
@pytest.mark.parametrize("profile", PROFILES)
async def test_the_evening(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge, tmp_path: Path
) -> None:
    shots = Path(os.environ.get("CONDITION_BRIDGE_SHOTS", tmp_path)) / profile
    shots.mkdir(parents=True, exist_ok=True)
    server = await foundry(profile, module_dir=MODULE, settings={"dnd5e.bloodied": "none"})
    gm, ann, ben = [await seat(server, context, user) for user in ("gm", "ann", "ben")]
    evening = Evening(server, gm, ann, ben, shots)
    await pairing(evening, bridge)
    await blood(evening)
    await rests(evening)
    await ale(evening)
    await killed(evening, bridge)
    await the_fight(evening)
    assert [error for error in server.page_errors if "WebSocket" not in error] == []


async def pairing(evening: Evening, bridge: Bridge) -> None:
    gm = evening.gm
    await gm.click(f"[data-tool='{ID}-window']")
    await gm.fill(f"{WINDOW} [name=url]", bridge.url)
    await gm.fill(f"{WINDOW} [name=code]", await bridge.pairing_code())
    await evening.shot(gm, "pairing")
    await gm.click(f"{WINDOW} .cb-pair")
    await reach(gm, "connected")
    await until(lambda: cards(evening.server, "summary"), "the first look at the world")
    await evening.shot(gm, "connected")
    await gm.click(f"{WINDOW} [data-action=close]")


async def blood(evening: Evening) -> None:
    """Half of the hit points are gone; whatever heals is refused, and one of it allowed."""
    server, gm, ann, ben = evening.server, evening.gm, evening.ann, evening.ben
    await gm.evaluate("standin.damage('bors', 12)")
    await until(lambda: evening.has("bloodied"), "Bloodied")
    await evening.icon("bleeding", shot="palette")
    await until(lambda: evening.has("bleeding", "bloodied"), "Bleeding")
    await until(lambda: len(cards(server, "conditions")) == 1, "the card of Bleeding")
    await ann.wait_for_function("standin.actor('bors').statuses.has('bleeding')")
    await ann.wait_for_selector(".condition-bridge[data-kind=conditions]")
    await evening.shot(ann, "bleeding")

    before = await traces(evening)
    await ben.evaluate("standin.useItem('mira', 'Cure Wounds', {target: 'bors'})")
    await evening.apply(ann)
    await until(lambda: len(cards(server, "refusal")) == 1, "the refusal of the spell")
    await ann.evaluate("standin.useItem('bors', 'Potion of Healing')")
    await ann.evaluate("standin.placeable('bors').control()")
    await evening.apply(ann)
    await until(lambda: len(cards(server, "refusal")) == 2, "the refusal of the potion")
    await ann.evaluate("standin.tokenBar('bors', '+5')")
    await until(lambda: len(cards(server, "refusal")) == 3, "the refusal of the hand")
    assert hp(server, "bors") == 8
    assert await traces(evening) == before, "hit points flickered"
    spell, potion, hand = ([line["text"] for line in card["lines"]] for card in cards(server, "refusal"))
    assert "Cure Wounds" in spell[0]
    assert "Potion of Healing" in potion[0]
    assert "5 hit points" in hand[0]
    await gm.wait_for_function(f"document.querySelectorAll('{ALLOW}').length === 3")
    assert await ann.locator(ALLOW).count() == 0
    await evening.shot(gm, "refusals")
    await evening.shot(ann, "refusals-as-the-player-sees-them")

    await gm.locator(ALLOW).last.click()
    await until(lambda: hp(server, "bors") == 13, "what is allowed")
    await gm.wait_for_function(f"document.querySelectorAll('{ALLOW}').length === 2")
    await until(lambda: not evening.has("bloodied"), "no longer Bloodied at 13 of 20")
    await evening.shot(gm, "allowed")


async def traces(evening: Evening) -> list[list[int]]:
    """Every value of Bors' hit points that each client ever held."""
    return [
        await page.evaluate("[...standin.hpTrace[standin.actor('bors').uuid]]")
        for page in (evening.gm, evening.ann, evening.ben)
    ]


async def rests(evening: Evening) -> None:
    """A Hit Die is granted, a night's rest as well; the blood goes on running until somebody staunches it."""
    server, gm, ann = evening.server, evening.gm, evening.ann
    await server.dice("ann", 4)
    await ann.evaluate("standin.shortRest('bors', {hitDice: 1})")
    await until(lambda: hp(server, "bors") == 19, "the Hit Die: 4 and Constitution")
    await gm.evaluate("standin.longRest('bors')")
    await until(lambda: hp(server, "bors") == 20, "the night")
    assert evening.has("bleeding")
    assert len(cards(server, "refusal")) == 3
    await evening.icon("bleeding")
    await until(lambda: not evening.has("bleeding"), "the blood staunched")


async def ale(evening: Evening) -> None:
    """Constitution 14: three drinks in an hour make a level; an hour with water takes one off, one without none."""
    server, gm, ann = evening.server, evening.gm, evening.ann
    await ann.evaluate("standin.useItem('bors', 'Ale (mug)')")
    await ann.evaluate("standin.useItem('bors', 'Ale (mug)')")
    await evening.say(ann, "/drink")
    await evening.becomes(1)
    await evening.say(ann, "/drink 2")
    await ann.evaluate("standin.useItem('bors', 'Ale (mug)')")
    await evening.becomes(2)
    await ann.wait_for_selector(".condition-bridge :text('Intoxicated 2')")
    await evening.shot(ann, "drunk")

    counted = len(cards(server))
    await gm.evaluate(f"game.time.advance({HOUR})")
    await until(lambda: server.actor("bors")["flags"][ID].get("memory"), "the dry hour to be judged")
    await ann.evaluate("standin.useItem('bors', 'Water, Fresh (pint)')")
    await until(lambda: not server.actor("bors")["flags"][ID].get("outbox"), "the water to be taken")
    assert (evening.level(), len(cards(server))) == (2, counted), "an hour without food or water sobers nobody"
    await gm.evaluate(f"game.time.advance({HOUR})")
    await evening.becomes(1)
    await until(lambda: len(cards(server)) == counted + 1, "the card of the sober hour")
    await until(lambda: len(cards(server)) > counted, "the card that says so")


async def killed(evening: Evening, bridge: Bridge) -> None:
    """The bridge dies in mid-evening; what happens meanwhile waits, and counts once."""
    server, gm, ann = evening.server, evening.gm, evening.ann
    counted = len(cards(server, "conditions"))
    await bridge.stop(kill=True)
    await reach(gm, "down")
    await evening.say(ann, "/drink 2")
    await ann.evaluate("standin.useItem('bors', 'Ale (mug)')")
    await until(lambda: len(server.actor("bors")["flags"][ID]["outbox"]) == 2, "the drinks to wait")
    await gm.click(f"[data-tool='{ID}-window']")
    await evening.shot(gm, "down")
    await bridge.start()
    await reach(gm, "connected")
    await gm.click(f"{WINDOW} [data-action=close]")
    await evening.becomes(2)
    await until(lambda: not server.actor("bors")["flags"][ID]["outbox"], "the outbox to be empty")
    drunk = [c for c in cards(server, "conditions")[counted:] if c["lines"][0].get("condition") == "intoxicated"]
    # One card tells of the level; told as missed in the summary, there is none.
    assert len(drunk) <= 1


async def the_fight(evening: Evening) -> None:
    """Level 6 in a fight: saves of DC 10 and 15 asked of the player; failing knocks him out, sobering wakes him."""
    server, gm, ann = evening.server, evening.gm, evening.ann
    await gm.evaluate("standin.startCombat(['goblin', 'bors'])")
    await evening.say(ann, "/drink 12")
    await evening.becomes(6)
    assert cards(server, "save") == []
    await gm.evaluate("standin.nextTurn()")
    await save(evening, dc=10, die=10, shot="asked")
    await evening.becomes(5)
    assert not evening.has("unconscious")

    await evening.say(ann, "/drink 3")
    await evening.becomes(6)
    await gm.evaluate("standin.nextTurn()")
    await gm.evaluate("standin.nextTurn()")
    await save(evening, dc=15, die=3, shot="asked-again")
    await until(lambda: evening.has("unconscious", "incapacitated", "prone"), "passing out")
    assert evening.level() == 6
    await ann.wait_for_selector(".condition-bridge .cb-done.failure, .condition-bridge[data-kind=save] .cb-done")
    await evening.shot(ann, "passed-out")
    await evening.shot(gm, "passed-out-as-the-gm-sees-it")

    await evening.icon("intoxicated", button="right")
    await evening.becomes(5)
    await until(lambda: not evening.has("unconscious"), "waking")
    assert evening.has("prone")
    assert not evening.has("incapacitated")
    await evening.shot(ann, "awake-and-prone")


async def save(evening: Evening, *, dc: int, die: int, shot: str) -> None:
    """The player is asked, and nobody else; the die shows this."""
    await until(lambda: cards(evening.server, "save"), "the request for a save")
    await evening.ann.wait_for_selector(DIALOG)
    asked = cards(evening.server, "save")
    assert (asked[-1]["request"]["ability"], asked[-1]["request"]["dc"]) == ("con", dc)
    assert await evening.gm.locator(DIALOG).count() == 0
    # It is known what this save is against, so nothing is offered that helps against something else.
    assert await evening.ann.locator(f"{DIALOG} .cb-offer").count() == 0
    await evening.shot(evening.ann, shot)
    await evening.server.dice("ann", die)
    await evening.ann.click(f"{DIALOG} [data-action=normal]")
    await until(lambda: cards(evening.server, "save")[-1].get("rolled"), "the roll to be on the card")
