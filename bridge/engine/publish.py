"""From a rulebook to the catalogue that the clients hold."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import structs

from .catalogue import Catalogue, Entry, Level
from .conditions import Condition, Rulebook
from .profiles import subtract
from .settings import REMIND


def summary_of(book: Rulebook, condition: str, level: int = 1) -> str:
    """Return what the condition does at this level, in our words."""
    known = book.conditions.get(condition)
    if known is None:
        return ""
    return known.summary(max(1, level), book.settings) if callable(known.summary) else known.summary


def ends_of(book: Rulebook, condition: Condition) -> str:
    """Return what ends the condition when it has no duration, in our words."""
    return condition.ends(book.settings) if callable(condition.ends) else condition.ends


def publish(book: Rulebook, profile: str | None) -> Catalogue:
    """Return the catalogue for a profile, minus what is native there (CMB-7); without a profile, all of it."""
    catalogue = Catalogue(
        profile=profile or "all",
        version="",
        conditions=tuple(_entry(book, c, profile) for c in book.conditions.values()),
        rolls=book.settings["rolls.mode"],
        limits_players=book.settings["limits.players"],
        limits_gm=book.settings["limits.gm"],
    )
    digest = hashlib.sha256(msgspec.json.encode(catalogue)).hexdigest()
    return structs.replace(catalogue, version=digest[:12])


def _entry(book: Rulebook, condition: Condition, profile: str | None) -> Entry:
    # Rules, section 11: of a rule that only reminds, the gate stops nothing; a card says what it would have done.
    gates = condition.gate is not None and not (profile is not None and book.mode(condition.id) == REMIND)
    instead = condition.instead is not None and condition.instead(book.settings)
    if instead:
        profile = None
    return Entry(
        instead=instead,
        id=condition.id,
        name=condition.name,
        icon=condition.icon,
        own=condition.own,
        implied=condition.implied,
        left_behind=condition.left_behind,
        sourced=condition.sourced,
        origin=condition.origin,
        ends=ends_of(book, condition),
        meter=condition.meter(book.settings) if condition.meter else None,
        items=condition.items(book.settings) if condition.items else {},
        gate=condition.gate(book.settings) if condition.gate and gates else None,
        rolls=book.settings[f"conditions.{condition.id}.rolls"],
        mode=book.mode(condition.id),
        levels=tuple(level_of(book, condition, level, profile) for level in range(1, condition.levels + 1)),
    )


def level_of(book: Rulebook, condition: Condition, level: int, profile: str | None) -> Level:
    """Return what the condition does at one level, minus what is native in the profile."""
    settings = book.settings
    modifiers = condition.modifiers(level, settings) if callable(condition.modifiers) else condition.modifiers
    limits = condition.limits(level, settings) if callable(condition.limits) else condition.limits
    speed = condition.speed(level, settings) if callable(condition.speed) else condition.speed
    whole = Level(summary=summary_of(book, condition.id, level), modifiers=modifiers, limits=limits, speed=speed)
    return whole if profile is None else subtract(profile, condition.id, whole)
