/** What conditions do to Speed, under dnd5e's own derivation of it. Run by test_module_under_dnd5e.py. */

import { readFileSync } from "node:fs";

const ID = "condition-bridge";
const shipped = JSON.parse(readFileSync(new URL("../../../foundry-module/catalogue.json", import.meta.url)));

export default async ({ check, eq, pc, harness }) => {
  const drunk = async (actor, level) => {
    await ActiveEffect.implementation.create({ name: "Intoxicated", statuses: ["intoxicated"],
      flags: { [ID]: { mark: JSON.stringify({ level }) } } }, { parent: actor, [ID]: { apply: 1 } });
    await harness.settle();
  };
  const update = async (actor, changes) => {
    await actor.update(changes);
    await harness.settle();
  };
  const walk = actor => actor.system.attributes.movement.walk;

  await check("speed", "halved after the system's own reduction by Exhaustion, rounded down", async () => {
    const actor = pc();
    await update(actor, { "system.attributes.movement.walk": "30", "system.attributes.exhaustion": 1 });
    eq(walk(actor), 25);
    await drunk(actor, 5);
    eq(walk(actor), 12);
    eq([actor.system.attributes.movement.max, actor.system.attributes.movement.slowed], [12, true]);
    await game.settings.set(ID, "paused", true);
    eq(walk(actor), 25);
    await game.settings.set(ID, "paused", false);
    eq(walk(actor), 12);
  });

  await check("speed", "exhaustion of 2014 in place of the system's own", async () => {
    const catalogue = structuredClone(shipped);
    const entry = catalogue.conditions.find(one => one.id === "exhaustion");
    Object.assign(entry, { instead: true, levels: entry.levels.map((level, at) => ({ ...level, nativeSpeed: undefined, speed: at > 0 ? { halved: true } : undefined })) });
    await game.settings.set(ID, "catalogue", { ...catalogue, version: "2014" });
    const actor = pc();
    await update(actor, { "system.attributes.movement.walk": "30", "system.attributes.exhaustion": 1 });
    eq(walk(actor), 30);
    await update(actor, { "system.attributes.exhaustion": 2 });
    eq(walk(actor), 15);
    await game.settings.set(ID, "catalogue", {});
    eq(walk(actor), 20);
  });
};
