import { actorOf, by, everyone, sheet, tokensOf } from "./sheets.mjs";
import { connected, room, send } from "./link.mjs";
import { ID, t } from "./text.mjs";
import { useBehind } from "./dnd5e.mjs";

/** @import { Message, Sheet } from "../types.js" */

/** What was last shown of each creature, as JSON. */
const shown = /** @type {Map<string, string>} */ (new Map());
const running = /** @type {Set<string>} */ (new Set());
const encoder = new TextEncoder();
/** Bytes that go with a creature's sheet in its message, at most. */
const BESIDE = 2000;

/**
 * Tell whether the bridge takes a sheet of this size; if not, the GM is told: nothing but this creature is to suffer.
 * @param {Sheet} one
 * @param {number} length
 * @returns {boolean}
 */
function fits({ name }, length) {
  if (length + BESIDE <= room()) return true;
  ui.notifications?.warn(t("Picture.large", { name: (name ?? "").slice(0, 100) }));
  return false;
}

/**
 * Show the whole world, in pages.
 * @param {any[]} actors
 * @param {{message: number, page: number}} limits
 */
export function showWorld(actors, limits) {
  shown.clear();
  running.clear();
  /** @type {object[][]} */
  const pages = [[]];
  let size = 0;
  for (const actor of actors) {
    const one = sheet(actor);
    const text = JSON.stringify(one);
    const length = encoder.encode(text).length + 1;
    shown.set(one.id, text);
    if (!fits(one, length)) continue;
    const page = pages[pages.length - 1];
    if (page.length && (page.length >= limits.page || size + length > limits.message / 2)) {
      pages.push([one]);
      size = length;
    } else {
      page.push(one);
      size += length;
    }
  }
  const combats = game.combats.contents.map(combatOf).filter(Boolean);
  pages.forEach((page, index) => {
    const last = index === pages.length - 1;
    send({
      type: "picture",
      actors: page,
      clock: game.time.worldTime,
      page: index + 1,
      pages: pages.length,
      ...(last && combats.length ? { combats } : {}),
    });
  });
}

/**
 * Show these creatures, as far as anything about them has changed.
 * @param {any[]} actors
 * @param {Record<string, any>} [options]  Of the Foundry operation: what the module put beside the write.
 * @param {string} [userId]
 * @param {object} [more]
 */
export function show(actors, options = {}, userId = "", more = {}) {
  if (!connected()) return;
  const sheets = [];
  for (const actor of actors) {
    if (!actor || actor.pack || !actor.id) continue;
    const one = sheet(actor);
    const text = JSON.stringify(one);
    if (shown.get(one.id) === text && !options.force) continue;
    shown.set(one.id, text);
    if (fits(one, encoder.encode(text).length)) sheets.push(one);
  }
  if (!sheets.length && !Object.keys(more).length) return;
  const beside = options[ID] ?? {};
  /** @type {Message} */
  const picture = { type: "picture", ...(sheets.length ? { actors: sheets } : {}), ...more };
  if (beside.cause) picture.cause = beside.cause;
  if (beside.apply) picture.apply = beside.apply;
  if (userId) picture.by = by(userId);
  send(picture);
}

/**
 * Show that creatures are gone.
 * @param {string[]} refs
 * @param {string} [userId]
 */
export function gone(refs, userId = "") {
  for (const ref of refs) shown.delete(ref);
  if (refs.length) show([], {}, userId, { gone: refs });
}

/**
 * An actor, and those that unlinked tokens have made from it.
 * @param {any} actor
 * @returns {any[]}
 */
function family(actor) {
  if (!actor) return [];
  if (actor.isToken) return [actor];
  return [actor, ...tokensOf(actor, false).map((token) => token.actor)];
}

/**
 * A running combat as it goes over the wire; null for one that has not begun.
 * @param {any} combat
 * @returns {object|null}
 */
function combatOf(combat) {
  if (!(combat.round >= 1)) return null;
  running.add(combat.id);
  return {
    id: combat.id,
    round: combat.round,
    turn: combat.turn ?? 0,
    order: combat.turns.map((/** @type {any} */ one) => ({
      id: one.id,
      ...(one.actor ? { actor: one.actor.uuid } : {}),
      ...(Number.isFinite(one.initiative) ? { initiative: one.initiative } : {}),
      ...(one.isDefeated || one.defeated ? { defeated: true } : {}),
    })),
    ...(combat.scene ? { scene: combat.scene.id } : {}),
  };
}

/**
 * A combat changed.
 * @param {any} combat
 * @param {Record<string, any>} options
 * @param {string} userId
 */
function showCombat(combat, options, userId) {
  if (!connected() || !combat) return;
  const was = running.has(combat.id);
  const now = combatOf(combat);
  if (now) show([], options, userId, { combats: [now] });
  else if (was) endCombat(combat, options, userId);
}

/**
 * A combat is over.
 * @param {any} combat
 * @param {Record<string, any>} options
 * @param {string} userId
 */
function endCombat(combat, options, userId) {
  if (running.delete(combat.id)) show([], options, userId, { ended: [combat.id] });
}

/**
 * A token changed. What concerns its own actor comes by the actor's and effects' hooks, with their causes; a second look
 * afterwards catches what came without them.
 * @param {any} token
 * @param {any} changed
 * @param {Record<string, any>} options
 * @param {string} userId
 */
function tokenChanged(token, changed, options, userId) {
  if (!connected()) return;
  if ("actorLink" in changed || "actorId" in changed) gone([`${token.uuid}.Actor.${token.actorId}`], userId);
  const rest = Object.keys(changed).filter((key) => !["_id", "delta"].includes(key));
  if (rest.length) show([token.actor], options, userId);
  else window.setTimeout(() => show([token.actor], options, userId), 0);
}

/**
 * The creatures that go with these tokens.
 * @param {any[]} tokens
 * @returns {string[]}
 */
function refsOf(tokens) {
  return tokens.filter((token) => !token.pack && !token.actorLink && token.actorId).map((token) => `${token.uuid}.Actor.${token.actorId}`);
}

/** @typedef {any} Doc */
/** @typedef {Record<string, any>} Options */
/** @type {(change: (doc: Doc, options: Options, userId: string) => any) => (doc: Doc, changed: any, options: Options, userId: string) => any} */
const onUpdate = (change) => (doc, _changed, options, userId) => change(doc, options, userId);

const ofActor = (/** @type {Doc} */ doc, /** @type {Options} */ options, /** @type {string} */ user) => {
  if (connected() && !doc.pack) show(family(doc), options, user);
};
const ofPart = (/** @type {Doc} */ doc, /** @type {Options} */ options, /** @type {string} */ user) => {
  if (connected()) show(family(actorOf(doc)), options, user);
};
const ofCombatant = (/** @type {Doc} */ doc, /** @type {Options} */ options, /** @type {string} */ user) =>
  showCombat(doc.parent, options, user);

export const hooks = {
  createActor: ofActor,
  updateActor: onUpdate(ofActor),
  deleteActor: (/** @type {Doc} */ actor, /** @type {Options} */ _options, /** @type {string} */ user) => {
    if (!connected() || actor.pack) return;
    const left = new Set(everyone().map((one) => one.uuid));
    const lost = [...shown.keys()].filter((ref) => ref.endsWith(`Actor.${actor.id}`) && !left.has(ref));
    gone(lost.length ? lost : [actor.uuid], user);
  },
  // What has an origin came from an item or a spell, not by somebody's hand on the icon.
  createActiveEffect: (/** @type {Doc} */ effect, /** @type {Options} */ options, /** @type {string} */ user) => {
    if (connected()) ofPart(effect, { ...options, [ID]: { cause: useBehind(effect), ...options[ID] } }, effect.origin ? "" : user);
  },
  updateActiveEffect: onUpdate(ofPart),
  deleteActiveEffect: ofPart,
  createItem: ofPart,
  updateItem: onUpdate(ofPart),
  deleteItem: ofPart,
  createToken: (/** @type {Doc} */ token, /** @type {Options} */ options, /** @type {string} */ user) =>
    show([token.actor], options, user),
  updateToken: tokenChanged,
  deleteToken: (/** @type {Doc} */ token, /** @type {Options} */ options, /** @type {string} */ user) => {
    gone(refsOf([token]), user);
    if (token.actorLink) show([token.actor], options, user);
  },
  deleteScene: (/** @type {Doc} */ scene, /** @type {Options} */ options, /** @type {string} */ user) => {
    gone(refsOf(scene.tokens.contents), user);
    show(scene.tokens.contents.filter((/** @type {Doc} */ token) => token.actorLink).map((/** @type {Doc} */ token) => token.actor), options, user);
  },
  updateCombat: onUpdate(showCombat),
  deleteCombat: endCombat,
  createCombatant: ofCombatant,
  updateCombatant: onUpdate(ofCombatant),
  deleteCombatant: ofCombatant,
  updateWorldTime: (/** @type {number} */ time, /** @type {number} */ _delta, /** @type {Options} */ options, /** @type {string} */ user) =>
    show([], options, user, { clock: time }),
};
