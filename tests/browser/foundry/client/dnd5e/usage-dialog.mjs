/** The dialog before an activity is used. dnd5e module/applications/activity/activity-usage-dialog.mjs */

import { DialogV2 } from "../apps/application.mjs";
import { escapeHTML } from "../core/utils.mjs";

/** Whether uses skip their dialog: tests that play a story need no click for each. */
export const usage = { ask: true };

/** What a use consumes. */
export class UsageDialog extends DialogV2 {
  /** Resolves to whether the use goes on. */
  static async create(activity, config) {
    if ( !usage.ask ) return true;
    const rows = [["spellSlot", "Consume Spell Slot?", config.consume?.spellSlot], ["resources", "Consume Resource?", config.consume?.resources?.length],
      ["concentration", "Begin Concentrating?", config.concentration?.begin]].filter(([, , shown]) => shown);
    const content = rows.map(([name, label]) => `<div class="form-group"><label>${label}</label>
      <div class="form-fields"><input type="checkbox" name="${name}" checked></div></div>`).join("");
    const go = await this.wait({ window: { title: escapeHTML(activity.item.name) }, content,
      buttons: [{ action: "use", label: activity.isSpell ? "Cast Spell" : "Use", default: true,
        callback: (event, button) => Object.fromEntries(rows.map(([name]) => [name, button.form.elements[name].checked])) }] });
    if ( !go ) return false;
    if ( go.spellSlot === false ) config.consume.spellSlot = false;
    if ( go.resources === false ) config.consume.resources = [];
    if ( go.concentration === false ) config.concentration.begin = false;
    return true;
  }
}
