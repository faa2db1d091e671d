import { actorOf, find, flag, markOf } from "./sheets.mjs";
import { entryOf, iconOf, nameOf } from "./catalogue.mjs";
import { ID, choose, el, t } from "./text.mjs";
import { lastAttacker } from "./dnd5e.mjs";
import { paused } from "./settings.mjs";
import { statusOf } from "./profile.mjs";

/** Effects of this moment that want a source, by condition: a click may put one on several creatures. */
const waiting = /** @type {Map<string, any[]>} */ (new Map());
/** Milliseconds in which effects of one click come. */
const MOMENT = 60;

/**
 * The condition with a source that an effect brings without one.
 * @param {any} effect
 * @returns {string|undefined}
 */
function wanting(effect) {
  return [...(effect.statuses ?? [])].find((status) => entryOf(status)?.sourced && !flag(effect, "mark")?.source);
}

/**
 * An effect is about to be made. One that an item of another creature brings has that creature for its source.
 * @param {any} effect
 * @param {object} _data
 * @param {Record<string, any>} options
 */
function beforeEffect(effect, _data, options) {
  const bearer = actorOf(effect);
  const origin = /^(.*?Actor\.[^.]+)/u.exec(effect.origin ?? "")?.[1];
  const source = origin && find(origin);
  if (!bearer || !source || source === bearer || options[ID]?.apply || !wanting(effect)) return;
  effect.updateSource({ [`flags.${ID}.mark`]: JSON.stringify({ ...markOf(effect), source: source.uuid }) });
}

/**
 * An effect was made by this user with the plain icon: ask once who has caused it.
 * @param {any} effect
 * @param {Record<string, any>} options
 * @param {string} userId
 */
function afterEffect(effect, options, userId) {
  const condition = wanting(effect);
  const plain = condition && effect.id === statusOf(condition)?._id;
  if (!plain || userId !== game.user?.id || !actorOf(effect) || options[ID]?.apply || paused()) return;
  if (!waiting.has(condition)) window.setTimeout(() => ask(condition), MOMENT);
  waiting.set(condition, [...(waiting.get(condition) ?? []), effect]);
}

/**
 * The creatures that may be named, the likeliest first: who is targeted, who attacked last, then all that the user sees.
 * @param {any[]} bearers
 * @returns {{actor: any, name: string, img: string, hint: string}[]}
 */
function candidates(bearers) {
  const user = /** @type {any} */ (game.user);
  const placed = /** @type {any[]} */ (/** @type {any} */ (canvas)?.tokens?.placeables ?? []).filter((token) => token.visible && token.actor);
  const attacker = lastAttacker(bearers[0]);
  const likely = [
    ...[...user.targets].map((token) => ({ token, hint: "target" })),
    ...placed.filter((token) => token.actor === attacker).map((token) => ({ token, hint: "attacker" })),
    ...placed.map((token) => ({ token, hint: "" })),
  ];
  /** @type {Map<any, {actor: any, name: string, img: string, hint: string}>} */
  const found = new Map();
  for (const { token, hint } of likely) {
    const { actor } = token;
    if (!actor || bearers.includes(actor) || found.has(actor)) continue;
    // A name that the table does not show to everyone is not for a player.
    const open = user.isGM || actor.testUserPermission(user, "LIMITED") || [30, 50].includes(token.document.displayName);
    found.set(actor, { actor, name: open ? token.document.name : t("Card.someone"), img: token.document.texture?.src ?? actor.img, hint });
  }
  return [...found.values()].slice(0, 60);
}

/**
 * Ask who has caused a condition, and note it on the effects.
 * @param {string} condition
 */
async function ask(condition) {
  const effects = (waiting.get(condition) ?? []).filter((effect) => actorOf(effect)?.effects.has(effect.id));
  waiting.delete(condition);
  const list = effects.length ? candidates(effects.map(actorOf)) : [];
  if (!list.length) return;
  const row = (/** @type {string} */ value, /** @type {string} */ name, /** @type {string} */ img, /** @type {string} */ hint, /** @type {boolean} */ on) =>
    el(
      "label.cb-source-choice",
      {},
      el("input", { type: "radio", name: "source", value, checked: on }),
      el("img", { src: img, alt: "" }),
      el("span.cb-name", {}, name),
      hint && el("span.cb-hint", {}, t(`Source.${hint}`)),
    );
  const rows = list.map(({ actor, name, img, hint }, index) => row(actor.uuid, name, img, hint, index === 0 && Boolean(hint)));
  const nobody = row("", t("Source.unknown"), iconOf(condition), "", !list[0].hint);
  const names = effects.map((effect) => actorOf(effect).token?.name ?? actorOf(effect).name).join(", ");
  const content = el("div.cb-sources", {}, el("p.hint", {}, t("Source.ask", { names, condition: nameOf(condition) })), ...rows, nobody);
  const chosen = await choose({ title: nameOf(condition), icon: "fa-solid fa-link", ok: t("Source.save"), content });
  if (!chosen?.source || !find(chosen.source)) return;
  for (const effect of effects) {
    await effect.update({ [`flags.${ID}.mark`]: JSON.stringify({ ...markOf(effect), source: chosen.source }) });
  }
}

export const hooks = { preCreateActiveEffect: beforeEffect, createActiveEffect: afterEffect };
