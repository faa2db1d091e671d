// Generated from bridge/protocol.py by `python -m tools.protocol.docs`; do not edit.
// In JSDoc: @import { Picture } from "../types/protocol.d.ts"

/** A range of protocol versions, both ends included. */
export interface Versions {
  /** The oldest. */
  min: number;
  /** The newest. */
  max: number;
}

/** Bridge, at once: who speaks, in which versions, and a nonce (64 hex digits) to prove the key with. */
export interface Challenge {
  type: "challenge";
  /** The range of versions that the sender speaks; in `welcome`, the one that is spoken from now on. */
  protocol: Versions;
  /** The bridge's own version. */
  version: string;
  /** Random hex digits, fresh for every connection. */
  nonce: string;
}

/** What Foundry is: world, core and system versions, other modules that matter. */
export interface Table {
  /** The id that the module keeps in a world setting; it stays with the world's backups. */
  world: string;
  /** Its name, as text. */
  name?: string;
  /** `v13+dnd5e-5.3`, `v14+dnd5e-5.3` or `v14+dnd5e-6`. */
  profile?: string;
  /** Foundry's version. */
  core?: string;
  /** The version of dnd5e. */
  system?: string;
  /** The version of our module. */
  module?: string;
  /** Ids of other active modules that matter to the rules. */
  modules?: string[];
  /** dnd5e's own Bloodied automation is on (BLO-5). */
  nativeBloodied?: boolean;
  /** dnd5e's own dead-or-unconscious at 0 is on (DWN-1). */
  nativeDowned?: boolean;
  /** `modern` (2024) or `legacy` (2014), as dnd5e's rules version setting says. */
  rules?: string;
  /** The world's folder in Foundry: a copy of the world, which has the same `world`, stands in another one. */
  home?: string;
}

/** Module: a GM typed the pairing code. Answered by `paired` or `error not-paired`. */
export interface Pair {
  type: "pair";
  /** The range of versions that the sender speaks; in `welcome`, the one that is spoken from now on. */
  protocol: Versions;
  /** As typed: capitals, dashes and spaces do not matter. */
  code: string;
  /** What Foundry is. */
  table: Table;
  /** The id of a Foundry user. */
  user: string;
  /** The user's name, as text. */
  userName?: string;
}

/** Bridge: this browser's own key (64 hex digits). `auth` follows on the same connection. */
export interface Paired {
  type: "paired";
  /** The id of the paired browser. */
  client: string;
  /** To be kept in this browser and nowhere else. */
  key: string;
}

/** Module: proof of the key, over both nonces, the world and the page's origin (see `docs/protocol.md`). */
export interface Auth {
  type: "auth";
  /** The range of versions that the sender speaks; in `welcome`, the one that is spoken from now on. */
  protocol: Versions;
  /** The id of the paired browser. */
  client: string;
  /** Random hex digits, fresh for every connection. */
  nonce: string;
  /** The proof; see *Proof of the key*. */
  mac: string;
  /** What Foundry is. */
  table: Table;
  /** The id of a Foundry user. */
  user: string;
  /** The user's name, as text. */
  userName?: string;
}

/** What the bridge accepts: bytes of a message, messages in a batch, sheets in a page. */
export interface SessionLimits {
  /** Bytes of one frame. */
  message: number;
  /** Messages in one batch. */
  batch: number;
  /** Sheets in one picture. */
  page: number;
}

/** Bridge: proof of the key from its side too, and where the conversation stands. */
export interface Welcome {
  type: "welcome";
  /** The range of versions that the sender speaks; in `welcome`, the one that is spoken from now on. */
  protocol: number;
  /** The proof; see *Proof of the key*. */
  mac: string;
  /** The id of this conversation, as the log names it. */
  session: string;
  /** What the bridge accepts. */
  limits: SessionLimits;
  /** The name of the rulebook that is in force for this world. */
  rulebook?: string;
  /** The bridge has a picture of this world. */
  known?: boolean;
}

/** Which user did it. */
export interface By {
  /** The id of a Foundry user. */
  user: string;
  /** It is a GM. */
  gm?: boolean;
  /** Its name, as text. */
  name?: string;
}

/**
 * The cause marker that the module put in the same write. `kind`: `hit-die`, `short-rest`, `long-rest`, `rest-
 * feature`, `spell`, `item`, `feature`, `regeneration`, `death-save`, `gm-edit`, `player-edit`, `allow`, `form`,
 * `rest` (of another module, which did not announce it: BLD-12) or `unknown`.
 */
export interface Cause {
  /** One of the kinds above. */
  kind?: string;
  /** The id of the use of an activity; what it changes on one creature or several belongs together (BLD-4, UND-1). */
  use?: string;
  /** What it was, e.g. `Cure Wounds`. */
  label?: string;
}

/** One place in the order. */
export interface Combatant {
  /** Its id. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor?: string | null;
  /** As rolled; left out before that. */
  initiative?: number | null;
  /** Marked as defeated. */
  defeated?: boolean;
}

/** A running combat (round 1 or later): who acts in which order, and whose turn it is. */
export interface Combat {
  /** Its id. */
  id: string;
  /** The round, from 1. */
  round: number;
  /** Whose turn it is: a place in `order`, from 0. */
  turn: number;
  /** All combatants, in the order of their turns. */
  order: Combatant[];
  /** The scene that the combat belongs to, if any. */
  scene?: string | null;
}

/**
 * What one Foundry write changed, as it stands now. `n` counts the module's messages of this session from 1; `ack`
 * names them. `page` and `pages` are given while the whole world is shown (first after `welcome`): rules wait for the
 * last page, and creatures that no page showed are gone.
 */
export interface Picture {
  type: "picture";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The creatures that changed, each with its whole sheet. */
  actors?: Actor[];
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  gone?: string[];
  /** The combats that changed, each whole. */
  combats?: Combat[];
  /** Combats that are over, or were deleted. */
  ended?: string[];
  /** World time in seconds, as `game.time.worldTime` counts it. */
  clock?: number | null;
  /** What the change comes from, as far as the module knows. */
  cause?: Cause | null;
  /** Which user did it. */
  by?: By | null;
  /** The Apply that made this write. */
  apply?: number | null;
  /** Which page this is, from 1. */
  page?: number;
  /** How many pages there are; 0 when the world is not being shown. */
  pages?: number;
}

/** A card as its message's flag holds it: sent along with a press, so that no card is ever forgotten. */
export interface CardState {
  /** Its id. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** `data` of the card. */
  data?: Record<string, any>;
  /** Buttons that were pressed already. */
  done?: string[];
}

/** It drank alcohol (INT-17). */
export interface Drank {
  type: "drank";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** How many drinks. */
  count?: number;
  /** As how many each of them counts (INT-5). */
  strength?: number;
  /** It chose to get drunk although immune (INT-6). */
  willing?: boolean;
  /** Its name as the user sees it, as text. */
  label?: string;
}

/** It took food or water (INT-9). */
export interface Ate {
  type: "ate";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** Which of the two. */
  what?: "food" | "water";
}

/** A rest began (its dialog was confirmed). */
export interface RestBegan {
  type: "restBegan";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** Which rest. */
  kind?: "long" | "short";
}

/** A rest was finished. `length` in seconds; the Hit Dice as they were before it. */
export interface RestFinished {
  type: "restFinished";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** Which rest. */
  kind?: "long" | "short";
  /** Its length in seconds. */
  length?: number;
  /** Class → its Hit Dice before the rest. */
  hitDiceBefore?: Record<string, HitDice>;
}

/** The gate on some client refused `amount` hit points (BLD-7). */
export interface Refused {
  type: "refused";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** The rise that would have happened. */
  amount?: number;
  /** What it came from. */
  cause?: Cause;
}

/** The roll that a `roll.ask` card asked for came in. */
export interface Rolled {
  type: "rolled";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** The id of the card that asked. */
  request?: string;
  /** `reason` of the request. */
  reason?: string;
  /** What had to be reached. */
  dc?: number;
  /** What was rolled; left out when only the outcome is known. */
  total?: number | null;
  /** The outcome, where there is no total. */
  success?: boolean;
}

/** The dice that a `dice.roll` asked for. */
export interface DiceRolled {
  type: "diceRolled";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** The id of the card that asked. */
  request?: string;
  /** `reason` of the request. */
  reason?: string;
  /** What was rolled. */
  total?: number;
}

/** A button of a card was pressed. `owner`: the user owns the creature. */
export interface Pressed {
  type: "pressed";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** The id of the button. */
  button?: string;
  /** The card, as its flag holds it. */
  card?: CardState | null;
  /** The user owns the creature. */
  owner?: boolean;
}

/** It used its action, bonus action, reaction or movement in combat. */
export interface Used {
  type: "used";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** What it used; `attack` is an attack of the Attack action. */
  what?: "action" | "attack" | "bonus" | "move" | "reaction";
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  target?: string | null;
  /** What it did, as text. */
  label?: string;
}

/** A chat command of ours, as typed: `/drink`, `/eat`, `/water`, `/conditions`. `actor`: the speaker's own creature. */
export interface Said {
  type: "said";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** The whole line, as typed. */
  text?: string;
}

/** The GM gives it a condition, moves it to `level`, or ends it (level 0). */
export interface Given {
  type: "given";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** The module's own id; the same when it is sent again. */
  id: string;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Which user did it. */
  by: By;
  /** World time when it happened; the clock's when left out. */
  at?: number | null;
  /** It happened to these creatures as well, all in one: a GM's word only (UND-1). */
  others?: string[];
  /** Which. */
  condition?: string;
  /** The level to have; 1 where there are no levels. */
  level?: number;
  /** The reference of the creature that caused it. */
  source?: string;
  /** What ends it (TIM-1); nothing but a hand when left out. */
  lasts?: "" | "combat" | "days" | "hours" | "long-rest" | "minutes" | "rounds" | "save" | "seconds" | "short-rest" | "turn-end" | "turn-start";
  /** How many of these units. */
  amount?: number;
  /** The ability of the save that ends it. */
  ability?: "cha" | "con" | "dex" | "int" | "str" | "wis";
  /** What the save must reach. */
  dc?: number;
  /** When in its turn the save is asked for. */
  moment?: "end" | "start";
  /** Against an immunity (CMB-4). */
  forced?: boolean;
}

/** The GM takes a decision back, the last one when `decision` is left out. */
export interface Undo {
  type: "undo";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** Its id. */
  id: string;
  /** Which user did it. */
  by: By;
  /** The number of the decision. */
  decision?: number | null;
}

/**
 * The GM puts other house rules in force: some keys changed, a whole `text`, or the last change taken back. Refused
 * with `conflict` when they are no longer those of `version`, which the view of them named.
 */
export interface Configured {
  type: "configured";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** Its id. */
  id: string;
  /** Which user did it. */
  by: By;
  /** Of the house rules as the GM saw them. */
  version: string;
  /** Key of the rulebook file -> its value; `null` takes the key out. */
  changes?: Record<string, any>;
  /** A whole rulebook instead. */
  text?: string | null;
  /** Back to what was in force before the last change. */
  undo?: boolean;
}

/** A GM's window asks for a view. It changes nothing: not numbered, not kept, answered once by `answer`. */
export interface Ask {
  type: "ask";
  /** Comes back with the answer. */
  id: string;
  /** Which view: `configure`, `console`, `history` or `why`. */
  what: string;
  /** Which user did it. */
  by: By;
  /** What it is about, e.g. the words that are looked for; every view has its own. */
  about?: Record<string, string | number | boolean | string[]>;
}

/** An Apply was not carried out: Foundry showed something else (`changed`), refused it (`refused`) or broke. */
export interface Failed {
  type: "failed";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
  /** `id` of the Apply. */
  apply: number;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Why. */
  code?: "already-done" | "changed" | "error" | "refused";
  /** In words, for the log. */
  message?: string;
}

/**
 * Several messages in one frame, in order, in either direction. They are taken one by one: one that is wrong is
 * answered, the others count.
 */
export interface Batch {
  type: "batch";
  /** The messages, in order; none of them a batch. */
  messages: Array<FromModule | FromBridge>;
}

/** All of the module's messages up to `n` are on disk. */
export interface Ack {
  type: "ack";
  /** The number of this message in its session: 1, 2, 3 … without a gap. */
  n: number;
}

/** Something was not accepted. `about`: the `n` or `id` of the message, when it had one. */
export interface Error {
  type: "error";
  /** One of the [error codes](#error-codes). */
  code: string;
  /** One plain sentence. */
  message: string;
  /** `n` of the message that it answers. */
  about?: number | null;
  /** `id` of the message that it answers. */
  id?: string | null;
  /** The message as a key of `lang/` with its data, where there is one. */
  said?: Line | null;
}

/** A button of a card. `who`: `gm` or `owner` (the GM may press both). */
export interface Button {
  /** Its id. */
  id: string;
  /** What stands on it, in English. */
  label: string;
  /** Who may press it. */
  who?: "gm" | "owner";
}

/** One line of a card: a key of `lang/` with its data, and the plain English fallback (CRD-6). */
export interface Line {
  /** A key of `lang/`, under `Card.`. */
  key: string;
  /** The whole line in English, for a client without that key. */
  text: string;
  /** What the translated line is filled with. */
  data?: Record<string, string | number>;
  /** The condition that it is about; its icon and name stand beside it. */
  condition?: string | null;
  /** The level of the condition, where it has levels. */
  level?: number;
  /** Who caused it, as a reference: shown by name to those who may know it. */
  source?: string | null;
}

/** A chat card. Text and data only, never markup (CRD-5). */
export interface Card {
  /** Its id. */
  id: string;
  /** What it is about: this decides how it looks. */
  kind: "conditions" | "dice" | "notice" | "refusal" | "save" | "summary" | "turn";
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** Its heading. */
  title: Line;
  /** What it says. */
  lines?: Line[];
  /** What can be done. */
  buttons?: Button[];
  /** Who sees it. */
  audience?: "all" | "gm" | "owner";
  /** What a press of its buttons needs to know, e.g. the refused amount. */
  data?: Record<string, any>;
  /** Cards of one group are rows of one card, in one message (CRD-1); its own id when it stands alone. */
  group?: string;
}

/** A button of a view: it sends a message of `type` with `data`, or asks for another view (`ask`). */
export interface Control {
  /** Its own among the buttons beside it, so that it is found again when the view is drawn anew. */
  id: string;
  /** What stands on it. */
  label: Line;
  /**
   * `ask`, one of the numbered messages that the module sends by itself, `save` (`name` and `text` of a file for the
   * user), or `habits` (the window for what is particular about `actor`).
   */
  type: string;
  /**
   * Fields of the message; the values of a form are added to them. `each`: of several messages. For `ask`: `what` and
   * `about`.
   */
  data?: Record<string, any>;
  /** A Font Awesome name. */
  icon?: string;
  /** It is for the creatures of the tokens that are selected: they are added as `actor` and `others`. */
  selected?: boolean;
  /** Asked before it is done. */
  confirm?: Line | null;
  /** It leads to what is shown already. */
  current?: boolean;
}

/** When a row is over, moves on or came to be: the module counts by itself, in game time or in combat rounds. */
export interface Ends {
  /** What is then; `{left}` in it stands for how long it is until then, or since. */
  words: Line;
  /** As Foundry's clock will show it. */
  at?: number | null;
  /** The combat whose rounds are counted. */
  combat?: string | null;
  /** The round in which it is over. */
  round?: number;
}

/** A row of a list. Rows of one creature that follow each other stand together under its portrait and name. */
export interface Row {
  /** Its own in the list. */
  id: string;
  /** The creature that it is about; the module shows its portrait and name. */
  actor?: string | null;
  /** The name, where there is no such creature any more. */
  title?: Line | null;
  /** Its icon and name stand at the head of the row. */
  condition?: string | null;
  /** The level of the condition, where it has levels. */
  level?: number;
  /** What is said of it. */
  lines?: Line[];
  /** What is counted down. */
  ends?: Ends | null;
  /** Its buttons. */
  controls?: Control[];
}

/** A list. */
export interface Rows {
  part: "rows";
  /** Its own in the view. */
  id: string;
  /** The heading. */
  title: Line;
  /** The rows. */
  rows?: Row[];
  /** Shown in the place of no rows. */
  empty?: Line | null;
  /** Buttons for all of it. */
  controls?: Control[];
  /** Rows that are left out, for they are too many. */
  more?: number;
}

/** A sentence. */
export interface Note {
  part: "note";
  /** The sentence. */
  line: Line;
  /** How it looks. */
  tone?: "bad" | "good" | "plain" | "warning";
}

/** One of the values of a field. */
export interface Choice {
  /** The value. */
  value: string;
  /** What is shown for it. */
  label: Line;
}

/** A field of a form. */
export interface Field {
  /** The field of the message that it fills. */
  key: string;
  /**
   * `tags`: any of `choices`. `area`: a longer text; `lines`: one thing on each line of it. `file`: the text of a file
   * of at most `most` bytes.
   */
  kind: "area" | "choice" | "file" | "lines" | "number" | "tags" | "text" | "toggle";
  /** What stands beside it. */
  label: Line;
  /** What stands below it. */
  hint?: Line | null;
  /** What is set now. */
  value?: string | number | boolean | string[];
  /** What holds when nothing is set; none where there is no such thing. */
  default?: string | number | boolean | string[] | null;
  /** The values of `choice` and `tags`. */
  choices?: Choice[];
  /** The smallest number. */
  least?: number | null;
  /** The largest number. */
  most?: number | null;
  /** Shown only while another field has one of these values. */
  only?: Record<string, string[]>;
  /** What is wrong with the value. */
  problem?: Line | null;
}

/** Fields, and buttons that send their values. The first button is the one of the Enter key. */
export interface Form {
  part: "form";
  /** Its own in the view. */
  id: string;
  /** The heading. */
  title: Line;
  /** The fields. */
  fields?: Field[];
  /** Its buttons. */
  controls?: Control[];
  /** Folded up when not. */
  open?: boolean;
}

/** What a window shows: text and data only, never markup. */
export interface View {
  /** Which view it is. */
  what: string;
  /** The heading. */
  title: Line;
  /** What it shows, in this order. */
  parts?: Array<Rows | Note | Form>;
  /** Buttons that lead elsewhere. */
  controls?: Control[];
}

/** Set current and temporary hit points. `quiet`: a correction, no damage or healing to react to. */
export interface SetHitPoints {
  op: "hp.set";
  /** The hit points that must be there. */
  was: number;
  /** The hit points to set. */
  value: number;
  /** The temporary ones that must be there. */
  wasTemp?: number;
  /** The temporary ones to set. */
  temp?: number;
  /** A correction: no save, no card and no other reaction follows from it. */
  quiet?: boolean;
}

/** Damage through dnd5e, so that resistances count. */
export interface ApplyDamage {
  op: "damage.apply";
  /** Damage before resistances. */
  amount: number;
  /** Its type. */
  damage: string;
  /** The same id again is the same damage. */
  id: string;
}

/** Set the Hit Dice that are left, by class. */
export interface SetHitDice {
  op: "hit-dice.set";
  /** Class → Hit Dice that must be left there. */
  was: Record<string, number>;
  /** Class → Hit Dice to leave. */
  left: Record<string, number>;
}

/**
 * Create, change or end (`mark` none) one effect. `was`: its mark, as the bridge saw it. An effect that is to be
 * created and is there already without a mark (Foundry's own rider was quicker) is marked.
 */
export interface SetCondition {
  op: "condition.set";
  /** The id of the effect document. */
  effect: string;
  /** The status that it stands for. */
  condition: string;
  /** All statuses that it carries, implied ones included. */
  statuses?: string[];
  /** The mark that must be there. */
  was?: Mark | null;
  /** The effect is there now (perhaps without a mark of ours). */
  there?: boolean;
  /** The mark to write; none: delete the effect. */
  mark?: Mark | null;
  /** The effect is to be disabled. */
  disabled?: boolean;
}

/** Switch a status of the system (`stable`, `dead`) on or off. */
export interface SetStatus {
  op: "status.set";
  /** Its id. */
  status: string;
  /** On or off. */
  on: boolean;
}

/** End all concentration of the creature. */
export interface EndConcentration {
  op: "concentration.end";
}

/** Post a chat card. Its message's id derives from `card.id`: a second time, it is there already. */
export interface PostCard {
  op: "card.post";
  /** The card. */
  card: Card;
}

/**
 * A button of a card was used: show what was done, and keep `stamp` with it. Refused with `already-done` when it was
 * used under another stamp; the same stamp again is the same use.
 */
export interface UpdateCard {
  op: "card.update";
  /** The id of the card. */
  card: string;
  /** The button that was used. */
  button: string;
  /** What was done. */
  outcome: Line;
  /** The decision that used it. */
  stamp?: number;
}

/** Ask the creature's player, else the GM, for a saving throw. It stands as a card until it is rolled. */
export interface AskRoll {
  op: "roll.ask";
  /** The card that asks. */
  card: Card;
  /** The ability of the save. */
  ability: string;
  /** What must be reached. */
  dc: number;
  /** Comes back with the roll. */
  reason: string;
  /** What the save is against and the like, for roll modifiers. */
  tags?: string[];
}

/** Roll dice in the open; the total comes back as `diceRolled`. */
export interface RollDice {
  op: "dice.roll";
  /** The card that shows the dice. */
  card: Card;
  /** A Foundry dice formula. */
  formula: string;
  /** Comes back with the total. */
  reason: string;
}

/** Tell one user, or all GMs, one plain sentence. */
export interface Notify {
  op: "notify";
  /** The sentence. */
  line: Line;
  /** The user; all GMs when left out. */
  user?: string | null;
}

/**
 * Do all of this to one creature, in order, then write `memory` (its receipt is `id`) on it. Hit points are written
 * last, in one write with `memory`: nothing else could tell whether they were written. Every `was` is compared before
 * anything is written; where one differs nothing is done and `failed` with `changed` is answered, after a picture of
 * what is there. Safe to repeat.
 */
export interface Apply {
  type: "apply";
  /** The decision; it becomes the receipt. */
  id: number;
  /** A Foundry uuid: `Actor.<id>`, or `Scene.<id>.Token.<id>.Actor.<id>` for an unlinked token's own actor. */
  actor: string;
  /** What is to be done, in this order. */
  operations: Operation[];
  /** Written on the actor last of all. */
  memory: Memory;
}

/** Bridge: the view that `ask` asked for. */
export interface Answer {
  type: "answer";
  /** `id` of the question. */
  id: string;
  /** The view. */
  view: View;
}

/** Bridge: how it is (`ok`, `stopping`, `degraded`), or what a GM should know (`note`): one sentence. */
export interface Status {
  type: "status";
  /** `ok`, `stopping` or `degraded`. */
  state: string;
  /** One plain sentence. */
  message?: string;
}

/** Hit points. `max` is without, `top` with the temporary change of the maximum. */
export interface HitPoints {
  /** The current ones. */
  value: number;
  /** The maximum, without `tempmax`. */
  max: number;
  /** Temporary hit points. */
  temp?: number;
  /** The temporary change of the maximum. */
  tempmax?: number;
}

/** The Hit Dice of one class: how many are left, of how many, of which size. */
export interface HitDice {
  /** How many are left. */
  left: number;
  /** How many there are. */
  all: number;
  /** How many sides they have. */
  size?: number;
}

/**
 * When an effect ends by itself (TIM-1). The meaning of each field depends on `kind`. `seconds`: `amount` seconds of
 * world time after `began`. `rounds`: `amount` rounds after `began`. `turn-start` and `turn-end`: of `creature`'s next
 * turn. `save`: when a save with `ability` against `dc` succeeds, asked at `moment` of its turn. `combat`, `short-
 * rest`, `long-rest`: until that ends.
 */
export interface Timer {
  /** One of the kinds above. */
  kind: string;
  /** World time in seconds, as `game.time.worldTime` counts it. */
  began: number;
  /** How many seconds or rounds. */
  amount?: number;
  /** Whose turn is meant. */
  creature?: string | null;
  /** The ability of the save. */
  ability?: string | null;
  /** What the save must reach. */
  dc?: number;
  /** `turn-start` or `turn-end`. */
  moment?: string | null;
  /** The combat in which it began. */
  combat?: string | null;
  /** The round in which it began. */
  round?: number;
  /** The turn in which it began. */
  turn?: number;
  /** The initiative at which it began (TIM-2). */
  initiative?: number | null;
  /** The combatant at whose turn it began. */
  combatant?: string | null;
  /** Seconds counted in rounds while the clock stood still (TIM-7). */
  counted?: number;
  /** The world time at which it ends, as far as that is known. */
  due?: number | null;
}

/** What the bridge stamps on an effect (design, section 3). */
export interface Mark {
  /** The level of the condition. */
  level?: number;
  /** Which rule brought it, e.g. `intoxicated` on the Unconscious of level 6 (INT-12). */
  cause?: string | null;
  /** The creature that caused it, as a reference. */
  source?: string | null;
  /** Put on against an immunity, at the GM's word (CMB-4). */
  forced?: boolean;
  /** World time in seconds, as `game.time.worldTime` counts it. */
  timer?: Timer | null;
  /** Set while halted (PET-1): the timer with what is left. */
  halted?: Timer | null;
  /** Halted: disabled by a rule, not by the GM. */
  held?: boolean;
  /** The decision that wrote it last. */
  stamp?: number;
}

/** An ActiveEffect that carries at least one status. */
export interface Effect {
  /** Its id. */
  id: string;
  /** The statuses that it carries. */
  statuses: string[];
  /** Its name, as text. */
  name?: string;
  /** Disabled or suppressed: it carries nothing just now. */
  disabled?: boolean;
  /** It belongs to an item and cannot be deleted from the actor. */
  fixed?: boolean;
  /** What the bridge stamped on it; none on a plain condition put on by hand. */
  mark?: Mark | null;
}

/** What the rules must remember about a creature; stamped on the actor (design, law 1). */
export interface Memory {
  /** The last decision that was carried out whole. */
  receipt?: number;
  /** The world of these stamps (CMB-12). */
  world?: string;
  /** Derived conditions that the GM took off (CMB-8). */
  off?: string[];
  /** Combat id -> (round, turn) of the last own turn that was begun (TIM-3). */
  turns?: Record<string, [number, number]>;
  /** (combat, round) of the turn in which it has lost its action (INT-10). */
  lost?: [string, number] | null;
  /** Condition id -> what that condition remembers, in a shape of its own. */
  notes?: Record<string, any>;
}

/** What the GM has set for this one creature, on its actor in Foundry. */
export interface Habits {
  /** Extra drinks before a level rises (INT-3). */
  tolerance?: number;
  /** It chooses to get drunk although immune (INT-6). */
  willing?: boolean;
  /** It has advantage on saves against these, e.g. `poison` (INT-2). */
  saveAdvantage?: string[];
  /** A note that is shown when it is Bloodied (BLO-7). */
  whenBloodied?: string;
}

/** Where its token stands, in feet; `size` is its side in feet. */
export interface Place {
  /** The id of the scene. */
  scene: string;
  /** Its left edge, in feet. */
  x?: number;
  /** Its upper edge, in feet. */
  y?: number;
  /** The length of its side, in feet. */
  size?: number;
  /** In feet. */
  elevation?: number;
  /** Creatures that cannot see it. */
  unseenBy?: string[];
}

/** One creature. `hp` is none for what has no hit points (CMB-9). */
export interface Actor {
  /** Its id. */
  id: string;
  /** Its name, as text. */
  name?: string;
  /** dnd5e's type of the actor. */
  type?: string;
  /** Its hit points; none for what has none. */
  hp?: HitPoints | null;
  /** Class → its Hit Dice. */
  hitDice?: Record<string, HitDice>;
  /** Ability scores; 10 when left out. */
  abilities?: Record<string, number>;
  /** Walking Speed in feet before any condition. */
  speed?: number;
  /** Damage types. */
  resistances?: string[];
  /** Damage types. */
  immunities?: string[];
  /** Statuses. */
  conditionImmunities?: string[];
  /** Its effects that carry statuses. */
  effects?: Effect[];
  /** It concentrates on something. */
  concentrating?: boolean;
  /** No token of it is visible to players (CRD-3). */
  hidden?: boolean;
  /** A player owns it. */
  owned?: boolean;
  /** What the GM set for it. */
  habits?: Habits;
  /** What the bridge stamped on it. */
  memory?: Memory;
  /** Where its token stands; none without a token. */
  place?: Place | null;
  /** The running combat in which it is a combatant; filled in by the world, not by the module. */
  combat?: string | null;
  /** The round of that combat; filled in by the world, as what follows. */
  round?: number | null;
  /** Whose turn it is in that combat, as a place in its order. */
  turn?: number | null;
  /** The initiative of the one whose turn it is. */
  initiative?: number | null;
  /** The combatant whose turn it is. */
  combatant?: string | null;
}

/** When a modifier applies. What is given must hold; unknown facts make it *available*, never applied (ROL-3). */
export interface Predicate {
  /** The other creature is at most this many feet away (ROL-1). */
  within?: number | null;
  /** The other creature is farther than this many feet. */
  beyond?: number | null;
  /** The condition's source is in line of sight of its bearer. */
  sourceSeen?: boolean | null;
  /** The other creature cannot see the bearer. */
  unseen?: boolean | null;
  /** The other creature is (true) or is not (false) the condition's source. */
  otherIsSource?: boolean | null;
  /** What only people know (ROL-4), e.g. `sight`: offered, unticked. */
  asks?: string | null;
}

/**
 * What one condition gives to one kind of roll. `roll` is `attack`, `check`, `save` or `initiative` (an ability check
 * of Dexterity as well). `on_me`: the roll is made by another creature against the bearer. `abilities` and `tags`
 * narrow it (any of them), `but_abilities` and `but_tags` take out. Tags of a roll are skills, tools, `concentration`,
 * `death`, `melee`, `ranged` and `vs-<condition>`. `value` goes with `number` and `difficulty`.
 */
export interface Modifier {
  /** The kind of roll. */
  roll: string;
  /** `advantage`, `disadvantage`, `fail`, `critical`, `number` or `difficulty`. */
  gives: string;
  /** How much, for `number` and `difficulty`. */
  value?: number;
  /** It is the roll of another creature against the bearer. */
  onMe?: boolean;
  /** Only with one of these abilities. */
  abilities?: string[];
  /** Only with one of these tags. */
  tags?: string[];
  /** Not with these abilities. */
  butAbilities?: string[];
  /** Not with these tags. */
  butTags?: string[];
  /** Only then. */
  when?: Predicate | null;
}

/** Hit points do not go up while this is in force, except from what is granted (BLD-1, BLD-2). */
export interface Gate {
  /** Kinds of cause that are granted in full, e.g. `hit-die`. */
  grants?: string[];
  /** A rise by no more than the maximum rose in the same change is granted (BLD-4). */
  maxRise?: boolean;
}

/** What the creature cannot do. Refused to players and warned of to GMs unless the rulebook says otherwise. */
export interface Limits {
  /** No action. */
  action?: boolean;
  /** No bonus action. */
  bonus?: boolean;
  /** No reaction. */
  reaction?: boolean;
  /** On its turn it may move or take one action (DAZ-2). */
  moveOrAction?: boolean;
  /** Concentration ends and cannot begin. */
  concentration?: boolean;
  /** It may not willingly move closer to the condition's source. */
  closerToSource?: boolean;
  /** It may not attack the condition's source. */
  attackSource?: boolean;
  /** It can only crawl. */
  crawl?: boolean;
}

/** What happens to Speed: reductions first, then halving (INT-7), then zero. */
export interface Speed {
  /** Speed is 0. */
  zero?: boolean;
  /** Speed is halved, rounded down. */
  halved?: boolean;
  /** Feet less. */
  less?: number;
}

/**
 * What a sheet shows of its clocks. Its notes on the actor have the rest: `drinks` (times), `needed`, `since` (when
 * its hours began) and `fed` (when food or water was taken that no hour has counted yet).
 */
export interface Meter {
  /** Seconds for which a drink counts. */
  window: number;
  /** Seconds of one of its hours. */
  hour: number;
}

/** What a condition does at one level. Levels are cumulative in the text, not in the data: each is complete. */
export interface Level {
  /** What it does, in English. */
  summary: string;
  /** What it does to rolls. */
  modifiers?: Modifier[];
  /** What it forbids. */
  limits?: Limits | null;
  /** What it does to Speed. */
  speed?: Speed | null;
  /** What the system does by itself; ours to do where it does not see the condition: forced on the immune (CMB-4). */
  native?: Modifier[];
  /** The same for Speed. */
  nativeSpeed?: Speed | null;
}

/** One condition for the clients. `levels[0]` is level 1. */
export interface Entry {
  /** Its id. */
  id: string;
  /** Its name, as text. */
  name: string;
  /** A file in the module's `icons/`, without its ending; empty: the system's own. */
  icon: string;
  /** What it does at each level. */
  levels: Level[];
  /** A status that neither Foundry nor dnd5e knows: the module registers it. */
  own?: boolean;
  /** Statuses that last as long as it does (CMB-2). */
  implied?: string[];
  /** Statuses that begin with it and outlast it (CMB-3). */
  leftBehind?: string[];
  /** It has a source (Frightened, Charmed, Grappled). */
  sourced?: boolean;
  /** Where its rule comes from, when the page only names it. */
  origin?: string;
  /** What ends it, in words, when nothing ends it by itself. */
  ends?: string;
  /** What its clocks count by, for the meter on a sheet. */
  meter?: Meter | null;
  /** Words in the names of food and drink that bring it, and how many drinks each counts as (INT-17). */
  items?: Record<string, number>;
  /** What it does to healing. */
  gate?: Gate | null;
  /** Its modifiers and Speed stand in place of the system's own, which the module withdraws (CND-5). */
  instead?: boolean;
  /** Mode of its roll modifiers when it differs from the catalogue's: `off`, `suggest` or `enforce`. */
  rolls?: string;
  /** `off`, `remind`, `ask` or `auto`. */
  mode?: string;
}

/** All conditions, minus what that Foundry and dnd5e already do (CMB-7). */
export interface Catalogue {
  type: "catalogue";
  /** The profile that it is for. */
  profile: string;
  /** Changes whenever anything in it does. */
  version: string;
  /** All conditions of the rulebook. */
  conditions: Entry[];
  /** Mode of roll modifiers: `off`, `suggest` or `enforce`. */
  rolls?: string;
  /** Mode of limits for players: `off`, `warn` or `refuse`. */
  limitsPlayers?: string;
  /** The same for GMs. */
  limitsGm?: string;
}

export type Operation =
  | SetHitPoints
  | ApplyDamage
  | SetHitDice
  | SetCondition
  | SetStatus
  | EndConcentration
  | PostCard
  | UpdateCard
  | AskRoll
  | RollDice
  | Notify;

export type Happening =
  | Drank
  | Ate
  | RestBegan
  | RestFinished
  | Refused
  | Rolled
  | DiceRolled
  | Pressed
  | Used
  | Said
  | Given;

export type BeforePaired =
  | Pair
  | Auth;

export type FromModule =
  | Picture
  | Drank
  | Ate
  | RestBegan
  | RestFinished
  | Refused
  | Rolled
  | DiceRolled
  | Pressed
  | Used
  | Said
  | Given
  | Undo
  | Configured
  | Failed
  | Ask
  | Batch;

export type FromBridge =
  | Challenge
  | Paired
  | Welcome
  | Ack
  | Error
  | Apply
  | Answer
  | Catalogue
  | Status
  | Batch;

export type ErrorCode =
  | "invalid"
  | "unknown-type"
  | "too-large"
  | "too-many"
  | "not-allowed"
  | "already-done"
  | "unknown-actor"
  | "unknown-condition"
  | "immune"
  | "version"
  | "not-paired"
  | "taken"
  | "conflict"
  | "unknown-view"
  | "info";
