"""A rulebook file as typed data.  Every key that a GM may write is a field here, and nothing else is accepted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from .reading import Item
from .vocabulary import Ability, DamageType, EndsOn, Gives, Grant, Mode, Roll, RollsMode

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Words = Annotated[str, Meta(min_length=1, max_length=600)]
Feet = Annotated[float, Meta(ge=0, le=10_000)]
LevelNumber = Annotated[int, Meta(ge=1, le=10)]
Formula = Annotated[str, Meta(min_length=1, max_length=60)]
Base = Literal["house-rules", "plain-2024"]


class When(Item, frozen=True):
    """When a modifier holds; the catalogue's own predicates."""

    within: Feet | None = None
    beyond: Feet | None = None
    source_seen: bool | None = None
    unseen: bool | None = None
    other_is_source: bool | None = None
    asks: Name | None = None


class ModifierItem(Item, frozen=True):
    """What it gives to one kind of roll."""

    roll: Roll
    gives: Gives
    value: Annotated[int, Meta(ge=-100, le=100)] = 0
    times_level: bool = False
    """``value`` is multiplied by the level."""
    from_level: LevelNumber = 1
    on_me: bool = False
    abilities: tuple[Ability, ...] = ()
    tags: tuple[Name, ...] = ()
    but_abilities: tuple[Ability, ...] = ()
    but_tags: tuple[Name, ...] = ()
    when: When | None = None


class LimitsItem(Item, frozen=True):
    """What the creature cannot do."""

    action: bool = False
    bonus: bool = False
    reaction: bool = False
    move_or_action: bool = False
    concentration: bool = False
    closer_to_source: bool = False
    attack_source: bool = False
    crawl: bool = False
    from_level: LevelNumber = 1


class SpeedItem(Item, frozen=True):
    """What happens to Speed."""

    zero: bool = False
    halved: bool = False
    less: Annotated[int, Meta(ge=0, le=1000)] = 0
    times_level: bool = False
    """``less`` is multiplied by the level."""
    from_level: LevelNumber = 1


class GateItem(Item, frozen=True):
    """Hit points do not go up, except by what is granted."""

    grants: tuple[Grant, ...] = ()
    max_rise: bool = True


class SaveItem(Item, frozen=True):
    """A save that ends it."""

    ability: Ability
    dc: Annotated[int, Meta(ge=1, le=40)]
    at: Literal["start", "end"] = "end"


class DamageItem(Item, frozen=True):
    """Damage that it deals each turn; out of combat every six seconds."""

    formula: Formula | tuple[Formula, ...]
    """One for all levels, or one for each."""
    type: DamageType
    at: Literal["start", "end"] = "start"
    out_of_combat: bool = True


class Touch(Item, frozen=True):
    """``[conditions.ID]``: what is written replaces what a shipped condition has."""

    mode: Mode | None = None
    rolls: RollsMode | None = None
    name: Name | None = None
    summary: Words | tuple[Words, ...] | None = None
    icon: Name | None = None
    origin: Annotated[str, Meta(max_length=600)] | None = None
    ends: Words | None = None
    implied: tuple[Name, ...] | None = None
    left_behind: tuple[Name, ...] | None = None
    immune_to: tuple[Name, ...] | None = None
    modifiers: tuple[ModifierItem, ...] | None = None
    limits: LimitsItem | None = None
    speed: SpeedItem | None = None
    gate: GateItem | None = None
    lasts: Name | None = None
    save: SaveItem | None = None
    damage: DamageItem | None = None
    ends_on: tuple[EndsOn, ...] | None = None


class Own(Touch, frozen=True, kw_only=True):
    """``[own.ID]``: a condition of the GM's own, whole."""

    name: Name
    summary: Words | tuple[Words, ...]
    levels: LevelNumber = 1
    sourced: bool = False


class File(Item, frozen=True):
    """The whole file."""

    name: Name | None = None
    base: Base = "house-rules"
    without: tuple[Name, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    conditions: dict[str, Touch] = field(default_factory=dict)
    own: dict[str, Own] = field(default_factory=dict)
