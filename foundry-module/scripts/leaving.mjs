import { ID, el, t } from "./text.mjs";
import { everyone, flag, markOf } from "./sheets.mjs";
import { get, pause, paused, set } from "./settings.mjs";
import { status, unpair } from "./link.mjs";
import { catalogue } from "./catalogue.mjs";
import { profile, without } from "./profile.mjs";

/** Settings of the world that go with the module. The pause switch is set free last. */
const EMPTY = { catalogue: {}, rulebook: "", ours: [], world: "" };

/**
 * Take off the creatures, items and users what is ours, before the module is uninstalled: conditions that only we know
 * end, halted effects go on, everything else stays as it is.
 */
export async function cleanUp() {
  const { DialogV2 } = /** @type {any} */ (foundry.applications).api;
  const window = { title: "CONDITION-BRIDGE.Leaving.title", icon: "fa-solid fa-broom" };
  if (!(await DialogV2.confirm({ classes: [ID], window, content: el("p", {}, t("Leaving.sentence")) }))) return;
  // Nothing of ours answers what follows.
  await pause(true);
  await unpair();
  const actors = everyone();
  for (const actor of actors) await strip(actor);
  for (const item of game.items.contents) await free(item);
  for (const user of game.users.contents) await free(user);
  for (const [key, value] of Object.entries(EMPTY)) await set(key, value);
  await pause(false);
  ui.notifications?.info(t("Leaving.done", { count: actors.length }), { permanent: true });
}

/**
 * Take what is ours off one creature.
 * @param {any} actor
 */
async function strip(actor) {
  const own = new Set(catalogue().conditions.flatMap((entry) => (entry.own ? [entry.id] : [])));
  const effects = /** @type {any[]} */ (actor.effects.contents);
  const ours = effects.filter((effect) => effect.statuses.size && [...effect.statuses].every((id) => own.has(id)));
  const marked = effects.filter((effect) => effect.flags?.[ID] && !ours.includes(effect));
  const updates = marked.map((effect) => ({ _id: effect.id, ...(markOf(effect)?.held ? { disabled: false } : {}), ...without("flags", ID) }));
  if (ours.length) await actor.deleteEmbeddedDocuments("ActiveEffect", ours.map((effect) => effect.id));
  if (updates.length) await actor.updateEmbeddedDocuments("ActiveEffect", updates);
  for (const item of actor.items) await free(item);
  await free(actor);
}

/**
 * Remove our flags from a document.
 * @param {any} document
 */
async function free(document) {
  if (document.flags?.[ID]) await document.update(without("flags", ID));
}

/** Copy what helps to find out what is wrong. No key, no code and no name of a person or creature is in it. */
export async function report() {
  const actors = everyone();
  const marked = actors.flatMap((actor) => [...actor.effects].filter((effect) => flag(effect, "mark")));
  const found = {
    module: /** @type {any} */ (game.modules.get(ID))?.version,
    core: game.version,
    system: `${game.system.id} ${game.system.version}`,
    profile: profile(),
    browser: navigator.userAgent,
    page: location.protocol,
    state: status().state,
    paused: paused(),
    catalogue: get("catalogue")?.version ?? "shipped",
    conditions: catalogue().conditions.length,
    waiting: actors.reduce((all, actor) => all + Object.keys(actor.flags?.[ID]?.outbox ?? {}).length, 0),
    creatures: actors.length,
    marked: marked.length,
    users: game.users.map((/** @type {any} */ user) => ({ gm: user.isGM, active: user.active, paired: flag(user, "paired") === true })),
    modules: game.modules.filter((/** @type {any} */ module) => module.active).map((/** @type {any} */ module) => `${module.id} ${module.version}`),
  };
  await /** @type {any} */ (game).clipboard.copyPlainText(JSON.stringify(found, null, 2));
  ui.notifications?.info(t("Leaving.copied"));
}
