/**
 * What the player gets hold of in a page, there before any other script: a watch on both sockets, so that it is known when
 * everything has come to rest, and the roads by which people at a table do things.
 */
(() => {
  const query = new URLSearchParams(location.search);
  if ( query.has("key") ) {
    // A browser that was paired earlier: its key is a client setting.
    localStorage.clear();
    for ( const name of ["client", "key", "url"] ) localStorage.setItem(`condition-bridge.${name}`, JSON.stringify(query.get(name)));
  }

  const ID = "condition-bridge";
  const watch = { total: 0, operations: new Set(), sent: 0, acknowledged: 0, applies: new Map(), carried: new Map(), errors: [] };

  const toServer = message => {
    if ( ["operation", "query"].includes(message.type) ) watch.operations.add(message.id);
  };
  const fromServer = message => {
    if ( message.id && ["operation", "refused", "answer"].includes(message.type) ) watch.operations.delete(message.id);
  };
  const toBridge = message => {
    if ( message.n ) watch.sent = Math.max(watch.sent, message.n);
    // An answer is complete with its receipt.
    for ( const { id, memory } of message.actors ?? [] ) {
      for ( const apply of [...watch.applies.values()] ) {
        if ( apply.actor === id && memory?.receipt >= apply.id ) watch.applies.delete(`${id} ${apply.id}`);
      }
    }
    if ( message.type === "failed" ) {
      watch.applies.delete(`${message.actor} ${message.apply}`);
      watch.carried.delete(`${message.actor} ${message.apply}`);
    }
  };
  const fromBridge = message => {
    if ( message.type === "ack" ) watch.acknowledged = Math.max(watch.acknowledged, message.n);
    if ( message.type === "error" ) watch.errors.push({ code: message.code, message: message.message });
    if ( message.type === "apply" ) {
      watch.applies.set(`${message.actor} ${message.id}`, message);
      watch.carried.set(`${message.actor} ${message.id}`, message.operations.map(operation => operation.op));
    }
  };
  const each = (text, act) => {
    const message = JSON.parse(text);
    for ( const one of message.type === "batch" ? message.messages : [message] ) {
      // By these the player itself asks whether everything has arrived.
      if ( !["dice", "seen"].includes(one.type) ) watch.total++;
      act(one);
    }
  };

  globalThis.WebSocket = class extends WebSocket {
    constructor(url, ...rest) {
      super(url, ...rest);
      this.ours = String(url).includes("/socket?user=");
      this.addEventListener("message", ({ data }) => each(data, this.ours ? fromServer : fromBridge));
      this.addEventListener("close", () => {
        if ( this.ours ) return;
        watch.applies.clear();
        watch.sent = watch.acknowledged = 0;
      });
    }

    send(text) {
      each(text, this.ours ? toServer : toBridge);
      super.send(text);
    }
  };

  const find = uuid => foundry.utils.fromUuidSync(uuid);
  const flag = (document, key) => {
    const raw = document.flags?.[ID]?.[key];
    return typeof raw === "string" ? JSON.parse(raw) : raw ?? null;
  };
  const token = actor => canvas.tokens.placeables.find(one => one.actor === actor) ?? null;
  const api = () => game.modules.get(ID).api;
  const clock = seconds => seconds ? game.time.advance(seconds) : null;
  const cards = () => game.messages.contents.filter(message => message.flags[ID]?.card?.id && message.author?.isGM);
  const byHand = (input, text) => {
    input.focus();
    input.value = String(text);
    input.dispatchEvent(new Event("change", { bubbles: true }));
    input.blur();
  };

  /** The field for hit points on the creature's sheet, opened. */
  async function field(actor, name = "value") {
    await actor.sheet.render({ force: true });
    return actor.sheet.element.querySelector(`[name="system.attributes.hp.${name}"]`);
  }

  globalThis.player = {
    /** Is anything on its way? `total` grows with every message. */
    state() {
      const { total, operations, sent, acknowledged, applies } = watch;
      const link = game.modules.get(ID)?.api?.status?.().state;
      return { total, quiet: !operations.size && sent <= acknowledged && !applies.size, link,
        why: { operations: operations.size, sent, acknowledged, applies: [...applies.keys()] } };
    },

    /** Forget what was seen; dice show these faces next. */
    begin(dice) {
      watch.carried.clear();
      watch.errors.length = 0;
      standin.dice.splice(0, Infinity, ...dice);
    },

    /** What the bridge had done and said since `begin`. */
    seen() { return { operations: [...watch.carried.values()].flat(), errors: [...watch.errors] }; },

    /* What there is to be seen. */

    look() {
      const tokens = game.scenes.contents.flatMap(scene => scene.tokens.contents);
      const own = tokens.filter(one => !one.actorLink && one.actor).map(one => one.actor);
      return { actors: [...game.actors.contents, ...own].map(lookAt), combats: game.combats.contents.filter(one => one.started).map(fight),
        clock: game.time.worldTime, catalogue: game.settings.get(ID, "catalogue"), link: this.state().link,
        players: Object.fromEntries(game.users.filter(user => !user.isGM).map(user => [user.id, true])),
        cards: cards().map(message => ({ id: message.id, whisper: message.whisper, card: message.flags[ID].card,
          rolls: message.rolls.length, text: document.querySelector(`[data-message-id="${message.id}"]`)?.innerText ?? "" })) };
    },

    /** What rolls would get by the module's own reading of the catalogue. */
    async rolls(list) {
      const [{ evaluate }, { creature }, { catalogue }] = await Promise.all(["evaluate", "sheets", "catalogue"]
        .map(name => import(`/modules/${ID}/scripts/${name}.mjs`)));
      return list.map(({ actor, roll, target, facts }) => {
        const { given } = evaluate(catalogue(), creature(find(actor)), roll, target ? creature(find(target)) : null, facts);
        return given.map(({ modifier, name }) => ({ gives: modifier.gives, value: modifier.value ?? 0, name,
          difficulty: modifier.difficulty ?? 0 }));
      });
    },

    /* Hit points. */

    /** Press the tray of a healing roll that came from an item of this kind. */
    async healByItem(uuid, amount, kind, name) {
      const actor = find(uuid);
      const items = actor.items.filter(item => item.type === kind && item.system.activities?.getByType("heal").length);
      const item = items.find(one => one.name === name) ?? items[0];
      const activity = item.system.activities.getByType("heal")[0];
      const roll = await new CONFIG.Dice.DamageRoll(String(amount), {}, { type: "healing" }).evaluate();
      const message = await CONFIG.Dice.DamageRoll.toMessage([roll], { flavor: `${item.name} - Healing Roll`,
        speaker: ChatMessage.implementation.getSpeaker({ actor }),
        flags: { dnd5e: { ...activity.messageFlags, messageType: "roll", roll: { type: "healing" } } } });
      await standin.applyCard(message.id, uuid);
    },

    async regenerate(uuid, amount) { await find(uuid).applyDamage([{ value: amount, type: "healing" }]); },

    async damage(uuid, amount, type) { await find(uuid).applyDamage(type ? [{ value: amount, type }] : amount); },

    /** A Hit Die that comes to this much; what the die cannot show is a bonus of the roll's own formula. */
    async hitDie(uuid, amount) {
      const actor = find(uuid);
      const con = actor.system.abilities.con.mod;
      const { hd } = actor.system.attributes;
      const size = actor.type === "npc" ? hd.denomination : Number([...hd.classes].find(one => one.system.hd.value)?.system.hd.denomination.slice(1));
      const face = Math.clamp(amount - con, 1, size || 1);
      const bonus = amount - Math.max(1, face + con);
      standin.dice.unshift(face);
      if ( bonus ) Hooks.once("dnd5e.preRollHitDieV2", config => { config.rolls[0].parts.push(String(bonus)); });
      await actor.rollHitDie({}, { configure: false });
    },

    async deathSave(uuid) {
      standin.dice.unshift(20);
      await find(uuid).rollDeathSave({}, { configure: false });
    },

    /** Type into the sheet. Further numbers go along, as with a sheet that sends its whole form. */
    async edit(uuid, value, changes) {
      const actor = find(uuid);
      const input = await field(actor);
      if ( !changes ) return byHand(input, value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await actor.update(changes);
    },

    async update(uuid, changes, options = {}) { await find(uuid).update(changes, options); },

    /** Hit Dice left, by class; what stands on the classes is a write of its own. */
    async hitDice(uuid, left, options = {}) {
      const actor = find(uuid);
      const updates = actor.itemTypes.class.filter(item => item.system.identifier in left).map(item => ({ _id: item.id,
        "system.hd.spent": item.system.hd.max - left[item.system.identifier] }));
      if ( updates.length ) await actor.updateEmbeddedDocuments("Item", updates, options);
    },

    /* Conditions. */

    /** Click a status in the HUD of the creature's token; without a token, what the click would call. */
    async icon(uuid, status, { levelled, up }) {
      const actor = find(uuid);
      if ( !CONFIG.ActiveEffect.documentClass.statusById(status) ) return this.bare(actor, status, up);
      const placed = token(actor);
      if ( levelled && !placed ) return api().setLevel(actor, status, (flag(effectOf(actor, status) ?? {}, "mark")?.level ?? (effectOf(actor, status) ? 1 : 0)) + (up ? 1 : -1));
      if ( !placed || (!levelled && actor.statuses.has(status) === up) ) return actor.toggleStatusEffect(status, { active: up });
      await canvas.hud.token.bind(placed);
      const control = canvas.hud.token.element.querySelector(`[data-status-id="${status}"]`);
      const right = levelled && !up;
      control.dispatchEvent(new MouseEvent(right ? "contextmenu" : "click", { button: right ? 2 : 0, bubbles: true, cancelable: true }));
      await standin.settle();
      canvas.hud.token.clear();
    },

    /** A status for which the system has no icon: its effect is made by a macro and deleted on the sheet. */
    async bare(actor, status, up) {
      const _id = `dnd5e${status}`.padEnd(16, "0").slice(0, 16);
      if ( !up ) return actor.effects.get(_id)?.delete();
      await ActiveEffect.implementation.create({ _id, name: status.capitalize(), statuses: [status] }, { parent: actor, keepId: true });
    },

    async setLevel(uuid, status, level) { await api().setLevel(find(uuid), status, level); },

    /** An effect that somebody makes for a status: from the console with our mark, or as an item does. */
    async effect(uuid, status, { mark, alone, name }) {
      const actor = find(uuid);
      const data = (await CONFIG.ActiveEffect.documentClass.fromStatusEffect(status)).toObject();
      const keepId = !alone && !actor.effects.has(data._id);
      if ( !keepId ) delete data._id;
      if ( alone ) Object.assign(data, { statuses: [status], name, origin: actor.items.contents[0]?.uuid ?? actor.uuid });
      if ( mark ) data.flags = { ...data.flags, [ID]: { mark } };
      await ActiveEffect.implementation.create(data, { parent: actor, keepId });
    },

    async deleteEffect(uuid, id) { await find(uuid).effects.get(id).delete(); },

    async editEffect(uuid, id, changes) { await find(uuid).effects.get(id).update(changes); },

    /* Food, drink, rest. */

    async use(uuid, name) {
      const actor = find(uuid);
      await actor.items.getName(name).use({ configure: false }, { configure: false });
    },

    async drink(uuid, options) { await api().drink(find(uuid), options); },

    async eat(uuid) { await api().eat(find(uuid)); },

    async water(uuid) { await api().water(find(uuid)); },

    say(text) {
      const input = ui.chat.element.querySelector("textarea");
      input.value = text;
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    },

    /** A rest, with the clock where it was wanted. */
    async rest(uuid, kind, when, length) {
      const actor = find(uuid);
      const title = kind === "long" ? "longRest" : "shortRest";
      if ( when === "before" ) Hooks.once("dnd5e.preRestCompleted", () => { clock(length); });
      await actor[title]({ dialog: false, autoHD: false, advanceTime: when === "with", duration: length / 60 });
      if ( when === "after" ) await clock(length);
    },

    clock,

    /* Combat. */

    async startCombat(order) {
      const combat = await Combat.implementation.create({ scene: canvas.scene?.id ?? null, active: true });
      await combat.createEmbeddedDocuments("Combatant", order.map((one, index) => ({ ...one, initiative: 20 - index })));
      await combat.startCombat();
    },

    async turn(index, round) {
      const combat = latest();
      const delta = CONFIG.time.roundTime * (round - combat.round);
      await combat.update({ round, turn: index }, { direction: 1, worldTime: { delta } });
    },

    async next() { await latest().nextTurn(); },

    async previous() { await latest().previousTurn(); },

    async join(combatant) { await latest().createEmbeddedDocuments("Combatant", [combatant]); },

    async leave(id) { await latest().combatants.get(id).delete(); },

    async endCombat() { await latest().endCombat(); },

    /* Acting. */

    async act(uuid, what, target) {
      const actor = find(uuid);
      const other = target && token(find(target));
      for ( const one of [...game.user.targets] ) one.setTarget(false, { releaseOthers: false });
      other?.setTarget(true, { releaseOthers: false });
      const item = actor.items.getName({ action: "Dash", bonus: "Quick Step", reaction: "Parry", attack: "Longsword" }[what]);
      return !!await item.use({ configure: false }, { configure: false });
    },

    async concentrate(uuid, on) {
      const actor = find(uuid);
      if ( on ) return !!await actor.beginConcentrating(actor.items.getName("Bless").system.activities.contents[0]);
      await actor.endConcentration();
      return true;
    },

    /** Each of these three answers whether it was let through. */
    async move(uuid, [column, row]) {
      const { document } = token(find(uuid)) ?? { document: find(uuid).getDependentTokens()[0] };
      const { size } = document.parent.grid;
      return !!await document.update({ x: column * size, y: row * size }, { method: "dragging" });
    },

    /* Cards. */

    /** Press a card's button on this page; answers what became of it. */
    press(button, back) {
      const all = cards();
      const carries = ({ flags: { [ID]: { card } } }) => button === "roll" ? !!card.request : (card.buttons ?? []).some(({ id }) => id === button);
      const message = back ? all.at(-back) : all.findLast(carries);
      if ( !message || !carries(message) ) return "missing";
      const { card } = message.flags[ID];
      if ( button === "roll" ) {
        const dialog = openDialog(card.id);
        if ( dialog ) return (dialog.choose(suggested(dialog)), "pressed");
      }
      const element = document.querySelector(`[data-message-id="${message.id}"] [data-bridge-button="${button}"]`);
      if ( !element ) return card.done?.includes(button) || card.rolled ? "already-done" : "not-allowed";
      element.click();
      return "pressed";
    },

    /** The save that was asked of the creature last and is not answered: the card's id, its DC. */
    waiting(uuid) {
      const asked = cards().map(message => message.flags[ID].card).filter(card => card.request && card.actor === uuid && !card.rolled);
      const last = asked.at(-1);
      return last ? { card: last.id, dc: last.request.dc, open: !!openDialog(last.id) } : null;
    },

    /** Answer it with this total: a ten, and whatever is missing as the player's situational bonus. */
    async answer(card, total) {
      const dialog = openDialog(card);
      const { formula } = dialog.rolls[0];
      const flat = (await new Roll(formula.replace(/^1d20[a-z0-9]*/, "10")).evaluate()).total;
      standin.dice.splice(0, Infinity, 10, 10);
      const input = dialog.element.elements["roll.0.situational"];
      input.value = String(total - flat);
      input.dispatchEvent(new Event("change", { bubbles: true }));
      await dialog.choose("normal");
    },

    /** Press the suggested button of a roll dialog that a card's button has opened. */
    async finish() {
      for ( const app of foundry.applications.instances.values() ) {
        if ( app.message?.data?.flags?.[ID]?.request && !app.submitted ) await app.choose(suggested(app));
      }
    },

    undo() { api().undo(); },

    /* Tokens and scenes. */

    async removeToken(uuid) {
      for ( const one of tokensOf(find(uuid)) ) await one.delete();
    },

    async addToken(scene, data) { await game.scenes.get(scene).createEmbeddedDocuments("Token", [data], { keepId: true }); },

    async changeScene(uuid, to, [column, row]) {
      const [token] = tokensOf(find(uuid));
      const scene = game.scenes.get(to) ?? await Scene.implementation.create({ _id: to, name: to, active: false }, { keepId: true });
      const data = { ...token.toObject(), x: column * scene.grid.size, y: row * scene.grid.size };
      await scene.createEmbeddedDocuments("Token", [data], { keepId: true });
      await token.delete();
    },

    async deleteScene(id) {
      for ( const combat of game.combats.filter(one => (one.scene?.id ?? one.scene) === id) ) await combat.delete();
      await game.scenes.get(id).delete();
    }
  };

  const effectOf = (actor, status) => actor.effects.find(effect => effect.statuses.has(status));
  const tokensOf = actor => actor.isToken ? [actor.token] : actor.getDependentTokens();
  const openDialog = card => [...foundry.applications.instances.values()]
    .find(app => app.message?.data?.flags?.[ID]?.request === card && !app.submitted);
  const suggested = dialog => ({ 1: "advantage", "-1": "disadvantage" })[dialog.rolls[0]?.options.advantageMode] ?? "normal";

  /** The combat that was begun last: scenarios speak of that one, whichever the tracker shows. */
  const latest = () => game.combats.filter(one => one.started).at(-1) ?? null;

  const fight = combat => ({ id: combat.id, round: combat.round, turn: combat.turn ?? 0, scene: combat.scene?.id ?? combat.scene,
    order: combat.turns.map(one => ({ id: one.id, actor: one.actor?.uuid ?? null, initiative: one.initiative })) });

  function lookAt(actor) {
    const { attributes = {}, abilities = {}, traits = {} } = actor.system;
    const { hp, hd } = attributes;
    const place = actor.isToken ? actor.token : actor.getDependentTokens().find(one => one.parent.active) ?? actor.getDependentTokens()[0];
    const size = place?.parent.grid.size;
    return {
      ref: actor.uuid, name: actor.token?.name ?? actor.name, type: actor.type,
      hp: hp && Number.isFinite(hp.max) && Number.isFinite(hp.value) ? { value: hp.value, max: hp.max, temp: hp.temp || 0, tempmax: hp.tempmax || 0 } : null,
      hitDice: actor.type === "npc" ? (hd?.max ? { npc: { left: hd.value, all: hd.max, size: hd.denomination } } : {})
        : Object.fromEntries(actor.itemTypes.class.map(item => [item.system.identifier, { left: item.system.hd.value, all: item.system.hd.max,
          size: Number(item.system.hd.denomination.slice(1)) }])),
      abilities: Object.fromEntries(Object.entries(abilities).map(([key, { value }]) => [key, value])),
      walk: attributes.movement?.walk ?? 0, stored: Number(actor._source.system.attributes?.movement?.walk) || 0,
      resistances: [...traits.dr?.value ?? []], immunities: [...traits.di?.value ?? []],
      conditionImmunities: [...actor.system._source?.traits?.ci?.value ?? []],
      exhaustion: attributes.exhaustion ?? 0,
      statuses: [...actor.statuses],
      effects: [...actor.allApplicableEffects()].filter(effect => effect.statuses.size).map(effect => ({ id: effect.id,
        statuses: [...effect.statuses], name: effect.name, disabled: !!(effect.disabled || (effect.isSuppressed && !flag(effect, "mark")?.forced)), fixed: effect.parent !== actor,
        mark: flag(effect, "mark") })),
      place: place ? { scene: place.parent.id, x: 5 * place.x / size, y: 5 * place.y / size, size: 5 * Math.max(place.width, place.height),
        elevation: place.elevation ?? 0 } : null
    };
  }
})();
