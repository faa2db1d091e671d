/** Limits, sources and the gate under dnd5e's own code. Run by test_module_under_dnd5e.py. */

import { readFileSync } from "node:fs";

const ID = "condition-bridge";
const shipped = JSON.parse(readFileSync(new URL("../../../foundry-module/catalogue.json", import.meta.url)));

export default async ({ check, eq, ok, pc, npc, quick, harness }) => {
  const put = async (actor, status, mark = {}, options = { [ID]: { apply: 1 } }) => {
    const known = Object.values(CONFIG.statusEffects).find(one => one.id === status);
    const effect = known ? (await ActiveEffect.implementation.fromStatusEffect(status)).toObject() : { name: status, statuses: [status] };
    const flags = Object.keys(mark).length ? { [ID]: { mark: JSON.stringify(mark) } } : {};
    const made = await ActiveEffect.implementation.create({ ...effect, flags }, { parent: actor, keepId: true, ...options });
    await harness.settle();
    return made;
  };
  const catalogue = changes => game.settings.set(ID, "catalogue", { ...shipped, ...changes });
  const use = (actor, name) => actor.items.getName(name).use({ ...quick }, { ...quick });

  await check("limits", "a stunned creature's action is refused, and nothing is used up", async () => {
    await catalogue({ limitsGm: "refuse", version: "l1" });
    const actor = pc();
    await put(actor, "stunned");
    eq(await use(actor, "Longsword"), undefined);
  });

  await check("limits", "concentration that may not start does not", async () => {
    await catalogue({ limitsGm: "warn", version: "l2" });
    const actor = pc();
    await put(actor, "intoxicated", { level: 5 });
    await use(actor, "Bless");
    await harness.settle();
    eq(actor.concentration.effects.size, 0);
    const sober = pc();
    await use(sober, "Bless");
    await harness.settle();
    eq(sober.concentration.effects.size, 1);
  });

  await check("limits", "nothing else stands in the way of a use", async () => {
    const actor = pc();
    ok(await use(actor, "Longsword"));
  });

  await check("sources", "an effect with the origin of another creature's item gets it as its source", async () => {
    const actor = pc();
    const ogre = npc();
    const origin = ogre.items.contents[0].uuid;
    const [effect] = await actor.createEmbeddedDocuments("ActiveEffect", [{ name: "Fear", statuses: ["frightened"], origin }]);
    eq(JSON.parse(effect.flags[ID].mark).source, ogre.uuid);
  });

  await check("gate", "a bleeding creature: a spell is refused, a Hit Die and a long rest are granted", async () => {
    const actor = pc({ hp: 10 });
    await put(actor, "bleeding");
    await actor.applyDamage([{ value: 5, type: "healing" }]);
    eq(actor.system.attributes.hp.value, 10);
    await actor.update({ "system.attributes.hp.value": 15 });
    eq(actor.system.attributes.hp.value, 10);
    await actor.rollHitDie({}, { ...quick });
    ok(actor.system.attributes.hp.value > 10, "the Hit Die counts");
    await actor.longRest({ dialog: false, chat: false });
    eq(actor.system.attributes.hp.value, actor.system.attributes.hp.max);
    eq(actor.flags[ID]?.cause, undefined);
  });

  await check("boot", "the module threw nothing", async () => eq(harness.errors.length, 0));
};
