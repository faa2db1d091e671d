/** Dice: formulas of numbers, dice with modifiers, arithmetic, parentheses and functions. */

import { deepClone, getProperty } from "./utils.mjs";

/** Faces that the next dice show, in order; when there are none left, dice are random. */
export const queue = [];

/** One face: the next that was decided, else a random one. */
function throwDie(faces) {
  if ( queue.length ) return Math.min(queue.shift(), faces);
  return 1 + Math.floor(CONFIG.Dice.randomUniform() * faces);
}

/** One term of a formula. */
export class RollTerm {
  constructor({ options = {} } = {}) {
    this.options = options;
    this._evaluated = false;
  }

  get isDeterministic() { return true; }

  get flavor() { return this.options.flavor ?? ""; }

  get formula() { return this.flavor ? `${this.expression}[${this.flavor}]` : this.expression; }

  async evaluate() { this._evaluated = true; return this; }

  toJSON() { return { class: this.constructor.name, options: this.options, evaluated: this._evaluated }; }
}

/** A number. */
export class NumericTerm extends RollTerm {
  constructor({ number, options } = {}) { super({ options }); this.number = Number(number); }

  get expression() { return String(this.number); }

  get total() { return this.number; }

  toJSON() { return { ...super.toJSON(), number: this.number }; }
}

/** An arithmetic sign. */
export class OperatorTerm extends RollTerm {
  constructor({ operator, options } = {}) { super({ options }); this.operator = operator; }

  get expression() { return ` ${this.operator} `; }

  get total() { return this.expression; }

  toJSON() { return { ...super.toJSON(), operator: this.operator }; }
}

/** A parenthesis, or a function of rolls. */
export class FunctionTerm extends RollTerm {
  constructor({ fn = "", terms = [], rolls, options } = {}) {
    super({ options });
    this.fn = fn;
    this.terms = terms;
    this.rolls = rolls ?? terms.map(term => new Roll(term));
  }

  get expression() { return `${this.fn}(${this.terms.join(", ")})`; }

  get dice() { return this.rolls.flatMap(roll => roll.dice); }

  get isDeterministic() { return this.rolls.every(roll => roll.isDeterministic); }

  get total() {
    const totals = this.rolls.map(roll => roll.total);
    return this.fn ? Math[this.fn](...totals) : totals[0];
  }

  async evaluate(options) {
    for ( const roll of this.rolls ) if ( !roll._evaluated ) await roll.evaluate(options);
    return super.evaluate();
  }

  toJSON() { return { ...super.toJSON(), fn: this.fn, terms: this.terms, rolls: this.rolls.map(roll => roll.toJSON()) }; }
}

/** Dice of one kind, with modifiers. */
export class Die extends RollTerm {
  constructor({ number = 1, faces = 6, modifiers = [], results = [], options } = {}) {
    super({ options });
    Object.assign(this, { number, faces, modifiers, results });
  }

  get isDeterministic() { return false; }

  get denomination() { return `d${this.faces}`; }

  get dice() { return [this]; }

  get expression() { return `${this.number}d${this.faces}${this.modifiers.join("")}`; }

  get values() { return this.results.filter(result => result.active).map(result => result.result); }

  get total() {
    return this._evaluated ? this.results.reduce((sum, result) => result.active ? sum + (result.count ?? result.result) : sum, 0)
      : undefined;
  }

  async evaluate({ maximize = false, minimize = false } = {}) {
    // dnd5e module/dice/basic-die.mjs: "adv" and "dis" throw as many further sets as their number says.
    const advantage = this.modifiers.map(modifier => modifier.match(/^(adv|dis)(\d*)$/)).find(match => match);
    const count = this.number * (advantage ? 1 + Number(advantage[2] || 1) : 1);
    while ( this.results.length < count ) {
      this.results.push({ result: maximize ? this.faces : minimize ? 1 : throwDie(this.faces), active: true });
    }
    if ( advantage ) this.#keep(advantage[1] === "adv" ? "kh" : "kl", this.number);
    for ( const modifier of this.modifiers ) this.#modify(modifier);
    return super.evaluate();
  }

  #modify(modifier) {
    const [, command, value] = modifier.match(/^([a-z]+)(\d*)/) ?? [];
    const number = Number(value || 1);
    if ( ["k", "kh", "kl"].includes(command) ) this.#keep(command, number);
    if ( command === "r" && modifier === "r1=1" ) this.#rerollOne();
    for ( const result of this.results ) {
      if ( command === "min" && result.result < number ) result.count = number;
      if ( command === "max" && result.result > number ) result.count = number;
    }
  }

  #keep(command, number) {
    const active = this.results.filter(result => result.active);
    const sorted = active.toSorted((a, b) => command === "kl" ? a.result - b.result : b.result - a.result);
    for ( const result of sorted.slice(number) ) Object.assign(result, { active: false, discarded: true });
  }

  #rerollOne() {
    const one = this.results.find(result => result.active && result.result === 1);
    if ( !one ) return;
    Object.assign(one, { active: false, rerolled: true });
    this.results.push({ result: throwDie(this.faces), active: true });
  }

  toJSON() {
    const { number, faces, modifiers, results } = this;
    return { ...super.toJSON(), number, faces, modifiers, results };
  }
}

const TOKEN = /\s*(?:(\d*)d(\d+)((?:adv\d*|dis\d*|k[hl]?\d*|min\d+|max\d+|r1=1)*)|(\d+(?:\.\d+)?)|(max|min|floor|ceil|round|abs)\(|([+\-*/%(),]))(?:\[([^\]]*)\])?/y;

/** Split a formula into terms; a parenthesis or function takes its inner text with it. */
function parse(formula) {
  const terms = [];
  let position = 0;
  while ( position < formula.trimEnd().length ) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(formula);
    if ( !match ) throw new Error(`Unresolved term in the formula "${formula}" at "${formula.slice(position)}"`);
    const [, number, faces, modifiers, numeric, fn, symbol, flavor] = match;
    position = TOKEN.lastIndex;
    const options = flavor ? { flavor } : {};
    if ( faces ) {
      const list = modifiers.match(/adv\d*|dis\d*|k[hl]?\d*|min\d+|max\d+|r1=1/g) ?? [];
      terms.push(new Die({ number: Number(number || 1), faces: Number(faces), modifiers: list, options }));
    }
    else if ( numeric ) terms.push(new NumericTerm({ number: numeric, options }));
    else if ( fn || symbol === "(" ) {
      const [inner, end] = closing(formula, position);
      position = end;
      terms.push(new FunctionTerm({ fn: fn ?? "", terms: inner, options }));
    }
    else pushOperator(terms, symbol);
  }
  return terms;
}

/** Two signs in a row become one, as in "1d20 + -3". */
function pushOperator(terms, symbol) {
  const last = terms.at(-1);
  const signs = ["+", "-"];
  if ( last instanceof OperatorTerm && signs.includes(symbol) && signs.includes(last.operator) ) {
    last.operator = last.operator === symbol ? "+" : "-";
  }
  else terms.push(new OperatorTerm({ operator: symbol }));
}

/** The comma-separated texts up to the closing parenthesis, and where it ends. */
function closing(formula, start) {
  let [depth, from] = [1, start];
  const parts = [];
  for ( let i = start; i < formula.length; i++ ) {
    if ( formula[i] === "(" ) depth++;
    else if ( formula[i] === ")" ) depth--;
    if ( depth === 0 || (depth === 1 && formula[i] === ",") ) {
      parts.push(formula.slice(from, i).trim());
      from = i + 1;
    }
    if ( depth === 0 ) return [parts, i + 1];
  }
  throw new Error(`Unbalanced parentheses in "${formula}"`);
}

/** Sum of terms, multiplication before addition; a sign may stand in front of a term, or several signs. */
function calculate(terms) {
  let [total, product, sign, operator] = [0, null, 1, null];
  for ( const term of terms ) {
    if ( term instanceof OperatorTerm ) {
      if ( "*/%".includes(term.operator) ) { operator = term.operator; continue; }
      if ( product !== null ) { total += product; product = null; sign = 1; }
      if ( term.operator === "-" ) sign = -sign;
      continue;
    }
    const value = term.total;
    if ( operator && product !== null ) {
      product = { "*": product * value * sign, "/": product / (value * sign), "%": product % value }[operator];
      operator = null;
    }
    else product = (product ?? 0) + value * sign;
    sign = 1;
  }
  return total + (product ?? 0);
}

/** A formula that is thrown once. */
export class Roll {
  static CHAT_TEMPLATE = "templates/dice/roll.html";

  constructor(formula, data = {}, options = {}) {
    this.data = data ?? {};
    this.options = options;
    this.terms = this.constructor.parse(String(formula), this.data);
    this._formula = this.constructor.getFormula(this.terms);
    this._evaluated = false;
  }

  static create(formula, data, options) { return new this(formula, data, options); }

  static parse(formula, data) { return parse(this.replaceFormulaData(formula, data, { missing: "0" })); }

  static getFormula(terms) { return terms.map(term => term.formula).join(""); }

  /** Put data in the place of `@paths`. */
  static replaceFormulaData(formula, data, { missing } = {}) {
    return String(formula).replace(/@([a-z.0-9_-]+)/gi, (text, path) => {
      const value = getProperty(data, path);
      if ( value === undefined || value === null ) return missing === undefined ? text : String(missing);
      return typeof value === "object" ? String(value.value ?? value.total ?? 0) : String(value).trim() || "0";
    });
  }

  static validate(formula) {
    try { new this(formula); return true; } catch { return false; }
  }

  get formula() { return this._formula; }

  get total() { return this._total; }

  get result() { return this.terms.map(term => term.total).join(""); }

  get dice() { return this.terms.flatMap(term => term.dice ?? []); }

  get isDeterministic() { return this.terms.every(term => term.isDeterministic); }

  /** Write the formula anew after its terms were changed. */
  resetFormula() { return this._formula = this.constructor.getFormula(this.terms); }

  clone() { return new this.constructor(this._formula, this.data, deepClone(this.options)); }

  async evaluate(options = {}) {
    if ( this._evaluated ) throw new Error("This roll has been evaluated already and is now immutable");
    this._evaluated = true;
    for ( const term of this.terms ) await term.evaluate(options);
    this._total = calculate(this.terms);
    return this;
  }

  async roll(options) { return this.evaluate(options); }

  /** Evaluate at once what has no dice in it. */
  evaluateSync() {
    if ( !this.isDeterministic ) throw new Error("A roll with dice cannot be evaluated synchronously");
    this._evaluated = true;
    for ( const term of this.terms ) for ( const inner of term.rolls ?? [] ) inner.evaluateSync();
    this._total = calculate(this.terms);
    return this;
  }

  /** Post the roll to the chat. */
  async toMessage(data = {}, { rollMode, create = true } = {}) {
    if ( !this._evaluated ) await this.evaluate();
    const cls = ChatMessage.implementation;
    const message = { speaker: cls.getSpeaker(), ...data, rolls: [this.toJSON()] };
    return create ? cls.create(message, { rollMode }) : message;
  }

  toJSON() {
    const { formula, total, options } = this;
    return { class: this.constructor.name, options, dice: [], formula, terms: this.terms.map(term => term.toJSON()), total,
      evaluated: this._evaluated };
  }

  static fromData(data) {
    const roll = Object.create(this.prototype);
    Object.assign(roll, { data: {}, options: data.options ?? {}, _formula: data.formula, _total: data.total,
      _evaluated: data.evaluated ?? true, terms: data.terms.map(termFromData) });
    return roll;
  }

  static fromJSON(text) { return CONFIG.Dice.fromData(JSON.parse(text)); }

  /** A small box: formula, faces, total. */
  render() {
    const dice = this.dice.flatMap(die => die.results.map(result =>
      `<li class="roll die d${die.faces}${result.active ? "" : " discarded"}">${result.result}</li>`)).join("");
    const outcome = this.isSuccess ? " success" : this.isFailure ? " failure" : "";
    const target = Number.isFinite(this.options.target) ? `<span class="dc">DC ${this.options.target}</span>` : "";
    return `<div class="dice-roll"><div class="dice-result"><div class="dice-formula">${this.formula}</div>
      <div class="dice-tooltip"><ol class="dice-rolls">${dice}</ol></div>
      <h4 class="dice-total${outcome}">${this.total}${target}</h4></div></div>`;
  }
}

/** Rebuild a term from its JSON. */
function termFromData(data) {
  const cls = { NumericTerm, OperatorTerm, FunctionTerm, Die }[data.class] ?? CONFIG.Dice[data.class] ?? Die;
  const rolls = data.rolls?.map(roll => CONFIG.Dice.fromData(roll));
  const term = new cls({ ...data, ...(rolls ? { rolls } : {}) });
  term._evaluated = data.evaluated;
  return term;
}
