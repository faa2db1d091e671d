import shipped from "../catalogue.json" with { type: "json" };
import { ID, PATH, either, t } from "./text.mjs";
import { nameStatus } from "./dnd5e.mjs";
import { statusOf } from "./profile.mjs";

/** @import { Catalogue, Entry } from "../types.js" */

/** @type {Catalogue|null} */
let held = null;

/**
 * The catalogue in force: the world's, else the one that came with the module.
 * @returns {Catalogue}
 */
export function catalogue() {
  if (held) return held;
  let world;
  try {
    world = /** @type {any} */ (game.settings).get(ID, "catalogue");
  } catch (_unregistered) {
    world = null;
  }
  held = world?.conditions?.length ? world : /** @type {any} */ (shipped);
  return /** @type {Catalogue} */ (held);
}

/** The catalogue has changed: read it again when it is needed. */
export function forget() {
  held = null;
  rename();
  /** @type {any} */ (Hooks).callAll(`${ID}.rules`);
  const missing = catalogue().conditions.filter((entry) => entry.own && !statusOf(entry.id));
  if (missing.length && game.user?.isGM) ui.notifications?.warn(t("Catalogue.reload"));
}

/**
 * What the catalogue says of one condition.
 * @param {string} id
 * @returns {Entry|undefined}
 */
export function entryOf(id) {
  return catalogue().conditions.find((entry) => entry.id === id);
}

/**
 * A condition as it was shipped with the module: what `lang/` translates. Other words are a GM's, and stay as they are.
 * @param {string} id
 * @returns {Entry|undefined}
 */
export function shippedEntry(id) {
  return /** @type {any} */ (shipped).conditions.find((/** @type {Entry} */ entry) => entry.id === id);
}

/** Status -> what the system calls it, in the user's language. */
const called = /** @type {Map<string, string>} */ (new Map());

/**
 * The name of a condition or status in the user's language; a name that the GM gave it in the rulebook as it is.
 * @param {string} id
 * @returns {string}
 */
export function nameOf(id) {
  const name = entryOf(id)?.name;
  if (name && name !== shippedEntry(id)?.name) return name;
  const status = called.get(id) ?? statusOf(id)?.name;
  return either(`Condition.${id}`, status ? game.i18n.localize(status) : (name ?? id));
}

/** Call every condition by its name wherever Foundry and the system show it. */
export function rename() {
  for (const { id } of catalogue().conditions) {
    const status = statusOf(id);
    if (!status) continue;
    if (!called.has(id)) called.set(id, game.i18n.localize(status.name));
    status.name = nameOf(id);
    nameStatus(id, status.name);
  }
}

/**
 * The picture of a condition; our own levelled ones have a picture for every level.
 * @param {string} id
 * @param {number} [level]
 * @returns {string}
 */
export function iconOf(id, level = 0) {
  const entry = entryOf(id);
  // A GM's rulebook may name another picture for a condition that the system knows.
  if (!entry || (!entry.own && !entry.icon.includes("/"))) return statusOf(id)?.img ?? `systems/dnd5e/icons/svg/statuses/${id}.svg`;
  const path = entry.icon.includes("/") ? entry.icon : `${PATH}/icons/${entry.icon || id}.svg`;
  const pictured = level > 0 && entry.levels.length > 1 && path.startsWith(PATH);
  return pictured ? path.replace(/\.svg$/u, `-${level}.svg`) : path;
}
