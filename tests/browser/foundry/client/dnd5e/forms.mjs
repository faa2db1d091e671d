/** Changes of form. dnd5e module/documents/actor/actor.mjs transformInto, revertOriginalForm */

import { deepClone } from "../core/utils.mjs";

export const FormMixin = Base => class extends Base {
  get isPolymorphed() { return this.flags.dnd5e?.isPolymorphed ?? false; }

  /**
   * A linked creature becomes another actor of the world, which its tokens show from then on; an unlinked token's own actor
   * is written over. Its own effects without an origin go along, and with `hp` among what it keeps its hit points.
   */
  async transformInto(source, { keep = [] } = {}) {
    const own = this.toObject();
    const form = source.toObject();
    const { originalActor, previousActorIds = [] } = this.flags.dnd5e ?? {};
    const data = { type: own.type, name: `${own.name} (${form.name})`, img: form.img, system: form.system, items: form.items,
      effects: own.effects.concat(form.effects), ownership: own.ownership, folder: own.folder, prototypeToken: own.prototypeToken,
      flags: { ...own.flags, dnd5e: { ...own.flags.dnd5e, transformOptions: { keep }, originalActor: originalActor ?? this.id,
        isPolymorphed: true, previousActorIds: [...previousActorIds, this.id] } } };
    if ( keep.includes("hp") ) data.system.attributes.hp = { ...own.system.attributes.hp, max: this.system.attributes.hp.max };
    if ( this.isToken ) {
      const { items, effects, prototypeToken, ...written } = data;
      const first = this.token.flags.dnd5e?.previousActorData;
      if ( !first ) await this.token.update({ "flags.dnd5e.previousActorData": deepClone(this.token.delta) });
      return this.token.actor.update(written);
    }
    const tokens = this.getActiveTokens(true, true);
    const made = await this.constructor.create(data);
    await canvas.scene.updateEmbeddedDocuments("Token", tokens.map(token => ({ _id: token.id, actorId: made.id, name: data.name })));
    return made;
  }

  /** An unlinked token is made anew as it was; else the tokens show the first actor again, and the form is deleted. */
  async revertOriginalForm() {
    if ( !this.isPolymorphed ) return;
    const { transformOptions, originalActor, previousActorIds } = this.flags.dnd5e;
    const update = transformOptions.keep.includes("hp") ? { "system.attributes.hp.value": this.system.attributes.hp.value } : {};
    if ( this.isToken ) {
      const { flags: { dnd5e: { previousActorData: delta } }, ...data } = this.token.toObject();
      const token = await this.token.constructor.create({ ...data, delta }, { parent: this.token.parent });
      await this.token.delete();
      return token;
    }
    const original = game.actors.get(originalActor);
    const tokens = this.getActiveTokens(true, true);
    await canvas.scene.updateEmbeddedDocuments("Token", tokens.map(token => ({ _id: token.id, actorId: original.id, name: original.name })));
    const forms = previousActorIds.filter(id => id !== original.id && game.actors.get(id));
    await this.constructor.deleteDocuments([...forms, this.id]);
    if ( !foundry.utils.isEmpty(update) ) await original.update(update, { dnd5e: { concentrationCheck: false } });
    return original;
  }
};
