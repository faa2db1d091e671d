import { ID, PATH, capital, el, either, icon, t } from "./text.mjs";
import { entryOf, iconOf, nameOf } from "./catalogue.mjs";
import { abilityName } from "./dnd5e.mjs";
import { by, find } from "./sheets.mjs";
import { send } from "./link.mjs";
import { get } from "./settings.mjs";
import { happen } from "./outbox.mjs";
import { roll } from "./saves.mjs";
import { sha256 } from "./proof.mjs";
import { spend } from "./limits.mjs";
import { originOf, summaryOf, textOf } from "./words.mjs";

/** @import { Button, Card, Kept, Line, Outcome, Request } from "../types.js" */

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Buttons pressed on this client whose answer is not there yet: message and button. */
const pressed = /** @type {Set<string>} */ (new Set());

/**
 * The id of the message that shows a card: always the same for the same card.
 * @param {string} card
 * @returns {string}
 */
export function messageId(card) {
  const hash = sha256(new TextEncoder().encode(card));
  return Array.from(hash.slice(0, 16), (byte) => LETTERS[byte % 62]).join("");
}

/**
 * The card that a message shows; null for every other message.
 * @param {any} message
 * @returns {Kept|null}
 */
export function keptOf(message) {
  const kept = message?.flags?.[ID]?.card;
  return kept?.id && message.author?.isGM ? kept : null;
}

/**
 * Change what a card's message keeps.
 * @param {any} message
 * @param {Partial<Kept>} changes
 */
export async function setKept(message, changes) {
  await message.update({ [`flags.${ID}.card`]: changes });
}

/**
 * Who sees a card.
 * @param {Card} card
 * @param {any} actor
 * @returns {string[]}  Empty for everyone.
 */
function whisperTo(card, actor) {
  if ((card.audience ?? "all") === "all") return [];
  const users = game.users.filter(
    (/** @type {any} */ user) => user.isGM || (card.audience === "owner" && actor?.testUserPermission(user, "OWNER")),
  );
  return users.map((/** @type {any} */ user) => user.id);
}

/**
 * Post a card. It is there already when it is posted a second time.
 * @param {Card} card
 * @param {{request?: Request}} [more]
 * @param {any[]} [rolls]
 * @returns {Promise<boolean>}  It was posted just now.
 */
export async function postCard(card, more = {}, rolls = []) {
  const id = messageId(card.id);
  if (game.messages.has(id)) return false;
  const actor = find(card.actor);
  const kept = { ...card, ...more, data: JSON.stringify(card.data ?? {}), done: [], outcomes: [] };
  const escape = /** @type {any} */ (foundry.utils).escapeHTML;
  // What looks like an enricher of Foundry's (`[[…`, `@UUID[…`, `&Reference[…`) is a name that somebody gave.
  const still = (/** @type {string} */ text) => text.replace(/[@&[](?=\w*\[)/gu, "$&\u2060");
  const plain = [card.title, ...(card.lines ?? [])].map((line) => `<p>${escape(still(line.text))}</p>`);
  const message = /** @type {any} */ (ChatMessage).implementation;
  await message.create(
    {
      _id: id,
      content: plain.join(""),
      // A summary is about the world; no creature says it.
      speaker: card.kind === "summary" ? { alias: t("Window.title") } : message.getSpeaker({ actor, token: actor?.token ?? undefined }),
      whisper: whisperTo(card, actor),
      flags: { [ID]: { card: kept } },
      ...(rolls.length ? { rolls, sound: CONFIG.sounds?.dice } : {}),
    },
    { keepId: true },
  );
  return game.messages.has(id);
}

/**
 * Show on a card that one of its buttons was used.
 * @param {string} card
 * @param {Outcome} outcome
 */
export async function updateCard(card, outcome) {
  const { message, kept } = cardOf(card);
  if (!kept || kept.done.includes(outcome.button)) return;
  await setKept(message, { done: [...kept.done, outcome.button], outcomes: [...kept.outcomes, outcome] });
}

/**
 * The message of a card, and what it keeps.
 * @param {string} card
 * @returns {{message: any, kept: Kept|null}}
 */
export function cardOf(card) {
  const message = game.messages.get(messageId(card));
  return { message, kept: keptOf(message) };
}

/**
 * The name of a condition's cause, for those who may know it.
 * @param {string} ref
 * @returns {string}
 */
export function sourceName(ref) {
  const actor = find(ref);
  const user = /** @type {any} */ (game.user);
  const known = actor && (user.isGM || actor.hasPlayerOwner || actor.testUserPermission(user, "LIMITED"));
  return known ? (actor.token?.name ?? actor.name) : t("Card.someone");
}

/**
 * The title of a card: the conditions that it is about, in the user's language, where that is what it says.
 * @param {Kept} kept
 * @returns {string}
 */
function titleOf({ title, lines = [] }) {
  const names = [...new Set(lines.flatMap((line) => (line.condition ? [nameOf(line.condition)] : [])))];
  return textOf(names.length && title.data?.names ? { ...title, data: { ...title.data, names: names.join(", ") } } : title);
}

/**
 * The name of a line's condition, with its level.
 * @param {Line} line
 * @returns {string}
 */
export function named({ condition: id, level = 0 }) {
  const condition = id ?? "";
  const many = (entryOf(condition)?.levels.length ?? 1) > 1;
  return level > 0 && many ? `${nameOf(condition)} ${level}` : nameOf(condition);
}

/**
 * How a condition moved, in a few words; empty for a line that tells of no such thing.
 * @param {Line} line
 * @returns {string}
 */
export function moved({ key, data }) {
  return either(`Change.${key}`, "", data);
}

/**
 * What a line says: a condition's effects one by one, and apart what ends it; else its text.
 * @param {Line} line
 * @returns {(Node|null)[]}
 */
function saidBy(line) {
  const { summary, ends } = summaryOf(line);
  if (!summary) return [moved(line) ? null : el("span", {}, textOf(line))];
  const parts = summary.replace(/\.$/u, "").split(summary.includes(". ") ? ". " : "; ");
  const list = get("short") ? null : parts.length > 1 ? el("ul.cb-effects", {}, ...parts.map((part) => el("li", {}, capital(part)))) : el("span", {}, summary);
  return [list, ends ? el("span.cb-ends", {}, icon("hourglass-half"), ends) : null];
}

/**
 * One line of a card: the condition's picture and name where it is about one, what is said, and who caused it.
 * @param {Line} line
 * @param {boolean} plain  Without picture, name and change: they stand in the card's head.
 * @returns {HTMLElement|null}
 */
function lineOf(line, plain) {
  const { condition, level = 0 } = line;
  const said = [
    ...saidBy(line),
    line.source ? el("span.cb-source", {}, t("Card.source", { name: sourceName(line.source) })) : null,
  ].filter(Boolean);
  const change = moved(line);
  const head = el("div.cb-head", {}, el("strong", {}, named(line)), change && el("span.cb-change", {}, change));
  const titled = Boolean(condition) && !plain;
  if (!said.length && !titled) return null;
  const picture = titled && el("img.cb-icon", { src: iconOf(condition ?? "", level), alt: "" });
  return el("li.cb-line", {}, picture, el("div.cb-text", {}, titled && head, ...said));
}

/**
 * Tell whether this user may press a button.
 * @param {Button} button
 * @param {any} actor
 * @returns {boolean}
 */
function entitled(button, actor) {
  return Boolean(game.user?.isGM || (button.who === "owner" && actor?.isOwner));
}

/**
 * The buttons of a card that are left for this user.
 * @param {any} message
 * @param {Kept} kept
 * @returns {HTMLElement[]}
 */
function buttonsOf(message, kept) {
  const actor = find(kept.actor);
  const { request } = kept;
  const make = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ symbol, /** @type {() => any} */ act) => {
    const waiting = pressed.has(`${message.id} ${id}`);
    const click = (/** @type {Event} */ event) => {
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    const look = { type: "button", "data-visibility": "all", "data-bridge-button": id, onclick: click };
    return el("button", { ...look, disabled: waiting, "aria-busy": waiting }, icon(waiting ? "spinner" : symbol), el("span", {}, label));
  };
  const open = (kept.buttons ?? []).filter(
    (button) => !kept.done.includes(button.id === "refuse" ? "approve" : button.id) && entitled(button, actor) && !(button.id === "roll" && request),
  );
  const buttons = open.map((button) =>
    make(button.id, either(`Button.${button.id}`, button.label), SYMBOLS[button.id] ?? "hand-pointer", () =>
      press(message, kept, button),
    ),
  );
  if (request && !kept.rolled && actor?.isOwner) {
    const ability = abilityName(request.ability);
    const seen = game.user?.isGM || actor.hasPlayerOwner;
    const label = t(seen ? "Card.roll" : "Card.rollHidden", { ability, dc: request.dc });
    buttons.unshift(make("roll", label, "dice-d20", () => roll(message.id)));
  }
  return buttons;
}

const SYMBOLS = /** @type {Record<string, string>} */ ({
  allow: "heart-circle-check",
  approve: "check",
  refuse: "ban",
  undo: "rotate-left",
  staunched: "bandage",
  "let-it-work": "wine-glass",
  water: "glass-water",
  extinguish: "fire-extinguisher",
  doused: "droplet",
});

const OUTCOMES = /** @type {Record<string, string>} */ ({
  "refused-by-gm": "ban",
  "rolled-failure": "xmark",
  undone: "rotate-left",
  redone: "rotate-right",
});
const BAD = new Set(["ban", "xmark"]);

/**
 * A button was pressed: the bridge is told, with the card as it stands, so that no card is ever forgotten.
 * @param {any} message
 * @param {Kept} kept
 * @param {Button} button
 */
async function press(message, kept, button) {
  const key = `${message.id} ${button.id}`;
  const actor = find(kept.actor);
  if (pressed.has(key) || !actor) return;
  const redraw = () => /** @type {any} */ (ui.chat)?.updateMessage?.(message);
  pressed.add(key);
  redraw();
  // The answer comes as a change of the card. If none comes, the button can be pressed again.
  window.setTimeout(() => pressed.delete(key) && redraw(), 8000);
  // Putting a fire out is the creature's action.
  if (button.id === "extinguish") await spend(actor, "action");
  const card = { id: kept.id, actor: kept.actor, data: JSON.parse(kept.data), done: kept.done };
  await happen(actor, { type: "pressed", button: button.id, card, owner: actor.isOwner && !game.user?.isGM });
}

/**
 * Show the card in its message. This runs whenever Foundry draws the message, on every client, also long afterwards:
 * everything is taken from the message's flag.
 * @param {any} message
 * @param {HTMLElement} html
 */
function draw(message, html) {
  const kept = keptOf(message);
  const content = html.querySelector(".message-content");
  if (!kept || !content) return;
  for (const button of kept.done) pressed.delete(`${message.id} ${button}`);
  const lines = kept.lines ?? [];
  const about = lines.filter((line) => line.condition);
  // What a card is about stands in its head; a list of several has it with every line.
  const one = new Set(about.map((line) => line.condition)).size === 1 ? about[0] : null;
  const title = one && ["conditions", "turn"].includes(kept.kind) ? named(one) : titleOf(kept);
  const subtitle = one && title !== named(one) ? named(one) : (one && moved(one)) || t(`Kind.${kept.kind}`);
  const first = about[0];
  const glyph = first ? iconOf(first.condition ?? "", first.level) : `${PATH}/icons/logo.svg`;
  const list = lines.map((line) => lineOf(line, Boolean(one))).filter((item) => item !== null);
  const done = [
    kept.rolled &&
      !kept.done.includes("roll") &&
      el(
        `p.cb-done.${kept.rolled.success ? "success" : "failure"}`,
        {},
        icon(kept.rolled.success ? "check" : "xmark"),
        el("span", {}, t(kept.rolled.success ? "Card.saved" : "Card.failed", { total: kept.rolled.total })),
      ),
    ...kept.outcomes.map(({ line }) => {
      const symbol = OUTCOMES[line.key] ?? "check";
      return el(`p.cb-done.${BAD.has(symbol) ? "failure" : "success"}`, {}, icon(symbol), el("span", {}, textOf(line)));
    }),
  ];
  const buttons = buttonsOf(message, kept);
  const origin = [...new Set(lines.map((line) => originOf(line.condition ?? "")).filter(Boolean))];
  const card = el(
    "div.chat-card.condition-bridge",
    { "data-kind": kept.kind },
    el(
      "section.card-header.description",
      {},
      el(
        "header.summary",
        {},
        el("img.gold-icon.cb-glyph", { src: glyph, alt: "" }),
        el("div.name-stacked.border", {}, el("span.title", {}, title), el("span.subtitle", {}, subtitle)),
      ),
      list.length > 0 && el("section.details.card-content", {}, el("div.wrapper", {}, el("ul.cb-lines.unlist", {}, ...list))),
    ),
    ...done,
    buttons.length > 0 && el("div.card-buttons", {}, ...buttons),
    origin.length > 0 &&
      el("ul.card-footer.pills.unlist", {}, ...origin.map((text) => el("li.pill.transparent", {}, el("span.label", {}, text ?? "")))),
  );
  const dice = content.querySelector(".dice-roll");
  content.replaceChildren(...(dice ? [card, dice] : [card]));
}

/**
 * Ask the bridge to take a decision back.
 * @param {number} [decision]  The last one when left out.
 */
export function undo(decision) {
  const message = { type: "undo", id: foundry.utils.randomID(), by: by(game.user?.id ?? "") };
  if (game.user?.isGM) send({ ...message, ...(decision ? { decision } : {}) });
}

export const hooks = { renderChatMessageHTML: draw };
