/**
 * Create, update and delete: what the initiating client does before it asks the server, and what every client does
 * when the server has accepted. The order is core's: the document's own `_preX`, the `preX` hook, the server; then for
 * everyone the new source, data preparation, the document's own `_onX`, the `X` hook, the parents' descendant events.
 */

import { deepClone, diffObject, expandObject, fromUuidSync, isEmpty, operatorsToKeys } from "./operations-helpers.mjs";

/** Options as they travel: JSON, without references to documents. */
function wire(options) {
  const { parent, pack, ...rest } = options;
  return JSON.parse(JSON.stringify(rest));
}

/** Split an operation into the part that core interprets and the options that hooks get. */
function prepare(operation) {
  const { parent = null, noHook = false, keepId = false, diff = true, deleteAll = false, ...options } = operation;
  const pack = operation.pack ?? parent?.pack ?? null;
  return { parent, pack, noHook, keepId, diff, deleteAll, options: { ...options, parent, pack, keepId, diff, noHook } };
}

/** Fire and forget: an error in what the system does afterwards is reported, not thrown. */
function follow(promise, where) {
  if ( promise?.catch ) promise.catch(error => Hooks.onError(where, error));
}

/** Document.createDocuments */
export async function createDocuments(cls, datas, operation) {
  const { parent, pack, noHook, keepId, options } = prepare(operation);
  const accepted = [];
  for ( const raw of datas ) {
    const data = expandObject(raw?.toObject ? raw.toObject() : deepClone(raw));
    if ( !keepId ) delete data._id;
    const document = new cls.implementation(data, { parent, pack });
    if ( await document._preCreate(data, options, game.user) === false ) continue;
    if ( !noHook && Hooks.call(`preCreate${cls.documentName}`, document, data, options, game.userId) === false ) continue;
    accepted.push(document.toObject());
  }
  if ( !accepted.length ) return [];
  return socketOperation({ action: "create", documentName: cls.documentName, pack, parent: parent?.uuid ?? null,
    data: accepted, keepId, options: wire(options) });
}

/** Document.updateDocuments */
export async function updateDocuments(cls, updates, operation) {
  const { parent, pack, noHook, diff, options } = prepare(operation);
  const accepted = [];
  for ( const raw of updates ) {
    let changed = expandObject(operatorsToKeys(deepClone(raw)));
    const id = changed._id;
    delete changed._id;
    const document = findDocument(cls.documentName, parent, id, pack);
    if ( !document ) throw new Error(`${cls.documentName} "${id}" does not exist!`);
    if ( diff ) {
      changed = diffObject(document._source, changed, { deletionKeys: true });
      if ( isEmpty(changed) ) continue;
    }
    changed._id = id;
    if ( await document._preUpdate(changed, options, game.user) === false ) continue;
    if ( !noHook && Hooks.call(`preUpdate${cls.documentName}`, document, changed, options, game.userId) === false ) continue;
    accepted.push(expandObject(operatorsToKeys(changed)));
  }
  if ( !accepted.length ) return [];
  return socketOperation({ action: "update", documentName: cls.documentName, pack, parent: parent?.uuid ?? null,
    updates: accepted, diff, options: wire(options) });
}

/** Document.deleteDocuments */
export async function deleteDocuments(cls, ids, operation) {
  const { parent, pack, noHook, deleteAll, options } = prepare(operation);
  if ( deleteAll ) ids = (parent ? parent.getEmbeddedCollection(cls.documentName)
    : collectionOf(cls.documentName, pack)).map(document => document.id);
  const accepted = [];
  for ( const id of ids ) {
    const document = findDocument(cls.documentName, parent, id, pack);
    if ( !document ) throw new Error(`${cls.documentName} "${id}" does not exist!`);
    if ( await document._preDelete(options, game.user) === false ) continue;
    if ( !noHook && Hooks.call(`preDelete${cls.documentName}`, document, options, game.userId) === false ) continue;
    accepted.push(id);
  }
  if ( !accepted.length ) return [];
  return socketOperation({ action: "delete", documentName: cls.documentName, pack, parent: parent?.uuid ?? null,
    ids: accepted, options: wire(options) });
}

const socketOperation = operation => game.socket.operate(operation);

/** The documents of a kind: those of the world, or of a compendium. */
const collectionOf = (name, pack) => pack ? game.packs.get(pack) : game.collections.get(name);

/** The document of a kind with this id: of the world or a compendium, in a parent, or the synthetic actor of a token. */
function findDocument(name, parent, id, pack) {
  if ( !parent ) return collectionOf(name, pack).get(id);
  if ( name === "Actor" ) return parent.actor;
  return parent.getEmbeddedCollection(name).get(id);
}

/** Carry out on this client what the server accepted; returns the documents concerned. */
export function receiveOperation(message) {
  const parent = message.parent ? fromUuidSync(message.parent) : null;
  if ( message.parent && !parent ) return [];
  const cls = CONFIG[message.documentName].documentClass;
  const options = { ...message.options, parent, pack: message.pack ?? null };
  const act = { create: created, update: updated, delete: deleted }[message.action];
  const documents = act(cls, message.result, parent, options, message.userId);
  globalThis.dispatchEvent(new CustomEvent("standin:changed", { detail: message }));
  return documents;
}

/** New documents take their places. */
function created(cls, datas, parent, options, userId) {
  const documents = [];
  for ( const data of datas ) {
    if ( parent ) documents.push(parent.getEmbeddedCollection(cls.documentName).addSource(data));
    else {
      const document = new cls(data, { pack: options.pack });
      collectionOf(cls.documentName, options.pack).set(document.id, document);
      document._safePrepareData();
      documents.push(document);
    }
  }
  parent?._trackDelta(cls, documents, []);
  parent?._embeddedChanged();
  for ( const [index, document] of documents.entries() ) {
    follow(document._onCreate(datas[index], options, userId), `${cls.documentName}#_onCreate`);
    Hooks.callAll(`create${cls.documentName}`, document, options, userId);
  }
  notify(parent, "Create", cls, documents, datas, options, userId);
  return documents;
}

/** Changes are written into their documents. */
function updated(cls, changes, parent, options, userId) {
  const pairs = [];
  for ( const change of changes ) {
    const document = findDocument(cls.documentName, parent, change._id, options.pack);
    if ( !document ) continue;
    document._commit(change);
    pairs.push([document, change]);
  }
  if ( parent && cls.documentName !== "Actor" ) {
    parent._trackDelta(cls, pairs.map(pair => pair[0]), []);
    parent._embeddedChanged();
  }
  else for ( const [document] of pairs ) document._changed();
  for ( const [document, change] of pairs ) {
    follow(document._onUpdate(change, options, userId), `${cls.documentName}#_onUpdate`);
    Hooks.callAll(`update${cls.documentName}`, document, change, options, userId);
  }
  notify(parent, "Update", cls, pairs.map(pair => pair[0]), pairs.map(pair => pair[1]), options, userId);
  return pairs.map(pair => pair[0]);
}

/** Documents leave their collections. */
function deleted(cls, ids, parent, options, userId) {
  const documents = [];
  for ( const id of ids ) {
    const document = findDocument(cls.documentName, parent, id, options.pack);
    if ( !document ) continue;
    documents.push(document);
    if ( parent ) parent.getEmbeddedCollection(cls.documentName).removeSource(id);
    else collectionOf(cls.documentName, options.pack).delete(id);
  }
  parent?._trackDelta(cls, [], documents.map(document => document.id));
  parent?._embeddedChanged();
  for ( const document of documents ) {
    follow(document._onDelete(options, userId), `${cls.documentName}#_onDelete`);
    Hooks.callAll(`delete${cls.documentName}`, document, options, userId);
  }
  notify(parent, "Delete", cls, documents, documents.map(document => document.id), options, userId);
  return documents;
}

/** Tell the parents of embedded documents, the nearest first. */
function notify(parent, event, cls, documents, changes, options, userId) {
  if ( cls.documentName === "Actor" || !documents.length ) return;
  for ( let ancestor = parent; ancestor; ancestor = ancestor.parent ) {
    const result = ancestor[`_on${event}DescendantDocuments`]?.(parent, cls.collectionName, documents, changes, options, userId);
    follow(result, `_on${event}DescendantDocuments`);
  }
}
