/**
 * Activities: using an item. dnd5e module/documents/activity/mixin.mjs use, consume, rollDamage; attack.mjs, heal.mjs;
 * module/data/activity/fields/consumption-targets-field.mjs
 */

import { Collection } from "../core/collection.mjs";
import { mergeObject, deepClone, setProperty } from "../core/utils.mjs";
import { usageCard } from "./cards.mjs";
import { UsageDialog } from "./usage-dialog.mjs";

/** The activities of one item. */
class Activities extends Collection {
  getByType(type) { return this.filter(activity => activity.type === type); }
}

/** Replace an item's stored activities by usable ones. */
export function prepareActivities(item) {
  const stored = item._source.system.activities ?? {};
  const activities = new Activities();
  for ( const [id, data] of Object.entries(stored) ) activities.set(id, new Activity(deepClone({ _id: id, ...data }), item));
  item.system.activities = activities;
}

const NAMES = { heal: "Heal", attack: "Attack", damage: "Damage", save: "Save", utility: "Use", cast: "Cast" };

/** One way of using an item. */
export class Activity {
  constructor(data, item) {
    Object.assign(this, data);
    Object.defineProperty(this, "item", { value: item });
    this.name = data.name || NAMES[data.type] || "Use";
    this.img = item.img;
  }

  get id() { return this._id; }

  get actor() { return this.item.actor; }

  get uuid() { return `${this.item.uuid}.Activity.${this.id}`; }

  get relativeUUID() { return `.Item.${this.item.id}.Activity.${this.id}`; }

  get canUse() { return true; }

  get isSpell() { return this.item.type === "spell"; }

  get requiresSpellSlot() { return this.isSpell && this.item.system.level > 0 && this.consumption?.spellSlot !== false; }

  get requiresConcentration() {
    return this.duration?.concentration === true || (this.item.system.properties?.has("concentration") ?? false);
  }

  /** Modifier of the ability that the activity goes by. */
  get ability() {
    const { meleeAttack, rangedAttack } = CONFIG.DND5E.defaultAbilities;
    if ( this.attack?.ability ) return this.attack.ability;
    if ( this.isSpell ) return this.actor.system.attributes.spellcasting || "int";
    return this.attack?.type?.value === "ranged" ? rangedAttack : meleeAttack;
  }

  /** Type of the attack: mwak, rwak, msak or rsak. */
  get actionType() {
    const { value = "melee", classification = "weapon" } = this.attack?.type ?? {};
    return `${(value || "melee")[0]}${(classification || "weapon")[0]}ak`;
  }

  get messageFlags() {
    return { activity: { type: this.type, id: this.id, uuid: this.uuid }, item: { type: this.item.type, id: this.item.id, uuid: this.item.uuid },
      targets: targets() };
  }

  toObject() { return deepClone({ ...this }); }

  getRollData() {
    const data = this.item.getRollData();
    return { ...data, mod: data.abilities?.[this.ability]?.mod ?? 0 };
  }

  /** mixin.mjs use: everything happens on a clone of the item, so that a drunk-up potion can still be read. */
  async use(usage = {}, dialog = {}, message = {}) {
    if ( !this.item.isEmbedded || !this.actor.isOwner ) return;
    const item = this.item.clone({}, { keepId: true });
    const activity = item.system.activities.get(this.id);
    const config = activity._prepareUsageConfig(usage);
    const dialogConfig = { configure: true, applicationClass: UsageDialog, ...dialog };
    const messageConfig = mergeObject({ create: true, data: { flags: { dnd5e: this.messageFlags }, system: {} },
      hasConsumption: config.hasConsumption }, message);
    if ( Hooks.call("dnd5e.preUseActivity", activity, config, dialogConfig, messageConfig) === false ) return;
    if ( dialogConfig.configure && activity._requiresDialog(config) ) {
      if ( !await dialogConfig.applicationClass.create(activity, config) ) return;
    }
    const updates = await activity.consume(config, messageConfig);
    if ( updates === false ) return;
    const results = { effects: [], templates: [], updates };
    if ( config.concentration?.begin ) {
      const effect = await this.actor.beginConcentrating(activity);
      if ( effect ) {
        results.effects.push(effect);
        setProperty(messageConfig.data, "system.concentration", effect.id);
      }
      if ( config.concentration.end ) results.effects.push(...await this.actor.endConcentration(config.concentration.end));
    }
    results.message = await activity._createUsageMessage(messageConfig);
    if ( Hooks.call("dnd5e.postUseActivity", activity, config, results) === false ) return results;
    if ( config.subsequentActions !== false ) await activity._triggerSubsequentActions(config, results);
    return results;
  }

  _prepareUsageConfig(usage) {
    const config = deepClone(usage);
    if ( config.consume !== false ) {
      config.consume ??= {};
      config.consume.resources ??= (this.consumption?.targets ?? []).map((target, index) => index);
      config.consume.spellSlot ??= this.requiresSpellSlot;
      config.hasConsumption = config.consume.resources.length > 0 || config.consume.spellSlot;
    }
    if ( this.requiresSpellSlot ) (config.spell ??= {}).slot ??= `spell${this.item.system.level}`;
    if ( this.requiresConcentration && !game.settings.get("dnd5e", "disableConcentration") ) {
      config.concentration ??= {};
      config.concentration.begin ??= true;
      const { effects } = this.actor.concentration;
      const limit = this.actor.system.attributes.concentration?.limit ?? 0;
      if ( limit && limit <= effects.size ) config.concentration.end ??= [...effects][0]?.id ?? null;
    }
    config.scaling ??= false;
    return config;
  }

  _requiresDialog(config) { return config.concentration?.begin === true || !!config.hasConsumption; }

  /** mixin.mjs consume: three hooks, each of which can stop the use; the last one comes when all is consumed. */
  async consume(config, message) {
    if ( Hooks.call("dnd5e.preActivityConsumption", this, config, message) === false ) return false;
    const updates = this._prepareUsageUpdates(config);
    if ( !updates ) return false;
    if ( Hooks.call("dnd5e.activityConsumption", this, config, message, updates) === false ) return false;
    const { actor } = this;
    if ( !foundry.utils.isEmpty(updates.actor) ) await actor.update(updates.actor);
    if ( updates.delete.length ) await actor.deleteEmbeddedDocuments("Item", updates.delete);
    if ( updates.item.length ) await actor.updateEmbeddedDocuments("Item", updates.item);
    if ( Hooks.call("dnd5e.postActivityConsumption", this, config, message, updates) === false ) return false;
    return updates;
  }

  _prepareUsageUpdates(config) {
    const updates = { activity: {}, actor: {}, create: [], delete: [], item: [], rolls: [] };
    if ( config.consume === false ) return updates;
    for ( const index of config.consume.resources ?? [] ) {
      const target = this.consumption.targets[index];
      if ( target?.type === "itemUses" && !this.#consumeUses(target, updates) ) return false;
    }
    if ( config.consume.spellSlot ) {
      const slot = config.spell?.slot;
      const value = this.actor.system.spells?.[slot]?.value ?? 0;
      if ( !value ) {
        ui.notifications.error(`No spell slots are left for ${this.item.name}.`);
        return false;
      }
      updates.actor[`system.spells.${slot}.value`] = value - 1;
    }
    return updates;
  }

  /** The last use of what destroys itself takes one of its number, and the last of these the item. */
  #consumeUses({ target, value }, updates) {
    const item = target ? this.actor.items.get(target) : this.item;
    const { uses } = item.system;
    const spent = (uses.spent ?? 0) + Number(value || 1);
    if ( uses.max !== null && spent > uses.max ) {
      ui.notifications.error(`${item.name} has no uses left.`);
      return false;
    }
    if ( !uses.autoDestroy || spent !== uses.max ) updates.item.push({ _id: item.id, "system.uses.spent": spent });
    else if ( item.system.quantity <= 1 ) updates.delete.push(item.id);
    else updates.item.push({ _id: item.id, "system.uses.spent": 0, "system.quantity": item.system.quantity - 1 });
    return true;
  }

  async _createUsageMessage(message) {
    const config = mergeObject({ rollMode: CONFIG.Dice.BasicRoll.getMessageMode(), data: { type: "usage", content: usageCard(this),
      title: `${this.item.name} - ${this.name}`, speaker: ChatMessage.implementation.getSpeaker({ actor: this.actor }) } }, message);
    Hooks.callAll("dnd5e.preCreateUsageMessage", this, config);
    ChatMessage.implementation.applyRollMode(config.data, config.rollMode);
    const data = CONFIG.DND5E.typeMessage(config.data, []);
    const card = config.create === false ? data : await ChatMessage.implementation.create(data);
    Hooks.callAll("dnd5e.postCreateUsageMessage", this, card);
    return card;
  }

  /** What follows a use: an attack roll, or a roll of damage or healing. attack.mjs, heal.mjs, damage.mjs */
  async _triggerSubsequentActions(config, results) {
    const origin = { data: { flags: { dnd5e: { originatingMessage: results.message?.id } } } };
    const dialog = config.configure === undefined ? {} : { configure: config.configure };
    if ( this.type === "attack" ) return this.rollAttack({ event: config.event }, dialog, origin);
    if ( this.type === "heal" || this.type === "damage" ) return this.rollDamage({ event: config.event }, dialog, origin);
  }

  /** Parts of the damage or healing roll. */
  getDamageConfig(config = {}) {
    const data = this.getRollData();
    const parts = this.type === "heal" ? [this.healing] : [...this.damage?.includeBase ? [this.item.system.damage?.base] : [],
      ...this.damage?.parts ?? []];
    const rolls = parts.filter(part => part).map((part, index) => {
      const dice = part.custom?.enabled ? part.custom.formula : part.number && part.denomination ? `${part.number}d${part.denomination}` : "";
      const list = [dice, part.bonus, index === 0 && this.type === "attack" ? "@mod" : ""].filter(text => text);
      const types = part.types instanceof Set ? [...part.types] : part.types ?? [];
      return { parts: list.length ? list : ["0"], data, options: { type: types[0], types } };
    });
    return { ...config, rolls: [...rolls, ...config.rolls ?? []] };
  }

  async rollDamage(config = {}, dialog = {}, message = {}) {
    const rollConfig = this.getDamageConfig(config);
    rollConfig.hookNames = [...config.hookNames ?? [], "damage"];
    rollConfig.subject = this;
    const type = this.type === "heal" ? "healing" : "damage";
    const flavor = `${this.item.name} - ${type === "healing" ? "Healing" : "Damage"} Roll`;
    const messageConfig = mergeObject({ create: true, data: { flavor, speaker: ChatMessage.implementation.getSpeaker({ actor: this.actor }),
      flags: { dnd5e: { ...this.messageFlags, messageType: "roll", roll: { type } } } } }, message);
    const rolls = await CONFIG.Dice.DamageRoll.build(rollConfig, mergeObject({ options: { window: { title: flavor } } }, dialog), messageConfig);
    if ( !rolls?.length ) return;
    const last = Object.fromEntries(rolls.map((roll, index) => [index, roll.options.type]));
    if ( this.item.isOwner && this.actor.items.has(this.item.id) ) {
      await this.actor.items.get(this.item.id).setFlag("dnd5e", `last.${this.id}.damageType`, last);
    }
    for ( const hook of ["rollDamage", "rollDamageV2"] ) Hooks.callAll(`dnd5e.${hook}`, rolls, { subject: this });
    return rolls;
  }

  /**
   * attack.mjs rollAttack: the subject is the activity, and the parts come when the roll is built. 5.3 looks at no condition
   * for an attack; 6 gives its disadvantage. [M]
   */
  async rollAttack(config = {}, dialog = {}, message = {}) {
    const aims = targets();
    const build = (process, roll) => {
      const { actor } = this;
      const { parts, data } = CONFIG.Dice.D20Roll.constructParts({ mod: this.getRollData().mod, prof: actor.system.attributes.prof,
        bonus: this.attack?.bonus, weaponBonus: actor.system.bonuses?.[this.actionType]?.attack }, this.getRollData());
      actor.addRollExhaustion(parts, data);
      roll.parts = [...roll.parts ?? [], ...parts];
      roll.data = { ...data, ...roll.data };
    };
    const disadvantage = this.actor.isSystem6 && this.actor.hasConditionEffect("attackDisadvantage");
    const rollConfig = { target: aims.length === 1 ? aims[0].ac : undefined, attackMode: "oneHanded", ...config, subject: this,
      hookNames: [...config.hookNames ?? [], "attack", "d20Test"],
      rolls: [CONFIG.Dice.D20Roll.mergeConfigs({ options: { disadvantage, criticalSuccess: this.attack?.critical?.threshold ?? 20 } },
        config.rolls?.shift()), ...config.rolls ?? []] };
    const flavor = `${this.item.name} - Attack Roll`;
    const messageConfig = mergeObject({ create: true, data: { flavor, speaker: ChatMessage.implementation.getSpeaker({ actor: this.actor }),
      flags: { dnd5e: { ...this.messageFlags, messageType: "roll", roll: { type: "attack" } } } } }, message);
    const rolls = await CONFIG.Dice.D20Roll.build(rollConfig,
      mergeObject({ options: { buildConfig: build, window: { title: flavor } } }, dialog), messageConfig);
    if ( !rolls.length ) return null;
    for ( const hook of ["rollAttack", "rollAttackV2"] ) Hooks.callAll(`dnd5e.${hook}`, rolls, { subject: this, ammoUpdate: null });
    Hooks.callAll("dnd5e.postRollAttack", rolls, { subject: this });
    return rolls;
  }

  /** A button of this activity's card. */
  async onChatAction(action, event, message) {
    if ( action === "rollAttack" ) return this.rollAttack({ event });
    if ( action === "rollDamage" && this.type === "attack" ) {
      // attack.mjs #rollDamage: a critical attack makes critical damage.
      const isCritical = message?.getAssociatedRolls("attack").pop()?.rolls[0]?.isCritical;
      return this.rollDamage({ event, isCritical });
    }
    if ( action === "rollHealing" || action === "rollDamage" ) return this.rollDamage({ event });
    if ( action === "consumeResource" ) {
      const message = {};
      setProperty(message, "data.system.deltas", true);
      return this.consume({ consume: { resources: this.consumption.targets.map((target, index) => index) } }, message);
    }
  }
}

/** The user's targets, as cards remember them. dnd5e module/utils.mjs getTargetDescriptors */
export function targets() {
  return [...game.user.targets].map(({ document, actor }) => ({ name: document.name, img: actor.img, uuid: actor.uuid,
    ac: actor.system.attributes?.ac?.value ?? null }));
}
