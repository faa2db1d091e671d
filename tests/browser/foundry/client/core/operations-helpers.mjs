/** Looking documents up, and spelling v14's update operators as keys. */

import { deepClone, diffObject, expandObject, getType, isEmpty, parseUuid } from "./utils.mjs";

export { deepClone, diffObject, expandObject, isEmpty };

/** foundry.data.operators (v14): deletion and replacement as values. [T: names read in type definitions only] */
export class ForcedDeletion {}

/** Replace the value whole instead of merging it. */
export class ForcedReplacement {
  constructor(value) { this.value = value; }

  static create(value) { return new this(value); }
}

/** Replace operator values by the `-=` and `==` keys that mean the same. */
export function operatorsToKeys(changes) {
  if ( getType(changes) !== "Object" ) return changes;
  const out = {};
  for ( const [path, value] of Object.entries(changes) ) {
    const parts = path.split(".");
    const last = parts.pop();
    const spell = prefix => [...parts, prefix + last].join(".");
    if ( value instanceof ForcedDeletion ) out[spell("-=")] = null;
    else if ( value instanceof ForcedReplacement ) out[spell("==")] = value.value;
    else out[path] = operatorsToKeys(value);
  }
  return out;
}

/** The document with this uuid, of the world or inside another. */
export function fromUuidSync(uuid, { relative, strict = true } = {}) {
  const { doc, collection, primaryId, embedded = [] } = parseUuid(uuid, { relative });
  let document = doc ?? collection?.get(primaryId);
  const rest = [...embedded];
  while ( document && rest.length > 1 ) {
    const [type, id] = rest.splice(0, 2);
    if ( type === "Actor" && document.documentName === "Token" ) document = document.actor;
    else if ( type === "Activity" ) document = document.system.activities?.get(id);
    else document = document.getEmbeddedDocument(type, id);
  }
  return document ?? null;
}

/** The same, for callers that await. */
export async function fromUuid(uuid, options) { return fromUuidSync(uuid, options); }
