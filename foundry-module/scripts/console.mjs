import { ID, el, icon, t } from "./text.mjs";
import { address, ask, connected, pair, paired, retryNow, status, unpair } from "./link.mjs";
import { draw, replace, tick } from "./views.mjs";
import { everyone, find } from "./sheets.mjs";
import { get, pause, paused } from "./settings.mjs";
import { others, override } from "./others.mjs";
import { cleanUp, report } from "./leaving.mjs";
import { catalogue } from "./catalogue.mjs";
import { levelOn } from "./statuses.mjs";
import { happenTo } from "./outbox.mjs";
import { textOf } from "./words.mjs";
import { undo } from "./cards.mjs";

/** @import { Control, View } from "../types/protocol.d.ts" */

const { ApplicationV2, DialogV2 } = /** @type {any} */ (foundry.applications).api;

/** What a button of a view may send. */
const SENT = ["ate", "drank", "given", "pressed"];
/** Milliseconds: what changes at once is asked for once. */
const CALM = 150;

const LOOKS = /** @type {Record<string, string>} */ ({
  connected: "good link",
  waiting: "good user-clock",
  connecting: "calm spinner",
  paused: "calm circle-pause",
  unpaired: "calm link-slash",
});

/** The GM's one window: the link and its pairing, the views of the bridge, and the pause switch. */
export class Console extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: `${ID}-window`,
    classes: [ID, "standard-form"],
    window: { title: "CONDITION-BRIDGE.Window.title", icon: "fa-solid fa-link", resizable: true },
    position: { width: 560, height: "auto" },
  };

  /** Which view is shown, and about what. */
  #question = { what: "console", about: {} };

  /** @type {View|null} */
  #view = null;

  #looking = false;

  #stale = false;

  /**
   * Draw the window.
   * @returns {Promise<HTMLElement>}
   */
  async _renderHTML() {
    const { state, sentence } = status();
    const [tone, symbol] = (LOOKS[state] ?? "bad triangle-exclamation").split(" ");
    const rulebook = get("rulebook");
    const words = el("div", {}, el("strong", {}, t(`Name.${state}`)), el("p", {}, sentence));
    const says = state === "connected" && rulebook;
    return el(
      "div.cb-window",
      {},
      el(
        `div.cb-state.${tone}`,
        { role: "status" },
        icon(symbol),
        words,
        el(
          "button",
          { type: "button", "data-action": "cb-pause", "aria-pressed": String(paused()), onclick: () => pause() },
          icon(paused() ? "circle-play" : "circle-pause"),
          t(paused() ? "Window.resume" : "Window.pause"),
        ),
      ),
      says && el("p.cb-rulebook", {}, icon("book"), t("Window.rulebook", { name: rulebook })),
      !paired() && this.#pairing(),
      paired() && !connected() && this.#known(),
      draw((connected() && this.#view) || withoutBridge(), (control, values) => this.#act(control, values)),
      this.#others(),
      connected() && this.#known(),
    );
  }

  /**
   * Put what was drawn into the window.
   * @param {HTMLElement} result
   * @param {HTMLElement} content
   */
  _replaceHTML(result, content) {
    replace(content, result);
  }

  /**
   * Show another view.
   * @param {string} what
   * @param {Record<string, any>} [about]
   */
  async show(what, about = {}) {
    this.#question = { what, about };
    await this.#look();
  }

  /** Something has changed: look again soon; what changes until the answer is there is looked at once more. */
  refresh() {
    this.#stale = true;
    if (this.#looking || !(/** @type {any} */ (this).rendered)) return;
    this.#looking = true;
    window.setTimeout(async () => {
      this.#stale = false;
      await this.#look();
      this.#looking = false;
      if (this.#stale) this.refresh();
    }, CALM);
  }

  /** Ask the bridge for the view, and draw it. */
  async #look() {
    const question = this.#question;
    const view = await ask(question.what, question.about);
    if (question !== this.#question) return;
    this.#view = view;
    /** @type {any} */ (this).render();
  }

  /**
   * A button of a view was pressed.
   * @param {Control} control
   * @param {Record<string, any>} values
   */
  async #act({ type, data = {}, selected = false, confirm: sentence }, values) {
    if (sentence && !(await DialogV2.confirm({ classes: [ID], content: el("div", {}, textOf(sentence)) }))) return;
    if (type === "ask") await this.show(data.what, { ...data.about, ...values });
    else if (type === "undo") undo(data.decision);
    else if (!SENT.includes(type)) return;
    else for (const one of data.each ?? [data]) await tell({ ...one, ...values, type }, selected ? chosen() : [one.actor, ...(one.others ?? [])].map(find));
    // What changes nothing is not drawn anew, so its button is set free here.
    this.refresh();
  }

  /**
   * How to pair: three lines and two fields.
   * @returns {HTMLElement}
   */
  #pairing() {
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
  #others() {
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
  #known() {
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
   * Look as soon as the window is open.
   * @param {...any} args
   */
  _onFirstRender(...args) {
    super._onFirstRender?.(...args);
    // Foundry's settings window makes one of its own.
    shown = this;
    this.#look();
  }
}

/**
 * Something happens to one creature, or to several at once.
 * @param {Record<string, any>} what
 * @param {any[]} actors
 */
async function tell({ type, actor: _one, others: _more, ...fields }, actors) {
  if (!actors.some(Boolean)) ui.notifications?.warn(t("Command.who"));
  else if (paused()) ui.notifications?.warn(t("Pause.on"));
  else await happenTo(actors, { type, ...fields });
}

/**
 * The creatures of the selected tokens.
 * @returns {any[]}
 */
function chosen() {
  const tokens = /** @type {any} */ (canvas)?.tokens?.controlled ?? [];
  return [...new Set(tokens.map((/** @type {any} */ token) => token.actor))].filter(Boolean);
}

/**
 * What the documents themselves show while the bridge is away: who has what.
 * @returns {View}
 */
function withoutBridge() {
  const line = (/** @type {string} */ key) => ({ key, text: "" });
  const known = catalogue().conditions.map((entry) => entry.id);
  const rows = everyone().flatMap((actor) =>
    known
      .filter((id) => actor.statuses?.has(id))
      .map((id) => ({ id: `${actor.uuid}-${id}`, actor: actor.uuid, condition: id, level: levelOn(actor, id).level, lines: [], controls: [] })),
  );
  const list = { part: /** @type {"rows"} */ ("rows"), id: "statuses", title: line("who-has-what"), rows, empty: line("nobody"), controls: [], more: 0 };
  return { what: "console", title: line("console"), parts: [list], controls: [] };
}

/**
 * The address to offer: plain on this machine, for a page that came over https from elsewhere its own host.
 * @returns {string}
 */
function guess() {
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return local || location.protocol === "http:" ? address() : `wss://${location.hostname}/bridge/`;
}

/** @type {Console|null} */
let shown = null;

/** Open the window, or close it. */
export function toggleWindow() {
  if (!game.user?.isGM) return;
  shown ??= new Console();
  if (/** @type {any} */ (shown).rendered) /** @type {any} */ (shown).close();
  else /** @type {any} */ (shown).render({ force: true });
}

/** The link has changed: that is shown at once, and what the bridge shows soon. */
function redraw() {
  /** @type {any} */ (shown)?.render();
  shown?.refresh();
}

/** The bridge has news. */
const refresh = () => shown?.refresh();
/** Clocks run on without asking anybody. */
const run = () => tick(/** @type {any} */ (shown)?.element);

export const hooks = { [`${ID}.state`]: redraw, [`${ID}.news`]: refresh, updateWorldTime: run, updateCombat: run };
