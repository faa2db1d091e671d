/**
 * The module's own hooks under dnd5e's own code: each kind of roll, what the system does with what we give it.
 * Run by test_module_under_dnd5e.py. The harness gives `check`, creatures, and the system itself.
 */

import { readFileSync } from "node:fs";

const ID = "condition-bridge";
const shipped = JSON.parse(readFileSync(new URL("../../../foundry-module/catalogue.json", import.meta.url)));

export default async ({ check, eq, ok, pc, npc, quick, Hooks, harness }) => {
  /** Put a condition on, stamped as the bridge stamps it. */
  const put = async (actor, status, mark = {}) => {
    const known = Object.values(CONFIG.statusEffects).find(one => one.id === status);
    const effect = known ? (await ActiveEffect.implementation.fromStatusEffect(status)).toObject() : { name: status, statuses: [status] };
    await ActiveEffect.implementation.create({ ...effect, flags: { [ID]: { mark: JSON.stringify(mark) } } },
      { parent: actor, keepId: true, [ID]: { apply: 1 } });
    await harness.settle();
  };
  const sword = actor => actor.items.find(item => item.type === "weapon").system.activities.getByType("attack")[0];
  /** What the last roll's message keeps. */
  const told = () => [...game.messages.contents].reverse().find(message => message.rolls.length)?.flags[ID]?.roll;
  const reasons = () => (told()?.given ?? []).map(one => `${one.condition} ${one.gives}${one.by ? " by " + one.by : ""}`);

  const cases = [
    ["poisoned", {}, "check", "1d20dis + 3", ["poisoned disadvantage by system"]],
    ["poisoned", {}, "skill", "1d20dis", ["poisoned disadvantage by system"]],
    ["prone", {}, "attack", "1d20dis", ["prone disadvantage"]],
    ["restrained", {}, "save-dex", "1d20dis + 2", ["restrained disadvantage by system"]],
    ["stunned", {}, "save-dex", "1d20 + 2", ["stunned fail"]],
    ["intoxicated", { level: 4 }, "check", "1d20 + 3 - 4", ["intoxicated number"]],
    ["intoxicated", { level: 4 }, "skill", "- 4", ["intoxicated number"]],
    ["intoxicated", { level: 4 }, "tool", "- 4", ["intoxicated number"]],
    ["intoxicated", { level: 4 }, "attack", "- 4", ["intoxicated number"]],
    ["intoxicated", { level: 4 }, "save-dex", "- 4", ["intoxicated number"]],
    ["intoxicated", { level: 4 }, "save-wis", "1d20 + 1", []],
    ["intoxicated", { level: 4 }, "concentration", "- 4", ["intoxicated number"]],
    ["intoxicated", { level: 4 }, "death", "1d20", []]
  ];
  const rolls = {
    check: actor => actor.rollAbilityCheck({ ability: "str" }, { ...quick }),
    skill: actor => actor.rollSkill({ skill: "prc" }, { ...quick }),
    tool: actor => actor.rollToolCheck({ tool: "thief" }, { ...quick }),
    attack: actor => sword(actor).rollAttack({}, { ...quick }),
    concentration: actor => actor.rollConcentration({}, { ...quick }),
    death: async actor => { await actor.update({ "system.attributes.hp.value": 0 }); return actor.rollDeathSave({}, { ...quick }); },
    "save-dex": actor => actor.rollSavingThrow({ ability: "dex", target: 10 }, { ...quick }),
    "save-wis": actor => actor.rollSavingThrow({ ability: "wis", target: 10 }, { ...quick })
  };
  for ( const [condition, mark, kind, formula, given] of cases ) {
    await check("rolls", `${condition} on ${kind}`, async () => {
      const actor = pc();
      if ( kind === "concentration" ) await actor.createEmbeddedDocuments("ActiveEffect", [{ name: "c", statuses: ["concentrating"] }]);
      await put(actor, condition, mark);
      const [roll] = await rolls[kind](actor);
      ok(roll.formula.includes(formula), `${roll.formula} has ${formula}`);
      eq((roll.formula.match(/- 4/g) ?? []).length <= 1, true, "once");
      eq(reasons(), given);
      if ( given.some(one => one.endsWith("fail")) ) eq([roll.isSuccess, told().fails], [false, true]);
    });
  }

  await check("rolls", "what is offered can be ticked in the system's own dialog, and changing the form adds nothing twice", async () => {
    const actor = pc();
    await put(actor, "blinded");
    await put(actor, "intoxicated", { level: 3 });
    let open;
    harness.onDialog = async app => {
      open = app;
      await app.change({ "roll.0.situational": "1" });
      await app.change({ "roll.0.situational": "2" });
      await app.submit("normal", {});
    };
    const [roll] = await actor.rollSkill({ skill: "prc", target: 5 });
    eq((roll.formula.match(/- 3/g) ?? []).length, 1, roll.formula);
    ok(open, "the dialog came");
    eq(reasons(), ["intoxicated number"]);
  });

  await check("rolls", "another ability chosen in the dialog of a skill is judged anew", async () => {
    const actor = pc();
    await put(actor, "intoxicated", { level: 1 });
    const html = () => document.createElement("div");
    const formulas = [];
    harness.onDialog = async app => {
      Hooks.callAll("renderRollConfigurationDialog", app, html());
      formulas.push(app.rolls[0].formula);
      await app.change({ ability: "int" });
      Hooks.callAll("renderRollConfigurationDialog", app, html());
      await app.submit("normal", { ability: "int" });
    };
    const [roll] = await actor.rollSkill({ skill: "prc" });
    ok(formulas[0].includes("- 1"), formulas[0]);
    ok(!roll.formula.includes("- 1"), roll.formula);
  });

  await check("rolls", "initiative on both roads, once", async () => {
    const actor = pc();
    await put(actor, "intoxicated", { level: 3 });
    eq(actor.getInitiativeRoll().formula, "1d20 + 2 - 3");
    const combat = await CONFIG.Combat.documentClass.create({ active: true });
    const formulas = [];
    const id = Hooks.on("dnd5e.preRollInitiative", (one, roll) => { formulas.push(roll.formula); });
    await actor.rollInitiativeDialog({}, { ...quick });
    Hooks.off("dnd5e.preRollInitiative", id);
    eq(formulas, ["1d20 + 2 - 3"]);
    await combat.delete();
  });

  await check("rolls", "exhaustion of 2014 in place of the system's own", async () => {
    const catalogue = structuredClone(shipped);
    const entry = catalogue.conditions.find(one => one.id === "exhaustion");
    Object.assign(entry, { instead: true, levels: entry.levels.map(level => ({ ...level, native: [], modifiers: [{ roll: "check", gives: "disadvantage" }] })) });
    await game.settings.set(ID, "catalogue", { ...catalogue, version: "2014" });
    const actor = pc();
    await actor.update({ "system.attributes.exhaustion": 1 });
    await harness.settle();
    for ( const kind of ["check", "skill", "attack", "save-wis"] ) {
      const [roll] = await rolls[kind](actor);
      ok(!roll.formula.includes("- 2"), `${kind} ${roll.formula}`);
      eq(roll.formula.startsWith("1d20dis"), ["check", "skill"].includes(kind), kind);
    }
  });

  await game.settings.set(ID, "catalogue", {});

  await check("rolls", "an inline roll without a subject, a damage roll and a Hit Die are let through", async () => {
    const actor = npc();
    const [damage] = await sword(actor).rollDamage({}, { ...quick });
    ok(damage.total > 0);
    Hooks.call("dnd5e.preRollV2", { hookNames: ["attack", "d20Test", ""], rolls: [{}] }, {}, {});
  });
};
