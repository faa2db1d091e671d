/** Scenes and tokens; an unlinked token has an actor of its own. */

import { Document } from "../core/document.mjs";
import { deepClone, mergeObject } from "../core/utils.mjs";

/** A token on a scene. */
export class TokenDocument extends Document {
  static documentName = "Token";

  static collectionName = "tokens";

  static defaults() {
    return { name: "", actorId: null, actorLink: false, delta: {}, x: 0, y: 0, elevation: 0, width: 1, height: 1, hidden: false,
      disposition: -1, displayName: 30, displayBars: 40, texture: { src: null }, bar1: { attribute: "attributes.hp" }, flags: {} };
  }

  #synthetic = null;

  get scene() { return this.parent; }

  get baseActor() { return game.actors.get(this.actorId) ?? null; }

  get isLinked() { return this.actorLink; }

  /** The drawn token, on the viewed scene only. */
  get object() { return canvas.tokens?.get(this.id)?.document === this ? canvas.tokens.get(this.id) : null; }

  get rendered() { return !!this.object; }

  get inCombat() { return !!this.combatant; }

  get combatant() { return game.combat?.combatants.find(combatant => combatant.tokenId === this.id) ?? null; }

  get isOwner() { return this.actor?.isOwner ?? game.user.isGM; }

  getUserLevel(user = game.user) { return this.baseActor?.getUserLevel(user) ?? (user.isGM ? 3 : 0); }

  get actor() {
    const base = this.baseActor;
    if ( !base || this.actorLink ) return base;
    if ( !this.#synthetic ) {
      this.#synthetic = new CONFIG.Actor.documentClass(this.#actorSource(), { parent: this });
      this.#synthetic._safePrepareData();
    }
    return this.#synthetic;
  }

  get delta() { return this._source.delta; }

  set delta(value) {}

  /** The base actor with this token's delta laid over it. */
  #actorSource() {
    const source = this.baseActor.toObject();
    const { items = [], effects = [], _id, ...own } = deepClone(this._source.delta ?? {});
    mergeObject(source, own, { performDeletions: true });
    for ( const [name, changed] of [["items", items], ["effects", effects]] ) {
      const entries = new Map(source[name].map(entry => [entry._id, entry]));
      for ( const entry of changed ) entry._tombstone ? entries.delete(entry._id) : entries.set(entry._id, entry);
      source[name] = [...entries.values()];
    }
    return source;
  }

  /** The base actor changed: the token's actor shows what it has not changed itself. */
  _refreshActor() {
    if ( !this.#synthetic ) return;
    this.#synthetic._source = this.#actorSource();
    this.#synthetic.reset();
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if ( "delta" in changed ) this._refreshActor();
    if ( "x" in changed || "y" in changed ) Hooks.callAll("moveToken", this, options._movement?.[this.id] ?? {}, options, game.users.get(userId));
  }

  /** Core asks `preMoveToken` on the client that moves; false keeps the token where it is. */
  async _preUpdate(changed, options, user) {
    if ( await super._preUpdate(changed, options, user) === false ) return false;
    if ( !("x" in changed || "y" in changed) ) return;
    const place = { x: changed.x ?? this.x, y: changed.y ?? this.y, elevation: changed.elevation ?? this.elevation };
    const origin = { x: this.x, y: this.y, elevation: this.elevation };
    const distance = canvas.grid.measurePath([this._center(origin), this._center(place)]).distance;
    const method = options.method ?? (options.isUndo ? "undo" : "api");
    const movement = { origin, destination: place, method, user: user.id, passed: { distance, waypoints: [place] },
      pending: { distance: 0, waypoints: [] }, constrained: false, recorded: true };
    if ( Hooks.call("preMoveToken", this, movement, options) === false ) return false;
    (options._movement ??= {})[this.id] = movement;
  }

  /** Middle of the token when it stands somewhere, in pixels. */
  _center({ x, y, elevation } = this) {
    const size = this.parent?.grid.size ?? 100;
    return { x: x + this.width * size / 2, y: y + this.height * size / 2, elevation };
  }

  /** Positions of the squares that the token takes up. */
  getOccupiedGridSpaceOffsets() {
    const size = this.parent.grid.size;
    const [column, row] = [Math.round(this.x / size), Math.round(this.y / size)];
    return Array.from({ length: Math.max(1, Math.ceil(this.height)) }, (_, i) => i).flatMap(i =>
      Array.from({ length: Math.max(1, Math.ceil(this.width)) }, (_, j) => ({ i: row + i, j: column + j })));
  }

  hasStatusEffect(id) { return this.actor?.statuses.has(id) ?? false; }

  getBarAttribute() {
    const hp = this.actor?.system.attributes?.hp;
    return hp ? { attribute: "attributes.hp", type: "bar", value: hp.value, max: hp.effectiveMax, editable: true } : null;
  }
}

/** A map with tokens. */
export class Scene extends Document {
  static documentName = "Scene";

  static collectionName = "scenes";

  static embedded = { Token: "tokens" };

  static defaults() {
    return { name: "Scene", active: false, width: 2000, height: 1400, tokens: [], ownership: { default: 0 }, flags: {},
      grid: { type: 1, size: 100, distance: 5, units: "ft" } };
  }

  get isView() { return canvas.scene === this; }

  get dimensions() { return { size: this.grid.size, distance: this.grid.distance, width: this.width, height: this.height }; }

  async view() { await canvas.draw(this); return this; }

  /** One scene is active at a time, and everyone is taken there. */
  async activate() {
    const others = game.scenes.filter(scene => scene.active && scene !== this);
    await Scene.implementation.updateDocuments([...others.map(scene => ({ _id: scene.id, active: false })),
      { _id: this.id, active: true }]);
    return this;
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if ( changed.active && canvas.ready ) canvas.draw(this);
  }

  _onDelete(options, userId) {
    super._onDelete(options, userId);
    if ( canvas.scene === this ) canvas.draw(game.scenes.active ?? null);
  }
}
