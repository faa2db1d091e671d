import { ID, el, icon, t } from "./text.mjs";
import { address, connected, pair, paired, retryNow, status, unpair } from "./link.mjs";
import { get, pause, paused } from "./settings.mjs";
import { others, override } from "./others.mjs";

const { ApplicationV2 } = /** @type {any} */ (foundry.applications).api;

const LOOKS = /** @type {Record<string, string>} */ ({
  connected: "good link",
  waiting: "good user-clock",
  connecting: "calm spinner",
  paused: "calm circle-pause",
  unpaired: "calm link-slash",
});

/** The state of the link, pairing, and the pause switch, in one window. */
export class StatusWindow extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: `${ID}-window`,
    classes: [ID, "standard-form"],
    window: { title: "CONDITION-BRIDGE.Window.title", icon: "fa-solid fa-link" },
    position: { width: 460, height: "auto" },
  };

  /** @type {number|null} */
  #listener = null;

  /**
   * Draw the window.
   * @returns {Promise<HTMLElement>}
   */
  async _renderHTML() {
    const { state, sentence } = status();
    const [tone, symbol] = (LOOKS[state] ?? "bad triangle-exclamation").split(" ");
    const rulebook = get("rulebook");
    return el(
      "div.cb-window",
      {},
      el(
        `div.cb-state.${tone}`,
        { role: "status" },
        icon(symbol),
        el("div", {}, el("strong", {}, t(`Name.${state}`)), el("p", {}, sentence)),
      ),
      state === "connected" && rulebook && el("p.cb-rulebook", {}, icon("book"), t("Window.rulebook", { name: rulebook })),
      paired() ? this.#known() : this.#pairing(),
      this.#others(),
      el(
        "footer.form-footer",
        {},
        el(
          "button",
          { type: "button", "data-action": "cb-pause", "aria-pressed": String(paused()), onclick: () => pause() },
          icon(paused() ? "circle-play" : "circle-pause"),
          t(paused() ? "Window.resume" : "Window.pause"),
        ),
      ),
    );
  }

  /**
   * Put what was drawn into the window.
   * @param {HTMLElement} result
   * @param {HTMLElement} content
   */
  _replaceHTML(result, content) {
    const kept = ["url", "code"].map((name) => [name, /** @type {any} */ (content.querySelector(`[name="${name}"]`))?.value]);
    content.replaceChildren(result);
    for (const [name, value] of kept) {
      const field = /** @type {HTMLInputElement|null} */ (content.querySelector(`[name="${name}"]`));
      if (field && value) field.value = value;
    }
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
   * What can be done once it is paired.
   * @returns {HTMLElement}
   */
  #known() {
    return el(
      "div.cb-known",
      {},
      !connected() && el("button", { type: "button", "data-action": "cb-retry", onclick: retryNow }, icon("rotate"), t("Window.retry")),
      el("button", { type: "button", "data-action": "cb-forget", onclick: unpair }, icon("link-slash"), t("Window.forget")),
    );
  }

  /**
   * Follow the state while the window is open.
   * @param {...any} args
   */
  _onFirstRender(...args) {
    super._onFirstRender?.(...args);
    this.#listener = /** @type {any} */ (Hooks).on(`${ID}.state`, () => this.render());
  }

  /**
   * Stop following.
   * @param {...any} args
   */
  _onClose(...args) {
    super._onClose?.(...args);
    if (this.#listener !== null) /** @type {any} */ (Hooks).off(`${ID}.state`, this.#listener);
  }
}

/**
 * The address to offer: plain on this machine, for a page that came over https from elsewhere its own host.
 * @returns {string}
 */
function guess() {
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return local || location.protocol === "http:" ? address() : `wss://${location.hostname}/bridge/`;
}

/** @type {StatusWindow|null} */
let shown = null;

/** Open the window, or close it. */
export function toggleWindow() {
  if (!game.user?.isGM) return;
  shown ??= new StatusWindow();
  if (/** @type {any} */ (shown).rendered) /** @type {any} */ (shown).close();
  else /** @type {any} */ (shown).render({ force: true });
}
