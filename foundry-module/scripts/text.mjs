export const ID = "condition-bridge";
export const PATH = `modules/${ID}`;
const PREFIX = "CONDITION-BRIDGE";

/**
 * Say it in the user's language.
 * @param {string} key  A key of `lang/`, without the module's prefix.
 * @param {Record<string, any>} [data]
 * @returns {string}
 */
export function t(key, data) {
  const full = `${PREFIX}.${key}`;
  return data ? game.i18n.format(full, data) : game.i18n.localize(full);
}

/**
 * Say it in the user's language if that has words for it, else in the fallback's.
 * @param {string} key
 * @param {string} fallback
 * @param {Record<string, any>} [data]
 * @returns {string}
 */
export function either(key, fallback, data = {}) {
  return game.i18n.has(`${PREFIX}.${key}`) ? t(key, data) : fallback;
}

/**
 * Write a sentence's first letter large.
 * @param {string} text
 * @returns {string}
 */
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase(game.i18n.lang) + text.slice(1);
}

/**
 * Make an element. Everything is set as text or as an attribute: nothing is ever parsed as markup.
 * @param {string} tag  The tag and its classes, as in `span.title`.
 * @param {Record<string, any>} [attributes]  `on…` are listeners, booleans switch an attribute, the rest are set as text.
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * A Font Awesome icon that screen readers pass over.
 * @param {string} name
 * @returns {HTMLElement}
 */
export function icon(name) {
  return el(`i.fa-solid.fa-fw.fa-${name}`, { "aria-hidden": "true" });
}

/**
 * A row of a form: label, field, and a hint below.
 * @param {string} label
 * @param {HTMLElement} field
 * @param {string} [hint]
 * @returns {HTMLElement}
 */
export function group(label, field, hint) {
  field.id ||= `${ID}-${field.getAttribute("name")}`;
  const fields = el("div.form-fields", {}, field);
  return el("div.form-group", {}, el("label", { for: field.id }, label), fields, hint && el("p.hint", {}, hint));
}

/**
 * Ask for the values of a form; null when the dialog is closed without an answer.
 * @param {{title: string, icon: string, ok: string, content: HTMLElement}} dialog
 * @returns {Promise<Record<string, string>|null>}
 */
export async function choose({ title, icon: symbol, ok, content }) {
  const { DialogV2 } = /** @type {any} */ (foundry.applications).api;
  return DialogV2.prompt({
    classes: [ID],
    window: { title, icon: symbol },
    position: { width: 420 },
    content,
    rejectClose: false,
    ok: {
      label: ok,
      callback: (/** @type {Event} */ _event, /** @type {HTMLButtonElement} */ button) =>
        Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (button.form))),
    },
  });
}

/**
 * Put an entry into the menu of a window's header. Versions 13 and 14 name its parts alike.
 * @param {any[]} controls
 * @param {string} action
 * @param {string} symbol
 * @param {string} label
 * @param {() => any} act
 */
export function addControl(controls, action, symbol, label, act) {
  const known = controls.some((control) => control.action === action);
  if (!known) controls.push({ icon: `fa-solid fa-${symbol}`, label, action, onClick: act, visible: true });
}
