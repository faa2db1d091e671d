/** Document: source data, prepared data, embedded collections, permissions and operations. */

import { Collection } from "./collection.mjs";
import { createDocuments, deleteDocuments, updateDocuments } from "./operations.mjs";
import { deepClone, expandObject, getProperty, mergeObject } from "./utils.mjs";

const LEVELS = { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 };

/** The documents inside another document; their sources are the entries of the parent's source. */
export class EmbeddedCollection extends Collection {
  constructor(name, parent) {
    super();
    this.name = name;
    this.parent = parent;
  }

  get documentClass() { return CONFIG[this.name].documentClass; }

  get source() { return this.parent._source[this.documentClass.collectionName]; }

  /** Make the documents match the source, keeping those that are still there. */
  refresh() {
    const ids = new Set(this.source.map(data => data._id));
    for ( const id of [...this.keys()] ) if ( !ids.has(id) ) this.delete(id);
    for ( const data of this.source ) {
      const present = this.get(data._id);
      if ( present?._source === data ) present.reset();
      else if ( present ) { present._source = data; present.reset(); }
      else this.set(data._id, new this.documentClass(data, { parent: this.parent, keepSource: true }));
    }
  }

  /** Take a document in that the server created. */
  addSource(data) {
    const document = new this.documentClass(data, { parent: this.parent, keepSource: true });
    this.source.push(document._source);
    this.set(document.id, document);
    return document;
  }

  /** Let a document go that the server deleted. */
  removeSource(id) {
    const index = this.source.findIndex(data => data._id === id);
    if ( index >= 0 ) this.source.splice(index, 1);
    this.delete(id);
  }
}

/** What all documents have in common. */
export class Document {
  static documentName = "Document";

  static collectionName = "documents";

  /** Kinds of embedded documents, by name. */
  static embedded = {};

  /** What a document has that its data does not mention. */
  static defaults() { return {}; }

  static get implementation() { return CONFIG[this.documentName]?.documentClass ?? this; }

  static get metadata() {
    return { name: this.documentName, collection: this.collectionName, embedded: this.embedded };
  }

  constructor(data = {}, { parent = null, pack = null, keepSource = false } = {}) {
    const hidden = (name, value) => Object.defineProperty(this, name, { value, writable: true, configurable: true });
    hidden("parent", parent);
    hidden("pack", pack ?? parent?.pack ?? null);
    hidden("apps", {});
    hidden("collections", {});
    // An embedded document's source stays the very object in its parent's source, filled up with defaults.
    const source = mergeObject(this.constructor.defaults(data), expandObject(data), { performDeletions: true });
    if ( keepSource ) Object.assign(data, source);
    hidden("_source", keepSource ? data : source);
    for ( const [name, cls] of Object.entries(this.constructor.embeddedClasses) ) {
      this._source[cls.collectionName] ??= [];
      const collection = new EmbeddedCollection(name, this);
      this.collections[cls.collectionName] = collection;
      hidden(cls.collectionName, collection);
    }
    this.reset();
  }

  static get embeddedClasses() {
    return Object.fromEntries(this.embedded ? Object.keys(this.embedded).map(name => [name, CONFIG[name].documentClass]) : []);
  }

  /** Forget everything derived and read the source anew. */
  reset() {
    this._initialize();
    if ( game.ready || game._preparing ) if ( !this.isEmbedded ) this._safePrepareData();
  }

  /** Copy the source into the document's own fields. */
  _initialize() {
    for ( const [key, value] of Object.entries(this._source) ) {
      if ( !(key in this.collections) ) this[key] = deepClone(value);
    }
    for ( const collection of Object.values(this.collections) ) collection.refresh();
  }

  _safePrepareData() {
    try { this.prepareData(); }
    catch(error) { Hooks.onError(`${this.documentName}#prepareData ${this.uuid}`, error); }
  }

  prepareData() {
    this.prepareBaseData();
    this.prepareEmbeddedDocuments();
    this.prepareDerivedData();
  }

  prepareBaseData() {}

  prepareEmbeddedDocuments() {
    for ( const collection of Object.values(this.collections) ) for ( const doc of collection ) doc._safePrepareData();
  }

  prepareDerivedData() {}

  get id() { return this._source._id ?? null; }

  get documentName() { return this.constructor.documentName; }

  get collectionName() { return this.constructor.collectionName; }

  get isEmbedded() { return !!this.parent && this.documentName in (this.parent.constructor.embedded ?? {}); }

  get inCompendium() { return !!this.pack; }

  get schema() { return { has: key => key in this.constructor.defaults({}) }; }

  get collection() {
    if ( this.isEmbedded ) return this.parent.collections[this.collectionName];
    return this.pack ? game.packs.get(this.pack) : game.collections.get(this.documentName);
  }

  get uuid() {
    if ( !this.id ) return null;
    const own = `${this.documentName}.${this.id}`;
    return this.parent ? `${this.parent.uuid}.${own}` : this.pack ? `Compendium.${this.pack}.${own}` : own;
  }

  get isOwner() { return this.testUserPermission(game.user, "OWNER"); }

  get visible() { return this.testUserPermission(game.user, "LIMITED"); }

  get limited() { return this.testUserPermission(game.user, "LIMITED", { exact: true }); }

  get permission() { return this.getUserLevel(game.user); }

  get hasPlayerOwner() { return game.users.some(user => !user.isGM && this.testUserPermission(user, "OWNER")); }

  /** The ownership level that a user has. */
  getUserLevel(user = game.user) {
    if ( user.isGM ) return LEVELS.OWNER;
    if ( !this._source.ownership && this.parent ) return this.parent.getUserLevel(user);
    const ownership = this._source.ownership ?? {};
    return Math.max(ownership[user.id] ?? ownership.default ?? 0, 0);
  }

  testUserPermission(user, level, { exact = false } = {}) {
    const wanted = typeof level === "string" ? LEVELS[level] : level;
    const actual = this.getUserLevel(user);
    return exact ? actual === wanted : actual >= wanted;
  }

  canUserModify(user, action) { return user.isGM || this.testUserPermission(user, "OWNER"); }

  /* Data */

  toObject(source = true) { return deepClone(source ? this._source : { ...this, _id: this.id }); }

  toJSON() { return this.toObject(); }

  /** Change this client's copy only. */
  updateSource(changes = {}) {
    mergeObject(this._source, expandObject(changes), { performDeletions: true });
    this.reset();
    return changes;
  }

  /** A copy that is not saved. */
  clone(changes = {}, { keepId = false, ...context } = {}) {
    const data = mergeObject(this.toObject(), changes, { performDeletions: true });
    if ( !keepId ) delete data._id;
    const copy = new this.constructor(data, { parent: this.parent, ...context });
    copy._safePrepareData();
    return copy;
  }

  getFlag(scope, key) { return getProperty(this.flags?.[scope] ?? {}, key); }

  async setFlag(scope, key, value) {
    checkScope(scope);
    return this.update({ flags: { [scope]: { [key]: value } } });
  }

  async unsetFlag(scope, key) {
    checkScope(scope);
    const parts = key.split(".");
    const last = parts.pop();
    return this.update({ [["flags", scope, ...parts, `-=${last}`].join(".")]: null });
  }

  getEmbeddedCollection(name) {
    const cls = this.constructor.embeddedClasses[name];
    if ( !cls ) throw new Error(`${name} is not a valid embedded document of ${this.documentName}`);
    return this.collections[cls.collectionName];
  }

  getEmbeddedDocument(name, id, options) {
    return this.constructor.embedded[name] ? this.getEmbeddedCollection(name).get(id, options) : undefined;
  }

  getRelativeUUID(to) {
    return this.uuid.startsWith(`${to?.uuid}.`) ? this.uuid.slice(to.uuid.length) : this.uuid;
  }

  render() {}

  /* What the server tells */

  /** Write an accepted change into the source. */
  _commit(change) {
    const own = { ...change };
    for ( const key of Object.keys(this.collections) ) delete own[key];
    mergeObject(this._source, deepClone(own), { performDeletions: true });
  }

  /** Embedded documents were written or deleted: the actor of an unlinked token keeps them in its delta. */
  _trackDelta(cls, written, deletedIds) {}

  /** The source of this document has changed. */
  _changed() { this.reset(); }

  /** Something embedded in this document has changed: the outermost document prepares everything anew. */
  _embeddedChanged() {
    if ( this.isEmbedded ) this.parent._embeddedChanged();
    else this.reset();
  }

  /* Workflow, for subclasses */

  async _preCreate(data, options, user) {}

  async _preUpdate(changed, options, user) {}

  async _preDelete(options, user) {}

  _onCreate(data, options, userId) {}

  _onUpdate(changed, options, userId) {}

  _onDelete(options, userId) {}

  _onCreateDescendantDocuments(parent, collection, documents, data, options, userId) {}

  _onUpdateDescendantDocuments(parent, collection, documents, changes, options, userId) {}

  _onDeleteDescendantDocuments(parent, collection, documents, ids, options, userId) {}

  /* Operations */

  static async createDocuments(data = [], operation = {}) { return createDocuments(this, data, operation); }

  static async updateDocuments(updates = [], operation = {}) { return updateDocuments(this, updates, operation); }

  static async deleteDocuments(ids = [], operation = {}) { return deleteDocuments(this, ids, operation); }

  /** Create one document, or several. */
  static async create(data, operation = {}) {
    const created = await this.createDocuments(Array.isArray(data) ? data : [data], operation);
    return Array.isArray(data) ? created : created[0];
  }

  /** Resolves to undefined when nothing changed or a handler said no. */
  async update(data = {}, operation = {}) {
    const updated = await this.constructor.updateDocuments([{ ...data, _id: this.id }],
      { ...operation, parent: this.parent, pack: this.pack });
    return updated[0];
  }

  async delete(operation = {}) {
    const deleted = await this.constructor.deleteDocuments([this.id], { ...operation, parent: this.parent, pack: this.pack });
    return deleted[0];
  }

  async createEmbeddedDocuments(name, data = [], operation = {}) {
    return CONFIG[name].documentClass.createDocuments(data, { ...operation, parent: this });
  }

  async updateEmbeddedDocuments(name, updates = [], operation = {}) {
    return CONFIG[name].documentClass.updateDocuments(updates, { ...operation, parent: this });
  }

  async deleteEmbeddedDocuments(name, ids = [], operation = {}) {
    return CONFIG[name].documentClass.deleteDocuments(ids, { ...operation, parent: this });
  }
}

/** Flags belong to the core, the world, the system or an active module. */
function checkScope(scope) {
  if ( ["core", "world", game.system.id].includes(scope) || game.modules.get(scope)?.active ) return;
  throw new Error(`Flag scope "${scope}" is not valid or not currently active`);
}

/** A collection of the world's documents of one kind. */
export class WorldCollection extends Collection {
  constructor(documentName) {
    super();
    this.documentName = documentName;
  }

  get documentClass() { return CONFIG[this.documentName].documentClass; }

  /** Build the documents that the server sent at first. */
  load(datas) {
    for ( const data of datas ) {
      const document = new this.documentClass(data, { pack: this.pack });
      this.set(document.id, document);
    }
  }

  /** Take a document of a compendium into the world. [D] */
  async importFromCompendium(pack, id) { return this.documentClass.create(pack.get(id).toObject()); }
}

/** A compendium: documents beside the world, which every client here has loaded. [D: `pack` and the uuid of its documents] */
export class CompendiumCollection extends WorldCollection {
  constructor(documentName, pack) {
    super(documentName);
    this.pack = this.collection = pack;
  }
}
