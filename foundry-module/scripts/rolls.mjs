import { attackBefore, makeCritical, modeOf, modesOf, modify, rollOf, settle, statusesOf } from "./dnd5e.mjs";
import { catalogue, entryOf, iconOf, nameOf } from "./catalogue.mjs";
import { evaluate, inForce, sourcesOf } from "./evaluate.mjs";
import { factsOf } from "./sight.mjs";
import { ID, el, t } from "./text.mjs";
import { aside } from "./others.mjs";
import { creature } from "./sheets.mjs";
import { mayHarm } from "./limits.mjs";
import { paused } from "./settings.mjs";

/** @import { Given, Reason, Told } from "../types.js" */
/** @import { RollToMake } from "./dnd5e.mjs" */

/**
 * A roll between its first hook and its dice. `config` is the system's configuration of it, `base` what the system itself
 * gives, `ticked` the choices that were made among what is offered.
 * @typedef {{config: any, roll: RollToMake, base: {advantage: boolean, disadvantage: boolean}[], given: Given[], offered: Given[],
 *   native: Given[], withdrawn: string[], ticked: Set<Given>}} Pending
 */

/** Configuration -> its roll. */
const pending = /** @type {WeakMap<object, Pending>} */ (new WeakMap());
const MODES = ["advantage", "disadvantage"];

/**
 * What the conditions of the creatures concerned give to a roll.
 * @param {RollToMake} roll
 * @returns {{given: Given[], offered: Given[], native: Given[], withdrawn: string[]}}
 */
function judge({ actor, what, activity, known: asked = false }) {
  const targets = [.../** @type {any} */ (game.user).targets];
  // With several targets it is not known which of them the roll is against.
  const target = targets.length === 1 && !what.startsWith("save") ? targets[0].document : null;
  const me = creature(actor);
  const other = target?.actor && target.actor !== actor ? creature(target.actor) : null;
  const facts = factsOf(actor, other && target, sourcesOf(me.effects ?? []));
  const look = (/** @type {string} */ kind) => evaluate(catalogue(), me, kind, other, facts);
  const against = statusesOf(activity).map((status) => `.vs-${status}`);
  const instead = inForce(catalogue(), me).filter(({ entry }) => entry.instead && (entry.rolls || catalogue().rolls) !== "off");
  const found = { ...look([what, ...against].join("")), withdrawn: instead.map(({ entry }) => entry.id) };
  if (!/^save\.\w+$/u.test(what) || what === "save.death" || activity || asked) return found;
  // Nobody has said what the save is against.
  const all = catalogue().conditions.map((entry) => `.vs-${entry.id}`);
  const known = new Set([...found.given, ...found.offered].map(({ modifier }) => modifier));
  const more = look(what + all.join("")).given.filter(({ modifier }) => !known.has(modifier));
  const unsaid = more.map((one) => ({ ...one, modifier: { ...one.modifier, when: { vs: one.modifier.tags?.[0].replace("vs-", "") } } }));
  return { ...found, offered: [...found.offered, ...unsaid] };
}

/**
 * Start with a roll.
 * @param {any} config
 * @param {RollToMake|null} roll
 * @returns {Pending|null}
 */
function begin(config, roll) {
  if (!roll || paused() || aside("rolls")) return null;
  const one = { config, roll, base: modesOf(config, roll), ticked: new Set(), ...judge(roll) };
  pending.set(config, one);
  apply(one);
  return one;
}

/**
 * What counts on a roll: what applies, and what was chosen.
 * @param {Pending} one
 * @returns {Given[]}
 */
const counted = ({ given, ticked }) => [...given, ...ticked];

/**
 * Put what counts into the configuration of the system's roll.
 * @param {Pending} one
 */
function apply(one) {
  const all = counted(one).map(({ modifier }) => modifier);
  const gives = (/** @type {string} */ kind) => all.some((modifier) => modifier.gives === kind);
  const number = all.reduce((sum, modifier) => sum + (modifier.gives === "number" ? (modifier.value ?? 0) : 0), 0);
  for (const [index, roll] of one.config.rolls.entries()) {
    const { advantage, disadvantage } = one.base[index] ?? {};
    modify(roll, { number, withdrawn: one.withdrawn, advantage: advantage || gives("advantage"), disadvantage: disadvantage || gives("disadvantage") });
  }
}

/**
 * What a message keeps of a roll.
 * @param {Pending} one
 * @param {Given[]} offered
 * @returns {Told}
 */
function tell(one, offered = []) {
  const reason = (/** @type {Given} */ { modifier, condition, level }, /** @type {object} */ by = {}) => ({
    ...{ condition, level, gives: modifier.gives, value: modifier.value ?? 0, onMe: Boolean(modifier.onMe), when: modifier.when ?? {} },
    ...by,
  });
  const given = counted(one).map((found) => reason(found));
  const theirs = one.native.map((found) => reason(found, { by: "system" }));
  const has = (/** @type {string} */ kind) => given.some((found) => found.gives === kind);
  const [fails, critical] = ["fail", "critical"].map(has);
  return { given: [...given, ...theirs], fails, critical, ...(offered.length ? { offered: offered.map((found) => reason(found)) } : {}) };
}

/**
 * A roll is about to be made: the general hook, which comes once for every roll and last.
 * @param {any} config
 * @param {any} dialog
 * @param {any} message
 * @returns {boolean|void}
 */
function beforeRoll(config, dialog, message) {
  const attack = attackBefore(config);
  const { critical, given } = attack?.flags[ID]?.roll ?? {};
  if (critical && attack.rolls[0]?.isFailure !== true) {
    makeCritical(config, dialog);
    keep(message, { given: given.filter((/** @type {Reason} */ one) => one.gives === "critical") });
  }
  const roll = rollOf(config);
  if (roll?.what.startsWith("attack") && !mayHarm(roll.activity)) return false;
  // Initiative has been through its own hook, which comes on all its roads.
  const first = roll?.what === "initiative" ? pending.get(config.rolls[0]) : null;
  if (first) pending.set(config, { ...first, config });
  else if (roll?.what !== "initiative") begin(config, roll);
}

/**
 * Initiative is being worked out, or only looked at.
 * @param {any} actor
 * @param {any} config
 */
function beforeInitiative(actor, config) {
  const wrapped = { rolls: [config] };
  const one = begin(wrapped, { actor, what: "initiative", activity: null });
  if (!one) return;
  pending.set(config, one);
  config.options[ID] = tell(one);
}

/**
 * Keep with a roll's message what is to be told.
 * @param {any} message
 * @param {Told} told
 */
function keep(message, told) {
  if (message?.data) foundry.utils.setProperty(message.data, `flags.${ID}.roll`, told);
}

/**
 * The dialog is done, the dice are not yet thrown: the last word.
 * @param {any[]} rolls
 * @param {any} config
 * @param {any} dialog
 * @param {any} message
 */
function beforeDice(rolls, config, dialog, message) {
  const one = pending.get(config);
  if (!one) return;
  const asked = dialog.configure !== false;
  const told = tell(one, asked ? [] : one.offered);
  const harder = counted(one).reduce((sum, { modifier }) => sum + (modifier.gives === "difficulty" ? (modifier.value ?? 0) : 0), 0);
  const enforced = [...counted(one), ...one.native].filter(({ mode, modifier }) => mode === "enforce" && MODES.includes(modifier.gives));
  for (const [index, roll] of rolls.entries()) {
    const suggested = modeOf(config.rolls[index]?.options ?? {});
    const chosen = roll.options.advantageMode;
    /** @type {Record<string, any>} */
    const options = one.roll.what === "initiative" ? { [ID]: told } : {};
    if (asked && enforced.length && chosen !== suggested) {
      // Another choice than the suggested one is one more reason for it, not the end of the others.
      const { advantage, disadvantage } = config.rolls[index].options;
      options.advantageMode = modeOf({ advantage: advantage || chosen > 0, disadvantage: disadvantage || chosen < 0 });
    } else if (asked && chosen !== suggested) told.otherwise = true;
    if (Number.isFinite(roll.options.target)) options.target = told.fails ? 999 : roll.options.target + harder;
    if (Object.keys(options).length) settle(roll, options);
  }
  if (told.given.length || told.offered) keep(message, told);
}

/**
 * A reason in words: what it gives, the condition, whose, and when.
 * @param {Reason} reason
 * @returns {string}
 */
function words({ condition, level, gives, value, onMe, when, by }) {
  const many = (entryOf(condition)?.levels.length ?? 1) > 1;
  const name = many ? `${nameOf(condition)} ${level}` : nameOf(condition);
  const number = `${value < 0 ? "−" : "+"}${Math.abs(value)}`;
  const keys = Object.entries(when).map(([key, wanted]) => {
    if (key === "asks") return t(`Roll.asks.${wanted}`);
    if (key === "vs") return t("Roll.when.vs", { name: nameOf(wanted) });
    const side = typeof wanted === "number" ? key : wanted ? key : `${key}Not`;
    return t(`Roll.when.${side}`, { feet: wanted });
  });
  const whose = t(onMe ? "Roll.target" : "Roll.own", { name });
  const said = t(`Roll.${gives}`, { number, reason: [whose, ...keys].join(when.asks || when.vs ? ", " : " ") });
  return by ? t("Roll.native", { reason: said }) : said;
}

/**
 * A reason as it is shown: the condition's picture and the words.
 * @param {Reason} reason
 * @param {string} tone
 * @returns {HTMLElement}
 */
function shown(reason, tone = "") {
  const picture = el("img", { src: iconOf(reason.condition, reason.level), alt: "" });
  return el(`li.cb-reason.${tone || reason.gives}`, {}, picture, el("span", {}, words(reason)));
}

/**
 * Show in the roll dialog what counts and why, and offer what only people know.
 * @param {any} app
 * @param {HTMLElement} html
 */
function drawDialog(app, html) {
  const one = pending.get(app.config);
  if (!one) return;
  const ability = app.rolls[0]?.data?.abilityId;
  const panelled = html.querySelector(".cb-rolls");
  if (ability && !one.roll.what.split(".").includes(ability)) {
    panelled?.remove();
    return changeAbility(app, one, ability);
  }
  if (panelled) return;
  const told = tell({ ...one, ticked: new Set() });
  const offers = one.offered.map((found) => {
    const [reason] = tell({ ...one, given: [found], native: [], ticked: new Set() }).given;
    const tick = () => {
      if (!one.ticked.delete(found)) one.ticked.add(found);
      renew(app, one);
    };
    const box = el("input", { type: "checkbox", checked: one.ticked.has(found), onchange: tick });
    return el("li", {}, el("label.cb-offer", {}, box, el("span", {}, words(reason))));
  });
  if (!told.given.length && !offers.length) return;
  const list = el("ul.cb-reasons.unlist", {}, ...told.given.map((reason) => shown(reason)), ...offers);
  const panel = el("fieldset.cb-rolls", {}, el("legend", {}, t("Roll.title")), list);
  const before = html.querySelector('[data-application-part="configuration"]');
  if (before) before.before(panel);
  else html.querySelector("form, .window-content")?.append(panel);
}

/**
 * Draw a dialog anew after what counts has changed.
 * @param {any} app
 * @param {Pending} one
 */
function renew(app, one) {
  apply(one);
  for (const roll of app.config.rolls) roll.options.advantageMode = modeOf(roll.options);
  app.rebuild();
  app.render({ parts: ["formulas", "buttons"] });
}

/**
 * Another ability was chosen in the dialog of a skill or tool: other conditions may count.
 * @param {any} app
 * @param {Pending} one
 * @param {string} ability
 */
function changeAbility(app, one, ability) {
  const [kind, , ...rest] = one.roll.what.split(".");
  one.roll.what = [kind, ability, ...rest].join(".");
  Object.assign(one, judge(one.roll), { ticked: new Set() });
  renew(app, one);
}

/**
 * Show with a roll in the chat why it was what it was.
 * @param {any} message
 * @param {HTMLElement} html
 */
function drawMessage(message, html) {
  /** @type {Told|undefined} */
  const told = message.flags?.[ID]?.roll ?? message.rolls?.[0]?.options?.[ID];
  const content = html.querySelector(".message-content");
  if (!told || !content || message.isContentVisible === false) return;
  const hit = told.critical && message.rolls?.[0]?.isSuccess === true;
  const outcome = told.fails ? t("Roll.failed") : hit ? t("Roll.hit") : told.otherwise ? t("Roll.otherwise") : "";
  const offered = (told.offered ?? []).map((reason) => shown(reason, "offered"));
  const list = [...told.given.map((reason) => shown(reason)), ...offered];
  if (!list.length) return;
  if (outcome) list.unshift(el(`li.cb-outcome.${told.fails ? "fail" : hit ? "critical" : "otherwise"}`, {}, outcome));
  html.querySelector(".cb-told")?.remove();
  content.append(el("ul.cb-reasons.cb-told.unlist", {}, ...list));
}

export const hooks = {
  "dnd5e.preRollV2": beforeRoll,
  "dnd5e.preConfigureInitiative": beforeInitiative,
  "dnd5e.postRollConfiguration": beforeDice,
  renderRollConfigurationDialog: drawDialog,
  renderChatMessageHTML: drawMessage,
};
