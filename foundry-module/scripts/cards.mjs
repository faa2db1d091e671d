import { ID, PATH, capital, el, either, icon, t } from "./text.mjs";
import { entryOf, iconOf, nameOf } from "./catalogue.mjs";
import { abilityName } from "./dnd5e.mjs";
import { by, find } from "./sheets.mjs";
import { send } from "./link.mjs";
import { get } from "./settings.mjs";
import { happen } from "./outbox.mjs";
import { menuEntry } from "./profile.mjs";
import { roll } from "./saves.mjs";
import { sha256 } from "./proof.mjs";
import { spend } from "./limits.mjs";
import { originOf, summaryOf, textOf } from "./words.mjs";

/** @import { Button, Card, Kept, Line, Outcome, Request } from "../types.js" */

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** A speaker that is no creature. */
const WORLD = { scene: null, actor: null, token: null };
/** Buttons pressed on this client whose answer is not there yet: message and button. */
const pressed = /** @type {Set<string>} */ (new Set());

/** What is done one after the other: for each key the last of it. */
const chains = /** @type {Map<string, Promise<any>>} */ (new Map());

/**
 * Do one thing after another, for each key.
 * @template T
 * @param {string} key
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export function inTurn(key, act) {
  const mine = (chains.get(key) ?? Promise.resolve()).then(act);
  const last = mine.catch(() => {}).finally(() => chains.get(key) === last && chains.delete(key));
  chains.set(key, last);
  return mine;
}

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
 * The cards that a message shows: its own, and those of further creatures as rows of it (CRD-1).
 * @param {any} message
 * @returns {Kept[]}
 */
function cardsOf(message) {
  const kept = keptOf(message);
  return kept ? [kept, ...Object.values(kept.rows ?? {})] : [];
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
 * Post a card, as a row where its group has a message already. It is there already when it is posted a second time.
 * @param {Card} card
 * @param {{request?: Request}} [more]
 * @param {any[]} [rolls]
 * @returns {Promise<boolean>}  It was posted just now.
 */
export function postCard(card, more = {}, rolls = []) {
  const id = messageId(card.group || card.id);
  return inTurn(id, () => post(id, card, more, rolls));
}

/**
 * Post a card in this message.
 * @param {string} id
 * @param {Card} card
 * @param {{request?: Request}} more
 * @param {any[]} rolls
 * @returns {Promise<boolean>}
 */
async function post(id, card, more, rolls) {
  const there = game.messages.get(id);
  const shown = cardsOf(there);
  if (there && (!shown.length || shown.some((one) => one.id === card.id))) return false;
  const actor = find(card.actor);
  const message = /** @type {any} */ (ChatMessage).implementation;
  const own = message.getSpeaker({ actor, token: actor?.token ?? undefined });
  // A summary is about the world; no creature says it, nor what is about several.
  const speaker = card.kind === "summary" || there ? { ...WORLD, alias: t("Window.title") } : own;
  const name = card.group && card.group !== card.id ? { name: own.alias } : {};
  const kept = { ...card, ...more, ...name, data: JSON.stringify(card.data ?? {}), done: [], outcomes: [] };
  const escape = /** @type {any} */ (foundry.utils).escapeHTML;
  // What looks like an enricher of Foundry's (`[[…`, `@UUID[…`, `&Reference[…`) is a name that somebody gave.
  const still = (/** @type {string} */ text) => text.replace(/[@&[](?=\w*\[)/gu, "$&\u2060");
  const texts = [name.name, card.title.text, ...(card.lines ?? []).map((line) => line.text)].filter(Boolean);
  const content = texts.map((text) => `<p>${escape(still(text))}</p>`).join("");
  if (there) {
    const row = { [`flags.${ID}.card.rows.${messageId(card.id)}`]: kept };
    await /** @type {any} */ (there).update({ content: `${there.content}${content}`, speaker, ...row });
    return true;
  }
  const made = message.create(
    {
      _id: id,
      content,
      speaker,
      whisper: whisperTo(card, actor),
      flags: { [ID]: { card: kept } },
      ...(rolls.length ? { rolls, sound: CONFIG.sounds?.dice } : {}),
    },
    { keepId: true },
  );
  try {
    await made;
  } catch (error) {
    // Another GM's browser has been quicker, perhaps with another card of the group: then this is a row.
    if (!game.messages.has(id)) throw error;
    return post(id, card, more, rolls);
  }
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
  const changes = { done: [...kept.done, outcome.button], outcomes: [...kept.outcomes, outcome] };
  await setKept(message, kept === keptOf(message) ? changes : { rows: { [messageId(card)]: /** @type {Kept} */ (changes) } });
}

/**
 * The message that shows a card, be it as a row, and what it keeps of it.
 * @param {string} card
 * @returns {{message: any, kept: Kept|null}}
 */
export function cardOf(card) {
  const its = (/** @type {any} */ message) => cardsOf(message).find((kept) => kept.id === card);
  const message = /** @type {any} */ (game.messages.get(messageId(card)) ?? game.messages.find((message) => Boolean(its(message))));
  return { message, kept: its(message) ?? null };
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
 * @param {boolean} still  Without the change: it stands in the creatures' rows.
 * @returns {HTMLElement|null}
 */
function lineOf(line, plain, still) {
  const { condition, level = 0 } = line;
  const said = [
    ...saidBy(line),
    line.source ? el("span.cb-source", {}, t("Card.source", { name: sourceName(line.source) })) : null,
  ].filter(Boolean);
  const change = !still && moved(line);
  const head = el("div.cb-head", {}, el("strong", {}, named(line)), change && el("span.cb-change", {}, change));
  const titled = Boolean(condition) && !plain;
  if (!said.length && (!titled || still)) return null;
  const picture = titled && el("img.cb-icon", { src: iconOf(condition ?? "", level), alt: "" });
  return el("li.cb-line", {}, picture, el("div.cb-text", {}, titled && head, ...said));
}

/**
 * Portrait and name of a creature.
 * @param {any} actor
 * @param {string} name
 * @returns {HTMLElement}
 */
export function portrait(actor, name) {
  const image = actor && (actor.token?.texture?.src ?? actor.img);
  return el("div.cb-whose", {}, image && el("img.cb-portrait", { src: image, alt: "" }), el("bdi", { title: name }, name));
}

/**
 * What is the same for a line of several creatures: what it says, and how its condition moved.
 * @param {Line} line
 * @returns {string}
 */
function sense(line) {
  return JSON.stringify([line.condition, line.level ?? 0, line.text, line.source, moved(line)]);
}

/**
 * What each creature of a card is told of: those who are on it, with their lines and with what was done since.
 * @param {Kept[]} cards
 * @returns {{ref: string, name: string, told: Line[]}[]}
 */
function creaturesOf(cards) {
  return [...new Set(cards.map(({ actor }) => actor))].map((ref) => {
    const own = cards.filter(({ actor }) => actor === ref);
    return { ref, name: own[0].name ?? "", told: own.flatMap(({ lines = [], outcomes }) => [...lines, ...outcomes.map(({ line }) => line)]) };
  });
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
 * Of the cards of a message the one whose buttons stand on it. One button undoes all of a group: it is there until that is
 * said of each creature.
 * @param {Kept[]} cards
 * @returns {Kept}
 */
function answering(cards) {
  return cards.find(({ buttons = [], done: used }) => buttons.some(({ id }) => !used.includes(id))) ?? cards[0];
}

/**
 * Undo stands in the menu of a card's message, too.
 * @param {any} _log
 * @param {any[]} entries
 */
function addUndo(_log, entries) {
  const undoable = (/** @type {HTMLElement} */ { dataset }) => {
    const message = game.messages.get(dataset.messageId ?? "");
    const kept = message && answering(cardsOf(message));
    const button = kept?.buttons?.find(({ id }) => id === "undo" && !kept.done.includes(id));
    return kept && button && entitled(button, find(kept.actor)) ? () => press(message, kept, button) : null;
  };
  entries.push(menuEntry(t("Button.undo"), SYMBOLS.undo, (li) => Boolean(undoable(li)), (li) => undoable(li)?.()));
}

/**
 * Show the card in its message. This runs whenever Foundry draws the message, on every client, also long afterwards:
 * everything is taken from the message's flag.
 * @param {any} message
 * @param {HTMLElement} html
 */
function draw(message, html) {
  // In the order in which they were decided: their ids are numbered.
  const cards = cardsOf(message).sort((one, other) => one.id.localeCompare(other.id, "en", { numeric: true }));
  const content = html.querySelector(".message-content");
  if (!cards.length || !content) return;
  const kept = answering(cards);
  for (const button of kept.done) pressed.delete(`${message.id} ${button}`);
  const creatures = creaturesOf(cards);
  // What holds for all of them is said once.
  const common = (/** @type {Line} */ line) => creatures.every(({ told }) => told.some((other) => sense(other) === sense(line)));
  const once = (/** @type {Line[]} */ all) => (cards.length > 1 ? [...new Map(all.map((line) => [sense({ ...line, key: "" }), line])).values()] : all);
  const lines = cards.flatMap((card) => card.lines ?? []);
  const about = lines.filter((line) => line.condition);
  const first = about[0];
  // What a card is about stands in its head; a list of several has it with every line.
  const one = new Set(about.map((line) => line.condition)).size === 1 ? first : null;
  const alike = new Set(about.map((line) => line.level)).size < 2;
  const name = one && (alike ? named(one) : nameOf(one.condition ?? ""));
  const title = name && ["conditions", "turn"].includes(kept.kind) ? name : titleOf({ ...kept, lines });
  const subtitle = name && title !== name ? name : (one && common(one) && moved(one)) || t(`Kind.${kept.kind}`);
  const glyph = first ? iconOf(first.condition ?? "", first.level) : `${PATH}/icons/logo.svg`;
  const said = once(lines.filter((line) => moved(line) || common(line)));
  const list = said.map((line) => lineOf(line, Boolean(one) && alike, !common(line))).filter((item) => item !== null);
  const short = (/** @type {Line} */ line) => (moved(line) ? [one && alike ? "" : named(line), moved(line)].filter(Boolean).join(" · ") : textOf(line));
  const rows = creatures.map(({ ref, name: whose, told }) =>
    el("li.cb-row", {}, portrait(find(ref), whose), ...told.filter((line) => !common(line)).map((line) => el("span.cb-change", {}, short(line)))),
  );
  const outcomes = once(cards.flatMap((card) => card.outcomes.map(({ line }) => line)).filter(common));
  const done = [
    kept.rolled &&
      !kept.done.includes("roll") &&
      el(
        `p.cb-done.${kept.rolled.success ? "success" : "failure"}`,
        {},
        icon(kept.rolled.success ? "check" : "xmark"),
        el("span", {}, t(kept.rolled.success ? "Card.saved" : "Card.failed", { total: kept.rolled.total })),
      ),
    ...outcomes.map((line) => {
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
      (list.length > 0 || rows.length > 1) &&
        el(
          "section.details.card-content",
          {},
          el("div.wrapper", {}, list.length > 0 && el("ul.cb-lines.unlist", {}, ...list), rows.length > 1 && el("ul.cb-lines.cb-creatures.unlist", {}, ...rows)),
        ),
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

export const hooks = { renderChatMessageHTML: draw, getChatMessageContextOptions: addUndo };
