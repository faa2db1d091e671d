/** The chat log: every message is rendered when it comes, when it changes, and when the log is drawn. */

import { openContextMenu } from "./context-menu.mjs";

/** Messages and the box to write them in. */
export class ChatLog {
  get id() { return "chat"; }

  get element() { return document.getElementById("chat"); }

  get #log() { return this.element.querySelector(".chat-log"); }

  /** Draw the whole log. */
  async render() {
    const element = this.element;
    element.innerHTML = `<ol class="chat-log plain themed"></ol><form class="chat-form"><textarea id="chat-message" name="content"
      placeholder="Enter message" rows="2"></textarea></form>`;
    const input = element.querySelector("textarea");
    input.addEventListener("keydown", event => {
      if ( event.key !== "Enter" || event.shiftKey ) return;
      event.preventDefault();
      const text = input.value;
      input.value = "";
      this.processMessage(text);
    });
    this.#log.addEventListener("contextmenu", event => this.#onContextMenu(event));
    for ( const message of game.messages ) await this.postOne(message);
    Hooks.callAll("renderChatLog", this, element, {}, {});
    return this;
  }

  async postOne(message) {
    if ( !message.visible ) return;
    const html = await message.renderHTML();
    this.#log.append(html);
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  async updateMessage(message) {
    const present = this.#log.querySelector(`[data-message-id="${message.id}"]`);
    if ( !message.visible ) return present?.remove();
    const html = await message.renderHTML();
    if ( present ) present.replaceWith(html);
    else this.#log.append(html);
  }

  deleteMessage(id) { this.#log.querySelector(`[data-message-id="${id}"]`)?.remove(); }

  #onContextMenu(event) {
    const target = event.target.closest("[data-message-id]");
    if ( !target ) return;
    event.preventDefault();
    const entries = [];
    Hooks.callAll("getChatMessageContextOptions", this, entries);
    const remove = li => game.messages.get(li.dataset.messageId).delete();
    const mine = li => game.messages.get(li.dataset.messageId).isOwner;
    entries.push(game.release.generation < 14 ? { name: "Delete", condition: mine, callback: remove }
      : { label: "Delete", visible: mine, onClick: (click, li) => remove(li) });
    openContextMenu(event, target, entries);
  }

  /** What someone typed: a handler may take it; then rolls, whispers, or plain speech. */
  async processMessage(text, { speaker } = {}) {
    text = text.trim();
    if ( !text ) return;
    speaker ??= ChatMessage.implementation.getSpeaker();
    const data = { user: game.userId, speaker };
    if ( Hooks.call("chatMessage", this, text, data) === false ) return;
    const roll = text.match(/^\/(?:r|roll)\s+(.+)$/i);
    if ( roll ) return new Roll(roll[1]).toMessage({ speaker });
    const whisper = text.match(/^\/w(?:hisper)?\s+(\S+)\s+(.+)$/is);
    if ( whisper ) {
      const to = ChatMessage.implementation.getWhisperRecipients(whisper[1]).map(user => user.id);
      return ChatMessage.implementation.create({ speaker, content: foundry.utils.escapeHTML(whisper[2]), whisper: to });
    }
    if ( text.startsWith("/") ) return ui.notifications.error(`"${text.split(" ")[0]}" is not a valid chat message command.`);
    return ChatMessage.implementation.create({ speaker, content: foundry.utils.escapeHTML(text) });
  }
}
