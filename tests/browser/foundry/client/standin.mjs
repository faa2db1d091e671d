/**
 * What tests get hold of in the page. Every helper goes down the road that a person's click would take; `quiet` ones skip
 * dialogs, the way a player skips them with a key.
 */

import { queue } from "./core/dice.mjs";
import { applyEffect, applyMessage } from "./dnd5e/cards.mjs";
import { restAnswers } from "./dnd5e/rest-dialog.mjs";
import { answers } from "./dnd5e/roll-dialog.mjs";
import { usage } from "./dnd5e/usage-dialog.mjs";

const QUIET = { configure: false };

/** The hands of a test inside the page. */
export class Standin {
  ready = false;

  /** Faces of the next dice. */
  dice = queue;

  /** Answers to the next roll dialogs: "advantage", "normal", "disadvantage", {button, situational}, or null to close. */
  dialogs = answers;

  /** Answers to the next rest dialogs: {hitDice: number}, or null to cancel. */
  rests = restAnswers;

  /** Every value of current hit points that this client ever held, by uuid. */
  hpTrace = {};

  get user() { return game.user; }

  /** Hooks dispatched so far, by name. */
  get journal() { return Hooks.journal; }

  /** An actor by uuid, id, or the short name of its builder. */
  actor(name) {
    return foundry.utils.fromUuidSync(name.includes(".") ? name : `Actor.${name.replace(/[^A-Za-z0-9]/g, "").slice(0, 16).padEnd(16, "0")}`);
  }

  noteHitPoints(actor) {
    const value = actor.system.attributes?.hp?.value;
    if ( value === undefined || !actor.id ) return;
    const trace = this.hpTrace[actor.uuid] ??= [];
    if ( trace.at(-1) !== value ) trace.push(value);
  }

  /** Wait until nothing is under way between this client and the server. */
  async settle() {
    await game.users.get(game.userId).update({ "flags.world.settled": foundry.utils.randomID() });
    await new Promise(resolve => setTimeout(resolve, 20));
  }

  /**
   * Regain hit points. `by`: "spell" or "item" post a healing roll whose tray is pressed for the actor; "regeneration" and
   * "feature" are what modules do, applyDamage without a message; "unknown" is a bare update of the document.
   */
  async heal(name, amount, { by = "spell", from = null } = {}) {
    const actor = this.actor(name);
    if ( by === "unknown" ) {
      const { hp } = actor.system.attributes;
      await actor.update({ "system.attributes.hp.value": Math.min(hp.value + amount, hp.effectiveMax) });
    }
    else if ( by === "regeneration" || by === "feature" ) await actor.applyDamage([{ value: amount, type: "healing" }]);
    else await applyMessage(game.messages.get(await this.healingCard(from ?? name, amount, by)), [actor]);
  }

  /** Post a healing roll of the given total, as a Cure Wounds or a potion would; returns the message's id. */
  async healingCard(name, amount, by = "spell") {
    const source = this.actor(name);
    const item = source.items.find(candidate => candidate.system.activities?.getByType("heal").length
      && (by === "item") === (candidate.type === "consumable"));
    const roll = await new CONFIG.Dice.DamageRoll(String(amount), {}, { type: "healing" }).evaluate();
    const activity = item?.system.activities.getByType("heal")[0];
    const message = await CONFIG.Dice.DamageRoll.toMessage([roll], { flavor: `${item?.name ?? "Healing"} - Healing Roll`,
      speaker: ChatMessage.implementation.getSpeaker({ actor: source }),
      flags: { dnd5e: { ...activity?.messageFlags, messageType: "roll", roll: { type: "healing" } } } });
    return message.id;
  }

  /** Press the tray of a healing or damage roll for these actors. */
  async applyCard(messageId, ...names) { await applyMessage(game.messages.get(messageId), names.map(name => this.actor(name))); }

  /** Press the tray of a usage card: one of the item's effects, for these actors. */
  async applyEffect(messageId, effect, ...names) {
    await applyEffect(game.messages.get(messageId), effect, names.map(name => this.actor(name)));
  }

  async damage(name, amount, type) { await this.actor(name).applyDamage(type ? [{ value: amount, type }] : amount); }

  async hitDie(name, config = {}) { return !!await this.actor(name).rollHitDie(config, QUIET); }

  async shortRest(name, { hitDice = 0, ...config } = {}) {
    if ( hitDice ) restAnswers.push({ hitDice });
    await this.actor(name).shortRest({ dialog: hitDice > 0, ...config });
  }

  async longRest(name, config = {}) { await this.actor(name).longRest({ dialog: false, ...config }); }

  async groupRest(name, config = {}) { await this.actor(name).longRest({ dialog: false, autoRest: true, ...config }); }

  /** Use an item by name; the roll that follows is thrown without a dialog. */
  async useItem(name, itemName, { target, ask = false } = {}) {
    if ( target ) this.target(target);
    const item = this.actor(name).items.getName(itemName);
    const former = usage.ask;
    usage.ask = ask;
    try {
      const results = await item.use({ configure: false }, { configure: ask });
      return results ? { message: results.message?.id ?? null } : null;
    } finally { usage.ask = former; }
  }

  /** Aim at the tokens of these actors. */
  target(...names) {
    for ( const token of [...game.user.targets] ) token.setTarget(false, { releaseOthers: false });
    for ( const name of names ) this.placeable(name)?.setTarget(true, { releaseOthers: false });
  }

  placeable(name) { return canvas.tokens.placeables.find(token => token.actor === this.actor(name) || token.document.actorId === this.actor(name).id); }

  /** Type into the hit-point field of the open sheet. */
  async editHp(name, value) {
    const { sheet } = this.actor(name);
    await sheet.render({ force: true });
    const input = sheet.element.querySelector("[name=\"system.attributes.hp.value\"]");
    input.focus();
    input.value = String(value);
    input.dispatchEvent(new Event("change", { bubbles: true }));
    input.blur();
    await this.settle();
  }

  /** Type into the bar of the token's HUD: "+5", "-3" or a number. */
  async tokenBar(name, text) {
    const token = this.placeable(name);
    await canvas.hud.token.bind(token);
    const input = canvas.hud.token.element.querySelector("[name=bar1]");
    input.focus();
    input.value = String(text);
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await this.settle();
    canvas.hud.token.clear();
  }

  async deathSave(name) { return (await this.actor(name).rollDeathSave({}, QUIET))?.[0]?.total ?? null; }

  /** A roll without a dialog: its formula, mode and total. */
  async rollSave(name, ability, config = {}) { return this.#told(await this.actor(name).rollSavingThrow({ ability, ...config }, QUIET)); }

  async rollCheck(name, ability, config = {}) { return this.#told(await this.actor(name).rollAbilityCheck({ ability, ...config }, QUIET)); }

  async rollSkill(name, skill, config = {}) { return this.#told(await this.actor(name).rollSkill({ skill, ...config }, QUIET)); }

  async attack(name, { target, item } = {}) {
    if ( target ) this.target(target);
    const actor = this.actor(name);
    const weapon = item ? actor.items.getName(item) : actor.items.find(candidate => candidate.type === "weapon");
    return this.#told(await weapon.system.activities.getByType("attack")[0].rollAttack({}, QUIET));
  }

  #told(rolls) {
    const roll = rolls?.[0];
    if ( !roll ) return null;
    const { formula, total, options: { advantageMode, target, minimum, maximum } } = roll;
    return { formula, total, mode: ["normal", "advantage", "disadvantage"].at(advantageMode ?? 0), target: target ?? null, minimum, maximum,
      success: roll.isSuccess ?? null, message: roll.parent?.id ?? null };
  }

  async toggle(name, status, options = {}) {
    const result = await this.actor(name).toggleStatusEffect(status, options);
    return result?.id ?? result ?? null;
  }

  statuses(name) { return [...this.actor(name).statuses].sort(); }

  hp(name) {
    const { value, max, temp, effectiveMax } = this.actor(name).system.attributes.hp;
    return { value, max, temp, effectiveMax };
  }

  /** A combat in which these actors act in this order, begun at the first. */
  async startCombat(names) {
    const combat = await Combat.implementation.create({ scene: canvas.scene.id, active: true });
    await combat.createEmbeddedDocuments("Combatant", names.map((name, index) => {
      const token = this.placeable(name)?.document;
      return { actorId: this.actor(name).id, tokenId: token?.id ?? null, sceneId: token?.parent.id ?? null, initiative: 100 - index };
    }));
    await combat.startCombat();
    return combat.id;
  }

  async nextTurn() { await game.combat.nextTurn(); return game.combat.combatant?.actor?.name ?? null; }

  async previousTurn() { await game.combat.previousTurn(); return game.combat.combatant?.actor?.name ?? null; }

  async endCombat() { await game.combat.endCombat(); }

  async advanceTime(seconds) { return game.time.advance(seconds); }

  /** Move a token to a square, as its user drags it. */
  async moveToken(name, [column, row]) {
    const { document: token } = this.placeable(name);
    const { size } = canvas.grid;
    return !!await token.update({ x: column * size, y: row * size }, { method: "dragging" });
  }

  async concentrate(name, itemName) {
    const item = this.actor(name).items.getName(itemName);
    return (await this.actor(name).beginConcentrating(item.system.activities.contents[0]))?.id ?? null;
  }

  /** Say something in the chat box. */
  async say(text) { await ui.chat.processMessage(text); }
}
