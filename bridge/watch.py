"""Which creatures wait for which others, combats and rounds, so that an event wakes only those that it concerns."""

from __future__ import annotations

from collections import defaultdict

from bridge.engine.state import Actor
from bridge.engine.timers import last_round


class Watch:
    """An index over the timers and sources of all creatures."""

    def __init__(self) -> None:
        self._turns: defaultdict[str, set[str]] = defaultdict(set)
        self._sources: defaultdict[str, set[str]] = defaultdict(set)
        self._rounds: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        self._combats: defaultdict[str, set[str]] = defaultdict(set)
        self._of: dict[
            str, list[tuple[defaultdict[str, set[str]] | defaultdict[tuple[str, int], set[str]], object]]
        ] = {}

    def forget(self, actor: str) -> None:
        """Take a creature out of the index."""
        for index, key in self._of.pop(actor, []):
            waiting = index[key]  # type: ignore[index]  # each index is kept with keys of its own
            waiting.discard(actor)
            if not waiting:
                del index[key]  # type: ignore[arg-type]  # as above

    def keep(self, actor: Actor) -> None:
        """Index a creature by its effects as they are now."""
        self.forget(actor.id)
        found: list[tuple[defaultdict[str, set[str]] | defaultdict[tuple[str, int], set[str]], object]] = []
        for effect in actor.effects:
            mark = effect.mark
            if mark is None or effect.disabled:
                continue
            if mark.source:
                found.append((self._sources, mark.source))
            timer = mark.timer
            if timer is None:
                continue
            if timer.creature:
                found.append((self._turns, timer.creature))
            if timer.combat:
                found.append((self._combats, timer.combat))
                if (last := last_round(timer)) is not None:
                    found.append((self._rounds, (timer.combat, last)))
        for index, key in found:
            index[key].add(actor.id)  # type: ignore[index]  # as above
        if found:
            self._of[actor.id] = found

    def for_turn_of(self, creature: str) -> list[str]:
        """Return who waits for a turn of this creature."""
        return sorted(self._turns.get(creature, ()))

    def for_source(self, creature: str) -> list[str]:
        """Return who has a condition from this creature."""
        return sorted(self._sources.get(creature, ()))

    def for_combat(self, combat: str) -> list[str]:
        """Return whose durations hang on this combat."""
        return sorted(self._combats.get(combat, ()))

    def for_rounds(self, combat: str, first: int, last: int) -> list[str]:
        """Return whose rounds may be over between these rounds, both included."""
        if last - first > len(self._rounds):
            keys = [key for key in self._rounds if key[0] == combat and first <= key[1] <= last]
        else:
            keys = [(combat, round) for round in range(first, last + 1)]
        return sorted({actor for key in keys for actor in self._rounds.get(key, ())})

    def waited_for(self, combat: str) -> set[str]:
        """Return the creatures whose turns are waited for by durations of this combat."""
        return {creature for creature, waiting in self._turns.items() if waiting & self._combats.get(combat, set())}
