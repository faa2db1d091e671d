import * as apply from "./apply.mjs";
import * as cards from "./cards.mjs";
import * as commands from "./commands.mjs";
import * as drinks from "./drinks.mjs";
import * as gate from "./gate.mjs";
import * as link from "./link.mjs";
import * as outbox from "./outbox.mjs";
import * as pictures from "./pictures.mjs";
import * as saves from "./saves.mjs";
import * as settings from "./settings.mjs";
import * as statuses from "./statuses.mjs";
import { listen } from "./hooks.mjs";

listen([settings, statuses, gate, outbox, pictures, apply, saves, drinks, commands, cards, link]);
