import { exhaustion, facts, feet } from "./dnd5e.mjs";
import { ID } from "./text.mjs";

/** @import { By, Effect, Mark, Place, Sheet } from "../types.js" */

/**
 * Read a flag that is kept as JSON, so that no key of it is taken for a path and no part of an older one stays.
 * @param {any} document
 * @param {string} key
 * @returns {any}
 */
export function flag(document, key) {
  const raw = document?.flags?.[ID]?.[key];
  if (typeof raw !== "string") return raw ?? undefined;
  try {
    return JSON.parse(raw);
  } catch (_notJson) {
    return undefined;
  }
}

/**
 * The creature of an effect or an item: the actor that it is on, or that owns the item that it is on. None for what lies
 * in a compendium (CMB-9), or on no creature.
 * @param {any} document
 * @returns {any}
 */
export function actorOf(document) {
  const parent = document?.parent;
  const actor = parent?.documentName === "Item" ? parent.parent : parent;
  return actor?.documentName === "Actor" && !actor.pack ? actor : null;
}

/**
 * Find the actor that a reference names, in the world or on a token; null when it is gone.
 * @param {string} ref
 * @returns {any}
 */
export function find(ref) {
  if (!/^(?:Actor|Scene)\./u.test(ref ?? "")) return null;
  const found = /** @type {any} */ (fromUuidSync(/** @type {any} */ (ref), { strict: false }));
  return found?.documentName === "Actor" ? found : (found?.actor ?? null);
}

/**
 * Every creature of the world: its actors, and the actors of unlinked tokens on all scenes.
 * @returns {any[]}
 */
export function everyone() {
  const tokens = game.scenes.contents.flatMap((/** @type {any} */ scene) => scene.tokens.contents);
  const own = tokens.filter((/** @type {any} */ token) => !token.actorLink && token.actor);
  return [...game.actors.contents, ...own.map((/** @type {any} */ token) => token.actor)];
}

/**
 * The tokens that show an actor of the world; for an unlinked token's own actor that token alone.
 * @param {any} actor
 * @param {boolean} linked  Those that are linked to it, else those that have an actor of their own made from it.
 * @returns {any[]}
 */
export function tokensOf(actor, linked = true) {
  if (actor.isToken) return linked ? [actor.token] : [];
  if (actor.getDependentTokens) return actor.getDependentTokens({ linked });
  const all = game.scenes.contents.flatMap((/** @type {any} */ scene) => scene.tokens.contents);
  return all.filter((/** @type {any} */ token) => token.actorId === actor.id && Boolean(token.actorLink) === linked);
}

/**
 * What the bridge stamped on an effect. The system's own level of Exhaustion stands in for ours.
 * @param {any} effect
 * @returns {Mark|undefined}
 */
export function markOf(effect) {
  const mark = flag(effect, "mark");
  if (!effect.statuses?.has("exhaustion") || effect.parent?.documentName !== "Actor") return mark;
  const level = Math.max(1, exhaustion(effect.parent));
  return mark || level > 1 ? { ...mark, level } : mark;
}

/**
 * The effects that carry a status, of the actor and of its items. A compendium's copy has no conditions (CMB-9).
 * @param {any} actor
 * @returns {Effect[]}
 */
function effectsOf(actor) {
  if (actor.pack) return [];
  const found = [...(actor.allApplicableEffects?.() ?? actor.effects)].filter((effect) => effect.statuses?.size);
  return found.map((effect) =>
    lean({
      id: effect.id,
      statuses: [...effect.statuses].sort(),
      name: effect.name,
      // What was forced on the immune holds, although the system suppresses it.
      disabled: Boolean(effect.disabled || (effect.isSuppressed && !markOf(effect)?.forced)),
      fixed: effect.parent !== actor,
      mark: markOf(effect),
    }),
  );
}

/**
 * Where a token stands, in feet.
 * @param {any[]} tokens
 * @returns {Place|undefined}
 */
export function placeOf(tokens) {
  const token = tokens.find((one) => one.parent?.active) ?? tokens[0];
  const grid = token?.parent?.grid;
  if (!grid?.size) return undefined;
  const units = (/** @type {number} */ value) => feet(value * (grid.distance ?? 5), grid.units);
  return {
    scene: token.parent.id,
    x: units(token.x / grid.size),
    y: units(token.y / grid.size),
    size: units(Math.max(token.width, token.height)),
    elevation: feet(token.elevation ?? 0, grid.units),
  };
}

/**
 * Leave out what is empty, none or false: on the wire that is how a default is written.
 * @template {Record<string, any>} T
 * @param {T} fields
 * @returns {T}
 */
function lean(fields) {
  const empty = (/** @type {any} */ value) =>
    value === null ||
    value === undefined ||
    value === false ||
    value === "" ||
    (typeof value === "object" && Object.keys(value).length === 0);
  return /** @type {T} */ (Object.fromEntries(Object.entries(fields).filter(([, value]) => !empty(value))));
}

/**
 * The creature as the rules see it.
 * @param {any} actor
 * @returns {Sheet}
 */
export function sheet(actor) {
  const tokens = tokensOf(actor);
  return lean({
    id: actor.uuid,
    name: actor.token?.name ?? actor.name,
    type: actor.type,
    ...facts(actor),
    effects: effectsOf(actor),
    concentrating: Boolean(actor.statuses?.has("concentrating")),
    hidden: tokens.length ? tokens.every((token) => token.hidden) : !actor.hasPlayerOwner,
    owned: Boolean(actor.hasPlayerOwner),
    habits: flag(actor, "habits"),
    memory: flag(actor, "memory"),
    place: placeOf(tokens),
  });
}

/**
 * The part of it that the catalogue's evaluation of healing and limits needs.
 * @param {any} actor
 * @returns {Sheet}
 */
export function creature(actor) {
  return { id: actor.uuid, ...facts(actor), effects: effectsOf(actor), place: placeOf(tokensOf(actor)) };
}

/**
 * Who did it, by the user's id as Foundry gives it.
 * @param {string} userId
 * @returns {By}
 */
export function by(userId) {
  const user = game.users.get(userId);
  return { user: userId, gm: user?.isGM ?? false, name: user?.name ?? "" };
}

/**
 * Tell whether two JSON values are equal; what is left out of an object equals its default where that is falsy.
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
export function same(one, other) {
  if (one === other || (!one && !other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => same(one[key], other[key]));
}

/**
 * Tell whether two marks say the same; none says as much as one of level 1.
 * @param {Mark|null|undefined} one
 * @param {Mark|null|undefined} other
 * @returns {boolean}
 */
export function sameMark(one, other) {
  return same({ level: 1, ...one }, { level: 1, ...other });
}
