import { distance } from "./evaluate.mjs";
import { perceives } from "./dnd5e.mjs";
import { find, placeOf, tokensOf } from "./sheets.mjs";

/** @import { Facts } from "../types.js" */

/**
 * The token that stands for a creature: its own, else the chosen one, else one on the scene that is being looked at.
 * @param {any} actor
 * @param {any} [scene]
 * @returns {any}
 */
function tokenOf(actor, scene = /** @type {any} */ (canvas)?.scene) {
  const tokens = tokensOf(actor).filter((token) => !scene || token.parent === scene);
  return tokens.find((token) => token.object?.controlled) ?? tokens[0] ?? null;
}

/**
 * Feet between two tokens; null when that is not known.
 * @param {any} one
 * @param {any} other
 * @returns {number|null}
 */
export function between(one, other) {
  return one && other ? distance(placeOf([one]), placeOf([other])) : null;
}

/**
 * Tell whether one token's creature sees the other's, as far as walls and what they are under say; null when not known.
 * @param {any} observer
 * @param {any} subject
 * @returns {boolean|null}
 */
function sees(observer, subject) {
  const far = between(observer, subject);
  if (far === null) return null;
  const [from, to] = [observer, subject].map((token) => token.object && { ...token.object.center, elevation: token.elevation });
  if (!from || !to) return null;
  const sight = /** @type {any} */ (CONFIG.Canvas).polygonBackends?.sight;
  if (subject.hidden || sight?.testCollision(from, to, { type: "sight", mode: "any" })) return false;
  const has = (/** @type {any} */ token, /** @type {string} */ status) => token.actor?.statuses.has(status);
  return perceives(observer.actor, far) || !(has(observer, "blinded") || has(subject, "invisible"));
}

/**
 * What is known of the moment between two creatures.
 * @param {any} roller
 * @param {any} target  A token, or null.
 * @param {string[]} sources  Of the roller's own conditions.
 * @returns {Facts}
 */
export function factsOf(roller, target, sources) {
  const token = tokenOf(roller, target?.parent);
  const seen = sources.map((ref) => [ref, seesSource(token, find(ref))]);
  return {
    distance: between(token, target),
    rollerSeen: sees(target, token),
    targetSeen: sees(token, target),
    sourcesSeen: Object.fromEntries(seen.filter(([, answer]) => answer !== null)),
  };
}

/**
 * Tell whether a creature has the source of its condition in sight; null when one of them stands nowhere.
 * @param {any} token
 * @param {any} source
 * @returns {boolean|null}
 */
function seesSource(token, source) {
  const tokens = source ? tokensOf(source) : [];
  const here = tokens.filter((one) => one.parent === token?.parent);
  if (!token || !tokens.length) return null;
  const answers = here.map((one) => sees(token, one));
  return answers.includes(true) || (answers.includes(null) ? null : false);
}
