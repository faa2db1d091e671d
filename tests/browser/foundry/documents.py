"""Builders of documents in the shape in which dnd5e 5.3.3 stores them.

They are small documents of our own; `actors.py` loads the system's real ones where they are there.
"""

from __future__ import annotations

import math
import re
from typing import Any

from .merge import Json, expand, merge

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
SKILLS = {
    "acr": "dex", "ani": "wis", "arc": "int", "ath": "str", "dec": "cha", "his": "int", "ins": "wis", "itm": "cha",
    "inv": "int", "med": "wis", "nat": "int", "prc": "wis", "prf": "cha", "per": "cha", "rel": "int", "slt": "dex",
    "ste": "dex", "sur": "wis",
}  # fmt: skip


def stable_id(name: str) -> str:
    """A document id that says what it is: the name's letters and digits, padded to 16."""
    return re.sub(r"[^A-Za-z0-9]", "", name)[:16].ljust(16, "0")


def user(name: str, *, gm: bool = False, character: str | None = None, color: str = "#cc8844") -> Json:
    """A user; `character` is the short name of an actor."""
    return {
        "_id": stable_id(name),
        "name": name.title(),
        "role": 4 if gm else 1,
        "character": stable_id(character) if character else None,
        "color": color,
        "flags": {},
    }


def _roll() -> Json:
    return {"min": None, "max": None, "mode": 0}


def _traits(resistances: tuple[str, ...], immunities: tuple[str, ...], conditions: tuple[str, ...]) -> Json:
    def damage(values: tuple[str, ...]) -> Json:
        return {"value": list(values), "bypasses": [], "custom": ""}

    return {
        "size": "med",
        "di": damage(immunities),
        "dr": damage(resistances),
        "dv": damage(()),
        "ci": {"value": list(conditions), "custom": ""},
        "dm": {"amount": {}, "bypasses": []},
        "languages": {"value": ["common"], "custom": ""},
    }


def _attributes(hp: tuple[int, int | None], speed: int) -> Json:
    return {
        "ac": {"flat": None, "calc": "default", "formula": ""},
        "hp": {"value": hp[0], "max": hp[1], "temp": 0, "tempmax": 0},
        "init": {"ability": "", "bonus": "", "roll": _roll()},
        "movement": {"burrow": "", "climb": "", "fly": "", "swim": "", "walk": str(speed), "units": None},
        "spellcasting": "",
        "death": {"success": 0, "failure": 0, "ability": "", "roll": _roll(), "bonuses": {"save": ""}},
        "exhaustion": 0,
        "concentration": {"ability": "", "roll": _roll(), "bonuses": {"save": ""}, "limit": 1},
    }


def _abilities(scores: dict[str, int], saves: tuple[str, ...]) -> Json:
    def ability(name: str) -> Json:
        return {
            "value": scores.get(name, 10),
            "proficient": int(name in saves),
            "max": None,
            "bonuses": {"check": "", "save": ""},
            "check": {"roll": _roll()},
            "save": {"roll": _roll()},
        }

    return {name: ability(name) for name in ABILITIES}


def _skills(trained: tuple[str, ...]) -> Json:
    def skill(name: str, ability: str) -> Json:
        bonuses = {"check": "", "passive": ""}
        return {"value": int(name in trained), "ability": ability, "bonuses": bonuses, "roll": _roll()}

    return {name: skill(name, ability) for name, ability in SKILLS.items()}


def actor(
    name: str,
    *,
    kind: str = "character",
    hp: tuple[int, int | None] = (20, 20),
    owner: str | None = None,
    abilities: dict[str, int] | None = None,
    saves: tuple[str, ...] = (),
    skills: tuple[str, ...] = (),
    speed: int = 30,
    resistances: tuple[str, ...] = (),
    immunities: tuple[str, ...] = (),
    condition_immunities: tuple[str, ...] = (),
    items: list[Json] | None = None,
    effects: list[Json] | None = None,
    linked: bool | None = None,
    changes: Json | None = None,
) -> Json:
    """Any actor; `owner` is a user's short name, `hp` is (current, maximum; None: derived from the classes)."""
    linked = kind == "character" if linked is None else linked
    document: Json = {
        "_id": stable_id(name),
        "name": name.title(),
        "type": kind,
        "img": f"icons/svg/portrait-{stable_id(name)}.svg",
        "system": {
            "abilities": _abilities(abilities or {}, saves),
            "attributes": _attributes(hp, speed),
            "skills": _skills(skills),
            "tools": {},
            "traits": _traits(resistances, immunities, condition_immunities),
            "bonuses": {
                **{attack: {"attack": "", "damage": ""} for attack in ("mwak", "rwak", "msak", "rsak")},
                "abilities": {"check": "", "save": "", "skill": ""},
                "spell": {"dc": ""},
            },
            "spells": {f"spell{level}": {"value": 0, "override": None} for level in range(1, 10)},
            "details": {"xp": {"value": 0}} if kind == "character" else {"cr": 1, "type": {"value": "humanoid"}},
            "favorites": [],
        },
        "items": items or [],
        "effects": effects or [],
        "ownership": {"default": 0, **({stable_id(owner): 3} if owner else {})},
        "prototypeToken": {
            "name": name.title(), "actorLink": linked, "width": 1, "height": 1,
            "disposition": 1 if kind == "character" else -1, "displayName": 30, "displayBars": 40,
        },
        "flags": {},
        "folder": None,
    }  # fmt: skip
    attributes = document["system"]["attributes"]
    if kind == "character":
        attributes["hp"]["bonuses"] = {"level": "", "overall": ""}
    elif kind == "npc":
        attributes["hp"]["formula"] = ""
        attributes["hd"] = {"spent": 0}
    elif kind in ("vehicle", "group"):
        attributes.pop("exhaustion")
        if kind == "group":
            attributes.pop("hp")
            document["system"]["members"] = []
    merge(document, expand(changes or {}))
    return document


def fighter(name: str = "bors", *, level: int = 5, spent: int = 0, **fields: Any) -> Json:
    """A fighter with d10 Hit Dice, a longsword, a potion, ale, water and rations."""
    fields.setdefault("abilities", {"str": 16, "dex": 12, "con": 14, "wis": 12})
    fields.setdefault("saves", ("str", "con"))
    fields.setdefault("skills", ("ath", "prc"))
    items = [character_class("Fighter", "d10", level, spent), longsword(), potion(), ale(), water(), rations()]
    return actor(name, items=[*items, *fields.pop("items", [])], **fields)


def cleric(name: str = "mira", *, level: int = 5, spent: int = 0, slots: int = 4, **fields: Any) -> Json:
    """A cleric with d8 Hit Dice, Cure Wounds, Bless (concentration), a potion and a mace."""
    fields.setdefault("abilities", {"wis": 16, "con": 12})
    fields.setdefault("saves", ("wis", "cha"))
    items = [character_class("Cleric", "d8", level, spent), cure_wounds(), bless(), potion(), longsword("Mace")]
    changes = {
        "system.attributes.spellcasting": "wis",
        "system.spells.spell1": {"value": slots, "override": slots},
        **fields.pop("changes", {}),
    }
    return actor(name, items=[*items, *fields.pop("items", [])], changes=changes, **fields)


def goblin(name: str = "goblin", **fields: Any) -> Json:
    """An NPC with 3d6 Hit Dice and a scimitar, on an unlinked token."""
    fields.setdefault("hp", (10, 10))
    fields.setdefault("abilities", {"str": 8, "dex": 15})
    changes = {"system.attributes.hp.formula": "3d6", "system.details.cr": 0.25, **fields.pop("changes", {})}
    items = [longsword("Scimitar"), *fields.pop("items", [])]
    return actor(name, kind="npc", items=items, changes=changes, **fields)


def group(name: str, members: list[str]) -> Json:
    """A party: an actor without hit points that can rest for its members."""
    entries = [{"actor": stable_id(member), "quantity": {"value": 1}} for member in members]
    return actor(name, kind="group", changes={"system.members": entries})


def item(
    name: str, kind: str, system: Json, *, activities: list[Json] | None = None, flags: Json | None = None
) -> Json:
    """Any item; its id is derived from its name."""
    return {
        "_id": stable_id(name),
        "name": name,
        "type": kind,
        "img": f"icons/svg/item-{kind}.svg",
        "system": {
            "identifier": re.sub(r"\W+", "-", name.lower()),
            "quantity": 1,
            "activities": {activity["_id"]: activity for activity in activities or []},
            "uses": {"max": "", "spent": 0, "recovery": []},
            **system,
        },
        "effects": [],
        "flags": flags or {},
    }


def character_class(name: str, die: str, level: int, spent: int = 0) -> Json:
    """A class with its Hit Dice and the advancement from which maximum hit points derive."""
    points = {"1": "max", **{str(number): "avg" for number in range(2, level + 1)}}
    advancement = {"_id": stable_id("hitpoints"), "type": "HitPoints", "configuration": {}, "value": points}
    hit_dice = {"denomination": die, "spent": spent, "additional": ""}
    system = {"levels": level, "hd": hit_dice, "advancement": {advancement["_id"]: advancement}}
    return item(name, "class", system)


def activity(kind: str, name: str = "", **fields: Any) -> Json:
    """One activity of an item, with the fields that every kind has."""
    document: Json = {
        "_id": stable_id(f"{kind}activity"),
        "type": kind,
        "name": name,
        "activation": {"type": "action", "value": 1, "condition": "", "override": False},
        "consumption": {"targets": [], "scaling": {"allowed": False, "max": ""}, "spellSlot": True},
        "duration": {"units": "inst", "concentration": False, "override": False},
        "effects": [],
        "range": {"override": False},
        "target": {"template": {"contiguous": False, "units": "ft", "type": ""}, "affects": {}, "prompt": True},
        "uses": {"spent": 0, "recovery": [], "max": ""},
    }
    merge(document, fields)
    return document


def _uses_itself() -> Json:
    target = {"type": "itemUses", "value": "1", "target": "", "scaling": {}}
    return {"targets": [target], "scaling": {"allowed": False, "max": ""}, "spellSlot": True}


def _dice(number: int, die: int, bonus: str, kind: str) -> Json:
    custom = {"enabled": False, "formula": ""}
    return {"number": number, "denomination": die, "bonus": bonus, "types": [kind], "custom": custom}


def consumable(name: str, kind: str, use: Json, *, quantity: int = 1, flags: Json | None = None) -> Json:
    """Something that is used up: one use each, gone with the last."""
    merge(use, {"consumption": _uses_itself()})
    uses = {"max": "1", "spent": 0, "recovery": [], "autoDestroy": True}
    system = {"type": {"value": kind, "subtype": ""}, "uses": uses, "quantity": quantity, "properties": []}
    return item(name, "consumable", system, activities=[use], flags=flags)


def potion(quantity: int = 2) -> Json:
    """A Potion of Healing: 2d4 + 2."""
    use = activity("heal", "Consume", activation={"type": "bonus"}, healing=_dice(2, 4, "2", "healing"))
    return consumable("Potion of Healing", "potion", use, quantity=quantity)


def ale(quantity: int = 6, flags: Json | None = None) -> Json:
    """A mug of ale, modelled on the system's pint of water."""
    return consumable("Ale (mug)", "food", activity("utility", "Consume"), quantity=quantity, flags=flags)


def water(quantity: int = 3) -> Json:
    """A pint of water."""
    return consumable("Water, Fresh (pint)", "food", activity("utility", "Consume"), quantity=quantity)


def rations(quantity: int = 5) -> Json:
    """Rations for a day."""
    return consumable("Rations", "food", activity("utility", "Eat"), quantity=quantity)


def cure_wounds() -> Json:
    """Cure Wounds: 2d8 and the spellcasting modifier."""
    use = activity("heal", healing=_dice(2, 8, "@mod", "healing"))
    system = {"level": 1, "school": "abj", "method": "spell", "properties": ["vocal", "somatic"], "prepared": 1}
    return item("Cure Wounds", "spell", system, activities=[use])


def bless() -> Json:
    """Bless: needs concentration."""
    use = activity("utility", duration={"units": "minute", "value": "1", "concentration": True})
    properties = ["vocal", "somatic", "concentration"]
    system = {"level": 1, "school": "enc", "method": "spell", "properties": properties, "prepared": 1}
    return item("Bless", "spell", system, activities=[use])


def ray(name: str = "Ray of Sickness", status: str = "poisoned", *, concentration: bool = False) -> Json:
    """A spell whose effect, of the same name, is applied from its card."""
    use = activity("utility", duration={"units": "minute", "value": "1", "concentration": concentration})
    system = {"level": 0, "school": "nec", "method": "spell", "properties": ["vocal"], "prepared": 1}
    made = item(name, "spell", system, activities=[use])
    effect = {"_id": stable_id(f"{name}effect"), "name": name, "statuses": [status], "transfer": False}
    return {**made, "effects": [effect]}


def longsword(name: str = "Longsword") -> Json:
    """A melee weapon with an attack that deals 1d8 slashing damage."""
    kind = {"value": "melee", "classification": "weapon"}
    attack = {"ability": "", "bonus": "", "critical": {"threshold": None}, "type": kind}
    reach = {"value": "5", "units": "ft"}
    use = activity("attack", attack=attack, damage={"includeBase": True, "parts": []}, range=reach)
    base = _dice(1, 8, "", "slashing")
    system = {
        "type": {"value": "martialM", "baseItem": ""},
        "damage": {"base": base},
        "properties": [],
        "proficient": 1,
    }
    return item(name, "weapon", system, activities=[use])


def token(of: Json, *, at: tuple[int, int], grid: int = 100, linked: bool | None = None, **fields: Any) -> Json:
    """A token of an actor; `at` is a square, counted from 0."""
    prototype = of.get("prototypeToken") or {}
    document = {
        "_id": stable_id(f"token{of['_id'].rstrip('0')}"),
        "name": prototype.get("name") or of["name"],
        "actorId": of["_id"],
        "actorLink": bool(prototype.get("actorLink")) if linked is None else linked,
        "delta": {},
        "x": at[0] * grid,
        "y": at[1] * grid,
        "elevation": 0,
        "width": prototype.get("width", 1),
        "height": prototype.get("height", 1),
        "hidden": False,
        "disposition": prototype.get("disposition", -1),
        "texture": {"src": of.get("img")},
        "flags": {},
    }
    merge(document, fields)
    return document


def scene(name: str, tokens: list[Json], *, active: bool = True, grid: int = 100) -> Json:
    """A scene with a square grid of 5 feet."""
    return {
        "_id": stable_id(name),
        "name": name.title(),
        "active": active,
        "width": 2000,
        "height": 1400,
        "grid": {"type": 1, "size": grid, "distance": 5, "units": "ft"},
        "tokens": tokens,
        "ownership": {"default": 0},
        "flags": {},
    }


def placed(actors: list[Json]) -> list[Json]:
    """One token for each actor that has hit points, four squares apart."""
    creatures = [one for one in actors if one["type"] in ("character", "npc", "vehicle")]
    columns = max(1, math.ceil(math.sqrt(len(creatures) or 1) * 1.5))
    return [
        token(one, at=(2 + 3 * (index % columns), 2 + 3 * (index // columns))) for index, one in enumerate(creatures)
    ]
