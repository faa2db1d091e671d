/** Start the game as one user: connect, build the globals, load the system, then the modules, then the life cycle of core. */

import "./core/primitives.mjs";
import * as utils from "./core/utils.mjs";
import { ForcedDeletion, ForcedReplacement, fromUuid, fromUuidSync } from "./core/operations-helpers.mjs";
import { Collection } from "./core/collection.mjs";
import { CONST, coreConfig } from "./core/constants.mjs";
import { CompendiumCollection, Document, WorldCollection } from "./core/document.mjs";
import { Hooks } from "./core/hooks.mjs";
import * as dice from "./core/dice.mjs";
import { ClientKeybindings, ClientSettings, GameTime, Localization } from "./core/settings.mjs";
import { Socket } from "./core/socket.mjs";
import { Actor, Item } from "./documents/actor.mjs";
import { ActiveEffect } from "./documents/effect.mjs";
import { ChatMessage } from "./documents/chat.mjs";
import { Combat, Combatant } from "./documents/combat.mjs";
import { Scene, TokenDocument } from "./documents/scene.mjs";
import { Setting, User, Users } from "./documents/user.mjs";
import * as applications from "./apps/application.mjs";
import * as handlebars from "./apps/handlebars.mjs";
import { loadSystem } from "./dnd5e/system.mjs";
import { Canvas, Token } from "./ui/canvas.mjs";
import { buildInterface } from "./ui/interface.mjs";
import { ActorSheetV2, DocumentSheetV2 } from "./ui/sheets.mjs";
import { Standin } from "./standin.mjs";

const DOCUMENTS = { Actor, Item, ActiveEffect, ChatMessage, Combat, Combatant, Scene, Token: TokenDocument, User, Setting };

const LANGUAGE = { lang: "en", path: "/standin/lang/en.json" };

/** The player's language: what core keeps in its client setting `core.language`. */
const language = () => JSON.parse(localStorage.getItem("core.language") ?? "\"en\"");

/** Everything that is there when a module's script is evaluated, before `init`. */
function buildGlobals(profile) {
  const api = { ApplicationV2: applications.ApplicationV2, HandlebarsApplicationMixin: applications.HandlebarsApplicationMixin,
    DialogV2: applications.DialogV2, DocumentSheetV2 };
  const named = Object.fromEntries(Object.entries(DOCUMENTS).map(([name, cls]) => [name === "Token" ? "TokenDocument" : name, cls]));
  const foundry = {
    utils: { ...utils, Collection, fromUuid, fromUuidSync }, CONST, CONFIG: null,
    abstract: { Document }, documents: { ...named, collections: { Users } },
    data: { operators: { ForcedDeletion, ForcedReplacement }, fields: {} },
    dice: { Roll: dice.Roll, terms: { Die: dice.Die, NumericTerm: dice.NumericTerm, OperatorTerm: dice.OperatorTerm } },
    applications: { api, instances: applications.instances, sheets: { ActorSheetV2 },
      ux: { FormDataExtended: applications.FormDataExtended },
      handlebars: { renderTemplate: handlebars.renderTemplate, loadTemplates: handlebars.loadTemplates, getTemplate: handlebars.getTemplate } },
    canvas: { placeables: { Token } }, helpers: { Hooks }
  };
  const CONFIG = foundry.CONFIG = coreConfig(profile, DOCUMENTS);
  CONFIG.Dice.fromData = data => dice.Roll.fromData(data);
  Object.assign(globalThis, { ...named, foundry, CONFIG, CONST, Hooks, Roll: dice.Roll, Token, fromUuid, fromUuidSync, Collection,
    getDocumentClass: name => CONFIG[name].documentClass, renderTemplate: handlebars.renderTemplate,
    Handlebars: { registerHelper: (name, fn) => { handlebars.helpers[name] = fn; }, SafeString: handlebars.SafeString }, ui: {} });
}

/** The `game` of this client; documents come later. */
function buildGame(welcome, socket) {
  const { profile, userId, modules } = welcome;
  const collections = new Collection();
  const game = {
    userId, socket, collections, view: "game", ready: false, _preparing: false,
    release: { generation: profile.generation, build: profile.build, version: `${profile.generation}.${profile.build}` },
    version: `${profile.generation}.${profile.build}`,
    system: { id: "dnd5e", title: "Dungeons & Dragons Fifth Edition", version: profile.system },
    world: { id: "standin", title: "Stand-in World" },
    modules: new Collection(modules.map(manifest => [manifest.id, { ...manifest, active: true }])),
    settings: new ClientSettings(), keybindings: new ClientKeybindings(), time: new GameTime(), i18n: new Localization(),
    packs: new Collection(), folders: new Collection(), macros: new Collection(), journal: new Collection(), tables: new Collection(),
    togglePause() { this.paused = !this.paused; }, paused: false,
    // What a page may read back is for the tests. [core: ClipboardHelper#copyPlainText, from the community's type definitions]
    clipboard: { async copyPlainText(text) { this.copied = text; } },
    get user() { return this.users?.current ?? null; },
    get combat() { return this.combats.viewed; },
    get canvas() { return globalThis.canvas; },
    get scenes() { return collections.get("Scene"); }
  };
  return game;
}

/** Build the documents of the world; the users first, because permissions need them. */
function loadWorld({ world, active }) {
  const make = name => name === "User" ? new Users() : new WorldCollection(name);
  const names = { User: "users", Setting: "settings", Actor: "actors", Item: "items", Scene: "scenes", Combat: "combats", ChatMessage: "messages" };
  for ( const [name, key] of Object.entries(names) ) {
    const collection = make(name);
    game.collections.set(name, collection);
    if ( key !== "scenes" && key !== "settings" ) game[key] = collection;
  }
  for ( const [name, key] of Object.entries(names) ) game.collections.get(name).load(world[key]);
  for ( const [name, actors] of Object.entries(world.packs) ) {
    const pack = new CompendiumCollection("Actor", name);
    game.packs.set(name, pack);
    pack.load(actors);
  }
  for ( const id of active ) game.users.get(id).active = true;
  Object.defineProperties(game.scenes, {
    active: { get() { return this.find(scene => scene.active) ?? null; } },
    viewed: { get: () => canvas.scene }, current: { get: () => canvas.scene }
  });
  Object.defineProperties(game.combats, {
    active: { get() { return this.find(combat => combat.active) ?? null; } },
    viewed: { get() { return this.find(combat => combat.active) ?? this.contents[0] ?? null; } }
  });
}

/** Settings that core itself registers. */
function registerCoreSettings(generation) {
  const register = (key, data) => game.settings.register("core", key, data);
  register("time", { scope: "world", type: Number, default: 0, onChange: (value, options, userId) => game.time._onUpdate(value, options, userId) });
  register("combatTrackerConfig", { scope: "world", type: Object, default: { skipDefeated: false } });
  register("theme", { scope: "client", type: String, default: "dark", config: true, name: "Theme", choices: { dark: "Dark", light: "Light" },
    onChange: applyTheme });
  register("rollMode", { scope: "client", type: String, default: "publicroll" });
  register("gridDiagonals", { scope: "world", type: Number, default: 0 });
  // v14 renamed it, and reading the old one would make private rolls public. [T]
  if ( generation >= 14 ) register("messageMode", { scope: "client", type: String, default: "public" });
}

/** Put the theme's class on the page. */
function applyTheme(theme) {
  document.body.classList.toggle("theme-dark", theme !== "light");
  document.body.classList.toggle("theme-light", theme === "light");
}

/** Load the modules' styles and scripts, one after the other. */
async function loadModules(modules) {
  for ( const { id, styles = [], esmodules = [] } of modules ) {
    for ( const style of styles ) {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/modules/${id}/${style.src ?? style}` });
      document.head.append(link);
    }
    for ( const script of esmodules ) await import(`/modules/${id}/${script}`);
  }
}

/** Go through the life cycle up to `ready`. */
async function start() {
  const userId = new URLSearchParams(location.search).get("user");
  const socket = new Socket();
  globalThis.standin = new Standin();
  const welcome = await socket.connect(userId);
  // Scripts are evaluated before the game is made, so that a module which reads it too early fails here too. [I]
  globalThis.game = {};
  globalThis.canvas = new Canvas();
  buildGlobals(welcome.profile);
  loadSystem(welcome.profile);
  await loadModules(welcome.modules);
  globalThis.game = buildGame(welcome, socket);
  registerCoreSettings(welcome.profile.generation);
  game.collections.set("Setting", new WorldCollection("Setting"));
  game.collections.get("Setting").load(welcome.world.settings);
  game.collections.set("User", game.users = new Users());
  game.users.load(welcome.world.users);
  Hooks.callAll("init");
  game.i18n.lang = language();
  const files = welcome.modules.flatMap(({ id, languages = [] }) => languages.map(({ lang, path }) => ({ lang, path: `/modules/${id}/${path}` })));
  await game.i18n.load([LANGUAGE, ...files]);
  Hooks.callAll("i18nInit");
  buildInterface();
  loadWorld(welcome);
  Hooks.callAll("setup");
  game._preparing = true;
  for ( const name of ["Actor", "Item", "Scene", "Combat", "ChatMessage"] ) for ( const doc of game.collections.get(name) ) doc._safePrepareData();
  for ( const pack of game.packs ) for ( const doc of pack ) doc._safePrepareData();
  game.time._start();
  applyTheme(game.settings.get("core", "theme"));
  await canvas.draw(game.scenes.active);
  await ui.renderAll();
  game.ready = true;
  document.body.dataset.user = game.user.name;
  socket.start();
  Hooks.callAll("ready");
  standin.ready = true;
}

start();
