/** ActiveEffect in the shapes of both generations of core. */

import { Document } from "../core/document.mjs";
import { deepClone, expandObject, mergeObject } from "../core/utils.mjs";

const isV13 = () => game.release.generation < 14;

/** Priorities that v14 gives to change types. [T] */
const PRIORITIES = { custom: 0, multiply: 10, add: 20, subtract: 20, downgrade: 30, upgrade: 40, override: 50 };

/** Seconds in the units of a v14 duration. [T] */
const UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86400, rounds: 6, turns: 6 };

/** Statuses and changes on an actor or an item. */
export class ActiveEffect extends Document {
  static documentName = "ActiveEffect";

  static collectionName = "effects";

  static defaults() {
    const common = { name: "Effect", img: "icons/svg/aura.svg", type: "base", disabled: false, description: "", origin: null,
      tint: "#ffffff", transfer: false, statuses: [], flags: {}, sort: 0 };
    if ( isV13() ) {
      return { ...common, system: {}, changes: [], duration: { startTime: null, seconds: null, combat: null, rounds: null,
        turns: null, startRound: null, startTurn: null } };
    }
    // v14: changes moved into the system data, the duration has one value with units. [T]
    return { ...common, system: { changes: [] }, duration: { value: null, units: "seconds", expiry: null, expired: false },
      start: null, showIcon: 1, folder: null };
  }

  /** The configuration of a status, whether core keeps an array or a record. */
  static statusById(id) {
    const { statusEffects } = CONFIG;
    return Array.isArray(statusEffects) ? statusEffects.find(status => status.id === id) : statusEffects[id];
  }

  /** An unsaved effect for a status, with what the status implies. */
  static async fromStatusEffect(statusId, options = {}) {
    const status = this.statusById(statusId);
    if ( !status ) throw new Error(`Invalid status ID "${statusId}" provided to ActiveEffect.fromStatusEffect`);
    const { id, hud, order, riders, special, reference, exclusiveGroup, coverBonus, pseudo, levels, reduction,
      neverBlockMovement, ...data } = deepClone(status);
    data.name = game.i18n.localize(data.name);
    data.statuses = [...new Set([statusId, ...data.statuses ?? []])];
    return new this.implementation(data, options);
  }

  _initialize() {
    super._initialize();
    this.statuses = new Set(this._source.statuses);
    // A getter on v14, for whoever still reads the old place. [T]
    if ( !isV13() ) Object.defineProperty(this, "changes", { get: () => this.system.changes ?? [], set() {}, configurable: true });
  }

  prepareDerivedData() {
    const { duration } = this;
    if ( isV13() ) {
      const end = duration.seconds ? (duration.startTime ?? 0) + duration.seconds : null;
      duration.type = duration.seconds ? "seconds" : duration.rounds || duration.turns ? "turns" : "none";
      duration.remaining = end === null ? null : end - game.time.worldTime;
    }
    else {
      const seconds = duration.value === null ? null : duration.value * UNITS[duration.units];
      duration.remaining = seconds === null ? null : (this.start?.time ?? 0) + seconds - game.time.worldTime;
    }
  }

  get target() {
    if ( this.parent?.documentName === "Actor" ) return this.parent;
    return this.transfer ? this.parent?.parent ?? null : this.parent;
  }

  get isSuppressed() { return !isV13() && this.duration.expired === true; }

  get active() { return !this.disabled && !this.isSuppressed; }

  get modifiesActor() { return this.active; }

  get isTemporary() { return this.duration.remaining !== null || this.statuses.size > 0; }

  get sourceName() { return this.origin ? foundry.utils.fromUuidSync(this.origin)?.name ?? "Unknown" : "None"; }

  priorityOf(change) { return isV13() ? change.mode * 10 : PRIORITIES[change.type] ?? 0; }

  async _preCreate(data, options, user) {
    if ( await super._preCreate(data, options, user) === false ) return false;
    const combat = game.combat?.started ? game.combat : null;
    if ( isV13() ) {
      if ( this.duration.seconds || this.duration.rounds || this.duration.turns ) {
        this.updateSource({ duration: { startTime: game.time.worldTime, combat: combat?.id ?? null,
          startRound: combat?.round ?? null, startTurn: combat?.turn ?? null } });
      }
    }
    else {
      const start = { time: game.time.worldTime, combat: combat?.id ?? null, combatant: combat?.combatant?.id ?? null,
        initiative: combat?.combatant?.initiative ?? null, round: combat?.round ?? null, turn: combat?.turn ?? null };
      const duration = this._source.duration;
      // A duration without an event to end it ends at the start of a turn. [T]
      const expiry = Number.isFinite(duration.value) ? duration.expiry ?? "turnStart" : duration.expiry;
      this.updateSource({ start, duration: { expiry } });
    }
  }

  /** v14 reads what v13 wrote. [T: migrated by core; the details are inferred] */
  static migrate(data) {
    data = expandObject(data);
    if ( isV13() || !data.changes ) return data;
    const types = ["custom", "multiply", "add", "downgrade", "upgrade", "override"];
    const changes = data.changes.map(({ mode, ...change }) => ({ phase: "initial", type: types[mode] ?? "add", ...change }));
    delete data.changes;
    return mergeObject(data, { system: { changes } });
  }

  constructor(data = {}, context = {}) {
    if ( "changes" in data && !isV13() ) {
      const migrated = ActiveEffect.migrate(data);
      if ( context.keepSource ) { delete data.changes; data.system = migrated.system; }
      else data = migrated;
    }
    super(data, context);
  }
}
