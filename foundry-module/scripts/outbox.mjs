import { by, find } from "./sheets.mjs";
import { connected, send, speaks } from "./link.mjs";
import { ID, t } from "./text.mjs";
import { paused } from "./settings.mjs";
import { without } from "./profile.mjs";

/** @import { Happening, Message } from "../types.js" */

/** How many happenings of a player wait on an actor at most. */
const MOST = 50;
/** Happenings of this GM's own browser that the bridge has not acknowledged, by id. */
const OWN = `${ID}.happenings`;
/** What was forwarded in this session: id of the happening -> the actor whose outbox it came from. */
const forwarded = /** @type {Map<string, any>} */ (new Map());
/** Who wrote an entry, as Foundry said when it was written: id of the happening -> user. */
const writers = /** @type {Map<string, string>} */ (new Map());

/**
 * Something happened that leaves no trace in a picture. On the connected GM's client it goes to the bridge, while the
 * bridge is away it waits in that browser, on any other on the actor: Foundry's own permissions say that the user may write there.
 * @param {any} actor
 * @param {{type: string, [field: string]: any}} what
 * @returns {Promise<void>}
 */
export async function happen(actor, what) {
  if (paused() || !actor || actor.pack) return;
  const user = /** @type {any} */ (game.user);
  /** @type {Happening} */
  const happening = {
    id: what.id ?? foundry.utils.randomID(),
    actor: actor.uuid,
    by: by(user.id),
    at: game.time.worldTime,
    ...what,
  };
  if (speaks()) {
    keep({ ...own(), [happening.id]: happening });
    if (connected()) send(happening);
  } else await leave(happening, actor.isOwner ? actor : user.character);
}

/**
 * Something happened to one creature, or in one to several: a GM's word only.
 * @param {any} actors  One actor, or a list of them.
 * @param {{type: string, [field: string]: any}} what
 * @returns {Promise<void>}
 */
export async function happenTo(actors, what) {
  const [first, ...others] = [actors].flat().filter(Boolean);
  await happen(first, others.length ? { ...what, others: others.map((actor) => actor.uuid) } : what);
}

/**
 * Leave a happening on an actor, for the client that speaks with the bridge.
 * @param {Happening} happening
 * @param {any} where
 * @returns {Promise<boolean>}
 */
async function leave(happening, where) {
  const waiting = Object.keys(where?.flags?.[ID]?.outbox ?? {}).length;
  if (waiting >= MOST) ui.notifications?.warn(t("Outbox.full"));
  if (!where || waiting >= MOST) return false;
  await where.update({ [`flags.${ID}.outbox.${happening.id}`]: JSON.stringify(happening) });
  return true;
}

/** Another client speaks with the bridge from now on: leave it what still waits in this browser. */
export async function handOver() {
  for (const happening of Object.values(own())) {
    if (!(await leave(happening, find(happening.actor)))) continue;
    // Only now: this page may end at any moment, and what stands in both places counts once.
    const { [happening.id]: _left, ...rest } = own();
    keep(rest);
  }
}

/**
 * What waits in this browser.
 * @returns {Record<string, Happening>}
 */
function own() {
  return JSON.parse(localStorage.getItem(`${OWN}.${game.world.id}`) ?? "{}");
}

/**
 * Keep what waits in this browser.
 * @param {Record<string, Happening>} happenings
 */
function keep(happenings) {
  localStorage.setItem(`${OWN}.${game.world.id}`, JSON.stringify(happenings));
}

/**
 * Send everything that waits, in the order in which it happened.
 * @param {any[]} actors
 */
export function forwardAll(actors) {
  forwarded.clear();
  const waiting = actors.flatMap((actor) => entries(actor));
  const mine = Object.values(own()).map((happening) => ({ happening, actor: null }));
  const all = [...mine, ...waiting].sort((a, b) => (a.happening.at ?? 0) - (b.happening.at ?? 0));
  for (const { happening, actor } of all) forward(happening, actor);
}

/**
 * The happenings on an actor that are in order: written by someone who owns the creature that they are about.
 * @param {any} actor
 * @returns {{happening: Happening, actor: any}[]}
 */
function entries(actor) {
  return Object.entries(actor.flags?.[ID]?.outbox ?? {}).flatMap(([id, text]) => {
    const happening = read(id, text, actor);
    return happening ? [{ happening, actor }] : [];
  });
}

/**
 * Read one entry. Who did it is never taken from the entry itself as long as Foundry has said it; after a reload nobody
 * is believed to be a GM.
 * @param {string} id
 * @param {any} text
 * @param {any} actor
 * @returns {Happening|null}
 */
function read(id, text, actor) {
  try {
    const happening = JSON.parse(text);
    const owns = (/** @type {any} */ user) => user && (find(happening.actor)?.testUserPermission(user, "OWNER") ?? false);
    const said = game.users.get(happening.by?.user);
    const user = writers.has(id) ? game.users.get(writers.get(id) ?? "") : owns(said) && !said?.isGM ? said : ownerOf(actor);
    if (!user || !owns(user)) return null;
    return { ...happening, id, by: by(user.id), ...("owner" in happening ? { owner: true } : {}) };
  } catch (_notOurs) {
    return null;
  }
}

/**
 * A player who owns the actor.
 * @param {any} actor
 * @returns {any}
 */
function ownerOf(actor) {
  return game.users.find((/** @type {any} */ user) => !user.isGM && actor.testUserPermission(user, "OWNER"));
}

/**
 * Send one happening, once a session.
 * @param {Happening} happening
 * @param {any} actor  The actor whose outbox it stands in; null for this browser's.
 */
function forward(happening, actor) {
  if (forwarded.has(happening.id)) return;
  forwarded.set(happening.id, actor);
  send(happening);
}

/**
 * An actor changed: is there something new in its outbox?
 * @param {any} actor
 * @param {any} changed
 * @param {object} _options
 * @param {string} userId
 */
function onUpdate(actor, changed, _options, userId) {
  const added = changed.flags?.[ID]?.outbox;
  if (!added || !game.user?.isGM) return;
  for (const id of Object.keys(added)) if (typeof added[id] === "string") writers.set(id, userId);
  if (!connected()) return;
  for (const { happening } of entries(actor)) forward(happening, actor);
}

/**
 * The bridge has these messages on disk: nobody need keep them.
 * @param {Message[]} messages
 */
export async function acknowledged(messages) {
  const ids = messages.filter((message) => "id" in message).map((message) => message.id);
  const mine = own();
  if (ids.some((id) => id in mine)) {
    keep(Object.fromEntries(Object.entries(mine).filter(([id]) => !ids.includes(id))));
  }
  /** @type {Map<any, string[]>} */
  const places = new Map();
  for (const id of ids) {
    const actor = forwarded.get(id);
    writers.delete(id);
    if (actor?.flags?.[ID]?.outbox?.[id]) places.set(actor, [...(places.get(actor) ?? []), id]);
  }
  for (const [actor, done] of places) {
    await actor.update(Object.assign({}, ...done.map((id) => without(`flags.${ID}.outbox`, id))));
  }
}

export const hooks = { updateActor: onUpdate };
