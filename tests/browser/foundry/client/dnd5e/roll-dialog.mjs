/**
 * The dialog before a roll. dnd5e module/applications/dice/roll-configuration-dialog.mjs, d20-configuration-dialog.mjs
 * Every change of its form builds the rolls anew from copies of their configuration, with the build and postBuild hooks.
 */

import { ApplicationV2, FormDataExtended } from "../apps/application.mjs";
import { deepClone, escapeHTML, mergeObject } from "../core/utils.mjs";

/** Answers that a test has prepared: a button's name, or {button, situational, …}, or null for closing the dialog. */
export const answers = [];

/** The dialog of any roll. */
export class RollConfigurationDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "roll-configuration-{id}", tag: "form", classes: ["dnd5e2", "roll-configuration"],
    window: { title: "Roll" }, position: { width: 400, left: 420, top: 160 } };

  #rolls = [];

  constructor(config, message, options, rollType) {
    const { buildConfig, ...rest } = options ?? {};
    super(rest);
    Object.assign(this, { config, message, rollType, buildConfig });
    this.#build(null);
  }

  get rolls() { return this.#rolls; }

  get title() { return this.options.window.title || this.options.title; }

  get form() { return this.element; }

  /** Buttons by name. */
  get buttons() { return { roll: "Roll" }; }

  #build(formData) {
    const copies = deepClone(this.config).rolls ?? [];
    this.#rolls = copies.map((roll, index) => this.rollType.fromConfig(this.#configure(roll, formData, index), this.config));
  }

  #configure(roll, formData, index) {
    roll = mergeObject({ parts: [], data: {}, options: {} }, roll);
    const names = this.config.hookNames ?? [""];
    for ( const name of names ) Hooks.callAll(`dnd5e.build${name.capitalize()}RollConfig`, this, roll, formData, index);
    const situational = formData?.get(`roll.${index}.situational`);
    if ( situational ) {
      roll.parts.push("@situational");
      roll.data.situational = situational;
    }
    this.buildConfig?.(this.config, roll, formData, index);
    for ( const name of names ) {
      Hooks.callAll(`dnd5e.postBuild${name.capitalize()}RollConfig`, this.config, roll, index, { app: this, formData });
    }
    return roll;
  }

  async _renderHTML() {
    const wrapper = document.createElement("div");
    wrapper.className = "roll-dialog-parts";
    wrapper.innerHTML = `<section class="rolls" data-application-part="formulas">${this.#formulas()}</section>
      <fieldset data-application-part="configuration"><legend>Configuration</legend>
        <div class="form-group"><label>Roll Mode</label><div class="form-fields"><select name="rollMode">${this.#modes()}</select></div></div>
      </fieldset>
      <nav class="dialog-buttons" data-application-part="buttons">${Object.entries(this.buttons).map(([action, label]) =>
        `<button type="submit" class="dialog-button" data-action="${action}">${label}</button>`).join("")}</nav>`;
    return wrapper;
  }

  #formulas() {
    return this.#rolls.map((roll, index) => `<div class="roll-formula"><span class="formula">${escapeHTML(roll.formula)}</span></div>
      <div class="form-group"><label>Situational Bonus?</label><div class="form-fields">
      <input type="text" name="roll.${index}.situational" value="${escapeHTML(roll.data?.situational ?? "")}"></div></div>`).join("");
  }

  #modes() {
    const modes = game.release.generation < 14 ? CONFIG.Dice.rollModes : CONFIG.ChatMessage.modes;
    return Object.entries(modes).map(([key, { label }]) =>
      `<option value="${key}">${escapeHTML(game.i18n.localize(label))}</option>`).join("");
  }

  /** Read the form again, as when a player changes it. */
  rebuild() { this._onChangeForm(); }

  _onChangeForm() {
    this.#build(new FormDataExtended(this.element));
    this.render({ parts: ["formulas"] });
  }

  /** Only the parts that are asked for are drawn anew; what others have put into the window stays. */
  _replaceHTML(result, content, options) {
    const former = options.parts && content.querySelector(".roll-dialog-parts");
    if ( !former ) return super._replaceHTML(result, content, options);
    for ( const part of options.parts ) {
      const selector = `[data-application-part="${part}"]`;
      former.querySelector(selector).replaceWith(result.querySelector(selector));
    }
  }

  async _onSubmitForm(config, event) {
    event.preventDefault();
    await this.choose(event.submitter?.dataset.action);
  }

  /** Press a button. */
  async choose(action) {
    const data = new FormDataExtended(this.element);
    const mode = data.get("rollMode");
    if ( mode && !["publicroll", "public"].includes(mode) ) this.message.rollMode = mode;
    this.#rolls = this._finalizeRolls(action);
    this.submitted = true;
    await this.close();
  }

  _finalizeRolls(action) { return this.#rolls; }

  _onClose() { if ( !this.submitted ) this.#rolls = []; }

  /** Show the dialog and wait for a button; closed without one, there are no rolls. */
  static async configure(config, dialog, message, rollType) {
    const app = new this(config, message, dialog.options, rollType);
    return new Promise(resolve => {
      app.addEventListener("close", () => resolve(app.rolls), { once: true });
      app.render({ force: true }).then(() => { if ( answers.length ) app.#answer(answers.shift()); });
    });
  }

  async #answer(answer) {
    if ( answer === null ) return this.close();
    const { button, ...fields } = typeof answer === "string" ? { button: answer } : answer;
    for ( const [name, value] of Object.entries(fields) ) {
      const input = this.element.elements[name === "situational" ? "roll.0.situational" : name];
      if ( input?.type === "checkbox" ) input.checked = value;
      else if ( input ) input.value = value;
      input?.dispatchEvent(new Event("change", { bubbles: true }));
    }
    await this.choose(button ?? "normal");
  }
}

/** The dialog of a d20, with a button for each mode. */
export class D20RollConfigurationDialog extends RollConfigurationDialog {
  get buttons() { return { advantage: "Advantage", normal: "Normal", disadvantage: "Disadvantage" }; }

  /** The button that was pressed decides, whatever the configuration says. */
  _finalizeRolls(action) {
    const mode = { advantage: 1, disadvantage: -1 }[action] ?? 0;
    for ( const roll of this.rolls ) {
      roll.options.advantageMode = mode;
      roll.configureModifiers();
    }
    return this.rolls;
  }

  async _onRender(context, options) {
    await super._onRender(context, options);
    const mode = this.rolls[0]?.options.advantageMode ?? 0;
    const suggested = mode > 0 ? "advantage" : mode < 0 ? "disadvantage" : "normal";
    this.element.querySelector(`[data-action="${suggested}"]`)?.classList.add("default");
  }
}
