"""Which creatures wait for which others, combats and rounds, so that an event wakes only those that it concerns."""

from __future__ import annotations

from collections import defaultdict

from bridge.engine.state import Actor
from bridge.engine.timers import last_round

Key = tuple[str | int, ...]
"""What is waited for, e.g. ``("turn", creature)`` or ``("round", combat, 5)``."""


class Watch:
    """An index over the timers and sources of all creatures."""

    def __init__(self) -> None:
        self._waiting: defaultdict[Key, set[str]] = defaultdict(set)
        self._of: dict[str, set[Key]] = {}
        self._named: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """Combat -> creatures whose turns are waited for there, and by how many."""

    def forget(self, actor: str) -> None:
        """Take a creature out of the index."""
        for key in self._of.pop(actor, ()):
            waiting = self._waiting[key]
            waiting.discard(actor)
            if not waiting:
                del self._waiting[key]
            if key[0] == "named":
                self._count(str(key[1]), str(key[2]), -1)

    def keep(self, actor: Actor) -> None:
        """Index a creature by its effects as they are now."""
        self.forget(actor.id)
        keys = _keys(actor)
        for key in keys:
            self._waiting[key].add(actor.id)
            if key[0] == "named":
                self._count(str(key[1]), str(key[2]), 1)
        if keys:
            self._of[actor.id] = keys

    def _count(self, combat: str, creature: str, by: int) -> None:
        counts = self._named[combat]
        counts[creature] = counts.get(creature, 0) + by
        if not counts[creature]:
            del counts[creature]
        if not counts:
            del self._named[combat]

    def for_turn_of(self, creature: str) -> list[str]:
        """Return who waits for a turn of this creature."""
        return sorted(self._waiting.get(("turn", creature), ()))

    def for_source(self, creature: str) -> list[str]:
        """Return who has a condition from this creature."""
        return sorted(self._waiting.get(("source", creature), ()))

    def for_combat(self, combat: str) -> list[str]:
        """Return whose durations hang on this combat."""
        return sorted(self._waiting.get(("combat", combat), ()))

    def for_rounds(self, combat: str, first: int, last: int) -> list[str]:
        """Return whose rounds may be over between these rounds, both included."""
        if last - first > len(self._waiting):
            keys: list[Key] = [
                key for key in self._waiting if key[:2] == ("round", combat) and first <= int(key[2]) <= last
            ]
        else:
            keys = [("round", combat, round) for round in range(first, last + 1)]
        return sorted({actor for key in keys for actor in self._waiting.get(key, ())})

    def waited_for(self, combat: str) -> set[str]:
        """Return the creatures whose turns are waited for by durations of this combat."""
        return set(self._named.get(combat, ()))


def _keys(actor: Actor) -> set[Key]:
    found: set[Key] = set()
    for effect in actor.effects:
        mark = effect.mark
        if mark is None or effect.disabled:
            continue
        if mark.source:
            found.add(("source", mark.source))
        timer = mark.timer
        if timer is None:
            continue
        if timer.creature:
            found.add(("turn", timer.creature))
        if timer.combat:
            found.add(("combat", timer.combat))
            if timer.creature:
                found.add(("named", timer.combat, timer.creature))
            if (last := last_round(timer)) is not None:
                found.add(("round", timer.combat, last))
    return found
