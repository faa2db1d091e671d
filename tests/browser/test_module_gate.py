"""The healing gate on all roads of hit points, on whichever client acts, and with no bridge: it must hold then too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.merge import Json
from tests.browser.foundry.profiles import PROFILES
from tests.browser.foundry.server import FoundryServer
from tests.browser.table import API, ID, MODULE, hp, seat, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

every_profile = pytest.mark.parametrize("profile", PROFILES)


async def bleeding(foundry: Any, context: Any, profile: str, points: int = 10) -> tuple[FoundryServer, Page, Page]:
    """A table where Bors bleeds at 10 of 20 hit points; the pages of the GM and of his player."""
    cast = [documents.fighter("bors", owner="ann"), documents.cleric("mira", owner="ben"), documents.goblin()]
    cast[0]["system"]["attributes"]["hp"]["value"] = points
    server = await foundry(profile, actors=cast, module_dir=MODULE)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await ann.wait_for_function("standin.actor('bors').statuses.has('bleeding')")
    return server, gm, ann


def refusals(server: FoundryServer, actor: str = "bors") -> list[tuple[int, str]]:
    """The refusals that wait for a bridge: how much, and of what kind."""
    outbox: Json = server.actor(actor)["flags"].get(ID, {}).get("outbox", {})
    found = [json.loads(text) for text in outbox.values()]
    return [(h["amount"], h["cause"]["kind"]) for h in found if h["type"] == "refused"]


async def trace(page: Page, actor: str = "bors") -> list[int]:
    """Every value of current hit points that a client ever held."""
    found: list[int] = await page.evaluate(f"standin.hpTrace[standin.actor('{actor}').uuid]")
    return found


@every_profile
async def test_roads_that_are_refused(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, ann = await bleeding(foundry, context, profile)
    roads = {
        "standin.heal('bors', 5, {by: 'item'})": (5, "item"),
        "standin.heal('bors', 5, {by: 'spell', from: 'mira'})": (5, "spell"),
        "standin.heal('bors', 5, {by: 'regeneration'})": (5, "unknown"),
        "standin.heal('bors', 5, {by: 'unknown'})": (5, "unknown"),
        "standin.tokenBar('bors', '+5')": (5, "player-edit"),
        "standin.editHp('bors', 19)": (9, "player-edit"),
    }
    for number, (road, refusal) in enumerate(roads.items(), 1):
        await ann.evaluate(road)
        await until(lambda n=number: len(refusals(server)) == n, f"{road} to be refused")
        assert refusals(server)[-1] == refusal, road
        assert hp(server, "bors") == 10, road
    assert await trace(gm) == await trace(ann) == [10]
    assert server.page_errors == []


@every_profile
async def test_roads_that_are_granted(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, ann = await bleeding(foundry, context, profile)
    await gm.evaluate("standin.editHp('bors', 11)")
    assert hp(server, "bors") == 11
    await gm.evaluate("standin.tokenBar('bors', '+1')")
    assert hp(server, "bors") == 12
    await ann.evaluate("standin.actor('bors').applyDamage([{value: 7, type: 'temphp'}])")
    assert server.actor("bors")["system"]["attributes"]["hp"]["temp"] == 7
    await server.dice("ann", 1)
    await ann.evaluate("standin.hitDie('bors')")
    assert hp(server, "bors") == 15
    # Two of a kind in a row are two: the second one's marker is not lost as no difference.
    await server.dice("ann", 1)
    await ann.evaluate("standin.hitDie('bors')")
    assert hp(server, "bors") == 18
    await ann.evaluate("standin.longRest('bors')")
    assert hp(server, "bors") == 20
    assert refusals(server) == []
    assert ID not in str(await gm.evaluate("Object.keys(standin.actor('bors').flags['condition-bridge'] ?? {})"))


# https://github.com/foundryvtt/dnd5e/issues/6809
# https://github.com/foundryvtt/dnd5e/pull/6811
@every_profile
async def test_hit_dice_of_a_short_rest_are_told_from_healing_that_takes_the_same_road(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server, _, ann = await bleeding(foundry, context, profile, points=5)
    await ann.evaluate(
        "globalThis.heard = 0; Hooks.on('dnd5e.calculateDamage', (actor, damages) => {"
        " heard += Number(damages.some((one) => one.type === 'healing')); })"
    )
    await server.dice("ann", 3, 2)
    await ann.evaluate("standin.shortRest('bors', {hitDice: 2})")
    assert (hp(server, "bors"), refusals(server)) == (5 + 3 + 2 + 2 + 2, [])
    await ann.evaluate("standin.heal('bors', 2, {by: 'item'})")
    await until(lambda: refusals(server) == [(2, "item")], "the refusal")
    assert (hp(server, "bors"), await ann.evaluate("heard")) == (14, 3)
    # Before that change of the system's a Hit Die's total was written as it was rolled: so is it without an answer.
    await ann.evaluate("Hooks.on('dnd5e.preCalculateDamage', () => false)")
    await server.dice("ann", 1)
    await ann.evaluate("standin.shortRest('bors', {hitDice: 1})")
    assert (hp(server, "bors"), await ann.evaluate("heard"), len(refusals(server))) == (17, 3, 1)


# https://github.com/roth-michael/FoundryVTT-RestRecovery/issues/351
@every_profile
async def test_a_rest_that_another_module_makes_without_saying_so_is_no_healing(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    """BLD-12: "hit points and Hit Dice (or spell slots) restored in one change are a rest"."""
    cast = [
        documents.fighter("bors", owner="ann", hp=(5, 20), spent=3),
        documents.cleric("mira", hp=(5, 20)),
        documents.goblin("ogre", hp=(5, 20), linked=True, changes={"system.attributes.hd.spent": 2}),
    ]
    cast[1]["system"]["spells"]["spell1"]["value"] = 1
    server = await foundry(profile, actors=cast, module_dir=MODULE)
    gm = await seat(server, context, "gm")
    rests = {
        "bors": "async (it) => { await it.items.getName('Fighter').update({'system.hd.spent': 0});"
        " await it.update({'system.attributes.hp.value': 20}); }",
        "mira": "(it) => it.update({'system.spells.spell1.value': 4, 'system.attributes.hp.value': 20})",
        "ogre": "(it) => it.update({'system.attributes.hd.spent': 0, 'system.attributes.hp.value': 20})",
    }
    for name, rest in rests.items():
        await gm.evaluate(f"standin.actor('{name}').toggleStatusEffect('bleeding')")
        # The same hit points alone, or beside Hit Dice that are spent, are healing from nobody knows where.
        await gm.evaluate(f"standin.actor('{name}').update({{'system.attributes.hp.value': 20}})")
        await until(lambda n=name: refusals(server, n) == [(15, "unknown")], "the refusal")
        await gm.evaluate(f"({rest})(standin.actor('{name}')).then(() => null)")
        assert hp(server, name) == 20, name
        assert len(refusals(server, name)) == 1, name
        await gm.evaluate(f"standin.damage('{name}', 4)")
    # It was one rest: what comes later is healing again.
    await gm.evaluate("(it => it.update({'system.attributes.hd.spent': 1}))(standin.actor('ogre'))")
    for name in ("mira", "ogre"):
        await gm.evaluate(f"standin.actor('{name}').update({{'system.attributes.hp.value': 20}})")
        await until(lambda n=name: len(refusals(server, n)) == 2, "the second refusal")
        assert hp(server, name) == 16, name
    assert server.page_errors == []


@every_profile
async def test_a_natural_20_on_a_death_save_does_not_wake(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server, gm, ann = await bleeding(foundry, context, profile, points=0)
    await server.edit(server_uuid("bors"), {"system": {"attributes": {"death": {"success": 1, "failure": 2}}}})
    await server.dice("ann", 20)
    assert await ann.evaluate("standin.deathSave('bors')") == 20
    assert hp(server, "bors") == 0
    death = server.actor("bors")["system"]["attributes"]["death"]
    assert (death["success"], death["failure"]) == (0, 0)
    assert refusals(server) == [(1, "death-save")]
    assert await trace(gm) == [0]


@every_profile
async def test_healing_at_0_leaves_the_death_saves_alone(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server, _, ann = await bleeding(foundry, context, profile, points=0)
    await server.edit(server_uuid("bors"), {"system": {"attributes": {"death": {"success": 1, "failure": 2}}}})
    await ann.evaluate("standin.heal('bors', 5, {by: 'unknown'})")
    await until(lambda: refusals(server), "the refusal")
    death = server.actor("bors")["system"]["attributes"]["death"]
    assert (hp(server, "bors"), death["success"], death["failure"]) == (0, 1, 2)


@every_profile
async def test_a_risen_maximum_is_no_healing(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, _, ann = await bleeding(foundry, context, profile)
    await ann.evaluate(
        "standin.actor('bors').update({'system.attributes.hp.tempmax': 5, 'system.attributes.hp.value': 18})"
    )
    assert hp(server, "bors") == 15
    assert refusals(server) == [(3, "unknown")]


@every_profile
async def test_only_what_would_have_risen_is_refused(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server, _, ann = await bleeding(foundry, context, profile, points=18)
    await ann.evaluate("standin.heal('bors', 7, {by: 'item'})")
    await until(lambda: refusals(server), "the refusal")
    assert refusals(server) == [(2, "item")]


async def test_damage_and_healing_at_once_are_judged_by_the_net(foundry: MakeFoundry, context: MakeContext) -> None:
    server, _, ann = await bleeding(foundry, context, "v14+dnd5e-6")
    await ann.evaluate("standin.actor('bors').applyDamage([{value: 6, type: 'fire'}, {value: 4, type: 'healing'}])")
    assert hp(server, "bors") == 8
    await ann.evaluate("standin.actor('bors').applyDamage([{value: 1, type: 'fire'}, {value: 4, type: 'healing'}])")
    assert (hp(server, "bors"), refusals(server)) == (8, [(3, "unknown")])


async def test_other_values_of_a_refused_write_are_written(foundry: MakeFoundry, context: MakeContext) -> None:
    server, _, ann = await bleeding(foundry, context, "v14+dnd5e-6")
    await ann.evaluate("standin.actor('bors').update({'system.attributes.hp.value': 15, name: 'Bors the Red'})")
    assert (hp(server, "bors"), server.actor("bors")["name"]) == (10, "Bors the Red")


async def test_a_gm_macro_is_no_hand(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, _ = await bleeding(foundry, context, "v14+dnd5e-6")
    await gm.evaluate("standin.heal('bors', 5, {by: 'unknown'})")
    await until(lambda: refusals(server), "the refusal")
    assert (hp(server, "bors"), refusals(server)) == (10, [(5, "unknown")])


async def test_an_unlinked_token_has_a_gate_of_its_own(foundry: MakeFoundry, context: MakeContext) -> None:
    _server, gm, _ = await bleeding(foundry, context, "v14+dnd5e-6")
    uuid: str = await gm.evaluate("canvas.tokens.placeables.find(t => t.document.name === 'Goblin').actor.uuid")
    assert ".Token." in uuid
    await gm.evaluate(f"standin.damage('{uuid}', 6)")
    await gm.evaluate(f"standin.actor('{uuid}').toggleStatusEffect('bleeding')")
    await gm.evaluate(f"standin.heal('{uuid}', 3, {{by: 'regeneration'}})")
    assert await gm.evaluate(f"standin.actor('{uuid}').system.attributes.hp.value") == 4


async def test_paused_it_stands_open(foundry: MakeFoundry, context: MakeContext) -> None:
    server, gm, ann = await bleeding(foundry, context, "v14+dnd5e-6")
    await gm.evaluate(f"{API}.pause(true)")
    await ann.wait_for_function(f"{API}.paused()")
    await ann.evaluate("standin.heal('bors', 5, {by: 'item'})")
    assert (hp(server, "bors"), refusals(server)) == (15, [])


def server_uuid(actor: str) -> str:
    """The uuid of a world actor."""
    return f"Actor.{documents.stable_id(actor)}"
