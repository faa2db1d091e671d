/**
 * ApplicationV2, its Handlebars mixin, forms, and DialogV2. What `_renderHTML` returns goes to `_replaceHTML` with the content's
 * element, `_onFirstRender` comes again after a window was closed. [T: fvtt-types src/foundry/client/applications/api/
 * application.d.mts, dialog.d.mts]
 */

import { expandObject, mergeObject, deepClone, escapeHTML } from "../core/utils.mjs";
import { renderTemplate } from "./handlebars.mjs";

/** Open applications, by id. */
export const instances = new Map();

let nextIndex = 1;

let nextZ = 100;

/** Values of a form, with the types that its fields say. */
export class FormDataExtended extends FormData {
  constructor(form, options = {}) {
    super(form);
    this.form = form;
    this.object = {};
    for ( const element of form.elements ) {
      if ( !element.name || (element.disabled && !options.disabled) ) continue;
      if ( element.type === "radio" && !element.checked ) continue;
      const value = read(element);
      if ( element.type === "checkbox" && form.elements[element.name] instanceof RadioNodeList ) {
        (this.object[element.name] ??= []).push(...element.checked ? [element.value] : []);
      }
      else this.object[element.name] = value;
    }
  }
}

/** The value of one field. */
function read(element) {
  if ( element.type === "checkbox" ) return element.checked;
  if ( element.multiple ) return Array.from(element.selectedOptions, option => option.value);
  if ( element.type === "number" || element.type === "range" || element.dataset.dtype === "Number" ) {
    return element.value === "" ? null : Number(element.value);
  }
  return element.value;
}

/** A window of the page with options, actions and render hooks. */
export class ApplicationV2 extends EventTarget {
  static DEFAULT_OPTIONS = { id: "app-{id}", classes: [], tag: "div", window: { frame: true, title: "", icon: "", resizable: false,
    controls: [] }, actions: {}, form: {}, position: {} };

  static get BASE_APPLICATION() { return ApplicationV2; }

  static RENDER_STATES = { ERROR: -3, CLOSING: -2, CLOSED: -1, NONE: 0, RENDERING: 1, RENDERED: 2 };

  constructor(options = {}) {
    super();
    this.options = this._initializeApplicationOptions(options);
    this.position = { ...this.options.position };
    this.state = 0;
    this.element = null;
  }

  /** Options of all classes in the chain, then those of this instance; classes add up. */
  _initializeApplicationOptions(options) {
    const chain = [];
    for ( let cls = this.constructor; cls && cls !== EventTarget; cls = Object.getPrototypeOf(cls) ) {
      if ( Object.hasOwn(cls, "DEFAULT_OPTIONS") ) chain.unshift(cls.DEFAULT_OPTIONS);
    }
    const merged = {};
    const classes = [];
    for ( const part of [...chain, options] ) {
      classes.push(...part.classes ?? []);
      mergeObject(merged, deepClone(part));
    }
    merged.classes = [...new Set(classes)];
    merged.uniqueId = String(nextIndex++);
    return merged;
  }

  /** Classes from the base to this one, for the hooks of rendering. */
  static *inheritanceChain() {
    for ( let cls = this; cls && cls !== EventTarget; cls = Object.getPrototypeOf(cls) ) yield cls;
  }

  get id() { return this.options.id.replace("{id}", this.options.uniqueId); }

  get title() { return game.i18n.localize(this.options.window.title ?? ""); }

  get rendered() { return this.state === 2; }

  get hasFrame() { return this.options.window.frame !== false; }

  get form() { return this.element?.tagName === "FORM" ? this.element : this.element?.querySelector("form") ?? null; }

  get window() { return { content: this.element?.querySelector(".window-content") ?? this.element }; }

  async _prepareContext(options) { return {}; }

  async _renderHTML(context, options) { return ""; }

  _replaceHTML(result, content, options) {
    if ( typeof result === "string" ) content.innerHTML = result;
    else content.replaceChildren(...[result].flat());
  }

  async _preFirstRender(context, options) {}

  async _preRender(context, options) {}

  async _onFirstRender(context, options) {}

  async _onRender(context, options) {}

  async _preClose(options) {}

  _onClose(options) {}

  _getHeaderControls() { return this.options.window.controls ?? []; }

  _canRender(options) {}

  _configureRenderOptions(options) { options.isFirstRender = this.state < 1; }

  /** Show the application, or show it anew; without `force` a closed one stays closed. */
  async render(options = {}, legacy = {}) {
    options = typeof options === "boolean" ? { ...legacy, force: options } : options;
    if ( !options.force && this.state < 1 ) return this;
    this._configureRenderOptions(options);
    if ( this._canRender(options) === false ) return this;
    const first = this.state < 1;
    this.state = 1;
    const context = await this._prepareContext(options);
    if ( first ) await this._preFirstRender(context, options);
    await this._preRender(context, options);
    const result = await this._renderHTML(context, options);
    // It may have been closed in the meantime.
    if ( this.state < 1 ) return this;
    if ( first ) this.#createFrame(options);
    this._replaceHTML(result, this.hasFrame ? this.element.querySelector(".window-content") : this.element, options);
    const title = this.element.querySelector(".window-title");
    if ( title ) title.textContent = this.title;
    this.state = 2;
    if ( first ) await this._onFirstRender(context, options);
    await this._onRender(context, options);
    for ( const cls of this.constructor.inheritanceChain() ) {
      if ( cls.name ) Hooks.callAll(`render${cls.name}`, this, this.element, context, options);
      if ( cls === ApplicationV2 ) break;
    }
    this.dispatchEvent(new Event("render"));
    return this;
  }

  #createFrame() {
    const { classes, tag, window: frame } = this.options;
    const element = this.element = document.createElement(tag);
    element.id = this.id;
    element.className = ["application", ...classes].join(" ");
    if ( this.hasFrame ) {
      element.classList.add("sheet-window");
      element.innerHTML = `<header class="window-header"><i class="window-icon ${escapeHTML(frame.icon ?? "")}"></i>
        <h1 class="window-title"></h1><button type="button" class="header-control close" data-action="close"
        aria-label="Close">×</button></header><section class="window-content"></section>`;
    }
    this.setPosition(this.position);
    element.style.zIndex = ++nextZ;
    element.addEventListener("pointerdown", () => this.bringToFront());
    element.addEventListener("click", event => this.#onClick(event));
    element.addEventListener("submit", event => this._onSubmitForm(this.options.form, event));
    element.addEventListener("change", event => this._onChangeForm(this.options.form, event));
    this._insertElement(element);
    instances.set(this.id, this);
  }

  /** Where the element goes. */
  _insertElement(element) {
    document.getElementById(element.id)?.remove();
    document.body.append(element);
  }

  setPosition(position = {}) {
    Object.assign(this.position, position);
    // What is asked for becomes what is allowed: no window leaves the page below. [core: ApplicationV2#_updatePosition]
    const tall = this.element?.offsetHeight ?? 0;
    if ( tall ) {
      this.position.top ??= this.element.offsetTop;
      this.position.top = Math.max(0, Math.min(this.position.top, document.documentElement.clientHeight - tall));
    }
    const { width, height, left, top } = this.position;
    for ( const [name, value] of Object.entries({ width, height, left, top }) ) {
      if ( Number.isFinite(value) && this.element ) this.element.style[name] = `${value}px`;
    }
    return this.position;
  }

  bringToFront() { if ( this.element ) this.element.style.zIndex = ++nextZ; }

  async #onClick(event) {
    const target = event.target.closest("[data-action]");
    if ( !target || !this.element.contains(target) ) return;
    const { action } = target.dataset;
    if ( action === "close" ) return this.close();
    const handler = this.options.actions[action];
    if ( !handler ) return this._onClickAction(event, target);
    event.preventDefault();
    await (typeof handler === "function" ? handler : handler.handler).call(this, event, target);
  }

  _onClickAction(event, target) {}

  async _onSubmitForm(config, event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormDataExtended(form);
    await config.handler?.call(this, event, form, data);
    if ( config.closeOnSubmit ) await this.close({ submitted: true });
  }

  _onChangeForm(config, event) {
    if ( config.submitOnChange ) this._onSubmitForm({ ...config, closeOnSubmit: false },
      { preventDefault() {}, target: this.form, type: "change" });
  }

  async submit() { this.form?.requestSubmit(); }

  async close(options = {}) {
    if ( this.state < 1 ) return this;
    await this._preClose(options);
    this.state = -1;
    this.element?.remove();
    this.element = null;
    instances.delete(this.id);
    this._onClose(options);
    Hooks.callAll(`close${this.constructor.name}`, this);
    this.dispatchEvent(new Event("close"));
    return this;
  }

  changeTab(tab, group) {
    for ( const element of this.element.querySelectorAll(`[data-group="${group}"][data-tab]`) ) {
      element.classList.toggle("active", element.dataset.tab === tab);
    }
  }
}

/** Applications whose parts are templates. */
export function HandlebarsApplicationMixin(Base) {
  return class HandlebarsApplication extends Base {
    static PARTS = {};

    get parts() { return Object.fromEntries([...this.element?.querySelectorAll("[data-application-part]") ?? []]
      .map(element => [element.dataset.applicationPart, element])); }

    _configureRenderOptions(options) {
      super._configureRenderOptions(options);
      options.parts ??= Object.keys(this.constructor.PARTS);
    }

    async _preparePartContext(partId, context, options) { return { ...context, partId: `${this.id}-${partId}` }; }

    async _renderHTML(context, options) {
      const out = {};
      for ( const id of options.parts ) {
        const part = this.constructor.PARTS[id];
        const html = await renderTemplate(part.template, await this._preparePartContext(id, context, options));
        const template = document.createElement("template");
        template.innerHTML = html;
        const elements = [...template.content.children];
        if ( part.root ) out[id] = elements;
        else {
          const element = elements.length === 1 ? elements[0] : Object.assign(document.createElement("div"), {});
          if ( elements.length !== 1 ) element.append(...template.content.childNodes);
          element.dataset.applicationPart = id;
          if ( part.id ) element.id = `${this.id}-${part.id}`;
          for ( const name of part.classes ?? [] ) element.classList.add(name);
          out[id] = [element];
        }
      }
      return out;
    }

    _replaceHTML(result, content, options) {
      for ( const [id, elements] of Object.entries(result) ) {
        const present = content.querySelector(`[data-application-part="${id}"]`);
        if ( present ) present.replaceWith(...elements);
        else content.append(...elements);
        for ( const element of elements ) this._attachPartListeners(id, element, options);
      }
    }

    _attachPartListeners(partId, element, options) {
      const form = this.constructor.PARTS[partId].forms;
      if ( !form ) return;
      for ( const [selector, config] of Object.entries(form) ) {
        const found = element.matches(selector) ? element : element.querySelector(selector);
        found?.addEventListener("submit", event => { event.stopPropagation(); this._onSubmitForm(config, event); });
      }
    }
  };
}

/** A dialog of buttons. */
export class DialogV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "dialog-{id}", classes: ["dialog"], tag: "dialog", window: { frame: true },
    position: { width: 400 }, content: "", buttons: [], modal: false, rejectClose: false };

  async _renderHTML() {
    const { buttons, content } = this.options;
    const form = document.createElement("form");
    form.className = "dialog-form standard-form";
    const body = document.createElement("div");
    body.className = "dialog-content";
    if ( content instanceof HTMLElement ) body.append(content);
    else body.innerHTML = content;
    const footer = document.createElement("footer");
    footer.className = "form-footer";
    footer.innerHTML = buttons.map(button => `<button type="submit" data-choice="${escapeHTML(button.action)}"
      class="${escapeHTML(button.class ?? "")}" ${button.default ? "autofocus" : ""}>${button.icon ? `<i class="${escapeHTML(button.icon)}"></i>` : ""}
      <span>${escapeHTML(game.i18n.localize(button.label ?? button.action))}</span></button>`).join("");
    for ( const [index, element] of [...footer.children].entries() ) element.dataset.action = buttons[index].action;
    form.append(body, footer);
    return form;
  }

  async _onSubmitForm(config, event) {
    event.preventDefault();
    const chosen = event.submitter?.dataset.choice ?? this.options.buttons.find(button => button.default)?.action;
    return this.#choose(chosen, event, event.submitter);
  }

  async #choose(action, event, element) {
    const button = this.options.buttons.find(candidate => candidate.action === action);
    const result = await button?.callback?.(event, element ?? this.form, this) ?? action;
    await this.options.submit?.(result, this);
    await this.close({ submitted: true });
  }

  /** Ask with the given buttons; null when it is closed without one, or an error where that is asked for. */
  static async wait({ close, render, rejectClose = false, ...options } = {}) {
    return new Promise((resolve, reject) => {
      const dialog = new this({ ...options, submit: async result => { await options.submit?.(result); resolve(result); } });
      dialog.addEventListener("render", event => render?.(event, dialog), { once: true });
      dialog.addEventListener("close", async event => {
        const value = await close?.(event, dialog);
        if ( rejectClose ) reject(new Error("Dialog was dismissed without pressing a button."));
        else resolve(value ?? null);
      }, { once: true });
      dialog.render({ force: true });
    });
  }

  static async confirm({ yes = {}, no = {}, ...options } = {}) {
    const buttons = [{ action: "yes", label: "Yes", callback: () => true, ...yes },
      { action: "no", label: "No", default: true, callback: () => false, ...no }];
    return this.wait({ ...options, buttons: [...buttons, ...options.buttons ?? []] });
  }

  static async prompt({ ok = {}, ...options } = {}) {
    return this.wait({ ...options, buttons: [{ action: "ok", label: "Confirm", default: true, ...ok }, ...options.buttons ?? []] });
  }

  /** Ask for the values of a form. */
  static async input({ ok = {}, ...options } = {}) {
    return this.prompt({ ...options, ok: { callback: (event, button) => expandObject(new FormDataExtended(button.form ?? button).object), ...ok } });
  }
}
