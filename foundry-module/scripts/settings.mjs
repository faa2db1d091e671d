import { forget } from "./catalogue.mjs";
import { ID, t } from "./text.mjs";
import { reconsider } from "./link.mjs";
import { Console, toggleWindow } from "./console.mjs";
import { Configure } from "./configure.mjs";

/**
 * Read one of our settings.
 * @param {string} key
 * @returns {any}
 */
export function get(key) {
  return /** @type {any} */ (game.settings).get(ID, key);
}

/**
 * Write one of our settings.
 * @param {string} key
 * @param {any} value
 * @returns {Promise<any>}
 */
export function set(key, value) {
  return /** @type {any} */ (game.settings).set(ID, key, value);
}

/**
 * Tell whether everything is paused: automation, gates and modifiers.
 * @returns {boolean}
 */
export function paused() {
  return get("paused") === true;
}

/**
 * Pause everything, or go on.
 * @param {boolean} [value]  Switched over when left out.
 * @returns {Promise<void>}
 */
export async function pause(value = !paused()) {
  if (!game.user?.isGM) return;
  await set("paused", value);
}

/** Make the settings, the keys and the menu known to Foundry. */
function register() {
  const settings = /** @type {any} */ (game.settings);
  const make = (/** @type {string} */ key, /** @type {object} */ data) =>
    settings.register(ID, key, { config: false, scope: "world", type: String, default: "", ...data });
  make("world", {});
  make("rulebook", {});
  make("ours", { type: Array, default: [] });
  make("catalogue", { type: Object, default: {}, onChange: forget });
  make("paused", {
    type: Boolean,
    default: false,
    config: true,
    name: "CONDITION-BRIDGE.Setting.paused.name",
    hint: "CONDITION-BRIDGE.Setting.paused.hint",
    onChange: onPause,
  });
  for (const key of ["client", "key", "url"]) make(key, { scope: "client" });
  for (const [key, value] of Object.entries({ meter: true, short: false })) {
    const words = { name: `CONDITION-BRIDGE.Setting.${key}.name`, hint: `CONDITION-BRIDGE.Setting.${key}.hint` };
    make(key, { scope: "client", type: Boolean, default: value, config: true, requiresReload: true, ...words });
  }
  settings.registerMenu(ID, "window", {
    name: "CONDITION-BRIDGE.Window.title",
    label: "CONDITION-BRIDGE.Window.open",
    hint: "CONDITION-BRIDGE.Setting.window.hint",
    icon: "fa-solid fa-link",
    type: Console,
    restricted: true,
  });
  settings.registerMenu(ID, "configure", {
    name: "CONDITION-BRIDGE.Configure.title",
    label: "CONDITION-BRIDGE.Configure.open",
    hint: "CONDITION-BRIDGE.Configure.hint",
    icon: "fa-solid fa-sliders",
    type: Configure,
    restricted: true,
  });
  const keys = /** @type {any} */ (game.keybindings);
  const bind = (/** @type {string} */ name, /** @type {string} */ key, /** @type {() => any} */ act) =>
    keys.register(ID, name, {
      name: `CONDITION-BRIDGE.Key.${name}`,
      editable: [{ key, modifiers: ["Alt", "Shift"] }],
      restricted: true,
      onDown: () => {
        act();
        return true;
      },
    });
  bind("pause", "KeyP", pause);
  bind("window", "KeyB", toggleWindow);
}

/**
 * The pause switch was thrown, by whichever GM: everyone sees it.
 * @param {boolean} value
 */
function onPause(value) {
  reconsider();
  /** @type {any} */ (Hooks).callAll(`${ID}.rules`);
  ui.notifications?.info(t(value ? "Pause.on" : "Pause.off"));
  /** @type {any} */ (Hooks).callAll(`${ID}.paused`, value);
  const controls = /** @type {any} */ (ui.controls);
  if (game.user?.isGM) controls?.render?.({ reset: true });
}

/**
 * Put the window and the pause switch among the token controls of a GM.
 * @param {Record<string, any>} controls
 */
function addControls(controls) {
  if (!game.user?.isGM || !controls.tokens?.tools) return;
  const order = Object.keys(controls.tokens.tools).length;
  controls.tokens.tools[`${ID}-window`] = {
    name: `${ID}-window`,
    title: t("Window.open"),
    icon: "fa-solid fa-link",
    order,
    button: true,
    onChange: toggleWindow,
  };
  controls.tokens.tools[`${ID}-pause`] = {
    name: `${ID}-pause`,
    title: t("Key.pause"),
    icon: "fa-solid fa-circle-pause",
    order: order + 1,
    toggle: true,
    active: paused(),
    onChange: (/** @type {Event} */ _event, /** @type {boolean} */ active) => pause(active),
  };
}

export const hooks = { init: register, getSceneControlButtons: addControls };
