"""The reference evaluator of the catalogue: roll modifiers, healing gate, action limits and Speed.

The module's ``evaluate.mjs`` is the second one; both run the same test vectors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from .catalogue import (
    ADVANTAGE,
    CRITICAL,
    DIFFICULTY,
    DISADVANTAGE,
    FAIL,
    NUMBER,
    Catalogue,
    Entry,
    Level,
    Limits,
    Modifier,
    Predicate,
    Speed,
)
from .state import Actor, Effect, HitPoints, Place

ABILITIES = frozenset({"str", "dex", "con", "int", "wis", "cha"})
SQUARE = 5.0
"""Feet of a square's side."""


class Roll(Struct, frozen=True):
    """What is rolled: ``kind`` (attack, check, save, initiative), ability, tags."""

    kind: str
    ability: str | None = None
    tags: frozenset[str] = frozenset()

    @staticmethod
    def parse(text: str) -> Roll:
        """Read e.g. ``check.wis.perception``, ``save.con.concentration``, ``attack.melee``, ``save.death``."""
        kind, *rest = text.split(".")
        ability = next((part for part in rest if part in ABILITIES), None)
        if kind == "initiative":
            ability = "dex"
        return Roll(kind, ability, frozenset(part for part in rest if part not in ABILITIES))


class Facts(Struct, frozen=True):
    """What is known about the moment of the roll.  None: not known."""

    distance: float | None = None
    """Feet between roller and target (ROL-1)."""
    roller_seen: bool | None = None
    """The target sees the roller."""
    target_seen: bool | None = None
    """The roller sees the target."""
    sources_seen: dict[str, bool] = {}
    """Source reference -> it is in the roller's line of sight."""


class Given(Struct, frozen=True):
    """One modifier that applies, with its reason (CMB-6)."""

    modifier: Modifier
    condition: str
    name: str

    @property
    def reason(self) -> str:
        """The words shown beside the roll, e.g. ``Disadvantage: Poisoned`` or ``-3: Intoxicated``."""
        match self.modifier.gives:
            case "number":
                return f"{self.modifier.value:+d}: {self.name}"
            case "fail":
                return f"Fails: {self.name}"
            case other:
                return f"{other.capitalize()}: {self.name}"


class Outcome(Struct, frozen=True):
    """Everything that a roll gets."""

    given: tuple[Given, ...] = ()
    offered: tuple[Given, ...] = ()
    """Depends on what is not known: shown as a choice, unticked (ROL-3, ROL-4)."""

    @property
    def gives(self) -> frozenset[str]:
        """The set of ``advantage``, ``disadvantage``, ``fail``, ``critical``, the sum as ``+N``; else ``normal``."""
        kinds = {given.modifier.gives for given in self.given}
        found = kinds & {FAIL, CRITICAL}
        # CMB-5: "Any number of sources of advantage and of disadvantage on one roll cancel to a normal roll."
        if (ADVANTAGE in kinds) != (DISADVANTAGE in kinds):
            found |= kinds & {ADVANTAGE, DISADVANTAGE}
        total = sum(given.modifier.value for given in self.given if given.modifier.gives == NUMBER)
        if total:
            found.add(f"{total:+d}")
        return frozenset(found or {"normal"})

    @property
    def difficulty(self) -> int:
        """What is added to the DC."""
        return sum(given.modifier.value for given in self.given if given.modifier.gives == DIFFICULTY)

    @property
    def reasons(self) -> list[str]:
        """All reasons, in order of the conditions."""
        return [given.reason for given in self.given if given.modifier.gives != DIFFICULTY]


def in_force(catalogue: Catalogue, actor: Actor) -> Iterator[tuple[Entry, int, tuple[Effect, ...]]]:
    """Yield each condition that the creature has: entry, level, and the effects that carry it (none when implied)."""
    entries = {entry.id: entry for entry in catalogue.conditions}
    levels = levels_of(actor, {entry.id: entry.implied for entry in catalogue.conditions})
    for id in sorted(levels):
        if (entry := entries.get(id)) and entry.mode != "off":
            carrying = tuple(e for e in actor.effects if not e.disabled and id in e.statuses)
            yield entry, min(levels[id], len(entry.levels)), carrying


def levels_of(actor: Actor, implied: dict[str, tuple[str, ...]]) -> dict[str, int]:
    """Return the level of every status that the creature has, implied ones included (CMB-1, CMB-2, CMB-4)."""
    found: dict[str, int] = {}
    immune = actor.condition_immunities
    for effect in actor.effects:
        if effect.disabled:
            continue
        mark = effect.mark
        level, forced = (mark.level, mark.forced) if mark is not None else (1, False)
        for status in effect.statuses:
            if status in immune and not forced:
                continue
            if (old := found.get(status)) is None or old < level:
                found[status] = level
    queue = list(found)
    while queue:
        for status in implied.get(queue.pop(), ()):
            if status not in found and status not in immune:
                found[status] = 1
                queue.append(status)
    return found


def evaluate(catalogue: Catalogue, roller: Actor, roll: str, target: Actor | None, facts: Facts) -> Outcome:
    """Return what ``roller`` gets on ``roll``, from its own conditions and from those of its target."""
    what = Roll.parse(roll)
    given: list[Given] = []
    offered: list[Given] = []
    for bearer, on_me in ((roller, False), (target, True)):
        if bearer is None:
            continue
        other = target if bearer is roller else roller
        for entry, level, effects in in_force(catalogue, bearer):
            if (entry.rolls or catalogue.rolls) == "off":
                continue
            seen: set[str] = set()
            for modifier in _modifiers(entry.levels[level - 1], entry.id, bearer):
                if modifier.on_me != on_me or not matches(modifier, what):
                    continue
                # CMB-5: "one condition never applies twice to one roll."
                if modifier.gives in seen:
                    continue
                holds = _holds(modifier.when, bearer, other, effects, facts, on_me=on_me)
                if holds:
                    seen.add(modifier.gives)
                    given.append(Given(modifier, entry.id, entry.name))
                elif holds is None:
                    offered.append(Given(modifier, entry.id, entry.name))
    return Outcome(tuple(given), tuple(offered))


def _modifiers(level: Level, condition: str, bearer: Actor) -> tuple[Modifier, ...]:
    """CMB-4: of a condition that was forced on the immune, "the system's own part is then ours to do"."""
    return (*level.modifiers, *level.native) if condition in bearer.condition_immunities else level.modifiers


def matches(modifier: Modifier, roll: Roll) -> bool:
    """Tell whether the modifier is about this kind of roll."""
    # Rules, section 1: "Initiative is a Dexterity check wherever ability checks are named."
    kinds = {"check", "initiative"} if roll.kind == "initiative" else {roll.kind}
    return (
        modifier.roll in kinds
        and (not modifier.abilities or roll.ability in modifier.abilities)
        and (not modifier.tags or bool(roll.tags & set(modifier.tags)))
        and roll.ability not in modifier.but_abilities
        and not roll.tags & set(modifier.but_tags)
    )


def _holds(
    when: Predicate | None,
    bearer: Actor,
    other: Actor | None,
    effects: tuple[Effect, ...],
    facts: Facts,
    *,
    on_me: bool,
) -> bool | None:
    """True, False, or None for what is not known."""
    if when is None:
        return True
    if when.asks:
        return None
    answers: list[bool | None] = []
    if when.within is not None:
        answers.append(None if facts.distance is None else facts.distance <= when.within)
    if when.beyond is not None:
        answers.append(None if facts.distance is None else facts.distance > when.beyond)
    if when.unseen is not None:
        sees = facts.target_seen if on_me else facts.roller_seen
        answers.append(None if other is None or sees is None else sees is not when.unseen)
    sources = [e.mark.source for e in effects if e.mark and e.mark.source]
    if when.other_is_source is not None:
        if other is None or not sources:
            answers.append(None)
        else:
            answers.append((other.id in sources) is when.other_is_source)
    if when.source_seen is not None:
        known = [facts.sources_seen.get(source) for source in sources]
        if any(known):
            answers.append(when.source_seen)
        elif not known or None in known:
            answers.append(None)
        else:
            answers.append(not when.source_seen)
    if False in answers:
        return False
    return None if None in answers else True


def distance(a: Place | None, b: Place | None) -> float | None:
    """Return feet between the nearest occupied spaces, counted in squares of 5 ft, diagonals as one (ROL-1)."""
    if a is None or b is None or a.scene != b.scene:
        return None

    def occupied(low: float, size: float) -> tuple[float, float]:
        # ROL-1: what is smaller than a square occupies the one that it stands in.
        return (low, low + size) if size >= SQUARE else (low - low % SQUARE, low - low % SQUARE + SQUARE)

    def gap(low: float, other_low: float) -> float:
        (low, high), (other_low, other_high) = occupied(low, a.size), occupied(other_low, b.size)
        return max(0.0, other_low - high, low - other_high)

    # Adjacent squares touch: the gap between their edges is 0 ft, the distance 5 ft.
    sides = [gap(a.x, b.x), gap(a.y, b.y), gap(a.elevation, b.elevation)]
    return max(sides) + SQUARE


def refused_healing(
    catalogue: Catalogue, actor: Actor, before: HitPoints, after: HitPoints, cause: str, same_use_rise: int = 0
) -> int:
    """Return how many of the hit points regained are refused (BLD-1 to BLD-4, BLD-6).

    ``actor`` is the creature as it was when the change arrived.  ``same_use_rise``: how far the same use of an
    activity has raised the maximum before (BLD-4).
    """
    rise = min(after.value, max(after.top, before.value)) - before.value
    if rise <= 0:
        return 0
    refused = 0
    for entry, _, _ in in_force(catalogue, actor):
        if entry.gate is None or cause in entry.gate.grants:
            continue
        allowed = max(0, after.top - before.top) + same_use_rise if entry.gate.max_rise else 0
        refused = max(refused, rise - allowed)
    return max(0, refused)


def limits_on(catalogue: Catalogue, actor: Actor) -> list[tuple[Entry, Limits]]:
    """Return the limits in force on the creature, each with the condition that brings it."""
    found: list[tuple[Entry, Limits]] = []
    for entry, level, _ in in_force(catalogue, actor):
        limits = entry.levels[level - 1].limits
        if limits is not None:
            found.append((entry, limits))
    return found


def speed_of(catalogue: Catalogue, actor: Actor) -> int:
    """Return Speed in feet after all conditions: flat reductions, then halving rounded down, then zero (INT-7)."""
    speeds = [speed for speed in _speeds(catalogue, actor) if speed is not None]
    speed = actor.speed - sum(s.less for s in speeds)
    for s in speeds:
        if s.halved:
            speed = math.floor(speed / 2)
    return 0 if any(s.zero for s in speeds) else max(0, speed)


def _speeds(catalogue: Catalogue, actor: Actor) -> Iterator[Speed | None]:
    for entry, number, _ in in_force(catalogue, actor):
        level = entry.levels[number - 1]
        yield level.speed
        if entry.id in actor.condition_immunities:
            yield level.native_speed
