import { ID, addControl, choose, el, group, t } from "./text.mjs";
import { consumableKind, hitPoints, wordsOf } from "./dnd5e.mjs";
import { catalogue } from "./catalogue.mjs";
import { flag } from "./sheets.mjs";
import { happenTo } from "./outbox.mjs";

const MUG = "beer-mug-empty";

/** What an item is to the rules: `alcohol`, `food`, `water` or `none`, and how many drinks it counts as. */
/** @typedef {{kind: string, strength: number}} Serving */

const WATER = ["water", "wasser"];

/**
 * What an item is: as the GM has marked it, else by its type and the rulebook's words. Only food is guessed at: potions
 * never are.
 * @param {any} item
 * @returns {Serving}
 */
function servingOf(item) {
  const marked = flag(item, "drink");
  if (marked) return { kind: marked.kind ?? "none", strength: Math.max(1, marked.strength ?? 1) };
  if (consumableKind(item) !== "food") return { kind: "none", strength: 1 };
  const name = ` ${wordsOf(item).toLowerCase().split(/[^\p{L}\p{N}]+/u).join(" ")} `;
  const found = (/** @type {string} */ word) => name.includes(` ${word} `);
  const drinks = catalogue().conditions.flatMap((entry) => Object.entries(entry.items ?? {})).filter(([word]) => found(word));
  if (drinks.length) return { kind: "alcohol", strength: Math.max(...drinks.map(([, strength]) => strength)) };
  return { kind: WATER.some(found) ? "water" : "food", strength: 1 };
}

/**
 * A creature drank alcohol, or several did.
 * @param {any} actor
 * @param {{count?: number, strength?: number, willing?: boolean, label?: string, id?: string}} [drink]
 */
export async function drink(actor, { count = 1, strength = 1, willing = false, label = "", id } = {}) {
  await happenTo(actor, { type: "drank", count, strength, willing, label, ...(id ? { id } : {}) });
}

/**
 * A creature took food or water, or several did.
 * @param {any} actor
 * @param {"food"|"water"} [what]
 * @param {string} [id]
 */
export async function eat(actor, what = "food", id) {
  await happenTo(actor, { type: "ate", what, ...(id ? { id } : {}) });
}

/**
 * An item was used. The item here is a copy: the last bottle may be gone already.
 * @param {any} activity
 * @param {object} _usage
 * @param {any} results
 */
function afterUse(activity, _usage, results) {
  const { actor, item } = activity;
  if (!actor || actor.pack) return;
  const message = results?.message?.id;
  const serving = servingOf(item);
  const id = message ? `use-${message}` : undefined;
  if (serving.kind === "alcohol") drink(actor, { strength: serving.strength, label: item.name, id });
  else if (serving.kind === "food" || serving.kind === "water") eat(actor, serving.kind, id);
}

/**
 * Let the GM say what an item is.
 * @param {any} item
 */
async function mark(item) {
  const now = servingOf(item);
  const option = (/** @type {string} */ kind) => el("option", { value: kind, selected: kind === now.kind }, t(`Serving.${kind}`));
  const kinds = el("select", { name: "kind" }, ...["none", "alcohol", "food", "water"].map(option));
  const strength = el("input", { name: "strength", type: "number", min: 1, max: 20, step: 1, value: now.strength });
  const content = el("div", {}, group(t("Serving.kind"), kinds), group(t("Serving.strength"), strength, t("Serving.hint")));
  const title = t("Serving.title", { name: item.name });
  const chosen = await choose({ title, icon: `fa-solid fa-${MUG}`, ok: t("Serving.save"), content });
  if (!chosen) return;
  const serving = { kind: chosen.kind, strength: Math.max(1, Number.parseInt(chosen.strength, 10) || 1) };
  await item.update({ [`flags.${ID}.drink`]: JSON.stringify(serving) });
}

/**
 * Let the GM set what is particular about one creature.
 * @param {any} actor
 */
export async function setHabits(actor) {
  const { tolerance = 0, willing = false, saveAdvantage = [], whenBloodied = "", ...rest } = flag(actor, "habits") ?? {};
  const content = el(
    "div",
    {},
    group(t("Habits.tolerance"), el("input", { name: "tolerance", type: "number", min: 0, max: 20, step: 1, value: tolerance }), t("Habits.drinks")),
    group(t("Habits.willing"), el("input", { name: "willing", type: "checkbox", checked: willing }), t("Habits.immune")),
    group(t("Habits.poison"), el("input", { name: "poison", type: "checkbox", checked: saveAdvantage.includes("poison") }), t("Habits.advantage")),
    group(t("Habits.bloodied"), el("input", { name: "bloodied", type: "text", maxlength: 400, value: whenBloodied }), t("Habits.note")),
  );
  const title = t("Habits.title", { name: actor.name });
  const chosen = await choose({ title, icon: `fa-solid fa-${MUG}`, ok: t("Serving.save"), content });
  if (!chosen) return;
  const others = saveAdvantage.filter((/** @type {string} */ key) => key !== "poison");
  const habits = {
    ...rest,
    tolerance: Math.max(0, Number.parseInt(chosen.tolerance, 10) || 0),
    willing: Boolean(chosen.willing),
    saveAdvantage: chosen.poison ? [...others, "poison"] : others,
    whenBloodied: chosen.bloodied.trim(),
  };
  await actor.update({ [`flags.${ID}.habits`]: JSON.stringify(habits) });
}

/**
 * Offer both in the header of a sheet.
 * @param {any} app
 * @param {any[]} controls
 */
function addControls(app, controls) {
  const { document: shown } = app;
  if (!game.user?.isGM || !shown) return;
  if (shown.documentName === "Item" && consumableKind(shown) !== null) {
    addControl(controls, `${ID}-serving`, MUG, t("Serving.control"), () => mark(shown));
  } else if (shown.documentName === "Actor" && hitPoints(shown)) {
    addControl(controls, `${ID}-habits`, MUG, t("Habits.control"), () => setHabits(shown));
  }
}

export const hooks = { "dnd5e.postUseActivity": afterUse, getHeaderControlsApplicationV2: addControls };
