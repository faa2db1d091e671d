import {
  HAND_FIELDS, capHitPoints, dropHitPoints, hitPoints, hitPointsAfter, isForm, itemOf, kindOf, lastUse, noteHitDice, restKind,
  touchesHitPoints, unsaidRest, useOf,
} from "./dnd5e.mjs";
import { actorOf, creature } from "./sheets.mjs";
import { catalogue, nameOf } from "./catalogue.mjs";
import { inForce, refusedHealing, top } from "./evaluate.mjs";
import { ID, t } from "./text.mjs";
import { happen } from "./outbox.mjs";
import { paused } from "./settings.mjs";

/** @import { Cause } from "../types.js" */

/**
 * How a cause travels: as one string among the values of the write, which the last hook before the write takes out again
 * and puts beside it. `most` is the highest value that the road's own hook has let through.
 * @typedef {Cause & {most?: number, apply?: number}} Marker
 */

/** How long a hand's edit may take from the field to the write, in milliseconds. */
const HAND = 1000;
let count = 0;
/** @type {{actor: any, at: number}|null} */
let hand = null;
/** How far an item's use has raised an actor's maximum: actor and item -> hit points not yet regained. */
const rises = /** @type {Map<string, number>} */ (new Map());

/**
 * Put the cause into the values of a write that is about to be made.
 * @param {Record<string, any>} updates
 * @param {Marker} marker
 */
export function stamp(updates, marker) {
  // One string with a number of its own: two of a kind in a row would else be no difference.
  updates[`flags.${ID}.cause`] = JSON.stringify({ ...marker, n: ++count });
}

/**
 * Take the cause out of the values of a write.
 * @param {Record<string, any>} changed
 * @returns {Marker|null}
 */
function unstamp(changed) {
  const raw = changed.flags?.[ID]?.cause;
  if (typeof raw !== "string") return null;
  delete changed.flags[ID].cause;
  if (foundry.utils.isEmpty(changed.flags[ID])) delete changed.flags[ID];
  if (foundry.utils.isEmpty(changed.flags)) delete changed.flags;
  const { n: _n, ...marker } = JSON.parse(raw);
  return marker;
}

/**
 * A hand is editing hit points: remember whose, for the write that follows.
 * @param {Event} event
 */
function seeHand(event) {
  const field = /** @type {HTMLElement|null} */ (event.target instanceof HTMLElement ? event.target.closest(HAND_FIELDS) : null);
  if (!field || (event instanceof KeyboardEvent && event.key !== "Enter")) return;
  const id = field.closest("[id].application, [id].app, [id].window-app, #token-hud")?.id ?? "";
  const apps = /** @type {any} */ (foundry.applications).instances;
  const app = /** @type {any} */ (apps?.get(id));
  const hud = /** @type {any} */ (canvas)?.hud?.token;
  const actor = app?.actor ?? app?.document?.actor ?? app?.document ?? app?.object?.actor ?? hud?.object?.actor ?? hud?.actor;
  if (actor) hand = { actor, at: performance.now() };
}

/**
 * The kind of a hand's edit of this actor, if that is what is going on. It counts for one write.
 * @param {any} actor
 * @returns {string|null}
 */
function handEdit(actor) {
  if (!hand || hand.actor.uuid !== actor.uuid || performance.now() - hand.at > HAND) return null;
  hand = null;
  return game.user?.isGM ? "gm-edit" : "player-edit";
}

/**
 * How many hit points of a change are refused just now.
 * @param {any} actor
 * @param {Record<string, any>} updates
 * @param {Cause} cause
 * @param {number} [sameUseRise]
 * @returns {number}
 */
function refusal(actor, updates, cause, sameUseRise = 0) {
  if (paused()) return 0;
  const before = hitPoints(actor);
  const after = before && hitPointsAfter(actor, updates);
  if (!before || !after || after.value <= before.value) return 0;
  return refusedHealing(catalogue(), creature(actor), before, after, cause.kind, sameUseRise);
}

/**
 * Say what was refused: at once to whoever tried, and to the bridge, whose card has the button to allow it.
 * @param {any} actor
 * @param {number} amount
 * @param {Cause} cause
 */
function refuse(actor, amount, cause) {
  const gates = inForce(catalogue(), creature(actor)).filter(({ entry }) => entry.gate);
  const condition = gates.map(({ entry }) => nameOf(entry.id)).join(", ");
  ui.notifications?.info(t("Gate.refused", { name: actor.name, amount, condition }));
  happen(actor, { type: "refused", amount, cause });
  /** @type {any} */ (Hooks).callAll(`${ID}.refused`, actor, { amount, cause });
}

/**
 * Damage or healing is about to be applied: chat cards, token bars, the HUD, macros.
 * @param {any} actor
 * @param {number} amount  Below 0 for healing.
 * @param {Record<string, any>} updates
 * @param {Record<string, any>} options
 * @returns {boolean|void}
 */
function beforeDamage(actor, amount, updates, options) {
  const own = options[ID];
  if (own) {
    if (own.damage) updates[`flags.${ID}.damage`] = own.damage;
    stamp(updates, { kind: "unknown", apply: own.apply });
    return;
  }
  const { item, use } = options.originatingMessage ? useOf(options.originatingMessage) : { item: null, use: "" };
  const byHand = options.originatingMessage ? null : handEdit(actor);
  /** @type {Marker} */
  const cause = { kind: byHand ?? kindOf(item), ...(item ? { use, label: item.name } : {}) };
  const key = `${actor.uuid} ${item?.uuid}`;
  const raised = item ? (rises.get(key) ?? 0) : 0;
  const refused = amount < 0 ? refusal(actor, updates, cause, raised) : 0;
  const before = hitPoints(actor)?.value ?? 0;
  const after = (hitPointsAfter(actor, updates)?.value ?? 0) - refused;
  if (raised && after > before) rises.set(key, Math.max(0, raised - (after - before)));
  if (refused) {
    capHitPoints(updates, after);
    refuse(actor, refused, cause);
    const now = /** @type {any} */ (hitPoints(actor));
    const left = /** @type {any} */ (hitPointsAfter(actor, updates));
    if (["value", "temp", "tempmax"].every((field) => now[field] === left[field])) return false;
  }
  stamp(updates, { ...cause, most: after });
}

/**
 * A Hit Die was rolled. The die is the first roll; what a feature adds comes as further rolls.
 * @param {any[]} rolls
 * @param {{subject: any, updates: {actor: Record<string, any>}}} data
 */
function afterHitDie(rolls, { subject, updates }) {
  if (!touchesHitPoints(updates.actor)) return;
  /** @type {Marker} */
  const cause = { kind: "hit-die" };
  const before = hitPoints(subject)?.value ?? 0;
  const most = before + Math.max(0, rolls[0]?.total ?? 0);
  const after = hitPointsAfter(subject, updates.actor)?.value ?? 0;
  const feature = { kind: "rest-feature", label: t("Gate.feature") };
  if (rolls.length > 1 && after > most && refusal(subject, updates.actor, feature)) {
    capHitPoints(updates.actor, most);
    refuse(subject, after - most, feature);
  }
  stamp(updates.actor, cause);
}

/**
 * A death save was rolled; a natural 20 is about to wake the creature.
 * @param {any[]} _rolls
 * @param {{subject: any, updates?: Record<string, any>, chatString?: string}} details
 */
function afterDeathSave(_rolls, details) {
  if (!details.updates || !touchesHitPoints(details.updates)) return;
  const cause = { kind: "death-save" };
  const refused = refusal(details.subject, details.updates, cause);
  if (!refused) {
    stamp(details.updates, cause);
    return;
  }
  // The saves are counted anew, as the natural 20 has it; only the hit point stays away.
  for (const key of Object.keys(details.updates)) if (key.endsWith("hp.value")) delete details.updates[key];
  delete details.chatString;
  refuse(details.subject, refused, cause);
}

/**
 * A rest's results are about to be written.
 * @param {any} _actor
 * @param {{type: string, updateData: Record<string, any>}} result
 */
function beforeRest(_actor, result) {
  const long = restKind(result.type) === "long";
  stamp(result.updateData, { kind: long ? "long-rest" : touchesHitPoints(result.updateData) ? "rest-feature" : "short-rest" });
}

/**
 * The last word before any write to an actor, whichever road it takes. The refused part is taken out here, so that no
 * client ever sees it.
 * @param {any} actor
 * @param {Record<string, any>} changed
 * @param {Record<string, any>} options
 * @returns {boolean|void}
 */
function beforeUpdate(actor, changed, options) {
  const marker = unstamp(changed);
  const beside = { ...options[ID] };
  if (marker?.apply) beside.apply = marker.apply;
  if (marker && !marker.apply) beside.cause = { kind: marker.kind, use: marker.use, label: marker.label };
  if (touchesHitPoints(changed) && !beside.apply) {
    beside.cause ??= { kind: causeOf(actor, changed, options) };
    const allowed = marker?.most ?? Number.NEGATIVE_INFINITY;
    const after = hitPointsAfter(actor, changed)?.value ?? 0;
    const refused = after <= allowed ? 0 : refusal(actor, changed, beside.cause);
    if (refused) {
      const before = hitPoints(actor)?.value ?? 0;
      const kept = Math.max(after - refused, Math.min(allowed, after));
      refuse(actor, after - kept, beside.cause);
      if (kept > before) capHitPoints(changed, kept);
      else if (!dropHitPoints(actor, changed)) return false;
    }
  }
  if (Object.keys(beside).length) options[ID] = beside;
}

/**
 * The kind of a change of hit points that carries no marker.
 * @param {any} actor
 * @param {Record<string, any>} changed
 * @param {Record<string, any>} options
 * @returns {string}
 */
function causeOf(actor, changed, options) {
  if (options.isRest) return "rest-feature";
  if (isForm(changed, options)) return "form";
  return handEdit(actor) ?? (unsaidRest(actor, changed) ? "rest" : "unknown");
}

/**
 * An effect comes or is switched on: note the maximum before it, for all clients.
 * @param {any} effect
 * @param {object} _data
 * @param {Record<string, any>} options
 */
function beforeEffect(effect, _data, options) {
  const hp = actorOf(effect) && hitPoints(actorOf(effect));
  if (hp) options[ID] = { ...options[ID], top: top(hp) };
}

/**
 * An effect came or was switched on: how far has it raised the maximum, and by the use of which item?
 * @param {any} effect
 * @param {Record<string, any>} options
 */
function afterEffect(effect, options) {
  const actor = actorOf(effect);
  const hp = actor && hitPoints(actor);
  const item = itemOf(effect);
  const rise = hp && item ? top(hp) - (options[ID]?.top ?? top(hp)) : 0;
  if (rise <= 0) return;
  rises.set(`${actor.uuid} ${item}`, rise);
  options[ID].cause ??= { kind: "unknown", use: lastUse(/** @type {string} */ (item)) ?? item, label: effect.name };
}

/** Watch for hands from the start. */
function watchHands() {
  for (const type of ["input", "change", "keydown", "focusout"]) document.addEventListener(type, seeHand, { capture: true });
}

export const hooks = {
  ready: watchHands,
  "dnd5e.preApplyDamage": beforeDamage,
  "dnd5e.rollHitDie": afterHitDie,
  "dnd5e.rollDeathSave": afterDeathSave,
  "dnd5e.preRestCompleted": beforeRest,
  preUpdateActor: beforeUpdate,
  preUpdateItem: noteHitDice,
  preCreateActiveEffect: beforeEffect,
  preUpdateActiveEffect: beforeEffect,
  createActiveEffect: afterEffect,
  updateActiveEffect: (/** @type {any} */ effect, /** @type {object} */ _changed, /** @type {any} */ options) =>
    afterEffect(effect, options),
};
