"""Every condition and every kind of roll, from both sides, in all three profiles: what it gives, why, and only once.

The table below is the rules' own, not the catalogue's: what the system does by itself is in it like everything else.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import pytest

from bridge.engine.publish import publish
from bridge.rules import rulebook
from tests.browser.foundry import documents
from tests.browser.foundry.merge import Json
from tests.browser.foundry.profiles import PROFILES
from tests.browser.foundry.server import FoundryServer
from tests.browser.table import ID, MODULE, seat, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry

Gives: TypeAlias = dict[str, tuple[str, ...]]

CHECKS = ("str", "cha", "insight", "intimidation", "tool")
SAVES = ("save-str", "save-dex", "save-con", "concentration", "death")
ROLLS = ("attack", *CHECKS, "initiative", *SAVES)
DIS, ADV, FAIL, CRIT = "disadvantage", "advantage", "fail", "critical"
EVERY_CHECK = (*CHECKS, "initiative")


def on(rolls: tuple[str, ...] | str, *gives: str) -> Gives:
    """The same for several rolls."""
    return dict.fromkeys((rolls,) if isinstance(rolls, str) else rolls, gives)


def drunk(level: int) -> Gives:
    """INT-7, INT-8 and the rule's own order: all levels up to the current one apply, each roll once."""
    less = f"-{level}"
    found: Gives = {"insight": (less,)}
    if level >= 2:
        found |= on(("save-str", "save-dex", "concentration"), less)
    if level >= 3:
        found |= on(("str", "tool", "initiative"), less)
    if level >= 4:
        found |= on(("attack", "cha", "intimidation"), less)
    return found


FAILS = on(("save-str", "save-dex"), FAIL)
HELPLESS = FAILS | on("initiative", DIS)
MINE: dict[str, Gives] = {
    "bleeding": {},
    "blinded": on("attack", DIS),
    "bloodied": {},
    "charmed": {},
    "dazed": {},
    "deafened": {},
    "exhaustion": on(ROLLS, "-2"),
    "frightened": on((*EVERY_CHECK, "attack"), DIS),
    "grappled": on("attack", DIS),
    "ignited": {},
    "incapacitated": on("initiative", DIS),
    **{f"intoxicated {level}": drunk(level) for level in range(1, 7)},
    "invisible": on(("attack", "initiative"), ADV),
    "paralyzed": HELPLESS,
    "petrified": HELPLESS,
    "poisoned": on((*EVERY_CHECK, "attack"), DIS),
    "prone": on("attack", DIS),
    "restrained": on("attack", DIS) | on("save-dex", DIS),
    "stunned": HELPLESS,
    # Unconscious leaves Prone behind, which gives its own disadvantage.
    "unconscious": HELPLESS | on("attack", DIS),
}
NEAR: dict[str, Gives] = {
    **{condition: {} for condition in MINE},
    "blinded": on("attack", ADV),
    "charmed": on("intimidation", ADV),
    "invisible": on("attack", DIS),
    "paralyzed": on("attack", ADV, CRIT),
    "petrified": on("attack", ADV),
    "prone": on("attack", ADV),
    "restrained": on("attack", ADV),
    "stunned": on("attack", ADV),
    "unconscious": on("attack", ADV, CRIT),
}
FAR = NEAR | {
    "paralyzed": on("attack", ADV),
    "prone": on("attack", DIS),
    # ROL-2: "Attacker at 30 ft: advantage (Unconscious) and disadvantage (Prone) cancel."
    "unconscious": on("attack"),
}
SOURCES = {"charmed": "goblin", "frightened": "goblin", "grappled": "mira"}

PAGE = """
async ({ bearer, roller, aim, conditions, sources, rolls }) => {
  const me = standin.actor(bearer), it = aim ? standin.placeable(roller).actor : standin.actor(roller);
  const uuid = name => standin.placeable(name).actor.uuid;
  standin.target(aim ?? "goblin");
  let said = null;
  const hook = Hooks.on("dnd5e.postRollConfiguration", (rolls, config, dialog, message) => { said = message.data?.flags?.[`ID`]?.roll; });
  const sword = it.items.find(item => item.type === "weapon").system.activities.getByType("attack")[0];
  const quick = [{ configure: false }, { create: false }];
  const make = {
    attack: () => sword.rollAttack({}, ...quick),
    str: () => it.rollAbilityCheck({ ability: "str" }, ...quick), cha: () => it.rollAbilityCheck({ ability: "cha" }, ...quick),
    insight: () => it.rollSkill({ skill: "ins" }, ...quick), intimidation: () => it.rollSkill({ skill: "itm" }, ...quick),
    tool: () => it.rollToolCheck({ tool: "thief", ability: "dex" }, ...quick),
    concentration: () => it.rollConcentration({}, ...quick), death: () => it.rollDeathSave({}, ...quick),
    initiative: async () => { const roll = it.getInitiativeRoll(); await roll.evaluate(); said = roll.options[`ID`]; return [roll]; },
    ...Object.fromEntries(["str", "dex", "con"].map(ability => [`save-${ability}`, () => it.rollSavingThrow({ ability, target: 5 }, ...quick)]))
  };
  const all = async () => {
    const found = {};
    for ( const kind of rolls ) {
      said = null;
      standin.dice.splice(0, Infinity, 10, 10);
      if ( kind === "death" ) await it.update({ "system.attributes.death": { success: 0, failure: 0 } });
      const roll = (await make[kind]())?.[0];
      found[kind] = roll && { mode: roll.options.advantageMode ?? 0, total: roll.total, success: roll.isSuccess,
        given: (said?.given ?? []).map(one => [one.condition, one.gives, one.value, one.onMe, one.by ?? ""]),
        offered: (said?.offered ?? []).map(one => [one.condition, one.gives]) };
    }
    return found;
  };
  const results = { "": await all() };
  for ( const text of conditions ) {
    const [id, level] = text.split(" ");
    if ( id === "exhaustion" ) await me.update({ "system.attributes.exhaustion": 1 });
    else {
      const known = ActiveEffect.implementation.statusById(id);
      const effect = known ? await ActiveEffect.implementation.fromStatusEffect(id) : new ActiveEffect.implementation({ name: id, statuses: [id] });
      const mark = { level: Number(level ?? 1), ...(sources[id] ? { source: uuid(sources[id]) } : {}) };
      effect.updateSource({ [`flags.ID.mark`]: JSON.stringify(mark) });
      await ActiveEffect.implementation.create(effect, { parent: me, keepId: true });
    }
    await standin.settle();
    results[text] = await all();
    if ( id === "exhaustion" ) await me.update({ "system.attributes.exhaustion": 0 });
    await standin.settle();
    const left = me.effects.filter(effect => !effect.statuses.has("concentrating")).map(effect => effect.id);
    if ( left.length ) await me.deleteEmbeddedDocuments("ActiveEffect", left);
  }
  Hooks.off("dnd5e.postRollConfiguration", hook);
  return results;
}
""".replace("`ID`", f"'{ID}'").replace("`flags.ID.mark`", f"'flags.{ID}.mark'")


async def table(
    foundry: Any, profile: str, *, hp: int = 20, far: bool = False, modules: tuple[str, ...] = (), **settings: str
) -> FoundryServer:
    """Bors and the goblin beside each other, or 30 feet apart, and Mira; the catalogue of this profile."""
    cast = [
        documents.fighter("bors", owner="ann", hp=(hp, 20)),
        documents.cleric("mira", owner="ben"),
        documents.goblin(),
    ]
    places = [(2, 2), (2, 6), (8, 2) if far else (3, 2)]
    tokens = [documents.token(actor, at=at) for actor, at in zip(cast, places, strict=True)]
    catalogue = publish(rulebook({key.replace("_", "."): value for key, value in settings.items()}), profile)
    quiet = {"dnd5e.bloodied": "none", f"{ID}.catalogue": msgspec.to_builtins(catalogue)}
    made: FoundryServer = await foundry(
        profile,
        actors=cast,
        scenes=[documents.scene("cave", tokens)],
        module_dir=MODULE,
        settings=quiet,
        modules=modules,
    )
    return made


def wanted(gives: tuple[str, ...]) -> tuple[int, int, bool]:
    """Mode, number and whether it fails."""
    mode = (ADV in gives) - (DIS in gives)
    return mode, sum(int(one) for one in gives if one[0] in "+-"), FAIL in gives


def judge(results: Json, expected: dict[str, Gives], rolls: tuple[str, ...], *, on_me: bool) -> list[str]:
    """What is not as the rules have it, over all conditions and rolls."""
    wrong = []
    plain = results[""]
    for condition, gives in expected.items():
        id = condition.split()[0]
        for roll in rolls:
            got, want = results[condition][roll], gives.get(roll, ())
            mode, number, fails = wanted(want)
            found = (got["mode"], got["total"] - plain[roll]["total"], bool(got["success"] is False and fails))
            if found != (mode, number, fails):
                wrong.append(f"{condition}, {roll}: {found}, not {(mode, number, fails)}")
            reasons = [(one[1], one[2]) for one in got["given"] if one[0] == id and one[3] is on_me]
            named = {(g if g[0] not in "+-" else "number", int(g) if g[0] in "+-" else 0) for g in want}
            if id not in {"prone", "unconscious"} and {r for r in reasons if r[0] != "difficulty"} - named:
                wrong.append(f"{condition}, {roll}: reasons {reasons}")
            if len(reasons) != len(set(reasons)):
                wrong.append(f"{condition}, {roll}: twice {reasons}")
            told = {(one[1], one[2]) for one in got["given"]}
            if named - told:
                wrong.append(f"{condition}, {roll}: {named - told} is not among the reasons {got['given']}")
    return wrong


@pytest.mark.timeout(120)
@pytest.mark.parametrize("profile", PROFILES)
async def test_every_condition_on_every_roll(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    # At 0 hit points there are death saves, too.
    server = await table(foundry, profile, hp=0)
    gm = await seat(server, context, "gm")
    await gm.evaluate(
        "standin.actor('bors').createEmbeddedDocuments('ActiveEffect', [{name: 'C', statuses: ['concentrating']}])"
    )
    ask = {"bearer": "bors", "roller": "bors", "conditions": list(MINE), "sources": SOURCES, "rolls": list(ROLLS)}
    assert judge(await gm.evaluate(PAGE, ask), MINE, ROLLS, on_me=False) == []
    against = ("attack", "cha", "intimidation", "str")
    ask |= {"roller": "goblin", "aim": "bors", "rolls": list(against)}
    assert judge(await gm.evaluate(PAGE, ask), NEAR, against, on_me=True) == []
    await gm.evaluate("standin.moveToken('goblin', [8, 2])")
    ask |= {"rolls": ["attack"]}
    assert judge(await gm.evaluate(PAGE, ask), FAR, ("attack",), on_me=True) == []
    assert server.page_errors == []


DIALOG = ".application:has([data-action=disadvantage])"
LATEST = "[...document.querySelectorAll('.chat-message')].at(-1).innerText"


async def put(page: Page, actor: str, status: str, **mark: Any) -> None:
    """Put a condition on, with what the bridge would stamp on it."""
    await page.evaluate(
        """async ([actor, status, mark]) => {
          const effect = await ActiveEffect.implementation.fromStatusEffect(status);
          effect.updateSource({ "flags.condition-bridge.mark": JSON.stringify(mark) });
          const me = standin.placeable(actor)?.actor ?? standin.actor(actor);
          await ActiveEffect.implementation.create(effect, { parent: me, keepId: true, "condition-bridge": { apply: 1 } });
          await standin.settle();
        }""",
        [actor, status, mark],
    )


async def shot(page: Page, name: str) -> None:
    """Keep a picture when `CONDITION_BRIDGE_SHOTS` names a folder."""
    if folder := os.environ.get("CONDITION_BRIDGE_SHOTS"):
        await page.evaluate("Promise.all([...document.images].map(image => image.decode().catch(() => {})))")
        await page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")


async def begin(page: Page, roll: str) -> None:
    """Start a roll and leave its dialog open."""
    await page.evaluate(f"void ({roll})")
    await page.wait_for_selector(DIALOG)


async def press(page: Page, mode: str) -> None:
    """Press a button of the open roll dialog, and wait for the message."""
    before = await page.evaluate("game.messages.size")
    await page.click(f"{DIALOG} [data-action={mode}]")
    await page.wait_for_function(f"game.messages.size > {before}")


def told(server: FoundryServer) -> Json:
    """What the last message keeps of its roll."""
    found: Json = server.world.messages[-1]["flags"].get(ID, {}).get("roll", {})
    return found


def mode(server: FoundryServer) -> int:
    """The mode of the last roll in the chat."""
    options = server.world.messages[-1]["rolls"][0]["options"]
    found: int = options["advantageMode"]
    return found


ATTACK = "standin.actor('bors').items.getName('Longsword').system.activities.getByType('attack')[0].rollAttack()"


@pytest.mark.parametrize("profile", PROFILES)
async def test_the_dialog_and_the_message_say_why(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, profile)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await put(gm, "bors", "poisoned")
    await put(gm, "bors", "intoxicated", level=4)
    await put(gm, "goblin", "prone")
    await ann.wait_for_function("standin.placeable('goblin').actor.statuses.has('prone')")
    await ann.evaluate("standin.target('goblin')")
    await begin(ann, ATTACK)
    panel = await ann.inner_text(f"{DIALOG} .cb-rolls")
    assert "Disadvantage: Poisoned" in panel
    assert "−4: Intoxicated 4" in panel
    assert "Advantage: target Prone within 5 ft" in panel
    assert "- 4" in await ann.inner_text(f"{DIALOG} .formula")
    assert await ann.get_attribute(f"{DIALOG} [data-action=normal]", "class") == "dialog-button default"
    await shot(ann, "roll-dialog")
    # Changing something in the dialog builds the roll anew: what is ours is still there once.
    await ann.fill(f"{DIALOG} [name='roll.0.situational']", "1")
    await ann.dispatch_event(f"{DIALOG} [name='roll.0.situational']", "change")
    assert (await ann.inner_text(f"{DIALOG} .formula")).count("- 4") == 1
    await press(ann, "normal")
    assert {(r["condition"], r["gives"]) for r in told(server)["given"]} == {
        ("poisoned", "disadvantage"),
        ("intoxicated", "number"),
        ("prone", "advantage"),
    }
    await gm.wait_for_selector(".chat-message .cb-told")
    text = await gm.evaluate(LATEST)
    assert "Disadvantage: Poisoned" in text
    assert "Advantage: target Prone within 5 ft" in text
    await shot(gm, "roll-message")
    assert server.page_errors == []


async def test_suggest_can_be_overruled_and_says_so(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v13+dnd5e-5.3")
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "poisoned")
    await begin(gm, ATTACK)
    await press(gm, "normal")
    assert (mode(server), told(server)["otherwise"]) == (0, True)


async def test_enforce_has_the_last_word(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v13+dnd5e-5.3", rolls_mode="enforce")
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "poisoned")
    # Another choice than the suggested one is one more reason: advantage and the poison cancel.
    for pressed, comes_to in {"normal": -1, "disadvantage": -1, "advantage": 0}.items():
        await begin(gm, ATTACK)
        await press(gm, pressed)
        assert mode(server) == comes_to, pressed


async def test_off_gives_nothing(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v13+dnd5e-5.3", rolls_mode="off")
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "prone")
    await gm.evaluate("standin.attack('bors', {target: 'goblin'})")
    assert (mode(server), told(server)) == (0, {})


async def test_what_only_people_know_is_offered_unticked(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v14+dnd5e-6")
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "blinded")
    await put(gm, "bors", "intoxicated", level=2)
    check = "standin.actor('bors').rollSkill({skill: 'prc', target: 5})"
    box = f"{DIALOG} .cb-offer input"
    await begin(gm, check)
    assert "Fails: Blinded, if it needs sight" in await gm.inner_text(f"{DIALOG} .cb-rolls")
    assert not await gm.is_checked(box)
    await press(gm, "normal")
    assert told(server)["fails"] is False
    await begin(gm, check)
    await gm.check(box)
    await shot(gm, "roll-dialog-offered")
    await server.dice("gm", 20)
    await press(gm, "normal")
    assert (told(server)["fails"], server.world.messages[-1]["rolls"][0]["options"]["target"]) == (True, 999)
    await gm.wait_for_selector(".cb-outcome.fail")
    assert "Automatic failure" in await gm.evaluate(LATEST)
    await shot(gm, "roll-failed")
    # What a save is against: nobody has said it.
    await begin(gm, "standin.actor('bors').rollSavingThrow({ability: 'wis'})")
    assert "+2: Intoxicated 2, against being Frightened" in await gm.inner_text(f"{DIALOG} .cb-rolls")
    await gm.check(box)
    assert "+ 2" in await gm.inner_text(f"{DIALOG} .formula")
    await gm.uncheck(box)
    assert "+ 2" not in await gm.inner_text(f"{DIALOG} .formula")
    await press(gm, "normal")
    # Without a dialog nobody can tick: the message lists it.
    await gm.evaluate("standin.rollCheck('bors', 'wis')")
    assert [one["condition"] for one in told(server)["offered"]] == ["blinded"]


# https://github.com/foundryvtt/dnd5e/pull/7469
async def test_a_source_that_nobody_knows_is_offered(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v14+dnd5e-6")
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "frightened")
    await begin(gm, ATTACK)
    await gm.check(f"{DIALOG} .cb-offer input")
    await press(gm, "disadvantage")
    assert (mode(server), "otherwise" in told(server)) == (-1, False)


async def test_sight_of_the_source(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v14+dnd5e-6", far=True)
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "frightened", source=await gm.evaluate("standin.placeable('goblin').actor.uuid"))
    assert (await gm.evaluate("standin.rollCheck('bors', 'str')"))["mode"] == "disadvantage"
    await gm.evaluate("canvas.scene.update({'flags.standin.walls': [[500, 0, 500, 1000]]})")
    assert (await gm.evaluate("standin.rollCheck('bors', 'str')"))["mode"] == "normal"
    await gm.evaluate("canvas.scene.update({'flags.standin.walls': []})")
    await put(gm, "goblin", "invisible")
    assert (await gm.evaluate("standin.rollCheck('bors', 'str')"))["mode"] == "normal"
    await gm.evaluate(
        "standin.actor('bors').update({'system.attributes.senses': {ranges: {truesight: 60}, units: 'ft'}})"
    )
    assert (await gm.evaluate("standin.rollCheck('bors', 'str')"))["mode"] == "disadvantage"


# https://life-improver.com/rpg/rpg-can-you-negate-the-frightened-condition-by-not-looking-at-the-source-of-your-fear/
@pytest.mark.parametrize("profile", PROFILES)
async def test_the_penalty_of_fear_goes_and_comes_with_sight_and_the_fear_stays(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    """CND-6: "while the source is in line of sight"."""
    server = await table(foundry, profile, far=True)
    gm = await seat(server, context, "gm")
    source = await gm.evaluate("standin.placeable('goblin').actor.uuid")
    await put(gm, "bors", "frightened", source=source)
    goblin = await gm.evaluate("standin.placeable('goblin').document.toObject()")

    async def seen(now: bool) -> None:
        check = await gm.evaluate("standin.rollCheck('bors', 'str')")
        attack = await gm.evaluate("standin.attack('bors', {target: 'mira'})")
        assert check["mode"] == attack["mode"] == ("disadvantage" if now else "normal")
        assert await gm.evaluate("standin.statuses('bors')") == ["frightened"]

    await seen(True)
    walls = "canvas.scene.update({{'flags.standin.walls': {}}}).then(() => null)"
    await gm.evaluate(walls.format("[[500, 0, 500, 1000]]"))
    await seen(False)
    await gm.evaluate(walls.format("[]"))
    # There is no facing: a back turned is a back turned.
    await gm.evaluate("standin.placeable('bors').document.update({rotation: 180}).then(() => null)")
    await seen(True)
    await gm.evaluate("standin.placeable('goblin').document.delete().then(() => null)")
    await seen(False)
    cave = await gm.evaluate("canvas.scene.id")
    elsewhere = documents.scene("elsewhere", [goblin], active=False)
    await gm.evaluate("data => Scene.implementation.create(data, {keepId: true}).then(() => null)", elsewhere)
    there = source.replace(cave, elsewhere["_id"])
    await gm.evaluate("standin.actor('bors').effects.contents[0].delete().then(() => null)")
    await put(gm, "bors", "frightened", source=there)
    await seen(False)
    # It follows to where Bors is.
    await gm.evaluate("standin.actor('bors').effects.contents[0].delete().then(() => null)")
    await put(gm, "bors", "frightened", source=source)
    await gm.evaluate("data => TokenDocument.implementation.create(data, {parent: canvas.scene, keepId: true})", goblin)
    await seen(True)
    assert server.page_errors == []


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_hit_from_beside_is_critical(profile: str, foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, profile)
    gm = await seat(server, context, "gm")
    await put(gm, "goblin", "paralyzed")
    for die, critical in ((15, True), (2, False)):
        await gm.evaluate("standin.target('goblin')")
        await server.dice("gm", die, die)
        await gm.evaluate("standin.useItem('bors', 'Longsword')")
        await gm.wait_for_function("game.messages.contents.at(-1).rolls[0]?.dice[0]?.faces === 20")
        assert told(server)["critical"]
        card = "[...document.querySelectorAll('.chat-message:has([data-action=rollDamage])')].at(-1)"
        await gm.evaluate("standin.dialogs.push('roll')")
        await gm.evaluate(f"{card}.querySelector('[data-action=rollDamage]').click()")
        await gm.wait_for_function("game.messages.contents.at(-1).rolls[0]?.dice[0]?.faces === 8")
        dice = server.world.messages[-1]["rolls"][0]["options"].get("isCritical", False)
        assert dice is critical, die
    await shot(gm, "critical")


async def test_exhaustion_of_2014_stands_in_place_of_the_systems_own(
    foundry: MakeFoundry, context: MakeContext
) -> None:
    for profile in PROFILES:
        server = await table(foundry, profile, exhaustion_rules="2014")
        gm = await seat(server, context, "gm")
        await gm.evaluate("standin.actor('bors').update({'system.attributes.exhaustion': 1})")
        await gm.evaluate("standin.settle()")
        for roll, gives in {
            "standin.rollCheck('bors', 'str')": "disadvantage",
            "standin.rollSkill('bors', 'ath')": "disadvantage",
            "standin.rollSave('bors', 'wis')": "normal",
            "standin.attack('bors', {target: 'goblin'})": "normal",
        }.items():
            made = await gm.evaluate(roll)
            assert (made["mode"], "- 2" in made["formula"]) == (gives, False), (profile, roll, made)


async def test_a_forced_condition_is_ours_to_do(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v14+dnd5e-6")
    gm = await seat(server, context, "gm")
    await gm.evaluate("standin.actor('bors').update({'system.traits.ci.value': ['poisoned']})")
    await put(gm, "bors", "poisoned", forced=True)
    assert (await gm.evaluate("standin.rollCheck('bors', 'str')"))["mode"] == "disadvantage"
    assert [one.get("by") for one in told(server)["given"]] == [None]


async def test_the_systems_own_sources_are_counted(foundry: MakeFoundry, context: MakeContext) -> None:
    """Advantage by the system and its own disadvantage cancel for it; another advantage of ours does not tip that."""
    server = await table(foundry, "v13+dnd5e-5.3")
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "restrained")
    await gm.evaluate("standin.actor('bors').update({'system.abilities.dex.save.roll.mode': 1})")
    assert (await gm.evaluate("standin.rollSave('bors', 'dex')"))["mode"] == "normal"


async def test_initiative_on_both_of_its_roads(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v13+dnd5e-5.3")
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "intoxicated", level=3)
    await put(gm, "bors", "frightened")
    await gm.evaluate("standin.startCombat(['bors', 'goblin'])")
    await server.dice("gm", 10, 10)
    await gm.evaluate("game.combat.rollInitiative(game.combat.combatants.map(one => one.id))")
    rolled = [message["rolls"][0] for message in server.world.messages if message["rolls"]]
    assert [roll["total"] for roll in rolled] == [10 + 1 - 3, 10 + 2]
    assert "−3: Intoxicated 3" in await gm.evaluate("[...document.querySelectorAll('.cb-told')].at(-1).innerText")
    await gm.evaluate("game.combat.combatants.find(one => one.name === 'Bors').update({initiative: null})")
    await begin(gm, "standin.actor('bors').rollInitiativeDialog()")
    assert (await gm.inner_text(f"{DIALOG} .formula")).count("- 3") == 1
    await gm.check(f"{DIALOG} .cb-offer input")
    assert (await gm.inner_text(f"{DIALOG} .formula")).count("- 3") == 1
    await gm.click(f"{DIALOG} [data-action=disadvantage]")
    await until(lambda: len([m for m in server.world.messages if m["rolls"]]) == 3, "the roll")
    assert mode(server) == -1


# https://github.com/DFreds/dfreds-convenient-effects/issues/89
@pytest.mark.parametrize("profile", PROFILES)
async def test_initiative_is_a_check_for_one_and_for_all_npcs_of_the_tracker(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    """CND-12, INT-7: "initiative included"."""
    server = await table(foundry, profile)
    gm, ann = await seat(server, context, "gm"), await seat(server, context, "ann")
    await put(gm, "bors", "poisoned")
    await put(gm, "bors", "intoxicated", level=3)
    await put(gm, "goblin", "poisoned")
    await gm.evaluate("standin.startCombat(['bors', 'mira', 'goblin'])")
    await gm.evaluate("Promise.all(game.combat.combatants.map(one => one.update({initiative: null}))).then(() => null)")
    await ann.wait_for_function("game.combat?.combatants.every((one) => one.initiative === null)")
    rolls = {
        "Bors": (ann, "game.combat.rollInitiative([game.combat.combatants.getName('Bors').id])", 9 + 1 - 3, True),
        "Goblin": (gm, "game.combat.rollNPC()", 9 + 2, True),
        "Mira": (gm, "game.combat.combatants.getName('Mira').rollInitiative()", 15, False),
    }
    for name, (page, roll, total, poisoned) in rolls.items():
        await server.dice("ann" if page is ann else "gm", 15, 9)
        await page.evaluate(f"{roll}.then(() => null)")
        [thrown] = server.world.messages[-1]["rolls"]
        assert thrown["total"] == total, name
        given = [one["condition"] for one in thrown["options"].get(ID, {}).get("given", [])]
        assert given.count("poisoned") == int(poisoned), name
    assert server.page_errors == []


# https://github.com/foundryvtt/dnd5e/issues/3920
@pytest.mark.parametrize("profile", PROFILES)
async def test_the_systems_number_and_ours_add_and_neither_takes_the_other_along(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    """CND-5, INT-7, CMB-5: "Penalties and bonuses from different conditions add"."""
    server = await table(foundry, profile)
    gm = await seat(server, context, "gm")

    async def less() -> tuple[int, int]:
        found = []
        for roll in ("standin.rollCheck('bors', 'str')", "standin.rollSave('bors', 'wis')"):
            await server.dice("gm", 10)
            found.append((await gm.evaluate(roll))["total"] - 10)
        return found[0], found[1]

    strength, wisdom = await less()
    await put(gm, "bors", "intoxicated", level=3)
    await gm.evaluate("standin.actor('bors').update({'system.attributes.exhaustion': 2}).then(() => standin.settle())")
    assert await less() == (strength - 7, wisdom - 4)
    await gm.evaluate(
        "standin.actor('bors').effects.find(one => one.statuses.has('intoxicated')).delete().then(() => null)"
    )
    assert await less() == (strength - 4, wisdom - 4)
    await put(gm, "bors", "intoxicated", level=3)
    await gm.evaluate("standin.actor('bors').update({'system.attributes.exhaustion': 0}).then(() => standin.settle())")
    assert await less() == (strength - 3, wisdom)
    await gm.evaluate("standin.actor('bors').effects.contents[0].delete().then(() => null)")
    assert await less() == (strength, wisdom)
    assert server.page_errors == []


async def test_ours_stands_aside_for_another_module_until_told(foundry: MakeFoundry, context: MakeContext) -> None:
    server = await table(foundry, "v14+dnd5e-6", modules=("automated-conditions-5e", "dice-so-nice"))
    gm = await seat(server, context, "gm")
    await put(gm, "bors", "prone")
    await gm.evaluate("standin.attack('bors', {target: 'goblin'})")
    assert mode(server) == 0
    await gm.click(f"[data-tool='{ID}-window']")
    row = f"#{ID}-window [data-module=automated-conditions-5e]"
    assert "ours stand aside" in await gm.inner_text(row)
    await shot(gm, "others")
    await gm.click(f"{row} button")
    await gm.wait_for_selector(f"{row}:has-text('as well')")
    await gm.evaluate("standin.attack('bors', {target: 'goblin'})")
    assert mode(server) == -1


async def test_only_the_two_creatures_concerned_are_looked_at(foundry: MakeFoundry, context: MakeContext) -> None:
    """Counted among 200 tokens with 500 effects."""
    cast = [documents.fighter("bors", owner="ann"), documents.goblin()]
    effects = [
        {
            "_id": documents.stable_id(f"e{n}"),
            "name": "Prone",
            "img": "",
            "statuses": ["prone"],
            "flags": {},
            "changes": [],
        }
        for n in range(2)
    ]
    crowd = [documents.goblin(f"g{n}", effects=effects + effects[: n % 2]) for n in range(198)]
    for one in crowd:
        one["effects"] = [{**effect, "_id": documents.stable_id(f"e{n}")} for n, effect in enumerate(one["effects"])]
    everyone = [*cast, *crowd]
    tokens = [documents.token(actor, at=(n % 20, n // 20)) for n, actor in enumerate(everyone)]
    server = await foundry("v14+dnd5e-6", actors=everyone, scenes=[documents.scene("field", tokens)], module_dir=MODULE)
    gm = await seat(server, context, "gm")
    seen = await gm.evaluate(
        """async () => {
          const seen = [], { prototype } = CONFIG.Actor.documentClass;
          const former = prototype.allApplicableEffects;
          prototype.allApplicableEffects = function(...args) { seen.push(this.name); return former.apply(this, args); };
          await standin.attack("bors", { target: "goblin" });
          prototype.allApplicableEffects = former;
          return seen.sort();
        }"""
    )
    assert set(seen) == {"Bors", "Goblin"}
    assert len(seen) <= 4
