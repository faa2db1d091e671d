"""What Foundry shows, as the simulated table would hold it, so that both are judged by the same code."""

from __future__ import annotations

from typing import Any

import msgspec

from bridge.engine.catalogue import Catalogue
from bridge.engine.state import Actor
from bridge.protocol import AskRoll, Card, Combat, Error
from bridge.table.expect import INFORMATION
from bridge.table.table import Record, Table
from tests.browser.foundry.merge import Json

UNCOUNTED = {"card.post", "card.update", "notify"}
SIMPLE = msgspec.json.decode


def take_in(table: Table, seen: Json) -> None:
    """Put what the GM's page shows into the table's documents."""
    documents = table.documents
    placed = {ref for key, ref in table.keys.items() if table.sheets[key].at is not None}
    known = set(table.keys.values())
    documents.actors = {
        told["ref"]: actor(told, placed=told["ref"] in placed) for told in seen["actors"] if told["ref"] in known
    }
    documents.combats = {told["id"]: msgspec.convert(told, Combat) for told in seen["combats"]}
    documents.clock = seen["clock"]
    if seen["catalogue"].get("conditions"):
        documents.catalogue = msgspec.convert(seen["catalogue"], Catalogue)
    table.linked = seen["link"] == "connected"


def actor(told: Json, *, placed: bool) -> Actor:
    """A creature as the rules see it."""
    effects = [{**each, "mark": _mark(each, told["exhaustion"])} for each in told["effects"]]
    fields = {
        "id": told["ref"],
        **{key: told[key] for key in ("name", "type", "hp", "hitDice", "abilities", "resistances", "immunities")},
        "conditionImmunities": told["conditionImmunities"],
        "speed": told["stored"],
        "effects": effects,
        "concentrating": "concentrating" in told["statuses"],
        "place": told["place"] if placed else None,
    }
    return msgspec.convert(fields, Actor)


def _mark(effect: Json, exhaustion: int) -> Json | None:
    mark: Json | None = effect["mark"]
    if "exhaustion" in effect["statuses"] and exhaustion > 1:
        mark = {**(mark or {}), "level": exhaustion}
    return mark


def record(seen: Json, before: set[str], answers: list[Json]) -> Record:
    """What happened in a step: its cards and requests, what the bridge had done, its errors."""
    made = Record(cards=[], refused={}, asked=[], operations=[], errors=[], story=[])
    for told in seen["cards"]:
        if told["id"] in before:
            continue
        card = card_of(told, seen["players"])
        request = told["card"].get("request")
        if request:
            made.asked.append(AskRoll(card, request["ability"], request["dc"], request["reason"]))
        elif not told["rolls"]:
            made.cards.append(card)
        if card.kind == "refusal":
            amount = card.data.get("refused", 0)
            made.refused[card.actor] = made.refused.get(card.actor, 0) + amount
    for answer in answers:
        made.operations += [("", op) for op in answer["operations"] if op not in UNCOUNTED]
        made.errors += [Error(e["code"], e["message"]) for e in answer["errors"] if e["code"] != INFORMATION]
    return made


def card_of(told: Json, players: Json) -> Card:
    """A card as the chat shows it: who may read it is the message's affair, not the flag's."""
    flag: dict[str, Any] = told["card"]
    to = told["whisper"]
    audience = "all" if not to else "owner" if any(user in players for user in to) else "gm"
    shown = {"key": "shown", "text": told["text"]}
    fields: Json = {key: flag[key] for key in ("id", "kind", "actor", "title", "buttons", "group") if key in flag}
    data = SIMPLE(flag.get("data") or "{}")
    return msgspec.convert(
        {**fields, "lines": [*flag.get("lines", []), shown], "audience": audience, "data": data}, Card
    )
