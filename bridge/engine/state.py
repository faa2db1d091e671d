"""What the rules can see: an immutable picture of an actor, as Foundry last showed it.

The same structs cross the wire (camelCase there), so a picture is decoded once and read by the rules as it is.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Time = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]
"""World time in seconds, as ``game.time.worldTime`` counts it."""
Ref = Annotated[str, Meta(min_length=1, max_length=255)]
"""A Foundry uuid: ``Actor.<id>``, or ``Scene.<id>.Token.<id>.Actor.<id>`` for an unlinked token's own actor."""
Key = Annotated[str, Meta(min_length=1, max_length=64)]
"""A status id, a class, a damage type or another short identifier."""
Text = Annotated[str, Meta(max_length=500)]


class Value(Struct, frozen=True, rename="camel", omit_defaults=True, gc=False):
    """Base class of the immutable values in a picture."""


class HitPoints(Value, frozen=True):
    """Hit points.  ``max`` is without, ``top`` with the temporary change of the maximum."""

    value: Points
    max: Points
    temp: Points = 0
    tempmax: Points = 0

    @property
    def top(self) -> int:
        """The maximum in force (BLO-1: temporary maximum changes count)."""
        return max(0, self.max + self.tempmax)


class HitDice(Value, frozen=True):
    """The Hit Dice of one class: how many are left, of how many, of which size."""

    left: Count
    all: Count
    size: Count = 8


class Timer(Value, frozen=True):
    """When an effect ends by itself (TIM-1).  The meaning of each field depends on ``kind``.

    ``seconds``: ``amount`` seconds of world time after ``began``.  ``rounds``: ``amount`` rounds after ``began``.
    ``turn-start`` and ``turn-end``: of ``creature``'s next turn.  ``save``: when a save with ``ability`` against
    ``dc`` succeeds, asked at ``moment`` of its turn.  ``combat``, ``short-rest``, ``long-rest``: until that ends.
    """

    kind: Key
    began: Time
    amount: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    creature: str | None = None
    ability: str | None = None
    dc: Count = 0
    moment: str | None = None
    combat: str | None = None
    round: Count = 0
    turn: Count = 0
    initiative: float | None = None
    combatant: str | None = None
    counted: Count = 0
    """Seconds counted in rounds while the clock stood still (TIM-7)."""
    due: Time | None = None
    """The world time at which it ends, as far as that is known."""


class Mark(Value, frozen=True):
    """What the bridge stamps on an effect (design, section 3)."""

    level: Count = 1
    cause: str | None = None
    """Which rule brought it, e.g. ``intoxicated`` on the Unconscious of level 6 (INT-12)."""
    source: str | None = None
    """The creature that caused it, as a reference."""
    forced: bool = False
    """Put on against an immunity, at the GM's word (CMB-4)."""
    timer: Timer | None = None
    halted: Timer | None = None
    """Set while halted (PET-1): the timer with what is left."""
    held: bool = False
    """Halted: disabled by a rule, not by the GM."""
    stamp: Count = 0
    """The decision that wrote it last."""


class Effect(Value, frozen=True):
    """An ActiveEffect that carries at least one status."""

    id: Key
    statuses: tuple[Key, ...]
    name: Text = ""
    disabled: bool = False
    """Disabled or suppressed: it carries nothing just now."""
    fixed: bool = False
    """It belongs to an item and cannot be deleted from the actor."""
    mark: Mark | None = None

    @property
    def level(self) -> int:
        """Level of a levelled condition; 1 for all others."""
        return self.mark.level if self.mark else 1

    @property
    def cause(self) -> str | None:
        """Which rule brought it."""
        return self.mark.cause if self.mark else None


class Memory(Value, frozen=True):
    """What the rules must remember about a creature; stamped on the actor (design, law 1)."""

    receipt: Count = 0
    """The last decision that was carried out whole."""
    world: str = ""
    """The world of these stamps (CMB-12)."""
    off: tuple[Key, ...] = ()
    """Derived conditions that the GM took off (CMB-8)."""
    turns: dict[str, tuple[int, int]] = {}
    """Combat id -> (round, turn) of the last own turn that was begun (TIM-3)."""
    lost: tuple[str, int] | None = None
    """(combat, round) of the turn in which it has lost its action (INT-10)."""
    notes: dict[str, Any] = {}
    """Condition id -> what that condition remembers, in a shape of its own."""


class Habits(Value, frozen=True):
    """What the GM has set for this one creature, on its actor in Foundry."""

    tolerance: Points = 0
    """Extra drinks before a level rises (INT-3)."""
    willing: bool = False
    """It chooses to get drunk although immune (INT-6)."""
    save_advantage: tuple[Key, ...] = ()
    """It has advantage on saves against these, e.g. ``poison`` (INT-2)."""
    when_bloodied: Text = ""
    """A note that is shown when it is Bloodied (BLO-7)."""


class Place(Value, frozen=True):
    """Where its token stands, in feet; ``size`` is its side in feet."""

    scene: Key
    x: float = 0
    y: float = 0
    size: float = 5
    elevation: float = 0
    unseen_by: tuple[Ref, ...] = ()


class Actor(Value, frozen=True, rename="camel"):
    """One creature.  ``hp`` is none for what has no hit points (CMB-9)."""

    id: Ref
    name: Text = ""
    type: Key = "character"
    hp: HitPoints | None = None
    hit_dice: dict[Key, HitDice] = {}
    abilities: dict[Key, Points] = {}
    """Ability scores; 10 when left out."""
    speed: Points = 30
    """Walking Speed in feet before any condition."""
    resistances: tuple[Key, ...] = ()
    immunities: tuple[Key, ...] = ()
    condition_immunities: tuple[Key, ...] = ()
    effects: tuple[Effect, ...] = ()
    concentrating: bool = False
    hidden: bool = False
    """No token of it is visible to players (CRD-3)."""
    owned: bool = False
    """A player owns it."""
    habits: Habits = Habits()
    memory: Memory = Memory()
    place: Place | None = None
    combat: str | None = None
    """The running combat in which it is a combatant; filled in by the world, not by the module."""
    round: int | None = None
    """The round of that combat; filled in by the world, as what follows."""
    turn: int | None = None
    """Whose turn it is in that combat, as a place in its order."""
    initiative: float | None = None
    """The initiative of the one whose turn it is."""
    combatant: str | None = None
    """The combatant whose turn it is."""

    def score_modifier(self, ability: str) -> int:
        """Return the ability modifier, e.g. 3 for a score of 16."""
        return (self.abilities.get(ability, 10) - 10) // 2

    def effect(self, id: str) -> Effect | None:
        """Return the effect with this document id."""
        for effect in self.effects:
            if effect.id == id:
                return effect
        return None
