"""Conditions: what they are called, what they do, and the rules they carry; and the rulebook that holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from .catalogue import Gate, Limits, Meter, Modifier, Speed
from .changes import Button, Change, Say
from .events import ConditionChanged, EffectsChanged, Event
from .modifiers import levels_of
from .settings import AUTO, GENERAL, OFF, Setting, Settings
from .state import Actor, Effect

F = TypeVar("F", bound=Callable[..., Iterable[Change]])
S = TypeVar("S", bound=Struct)
Rule = Callable[[Any, "Creature"], Iterable[Change]]
Due = Callable[["Creature", int], int | None]
Excuse = Callable[[Any, "Creature"], Say | None]
X = TypeVar("X", bound=Callable[..., Say | None])


@dataclass(frozen=True)
class Condition:
    """A condition is data; ``on`` hangs rules on it.  What depends on level or settings may be a function of both."""

    id: str
    name: str
    summary: str | Callable[[int, Settings], str]
    levels: int = 1
    implied: tuple[str, ...] = ()
    left_behind: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] | Callable[[int, Settings], tuple[Modifier, ...]] = ()
    limits: Limits | Callable[[int, Settings], Limits | None] | None = None
    speed: Speed | Callable[[int, Settings], Speed | None] | None = None
    gate: Callable[[Settings], Gate] | None = None
    immune_to: tuple[str, ...] = ()
    """Conditions that cannot be gained while it lasts."""
    instead: Callable[[Settings], bool] | None = None
    """Ours stands in place of the system's own part while this holds."""
    sourced: bool = False
    own: bool = False
    """Neither Foundry nor dnd5e has this status: the module registers it."""
    icon: str = ""
    origin: str = ""
    """Where the rule comes from, when the page only names it."""
    ends: str | Callable[[Settings], str] = ""
    """What ends it, in words, when it has no duration."""
    meter: Callable[[Settings], Meter] | None = None
    """It has clocks that a sheet shows."""
    items: Callable[[Settings], dict[str, int]] | None = None
    """Words in the names of food and drink that bring it, and how many drinks each counts as."""
    worded: Callable[[Condition, Settings], Condition] | None = None
    """What it is called may follow a setting."""
    concerns: Callable[[Creature], bool] | None = None
    """Its rules have nothing to say about a creature for which this does not hold."""
    derived: Callable[[Creature], bool] | None = None
    """It is there exactly while this holds (Bloodied)."""
    turn_buttons: tuple[Button, ...] = ()
    """Buttons on its line of the brief at the start of a turn."""
    settings: tuple[Setting, ...] = ()
    rules: list[tuple[type[Event], int, bool, Rule]] = field(default_factory=list, compare=False)
    dues: list[Due] = field(default_factory=list, compare=False)
    excuses: list[tuple[type[Event], Excuse]] = field(default_factory=list, compare=False)

    def on(self, event: type[Event], *, order: int = 0, always: bool = False) -> Callable[[F], F]:
        """Run the decorated rule when ``event`` happens to a creature that has this condition; ``always``: to any."""

        def register(rule: F) -> F:
            self.rules.append((event, order, always, rule))
            return rule

        return register

    def excuse(self, event: type[Event]) -> Callable[[X], X]:
        """Ask the decorated function why ``event`` has not moved this condition, when it has not."""

        def register(excuse: X) -> X:
            self.excuses.append((event, excuse))
            return excuse

        return register

    def due(self, function: Due) -> Due:
        """Ask the decorated function for the next world time after the given one at which something falls due."""
        self.dues.append(function)
        return function


class Rulebook:
    """The conditions and settings in force.  Rules run by (order, id), never by import order."""

    def __init__(
        self,
        conditions: Iterable[Condition],
        settings: Mapping[str, Any] | None = None,
        name: str = "",
        general: Iterable[Condition] = (),
        aside: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.source = ""
        """The text that it was read from; none for what is shipped."""
        self.aside = frozenset(aside)
        """Derived conditions that the system marks by itself: ours stand aside (BLO-5, CMB-7)."""
        self.general = tuple(general)
        """Rules of no condition: durations, immunity, hands."""
        self.conditions = {c.id: c for c in sorted(conditions, key=lambda c: c.id)}
        own = [setting for c in self.conditions.values() for setting in c.settings]
        modes = [Setting(f"conditions.{id}.mode", "auto", ("off", "remind", "ask", "auto")) for id in self.conditions]
        rolls = [Setting(f"conditions.{id}.rolls", "", ("", "off", "suggest", "enforce")) for id in self.conditions]
        self.settings = Settings([*GENERAL, *own, *modes, *rolls], settings or {})
        for id, c in self.conditions.items():
            if c.worded is not None:
                self.conditions[id] = c.worded(c, self.settings)
        self.implied = {c.id: c.implied for c in self.conditions.values() if c.implied}
        self._modes = {id: str(self.settings[f"conditions.{id}.mode"]) for id in self.conditions}
        self.excuses: dict[type[Event], list[tuple[Condition, Excuse]]] = {}
        for c in (*self.general, *self.conditions.values()):
            for kind, excuse in c.excuses:
                self.excuses.setdefault(kind, []).append((c, excuse))
        active = [c for c in (*self.general, *self.conditions.values()) if self.mode(c.id) != OFF]
        self._dues = [due for c in active for due in c.dues]
        self._by_event: dict[type[Event], list[tuple[int, str, Condition, bool, Rule]]] = {}
        for c in active:
            for kind, order, always, rule in c.rules:
                self._by_event.setdefault(kind, []).append((order, c.id, c, always, rule))
        for found in self._by_event.values():
            found.sort(key=lambda entry: entry[:2])

    def mode(self, condition: str) -> str:
        """Return ``off``, ``remind``, ``ask`` or ``auto``."""
        return self._modes.get(condition, AUTO)

    def given(self, settings: Mapping[str, Any], aside: Iterable[str] = ()) -> Rulebook:
        """Return the same rulebook with these settings given as well, and these conditions left to the system."""
        merged = {**self.settings.given, **settings}
        return Rulebook(self.conditions.values(), merged, self.name, self.general, aside)

    def rules_for(self, event: Event, creature: Creature) -> Iterator[tuple[Condition, Rule]]:
        """Yield the rules that answer the event, in order."""
        ended = event.condition if isinstance(event, ConditionChanged) else None
        for _, _, condition, always, rule in self._by_event.get(type(event), ()):
            if condition.concerns is not None and not condition.concerns(creature):
                continue
            # A condition that has just ended still answers its own ending.
            if always or condition.id == ended or creature.has(condition.id):
                yield condition, rule

    def answers(self, event: Event, creature: Creature) -> bool:
        """Tell whether the event needs a decision at all: a rule answers it, or a card tells of it."""
        if isinstance(event, ConditionChanged | EffectsChanged):
            return True
        return any(True for _ in self.rules_for(event, creature))

    def dues(self, creature: Creature, after: int) -> int | None:
        """Return the next world time after ``after`` at which something of this creature falls due."""
        found = [time for due in self._dues if (time := due(creature, after)) is not None]
        return min(found, default=None)


class Creature:
    """An actor as the rules of one rulebook see it, at world time ``now``."""

    def __init__(self, actor: Actor, book: Rulebook, now: int, like: Creature | None = None) -> None:
        self.actor = actor
        self.book = book
        self.now = now
        self._levels: dict[str, int] | None = None
        if (
            like is not None
            and like.book is book
            and like.actor.effects is actor.effects
            and like.actor.condition_immunities is actor.condition_immunities
        ):
            # What is worked out of the same effects is the same.
            self._levels = like.conditions

    @property
    def round(self) -> int | None:
        """The round of its running combat."""
        return self.actor.round

    @property
    def settings(self) -> Settings:
        """The rulebook's settings."""
        return self.book.settings

    @property
    def conditions(self) -> dict[str, int]:
        """Every status that it has, with its level; implied ones included (CMB-1, CMB-2)."""
        if self._levels is None:
            self._levels = levels_of(self.actor, self.book.implied)
        return self._levels

    def level(self, condition: str) -> int:
        """Return the level of the condition; 0 when it is absent."""
        return self.conditions.get(condition, 0)

    def has(self, condition: str) -> bool:
        """Tell whether it has the condition or status."""
        levels = self._levels
        return condition in (self.conditions if levels is None else levels)

    def effects(self, condition: str) -> list[Effect]:
        """Return the enabled effects that carry the condition."""
        return [e for e in self.actor.effects if not e.disabled and condition in e.statuses]

    def brought_by(self, condition: str, cause: str) -> bool:
        """Tell whether an enabled effect of this cause carries the condition."""
        return any(e.cause == cause for e in self.effects(condition))

    def carried(self, condition: str) -> bool:
        """Tell whether an effect carries it for itself, not only as what another of its statuses implies."""
        return any(
            not any(condition in self.book.implied.get(status, ()) for status in e.statuses)
            for e in self.effects(condition)
        )

    def notes(self, condition: str, shape: type[S]) -> S:
        """Return what the condition remembers about it; empty notes when there are none, or they cannot be read."""
        raw = self.actor.memory.notes.get(condition)
        if raw is None:
            return shape()
        try:
            return msgspec.convert(raw, shape)
        except msgspec.ValidationError:
            # CMB-8: whatever stands there was put there by hand, and hands are never fought.
            return shape()

    def immune_to(self, condition: str) -> bool:
        """Tell whether it cannot gain the condition: by nature, or while it has another one."""
        book = self.book.conditions
        return condition in self.actor.condition_immunities or any(
            condition in book[id].immune_to for id in self.conditions if id in book
        )

    def immune_to_damage(self, type: str) -> bool:
        """Tell whether it is immune to this type of damage."""
        return type in self.actor.immunities
