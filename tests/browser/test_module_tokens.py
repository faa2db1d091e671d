"""Which creature it is: one unlinked token of several, not the selection, no compendium's copy; on everyone's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import API, ID, MODULE, Bridge, cards, pair, seat, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.merge import Json
    from tests.browser.foundry.server import FoundryServer

every_profile = pytest.mark.parametrize("profile", PROFILES)
FIVE = tuple(f"goblin{number}" for number in range(1, 6))
PACK = "world.monsters"


def token(name: str) -> str:
    """The drawn token of this name, as a page finds it."""
    return f"canvas.tokens.placeables.find((token) => token.document.name === '{name}')"


def icon(server: FoundryServer, name: str, condition: str) -> str:
    """The icon of a condition on a drawn token."""
    identity = next(one["_id"] for one in server.world.scenes[0]["tokens"] if one["name"] == name)
    return f"[data-token-id='{identity}'] .effects [alt='{condition}']"


async def goblins(
    foundry: Any, context: Any, bridge: Bridge, profile: str = "v14+dnd5e-6", **more: Any
) -> tuple[FoundryServer, Page, Page]:
    """Five unlinked goblins of one base actor with 7 hit points, and a fighter; a paired GM, and Ann."""
    goblin = documents.goblin(hp=(7, 7))
    tokens = [
        documents.token(goblin, at=(2 * number, 2), _id=documents.stable_id(name), name=name)
        for number, name in enumerate(FIVE)
    ]
    server = await foundry(
        profile,
        actors=[goblin, documents.fighter("bors", owner="ann")],
        scenes=[documents.scene("cave", tokens)],
        module_dir=MODULE,
        settings={"dnd5e.bloodied": "none"},
        **more,
    )
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await pair(gm, bridge)
    await until(lambda: cards(server, "summary"), "the first look at the world")
    return server, gm, ann


async def conditions(page: Page) -> Json:
    """What everybody on the scene has, by the token's name, and what the base actor has."""
    found: Json = await page.evaluate(
        """Object.fromEntries([["base", standin.actor("goblin")],
          ...canvas.tokens.placeables.map((token) => [token.document.name, token.actor])]
          .map(([name, actor]) => [name, [...actor.statuses].sort()]))"""
    )
    return found


async def nothing_else(page: Page) -> None:
    """Wait until whatever is under way with the bridge has been done: what comes after it is there."""
    await page.evaluate(f"{API}.apply(standin.actor('bors'), 'deafened')")
    await page.wait_for_function("standin.actor('bors').statuses.has('deafened')")


async def settled(page: Page, actor: str) -> None:
    """Wait until the bridge has seen and judged a creature as it is now."""
    await page.evaluate(f"{API}.apply({actor}, 'deafened')")
    await page.wait_for_function(f"{actor}.statuses.has('deafened')")
    await page.evaluate(f"{API}.apply({actor}, 'deafened', {{ level: 0 }})")
    await page.wait_for_function(f"!{actor}.statuses.has('deafened')")


# https://github.com/moo-man/AoS-Soulbound-FoundryVTT/issues/237
# https://github.com/Plushtoast/dsa5-foundryVTT/issues/577
@every_profile
async def test_a_condition_is_on_the_token_that_has_it_and_on_no_other_of_its_actor(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await goblins(foundry, context, bridge, profile)
    await gm.evaluate(f"{token('goblin2')}.actor.applyDamage(4)")
    await gm.evaluate(f"{API}.apply({token('goblin3')}.actor, 'poisoned')")
    for page in (gm, ann):
        await page.wait_for_function(f"{token('goblin2')}.actor.statuses.has('bloodied')")
        await page.wait_for_function(f"{token('goblin3')}.actor.statuses.has('poisoned')")
    # A fourth of them comes afterwards.
    late = documents.token(documents.goblin(), at=(2, 8), _id="late000000000000", name="late")
    await gm.evaluate("data => canvas.scene.createEmbeddedDocuments('Token', [data], {keepId: true})", late)
    await nothing_else(gm)
    has = {"goblin2": ["bloodied"], "goblin3": ["poisoned"]}
    everyone = {name: has.get(name, []) for name in ("base", "late", *FIVE)}
    assert await conditions(gm) == everyone
    assert await conditions(ann) == everyone
    assert server.actor("goblin")["effects"] == []
    assert server.page_errors == []


# https://github.com/foundryvtt/foundryvtt/issues/9208
@every_profile
async def test_the_icon_on_an_unlinked_token_comes_changes_and_goes_for_everyone(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, ann = await goblins(foundry, context, bridge, profile)
    for page in (gm, ann):
        await page.evaluate("globalThis.sameLoad = true")
    actor = f"{token('goblin2')}.actor"
    await gm.evaluate(f"{API}.apply({actor}, 'prone')")
    await gm.evaluate(f"{API}.setLevel({actor}, 'intoxicated', 1)")
    for page in (gm, ann):
        await page.wait_for_selector(icon(server, "goblin2", "Prone"))
        await page.wait_for_selector(icon(server, "goblin2", "Intoxicated 1"))
    await gm.evaluate(f"{API}.drink({actor}, {{ count: 2 }})")
    for page in (gm, ann):
        await page.wait_for_selector(icon(server, "goblin2", "Intoxicated 2"))
        assert await page.locator(icon(server, "goblin2", "Intoxicated 1")).count() == 0
    for condition in ("prone", "intoxicated"):
        await gm.evaluate(f"{API}.apply({actor}, '{condition}', {{ level: 0 }})")
    for page in (gm, ann):
        await page.wait_for_selector(icon(server, "goblin2", "Prone"), state="detached")
        await page.wait_for_selector(icon(server, "goblin2", "Intoxicated 2"), state="detached")
        assert await page.evaluate("sameLoad")
    # Core draws a token anew for what is written to its actor's effects, not for what is written to its delta.
    written = {one["documentName"] for one in server.journal if "goblin2" in str(one["parent"])}
    assert written == {"ActiveEffect", "Actor"}
    assert [one for one in server.journal if one["documentName"] == "Token"] == []


# https://github.com/Larkinabout/fvtt-custom-dnd5e/issues/142
@every_profile
async def test_the_selection_is_not_who_is_meant(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    server, gm, _ = await goblins(foundry, context, bridge, profile)
    await gm.evaluate("canvas.tokens.placeables.forEach((token) => token.control({ releaseOthers: false }))")
    assert await gm.evaluate("canvas.tokens.controlled.length") == len(FIVE)
    uuid = await gm.evaluate(f"{token('goblin4')}.actor.uuid")
    # By the card of a blow at this one, pressed while all five are selected.
    await gm.evaluate(
        """async (uuid) => {
          const roll = await new CONFIG.Dice.DamageRoll("4", {}, { type: "slashing" }).evaluate();
          const dnd5e = { messageType: "roll", roll: { type: "damage" }, targets: [{ uuid }] };
          await CONFIG.Dice.DamageRoll.toMessage([roll], { flags: { dnd5e } });
        }""",
        uuid,
    )
    await gm.click("damage-application .apply-damage")
    await gm.wait_for_function(f"{token('goblin4')}.actor.statuses.has('bloodied')")
    # By the palette of its own HUD, and by a save that is asked of it alone.
    await gm.evaluate(f"canvas.hud.token.bind({token('goblin4')})")
    await gm.click("#token-hud [data-status-id=intoxicated]")
    await gm.wait_for_function(f"{token('goblin4')}.actor.statuses.has('intoxicated')")
    await gm.evaluate(f"{API}.setLevel({token('goblin4')}.actor, 'intoxicated', 6)")
    await until(lambda: cards(server, "save"), "the save")
    await nothing_else(gm)
    others = {name: [] for name in ("base", *FIVE) if name != "goblin4"}
    assert await conditions(gm) == others | {"goblin4": ["bloodied", "intoxicated"]}
    assert [card["actor"] for card in cards(server, "save")] == [uuid]
    assert server.page_errors == []


# https://github.com/Larkinabout/fvtt-token-action-hud-core/issues/198
@every_profile
async def test_what_lies_in_a_compendium_is_left_alone_until_it_is_imported(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """CMB-9: "compendium copies [...] are ignored without an error"."""
    ogre = documents.goblin("ogre", hp=(3, 59))
    server, gm, ann = await goblins(foundry, context, bridge, profile, packs={PACK: [ogre]})
    pack = f"game.packs.get('{PACK}')"
    stored = f"{pack}.get('{ogre['_id']}')"
    # Its hit points, its effects and its items are written and deleted, and more are put beside it.
    await gm.evaluate(f"{stored}.toggleStatusEffect('bleeding')")
    await gm.evaluate(f"{stored}.toggleStatusEffect('frightened')")
    await gm.evaluate(f"{stored}.update({{'system.attributes.hp.value': 2}})")
    await gm.evaluate(f"{stored}.applyDamage([{{value: 9, type: 'healing'}}])")
    await gm.evaluate(f"{stored}.createEmbeddedDocuments('Item', [{{name: 'Club', type: 'weapon'}}])")
    await gm.evaluate(f"{stored}.items.getName('Club').update({{name: 'Greatclub'}})")
    await gm.evaluate(f"{stored}.items.getName('Greatclub').delete()")
    crowd = [documents.goblin(f"thug{number}", hp=(1, 9)) for number in range(50)]
    await gm.evaluate(f"(crowd) => Actor.implementation.create(crowd, {{pack: '{PACK}'}}).then(() => null)", crowd)
    await gm.evaluate(f"{pack}.getName('Thug7').delete()")
    # Of what is in no creature there is nothing to say either: an item and an effect of the world's own.
    await gm.evaluate("Item.implementation.create({name: 'Rope', type: 'loot'}).then(() => null)")
    await gm.evaluate(
        "game.items.getName('Rope').createEmbeddedDocuments('ActiveEffect', [{name: 'Fear', statuses: ['frightened']}])"
    )
    await gm.evaluate("game.items.getName('Rope').delete()")
    await nothing_else(gm)
    kept = server.document(f"Compendium.{PACK}.Actor.{ogre['_id']}")
    assert kept["system"]["attributes"]["hp"]["value"] == 11
    assert sorted(effect["statuses"][0] for effect in kept["effects"]) == ["bleeding", "frightened"]
    assert ID not in str(server.world.packs)
    assert await gm.locator(".application:has(.cb-sources)").count() == 0
    assert cards(server, "refusal") == []
    # Imported, it is a creature like any other.
    await gm.evaluate(f"game.actors.importFromCompendium({pack}, '{ogre['_id']}').then(() => null)")
    imported = "game.actors.getName('Ogre')"
    for page in (gm, ann):
        await page.wait_for_function(f"{imported}?.statuses.has('bloodied')")
    await gm.evaluate(f"{imported}.applyDamage([{{value: 9, type: 'healing'}}])")
    await until(lambda: cards(server, "refusal"), "the refusal")
    assert await gm.evaluate(f"{imported}.system.attributes.hp.value") == 11
    assert server.page_errors == []


# https://github.com/foundryvtt/dnd5e/issues/5419
@every_profile
@pytest.mark.parametrize("keep", [[], ["hp"]], ids=["hit-points-of-the-form", "hit-points-kept"])
async def test_a_change_of_form_is_neither_healing_nor_damage(
    keep: list[str], profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """BLD-1 speaks of hit points regained; here the sheet is swapped, and later swapped back."""
    cast = [documents.fighter("bors", owner="ann", hp=(12, 40)), documents.goblin("wolf", hp=(30, 30))]
    quiet = {"dnd5e.bloodied": "none"}
    server = await foundry(profile, actors=cast, module_dir=MODULE, settings=quiet)
    gm = await seat(server, context, "gm")
    await pair(gm, bridge)
    await gm.evaluate(f"{API}.apply(standin.actor('bors'), 'bleeding')")
    await gm.wait_for_function("['bleeding', 'bloodied'].every((id) => standin.actor('bors').statuses.has(id))")
    wolf = "game.actors.getName('Bors (Wolf)')"
    began = 12 if keep else 30
    await gm.evaluate(f"standin.actor('bors').transformInto(standin.actor('wolf'), {{keep: {keep}}}).then(() => null)")
    await settled(gm, wolf)
    assert await gm.evaluate(f"{wolf}.system.attributes.hp.value") == began
    assert await gm.evaluate(f"[...{wolf}.statuses].sort()") == (["bleeding", "bloodied"] if keep else ["bleeding"])
    assert cards(server, "refusal") == []
    # The form bleeds as well; what the GM's hand gives it is granted (BLD-8).
    await gm.evaluate(f"{wolf}.applyDamage(5)")
    await gm.evaluate(f"{wolf}.applyDamage([{{value: 4, type: 'healing'}}])")
    await until(lambda: len(cards(server, "refusal")) == 1, "the refusal")
    assert await gm.evaluate(f"{wolf}.system.attributes.hp.value") == began - 5
    given = 14 if keep else 28
    await gm.evaluate(f"standin.editHp({wolf}.uuid, {given})")
    await gm.evaluate(f"{wolf}.revertOriginalForm().then(() => null)")
    await settled(gm, "standin.actor('bors')")
    assert await gm.evaluate("standin.hp('bors').value") == (given if keep else 12)
    assert await gm.evaluate("standin.statuses('bors')") == ["bleeding", "bloodied"]
    assert len(cards(server, "refusal")) == 1
    assert server.page_errors == []


# https://github.com/foundryvtt/dnd5e/issues/5419
@every_profile
async def test_a_change_of_form_of_an_unlinked_token_is_neither_healing_nor_damage(
    profile: str, foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """The system writes the form over the token's own actor."""
    server, gm, _ = await goblins(foundry, context, bridge, profile)
    wolf = documents.goblin("wolf", hp=(30, 30))
    await gm.evaluate("data => Actor.implementation.create(data, {keepId: true}).then(() => null)", wolf)
    goblin = f"{token('goblin2')}.actor"
    await gm.evaluate(f"{goblin}.applyDamage(4)")
    await gm.evaluate(f"{API}.apply({goblin}, 'bleeding')")
    await gm.wait_for_function(f"['bleeding', 'bloodied'].every((id) => {goblin}.statuses.has(id))")
    for _round in range(2):
        # From one form into the next one, too.
        await gm.evaluate(f"{goblin}.transformInto(standin.actor('wolf')).then(() => null)")
        await settled(gm, goblin)
        assert await gm.evaluate(f"{goblin}.system.attributes.hp.value") == 30
        assert await gm.evaluate(f"[...{goblin}.statuses]") == ["bleeding"]
        assert cards(server, "refusal") == []
        await gm.evaluate(f"{goblin}.applyDamage(5)")
    await gm.evaluate(f"{goblin}.applyDamage([{{value: 4, type: 'healing'}}])")
    await until(lambda: len(cards(server, "refusal")) == 1, "the refusal")
    assert await gm.evaluate(f"{goblin}.system.attributes.hp.value") == 25
    await gm.evaluate(f"{goblin}.revertOriginalForm().then(() => null)")
    await settled(gm, goblin)
    assert await gm.evaluate(f"{goblin}.system.attributes.hp.value") == 3
    assert await gm.evaluate(f"[...{goblin}.statuses].sort()") == ["bleeding", "bloodied"]
    assert len(cards(server, "refusal")) == 1
    assert server.page_errors == []


# https://github.com/zeel01/MonsterBlocks/issues/13
async def test_numbers_in_other_signs_than_ours_stop_nothing(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge
) -> None:
    """A minus of another kind, digits of full width: what cannot be read is not taken for 0, and ours stay plain."""
    server, gm, _ = await goblins(foundry, context, bridge)
    goblin = f"{token('goblin1')}.actor"
    await gm.evaluate(
        f"""{goblin}.update({{
          "system.attributes.hp.formula": "3d6 \u2212 2", "system.attributes.movement.walk": "\uff13\uff10",
          "system.attributes.init.bonus": "\u22121",
        }}).then(() => null)"""
    )
    await gm.evaluate(
        "(it => it.items.getName('Fighter').update({'system.hd.denomination': '\\uff44\uff11\uff10'}))"
        "(standin.actor('bors')).then(() => null)"
    )
    for actor in (goblin, "standin.actor('bors')"):
        await gm.evaluate(f"{API}.setLevel({actor}, 'intoxicated', 2)")
        await settled(gm, actor)
        await server.dice("gm", 10)
        formula = await gm.evaluate(
            f"{actor}.rollSavingThrow({{ability: 'dex'}}, {{configure: false}}).then(([roll]) => roll.formula)"
        )
        assert formula.endswith("- 2")
    await gm.evaluate(f"{goblin}.applyDamage(4)")
    await gm.wait_for_function(f"{goblin}.statuses.has('bloodied')")
    sheets = "import('/modules/condition-bridge/scripts/sheets.mjs')"
    shown = await gm.evaluate(
        f"{sheets}.then(({{sheet}}) => [{goblin}, standin.actor('bors')].map((it) => [sheet(it).speed, sheet(it).hitDice]))"
    )
    assert shown == [
        [30, {"npc": {"left": 3, "all": 3, "size": 6}}],
        [30, {"fighter": {"left": 5, "all": 5, "size": 8}}],
    ]
    assert server.page_errors == []
