import { lowerSpeed, withdrawSpeed } from "./dnd5e.mjs";
import { catalogue } from "./catalogue.mjs";
import { creature, everyone } from "./sheets.mjs";
import { paused } from "./settings.mjs";
import { ID } from "./text.mjs";
import { speedAfter } from "./evaluate.mjs";

/** Let what conditions do to Speed count in what Foundry moves by: after the system has derived a creature's data. */
function init() {
  const { prototype } = CONFIG.Actor.documentClass;
  const derive = prototype.prepareDerivedData;
  /** @this {any} */
  prototype.prepareDerivedData = function prepareDerivedData() {
    derive.call(this);
    if (this.statuses.size && !paused()) lowerSpeed(this, (speed) => speedAfter(catalogue(), creature(this), speed));
  };
  withdraw();
}

/** Where a condition of the rulebook stands in place of the system's own, the system's part in Speed is withdrawn. */
function withdraw() {
  withdrawSpeed(paused() ? [] : catalogue().conditions.filter((entry) => entry.instead).map((entry) => entry.id));
}

/** The catalogue has changed, or the pause switch was thrown: derive the Speed of all that it may concern again. */
function derive() {
  withdraw();
  for (const actor of everyone().filter((one) => one.statuses.size)) {
    actor.reset();
    actor.render();
  }
}

export const hooks = { init, [`${ID}.rules`]: derive };
