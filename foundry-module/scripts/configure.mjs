import { ID, el, t } from "./text.mjs";
import { connected, paired } from "./link.mjs";
import { known, linkState, meetings, pairing } from "./connection.mjs";
import { Viewer } from "./viewer.mjs";

/** The house rules, a page for each subject; and what only this browser knows of other modules and the link. */
export class Configure extends Viewer {
  static DEFAULT_OPTIONS = {
    id: `${ID}-configure`,
    window: { title: "CONDITION-BRIDGE.Configure.title", icon: "fa-solid fa-sliders" },
    position: { width: 640 },
  };

  question = { what: "configure", about: /** @type {Record<string, any>} */ ({}) };

  /**
   * Draw the window.
   * @returns {Promise<HTMLElement>}
   */
  async _renderHTML() {
    const { page } = this.question.about;
    const away = !connected();
    return el(
      "div.cb-window",
      {},
      (away || page === "connection") && linkState(),
      away && el("p.hint", {}, t("Configure.away")),
      this.drawn(null),
      page === "modules" && (meetings() || el("p.hint", {}, t("Configure.alone"))),
      !paired() && pairing(),
      page === "connection" && paired() && known(),
    );
  }
}
