import { either, t } from "./text.mjs";
import { entryOf, nameOf, shippedEntry } from "./catalogue.mjs";
import { abilityName, damageName } from "./dnd5e.mjs";

/** @import { End, Line } from "../types.js" */

const UNITS = /** @type {const} */ ([
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
]);

/**
 * Words of ours in the user's language. What differs from what was shipped is a GM's own, and is shown as it stands.
 * @param {string} key
 * @param {string} text
 * @param {string} [shipped]
 * @returns {string}
 */
function ours(key, text, shipped) {
  return text && text === shipped ? either(key, text) : text;
}

/**
 * What a condition does at a level.
 * @param {string} id
 * @param {number} level
 * @param {string} [text]  What a card says; the catalogue's when left out.
 * @returns {string}
 */
export function summaryAt(id, level, text = entryOf(id)?.levels[level - 1]?.summary ?? "") {
  return ours(`Summary.${id}.${level}`, text, shippedEntry(id)?.levels[level - 1]?.summary);
}

/**
 * Where a condition's rule is from, when that is worth a word.
 * @param {string} id
 * @returns {string}
 */
export function originOf(id) {
  return ours(`Origin.${id}`, entryOf(id)?.origin ?? "", shippedEntry(id)?.origin);
}

/**
 * What a line says that a condition does, and what ends it.
 * @param {Line} line
 * @returns {{summary: string, ends: string}}
 */
export function summaryOf({ condition: id, level, data = {} }) {
  const condition = id ?? "";
  const text = String(data.summary ?? "");
  const ends = String(data.ends ?? "");
  return {
    summary: text && summaryAt(condition, level || 1, text),
    ends: data.end ? endText(/** @type {any} */ (data)) : ours(`Ends.${condition}`, ends, shippedEntry(condition)?.ends),
  };
}

/**
 * The text of a line that the bridge wrote.
 * @param {Line} line
 * @returns {string}
 */
export function textOf(line) {
  const data = /** @type {Record<string, any>} */ ({ ...line.data, ...summaryOf(line) });
  const { ability, type, cause, what, name, setting, was, now } = line.data ?? {};
  if (ability) data.ability = abilityName(String(ability));
  if (type) data.type = damageName(String(type));
  if (cause) data.what = what || either(`Cause.${cause}`, t("Cause.unknown"));
  if (data.conditions) data.names = String(data.conditions).split(",").map(nameOf).join(", ");
  if (name && line.condition) data.name = [nameOf(line.condition), line.level || ""].join(" ").trim();
  if (setting) {
    data.setting = either(`Line.set-${String(setting).replaceAll(".", "-")}`, String(setting));
    data.was = valueText(was);
    data.now = valueText(now);
  }
  return either(`Line.${line.key}`, line.text, data).trim();
}

/**
 * The value of a setting in words; several are parted by commas.
 * @param {unknown} value
 * @returns {string}
 */
function valueText(value) {
  const words = String(value).split(", ");
  return words.map((word) => either(`Line.word-${word}`, word)).join(", ");
}

/**
 * A number with the word that goes with it: keys for each plural form of the user's language.
 * @param {string} key
 * @param {number} count
 * @returns {string}
 */
export function counted(key, count) {
  const form = new Intl.PluralRules(game.i18n.lang).select(count);
  return t(`${key}.${form === "one" ? "one" : "other"}`, { count: count.toLocaleString(game.i18n.lang) });
}

/**
 * A length of time in the largest unit that says it well.
 * @param {number} seconds
 * @returns {string}
 */
export function span(seconds) {
  const [unit, size] = UNITS.find(([, one]) => seconds >= 2 * one || (seconds >= one && seconds % one === 0)) ?? ["second", 1];
  const style = /** @type {const} */ ({ style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 });
  return new Intl.NumberFormat(game.i18n.lang, style).format(seconds / size);
}

/**
 * When a condition ends.
 * @param {End} end
 * @returns {string}
 */
export function endText({ end, left = 0, ability, dc, moment }) {
  const save = ability ? t(`End.save-${moment}`, { ability: abilityName(ability), dc }) : "";
  const rounds = () => (left ? counted("End.rounds", left) : t("End.this-round"));
  const when = end === "save" ? "" : end === "rounds" ? rounds() : t(`End.${end}`, { time: span(left) });
  return [when, save].filter(Boolean).join(" ");
}
