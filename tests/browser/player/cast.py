"""From the creatures of a scenario, as the simulated table seats them, to documents of Foundry and dnd5e."""

from __future__ import annotations

from typing import Any

import msgspec

from bridge.engine.apply import static_id
from bridge.engine.state import Actor, Effect
from bridge.table.documents import SCENE, document_id
from bridge.table.scenario import Scenario, Sheet
from bridge.table.steps import Drink, Heal, Hp
from bridge.table.table import Table
from tests.browser.foundry import documents
from tests.browser.foundry.merge import Json

ID = "condition-bridge"
GRID = 100
GM = "gm"
EXHAUSTION = "exhaustion"
PLENTY = 99
SHARED = (3, 3)


def user_of(key: str) -> str:
    """The short name of the user who plays a creature."""
    return f"p{document_id(key)}"[:16]


def users(scenario: Scenario) -> list[Json]:
    """A GM, and a player for each character."""
    found = [documents.user(GM, gm=True, color="#d0a040")]
    for key, sheet in scenario.actors.items():
        if sheet.type == "character":
            found.append({**documents.user(user_of(key)), "character": document_id(key), "name": f"{key}'s player"})
    return found


def actors(scenario: Scenario, table: Table, profile: str) -> list[Json]:
    """A document for every creature; an unlinked token's own actor is made from it."""
    return [
        document(key, sheet, table.documents.actors[table.keys[key]], scenario, profile)
        for key, sheet in scenario.actors.items()
    ]


def document(key: str, sheet: Sheet, actor: Actor, scenario: Scenario, profile: str) -> Json:
    """One creature as dnd5e stores it."""
    hp = actor.hp
    made = documents.actor(
        key,
        kind=sheet.type,
        hp=(hp.value, hp.max) if hp else (0, None),
        owner=user_of(key) if sheet.type == "character" else None,
        abilities=dict(actor.abilities),
        speed=sheet.speed,
        resistances=sheet.resistances,
        immunities=sheet.immunities,
        condition_immunities=sheet.condition_immunities,
        linked=sheet.linked,
        items=_items(key, sheet, scenario),
        effects=[effect(each, profile) for each in actor.effects],
    )
    made["_id"], made["name"] = document_id(key), key
    made["prototypeToken"]["name"] = key
    attributes = made["system"]["attributes"]
    if hp and "hp" in attributes:
        attributes["hp"] |= {"temp": hp.temp, "tempmax": hp.tempmax}
    if sheet.type == "npc":
        left, all_, size = next(iter(_hit_dice(key, sheet, scenario).values()), (0, 0, 8))
        attributes["hp"]["formula"] = f"{all_}d{size}" if all_ else ""
        attributes["hd"] = {"spent": all_ - left}
    if EXHAUSTION in attributes:
        attributes[EXHAUSTION] = next((e.level for e in actor.effects if EXHAUSTION in e.statuses), 0)
    stamps = {"habits": actor.habits, "memory": actor.memory}
    flags = {key: msgspec.json.encode(value).decode() for key, value in stamps.items() if value != type(value)()}
    if flags:
        made["flags"][ID] = flags
    return made


def effect(told: Effect, profile: str) -> Json:
    """An effect as Foundry stores it."""
    six = profile.endswith("dnd5e-6") and told.id == static_id(told.statuses[0])
    flags: Json = {ID: {"mark": msgspec.json.encode(told.mark).decode()}} if told.mark else {}
    made: Json = {
        "_id": told.id,
        "name": told.name,
        "img": f"systems/dnd5e/icons/svg/statuses/{told.statuses[0]}.svg",
        "type": "condition" if six else "base",
        "system": {},
        "statuses": list(told.statuses),
        "disabled": told.disabled,
        "transfer": False,
        "duration": {},
        "flags": flags,
    }
    if told.statuses[0] == EXHAUSTION:
        made["flags"] = {"dnd5e": {"exhaustionLevel": told.level}}
        if six:
            made["system"]["level"] = told.level
    return made


def scene(scenario: Scenario, table: Table) -> Json:
    """The scene with everybody's token.

    Who has no square of its own stands on one that all such share: a creature without any token would be unknown to the
    players, and one that is unlinked would not be there at all.  Only where places matter, characters may have none.
    """
    matter = any(sheet.at for sheet in scenario.actors.values())
    tokens = [
        token(table, key, sheet, sheet.at or SHARED)
        for key, sheet in scenario.actors.items()
        if sheet.type != "group" and (sheet.at or sheet.type != "character" or not matter)
    ]
    made = documents.scene("scene", tokens, grid=GRID)
    made["_id"] = SCENE
    return made


def token(table: Table, key: str, sheet: Sheet, at: tuple[float, float]) -> Json:
    """A creature's token on a square."""
    ref = table.keys[key].split(".")
    side = sheet.size
    return {
        "_id": ref[3] if ref[0] == "Scene" else document_id(f"{key}#1"),
        "name": key,
        "actorId": document_id(key),
        "actorLink": sheet.linked,
        "delta": {},
        "x": at[0] * GRID,
        "y": at[1] * GRID,
        "elevation": sheet.elevation,
        "width": side,
        "height": side,
        "hidden": sheet.hidden,
        "disposition": 1 if sheet.type == "character" else -1,
        "texture": {"src": f"icons/svg/portrait-{document_id(key)}.svg"},
        "flags": {},
    }


def combats(table: Table, scenario: Scenario) -> list[Json]:
    """The combat that is running."""
    return [
        {
            "_id": combat.id,
            "type": "base",
            "system": {},
            "scene": SCENE,
            "active": True,
            "round": combat.round,
            "turn": combat.turn,
            "combatants": [
                {**combatant(table, key), "_id": place.id, "initiative": place.initiative}
                for place in combat.order
                for key in [table.key_of(place.actor or "") or ""]
            ],
            "groups": [],
            "flags": {},
        }
        for combat in table.documents.combats.values()
    ]


def combatant(table: Table, key: str) -> Json:
    """A creature as one of a combat's order."""
    ref = table.keys[key].split(".")
    return {
        "actorId": document_id(key),
        "tokenId": ref[3] if ref[0] == "Scene" else document_id(f"{key}#1"),
        "sceneId": SCENE,
        "type": "base",
        "system": {},
        "name": "",
        "img": "",
        "hidden": False,
        "defeated": False,
        "group": None,
        "flags": {},
    }


def _hit_dice(key: str, sheet: Sheet, scenario: Scenario) -> dict[str, tuple[int, int, int]]:
    """Hit Dice as told; a Hit Die is rolled only by who has one, so who is told to roll has some."""
    rolls = sum(isinstance(t.step, Heal) and t.step.actor == key and t.step.by == "hit-die" for t in scenario.steps)
    rolls += sum(isinstance(t.step, Hp) and t.step.actor == key and t.step.by == "hit-die" for t in scenario.steps)
    told = dict(sheet.hit_dice)
    return told if told or not rolls else {"fighter": (rolls, rolls, 10)}


def _items(key: str, sheet: Sheet, scenario: Scenario) -> list[Json]:
    found = []
    if sheet.type == "character":
        for name, (left, all_, size) in _hit_dice(key, sheet, scenario).items():
            made = documents.character_class(name.title(), f"d{size}", all_, all_ - left)
            made["system"]["identifier"] = name
            found.append(made)
    found += [documents.cure_wounds(), documents.potion(PLENTY), second_wind()]
    found += [documents.ale(PLENTY), documents.water(PLENTY), documents.rations(PLENTY), documents.longsword()]
    found += [documents.bless()]
    found += [documents.item(name, "feat", {}, activities=[acts]) for name, acts in (
        ("Dash", documents.activity("utility", activation={"type": "action"})),
        ("Quick Step", documents.activity("utility", activation={"type": "bonus"})),
        ("Parry", documents.activity("utility", activation={"type": "reaction"})),
    )]  # fmt: skip
    for told in scenario.steps:
        step = told.step
        if isinstance(step, Drink) and step.strength > 1 and step.actor == key:
            found.append(strong_drink(step.strength))
        if isinstance(step, Heal) and step.from_ and step.actor == key:
            found += _named(step.by, step.from_)
    return list({item["_id"]: item for item in found}.values())


def _named(by: str, name: str) -> list[Json]:
    made: dict[str, Any] = {"spell": documents.cure_wounds, "item": documents.potion, "feature": second_wind}
    if by not in made:
        return []
    item: Json = made[by]()
    return [{**item, "name": name, "_id": documents.stable_id(name)}]


def strong_drink(strength: int) -> Json:
    """Something that counts as several drinks, as the GM has marked it."""
    mark = msgspec.json.encode({"kind": "alcohol", "strength": strength}).decode()
    made = documents.ale(PLENTY, flags={ID: {"drink": mark}})
    return {**made, "name": f"Strong {strength}", "_id": documents.stable_id(f"strong{strength}")}


def second_wind() -> Json:
    """A class feature that heals."""
    healing = {"number": 1, "denomination": 10, "bonus": "", "types": ["healing"], "custom": {"enabled": False}}
    use = documents.activity("heal", activation={"type": "bonus"}, healing=healing)
    return documents.item("Second Wind", "feat", {}, activities=[use])
