/** Sheets of actors. The class names are those after which core and dnd5e name their render hooks. */

import { ApplicationV2 } from "../apps/application.mjs";
import { escapeHTML } from "../core/utils.mjs";
import { staticID } from "../dnd5e/config.mjs";

/** A sheet of any document. */
export class DocumentSheetV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "{id}", classes: ["sheet"], window: { resizable: true } };

  constructor({ document, ...options } = {}) {
    super({ id: `${document.documentName}-${document.uuid.replaceAll(".", "-")}`, ...options });
    this.document = document;
  }

  get title() { return this.document.name; }

  get isEditable() { return this.document.isOwner; }

  get isVisible() { return this.document.testUserPermission(game.user, "LIMITED"); }
}

/** A sheet of an actor. */
export class ActorSheetV2 extends DocumentSheetV2 {
  static DEFAULT_OPTIONS = { classes: ["actor"], position: { width: 480, left: 260, top: 90 } };

  get actor() { return this.document; }

  get token() { return this.document.token; }
}

/** dnd5e module/applications/actor/api/base-actor-sheet.mjs */
class BaseActorSheet extends ActorSheetV2 {
  static DEFAULT_OPTIONS = { classes: ["dnd5e2"], actions: {
    rollHitDie() { return this.actor.rollHitDie({}, {}, {}); },
    shortRest() { return this.actor.shortRest(); },
    longRest() { return this.actor.longRest(); },
    rollDeathSave(event) { return this.actor.rollDeathSave({ event }); },
    rollSave(event, target) { return this.actor.rollSavingThrow({ ability: target.dataset.ability, event }); },
    rollCheck(event, target) { return this.actor.rollAbilityCheck({ ability: target.dataset.ability, event }); },
    rollSkill(event, target) { return this.actor.rollSkill({ skill: target.dataset.skill, event }); },
    rollInitiative(event) { return this.actor.rollInitiativeDialog({ event }); },
    use(event, target) { return this.actor.items.get(target.closest("[data-item-id]").dataset.itemId).use({ event }); },
    toggleEffect(event, target) {
      const effect = this.actor.effects.get(target.closest("[data-effect-id]").dataset.effectId);
      return effect.update({ disabled: !effect.disabled });
    },
    toggleCondition(event, target) { return this.actor.toggleStatusEffect(target.dataset.conditionId); },
    deleteEffect(event, target) { return this.actor.effects.get(target.closest("[data-effect-id]").dataset.effectId).delete(); }
  } };

  async _renderHTML() {
    const { actor } = this;
    const form = document.createElement("form");
    form.className = "sheet-body";
    form.innerHTML = this.#header(actor) + this.#abilities(actor) + this.#items(actor) + this.#effects(actor);
    form.addEventListener("change", event => { event.stopPropagation(); this.#onInput(event.target); });
    return form;
  }

  #header({ name, type, img, system: { attributes: { hp, hd, exhaustion, movement }, details = {} } }) {
    if ( !hp ) return `<h2>${escapeHTML(name)}</h2>`;
    return `<header class="sheet-header"><img class="portrait" alt="" src="${escapeHTML(img)}">
      <div><h2>${escapeHTML(name)}</h2><p class="subtitle">${escapeHTML(type.capitalize())}${details.level ? `, level ${details.level}` : ""}</p></div></header>
      <div class="stats"><div class="hit-points"><label>Hit Points</label><span><input type="text" name="system.attributes.hp.value" value="${hp.value}">
        / ${hp.effectiveMax}</span><span>Temp <input type="text" name="system.attributes.hp.temp" value="${hp.temp || ""}"></span></div>
      <div><label>Hit Dice</label><b>${hd?.value ?? 0} / ${hd?.max ?? 0}</b></div><div><label>Speed</label><b>${movement?.walk ?? 0} ft</b></div>
      <div><label>Exhaustion</label><input type="number" min="0" max="6" name="system.attributes.exhaustion" value="${exhaustion ?? 0}"></div></div>
      <nav class="sheet-actions">${[["rollHitDie", "Hit Die"], ["shortRest", "Short Rest"], ["longRest", "Long Rest"],
        ["rollDeathSave", "Death Save"], ["rollInitiative", "Initiative"]].map(([action, label]) =>
        `<button type="button" data-action="${action}">${label}</button>`).join("")}</nav>`;
  }

  #abilities({ system: { abilities = {}, skills = {} } }) {
    const scores = Object.entries(abilities).map(([id, { mod, value, save }]) => `<div class="ability"><label>${id.toUpperCase()}</label>
      <button type="button" data-action="rollCheck" data-ability="${id}">${mod?.signedString() ?? value}</button>
      <button type="button" data-action="rollSave" data-ability="${id}">save ${save?.value?.signedString() ?? ""}</button></div>`).join("");
    const trained = Object.entries(skills).map(([id, { total }]) => `<button type="button" data-action="rollSkill" data-skill="${id}">
      ${CONFIG.DND5E.skills[id]?.label ?? id} ${total?.signedString() ?? ""}</button>`).join("");
    return `<section class="abilities">${scores}</section><section class="skills">${trained}</section>`;
  }

  #items({ items }) {
    const rows = items.filter(item => item.system.activities?.size).map(item => `<li data-item-id="${item.id}" class="item"><img alt="" src="${escapeHTML(item.img)}">
      <span>${escapeHTML(item.name)}${item.system.quantity > 1 ? ` × ${item.system.quantity}` : ""}</span>
      <button type="button" data-action="use">Use</button></li>`).join("");
    return `<h3>Inventory</h3><ul class="items unlist">${rows}</ul>`;
  }

  /**
   * dnd5e templates/actors/tabs/actor-effects.hbs, templates/shared/active-effects.hbs: what is a condition of the system
   * stands among the conditions and not among the effects (_prepareEffectsContext of base-actor-sheet.mjs).
   */
  #effects({ effects }) {
    const types = Object.entries(CONFIG.DND5E.conditionTypes).filter(([, { pseudo }]) => !pseudo);
    const ids = new Set(types.map(([id]) => staticID(`dnd5e${id}`)));
    const name = text => `<div class="name-stacked"><span class="title">${escapeHTML(text)}</span></div>`;
    const rows = effects.filter(effect => !ids.has(effect.id)).map(effect => `<li class="item effect${effect.active ? "" : " inactive"}"
      data-effect-id="${effect.id}"><div class="item-row"><div class="item-name effect-name"><img alt="" class="item-image" src="${escapeHTML(effect.img)}">
      <div class="name">${name(effect.name)}</div></div>
      <button type="button" data-action="toggleEffect">${effect.disabled ? "Enable" : "Disable"}</button>
      <button type="button" data-action="deleteEffect">Delete</button></div></li>`).join("");
    const conditions = types.map(([id, type]) => {
      const effect = effects.get(staticID(`dnd5e${id}`));
      return `<li class="condition${effect && !effect.disabled ? " active" : ""}" data-action="toggleCondition" data-condition-id="${id}">
        <img alt="" src="${escapeHTML(effect?.img ?? type.img)}">${name(type.name)}</li>`;
    }).join("");
    return `<section class="tab active" data-tab="effects" data-group="primary"><dnd5e-effects class="effects-element">
      <h3>Effects</h3><section class="items-list effects-list"><ol class="item-list unlist">${rows}</ol></section>
      <h3>Conditions</h3><section class="items-list"><ul class="conditions-list unlist">${conditions}</ul></section></dnd5e-effects></section>`;
  }

  /** A sign makes a number a change. dnd5e module/utils.mjs parseInputDelta */
  async #onInput({ name, value }) {
    if ( !name?.startsWith("system.") ) return;
    const text = value.trim();
    const current = foundry.utils.getProperty(this.actor, name) ?? 0;
    const number = /^[+-]/.test(text) ? current + Number(text) : Number(text);
    if ( Number.isFinite(number) ) await this.actor.update({ [name]: number });
  }
}

/** The sheet of a player's character. */
class CharacterActorSheet extends BaseActorSheet {}

/** The sheet of any other creature. */
class NPCActorSheet extends BaseActorSheet {}

const sheets = new Map();

/** The sheet of an actor; one each. */
export function sheetOf(actor) {
  if ( !sheets.has(actor.uuid) ) {
    const cls = actor.type === "character" ? CharacterActorSheet : NPCActorSheet;
    sheets.set(actor.uuid, new cls({ document: actor }));
  }
  const sheet = sheets.get(actor.uuid);
  sheet.document = actor;
  return sheet;
}

/** Draw open sheets anew, but not while someone types into one. */
export function refreshSheets() {
  for ( const sheet of sheets.values() ) {
    if ( sheet.rendered && !sheet.element.contains(document.activeElement?.closest("input")) ) sheet.render();
  }
}
