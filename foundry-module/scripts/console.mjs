import { ID, el, icon, t } from "./text.mjs";
import { Viewer, toggle } from "./viewer.mjs";
import { known, linkState, meetings, pairing } from "./connection.mjs";
import { Configure } from "./configure.mjs";
import { catalogue } from "./catalogue.mjs";
import { everyone } from "./sheets.mjs";
import { get } from "./settings.mjs";
import { levelOn } from "./statuses.mjs";
import { connected, paired, status } from "./link.mjs";

/** @import { View } from "../types/protocol.d.ts" */

/** The GM's one window: the link and its pairing, the views of the bridge, and the pause switch. */
export class Console extends Viewer {
  static DEFAULT_OPTIONS = { id: `${ID}-window`, window: { title: "CONDITION-BRIDGE.Window.title" } };

  /**
   * Draw the window.
   * @returns {Promise<HTMLElement>}
   */
  async _renderHTML() {
    const rulebook = status().state === "connected" && get("rulebook");
    return el(
      "div.cb-window",
      {},
      linkState(),
      rulebook && el("p.cb-rulebook", {}, icon("book"), t("Window.rulebook", { name: rulebook }), el("button", { type: "button", "data-action": "cb-configure", onclick: () => toggle(Configure) }, t("Configure.open"))),
      !paired() && pairing(),
      paired() && !connected() && known(),
      this.drawn(withoutBridge()),
      meetings(),
      connected() && known(),
    );
  }
}

/**
 * What the documents themselves show while the bridge is away: who has what.
 * @returns {View}
 */
function withoutBridge() {
  const line = (/** @type {string} */ key) => ({ key, text: "" });
  const known = catalogue().conditions.map((entry) => entry.id);
  const rows = everyone().flatMap((actor) =>
    known
      .filter((id) => actor.statuses?.has(id))
      .map((id) => ({ id: `${actor.uuid}-${id}`, actor: actor.uuid, condition: id, level: levelOn(actor, id).level, lines: [], controls: [] })),
  );
  const list = { part: /** @type {"rows"} */ ("rows"), id: "statuses", title: line("who-has-what"), rows, empty: line("nobody"), controls: [], more: 0 };
  return { what: "console", title: line("console"), parts: [list], controls: [] };
}

/** Open the window, or close it. */
export const toggleWindow = () => toggle(Console);
