import { PATH, t } from "./text.mjs";
import { actorOf, markOf } from "./sheets.mjs";
import { catalogue, entryOf, iconOf, nameOf, rename } from "./catalogue.mjs";
import { registerStatus } from "./dnd5e.mjs";
import { setEffect } from "./apply.mjs";
import { statusOf } from "./profile.mjs";
import { summaryAt } from "./words.mjs";

/** @import { Entry } from "../types.js" */

/** Make the statuses that neither Foundry nor dnd5e has known to them: this must be done at `init`. */
function init() {
  for (const entry of catalogue().conditions.filter((one) => one.own)) {
    registerStatus(entry.id, {
      name: entry.name,
      img: iconOf(entry.id),
      pseudo: true,
      statuses: entry.implied ?? [],
      riders: entry.leftBehind ?? [],
    });
  }
}

/**
 * The condition of ours with levels that a control of the token HUD is for.
 * @param {EventTarget|null} target
 * @returns {Entry|null}
 */
function levelled(target) {
  const control = target instanceof HTMLElement ? target.closest("[data-status-id].effect-control") : null;
  const entry = control instanceof HTMLElement ? entryOf(control.dataset.statusId ?? "") : null;
  return entry?.own && entry.levels.length > 1 ? entry : null;
}

/**
 * The effect that carries a condition on an actor, and its level; 0 when there is none.
 * @param {any} actor
 * @param {string} id
 * @returns {{effect: any, level: number}}
 */
export function levelOn(actor, id) {
  const effect = actor.effects.find((/** @type {any} */ one) => one.statuses.has(id) && actorOf(one) === actor);
  return { effect, level: effect ? (markOf(effect)?.level ?? 1) : 0 };
}

/**
 * Set the level of a levelled condition by hand.
 * @param {any} actor
 * @param {string} id
 * @param {number} level  0 ends it.
 * @returns {Promise<void>}
 */
export async function setLevel(actor, id, level) {
  const entry = entryOf(id);
  const { effect } = levelOn(actor, id);
  if (!entry) return;
  const clamped = Math.min(Math.max(0, level), entry.levels.length);
  const mark = clamped ? { ...(effect ? markOf(effect) : {}), level: clamped } : null;
  const documentId = effect?.id ?? statusOf(id)?._id ?? id;
  await setEffect(actor, { id: documentId, condition: id, statuses: [id], mark, disabled: false }, {});
}

/**
 * A click on a levelled condition in the token HUD: up by one, with the right button down by one.
 * @param {MouseEvent} event
 */
function onClick(event) {
  const entry = levelled(event.target);
  const hud = /** @type {any} */ (canvas)?.hud?.token;
  const actor = entry && (hud?.object?.actor ?? hud?.actor);
  if (!entry || !actor) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  setLevel(actor, entry.id, levelOn(actor, entry.id).level + (event.button === 0 ? 1 : -1));
}

/** Watch the token HUD before Foundry does. */
function ready() {
  for (const type of /** @type {const} */ (["click", "contextmenu"])) document.addEventListener(type, onClick, { capture: true });
}

/**
 * Show the level in the token HUD, and what the condition does.
 * @param {any} hud
 * @param {HTMLElement} html
 */
function drawHud(hud, html) {
  const actor = hud.object?.actor ?? hud.actor;
  if (!actor) return;
  for (const entry of catalogue().conditions.filter((one) => one.own)) {
    const control = /** @type {HTMLElement|null} */ (html.querySelector(`[data-status-id="${entry.id}"]`));
    if (!control) continue;
    const { level } = levelOn(actor, entry.id);
    const summary = summaryAt(entry.id, Math.max(1, level));
    const name = level && entry.levels.length > 1 ? `${nameOf(entry.id)} ${level}` : nameOf(entry.id);
    control.dataset.tooltipText = entry.levels.length > 1 ? t("Hud.levels", { name, summary }) : `${name}: ${summary}`;
    control.setAttribute("aria-label", control.dataset.tooltipText);
    delete control.dataset.tooltip;
    const image = iconOf(entry.id, level);
    if (level && image.startsWith(PATH)) control.setAttribute("src", image);
  }
}

export const hooks = { init, setup: rename, ready, renderTokenHUD: drawHud };
