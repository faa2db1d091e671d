"""How long a condition still lasts, as the console shows it: from its start, never counted down by steps (TIM-5)."""

from __future__ import annotations

from bridge.engine import timers
from bridge.engine.state import Actor, Effect, Timer

from .table import Table

ROUND = 6
PAUSED = "paused"


def remaining(table: Table, actor: Actor, condition: str) -> int | str | None:
    """Return seconds, or in combat rounds for what was given in rounds; ``paused``; none for what has no end."""
    found: list[int] = []
    paused = False
    for effect in actor.effects:
        if condition not in effect.statuses or effect.mark is None:
            continue
        if effect.mark.held or effect.mark.halted is not None:
            paused = True
        elif not effect.disabled and (left := _left(table, effect)) is not None:
            found.append(left)
    return max(found) if found else PAUSED if paused else None


def _left(table: Table, effect: Effect) -> int | None:
    timer = effect.mark.timer if effect.mark else None
    if timer is None:
        return None
    if timer.kind == "rounds":
        combat = table.documents.combats.get(timer.combat or "")
        if combat is not None:
            return timers.remaining(timer, table.documents.clock, combat.round)
        return max(0, _seconds(table, timer, ROUND * timer.amount))
    if timer.kind == "seconds":
        return max(0, _seconds(table, timer, timer.amount))
    if timer.kind in ("turn-start", "turn-end") and timer.combat is None:
        # TIM-8: "Until a creature's turn with no combat: 6 s."
        return max(0, _seconds(table, timer, ROUND))
    return None


def _seconds(table: Table, timer: Timer, whole: int) -> int:
    return min(whole, whole - (table.documents.clock - timer.began) - timer.counted)
