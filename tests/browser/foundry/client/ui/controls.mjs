/** Scene controls, as a record that modules add to. [T: fvtt-types src/foundry/client/applications/ui/scene-controls.d.mts] */

import { escapeHTML } from "../core/utils.mjs";

/** Layers and their tools. */
export class SceneControls {
  controls = {};

  control = null;

  get #base() {
    return { tokens: { name: "tokens", title: "Tokens", icon: "fa-solid fa-user", order: 1, visible: true, activeTool: "select",
      tools: { select: { name: "select", title: "Select Tokens", icon: "fa-solid fa-expand", order: 1 },
        target: { name: "target", title: "Select Targets", icon: "fa-solid fa-bullseye", order: 2 } } } };
  }

  /** Ask the modules and draw the buttons. */
  async render() {
    const controls = this.#base;
    Hooks.callAll("getSceneControlButtons", controls);
    this.controls = controls;
    this.control ??= controls.tokens;
    this.control = controls[this.control.name] ?? controls.tokens;
    const sorted = record => Object.values(record).filter(entry => entry.visible !== false).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    const button = (entry, kind, active) => `<li><button type="button" class="control ui-control ${escapeHTML(entry.icon ?? "")}${active ? " active" : ""}"
      data-${kind}="${escapeHTML(entry.name)}" aria-label="${escapeHTML(game.i18n.localize(entry.title))}"
      title="${escapeHTML(game.i18n.localize(entry.title))}">${escapeHTML(game.i18n.localize(entry.title).slice(0, 2))}</button></li>`;
    const element = document.getElementById("scene-controls");
    element.innerHTML = `<menu id="scene-controls-layers">${sorted(controls).map(entry => button(entry, "control", entry === this.control)).join("")}</menu>
      <menu id="scene-controls-tools">${sorted(this.control.tools).map(tool => button(tool, "tool", tool.active ?? tool.name === this.control.activeTool)).join("")}</menu>`;
    element.onclick = event => this.#onClick(event);
    Hooks.callAll("renderSceneControls", this, element, {}, {});
    return this;
  }

  #onClick(event) {
    const { control, tool } = event.target.closest("button")?.dataset ?? {};
    if ( control ) {
      this.control = this.controls[control];
      this.control.onChange?.(event, true);
      return this.render();
    }
    const chosen = this.control.tools[tool];
    if ( !chosen ) return;
    if ( chosen.toggle ) chosen.active = !chosen.active;
    else if ( !chosen.button ) this.control.activeTool = tool;
    chosen.onChange?.(event, chosen.toggle ? chosen.active : true);
    chosen.onClick?.(chosen.active);
    this.render();
  }
}
