"""From the sheets of a scenario to creatures at the table."""

from __future__ import annotations

from bridge.engine.apply import static_id
from bridge.engine.state import Actor, Effect, Habits, HitDice, HitPoints, Mark, Memory, Place, Timer
from bridge.protocol import Combat, Combatant
from bridge.protocol import Table as About

from .documents import FEET, SCENE, Documents, document_id
from .foundry import bloodied, statuses_of_icon
from .scenario import CombatSheet, ConditionSheet, Scenario, Sheet
from .table import Table
from .words import Lasting, lasting

TOP_INITIATIVE = 20


def seat(scenario: Scenario, world: str, name: str = "") -> Table:
    """Return a table with everybody at it, as the scenario says, before the bridge has seen it."""
    told = scenario.world
    about = About(
        world=world,
        name=name or scenario.title[:100],
        profile=told.profile,
        core=told.profile[1:3],
        system=told.profile.rsplit("-", 1)[1],
        modules=told.modules,
        native_bloodied=told.native_bloodied,
    )
    keys = {key: reference(key, linked=sheet.linked) for key, sheet in scenario.actors.items()}
    table = Table(about, Documents(told.time), keys)
    table.clock_in_combat = told.clock_in_combat
    table.sheets = scenario.actors
    if scenario.combat:
        combat = combat_of(scenario.combat, keys)
        table.documents.combats[combat.id] = combat
    for key in keys:
        actor = creature(table, key)
        if told.native_bloodied:
            actor = bloodied(actor) or actor
        table.documents.actors[actor.id] = actor
    return table


def reference(key: str, *, linked: bool, token: int = 1) -> str:
    """Return the reference of a creature: an actor of the world, or an unlinked token's own."""
    actor = f"Actor.{document_id(key)}"
    return actor if linked else f"Scene.{SCENE}.Token.{document_id(f'{key}#{token}')}.{actor}"


def creature(table: Table, key: str) -> Actor:
    """Return the creature as its sheet describes it."""
    sheet = table.sheets[key]
    ref = table.keys[key]
    return Actor(
        id=ref,
        name=key,
        type=sheet.type,
        hp=_hit_points(sheet),
        hit_dice={name: HitDice(left, all_, size) for name, (left, all_, size) in sheet.hit_dice.items()},
        abilities={str(ability): score for ability, score in sheet.abilities.items()},
        speed=sheet.speed,
        resistances=sheet.resistances,
        immunities=sheet.immunities,
        condition_immunities=sheet.condition_immunities,
        effects=_effects(table, ref, sheet),
        hidden=sheet.hidden,
        owned=sheet.type == "character",
        habits=Habits(
            tolerance=sheet.tolerance,
            willing=sheet.willing,
            save_advantage=sheet.save_advantage,
            when_bloodied=sheet.when_bloodied,
        ),
        memory=Memory(receipt=1, world=sheet.stamps_of) if sheet.stamps_of else Memory(),
        place=place(table, key, sheet.at),
    )


def place(table: Table, key: str, at: tuple[float, float] | None, scene: str = SCENE) -> Place | None:
    """Return where a token on this square stands, in feet."""
    if at is None:
        return None
    sheet = table.sheets[key]
    return Place(
        scene=scene,
        x=at[0] * FEET,
        y=at[1] * FEET,
        size=sheet.size * FEET,
        elevation=sheet.elevation,
        unseen_by=tuple(table.keys[other] for other in sheet.unseen_by),
    )


def combat_of(sheet: CombatSheet, keys: dict[str, str]) -> Combat:
    """Return a running combat."""
    turn = sheet.order.index(sheet.turn) if sheet.turn is not None else 0
    return Combat(id="combat0000000000", round=sheet.round, turn=turn, order=order(sheet.order, keys), scene=SCENE)


def order(names: tuple[str, ...], keys: dict[str, str]) -> tuple[Combatant, ...]:
    """Return the places in an order, from high initiative to low."""
    return tuple(
        Combatant(id=document_id(f"c-{key}"), actor=keys[key], initiative=float(TOP_INITIATIVE - number))
        for number, key in enumerate(names)
    )


def timer(table: Table, ref: str, told: Lasting) -> Timer:
    """Return what the module's console writes: it begins now, at this point of the combat."""
    creature_ref = table.keys.get(told.creature) if told.creature else None
    combat = table.documents.combat_of(ref) or (table.documents.combat_of(creature_ref) if creature_ref else None)
    now = combat.order[combat.turn] if combat and combat.turn < len(combat.order) else None
    return Timer(
        kind=told.kind,
        began=table.documents.clock,
        amount=told.amount,
        creature=creature_ref,
        ability=told.ability,
        dc=told.dc,
        moment=told.moment,
        combat=combat.id if combat else None,
        round=combat.round if combat else 0,
        turn=combat.turn if combat else 0,
        initiative=now.initiative if now else None,
        combatant=now.id if now else None,
    )


def _hit_points(sheet: Sheet) -> HitPoints | None:
    hp = sheet.hp
    if hp is None:
        return HitPoints(20, 20) if sheet.type in {"character", "npc"} else None
    value = hp.value if hp.value is not None else max(0, hp.max + hp.tempmax)
    return HitPoints(value=value, max=hp.max, temp=hp.temp, tempmax=hp.tempmax)


def _effects(table: Table, ref: str, sheet: Sheet) -> tuple[Effect, ...]:
    found: list[Effect] = []
    for told in sheet.conditions:
        condition = told if isinstance(told, ConditionSheet) else ConditionSheet(is_=told)
        id = static_id(condition.is_)
        if any(effect.id == id for effect in found):
            id = table.documents.new_id("e")
        mark = _mark(table, ref, condition)
        found.append(Effect(id, statuses_of_icon(condition.is_), name=condition.is_.capitalize(), mark=mark))
    for status, level in sheet.level.items():
        if level:
            found.append(Effect(static_id(status), (status,), name=status.capitalize(), mark=Mark(level=level)))
    return tuple(found)


def _mark(table: Table, ref: str, told: ConditionSheet) -> Mark | None:
    if told.from_ is None and told.lasts is None and not told.forced and told.level is None:
        return None
    return Mark(
        level=told.level or 1,
        source=table.keys[told.from_] if told.from_ else None,
        forced=told.forced,
        timer=timer(table, ref, lasting(told.lasts)) if told.lasts else None,
    )
