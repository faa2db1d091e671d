"""From two pictures of one combat to the turns that began and ended between them.

Creatures are followed by combatant, never by their position in the order (TIM-3).
"""

from __future__ import annotations

from msgspec import Struct

from bridge.engine.events import RoundReached
from bridge.protocol import Combat, Combatant


class Fight(Struct):
    """A combat as last seen, and in which round each combatant's turn has begun and ended last."""

    combat: Combat
    begun: dict[str, int] = {}
    ended: dict[str, int] = {}
    furthest: int = 0
    """The highest round seen: rounds that are stepped back and on again are counted once."""
    places: dict[str, tuple[float | None, int]] = {}
    """Actor -> initiative and index of its place, also of those that have left (TIM-8)."""


class Turn(Struct, frozen=True):
    """A combatant's turn: begun or ended in a round; ``passed``: how many of its turns were passed over."""

    combatant: str
    actor: str
    round: int
    turn: int
    passed: int = 0


class Passage(Struct, frozen=True):
    """What one picture of a combat says about turns.  ``back``: it was stepped back, nothing triggers."""

    ended: tuple[Turn, ...] = ()
    begun: tuple[Turn, ...] = ()
    back: bool = False


def passage(fight: Fight | None, after: Combat) -> Passage:
    """Return the turns that ended and began; ``fight`` is none for a combat that has just started.

    TIM-3: "forward, everything in between expires, and what a creature's turn triggers happens once for that
    creature, however many of its turns were passed".
    """
    if not after.order:
        return Passage()
    if fight is None:
        return Passage(begun=_turns(after, [(after.round, _current(after))], {}))
    before = fight.combat
    places = {c.id: i for i, c in enumerate(after.order)}
    start = _place(before, places)
    goal = (after.round, _current(after))
    if goal == start or goal < start:
        return Passage(back=goal < start)
    steps = _steps(start, goal, len(after.order))
    left = [(before.round, places[before.order[before.turn].id])] if _stands(before, places) else []
    ended = _turns(after, left + steps[:-1], fight.ended)
    return Passage(ended=ended, begun=_turns(after, steps, fight.begun))


def _current(combat: Combat) -> int:
    return min(combat.turn, len(combat.order) - 1)


def _stands(before: Combat, places: dict[str, int]) -> bool:
    return before.turn < len(before.order) and before.order[before.turn].id in places


def _place(before: Combat, places: dict[str, int]) -> tuple[int, int]:
    """Return (round, index in the new order) of the turn that ran before, or of the place that it had."""
    for combatant in before.order[before.turn :: -1] if before.order else ():
        if combatant.id in places:
            return before.round, places[combatant.id]
    return before.round, -1


def _steps(start: tuple[int, int], goal: tuple[int, int], size: int) -> list[tuple[int, int]]:
    """Return every (round, index) after ``start`` up to ``goal``; of many rounds the last two, which hold everyone."""
    first = max(start[0], goal[0] - 1)
    return [
        (round, index) for round in range(first, goal[0] + 1) for index in range(size) if start < (round, index) <= goal
    ]


def _turns(combat: Combat, steps: list[tuple[int, int]], before: dict[str, int]) -> tuple[Turn, ...]:
    """Return the last turn of each combatant.  ``before``: the round in which its turn began, or ended, already."""
    found: dict[str, Turn] = {}
    for round, index in steps:
        combatant = combat.order[index]
        # TIM-3: "nothing triggers for a turn that has begun before, whether it triggered something then or not"
        if combatant.actor is None or before.get(combatant.id, 0) >= round:
            continue
        passed = round - before[combatant.id] - 1 if combatant.id in before else 0
        found.pop(combatant.id, None)
        found[combatant.id] = Turn(combatant.id, combatant.actor, round, index, passed)
    return tuple(found.values())


def remember(fight: Fight | None, after: Combat) -> Fight:
    """Return what to keep: the new picture, and whose turns have begun in which round."""
    began, over = (fight.begun, fight.ended) if fight else ({}, {})
    begun, ended = dict[str, int](), dict[str, int]()
    for index, combatant in enumerate(after.order):
        # Everyone up to the current place has begun its turn of this round; the others that of the round before.
        id, here = combatant.id, _current(after)
        begun[id] = max(began.get(id, 0), after.round - (index > here))
        ended[id] = max(over.get(id, 0), after.round - (index >= here))
    places = dict(fight.places) if fight else {}
    places.update({c.actor: (c.initiative, index) for index, c in enumerate(after.order) if c.actor})
    return Fight(after, begun, ended, max(after.round, fight.furthest if fight else 0), places)


def current(combat: Combat) -> Combatant | None:
    """Return whose turn it is."""
    return combat.order[_current(combat)] if combat.order else None


def reached(combat: Combat) -> RoundReached:
    """Return the event that says which point of the order the combat has come to (TIM-2)."""
    now = current(combat)
    initiative = now.initiative if now else None
    tied = tuple(c.id for c in combat.order if c.initiative == initiative)
    acted = tuple(c.id for c in combat.order[: combat.turn + 1] if c.initiative == initiative)
    return RoundReached(
        combat=combat.id, round=combat.round, turn=combat.turn, initiative=initiative, acted=acted, tied=tied
    )


def ghosts(fight: Fight, after: Combat, waited_for: set[str], start: tuple[int, int]) -> list[tuple[str, int]]:
    """Return (actor, round) of creatures that have left and whose old place has just been passed.

    TIM-8: "The named creature gone from the combat: its old place in the order."
    """
    here = {c.actor for c in after.order}
    found: list[tuple[str, int]] = []
    now = current(after)
    for actor in sorted(waited_for - here):
        if actor not in fight.places:
            continue
        initiative, index = fight.places[actor]
        if after.round > start[0] + 1:
            found.append((actor, after.round))
            continue
        if initiative is not None and now is not None and now.initiative is not None:
            passed = now.initiative < initiative
            before = fight.combat.order[start[1]].initiative if start[1] < len(fight.combat.order) else None
            was_passed = before is not None and before < initiative
        else:
            passed, was_passed = after.turn >= index, start[1] >= index
        if after.round > start[0]:
            # A new round: the place is passed in the old round if it was not yet, else in the new one if it is.
            if not was_passed:
                found.append((actor, start[0]))
            elif passed:
                found.append((actor, after.round))
        elif passed and not was_passed:
            found.append((actor, after.round))
    return found
