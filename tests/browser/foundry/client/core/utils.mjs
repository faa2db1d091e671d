/** foundry.utils: the helpers that modules use, with core's documented behaviour. */

/** Name of a value's type, as core tells types apart. */
export function getType(value) {
  if ( value === undefined ) return "undefined";
  if ( value === null ) return "null";
  if ( typeof value !== "object" ) return typeof value;
  if ( Array.isArray(value) ) return "Array";
  for ( const type of [Set, Map, Promise, Error] ) if ( value instanceof type ) return type.name;
  const prototype = Object.getPrototypeOf(value);
  return [Object.prototype, null].includes(prototype) ? "Object" : "Unknown";
}

const isPlain = value => getType(value) === "Object";

/** Deep copy of plain objects and arrays; instances of classes are kept as they are. */
export function deepClone(original) {
  if ( Array.isArray(original) ) return original.map(deepClone);
  if ( !isPlain(original) ) return original;
  return Object.fromEntries(Object.entries(original).map(([key, value]) => [key, deepClone(value)]));
}

/** Copy by way of JSON. */
export const duplicate = original => JSON.parse(JSON.stringify(original));

/** Whether there is nothing in a value. */
export function isEmpty(value) {
  if ( value === undefined || value === null ) return true;
  if ( Array.isArray(value) ) return !value.length;
  if ( value instanceof Set || value instanceof Map ) return !value.size;
  return isPlain(value) && !Object.keys(value).length;
}

/** The value at a dotted path. */
export function getProperty(object, path) {
  if ( !path || object === null || object === undefined ) return undefined;
  if ( path in Object(object) ) return object[path];
  let target = object;
  for ( const part of path.split(".") ) {
    if ( target === null || target === undefined ) return undefined;
    target = target[part];
  }
  return target;
}

/** Whether there is anything at a dotted path. */
export function hasProperty(object, path) {
  if ( !path || !object ) return false;
  if ( path in object ) return true;
  let target = object;
  for ( const part of path.split(".") ) {
    if ( target === null || typeof target !== "object" || !(part in target) ) return false;
    target = target[part];
  }
  return true;
}

/** Write at a dotted path; says whether that changed anything. */
export function setProperty(object, path, value) {
  const parts = path.split(".");
  const last = parts.pop();
  let target = object;
  for ( const part of parts ) target = target[part] ??= {};
  const changed = target[last] !== value;
  target[last] = value;
  return changed;
}

/** Delete at a dotted path; says whether there was anything. */
export function deleteProperty(object, path) {
  const parts = path.split(".");
  const last = parts.pop();
  const target = parts.length ? getProperty(object, parts.join(".")) : object;
  return !!target && last in target && delete target[last];
}

/** Dotted keys become nested objects, also inside arrays of objects. */
export function expandObject(object) {
  if ( Array.isArray(object) ) return object.map(expandObject);
  if ( !isPlain(object) ) return object;
  const out = {};
  for ( const [key, raw] of Object.entries(object) ) {
    const value = expandObject(raw);
    const present = getProperty(out, key);
    if ( isPlain(value) && isPlain(present) ) mergeObject(present, value);
    else setProperty(out, key, value);
  }
  return out;
}

/** Nested objects become dotted keys. */
export function flattenObject(object) {
  const out = {};
  for ( const [key, value] of Object.entries(object) ) {
    if ( !isPlain(value) || isEmpty(value) ) out[key] = value;
    else for ( const [inner, leaf] of Object.entries(flattenObject(value)) ) out[`${key}.${inner}`] = leaf;
  }
  return out;
}

/** Merge one object into another; arrays are replaced. Instances of classes are merged into, as core does. */
export function mergeObject(original, other = {}, options = {}, depth = 0) {
  const { insertKeys = true, insertValues = true, overwrite = true, recursive = true, inplace = true,
    performDeletions = false } = options;
  other ??= {};
  if ( depth === 0 ) {
    if ( Object.keys(other).some(key => key.includes(".")) ) other = expandObject(other);
    if ( Object.keys(original).some(key => key.includes(".")) ) {
      const expanded = expandObject(original);
      if ( !inplace ) original = expanded;
      else {
        for ( const key of Object.keys(original) ) delete original[key];
        Object.assign(original, expanded);
      }
    }
    else if ( !inplace ) original = deepClone(original);
  }
  const mergeable = value => ["Object", "Unknown"].includes(getType(value));
  for ( const [key, value] of Object.entries(other) ) {
    if ( performDeletions && key.startsWith("-=") ) delete original[key.slice(2)];
    else if ( performDeletions && key.startsWith("==") ) original[key.slice(2)] = deepClone(value);
    else if ( key in original ) {
      if ( recursive && mergeable(value) && mergeable(original[key]) ) {
        mergeObject(original[key], value, { ...options, inplace: true, insertKeys: insertValues }, depth + 1);
      }
      else if ( overwrite ) original[key] = value;
    }
    else if ( depth ? insertValues : insertKeys ) {
      original[key] = isPlain(value)
        ? mergeObject({}, value, { performDeletions }) : value;
    }
  }
  return original;
}

/** Whether two JSON-like values are the same. */
export function objectsEqual(a, b) {
  if ( a === b ) return true;
  const type = getType(a);
  if ( type !== getType(b) ) return false;
  if ( type === "Array" ) return a.length === b.length && a.every((value, index) => objectsEqual(value, b[index]));
  if ( type !== "Object" ) return type === "number" && Number.isNaN(a) && Number.isNaN(b);
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => key in b && objectsEqual(a[key], b[key]));
}

/** What of `other` differs from `original`. */
export function diffObject(original, other, { inner = false, deletionKeys = false } = {}) {
  const out = {};
  for ( const [key, value] of Object.entries(other) ) {
    if ( key.startsWith("-=") ) {
      if ( deletionKeys && key.slice(2) in original ) out[key] = value;
    }
    else if ( key.startsWith("==") ) {
      if ( deletionKeys && !objectsEqual(original[key.slice(2)], value) ) out[key] = value;
    }
    else if ( inner && !(key in original) ) continue;
    else if ( isPlain(original[key]) && isPlain(value) ) {
      const difference = diffObject(original[key], value, { inner, deletionKeys });
      if ( !isEmpty(difference) ) out[key] = difference;
    }
    else if ( !objectsEqual(original[key], value) ) out[key] = value;
  }
  return out;
}

/** Keep of an object what a template has. */
export function filterObject(source, template) {
  return Object.fromEntries(Object.entries(source).filter(([key]) => key in template)
    .map(([key, value]) => [key, isPlain(value) && isPlain(template[key]) ? filterObject(value, template[key]) : value]));
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A random id. */
export function randomID(length = 16) {
  return Array.from(crypto.getRandomValues(new Uint32Array(length)), n => ALPHABET[n % ALPHABET.length]).join("");
}

/** Whether version `a` is newer than version `b`. */
export function isNewerVersion(a, b) {
  const parts = version => String(version).split(".").map(part => Number.isNaN(Number(part)) ? part : Number(part));
  const [left, right] = [parts(a), parts(b)];
  for ( let i = 0; i < Math.max(left.length, right.length); i++ ) {
    const [x, y] = [left[i] ?? 0, right[i] ?? 0];
    if ( x !== y ) return typeof x === typeof y ? x > y : String(x) > String(y);
  }
  return false;
}

/** Call a function once it has not been called for a while. */
export function debounce(callback, delay) {
  let timer;
  return function(...args) {
    clearTimeout(timer);
    timer = setTimeout(() => callback.apply(this, args), delay);
  };
}

/** Call a function at most once in a while, the last call included. */
export function throttle(callback, delay) {
  let [timer, waiting] = [null, null];
  return function later(...args) {
    if ( timer ) { waiting = args; return; }
    callback.apply(this, args);
    timer = setTimeout(() => {
      timer = null;
      if ( waiting ) { const next = waiting; waiting = null; later.apply(this, next); }
    }, delay);
  };
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#x27;" };

/** Make text safe inside markup. */
export const escapeHTML = value => String(value ?? "").replace(/[&<>"']/g, letter => ENTITIES[letter]);

/** Elements of a piece of markup: the one, or all in a list. */
export function parseHTML(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  const { children } = template.content;
  return children.length > 1 ? children : children[0];
}

/** Parts of a uuid. */
export function parseUuid(uuid, { relative } = {}) {
  if ( !uuid ) return {};
  const parts = String(uuid).split(".");
  if ( parts[0] === "" ) return { uuid, doc: relative, embedded: parts.slice(1) };
  if ( parts[0] === "Compendium" ) {
    const [, scope, name, type, primaryId, ...embedded] = parts;
    return { uuid, collection: game.packs.get(`${scope}.${name}`), primaryType: type, primaryId, embedded, id: parts.at(-1) };
  }
  const [type, id, ...embedded] = parts;
  return { uuid, collection: game.collections.get(type), documentType: type, documentId: id, primaryType: type,
    primaryId: id, embedded, type: embedded.at(-2) ?? type, id: embedded.at(-1) ?? id };
}

/** Deprecation notes of core go to the console. */
export const logCompatibilityWarning = (message, options = {}) => console.warn(message, options);

/** Address of a file of this server. */
export const getRoute = path => `/${String(path).replace(/^\//, "")}`;

/** Fetch with core's signature. */
export const fetchWithTimeout = (url, data = {}, { timeoutMs = 30000 } = {}) =>
  fetch(url, { ...data, signal: AbortSignal.timeout(timeoutMs) });

/** Fetch and parse. */
export const fetchJsonWithTimeout = async (...args) => (await fetchWithTimeout(...args)).json();

/** Freeze a plain object and everything in it. */
export function deepFreeze(object) {
  for ( const value of Object.values(object) ) if ( isPlain(value) ) deepFreeze(value);
  return Object.freeze(object);
}

/** Whether a class is or extends another. */
export const isSubclass = (cls, parent) => cls === parent || Object.prototype.isPrototypeOf.call(parent, cls);

/** Give the user a file. [D] */
export function saveDataToFile(data, type, filename) {
  const link = Object.assign(document.createElement("a"), { download: filename, href: URL.createObjectURL(new Blob([data], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 100);
}
