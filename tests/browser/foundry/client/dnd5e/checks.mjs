/** Checks, saves, death saves, concentration and initiative. dnd5e module/documents/actor/actor.mjs */

import { deepClone, mergeObject } from "../core/utils.mjs";
import { combineModes } from "./advantage.mjs";

/** Message data of a roll by an actor. */
const rollMessage = (actor, type, flavor, extra = {}) => ({ create: true, data: { flavor,
  speaker: ChatMessage.implementation.getSpeaker({ actor }), flags: { dnd5e: { messageType: "roll", roll: { type, ...extra } } } } });

export const CheckMixin = Base => class extends Base {
  /** The part of exhaustion; in 6 every condition with levels and a reduction has one. actor.mjs addRollExhaustion */
  addRollExhaustion(parts, data = {}) {
    if ( this.isSystem6 ) return this.addConditionRollReduction(parts, data);
    const level = this.system.attributes?.exhaustion;
    if ( !level || this.system.traits.ci.value.has("exhaustion") ) return;
    parts.push("@exhaustion");
    data.exhaustion = -level * (CONFIG.DND5E.conditionTypes.exhaustion.reduction?.rolls ?? 0);
  }

  /** dnd5e 6. [M] */
  addConditionRollReduction(parts, data = {}) {
    for ( const [id, { levels, reduction }] of Object.entries(CONFIG.DND5E.conditionTypes) ) {
      const level = levels && reduction?.rolls ? this.system.conditions?.[id] : 0;
      if ( !level || this.system.traits.ci.value.has(id) ) continue;
      parts.push(`@${id}`);
      data[id] = -level * reduction.rolls;
    }
  }

  async rollAbilityCheck(config = {}, dialog = {}, message = {}) { return this.#rollTest("check", "AbilityCheck", config, dialog, message); }

  async rollSavingThrow(config = {}, dialog = {}, message = {}) { return this.#rollTest("save", "SavingThrow", config, dialog, message); }

  /** actor.mjs #rollD20Test: of advantage and disadvantage only the resolved mode is passed on. */
  async #rollTest(type, name, config, dialog, message) {
    const ability = this.system.abilities?.[config.ability];
    const label = CONFIG.DND5E.abilities[config.ability]?.label ?? "";
    const flavor = type === "check" ? `${label} Check` : `${label} Saving Throw`;
    const { parts, data } = CONFIG.Dice.D20Roll.constructParts({
      mod: ability?.mod, prof: ability?.[`${type}Prof`].hasProficiency ? ability[`${type}Prof`].term : null,
      [`${config.ability}${type.capitalize()}Bonus`]: ability?.bonuses?.[type], [`${type}Bonus`]: this.system.bonuses?.abilities?.[type]
    }, this.getRollData());
    const roll = ability?.[type].roll;
    const options = { advantage: roll?.mode === 1, disadvantage: roll?.mode === -1, maximum: roll?.max, minimum: roll?.min };
    const given = config.rolls?.shift();
    const rollConfig = { ...config, hookNames: [...config.hookNames ?? [], name, "d20Test"], subject: this,
      rolls: [CONFIG.Dice.D20Roll.mergeConfigs({ parts, data, options }, given), ...config.rolls ?? []] };
    for ( const entry of rollConfig.rolls ) this.addRollExhaustion(entry.parts, entry.data);
    const kind = type === "check" ? "ability" : "save";
    const rolls = await CONFIG.Dice.D20Roll.build(rollConfig, mergeObject({ options: { window: { title: flavor } } }, dialog),
      mergeObject(rollMessage(this, kind, flavor, { ability: config.ability }), message));
    if ( !rolls.length ) return null;
    Hooks.callAll(`dnd5e.roll${name}`, rolls, { ability: config.ability, subject: this });
    return rolls;
  }

  async rollSkill(config = {}, dialog = {}, message = {}) { return this.#rollTrained("skill", config, dialog, message); }

  async rollToolCheck(config = {}, dialog = {}, message = {}) { return this.#rollTrained("tool", config, dialog, message); }

  /** actor.mjs #rollSkillTool: parts come when the roll is built, so that they are not there in the pre hooks. */
  async #rollTrained(type, config, dialog, message) {
    const key = config[type];
    const trained = this.system[type === "skill" ? "skills" : "tools"]?.[key];
    const abilityId = config.ability ?? trained?.ability ?? CONFIG.DND5E.skills[key]?.ability ?? "int";
    const ability = this.system.abilities?.[abilityId];
    const label = CONFIG.DND5E.skills[key]?.label ?? key;
    const modes = combineModes([ability?.check.roll, trained?.roll]);
    const build = (process, roll) => {
      const { parts, data } = CONFIG.Dice.D20Roll.constructParts({ mod: ability?.mod, prof: trained?.prof?.hasProficiency ? trained.prof.term : null,
        [`${key}Bonus`]: trained?.bonuses?.check, [`${abilityId}CheckBonus`]: ability?.bonuses?.check,
        [`${type}Bonus`]: this.system.bonuses?.abilities?.[type], abilityCheckBonus: this.system.bonuses?.abilities?.check }, this.getRollData());
      this.addRollExhaustion(parts, data);
      roll.parts = [...roll.parts ?? [], ...parts];
      roll.data = { ...data, ...roll.data, abilityId };
    };
    const given = config.rolls?.shift();
    const rollConfig = { ...config, ability: abilityId, hookNames: [...config.hookNames ?? [], type, "abilityCheck", "d20Test"],
      subject: this, rolls: [CONFIG.Dice.D20Roll.mergeConfigs({ options: modes }, given), ...config.rolls ?? []] };
    const flavor = `${label} Check`;
    const rolls = await CONFIG.Dice.D20Roll.build(rollConfig, mergeObject({ options: { buildConfig: build, window: { title: flavor } } }, dialog),
      mergeObject(rollMessage(this, type, flavor, { [`${type}Id`]: key }), message));
    if ( !rolls.length ) return null;
    const details = { ability: abilityId, [type]: key, subject: this };
    for ( const hook of type === "skill" ? ["rollSkill", "rollSkillV2"] : ["rollToolCheck", "rollToolCheckV2"] ) {
      Hooks.callAll(`dnd5e.${hook}`, rolls, details);
    }
    return rolls;
  }

  /** actor.mjs rollConcentration */
  async rollConcentration(config = {}, dialog = {}, message = {}) {
    if ( !this.concentration.effects.size ) return null;
    const { concentration } = this.system.attributes;
    const ability = config.ability || concentration.ability || CONFIG.DND5E.defaultAbilities.concentration;
    const modes = combineModes([this.system.abilities?.[ability]?.save.roll]);
    const rollConfig = { target: 10, ...config, ability, isConcentration: true, hookNames: [...config.hookNames ?? [], "concentration"],
      rolls: [CONFIG.Dice.D20Roll.mergeConfigs({ parts: [], data: {}, options: { advantage: modes.advantage || concentration.roll.mode > 0,
        disadvantage: modes.disadvantage || concentration.roll.mode < 0 } }, config.rolls?.shift()), ...config.rolls ?? []] };
    const rolls = await this.rollSavingThrow(rollConfig, dialog, mergeObject({ data: { flavor: "Concentration",
      flags: { dnd5e: { roll: { type: "concentration" } } } } }, message));
    if ( !rolls?.length ) return null;
    for ( const hook of ["rollConcentration", "rollConcentrationV2"] ) Hooks.callAll(`dnd5e.${hook}`, rolls, { subject: this });
    return rolls;
  }

  /** actor.mjs rollDeathSave: a natural 20 counts only if the total reaches the target. */
  async rollDeathSave(config = {}, dialog = {}, message = {}) {
    const { death, hp } = this.system.attributes;
    if ( hp.value > 0 || death.failure >= 3 || death.success >= 3 ) {
      ui.notifications.warn("Death saves are not needed now.");
      return null;
    }
    const options = { advantage: death.roll.mode === 1, disadvantage: death.roll.mode === -1, maximum: death.roll.max, minimum: death.roll.min };
    const rollConfig = { target: 10, ...config, hookNames: [...config.hookNames ?? [], "deathSave"],
      rolls: [CONFIG.Dice.D20Roll.mergeConfigs({ parts: [], data: {}, options }, config.rolls?.shift()), ...config.rolls ?? []] };
    const rolls = await this.rollSavingThrow(rollConfig, deepClone(dialog), mergeObject({ data: { flavor: "Death Saving Throw",
      flags: { dnd5e: { roll: { type: "death" } } } } }, message));
    if ( !rolls?.length ) return null;
    const details = { subject: this, ...this.#deathSave(rolls[0], death) };
    for ( const hook of ["dnd5e.rollDeathSave", "dnd5e.rollDeathSaveV2"] ) {
      if ( Hooks.call(hook, rolls, details) === false ) return rolls;
    }
    if ( !foundry.utils.isEmpty(details.updates) ) await this.update(details.updates);
    const told = details.chatString && await ChatMessage.implementation.create({ content: game.i18n.format(details.chatString, { name: this.name }),
      speaker: ChatMessage.implementation.getSpeaker({ actor: this }) });
    Hooks.callAll("dnd5e.postRollDeathSave", rolls, { message: told, subject: this });
    return rolls;
  }

  /** What a death save changes, and the key of what is said about it. */
  #deathSave(roll, death) {
    const path = "system.attributes.death";
    const cleared = { [`${path}.success`]: 0, [`${path}.failure`]: 0 };
    if ( roll.total >= (roll.options.target ?? 10) ) {
      const successes = (death.success || 0) + 1;
      if ( roll.isCritical ) return { updates: { ...cleared, "system.attributes.hp.value": 1 }, chatString: "DND5E.DeathSaveCriticalSuccess" };
      if ( successes === 3 ) return { updates: cleared, chatString: "DND5E.DeathSaveSuccess" };
      return { updates: { [`${path}.success`]: Math.clamp(successes, 0, 3) } };
    }
    const failures = (death.failure || 0) + (roll.isFumble ? 2 : 1);
    return { updates: { [`${path}.failure`]: Math.clamp(failures, 0, 3) }, ...(failures >= 3 ? { chatString: "DND5E.DeathSaveFailure" } : {}) };
  }

  /** actor.mjs getInitiativeRollConfig: its hook comes on both roads, and also for previews. */
  getInitiativeRollConfig(options = {}) {
    const { init } = this.system.attributes;
    const abilityId = init.ability || CONFIG.DND5E.defaultAbilities.initiative;
    const ability = this.system.abilities?.[abilityId];
    const { parts, data } = CONFIG.Dice.D20Roll.constructParts({ mod: init.mod, prof: init.prof.hasProficiency ? init.prof.term : null,
      initiativeBonus: init.bonus, [`${abilityId}AbilityCheckBonus`]: ability?.bonuses?.check,
      abilityCheckBonus: this.system.bonuses?.abilities?.check }, this.getRollData());
    this.addRollExhaustion(parts, data);
    const config = { parts, data, subject: this, options: { flavor: "Initiative", ...combineModes([ability?.check.roll, init.roll]), ...options } };
    Hooks.callAll("dnd5e.preConfigureInitiative", this, config);
    return config;
  }

  getInitiativeRoll(options = {}) {
    if ( this._cachedInitiativeRoll ) return this._cachedInitiativeRoll.clone();
    const { parts, data, options: rollOptions } = this.getInitiativeRollConfig(options);
    return new CONFIG.Dice.D20Roll(["1d20", ...parts].join(" + "), data, rollOptions);
  }

  async rollInitiativeDialog(options = {}, dialog = {}) {
    const config = { evaluate: false, hookNames: ["initiativeDialog", "abilityCheck", "d20Test"], subject: this,
      rolls: [this.getInitiativeRollConfig(options)] };
    const message = { rollMode: CONFIG.Dice.BasicRoll.getMessageMode() };
    const rolls = await CONFIG.Dice.D20Roll.build(config, mergeObject({ options: { window: { title: "Initiative Roll" } } }, dialog), message);
    if ( !rolls.length ) return;
    this._cachedInitiativeRoll = rolls[0];
    await this.rollInitiative({ createCombatants: true, initiativeOptions: { messageOptions: message } });
  }

  async rollInitiative(options = {}, rollOptions = {}) {
    this._cachedInitiativeRoll ??= this.getInitiativeRoll(rollOptions);
    if ( Hooks.call("dnd5e.preRollInitiative", this, this._cachedInitiativeRoll) === false ) {
      delete this._cachedInitiativeRoll;
      return null;
    }
    const combat = await super.rollInitiative(options);
    Hooks.callAll("dnd5e.rollInitiative", this, game.combat?.getCombatantsByActor(this) ?? []);
    delete this._cachedInitiativeRoll;
    return combat;
  }
};
