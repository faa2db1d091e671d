/** A menu at the pointer. v13 entries have name, condition and callback; v14 ones label, visible and onClick. [T] */

import { escapeHTML } from "../core/utils.mjs";

/** Show the entries that apply to an element. */
export function openContextMenu(event, target, entries) {
  closeContextMenu();
  const modern = game.release.generation >= 14;
  const shown = entries.filter(entry => {
    const test = modern && "visible" in entry ? entry.visible : entry.condition;
    return typeof test === "function" ? test(target) : test ?? true;
  });
  const menu = document.createElement("nav");
  menu.id = "context-menu";
  menu.innerHTML = `<menu class="context-items">${shown.map(({ name, label, icon }) =>
    `<li class="context-item">${icon ?? ""}<span>${escapeHTML(game.i18n.localize(label ?? name))}</span></li>`).join("")}</menu>`;
  for ( const [index, element] of [...menu.querySelectorAll(".context-item")].entries() ) {
    const { onClick, callback } = shown[index];
    element.addEventListener("click", click => {
      closeContextMenu();
      if ( modern && onClick ) onClick(click, target);
      else callback(target);
    });
  }
  Object.assign(menu.style, { left: `${Math.min(event.clientX, innerWidth - 220)}px`, top: `${event.clientY}px` });
  document.body.append(menu);
}

/** Take the menu away. */
export function closeContextMenu() { document.getElementById("context-menu")?.remove(); }

document.addEventListener("pointerdown", event => { if ( !event.target.closest("#context-menu") ) closeContextMenu(); });
