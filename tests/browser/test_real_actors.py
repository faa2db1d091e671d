"""Every actor document of dnd5e 5.3.3 that the environment names goes through the module and the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec import structs

from bridge.engine.apply import static_id
from bridge.engine.conditions import Creature
from bridge.engine.decide import decide
from bridge.engine.events import Seen
from bridge.engine.state import Actor, Effect
from bridge.host import Host
from bridge.rules import rulebook
from tests.browser.foundry import actors, documents
from tests.browser.table import MODULE, Bridge, pair, seat, statuses, until

if TYPE_CHECKING:
    from tests.browser.conftest import MakeContext, MakeFoundry

BOOK = rulebook()


def cast() -> tuple[list[documents.Json], str]:
    """The real documents; without them our own of the same shape, and what they are called."""
    if actors.available():
        return actors.load(), "real"
    own = [documents.fighter("bors", owner="ann"), documents.cleric("mira", owner="ben"), documents.goblin()]
    return own, "our own"


@pytest.mark.timeout(240)
async def test_every_actor_is_shown_as_it_is(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    found, _ = cast()
    server = await foundry(actors=found, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await until(lambda: any("card" in m["flags"].get("condition-bridge", {}) for m in server.world.messages), "a card")
    assert server.page_errors == []
    derived = await gm.evaluate(
        "Object.fromEntries(game.actors.map(a => [a.uuid, a.system.attributes?.hp?.max ?? null]))"
    )
    await bridge.stop()

    with Host.open(bridge.folder) as host:
        world = next(iter(host.store.worlds()))
        rows = host.store.load(world)
    shown = {row.key: msgspec.json.decode(row.value, type=Actor) for row in rows if row.kind == "actor" and row.value}
    assert len([id for id in shown if id.startswith("Actor.")]) == len(found)
    for document in found:
        actor = shown[f"Actor.{document['_id']}"]
        stored = document["system"].get("attributes", {}).get("hp", {})
        assert actor.type == document["type"]
        if document["type"] == "npc":
            assert actor.hp is not None
            assert actor.hp.max == stored["max"], actor.name
        elif document["type"] == "character":
            assert actor.hp is not None
            assert actor.hp.max == derived[actor.id] > 0, actor.name
        elif not stored.get("max"):
            assert actor.hp is None or actor.hp.max == 0, actor.name
        if document["type"] != "vehicle":
            assert set(document["system"]["traits"]["ci"]["value"]) <= set(actor.condition_immunities), actor.name
        check_rules(actor)
        if document["type"] == "vehicle" and actor.hp is None:
            assert statuses(server, document["name"]) == set(), actor.name


def check_rules(actor: Actor) -> None:
    """CMB-4: the immune stay immune, whatever is put on; every decision settles; CMB-9: what has no conditions gets none."""
    for id in BOOK.conditions:
        effect = Effect(static_id(id), (id, *BOOK.conditions[id].implied))
        burdened = structs.replace(actor, effects=(*actor.effects, effect))
        decision = decide(BOOK, burdened, [Seen(at=0)], 0)
        after = Creature(decision.after, BOOK, 0)
        if id in actor.condition_immunities:
            assert not after.has(id), (actor.name, id)
        else:
            assert after.has(id) or id == "bloodied", (actor.name, id)
