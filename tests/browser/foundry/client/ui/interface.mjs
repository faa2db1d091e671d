/** The parts of the screen, and drawing them anew when documents change. */

import { ChatLog } from "./chat-log.mjs";
import { SceneControls } from "./controls.mjs";
import { Notifications } from "./notifications.mjs";
import { SettingsTab } from "./settings-window.mjs";
import { refreshSheets } from "./sheets.mjs";
import { ActorDirectory, Clock, CombatTracker, Players, Sidebar } from "./sidebar.mjs";

/** Build what `ui` names; nothing is drawn yet. */
export function buildInterface() {
  const notifications = ui.notifications = new Notifications();
  Object.assign(ui, { notifications, sidebar: new Sidebar(), chat: new ChatLog(), combat: new CombatTracker(), actors: new ActorDirectory(),
    settings: new SettingsTab(), controls: new SceneControls(), players: new Players(), clock: new Clock(), renderAll });
  globalThis.addEventListener("standin:changed", event => onChange(event.detail));
  for ( const [type, up] of [["keydown", false], ["keyup", true]] ) {
    document.addEventListener(type, event => game.keybindings.handle(event, up));
  }
}

/** Draw everything once. */
async function renderAll() {
  ui.sidebar.render();
  await ui.chat.render();
  for ( const part of [ui.combat, ui.actors, ui.settings, ui.players, ui.clock] ) part.render();
  await ui.controls.render();
}

/** What each kind of document shows itself in. Several changes of one moment are drawn once. */
const PARTS = {
  Actor: ["canvas", "sheets", "actors", "combat"], Item: ["sheets"], ActiveEffect: ["canvas", "sheets", "combat"],
  Token: ["canvas", "combat"], Scene: ["canvas"], Combat: ["combat", "canvas"], Combatant: ["combat", "canvas"],
  Setting: ["clock"], User: ["players"]
};

const DRAW = { canvas: () => canvas.sync(), sheets: refreshSheets, actors: () => ui.actors.render(), combat: () => ui.combat.render(),
  clock: () => ui.clock.render(), players: () => ui.players.render() };

const waiting = new Set();

/** Note what a change is shown in, and draw it when the moment is over. */
function onChange({ documentName, action, result }) {
  if ( !game.ready ) return;
  if ( documentName === "ChatMessage" ) return onMessages(action, result);
  if ( !waiting.size ) setTimeout(() => {
    const parts = [...waiting];
    waiting.clear();
    for ( const part of parts ) DRAW[part]();
  }, 0);
  for ( const part of PARTS[documentName] ?? [] ) waiting.add(part);
}

/** The chat log is drawn message by message. */
async function onMessages(action, result) {
  for ( const entry of result ) {
    if ( action === "delete" ) ui.chat.deleteMessage(entry);
    else {
      const message = game.messages.get(entry._id);
      await (action === "create" ? ui.chat.postOne(message) : ui.chat.updateMessage(message));
    }
  }
}
