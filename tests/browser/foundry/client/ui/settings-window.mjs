/** The settings tab and the window in which registered settings and menus are configured. */

import { ApplicationV2, FormDataExtended } from "../apps/application.mjs";
import { escapeHTML } from "../core/utils.mjs";

/** The window of all settings. */
export class SettingsConfig extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "settings-config", tag: "form", window: { title: "Configure Settings" },
    position: { width: 620, left: 380, top: 90 } };

  /** Settings that this user may see, by namespace. */
  #groups() {
    const groups = {};
    const may = entry => entry.scope !== "world" || game.user.isGM;
    for ( const menu of game.settings.menus.values() ) {
      if ( !menu.restricted || game.user.isGM ) (groups[menu.namespace] ??= { menus: [], settings: [] }).menus.push(menu);
    }
    for ( const setting of game.settings.settings.values() ) {
      if ( setting.config && may(setting) ) (groups[setting.namespace] ??= { menus: [], settings: [] }).settings.push(setting);
    }
    return groups;
  }

  async _renderHTML() {
    const wrapper = document.createElement("div");
    const text = key => escapeHTML(game.i18n.localize(key ?? ""));
    wrapper.innerHTML = Object.entries(this.#groups()).map(([namespace, { menus, settings }]) => `<fieldset data-category="${escapeHTML(namespace)}">
      <legend>${text(game.modules.get(namespace)?.title ?? (namespace === "dnd5e" ? game.system.title : namespace))}</legend>
      ${menus.map(menu => `<div class="form-group"><label>${text(menu.name)}</label><button type="button" data-menu="${escapeHTML(menu.key)}">
        ${text(menu.label)}</button><p class="hint">${text(menu.hint)}</p></div>`).join("")}
      ${settings.map(setting => `<div class="form-group"><label>${text(setting.name)}</label><div class="form-fields">${this.#input(setting)}</div>
        <p class="hint">${text(setting.hint)}</p></div>`).join("")}</fieldset>`).join("")
      + "<footer class=\"form-footer\"><button type=\"submit\">Save Changes</button></footer>";
    wrapper.addEventListener("click", event => {
      const menu = game.settings.menus.get(event.target.closest("[data-menu]")?.dataset.menu);
      if ( menu ) new menu.type().render({ force: true });
    });
    return wrapper;
  }

  #input({ id, namespace, key, type, choices, range }) {
    const value = game.settings.get(namespace, key);
    if ( choices ) {
      const entries = Object.entries(typeof choices === "function" ? choices() : choices);
      return `<select name="${id}">${entries.map(([option, label]) => `<option value="${escapeHTML(option)}"
        ${String(value) === option ? "selected" : ""}>${escapeHTML(game.i18n.localize(label))}</option>`).join("")}</select>`;
    }
    if ( type === Boolean ) return `<input type="checkbox" name="${id}" ${value ? "checked" : ""}>`;
    if ( type === Number ) return `<input type="number" name="${id}" value="${value}" min="${range?.min ?? ""}" max="${range?.max ?? ""}" step="${range?.step ?? "any"}">`;
    return `<input type="text" name="${id}" value="${escapeHTML(value)}">`;
  }

  async _onSubmitForm(config, event) {
    event.preventDefault();
    let reload = false;
    for ( const [id, value] of Object.entries(new FormDataExtended(event.target).object) ) {
      const setting = game.settings.settings.get(id);
      const { namespace, key } = setting;
      const typed = setting.type === Number ? Number(value) : value;
      if ( JSON.stringify(game.settings.get(namespace, key)) === JSON.stringify(typed) ) continue;
      await game.settings.set(namespace, key, typed);
      reload ||= setting.requiresReload === true;
    }
    await this.close();
    if ( reload ) ui.notifications.warn("Some settings need the page to be loaded anew.");
  }
}

/** The sidebar's way to that window. */
export class SettingsTab {
  get element() { return document.getElementById("settings"); }

  render() {
    this.element.innerHTML = `<section class="settings"><h3>${escapeHTML(game.world.title)}</h3>
      <p>Stand-in Foundry ${game.version}, dnd5e ${game.system.version}</p>
      <button type="button" data-app="configure">Configure Settings</button></section>`;
    this.element.querySelector("[data-app]").onclick = () => new SettingsConfig().render({ force: true });
    Hooks.callAll("renderSettings", this, this.element, {}, {});
  }
}
