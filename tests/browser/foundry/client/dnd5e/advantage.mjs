/** Counting sources of advantage and disadvantage. dnd5e module/data/fields/advantage-mode-field.mjs */

/** The mode of a field that a source adds to; `roll` is an object with `mode`. */
export function addMode(roll, value) {
  const counts = roll.modeCounts ??= { override: null, advantages: { count: 0, suppressed: false },
    disadvantages: { count: 0, suppressed: false } };
  if ( value > 0 ) counts.advantages.count++;
  if ( value < 0 ) counts.disadvantages.count++;
  roll.mode = resolve(counts);
}

/** Start counting with the mode that is stored or that effects gave. */
export function startMode(roll) {
  const stored = Number(roll.mode ?? 0);
  roll.modeCounts = undefined;
  roll.mode = 0;
  addMode(roll, stored);
}

const resolve = ({ advantages, disadvantages }) => Math.sign(advantages.count) - Math.sign(disadvantages.count);

/** Several fields that decide one roll: whether there is any advantage, and any disadvantage. */
export function combineModes(rolls) {
  const counts = rolls.filter(roll => roll?.modeCounts).map(roll => roll.modeCounts);
  return { advantage: counts.some(count => count.advantages.count > 0), disadvantage: counts.some(count => count.disadvantages.count > 0) };
}
