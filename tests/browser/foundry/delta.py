"""ActorDelta: what an unlinked token keeps of its own, on top of the actor that it was made from."""

from __future__ import annotations

from copy import deepcopy

from .merge import Json, merge

_COLLECTIONS = ("items", "effects")


def resolve(base: Json, token: Json) -> Json:
    """The actor of a token: the base actor with the token's delta laid over it."""
    actor = deepcopy(base)
    own = token.get("delta") or {}
    merge(actor, {key: value for key, value in own.items() if key not in _COLLECTIONS and key != "_id"})
    for collection in _COLLECTIONS:
        documents = {document["_id"]: document for document in actor.get(collection, [])}
        for document in own.get(collection) or []:
            if document.get("_tombstone"):
                documents.pop(document["_id"], None)
            else:
                documents[document["_id"]] = deepcopy(document)
        actor[collection] = list(documents.values())
    return actor


def change(token: Json, changes: Json) -> None:
    """Keep changed fields of the actor itself in the token's delta."""
    own = token.setdefault("delta", {})
    merge(own, {key: value for key, value in changes.items() if key not in _COLLECTIONS})


def put(token: Json, collection: str, document: Json) -> None:
    """Keep a created or changed embedded document whole in the token's delta."""
    documents = token.setdefault("delta", {}).setdefault(collection, [])
    documents[:] = [other for other in documents if other["_id"] != document["_id"]]
    documents.append(deepcopy(document))


def remove(token: Json, base: Json, collection: str, identity: str) -> None:
    """Forget an embedded document; one of the base actor leaves a tombstone."""
    documents = token.setdefault("delta", {}).setdefault(collection, [])
    documents[:] = [other for other in documents if other["_id"] != identity]
    if any(document["_id"] == identity for document in base.get(collection, [])):
        documents.append({"_id": identity, "_tombstone": True})
