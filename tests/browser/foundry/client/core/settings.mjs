/** game.settings, game.keybindings, game.time and game.i18n. */

import { getProperty, mergeObject } from "./utils.mjs";

/** World settings are documents of the server, a user's are too; client settings stay in this browser. */
export class ClientSettings {
  settings = new Map();

  menus = new Map();

  register(namespace, key, data) {
    if ( !namespace || !key ) throw new Error("You must specify both namespace and key portions of the setting");
    this.settings.set(`${namespace}.${key}`, { scope: "client", config: false, ...data, namespace, key, id: `${namespace}.${key}` });
  }

  registerMenu(namespace, key, data) {
    if ( !data.type ) throw new Error("You must provide a menu type that is an application class");
    this.menus.set(`${namespace}.${key}`, { ...data, namespace, key: `${namespace}.${key}` });
  }

  #config(namespace, key) {
    const config = this.settings.get(`${namespace}.${key}`);
    if ( !config ) throw new Error(`"${namespace}.${key}" is not a registered game setting`);
    return config;
  }

  #document(config) {
    const user = config.scope === "user" ? game.userId : null;
    return game.collections.get("Setting").find(setting => setting.key === config.id && (setting.user ?? null) === user);
  }

  get(namespace, key) {
    const config = this.#config(namespace, key);
    const stored = config.scope === "client" ? localStorage.getItem(config.id) : this.#document(config)?.value ?? null;
    return this.#clean(config, stored === null ? undefined : JSON.parse(stored));
  }

  async set(namespace, key, value, options = {}) {
    const config = this.#config(namespace, key);
    if ( config.type?.cast ) value = config.type.cast(value);
    const text = JSON.stringify(value ?? null);
    if ( config.scope === "client" ) {
      const old = localStorage.getItem(config.id);
      localStorage.setItem(config.id, text);
      if ( old !== text ) {
        config.onChange?.(this.get(namespace, key), options, game.userId);
        Hooks.callAll("clientSettingChanged", config.id, value, options);
      }
      return value;
    }
    const cls = CONFIG.Setting.documentClass;
    const document = this.#document(config);
    if ( document ) await document.update({ value: text }, options);
    else await cls.create({ key: config.id, value: text, user: config.scope === "user" ? game.userId : null }, options);
    return value;
  }

  #clean(config, value) {
    const { type } = config;
    if ( value === undefined || value === null ) {
      const initial = config.default ?? (type?.getInitialValue ? type.getInitialValue() : undefined);
      return typeof initial === "object" && initial !== null ? structuredClone(initial) : initial;
    }
    if ( [Number, String, Boolean].includes(type) ) return type(value);
    return typeof type?.initialize === "function" ? type.initialize(value) : value;
  }

  /** The server has stored a setting: whoever registered it is told, on every client. */
  _stored(document, options, userId) {
    const config = this.settings.get(document.key);
    if ( !config || (config.scope === "user" && document.user !== game.userId) ) return;
    const [namespace, ...key] = document.key.split(".");
    config.onChange?.(this.get(namespace, key.join(".")), options, userId);
  }
}

/** Keys that modules register; the stand-in presses none by itself. */
export class ClientKeybindings {
  actions = new Map();

  bindings = new Map();

  register(namespace, action, data) {
    const key = `${namespace}.${action}`;
    this.actions.set(key, { ...data, namespace, name: data.name });
    this.bindings.set(key, [...data.uneditable ?? [], ...data.editable ?? []]);
  }

  get(namespace, action) { return this.bindings.get(`${namespace}.${action}`) ?? []; }

  /** Carry the event to the actions that are bound to it. */
  handle(event, up = false) {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if ( typing ) return;
    for ( const [id, bindings] of this.bindings ) {
      const action = this.actions.get(id);
      if ( action.restricted && !game.user.isGM ) continue;
      const pressed = bindings.some(({ key, modifiers = [] }) => key === event.code
        && ["Control", "Shift", "Alt"].every(name => modifiers.includes(name) === event[`${name === "Control" ? "ctrl" : name.toLowerCase()}Key`]));
      if ( pressed && action[up ? "onUp" : "onDown"]?.({ event, key: event.code, up, repeat: event.repeat }) ) event.preventDefault();
    }
  }
}

/** The world's clock is a world setting; whoever moves it must be allowed to write one. */
export class GameTime {
  #known;

  get worldTime() { return game.settings.get("core", "time"); }

  get serverTime() { return Date.now(); }

  get calendar() { return { secondsPerRound: 6 }; }

  get components() {
    const time = this.worldTime;
    return { day: Math.floor(time / 86400), hour: Math.floor(time / 3600) % 24, minute: Math.floor(time / 60) % 60, second: time % 60 };
  }

  async advance(delta, options = {}) {
    const seconds = typeof delta === "number" ? delta
      : (delta.day ?? 0) * 86400 + (delta.hour ?? 0) * 3600 + (delta.minute ?? 0) * 60 + (delta.second ?? 0);
    return this.set(this.worldTime + seconds, options);
  }

  async set(time, options = {}) {
    await game.settings.set("core", "time", time, options);
    return this.worldTime;
  }

  /** The clock has moved. */
  _onUpdate(time, options, userId) {
    const delta = time - this.#known;
    this.#known = time;
    for ( const actor of game.actors ) for ( const effect of actor.effects ) effect.prepareDerivedData();
    Hooks.callAll("updateWorldTime", time, delta, options, userId);
  }

  _start() { this.#known = this.worldTime; }
}

/** Texts by key. */
export class Localization {
  lang = "en";

  translations = {};

  _fallback = {};

  /** Read language files; later ones win. */
  async load(files) {
    for ( const { lang, path } of files ) {
      if ( lang !== "en" && lang !== this.lang ) continue;
      const target = lang === this.lang ? this.translations : this._fallback;
      const response = await fetch(path);
      if ( response.ok ) mergeObject(target, await response.json());
      else console.error(`The language file ${path} could not be loaded`);
    }
  }

  has(key, fallback = true) {
    return typeof getProperty(this.translations, key) === "string" || (fallback && typeof getProperty(this._fallback, key) === "string");
  }

  localize(key) {
    const text = getProperty(this.translations, String(key)) ?? getProperty(this._fallback, String(key));
    return typeof text === "string" ? text : key;
  }

  format(key, data = {}) {
    return this.localize(key).replace(/\{([^}]+)\}/g, (text, name) => data[name] ?? text);
  }

  getListFormatter(options = {}) { return new Intl.ListFormat(this.lang, options); }
}
