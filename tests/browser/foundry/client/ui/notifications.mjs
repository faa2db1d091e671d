/** Toasts. */
export class Notifications {
  #list = [];

  #nextId = 1;

  /** All that were shown, newest last: for tests. */
  get history() { return this.#list; }

  notify(message, type = "info", { localize = false, format, permanent = false } = {}) {
    const text = message instanceof Error ? message.message : localize || format ? game.i18n.format(String(message), format) : String(message);
    const id = this.#nextId++;
    const element = document.createElement("li");
    element.className = `notification ${type}`;
    element.textContent = text;
    element.addEventListener("click", () => element.remove());
    document.getElementById("notifications").append(element);
    if ( !permanent ) setTimeout(() => element.remove(), 5000);
    const notification = { id, type, message: text, element };
    this.#list.push(notification);
    return notification;
  }

  info(message, options) { return this.notify(message, "info", options); }

  success(message, options) { return this.notify(message, "success", options); }

  warn(message, options) { return this.notify(message, "warning", options); }

  error(message, options) { return this.notify(message, "error", options); }

  remove(notification) { this.#list.find(entry => entry.id === (notification?.id ?? notification))?.element.remove(); }

  clear() { document.getElementById("notifications").replaceChildren(); }
}
