/** User and Setting, and the collection of users. */

import { Document, WorldCollection } from "../core/document.mjs";

/** Someone at the table. */
export class User extends Document {
  static documentName = "User";

  static collectionName = "users";

  static defaults() { return { name: "User", role: 1, character: null, color: "#cccccc", flags: {} }; }

  active = this.active ?? false;

  targets = this.targets ?? new Set();

  get character() { return game.actors?.get(this._source.character) ?? null; }

  set character(value) {}

  get isGM() { return this.role >= CONST.USER_ROLES.ASSISTANT; }

  get isSelf() { return game.userId === this.id; }

  get isActiveGM() { return game.users.activeGM === this; }

  get viewedScene() { return game.scenes?.find(scene => scene.active)?.id ?? null; }

  hasRole(role) { return this.role >= (typeof role === "string" ? CONST.USER_ROLES[role] : role); }

  /** The default permissions of core: queries and whispers for all, changes of the world for Game Masters. */
  hasPermission(permission) {
    return this.isGM || ["QUERY_USER", "MESSAGE_WHISPER", "TEMPLATE_CREATE", "REGION_CREATE"].includes(permission);
  }

  can(permission) { return permission in CONST.USER_ROLES ? this.hasRole(permission) : this.hasPermission(permission); }

  getUserLevel(user) { return user.isGM || user.id === this.id ? 3 : 0; }

  /** Ask this user's client to run a registered query. */
  async query(name, data, { timeout } = {}) {
    if ( !(name in CONFIG.queries) ) throw new Error(`The query ${name} is not registered`);
    if ( !game.user.can("QUERY_USER") ) throw new Error("You do not have permission to query users");
    if ( this.isSelf ) return CONFIG.queries[name](JSON.parse(JSON.stringify(data ?? null)), { timeout });
    if ( !this.active ) throw new Error(`User [${this.id}] is not connected`);
    return game.socket.query(this.id, name, data, timeout);
  }

  /** Presence changed: the other clients are told. */
  _setActive(active) {
    this.active = active;
    Hooks.callAll("userConnected", this, active);
    globalThis.dispatchEvent(new CustomEvent("standin:changed", { detail: { documentName: "User" } }));
  }
}

/** Everyone at the table. */
export class Users extends WorldCollection {
  constructor() { super("User"); }

  get current() { return this.get(game.userId); }

  get players() { return this.filter(user => !user.isGM && user.hasRole("PLAYER")); }

  get activeGM() { return this.getDesignatedUser(user => user.active && user.isGM); }

  /** The one user among those that fit: the highest role, then the lowest id. */
  getDesignatedUser(condition) {
    return this.filter(condition).sort((a, b) => b.role - a.role || (a.id < b.id ? -1 : 1))[0] ?? null;
  }
}

/** A stored setting of the world or of a user. */
export class Setting extends Document {
  static documentName = "Setting";

  static collectionName = "settings";

  static defaults() { return { key: "", value: "null", user: null }; }

  _onCreate(data, options, userId) {
    super._onCreate(data, options, userId);
    game.settings._stored(this, options, userId);
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if ( "value" in changed ) game.settings._stored(this, options, userId);
  }
}
