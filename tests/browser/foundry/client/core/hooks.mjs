/** Hooks: dispatch in order of registration; one bad handler does not stop the rest. */
export class Hooks {
  static #handlers = {};

  static #nextId = 1;

  /** Names and argument counts of what was dispatched, in order: for tests of the order of hooks. */
  static journal = [];

  static get events() { return this.#handlers; }

  /** Listen to a hook; returns the id with which `off` stops it. */
  static on(hook, fn, { once = false } = {}) {
    const id = this.#nextId++;
    (this.#handlers[hook] ??= []).push({ id, hook, fn, once });
    return id;
  }

  /** Listen to the next dispatch only. */
  static once(hook, fn) { return this.on(hook, fn, { once: true }); }

  /** Stop listening, by id or by function. */
  static off(hook, fn) {
    const handlers = this.#handlers[hook] ?? [];
    const index = handlers.findIndex(handler => handler.id === fn || handler.fn === fn);
    if ( index >= 0 ) handlers.splice(index, 1);
  }

  /** Tell every listener; what they return does not matter. */
  static callAll(hook, ...args) {
    this.journal.push(hook);
    for ( const handler of [...this.#handlers[hook] ?? []] ) this.#run(handler, args);
    return true;
  }

  /** Ask the listeners until one says `false`. */
  static call(hook, ...args) {
    this.journal.push(hook);
    for ( const handler of [...this.#handlers[hook] ?? []] ) {
      if ( this.#run(handler, args) === false ) return false;
    }
    return true;
  }

  static #run(handler, args) {
    if ( handler.once ) this.off(handler.hook, handler.id);
    try {
      return handler.fn(...args);
    } catch(error) {
      this.onError(`Hooks.${handler.hook}`, error);
    }
  }

  /** Report an error that must not stop the game. */
  static onError(location, error, { msg = "", log = "error", notify = null, ...data } = {}) {
    if ( log ) console[log](`${location}: ${msg}`, error);
    if ( notify ) globalThis.ui?.notifications?.[notify](msg || error.message);
    this.callAll("error", location, error, data);
  }
}
