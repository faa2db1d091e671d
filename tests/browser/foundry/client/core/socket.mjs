/** The connection to the simulated server: operations, queries and module messages, in one order. */

import { randomID } from "./utils.mjs";
import { receiveOperation } from "./operations.mjs";

/** One tab's line to the server. */
export class Socket {
  #socket;

  #operations = new Map();

  #queries = new Map();

  #listeners = new Map();

  /** Operations arrive in the server's order and are carried out one after the other. */
  #ready = false;

  #backlog = [];

  /** Connect as a user; resolves with what the server says first. */
  async connect(userId) {
    const url = new URL(`/socket?user=${encodeURIComponent(userId)}`, location.href);
    url.protocol = "ws:";
    this.#socket = new WebSocket(url);
    return new Promise((resolve, reject) => {
      this.#socket.onerror = () => reject(new Error("The server cannot be reached"));
      this.#socket.onclose = () => this.#lost();
      this.#socket.onmessage = event => {
        const message = JSON.parse(event.data);
        if ( message.type === "welcome" ) return resolve(message);
        if ( this.#ready ) this.#receive(message);
        else this.#backlog.push(message);
      };
    });
  }

  /** From here on messages act; those that came while the world was being built act now. */
  start() {
    this.#ready = true;
    for ( const message of this.#backlog.splice(0) ) this.#receive(message);
  }

  get connected() { return this.#socket.readyState === WebSocket.OPEN; }

  /** As Foundry's client does, tell the user and come back by loading the page anew. */
  #lost() {
    for ( const { reject } of [...this.#operations.values(), ...this.#queries.values()] ) {
      reject(new Error("The connection to the server was lost"));
    }
    globalThis.ui?.notifications?.error("Lost connection to the server", { permanent: true });
    const retry = async () => {
      const back = await fetch("/game").then(response => response.ok, () => false);
      if ( back ) location.reload();
      else setTimeout(retry, 300);
    };
    setTimeout(retry, 300);
  }

  /** Send an operation; resolves with the documents once this client has carried it out itself. */
  async operate(operation) {
    const id = randomID();
    return new Promise((resolve, reject) => {
      this.#operations.set(id, { resolve, reject });
      this.#send({ type: "operation", id, operation });
    });
  }

  /** Ask another user's client; rejects when it does not answer in time. */
  async query(to, name, data, timeout) {
    const id = randomID();
    return new Promise((resolve, reject) => {
      this.#queries.set(id, { resolve, reject });
      if ( timeout ) setTimeout(() => reject(new Error(`User query ${name} timed out`)), timeout);
      this.#send({ type: "query", id, to, name, data, timeout });
    }).finally(() => this.#queries.delete(id));
  }

  /** Tell all other clients. */
  emit(channel, ...args) { this.#send({ type: "emit", channel, args }); }

  /** Listen to what other clients emit; the sender's id comes as the last argument. */
  on(channel, fn) {
    if ( !this.#listeners.has(channel) ) this.#listeners.set(channel, new Set());
    this.#listeners.get(channel).add(fn);
  }

  off(channel, fn) { this.#listeners.get(channel)?.delete(fn); }

  #send(message) { this.#socket.send(JSON.stringify(message)); }

  #receive(message) {
    switch ( message.type ) {
      case "operation": return this.#received(message);
      case "refused": return this.#settle(this.#operations, message);
      case "answer": return this.#settle(this.#queries, message);
      case "query": return this.#answer(message);
      case "presence": return game.users.get(message.userId)?._setActive(message.active);
      case "dice":
        standin.dice.push(...message.faces);
        return this.#send({ type: "seen", key: message.key });
      case "emit":
        for ( const fn of this.#listeners.get(message.channel) ?? [] ) {
          try { fn(...structuredClone(message.args), message.userId); }
          catch(error) { Hooks.onError(`socket ${message.channel}`, error); }
        }
    }
  }

  #received(message) {
    const documents = receiveOperation(message);
    const waiting = message.id && this.#operations.get(message.id);
    if ( !waiting ) return;
    this.#operations.delete(message.id);
    waiting.resolve(documents);
  }

  #settle(map, message) {
    const waiting = map.get(message.id);
    map.delete(message.id);
    if ( message.error ) {
      if ( message.type === "refused" ) ui.notifications?.error(message.error);
      waiting?.reject(new Error(message.error));
    }
    else waiting?.resolve(message.data);
  }

  async #answer(message) {
    const answer = { type: "answer", id: message.id, to: message.userId };
    try {
      const handler = CONFIG.queries[message.name];
      if ( !handler ) throw new Error(`The query ${message.name} is not registered`);
      answer.data = await handler(message.data, { timeout: message.timeout }) ?? null;
    } catch(error) {
      answer.error = error.message;
    }
    this.#send(answer);
  }
}
