/** Concentration. dnd5e module/documents/actor/actor.mjs beginConcentrating, endConcentration; active-effect.mjs createConcentrationEffectData */

export const ConcentrationMixin = Base => class extends Base {
  /** Effects of concentration and the items concentrated on. */
  get concentration() {
    const effects = new Set(this.effects.filter(effect => effect.statuses.has(CONFIG.specialStatusEffects.CONCENTRATING)));
    const items = new Set([...effects].map(effect => this.items.get(effect.getFlag("dnd5e", "item.id"))).filter(item => item));
    return { effects, items };
  }

  /** The effect has an id of its own, not that of the status. */
  async beginConcentrating(activity, effectData = {}) {
    const { item } = activity;
    const status = CONFIG.ActiveEffect.documentClass.statusById("concentrating");
    const data = foundry.utils.mergeObject({ name: `Concentrating: ${item.name}`, img: status.img, statuses: ["concentrating"],
      origin: item.uuid, "flags.dnd5e": { activity: { id: activity.id, type: activity.type, uuid: activity.uuid },
        item: { id: item.id, type: item.type, uuid: item.uuid } } }, effectData);
    if ( Hooks.call("dnd5e.preBeginConcentrating", this, item, data, activity) === false ) return;
    const effect = await ActiveEffect.implementation.create(data, { parent: this });
    Hooks.callAll("dnd5e.beginConcentrating", this, item, effect, activity);
    return effect;
  }

  /** End one concentration, or all. */
  async endConcentration(target) {
    const { effects } = this.concentration;
    if ( !target ) {
      const ended = [];
      for ( const effect of effects ) ended.push(...await this.endConcentration(effect));
      return ended;
    }
    const effect = [...effects].find(candidate => candidate === target || candidate.id === target
      || (target.documentName === "Item" && candidate.getFlag("dnd5e", "item.id") === target.id));
    if ( !effect || Hooks.call("dnd5e.preEndConcentration", this, effect) === false ) return [];
    await effect.delete();
    Hooks.callAll("dnd5e.endConcentration", this, effect);
    return [effect];
  }

  /** A card with a button for the save, to the creature's owners. */
  async challengeConcentration({ dc = 10, ability = null } = {}) {
    if ( !this.concentration.effects.size ) return null;
    return ChatMessage.implementation.create({
      content: `<div class="chat-card request-card"><div class="card-buttons"><button type="button" data-action="concentration" data-dc="${dc}"
        ${ability ? `data-ability="${ability}"` : ""}>Concentration DC ${dc}</button></div></div>`,
      whisper: game.users.filter(user => this.testUserPermission(user, "OWNER")),
      speaker: ChatMessage.implementation.getSpeaker({ actor: this }) });
  }
};
