/**
 * The second evaluator of the catalogue (the first is the bridge's). Pure: everything it needs is given.
 * Creatures, places and hit points have the shape that they have on the wire.
 */

/** @import { Catalogue, Effect, Entry, Facts, Given, HitPoints, Limits, Modifier, Place, Predicate, Sheet } from "../types.js" */

const ABILITIES = ["str", "dex", "con", "int", "wis", "cha"];
/** Feet of a square's side. */
const SQUARE = 5;

/**
 * The level of every status that the creature has, implied ones included.
 * @param {Sheet} creature
 * @param {Catalogue} catalogue
 * @returns {Map<string, number>}
 */
function levelsOf(creature, catalogue) {
  const immune = new Set(creature.conditionImmunities ?? []);
  const implied = new Map(catalogue.conditions.map((entry) => [entry.id, entry.implied ?? []]));
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const effect of creature.effects ?? []) {
    if (effect.disabled) continue;
    for (const status of effect.statuses) {
      if (immune.has(status) && !effect.mark?.forced) continue;
      found.set(status, Math.max(found.get(status) ?? 0, effect.mark?.level ?? 1));
    }
  }
  const queue = [...found.keys()];
  for (const parent of queue) {
    for (const status of implied.get(parent) ?? []) {
      if (found.has(status) || immune.has(status)) continue;
      found.set(status, 1);
      queue.push(status);
    }
  }
  return found;
}

/**
 * Each condition of the catalogue that the creature has: its entry, level, and the effects that carry it.
 * @param {Catalogue} catalogue
 * @param {Sheet} creature
 * @returns {{entry: Entry, level: number, effects: Effect[]}[]}
 */
export function inForce(catalogue, creature) {
  const levels = levelsOf(creature, catalogue);
  return catalogue.conditions
    .filter((entry) => levels.has(entry.id) && entry.mode !== "off")
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((entry) => ({
      entry,
      level: Math.min(levels.get(entry.id) ?? 1, entry.levels.length),
      effects: (creature.effects ?? []).filter((effect) => !effect.disabled && effect.statuses.includes(entry.id)),
    }));
}

/**
 * What `roller` gets on a roll, from its own conditions and from its target's: what applies, and what is only offered
 * because it depends on something that is not known; `native` is what the system does itself.
 * @param {Catalogue} catalogue
 * @param {Sheet} roller
 * @param {string} roll  As in `check.wis.prc`, `save.con.concentration`, `attack.melee`, `initiative`.
 * @param {Sheet|null} target
 * @param {Facts} facts
 * @returns {{given: Given[], offered: Given[], native: Given[]}}
 */
export function evaluate(catalogue, roller, roll, target, facts) {
  const [kind, ...rest] = roll.split(".");
  const ability = kind === "initiative" ? "dex" : rest.find((part) => ABILITIES.includes(part));
  const what = { kind, ability, tags: rest.filter((part) => !ABILITIES.includes(part)) };
  /** @type {{given: Given[], offered: Given[], native: Given[]}} */
  const outcome = { given: [], offered: [], native: [] };
  for (const [bearer, other, onMe] of /** @type {[Sheet|null, Sheet|null, boolean][]} */ ([
    [roller, target, false],
    [target, roller, true],
  ])) {
    if (!bearer) continue;
    for (const { entry, level, effects } of inForce(catalogue, bearer)) {
      const mode = entry.rolls || catalogue.rolls || "suggest";
      if (mode === "off") continue;
      const seen = new Set();
      const { modifiers = [], native = [] } = entry.levels[level - 1];
      for (const modifier of [...modifiers, ...native]) {
        if (Boolean(modifier.onMe) !== onMe || !matches(modifier, what) || seen.has(modifier.gives)) continue;
        const holds = holdsWhen(modifier.when, other, effects, facts, onMe);
        if (holds === false) continue;
        const theirs = native.includes(modifier) && !isForced(bearer, entry);
        if (holds && !theirs) seen.add(modifier.gives);
        outcome[theirs ? "native" : holds ? "given" : "offered"].push({ modifier, condition: entry.id, name: entry.name, level, mode });
      }
    }
  }
  return outcome;
}

/**
 * Tell whether the creature has the condition against an immunity: then the system does not see it, and its part is ours.
 * @param {Sheet} creature
 * @param {Entry} entry
 * @returns {boolean}
 */
function isForced(creature, entry) {
  return (creature.conditionImmunities ?? []).includes(entry.id);
}

/**
 * What all of this comes to, as `advantage`, `disadvantage`, `fail`, `critical`, `+N` or `-N`, else `normal`.
 * @param {Given[]} given
 * @returns {string[]}
 */
export function sum(given) {
  const kinds = new Set(given.map((one) => one.modifier.gives));
  const found = ["critical", "fail"].filter((kind) => kinds.has(kind));
  if (kinds.has("advantage") !== kinds.has("disadvantage")) {
    found.push(kinds.has("advantage") ? "advantage" : "disadvantage");
  }
  const numbers = given.filter((one) => one.modifier.gives === "number");
  const total = numbers.reduce((all, one) => all + (one.modifier.value ?? 0), 0);
  if (total) found.push(total > 0 ? `+${total}` : `${total}`);
  return found.length ? found : ["normal"];
}

/**
 * Tell whether a modifier is about this kind of roll.
 * @param {Modifier} modifier
 * @param {{kind: string, ability?: string, tags: string[]}} roll
 * @returns {boolean}
 */
function matches(modifier, roll) {
  const { abilities = [], tags = [], butAbilities = [], butTags = [] } = modifier;
  const kinds = roll.kind === "initiative" ? ["check", "initiative"] : [roll.kind];
  const has = (/** @type {string[]} */ list) => roll.ability !== undefined && list.includes(roll.ability);
  return (
    kinds.includes(modifier.roll) &&
    (!abilities.length || has(abilities)) &&
    (!tags.length || tags.some((tag) => roll.tags.includes(tag))) &&
    !has(butAbilities) &&
    !butTags.some((tag) => roll.tags.includes(tag))
  );
}

/**
 * Tell whether a predicate holds; null where that is not known.
 * @param {Predicate|undefined} when
 * @param {Sheet|null} other
 * @param {Effect[]} effects
 * @param {Facts} facts
 * @param {boolean} onMe
 * @returns {boolean|null}
 */
function holdsWhen(when, other, effects, facts, onMe) {
  if (!when) return true;
  if (when.asks) return null;
  /** @type {(boolean|null)[]} */
  const answers = [];
  const far = facts.distance ?? null;
  if (typeof when.within === "number") answers.push(far === null ? null : far <= when.within);
  if (typeof when.beyond === "number") answers.push(far === null ? null : far > when.beyond);
  if (typeof when.unseen === "boolean") {
    const sees = (onMe ? facts.targetSeen : facts.rollerSeen) ?? null;
    answers.push(!other || sees === null ? null : sees !== when.unseen);
  }
  const sources = sourcesOf(effects);
  if (typeof when.otherIsSource === "boolean") {
    answers.push(!other || !sources.length ? null : sources.includes(other.id) === when.otherIsSource);
  }
  if (typeof when.sourceSeen === "boolean") {
    const known = sources.map((source) => facts.sourcesSeen?.[source] ?? null);
    if (known.some(Boolean)) answers.push(when.sourceSeen);
    else answers.push(!known.length || known.includes(null) ? null : !when.sourceSeen);
  }
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
}

/**
 * From where to where a token reaches: what is smaller than a square occupies the one that it stands in.
 * @param {Place} place
 * @param {"x"|"y"|"elevation"} axis
 * @returns {[number, number]}
 */
function occupied(place, axis) {
  const [low, size] = [place[axis] ?? 0, place.size ?? SQUARE];
  if (size >= SQUARE) return [low, low + size];
  const square = Math.floor(low / SQUARE) * SQUARE;
  return [square, square + SQUARE];
}

/**
 * Feet between the nearest occupied spaces, counted in squares of 5 ft, diagonals as one; null when not known.
 * @param {Place|undefined} a
 * @param {Place|undefined} b
 * @returns {number|null}
 */
export function distance(a, b) {
  if (!a || !b || a.scene !== b.scene) return null;
  const gaps = /** @type {const} */ (["x", "y", "elevation"]).map((axis) => {
    const [[low, high], [otherLow, otherHigh]] = [occupied(a, axis), occupied(b, axis)];
    return Math.max(0, otherLow - high, low - otherHigh);
  });
  return Math.max(...gaps) + SQUARE;
}

/**
 * The maximum in force.
 * @param {HitPoints} hp
 * @returns {number}
 */
export function top(hp) {
  return Math.max(0, hp.max + (hp.tempmax ?? 0));
}

/**
 * How many of the hit points regained are refused.
 * @param {Catalogue} catalogue
 * @param {Sheet} creature
 * @param {HitPoints} before
 * @param {HitPoints} after
 * @param {string} cause
 * @param {number} [sameUseRise]  How far the same use of an activity has raised the maximum before.
 * @returns {number}
 */
export function refusedHealing(catalogue, creature, before, after, cause, sameUseRise = 0) {
  const rise = Math.min(after.value, Math.max(top(after), before.value)) - before.value;
  if (rise <= 0) return 0;
  let refused = 0;
  for (const { entry } of inForce(catalogue, creature)) {
    if (!entry.gate || (entry.gate.grants ?? []).includes(cause)) continue;
    const allowed = entry.gate.maxRise === false ? 0 : Math.max(0, top(after) - top(before)) + sameUseRise;
    refused = Math.max(refused, rise - allowed);
  }
  return Math.max(0, refused);
}

/**
 * The limits on what the creature can do, each with the condition that brings it and that condition's sources.
 * @param {Catalogue} catalogue
 * @param {Sheet} creature
 * @returns {{entry: Entry, limits: Limits, sources: string[]}[]}
 */
export function limitsOn(catalogue, creature) {
  return inForce(catalogue, creature).flatMap(({ entry, level, effects }) => {
    const limits = entry.levels[level - 1].limits;
    return limits ? [{ entry, limits, sources: sourcesOf(effects) }] : [];
  });
}

/**
 * Who has brought these effects.
 * @param {Effect[]} effects
 * @returns {string[]}
 */
export function sourcesOf(effects) {
  return effects.flatMap((effect) => effect.mark?.source || []);
}

/**
 * Speed in feet after all conditions: flat reductions, then halving rounded down, then zero.
 * @param {Catalogue} catalogue
 * @param {Sheet} creature
 * @param {number} before
 * @returns {number}
 */
export function speedAfter(catalogue, creature, before) {
  const speeds = inForce(catalogue, creature).flatMap(({ entry, level }) => {
    const { speed, nativeSpeed } = entry.levels[level - 1];
    return [speed ?? [], isForced(creature, entry) ? (nativeSpeed ?? []) : []].flat();
  });
  let speed = before - speeds.reduce((all, one) => all + (one.less ?? 0), 0);
  for (const one of speeds) if (one.halved) speed = Math.floor(speed / 2);
  return speeds.some((one) => one.zero) ? 0 : Math.max(0, speed);
}
