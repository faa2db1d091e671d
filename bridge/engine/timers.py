"""Durations of any condition: seconds, rounds, turns, saves, combats and rests.

Rules: TIM-1 to TIM-8.  The timer stands on the effect (``Mark.timer``); what ends it is judged from its start, never
counted down.  In a running combat rounds and turns are followed by combatant and initiative, outside it by the clock.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from .changes import AskSave, Change, EndEffect, MarkEffect, Say
from .conditions import Condition, Creature
from .events import (
    ClockSetBack,
    CombatLeft,
    CombatSetBack,
    ConditionChanged,
    EffectsChanged,
    FellDue,
    OtherTurn,
    RestFinished,
    Rolled,
    RoundReached,
    Seen,
    TurnEnded,
    TurnStarted,
)
from .settings import OFF
from .state import Effect, Mark, Timer
from .words import ABILITIES, name_of, turns_text

ROUND = 6
"""Seconds of world time in a round (TIM-2)."""
SAVE = "ends:"
"""Reason of a save that ends an effect: this and the effect's id."""


def is_timed(it: Creature) -> bool:
    """Tell whether any effect of the creature has a timer."""
    return any(effect.mark is not None and effect.mark.timer is not None for effect in it.actor.effects)


duration = Condition(id="duration", name="Duration", summary="", concerns=is_timed)


def due(timer: Timer) -> int | None:
    """Return the world time at which the clock ends it; none when something else does."""
    match timer.kind:
        case "seconds":
            return timer.began + timer.amount
        case "rounds" if timer.combat is None:
            return timer.began + ROUND * timer.amount
        case "turn-start" | "turn-end" if timer.combat is None:
            # TIM-8: "Until a creature's turn with no combat: 6 s."
            return timer.began + ROUND
        case _:
            return None


def saved(timer: Timer) -> bool:
    """Tell whether a save ends it: a save alone, or a save before its time is up."""
    return timer.kind == "save" or timer.ability is not None


def last_round(timer: Timer) -> int | None:
    """Return the round in which N rounds of a combat are over (TIM-2)."""
    return timer.round + timer.amount if timer.kind == "rounds" and timer.combat is not None else None


def remaining(timer: Timer, now: int, round: int | None = None) -> int | None:
    """Return what is left: rounds for what was given in rounds in a combat, else seconds; none when unknown."""
    end = last_round(timer)
    if end is not None:
        # TIM-5: "with never more than its whole duration left"
        return max(0, min(timer.amount, end - round)) if round is not None else None
    end = due(timer)
    return None if end is None else max(0, min(end - now, end - timer.began))


def halt(timer: Timer, it: Creature) -> Timer:
    """PET-1: keep what is left; ``amount`` is what remains, ``began`` is meaningless until it resumes."""
    end = due(timer)
    if end is not None:
        return structs.replace(timer, kind="seconds", amount=max(0, end - it.now), began=it.now, combat=None)
    if (last := last_round(timer)) is not None:
        left = last - it.round if it.round is not None else timer.amount
        return structs.replace(timer, amount=max(0, min(timer.amount, left)))
    return timer


def resume(timer: Timer, it: Creature) -> Timer | None:
    """PET-2: "resumes with exactly the duration that was left"; none when its combat is over, and with it its end."""
    if timer.combat is not None and it.actor.combat != timer.combat:
        # TIM-4, TIM-8: as it would have gone on when that combat ended.
        return _without_combat(timer, it, timer.amount)
    if timer.kind == "rounds" and timer.combat is not None and it.round is not None:
        return structs.replace(timer, round=it.round, began=it.now)
    return structs.replace(timer, began=it.now)


def running(it: Creature) -> Iterator[tuple[Effect, Mark, Timer]]:
    """Yield the effects of the creature whose timer runs."""
    for effect in it.actor.effects:
        if effect.disabled or effect.mark is None or effect.mark.timer is None or not effect.statuses:
            continue
        known = [status for status in effect.statuses if status in it.book.conditions]
        if known and all(it.book.mode(status) == OFF for status in known):
            continue
        yield effect, effect.mark, effect.mark.timer


def lasts_until(it: Creature, condition: str, latest: int) -> int:
    """Return until when the clock lets it last, ``latest`` where the clock ends nothing: a jump is judged in order."""
    ends = [due(e.mark.timer) if e.mark and e.mark.timer else None for e in it.effects(condition)]
    return max((latest if end is None else min(end, latest) for end in ends), default=latest)


@duration.due
def next_end(it: Creature, after: int) -> int | None:
    """Return when the next effect ends by the clock."""
    ends = [end for _, _, timer in running(it) if (end := due(timer)) is not None and end > after]
    return min(ends, default=None)


@duration.on(FellDue, always=True, order=-50)
@duration.on(Seen, always=True, order=50)
@duration.on(ConditionChanged, always=True, order=50)
@duration.on(EffectsChanged, always=True, order=50)
def time_is_up(event: FellDue | Seen | ConditionChanged | EffectsChanged, it: Creature) -> Iterator[Change]:
    """TIM-1: seconds are over; what came with an end that lies behind it ends at once."""
    for effect, _, timer in running(it):
        if (end := due(timer)) is not None and end <= it.now:
            yield EndEffect(effect=effect.id)


@duration.on(RoundReached, always=True)
def rounds_are_up(event: RoundReached, it: Creature) -> Iterator[Change]:
    """TIM-2: "N rounds end N rounds later at the initiative point at which they began"."""
    for effect, _, timer in running(it):
        last = last_round(timer)
        if last is None or timer.combat != event.combat:
            continue
        if event.round > last or (event.round == last and _point_reached(timer, event)):
            yield EndEffect(effect=effect.id)


def _point_reached(timer: Timer, event: RoundReached) -> bool:
    """TIM-2: "even if initiative is re-rolled, the creature is delayed, or the combatant … has left"."""
    if timer.initiative is not None and event.initiative is not None:
        if event.initiative != timer.initiative:
            return event.initiative < timer.initiative
        return timer.combatant is None or timer.combatant in event.acted or timer.combatant not in event.tied
    return event.turn >= timer.turn


@duration.on(OtherTurn, always=True)
def turn_comes(event: OtherTurn, it: Creature) -> Iterator[Change]:
    """TIM-1: until the start or the end of a given creature's next turn."""
    for effect, _, timer in running(it):
        if timer.kind != event.moment or timer.creature != event.other or timer.combat != event.combat:
            continue
        if event.gone or _began_after(event, timer):
            yield EndEffect(effect=effect.id)


def _began_after(event: OtherTurn, timer: Timer) -> bool:
    """TIM-1: its next turn is one that began after the effect was given, whoever has joined or left since."""
    if event.round != timer.round:
        return event.round > timer.round
    if event.combatant is not None and event.combatant == timer.combatant:
        return False
    if event.initiative is not None and timer.initiative is not None and event.initiative != timer.initiative:
        return event.initiative < timer.initiative
    return event.turn > timer.turn


@duration.on(TurnStarted, always=True, order=20)
def save_at_start(event: TurnStarted, it: Creature) -> Iterator[Change]:
    """TIM-1: until a save succeeds, at the start of its turn."""
    yield from _ask(it, "start", event.passed)


@duration.on(TurnEnded, always=True, order=20)
def save_at_end(event: TurnEnded, it: Creature) -> Iterator[Change]:
    """TIM-1: until a save succeeds, at the end of its turn."""
    yield from _ask(it, "end", event.passed)


def _ask(it: Creature, moment: str, passed: int) -> Iterator[Change]:
    for effect, _, timer in running(it):
        if not saved(timer) or timer.moment != moment:
            continue
        name = name_of(it.book, effect.statuses[0])
        ability = ABILITIES.get(timer.ability or "con", "Constitution")
        say = Say(
            "ending-save-late" if passed else "ending-save",
            f"A {ability} save, DC {timer.dc}, ends {name}.{turns_text(passed)}",
            {"name": name, "ability": timer.ability or "con", "dc": timer.dc, "turns": passed + 1},
            condition=effect.statuses[0],
        )
        yield AskSave(
            ability=timer.ability or "con",
            dc=timer.dc,
            reason=f"{SAVE}{effect.id}",
            say=say,
            tags=tuple(f"vs-{status}" for status in effect.statuses),
        )


@duration.on(Rolled, always=True)
def save_comes_in(event: Rolled, it: Creature) -> Iterator[Change]:
    """TIM-1: a success ends it."""
    if event.success and event.reason.startswith(SAVE):
        id = event.reason.removeprefix(SAVE)
        effect = it.actor.effect(id)
        if effect and effect.mark and effect.mark.timer and saved(effect.mark.timer):
            yield EndEffect(effect=id)


@duration.excuse(Rolled)
def it_goes_on(event: Rolled, it: Creature) -> Say | None:
    """TIM-1: a failure ends nothing."""
    if event.success:
        return None
    data: dict[str, str | int] = {"total": event.total or 0, "dc": event.dc}
    return Say("roll-failed", f"Rolled {event.total} against DC {event.dc}: it goes on.", data)


@duration.on(CombatLeft, always=True)
def combat_is_over(event: CombatLeft, it: Creature) -> Iterator[Change]:
    """TIM-4: "what lasts until the combat's end ends; what counted in rounds goes on in seconds"."""
    for effect, mark, timer in running(it):
        # TIM-1: "until the combat ends", put on before there was one: the first that it is in.
        if timer.combat != event.combat and (timer.kind != "combat" or timer.combat is not None):
            continue
        if not event.ended and timer.kind != "combat":
            # TIM-2: the rounds of a combat that goes on without it are still counted there.
            continue
        left = min(timer.amount, timer.round + timer.amount - event.round)
        after = _without_combat(timer, it, left)
        if after is None:
            yield EndEffect(effect=effect.id)
        else:
            yield MarkEffect(effect=effect.id, mark=structs.replace(mark, timer=after))


def _without_combat(timer: Timer, it: Creature, left: int) -> Timer | None:
    """Return how it goes on by the clock, with ``left`` rounds if it counts them; none when nothing is left of it."""
    if timer.kind == "combat" or (timer.kind == "rounds" and left <= 0):
        return None
    if timer.kind not in ("rounds", "turn-start", "turn-end"):
        return timer
    seconds = ROUND * (left if timer.kind == "rounds" else 1)
    return Timer("seconds", it.now, seconds, ability=timer.ability, dc=timer.dc, moment=timer.moment)


@duration.on(RestFinished, always=True)
def rest_is_over(event: RestFinished, it: Creature) -> Iterator[Change]:
    """TIM-1: until a short or long rest; a long rest is the longer one and ends both."""
    ended = ("short-rest", "long-rest") if event.kind == "long" else ("short-rest",)
    for effect, _, timer in running(it):
        if timer.kind in ended:
            yield EndEffect(effect=effect.id)


@duration.on(ClockSetBack, always=True)
def clock_set_back(event: ClockSetBack, it: Creature) -> Iterator[Change]:
    """TIM-5: "a start that now lies in the future becomes now"."""
    for effect, mark, timer in running(it):
        if due(timer) is not None and timer.began > event.at:
            yield MarkEffect(effect=effect.id, mark=structs.replace(mark, timer=structs.replace(timer, began=event.at)))


@duration.on(CombatSetBack, always=True)
def combat_set_back(event: CombatSetBack, it: Creature) -> Iterator[Change]:
    """TIM-5: the same for a combat that is stepped back before the effect was given."""
    for effect, mark, timer in running(it):
        if timer.combat == event.combat and (timer.round, timer.turn) > (event.round, event.turn):
            now = structs.replace(
                timer,
                round=event.round,
                turn=event.turn,
                initiative=event.initiative,
                combatant=event.combatant,
            )
            yield MarkEffect(effect=effect.id, mark=structs.replace(mark, timer=now))


@duration.on(Seen, always=True, order=40)
def another_world(event: Seen, it: Creature) -> Iterator[Change]:
    """CMB-12: stamps of another world "keep the level and restart the clocks"."""
    if not event.foreign:
        return
    for effect, mark, timer in running(it):
        restarted = structs.replace(timer, began=it.now, combat=None)
        yield MarkEffect(effect=effect.id, mark=structs.replace(mark, timer=restarted))
