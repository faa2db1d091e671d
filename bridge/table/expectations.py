"""What a step expects: the typed form of ``expect``, however the file nests it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from .files import Item, ScenarioError, convert


class ExpectedActor(Item, frozen=True):
    """``expect.ACTOR``."""

    hp: int | None = None
    temp: int | None = None
    max: int | None = None
    conditions: tuple[str, ...] | None = None
    has: tuple[str, ...] | None = None
    lacks: tuple[str, ...] | None = None
    level: dict[str, int] = field(default_factory=dict)
    hit_dice: int | dict[str, int] | None = None
    speed: int | None = None
    effects: int | None = None
    remaining: dict[str, int | Literal["paused"]] = field(default_factory=dict)
    concentrating: bool | None = None


class Asked(Item, frozen=True):
    """A roll that was asked for."""

    actor: str
    save: str
    dc: int


class RollNow(Item, frozen=True):
    """What a roll made now would get."""

    actor: str
    roll: str
    gives: tuple[str, ...] | None = None
    target: str | None = None
    because: tuple[str, ...] | None = None
    dc: int | str | None = None


class General(Item, frozen=True):
    """Everything in ``expect`` that is not about one creature by its key."""

    why: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    cards: Annotated[int, Meta(ge=0)] | None = None
    cards_to: tuple[Literal["gm", "owner", "all"], ...] | None = None
    card_says: str | tuple[str, ...] | None = None
    asked: tuple[Asked, ...] | None = None
    denied: bool | None = None
    rolls: tuple[RollNow, ...] = ()
    operations: Annotated[int, Meta(ge=0)] | None = None
    error: str | None = None
    connected: bool | None = None


class Expected(Struct, frozen=True):
    """What must be so after a step."""

    general: General
    actors: dict[str, ExpectedActor]


RESERVED = frozenset(General.__struct_encode_fields__)


def read_expected(data: dict[str, Any], actors: set[str], where: str) -> Expected:
    """Read ``expect``: its own words first, actor keys otherwise."""
    unknown = [key for key in data if key not in RESERVED and key not in actors]
    if unknown:
        message = f"{where}.{unknown[0]}: is neither an actor nor one of {', '.join(sorted(RESERVED))}"
        raise ScenarioError(message)
    general = convert({key: value for key, value in data.items() if key in RESERVED}, General, where)
    named = {key for key in (*general.why, *general.refused) if key not in actors}
    named |= {asked.actor for asked in general.asked or () if asked.actor not in actors}
    named |= {key for roll in general.rolls for key in (roll.actor, roll.target) if key and key not in actors}
    if named:
        message = f"{where}: there is no actor {min(named)!r}"
        raise ScenarioError(message)
    return Expected(
        general,
        {key: convert(value, ExpectedActor, f"{where}.{key}") for key, value in data.items() if key not in RESERVED},
    )
