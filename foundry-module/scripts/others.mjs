import { ID } from "./text.mjs";
import { get, set } from "./settings.mjs";
import { status } from "./link.mjs";

/**
 * Other modules that do something of what ours does: which part each of them owns, if any, and the key of the words
 * that say how the two get along.
 * @type {Record<string, {part?: "rolls"|"limits", note: string}>}
 */
const OTHERS = {
  "automated-conditions-5e": { part: "rolls", note: "rolls" },
  "adv-reminder": { part: "rolls", note: "rolls" },
  "midi-qol": { part: "limits", note: "limits" },
  "custom-dnd5e": { note: "custom" },
  dae: { note: "expiry" },
  "times-up": { note: "expiry" },
  "dfreds-convenient-effects": { note: "effects" },
  "rest-recovery-for-5e": { note: "rests" },
  "ready-set-roll-5e": { note: "quick" },
  "tidy5e-sheet": { note: "beside" },
  "monks-tokenbar": { note: "beside" },
  "dice-so-nice": { note: "beside" },
  "simple-calendar": { note: "clock" },
  "seasons-and-stars": { note: "clock" },
  calendaria: { note: "clock" },
};

/**
 * The modules of the table above that are active at this table.
 * @returns {{id: string, title: string, note: string, part?: string, ours: boolean}[]}
 */
export function others() {
  const modules = /** @type {any} */ (game.modules);
  const active = Object.entries(OTHERS).filter(([id]) => modules.get(id)?.active);
  return active.map(([id, { part, note }]) => ({ id, title: modules.get(id).title, note, part, ours: part ? get("ours").includes(part) : false }));
}

/**
 * Tell whether ours stands aside with a part of what it does, because another module does it.
 * @param {"rolls"|"limits"} part
 * @returns {boolean}
 */
export function aside(part) {
  const modules = /** @type {any} */ (game.modules);
  return Object.entries(OTHERS).some(([id, one]) => one.part === part && modules.get(id)?.active) && !get("ours").includes(part);
}

/**
 * Let ours do a part although another module does it, or not.
 * @param {string} part
 */
export async function override(part) {
  const ours = /** @type {string[]} */ (get("ours"));
  await set("ours", ours.includes(part) ? ours.filter((one) => one !== part) : [...ours, part]);
  /** @type {any} */ (Hooks).callAll(`${ID}.state`, status());
}
