"""A pure model of who speaks with the bridge: browsers, tabs, presence that arrives late, pages that end at any moment.

It follows `foundry-module/scripts/link.mjs` (who connects, waits, retries, hangs up) and `outbox.mjs` (where a happening
waits until it is acknowledged), and on the other side `Host.claim` and what a world makes of repeats. Time is a queue.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field

PAUSE = 0.1
"""Seconds that a tab listens for another one of its browser before it opens a line: `connect` in link.mjs."""
LATE = 0.4
"""Seconds that anything on its way may take at most."""


@dataclass
class Browser:
    """One person's browser: its own key, what waits in its storage, and its tabs."""

    user: int
    gm: bool
    storage: set[int] = field(default_factory=set)


@dataclass(eq=False)
class Tab:
    """One page."""

    browser: Browser
    present: dict[int, bool]
    """Who is there, as this page has heard."""
    alive: bool = True
    line: bool = False
    """Opening a line, or having one."""
    connected: bool = False
    tries: int = 0
    attempt: int = 0


class Table:
    """A world at which pages come and go."""

    def __init__(self, seed: int, *, gms: int = 2, careful: bool = True) -> None:
        self.rng = random.Random(seed)
        self.careful = careful
        """Whether a tab asks once more, after its pause, if it is still the one to connect."""
        self.now = 0.0
        self.tabs: list[Tab] = []
        self.browsers = [Browser(user, gm=user < gms) for user in range(gms + 1)]
        self.outbox: set[int] = set()
        self.told: set[int] = set()
        """Happenings of people whose page still knew of them when they had been told."""
        self.counted: list[int] = []
        self.speaker: Tab | None = None
        self.cards: list[int] = []
        self._numbers = itertools.count(1)
        self._queue: list[tuple[float, int, Callable[[], None]]] = []

    # Time.

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Do something later."""
        heapq.heappush(self._queue, (self.now + seconds, next(self._numbers), act))

    def soon(self, act: Callable[[], None]) -> None:
        """Something is on its way."""
        self.after(self.rng.uniform(0, LATE), act)

    def run(self, until: float) -> None:
        """Let time pass."""
        while self._queue and self._queue[0][0] <= until:
            self.now, _, act = heapq.heappop(self._queue)
            act()
        self.now = until

    # Pages.

    def come(self, browser: Browser) -> None:
        """A page is opened: it is told who is there, and the others hear of it."""
        tab = Tab(browser, {other.browser.user: True for other in self.tabs} | {browser.user: True})
        arrived = all(other.browser is not browser for other in self.tabs)
        self.tabs.append(tab)
        if arrived:
            self._tell(browser.user, present=True)
        self.soon(lambda: self.reconsider(tab))

    def end(self, tab: Tab) -> None:
        """A page ends, in the middle of whatever it does."""
        tab.alive = False
        self.tabs.remove(tab)
        if self.speaker is tab:
            # The bridge hears of it when the line breaks.
            self.soon(lambda: self._broken(tab))
        if all(other.browser is not tab.browser for other in self.tabs):
            self._tell(tab.browser.user, present=False)
        for other in self.tabs:
            if other.browser is tab.browser:
                self.soon(lambda other=other: self.reconsider(other))  # type: ignore[misc]

    def _tell(self, user: int, *, present: bool) -> None:
        for tab in self.tabs:
            self.soon(lambda tab=tab: self._heard(tab, user, present=present))  # type: ignore[misc]

    def _heard(self, tab: Tab, user: int, *, present: bool) -> None:
        # What is on its way from one server arrives in order: the newest word is the one that holds.
        tab.present[user] = any(other.browser.user == user for other in self.tabs)
        self.reconsider(tab)

    def _broken(self, tab: Tab) -> None:
        if self.speaker is tab:
            self.speaker = None

    # link.mjs

    def idle(self, tab: Tab) -> bool:
        """Another GM is to speak: the paired and present one with the lowest id."""
        first = min(b.user for b in self.browsers if b.gm and (b is tab.browser or tab.present.get(b.user)))
        return first != tab.browser.user

    def reconsider(self, tab: Tab) -> None:
        """Connect, wait or hang up."""
        if not tab.alive or not tab.browser.gm:
            return
        if self.idle(tab):
            self._hang_up(tab)
            self._hand_over(tab)
        elif not tab.line:
            self._connect(tab)

    def _hang_up(self, tab: Tab) -> None:
        tab.attempt += 1
        tab.line = tab.connected = False
        tab.tries = 0
        if self.speaker is tab:
            self.soon(lambda: self._broken(tab))

    def _connect(self, tab: Tab) -> None:
        tab.attempt += 1
        attempt = tab.attempt

        def open_line() -> None:
            stale = tab.attempt != attempt if self.careful else tab.line
            if not tab.alive or stale or (self.careful and self.idle(tab)):
                return
            if any(other.connected for other in self.tabs if other is not tab and other.browser is tab.browser):
                self._retry(tab)
                return
            tab.line = True
            self.soon(lambda: self._arrive(tab))

        self.after(PAUSE, open_line)

    def _retry(self, tab: Tab) -> None:
        tab.line = tab.connected = False
        tab.tries += 1
        self.after(self.rng.uniform(0, min(30, 0.5 * 2**tab.tries)), lambda: self.reconsider(tab))

    # The bridge.

    def _arrive(self, tab: Tab) -> None:
        """`Host.claim`: the same browser takes over from itself; another one is refused."""
        if not tab.alive or not tab.line:
            return
        held = self.speaker
        if held is not None and held is not tab:
            if held.browser is not tab.browser:
                self._retry(tab)
                return
            held.line = held.connected = False
        self.speaker = tab
        tab.connected = True
        for id in [*tab.browser.storage, *self.outbox]:
            self._send(tab, id)
        for id in self.counted:
            self._apply(tab, id)

    def _send(self, tab: Tab, id: int) -> None:
        def arrive() -> None:
            if self.speaker is not tab:
                return
            if id not in self.counted:
                self.counted.append(id)
                self._apply(tab, id)
            self.soon(acknowledged)

        def acknowledged() -> None:
            if tab.alive and tab.connected:
                tab.browser.storage.discard(id)
                self.outbox.discard(id)

        self.soon(arrive)

    def _apply(self, tab: Tab, id: int) -> None:
        """An answer, with a receipt: sent again by each session until a picture has shown it."""

        def carry_out() -> None:
            # A card's id derives from the decision's: a second time, it is there already.
            if tab.alive and id not in self.cards:
                self.cards.append(id)

        if id not in self.cards:
            self.soon(carry_out)

    # outbox.mjs

    def happen(self, tab: Tab) -> None:
        """Somebody does something that only this page knows of."""
        id = next(self._numbers)
        self.told.add(id)
        if tab.browser.gm and (tab.connected or tab.line):
            tab.browser.storage.add(id)
            if tab.connected:
                self._send(tab, id)
            return
        # A write to a document is there, or was refused to the person's face.
        self.outbox.add(id)
        if self.speaker is not None and self.speaker.connected:
            self._send(self.speaker, id)

    def _hand_over(self, tab: Tab) -> None:
        for id in list(tab.browser.storage):
            self.outbox.add(id)
            tab.browser.storage.discard(id)
            if self.speaker is not None and self.speaker.connected:
                self._send(self.speaker, id)


def play(seed: int, *, careful: bool = True) -> Table:
    """Play one schedule, then let everyone come and everything settle."""
    table = Table(seed, careful=careful)
    rng = table.rng
    for _ in range(rng.randint(5, 40)):
        browser = rng.choice(table.browsers)
        mine = [tab for tab in table.tabs if tab.browser is browser]
        match rng.choice(("come", "end", "reload", "happen", "happen", "wait")):
            case "come" if len(mine) < 2:
                table.come(browser)
            case "end" if mine:
                table.end(rng.choice(mine))
            case "reload" if mine:
                table.end(rng.choice(mine))
                table.come(browser)
            case "happen" if mine:
                table.happen(rng.choice(mine))
        table.run(table.now + rng.choice((0, 0.05, 0.2, 1)))
    for browser in table.browsers:
        if all(tab.browser is not browser for tab in table.tabs):
            table.come(browser)
    table.run(table.now + 600)
    return table
