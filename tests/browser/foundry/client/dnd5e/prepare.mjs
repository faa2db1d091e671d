/** Derived data of an actor, as far as rolls, hit points, movement and rests need it. */

import { Roll } from "../core/dice.mjs";
import { addMode, startMode } from "./advantage.mjs";
import { staticID } from "./config.mjs";

const asSet = list => list instanceof Set ? list : new Set(Array.isArray(list) ? list : Object.values(list ?? {}));

const emptyRoll = () => ({ min: null, max: null, mode: 0 });

/** Shapes that the data models give, before effects are applied. */
export function prepareBase(actor) {
  const { system } = actor;
  Object.defineProperties(system, {
    parent: { value: actor, enumerable: false },
    _source: { value: actor._source.system, enumerable: false },
    isNPC: { value: actor.type === "npc", enumerable: false },
    isCharacter: { value: actor.type === "character", enumerable: false },
    isVehicle: { value: actor.type === "vehicle", enumerable: false },
    isGroup: { value: actor.type === "group", enumerable: false }
  });
  const { attributes = {}, traits = {} } = system;
  for ( const key of ["dr", "di", "dv", "ci"] ) {
    traits[key] = { ...traits[key], value: asSet(traits[key]?.value), bypasses: asSet(traits[key]?.bypasses) };
  }
  system.traits = traits;
  for ( const ability of Object.values(system.abilities ?? {}) ) {
    ability.check = { ...ability.check, roll: { ...emptyRoll(), ...ability.check?.roll } };
    ability.save = { ...(typeof ability.save === "object" ? ability.save : {}), roll: { ...emptyRoll(), ...ability.save?.roll } };
    ability.bonuses ??= { check: "", save: "" };
  }
  for ( const entry of [...Object.values(system.skills ?? {}), ...Object.values(system.tools ?? {})] ) {
    entry.roll = { ...emptyRoll(), ...entry.roll };
  }
  for ( const key of ["init", "death", "concentration"] ) {
    if ( attributes[key] ) attributes[key].roll = { ...emptyRoll(), ...attributes[key].roll };
  }
  if ( attributes.hp ) {
    attributes.hp.temp ??= 0;
    attributes.hp.tempmax ??= 0;
  }
  prepareSpeciesMovement(actor);
}

/** Walking speed may come from the species. dnd5e attributes.mjs prepareRace */
function prepareSpeciesMovement(actor) {
  const { movement } = actor.system.attributes ?? {};
  if ( !movement ) return;
  const species = actor.items.find(item => item.type === "race")?.system.movement ?? {};
  for ( const type of Object.keys(CONFIG.DND5E.movementTypes) ) movement[type] = Number(movement[type] || species[type] || 0);
  movement.units ??= "ft";
}

/** Everything that follows from source data and effects. The order is that of dnd5e character.mjs and npc.mjs. */
export function prepareDerived(actor) {
  const { system } = actor;
  if ( !system.attributes ) return;
  prepareLevel(actor);
  prepareLevels(actor);
  prepareAbilities(actor);
  prepareSkills(actor);
  prepareResistImmune(actor);
  prepareInitiative(actor);
  prepareHitDice(actor);
  prepareHitPoints(actor);
  prepareMovement(actor);
  prepareSpells(actor);
  system.attributes.ac = { ...system.attributes.ac, value: system.attributes.ac?.flat ?? 10 + (system.abilities?.dex?.mod ?? 0) };
}

/** Level and proficiency bonus. */
function prepareLevel(actor) {
  const { system } = actor;
  const classes = actor.itemTypes.class;
  const level = classes.reduce((sum, item) => sum + Number(item.system.levels ?? 1), 0);
  system.details ??= {};
  system.details.level = actor.type === "character" ? level : system.details.level ?? 0;
  const basis = actor.type === "character" ? level : system.details.cr;
  // An NPC without a challenge rating has no proficiency bonus at all.
  system.attributes.prof = basis === null || basis === undefined ? null : Math.floor((Math.max(basis, 1) + 7) / 4);
}

/** Exhaustion is read from its effect, so that a stored level without one counts as 0. dnd5e attributes.mjs */
function prepareLevels(actor) {
  const { system } = actor;
  const effect = actor.effects.get(staticID("dnd5eexhaustion"));
  if ( actor.isSystem6 ) {
    // dnd5e 6: every condition with levels keeps its level in the effect's system data. [M]
    system.conditions = {};
    for ( const [id, config] of Object.entries(CONFIG.DND5E.conditionTypes) ) {
      const found = actor.effects.get(staticID(`dnd5e${id}`));
      const active = found && !found.isSuppressed;
      system.conditions[id] = active ? (config.levels ? found.system.level ?? 1 : 1) : 0;
    }
    if ( "exhaustion" in system.attributes ) system.attributes.exhaustion = system.conditions.exhaustion;
  }
  else if ( "exhaustion" in system.attributes ) {
    const level = effect?.getFlag("dnd5e", "exhaustionLevel") ?? (effect ? 1 : 0);
    system.attributes.exhaustion = Number.isFinite(level) ? level : 0;
  }
}

/** Modifiers and modes of checks and saves. dnd5e common.mjs prepareAbilities */
function prepareAbilities(actor) {
  const { abilities = {}, attributes } = actor.system;
  for ( const [id, ability] of Object.entries(abilities) ) {
    ability.mod = Math.floor((ability.value - 10) / 2);
    ability.saveProf = { multiplier: ability.proficient, hasProficiency: ability.proficient > 0,
      flat: Math.floor((attributes.prof ?? 0) * ability.proficient), get term() { return String(this.flat); } };
    ability.checkProf = { multiplier: 0, hasProficiency: false, flat: 0, term: "0" };
    ability.save.value = ability.mod + ability.saveProf.flat;
    ability.dc = 8 + ability.mod + (attributes.prof ?? 0);
    startMode(ability.check.roll);
    startMode(ability.save.roll);
    if ( actor.hasConditionEffect("abilityCheckDisadvantage") ) addMode(ability.check.roll, -1);
    const saves = actor.hasConditionEffect("abilitySaveDisadvantage");
    if ( saves || (id === "dex" && actor.hasConditionEffect("dexteritySaveDisadvantage")) ) addMode(ability.save.roll, -1);
    if ( id === "dex" && actor.hasConditionEffect("dexteritySaveAdvantage") ) addMode(ability.save.roll, 1);
  }
}

/** Modifiers and modes of skills. */
function prepareSkills(actor) {
  const { skills = {}, abilities = {}, attributes } = actor.system;
  for ( const skill of Object.values(skills) ) {
    startMode(skill.roll);
    const ability = abilities[skill.ability];
    skill.mod = ability?.mod ?? 0;
    skill.prof = { multiplier: skill.value, hasProficiency: skill.value > 0, flat: Math.floor((attributes.prof ?? 0) * skill.value),
      get term() { return String(this.flat); } };
    skill.total = skill.mod + skill.prof.flat;
    skill.passive = 10 + skill.total;
  }
}

/**
 * Immunity to conditions. In 5.3 it takes the status away and leaves the effect; the loop runs before Petrified adds its
 * immunities, so that a petrified and poisoned creature stays poisoned. dnd5e traits.mjs prepareResistImmune
 * In 6 the effect is suppressed instead. [M]
 */
function prepareResistImmune(actor) {
  const { traits } = actor.system;
  if ( !actor.isSystem6 ) for ( const id of traits.ci.value ) actor.statuses.delete(id);
  if ( !actor.hasConditionEffect("petrification") ) return;
  for ( const type of Object.keys(CONFIG.DND5E.damageTypes) ) traits.dr.value.add(type);
  traits.di.value.add("poison");
  for ( const id of ["poisoned", "diseased"] ) traits.ci.value.add(id);
}

/** Modifier and mode of initiative. */
function prepareInitiative(actor) {
  const { init } = actor.system.attributes;
  if ( !init ) return;
  const ability = init.ability || CONFIG.DND5E.defaultAbilities.initiative;
  init.mod = actor.system.abilities?.[ability]?.mod ?? 0;
  init.prof = { hasProficiency: false, term: "0", flat: 0 };
  startMode(init.roll);
  if ( actor.hasConditionEffect("initiativeAdvantage") ) addMode(init.roll, 1);
  if ( actor.hasConditionEffect("initiativeDisadvantage") ) addMode(init.roll, -1);
  init.total = init.mod + simplifyBonus(init.bonus, actor.getRollData());
}

/** Hit Dice of classes, or of the hit point formula of an NPC. dnd5e npc.mjs, module/documents/actor/hit-dice.mjs */
function prepareHitDice(actor) {
  const { attributes } = actor.system;
  const classes = actor.itemTypes.class;
  if ( actor.type === "npc" ) {
    const [, max, denomination] = attributes.hp?.formula?.match(/(\d*)d(\d+)/i) ?? [];
    const hd = attributes.hd = { spent: 0, ...attributes.hd, max: Number(max || 0), denomination: Number(denomination ?? 8) };
    hd.value = Math.max(0, hd.max - hd.spent);
    return;
  }
  for ( const item of classes ) {
    const hd = item.system.hd;
    hd.max = Number(item.system.levels ?? 1) + Number(hd.additional || 0);
    hd.value = Math.max(0, hd.max - hd.spent);
  }
  const sum = key => classes.reduce((total, item) => total + item.system.hd[key], 0);
  attributes.hd = { classes: new Set(classes), max: sum("max"), value: sum("value"), get pct() { return 100 * this.value / this.max; } };
}

/** Maximum, and the current value held at it. dnd5e attributes.mjs prepareHitPoints, advancement/hit-points.mjs */
function prepareHitPoints(actor) {
  const { hp } = actor.system.attributes;
  if ( !hp ) return;
  if ( hp.max === null && actor.type === "character" ) hp.max = derivedMaximum(actor);
  hp.max = Math.floor((hp.max ?? 0) * (actor.hasConditionEffect("halfHealth") ? 0.5 : 1));
  hp.effectiveMax = Math.max(hp.max + (hp.tempmax ?? 0), 0);
  hp.value = Math.min(hp.value, hp.effectiveMax);
  hp.damage = hp.effectiveMax - hp.value;
  hp.pct = hp.effectiveMax ? Math.clamp(hp.value / hp.effectiveMax * 100, 0, 100) : 0;
  // dnd5e 6 tells it as a number. [M]
  if ( actor.isSystem6 ) hp.bloodied = hp.effectiveMax > 0 && hp.value <= hp.effectiveMax * CONFIG.DND5E.bloodied.threshold;
}

/** Maximum hit points that follow from classes and Constitution. */
function derivedMaximum(actor) {
  const { system } = actor;
  const mod = system.abilities[CONFIG.DND5E.defaultAbilities.hitPoints]?.mod ?? 0;
  const bonuses = system.attributes.hp.bonuses ?? {};
  const data = actor.getRollData();
  let total = simplifyBonus(bonuses.overall, data) + simplifyBonus(bonuses.level, data) * system.details.level;
  for ( const item of actor.itemTypes.class ) {
    const points = Object.values(item.system.advancement ?? {}).find(entry => entry.type === "HitPoints");
    const die = Number(item.system.hd.denomination.slice(1));
    for ( const value of Object.values(points?.value ?? {}) ) {
      total += Math.max((value === "max" ? die : value === "avg" ? die / 2 + 1 : Number(value)) + mod, 1);
    }
  }
  return total;
}

/** The number that a formula without dice comes to; 0 when it is none. dnd5e module/utils.mjs simplifyBonus */
function simplifyBonus(formula, data) {
  if ( !formula ) return 0;
  try { return new Roll(String(formula), data).evaluateSync().total; }
  catch { return 0; }
}

/** Speed after conditions: none, crawling, and the reduction of Exhaustion. dnd5e attributes.mjs prepareMovement */
function prepareMovement(actor) {
  const { movement, exhaustion = 0 } = actor.system.attributes;
  if ( !movement ) return;
  const stopped = actor.hasConditionEffect("noMovement");
  const crawling = actor.hasConditionEffect("crawl");
  const immune = actor.system.traits.ci.value.has("exhaustion");
  const legacy = game.settings.get("dnd5e", "rulesVersion") === "legacy";
  const reduction = immune || legacy ? 0 : exhaustion * (CONFIG.DND5E.conditionTypes.exhaustion.reduction?.speed ?? 0);
  for ( const type of Object.keys(CONFIG.DND5E.movementTypes) ) {
    const speed = stopped || (crawling && type !== "walk") ? 0 : Math.max(0, movement[type] - reduction);
    movement[type] = actor.hasConditionEffect("halfMovement") ? speed / 2 : speed;
  }
  movement.speed = movement.walk;
  const types = Object.keys(CONFIG.DND5E.movementTypes);
  movement.max = Math.max(...types.map(type => movement[type]));
  movement.slowed = movement.walk <= (Number(actor._source.system.attributes.movement.walk) || 0) / 2;
  if ( !actor.isSystem6 ) return;
  // dnd5e 6 keeps them under another name, and reads the old one from there. [M]
  movement.speeds = Object.fromEntries(types.map(type => [type, movement[type]]));
  for ( const type of types ) {
    const [get, set] = [() => movement.speeds[type], speed => { movement.speeds[type] = speed; }];
    Object.defineProperty(movement, type, { get, set, enumerable: true });
  }
}

/** Level and maximum of each kind of spell slot. */
function prepareSpells(actor) {
  for ( const [key, slot] of Object.entries(actor.system.spells ?? {}) ) {
    slot.level ??= Number(key.replace(/\D/g, "")) || 0;
    slot.max = slot.override ?? slot.max ?? slot.value ?? 0;
  }
}
