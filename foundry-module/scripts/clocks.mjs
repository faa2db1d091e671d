import { catalogue, entryOf, iconOf, nameOf } from "./catalogue.mjs";
import { counted, endText, span } from "./words.mjs";
import { el, icon, t } from "./text.mjs";
import { flag, markOf } from "./sheets.mjs";
import { get } from "./settings.mjs";

/** @import { Entry, Mark, Timer } from "../types.js" */

const ROUND = 6;

/**
 * What is left of a timer, from its start: rounds for what was given in rounds of a combat that runs, else seconds.
 * @param {Timer} timer
 * @returns {{end: string, left: number}}
 */
function leftOf({ kind, began, amount = 0, counted: already = 0, ...timer }) {
  const combat = kind === "rounds" && timer.combat ? game.combats.get(timer.combat) : null;
  if (combat) return { end: kind, left: Math.max(0, Math.min(amount, (timer.round ?? 0) + amount - (combat.round ?? 0))) };
  const whole = kind === "rounds" ? ROUND * amount : amount;
  const left = Math.max(0, Math.min(whole, whole - (game.time.worldTime - began) - already));
  return { end: kind === "rounds" ? "seconds" : kind, left };
}

/**
 * The level and the clock of a mark, as a sheet shows them; empty where there is neither.
 * @param {Mark|undefined} mark
 * @param {number} levels
 * @returns {string}
 */
function clockOf({ level = 1, timer, halted, held } = {}, levels = 1) {
  const ends = halted ?? timer;
  const end = ends && endText({ ...ends, ...(halted ? { end: halted.kind, left: halted.amount ?? 0 } : leftOf(ends)) });
  return [levels > 1 && t("Clock.level", { level }), (held || halted) && t("Clock.halted"), end?.replace(/\.$/u, "")].filter(Boolean).join(" · ");
}

/**
 * Put the level and the clock of an effect below the name in a row.
 * @param {Element|null} row
 * @param {any} effect
 * @param {string[]} statuses  Those that the row is about.
 */
function annotate(row, effect, statuses) {
  const name = row?.querySelector(".name-stacked");
  const levels = statuses.map((id) => entryOf(id)?.levels.length ?? 0);
  const clock = name && levels.some(Boolean) && clockOf(markOf(effect), Math.max(...levels));
  if (clock) name.append(el("span.subtitle.cb-clock", {}, clock));
}

/**
 * A row of dots, some of them filled.
 * @param {number} full
 * @param {number} all
 * @returns {HTMLElement}
 */
function dots(full, all) {
  return el("span.cb-dots", { "aria-hidden": "true" }, ...Array.from({ length: all }, (_, place) => el(place < full ? "i.full" : "i")));
}

/**
 * What a creature with a levelled condition that has clocks looks at: its level, what counts, and its running hour.
 * @param {any} actor
 * @param {Entry} entry
 * @returns {HTMLElement|null}
 */
function meter(actor, { id, levels, meter: clock }) {
  const effect = actor.effects.find((/** @type {any} */ one) => one.statuses.has(id) && !one.disabled);
  const level = effect ? (markOf(effect)?.level ?? 1) : 0;
  if (!clock || !level) return null;
  const { drinks = [], needed = 0, since, fed } = flag(actor, "memory")?.notes?.[id] ?? {};
  const now = game.time.worldTime;
  const count = drinks.filter((/** @type {number} */ time) => now - time <= clock.window).length;
  const passed = Number.isFinite(since) ? (((now - since) % clock.hour) + clock.hour) % clock.hour : null;
  const row = (/** @type {string} */ symbol, /** @type {(Node|string|false)[]} */ ...said) => el("p", {}, icon(symbol), ...said);
  return el(
    "section.cb-meter",
    { "data-condition": id, "aria-label": nameOf(id) },
    el("img", { src: iconOf(id, level), alt: "" }),
    el(
      "div",
      {},
      el("p.cb-meter-head", {}, el("strong", {}, `${nameOf(id)} ${level}`), dots(level, levels.length)),
      level < levels.length &&
        needed > 0 &&
        row("beer-mug-empty", dots(count, Math.min(20, needed)), el("span", {}, `${counted("Meter.drinks", count)}; ${counted("Meter.needed", needed)}`)),
      passed !== null && row("hourglass-half", el("span", {}, t("Meter.hour", { time: span(clock.hour - passed) }))),
      passed !== null && row("utensils", el("span", {}, t(fed >= now - passed ? "Meter.fed" : "Meter.unfed"))),
    ),
  );
}

/**
 * Show levels, clocks and meters on the effects tab of a sheet.
 * @param {any} app
 * @param {HTMLElement} html
 */
function draw({ document: actor }, html) {
  const tab = html.querySelector('.tab[data-tab="effects"]');
  if (!tab || !actor?.effects) return;
  for (const old of tab.querySelectorAll(".cb-clock, .cb-meter")) old.remove();
  for (const effect of actor.allApplicableEffects?.() ?? actor.effects) {
    annotate(tab.querySelector(`.effect[data-effect-id="${effect.id}"]`), effect, [...effect.statuses]);
    for (const id of effect.disabled ? [] : effect.statuses) annotate(tab.querySelector(`.condition[data-condition-id="${id}"]`), effect, [id]);
  }
  if (get("meter")) tab.prepend(...catalogue().conditions.flatMap((entry) => meter(actor, entry) ?? []));
}

/** Time has passed: every sheet that is open shows it. */
function redraw() {
  for (const app of /** @type {any} */ (foundry.applications).instances.values()) {
    if (app.rendered && app.document?.documentName === "Actor") draw(app, app.element);
  }
}

export const hooks = { renderActorSheetV2: draw, updateWorldTime: redraw, updateCombat: redraw, "condition-bridge.rules": redraw };
