"""The stand-in Foundry proven by itself: two real browsers, one simulated server, all three profiles."""

from __future__ import annotations

import pytest
from playwright.async_api import Error, Page

from tests.browser.foundry import actors, documents
from tests.browser.foundry.profiles import PROFILES

HP = "system.attributes.hp.value"

every_profile = pytest.mark.parametrize("profile", PROFILES)


@pytest.fixture(params=PROFILES)
def profile(request):
    return request.param


async def open_two(server, context, player="ann") -> tuple[Page, Page]:
    """A GM's browser and a player's."""
    return await server.open(await context(), "gm"), await server.open(await context(), player)


async def record(page: Page, *hooks: str) -> None:
    """Write down the named hooks from now on."""
    await page.evaluate(
        """names => {
          globalThis.seen = [];
          for ( const name of names ) Hooks.on(name, () => { globalThis.seen.push(name); });
        }""",
        list(hooks),
    )


def points(server, actor: str = "bors") -> int:
    value: int = server.actor(actor)["system"]["attributes"]["hp"]["value"]
    return value


# Documents


async def test_two_browsers_hold_the_same_world(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    await gm.evaluate("standin.actor('bors').update({'system.attributes.hp.value': 9, 'flags.world.mark': [1, 2]})")
    await ann.wait_for_function("standin.hp('bors').value === 9")
    assert points(server) == 9
    assert await ann.evaluate("standin.actor('bors').flags.world.mark") == [1, 2]
    assert not server.page_errors


async def test_hooks_come_in_cores_order(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    names = ("preUpdateActor", "updateActor", "dnd5e.damageActor", "preCreateActiveEffect", "createActiveEffect")
    await record(gm, *names)
    await record(ann, *names)
    await gm.evaluate("standin.damage('bors', 15)")
    await gm.evaluate("standin.settle()")
    await ann.wait_for_function("seen.includes('createActiveEffect')")
    # Only the client that writes sees the pre hooks; it makes Bloodied before it tells of the damage.
    assert await gm.evaluate("seen") == [
        "preUpdateActor",
        "updateActor",
        "preCreateActiveEffect",
        "createActiveEffect",
        "dnd5e.damageActor",
    ]
    # The others are told of the damage before core's own hook.
    assert await ann.evaluate("seen") == ["dnd5e.damageActor", "updateActor", "createActiveEffect"]


async def test_a_handler_may_refuse_or_change_a_write(foundry, context, profile):
    server = await foundry(profile)
    gm, _ = await open_two(server, context)
    await gm.evaluate(
        "Hooks.on('preUpdateActor', (doc, changed) => { if ( changed.flags?.world?.bad ) return false;"
        " changed.system.attributes.hp.value += 1; })"
    )
    refused = await gm.evaluate("standin.actor('bors').update({'flags.world.bad': true}).then(doc => doc ?? 'nothing')")
    await gm.evaluate("standin.actor('bors').update({'system.attributes.hp.value': 4})")
    assert refused == "nothing"
    assert points(server) == 5
    assert "world" not in server.actor("bors")["flags"]


async def test_options_reach_every_client_and_no_ops_reach_none(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    await ann.evaluate("Hooks.on('updateActor', (doc, changed, options, userId) => { globalThis.got = [changed, options.mark, userId]; })")
    await gm.evaluate("standin.actor('bors').update({'system.attributes.hp.value': 20}, {mark: 'none'})")
    await gm.evaluate("standin.actor('bors').update({'system.attributes.hp': {value: 3, temp: 0}}, {mark: 'some'})")
    await ann.wait_for_function("globalThis.got")
    changed, mark, user = await ann.evaluate("got")
    assert changed["system"] == {"attributes": {"hp": {"value": 3}}}
    assert (mark, user) == ("some", documents.stable_id("gm"))
    assert len([entry for entry in server.journal if entry["documentName"] == "Actor"]) == 1


async def test_the_server_refuses_what_a_player_may_not_do(foundry, context, profile):
    server = await foundry(profile)
    _, ann = await open_two(server, context)
    for forbidden in (
        "standin.actor('mira').update({'system.attributes.hp.value': 1})",
        "standin.actor('goblin').createEmbeddedDocuments('ActiveEffect', [{name: 'x'}])",
        "game.time.advance(60)",
        "Combat.implementation.create({})",
        "game.settings.set('dnd5e', 'bloodied', 'none')",
    ):
        with pytest.raises(Error, match="lacks permission"):
            await ann.evaluate(forbidden)
    assert len(server.refused) == 5
    assert points(server, "mira") == 20


async def test_kept_ids_are_refused_twice_and_missing_ids_always(foundry, context, profile):
    server = await foundry(profile)
    gm, _ = await open_two(server, context)
    make = "standin.actor('bors').createEmbeddedDocuments('ActiveEffect', [{_id: 'dnd5edazed000000', name: 'Dazed'}], {keepId: true})"
    await gm.evaluate(f"{make}.then(() => null)")
    with pytest.raises(Error, match="already exists"):
        await gm.evaluate(make)
    with pytest.raises(Error, match="does not exist"):
        await gm.evaluate("standin.actor('bors').deleteEmbeddedDocuments('ActiveEffect', ['nothing000000000'])")
    with pytest.raises(Error, match="16 alphanumerics"):
        await gm.evaluate("standin.actor('bors').createEmbeddedDocuments('ActiveEffect', [{_id: 'a-b'}], {keepId: true})")


async def test_an_unlinked_token_has_an_actor_of_its_own(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    uuid = f"Scene.{documents.stable_id('tavern')}.Token.{server.token('goblin')['_id']}.Actor.{documents.stable_id('goblin')}"
    await record(ann, "updateActor", "createActiveEffect", "deleteActiveEffect")
    await gm.evaluate("uuid => standin.damage(uuid, 3)", uuid)
    await gm.evaluate("uuid => standin.toggle(uuid, 'prone')", uuid)
    assert server.document(uuid)["system"]["attributes"]["hp"]["value"] == 7
    assert points(server, "goblin") == 10
    await ann.wait_for_function("uuid => fromUuidSync(uuid).statuses.has('prone')", arg=uuid)
    # What the token has not changed itself follows the base actor.
    await server.edit(f"Actor.{documents.stable_id('goblin')}", {"system.attributes.hp.max": 30, HP: 2})
    await ann.wait_for_function("uuid => fromUuidSync(uuid).system.attributes.hp.max === 30", arg=uuid)
    assert await ann.evaluate("uuid => standin.hp(uuid).value", uuid) == 7
    await gm.evaluate("uuid => standin.toggle(uuid, 'prone')", uuid)
    await ann.wait_for_function("seen.includes('deleteActiveEffect')")
    assert server.document(uuid)["effects"] == []


async def test_merging_deleting_and_arrays(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    await gm.evaluate("standin.actor('bors').update({flags: {world: {a: {x: 1, y: 2}, list: [1, 2, 3]}}})")
    await gm.evaluate("standin.actor('bors').update({'flags.world.a.x': 5, 'flags.world.a.-=y': null, 'flags.world.list': [9]})")
    assert server.actor("bors")["flags"]["world"] == {"a": {"x": 5}, "list": [9]}
    await ann.wait_for_function("standin.actor('bors').flags.world.list.length === 1")
    assert await ann.evaluate("standin.actor('bors').flags.world") == {"a": {"x": 5}, "list": [9]}


# Statuses


async def test_the_shape_of_status_effects(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    is_list = await gm.evaluate("Array.isArray(CONFIG.statusEffects)")
    assert is_list == profile.startswith("v13")
    identity = await gm.evaluate("ActiveEffect.implementation.statusById('incapacitated')._id")
    assert identity == "dnd5eincapacitat"
    # On 14 with 5.3 array readers still find what they look for; 6 assigns a plain record.
    reads = await gm.evaluate("typeof CONFIG.statusEffects.find")
    assert reads == ("undefined" if profile == "v14+dnd5e-6" else "function")


async def test_riders_come_from_the_client_that_created(foundry, context, profile):
    server = await foundry(profile)
    _, ann = await open_two(server, context)
    await ann.evaluate("standin.toggle('bors', 'unconscious')")
    await ann.evaluate("standin.settle()")
    assert await ann.evaluate("standin.statuses('bors')") == ["incapacitated", "prone", "unconscious"]
    effects = {effect["_id"] for effect in server.actor("bors")["effects"]}
    assert effects == {"dnd5eunconscious", "dnd5eprone000000"}
    writers = {entry["userId"] for entry in server.journal if entry["documentName"] == "ActiveEffect"}
    assert writers == {documents.stable_id("ann")}
    await ann.evaluate("standin.toggle('bors', 'unconscious')")
    assert await ann.evaluate("standin.statuses('bors')") == ["prone"]


async def test_toggling_knows_only_the_effect_with_the_statuss_id(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    assert await gm.evaluate("standin.toggle('bors', 'prone', {active: true})") == "dnd5eprone000000"
    assert await gm.evaluate("standin.toggle('bors', 'prone', {active: true})") is True
    assert await gm.evaluate("standin.toggle('bors', 'prone', {active: false})") is False
    assert await gm.evaluate("standin.toggle('bors', 'prone', {active: false})") is None
    await gm.evaluate("standin.toggle('bors', 'coverHalf')")
    await gm.evaluate("standin.toggle('bors', 'coverTotal')")
    assert await gm.evaluate("standin.statuses('bors')") == ["coverTotal"]


async def test_exhaustion_is_a_number_and_an_effect(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.actor('bors').update({'system.attributes.exhaustion': 3})")
    await gm.evaluate("standin.settle()")
    effect = next(e for e in server.actor("bors")["effects"] if e["_id"] == "dnd5eexhaustion0")
    level = effect["system"]["level"] if profile == "v14+dnd5e-6" else effect["flags"]["dnd5e"]["exhaustionLevel"]
    assert level == 3
    assert (await gm.evaluate("standin.rollSave('bors', 'cha')"))["formula"].endswith("- 6")
    assert await gm.evaluate("standin.actor('bors').system.attributes.movement.walk") == 15
    await gm.evaluate("standin.actor('bors').effects.get('dnd5eexhaustion0').delete().then(() => standin.settle())")
    assert server.actor("bors")["system"]["attributes"]["exhaustion"] == 0


async def test_immunity_takes_the_status_or_suppresses_the_effect(foundry, context, profile):
    immune = documents.fighter("bors", owner="ann", condition_immunities=("poisoned",))
    server = await foundry(profile, actors=[immune])
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.toggle('bors', 'poisoned')")
    assert await gm.evaluate("standin.statuses('bors')") == []
    assert await gm.evaluate("standin.actor('bors').effects.contents[0].active") == (profile != "v14+dnd5e-6")


async def test_bloodied_is_the_systems_unless_it_is_switched_off(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.damage('bors', 10).then(() => standin.settle())")
    assert "bloodied" in await gm.evaluate("standin.statuses('bors')")
    await gm.evaluate("standin.heal('bors', 1).then(() => standin.settle())")
    assert "bloodied" not in await gm.evaluate("standin.statuses('bors')")
    await server.set_setting("dnd5e", "bloodied", "none")
    await gm.evaluate("standin.damage('bors', 9).then(() => standin.settle())")
    assert "bloodied" not in await gm.evaluate("standin.statuses('bors')")


async def test_the_shape_of_effects(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.toggle('bors', 'poisoned')")
    effect = server.actor("bors")["effects"][0]
    if profile.startswith("v13"):
        assert effect["changes"] == []
        assert effect["duration"]["seconds"] is None
    else:
        assert effect["system"]["changes"] == []
        assert effect["duration"] == {"value": None, "units": "seconds", "expiry": None, "expired": False}
        assert effect["type"] == ("condition" if profile == "v14+dnd5e-6" else "base")


# Hit points

ROADS = {
    "spell": "standin.heal('bors', 5, {by: 'spell'})",
    "item": "standin.heal('bors', 5, {by: 'item'})",
    "regeneration": "standin.heal('bors', 5, {by: 'regeneration'})",
    "unknown": "standin.heal('bors', 5, {by: 'unknown'})",
    "sheet": "standin.editHp('bors', '+5')",
    "bar": "standin.tokenBar('bors', '+5')",
}


async def test_every_road_of_hit_points_arrives(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    for name, road in ROADS.items():
        await gm.evaluate("standin.actor('bors').update({'system.attributes.hp.value': 8})")
        await ann.evaluate("globalThis.asked = 0")
        await ann.evaluate("Hooks.once('dnd5e.preApplyDamage', (actor, amount) => { globalThis.asked = amount; })")
        await ann.evaluate(road)
        await ann.evaluate("standin.settle()")
        assert points(server) == 13, name
        assert await ann.evaluate("asked") == (0 if name in ("unknown", "sheet") else -5), name
    assert not server.page_errors


async def test_a_hit_die_is_two_writes_and_an_npcs_is_one(foundry, context, profile):
    server = await foundry(profile)
    gm, _ = await open_two(server, context)
    await gm.evaluate("standin.damage('bors', 12).then(() => standin.settle())")
    server.journal.clear()
    await server.dice("gm", 6)
    assert await gm.evaluate("standin.hitDie('bors')")
    await gm.evaluate("standin.settle()")
    assert points(server) == 16
    written = [entry["documentName"] for entry in server.journal if entry["action"] == "update" and entry["documentName"] != "User"]
    assert written == ["Actor", "Item"]
    await gm.evaluate("standin.actor('goblin').update({'system.attributes.hp.value': 1})")
    server.journal.clear()
    await server.dice("gm", 4)
    await gm.evaluate("standin.hitDie('goblin').then(() => standin.settle())")
    written = [entry["result"][0]["system"]["attributes"] for entry in server.journal if entry["documentName"] == "Actor"]
    assert written == [{"hd": {"spent": 1}, "hp": {"value": 5}}]


async def test_a_long_rest_gives_all_back_and_tells_it_is_one(foundry, context, profile):
    server = await foundry(profile, actors=[documents.fighter("bors", owner="ann", spent=3, hp=(5, 20))])
    gm, ann = await open_two(server, context)
    names = ("dnd5e.preLongRest", "dnd5e.longRest", "dnd5e.preRestCompleted", "dnd5e.restCompleted", "dnd5e.healActor")
    await record(ann, *names)
    await gm.evaluate("Hooks.on('updateActor', (doc, changed, options) => { globalThis.rest = options.isRest; })")
    await ann.evaluate("Hooks.on('dnd5e.preRestCompleted', (actor, result) => { globalThis.nested = 'system' in result.updateData; })")
    await ann.evaluate("standin.longRest('bors')")
    assert await ann.evaluate("seen") == list(names[:-1])
    assert await ann.evaluate("nested") is True
    await gm.wait_for_function("globalThis.rest === true")
    assert points(server) == 20
    assert server.actor("bors")["items"][0]["system"]["hd"]["spent"] == 0


async def test_a_short_rest_spends_hit_dice_in_its_dialog(foundry, context, profile):
    server = await foundry(profile, actors=[documents.fighter("bors", owner="ann", hp=(5, 20))])
    ann = await server.open(await context(), "ann")
    await ann.evaluate("Hooks.on('dnd5e.preRestCompleted', (actor, result) => { globalThis.told = [result.dhd, result.dhp]; })")
    await server.dice("ann", 3, 4)
    await ann.evaluate("standin.shortRest('bors', {hitDice: 2})")
    assert points(server) == 16
    assert await ann.evaluate("told") == [-2, 11]


async def test_a_group_rests_its_members(foundry, context, profile):
    cast = [documents.fighter("bors", hp=(3, 20)), documents.cleric("mira", hp=(4, 20)), documents.group("party", ["bors", "mira"])]
    server = await foundry(profile, actors=cast)
    gm = await server.open(await context(), "gm")
    await record(gm, "dnd5e.restCompleted", "dnd5e.groupRestCompleted")
    await gm.evaluate("standin.groupRest('party', {autoRest: false})")
    assert await gm.evaluate("seen") == ["dnd5e.groupRestCompleted"]
    await gm.evaluate("standin.groupRest('party')")
    assert (await gm.evaluate("seen"))[1:] == ["dnd5e.restCompleted", "dnd5e.restCompleted", "dnd5e.groupRestCompleted"]
    assert (points(server), points(server, "mira")) == (20, 20)


async def test_a_natural_20_wakes_and_a_handler_may_refuse_it(foundry, context, profile):
    server = await foundry(profile, actors=[documents.fighter("bors", owner="ann", hp=(0, 20))])
    ann = await server.open(await context(), "ann")
    await ann.evaluate("Hooks.once('dnd5e.rollDeathSave', () => false)")
    await server.dice("ann", 20, 20)
    await ann.evaluate("standin.deathSave('bors')")
    assert points(server) == 0
    await ann.evaluate("standin.deathSave('bors')")
    assert points(server) == 1


async def test_no_flicker_when_healing_is_refused(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    await gm.evaluate("standin.damage('bors', 12)")
    await ann.wait_for_function("standin.hp('bors').value === 8")
    await ann.evaluate("Hooks.on('dnd5e.preApplyDamage', (actor, amount) => amount < 0 ? false : undefined)")
    await ann.evaluate("standin.heal('bors', 7)")
    traces = [await page.evaluate(f"standin.hpTrace['Actor.{documents.stable_id('bors')}']") for page in (gm, ann)]
    assert traces == [[20, 8], [20, 8]]


# Rolls


async def test_the_roll_pipeline_asks_from_the_particular_to_the_general(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("Hooks.journal.length = 0")
    await gm.evaluate("standin.rollSkill('bors', 'prc')")
    journal = [name for name in await gm.evaluate("standin.journal") if "oll" in name and name.startswith("dnd5e")]
    kinds = ["Skill", "AbilityCheck", "D20Test", ""]
    assert journal == [
        *[f"dnd5e.preRoll{kind}{version}" for kind in kinds for version in ("", "V2")],
        *[f"dnd5e.postBuild{kind}RollConfig" for kind in kinds],
        *[f"dnd5e.post{kind}RollConfiguration" for kind in kinds],
        "dnd5e.rollSkill",
        "dnd5e.rollSkillV2",
    ]


async def test_modifiers_put_into_a_roll_act(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate(
        "Hooks.on('dnd5e.preRollV2', config => { const roll = config.rolls[0]; roll.options.disadvantage = true;"
        " (roll.parts ??= []).push('@drunk'); (roll.data ??= {}).drunk = -3; })"
    )
    for roll in ("rollSave('bors', 'wis', {target: 5})", "rollCheck('bors', 'str')", "rollSkill('bors', 'ins')", "attack('bors')"):
        await server.dice("gm", 17, 4)
        told = await gm.evaluate(f"standin.{roll}")
        assert told["mode"] == "disadvantage", roll
        assert "- 3" in told["formula"], roll
        assert "1d20dis" in told["formula"]
        assert told["total"] < 17, roll
    await gm.evaluate("Hooks.once('dnd5e.preRollSavingThrow', () => false)")
    assert await gm.evaluate("standin.rollSave('bors', 'wis')") is None


async def test_native_modes_differ_by_version(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    for status in ("poisoned", "restrained", "incapacitated"):
        await gm.evaluate("status => standin.toggle('bors', status)", status)
    assert (await gm.evaluate("standin.rollCheck('bors', 'int')"))["mode"] == "disadvantage"
    assert (await gm.evaluate("standin.rollSave('bors', 'dex')"))["mode"] == "disadvantage"
    assert (await gm.evaluate("standin.rollSave('bors', 'str')"))["mode"] == "normal"
    attack = await gm.evaluate("standin.attack('bors')")
    assert attack["mode"] == ("disadvantage" if profile == "v14+dnd5e-6" else "normal")
    assert await gm.evaluate("standin.actor('bors').getInitiativeRollConfig().options.disadvantage") is True
    assert await gm.evaluate("standin.actor('bors').system.attributes.movement.walk") == 0


async def test_the_dialog_has_the_last_word_but_one(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("globalThis.done = standin.actor('bors').rollSavingThrow({ability: 'con'}).then(rolls => rolls[0].options.advantageMode)")
    await gm.fill(".roll-configuration [name='roll.0.situational']", "1d4")
    await gm.click(".roll-configuration [data-action=advantage]")
    assert await gm.evaluate("done") == 1
    await gm.evaluate("standin.dialogs.push({button: 'disadvantage', situational: '2'}, null)")
    assert await gm.evaluate("standin.actor('bors').rollSavingThrow({ability: 'con'}).then(rolls => rolls[0].formula)") == "1d20dis + 2 + 3 + 2"
    assert await gm.evaluate("standin.actor('bors').rollSavingThrow({ability: 'con'})") is None


async def test_initiative_by_both_roads(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await record(gm, "dnd5e.preConfigureInitiative", "dnd5e.preRollInitiative", "dnd5e.preRollInitiativeDialogV2", "dnd5e.rollInitiative")
    await gm.evaluate("game.combat.rollInitiative([game.combat.combatants.contents[0].id]).then(() => null)")
    assert await gm.evaluate("seen") == ["dnd5e.preConfigureInitiative"]
    await gm.evaluate("seen.length = 0; game.combat.combatants.contents[0].update({initiative: null}).then(() => null)")
    await gm.evaluate("standin.dialogs.push('normal'); standin.actor('bors').rollInitiativeDialog()")
    await gm.wait_for_function("seen.includes('dnd5e.rollInitiative')")
    assert await gm.evaluate("seen") == [
        "dnd5e.preConfigureInitiative",
        "dnd5e.preRollInitiativeDialogV2",
        "dnd5e.preRollInitiative",
        "dnd5e.rollInitiative",
    ]


# Items, concentration


async def test_a_potion_is_used_up_and_its_tray_heals(foundry, context, profile):
    bors = documents.fighter("bors", owner="ann", hp=(5, 20))
    server = await foundry(profile, actors=[bors])
    ann = await server.open(await context(), "ann")
    names = ("preUseActivity", "preActivityConsumption", "activityConsumption", "postActivityConsumption", "preCreateUsageMessage",
             "postCreateUsageMessage", "postUseActivity", "rollDamageV2")  # fmt: skip
    await record(ann, *[f"dnd5e.{name}" for name in names])
    await server.dice("ann", 3, 4)
    await ann.evaluate("standin.useItem('bors', 'Potion of Healing', {target: 'bors'})")
    assert await ann.evaluate("seen") == [f"dnd5e.{name}" for name in names]
    assert points(server) == 5
    await ann.click(".damage-tray .apply-damage")
    await ann.evaluate("standin.settle()")
    assert points(server) == 14
    await ann.evaluate("Hooks.on('dnd5e.postUseActivity', activity => { globalThis.drunk = activity.item.name; })")
    await ann.evaluate("standin.useItem('bors', 'Potion of Healing')")
    assert "Potion of Healing" not in {item["name"] for item in server.actor("bors")["items"]}
    assert await ann.evaluate("drunk") == "Potion of Healing"
    types = {message["type"] for message in server.world.messages}
    assert types == ({"usage", "healing"} if profile == "v14+dnd5e-6" else {"usage", "base"})


async def test_concentration_begins_is_challenged_and_ends(foundry, context, profile):
    server = await foundry(profile)
    gm, ben = await open_two(server, context, "ben")
    await record(ben, "dnd5e.beginConcentrating", "dnd5e.endConcentration")
    await ben.evaluate("standin.useItem('mira', 'Bless')")
    assert "concentrating" in await ben.evaluate("standin.statuses('mira')")
    assert server.actor("mira")["system"]["spells"]["spell1"]["value"] == 3
    await gm.evaluate("standin.damage('mira', 3).then(() => standin.settle())")
    await ben.wait_for_selector("[data-action=concentration]")
    await ben.evaluate("standin.actor('mira').endConcentration().then(() => null)")
    assert await ben.evaluate("seen") == ["dnd5e.beginConcentrating", "dnd5e.endConcentration"]
    assert await ben.evaluate("standin.statuses('mira')") == []


# Combat, time, settings


async def test_turns_move_the_clock_and_tell_everyone(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    await ann.evaluate("globalThis.turns = []; Hooks.on('combatTurnChange', (combat, prior, current) => turns.push([prior.round, current.round, current.turn]))")
    await ann.evaluate("globalThis.clock = []; Hooks.on('updateWorldTime', (time, delta) => clock.push(delta))")
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await record(gm, "combatTurn", "combatRound", "updateCombat", "dnd5e.preCombatRecovery")
    assert await gm.evaluate("standin.nextTurn()") == "Goblin"
    assert await gm.evaluate("standin.nextTurn()") == "Bors"
    await ann.wait_for_function("clock.length === 1")
    assert await ann.evaluate("clock") == [6]
    assert [turn[1:] for turn in await ann.evaluate("turns")] == [[1, 0], [1, 1], [2, 0]]
    assert server.world.time == 1_000_006
    assert (await gm.evaluate("seen")).index("combatTurn") < (await gm.evaluate("seen")).index("updateCombat")
    assert await gm.evaluate("standin.previousTurn()") == "Goblin"
    await gm.evaluate("standin.settle()")
    assert server.world.time == 1_000_000
    await record(ann, "deleteCombat")
    await gm.evaluate("standin.endCombat()")
    await ann.wait_for_function("seen.length === 1")


async def test_settings_of_each_scope(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    for page in (gm, ann):
        await page.evaluate(
            "globalThis.changes = []; for ( const scope of ['world', 'client', 'user'] ) game.settings.register('world', scope,"
            " {scope, type: Number, default: 1, onChange: value => changes.push([scope, value])})"
        )
    for scope in ("world", "client", "user"):
        await gm.evaluate("scope => game.settings.set('world', scope, 7)", scope)
    await ann.wait_for_function("changes.length === 1")
    assert await ann.evaluate("changes") == [["world", 7]]
    assert await gm.evaluate("changes") == [["world", 7], ["client", 7], ["user", 7]]
    assert [await ann.evaluate("scope => game.settings.get('world', scope)", scope) for scope in ("world", "client", "user")] == [7, 1, 1]


# Users, queries, chat


async def test_a_query_is_answered_fails_or_times_out(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    for page in (gm, ann):
        await page.evaluate(
            "Object.assign(CONFIG.queries, {double: async ({n}) => n * 2, never: () => new Promise(() => {}),"
            " bad: () => { throw new Error('no such thing'); }})"
        )
    assert await ann.evaluate("game.users.activeGM.query('double', {n: 21}, {timeout: 5000})") == 42
    with pytest.raises(Error, match="timed out"):
        await ann.evaluate("game.users.activeGM.query('never', {}, {timeout: 50})")
    with pytest.raises(Error, match="no such thing"):
        await ann.evaluate("game.users.activeGM.query('bad', {}, {timeout: 5000})")
    with pytest.raises(Error, match="not connected"):
        await ann.evaluate("game.users.getName('Ben').query('double', {n: 1})")


async def test_the_socket_tells_the_others_who_spoke(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    for page in (gm, ann):
        await page.evaluate("globalThis.heard = []; game.socket.on('module.x', (data, sender) => heard.push([data.text, sender]))")
    await ann.evaluate("game.socket.emit('module.x', {text: 'hello'})")
    await gm.wait_for_function("heard.length === 1")
    assert await gm.evaluate("heard") == [["hello", documents.stable_id("ann")]]
    assert await ann.evaluate("heard") == []


async def test_presence_and_the_active_gm(foundry, context, profile):
    users = [documents.user("gm", gm=True), documents.user("amy", gm=True), documents.user("ann")]
    server = await foundry(profile, users=users)
    ann = await server.open(await context(), "ann")
    assert await ann.evaluate("game.users.activeGM") is None
    await ann.evaluate("globalThis.came = []; Hooks.on('userConnected', (user, connected) => came.push([user.name, connected]))")
    gm = await server.open(await context(), "gm")
    await server.open(await context(), "amy")
    await ann.wait_for_function("came.length === 2")
    assert await ann.evaluate("game.users.activeGM.name") == "Amy"
    await gm.close()
    await ann.wait_for_function("came.length === 3")
    assert await ann.evaluate("came") == [["Gm", True], ["Amy", True], ["Gm", False]]


async def test_whispers_are_seen_by_those_addressed(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    ben = await server.open(await context(), "ben")
    for page in (gm, ann, ben):
        await page.evaluate("globalThis.shown = 0; Hooks.on('renderChatMessageHTML', () => { globalThis.shown++; })")
    await ann.evaluate("ChatMessage.implementation.create({content: 'psst <script>x</script>', whisper: [game.users.getName('Ben').id]}).then(() => null)")
    await ben.wait_for_selector(".chat-message")
    assert [await page.locator(".chat-message").count() for page in (gm, ann, ben)] == [0, 1, 1]
    assert await ben.locator(".chat-message script").count() == 0
    # Every change is rendered anew, and only author and GM may make one.
    identity = server.world.messages[0]["_id"]
    with pytest.raises(Error, match="lacks permission"):
        await ben.evaluate("id => game.messages.get(id).update({content: 'mine'})", identity)
    await ann.evaluate("id => game.messages.get(id).update({content: 'again'}).then(() => null)", identity)
    await ben.wait_for_function("shown === 2")
    assert await gm.evaluate("shown") == 0


async def test_a_chat_command_belongs_to_whoever_takes_it(foundry, context, profile):
    server = await foundry(profile)
    ann = await server.open(await context(), "ann")
    await ann.evaluate("Hooks.on('chatMessage', (log, text, data) => { if ( text === '/drink 2' ) { globalThis.said = data.speaker.actor; return false; } })")
    await ann.fill("#chat-message", "/drink 2")
    await ann.press("#chat-message", "Enter")
    await ann.fill("#chat-message", "cheers")
    await ann.press("#chat-message", "Enter")
    await ann.wait_for_selector(".chat-message")
    assert await ann.evaluate("said") == documents.stable_id("bors")
    assert [message["content"] for message in server.world.messages] == ["cheers"]


# The screen


async def test_the_token_hud_toggles_statuses(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("Hooks.on('renderTokenHUD', (app, html, data) => { globalThis.hud = html.id; })")
    token = server.token("bors")["_id"]
    await gm.click(f"[data-token-id={token}]", button="right")
    await gm.click("#token-hud [data-status-id=prone]")
    await gm.wait_for_selector("#token-hud [data-status-id=prone].active")
    await gm.click("#token-hud [data-status-id=exhaustion]")
    await gm.wait_for_selector(f"[data-token-id={token}] [alt='Exhaustion 1']")
    assert await gm.evaluate("hud") == "token-hud"
    await gm.fill("#token-hud [name=bar1]", "-4")
    await gm.press("#token-hud [name=bar1]", "Tab")
    await gm.evaluate("standin.settle()")
    assert points(server) == 16


async def test_menus_controls_and_settings_take_what_modules_add(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    entry = (
        "{label: 'Undo it', visible: () => true, onClick: (event, li) => { globalThis.undone = li.dataset.messageId; }}"
        if profile.startswith("v14")
        else "{name: 'Undo it', condition: () => true, callback: li => { globalThis.undone = li.dataset.messageId; }}"
    )
    await gm.evaluate(f"Hooks.on('getChatMessageContextOptions', (app, entries) => {{ entries.push({entry}); }})")
    await gm.evaluate(
        "Hooks.on('getSceneControlButtons', controls => { controls.tokens.tools.pause = {name: 'pause', title: 'Pause all', order: 9,"
        " button: true, onChange: () => { globalThis.paused = true; }}; }); ui.controls.render()"
    )
    await gm.evaluate("game.settings.register('dnd5e', 'mine', {scope: 'world', config: true, name: 'My number', type: Number, default: 3})")
    await gm.evaluate("standin.say('hello')")
    await gm.click(".chat-message", button="right")
    await gm.click("#context-menu >> text=Undo it")
    await gm.click("[data-tool=pause]")
    await gm.click("#sidebar-tabs [data-tab=settings]")
    await gm.click("text=Configure Settings")
    await gm.fill("#settings-config [name='dnd5e.mine']", "8")
    await gm.click("#settings-config >> text=Save Changes")
    await gm.wait_for_function("game.settings.get('dnd5e', 'mine') === 8")
    assert await gm.evaluate("[undone, paused]") == [server.world.messages[0]["_id"], True]


async def test_distance_counts_squares_diagonals_and_height(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    measure = "points => canvas.grid.measurePath(points).distance"
    assert await gm.evaluate(measure, [{"x": 50, "y": 50}, {"x": 150, "y": 150}]) == 5
    assert await gm.evaluate(measure, [{"x": 50, "y": 50}, {"x": 350, "y": 150}]) == 15
    assert await gm.evaluate(measure, [{"x": 50, "y": 50, "elevation": 0}, {"x": 50, "y": 50, "elevation": 20}]) == 20


# Faults


async def test_faults_can_be_made(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    server.refuse_next(user="gm", name="Actor", text="disk full")
    with pytest.raises(Error, match="disk full"):
        await gm.evaluate("standin.damage('bors', 1)")
    await gm.evaluate("Hooks.on('preUpdateActor', () => false)")
    await server.edit(f"Actor.{documents.stable_id('bors')}", {HP: 2}, by="gm")
    await ann.wait_for_function("standin.hp('bors').value === 2")
    server.delay("ann", 0.3)
    await server.edit(f"Actor.{documents.stable_id('bors')}", {HP: 3})
    await gm.wait_for_function("standin.hp('bors').value === 3")
    assert await ann.evaluate("standin.hp('bors').value") == 2
    await ann.wait_for_function("standin.hp('bors').value === 3")
    await ann.evaluate("globalThis.before = true")
    await server.drop("ann")
    await ann.wait_for_function("globalThis.before === undefined && standin?.ready === true")


async def test_real_actors_have_their_maxima_derived(foundry, context):
    if not actors.available():
        pytest.skip(f"{actors.VARIABLE} names no file")
    real = [one for one in actors.load() if one["type"] != "vehicle"]
    server = await foundry(actors=real, scenes=[documents.scene("empty", [])])
    gm = await server.open(await context(), "gm")
    told = await gm.evaluate(
        "game.actors.contents.map(({name, type, system: {attributes: {hp}, details}}) => [name, type, hp.max, details.level])"
    )
    assert all(maximum > 0 for _, _, maximum, _ in told)
    # Krusk, a paladin of the first level with Constitution 12: 10 + 1.
    assert next(maximum for name, *_, maximum, _ in told if name.startswith("Krusk")) >= 11
    assert not server.page_errors
