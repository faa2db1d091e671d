/** CONST and the core's part of CONFIG. */

export const CONST = Object.freeze({
  USER_ROLES: { NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 },
  DOCUMENT_OWNERSHIP_LEVELS: { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 },
  ACTIVE_EFFECT_MODES: { CUSTOM: 0, MULTIPLY: 1, ADD: 2, DOWNGRADE: 3, UPGRADE: 4, OVERRIDE: 5 },
  CHAT_MESSAGE_STYLES: { OTHER: 0, OOC: 1, IC: 2, EMOTE: 3 },
  DICE_ROLL_MODES: { PUBLIC: "publicroll", PRIVATE: "gmroll", BLIND: "blindroll", SELF: "selfroll" },
  TOKEN_DISPOSITIONS: { SECRET: -2, HOSTILE: -1, NEUTRAL: 0, FRIENDLY: 1 },
  GRID_TYPES: { GRIDLESS: 0, SQUARE: 1 },
  KEYBINDING_PRECEDENCE: { PRIORITY: 0, NORMAL: 1, DEFERRED: 2 },
  ACTIVE_EFFECT_SHOW_ICON: { NEVER: 0, CONDITIONAL: 1, ALWAYS: 2 },
  KEYS: []
});

/** Statuses of core itself, before the system replaces them. */
const CORE_STATUSES = [
  { id: "dead", name: "EFFECT.StatusDead", img: "icons/svg/skull.svg" },
  { id: "unconscious", name: "EFFECT.StatusUnconscious", img: "icons/svg/unconscious.svg" },
  { id: "prone", name: "EFFECT.StatusProne", img: "icons/svg/falling.svg" }
];

/** v13 keeps an array of statuses, v14 a record by id (foundry.md 1.2). */
export function coreConfig(profile, documents) {
  const record = Object.fromEntries(CORE_STATUSES.map(status => [status.id, status]));
  const statusEffects = profile.generation < 14 ? CORE_STATUSES : record;
  const config = {
    statusEffects,
    specialStatusEffects: { DEFEATED: "dead", INVISIBLE: "invisible", BLIND: "blind" },
    queries: {},
    time: { roundTime: 0, turnTime: 0 },
    sounds: { dice: "sounds/dice.wav", notification: "sounds/notify.wav" },
    Dice: { randomUniform: Math.random, rolls: [], terms: {}, termTypes: {}, rollModes: {
      publicroll: { label: "CHAT.RollPublic" }, gmroll: { label: "CHAT.RollPrivate" }, blindroll: { label: "CHAT.RollBlind" },
      selfroll: { label: "CHAT.RollSelf" } } },
    ui: {}, debug: { hooks: false }, Canvas: {}, TextEditor: { enrichers: [] }
  };
  for ( const [name, documentClass] of Object.entries(documents) ) {
    config[name] = { documentClass, dataModels: {}, typeLabels: {}, sheetClasses: {} };
  }
  // v14 message modes and effect phases. [T]
  if ( profile.generation >= 14 ) {
    config.ChatMessage.modes = { public: { label: "CHAT.RollPublic" }, gm: { label: "CHAT.RollPrivate" },
      blind: { label: "CHAT.RollBlind" }, self: { label: "CHAT.RollSelf" }, ic: { label: "CHAT.InCharacter" } };
    config.ActiveEffect.phases = { initial: {}, final: {} };
    config.ActiveEffect.expiryAction = "update";
  }
  return config;
}
