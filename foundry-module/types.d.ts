/** Shapes on the wire, as far as the module looks into them. The protocol's documentation describes them in full. */

export interface HitPoints { value: number; max: number; temp?: number; tempmax?: number }
export interface HitDice { left: number; all: number; size?: number }
export interface Mark {
  level?: number; cause?: string; source?: string; forced?: boolean; held?: boolean; stamp?: number; timer?: Timer; halted?: Timer;
}
export interface Timer {
  kind: string; began: number; amount?: number; ability?: string; dc?: number; moment?: string; combat?: string; round?: number;
  turn?: number; combatant?: string; counted?: number;
}
/** What ends a condition: the kind of its timer, what is left of it, and the save that ends it sooner. */
export interface End { end: string; left?: number; ability?: string; dc?: number; moment?: string }
export interface Effect { id: string; statuses: string[]; name?: string; disabled?: boolean; fixed?: boolean; mark?: Mark }
export interface Place { scene: string; x?: number; y?: number; size?: number; elevation?: number; unseenBy?: string[] }
export interface Sheet {
  id: string; name?: string; type?: string; hp?: HitPoints; hitDice?: Record<string, HitDice>; abilities?: Record<string, number>;
  speed?: number; resistances?: string[]; immunities?: string[]; conditionImmunities?: string[]; effects?: Effect[];
  concentrating?: boolean; hidden?: boolean; owned?: boolean; habits?: object; memory?: Record<string, any>; place?: Place;
}

export interface Predicate {
  within?: number; beyond?: number; sourceSeen?: boolean; unseen?: boolean; otherIsSource?: boolean; asks?: string;
  /** What a save has to be against: only in what is offered. */
  vs?: string;
}
export interface Modifier {
  roll: string; gives: string; value?: number; onMe?: boolean; abilities?: string[]; tags?: string[]; butAbilities?: string[];
  butTags?: string[]; when?: Predicate;
}
export interface Limits {
  action?: boolean; bonus?: boolean; reaction?: boolean; moveOrAction?: boolean; concentration?: boolean; closerToSource?: boolean;
  attackSource?: boolean; crawl?: boolean;
}
export interface Speed { zero?: boolean; halved?: boolean; less?: number }
export interface Level {
  summary: string; modifiers?: Modifier[]; limits?: Limits; speed?: Speed; native?: Modifier[]; nativeSpeed?: Speed;
}
export interface Entry {
  id: string; name: string; icon: string; levels: Level[]; own?: boolean; implied?: string[]; leftBehind?: string[]; sourced?: boolean;
  origin?: string; ends?: string; meter?: { window: number; hour: number }; items?: Record<string, number>; gate?: { grants?: string[]; maxRise?: boolean }; instead?: boolean; rolls?: string; mode?: string;
}
export interface Catalogue {
  type: "catalogue"; profile: string; version: string; conditions: Entry[]; rolls?: string; limitsPlayers?: string; limitsGm?: string;
}
export interface Facts { distance?: number | null; rollerSeen?: boolean | null; targetSeen?: boolean | null; sourcesSeen?: Record<string, boolean> }
export interface Given { modifier: Modifier; condition: string; name: string; level: number; mode: string }
/** One modifier as a roll's message keeps it; `by`: who gave it when it was not us. */
export interface Reason { condition: string; level: number; gives: string; value: number; onMe: boolean; when: Predicate; by?: "system" }
/** What a message keeps of a roll: what counted, what was only offered, and whether the roller chose otherwise. */
export interface Told { given: Reason[]; offered?: Reason[]; fails?: boolean; critical?: boolean; otherwise?: boolean }

export interface Cause { kind: string; use?: string; label?: string }
export interface By { user: string; gm?: boolean; name?: string }
/** What the module puts beside a write of its own, or of the system's, in the operation's options. */
export interface Beside { apply?: number; cause?: Cause; top?: number }

export interface Line { key: string; text: string; data?: Record<string, string | number>; condition?: string | null; level?: number; source?: string | null }
export interface Button { id: string; label: string; who?: "gm" | "owner" }
export interface Card {
  id: string; kind: string; actor: string; title: Line; lines?: Line[]; buttons?: Button[]; audience?: "gm" | "owner" | "all";
  data?: Record<string, any>; group?: string;
}
/** A save that a card asks for. */
export interface Request { ability: string; dc: number; reason: string; tags?: string[] }
export interface Outcome { button: string; line: Line; stamp: number }
/** A card as its message's flag holds it; `data` is JSON, for no key of it may be taken for a path. */
export interface Kept extends Omit<Card, "data"> {
  data: string; done: string[]; outcomes: Outcome[]; request?: Request; rolled?: { total: number; success: boolean };
  /** What it holds of further creatures (CRD-1), by the id that a message of its own would have. */
  rows?: Record<string, Kept>;
  /** The creature's name, on a card of several. */
  name?: string;
}

export interface Operation { op: string; [field: string]: any }
export interface Apply { type: "apply"; id: number; actor: string; operations: Operation[]; memory: Record<string, any> }
export interface Message { type: string; n?: number; [field: string]: any }
export interface Happening extends Message { id: string; actor: string; by: By }

declare global {
  const dnd5e: any;

  interface CONFIG {
    DND5E: any;
  }
}

declare module "fvtt-types/configuration" {
  // What runs before the game is ready says so itself.
  interface AssumeHookRan {
    ready: never;
  }
}
