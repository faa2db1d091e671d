/** The right side: chat, combat, actors, settings. */

import { escapeHTML } from "../core/utils.mjs";

const TABS = { chat: "Chat", combat: "Combat", actors: "Actors", settings: "Settings" };

/** Tabs of the right side. */
export class Sidebar {
  render() {
    const element = document.getElementById("ui-right");
    element.innerHTML = `<nav id="sidebar-tabs">${Object.entries(TABS).map(([id, label]) =>
      `<button type="button" data-tab="${id}">${label}</button>`).join("")}</nav>
      ${Object.keys(TABS).map(id => `<section id="${id}" class="sidebar-tab"></section>`).join("")}`;
    element.querySelector("nav").addEventListener("click", event => event.target.dataset.tab && this.changeTab(event.target.dataset.tab));
    this.changeTab("chat");
  }

  changeTab(tab) {
    for ( const element of document.querySelectorAll("#ui-right .sidebar-tab") ) element.classList.toggle("active", element.id === tab);
    for ( const element of document.querySelectorAll("#sidebar-tabs button") ) element.classList.toggle("active", element.dataset.tab === tab);
  }
}

/** Actors by name. */
export class ActorDirectory {
  get element() { return document.getElementById("actors"); }

  render() {
    const actors = game.actors.filter(actor => actor.visible);
    this.element.innerHTML = `<ol class="directory-list unlist">${actors.map(actor => `<li class="directory-item" data-entry-id="${actor.id}">
      <img alt="" src="${escapeHTML(actor.img)}"><a>${escapeHTML(actor.name)}</a></li>`).join("")}</ol>`;
    this.element.onclick = event => {
      const id = event.target.closest("[data-entry-id]")?.dataset.entryId;
      if ( id ) game.actors.get(id).sheet.render({ force: true });
    };
    Hooks.callAll("renderActorDirectory", this, this.element, {}, {});
  }
}

/** Order and buttons of the viewed combat. */
export class CombatTracker {
  get element() { return document.getElementById("combat"); }

  get viewed() { return game.combat; }

  render() {
    const { combat } = game;
    const gm = game.user.isGM;
    const turns = combat?.turns ?? [];
    const rows = turns.map((combatant, index) => `<li class="combatant${combat.started && index === combat.turn ? " active" : ""}
      ${combatant.isDefeated ? " defeated" : ""}" data-combatant-id="${combatant.id}"><span class="initiative">${combatant.initiative ?? "–"}</span>
      <strong class="name">${escapeHTML(combatant.name)}</strong>
      ${combatant.isOwner ? "<button type=\"button\" data-action=\"rollInitiative\">Roll</button>" : ""}</li>`).join("");
    const buttons = !gm ? [] : !combat ? [["create", "Create Encounter"]] : combat.started
      ? [["previousTurn", "Previous"], ["nextTurn", "Next Turn"], ["nextRound", "Next Round"], ["endCombat", "End Combat"]]
      : [["rollAll", "Roll All"], ["startCombat", "Begin Combat"], ["endCombat", "Delete"]];
    if ( !gm && combat?.combatant?.isOwner ) buttons.push(["nextTurn", "End Turn"]);
    this.element.innerHTML = `<header class="combat-tracker-header"><h3>${combat ? `Round ${combat.round}` : "No encounter"}</h3></header>
      <ol class="combat-tracker unlist">${rows}</ol><nav class="combat-controls">${buttons.map(([action, label]) =>
      `<button type="button" data-action="${action}">${label}</button>`).join("")}</nav>`;
    this.element.onclick = event => this.#onClick(event);
    Hooks.callAll("renderCombatTracker", this, this.element, {}, {});
  }

  async #onClick(event) {
    const action = event.target.closest("[data-action]")?.dataset.action;
    if ( !action ) return;
    if ( action === "create" ) return Combat.implementation.create({ scene: canvas.scene?.id ?? null, active: true });
    const id = event.target.closest("[data-combatant-id]")?.dataset.combatantId;
    // The tracker's button asks the combat, not the actor, so that no dialog and no preRollInitiative comes.
    if ( action === "rollInitiative" ) return game.combat.rollInitiative([id]);
    return game.combat[action]();
  }
}

/** Who is there. */
export class Players {
  render() {
    document.getElementById("players").innerHTML = game.users.map(user => `<li class="player${user.active ? " active" : ""}">
      <span class="player-color" style="background:${escapeHTML(user.color)}"></span>${escapeHTML(user.name)}${user.isSelf ? " (you)" : ""}
      ${user.isActiveGM ? "★" : ""}</li>`).join("");
  }
}

const STEPS = { "−1h": -3600, "+6s": 6, "+1m": 60, "+10m": 600, "+1h": 3600, "+8h": 28800 };

/** The world's time, and buttons to move it. */
export class Clock {
  render() {
    const { day, hour, minute, second } = game.time.components;
    const two = number => String(number).padStart(2, "0");
    const element = document.getElementById("clock");
    element.innerHTML = `<span class="world-time">Day ${day}, ${two(hour)}:${two(minute)}:${two(second)}</span>
      ${game.user.isGM ? Object.keys(STEPS).map(label => `<button type="button" data-step="${label}">${label}</button>`).join("") : ""}`;
    element.onclick = event => {
      const step = STEPS[event.target.dataset.step];
      if ( step ) game.time.advance(step);
    };
  }
}
