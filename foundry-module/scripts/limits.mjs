import { catalogue, nameOf } from "./catalogue.mjs";
import { costOf, harms } from "./dnd5e.mjs";
import { creature, find, flag, tokensOf } from "./sheets.mjs";
import { inForce, limitsOn } from "./evaluate.mjs";
import { ID, t } from "./text.mjs";
import { aside } from "./others.mjs";
import { happen } from "./outbox.mjs";
import { paused } from "./settings.mjs";

/** @import { Entry } from "../types.js" */

/**
 * The limits on a creature, unless ours stands aside.
 * @param {any} actor
 * @returns {ReturnType<typeof limitsOn>}
 */
function limitsFor(actor) {
  return !actor || paused() || aside("limits") ? [] : limitsOn(catalogue(), creature(actor));
}

/**
 * The running combat that a creature is in, and whether it is its turn.
 * @param {any} actor
 * @returns {{combat: any, mine: boolean, turn: string}|null}
 */
function fightOf(actor) {
  const is = (/** @type {any} */ combatant) => combatant?.actor?.uuid === actor.uuid;
  const combat = game.combats.find((/** @type {any} */ one) => one.round > 0 && one.combatants.some(is));
  return combat ? { combat, mine: is(combat.combatant), turn: `${combat.id} ${combat.round} ${combat.turn}` } : null;
}

/**
 * What was done here and is not yet on its document: the next click may come before the server's answer.
 * @type {Map<string, {turn: string, did: string}>}
 */
const underWay = new Map();

/**
 * What a creature has done this turn.
 * @param {any} actor
 * @param {string} turn
 * @returns {string}
 */
function didOf(actor, turn) {
  const noted = underWay.get(actor.uuid) ?? flag(actor, "turn");
  return noted?.turn === turn ? noted.did : "";
}

/**
 * Note what a creature has done in its turn, and tell the bridge. What is under no condition is left alone.
 * @param {any} actor
 * @param {string} what
 * @param {object} [more]
 */
export async function spend(actor, what, more) {
  const fight = fightOf(actor);
  if (!fight || paused() || !inForce(catalogue(), creature(actor)).length) return;
  const did = didOf(actor, fight.turn);
  if (what === "move" && did) return;
  const note = fight.mine && !did && actor.isOwner && ["action", "attack", "move"].includes(what) && { turn: fight.turn, did: what };
  if (note) underWay.set(actor.uuid, note);
  try {
    if (more) await happen(actor, { type: "used", what, ...more });
    if (note) await actor.update({ [`flags.${ID}.turn`]: JSON.stringify(note) });
  } finally {
    if (note) underWay.delete(actor.uuid);
  }
}

/**
 * Say that something is against a limit; true when it must not be done.
 * @param {any} actor
 * @param {Entry|string} by
 * @param {string} key
 * @param {boolean} [always]  Whoever does it.
 * @returns {boolean}
 */
function stop(actor, by, key, always = false) {
  const { limitsPlayers = "refuse", limitsGm = "warn" } = catalogue();
  const mode = game.user?.isGM ? limitsGm : limitsPlayers;
  if (mode === "off") return false;
  const condition = typeof by === "string" ? by : nameOf(by.id);
  ui.notifications?.warn(t(`Limit.${key}`, { name: actor.token?.name ?? actor.name, condition }));
  return always || mode === "refuse";
}

/**
 * What stands against a creature's action, bonus action or reaction: a condition, or the name of what has cost it.
 * @param {any} actor
 * @param {string} cost
 * @param {boolean} attack
 * @returns {Entry|string|null}
 */
function against(actor, cost, attack) {
  const fight = fightOf(actor);
  for (const { entry, limits } of limitsFor(actor)) {
    if (!limits.moveOrAction) {
      if (/** @type {any} */ (limits)[cost]) return entry;
    } else if (fight) {
      const did = fight.mine ? didOf(actor, fight.turn) : "";
      if (cost === "action" ? did && !(attack && did === "attack") : /** @type {any} */ (limits)[cost]) return entry;
    }
  }
  const [combat, round] = flag(actor, "memory")?.lost ?? [];
  const lost = fight?.mine && cost === "action" && combat === fight.combat.id && round === fight.combat.round;
  return lost && !paused() && !aside("limits") ? t("Limit.spent") : null;
}

/**
 * Tell whether an activity may be aimed at what it is aimed at.
 * @param {any} activity
 * @returns {boolean}
 */
export function mayHarm(activity) {
  if (!harms(activity)) return true;
  const aims = new Set([.../** @type {any} */ (game.user).targets].map((token) => token.actor?.uuid));
  const charmed = limitsFor(activity.actor).find(({ limits, sources }) => limits.attackSource && sources.some((ref) => aims.has(ref)));
  return !charmed || !stop(activity.actor, charmed.entry, "source");
}

/**
 * An activity is about to be used.
 * @param {any} activity
 * @returns {boolean|void}
 */
function beforeUse(activity) {
  const cost = costOf(activity);
  const by = cost && activity.actor ? against(activity.actor, cost, activity.type === "attack") : null;
  if ((by && stop(activity.actor, by, cost ?? "")) || !mayHarm(activity)) return false;
}

/**
 * An activity was used.
 * @param {any} activity
 */
function afterUse(activity) {
  const cost = costOf(activity);
  if (!cost || !activity.actor) return;
  spend(activity.actor, cost === "action" && activity.type === "attack" ? "attack" : cost, { label: activity.item.name });
}

/**
 * A token is about to be moved by this user. A GM's hand is warned, never refused: forced movement looks the same.
 * @param {any} token
 * @param {any} movement
 * @returns {boolean|void}
 */
function beforeMove(token, movement) {
  const { actor } = token;
  if (["undo", "config"].includes(movement.method)) return;
  const fight = actor && fightOf(actor);
  for (const { entry, limits, sources } of limitsFor(actor)) {
    const acted = limits.moveOrAction && fight?.mine && ["action", "attack"].includes(didOf(actor, fight.turn));
    const closer = limits.closerToSource && sources.some((ref) => nears(token, movement, find(ref)));
    if ((acted || closer) && stop(actor, entry, closer ? "closer" : "move") && !game.user?.isGM) return false;
  }
}

/**
 * Tell whether a movement ends, or at some point is, closer to a creature than it began.
 * @param {any} token
 * @param {any} movement
 * @param {any} source
 * @returns {boolean}
 */
function nears(token, { origin, destination, passed, pending }, source) {
  const half = (/** @type {any} */ one) => [one.width, one.height].map((side) => (side * token.parent.grid.size) / 2);
  const points = [destination, ...(passed?.waypoints ?? []), ...(pending?.waypoints ?? [])];
  return (source ? tokensOf(source) : []).some((other) => {
    if (other.parent !== token.parent) return false;
    const [[w, h], [ow, oh]] = [half(token), half(other)];
    const rise = token.parent.grid.size / token.parent.grid.distance;
    const far = (/** @type {any} */ at) =>
      Math.hypot(at.x + w - other.x - ow, at.y + h - other.y - oh, ((at.elevation ?? token.elevation) - other.elevation) * rise);
    return points.some((point) => far({ ...origin, ...point }) < far(origin) - 1);
  });
}

/**
 * A token was moved. What the GM drags of a player's creature may be forced movement: it is not counted.
 * @param {any} token
 * @param {any} _movement
 * @param {any} _operation
 * @param {any} user
 */
function afterMove(token, _movement, _operation, user) {
  const { actor } = token;
  if (!user?.isSelf || !actor || (user.isGM && actor.hasPlayerOwner) || !fightOf(actor)?.mine) return;
  spend(actor, "move", {});
}

/**
 * Concentration is about to begin: what may not start does not, whoever starts it.
 * @param {any} actor
 * @returns {boolean|void}
 */
function beforeConcentration(actor) {
  const found = limitsFor(actor).find(({ limits }) => limits.concentration);
  if (found && stop(actor, found.entry, "concentration", true)) return false;
}

export const hooks = {
  "dnd5e.preUseActivity": beforeUse,
  "dnd5e.postUseActivity": afterUse,
  "dnd5e.preBeginConcentrating": beforeConcentration,
  preMoveToken: beforeMove,
  moveToken: afterMove,
};
