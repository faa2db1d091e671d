import { ID, el, t } from "./text.mjs";
import { consumableKind, costOf, wordsOf } from "./dnd5e.mjs";
import { creature, flag } from "./sheets.mjs";
import { catalogue } from "./catalogue.mjs";
import { happen } from "./outbox.mjs";
import { limitsOn } from "./evaluate.mjs";

/** What an item is to the rules: `alcohol`, `food`, `water` or `none`, and how many drinks it counts as. */
/** @typedef {{kind: string, strength: number}} Serving */

const ALCOHOL =
  "ale ales beer beers wine wines mead spirits whisky whiskey brandy rum grog cider liquor vodka gin stout porter lager moonshine sake schnapps " +
  "bier wein met schnaps likör korn obstler rotwein weißwein glühwein branntwein apfelwein most absinth absinthe";
const WATER = "water wasser";
const words = (/** @type {string} */ list) => new RegExp(`(?<!\\p{L})(?:${list.replaceAll(" ", "|")})(?!\\p{L})`, "iu");
const KINDS = [
  { kind: "alcohol", words: words(ALCOHOL) },
  { kind: "water", words: words(WATER) },
];

/**
 * What an item is: as the GM has marked it, else by its type and name. Only food is guessed at: potions never are.
 * @param {any} item
 * @returns {Serving}
 */
export function servingOf(item) {
  const marked = flag(item, "drink");
  if (marked) return { kind: marked.kind ?? "none", strength: Math.max(1, marked.strength ?? 1) };
  if (consumableKind(item) !== "food") return { kind: "none", strength: 1 };
  const name = wordsOf(item);
  return { kind: KINDS.find((one) => one.words.test(name))?.kind ?? "food", strength: 1 };
}

/**
 * A creature drank alcohol.
 * @param {any} actor
 * @param {{count?: number, strength?: number, willing?: boolean, label?: string, id?: string}} [drink]
 */
export async function drink(actor, { count = 1, strength = 1, willing = false, label = "", id } = {}) {
  await happen(actor, { type: "drank", count, strength, willing, label, ...(id ? { id } : {}) });
}

/**
 * A creature took food or water.
 * @param {any} actor
 * @param {"food"|"water"} [what]
 * @param {string} [id]
 */
export async function eat(actor, what = "food", id) {
  await happen(actor, { type: "ate", what, ...(id ? { id } : {}) });
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
  const what = costOf(activity);
  const fighting = game.combats.find(
    (/** @type {any} */ combat) => combat.round > 0 && combat.combatants.some((/** @type {any} */ one) => one.actor?.uuid === actor.uuid),
  );
  if (what && fighting && limitsOn(catalogue(), creature(actor)).length) happen(actor, { type: "used", what, label: item.name });
}

/**
 * Let the GM say what an item is.
 * @param {any} item
 */
async function mark(item) {
  const now = servingOf(item);
  const option = (/** @type {string} */ kind) => el("option", { value: kind, selected: kind === now.kind }, t(`Serving.${kind}`));
  const content = el(
    "div.standard-form",
    {},
    el(
      "div.form-group",
      {},
      el("label", { for: `${ID}-kind` }, t("Serving.kind")),
      el("select", { name: "kind", id: `${ID}-kind` }, ...["none", "alcohol", "food", "water"].map(option)),
    ),
    el(
      "div.form-group",
      {},
      el("label", { for: `${ID}-strength` }, t("Serving.strength")),
      el("input", { name: "strength", id: `${ID}-strength`, type: "number", min: 1, max: 20, step: 1, value: now.strength }),
      el("p.hint", {}, t("Serving.hint")),
    ),
  );
  const { DialogV2 } = /** @type {any} */ (foundry.applications).api;
  const chosen = await DialogV2.prompt({
    window: { title: t("Serving.title", { name: item.name }), icon: "fa-solid fa-beer-mug-empty" },
    content,
    rejectClose: false,
    ok: {
      label: t("Serving.save"),
      callback: (/** @type {Event} */ _event, /** @type {HTMLButtonElement} */ button) => {
        const fields = /** @type {HTMLFormElement} */ (button.form).elements;
        const value = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (fields.namedItem(name)).value;
        return { kind: value("kind"), strength: Math.max(1, Number.parseInt(value("strength"), 10) || 1) };
      },
    },
  });
  if (chosen) await item.update({ [`flags.${ID}.drink`]: JSON.stringify(chosen) });
}

/**
 * Offer the GM to mark a consumable, in the header of its sheet.
 * @param {any} app
 * @param {any[]} controls
 */
function addControl(app, controls) {
  const item = app.document;
  if (!game.user?.isGM || item?.documentName !== "Item" || consumableKind(item) === null) return;
  if (controls.some((control) => control.action === `${ID}-serving`)) return;
  const act = () => mark(item);
  // Version 13 names the text `label` and calls `onClick`; so does 14.
  controls.push({ icon: "fa-solid fa-beer-mug-empty", label: t("Serving.control"), action: `${ID}-serving`, onClick: act, visible: true });
}

export const hooks = { "dnd5e.postUseActivity": afterUse, getHeaderControlsApplicationV2: addControl };
