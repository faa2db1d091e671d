/** Chat cards of the system: usage, trays for damage and healing, buttons, and the typed messages of 6. */

import { escapeHTML } from "../core/utils.mjs";

const BUTTONS = { heal: [["rollHealing", "Healing"]], attack: [["rollAttack", "Attack"], ["rollDamage", "Damage"]], damage: [["rollDamage", "Damage"]] };

/** dnd5e templates/chat/activity-card.hbs */
export function usageCard(activity) {
  const { item } = activity;
  const buttons = (BUTTONS[activity.type] ?? []).map(([action, label]) =>
    `<button type="button" data-action="${action}"><span>${label}</span></button>`).join("");
  const pills = [item.type.capitalize(), activity.activation?.type?.capitalize(), item.system.level ? `Level ${item.system.level}` : ""]
    .filter(text => text).map(text => `<li class="pill transparent"><span class="label">${escapeHTML(text)}</span></li>`).join("");
  return `<div class="chat-card activation-card" data-activity-uuid="${activity.uuid}">
    <section class="card-header description collapsible"><header class="summary"><img class="gold-icon" src="${escapeHTML(item.img)}" alt="">
      <div class="name-stacked border"><span class="title">${escapeHTML(item.name)}</span>
      <span class="subtitle">${escapeHTML(activity.name)}</span></div></header></section>
    ${buttons ? `<div class="card-buttons">${buttons}</div>` : ""}<ul class="card-footer pills unlist">${pills}</ul></div>`;
}

/**
 * dnd5e 6 posts typed messages: what 5.3 keeps in flags stands in the type and the system data. [M]
 * In 5.3 the data stay as they are.
 */
export function typeMessage(data) {
  if ( Number(game.system.version.split(".")[0]) < 6 ) return data;
  const { flags: { dnd5e: { roll = {}, activity, item, targets = [], messageType, originatingMessage, ...rest } = {}, ...flags } = {} } = data;
  const type = { ability: "check", skill: "check", tool: "check", save: "save", death: "save", concentration: "save", attack: "attack",
    damage: "damage", healing: "healing", hitDie: "hitDie" }[roll.type] ?? data.type ?? "base";
  const kind = type === "save" ? (roll.type === "save" ? "ability" : roll.type) : type === "check" ? roll.type : undefined;
  const system = { ...data.system, ...(kind ? { type: kind } : {}), ...(roll.ability ? { ability: roll.ability } : {}),
    ...(activity ? { activity: activity.uuid } : {}), ...(item ? { item: item.uuid } : {}), ...(originatingMessage ? { origin: originatingMessage } : {}),
    ...(targets.length ? { targets } : {}) };
  return { ...data, type, system, flags: { ...flags, ...(Object.keys(rest).length ? { dnd5e: rest } : {}) } };
}

/** Whether a message is a roll of damage or healing. */
const damageType = message => message.type === "healing" || message.flags.dnd5e?.roll?.type === "healing" ? "healing"
  : message.type === "damage" || message.flags.dnd5e?.roll?.type === "damage" ? "damage" : null;

/** chat-message.mjs renderHTML: hide buttons that are not this user's, add trays, listen. */
export function decorateCard(message, html) {
  const creator = game.user.isGM || message.speakerActor?.isOwner || message.isAuthor;
  if ( html.querySelector(".chat-card") ) for ( const button of html.querySelectorAll(".card-buttons button") ) {
    const { visibility } = button.dataset;
    if ( visibility !== "all" && ((visibility === "gm" && !game.user.isGM) || !creator) ) button.hidden = true;
  }
  const kind = message.isContentVisible && damageType(message);
  if ( kind && message.rolls.length ) html.querySelector(".message-content").append(damageTray(message, kind));
  html.addEventListener("click", event => onClick(message, event));
}

/** Buttons on cards of the system. */
async function onClick(message, event) {
  const button = event.target.closest("[data-action]");
  if ( !button ) return;
  const { action, dc, ability } = button.dataset;
  if ( action === "concentration" && button.closest(".request-card") ) {
    const actor = message.speakerActor;
    return actor?.isOwner && actor.rollConcentration({ target: Number(dc), ...(ability ? { ability } : {}), event });
  }
  const card = button.closest("[data-activity-uuid]");
  const activity = card && foundry.utils.fromUuidSync(card.dataset.activityUuid);
  return activity?.onChatAction(action, event, message);
}

/** Damages of a message's rolls, as applyDamage takes them. dnd5e module/dice/aggregate-damage-rolls.mjs */
export const messageDamages = message => message.rolls.map(roll => ({ value: roll.total, type: roll.options.type, properties: new Set() }));

/** Who would be hit: the message's targets, else the controlled tokens. */
function trayActors(message) {
  const named = (message.system.targets ?? message.flags.dnd5e?.targets ?? []).map(target => foundry.utils.fromUuidSync(target.uuid ?? target.actor));
  const actors = named.length ? named : canvas.tokens?.controlled.map(token => token.actor) ?? [];
  return [...new Set(actors)].filter(actor => actor?.isOwner);
}

/** dnd5e module/applications/components/damage-application.mjs: a preview for every target, and a button. */
function damageTray(message, kind) {
  const tray = document.createElement("damage-application");
  tray.className = "dnd5e2";
  tray.innerHTML = `<div class="card-tray damage-tray collapsible"><label class="roboto-upper">Apply ${kind}</label>
    <ul class="targets unlist"></ul><button class="apply-damage" type="button" data-action="applyDamage">Apply</button></div>`;
  const list = tray.querySelector(".targets");
  const show = () => list.replaceChildren(...trayActors(message).map(actor => {
    const preview = actor.calculateDamage(messageDamages(message), { multiplier: 1, originatingMessage: message });
    const row = document.createElement("li");
    row.className = "target";
    row.dataset.targetUuid = actor.uuid;
    row.innerHTML = `<img class="gold-icon" alt="" src="${escapeHTML(actor.img)}"><span class="title">${escapeHTML(actor.name)}</span>
      <span class="calculated damage${preview.amount < 0 ? " healing" : ""}">${preview ? -preview.amount : 0}</span>`;
    return row;
  }));
  show();
  Hooks.on("controlToken", show);
  tray.querySelector(".apply-damage").addEventListener("click", () => applyMessage(message, trayActors(message)));
  return tray;
}

/** Press the tray's button for these actors. */
export async function applyMessage(message, actors) {
  for ( const actor of actors ) {
    await actor.applyDamage(messageDamages(message), { multiplier: 1, originatingMessage: message, isDelta: true, origin: message });
  }
}

/**
 * Apply an effect of the item behind a usage card to these actors: what is there from the same origin is switched on, else it
 * is created. dnd5e module/applications/components/effect-application.mjs _onApplyEffect, _applyEffectToActor
 */
export async function applyEffect(message, name, actors) {
  const item = message.getAssociatedItem();
  const effect = item.effects.getName(name);
  const concentration = item.actor.effects.get(message.system.concentration);
  const origin = (concentration ?? effect).uuid;
  const flags = { dnd5e: { dependentOn: origin } };
  for ( const actor of actors ) {
    const there = actor.effects.find(candidate => candidate.origin === origin);
    if ( there ) await there.update({ disabled: false, flags });
    else {
      const data = foundry.utils.mergeObject(effect.toObject(), { disabled: false, transfer: false, origin, flags });
      await ActiveEffect.implementation.create(data, { parent: actor });
    }
  }
}
