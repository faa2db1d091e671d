/** The token HUD: bars to type into and a palette of all statuses. */

import { escapeHTML } from "../core/utils.mjs";

/** What opens around a token. */
export class TokenHUD {
  object = null;

  #element = null;

  get id() { return "token-hud"; }

  get element() { return this.#element; }

  get document() { return this.object?.document; }

  get actor() { return this.object?.actor ?? null; }

  get rendered() { return !!this.#element; }

  /** Show the HUD of a token. */
  async bind(token) {
    this.object = token;
    await this.render(true);
  }

  clear() {
    this.object = null;
    this.#element?.remove();
    this.#element = null;
  }

  async close() { this.clear(); }

  #statuses() {
    const { actor } = this;
    const entries = Array.isArray(CONFIG.statusEffects) ? CONFIG.statusEffects : Object.values(CONFIG.statusEffects);
    return entries.filter(status => status.hud !== false).sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || a.name.localeCompare(b.name))
      .map(status => ({ id: status.id, title: game.i18n.localize(status.name), src: status.img, _id: status._id,
        isActive: actor.statuses.has(status.id), isOverlay: false }));
  }

  /** Draw it anew; the hook is told each time. */
  async render() {
    const { object, actor } = this;
    if ( !object || !actor ) return this;
    const statuses = this.#statuses();
    const { hp } = actor.system.attributes ?? {};
    const html = document.createElement("form");
    html.id = this.id;
    html.className = "placeable-hud";
    html.innerHTML = `<div class="col left"><div class="attribute elevation">
        <input type="text" name="elevation" value="${object.document.elevation}"></div></div>
      <div class="col middle"><div class="attribute bar1"><input type="text" name="bar1" value="${hp?.value ?? ""}"></div></div>
      <div class="col right"><button type="button" class="control-icon" data-action="combat">⚔</button>
      <div class="palette status-effects" data-palette="effects">${statuses.map(status =>
        `<img class="effect-control${status.isActive ? " active" : ""}" data-action="effect" data-status-id="${status.id}"
          src="${escapeHTML(status.src)}" alt="${escapeHTML(status.title)}" title="${escapeHTML(status.title)}">`).join("")}</div></div>`;
    this.#listen(html);
    this.#element?.remove();
    this.#element = html;
    document.getElementById("hud").append(html);
    const { x, y } = object.element.getBoundingClientRect();
    Object.assign(html.style, { left: `${Math.max(70, x - 30)}px`, top: `${Math.max(60, y - 20)}px` });
    Hooks.callAll("renderTokenHUD", this, html, { statusEffects: Object.fromEntries(statuses.map(status => [status.id, status])) }, {});
    return this;
  }

  #listen(html) {
    html.addEventListener("submit", event => event.preventDefault());
    html.addEventListener("change", event => this.#onChange(event));
    for ( const type of ["click", "contextmenu"] ) html.addEventListener(type, event => this.#onEffect(event));
    html.querySelector("[data-action=combat]").addEventListener("click", () => this.#toggleCombat());
  }

  async #onEffect(event) {
    const statusId = event.target.closest(".effect-control")?.dataset.statusId;
    if ( !statusId || event.defaultPrevented ) return;
    event.preventDefault();
    const active = !this.actor.statuses.has(statusId);
    await this.actor.toggleStatusEffect(statusId, { active, overlay: event.type === "contextmenu" });
  }

  /** A number with a sign is a change, one without a new value. */
  async #onChange({ target }) {
    const { actor, object } = this;
    const text = target.value.trim();
    const delta = /^[+-]/.test(text);
    const value = Number(text.replace(/^\+/, ""));
    if ( !Number.isFinite(value) ) return;
    if ( target.name === "bar1" ) await actor.modifyTokenAttribute("attributes.hp", value, delta, true);
    if ( target.name === "elevation" ) await object.document.update({ elevation: value });
  }

  async #toggleCombat() {
    const { document: token } = this.object;
    if ( token.combatant ) return token.combatant.delete();
    const combat = game.combat ?? await Combat.implementation.create({ scene: token.parent.id, active: true });
    await combat.createEmbeddedDocuments("Combatant", [{ tokenId: token.id, sceneId: token.parent.id, actorId: token.actorId }]);
  }
}
