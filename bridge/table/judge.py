"""What the module judges on the spot, by the catalogue: action limits, sight, and what a roll gets."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

from bridge.engine.catalogue import Catalogue, Limits
from bridge.engine.modifiers import Facts, distance, evaluate, limits_on, speed_of
from bridge.engine.state import Actor, Place
from bridge.protocol import By

from .foundry import native_modifiers, native_speed
from .table import Table

What = Literal["action", "bonus", "reaction", "attack", "move"]
ACTION: Literal["action"] = "action"
ATTACK: Literal["attack"] = "attack"
MOVE: Literal["move"] = "move"


class Gets(Struct, frozen=True):
    """Everything that a roll gets, what the system does itself included."""

    gives: frozenset[str]
    because: tuple[str, ...]
    difficulty: int


def roll_gets(table: Table, roller: Actor, what: str, target: Actor | None) -> Gets:
    """Return what a roll made now would get."""
    catalogue = table.documents.catalogue or _empty(table)
    outcome = evaluate(catalogue, roller, what, target, facts(table, roller, target))
    ours = {entry.id for entry in catalogue.conditions if entry.instead}
    native = [given for given in native_modifiers(table.about.profile, roller, what) if given.condition not in ours]
    kinds = {given.modifier.gives for given in outcome.given} | {given.gives for given in native}
    total = sum(given.modifier.value for given in outcome.given if given.modifier.gives == "number")
    total += sum(given.value for given in native)
    gives = kinds & {"fail", "critical"}
    if ("advantage" in kinds) != ("disadvantage" in kinds):
        gives |= kinds & {"advantage", "disadvantage"}
    if total:
        gives.add(f"{total:+d}")
    because = (*outcome.reasons, *(given.reason for given in native))
    return Gets(frozenset(gives or {"normal"}), because, outcome.difficulty)


def facts(table: Table, roller: Actor, target: Actor | None) -> Facts:
    """Return what the module sees on the scene at this moment."""
    return Facts(
        distance=distance(roller.place, target.place) if target else None,
        roller_seen=sees(table, target, roller) if target else None,
        target_seen=sees(table, roller, target) if target else None,
        sources_seen={
            other.id: seen
            for other in table.documents.actors.values()
            if (seen := sees(table, roller, other)) is not None
        },
    )


def sees(table: Table, one: Actor, other: Actor) -> bool | None:
    """Tell whether one sees the other; none when one of them has no token (ROL-3)."""
    if table.tokenless & {one.id, other.id} or (one.place is None) != (other.place is None):
        return None
    if one.place is not None and other.place is not None and one.place.scene != other.place.scene:
        return False
    key = table.key_of(other.id)
    unseen_by = table.sheets[key].unseen_by if key else ()
    return all(table.keys[who] != one.id for who in unseen_by)


def speed(table: Table, actor: Actor) -> int:
    """Return Speed in feet after everything; flat reductions come first, whoever makes them (INT-7)."""
    catalogue = table.documents.catalogue or _empty(table)
    less, still = native_speed(actor, {entry.id for entry in catalogue.conditions if entry.instead})
    if still:
        return 0
    reduced = structs.replace(actor, speed=max(0, actor.speed - less))
    return speed_of(catalogue, reduced)


def denied(table: Table, actor: Actor, what: str, by: By, *, target: Actor | None = None) -> bool:
    """Tell whether the use is refused; what is merely warned of goes on."""
    if not _refuses(table, by):
        return False
    turn = own_turn(table, actor)
    spent = spent_in(table, actor, turn)
    if what in {ACTION, ATTACK} and turn is not None and actor.memory.lost == turn[:2]:
        return True
    return any(
        _forbids(limits, table, actor, what, spent, target, turn is not None) for limits in _limits(table, actor)
    )


def approaches(table: Table, actor: Actor, to: Place, by: By) -> bool:
    """Tell whether a move is refused because it ends closer to a source of fear (CND-6)."""
    if not _refuses(table, by) or not any(limits.closer_to_source for limits in _limits(table, actor)):
        return False
    for source in _sources(table, actor, "closer_to_source"):
        there = table.documents.actors.get(source)
        before, after = (distance(place, there.place if there else None) for place in (actor.place, to))
        if before is not None and after is not None and after < before:
            return True
    return False


def concentration_denied(table: Table, actor: Actor, by: By) -> bool:
    """Tell whether concentration cannot begin."""
    return _refuses(table, by) and any(limits.concentration for limits in _limits(table, actor))


def own_turn(table: Table, actor: Actor) -> tuple[str, int, int] | None:
    """Return (combat, round, turn) when it is the creature's own turn."""
    combat = table.documents.combat_of(actor.id)
    if combat is None or combat.turn >= len(combat.order) or combat.order[combat.turn].actor != actor.id:
        return None
    return combat.id, combat.round, combat.turn


def spent_in(table: Table, actor: Actor, turn: tuple[str, int, int] | None) -> tuple[str, ...]:
    """Return what the creature has used in this turn of its own."""
    when, spent = table.documents.spent.get(actor.id, (None, ()))
    return spent if turn is not None and when == turn else ()


def spend(table: Table, actor: Actor, what: str) -> None:
    """Remember what was used in this turn."""
    turn = own_turn(table, actor)
    if turn is not None:
        table.documents.spent[actor.id] = (turn, (*spent_in(table, actor, turn), what))


def _refuses(table: Table, by: By) -> bool:
    catalogue = table.documents.catalogue
    return catalogue is not None and (catalogue.limits_gm if by.gm else catalogue.limits_players) == "refuse"


def _limits(table: Table, actor: Actor) -> list[Limits]:
    """DAZ-3: outside combat an economy of turns limits nothing."""
    catalogue = table.documents.catalogue
    if catalogue is None:
        return []
    fights = table.documents.combat_of(actor.id) is not None
    return [limits for _, limits in limits_on(catalogue, actor) if fights or not limits.move_or_action]


def _forbids(
    limits: Limits, table: Table, actor: Actor, what: str, spent: tuple[str, ...], target: Actor | None, on_turn: bool
) -> bool:
    match what:
        case "bonus":
            return limits.bonus
        case "reaction":
            return limits.reaction
        case "move":
            return limits.move_or_action and on_turn and bool({ACTION, ATTACK} & set(spent))
        case _:
            if limits.action:
                return True
            if what == ATTACK and target is not None and limits.attack_source:
                return target.id in _sources(table, actor, "attack_source")
            # DAZ-2: "further attacks of the same turn belong to the same action"
            again = bool(spent) and not (what == ATTACK and set(spent) == {ATTACK})
            return limits.move_or_action and on_turn and again


def _sources(table: Table, actor: Actor, limit: str) -> set[str]:
    """Return the sources of the conditions that bring this limit."""
    catalogue = table.documents.catalogue
    if catalogue is None:
        return set()
    bringing = {entry.id for entry, limits in limits_on(catalogue, actor) if getattr(limits, limit)}
    return {
        effect.mark.source
        for effect in actor.effects
        if not effect.disabled and bringing & set(effect.statuses) and effect.mark and effect.mark.source
    }


def _empty(table: Table) -> Catalogue:
    return Catalogue(profile=table.about.profile, version="", conditions=())
