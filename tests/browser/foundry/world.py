"""The world of the simulated server: plain JSON documents and the operations upon them.

One operation is refused whole or accepted whole, as Foundry's database does. What is accepted is
returned in the form in which it is broadcast to every client.
"""

from __future__ import annotations

import json
import random
import re
import string
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from . import delta, permissions
from .merge import Json, difference, expand, merge

_ID = re.compile(r"[A-Za-z0-9]{16}")
_ALPHABET = string.ascii_letters + string.digits

#: Name of the collection that holds the documents of one kind, in the world or inside a parent.
COLLECTIONS = {
    "User": "users",
    "Actor": "actors",
    "Item": "items",
    "ActiveEffect": "effects",
    "Scene": "scenes",
    "Token": "tokens",
    "Combat": "combats",
    "Combatant": "combatants",
    "ChatMessage": "messages",
    "Setting": "settings",
}


class RefusedError(Exception):
    """The server did not carry an operation out; the text is what the client sees."""


@dataclass
class Place:
    """Where documents of one kind live: the list itself, and the synthetic actor around it, if any."""

    documents: list[Json]
    token: Json | None = None
    base: Json | None = None
    owner: Json | None = None  # the document whose ownership decides (a world actor, a message, …)


@dataclass
class World:
    """All documents, by collection."""

    users: list[Json] = field(default_factory=list)
    actors: list[Json] = field(default_factory=list)
    items: list[Json] = field(default_factory=list)
    scenes: list[Json] = field(default_factory=list)
    combats: list[Json] = field(default_factory=list)
    messages: list[Json] = field(default_factory=list)
    settings: list[Json] = field(default_factory=list)
    packs: dict[str, list[Json]] = field(default_factory=dict)
    """Compendia of actors: the documents of each, by its name."""
    random: random.Random = field(default_factory=lambda: random.Random(5))

    def new_id(self) -> str:
        """A random 16-character id."""
        return "".join(self.random.choices(_ALPHABET, k=16))

    def collection(self, name: str) -> list[Json]:
        """The world collection of a kind of document."""
        documents = getattr(self, COLLECTIONS[name], None)
        if not isinstance(documents, list):
            raise RefusedError(f"{name} documents need a parent")
        return documents

    def user(self, user_id: str) -> Json | None:
        """The user with this id."""
        return _find(self.users, user_id)

    def get(self, uuid: str) -> Json | None:
        """The document with this uuid; for the actor of an unlinked token, base and delta together."""
        kind, identity, *rest = uuid.split(".")
        if kind == "Compendium":
            name, _, own, *rest = rest
            document = _find(self.packs[f"{identity}.{name}"], own)
        else:
            document = _find(self.collection(kind), identity)
        while document is not None and rest:
            kind, identity, *rest = rest
            if kind == "Actor" and "actorId" in document:
                base = _find(self.actors, str(document["actorId"]))
                if base is None:
                    return None
                document = base if document.get("actorLink") else delta.resolve(base, document)
            else:
                document = _find(document.get(COLLECTIONS[kind], []), identity)
        return document

    def place(self, name: str, parent: str | None, pack: str | None = None) -> Place:
        """The list that an operation on documents of a kind works upon."""
        if parent is None:
            return Place(self.packs[pack] if pack else self.collection(name))
        synthetic = re.fullmatch(r"(Scene\.\w+\.Token\.\w+)(?:\.Actor\.\w+(.*))?", parent)
        if synthetic and (name == "Actor" or parent != synthetic[1]):
            return self._synthetic_place(name, synthetic[1], synthetic[2] or "")
        document = self.get(parent)
        if document is None:
            raise RefusedError(f"The parent {parent} does not exist")
        owner = self.get(".".join(parent.split(".")[: 5 if pack else 2]))
        return Place(document.setdefault(COLLECTIONS[name], []), owner=owner)

    def _synthetic_place(self, name: str, token_uuid: str, inner: str) -> Place:
        token = self.get(token_uuid)
        if token is None:
            raise RefusedError(f"The token {token_uuid} does not exist")
        base = _find(self.actors, str(token["actorId"]))
        if base is None:
            raise RefusedError(f"The actor of {token_uuid} does not exist")
        actor = delta.resolve(base, token)
        if name == "Actor":
            return Place([actor], token, base, base)
        if inner:
            raise RefusedError("Documents inside the items of an unlinked token are not stood in for")
        return Place(actor.setdefault(COLLECTIONS[name], []), token, base, base)

    def apply(self, user_id: str | None, operation: Json) -> Json:
        """Carry out one operation and return what is broadcast; `user_id` None is the database itself."""
        action = {"create": self._create, "update": self._update, "delete": self._delete}[operation["action"]]
        pack = operation.get("pack")
        place = self.place(operation["documentName"], operation.get("parent"), pack)
        user = self.user(user_id) if user_id is not None else None
        if user_id is not None and user is None:
            raise RefusedError(f"User {user_id} does not exist")
        return {
            "action": operation["action"],
            "documentName": operation["documentName"],
            "parent": operation.get("parent"),
            "pack": pack,
            "options": operation.get("options") or {},
            "result": action(user, operation, place),
        }

    def _check(self, user: Json | None, operation: Json, place: Place, document: Json, changes: Json) -> None:
        name = operation["documentName"]
        if user is not None and not permissions.may(self, user, operation, place.owner, document, changes):
            identity = document.get("_id", "")
            verb = operation["action"]
            raise RefusedError(f"User {user['name']} lacks permission to {verb} {name} [{identity}]")

    def _create(self, user: Json | None, operation: Json, place: Place) -> list[Json]:
        name = operation["documentName"]
        taken = {document["_id"] for document in place.documents}
        created: list[Json] = []
        for raw in operation.get("data", []):
            document = expand(raw)
            if not operation.get("keepId") or not document.get("_id"):
                document["_id"] = self.new_id()
            if not _ID.fullmatch(str(document["_id"])):
                raise RefusedError(f"{name} validation errors: _id must be 16 alphanumerics ({document['_id']})")
            if document["_id"] in taken:
                raise RefusedError(f"{name} [{document['_id']}] already exists within the parent collection")
            taken.add(document["_id"])
            self._check(user, operation, place, document, document)
            created.append(document)
        for document in created:
            if place.token is not None:
                delta.put(place.token, COLLECTIONS[name], document)
            else:
                place.documents.append(document)
        return deepcopy(created)

    def _update(self, user: Json | None, operation: Json, place: Place) -> list[Json]:
        name = operation["documentName"]
        accepted: list[tuple[Json, Json]] = []
        for raw in operation.get("updates", []):
            changes = expand(raw)
            identity = changes.pop("_id", None)
            document = _find(place.documents, str(identity))
            if document is None:
                raise RefusedError(f'{name} "{identity}" does not exist!')
            for collection in set(COLLECTIONS.values()) & changes.keys() - {"items"}:
                if isinstance(document.get(collection), list):
                    changes.pop(collection)
            self._check(user, operation, place, document, changes)
            if operation.get("diff", True):
                changes = difference(document, changes)
            if changes:
                accepted.append((document, changes))
        for document, changes in accepted:
            merge(document, changes)
            if place.token is not None and place.base is not None:
                if name == "Actor":
                    delta.change(place.token, changes)
                else:
                    delta.put(place.token, COLLECTIONS[name], document)
        return [{**deepcopy(changes), "_id": document["_id"]} for document, changes in accepted]

    def _delete(self, user: Json | None, operation: Json, place: Place) -> list[str]:
        name = operation["documentName"]
        ids = [d["_id"] for d in place.documents] if operation.get("deleteAll") else list(operation.get("ids", []))
        for identity in ids:
            document = _find(place.documents, identity)
            if document is None:
                raise RefusedError(f'{name} "{identity}" does not exist!')
            self._check(user, operation, place, document, {})
        for identity in ids:
            if place.token is not None and place.base is not None:
                delta.remove(place.token, place.base, COLLECTIONS[name], identity)
            else:
                place.documents[:] = [d for d in place.documents if d["_id"] != identity]
        return ids

    def setting(self, namespace: str, key: str, default: Any = None) -> Any:
        """The value of a world setting."""
        for document in self.settings:
            if document["key"] == f"{namespace}.{key}" and not document.get("user"):
                return json.loads(document["value"])
        return default

    @property
    def time(self) -> int:
        """World time in seconds; Foundry keeps it in a world setting of its own."""
        return int(self.setting("core", "time", 0))

    def snapshot(self) -> Json:
        """Everything that a client is given when it connects."""
        names = ("users", "actors", "items", "scenes", "combats", "messages", "settings", "packs")
        return {name: getattr(self, name) for name in names}


def _find(documents: list[Json], identity: str) -> Json | None:
    return next((document for document in documents if document["_id"] == identity), None)
