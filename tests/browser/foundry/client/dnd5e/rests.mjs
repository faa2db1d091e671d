/** Short, long and group rests. dnd5e module/documents/actor/actor.mjs initiateRest, _rest; data/actor/group.mjs rest */

import { mergeObject } from "../core/utils.mjs";
import { RestDialog } from "./rest-dialog.mjs";

export const RestMixin = Base => class extends Base {
  async shortRest(config = {}) { return this.initiateRest({ ...config, type: "short" }); }

  async longRest(config = {}) { return this.initiateRest({ ...config, type: "long" }); }

  async initiateRest(config = {}) {
    if ( this.type === "vehicle" ) return;
    if ( !game.user.isGM && !game.settings.get("dnd5e", "allowRests") && !config.request ) {
      ui.notifications.warn("You may only rest when the GM asks for it.");
      return;
    }
    const kind = CONFIG.DND5E.restTypes[config.type];
    const clone = this.clone({}, { keepId: true });
    config = mergeObject({ dialog: true, chat: true, duration: kind.duration[game.settings.get("dnd5e", "restVariant")],
      newDay: kind.newDay === true, advanceTime: kind.advanceTime === true, autoHD: kind.autoHD === true, autoHDThreshold: 3,
      recoverTemp: kind.recoverTemp, recoverTempMax: kind.recoverTempMax, exhaustionDelta: kind.exhaustionDelta }, config);
    const name = config.type.capitalize();
    if ( Hooks.call(`dnd5e.pre${name}Rest`, this, config) === false ) return;
    const before = { hd: this.system.attributes.hd?.value, hp: this.system.attributes.hp?.value };
    if ( config.dialog ) {
      const chosen = await RestDialog.configure(this, config);
      if ( !chosen ) return;
      Object.assign(config, chosen);
    }
    if ( Hooks.call(`dnd5e.${config.type}Rest`, this, config) === false ) return;
    if ( this.type === "group" ) return this.#restGroup(config);
    if ( config.autoHD ) await this.autoSpendHitDice({ threshold: config.autoHDThreshold });
    const { hd, hp } = this.system.attributes;
    return this._rest(config, { clone, dhd: hd.value - before.hd, dhp: hp.value - before.hp });
  }

  /** Spend Hit Dice until little is missing. */
  async autoSpendHitDice({ threshold = 3 } = {}) {
    const { hp, hd } = this.system.attributes;
    while ( hd.value && this.system.attributes.hp.value + threshold <= hp.effectiveMax ) {
      if ( await this.rollHitDie() === null ) break;
    }
  }

  async _rest(config, result) {
    result = { type: config.type, deleteItems: [], updateItems: [], rolls: [], updateData: {}, newDay: config.newDay === true,
      request: config.request, ...result, deltas: { hitPoints: result.dhp ?? 0, hitDice: result.dhd ?? 0 } };
    const kind = CONFIG.DND5E.restTypes[config.type];
    if ( kind.recoverHitDice ) this.#recoverHitDice(config, result);
    this.#recoverHitPoints(config, result, kind);
    this.#recoverSpells(result, kind);
    Object.assign(result, { dhp: result.deltas.hitPoints, dhd: result.deltas.hitDice, longRest: config.type === "long" });
    const { clone } = result;
    if ( config.exhaustionDelta && !clone.hasConditionEffect("malnourished") && !clone.hasConditionEffect("dehydrated") ) {
      const level = Math.max(0, (clone.system.attributes.exhaustion ?? 0) + config.exhaustionDelta);
      // This merge turns all the dotted keys of a long rest into nested objects.
      mergeObject(result.updateData, { "system.attributes.exhaustion": level });
    }
    if ( Hooks.call("dnd5e.preRestCompleted", this, result, config) === false ) return result;
    await this.update(result.updateData, { isRest: true });
    await this.deleteEmbeddedDocuments("Item", result.deleteItems, { isRest: true });
    await this.updateEmbeddedDocuments("Item", result.updateItems, { isRest: true });
    if ( config.advanceTime && config.duration > 0 && game.user.isGM ) await game.time.advance(60 * config.duration);
    if ( config.chat ) result.message = await this.#restMessage(config, result);
    Hooks.callAll("dnd5e.restCompleted", this, result, config);
    return result;
  }

  /** All Hit Dice come back by the 2024 rules. actor.mjs _getRestHitDiceRecovery */
  #recoverHitDice(config, result) {
    if ( this.type === "npc" ) {
      const { hd } = this.system.attributes;
      result.deltas.hitDice = hd.spent;
      Object.assign(result.updateData, { "system.attributes.hd.spent": 0 });
      return;
    }
    let left = config.maxHitDice ?? this.system.attributes.hd.max;
    for ( const item of this.itemTypes.class ) {
      const back = Math.min(item.system.hd.spent, left);
      if ( !back ) continue;
      left -= back;
      result.deltas.hitDice += back;
      result.updateItems.push({ _id: item.id, "system.hd.spent": item.system.hd.spent - back });
    }
  }

  #recoverHitPoints(config, result, kind) {
    const { hp } = this.system.attributes;
    if ( !hp || !kind.recoverHitPoints ) return;
    const max = Math.max(0, hp.effectiveMax - (config.recoverTempMax ? hp.tempmax : 0));
    result.deltas.hitPoints += Math.max(0, max - hp.value);
    result.updateData["system.attributes.hp.value"] = max;
    if ( config.recoverTemp ) result.updateData["system.attributes.hp.temp"] = 0;
    if ( config.recoverTempMax ) result.updateData["system.attributes.hp.tempmax"] = 0;
  }

  #recoverSpells(result, kind) {
    if ( !kind.recoverSpellSlotTypes ) return;
    for ( const [key, slot] of Object.entries(this.system.spells ?? {}) ) {
      if ( slot.max && slot.value < slot.max ) result.updateData[`system.spells.${key}.value`] = slot.max;
    }
  }

  async #restMessage(config, result) {
    const text = `${this.name} finishes a ${config.type} rest. Hit points: +${result.dhp}. Hit Dice: ${result.dhd}.`;
    const system = { type: result.type, deltas: result.deltas, request: config.request };
    const message = { type: "rest", content: `<p>${foundry.utils.escapeHTML(text)}</p>`, system,
      flavor: CONFIG.DND5E.restTypes[config.type].label, speaker: ChatMessage.implementation.getSpeaker({ actor: this, alias: this.name }) };
    if ( config.request ) message.flags = { dnd5e: { requestResult: { actorUuid: this.uuid, requestId: config.request.id } } };
    return ChatMessage.implementation.create(message);
  }

  /**
   * A group rests its members at once, or only asks for it with a card; then the results are empty, and the hook comes at
   * once. data/actor/group.mjs rest
   */
  async #restGroup(config) {
    const members = (this.system.members ?? []).map(({ actor }) => game.actors.get(actor?.id ?? actor)).filter(actor => actor);
    const results = new Map(members.map(member => [member, null]));
    if ( config.autoRest ) {
      for ( const member of members ) results.set(member, await member.initiateRest({ ...config, dialog: false, advanceTime: false }));
      if ( config.advanceTime && config.duration > 0 && game.user.isGM ) await game.time.advance(60 * config.duration);
    }
    else await ChatMessage.implementation.create({ type: "request", content: `<p>${foundry.utils.escapeHTML(this.name)}: ${config.type} rest</p>`,
      system: { handler: "rest", data: { type: config.type }, button: { label: "Rest" },
        targets: members.map(member => ({ actor: member.uuid, result: null })) } });
    Hooks.callAll("dnd5e.groupRestCompleted", this, results);
    return false;
  }
};
