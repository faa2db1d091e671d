import { capital, el, group, icon, t } from "./text.mjs";
import { iconOf, nameOf } from "./catalogue.mjs";
import { find } from "./sheets.mjs";
import { moved, named, portrait, sourceName } from "./cards.mjs";
import { counted, span, textOf } from "./words.mjs";

/** @import { Control, Ends, Field, Form, Line, Note, Row, Rows, View } from "../types/protocol.d.ts" */
/** @typedef {(control: Control, values: Record<string, any>) => any} Act */

/** A list of more rows than this can be searched. */
const FEW = 12;
/** What is counted down, by the element that shows it. */
const clocks = /** @type {WeakMap<Element, Ends>} */ (new WeakMap());

/**
 * Draw a view of the bridge's: text and data become elements, nothing becomes markup.
 * @param {View} view
 * @param {Act} act  What a button does.
 * @returns {HTMLElement}
 */
export function draw(view, act) {
  const parts = (view.parts ?? []).map((part) => {
    if (part.part === "rows") return drawRows(part, act);
    return part.part === "form" ? drawForm(part, act) : drawNote(part);
  });
  const leads = (view.controls ?? []).map((control) => button(control, act, true));
  const head = el("header.cb-view-head.flexrow", {}, el("h2", {}, textOf(view.title)), ...leads);
  return el("div.cb-view", { "data-view": view.what }, head, ...parts);
}

/**
 * Let everything in there that is counted down show what is left now.
 * @param {Element|null|undefined} root
 */
export function tick(root) {
  for (const element of root?.querySelectorAll(".cb-left") ?? []) {
    const ends = clocks.get(element);
    if (ends) element.textContent = left(ends);
  }
}

/**
 * What is left until then, in game time or in rounds, as a sentence.
 * @param {Ends} ends
 * @returns {string}
 */
function left({ words, at, combat, round = 0 }) {
  const fight = /** @type {any} */ (game.combats.get(combat ?? ""));
  const rounds = Math.max(0, round - (fight?.round ?? 0));
  const inRounds = () => (rounds ? counted("View.rounds", rounds) : t("View.this-round"));
  const time = combat ? inRounds() : span(Math.abs((at ?? 0) - game.time.worldTime));
  return textOf({ ...words, data: { ...words.data, left: time } }).replace("{left}", time);
}

/**
 * A line: the condition that it is about, with its picture, what is said, and who caused it.
 * @param {Line} line
 * @returns {HTMLElement|null}
 */
function say(line) {
  const { condition, level = 0, source } = line;
  const change = moved(line);
  const text = condition && change ? change : source ? t("Card.source", { name: sourceName(source) }) : textOf(line);
  const picture = condition && el("img.cb-icon", { src: iconOf(condition, level), alt: "" });
  const head = condition && el("strong", {}, named(line));
  return text || head ? el("span.cb-said", {}, picture, head, el("span", {}, text)) : null;
}

/**
 * All that a row says, as text.
 * @param {Row} row
 * @returns {string}
 */
export function sentenceOf(row) {
  const parts = [...drawRow(row, () => {}).querySelectorAll(".cb-said > *, .cb-left")];
  return parts.flatMap((part) => part.textContent || []).join(" ");
}

/**
 * A button. In a row it is a picture with its words as a label.
 * @param {Control} control
 * @param {Act} act
 * @param {boolean} wordy
 * @param {() => Record<string, any>} [values]
 * @returns {HTMLElement}
 */
function button(control, act, wordy, values = () => ({})) {
  const label = textOf(control.label);
  const bare = !wordy && Boolean(control.icon);
  const here = control.current ? { "aria-current": "page" } : {};
  const look = { type: "button", "data-control": control.id, ...here, ...(bare ? { "aria-label": label, "data-tooltip-text": label } : {}) };
  const onclick = (/** @type {MouseEvent} */ event) => {
    /** @type {HTMLElement} */ (event.currentTarget).setAttribute("aria-busy", "true");
    act(control, values());
  };
  return el(`button${bare ? ".cb-bare" : ""}`, { ...look, onclick }, control.icon && icon(control.icon), !bare && el("span", {}, label));
}

/**
 * A sentence.
 * @param {Note} note
 * @returns {HTMLElement}
 */
function drawNote({ line, tone = "plain" }) {
  return el(`p.cb-note.${tone}`, {}, say(line));
}

/**
 * A list: what is said of one creature stands under its portrait and name; long lists can be searched.
 * @param {Rows} list
 * @param {Act} act
 * @returns {HTMLElement}
 */
function drawRows({ id, title, rows = [], empty, controls = [], more = 0 }, act) {
  /** @type {{row: Row, items: HTMLElement[]}[]} */
  const groups = [];
  for (const row of rows) {
    const last = groups.at(-1);
    const item = drawRow(row, act);
    if (last && row.actor && last.row.actor === row.actor) last.items.push(item);
    else groups.push({ row, items: [item] });
  }
  const items = groups.map(({ row, items: own }) => el("li.cb-creature", {}, whose(row), el("ul.unlist", {}, ...own)));
  const body = el("ul.cb-list.unlist", { onkeydown: walk }, ...items);
  const search = rows.length > FEW && el("input", { type: "search", name: `${id}-filter`, placeholder: t("View.filter"), "aria-label": t("View.filter"), oninput: () => sift(body, search) });
  return el(
    "section.cb-rows",
    { "data-list": id },
    el("header.flexrow", {}, el("h3", {}, textOf(title)), search, ...controls.map((control) => button(control, act, true))),
    rows.length ? body : empty && el("p.hint", {}, textOf(empty)),
    more > 0 && el("p.hint", {}, t("View.more", { count: more })),
  );
}

/**
 * Portrait and name of the creature that a row is about.
 * @param {Row} row
 * @returns {HTMLElement|null}
 */
function whose({ actor: ref, title }) {
  const actor = ref && find(ref);
  const name = actor ? (actor.token?.name ?? actor.name) : title ? textOf(title) : "";
  return name ? portrait(actor, name) : null;
}

/**
 * One row.
 * @param {Row} row
 * @param {Act} act
 * @returns {HTMLElement}
 */
function drawRow({ id, condition, level = 0, lines = [], ends, controls = [] }, act) {
  const head = condition ? say({ key: "", text: "", condition, level }) : null;
  const clock = ends ? el("span.cb-left", {}, left(ends)) : null;
  if (clock && ends) clocks.set(clock, ends);
  const said = el("div.cb-text", {}, head, ...lines.map(say), clock);
  const buttons = controls.map((control) => button(control, act, false));
  return el("li.cb-row", { "data-row": id }, said, buttons.length > 0 && el("div.cb-controls", {}, ...buttons));
}

/**
 * The arrow keys lead from row to row, to the same button of the next one that has it.
 * @param {KeyboardEvent} event
 */
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = /** @type {HTMLElement} */ (event.target).closest("button");
  if (!step || !from) return;
  const list = /** @type {HTMLElement} */ (event.currentTarget);
  const rows = [...list.querySelectorAll(".cb-row:has(button)")].filter((row) => /** @type {HTMLElement} */ (row).offsetParent);
  const row = rows[rows.indexOf(/** @type {Element} */ (from.closest(".cb-row"))) + step];
  const buttons = [...(row?.querySelectorAll("button") ?? [])];
  event.preventDefault();
  (buttons.find((one) => one.dataset.control === from.dataset.control) ?? buttons[0])?.focus();
}

/**
 * Show only what holds the words that are looked for.
 * @param {HTMLElement} list
 * @param {any} search
 */
function sift(list, search) {
  const wanted = search.value.trim().toLocaleLowerCase();
  for (const item of list.children) item.toggleAttribute("hidden", !item.textContent?.toLocaleLowerCase().includes(wanted));
}

/**
 * A form. Its values go with whichever of its buttons is pressed; the first is that of the Enter key.
 * @param {Form} form
 * @param {Act} act
 * @returns {HTMLElement}
 */
function drawForm({ id, title, fields = [], controls = [], open = true }, act) {
  const inputs = fields.map((field) => ({ field, input: inputOf(field) }));
  const groups = inputs.map(({ field, input }) => {
    input.id = `${id}-${field.key}`;
    const row = group(textOf(field.label), input, field.hint ? textOf(field.hint) : undefined);
    if (field.problem) row.append(el("p.hint.cb-problem", { role: "alert" }, icon("triangle-exclamation"), textOf(field.problem)));
    return row;
  });
  const fits = (/** @type {Field} */ { only = {} }) => Object.entries(only).every(([key, allowed]) => allowed.includes(String(valueOf(key))));
  const valueOf = (/** @type {string} */ key) => inputs.filter(({ field }) => field.key === key).map(({ field, input }) => read(field, input))[0];
  const show = () => inputs.forEach(({ field }, index) => groups[index].toggleAttribute("hidden", !fits(field)));
  const values = () =>
    Object.fromEntries(
      inputs.filter(({ field }) => fits(field)).flatMap(({ field, input }) => {
        const value = read(field, input);
        return value === null ? [] : [[field.key, value]];
      }),
    );
  const buttons = controls.map((control) => button(control, act, true, values));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
    buttons[0]?.click();
  };
  // Enter in a field submits a form only if it has a button for that.
  const enter = el("button", { type: "submit", hidden: true, tabindex: "-1" });
  const body = el("form", { onsubmit: submit, onchange: show, oninput: show }, ...groups, el("div.form-footer", {}, enter, ...buttons));
  show();
  return el("details.cb-form", { "data-form": id, open }, el("summary", {}, labelOf(title)), body);
}

/**
 * What a field, a form or a choice is called: a condition by its name.
 * @param {Line} line
 * @returns {string}
 */
function labelOf(line) {
  return line.condition ? nameOf(line.condition) : textOf(line);
}

/**
 * The input of a field.
 * @param {Field} field
 * @returns {any}
 */
function inputOf({ key, kind, value = "", choices = [], least, most, default: usual }) {
  const placeholder = usual === undefined ? "" : String(usual);
  const label = (/** @type {any} */ { value: each, label: line }) => (each === usual ? t("View.usual", { choice: capital(labelOf(line)) }) : capital(labelOf(line)));
  const option = (/** @type {any} */ choice) => el("option", { value: choice.value, selected: choice.value === String(value) }, label(choice));
  if (kind === "choice") return el("select", { name: key }, ...choices.map(option));
  if (kind === "tags") {
    const chosen = Array.isArray(value) ? value : [];
    const tag = (/** @type {any} */ choice) =>
      el("label", {}, el("input", { type: "checkbox", name: `${key}.${choice.value}`, value: choice.value, checked: chosen.includes(choice.value) }), capital(labelOf(choice.label)));
    return el("div.cb-tags", { name: key, role: "group" }, ...choices.map(tag));
  }
  if (kind === "toggle") return el("input", { name: key, type: "checkbox", checked: value === true });
  if (kind === "area" || kind === "lines") return el("textarea", { name: key, rows: kind === "area" ? 2 : 6, placeholder }, String(value));
  if (kind === "file") return el("input", { name: key, type: "file", accept: ".toml,text/plain", onchange: (/** @type {any} */ event) => load(event.target, most ?? 0) });
  return el("input", { name: key, type: kind, value, min: least, max: most, placeholder, autocomplete: "off" });
}

/** The texts of files that were chosen, by their input. */
const loaded = /** @type {WeakMap<Element, Promise<string>>} */ (new WeakMap());

/**
 * A file was chosen: it is read, unless it is too large.
 * @param {HTMLInputElement} input
 * @param {number} most
 */
function load(input, most) {
  const file = input.files?.[0];
  loaded.delete(input);
  input.setCustomValidity(file && file.size > most ? t("View.large", { most: most.toLocaleString(game.i18n.lang) }) : "");
  if (file && input.reportValidity()) loaded.set(input, file.text());
}

/**
 * The value of a field; null for what is left out, a promise for a file.
 * @param {Field} field
 * @param {any} input
 * @returns {any}
 */
function read({ kind }, input) {
  if (kind === "toggle") return input.checked;
  if (kind === "tags") return Array.from(input.querySelectorAll(":checked"), (/** @type {any} */ option) => option.value);
  if (kind === "file") return loaded.get(input) ?? null;
  return kind === "number" ? (Number.isFinite(input.valueAsNumber) ? Math.round(input.valueAsNumber) : null) : input.value;
}

/**
 * Draw anew without anybody noticing: the focus, the caret, what was typed or folded, and how far it was scrolled stay.
 * @param {HTMLElement} content
 * @param {HTMLElement} result
 */
export function replace(content, result) {
  const scrolled = [content, ...content.querySelectorAll(".cb-list")].map((old) => ({ path: pathOf(old), top: old.scrollTop }));
  const active = /** @type {any} */ (content.contains(document.activeElement) ? document.activeElement : null);
  const focused = active && pathOf(active);
  const caret = active?.selectionStart;
  const fields = [...content.querySelectorAll("input, select, textarea, details")].map((old) => ({ old: /** @type {any} */ (old), path: pathOf(old) }));
  content.replaceChildren(result);
  for (const { old, path } of fields) {
    const now = /** @type {any} */ (path && content.querySelector(path));
    if (!now) continue;
    if (old.localName === "details") now.open = old.open;
    else if (old.type === "file") keepFile(old, now);
    else if (old.type === "checkbox") now.checked = old.checked === old.defaultChecked ? now.checked : old.checked;
    else if (old.localName === "select") keepChosen(old, now);
    else if (old.value !== old.defaultValue) now.value = old.value;
    if (old.type === "search") now.dispatchEvent(new Event("input"));
  }
  for (const form of content.querySelectorAll("form")) form.dispatchEvent(new Event("change"));
  const again = /** @type {any} */ (focused ? content.querySelector(focused) : null);
  again?.focus({ preventScroll: true });
  if (Number.isInteger(caret)) again?.setSelectionRange?.(caret, caret);
  for (const { path, top } of scrolled) {
    const now = path ? content.querySelector(`${path} > .cb-list`) : content;
    if (now) now.scrollTop = top;
  }
}

/**
 * Keep a file that was chosen.
 * @param {HTMLInputElement} old
 * @param {HTMLInputElement} now
 */
function keepFile(old, now) {
  now.files = old.files;
  if (old.files?.length) now.dispatchEvent(new Event("change"));
}

/**
 * Keep what was chosen by hand.
 * @param {HTMLSelectElement} old
 * @param {HTMLSelectElement} now
 */
function keepChosen(old, now) {
  const changed = Array.from(old.options).some((option) => option.selected !== option.defaultSelected);
  const given = Array.from(old.options).some((option) => option.defaultSelected);
  if (!changed || (!given && old.selectedIndex === 0 && !old.multiple)) return;
  const chosen = Array.from(old.selectedOptions, (option) => option.value);
  for (const option of now.options) option.selected = chosen.includes(option.value);
}

/**
 * Where an element is found again when all is drawn anew.
 * @param {Element} element
 * @returns {string}
 */
function pathOf(element) {
  const steps = /** @type {[string, string][]} */ ([
    ["data-view", "view"],
    ["data-list", "list"],
    ["data-row", "row"],
    ["data-form", "form"],
  ]);
  const path = steps.flatMap(([attribute, key]) => {
    const value = /** @type {any} */ (element.closest(`[${attribute}]`))?.dataset[key];
    return value === undefined ? [] : [`[${attribute}=${CSS.escape(value)}]`];
  });
  const own = ["data-control", "data-action", "name"].find((attribute) => element.hasAttribute(attribute));
  return [...path, ...(own ? [`[${own}=${CSS.escape(element.getAttribute(own) ?? "")}]`] : [])].join(" ");
}
