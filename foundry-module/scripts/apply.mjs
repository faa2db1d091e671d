import { ID, PATH, t } from "./text.mjs";
import { find, flag, markOf, same, sameMark } from "./sheets.mjs";
import { ask, rollDice } from "./saves.mjs";
import { endless, statusOf } from "./profile.mjs";
import { exhaustion, hitDice, hitPoints, setHitDice, unchallenged, writeExhaustion, writeHitPoints } from "./dnd5e.mjs";
import { gone, show } from "./pictures.mjs";
import { iconOf, nameOf } from "./catalogue.mjs";
import { cardOf, inTurn, postCard, updateCard } from "./cards.mjs";
import { send } from "./link.mjs";
import { textOf } from "./words.mjs";

/** @import { Apply, Mark, Operation } from "../types.js" */

/** Something that the bridge is told of as a code. */
class Refusal extends Error {
  /**
   * Say why.
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Carry out an Apply after those that came before it for the same creature.
 * @param {Apply} apply
 */
export function receive(apply) {
  inTurn(apply.actor, () => carryOut(apply));
}

/**
 * Carry out an Apply; whatever goes wrong, the bridge is shown what is there and told.
 * @param {Apply} apply
 */
async function carryOut(apply) {
  const actor = find(apply.actor);
  const options = { [ID]: { apply: apply.id } };
  try {
    if (!actor) throw new Refusal("refused", t("Apply.gone"));
    const memory = flag(actor, "memory");
    if (memory?.receipt >= apply.id && (memory.world ?? "") === (apply.memory.world ?? "")) {
      show([actor], { ...options, force: true });
      return;
    }
    for (const operation of apply.operations) {
      if (!DO[operation.op]) throw new Refusal("error", `unknown operation ${operation.op}`);
      if (COMPARE[operation.op]?.(actor, operation) === false) throw new Refusal("changed", operation.op);
    }
    for (const operation of apply.operations) await DO[operation.op](actor, operation, options);
    // In one write, so that the receipt always tells whether hit points were written: nothing else would.
    const hp = apply.operations.find((one) => one.op === "hp.set");
    // They may have changed while the rest was written.
    if (hp && !areHitPoints(actor, hp.was, hp.wasTemp)) throw new Refusal("changed", "hp.set");
    const points = hp ? writeHitPoints(hp.value, hp.temp ?? 0) : {};
    const receipt = { [`flags.${ID}.memory`]: JSON.stringify(apply.memory) };
    await actor.update({ ...points, ...receipt }, { ...options, ...(hp?.quiet ? unchallenged() : {}) });
    expect(same(flag(actor, "memory"), apply.memory), "memory");
    expect(!hp || areHitPoints(actor, hp.value, hp.temp), "hp.set");
    /** @type {any} */ (Hooks).callAll(`${ID}.applied`, actor, apply.operations, apply.id);
  } catch (error) {
    if (actor) show([actor], { force: true });
    else gone([apply.actor]);
    if (!(error instanceof Refusal)) console.error(`${ID} |`, error);
    const code = error instanceof Refusal ? error.code : "error";
    const message = String(error instanceof Error ? error.message : error).slice(0, 400);
    send({ type: "failed", apply: apply.id, actor: apply.actor, code, message });
  }
}

/**
 * Refuse where a write has not had its effect: another module has stood in the way.
 * @param {boolean} done
 * @param {string} what
 */
function expect(done, what) {
  if (!done) throw new Refusal("refused", what);
}

/**
 * Are these the creature's hit points?
 * @param {any} actor
 * @param {number} value
 * @param {number} [temp]
 * @returns {boolean}
 */
function areHitPoints(actor, value, temp = 0) {
  const hp = hitPoints(actor);
  return hp?.value === value && hp.temp === temp;
}

/**
 * The effect that an operation is about.
 * @param {any} actor
 * @param {string} id
 * @returns {any}
 */
function effectOf(actor, id) {
  const all = /** @type {any[]} */ ([...(actor.allApplicableEffects?.() ?? actor.effects)]);
  return actor.effects.get(documentId(id)) ?? all.find((effect) => effect.id === id);
}

/**
 * An id that Foundry takes: 16 letters and digits.
 * @param {string} id
 * @returns {string}
 */
function documentId(id) {
  return /^[a-zA-Z0-9]{16}$/u.test(id) ? id : id.replaceAll(/[^a-zA-Z0-9]/gu, "").padEnd(16, "0").slice(0, 16);
}

/**
 * Tell whether the effect is as the operation wants it.
 * @param {any} actor
 * @param {Operation} operation
 * @returns {boolean}
 */
function isSet(actor, { effect: id, mark, disabled = false }) {
  const effect = effectOf(actor, id);
  if (!mark) return !effect;
  return Boolean(effect) && sameMark(markOf(effect), mark) && effect.disabled === disabled;
}

/**
 * Does Foundry show what the operation takes for granted, or already what it wants?
 * @type {Record<string, (actor: any, operation: Operation) => boolean>}
 */
const COMPARE = {
  "hp.set": (actor, { was, wasTemp }) => areHitPoints(actor, was, wasTemp),
  "hit-dice.set": (actor, { was, left }) => {
    const now = hitDice(actor);
    const is = (/** @type {Record<string, number>} */ dice) => Object.entries(dice).every(([key, n]) => now[key]?.left === n);
    return is(was) || is(left);
  },
  "condition.set": (actor, operation) => {
    const effect = effectOf(actor, operation.effect);
    // The system may have been quicker with what a condition leaves behind: then that is marked.
    const asBefore = effect ? sameMark(markOf(effect), operation.was) : !operation.there;
    return asBefore || isSet(actor, operation);
  },
  "card.update": (_actor, { card, button, stamp = 0 }) => {
    const { kept } = cardOf(card);
    const mine = kept?.outcomes.some((one) => one.button === button && one.stamp === stamp);
    if (kept?.done.includes(button) && !mine) throw new Refusal("already-done", button);
    return true;
  },
};

/**
 * How each operation is carried out.
 * @type {Record<string, (actor: any, operation: Operation, options: any) => Promise<void>>}
 */
const DO = {
  // Written with the receipt.
  "hp.set": async () => {},
  "damage.apply": async (actor, { amount, damage, id }, options) => {
    if (actor.flags?.[ID]?.damage === id) return;
    await actor.applyDamage([{ value: amount, type: damage }], { [ID]: { ...options[ID], damage: id } });
  },
  "hit-dice.set": (actor, { left }, options) => setHitDice(actor, left, options),
  "condition.set": setCondition,
  "status.set": setStatus,
  "concentration.end": async (actor) => {
    await actor.endConcentration?.();
  },
  "card.post": async (_actor, { card }) => {
    await postCard(card);
  },
  "card.update": (_actor, { card, button, outcome, stamp = 0 }) => updateCard(card, { button, line: outcome, stamp }),
  "roll.ask": (actor, operation) => ask(actor, operation),
  "dice.roll": (actor, operation) => rollDice(actor, operation),
  notify: async (_actor, { line, user }) => {
    const users = game.users.filter((/** @type {any} */ one) => one.active && (user ? one.id === user : one.isGM));
    for (const one of users) await tell(one, textOf(line));
  },
};

/**
 * Show one sentence to one user.
 * @param {any} user
 * @param {string} text
 */
export async function tell(user, text) {
  if (user.isSelf) ui.notifications?.info(text);
  else await user.query(`${ID}.notify`, { text }).catch(() => {});
}

/**
 * Switch a status of the system on or off.
 * @param {any} actor
 * @param {Operation} operation
 * @param {any} options
 */
async function setStatus(actor, { status, on }, options) {
  const id = statusOf(status)?._id ?? documentId(`dnd5e${status}`);
  const carried = actor.effects.filter((/** @type {any} */ effect) => effect.statuses.has(status) && !effect.disabled);
  if (on && carried.length) return;
  const own = carried.filter((/** @type {any} */ effect) => effect.statuses.size === 1 && effect.id !== id);
  if (own.length) await actor.deleteEmbeddedDocuments("ActiveEffect", own.map((/** @type {any} */ effect) => effect.id), options);
  await setEffect(actor, { id, condition: status, statuses: [status], mark: on ? {} : null, disabled: false, plain: true }, options);
}

/**
 * Create, change or end a condition's effect.
 * @param {any} actor
 * @param {Operation} operation
 * @param {any} options
 */
async function setCondition(actor, operation, options) {
  const { effect: id, condition, statuses = [], mark = null, disabled = false } = operation;
  if (condition === "exhaustion" && documentId(id) === "dnd5eexhaustion0") {
    const level = mark ? (mark.level ?? 1) : 0;
    if (exhaustion(actor) !== level) await actor.update(writeExhaustion(level), options);
    // The system makes and ends the effect itself, a moment later.
    await settled(() => Boolean(effectOf(actor, id)) === level > 0);
    if (!mark) return;
  }
  await setEffect(actor, { id, condition, statuses, mark, disabled }, options);
  expect(isSet(actor, operation), `condition.set ${condition}`);
}

/**
 * Wait for what the system does on its own after a write, at most half a second.
 * @param {() => boolean} done
 */
async function settled(done) {
  for (let i = 0; i < 25 && !done(); i++) await new Promise((resolve) => window.setTimeout(resolve, 20));
}

/**
 * Bring one effect to what it has to be; nothing is written when it is that already.
 * @param {any} actor
 * @param {{id: string, condition: string, statuses: string[], mark: Mark|null, disabled: boolean, plain?: boolean}} wanted
 * @param {any} options
 */
export async function setEffect(actor, { id, condition, statuses, mark, disabled, plain }, options) {
  const effect = effectOf(actor, id);
  if (!mark) {
    if (!effect) return;
    const owner = effect.parent;
    await owner.deleteEmbeddedDocuments("ActiveEffect", [effect.id], options).catch((/** @type {Error} */ error) => {
      if (effectOf(actor, id)) throw error;
    });
    return;
  }
  const look = lookOf(condition, mark);
  const flags = plain ? {} : { [`flags.${ID}.mark`]: JSON.stringify(mark) };
  if (effect) {
    const looks = effect.parent === actor ? look : {};
    await effect.update({ disabled, ...flags, ...looks }, options);
    return;
  }
  const data = await effectData(condition, statuses);
  foundry.utils.mergeObject(data, { _id: documentId(id), disabled, ...look, ...flags });
  const create = () => /** @type {any} */ (ActiveEffect).implementation.create(data, { ...options, parent: actor, keepId: true });
  await create().catch(async (/** @type {Error} */ error) => {
    // The system may have made it in this very moment, as what an unconscious creature leaves behind.
    await settled(() => Boolean(effectOf(actor, id)));
    if (!effectOf(actor, id)) throw error;
  });
  const made = effectOf(actor, id);
  if (made?.active !== false) await leftBehind(actor, condition);
  if (made && !plain && !sameMark(markOf(made), mark)) await made.update({ disabled, ...flags, ...look }, options);
}

/**
 * Wait for the effects that the system makes for what a condition leaves behind, so that nobody makes them twice.
 * @param {any} actor
 * @param {string} condition
 */
async function leftBehind(actor, condition) {
  const riders = [...(statusOf(condition)?.riders ?? [])].map((status) => statusOf(status)?._id).filter(Boolean);
  if (riders.length) await settled(() => riders.every((id) => actor.effects.has(id)));
}

/**
 * The effect as the system itself makes it for a status: name, picture and implied statuses are the system's.
 * @param {string} condition
 * @param {string[]} statuses
 * @returns {Promise<Record<string, any>>}
 */
async function effectData(condition, statuses) {
  const known = statusOf(condition);
  const base = known ? (await /** @type {any} */ (ActiveEffect).implementation.fromStatusEffect(condition)).toObject() : {};
  return {
    ...base,
    name: base.name ?? nameOf(condition),
    img: base.img ?? iconOf(condition),
    statuses: [...new Set([condition, ...(base.statuses ?? []), ...statuses])],
    duration: endless(),
  };
}

/**
 * How an effect of ours looks: levelled conditions show their level.
 * @param {string} condition
 * @param {Mark} mark
 * @returns {{name?: string, img?: string}}
 */
function lookOf(condition, mark) {
  const img = iconOf(condition, mark.level ?? 1);
  if (!img.startsWith(PATH)) return {};
  const level = img === iconOf(condition) ? "" : ` ${mark.level ?? 1}`;
  return { name: `${nameOf(condition)}${level}`, img };
}

/** Answer what other clients ask of this one. */
function init() {
  const queries = /** @type {any} */ (CONFIG).queries;
  queries[`${ID}.notify`] = (/** @type {{text: string}} */ { text }) => {
    ui.notifications?.info(String(text).slice(0, 500));
    return true;
  };
}

export const hooks = { init };
