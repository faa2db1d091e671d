/** Core adds a few methods to the language's own types, and modules use them. */
const define = (target, methods) => {
  for ( const [name, value] of Object.entries(methods) ) {
    if ( !(name in target) ) Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
};

define(Math, {
  clamp: (value, min, max) => Math.min(Math.max(value, min), max),
  toRadians: degrees => degrees * Math.PI / 180
});

define(Number, {
  isNumeric: value => !(value instanceof Array) && value !== null && value !== "" && +value === +value
});

define(Number.prototype, {
  signedString() { return this >= 0 ? `+${this}` : `−${Math.abs(this)}`; },
  toNearest(interval = 1, method = "round") { return Math[method](this / interval) * interval; },
  ordinalString() { return `${this}${["th", "st", "nd", "rd"][this % 10] ?? "th"}`; }
});

define(String.prototype, {
  capitalize() { return this ? this[0].toUpperCase() + this.slice(1) : this; },
  titleCase() { return this.split(" ").map(word => word.capitalize()).join(" "); },
  compare(other) { return this.localeCompare(other); },
  stripScripts() { return this.replace(/<script.*?<\/script>/gis, ""); },
  slugify() { return this.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""); }
});

define(Array.prototype, {
  findSplice(test, replacement) {
    const index = this.findIndex(test);
    if ( index < 0 ) return null;
    return replacement === undefined ? this.splice(index, 1)[0] : this.splice(index, 1, replacement)[0];
  },
  equals(other) { return this.length === other.length && this.every((value, index) => value === other[index]); },
  partition(test) { return this.reduce((parts, value) => { parts[test(value) ? 1 : 0].push(value); return parts; }, [[], []]); },
  filterJoin(separator) { return this.filter(value => value).join(separator); }
});
define(Array, { fromRange: (count, min = 0) => Array.from({ length: count }, (_, index) => index + min) });

define(Set.prototype, {
  first() { return this.values().next().value; },
  filter(test) { return new Set([...this].filter(test)); },
  map(transform) { return new Set([...this].map(transform)); },
  find(test) { return [...this].find(test); },
  some(test) { return [...this].some(test); },
  every(test) { return [...this].every(test); },
  reduce(join, initial) { return [...this].reduce(join, initial); },
  equals(other) { return this.size === other.size && [...this].every(value => other.has(value)); },
  intersects(other) { return [...this].some(value => other.has(value)); },
  toObject() { return [...this]; }
});
Object.defineProperty(RegExp, "escape", { value: text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), configurable: true });
