/**
 * The roll pipeline. dnd5e module/dice/basic-roll.mjs buildConfigure, buildEvaluate, buildPost; module/dice/d20-roll.mjs
 * Order of hooks: preRoll* with and without V2 for every hook name, keybindings, configuration (dialog or not) with
 * build and postBuild, post*RollConfiguration, dice, message.
 */

import { Die, Roll } from "../core/dice.mjs";
import { deepClone, mergeObject, expandObject } from "../core/utils.mjs";
import { D20RollConfigurationDialog, RollConfigurationDialog } from "./roll-dialog.mjs";

/** Ask or tell under every hook name; the empty name at the end is the general hook. */
function ask(names, before, after, ...args) {
  return names.every(name => Hooks.call(`dnd5e.${before}${name.capitalize()}${after}`, ...args) !== false);
}

/** A roll that goes through the pipeline. */
export class BasicRoll extends Roll {
  static DefaultConfigurationDialog = RollConfigurationDialog;

  static fromConfig(config, process) {
    config.options ??= {};
    config.options.target ??= process.target;
    return new this((config.parts ?? []).join(" + "), config.data, config.options);
  }

  /** Parts by name, with their values in the data; empty ones are left out. */
  static constructParts(parts, data = {}) {
    const used = Object.entries(parts).filter(([, value]) => value || value === 0);
    for ( const [key, value] of used ) data[key] = typeof value === "string" ? this.replaceFormulaData(value, data, { missing: 0 }) : value;
    return { parts: used.map(([key]) => `@${key}`), data };
  }

  static getMessageMode() {
    return game.release.generation < 14 ? game.settings.get("core", "rollMode") : game.settings.get("core", "messageMode");
  }

  static async build(config = {}, dialog = {}, message = {}) {
    const rolls = await this.buildConfigure(config, dialog, message);
    await this.buildEvaluate(rolls, config, message);
    await this.buildPost(rolls, config, message);
    return rolls;
  }

  static async buildConfigure(config = {}, dialog = {}, message = {}) {
    config.hookNames = [...config.hookNames ?? [], ""];
    for ( const name of config.hookNames ) {
      if ( !ask([name], "preRoll", "", config, dialog, message) ) return [];
      if ( !ask([name], "preRoll", "V2", config, dialog, message) ) return [];
    }
    this.applyKeybindings(config, dialog, message);
    let rolls;
    if ( dialog.configure === false ) {
      rolls = (config.rolls ?? []).map((roll, index) => {
        dialog.options?.buildConfig?.(config, roll, null, index);
        for ( const name of config.hookNames ) Hooks.callAll(`dnd5e.postBuild${name.capitalize()}RollConfig`, config, roll, index);
        return this.fromConfig(roll, config);
      });
    }
    else {
      const Dialog = dialog.applicationClass ?? this.DefaultConfigurationDialog;
      rolls = await Dialog.configure(config, dialog, message, this);
    }
    const rollType = message.data?.flags?.dnd5e?.roll?.type;
    if ( rollType ) for ( const roll of rolls ) roll.options.rollType ??= rollType;
    for ( const name of config.hookNames ) {
      const hook = `dnd5e.post${name.capitalize()}RollConfiguration`;
      if ( Hooks.call(hook, rolls, config, dialog, message) === false ) return [];
    }
    return rolls;
  }

  static async buildEvaluate(rolls, config = {}) {
    if ( config.evaluate === false ) return;
    for ( const roll of rolls ) await roll.evaluate();
  }

  static async buildPost(rolls, config, message) {
    message.data = expandObject(message.data ?? {});
    const origin = config.event?.target?.closest?.("[data-message-id]")?.dataset.messageId;
    if ( origin ) foundry.utils.setProperty(message.data, "flags.dnd5e.originatingMessage", origin);
    if ( !rolls?.length || config.evaluate === false ) return;
    if ( message.create === false ) return;
    message.document = await this.toMessage(rolls, message.data, { rollMode: message.rollMode });
    for ( const roll of rolls ) roll.parent = message.document;
    return message.document;
  }

  static async toMessage(rolls, data = {}, { rollMode } = {}) {
    this._prepareMessageData(rolls, data);
    const typed = CONFIG.DND5E.typeMessage?.(data, rolls) ?? data;
    return ChatMessage.implementation.create({ sound: CONFIG.sounds.dice, ...typed, rolls: rolls.map(roll => roll.toJSON()) },
      { rollMode: rollMode ?? this.getMessageMode() });
  }

  async toMessage(data = {}, options = {}) { return this.constructor.toMessage([this], data, options); }

  static _prepareMessageData(rolls, data) {}

  static applyKeybindings(config, dialog, message) { dialog.configure ??= true; }

  static mergeConfigs(original, other = {}) {
    const merged = { ...original, ...other };
    merged.parts = [...original.parts ?? [], ...other.parts ?? []];
    merged.data = { ...original.data, ...other.data };
    merged.options = this.mergeOptions(original.options, other.options);
    if ( !original.parts && !other.parts ) delete merged.parts;
    return merged;
  }

  static mergeOptions(original = {}, other = {}) { return mergeObject(deepClone(original), other); }

  get isSuccess() { return this._evaluated ? Number.isNumeric(this.options.target) && this.total >= this.options.target : undefined; }

  get isFailure() { return this._evaluated ? Number.isNumeric(this.options.target) && this.total < this.options.target : undefined; }
}

/** dnd5e module/dice/d20-die.mjs */
export class D20Die extends Die {
  static CRITICAL_SUCCESS_TOTAL = 20;

  static CRITICAL_FAILURE_TOTAL = 1;

  get isValid() { return this.faces === 20; }

  get isCriticalSuccess() { return this._evaluated ? this.total >= (this.options.criticalSuccess ?? 20) : undefined; }

  get isCriticalFailure() { return this._evaluated ? this.total <= (this.options.criticalFailure ?? 1) : undefined; }

  applyAdvantage(mode) {
    this.options.advantageMode = mode;
    this.modifiers = this.modifiers.filter(modifier => !/^(adv|dis|kh|kl)/.test(modifier));
    this.number = 1;
    if ( mode ) this.modifiers.push(mode > 0 ? "adv" : "dis");
  }

  /** Calling it again replaces what it set before. */
  applyRange(values) {
    for ( const [key, raw] of Object.entries(values) ) {
      const value = Number.isFinite(raw) ? raw : undefined;
      const name = key.slice(0, 3);
      this.options[key] = value;
      this.modifiers = this.modifiers.filter(modifier => !modifier.startsWith(name));
      if ( value ) this.modifiers.push(`${name}${value}`);
    }
  }
}

/** A d20 with modifiers and a mode. */
export class D20Roll extends BasicRoll {
  static DefaultConfigurationDialog = D20RollConfigurationDialog;

  static ADV_MODE = { NORMAL: 0, ADVANTAGE: 1, DISADVANTAGE: -1 };

  constructor(formula, data, options = {}) {
    super(formula, data, options);
    const [first] = this.terms;
    if ( first instanceof Die && !(first instanceof D20Die) ) this.terms[0] = new D20Die({ ...first });
    if ( !options.configured ) this.configureModifiers();
  }

  static fromConfig(config, process) {
    config.options ??= {};
    config.options.criticalSuccess ??= D20Die.CRITICAL_SUCCESS_TOTAL;
    config.options.criticalFailure ??= D20Die.CRITICAL_FAILURE_TOTAL;
    config.options.target ??= process.target;
    return new this(["1d20", ...config.parts ?? []].join(" + "), config.data, config.options);
  }

  /** Keys held down skip the dialog; the mode is set here, whatever was written to it before. */
  static applyKeybindings(config, dialog) {
    dialog.configure ??= !(config.event?.shiftKey || config.event?.altKey || config.event?.ctrlKey);
    for ( const roll of config.rolls ?? [] ) {
      const options = roll.options ??= {};
      const advantage = !!(options.advantage || config.advantage || config.event?.altKey);
      const disadvantage = !!(options.disadvantage || config.disadvantage || config.event?.ctrlKey);
      options.advantageMode = Number(advantage) - Number(disadvantage);
    }
  }

  static _prepareMessageData(rolls, data) {
    data.flavor ??= "";
    if ( rolls.every(roll => roll.hasAdvantage) ) data.flavor += " (Advantage)";
    else if ( rolls.every(roll => roll.hasDisadvantage) ) data.flavor += " (Disadvantage)";
  }

  static mergeOptions(original = {}, other = {}) {
    return { ...super.mergeOptions(original, other), advantage: original.advantage || other.advantage,
      disadvantage: original.disadvantage || other.disadvantage,
      maximum: Math.min(original.maximum ?? Infinity, other.maximum ?? Infinity),
      minimum: Math.max(original.minimum ?? -Infinity, other.minimum ?? -Infinity) };
  }

  get d20() { return this.terms[0]; }

  get validD20Roll() { return this.d20 instanceof D20Die && this.d20.isValid; }

  get hasAdvantage() { return this.options.advantageMode === 1; }

  get hasDisadvantage() { return this.options.advantageMode === -1; }

  get isCritical() { return this.d20.isCriticalSuccess; }

  get isFumble() { return this.d20.isCriticalFailure; }

  /** Put mode, range and thresholds on the die; may be called again. */
  configureModifiers() {
    if ( !this.validD20Roll ) return;
    const { options } = this;
    options.advantageMode ??= Number(!!options.advantage) - Number(!!options.disadvantage);
    this.d20.applyAdvantage(options.advantageMode);
    this.d20.applyRange({ minimum: options.minimum, maximum: options.maximum });
    for ( const key of ["criticalSuccess", "criticalFailure", "target"] ) if ( options[key] ) this.d20.options[key] = options[key];
    this.resetFormula();
    options.configured = true;
  }
}

/** Damage or healing of one type. */
export class DamageRoll extends BasicRoll {
  get isCritical() { return this.options.isCritical === true; }

  static fromConfig(config, process) {
    const roll = super.fromConfig(config, process);
    // A critical hit throws every die twice. dnd5e module/dice/damage-roll.mjs
    if ( process.isCritical || config.options.isCritical ) {
      roll.options.isCritical = true;
      for ( const die of roll.dice ) die.number *= 2;
      roll.resetFormula();
    }
    return roll;
  }
}

/** Rebuild a roll from its JSON by the name of its class. */
export function rollFromData(data) {
  const classes = { Roll, BasicRoll, D20Roll, DamageRoll };
  return (classes[data.class] ?? Roll).fromData(data);
}
