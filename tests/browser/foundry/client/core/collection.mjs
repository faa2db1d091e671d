/** Collection: a Map that iterates over its values, with array-like helpers. */
export class Collection extends Map {
  [Symbol.iterator]() { return this.values(); }

  get contents() { return Array.from(this.values()); }

  /** The entry under a key; `strict` makes a missing one an error. */
  get(key, { strict = false } = {}) {
    const value = super.get(key);
    if ( strict && value === undefined ) throw new Error(`The key ${key} does not exist in the ${this.constructor.name}`);
    return value;
  }

  /** The first entry of this name. */
  getName(name) { return this.find(entry => entry.name === name); }

  find(test) { return this.contents.find((entry, index) => test(entry, index, this)); }

  filter(test) { return this.contents.filter((entry, index) => test(entry, index, this)); }

  map(transform) { return this.contents.map((entry, index) => transform(entry, index, this)); }

  reduce(join, initial) { return this.contents.reduce((all, entry, index) => join(all, entry, index, this), initial); }

  some(test) { return this.contents.some((entry, index) => test(entry, index, this)); }

  every(test) { return this.contents.every((entry, index) => test(entry, index, this)); }

  forEach(act) { for ( const entry of this.contents ) act(entry); }

  toJSON() { return this.map(entry => entry.toJSON?.() ?? entry); }
}
