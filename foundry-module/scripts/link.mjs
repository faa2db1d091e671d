import { acknowledged, forwardAll, handOver } from "./outbox.mjs";
import { get, paused, set } from "./settings.mjs";
import { hmac, nonce } from "./proof.mjs";
import { ID, t } from "./text.mjs";
import { automation } from "./dnd5e.mjs";
import { by, everyone } from "./sheets.mjs";
import { profile } from "./profile.mjs";
import { receive } from "./apply.mjs";
import { showWorld } from "./pictures.mjs";
import { textOf } from "./words.mjs";

/** @import { Message } from "../types.js" */

const PROTOCOL = { min: 1, max: 1 };
/** Seconds before a hand-shake counts as failed, and the longest pause between two tries. */
const PATIENCE = 10;
const LONGEST = 30;
/** Close codes after which trying again would change nothing. */
const FINAL = /** @type {Record<number, string>} */ ({ 4003: "refused", 4010: "version", 4011: "taken", 4012: "refused" });
const ERRORS = /** @type {Record<string, string>} */ ({ "not-paired": "refused", version: "version", taken: "taken", conflict: "refused" });

const encoder = new TextEncoder();
/** @type {WebSocket|null} */
let socket = null;
/** @type {{bridge: string, own: string, code: string}} */
let greeting = { bridge: "", own: "", code: "" };
/** @type {{message: number, batch: number, page: number}|null} */
let limits = null;
let state = "unpaired";
let detail = "";
/** The bridge has said that trying again is of no use: only a hand, or the end of the other tab, changes that. */
let stopped = false;
let tries = 0;
let count = 0;
let timer = 0;
/** @type {Message[]} */
let queue = [];
/** @type {Map<number, Message>} */
let unacknowledged = new Map();
/** Who waits for which answer: id of the question -> what to do with the view. */
const asked = /** @type {Map<string, (view: any) => void>} */ (new Map());

/**
 * How the link is: a state, and one plain sentence about it.
 * @returns {{state: string, sentence: string}}
 */
export function status() {
  const data = { url: address(), detail, name: leader()?.name ?? "" };
  return { state, sentence: detail && state === "refused" ? detail : t(`State.${state}`, data) };
}

/**
 * Tell whether this client is the one that speaks with the bridge.
 * @returns {boolean}
 */
export function connected() {
  return limits !== null;
}

/**
 * How many bytes a message to the bridge may have.
 * @returns {number}
 */
export function room() {
  return limits?.message ?? 0;
}

/**
 * Tell whether this client is the one that speaks with the bridge, or would if the bridge were there.
 * @returns {boolean}
 */
export function speaks() {
  return connected() || ["down", "connecting"].includes(state);
}

/**
 * Tell whether this browser has a key.
 * @returns {boolean}
 */
export function paired() {
  return Boolean(get("key") && get("world"));
}

/**
 * The bridge's address: as it was set, else the usual one on this machine.
 * @returns {string}
 */
export function address() {
  return get("url") || "ws://127.0.0.1:8787/";
}

/**
 * The GM whose client speaks with the bridge: the active one if paired, else the paired one with the lowest id.
 * @returns {any}
 */
function leader() {
  const isPaired = (/** @type {any} */ user) => (user.isSelf ? paired() : Boolean(user.flags?.[ID]?.paired));
  const active = /** @type {any} */ (game.users.activeGM);
  if (active && isPaired(active)) return active;
  const others = game.users.filter((/** @type {any} */ user) => user.isGM && user.active && isPaired(user));
  return others.sort((/** @type {any} */ a, /** @type {any} */ b) => (a.id < b.id ? -1 : 1))[0] ?? null;
}

/**
 * Show a new state, wherever it is shown.
 * @param {string} now
 * @param {string} [sentence]
 */
function become(now, sentence = "") {
  state = now;
  detail = sentence;
  /** @type {any} */ (Hooks).callAll(`${ID}.state`, status());
}

/** Who speaks, and whether at all, may have changed: connect, wait or hang up. */
export function reconsider() {
  if (!game.ready || !game.user?.isGM) return;
  const reason = idle();
  if (reason) {
    if (greeting.code) return;
    hangUp();
    become(reason);
    if (reason === "waiting") handOver();
  } else if (!socket && !stopped) connect();
}

/**
 * Why this client is not to speak with the bridge; empty when it is.
 * @returns {string}
 */
function idle() {
  if (paused()) return "paused";
  if (!paired()) return "unpaired";
  return leader()?.isSelf ? "" : "waiting";
}

/** A hand wants another try. */
export function retryNow() {
  stopped = false;
  reconsider();
}

/** Close the line without trying again. */
function hangUp() {
  window.clearTimeout(timer);
  const old = socket;
  drop();
  stopped = false;
  tries = 0;
  old?.close(1000);
}

/** Forget the conversation. Happenings stay where they are kept; pictures will be taken anew. */
function drop() {
  if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
  socket = null;
  limits = null;
  queue = [];
  unacknowledged = new Map();
  count = 0;
  for (const id of asked.keys()) answer({ id });
}

/** Tabs of one browser share its key: they agree among themselves which of them speaks. */
const tabs = new BroadcastChannel(ID);
let other = 0;
tabs.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data === "who?" && connected()) tabs.postMessage("me");
  else if (data === "me") other = performance.now();
  else if (data === "bye") hurry();
};

/** Open the line, unless another tab has one. */
async function connect() {
  window.clearTimeout(timer);
  if (state !== "taken" && state !== "down") become("connecting");
  const asked = performance.now();
  tabs.postMessage("who?");
  await new Promise((resolve) => window.setTimeout(resolve, 100));
  // Another GM may have come meanwhile: a line that is opened now would keep theirs out.
  if (socket || (idle() && !greeting.code)) return;
  if (other >= asked && !greeting.code) {
    become("taken");
    retry();
    return;
  }
  try {
    socket = new WebSocket(address());
  } catch (error) {
    console.warn(`${ID} |`, error);
    greeting.code = "";
    become(error instanceof SyntaxError ? "address" : "blocked");
    return;
  }
  const mine = socket;
  timer = window.setTimeout(() => mine.close(), PATIENCE * 1000);
  socket.onmessage = (event) => hear(mine, JSON.parse(event.data));
  socket.onclose = (event) => closed(event);
}

/**
 * The line is closed: try again, later and later, unless that is of no use.
 * @param {CloseEvent} event
 */
function closed(event) {
  const wasConnected = connected();
  const pairing = Boolean(greeting.code);
  drop();
  window.clearTimeout(timer);
  greeting.code = "";
  if (event.code in FINAL) {
    stopped = true;
    become(FINAL[event.code], state === "refused" ? detail : event.reason);
    return;
  }
  if (event.code === 4004) become("taken");
  else if (state !== "taken" && !["refused", "version", "impostor"].includes(state)) become("down", event.reason);
  if ((pairing && !paired()) || ["refused", "version", "impostor"].includes(state)) return;
  if (wasConnected) tries = 0;
  retry();
}

/** Try again after a random pause; the longest one grows. */
function retry() {
  const most = Math.min(LONGEST, 0.5 * 2 ** tries++);
  timer = window.setTimeout(reconsider, Math.random() * most * 1000);
}

/** Something woke us: try at once. */
function hurry() {
  if (socket || !["down", "taken", "connecting"].includes(state)) return;
  tries = 0;
  retryNow();
}

/**
 * Pair this browser with the code that the bridge showed.
 * @param {string} url
 * @param {string} code
 */
export async function pair(url, code) {
  await set("url", url.trim());
  if (!get("world")) await set("world", foundry.utils.randomID());
  hangUp();
  greeting.code = code.trim();
  connect();
}

/** Give up this browser's key. */
export async function unpair() {
  hangUp();
  await set("key", "");
  await set("client", "");
  await /** @type {any} */ (game.user).setFlag(ID, "paired", false);
  become("unpaired");
}

/**
 * What the bridge must know of this table.
 * @returns {object}
 */
function table() {
  const active = game.modules.contents.filter((/** @type {any} */ module) => module.active);
  return {
    world: get("world"),
    name: game.world.title,
    home: game.world.id ?? "",
    profile: profile(),
    core: game.version ?? "",
    system: game.system.version,
    module: /** @type {any} */ (game.modules.get(ID))?.version ?? "",
    modules: active.slice(0, 500).map((/** @type {any} */ module) => module.id.slice(0, 64)),
    ...automation(),
  };
}

/**
 * A message came in.
 * @param {WebSocket} line
 * @param {any} message
 */
async function hear(line, message) {
  if (message.type === "batch") {
    for (const one of message.messages) await hear(line, one);
    return;
  }
  const act = /** @type {Record<string, (message: any, line: WebSocket) => any>} */ (MESSAGES)[message.type];
  if (line === socket && act && (connected() || !message.type.match(/^(?:ack|answer|apply|catalogue|status)$/u))) {
    await act(message, line);
  }
}

const MESSAGES = {
  challenge: greet,
  paired: keepKey,
  welcome,
  /** @param {any} message */
  async ack({ n }) {
    const done = [...unacknowledged.values()].filter((message) => (message.n ?? 0) <= n);
    for (const message of done) unacknowledged.delete(message.n ?? 0);
    await acknowledged(done);
    /** @type {any} */ (Hooks).callAll(`${ID}.news`);
  },
  answer,
  error: fault,
  apply: receive,
  /** @param {any} message */
  catalogue(message) {
    if (message.version !== get("catalogue")?.version) return set("catalogue", message);
  },
  /** @param {any} message */
  status(message) {
    if (message.state !== "ok") ui.notifications?.warn(message.message);
  },
};

/**
 * The bridge says which versions it speaks, and challenges us.
 * @param {any} message
 */
async function greet({ protocol, nonce: challenge }) {
  if (protocol.min > PROTOCOL.max || protocol.max < PROTOCOL.min) {
    become("version");
    socket?.close(4010);
    return;
  }
  greeting = { bridge: challenge, own: nonce(), code: greeting.code };
  const user = { user: game.user?.id, userName: game.user?.name };
  if (greeting.code) {
    speak([{ type: "pair", protocol: PROTOCOL, code: greeting.code, table: table(), ...user }]);
    greeting.code = "";
    return;
  }
  const text = `client|${challenge}|${greeting.own}|${get("world")}|${location.origin}`;
  const proof = { client: get("client"), nonce: greeting.own, mac: await hmac(get("key"), text) };
  speak([{ type: "auth", protocol: PROTOCOL, ...proof, table: table(), ...user }]);
}

/**
 * The code was right: keep this browser's own key, and prove it.
 * @param {any} message
 */
async function keepKey({ client, key }) {
  await set("client", client);
  await set("key", key);
  await /** @type {any} */ (game.user).setFlag(ID, "paired", true);
  await greet({ protocol: PROTOCOL, nonce: greeting.bridge });
}

/**
 * The bridge has taken our proof. It is let in once it has proved itself as well; then it is shown the whole world.
 * @param {any} message
 * @param {WebSocket} line
 */
async function welcome(message, line) {
  const text = `server|${greeting.own}|${greeting.bridge}|${get("world")}`;
  const proof = await hmac(get("key"), text);
  if (line !== socket) return;
  if (message.mac !== proof) {
    become("impostor");
    line.close(4003);
    return;
  }
  window.clearTimeout(timer);
  tries = 0;
  limits = message.limits;
  become("connected");
  if (message.rulebook && message.rulebook !== get("rulebook")) await set("rulebook", message.rulebook);
  const actors = everyone();
  showWorld(actors, message.limits);
  forwardAll(actors);
}

/**
 * The bridge did not accept something. What is wrong once is wrong again: it is not kept.
 * @param {any} message
 */
function fault({ code, message: english, about, id, said }) {
  const message = said ? textOf(said) : english;
  answer({ id });
  const refused = unacknowledged.get(about);
  if (refused) {
    unacknowledged.delete(about);
    acknowledged([refused]);
  }
  if (!connected()) become(ERRORS[code] ?? "refused", message);
  else if (refused?.by && refused.by.user !== game.user?.id) {
    /** @type {any} */ (game.users.get(refused.by.user))?.query(`${ID}.notify`, { text: message }).catch(() => {});
  } else if (code === "info") ui.notifications?.info(message);
  else if (code !== "already-done") ui.notifications?.warn(message);
}

/**
 * Send a message, numbered, with whatever else is sent in this moment.
 * @param {Message} message
 */
export function send(message) {
  if (!connected()) return;
  if (!queue.length) queueMicrotask(flush);
  const numbered = { ...message, n: ++count };
  unacknowledged.set(numbered.n, numbered);
  queue.push(numbered);
}

/**
 * Ask the bridge for a view; null when it is not there, or does not know.
 * @param {string} what
 * @param {Record<string, any>} [about]
 * @returns {Promise<any>}
 */
export function ask(what, about = {}) {
  if (!connected()) return Promise.resolve(null);
  const id = foundry.utils.randomID();
  speak([{ type: "ask", id, what, about, by: by(game.user?.id ?? "") }]);
  return new Promise((resolve) => asked.set(id, resolve));
}

/**
 * The answer to a question has come, or never will.
 * @param {{id: string, view?: any}} answer
 */
function answer({ id, view = null }) {
  asked.get(id)?.(view);
  asked.delete(id);
}

/** Put what is queued on the line, in as few frames as the bridge takes. */
function flush() {
  const { batch = 100 } = limits ?? {};
  /** @type {string[]} */
  let frame = [];
  let size = 100;
  const put = () => {
    if (frame.length) socket?.send(frame.length === 1 ? frame[0] : `{"type":"batch","messages":[${frame.join(",")}]}`);
    frame = [];
    size = 100;
  };
  for (const message of queue) {
    const text = JSON.stringify(message);
    const length = encoder.encode(text).length + 1;
    if (frame.length >= batch || size + length > room()) put();
    frame.push(text);
    size += length;
  }
  put();
  queue = [];
}

/**
 * Send what belongs to the hand-shake.
 * @param {object[]} messages
 */
function speak(messages) {
  for (const message of messages) if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** The world is there. */
async function ready() {
  const user = /** @type {any} */ (game.user);
  if (!user.isGM) return;
  window.addEventListener("online", hurry);
  window.addEventListener("pagehide", () => connected() && tabs.postMessage("bye"));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && hurry());
  if (!get("world") && user === game.users.activeGM) await set("world", foundry.utils.randomID());
  if (Boolean(user.flags?.[ID]?.paired) !== paired()) await user.setFlag(ID, "paired", paired());
  reconsider();
  if (!leader()) ui.notifications?.info(t("State.nobody"));
}

export const hooks = { ready, userConnected: reconsider, updateUser: reconsider };
