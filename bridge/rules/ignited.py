"""Ignited: on fire.  Rules: IGN-1 to IGN-3.  The page has the heading alone; what it does is the 2024 hazard."""

from collections.abc import Iterator

from msgspec import Struct, structs

from bridge.engine.brief import told
from bridge.engine.changes import (
    Button,
    Change,
    EndCondition,
    LoseAction,
    Post,
    Remember,
    RollDice,
    Say,
    SetCondition,
    TakeDamage,
    Tell,
    Use,
)
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import (
    ClockSetBack,
    ConditionChanged,
    DiceRolled,
    Pressed,
    Seen,
    TimePassed,
    TurnEnded,
    TurnStarted,
)
from bridge.engine.settings import TRUE_FALSE, Setting, Settings
from bridge.engine.timers import lasts_until
from bridge.engine.words import turns_text

EVERY = 6
MOST_ROLLS = 10
BURN = "ignited.damage"
BUTTONS = (Button("extinguish", "Extinguish", who="owner"), Button("doused", "Doused"))
"""IGN-3: what ends it."""


class Notes(Struct, frozen=True, omit_defaults=True):
    """Since when it burns, and until when that is paid for, in seconds of world time."""

    since: int | None = None
    burnt: int | None = None


def summary(level: int, settings: Settings) -> str:
    """Say the damage and its moment."""
    moment = "start" if settings["ignited.when"] == "turn-start" else "end"
    return f"{settings['ignited.damage']} {settings['ignited.type']} damage at the {moment} of each of its turns."


ignited = Condition(
    id="ignited",
    name="Ignited",
    summary=summary,
    own=True,
    icon="ignited",
    origin="The page has only the heading: the 2024 hazard of burning.",
    turn_buttons=BUTTONS,
    ends="Ends when it spends an action to put the fire out, or is doused.",
    settings=(
        Setting("ignited.damage", "1d4", text=True),
        Setting("ignited.type", "fire", text=True),
        Setting("ignited.when", "turn-start", ("turn-start", "turn-end")),
        Setting("ignited.system-burning", True, TRUE_FALSE),
    ),
)


def fires(it: Creature) -> list[str]:
    """IGN-1: "dnd5e's burning counts as it [setting]"."""
    known = ("ignited", "burning") if it.settings["ignited.system-burning"] else ("ignited",)
    return [status for status in known if it.has(status)]


def burns(it: Creature) -> bool:
    """Tell whether it is on fire."""
    return bool(fires(it))


def roll(it: Creature, passed: int = 0) -> RollDice:
    """Ask for the damage dice."""
    formula, kind = it.settings["ignited.damage"], it.settings["ignited.type"]
    text = f"It burns: {formula} {kind} damage.{turns_text(passed)}"
    say = Say("burns", text, {"formula": formula, "type": kind, "turns": passed + 1}, condition="ignited")
    return RollDice(formula=formula, reason=BURN, say=say)


@ignited.on(TurnStarted, always=True)
def burn_at_start(event: TurnStarted, it: Creature) -> Iterator[Change]:
    """IGN-1: "1d4 fire damage at the start of each of the creature's turns"."""
    if it.settings["ignited.when"] == "turn-start":
        yield from burn_in_turn(it, event.passed)


@ignited.on(TurnEnded, always=True)
def burn_at_end(event: TurnEnded, it: Creature) -> Iterator[Change]:
    """IGN-1: the moment is a setting."""
    if it.settings["ignited.when"] == "turn-end":
        yield from burn_in_turn(it, event.passed)


def burn_in_turn(it: Creature, passed: int) -> Iterator[Change]:
    """Burn once, and note that it is paid for until now (IGN-2: "seconds that have burnt do not burn again")."""
    if not burns(it):
        return
    notes = it.notes("ignited", Notes)
    if notes.since is not None and (notes.burnt is None or notes.burnt < it.now):
        yield Remember(condition="ignited", notes=structs.replace(notes, burnt=it.now))
    yield roll(it, passed)


@ignited.on(TurnStarted, always=True, order=90)
def tell(event: TurnStarted, it: Creature) -> Iterator[Change]:
    """CRD-2: what burns by the system's status is told at its turn like Ignited, with the same buttons."""
    if fires(it) == ["burning"] and (post := told(it, "ignited")) is not None:
        yield post


@ignited.on(DiceRolled, always=True)
def hurt(event: DiceRolled, it: Creature) -> Iterator[Change]:
    """IGN-1: through the system, so that resistances count."""
    if event.reason == BURN and event.total > 0:
        yield TakeDamage(amount=event.total, type=it.settings["ignited.type"])


@ignited.on(ConditionChanged, always=True)
@ignited.on(Seen, always=True)
def catch_fire(event: ConditionChanged | Seen, it: Creature) -> Iterator[Change]:
    """IGN-2: "Counted from its start"; IGN-3: the buttons that end it."""
    if isinstance(event, ConditionChanged) and event.condition not in ("ignited", "burning"):
        return
    notes = it.notes("ignited", Notes)
    if not burns(it):
        if notes != Notes():
            yield Remember(condition="ignited", notes=None)
        return
    restart = isinstance(event, Seen) and event.foreign
    if notes.since is None or restart:
        yield Remember(condition="ignited", notes=Notes(it.now, it.now))
    if isinstance(event, ConditionChanged) and event.level and not event.was:
        yield Post(
            kind="conditions",
            say=Say("extinguish-how", "An action puts the fire out and leaves it Prone.", condition="ignited"),
            buttons=BUTTONS,
        )


@ignited.due
def next_burn(it: Creature, after: int) -> int | None:
    """IGN-2: out of combat "the same every 6 s of world time while time advances"."""
    notes = it.notes("ignited", Notes)
    if notes.since is None or it.actor.combat is not None or not burns(it):
        return None
    paid = max(after, notes.burnt if notes.burnt is not None else notes.since)
    return notes.since + EVERY * ((paid - notes.since) // EVERY + 1)


@ignited.on(TimePassed, always=True)
def burn_on(event: TimePassed, it: Creature) -> Iterator[Change]:
    """IGN-2: "at most 10 rolls per jump, the rest told to the GM"; what has burnt does not burn again."""
    notes = it.notes("ignited", Notes)
    if notes.since is None or not burns(it):
        return
    paid = max(event.since, notes.burnt if notes.burnt is not None else notes.since)
    if event.at <= paid:
        return
    yield Remember(condition="ignited", notes=Notes(notes.since, event.at))
    if it.actor.combat is not None:
        # In a combat its turns burn; those seconds are paid for.
        return
    # TIM-1: "A jump is judged in the order in which things fall due": what comes after the fire's end burns nothing.
    until = max(paid, *(lasts_until(it, status, event.at) for status in fires(it)))
    count = (until - notes.since) // EVERY - (paid - notes.since) // EVERY
    for _ in range(min(count, MOST_ROLLS)):
        yield roll(it)
    if count > MOST_ROLLS:
        rest = count - MOST_ROLLS
        yield Post(
            kind="notice",
            say=Say(
                "burns-on",
                f"{rest} more times 6 seconds have passed in flames: not rolled.",
                {"count": rest},
                condition="ignited",
            ),
            audience="gm",
        )


@ignited.on(ClockSetBack, always=True)
def clock_set_back(event: ClockSetBack, it: Creature) -> Iterator[Change]:
    """TIM-5: a start that now lies in the future becomes now; IGN-2: what has burnt stays burnt."""
    notes = it.notes("ignited", Notes)
    if notes.since is not None and notes.since > event.at:
        yield Remember(condition="ignited", notes=Notes(event.at, notes.burnt))


@ignited.on(Pressed, always=True)
def put_out(event: Pressed, it: Creature) -> Iterator[Change]:
    """IGN-3."""
    if event.button not in ("extinguish", "doused") or not burns(it):
        return
    if event.button == "extinguish":
        # IGN-3: "it takes the action, refused as DAZ-2 where none is left or the creature is Incapacitated"
        spent = {"action", "attack"} & set(event.spent)
        dazed = it.has("dazed") and "move" in event.spent
        lost = it.actor.combat is not None and it.actor.memory.lost == (it.actor.combat, it.actor.round)
        if it.has("incapacitated") or spent or dazed or lost:
            who = it.actor.name
            say = Say("no-action-left", f"{who} has no action left to put the fire out.", {"who": who})
            yield Tell(code="not-allowed", say=say)
            return
        if it.actor.combat is not None and it.actor.round is not None:
            yield LoseAction(combat=it.actor.combat, round=it.actor.round)
        if not it.has("prone"):
            yield SetCondition(condition="prone")
    yield EndCondition(condition="ignited")
    yield EndCondition(condition="burning")
    yield Use(card=event.card, button=event.button, say=Say("put-out", "The fire is out."))


@ignited.on(ConditionChanged, always=True, order=20)
def die(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """IGN-3: it ends when the creature is dead."""
    if event.condition == "dead" and event.level and burns(it):
        yield EndCondition(condition="ignited")
        yield EndCondition(condition="burning")
