/** Hit points: the roads by which they change, and what follows. dnd5e module/documents/actor/actor.mjs, data/actor/templates/attributes.mjs */

import { deepClone, getProperty, setProperty } from "../core/utils.mjs";
import { staticID } from "./config.mjs";

const HP = "system.attributes.hp";

export const DamageMixin = Base => class extends Base {
  /** The token's bar goes through applyDamage. actor.mjs modifyTokenAttribute */
  async modifyTokenAttribute(attribute, value, isDelta, isBar) {
    if ( attribute !== "attributes.hp" ) return super.modifyTokenAttribute(attribute, value, isDelta, isBar);
    const { hp } = this.system.attributes;
    return this.applyDamage(isDelta ? -value : hp.value + hp.temp - value, { isDelta });
  }

  /** actor.mjs applyDamage: calculateDamage, preApplyDamage, core's modifyTokenAttribute, the write, applyDamage. */
  async applyDamage(damages, options = {}) {
    const { hp } = this.system.attributes ?? {};
    if ( !hp ) return this;
    if ( Number.isNumeric(damages) ) {
      damages = [{ value: Number(damages) }];
      options.ignore ??= true;
    }
    const calculated = this.calculateDamage(damages, options);
    if ( !calculated ) return this;
    const { amount, temp, tempMax } = calculated;
    const fromTemp = amount > 0 ? Math.min(hp.temp, amount) : 0;
    const fromValue = Math.clamp(amount - fromTemp, -hp.damage + tempMax, hp.value - tempMax);
    const updates = {
      [`${HP}.temp`]: Math.max(hp.temp - fromTemp, temp),
      [`${HP}.tempmax`]: (this._source.system.attributes.hp.tempmax ?? 0) - tempMax,
      [`${HP}.value`]: hp.value - fromValue
    };
    if ( Hooks.call("dnd5e.preApplyDamage", this, amount, updates, options) === false ) return this;
    const bar = { attribute: "attributes.hp", value: amount, isDelta: false, isBar: true };
    if ( Hooks.call("modifyTokenAttribute", bar, updates) === false ) return this;
    await this.update(updates);
    Hooks.callAll("dnd5e.applyDamage", this, amount, options);
    return this;
  }

  /** actor.mjs calculateDamage: immunity, resistance, vulnerability; healing turns the sign. Previews call it too. */
  calculateDamage(damages, options = {}) {
    const list = Object.assign(deepClone(damages), { amount: 0, temp: 0, tempMax: 0 });
    if ( Hooks.call("dnd5e.preCalculateDamage", this, list, options) === false ) return false;
    for ( const damage of list ) {
      damage.active ??= {};
      const factor = this.#factor(damage, options);
      const inverted = options.invertHealing !== false && damage.type === "healing" ? -1 : 1;
      damage.active.multiplier = (options.multiplier ?? 1) * factor * inverted;
      damage.value = Math.trunc(damage.value * (options.multiplier ?? 1) * factor) * inverted;
      if ( damage.type === "temphp" ) list.temp += damage.value;
      else if ( damage.type === "maximum" ) list.tempMax += damage.value;
      else list.amount += damage.value;
    }
    if ( list.tempMax < 0 ) list.amount += list.tempMax;
    list.amount = Math.trunc(list.amount);
    return Hooks.call("dnd5e.calculateDamage", this, list, options) === false ? false : list;
  }

  #factor(damage, { ignore, only }) {
    const healing = damage.type in CONFIG.DND5E.healingTypes;
    if ( (only === "damage" && healing) || (only === "healing" && !healing) ) return 0;
    if ( ignore === true ) return 1;
    const { di, dr, dv } = this.system.traits;
    const has = (trait, name) => trait.value.has(damage.type) && ignore?.[name] !== true && !ignore?.[name]?.has?.(damage.type);
    if ( has(di, "immunity") ) {
      damage.active.type = { immunity: true };
      return 0;
    }
    return (has(dr, "resistance") ? 0.5 : 1) * (has(dv, "vulnerability") ? 2 : 1);
  }

  /** attributes.mjs preUpdateHP: remember the old numbers; rising from 0 ends the death saves in the same write. */
  _preUpdateHP(changed, options) {
    const { hp } = this.system.attributes ?? {};
    if ( !hp ) return;
    const value = getProperty(changed, `${HP}.value`);
    if ( hp.value <= 0 && value > 0 ) {
      setProperty(changed, "system.attributes.death.success", 0);
      setProperty(changed, "system.attributes.death.failure", 0);
    }
    setProperty(options, "dnd5e.hp", { ...hp });
  }

  /** attributes.mjs onUpdateHP: Bloodied, the concentration card, and healActor or damageActor except for rests. */
  async _onUpdateHP(changed, options, userId) {
    if ( !changed.system?.attributes?.hp ) return;
    if ( userId === game.userId ) {
      await this.updateBloodied(options);
      await this._updateDowned?.();
    }
    const old = options.dnd5e?.hp;
    if ( !old || options.isRest || options.isAdvancement ) return;
    const { hp } = this.system.attributes;
    const changes = { hp: hp.value - old.value, temp: hp.temp - old.temp };
    changes.total = changes.hp + changes.temp;
    if ( !Number.isInteger(changes.total) || changes.total === 0 ) return;
    const hurt = changes.total < 0 && (changes.temp < 0 || hp.value < hp.effectiveMax);
    if ( hurt && userId === game.userId && options.dnd5e?.concentrationCheck !== false
      && !game.settings.get("dnd5e", "disableConcentration") ) {
      this.challengeConcentration({ dc: this.getConcentrationDC(-changes.total) });
    }
    Hooks.callAll(`dnd5e.${changes.total > 0 ? "heal" : "damage"}Actor`, this, changes, changed, userId);
  }

  /** actor.mjs updateBloodied: by the client that wrote, at half of the effective maximum or below. */
  async updateBloodied(options) {
    const { hp } = this.system.attributes ?? {};
    if ( !hp?.effectiveMax || game.settings.get("dnd5e", "bloodied") === "none" ) return;
    const id = staticID("dnd5ebloodied");
    const effect = this.effects.get(id);
    if ( hp.value > hp.effectiveMax * CONFIG.DND5E.bloodied.threshold ) return effect?.delete();
    if ( effect ) return;
    const { img, name } = CONFIG.DND5E.bloodied;
    return ActiveEffect.implementation.create({ _id: id, img, name: game.i18n.localize(name), statuses: ["bloodied"],
      flags: { dnd5e: { isTemporary: true } } }, { parent: this, keepId: true });
  }

  /** dnd5e 6: a world setting lets the system mark who falls to 0. [M: names and flag; the default is not known: off here] */
  async _updateDowned() {
    if ( !this.isSystem6 || !game.settings.get("dnd5e", "autoApplyDowned") ) return;
    const status = this.type === "npc" ? "dead" : "unconscious";
    const id = staticID(`dnd5e${status}`);
    const effect = this.effects.get(id);
    const down = this.system.attributes.hp.value <= 0;
    if ( !down && effect?.getFlag("dnd5e", "autoDowned") ) await effect.delete();
    if ( !down || effect ) return;
    const created = await ActiveEffect.implementation.fromStatusEffect(status);
    created.updateSource({ "flags.dnd5e.autoDowned": true });
    await ActiveEffect.implementation.create(created, { parent: this, keepId: true });
  }

  /** Half the damage, at least 10; at most 30 by the 2024 rules. actor.mjs getConcentrationDC */
  getConcentrationDC(damage) { return Math.clamp(Math.floor(damage / 2), 10, 30); }

  /** actor.mjs rollHitDie: the hooks, then the actor's write, then the class's; an NPC has one write. */
  async rollHitDie(config = {}, dialog = {}, message = {}) {
    const hd = this.system.attributes.hd;
    const npc = this.type === "npc";
    let source = null;
    if ( npc ) config.denomination = `d${hd.denomination}`;
    else {
      source = [...hd.classes].find(item => item.system.hd.value && (!config.denomination || item.system.hd.denomination === config.denomination));
      config.denomination = source?.system.hd.denomination ?? config.denomination;
    }
    if ( npc ? !hd.value : !source ) {
      if ( npc || config.denomination ) ui.notifications.error(`${this.name} has no available ${config.denomination} hit dice remaining!`);
      return null;
    }
    const rollConfig = { ...deepClone(config), hookNames: [...config.hookNames ?? [], "hitDie"], subject: this,
      rolls: [{ parts: [`max(1, 1${config.denomination} + @abilities.con.mod)`], data: this.getRollData() }, ...config.rolls ?? []] };
    const rolls = await CONFIG.Dice.BasicRoll.build(rollConfig, { configure: false, ...dialog }, foundry.utils.mergeObject({
      data: { speaker: ChatMessage.implementation.getSpeaker({ actor: this }), flavor: "Roll Hit Dice",
        title: `Roll Hit Dice: ${this.name}`, flags: { dnd5e: { roll: { type: "hitDie" } } } } }, message));
    if ( !rolls.length ) return null;
    const updates = { actor: {}, class: {} };
    if ( rollConfig.modifyHitDice !== false ) {
      if ( source ) updates.class["system.hd.spent"] = source.system.hd.spent + 1;
      else updates.actor["system.attributes.hd.spent"] = hd.spent + 1;
    }
    if ( rollConfig.modifyHitPoints !== false ) {
      const { hp } = this.system.attributes;
      const total = rolls.reduce((sum, roll) => sum + roll.total, 0);
      // Without inverting, the amount of a healing is positive; a refused calculation leaves the total as it is.
      const calculated = this.calculateDamage([{ type: "healing", value: total }], { invertHealing: false });
      const rise = Math.min(Math.max(0, hp.effectiveMax) - hp.value, calculated ? calculated.amount : total);
      updates.actor[`${HP}.value`] = hp.value + rise;
    }
    for ( const hook of ["dnd5e.rollHitDie", "dnd5e.rollHitDieV2"] ) {
      if ( Hooks.call(hook, rolls, { subject: this, updates }) === false ) return rolls;
    }
    if ( !foundry.utils.isEmpty(updates.actor) ) await this.update(updates.actor);
    if ( !foundry.utils.isEmpty(updates.class) ) await source.update(updates.class);
    Hooks.callAll("dnd5e.postRollHitDie", rolls, { subject: this });
    return rolls;
  }
};
