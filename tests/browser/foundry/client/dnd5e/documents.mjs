/** The system's document classes. dnd5e module/documents/actor/actor.mjs, active-effect.mjs, combat.mjs, combatant.mjs, item.mjs */

import { Actor, Item } from "../documents/actor.mjs";
import { ActiveEffect } from "../documents/effect.mjs";
import { ChatMessage } from "../documents/chat.mjs";
import { Combat, Combatant } from "../documents/combat.mjs";
import { getProperty, setProperty } from "../core/utils.mjs";
import { prepareActivities } from "./activities.mjs";
import { decorateCard } from "./cards.mjs";
import { CheckMixin } from "./checks.mjs";
import { ConcentrationMixin } from "./concentration.mjs";
import { staticID } from "./config.mjs";
import { DamageMixin } from "./damage.mjs";
import { FormMixin } from "./forms.mjs";
import { prepareBase, prepareDerived } from "./prepare.mjs";
import { RestMixin } from "./rests.mjs";

const EXHAUSTION = staticID("dnd5eexhaustion");

const isSystem6 = () => Number(game.system.version.split(".")[0]) >= 6;

/** A creature, a vehicle or a group. */
export class Actor5e extends FormMixin(RestMixin(CheckMixin(ConcentrationMixin(DamageMixin(Actor))))) {
  get isSystem6() { return isSystem6(); }

  get classes() { return Object.fromEntries(this.itemTypes.class.map(item => [item.system.identifier, item])); }

  prepareBaseData() { prepareBase(this); }

  prepareDerivedData() {
    prepareDerived(this);
    globalThis.standin?.noteHitPoints(this);
  }

  /** Whether a status that the configuration names for this effect is on the creature. actor.mjs hasConditionEffect */
  hasConditionEffect(key) {
    const level = this.system.attributes?.exhaustion ?? 0;
    const legacy = game.settings.get("dnd5e", "rulesVersion") === "legacy";
    return [...CONFIG.DND5E.conditionEffects[key] ?? []].some(id => {
      const [name, number] = id.split("-");
      return number ? legacy && level >= Number(number) : this.statuses.has(name);
    });
  }

  getRollData() {
    const data = { ...this.system, name: this.name, prof: this.system.attributes?.prof ?? 0, flags: this.flags };
    data.classes = Object.fromEntries(Object.entries(this.classes).map(([key, item]) => [key, { levels: item.system.levels }]));
    return data;
  }

  async _preUpdate(changed, options, user) {
    if ( await super._preUpdate(changed, options, user) === false ) return false;
    if ( Number.isFinite(getProperty(changed, "system.attributes.exhaustion")) ) {
      setProperty(options, "dnd5e.originalExhaustion", this.system.attributes.exhaustion);
    }
    this._preUpdateHP(changed, options);
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    const follow = this._onUpdateHP(changed, options, userId);
    if ( userId === game.userId ) this.#onUpdateExhaustion(changed, options);
    return follow;
  }

  /** The number makes, changes or deletes the effect, on the client that wrote it. actor.mjs _onUpdateExhaustion */
  async #onUpdateExhaustion(changed, options) {
    const level = getProperty(changed, "system.attributes.exhaustion");
    if ( !Number.isFinite(level) ) return;
    let effect = this.effects.get(EXHAUSTION);
    if ( level < 1 ) return effect?.delete();
    const path = this.isSystem6 ? "system.level" : "flags.dnd5e.exhaustionLevel";
    if ( effect ) return effect.update({ [path]: level }, { dnd5e: { originalExhaustion: options.dnd5e?.originalExhaustion } });
    effect = await Effect5e.fromStatusEffect("exhaustion", { parent: this });
    effect.updateSource({ [path]: level });
    return Effect5e.create(effect, { parent: this, keepId: true });
  }

  /** Making the effect by itself sets the number to 1, deleting it to 0. */
  async _onCreateDescendantDocuments(parent, collection, documents, data, options, userId) {
    super._onCreateDescendantDocuments(parent, collection, documents, data, options, userId);
    if ( userId !== game.userId || collection !== "effects" || !documents.some(document => document.id === EXHAUSTION) ) return;
    const level = this.isSystem6 ? this.effects.get(EXHAUSTION)?.system.level ?? 1 : 1;
    if ( !this._source.system.attributes?.exhaustion ) await this.update({ "system.attributes.exhaustion": level });
  }

  async _onDeleteDescendantDocuments(parent, collection, documents, ids, options, userId) {
    super._onDeleteDescendantDocuments(parent, collection, documents, ids, options, userId);
    if ( userId !== game.userId || collection !== "effects" || !ids.includes(EXHAUSTION) ) return;
    await this.update({ "system.attributes.exhaustion": 0 });
  }

  /** Of a group of statuses that exclude each other the newest stays. actor.mjs toggleStatusEffect */
  async toggleStatusEffect(statusId, options) {
    const created = await super.toggleStatusEffect(statusId, options);
    const { exclusiveGroup } = Effect5e.statusById(statusId);
    if ( !(created instanceof ActiveEffect) || !exclusiveGroup ) return created;
    const others = Object.values(CONFIG.statusEffects).filter(status => status.id !== statusId
      && status.exclusiveGroup === exclusiveGroup && this.effects.has(status._id));
    if ( others.length ) await this.deleteEmbeddedDocuments("ActiveEffect", others.map(status => status._id));
    return created;
  }
}

/** An effect that may stand for a condition. */
export class Effect5e extends ActiveEffect {
  static ID = Object.fromEntries(["bloodied", "exhaustion"].map(id => [id.toUpperCase(), staticID(`dnd5e${id}`)]));

  get isCondition() { return [...this.statuses].some(id => this.id === staticID(`dnd5e${id}`)); }

  /** In 6 an effect of the type "condition" carries its level. [M] */
  static async fromStatusEffect(statusId, options) {
    const effect = await super.fromStatusEffect(statusId, options);
    if ( isSystem6() && statusId in CONFIG.DND5E.conditionTypes ) {
      const leveled = CONFIG.DND5E.conditionTypes[statusId].levels ? { level: 1 } : {};
      effect.updateSource({ type: "condition", system: leveled });
    }
    return effect;
  }

  /** Items that are not equipped or attuned suppress their effects; in 6 an immunity to the condition does too. [M] */
  get isSuppressed() {
    if ( super.isSuppressed ) return true;
    const { system } = this.parent?.documentName === "Item" ? this.parent : {};
    if ( system?.attunement === "required" && !system.attuned ) return true;
    if ( system && "equipped" in system && !system.equipped && this.parent.type === "equipment" ) return true;
    if ( !isSystem6() || this.parent?.documentName !== "Actor" || !this.isCondition ) return false;
    const immune = this.parent._source.system?.traits?.ci?.value ?? [];
    return immune.some(id => this.id === staticID(`dnd5e${id}`));
  }

  get isTemporary() { return super.isTemporary || !!this.getFlag("dnd5e", "isTemporary"); }

  /** active-effect.mjs _prepareExhaustionLevel: the sixth level is death. */
  prepareDerivedData() {
    super.prepareDerivedData();
    if ( this.id !== EXHAUSTION ) return;
    const level = (isSystem6() ? this.system.level : this.getFlag("dnd5e", "exhaustionLevel")) ?? 1;
    this.name = `${game.i18n.localize("DND5E.Exhaustion")} ${level}`;
    this.img = CONFIG.DND5E.conditionTypes.exhaustion.img.replace(".svg", `-${level}.svg`);
    if ( level >= CONFIG.DND5E.conditionTypes.exhaustion.levels ) this.statuses.add("dead");
  }

  async _preDelete(options, user) {
    if ( this.getDependents().length && !game.users.activeGM ) {
      ui.notifications.warn("A Game Master must be present to end this effect.");
      return false;
    }
    return super._preDelete(options, user);
  }

  async _onCreate(data, options, userId) {
    super._onCreate(data, options, userId);
    if ( userId === game.userId && this.active && this.parent?.documentName === "Actor" ) await this.createRiderConditions();
  }

  _onDelete(options, userId) {
    super._onDelete(options, userId);
    if ( game.users.activeGM?.isSelf ) for ( const dependent of this.getDependents() ) dependent.delete();
  }

  /** active-effect.mjs createRiderConditions: what a status leaves behind comes as effects of their own. */
  async createRiderConditions() {
    const riders = new Set(this.getFlag("dnd5e", "riders.statuses") ?? []);
    for ( const id of this.statuses ) for ( const rider of Effect5e.statusById(id)?.riders ?? [] ) riders.add(rider);
    const missing = [...riders].filter(id => !this.parent.effects.has(staticID(`dnd5e${id}`)));
    const datas = await Promise.all(missing.map(async id => (await Effect5e.fromStatusEffect(id)).toObject()));
    return Effect5e.createDocuments(datas, { keepId: true, parent: this.parent });
  }

  /** Effects that end with this one. module/registry.mjs */
  getDependents() {
    const all = game.actors.contents.flatMap(actor => actor.effects.contents);
    return all.filter(effect => effect.getFlag("dnd5e", "dependentOn") === this.uuid);
  }
}

/** An item with activities. */
export class Item5e extends Item {
  prepareDerivedData() {
    const { system } = this;
    if ( system.uses ) {
      system.uses.max = Number(system.uses.max) || null;
      system.uses.value = system.uses.max === null ? null : Math.max(system.uses.max - (system.uses.spent ?? 0), 0);
    }
    // Older documents call the Hit Dice of a class otherwise. data/item/class.mjs migrateData
    if ( this.type === "class" ) system.hd ??= { denomination: system.hitDice ?? "d6", spent: system.hitDiceUsed ?? 0, additional: "" };
    system.properties = new Set(system.properties ?? []);
    prepareActivities(this);
  }

  get hasLimitedUses() { return !!this.system.uses?.max; }

  getRollData() { return { ...this.actor?.getRollData(), item: this.system }; }

  /** Use the item's first activity. item.mjs use */
  async use(usage = {}, dialog = {}, message = {}) {
    const activity = this.system.activities?.contents.find(candidate => candidate.canUse);
    return activity?.use(usage, dialog, message);
  }
}

/** A message with the system's trays and buttons. */
export class ChatMessage5e extends ChatMessage {
  getAssociatedActor() { return this.speakerActor; }

  /** Messages of a kind of roll that began at this card. chat-message.mjs getAssociatedRolls, module/registry.mjs */
  getAssociatedRolls(type) {
    return game.messages.filter(({ flags, system, type: kind }) => (flags.dnd5e?.originatingMessage ?? system.origin) === this.id
      && (flags.dnd5e?.roll?.type ?? kind) === type);
  }

  getAssociatedItem() {
    const { uuid } = (isSystem6() ? { uuid: this.system.item } : this.flags.dnd5e?.item) ?? {};
    return uuid ? foundry.utils.fromUuidSync(uuid) : null;
  }

  getAssociatedActivity() {
    const { uuid } = (isSystem6() ? { uuid: this.system.activity } : this.flags.dnd5e?.activity) ?? {};
    return uuid ? foundry.utils.fromUuidSync(uuid) : null;
  }

  /** Core renders and fires its hook first; then the system adds trays, hides buttons, and fires its own. chat-message.mjs */
  async renderHTML(options = {}) {
    const html = await super.renderHTML(options);
    decorateCard(this, html);
    Hooks.callAll("dnd5e.renderChatMessage", this, html);
    return html;
  }
}

/** A combat that tells creatures what they recover. */
export class Combat5e extends Combat {
  async startCombat() {
    await super.startCombat();
    await this._recoverUses({ encounter: true });
    return this;
  }

  async _onEndTurn(combatant) { await this._recoverUses({ turnEnd: combatant }); }

  async _onStartRound() { await this._recoverUses({ round: true }); }

  async _onStartTurn(combatant) { await this._recoverUses({ turn: true, turnStart: combatant }); }

  /** combat.mjs _recoverUses: the defeated are left out. */
  async _recoverUses(types) {
    for ( const combatant of this.combatants ) {
      if ( combatant.isDefeated ) continue;
      const periods = Object.entries(types).filter(([, value]) => value === true || value === combatant).map(([key]) => key);
      if ( periods.length ) await combatant.recoverCombatUses(periods);
    }
  }
}

/** One creature's place in a combat. */
export class Combatant5e extends Combatant {
  getInitiativeRoll(formula) { return this.actor?.getInitiativeRoll?.() ?? super.getInitiativeRoll(formula); }

  /** combatant.mjs recoverCombatUses, without uses that recover in combat (the stand-in's items have none) */
  async recoverCombatUses(periods) {
    if ( Hooks.call("dnd5e.preCombatRecovery", this, periods) === false ) return;
    const results = { actor: {}, delete: [], item: [], rolls: [] };
    if ( Hooks.call("dnd5e.combatRecovery", this, periods, results) === false ) return;
    if ( !foundry.utils.isEmpty(results.actor) ) await this.actor?.update(results.actor);
    if ( results.item.length ) await this.actor?.updateEmbeddedDocuments("Item", results.item);
    Hooks.callAll("dnd5e.postCombatRecovery", this, periods, undefined);
  }
}
