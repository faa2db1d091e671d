import { drink, eat } from "./drinks.mjs";
import { hitDice, hitPoints, restKind, restTypes } from "./dnd5e.mjs";
import { pause, paused } from "./settings.mjs";
import { ID, t } from "./text.mjs";
import { happen } from "./outbox.mjs";
import { setLevel } from "./statuses.mjs";
import { status } from "./link.mjs";
import { undo } from "./cards.mjs";

const COMMAND = /^\/(?:drink|eat|water|conditions)(?:\s|$)/iu;

/**
 * A chat message is about to be sent: is it one of our commands? The bridge reads it.
 * @param {any} _log
 * @param {string} text
 * @param {{speaker?: any}} data
 * @returns {boolean|void}
 */
function onChat(_log, text, { speaker } = {}) {
  if (!COMMAND.test(text.trim())) return;
  const user = /** @type {any} */ (game.user);
  const chosen = /** @type {any} */ (canvas)?.tokens?.controlled?.[0]?.actor;
  const spoken = game.scenes.get(speaker?.scene)?.tokens.get(speaker?.token)?.actor ?? game.actors.get(speaker?.actor);
  const actor = (user.isGM ? (chosen ?? spoken) : (user.character ?? chosen ?? spoken)) ?? (text.includes("@") ? game.actors.contents[0] : null);
  if (!actor) ui.notifications?.warn(t("Command.who"));
  else if (paused()) ui.notifications?.warn(t("Pause.on"));
  else happen(actor, { type: "said", text: text.trim().slice(0, 500) });
  return false;
}

/**
 * A rest has begun: its dialog is confirmed.
 * @param {"long"|"short"} kind
 * @returns {(actor: any) => void}
 */
const onRestBegan = (kind) => (actor) => {
  if (hitPoints(actor)) happen(actor, { type: "restBegan", kind });
};

/**
 * A rest is finished.
 * @param {any} actor
 * @param {any} result
 * @param {any} config
 */
function onRestFinished(actor, result, config) {
  if (!hitPoints(actor)) return;
  const kind = restKind(result.type);
  const length = Math.round((config.duration ?? (kind === "long" ? 480 : 60)) * 60);
  happen(actor, { type: "restFinished", kind, length, hitDiceBefore: hitDice(result.clone ?? actor) });
}

/** Listen to the types of rest of this table, and offer what macros and other modules may use. */
function ready() {
  const on = /** @type {any} */ (Hooks).on.bind(Hooks);
  for (const type of restTypes()) on(`dnd5e.${type}Rest`, onRestBegan(restKind(type)));
  const module = /** @type {any} */ (game.modules.get(ID));
  module.api = {
    drink,
    eat: (/** @type {any} */ actor) => eat(actor, "food"),
    water: (/** @type {any} */ actor) => eat(actor, "water"),
    setLevel,
    pause,
    paused,
    status,
    undo,
  };
}

export const hooks = { chatMessage: onChat, "dnd5e.restCompleted": onRestFinished, ready };
