"""The stand-in Foundry proven by itself: documents, people and the screen, in real browsers and all three profiles."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import Error

from tests.browser.foundry import documents
from tests.browser.foundry.profiles import PROFILES
from tests.browser.foundry.watching import open_two, points, record

HP = "system.attributes.hp.value"


@pytest.fixture(params=PROFILES)
def profile(request):
    return request.param


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
    await ann.evaluate(
        "Hooks.on('updateActor', (doc, changed, options, user) => { globalThis.got = [changed, options.mark, user]; })"
    )
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
    effect = "{_id: 'dnd5edazed000000', name: 'Dazed'}"
    make = f"standin.actor('bors').createEmbeddedDocuments('ActiveEffect', [{effect}], {{keepId: true}})"
    await gm.evaluate(f"{make}.then(() => null)")
    with pytest.raises(Error, match="already exists"):
        await gm.evaluate(make)
    with pytest.raises(Error, match="does not exist"):
        await gm.evaluate("standin.actor('bors').deleteEmbeddedDocuments('ActiveEffect', ['nothing000000000'])")
    with pytest.raises(Error, match="16 alphanumerics"):
        await gm.evaluate(
            "standin.actor('bors').createEmbeddedDocuments('ActiveEffect', [{_id: 'a-b'}], {keepId: true})"
        )


async def test_an_unlinked_token_has_an_actor_of_its_own(foundry, context, profile):
    server = await foundry(profile)
    gm, ann = await open_two(server, context)
    token = f"Scene.{documents.stable_id('tavern')}.Token.{server.token('goblin')['_id']}"
    uuid = f"{token}.Actor.{documents.stable_id('goblin')}"
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
    await gm.evaluate(
        "standin.actor('bors').update({'flags.world.a.x': 5, 'flags.world.a.-=y': null, 'flags.world.list': [9]})"
    )
    assert server.actor("bors")["flags"]["world"] == {"a": {"x": 5}, "list": [9]}
    await ann.wait_for_function("standin.actor('bors').flags.world.list.length === 1")
    assert await ann.evaluate("standin.actor('bors').flags.world") == {"a": {"x": 5}, "list": [9]}


async def test_newer_cores_delete_and_replace_by_value(foundry, context):
    server = await foundry("v14+dnd5e-6")
    gm = await server.open(await context(), "gm")
    await gm.evaluate("standin.actor('bors').update({flags: {world: {a: {x: 1}, b: {x: 1}, c: 1}}})")
    await gm.evaluate(
        "standin.actor('bors').update({flags: {world: {a: new foundry.data.operators.ForcedReplacement({y: 2}),"
        " c: new foundry.data.operators.ForcedDeletion()}},"
        " 'flags.world.b.x': new foundry.data.operators.ForcedDeletion()})"
    )
    assert server.actor("bors")["flags"]["world"] == {"a": {"y": 2}, "b": {}}


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
        await page.evaluate(
            "globalThis.heard = []; game.socket.on('module.x', (data, sender) => heard.push([data.text, sender]))"
        )
    await ann.evaluate("game.socket.emit('module.x', {text: 'hello'})")
    await gm.wait_for_function("heard.length === 1")
    assert await gm.evaluate("heard") == [["hello", documents.stable_id("ann")]]
    assert await ann.evaluate("heard") == []


async def test_presence_and_the_active_gm(foundry, context, profile):
    users = [documents.user("gm", gm=True), documents.user("amy", gm=True), documents.user("ann")]
    server = await foundry(profile, users=users)
    ann = await server.open(await context(), "ann")
    assert await ann.evaluate("game.users.activeGM") is None
    await ann.evaluate(
        "globalThis.came = []; Hooks.on('userConnected', (user, connected) => came.push([user.name, connected]))"
    )
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
    await ann.evaluate(
        "ChatMessage.implementation.create({content: 'psst <script>x</script>',"
        " whisper: [game.users.getName('Ben').id]}).then(() => null)"
    )
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
    await ann.evaluate(
        "Hooks.on('chatMessage', (log, text, data) => {"
        " if ( text === '/drink 2' ) { globalThis.said = data.speaker.actor; return false; } })"
    )
    await ann.fill("#chat-message", "/drink 2")
    await ann.press("#chat-message", "Enter")
    await ann.fill("#chat-message", "cheers")
    await ann.press("#chat-message", "Enter")
    await ann.wait_for_selector(".chat-message")
    assert await ann.evaluate("said") == documents.stable_id("bors")
    assert [message["content"] for message in server.world.messages] == ["cheers"]


# Modules

SCRIPT = """
globalThis.cycle = [typeof game.settings, "poisoned" in CONFIG.DND5E.conditionTypes];
const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;
class Panel extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = { id: "panel", window: { title: "ONE.title" },
    actions: { press() { globalThis.pressed = true; } } };
  static PARTS = { main: { template: "modules/one/panel.hbs" } };
  async _prepareContext() { return { name: "<b>Bors</b>", rows: [{ n: 1 }, { n: 2 }], open: true }; }
}
for ( const hook of ["init", "i18nInit", "setup", "canvasReady", "ready"] ) {
  Hooks.once(hook, () => {
    const statuses = Array.isArray(CONFIG.statusEffects) ? CONFIG.statusEffects : Object.values(CONFIG.statusEffects);
    cycle.push([hook, game.actors?.size ?? 0, statuses.find(status => status.id === "dizzy")?.name ?? null]);
  });
}
Hooks.once("init", () => {
  CONFIG.DND5E.conditionTypes.dizzy = { name: "ONE.dizzy", img: "x.svg" };
  game.modules.get("one").api = { open: () => new Panel().render({ force: true }) };
  game.keybindings.register("one", "hit", { name: "Hit", editable: [{ key: "KeyK" }],
    onDown: () => { globalThis.hit = true; } });
});
"""

TEMPLATE = """<section><p>{{name}}</p>
{{#if open}}<ul>{{#each rows}}<li>{{@index}}:{{this.n}}</li>{{/each}}</ul>{{else}}shut{{/if}}
<button type="button" data-action="press">{{localize "ONE.press"}}</button></section>"""


async def test_a_module_goes_through_the_life_cycle(foundry, context, profile, tmp_path):
    manifest = {
        "id": "one",
        "title": "One",
        "version": "1.0.0",
        "esmodules": ["one.mjs"],
        "languages": [{"lang": "en", "name": "English", "path": "en.json"}],
    }
    for name, text in {
        "module.json": json.dumps(manifest),
        "one.mjs": SCRIPT,
        "panel.hbs": TEMPLATE,
        "en.json": json.dumps({"ONE": {"dizzy": "Dizzy", "press": "Press me", "title": "A panel"}}),
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    server = await foundry(profile, module_dir=tmp_path, modules=["midi-qol"])
    gm = await server.open(await context(), "gm")
    # What a module adds at init is there once the system has rebuilt its statuses, in the player's language.
    assert await gm.evaluate("cycle") == [
        "undefined",
        True,
        ["init", 0, None],
        ["i18nInit", 0, "Dizzy"],
        ["setup", 3, "Dizzy"],
        ["canvasReady", 3, "Dizzy"],
        ["ready", 3, "Dizzy"],
    ]
    assert await gm.evaluate("[game.modules.get('midi-qol').active, game.modules.get('dae') ?? null]") == [True, None]
    await gm.evaluate("game.modules.get('one').api.open().then(() => null)")
    assert await gm.text_content("#panel p") == "<b>Bors</b>"
    assert await gm.locator("#panel li").all_text_contents() == ["0:1", "1:2"]
    await gm.click("text=Press me")
    await gm.keyboard.press("k")
    assert await gm.evaluate("[pressed, hit]") == [True, True]
    assert await gm.evaluate("standin.toggle('bors', 'dizzy')") == "dnd5edizzy000000"


async def test_dialogs_answer_with_what_was_pressed(foundry, context):
    server = await foundry()
    gm = await server.open(await context(), "gm")
    api = "foundry.applications.api.DialogV2"
    await gm.evaluate(
        f"globalThis.sure = {api}.confirm({{window: {{title: 'Sure?'}}, content: '<p>Really?</p>'}}); null"
    )
    await gm.click(".dialog [data-action=yes]")
    assert await gm.evaluate("sure") is True
    await gm.evaluate(f"globalThis.many = {api}.input({{content: '<input type=number name=level value=2>'}}); null")
    await gm.fill(".dialog [name=level]", "4")
    await gm.click(".dialog [data-action=ok]")
    assert await gm.evaluate("many") == {"level": 4}
    await gm.evaluate(f"globalThis.shut = {api}.confirm({{content: ''}}); null")
    await gm.click(".dialog [data-action=close]")
    assert await gm.evaluate("shut") is None


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
        "Hooks.on('getSceneControlButtons', controls => { controls.tokens.tools.pause ="
        " {name: 'pause', title: 'Pause all', order: 9, button: true,"
        " onChange: () => { globalThis.paused = true; }}; }); ui.controls.render()"
    )
    await gm.evaluate(
        "game.settings.register('dnd5e', 'mine',"
        " {scope: 'world', config: true, name: 'My number', type: Number, default: 3})"
    )
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


async def test_moving_a_token_may_be_refused(foundry, context, profile):
    server = await foundry(profile)
    _, ann = await open_two(server, context)
    await ann.evaluate(
        "Hooks.on('preMoveToken', (token, movement) => {"
        " globalThis.moved = [movement.passed.distance, movement.method];"
        " return movement.destination.x > 500 ? false : undefined; })"
    )
    assert await ann.evaluate("standin.moveToken('bors', [4, 3])") is True
    assert await ann.evaluate("moved") == [10, "dragging"]
    assert await ann.evaluate("standin.moveToken('bors', [9, 3])") is False
    assert (server.token("bors")["x"], server.token("bors")["y"]) == (400, 300)


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
    server.hold("ann")
    await server.edit(f"Actor.{documents.stable_id('bors')}", {HP: 3})
    await gm.wait_for_function("standin.hp('bors').value === 3")
    assert await ann.evaluate("standin.hp('bors').value") == 2
    server.let_go("ann")
    await ann.wait_for_function("standin.hp('bors').value === 3")
    await ann.evaluate("globalThis.before = true")
    await server.drop("ann")
    await ann.wait_for_function("globalThis.before === undefined && window.standin?.ready === true")
