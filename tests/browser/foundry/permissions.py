"""Who may do what: ownership levels and Game Masters, as Foundry's server judges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .merge import Json

if TYPE_CHECKING:
    from .world import World

OWNER = 3
ASSISTANT = 3
GAMEMASTER = 4


def is_gm(user: Json) -> bool:
    """Assistants count as Game Masters, as in Foundry."""
    return int(user.get("role", 1)) >= ASSISTANT


def level(document: Json | None, user: Json) -> int:
    """The user's ownership level of a document."""
    if is_gm(user):
        return OWNER
    ownership = (document or {}).get("ownership") or {}
    return int(ownership.get(user["_id"], ownership.get("default", 0)))


def may(world: World, user: Json, operation: Json, owner: Json | None, document: Json, changes: Json) -> bool:
    """Whether the user may carry the operation out on this document."""
    if is_gm(user):
        return True
    action, name = operation["action"], operation["documentName"]
    if name == "Actor":
        return action == "update" and level(owner or document, user) >= OWNER
    if name in ("Item", "ActiveEffect"):
        return owner is not None and level(owner, user) >= OWNER
    if name == "Token":
        return action == "update" and _owns_actor(world, user, document)
    if name == "ChatMessage":
        author = document.get("author", user["_id"])
        return bool(author == user["_id"])
    if name == "Combatant":
        return action in ("create", "update") and _owns_actor(world, user, document)
    if name == "Combat":
        return action == "update" and changes.keys() <= {"round", "turn"} and _has_turn(world, user, document)
    if name == "User":
        return action == "update" and document["_id"] == user["_id"] and "role" not in changes
    if name == "Setting":
        return bool(document.get("user") == user["_id"])
    return False


def _owns_actor(world: World, user: Json, document: Json) -> bool:
    actor = world.get(f"Actor.{document['actorId']}") if document.get("actorId") else None
    return actor is not None and level(actor, user) >= OWNER


def _has_turn(world: World, user: Json, combat: Json) -> bool:
    """A player may end the turn of a creature that they own."""

    def order(combatant: Json) -> tuple[float, str]:
        initiative = combatant.get("initiative")
        return (-(initiative if initiative is not None else float("-inf")), combatant["_id"])

    turns = sorted(combat.get("combatants", []), key=order)
    turn = combat.get("turn")
    if not isinstance(turn, int) or not 0 <= turn < len(turns):
        return False
    return _owns_actor(world, user, turns[turn])
