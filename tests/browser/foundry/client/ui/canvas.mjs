/** The canvas as elements of the page: a square grid, tokens, distances, sight, and the token HUD. */

import { Collection } from "../core/collection.mjs";
import { escapeHTML } from "../core/utils.mjs";
import { TokenHUD } from "./hud.mjs";

/** A drawn token. */
export class Token {
  constructor(document) {
    this.document = document;
    this.controlled = false;
    this.targeted = new Set();
    this.element = this.#build();
  }

  get id() { return this.document.id; }

  get actor() { return this.document.actor; }

  get name() { return this.document.name; }

  get scene() { return this.document.parent; }

  get isOwner() { return this.document.isOwner; }

  get x() { return this.document.x; }

  get y() { return this.document.y; }

  get w() { return this.document.width * canvas.grid.size; }

  get h() { return this.document.height * canvas.grid.size; }

  get center() { return this.document._center(); }

  get bounds() { return { x: this.x, y: this.y, width: this.w, height: this.h }; }

  get isTargeted() { return game.user.targets.has(this); }

  get visible() { return game.user.isGM || !this.document.hidden; }

  get isVisible() { return this.visible; }

  get inCombat() { return this.document.inCombat; }

  get combatant() { return this.document.combatant; }

  get renderFlags() { return { set: () => this.refresh() }; }

  get layer() { return canvas.tokens; }

  #build() {
    const element = document.createElement("div");
    element.className = "token";
    element.dataset.tokenId = this.id;
    element.addEventListener("click", event => {
      if ( event.altKey || event.shiftKey ) return this.setTarget(!this.isTargeted, { releaseOthers: !event.shiftKey });
      this.control({ releaseOthers: true });
    });
    element.addEventListener("contextmenu", event => {
      event.preventDefault();
      if ( !this.isOwner ) return;
      this.control({ releaseOthers: true });
      canvas.hud.token.bind(this);
    });
    element.addEventListener("dblclick", () => this.actor?.testUserPermission(game.user, "LIMITED") && this.actor.sheet.render({ force: true }));
    return element;
  }

  /** Draw what the document and its actor say now. */
  refresh() {
    const { document: doc, actor, element } = this;
    Object.assign(element.style, { left: `${doc.x}px`, top: `${doc.y}px`, width: `${this.w}px`, height: `${this.h}px` });
    element.hidden = !this.visible;
    element.classList.toggle("controlled", this.controlled);
    element.classList.toggle("targeted", this.isTargeted);
    element.classList.toggle("hidden-token", doc.hidden);
    element.classList.toggle("hostile", doc.disposition < 0);
    element.classList.toggle("active-turn", game.combat?.combatant?.tokenId === this.id);
    const hp = actor?.system.attributes?.hp;
    const bar = hp && actor.testUserPermission(game.user, "OBSERVER")
      ? `<div class="bar"><span style="width:${hp.pct ?? 0}%"></span><b>${hp.value}/${hp.effectiveMax}${hp.temp ? ` +${hp.temp}` : ""}</b></div>` : "";
    const icons = (actor?.appliedEffects ?? []).filter(effect => effect.isTemporary)
      .map(effect => `<img alt="${escapeHTML(effect.name)}" title="${escapeHTML(effect.name)}" src="${escapeHTML(effect.img)}">`).join("");
    element.innerHTML = `<div class="portrait"><span>${escapeHTML(doc.name.slice(0, 1))}</span></div>
      <div class="effects">${icons}</div>${bar}<div class="nameplate">${escapeHTML(doc.name)}</div>`;
  }

  control({ releaseOthers = true } = {}) {
    if ( !this.isOwner ) return false;
    if ( releaseOthers ) for ( const other of canvas.tokens.controlled ) if ( other !== this ) other.release();
    if ( this.controlled ) return true;
    this.controlled = true;
    this.refresh();
    Hooks.callAll("controlToken", this, true);
    return true;
  }

  release() {
    if ( !this.controlled ) return true;
    this.controlled = false;
    this.refresh();
    Hooks.callAll("controlToken", this, false);
    return true;
  }

  setTarget(targeted = true, { user = game.user, releaseOthers = true } = {}) {
    if ( releaseOthers ) for ( const other of [...user.targets] ) if ( other !== this ) other.setTarget(false, { user, releaseOthers: false });
    user.targets[targeted ? "add" : "delete"](this);
    this.targeted[targeted ? "add" : "delete"](user);
    this.refresh();
    Hooks.callAll("targetToken", user, this, targeted);
  }
}

/** All drawn tokens. */
class TokenLayer {
  tokens = new Collection();

  get placeables() { return this.tokens.contents; }

  get controlled() { return this.placeables.filter(token => token.controlled); }

  get ownedTokens() { return this.placeables.filter(token => token.isOwner); }

  get(id) { return this.tokens.get(id); }

  releaseAll() { for ( const token of this.controlled ) token.release(); }

  [Symbol.iterator]() { return this.placeables.values(); }
}

/** A square grid that counts every diagonal as one space, dnd5e's way and core's default. */
class SquareGrid {
  constructor(scene) { Object.assign(this, scene?.grid ?? { size: 100, distance: 5, units: "ft", type: 1 }); }

  get isSquare() { return true; }

  get isGridless() { return false; }

  get sizeX() { return this.size; }

  get sizeY() { return this.size; }

  getOffset({ x, y, elevation = 0 }) {
    return { i: Math.floor(y / this.size), j: Math.floor(x / this.size), k: Math.floor(elevation / this.distance + 1e-8) };
  }

  getCenterPoint({ i, j, x, y }) {
    const offset = i === undefined ? this.getOffset({ x, y }) : { i, j };
    return { x: (offset.j + 0.5) * this.size, y: (offset.i + 0.5) * this.size };
  }

  /** Spaces and distance along points (pixels, with elevation) or offsets (i, j, k). */
  measurePath(waypoints) {
    const offsets = waypoints.map(point => "i" in point ? { k: 0, ...point } : this.getOffset(point));
    const segments = offsets.slice(1).map((to, index) => {
      const from = offsets[index];
      const spaces = Math.max(...["i", "j", "k"].map(axis => Math.abs(to[axis] - from[axis])));
      return { spaces, distance: spaces * this.distance };
    });
    const spaces = segments.reduce((sum, segment) => sum + segment.spaces, 0);
    return { distance: spaces * this.distance, cost: spaces * this.distance, spaces, segments, waypoints: offsets };
  }
}

/** Whether two segments cross. */
function crosses([ax, ay, bx, by], { x: cx, y: cy }, { x: dx, y: dy }) {
  const side = (px, py, qx, qy, rx, ry) => Math.sign((qx - px) * (ry - py) - (qy - py) * (rx - px));
  return side(ax, ay, bx, by, cx, cy) !== side(ax, ay, bx, by, dx, dy) && side(cx, cy, dx, dy, ax, ay) !== side(cx, cy, dx, dy, bx, by);
}

/** The viewed scene. */
export class Canvas {
  ready = false;

  scene = null;

  tokens = new TokenLayer();

  hud = { token: new TokenHUD() };

  grid = new SquareGrid(null);

  interface = { createScrollingText() {} };

  get dimensions() { return this.scene?.dimensions ?? {}; }

  /** Walls of a scene stand in its flags: `flags.standin.walls`, each [x1, y1, x2, y2] in pixels; they block sight. */
  get walls() { return this.scene?.flags.standin?.walls ?? []; }

  /** Show a scene, or none. */
  async draw(scene) {
    this.ready = false;
    this.scene = scene ?? null;
    this.grid = new SquareGrid(scene);
    this.hud.token.clear();
    this.tokens.tokens.clear();
    game.user.targets.clear();
    const sight = { testCollision: (from, to) => this.walls.some(wall => crosses(wall, from, to)) };
    CONFIG.Canvas.polygonBackends = { sight, move: sight };
    const board = document.getElementById("board");
    board.innerHTML = `<div class="scene" data-scene-id="${scene?.id ?? ""}"><h2>${escapeHTML(scene?.name ?? "No scene")}</h2></div>`;
    this.sync();
    this.ready = true;
    Hooks.callAll("canvasReady", this);
  }

  /** Make the drawn tokens match the scene's. */
  sync() {
    const layer = document.querySelector("#board .scene");
    if ( !layer ) return;
    const documents = this.scene?.tokens.contents ?? [];
    for ( const token of this.tokens.placeables ) {
      if ( documents.includes(token.document) ) continue;
      token.element.remove();
      this.tokens.tokens.delete(token.id);
      if ( this.hud.token.object === token ) this.hud.token.clear();
    }
    for ( const doc of documents ) {
      let token = this.tokens.get(doc.id);
      if ( !token ) {
        token = new Token(doc);
        this.tokens.tokens.set(doc.id, token);
        layer.append(token.element);
      }
      token.refresh();
    }
    if ( this.hud.token.object ) this.hud.token.render();
  }

  async ping() {}

  async animatePan() {}
}
