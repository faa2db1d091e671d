"""The clock, combats, tokens and scenes."""

from __future__ import annotations

from msgspec import structs

from bridge.protocol import Combat, Combatant, Picture

from .acts import act
from .documents import FEET, GM, SCENE, document_id
from .people import creature, order, place, reference
from .steps import (
    AddCombatant,
    AddToken,
    ChangeScene,
    DeleteScene,
    EndCombat,
    NextTurn,
    PreviousTurn,
    RemoveCombatant,
    RemoveToken,
    StartCombat,
    Time,
    Turn,
)
from .table import NotDone, Table
from .words import span

ROUND = 6
"""Seconds by which a new round moves the clock (CONFIG.time.roundTime)."""


@act.register
def time(step: Time, table: Table) -> None:
    """The clock jumps."""
    table.clock_write(span(step.advance))


@act.register
def start_combat(step: StartCombat, table: Table) -> None:
    """Round 1, the first in order."""
    for key in step.order:
        table.actor(key)
    combat = Combat(
        id=table.documents.new_id("combat"), round=1, turn=0, order=order(step.order, table.keys), scene=SCENE
    )
    table.combat_write(combat)


@act.register
def next_turn(_step: NextTurn, table: Table) -> None:
    """The next in order, or the next round."""
    combat = running(table)
    if combat.turn + 1 < len(combat.order):
        go(table, combat, combat.round, combat.turn + 1)
    else:
        go(table, combat, combat.round + 1, 0)


@act.register
def previous_turn(_step: PreviousTurn, table: Table) -> None:
    """One turn back; before the first turn of the first round there is nothing."""
    combat = running(table)
    if combat.turn > 0:
        go(table, combat, combat.round, combat.turn - 1)
    elif combat.round > 1:
        go(table, combat, combat.round - 1, max(0, len(combat.order) - 1))


@act.register
def turn(step: Turn, table: Table) -> None:
    """The GM goes straight to somebody's turn."""
    combat = running(table)
    ref = table.actor(step.to).id
    go(table, combat, step.round or combat.round, _seat(combat, ref, step.to))


@act.register
def add_combatant(step: AddCombatant, table: Table) -> None:
    """Somebody joins, last in order."""
    combat = running(table)
    ref = table.actor(step.actor).id
    last = min((c.initiative for c in combat.order if c.initiative is not None), default=1.0)
    joined = Combatant(id=document_id(f"c-{step.actor}"), actor=ref, initiative=last - 1)
    if not any(c.actor == ref for c in combat.order):
        table.combat_write(structs.replace(combat, order=(*combat.order, joined)))


@act.register
def remove_combatant(step: RemoveCombatant, table: Table) -> None:
    """Somebody leaves."""
    combat = running(table)
    _seat(combat, table.keys.get(step.actor, ""), step.actor)
    leave(table, combat, table.keys[step.actor])


@act.register
def end_combat(_step: EndCombat, table: Table) -> None:
    """The combat is deleted."""
    combat = running(table)
    del table.documents.combats[combat.id]
    table.show(Picture(0, ended=(combat.id,), by=GM))


@act.register
def remove_token(step: RemoveToken, table: Table) -> None:
    """The token is deleted, with its place in the combat; an unlinked one takes its creature along."""
    actor = table.actor(step.actor)
    for combat in list(table.documents.combats.values()):
        leave(table, combat, actor.id)
    table.tokenless.add(actor.id)
    if table.sheets[step.actor].linked:
        table.write(structs.replace(actor, place=None), by=GM)
    else:
        table.gone((actor.id,))


@act.register
def add_token(step: AddToken, table: Table) -> None:
    """A token is put down; an unlinked one is a new creature with the sheet of the first."""
    key = step.actor
    if key not in table.sheets:
        message = f"there is no creature {key!r} at the table"
        raise NotDone("unknown-actor", message)
    sheet = table.sheets[key]
    if not sheet.linked:
        table.tokens += 1
        table.keys[key] = reference(key, linked=False, token=1 + table.tokens)
        table.write(structs.replace(creature(table, key), place=place(table, key, step.to or sheet.at)), by=GM)
        return
    actor = table.actor(key)
    table.tokenless.discard(actor.id)
    table.write(structs.replace(actor, place=place(table, key, step.to or sheet.at)), by=GM)


@act.register
def change_scene(step: ChangeScene, table: Table) -> None:
    """Looking at another scene changes no document; taking a creature along moves its token."""
    if step.actor is None:
        return
    actor = table.actor(step.actor)
    if actor.place is None:
        return
    if isinstance(step.to, str):
        there = structs.replace(actor.place, scene=document_id(f"scene-{step.to}"))
    else:
        scene = document_id("scene-another")
        there = structs.replace(actor.place, scene=scene, x=step.to[0] * FEET, y=step.to[1] * FEET)
    table.write(structs.replace(actor, place=there), by=GM)


@act.register
def delete_scene(step: DeleteScene, table: Table) -> None:
    """The scene goes with its combats, then its tokens."""
    stands = table.actor(step.actor).place if step.actor else None
    scene = stands.scene if stands else SCENE
    ended = tuple(combat.id for combat in table.documents.combats.values() if combat.scene == scene)
    for id in ended:
        del table.documents.combats[id]
    if ended:
        table.show(Picture(0, ended=ended, by=GM))
    here = [key for key, ref in table.keys.items() if ref in table.documents.actors]
    table.gone(table.keys[key] for key in here if not table.sheets[key].linked and scene == SCENE)
    for key in here:
        actor = table.documents.actors.get(table.keys[key])
        if actor is not None and actor.place is not None and actor.place.scene == scene:
            table.tokenless.add(actor.id)
            table.write(structs.replace(actor, place=None), by=GM)


def running(table: Table) -> Combat:
    """Return the combat that the tracker shows: the latest."""
    if not table.documents.combats:
        message = "there is no combat"
        raise NotDone("invalid", message)
    return list(table.documents.combats.values())[-1]


def go(table: Table, combat: Combat, round: int, turn: int) -> None:
    """Write whose turn it is; the clock follows the rounds, in a write of its own."""
    table.combat_write(structs.replace(combat, round=round, turn=turn))
    if table.clock_in_combat:
        table.clock_write(ROUND * (round - combat.round))


def leave(table: Table, combat: Combat, ref: str) -> None:
    """Take a creature out of the order; whose turn it is stays, as far as that is possible."""
    index = next((i for i, c in enumerate(combat.order) if c.actor == ref), None)
    if index is None:
        return
    left = tuple(c for c in combat.order if c.actor != ref)
    turn = combat.turn - 1 if index < combat.turn else combat.turn
    table.combat_write(structs.replace(combat, order=left, turn=max(0, min(turn, len(left) - 1))))


def _seat(combat: Combat, ref: str, key: str) -> int:
    for number, combatant in enumerate(combat.order):
        if combatant.actor == ref:
            return number
    message = f"{key} is not in the combat"
    raise NotDone("unknown-actor", message)
