import { ID, el, icon, t } from "./text.mjs";
import { address, connected, pair, retryNow, status, unpair } from "./link.mjs";
import { cleanUp, report } from "./leaving.mjs";
import { get, pause, paused } from "./settings.mjs";
import { others, override } from "./others.mjs";

const LOOKS = /** @type {Record<string, string>} */ ({
  connected: "good link",
  waiting: "good user-clock",
  connecting: "calm spinner",
  paused: "calm circle-pause",
  unpaired: "calm link-slash",
});

/**
 * How the link is, and the pause switch.
 * @returns {HTMLElement}
 */
export function linkState() {
  const { state, sentence } = status();
  const [tone, symbol] = (LOOKS[state] ?? "bad triangle-exclamation").split(" ");
  return el(
    `div.cb-state.${tone}`,
    { role: "status" },
    icon(symbol),
    el("div", {}, el("strong", {}, t(`Name.${state}`)), el("p", {}, sentence)),
    el(
      "button",
      { type: "button", "data-action": "cb-pause", "aria-pressed": String(paused()), onclick: () => pause() },
      icon(paused() ? "circle-play" : "circle-pause"),
      t(paused() ? "Window.resume" : "Window.pause"),
    ),
  );
}

/**
 * How to pair: three lines and two fields.
 * @returns {HTMLElement}
 */
export function pairing() {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const value = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;
    pair(value("url"), value("code"));
  };
  const field = (/** @type {string} */ name, /** @type {Record<string, any>} */ attributes) =>
    el(
      "div.form-group",
      {},
      el("label", { for: `${ID}-${name}` }, t(`Window.${name}`)),
      el("div.form-fields", {}, el("input", { type: "text", name, id: `${ID}-${name}`, required: true, autocomplete: "off", ...attributes })),
    );
  return el(
    "form.cb-pairing",
    { onsubmit: submit },
    el("ol", {}, ...["one", "two", "three"].map((step) => el("li", {}, t(`Window.step.${step}`)))),
    field("url", { value: get("url") || guess(), spellcheck: "false" }),
    field("code", { placeholder: "XXXX-XXXX", class: "cb-code", spellcheck: "false" }),
    el("button.cb-pair", { type: "submit" }, icon("link"), t("Window.pair")),
  );
}

/**
 * The other modules that ours meets at this table: who does what.
 * @returns {HTMLElement|false}
 */
export function meetings() {
  const rows = others().map(({ id, title, note, part, ours }) => {
    const label = t(ours ? "Others.theirs" : "Others.ours");
    const button = part && el("button", { type: "button", "data-part": part, onclick: () => override(part) }, label);
    return el("li", { "data-module": id }, el("strong", {}, title), el("span", {}, t(`Others.${ours ? "overridden" : note}`)), button);
  });
  return rows.length > 0 && el("ul.cb-others.unlist", {}, ...rows);
}

/**
 * What can be done with the pairing.
 * @returns {HTMLElement}
 */
export function known() {
  return el(
    "div.cb-known",
    {},
    !connected() && el("button", { type: "button", "data-action": "cb-retry", onclick: retryNow }, icon("rotate"), t("Window.retry")),
    el("button", { type: "button", "data-action": "cb-forget", onclick: unpair }, icon("link-slash"), t("Window.forget")),
    el("button", { type: "button", "data-action": "cb-report", onclick: report }, icon("clipboard"), t("Leaving.report")),
    el("button", { type: "button", "data-action": "cb-clean", onclick: cleanUp }, icon("broom"), t("Leaving.title")),
  );
}

/**
 * The address to offer: plain on this machine, for a page that came over https from elsewhere its own host.
 * @returns {string}
 */
function guess() {
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return local || location.protocol === "http:" ? address() : `wss://${location.hostname}/bridge/`;
}
