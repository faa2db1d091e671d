"""What happened at the table.  Past tense, one creature each, never a wish.  ``at`` is world time in seconds."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .state import Effect, HitDice, HitPoints, Timer

GM = "gm"
PLAYER = "player"
SYSTEM = "system"
RULE = "rule"


class Event(Struct, frozen=True, kw_only=True, tag=True, tag_field="event", omit_defaults=True):
    """Base class.  Conditions subscribe to its subclasses."""

    at: int = 0


class Seen(Event, frozen=True):
    """The creature was seen for the first time: adopt it silently (CMB-11)."""

    foreign: bool = False
    """Its stamps are of another world (CMB-12)."""


class HitPointsRegained(Event, frozen=True):
    """Current hit points went up by ``amount``; ``cause`` as marked by the module, or ``unknown``."""

    amount: int
    before: HitPoints
    after: HitPoints
    cause: str = "unknown"
    label: str = ""
    refused: int = 0
    """What the gate of that moment refuses of it, by what the world saw when it arrived (BLD-11)."""
    gap: bool = False
    """It happened while nobody was looking: never corrected (CMB-11)."""


class HitPointsLost(Event, frozen=True):
    """Current or temporary hit points went down by ``amount`` (temporary ones included)."""

    amount: int
    value: int
    """Of these, current hit points."""


class MaximumChanged(Event, frozen=True):
    """The maximum in force moved."""

    was: int
    now: int


class ConditionChanged(Event, frozen=True):
    """A condition was gained (``was`` 0), lost (``level`` 0) or changed level."""

    condition: str
    was: int
    level: int
    by: str = SYSTEM
    """``gm``, ``player``, ``system`` (Foundry, dnd5e, an item, another module) or ``rule`` (our own doing)."""
    implied: bool = False
    """No effect carries it for itself, before or after: another condition implies it."""
    gone: tuple[Effect, ...] = ()
    """Effects that are gone or no longer as they were, as they were."""
    came: tuple[str, ...] = ()
    """Ids of effects that are new or no longer as they were."""


class EffectsChanged(Event, frozen=True):
    """Effects came, went or changed without any condition changing (a second source, a new duration)."""

    condition: str
    by: str = SYSTEM
    gone: tuple[Effect, ...] = ()
    came: tuple[str, ...] = ()


class ConcentrationBegan(Event, frozen=True):
    """It began to concentrate."""


class TurnStarted(Event, frozen=True):
    """Its own turn began.  ``passed``: how many of its turns were passed over on the way (TIM-3)."""

    combat: str
    round: int
    turn: int
    passed: int = 0


class TurnEnded(Event, frozen=True):
    """Its own turn ended.  ``passed``: how many of its turns ended on the way before this one (TIM-3)."""

    combat: str
    round: int
    turn: int
    passed: int = 0


class CombatJoined(Event, frozen=True):
    """It became a combatant of a running combat."""

    combat: str


class CombatLeft(Event, frozen=True):
    """Its combat ended, or it left a running one."""

    combat: str
    ended: bool = True
    round: int = 0
    """The round in which that was."""


class CombatSetBack(Event, frozen=True):
    """A combat was stepped back to this round and turn (TIM-5)."""

    combat: str
    round: int
    turn: int
    initiative: float | None = None
    combatant: str | None = None
    """Whose turn it is now."""


class RoundReached(Event, frozen=True):
    """A combat came to a point at which rounds of this creature's effects may be over (TIM-2)."""

    combat: str
    round: int
    turn: int
    initiative: float | None = None
    """Initiative of the one whose turn it is now."""
    acted: tuple[str, ...] = ()
    """Combatants with that initiative whose turn has come in this round, the present one included."""
    tied: tuple[str, ...] = ()
    """All combatants with that initiative."""


class OtherTurn(Event, frozen=True):
    """The turn of a creature that an effect of this one waits for: ``moment`` is ``turn-start`` or ``turn-end``."""

    other: str
    moment: str
    combat: str
    round: int
    turn: int
    initiative: float | None = None
    combatant: str | None = None
    gone: bool = False
    """It has left the combat: this is its old place in the order (TIM-8)."""


class OtherChanged(Event, frozen=True):
    """A condition of a creature that an effect of this one names as its source was gained (1) or lost (0)."""

    other: str
    condition: str
    level: int


class OtherApart(Event, frozen=True):
    """A creature that an effect of this one names as its source is no longer beside it, or gone."""

    other: str


class TimePassed(Event, frozen=True):
    """The clock moved on to ``at``, and something of this creature falls due."""

    since: int
    jump: int = 0
    """Seconds of the one move of the clock."""


class FellDue(Event, frozen=True):
    """Something of this creature fell due at ``at``; raised by the engine while a TimePassed is judged in order."""


class ClockSetBack(Event, frozen=True):
    """The clock was set back to ``at`` (INT-15, TIM-5)."""

    since: int


class Drank(Event, frozen=True):
    """``count`` drinks that count as ``strength`` each (INT-5)."""

    count: int = 1
    strength: int = 1
    willing: bool = False
    label: str = ""


class Ate(Event, frozen=True):
    """It took food or water (INT-9)."""

    what: str = "food"


class RestBegan(Event, frozen=True):
    """A rest began."""

    kind: str


class RestFinished(Event, frozen=True):
    """A rest of ``length`` seconds was finished."""

    kind: str
    length: int = 0
    hit_dice_before: dict[str, HitDice] = {}
    unannounced: bool = False
    """Another module rested it without a message, for the first time (BLD-12)."""


class HealingRefused(Event, frozen=True):
    """A gate refused ``amount`` hit points on the client that tried (BLD-7)."""

    amount: int
    cause: str = "unknown"
    label: str = ""


class Pressed(Event, frozen=True):
    """A button of a card was pressed, by one who may."""

    button: str
    card: str
    data: dict[str, Any] = {}
    by: str = GM
    spent: tuple[str, ...] = ()
    """What the creature has used in this turn of its combat: action, bonus, reaction, move."""


class Rolled(Event, frozen=True):
    """The roll that was asked for came in; ``reason`` says what it was asked for."""

    request: str
    reason: str
    total: int | None = None
    success: bool = False
    dc: int = 0


class DiceRolled(Event, frozen=True):
    """Dice that a rule asked Foundry to roll."""

    request: str
    reason: str
    total: int


class Given(Event, frozen=True):
    """The GM gave it a condition, moved it to ``level``, or ended it (0).  ``timer``: what ends it (TIM-1)."""

    condition: str
    level: int = 1
    source: str = ""
    timer: Timer | None = None
    forced: bool = False
    """Against an immunity (CMB-4)."""


class Undone(Event, frozen=True):
    """The GM took back a group of decisions, as far as it concerns this creature; ``group`` names it."""

    group: int


class Missed(Event, frozen=True):
    """What was missed while nobody was looking is told (CMB-11): lines of (condition, text)."""

    lines: tuple[tuple[str, str], ...]
    data: tuple[dict[str, str | int], ...] = ()
    """The same lines as ``key`` and data for clients that speak another language (CRD-6)."""
    first: bool = False
    """The first connection of all."""


class Used(Event, frozen=True):
    """It used an action, bonus action, reaction or its movement."""

    what: str
    label: str = ""


AnyEvent = (
    Seen
    | HitPointsRegained
    | HitPointsLost
    | MaximumChanged
    | ConditionChanged
    | EffectsChanged
    | ConcentrationBegan
    | TurnStarted
    | TurnEnded
    | CombatJoined
    | CombatLeft
    | CombatSetBack
    | RoundReached
    | OtherTurn
    | OtherChanged
    | OtherApart
    | TimePassed
    | FellDue
    | ClockSetBack
    | Drank
    | Ate
    | RestBegan
    | RestFinished
    | HealingRefused
    | Pressed
    | Rolled
    | DiceRolled
    | Used
    | Given
    | Missed
    | Undone
)
"""Every event, for decoding pending ones from the journal."""
