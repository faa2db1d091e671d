/**
 * Which of the three supported pairs of core and system this is.
 * @returns {string}
 */
export function profile() {
  const core = modern() ? "v14" : "v13";
  return `${core}+dnd5e-${Number.parseInt(game.system.version, 10) >= 6 ? "6" : "5.3"}`;
}

/**
 * Tell whether core is version 14 or later.
 * @returns {boolean}
 */
function modern() {
  return (game.release?.generation ?? 13) >= 14;
}

/**
 * An entry of a context menu. Version 14 has other names for its parts.
 * @param {string} label
 * @param {string} symbol
 * @param {(li: HTMLElement) => boolean} visible
 * @param {(li: HTMLElement) => void} act
 * @returns {object}
 */
export function menuEntry(label, symbol, visible, act) {
  const icon = `<i class="fa-solid fa-${symbol}"></i>`;
  if (!modern()) return { name: label, icon, condition: visible, callback: act };
  return { label, icon, visible, onClick: (/** @type {Event} */ _event, /** @type {HTMLElement} */ li) => act(li) };
}

/**
 * What Foundry knows about a status: a list until version 13, a record from 14 on.
 * @param {string} id
 * @returns {any}
 */
export function statusOf(id) {
  const all = /** @type {any} */ (CONFIG.statusEffects);
  return Array.isArray(all) ? all.find((status) => status.id === id) : all[id];
}

/**
 * The duration of an effect that nothing but the bridge or a hand ends.
 * @returns {object}
 */
export function endless() {
  return modern() ? { value: null, units: "seconds", expiry: null } : {};
}

/**
 * The part of an update that takes a key away: an operator where core has one, else the older spelling.
 * @param {string} path
 * @param {string} key
 * @returns {Record<string, any>}
 */
export function without(path, key) {
  const Deletion = /** @type {any} */ (foundry.data).operators?.ForcedDeletion;
  return Deletion ? { [`${path}.${key}`]: new Deletion() } : { [`${path}.-=${key}`]: null };
}
