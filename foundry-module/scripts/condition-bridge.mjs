import * as apply from "./apply.mjs";
import * as cards from "./cards.mjs";
import * as clocks from "./clocks.mjs";
import * as commands from "./commands.mjs";
import * as drinks from "./drinks.mjs";
import * as gate from "./gate.mjs";
import * as limits from "./limits.mjs";
import * as link from "./link.mjs";
import * as outbox from "./outbox.mjs";
import * as pictures from "./pictures.mjs";
import * as rolls from "./rolls.mjs";
import * as saves from "./saves.mjs";
import * as settings from "./settings.mjs";
import * as sources from "./sources.mjs";
import * as speed from "./speed.mjs";
import * as statuses from "./statuses.mjs";
import { listen } from "./hooks.mjs";

listen([settings, statuses, speed, gate, outbox, pictures, apply, saves, rolls, limits, sources, drinks, clocks, commands, cards, link]);
