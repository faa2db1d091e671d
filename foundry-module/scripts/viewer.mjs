import { ID, el, t } from "./text.mjs";
import { ask, connected, send } from "./link.mjs";
import { by, find } from "./sheets.mjs";
import { draw, replace, tick } from "./views.mjs";
import { happenTo } from "./outbox.mjs";
import { paused } from "./settings.mjs";
import { setHabits } from "./drinks.mjs";
import { textOf } from "./words.mjs";
import { undo } from "./cards.mjs";

/** @import { Control, View } from "../types/protocol.d.ts" */

const { ApplicationV2, DialogV2 } = /** @type {any} */ (foundry.applications).api;

/** What a button of a view may send about creatures. */
const SENT = ["ate", "drank", "given", "pressed"];
/** Milliseconds: what changes at once is asked for once. */
const CALM = 150;

/** A window that shows views of the bridge. */
export class Viewer extends ApplicationV2 {
  /** @type {Record<string, any>} */
  static DEFAULT_OPTIONS = {
    classes: [ID, "standard-form"],
    window: { icon: "fa-solid fa-link", resizable: true },
    position: { width: 560, height: "auto" },
  };

  /** Which view is shown, and about what. */
  question = /** @type {{what: string, about: Record<string, any>}} */ ({ what: "console", about: {} });

  /** @type {View|null} */
  #view = null;

  #looking = false;

  #stale = false;

  /**
   * The view as the bridge made it, or what there is without it.
   * @param {View|null} otherwise
   * @returns {HTMLElement|null}
   */
  drawn(otherwise) {
    const view = (connected() && this.#view) || otherwise;
    return view && draw(view, (control, values) => this.#act(control, values));
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
    this.question = { what, about };
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
    const { question } = this;
    const view = await ask(question.what, question.about);
    if (question !== this.question) return;
    this.#view = view;
    /** @type {any} */ (this).render();
  }

  /**
   * A button of a view was pressed.
   * @param {Control} control
   * @param {Record<string, any>} given
   */
  async #act({ type, data = {}, selected = false, confirm: sentence }, given) {
    const values = Object.fromEntries(await Promise.all(Object.entries(given).map(async ([key, value]) => [key, await value])));
    if (sentence && !(await DialogV2.confirm({ classes: [ID], content: el("div", {}, textOf(sentence)) }))) return;
    if (type === "ask") await this.show(data.what, { ...data.about, ...values });
    else if (type === "undo") undo(data.decision);
    else if (type === "configured") await this.#configure(data);
    else if (type === "save") foundry.utils.saveDataToFile(data.text, "application/toml", data.name);
    else if (type === "habits") await setHabits(find(data.actor));
    else if (!SENT.includes(type)) return;
    else for (const one of data.each ?? [data]) await tell({ ...one, ...values, type }, selected ? chosen() : [one.actor, ...(one.others ?? [])].map(find));
    // What changes nothing is not drawn anew, so its button is set free here.
    this.refresh();
  }

  /**
   * Put other house rules in force; then show whether they are.
   * @param {Record<string, any>} data
   */
  async #configure(data) {
    const id = foundry.utils.randomID();
    send({ type: "configured", id, by: by(game.user?.id ?? ""), ...data });
    await this.show(this.question.what, { page: this.question.about.page ?? "", put: id });
  }

  /**
   * Look as soon as the window is open.
   * @param {...any} args
   */
  _onFirstRender(...args) {
    super._onFirstRender?.(...args);
    const app = /** @type {any} */ (this);
    // What is unfolded must not grow out of the page.
    app.element.addEventListener("toggle", () => app.setPosition(), { capture: true });
    this.#look();
  }

  /**
   * Keep the window on the page, however much it shows.
   * @param {...any} args
   */
  _onRender(...args) {
    super._onRender?.(...args);
    /** @type {any} */ (this).setPosition();
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
 * The windows that are open.
 * @returns {any[]}
 */
function open() {
  return [.../** @type {any} */ (foundry.applications).instances.values()].filter((app) => app instanceof Viewer);
}

/** The link has changed: that is shown at once, and what the bridge shows soon. */
function redraw() {
  for (const viewer of open()) viewer.render();
  refresh();
}

/** The bridge has news. */
function refresh() {
  for (const viewer of open()) viewer.refresh();
}

/** Clocks run on without asking anybody. */
function run() {
  for (const viewer of open()) tick(viewer.element);
}

/**
 * Open a window, or close it.
 * @param {typeof Viewer} kind
 */
export function toggle(kind) {
  const shown = open().find((viewer) => viewer instanceof kind);
  if (!game.user?.isGM) return;
  if (shown) shown.close();
  else /** @type {any} */ (new kind()).render({ force: true });
}

export const hooks = { [`${ID}.state`]: redraw, [`${ID}.news`]: refresh, updateWorldTime: run, updateCombat: run };
