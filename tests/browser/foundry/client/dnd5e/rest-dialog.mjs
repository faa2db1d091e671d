/** The dialog of a rest: Hit Dice are rolled from inside it. dnd5e module/applications/actor/rest/short-rest-dialog.mjs */

import { DialogV2 } from "../apps/application.mjs";

/** Answers that tests prepared: {hitDice: number} or null to cancel. */
export const restAnswers = [];

/** How long the rest takes, and Hit Dice to roll. */
export class RestDialog extends DialogV2 {
  /** Returns what was chosen, or null when the rest was called off. */
  static async configure(actor, config) {
    if ( restAnswers.length ) {
      const answer = restAnswers.shift();
      for ( let i = 0; i < (answer?.hitDice ?? 0); i++ ) await actor.rollHitDie();
      return answer && { newDay: config.newDay };
    }
    const { hd } = actor.system.attributes;
    const dice = config.type === "short" && hd ? `<p><button type="button" data-roll-hit-die>Roll a Hit Die</button>
      <output>${hd.value}</output> left</p>` : "";
    return this.wait({
      window: { title: `${CONFIG.DND5E.restTypes[config.type].label}: ${actor.name}` },
      content: `<p>How long does the rest take? ${config.duration} minutes.</p>${dice}`,
      render: (event, dialog) => dialog.element.querySelector("[data-roll-hit-die]")?.addEventListener("click", async () => {
        await actor.rollHitDie();
        dialog.element.querySelector("output").textContent = actor.system.attributes.hd.value;
      }),
      buttons: [{ action: "rest", label: "Rest", default: true, callback: () => ({ newDay: config.newDay }) },
        { action: "cancel", label: "Cancel", callback: () => null }]
    });
  }
}
