import { drink, eat } from "./drinks.mjs";
import { hitDice, hitPoints, restKind, restTypes } from "./dnd5e.mjs";
import { pause, paused } from "./settings.mjs";
import { ID, t } from "./text.mjs";
import { happen, happenTo } from "./outbox.mjs";
import { sentenceOf } from "./views.mjs";
import { setLevel } from "./statuses.mjs";
import { ask, status } from "./link.mjs";
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

/**
 * The GM gives a creature, or several, a condition, moves its level, or ends it (level 0).
 * @param {any} actors
 * @param {string} condition
 * @param {Record<string, any>} [how]  `level`, `source` (an actor), `lasts` with `amount`, or with `ability`, `dc` and `moment`; `forced`.
 */
async function give(actors, condition, { level = 1, source, ...how } = {}) {
  await happenTo(actors, { type: "given", ...how, condition, level, source: source?.uuid ?? source ?? "" });
}

/**
 * Why a creature has a condition: a sentence for each cause; null while the bridge is away.
 * @param {any} actor
 * @param {string} condition
 * @returns {Promise<string[]|null>}
 */
async function explain(actor, condition) {
  const view = await ask("why", { actor: actor.uuid, condition });
  const causes = view?.parts?.find((/** @type {any} */ part) => part.id === "causes")?.rows ?? [];
  return view && causes.map(sentenceOf);
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
    apply: give,
    setLevel,
    why: explain,
    pause,
    paused,
    status,
    undo,
  };
}

export const hooks = { chatMessage: onChat, "dnd5e.restCompleted": onRestFinished, ready };
