/**
 * What we know of dnd5e's documents. No other file names a path of the system's data.
 * Read from versions 5.3.3 and 6: where they differ, presence decides.
 */

import { ID } from "./text.mjs";

/** @import { Cause, HitDice, HitPoints } from "../types.js" */

const HP = "system.attributes.hp";
const FEET = /** @type {Record<string, number>} */ ({ m: 10 / 3, km: 10_000 / 3, mi: 5280 });

/**
 * A whole number, whatever stands there.
 * @param {any} value
 * @param {number} [otherwise]
 * @returns {number}
 */
function whole(value, otherwise = 0) {
  return Number.isFinite(value) ? Math.trunc(value) : otherwise;
}

/**
 * Read a path from updates that may be flat, nested or both.
 * @param {Record<string, any>} updates
 * @param {string} path
 * @returns {any}
 */
function read(updates, path) {
  return path in updates ? updates[path] : foundry.utils.getProperty(updates, path);
}

/**
 * A distance in feet, whatever the unit.
 * @param {number} value
 * @param {string} [units]
 * @returns {number}
 */
export function feet(value, units = "ft") {
  return Math.round(value * (FEET[units] ?? 1) * 100) / 100;
}

/**
 * The actor's hit points; null for what has none.
 * @param {any} actor
 * @returns {HitPoints|null}
 */
export function hitPoints(actor) {
  const hp = actor.system?.attributes?.hp;
  if (!Number.isFinite(hp?.value) || !Number.isFinite(hp.max)) return null;
  return { value: whole(hp.value), max: whole(hp.max), temp: whole(hp.temp), tempmax: whole(hp.tempmax) };
}

/**
 * The hit points as they would be after a write.
 * @param {any} actor
 * @param {Record<string, any>} updates
 * @returns {HitPoints|null}
 */
export function hitPointsAfter(actor, updates) {
  const now = /** @type {Record<string, any>|null} */ (hitPoints(actor));
  if (!now) return null;
  const after = Object.keys(now).map((key) => [key, whole(read(updates, `${HP}.${key}`) ?? now[key], now[key])]);
  return Object.fromEntries(after);
}

/**
 * Tell whether a write touches current hit points.
 * @param {Record<string, any>} updates
 * @returns {boolean}
 */
export function touchesHitPoints(updates) {
  return read(updates, `${HP}.value`) !== undefined;
}

/**
 * Let a write set current hit points to `value` only.
 * @param {Record<string, any>} updates
 * @param {number} value
 */
export function capHitPoints(updates, value) {
  if (`${HP}.value` in updates) updates[`${HP}.value`] = value;
  else foundry.utils.setProperty(updates, `${HP}.value`, value);
}

/**
 * Take current hit points out of a write that the system has already looked at. At 0 hit points the system has added a
 * reset of death saves for the rise: that goes with it.
 * @param {any} actor
 * @param {Record<string, any>} changed
 * @returns {boolean}  Something is left to write.
 */
export function dropHitPoints(actor, changed) {
  delete changed.system.attributes.hp.value;
  if (foundry.utils.isEmpty(changed.system.attributes.hp)) delete changed.system.attributes.hp;
  if ((hitPoints(actor)?.value ?? 0) <= 0) delete changed.system.attributes.death;
  if (foundry.utils.isEmpty(changed.system.attributes)) delete changed.system.attributes;
  if (foundry.utils.isEmpty(changed.system)) delete changed.system;
  return Object.keys(changed).some((key) => key !== "_id" && !(key === "flags" && foundry.utils.isEmpty(changed[key])));
}

/**
 * The write that sets hit points.
 * @param {number} value
 * @param {number} temp
 * @returns {Record<string, number>}
 */
export function writeHitPoints(value, temp) {
  return { [`${HP}.value`]: value, [`${HP}.temp`]: temp };
}

/**
 * The option with which dnd5e asks for no concentration save.
 * @returns {object}
 */
export function unchallenged() {
  return { dnd5e: { concentrationCheck: false } };
}

/**
 * Tell whether the system itself swaps sheets with this write: a form that begins or ends, or a level gained. Over the own
 * actor of an unlinked token the form is written, with the list of the forms before it.
 * @param {Record<string, any>} changed
 * @param {Record<string, any>} options
 * @returns {boolean}
 */
export function isForm(changed, options) {
  const begins = read(changed, "flags.dnd5e.previousActorIds") !== undefined;
  return begins || options.isAdvancement === true || options.dnd5e?.concentrationCheck === false;
}

/** Actor -> when Hit Dice came back on one of its classes, in milliseconds of this page. */
const restored = /** @type {WeakMap<any, number>} */ (new WeakMap());
/** How long before the hit points that may be, as part of one rest, in milliseconds. */
const ONE_REST = 2000;

/**
 * A class is about to be written: note when Hit Dice come back outside of any rest of the system's own.
 * @param {any} item
 * @param {Record<string, any>} changed
 * @param {Record<string, any>} options
 */
export function noteHitDice(item, changed, options) {
  const spent = read(changed, "system.hd.spent");
  if (item.type === "class" && item.parent && !options.isRest && !options[ID] && spent < (item.system.hd?.spent ?? 0)) {
    restored.set(item.parent, performance.now());
  }
}

/**
 * Another module rests creatures without saying so: hit points and spell slots or Hit Dice restored at once. The Hit Dice
 * of a character stand on its classes, in a write of their own just before.
 * @param {any} actor
 * @param {Record<string, any>} changed
 * @returns {boolean}
 */
export function unsaidRest(actor, changed) {
  const spent = read(changed, "system.attributes.hd.spent");
  const slots = Object.entries(changed.system?.spells ?? {});
  return (
    spent < (actor.system.attributes.hd?.spent ?? 0) ||
    slots.some(([key, slot]) => slot.value > (actor.system.spells?.[key]?.value ?? 0)) ||
    performance.now() - (restored.get(actor) ?? Number.NEGATIVE_INFINITY) < ONE_REST
  );
}

/**
 * The item behind a chat message's damage or healing, and the message of the use that it belongs to.
 * @param {any} message
 * @returns {{item: any, use: string}}
 */
export function useOf(message) {
  const origin = message.getOriginatingMessage?.() ?? message;
  const item = message.getAssociatedItem?.() ?? message.getAssociatedActivity?.()?.item ?? origin.getAssociatedItem?.();
  return { item: item ?? null, use: origin.id ?? "" };
}

/**
 * The item that an effect comes from, by its uuid: the effect's origin is the item, an effect of it, or the concentration on
 * it (effect-application.mjs).
 * @param {any} effect
 * @returns {string|undefined}
 */
export function itemOf({ origin }) {
  const concentration = /** @type {any} */ (origin && fromUuidSync(origin, { strict: false }))?.flags?.dnd5e?.item?.uuid;
  return /^(.*Item\.[^.]+)/u.exec(concentration ?? origin ?? "")?.[1];
}

/**
 * The use of an item that has just put an effect on a creature; none where no use can be told, as for what the item gives
 * whoever carries it, and for the concentration itself.
 * @param {any} effect
 * @returns {Cause|undefined}
 */
export function useBehind(effect) {
  const uuid = effect.parent?.documentName === "Actor" && !effect.flags?.dnd5e?.item && itemOf(effect);
  const use = uuid && lastUse(uuid);
  if (!use) return undefined;
  const item = /** @type {any} */ (fromUuidSync(uuid, { strict: false }));
  return { kind: kindOf(item), use, label: item?.name ?? effect.name };
}

/**
 * The message of an item's last use, by the item's uuid; none when there is none among the last.
 * @param {string} uuid
 * @returns {string|undefined}
 */
export function lastUse(uuid) {
  const recent = game.messages.contents.slice(-50).reverse();
  const used = /** @type {any[]} */ (recent).find(
    (message) => (message.flags.dnd5e?.item?.uuid ?? message.system?.item?.uuid ?? message.system?.item) === uuid,
  );
  return (used?.getOriginatingMessage?.() ?? used)?.id;
}

/**
 * The kind of cause that an item's healing is.
 * @param {any} item
 * @returns {string}
 */
export function kindOf(item) {
  if (!item) return "unknown";
  if (item.type === "spell") return "spell";
  return ["feat", "race", "background", "class", "subclass"].includes(item.type) ? "feature" : "item";
}

/**
 * Tell whether a rest of this type gives hit points back.
 * @param {string} type
 * @returns {"long"|"short"}
 */
export function restKind(type) {
  const config = CONFIG.DND5E.restTypes?.[type];
  return type === "long" || config?.recoverHitPoints ? "long" : "short";
}

/**
 * The types of rest that there are at this table.
 * @returns {string[]}
 */
export function restTypes() {
  return Object.keys(CONFIG.DND5E.restTypes ?? { short: {}, long: {} });
}

/**
 * The actor's Hit Dice by class; an NPC's stand under `npc`.
 * @param {any} actor
 * @returns {Record<string, HitDice>}
 */
export function hitDice(actor) {
  const size = (/** @type {any} */ d) => whole(Number.parseInt(String(d).replace("d", ""), 10), 8);
  const classes = actor.items.filter((/** @type {any} */ item) => item.type === "class");
  const own = actor.system?.attributes?.hd;
  const pairs = classes.map((/** @type {any} */ item) => {
    const hd = item.system.hd ?? {};
    const all = whole(hd.max, item.system.levels ?? 1);
    return [keyOf(item), { left: whole(hd.value, all - whole(hd.spent)), all, size: size(hd.denomination) }];
  });
  if (!pairs.length && actor.type === "npc" && Number.isFinite(own?.max)) {
    pairs.push(["npc", { left: whole(own.value), all: whole(own.max), size: size(own.denomination) }]);
  }
  return Object.fromEntries(pairs);
}

/**
 * The key of a class among Hit Dice.
 * @param {any} item
 * @returns {string}
 */
function keyOf(item) {
  return item.system.identifier || item.identifier || item.id;
}

/**
 * Set the Hit Dice that are left.
 * @param {any} actor
 * @param {Record<string, number>} left
 * @param {object} options
 * @returns {Promise<void>}
 */
export async function setHitDice(actor, left, options) {
  const have = hitDice(actor);
  const spent = (/** @type {string} */ key) => Math.max(0, have[key].all - left[key]);
  const classes = actor.items.filter((/** @type {any} */ item) => item.type === "class" && keyOf(item) in left);
  const updates = classes.map((/** @type {any} */ item) => ({ _id: item.id, "system.hd.spent": spent(keyOf(item)) }));
  if (updates.length) await actor.updateEmbeddedDocuments("Item", updates, options);
  if ("npc" in left && "npc" in have) await actor.update({ "system.attributes.hd.spent": spent("npc") }, options);
}

/**
 * What the rules must know of an actor, as far as it stands in the system's data.
 * @param {any} actor
 * @returns {Record<string, any>}
 */
export function facts(actor) {
  const { abilities = {} } = actor.system ?? {};
  const list = (/** @type {any} */ set) => [...(set ?? [])].sort();
  const scores = Object.entries(abilities).map(([key, ability]) => [key, whole(ability.value, 10)]);
  return {
    hp: hitPoints(actor),
    hitDice: hitDice(actor),
    abilities: Object.fromEntries(scores),
    speed: walkingSpeed(actor),
    resistances: list(ownTraits(actor, "dr")),
    immunities: list(ownTraits(actor, "di")),
    conditionImmunities: list(ownTraits(actor, "ci")),
  };
}

/**
 * Resistances or immunities of a creature's own. While it is Petrified the system adds some as it prepares its data: the
 * rules know of these themselves, and do not take them for the creature's.
 * @param {any} actor
 * @param {"dr"|"di"|"ci"} key
 * @returns {Iterable<string>}
 */
function ownTraits(actor, key) {
  if (!actor.hasConditionEffect?.("petrification")) return actor.system?.traits?.[key]?.value ?? [];
  const path = `system.traits.${key}.value`;
  const changes = [...(actor.appliedEffects ?? [])].flatMap((effect) => [...(effect.changes ?? [])]);
  const given = changes.filter((change) => change.key === path).map((change) => change.value);
  return new Set([...(actor.system._source?.traits?.[key]?.value ?? []), ...given]);
}

/**
 * Walking Speed in feet before any condition. What the system derives has its own conditions' effects in it already, so
 * the stored number is taken, else that of the species.
 * @param {any} actor
 * @returns {number}
 */
function walkingSpeed(actor) {
  const stored = actor.system?._source?.attributes?.movement ?? {};
  const species = actor.items.find((/** @type {any} */ item) => item.type === "race")?.system?.movement;
  const of = (/** @type {any} */ movement) => movement?.speeds?.walk ?? movement?.walk;
  const walk = [of(stored), of(species), 30].map((value) => Number.parseFloat(value)).find(Number.isFinite) ?? 30;
  return whole(feet(walk, stored.units ?? species?.units ?? "ft"), 30);
}

/**
 * Lower the speeds that the system has derived, of every kind of movement. The system writes units of its own.
 * @param {any} actor
 * @param {(speed: number) => number} lower  From feet to feet.
 */
export function lowerSpeed(actor, lower) {
  const movement = actor.system?.attributes?.movement;
  const speeds = movement?.speeds ?? movement;
  if (!speeds) return;
  const unit = FEET[movement.units] ?? 1;
  const kinds = Object.keys(CONFIG.DND5E.movementTypes).filter((kind) => speeds[kind] > 0);
  for (const kind of kinds) speeds[kind] = Math.round((lower(feet(speeds[kind], movement.units)) / unit) * 100) / 100;
  movement.speed = speeds.walk;
  movement.max = Math.max(0, ...kinds.map((kind) => speeds[kind]));
  movement.slowed ||= speeds.walk <= walkingSpeed(actor) / unit / 2;
}

/**
 * What the system does to Speed by conditions, as it was before anything of it was withdrawn.
 * @type {Record<string, any>|null}
 */
let native = null;

/**
 * Take from the system what these conditions do to Speed, and give it back what others do.
 * @param {string[]} ids
 */
export function withdrawSpeed(ids) {
  const { conditionEffects: effects, conditionTypes } = CONFIG.DND5E;
  if (!native && !ids.length) return;
  native ??= { halfMovement: effects.halfMovement, noMovement: effects.noMovement, reduction: conditionTypes.exhaustion.reduction };
  const { halfMovement, noMovement, reduction } = native;
  // Levels are written behind the condition: `exhaustion-2`.
  const without = (/** @type {Set<string>} */ all) => new Set([...all].filter((one) => !ids.includes(one.split("-")[0])));
  conditionTypes.exhaustion.reduction = ids.includes("exhaustion") ? { ...reduction, speed: 0 } : reduction;
  effects.halfMovement = without(halfMovement);
  effects.noMovement = without(noMovement);
  if (!ids.length) native = null;
}

/**
 * The level of Exhaustion, which the system keeps itself.
 * @param {any} actor
 * @returns {number}
 */
export function exhaustion(actor) {
  return whole(actor.system?.attributes?.exhaustion);
}

/**
 * The write that sets Exhaustion.
 * @param {number} level
 * @returns {Record<string, number>}
 */
export function writeExhaustion(level) {
  return { "system.attributes.exhaustion": level };
}

/**
 * The kind of a consumable, e.g. `food` or `potion`; none for any other item.
 * @param {any} item
 * @returns {string|null}
 */
export function consumableKind(item) {
  return item?.type === "consumable" ? (item.system.type?.value ?? "") : null;
}

/**
 * The words by which an item is known: its name, and its identifier, which stays English in translated worlds.
 * @param {any} item
 * @returns {string}
 */
export function wordsOf(item) {
  return `${item.name} ${(item.system.identifier ?? "").replaceAll("-", " ")}`;
}

/**
 * What the system itself automates at this table.
 * @returns {{nativeBloodied: boolean, nativeDowned: boolean, rules: string}}
 */
export function automation() {
  const setting = (/** @type {string} */ key) => {
    const settings = /** @type {any} */ (game.settings);
    return settings.settings.has(`dnd5e.${key}`) ? settings.get("dnd5e", key) : undefined;
  };
  const downed = setting("autoApplyDowned");
  return {
    nativeBloodied: (setting("bloodied") ?? "none") !== "none",
    nativeDowned: downed !== undefined && downed !== false && downed !== "none",
    rules: setting("rulesVersion") === "legacy" ? "legacy" : "modern",
  };
}

/**
 * Make our own statuses known to the system, which hands them to Foundry after `init`.
 * @param {string} id
 * @param {object} config
 */
export function registerStatus(id, config) {
  CONFIG.DND5E.conditionTypes[id] ??= config;
}

/**
 * What the system calls an ability.
 * @param {string} ability
 * @returns {string}
 */
export function abilityName(ability) {
  return CONFIG.DND5E.abilities?.[ability]?.label ?? ability;
}

/**
 * What the system calls a type of damage.
 * @param {string} type
 * @returns {string}
 */
export function damageName(type) {
  return CONFIG.DND5E.damageTypes?.[type]?.label ?? type;
}

/**
 * Call a condition by another name, where the system lists them on its sheets.
 * @param {string} id
 * @param {string} name
 */
export function nameStatus(id, name) {
  const condition = CONFIG.DND5E.conditionTypes[id];
  if (condition) condition.name = condition.label = name;
}

/**
 * What a use of an activity costs on a turn: `action`, `bonus` or `reaction`; null for anything else.
 * @param {any} activity
 * @returns {string|null}
 */
export function costOf(activity) {
  const type = activity?.activation?.type;
  return ["action", "bonus", "reaction"].includes(type) ? type : null;
}

/** Names of the fields in which a hand edits hit points, on the system's sheets, a token's bars, and other sheets. */
export const HAND_FIELDS = [
  `input[name="${HP}.value"]`,
  `[data-tidy-field="${HP}.value"]`,
  '#token-hud input[name^="bar"]',
  '.placeable-hud input[name^="bar"]',
].join(", ");

/**
 * Roll a saving throw through the system; null when the dialog was closed.
 * @param {any} actor
 * @param {{ability: string, dc: number, tags: string[], flags: object}} save
 * @returns {Promise<{total: number, success: boolean}|null>}
 */
export async function rollSave(actor, { ability, dc, tags, flags }) {
  const rolls = await actor.rollSavingThrow({ ability, target: dc, [ID]: { tags } }, {}, { data: { flags: { [ID]: flags } } });
  const roll = Array.isArray(rolls) ? rolls[0] : rolls;
  return roll ? { total: whole(roll.total), success: roll.isSuccess === true } : null;
}

/**
 * A d20 roll that is about to be made: who makes it, and what it is, as in `check.wis.insight` or `attack.str.melee`.
 * An attack, a save from a card, and damage know their activity. Of a save that we ask for it is known what it is against.
 * @typedef {{actor: any, what: string, activity: any, known?: boolean}} RollToMake
 */

/**
 * The chat message on which a click has started a roll.
 * @param {any} event
 * @returns {any}
 */
function pressedOn(event) {
  return game.messages.get(event?.target?.closest?.("[data-message-id]")?.dataset.messageId);
}

/**
 * Read what roll a configuration of the system's is about; null for what is no d20 test of a creature's.
 * @param {Record<string, any>} config
 * @returns {RollToMake|null}
 */
export function rollOf(config) {
  const { subject, skill, tool, isConcentration, rolls = [], event } = config;
  const names = new Set((config.hookNames ?? []).map((/** @type {string} */ name) => name.toLowerCase()));
  // A roll from an inline link may have no subject at all.
  const actor = subject?.documentName === "Actor" ? subject : subject?.actor;
  if (!actor || !names.has("d20test")) return null;
  const make = (/** @type {any[]} */ parts, /** @type {any} */ activity = null) => ({ actor, what: parts.filter(Boolean).join("."), activity });
  if (names.has("attack")) {
    const ranged = config.attackMode?.startsWith("thrown") || subject.actionType?.startsWith("r");
    return make(["attack", subject.ability, ranged ? "ranged" : "melee"], subject);
  }
  if (names.has("initiativedialog")) return make(["initiative"]);
  if (names.has("deathsave")) return make(["save", "death"]);
  const { skills = {}, tools = {} } = CONFIG.DND5E;
  const trained = skill ? (actor.system.skills?.[skill] ?? skills[skill]) : (actor.system.tools?.[tool] ?? tools[tool]);
  const ability = rolls[0]?.data?.abilityId ?? config.ability ?? trained?.ability;
  if (names.has("savingthrow")) {
    const save = make(["save", ability, isConcentration && "concentration", ...(config[ID]?.tags ?? [])], pressedOn(event)?.getAssociatedActivity?.());
    return { ...save, known: Boolean(config[ID]) };
  }
  return names.has("abilitycheck") ? make(["check", ability, skill && (skills[skill]?.fullKey ?? skill), tool]) : null;
}

/**
 * The statuses that an activity's effects bring.
 * @param {any} activity
 * @returns {string[]}
 */
export function statusesOf(activity) {
  const effects = (activity?.effects ?? []).map((/** @type {any} */ one) => one.effect ?? activity.item?.effects?.get(one._id));
  return effects.flatMap((/** @type {any} */ effect) => [...(effect?.statuses ?? [])]);
}

/**
 * Whether the system gives advantage and disadvantage to each roll of a configuration. For saves and plain checks it
 * passes on only what they come to, so the sources are counted where it counts them.
 * @param {Record<string, any>} config
 * @param {RollToMake} roll
 * @returns {{advantage: boolean, disadvantage: boolean}[]}
 */
export function modesOf(config, { actor, what }) {
  const [kind, ability] = what.split(".");
  const counts = (actor.system.abilities?.[ability]?.[kind] ?? actor.system.attributes?.[ability])?.roll?.modeCounts;
  const counted = (/** @type {"advantages"|"disadvantages"} */ side) => !config.skill && !config.tool && counts?.[side]?.count > 0;
  return (config.rolls ?? []).map((/** @type {any} */ { options = {} }) => ({
    advantage: Boolean(options.advantage || config.advantage || counted("advantages")),
    disadvantage: Boolean(options.disadvantage || config.disadvantage || counted("disadvantages")),
  }));
}

/**
 * Put our number and modes on one roll of a configuration, in place of what we put there before.
 * @param {Record<string, any>} roll
 * @param {{number: number, advantage: boolean, disadvantage: boolean, withdrawn: string[]}} modifiers
 */
export function modify(roll, { number, advantage, disadvantage, withdrawn }) {
  const ours = new Set(["@conditionBridge", ...withdrawn.map((id) => `@${id}`)]);
  roll.parts = (roll.parts ?? []).filter((/** @type {string} */ part) => !ours.has(part));
  // The system adds its own part to skills and attacks later, but leaves a value that is there already.
  roll.data = { ...roll.data, ...Object.fromEntries(withdrawn.map((id) => [id, 0])), conditionBridge: number };
  if (number) roll.parts.push("@conditionBridge");
  roll.options = Object.assign(roll.options ?? {}, { advantage, disadvantage });
}

/**
 * The mode of a d20 as the system counts it: 1, 0 or -1.
 * @param {{advantage?: boolean, disadvantage?: boolean}} options
 * @returns {number}
 */
export function modeOf({ advantage, disadvantage }) {
  return Number(Boolean(advantage)) - Number(Boolean(disadvantage));
}

/**
 * Set the last word on a roll that is about to be thrown.
 * @param {any} roll
 * @param {Record<string, any>} options
 */
export function settle(roll, options) {
  Object.assign(roll.options, options);
  roll.configureModifiers?.();
}

/**
 * The attack behind a roll of damage that was started from a card.
 * @param {Record<string, any>} config
 * @returns {any}
 */
export function attackBefore({ hookNames = [], event }) {
  if (!hookNames.includes("damage")) return null;
  return pressedOn(event)?.getAssociatedRolls?.("attack")?.at(-1) ?? null;
}

/**
 * Make a roll of damage a critical one.
 * @param {Record<string, any>} config
 * @param {Record<string, any>} dialog
 */
export function makeCritical(config, dialog) {
  config.isCritical = true;
  dialog.options = { ...dialog.options, defaultButton: "critical" };
}

/**
 * Who attacked a creature last, by the chat.
 * @param {any} actor
 * @returns {any}
 */
export function lastAttacker(actor) {
  const attacks = game.messages.contents.slice(-100).filter((/** @type {any} */ message) => {
    const targets = message.system?.targets ?? message.flags.dnd5e?.targets ?? [];
    const attack = message.type === "attack" || message.flags.dnd5e?.roll?.type === "attack";
    return attack && targets.some((/** @type {any} */ target) => (target.uuid ?? target.actor) === actor.uuid);
  });
  return /** @type {any} */ (attacks.at(-1))?.getAssociatedActor?.() ?? null;
}

/**
 * Tell whether a use of an activity attacks or harms whoever it is aimed at.
 * @param {any} activity
 * @returns {boolean}
 */
export function harms(activity) {
  return ["attack", "damage", "save"].includes(activity?.type);
}

/**
 * Tell whether a creature perceives what is invisible at this distance.
 * @param {any} actor
 * @param {number} far
 * @returns {boolean}
 */
export function perceives(actor, far) {
  const senses = actor?.system?.attributes?.senses ?? {};
  const range = (/** @type {string} */ key) => feet(senses.ranges?.[key] ?? senses[key] ?? 0, senses.units ?? "ft");
  return ["blindsight", "tremorsense", "truesight"].some((key) => range(key) >= far);
}
