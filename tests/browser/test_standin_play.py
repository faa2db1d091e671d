"""The stand-in Foundry proven by itself: what the system does with hit points, rolls, items and combats."""

from __future__ import annotations

import pytest

from tests.browser.foundry import actors, documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.foundry.watching import open_two, points, record


@pytest.fixture(params=PROFILES)
def profile(request):
    return request.param


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
        # On the player's client as well, or what is added would be added to the hit points before.
        await ann.wait_for_function("standin.hp('bors').value === 8")
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
    written = [
        entry["documentName"]
        for entry in server.journal
        if entry["action"] == "update" and entry["documentName"] != "User"
    ]
    assert written == ["Actor", "Item"]
    await gm.evaluate("standin.actor('goblin').update({'system.attributes.hp.value': 1})")
    server.journal.clear()
    await server.dice("gm", 4)
    await gm.evaluate("standin.hitDie('goblin').then(() => standin.settle())")
    written = [
        entry["result"][0]["system"]["attributes"] for entry in server.journal if entry["documentName"] == "Actor"
    ]
    assert written == [{"hd": {"spent": 1}, "hp": {"value": 5}}]


async def test_a_long_rest_gives_all_back_and_tells_it_is_one(foundry, context, profile):
    server = await foundry(profile, actors=[documents.fighter("bors", owner="ann", spent=3, hp=(5, 20))])
    gm, ann = await open_two(server, context)
    names = ("dnd5e.preLongRest", "dnd5e.longRest", "dnd5e.preRestCompleted", "dnd5e.restCompleted", "dnd5e.healActor")
    await record(ann, *names)
    await gm.evaluate("Hooks.on('updateActor', (doc, changed, options) => { globalThis.rest = options.isRest; })")
    await ann.evaluate(
        "Hooks.on('dnd5e.preRestCompleted', (actor, result) => { globalThis.nested = 'system' in result.updateData; })"
    )
    await ann.evaluate("standin.longRest('bors')")
    assert await ann.evaluate("seen") == list(names[:-1])
    assert await ann.evaluate("nested") is True
    await gm.wait_for_function("globalThis.rest === true")
    assert points(server) == 20
    assert server.actor("bors")["items"][0]["system"]["hd"]["spent"] == 0


async def test_a_short_rest_spends_hit_dice_in_its_dialog(foundry, context, profile):
    server = await foundry(profile, actors=[documents.fighter("bors", owner="ann", hp=(5, 20))])
    ann = await server.open(await context(), "ann")
    await ann.evaluate(
        "Hooks.on('dnd5e.preRestCompleted', (actor, result) => { globalThis.told = [result.dhd, result.dhp]; })"
    )
    await server.dice("ann", 3, 4)
    await ann.evaluate("standin.shortRest('bors', {hitDice: 2})")
    assert points(server) == 16
    assert await ann.evaluate("told") == [-2, 11]


async def test_a_group_rests_its_members(foundry, context, profile):
    cast = [
        documents.fighter("bors", hp=(3, 20)),
        documents.cleric("mira", hp=(4, 20)),
        documents.group("party", ["bors", "mira"]),
    ]
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


async def test_the_newest_system_may_mark_who_falls(foundry, context):
    server = await foundry("v14+dnd5e-6", settings={"dnd5e.autoApplyDowned": True})
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.damage('bors', 20).then(() => standin.settle())")
    assert "unconscious" in await gm.evaluate("standin.statuses('bors')")
    await gm.evaluate("standin.heal('bors', 1).then(() => standin.settle())")
    assert "unconscious" not in await gm.evaluate("standin.statuses('bors')")


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
    for roll in (
        "rollSave('bors', 'wis', {target: 5})",
        "rollCheck('bors', 'str')",
        "rollSkill('bors', 'ins')",
        "attack('bors')",
    ):
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
    await gm.evaluate(
        "globalThis.done = standin.actor('bors').rollSavingThrow({ability: 'con'})"
        ".then(rolls => rolls[0].options.advantageMode); null"
    )
    await gm.fill(".roll-configuration [name='roll.0.situational']", "1d4")
    await gm.click(".roll-configuration [data-action=advantage]")
    assert await gm.evaluate("done") == 1
    await gm.evaluate("standin.dialogs.push({button: 'disadvantage', situational: '2'}, null)")
    assert (
        await gm.evaluate("standin.actor('bors').rollSavingThrow({ability: 'con'}).then(rolls => rolls[0].formula)")
        == "1d20dis + 2 + 3 + 2"
    )
    assert await gm.evaluate("standin.actor('bors').rollSavingThrow({ability: 'con'})") is None


async def test_initiative_by_both_roads(foundry, context, profile):
    server = await foundry(profile)
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await record(
        gm,
        "dnd5e.preConfigureInitiative",
        "dnd5e.preRollInitiative",
        "dnd5e.preRollInitiativeDialogV2",
        "dnd5e.rollInitiative",
    )
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
    names = (
        "preUseActivity",
        "preActivityConsumption",
        "activityConsumption",
        "postActivityConsumption",
        "preCreateUsageMessage",
        "postCreateUsageMessage",
        "postUseActivity",
        "rollDamageV2",
    )
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
    await ann.evaluate(
        "globalThis.turns = []; Hooks.on('combatTurnChange', (combat, prior, current) =>"
        " turns.push([prior.round, current.round, current.turn]))"
    )
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
            "globalThis.changes = []; for ( const scope of ['world', 'client', 'user'] )"
            " game.settings.register('world', scope, {scope, type: Number, default: 1,"
            " onChange: value => changes.push([scope, value])})"
        )
    for scope in ("world", "client", "user"):
        await gm.evaluate("scope => game.settings.set('world', scope, 7)", scope)
    await ann.wait_for_function("changes.length === 1")
    assert await ann.evaluate("changes") == [["world", 7]]
    assert await gm.evaluate("changes") == [["world", 7], ["client", 7], ["user", 7]]
    assert [
        await ann.evaluate("scope => game.settings.get('world', scope)", scope) for scope in ("world", "client", "user")
    ] == [7, 1, 1]


async def test_real_actors_have_their_maxima_derived(foundry, context):
    if not actors.available():
        # The real actors are not the project's to ship; documents of the same shape are played in all other tests.
        pytest.skip(f"{actors.VARIABLE} names no file")
    real = [one for one in actors.load() if one["type"] != "vehicle"]
    server = await foundry(actors=real, scenes=[documents.scene("empty", [])])
    gm = await server.open(await context(), "gm")
    told = await gm.evaluate(
        "game.actors.contents.map(({name, type, system: {attributes: {hp}, details}}) =>"
        " [name, type, hp.max, details.level])"
    )
    # Two summoned shapes are stored without hit points.
    assert {name for name, _, maximum, _ in told if maximum == 0} == {"Arcane Hand", "Avatar of Death"}
    assert all(isinstance(maximum, int) for _, _, maximum, _ in told)
    # Krusk, a paladin of the first level with Constitution 14: 10 + 2.
    krusk = next(entry for entry in told if entry[0] == "Krusk (Half-Orc Paladin)")
    assert krusk[1:] == ["character", 12, 1]
    assert not server.page_errors
