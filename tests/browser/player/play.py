"""Plays one scenario and says what was not as expected."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast as typing_cast

from msgspec import Struct, structs

from bridge.engine.modifiers import Facts
from bridge.protocol import Error
from bridge.table.expect import judge
from bridge.table.expectations import Expected, RollNow
from bridge.table.foundry import native_modifiers
from bridge.table.judge import facts
from bridge.table.scenario import Scenario
from bridge.table.steps import Add, Press, Remove, Say, Step
from bridge.table.story import Story
from bridge.table.table import NotDone
from tests.browser.foundry.merge import Json
from tests.browser.player import cast, look
from tests.browser.player.roads import go
from tests.browser.player.seats import Seats
from tests.browser.player.stage import Stage, Unsettled

MOST_PLAYERS = 3


class Failure(Struct, frozen=True):
    """Something that is not as expected: ``key`` is the word of ``expect``."""

    step: int
    do: str
    key: str
    text: str

    def __str__(self) -> str:
        return f"step {self.step} ({self.do}): {self.text}"


class Play(Seats):
    """One scenario on its way."""

    async def step(self, number: int, step: Step, expected: Expected) -> list[Failure]:
        """Play one step and judge what is expected after it."""
        cards = {told["id"] for told in self.shown["cards"]}
        await self.everywhere("begin", list(step.dice))
        found: list[tuple[str, str]] = []
        self.denied = False
        errors: list[Error] = []
        try:
            await go(step, self)
        except NotDone as refusal:
            errors.append(Error(refusal.code, str(refusal)))
            if refusal.fault and expected.general.error is None:
                found.append((step.do, str(refusal)))
        try:
            await self.stage.settle()
        except Unsettled as error:
            found.append(("the table", str(error)))
        shown = await self.look()
        answers = await self.everywhere("seen")
        self.table.record = look.record(shown, cards, answers)
        self.table.record.errors += errors
        self.table.record.denied = self.denied
        found += [(word(unmet.what), str(unmet)) for unmet in judge(self._story(), _plain(expected))]
        found += [("rolls", text) for roll in expected.general.rolls for text in await self._roll(roll)]
        found += self._speed(expected)
        found += [("page", text) for text in self.server.page_errors]
        self.server.page_errors.clear()
        return [Failure(number, step.do, key, text) for key, text in found]

    def _story(self) -> Story:
        return typing_cast("Story", SimpleNamespace(table=self.table, scenario=self.scenario))

    def _speed(self, expected: Expected) -> list[tuple[str, str]]:
        """The Speed that Foundry itself comes to, for everything that asks for it."""
        found = []
        for key, wanted in expected.actors.items():
            told = next((a for a in self.shown["actors"] if a["ref"] == self.table.keys[key]), None)
            if wanted.speed is not None and told and told["walk"] != wanted.speed:
                found.append(("speed", f"{key}.speed: expected {wanted.speed}, there was {told['walk']}"))
        return found

    async def _roll(self, wanted: RollNow) -> list[str]:
        """What a roll made now would get, by the module's reading of the catalogue and the system's own."""
        table, roller = self.table, self.actor(wanted.actor)
        target = self.actor(wanted.target) if wanted.target else None
        asked = {"actor": roller.id, "roll": wanted.roll, "facts": _facts(facts(table, roller, target))}
        given = (await self.do(cast.GM, "rolls", [{**asked, "target": target.id if target else None}]))[0]
        catalogue = table.documents.catalogue
        ours = {entry.id for entry in catalogue.conditions if entry.instead} if catalogue else set()
        native = [n for n in native_modifiers(self.profile, roller, wanted.roll) if n.condition not in ours]
        kinds = {g["gives"] for g in given} | {n.gives for n in native}
        total = sum(g["value"] for g in given if g["gives"] == "number") + sum(n.value for n in native)
        gives = kinds & {"fail", "critical"}
        if ("advantage" in kinds) != ("disadvantage" in kinds):
            gives |= kinds & {"advantage", "disadvantage"}
        if total:
            gives.add(f"{total:+d}")
        reasons = [_reason(g) for g in given if g["gives"] != "difficulty"] + [n.reason for n in native]
        difficulty = sum(g["value"] for g in given if g["gives"] == "difficulty")
        found = []
        if wanted.gives is not None and set(wanted.gives) != (gives or {"normal"}):
            found.append(f"{wanted.roll}: expected {sorted(wanted.gives)}, there was {sorted(gives)}")
        if wanted.because is not None and sorted(wanted.because) != sorted(reasons):
            found.append(f"{wanted.roll}: expected because {wanted.because}, there was {reasons}")
        if wanted.dc is not None and int(wanted.dc) != difficulty:
            found.append(f"{wanted.roll}: expected dc {wanted.dc}, there was {difficulty}")
        return found


async def play(stage: Stage, scenario: Scenario, profile: str) -> list[Failure]:
    """Play it to its end; return everything that was not as expected."""
    table = await stage.begin(scenario, profile, players(scenario))
    told = Play(stage, scenario, profile, table)
    await told.look()
    failures: list[Failure] = []
    for number, one in enumerate(scenario.steps, 1):
        failures += await told.step(number, one.step, one.expected)
    return failures


def players(scenario: Scenario) -> list[str]:
    """The players who have something to do, and the first in any case."""
    keys = [key for key, sheet in scenario.actors.items() if sheet.type == "character"]
    busy = set(keys[:1])
    for told in scenario.steps:
        step = told.step
        if isinstance(step, Press | Say):
            busy.add(step.by)
        elif not (isinstance(step, Add | Remove) and step.by != "player"):
            busy.add(getattr(step, "actor", None) or "")
    return [cast.user_of(key) for key in keys if key in busy][:MOST_PLAYERS]


def word(what: str) -> str:
    """The word of ``expect`` that a difference is about."""
    first, *rest = what.split(".")
    return rest[0] if rest and first not in {"why", "refused"} else first


def _plain(expected: Expected) -> Expected:
    """Leave out what is judged here and not by the simulated table."""
    actors = {key: structs.replace(wanted, speed=None) for key, wanted in expected.actors.items()}
    return Expected(structs.replace(expected.general, rolls=()), actors)


def _facts(known: Facts) -> Json:
    """What is known of the moment, as the module spells it."""
    return {
        "distance": known.distance,
        "rollerSeen": known.roller_seen,
        "targetSeen": known.target_seen,
        "sourcesSeen": known.sources_seen,
    }


def _reason(given: Json) -> str:
    what = {"number": f"{given['value']:+d}", "fail": "Fails"}.get(given["gives"], given["gives"].capitalize())
    return f"{what}: {given['name']}"
