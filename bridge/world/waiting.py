"""In which order what waits for one creature is heard: what a hand has set goes first (CMB-8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import structs

from bridge.engine import events as e
from bridge.engine.conditions import Rulebook
from bridge.world.memory import Pending


def waits_for_hands(queue: Sequence[Pending], book: Rulebook) -> bool:
    """Tell whether a hand has set something while something else still waits."""
    return any(_by_hand(event, book) for pending in queue[1:] for event in pending.events)


def hands_first(queue: Sequence[Pending], book: Rulebook, kept: Collection[str]) -> list[Pending]:
    """CMB-8: what hands have set since stands on the creature already, so it is heard before what still waits.

    ``kept``: the conditions of which the creature remembers something, a clock of its own among it.
    """
    clocks = any(
        isinstance(event, e.ConditionChanged) and event.condition in kept and _by_hand(event, book)
        for pending in queue
        for event in pending.events
    )
    hands: list[e.AnyEvent] = []
    found: list[Pending] = []
    gap = queue[0].gap
    for pending in queue:
        rest: list[e.AnyEvent] = []
        for event in pending.events:
            # A clock set back stays where it was among hands that set a clock: both say where sober hours begin.
            back = clocks and isinstance(event, e.ClockSetBack)
            if not back and not _by_hand(event, book):
                rest.append(event)
                continue
            hands.append(event)
            gap = gap or pending.gap
            if back:
                # INT-15: "drinks and clocks that now lie in the future are moved to now"
                found = [_none_later(one, event.at) for one in found]
                rest = _not_after(rest, event.at)
        found.append(structs.replace(pending, events=tuple(rest)))
    found[0] = structs.replace(found[0], events=(*hands, *found[0].events), gap=gap)
    return found


def _by_hand(event: e.Event, book: Rulebook) -> bool:
    if not isinstance(event, e.ConditionChanged) or event.by == e.RULE:
        return False
    condition = book.conditions.get(event.condition)
    return condition is not None and condition.derived is None


def _none_later(pending: Pending, now: int) -> Pending:
    return structs.replace(pending, events=tuple(_not_after(pending.events, now)), now=min(pending.now, now))


def _not_after(events: Iterable[e.AnyEvent], now: int) -> list[e.AnyEvent]:
    return [structs.replace(event, at=min(event.at, now)) for event in events]
