/**
 * @typedef {(...args: any[]) => any} Handler
 */

/**
 * Put every subject's handlers on their hooks: one listener per hook, the handlers of one hook in the given order.
 * @param {{hooks: Record<string, Handler>}[]} subjects
 */
export function listen(subjects) {
  /** @type {Map<string, Handler[]>} */
  const table = new Map();
  for (const { hooks } of subjects) {
    for (const [name, handler] of Object.entries(hooks)) table.set(name, [...(table.get(name) ?? []), handler]);
  }
  const on = /** @type {any} */ (Hooks).on.bind(Hooks);
  for (const [name, handlers] of table) {
    on(name, (/** @type {any[]} */ ...args) => (handlers.some((handler) => handler(...args) === false) ? false : undefined));
  }
}
