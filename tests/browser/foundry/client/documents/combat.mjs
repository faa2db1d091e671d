/** Combat and Combatant: turns, rounds, the clock, and the turn events that one Game Master's client runs. */

import { Document } from "../core/document.mjs";
import { deepClone, objectsEqual } from "../core/utils.mjs";

/** One place in the order of a combat. */
export class Combatant extends Document {
  static documentName = "Combatant";

  static collectionName = "combatants";

  static defaults() {
    return { type: "base", system: {}, actorId: null, tokenId: null, sceneId: null, name: "", img: "", initiative: null,
      hidden: false, defeated: false, group: null, flags: {} };
  }

  get combat() { return this.parent; }

  get token() { return game.scenes.get(this.sceneId)?.tokens.get(this.tokenId) ?? null; }

  get actor() { return this.token?.actor ?? game.actors.get(this.actorId) ?? null; }

  get isNPC() { return !this.actor?.hasPlayerOwner; }

  get isOwner() { return game.user.isGM || !!this.actor?.isOwner; }

  get isDefeated() { return this.defeated || !!this.actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED); }

  get players() { return game.users.filter(user => !user.isGM && this.actor?.testUserPermission(user, "OWNER")); }

  prepareDerivedData() { this.name = this._source.name || this.token?.name || this.actor?.name || "Unknown"; }

  getInitiativeRoll(formula) { return new CONFIG.Dice.BasicRoll(formula ?? "1d20", this.actor?.getRollData() ?? {}); }

  async rollInitiative(formula) { return this.combat.rollInitiative([this.id], { formula }); }
}

/** An encounter with rounds and turns. */
export class Combat extends Document {
  static documentName = "Combat";

  static collectionName = "combats";

  static embedded = { Combatant: "combatants" };

  static defaults() {
    return { type: "base", system: {}, scene: null, active: true, round: 0, turn: null, combatants: [], groups: [], flags: {} };
  }

  turns = this.turns ?? [];

  previous = this.previous ?? {};

  current = this.current ?? {};

  get started() { return this.round > 0; }

  get isActive() { return this.active; }

  get combatant() { return this.turns[this.turn] ?? null; }

  get nextCombatant() { return this.turns[((this.turn ?? -1) + 1) % this.turns.length] ?? null; }

  get settings() { return { skipDefeated: game.settings.get("core", "combatTrackerConfig").skipDefeated }; }

  getUserLevel(user = game.user) { return user.isGM ? 3 : 0; }

  prepareDerivedData() { this.setupTurns(); }

  /** Highest initiative first, without one last. */
  _sortCombatants(a, b) {
    const value = combatant => Number.isFinite(combatant.initiative) ? combatant.initiative : -Infinity;
    const difference = value(b) - value(a);
    return difference || (a.id > b.id ? 1 : -1);
  }

  setupTurns() {
    this.turns = this.combatants.contents.sort(this._sortCombatants);
    if ( this.turn !== null ) this.turn = Math.clamp(this.turn, 0, Math.max(this.turns.length - 1, 0));
    const combatant = this.combatant;
    const state = { round: this.round, turn: this.turn, combatantId: combatant?.id ?? null, tokenId: combatant?.tokenId ?? null };
    if ( !objectsEqual(state, this.current) ) {
      this.previous = this.current;
      this.current = state;
    }
    return this.turns;
  }

  getCombatantsByActor(actor) {
    const id = actor?.id ?? actor;
    return this.combatants.filter(combatant => combatant.actorId === id && (!actor?.isToken || combatant.tokenId === actor.token.id));
  }

  getCombatantsByToken(token) {
    const id = token?.id ?? token;
    return this.combatants.filter(combatant => combatant.tokenId === id);
  }

  async activate() { await this.update({ active: true }); return this; }

  async startCombat() {
    const data = { round: 1, turn: this.turns.length ? 0 : null };
    Hooks.callAll("combatStart", this, data);
    await this.update(data);
    return this;
  }

  /** The next turn, past the defeated when the tracker is set so; after the last one the next round. */
  async nextTurn() {
    let turn = this.turn ?? -1;
    do turn++;
    while ( this.settings.skipDefeated && this.turns[turn]?.isDefeated );
    if ( turn >= this.turns.length ) return this.nextRound();
    return this.#step({ round: this.round, turn }, "combatTurn", 1, CONFIG.time.turnTime);
  }

  async nextRound() {
    let turn = this.turn === null ? null : 0;
    if ( this.settings.skipDefeated && turn !== null ) {
      turn = Math.max(0, this.turns.findIndex(combatant => !combatant.isDefeated));
    }
    return this.#step({ round: this.round + 1, turn }, "combatRound", 1, CONFIG.time.roundTime);
  }

  async previousTurn() {
    if ( this.turn === 0 || this.turn === null ) return this.round > 1 ? this.previousRound() : this;
    return this.#step({ round: this.round, turn: this.turn - 1 }, "combatTurn", -1, -CONFIG.time.turnTime);
  }

  async previousRound() {
    const round = Math.max(this.round - 1, 0);
    const turn = round ? this.turns.length - 1 : null;
    return this.#step({ round, turn }, "combatRound", -1, -CONFIG.time.roundTime);
  }

  /** The hook comes before the write, on this client only; the clock moves with the write. */
  async #step(data, hook, direction, seconds) {
    const options = { direction, worldTime: { delta: seconds } };
    Hooks.callAll(hook, this, data, options);
    await this.update(data, options);
    return this;
  }

  async endCombat() { await this.delete(); return this; }

  async setInitiative(id, initiative) { return this.combatants.get(id).update({ initiative }); }

  async rollAll(options) { return this.rollInitiative(this.combatants.map(combatant => combatant.id), options); }

  async rollNPC(options) {
    return this.rollInitiative(this.combatants.filter(one => one.isNPC && one.initiative === null).map(one => one.id), options);
  }

  async rollInitiative(ids, { formula = null, messageOptions = {} } = {}) {
    ids = typeof ids === "string" ? [ids] : ids;
    const updates = [];
    for ( const id of ids ) {
      const combatant = this.combatants.get(id);
      if ( !combatant?.isOwner ) continue;
      const roll = combatant.getInitiativeRoll(formula);
      await roll.evaluate();
      updates.push({ _id: id, initiative: roll.total });
      const { rollMode, ...data } = messageOptions;
      await roll.toMessage({ speaker: ChatMessage.implementation.getSpeaker({ actor: combatant.actor, token: combatant.token }),
        flavor: game.i18n.format("COMBAT.RollsInitiative", { name: combatant.name }),
        flags: { core: { initiativeRoll: true } }, ...data }, { rollMode });
    }
    if ( updates.length ) await this.updateEmbeddedDocuments("Combatant", updates);
    return this;
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if ( !("round" in changed) && !("turn" in changed) ) return;
    const [prior, current] = [deepClone(this.previous), deepClone(this.current)];
    // On every client, after the write; then one Game Master's client runs the turn events.
    Hooks.callAll("combatTurnChange", this, prior, current);
    const delta = options.worldTime?.delta;
    if ( delta && userId === game.userId && game.user.isGM ) game.time.advance(delta);
    else if ( delta && game.users.activeGM?.isSelf && !game.users.get(userId)?.isGM ) game.time.advance(delta);
    if ( options.turnEvents === false || !game.users.activeGM?.isSelf ) return;
    return this._manageTurnEvents(prior, current, options);
  }

  async _manageTurnEvents(prior, current, options) {
    if ( options.direction === -1 ) return;
    const ended = this.combatants.get(prior.combatantId);
    if ( prior.round && ended ) await this._onEndTurn(ended);
    if ( prior.round && current.round > prior.round ) await this._onEndRound();
    if ( current.round > (prior.round ?? 0) ) await this._onStartRound();
    const started = this.combatants.get(current.combatantId);
    if ( started ) await this._onStartTurn(started);
  }

  async _onStartTurn(combatant) {}

  async _onEndTurn(combatant) {}

  async _onStartRound() {}

  async _onEndRound() {}
}
