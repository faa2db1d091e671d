/** The small part of Handlebars that a module's templates need: expressions, helpers, if, unless, each, with. */

import { escapeHTML, getProperty } from "../core/utils.mjs";

/** Markup that must not be escaped again. */
export class SafeString {
  constructor(text) { this.text = text; }

  toString() { return this.text; }
}

const truthy = value => Array.isArray(value) ? value.length > 0 : value instanceof Set || value instanceof Map ? value.size > 0
  : !!value;

/** Helpers by name; each gets its arguments and then `{hash}`. */
export const helpers = {
  localize: (key, { hash }) => game.i18n.format(String(key), hash),
  concat: (...args) => args.slice(0, -1).join(""),
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  not: value => !truthy(value),
  and: (...args) => args.slice(0, -1).every(truthy),
  or: (...args) => args.slice(0, -1).some(truthy),
  ifThen: (test, yes, no) => test ? yes : no,
  checked: value => value ? "checked" : "",
  disabled: value => value ? "disabled" : "",
  lookup: (object, key) => object?.[key],
  numberFormat: (value, { hash }) => {
    const text = Number(value).toFixed(hash.decimals ?? 0);
    return hash.sign && value >= 0 ? `+${text}` : text;
  },
  selectOptions: (choices, { hash }) => new SafeString(Object.entries(choices).map(([value, choice]) => {
    const label = typeof choice === "object" ? choice[hash.labelAttr ?? "label"] : choice;
    const shown = hash.localize ? game.i18n.localize(label) : label;
    return `<option value="${escapeHTML(value)}"${String(hash.selected) === value ? " selected" : ""}>${escapeHTML(shown)}</option>`;
  }).join(""))
};

const partials = new Map();

/** Split the words of a tag, keeping quoted strings and parentheses together. */
function words(text) {
  return text.match(/(?:[\w@./-]+=)?(?:"[^"]*"|'[^']*'|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s()]+)/g) ?? [];
}

/** The value that a path names where we stand: data, locals, context or a parent's. */
function lookup(path, scope) {
  if ( /^-?\d+(\.\d+)?$/.test(path) ) return Number(path);
  if ( path in LITERALS ) return LITERALS[path];
  if ( path.startsWith("@root") ) return getProperty(scope.root, path.slice(6)) ?? (path === "@root" ? scope.root : undefined);
  if ( path.startsWith("@") ) return scope.data[path.slice(1)];
  let [at, rest] = [scope, path];
  while ( rest.startsWith("../") ) { at = at.parent ?? at; rest = rest.slice(3); }
  if ( rest === "this" || rest === "." ) return at.context;
  rest = rest.replace(/^(this|\.)[./]/, "");
  if ( at.locals && rest.split(".")[0] in at.locals ) return getProperty(at.locals, rest);
  const found = typeof at.context === "object" && at.context !== null ? getProperty(at.context, rest) : undefined;
  return typeof found === "function" ? found.call(at.context) : found;
}

const LITERALS = { true: true, false: false, null: null, undefined };

/** The value of one word of a tag. */
function evaluate(word, scope) {
  if ( /^["']/.test(word) ) return word.slice(1, -1);
  if ( word.startsWith("(") ) return call(word.slice(1, -1), scope);
  return lookup(word, scope);
}

/** The value of an expression: a helper's, or that of a path. */
function call(text, scope) {
  const [name, ...rest] = words(text);
  const [args, hash] = [[], {}];
  for ( const word of rest ) {
    const named = word.match(/^([\w-]+)=(.+)$/s);
    if ( named ) hash[named[1]] = evaluate(named[2], scope);
    else args.push(evaluate(word, scope));
  }
  if ( name in helpers ) return helpers[name](...args, { hash });
  return evaluate(name, scope);
}

const TAG = /\{\{\{\s*([\s\S]+?)\s*\}\}\}|\{\{(!--[\s\S]*?--|![\s\S]*?|~?\s*[\s\S]+?\s*~?)\}\}/g;

/** A tree of texts, expressions and blocks. */
function parse(source) {
  const root = { body: [], inverse: [] };
  const stack = [root];
  let [last, target] = [0, root.body];
  for ( const match of source.matchAll(TAG) ) {
    target.push({ text: source.slice(last, match.index) });
    last = match.index + match[0].length;
    const tag = (match[1] ?? match[2]).replace(/^~|~$/g, "").trim();
    if ( tag.startsWith("!") ) continue;
    if ( tag.startsWith("#") ) {
      const block = { tag: tag.slice(1).trim(), body: [], inverse: [] };
      target.push(block);
      stack.push(block);
      target = block.body;
    }
    else if ( tag === "else" || tag.startsWith("else ") ) {
      const block = stack.at(-1);
      target = block.inverse;
      if ( tag !== "else" ) {
        const inner = { tag: tag.slice(5).trim(), body: [], inverse: [], chained: true };
        target.push(inner);
        stack.push(inner);
        target = inner.body;
      }
    }
    else if ( tag.startsWith("/") ) {
      while ( stack.pop().chained );
      const block = stack.at(-1);
      target = block.inverse.length ? block.inverse : block.body;
    }
    else if ( tag.startsWith(">") ) target.push({ partial: tag.slice(1).trim() });
    else target.push({ expression: tag, raw: match[1] !== undefined });
  }
  target.push({ text: source.slice(last) });
  return root.body;
}

/** Text of a list of nodes. */
function render(nodes, scope) {
  return nodes.map(node => {
    if ( "text" in node ) return node.text;
    if ( "partial" in node ) {
      const [name] = words(node.partial);
      return render(partials.get(name.replace(/["']/g, "")) ?? [], scope);
    }
    if ( "expression" in node ) {
      const value = call(node.expression, scope);
      if ( value === undefined || value === null || value === false ) return value === false ? "false" : "";
      return node.raw || value instanceof SafeString ? String(value) : escapeHTML(value);
    }
    return renderBlock(node, scope);
  }).join("");
}

/** Text of one block. */
function renderBlock({ tag, body, inverse }, scope) {
  const [name, ...rest] = words(tag);
  const named = tag.match(/\sas\s*\|([^|]+)\|/)?.[1].trim().split(/\s+/) ?? [];
  const value = evaluate(rest[0], scope);
  if ( name === "if" ) return render(truthy(value) ? body : inverse, scope);
  if ( name === "unless" ) return render(truthy(value) ? inverse : body, scope);
  if ( name === "with" ) return render(body, { ...scope, context: value, parent: scope });
  if ( name !== "each" ) throw new Error(`The stand-in has no block helper ${name}`);
  const entries = value instanceof Map ? [...value] : Array.isArray(value) || value instanceof Set ? [...value].map((v, i) => [i, v])
    : Object.entries(value ?? {});
  if ( !entries.length ) return render(inverse, scope);
  return entries.map(([key, context], index) => render(body, { root: scope.root, parent: scope, context,
    locals: { ...scope.locals, ...(named[0] ? { [named[0]]: context } : {}), ...(named[1] ? { [named[1]]: key } : {}) },
    data: { key, index, first: index === 0, last: index === entries.length - 1 } })).join("");
}

/** Fill a template. */
export function compile(source) {
  const nodes = parse(source);
  return context => render(nodes, { context, root: context, data: {}, parent: null, locals: null });
}

const templates = new Map();

/** Fetch a template and keep it. */
export async function getTemplate(path, id) {
  if ( !templates.has(path) ) {
    const response = await fetch(path.startsWith("/") ? path : `/${path}`);
    if ( !response.ok ) throw new Error(`The template ${path} could not be loaded`);
    templates.set(path, await response.text());
  }
  if ( id ) partials.set(id, parse(templates.get(path)));
  return compile(templates.get(path));
}

/** Fill a template of a file. */
export async function renderTemplate(path, data = {}) { return (await getTemplate(path))(data); }

/** Fetch templates beforehand, under names of their own where an object is given. */
export async function loadTemplates(paths) {
  const entries = Array.isArray(paths) ? paths.map(path => [path, path]) : Object.entries(paths);
  return Promise.all(entries.map(([id, path]) => getTemplate(path, id)));
}
