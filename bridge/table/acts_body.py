"""Hit points and conditions: what is healed, hurt, put on and taken off."""

from __future__ import annotations

from msgspec import structs

from bridge.engine.apply import static_id
from bridge.engine.catalogue import Entry
from bridge.engine.state import Actor, Effect, HitDice, HitPoints, Mark
from bridge.protocol import By, Cause

from .acts import act
from .documents import GM, player_of
from .foundry import IMPLIED, SYSTEM_STATUSES, damaged, spend_hit_die, statuses_of_icon
from .people import timer
from .steps import Add, Damage, DeleteEffect, EditEffect, Fields, Heal, Hp, Remove, SetLevel
from .table import NotDone, Table
from .words import lasting

HIT_DIE = "hit-die"


@act.register
def heal(step: Heal, table: Table) -> None:
    """Hit points come back, up to the maximum in force."""
    actor, hp = _body(table, step.actor)
    after = structs.replace(hp, value=max(hp.value, min(hp.value + step.amount, hp.top)))
    healed = structs.replace(actor, hp=after)
    hand, label = _hand(table, step.actor, step.by), step.from_ or ""
    if step.by != HIT_DIE:
        table.change(actor, healed, step.by, by=hand, label=label)
        return
    spent = spend_hit_die(actor.hit_dice)
    if actor.type == "npc":
        # actor.mjs, rollHitDie: one write for an NPC, two for a character, whose Hit Dice stand on its class.
        table.change(actor, structs.replace(healed, hit_dice=spent), HIT_DIE, by=hand, label=label)
        return
    table.change(actor, healed, HIT_DIE, by=hand, label=label)
    table.write(structs.replace(table.actor(step.actor), hit_dice=spent), cause=Cause(kind=HIT_DIE), by=hand)


@act.register
def damage(step: Damage, table: Table) -> None:
    """Damage as dnd5e applies it."""
    actor, _ = _body(table, step.actor)
    hand = _hand(table, step.actor, step.by)
    hurt = structs.replace(actor, hp=damaged(actor, step.amount, step.type))
    table.change(actor, hurt, step.by, by=hand, label=step.from_ or "")


@act.register
def hit_points(step: Hp, table: Table) -> None:
    """A bare change of numbers in one update."""
    actor, hp = _body(table, step.actor)
    after = HitPoints(
        value=hp.value if step.value is None else step.value,
        max=hp.max if step.max is None else step.max,
        temp=hp.temp if step.temp is None else step.temp,
        tempmax=hp.tempmax if step.tempmax is None else step.tempmax,
    )
    changed = structs.replace(actor, hp=after, hit_dice=_hit_dice(actor, step.hit_dice))
    table.change(actor, changed, step.by, by=_hand(table, step.actor, step.by), label=step.from_ or "")


@act.register
def add(step: Add, table: Table) -> None:
    """A condition is put on: by the status icon, with more by our console, or by an item."""
    actor = table.actor(step.actor)
    entry = _known(table, step.condition)
    mark = _console_mark(table, actor, step)
    icon = static_id(step.condition)
    by = {"gm": GM, "player": player_of(step.actor)}.get(step.by)
    if step.by == "item":
        new = Effect(table.documents.new_id("item"), (step.condition,), name=step.condition.capitalize(), mark=mark)
        table.write(structs.replace(actor, effects=(*actor.effects, new)), by=by)
        return
    if entry is not None and len(entry.levels) > 1:
        level = min(_level(_effect(actor, step.condition)) + 1, len(entry.levels))
        _write_level(table, actor, step.condition, level, by=by or GM, mark=mark)
        return
    if actor.effect(icon) is not None:
        if mark is None:
            # actor.mjs, toggleStatusEffect: what is on already is left alone, even disabled.
            return
        icon = table.documents.new_id("effect")
    new = Effect(icon, _statuses(step.condition, entry), name=step.condition.capitalize(), mark=mark)
    table.write(structs.replace(actor, effects=(*actor.effects, new)), by=by)


@act.register
def remove(step: Remove, table: Table) -> None:
    """A condition is taken off: the icon's effect first; a level less for one with levels."""
    actor = table.actor(step.actor)
    entry = _known(table, step.condition)
    by = {"gm": GM, "player": player_of(step.actor)}.get(step.by)
    source = table.keys.get(step.from_) if step.from_ else None
    found = [
        effect
        for effect in actor.effects
        if effect.statuses[0] == step.condition
        and not effect.fixed
        and source in {None, effect.mark and effect.mark.source}
    ]
    if step.by == "item":
        found = [effect for effect in found if effect.id != static_id(step.condition)] or found
    if not found:
        return
    old = next((e for e in found if step.by != "item" and e.id == static_id(step.condition)), found[-1])
    if entry is not None and len(entry.levels) > 1 and old.level > 1 and by is not None:
        _write_level(table, actor, step.condition, old.level - 1, by=by)
        return
    table.write(structs.replace(actor, effects=tuple(e for e in actor.effects if e is not old)), by=by)


@act.register
def set_level(step: SetLevel, table: Table) -> None:
    """The GM types a number."""
    actor = table.actor(step.actor)
    entry = _known(table, step.condition)
    most = len(entry.levels) if entry is not None else 1
    if step.level > most:
        message = f"{step.condition} has levels up to {most}"
        raise NotDone("invalid", message)
    _write_level(table, actor, step.condition, step.level, by=GM)


@act.register
def delete_effect(step: DeleteEffect, table: Table) -> None:
    """The GM deletes the document."""
    actor, effect = _document(table, step.actor, step.condition)
    table.write(structs.replace(actor, effects=tuple(e for e in actor.effects if e is not effect)), by=GM)


@act.register
def edit_effect(step: EditEffect, table: Table) -> None:
    """The GM edits the document."""
    actor, effect = _document(table, step.actor, step.condition)
    fields = step.fields
    new = structs.replace(
        effect,
        name=effect.name if fields.name is None else fields.name,
        disabled=effect.disabled if fields.disabled is None else fields.disabled,
        statuses=effect.statuses if fields.statuses is None else fields.statuses,
        mark=_edited_mark(table, actor, effect.mark, fields),
    )
    table.write(structs.replace(actor, effects=tuple(new if e is effect else e for e in actor.effects)), by=GM)


def _body(table: Table, key: str) -> tuple[Actor, HitPoints]:
    actor = table.actor(key)
    if actor.hp is None:
        message = f"{key} has no hit points"
        raise NotDone("invalid", message)
    return actor, actor.hp


def _hand(table: Table, key: str, source: str) -> By:
    if source == "gm-edit":
        return GM
    if source == "player-edit":
        return player_of(key)
    return table.hand_of(key)


def _hit_dice(actor: Actor, told: int | dict[str, int] | None) -> dict[str, HitDice]:
    """Return the Hit Dice with so many left: by class, or in all, the first class first."""
    if told is None:
        return actor.hit_dice
    if isinstance(told, dict):
        return {key: structs.replace(d, left=told.get(key, d.left)) for key, d in actor.hit_dice.items()}
    found: dict[str, HitDice] = {}
    for key, d in actor.hit_dice.items():
        found[key] = structs.replace(d, left=min(d.all, told))
        told -= found[key].left
    return found


def _known(table: Table, status: str) -> Entry | None:
    """Return the condition's entry in the catalogue; none for a status of the system."""
    catalogue = table.documents.catalogue
    entry = next((entry for entry in catalogue.conditions if entry.id == status), None) if catalogue else None
    if entry is None and status not in SYSTEM_STATUSES and status not in IMPLIED:
        message = f"there is no condition {status!r}"
        raise NotDone("unknown-condition", message)
    return entry


def _statuses(status: str, entry: Entry | None) -> tuple[str, ...]:
    """The module registers our own statuses with what they imply; the system knows what its own imply."""
    return (status, *entry.implied) if entry is not None and entry.own else statuses_of_icon(status)


def _effect(actor: Actor, status: str) -> Effect | None:
    mine = [effect for effect in actor.effects if effect.statuses[0] == status]
    return next((effect for effect in mine if effect.id == static_id(status)), mine[-1] if mine else None)


def _level(effect: Effect | None) -> int:
    return effect.level if effect is not None else 0


def _document(table: Table, key: str, status: str) -> tuple[Actor, Effect]:
    actor = table.actor(key)
    effect = _effect(actor, status)
    if effect is None:
        message = f"{key} has no effect {status!r}"
        raise NotDone("unknown-condition", message)
    return actor, effect


def _write_level(table: Table, actor: Actor, status: str, level: int, *, by: By, mark: Mark | None = None) -> None:
    old = _effect(actor, status)
    others = tuple(effect for effect in actor.effects if effect is not old)
    if level == 0:
        table.write(structs.replace(actor, effects=others), by=by)
        return
    if old is None:
        if level > 1 or mark is not None:
            mark = structs.replace(mark or Mark(), level=level)
        new = Effect(static_id(status), statuses_of_icon(status), name=status.capitalize(), mark=mark)
        table.write(structs.replace(actor, effects=(*others, new)), by=by)
        return
    changed = structs.replace(old, mark=structs.replace(mark or old.mark or Mark(), level=level))
    table.write(structs.replace(actor, effects=tuple(changed if e is old else e for e in actor.effects)), by=by)


def _console_mark(table: Table, actor: Actor, step: Add) -> Mark | None:
    if step.from_ is None and step.lasts is None and not step.forced:
        return None
    return Mark(
        source=table.actor(step.from_).id if step.from_ else None,
        forced=step.forced,
        timer=timer(table, actor.id, lasting(step.lasts)) if step.lasts else None,
    )


def _edited_mark(table: Table, actor: Actor, mark: Mark | None, fields: Fields) -> Mark | None:
    if fields.level is None and fields.from_ is None and fields.lasts is None and fields.forced is None:
        return mark
    mark = mark or Mark()
    return structs.replace(
        mark,
        level=fields.level or mark.level,
        source=table.actor(fields.from_).id if fields.from_ else mark.source,
        timer=timer(table, actor.id, lasting(fields.lasts)) if fields.lasts else mark.timer,
        forced=mark.forced if fields.forced is None else fields.forced,
    )
