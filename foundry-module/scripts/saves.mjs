import { keptOf, messageId, postCard, setKept } from "./cards.mjs";
import { ID } from "./text.mjs";
import { find } from "./sheets.mjs";
import { happen } from "./outbox.mjs";
import { rollSave } from "./dnd5e.mjs";

/** @import { Kept, Operation } from "../types.js" */

/** Cards whose save is being rolled on this client. */
const rolling = /** @type {Set<string>} */ (new Set());

/**
 * Who rolls for a creature: the player whose character it is, else a player who owns it, else a GM.
 * @param {any} actor
 * @returns {any}
 */
function rollerOf(actor) {
  const players = game.users.filter(
    (/** @type {any} */ user) => user.active && !user.isGM && actor.testUserPermission(user, "OWNER"),
  );
  const own = players.find((/** @type {any} */ user) => user.character?.id === (actor.token?.actorId ?? actor.id));
  return own ?? players[0] ?? game.users.activeGM;
}

/**
 * Ask for a saving throw: the card stands in the chat until it is rolled, and the right user is asked at once.
 * @param {any} actor
 * @param {Operation} operation
 */
export async function ask(actor, { card, ability, dc, reason, tags = [] }) {
  const posted = await postCard(card, { request: { ability, dc, reason, tags } });
  if (!posted) return;
  const user = rollerOf(actor);
  if (!user) return;
  if (user.isSelf) roll(messageId(card.id));
  else user.query(`${ID}.save`, { message: messageId(card.id) }).catch(() => {});
}

/**
 * Roll the save that a card asks for, on this client, unless it is rolled already.
 * @param {string} id  The message's id.
 */
export async function roll(id) {
  const kept = keptOf(game.messages.get(id));
  const actor = kept && find(kept.actor);
  if (!kept?.request || kept.rolled || !actor?.isOwner || rolling.has(id)) return;
  rolling.add(id);
  try {
    const { ability, dc, reason, tags = [] } = kept.request;
    const result = await rollSave(actor, { ability, dc, tags, flags: { request: kept.id } });
    if (result) await happen(actor, { type: "rolled", id: `save-${messageId(kept.id)}`, request: kept.id, reason, dc, ...result });
  } finally {
    rolling.delete(id);
  }
}

/**
 * A roll for a card came in, or was made here: the card shows it.
 * @param {any} message  The roll's own message.
 */
async function onRolled(message) {
  const request = message.flags?.[ID]?.request;
  if (!request || game.users.activeGM?.isSelf !== true) return;
  const card = game.messages.get(messageId(request));
  const kept = /** @type {Kept|null} */ (keptOf(card));
  const total = message.rolls?.[0]?.total;
  const owner = kept && find(kept.actor)?.testUserPermission(message.author, "OWNER");
  if (!kept?.request || kept.rolled || !owner || !Number.isFinite(total)) return;
  await setKept(card, { rolled: { total, success: total >= kept.request.dc && !message.flags[ID].roll?.fails } });
}

/**
 * Roll dice in the open. A second time, the dice that lie there count.
 * @param {any} actor
 * @param {Operation} operation
 */
export async function rollDice(actor, { card, formula, reason }) {
  const id = messageId(card.id);
  if (!game.messages.get(id)) {
    const dice = await new Roll(formula).evaluate();
    await postCard(card, {}, [dice]);
  }
  const total = game.messages.get(id)?.rolls?.[0]?.total ?? 0;
  await happen(actor, { type: "diceRolled", id: `dice-${id}`, request: card.id, reason, total });
}

/** Let the GM's client ask this one for a roll. */
function init() {
  const queries = /** @type {any} */ (CONFIG).queries;
  queries[`${ID}.save`] = (/** @type {{message: string}} */ { message }) => {
    window.setTimeout(() => roll(message), 0);
    return true;
  };
}

export const hooks = { init, createChatMessage: onRolled };
