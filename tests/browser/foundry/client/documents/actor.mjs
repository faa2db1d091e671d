/** Actor and Item, as core has them; the system extends both. */

import { Document } from "../core/document.mjs";
import { deepClone, getProperty, mergeObject } from "../core/utils.mjs";
import { sheetOf } from "../ui/sheets.mjs";

/** A thing, a spell, a class, by itself or on an actor. */
export class Item extends Document {
  static documentName = "Item";

  static collectionName = "items";

  static embedded = { ActiveEffect: "effects" };

  static defaults() {
    return { name: "Item", type: "loot", img: "icons/svg/item-bag.svg", system: {}, effects: [], flags: {}, sort: 0 };
  }

  get actor() { return this.parent?.documentName === "Actor" ? this.parent : null; }

  get isOwned() { return !!this.actor; }

  get isEmbedded() { return !!this.actor; }

  get transferredEffects() { return this.effects.filter(effect => effect.transfer); }

  getRollData() { return this.system; }
}

/** A creature or whatever else acts. */
export class Actor extends Document {
  static documentName = "Actor";

  static collectionName = "actors";

  static embedded = { ActiveEffect: "effects", Item: "items" };

  static defaults() {
    return { name: "Actor", type: "npc", img: "icons/svg/mystery-man.svg", system: {}, items: [], effects: [], flags: {},
      ownership: { default: 0 }, prototypeToken: {}, folder: null };
  }

  get token() { return this.parent?.documentName === "Token" ? this.parent : null; }

  get isToken() { return !!this.token; }

  get inCombat() { return !!game.combat?.combatants.some(combatant => combatant.actor === this); }

  get isNPC() { return !this.hasPlayerOwner; }

  /** An own level comes from the base actor's ownership, which the synthetic actor's source carries. */
  get isEmbedded() { return false; }

  get thumbnail() { return this.img; }

  get sheet() { return sheetOf(this); }

  get itemTypes() {
    return this.items.reduce((types, item) => {
      (types[item.type] ??= []).push(item);
      return types;
    }, Object.fromEntries(Object.keys(CONFIG.Item.dataModels).map(type => [type, []])));
  }

  get appliedEffects() { return Array.from(this.allApplicableEffects()).filter(effect => effect.active); }

  get temporaryEffects() { return this.appliedEffects.filter(effect => effect.isTemporary); }

  /** Own effects, then those that items transfer. */
  *allApplicableEffects() {
    for ( const effect of this.effects ) yield effect;
    for ( const item of this.items ) for ( const effect of item.effects ) if ( effect.transfer ) yield effect;
  }

  prepareEmbeddedDocuments() {
    super.prepareEmbeddedDocuments();
    this.applyActiveEffects();
  }

  /** Collect statuses and apply changes of numbers and texts, in order of priority. */
  applyActiveEffects() {
    Object.defineProperty(this, "statuses", { value: this.statuses ?? new Set(), configurable: true });
    this.statuses.clear();
    const changes = [];
    for ( const effect of this.allApplicableEffects() ) {
      if ( !effect.active ) continue;
      for ( const status of effect.statuses ) this.statuses.add(status);
      for ( const change of effect.changes ) changes.push({ ...change, priority: change.priority ?? effect.priorityOf(change) });
    }
    changes.sort((a, b) => a.priority - b.priority);
    for ( const change of changes ) applyChange(this, change);
  }

  getRollData() { return this.system; }

  /** Tokens of this actor on the viewed scene: placeables, or their documents. */
  getActiveTokens(linked = false, document = false) {
    const tokens = canvas.scene?.tokens.filter(token => token.actor === this
      || (!linked && token.actorId === this.id && !this.isToken)) ?? [];
    return document ? tokens : tokens.map(token => token.object).filter(object => object);
  }

  getDependentTokens() { return game.scenes.contents.flatMap(scene => scene.tokens.filter(token => token.actor === this)); }

  /** Core's way of changing a tracked attribute; the system takes hit points over. */
  async modifyTokenAttribute(attribute, value, isDelta = false, isBar = true) {
    const current = getProperty(this.system, attribute);
    let wanted = isDelta ? Number(isBar ? current.value : current) + value : value;
    if ( isBar ) wanted = Math.clamp(wanted, 0, current.max);
    const updates = { [`system.${attribute}${isBar ? ".value" : ""}`]: wanted };
    const allowed = Hooks.call("modifyTokenAttribute", { attribute, value, isDelta, isBar }, updates, this);
    return allowed === false ? this : this.update(updates);
  }

  /** A status with an id of its own is represented by the effect with that id alone. */
  async toggleStatusEffect(statusId, { active, overlay = false } = {}) {
    const status = CONFIG.ActiveEffect.documentClass.statusById(statusId);
    if ( !status ) throw new Error(`Invalid status ID "${statusId}" provided to Actor#toggleStatusEffect`);
    const present = status._id ? [this.effects.get(status._id)].filter(effect => effect)
      : this.effects.filter(effect => effect.statuses.size === 1 && effect.statuses.has(statusId));
    if ( present.length ) {
      if ( active ) return true;
      await this.deleteEmbeddedDocuments("ActiveEffect", present.map(effect => effect.id));
      return false;
    }
    if ( active === false ) return undefined;
    const effect = await CONFIG.ActiveEffect.documentClass.fromStatusEffect(statusId);
    if ( overlay ) effect.updateSource({ "flags.core.overlay": true });
    return CONFIG.ActiveEffect.documentClass.create(effect, { parent: this, keepId: true });
  }

  async rollInitiative({ createCombatants = false, rerollInitiative = false, initiativeOptions = {} } = {}) {
    const combat = game.combat;
    if ( !combat ) return null;
    if ( createCombatants && !combat.getCombatantsByActor(this).length ) {
      await combat.createEmbeddedDocuments("Combatant", [{ actorId: this.id, tokenId: this.getActiveTokens(false, true)[0]?.id,
        sceneId: canvas.scene?.id }]);
    }
    const ids = combat.combatants.filter(combatant => combatant.actor === this
      && (rerollInitiative || combatant.initiative === null)).map(combatant => combatant.id);
    await combat.rollInitiative(ids, initiativeOptions);
    return combat;
  }

  /* A synthetic actor keeps what is its own in the token's delta. */

  _commit(change) {
    super._commit(change);
    if ( !this.isToken ) return;
    const { items, effects, _id, ...own } = change;
    mergeObject(this.token._source.delta ??= {}, deepClone(own), { performDeletions: true });
  }

  _trackDelta(cls, written, deletedIds) {
    if ( !this.isToken ) return;
    const delta = this.token._source.delta ??= {};
    const entries = delta[cls.collectionName] ??= [];
    const drop = id => {
      const index = entries.findIndex(entry => entry._id === id);
      if ( index >= 0 ) entries.splice(index, 1);
    };
    for ( const document of written ) { drop(document.id); entries.push(document.toObject()); }
    for ( const id of deletedIds ) {
      drop(id);
      if ( this.token.baseActor._source[cls.collectionName].some(entry => entry._id === id) ) {
        entries.push({ _id: id, _tombstone: true });
      }
    }
  }

  _changed() {
    super._changed();
    this._refreshTokenActors();
  }

  _embeddedChanged() {
    super._embeddedChanged();
    this._refreshTokenActors();
  }

  /** Unlinked tokens see through to what they have not changed themselves. */
  _refreshTokenActors() {
    if ( this.isToken ) return;
    for ( const scene of game.scenes ) for ( const token of scene.tokens ) {
      if ( token.actorId === this.id && !token.actorLink ) token._refreshActor();
    }
  }
}

const MODES = { 0: "custom", 1: "multiply", 2: "add", 3: "downgrade", 4: "upgrade", 5: "override" };

/** Apply one change of an effect to the actor; unknown paths are left alone. */
function applyChange(actor, change) {
  const mode = change.type ?? MODES[change.mode];
  const current = getProperty(actor, change.key);
  if ( !change.key || current === undefined ) return;
  if ( current instanceof Set ) return current.add(change.value);
  const number = Number(change.value);
  const value = typeof current === "number" || current === null ? number : change.value;
  const result = {
    add: () => typeof current === "string" ? (current ? `${current} + ${change.value}` : String(change.value)) : (current ?? 0) + value,
    multiply: () => (current ?? 0) * number,
    upgrade: () => Math.max(current ?? -Infinity, number),
    downgrade: () => Math.min(current ?? Infinity, number),
    override: () => value
  }[mode]?.();
  if ( result === undefined ) return;
  const parts = change.key.split(".");
  const last = parts.pop();
  (parts.length ? getProperty(actor, parts.join(".")) : actor)[last] = result;
}
