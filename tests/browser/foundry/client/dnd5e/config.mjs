/**
 * CONFIG.DND5E, as far as conditions, dice and rests need it.
 * Ids, implied statuses and riders: dnd5e module/config.mjs conditionTypes, statusEffects, conditionEffects.
 */

const icon = name => `systems/dnd5e/icons/svg/statuses/${name}.svg`;

const condition = (name, extra = {}) => ({ name: `DND5E.Con${name}`, img: icon(name.toLowerCase()), ...extra });

const pseudo = (name, extra = {}) => ({ name: `EFFECT.DND5E.Status${name}`, img: icon(name.toLowerCase()), pseudo: true, ...extra });

const status = (name, file, extra = {}) => ({ name: `EFFECT.DND5E.Status${name}`, img: icon(file), ...extra });

const INCAPACITATING = { statuses: ["incapacitated"] };

/** The conditions. */
function conditionTypes() {
  return {
    bleeding: pseudo("Bleeding"), blinded: condition("Blinded", { special: "BLIND" }), burning: pseudo("Burning"),
    charmed: condition("Charmed"), cursed: pseudo("Cursed"), dehydration: pseudo("Dehydration"), deafened: condition("Deafened"),
    diseased: condition("Diseased", { pseudo: true }),
    exhaustion: condition("Exhaustion", { levels: 6, reduction: { rolls: 2, speed: 5 } }),
    falling: pseudo("Falling"), frightened: condition("Frightened"), grappled: condition("Grappled"),
    incapacitated: condition("Incapacitated", { neverBlockMovement: true }), invisible: condition("Invisible"),
    malnutrition: pseudo("Malnutrition"), paralyzed: condition("Paralyzed", INCAPACITATING),
    petrified: condition("Petrified", INCAPACITATING), poisoned: condition("Poisoned"), prone: condition("Prone"),
    restrained: condition("Restrained"), silenced: pseudo("Silenced"), stunned: condition("Stunned", INCAPACITATING),
    suffocation: pseudo("Suffocation"), surprised: pseudo("Surprised"), transformed: pseudo("Transformed"),
    unconscious: condition("Unconscious", { ...INCAPACITATING, riders: ["prone"] })
  };
}

/** Further statuses. */
function statusEffects() {
  return {
    burrowing: status("Burrowing", "burrowing", { special: "BURROW" }),
    concentrating: status("Concentrating", "concentrating", { special: "CONCENTRATING" }),
    coverHalf: status("HalfCover", "cover-half", { order: 2, exclusiveGroup: "cover", coverBonus: 2 }),
    coverThreeQuarters: status("ThreeQuartersCover", "cover-three-quarters", { order: 3, exclusiveGroup: "cover", coverBonus: 5 }),
    coverTotal: status("TotalCover", "cover-total", { order: 4, exclusiveGroup: "cover" }),
    dead: status("Dead", "dead", { special: "DEFEATED", order: 1, neverBlockMovement: true }),
    dodging: status("Dodging", "dodging"), ethereal: status("Ethereal", "ethereal"),
    flying: status("Flying", "flying", { special: "FLY" }), hiding: status("Hiding", "hiding"),
    hovering: status("Hovering", "hovering", { special: "HOVER" }), marked: status("Marked", "marked"),
    sleeping: status("Sleeping", "sleeping", { statuses: ["incapacitated", "unconscious"] }), stable: status("Stable", "stable")
  };
}

/** Which statuses bring which effect about; a number after a dash is a level, by the 2014 rules. */
function conditionEffects(major) {
  const effects = {
    noMovement: ["exhaustion-5", "grappled", "paralyzed", "petrified", "restrained", "unconscious"],
    halfMovement: ["exhaustion-2"], crawl: ["prone", "exceedingCarryingCapacity"], petrification: ["petrified"],
    halfHealth: ["exhaustion-4"], dehydrated: ["dehydration"], malnourished: ["malnutrition"],
    abilityCheckDisadvantage: ["poisoned", "exhaustion-1"], abilitySaveDisadvantage: ["exhaustion-3"],
    attackDisadvantage: ["poisoned", "exhaustion-3"], dexteritySaveDisadvantage: ["restrained"],
    initiativeAdvantage: ["invisible"], initiativeDisadvantage: ["incapacitated", "surprised"]
  };
  // dnd5e 6: Dodging gives advantage on Dexterity saves. [M: read in a later commit, not run]
  if ( major >= 6 ) effects.dexteritySaveAdvantage = ["dodging"];
  return Object.fromEntries(Object.entries(effects).map(([key, ids]) => [key, new Set(ids)]));
}

const ABILITIES = { str: "Strength", dex: "Dexterity", con: "Constitution", int: "Intelligence", wis: "Wisdom", cha: "Charisma" };

const SKILLS = {
  acr: ["Acrobatics", "dex"], ani: ["Animal Handling", "wis"], arc: ["Arcana", "int"], ath: ["Athletics", "str"],
  dec: ["Deception", "cha"], his: ["History", "int"], ins: ["Insight", "wis"], itm: ["Intimidation", "cha"],
  inv: ["Investigation", "int"], med: ["Medicine", "wis"], nat: ["Nature", "int"], prc: ["Perception", "wis"],
  prf: ["Performance", "cha"], per: ["Persuasion", "cha"], rel: ["Religion", "int"], slt: ["Sleight of Hand", "dex"],
  ste: ["Stealth", "dex"], sur: ["Survival", "wis"]
};

const labels = names => Object.fromEntries(names.map(name => [name, { label: name.capitalize() }]));

/** The configuration for a system version. */
export function dnd5eConfig(major) {
  const config = {
    conditionTypes: conditionTypes(),
    statusEffects: statusEffects(),
    conditionEffects: conditionEffects(major),
    neverBlockStatuses: new Set(),
    encumbrance: { effects: {} },
    bloodied: { name: "EFFECT.DND5E.StatusBloodied", img: icon("bloodied"), threshold: 0.5 },
    abilities: Object.fromEntries(Object.entries(ABILITIES).map(([key, label]) => [key, { label, abbreviation: key }])),
    skills: Object.fromEntries(Object.entries(SKILLS).map(([key, [label, ability]]) => [key, { label, ability }])),
    damageTypes: labels(["acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
      "radiant", "slashing", "thunder"]),
    healingTypes: { healing: { label: "Healing" }, temphp: { label: "Temporary Hit Points" }, maximum: { label: "Maximum Hit Points" } },
    consumableTypes: { ammo: { label: "Ammunition" }, potion: { label: "Potion" }, poison: { label: "Poison" },
      food: { label: "Food" }, scroll: { label: "Scroll" }, wand: { label: "Wand" }, rod: { label: "Rod" },
      trinket: { label: "Trinket" }, wondrous: { label: "Wondrous Item" } },
    restTypes: {
      short: { label: "Short Rest", icon: "fa-solid fa-fire", duration: { normal: 60, gritty: 480, epic: 1 }, recoverHitDice: false },
      long: { label: "Long Rest", icon: "fa-solid fa-tent", duration: { normal: 480, gritty: 10080, epic: 60 }, newDay: true,
        recoverHitPoints: true, recoverHitDice: true, recoverTemp: true, recoverTempMax: true, recoverSpellSlotTypes: new Set(["spell"]),
        exhaustionDelta: -1 }
    },
    defaultAbilities: { initiative: "dex", concentration: "con", hitPoints: "con", meleeAttack: "str", rangedAttack: "dex" },
    activityActivationTypes: { action: { label: "Action" }, bonus: { label: "Bonus Action" }, reaction: { label: "Reaction" } },
    movementTypes: labels(["burrow", "climb", "fly", "swim", "walk"]),
    requests: {}, maxLevel: 20, tokenHPColors: {}
  };
  for ( const skill of Object.values(config.skills) ) skill.fullKey = skill.label.toLowerCase();
  return config;
}

/** An id of 16 characters that says what it stands for. dnd5e module/utils.mjs staticID */
export const staticID = id => id.length >= 16 ? id.slice(0, 16) : id.padEnd(16, "0");

/**
 * Rebuild CONFIG.statusEffects from the system's statuses, conditions and encumbrance, so that what was pushed to it
 * earlier is lost. dnd5e dnd5e.mjs _configureStatusEffects, at i18nInit.
 */
export function configureStatusEffects(major) {
  const system = CONFIG.DND5E;
  const former = Array.isArray(CONFIG.statusEffects) ? CONFIG.statusEffects : Object.values(CONFIG.statusEffects);
  const list = [];
  const add = (id, { special, ...data }) => {
    const original = id in system.statusEffects ? former.find(entry => entry.id === id) : null;
    list.push({ ...original, ...foundry.utils.deepClone(data), id, _id: staticID(`dnd5e${id}`), order: data.order ?? Infinity });
    if ( special ) CONFIG.specialStatusEffects[special] = id;
    if ( data.neverBlockMovement ) system.neverBlockStatuses.add(id);
  };
  for ( const group of [system.statusEffects, system.conditionTypes, system.encumbrance.effects] ) {
    for ( const [id, data] of Object.entries(group) ) add(id, data);
  }
  const record = Object.fromEntries(list.map(entry => [entry.id, entry]));
  if ( game.release.generation < 14 ) CONFIG.statusEffects = list;
  // dnd5e 6 assigns a plain record. [M]
  else if ( major >= 6 ) CONFIG.statusEffects = record;
  // dnd5e 5.3 assigns an array, which core 14 keeps as a record that array readers can still use. [D]
  else CONFIG.statusEffects = arrayLike(record);
}

/** A record that answers to array methods with a warning, as core 14 wraps it for older systems. [D] */
function arrayLike(record) {
  return new Proxy(record, {
    get(target, key) {
      if ( typeof key === "string" && key in target ) return target[key];
      if ( typeof key === "string" && (key in Array.prototype || /^\d+$/.test(key)) ) {
        const list = Object.values(target);
        return typeof list[key] === "function" ? list[key].bind(list) : list[key];
      }
      if ( key === Symbol.iterator ) return () => Object.values(target)[Symbol.iterator]();
      return target[key];
    }
  });
}

/** Names of conditions in the player's language, done once after the rebuild. */
export function localizeConfig() {
  for ( const group of [CONFIG.DND5E.conditionTypes, CONFIG.DND5E.statusEffects] ) {
    for ( const data of Object.values(group) ) data.name = data.label = game.i18n.localize(data.name);
  }
  for ( const entry of Object.values(CONFIG.statusEffects) ) entry.name = game.i18n.localize(entry.name);
}
