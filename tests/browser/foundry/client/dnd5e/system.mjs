/** The system's part of start-up. It is loaded before any module, so that its handlers are registered first. */

import * as documents from "./documents.mjs";
import { configureStatusEffects, dnd5eConfig, localizeConfig } from "./config.mjs";
import { typeMessage } from "./cards.mjs";
import { BasicRoll, D20Die, D20Roll, DamageRoll, rollFromData } from "./rolls.mjs";
import { D20RollConfigurationDialog, RollConfigurationDialog } from "./roll-dialog.mjs";
import { Activity } from "./activities.mjs";

/** Install classes and register hooks; called once the core's globals are there. */
export function loadSystem({ major }) {
  CONFIG.DND5E = dnd5eConfig(major);
  CONFIG.DND5E.typeMessage = typeMessage;
  const names = { Actor: "Actor5e", Item: "Item5e", ActiveEffect: "Effect5e", ChatMessage: "ChatMessage5e", Combat: "Combat5e",
    Combatant: "Combatant5e" };
  for ( const [name, cls] of Object.entries(names) ) CONFIG[name].documentClass = documents[cls];
  CONFIG.Item.dataModels = Object.fromEntries(["class", "weapon", "spell", "consumable", "equipment", "feat", "loot", "tool", "race",
    "background", "subclass", "container"].map(type => [type, class {}]));
  CONFIG.Actor.dataModels = Object.fromEntries(["character", "npc", "vehicle", "group"].map(type => [type, class {}]));
  Object.assign(CONFIG.Dice, { BasicRoll, D20Roll, DamageRoll, D20Die, fromData: rollFromData });
  CONFIG.Dice.rolls.push(BasicRoll, D20Roll, DamageRoll);
  globalThis.dnd5e = {
    config: CONFIG.DND5E, documents: { ...documents, activity: { Activity } }, dice: { BasicRoll, D20Roll, DamageRoll, D20Die },
    applications: { dice: { RollConfigurationDialog, D20RollConfigurationDialog } },
    settings: { get rulesVersion() { return game.settings.get("dnd5e", "rulesVersion"); } }, utils: {}
  };
  Hooks.once("init", () => initialize(major));
  Hooks.once("i18nInit", () => {
    configureStatusEffects(major);
    localizeConfig();
  });
  // dnd5e module/documents/active-effect.mjs registerHUDListeners: in front of core's own listeners.
  for ( const type of ["click", "contextmenu"] ) document.addEventListener(type, onTokenHud, { capture: true });
}

/** The system's settings and the length of a round. */
function initialize(major) {
  game.dnd5e = globalThis.dnd5e;
  CONFIG.time.roundTime = 6;
  const register = (key, type, initial, extra = {}) =>
    game.settings.register("dnd5e", key, { scope: "world", config: true, name: key, type, default: initial, ...extra });
  register("rulesVersion", String, "modern", { choices: { modern: "Modern Rules", legacy: "Legacy Rules" } });
  register("bloodied", String, "player", { choices: { all: "All", player: "Player", none: "None" } });
  register("restVariant", String, "normal", { choices: { normal: "Normal", gritty: "Gritty", epic: "Epic" } });
  register("allowRests", Boolean, true);
  register("disableConcentration", Boolean, false);
  register("autoCollapseChatTrays", String, "older");
  register("initiativeDexTiebreaker", Boolean, false);
  register("initiativeScore", String, "none");
  // The name is known, the default is not. [M/U]
  if ( major >= 6 ) register("autoApplyDowned", Boolean, false);
}

/** Exhaustion goes up and down in the token's HUD, concentration ends. active-effect.mjs onClickTokenHUD */
function onTokenHud(event) {
  const id = event.target.closest?.("#token-hud .effect-control")?.dataset.statusId;
  const actor = canvas.hud?.token.object?.actor;
  if ( !actor || !id ) return;
  if ( id === "exhaustion" ) {
    const level = actor.system.attributes?.exhaustion;
    if ( !Number.isFinite(level) ) return;
    stop(event);
    actor.update({ "system.attributes.exhaustion": Math.clamp(level + (event.type === "click" ? 1 : -1), 0, 6) });
  }
  else if ( id === "concentrating" && actor.concentration.effects.size ) {
    stop(event);
    actor.endConcentration();
  }
}

/** Let nobody else see an event. */
function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}
