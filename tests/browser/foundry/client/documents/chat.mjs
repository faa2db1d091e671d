/** ChatMessage: whispers, roll modes in both spellings, and markup that is rendered anew whenever it is shown. */

import { Document } from "../core/document.mjs";
import { escapeHTML } from "../core/utils.mjs";

/** v13 roll modes and v14 message modes that mean the same. [T] */
const MODES = { publicroll: "public", gmroll: "gm", blindroll: "blind", selfroll: "self", roll: "public" };

/** One entry of the chat log. */
export class ChatMessage extends Document {
  static documentName = "ChatMessage";

  static collectionName = "messages";

  static defaults() {
    return { type: "base", system: {}, author: game.userId, timestamp: Date.now(), flavor: "", title: "", content: "", speaker: {},
      whisper: [], blind: false, rolls: [], sound: null, emote: false, style: 0, flags: {} };
  }

  static getSpeaker({ scene, actor, token, alias } = {}) {
    let document = token?.document ?? token ?? actor?.token ?? null;
    if ( !document && actor ) {
      document = actor.getActiveTokens(false, true).find(candidate => candidate.actor === actor) ?? null;
    }
    // Without anyone named, core takes the controlled token, then the user's character.
    if ( !document && !actor ) {
      document = canvas.tokens?.controlled[0]?.document ?? null;
      actor = document?.actor ?? game.user.character;
    }
    return { scene: document?.parent?.id ?? scene?.id ?? canvas.scene?.id ?? null, actor: actor?.id ?? document?.actor?.id ?? null,
      token: document?.id ?? null, alias: alias ?? document?.name ?? actor?.name ?? game.user.name };
  }

  static getSpeakerActor(speaker = {}) {
    const token = speaker.scene && speaker.token ? game.scenes.get(speaker.scene)?.tokens.get(speaker.token) : null;
    return token?.actor ?? game.actors.get(speaker.actor) ?? null;
  }

  static getWhisperRecipients(name) {
    return game.users.filter(user => ["GM", "DM"].includes(name.toUpperCase()) ? user.isGM : user.name === name);
  }

  /** Set who may read a message by a v13 roll mode or a v14 message mode. */
  static applyRollMode(data, mode) {
    const kind = MODES[mode] ?? mode;
    const whisper = { gm: () => this.getWhisperRecipients("GM").map(user => user.id),
      blind: () => this.getWhisperRecipients("GM").map(user => user.id), self: () => [game.userId] }[kind]?.() ?? [];
    const set = { whisper, blind: kind === "blind" };
    if ( data instanceof Document ) data.updateSource(set);
    else Object.assign(data, set);
    return data;
  }

  /** v14's name for it. [T] */
  static applyMode(data, mode) { return this.applyRollMode(data, mode); }

  constructor(data = {}, context = {}) {
    if ( !context.keepSource && data.rolls ) {
      data = { ...data, rolls: data.rolls.map(roll => roll?.toJSON ? roll.toJSON() : typeof roll === "string" ? JSON.parse(roll) : roll) };
    }
    if ( !context.keepSource && data.whisper ) data = { ...data, whisper: data.whisper.map(user => user.id ?? user) };
    if ( !context.keepSource && data.author?.id ) data = { ...data, author: data.author.id };
    super(data, context);
  }

  _initialize() {
    Object.defineProperty(this, "author", { get: () => game.users.get(this._source.author) ?? null, set() {}, configurable: true });
    super._initialize();
    this.rolls = this._source.rolls.map(roll => CONFIG.Dice.fromData(roll));
  }

  get user() { return this.author; }

  get isAuthor() { return this._source.author === game.userId; }

  get isRoll() { return this.rolls.length > 0; }

  get speakerActor() { return this.constructor.getSpeakerActor(this.speaker); }

  get alias() { return this.speaker.alias ?? this.author?.name ?? "Unknown"; }

  /** Whispers are for those addressed and the author, also from a Game Master; of a private roll all see that it was made. */
  get visible() {
    return !this.whisper.length || this.isRoll || this.isAuthor || this.whisper.includes(game.userId);
  }

  /** Who threw a blind roll does not see it. */
  get isContentVisible() {
    if ( !this.whisper.length ) return true;
    return this.whisper.includes(game.userId) || (this.isAuthor && !this.blind);
  }

  getUserLevel(user = game.user) { return user.isGM || this._source.author === user.id ? 3 : 0; }

  async _preCreate(data, options, user) {
    if ( await super._preCreate(data, options, user) === false ) return false;
    const mode = options.rollMode ?? options.messageMode;
    if ( mode ) ChatMessage.applyRollMode(this, mode);
  }

  /** The markup of this message, made anew each time; the hook sees every one. */
  async renderHTML(options = {}) {
    const html = document.createElement("li");
    html.className = "chat-message message flexcol";
    html.dataset.messageId = this.id ?? "";
    if ( this.whisper.length ) html.classList.add("whisper");
    if ( this.blind ) html.classList.add("blind");
    const actor = this.speakerActor;
    const portrait = actor?.img ? `<img class="portrait" alt="" src="${escapeHTML(actor.img)}">` : "";
    const time = new Date(this.timestamp).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const to = this.whisper.map(id => game.users.get(id)?.name).filter(name => name).join(", ");
    html.innerHTML = `<header class="message-header flexrow">
        <h4 class="message-sender">${portrait}<span class="name-stacked"><span class="title">${escapeHTML(this.alias)}</span>
        <span class="subtitle">${escapeHTML(this.author?.name ?? "")}</span></span></h4>
        <span class="message-metadata"><time class="message-timestamp">${time}</time></span>
        ${to ? `<span class="whisper-to">To: ${escapeHTML(to)}</span>` : ""}
        ${this.flavor ? `<span class="flavor-text">${this.flavor}</span>` : ""}
      </header><div class="message-content">${this.#content()}</div>`;
    html.querySelector(".message-metadata").append(this.#deleteButton());
    Hooks.callAll("renderChatMessageHTML", this, html, { canDelete: this.isOwner, canClose: false, message: this.toObject(),
      user: game.user, author: this.author, alias: this.alias, cssClass: "", ...options });
    return html;
  }

  #content() {
    if ( !this.isContentVisible ) return "<p class=\"private\">???</p>";
    return sanitize(this.content) + this.rolls.map(roll => roll.render()).join("");
  }

  #deleteButton() {
    const button = document.createElement("a");
    button.className = "message-delete";
    button.textContent = "×";
    button.ariaLabel = "Delete";
    button.hidden = !this.isOwner;
    button.addEventListener("click", () => this.delete());
    return button;
  }
}

const BANNED = "script, iframe, object, embed, link, style, base, meta";

/** Foundry cleans message content on the server: no scripts, no handlers. */
export function sanitize(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup ?? "";
  for ( const element of template.content.querySelectorAll(BANNED) ) element.remove();
  for ( const element of template.content.querySelectorAll("*") ) {
    for ( const { name, value } of [...element.attributes] ) {
      if ( name.startsWith("on") || /^\s*javascript:/i.test(value) ) element.removeAttribute(name);
    }
  }
  return template.innerHTML;
}
