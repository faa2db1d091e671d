"""The catalogue: what each condition does to rolls, healing, actions and Speed, as data that every client holds.

The bridge publishes it; the module and ``modifiers.py`` evaluate it (design, law 5).  It holds no secret and no code.
"""

from __future__ import annotations

from msgspec import Struct

ADVANTAGE = "advantage"
DISADVANTAGE = "disadvantage"
FAIL = "fail"
CRITICAL = "critical"
NUMBER = "number"
DIFFICULTY = "difficulty"


class Data(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Base class of catalogue data."""


class Predicate(Data, frozen=True):
    """When a modifier applies.  What is given must hold; unknown facts make it *available*, never applied (ROL-3)."""

    within: float | None = None
    """The other creature is at most this many feet away (ROL-1)."""
    beyond: float | None = None
    """The other creature is farther than this many feet."""
    source_seen: bool | None = None
    """The condition's source is in line of sight of its bearer."""
    unseen: bool | None = None
    """The other creature cannot see the bearer."""
    other_is_source: bool | None = None
    """The other creature is (true) or is not (false) the condition's source."""
    asks: str | None = None
    """What only people know (ROL-4), e.g. ``sight``: offered, unticked."""


class Modifier(Data, frozen=True):
    """What one condition gives to one kind of roll.

    ``roll`` is ``attack``, ``check``, ``save`` or ``initiative`` (an ability check of Dexterity as well).
    ``on_me``: the roll is made by another creature against the bearer.  ``abilities`` and ``tags`` narrow it (any of
    them), ``but_abilities`` and ``but_tags`` take out.  Tags of a roll are skills, tools, ``concentration``, ``death``,
    ``melee``, ``ranged`` and ``vs-<condition>``.  ``value`` goes with ``number`` and ``difficulty``.
    """

    roll: str
    gives: str
    value: int = 0
    on_me: bool = False
    abilities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    but_abilities: tuple[str, ...] = ()
    but_tags: tuple[str, ...] = ()
    when: Predicate | None = None


class Gate(Data, frozen=True):
    """Hit points do not go up while this is in force, except from what is granted (BLD-1, BLD-2)."""

    grants: tuple[str, ...] = ()
    """Kinds of cause that are granted in full, e.g. ``hit-die``."""
    max_rise: bool = True
    """A rise by no more than the maximum rose in the same change is granted (BLD-4)."""


class Limits(Data, frozen=True):
    """What the creature cannot do.  Refused to players and warned of to GMs unless the rulebook says otherwise."""

    action: bool = False
    bonus: bool = False
    reaction: bool = False
    move_or_action: bool = False
    """On its turn it may move or take one action (DAZ-2)."""
    concentration: bool = False
    closer_to_source: bool = False
    attack_source: bool = False
    crawl: bool = False


class Speed(Data, frozen=True):
    """What happens to Speed: reductions first, then halving (INT-7), then zero."""

    zero: bool = False
    halved: bool = False
    less: int = 0


class Meter(Data, frozen=True):
    """What a sheet shows of its clocks.

    Its notes on the actor have the rest: ``drinks`` (times), ``needed``, ``since`` (when its hours began) and ``fed``
    (when food or water was taken that no hour has counted yet).
    """

    window: int
    """Seconds for which a drink counts."""
    hour: int
    """Seconds of one of its hours."""


class Level(Data, frozen=True):
    """What a condition does at one level.  Levels are cumulative in the text, not in the data: each is complete."""

    summary: str
    modifiers: tuple[Modifier, ...] = ()
    limits: Limits | None = None
    speed: Speed | None = None
    native: tuple[Modifier, ...] = ()
    """What the system does by itself; ours to do where it does not see the condition: forced on the immune (CMB-4)."""
    native_speed: Speed | None = None


class Entry(Data, frozen=True):
    """One condition for the clients.  ``levels[0]`` is level 1."""

    id: str
    name: str
    icon: str
    levels: tuple[Level, ...]
    own: bool = False
    """A status that neither Foundry nor dnd5e knows: the module registers it."""
    implied: tuple[str, ...] = ()
    left_behind: tuple[str, ...] = ()
    sourced: bool = False
    """It has a source (Frightened, Charmed, Grappled)."""
    origin: str = ""
    """Where its rule comes from, when the page only names it."""
    ends: str = ""
    """What ends it, in words, when nothing ends it by itself."""
    meter: Meter | None = None
    items: dict[str, int] = {}
    """Words in the names of food and drink that bring it, and how many drinks each counts as (INT-17)."""
    gate: Gate | None = None
    instead: bool = False
    """Its modifiers and Speed stand in place of the system's own, which the module withdraws (CND-5)."""
    rolls: str = ""
    """Mode of its roll modifiers when it differs from the catalogue's: ``off``, ``suggest`` or ``enforce``."""
    mode: str = "auto"


class Catalogue(Data, frozen=True, tag="catalogue", tag_field="type"):
    """All conditions, minus what that Foundry and dnd5e already do (CMB-7)."""

    profile: str
    version: str
    """Changes whenever anything in it does."""
    conditions: tuple[Entry, ...]
    rolls: str = "suggest"
    limits_players: str = "refuse"
    limits_gm: str = "warn"
