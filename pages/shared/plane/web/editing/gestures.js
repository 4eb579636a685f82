// Mouse, touch and keys on one plane become commands of the editor. Plotly keeps the axes, which turn pixels into data.

import { pixelOf } from "../base/dom.js";
import { nearestTowards, randomNormal } from "./edits.js";
import { handleShortcut } from "./toolbar.js";

const REACH = { mouse: 10, pen: 14, touch: 24 }; // pixels around a point that belong to it
const SLACK = 4; // pixels that a finger may tremble in a tap
const LONG = 800; // milliseconds after which a press is no tap on empty space
const HELD = 150; // milliseconds after which a finger has a point in hand; before, a vertical move scrolls the page
const TWICE = 350; // milliseconds between the taps of a double tap
const CORNER = 4; // pixels around the first corner of a rectangle that is drawn by two taps
const ALIASES = { PageDown: "n", PageUp: "p", Backspace: "Delete", Insert: "a" };
const SPRAY = { every: 45, reach: 26 }; // milliseconds, pixels

/**
 * What is under way between a press and its release.
 * @typedef {object} Grip
 * @property {number} pointer
 * @property {string} kind mouse, pen or touch
 * @property {boolean} shift
 * @property {number} began milliseconds
 * @property {[number, number]} spot where it was pressed, in pixels of the plane
 * @property {number | undefined} id the point that was pressed
 * @property {boolean} known that point had been tapped before
 * @property {[number, number]} [now] where the pointer is
 * @property {boolean} [moving] it is no tap any more
 * @property {Map<number, [number, number]>} [from] the places of the points that are dragged
 * @property {boolean} [band] a rectangle is drawn
 * @property {[[number, number], [number, number]]} [box] its sides: left and right, top and bottom
 * @property {ReturnType<typeof setInterval>} [rain] points are sprayed
 * @property {number} sprayed how many points so far
 */

export class Gestures {
  #plane;
  #editor;
  /** @type {Grip | undefined} */
  #grip;
  /** @type {{ id: number, time: number } | undefined} the point that was tapped last */
  #last;

  /** @param {import("../plane.js").Plane} plane  @param {import("./point_editor.js").PointEditor} editor */
  constructor(plane, editor) {
    const { area, overlay } = plane;
    const { handle } = overlay;
    this.#plane = plane;
    this.#editor = editor;
    area.onpointerdown = (event) => this.#handleDown(event);
    area.onpointermove = (event) => this.#handleMove(event);
    area.onmousedown = (event) => event.preventDefault(); // which would take the focus from the handle
    area.onpointerup = (event) => this.#handleUp(event);
    area.onpointercancel = () => this.#cancel();
    // a finger on a point that was tapped or held first, or one that draws, does not scroll the page
    const keepFromScrolling = (event) => event.cancelable && event.preventDefault();
    const isCarried = (event) => this.#grip?.id !== undefined && this.#isInHand(this.#grip, event);
    const active = { passive: false };
    area.addEventListener("touchstart", (event) => this.#takesTouch(event) && keepFromScrolling(event), active);
    area.addEventListener("touchmove", (event) => isCarried(event) && keepFromScrolling(event), active);
    handle.onkeydown = (event) => this.#handleKey(event);
    handle.onfocus = () => {
      const byKeys = handle.matches(":focus-visible") && !this.#grip;
      if (byKeys && editor.cursor === undefined) editor.choose(this.#shownIds()[0]);
    };
  }

  #shownIds() {
    return this.#editor.edits.ids.filter((id) => this.#plane.shows(id));
  }

  #pointAt([x, y], kind) {
    /** @type {number | undefined} */
    let found;
    let nearest = Infinity;
    for (const id of this.#shownIds()) {
      const [left, top] = this.#plane.chart.pixelOf(this.#editor.edits.point(id));
      const distance = Math.hypot(left - x, top - y) - this.#plane.shownPoints.diameter(id) / 2;
      if (distance < nearest) [found, nearest] = [id, distance];
    }
    return nearest <= (REACH[kind] ?? REACH.mouse) ? found : undefined;
  }

  #takesTouch({ touches }) {
    if (touches.length > 1) return false;
    const spot = pixelOf(this.#plane.area, touches[0]);
    if (!this.#plane.chart.contains(spot)) return false;
    return isDrawingTool(this.#editor.tool) || this.#isKnown(this.#pointAt(spot, "touch"));
  }

  #isKnown(id) {
    return id !== undefined && (this.#editor.cursor === id || this.#editor.selection.has(id));
  }

  #isInHand({ known, began }, { timeStamp }) {
    return known || timeStamp - began >= HELD;
  }

  // --------------------------------------------------------------------------------------- pointer

  #handleDown(event) {
    if (event.button !== 0 || !event.isPrimary || !this.#plane.chart.axes || !this.#editor.isReady) return;
    const spot = pixelOf(this.#plane.area, event);
    if (!this.#plane.chart.contains(spot)) return;
    const { pointerId: pointer, pointerType: kind, shiftKey: shift, timeStamp: began } = event;
    const { tool } = this.#editor;
    const id = tool === "spray" ? undefined : this.#pointAt(spot, kind);
    this.#grip = { id, spot, kind, pointer, shift, began, known: this.#isKnown(id), sprayed: 0 };
    this.#plane.overlay.handle.focus({ preventScroll: true });
    if (tool === "spray") this.#spray(this.#grip);
    // a finger on empty space may yet scroll the page; Plotly must not see the rest of any other gesture
    if (kind !== "touch" || id !== undefined || isDrawingTool(tool)) this.#plane.area.setPointerCapture(pointer);
  }

  #handleMove(event) {
    const grip = this.#grip;
    if (!grip) return this.#handleHover(event);
    if (event.pointerId !== grip.pointer) return;
    const spot = pixelOf(this.#plane.area, event);
    grip.now = spot;
    if (!grip.moving && Math.hypot(spot[0] - grip.spot[0], spot[1] - grip.spot[1]) < SLACK) return;
    if (this.#editor.tool === "spray") return;
    const steep = Math.abs(spot[1] - grip.spot[1]) > Math.abs(spot[0] - grip.spot[0]);
    if (!grip.moving && grip.kind === "touch" && steep && grip.id !== undefined && !this.#isInHand(grip, event)) return;
    if (!grip.moving) this.#beginMove(grip);
    if (grip.from) {
      const [here, there] = [this.#plane.chart.dataAt(grip.spot), this.#plane.chart.dataAt(spot)];
      this.#editor.shift(grip.from, [there[0] - here[0], there[1] - here[1]], this.#plane.chart.limits());
    } else if (grip.band) {
      grip.box = boxOf(grip.spot, spot);
      this.#plane.overlay.showBand(grip.box);
    }
  }

  #beginMove(grip) {
    grip.moving = true;
    if (grip.id === undefined) {
      grip.band = grip.kind !== "touch" || this.#editor.tool === "select";
      return;
    }
    grip.from = this.#editor.beginDrag(grip.id);
    this.#plane.root.toggleAttribute("data-dragging", true);
  }

  /** The editor has changed: a rectangle may have been begun or given up. */
  refreshBand() {
    const corner = this.#grip ? undefined : this.#cornerPixel();
    if (!this.#grip) this.#plane.overlay.showBand(corner && boxOf(corner, corner, CORNER));
  }

  // Between two taps the rectangle follows the pointer.
  #handleHover(event) {
    const corner = this.#cornerPixel();
    if (corner) this.#plane.overlay.showBand(boxOf(corner, pixelOf(this.#plane.area, event)));
  }

  // Pixels of the first corner of a rectangle, if its second one is yet to come.
  #cornerPixel() {
    const [x, y] = this.#editor.corner ?? [];
    return x === undefined || !this.#plane.chart.axes ? undefined : this.#plane.chart.pixelOf({ x, y });
  }

  #handleUp(event) {
    const [grip, editor] = [this.#grip, this.#editor];
    if (!grip || event.pointerId !== grip.pointer) return;
    this.#release();
    if (editor.tool === "spray") editor.endSpray(grip.sprayed);
    else if (grip.from) editor.settle([...grip.from.keys()]);
    else if (grip.box) this.#selectWithin(grip.box, { adding: grip.shift });
    else if (!grip.moving) this.#tap(grip, event);
  }

  #selectWithin(sides, { adding }) {
    const isInside = (id) => this.#plane.chart.contains(this.#plane.chart.pixelOf(this.#editor.edits.point(id)), sides);
    this.#editor.select(this.#shownIds().filter(isInside), { adding });
  }

  #tap({ id, spot, shift, began }, { timeStamp }) {
    const editor = this.#editor;
    const corner = this.#cornerPixel();
    if (corner) return this.#selectWithin(boxOf(corner, spot), { adding: shift });
    if (editor.carriedId !== undefined)
      return editor.placeCarried(...this.#plane.chart.dataAt(spot), this.#plane.chart.limits());
    if (id === undefined) {
      if (editor.tool === "select") editor.beginBox(...this.#plane.chart.dataAt(spot));
      else if (editor.selection.size) editor.select([]);
      else if (editor.tool === "edit" && timeStamp - began < LONG) editor.add(...this.#plane.chart.dataAt(spot));
      return;
    }
    const last = this.#last;
    const twice = last !== undefined && last.id === id && timeStamp - last.time < TWICE;
    this.#last = twice ? undefined : { id, time: timeStamp };
    if (twice) return editor.flip([id]);
    if (shift) return editor.toggleSelection(id);
    if (editor.tool === "move") return editor.carry(id);
    if (!editor.selection.has(id)) editor.selection.clear();
    editor.choose(id);
  }

  // Points rain around the pointer while it is held down.
  #spray(grip) {
    const editor = this.#editor;
    editor.beginSpray();
    const scatter = (pixel) => pixel + SPRAY.reach * 0.5 * randomNormal();
    const drop = () => {
      const spot = (grip.now ?? grip.spot).map(scatter);
      if (!this.#plane.chart.contains(spot)) return;
      editor.drop(...this.#plane.chart.dataAt(spot));
      grip.sprayed += 1;
    };
    drop();
    grip.rain = setInterval(drop, SPRAY.every);
  }

  // The browser took the gesture over, to scroll: what had moved goes back.
  #cancel() {
    const grip = this.#grip;
    this.#release();
    if (grip?.from || grip?.sprayed) this.#editor.undo();
  }

  #release() {
    clearInterval(this.#grip?.rain);
    this.#grip = undefined;
    this.#plane.overlay.showBand(undefined);
    this.#plane.root.toggleAttribute("data-dragging", false);
  }

  // ------------------------------------------------------------------------------------------ keys

  #handleKey(event) {
    const editor = this.#editor;
    if (handleShortcut(event, editor)) return;
    const arrow = ARROWS[event.key];
    if (event.metaKey || ((event.altKey || event.ctrlKey) && !arrow)) return;
    if (event.key === "Escape" && !editor.isBusy) return; // it may leave something else
    const limits = this.#plane.chart.limits();
    const share = stride(event);
    const leastStep = (axis) => 10 ** editor.edits.step[axis]; // places are multiples of it
    const [dx, dy] = [limits.x, limits.y].map(([low, high], k) => Math.max(share * (high - low), leastStep(k)));
    const commands = {
      n: () => this.#step(1),
      p: () => this.#step(-1),
      Home: () => editor.choose(this.#shownIds()[0]),
      End: () => editor.choose(this.#shownIds().at(-1)),
      x: () => editor.flip(),
      o: () => editor.mark(),
      s: () => editor.toggle(),
      j: () => editor.jitter(limits),
      t: () => editor.sweep(this.#plane),
      Delete: () => editor.remove(),
      a: () => this.#addHere(limits),
      " ": () => editor.cursor === undefined || editor.toggleSelection(editor.cursor),
      Escape: () => editor.select([]),
    };
    const name = ALIASES[event.key] ?? (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (arrow && event.altKey) this.#walk(arrow);
    else if (arrow) editor.nudge([arrow[0] * dx, arrow[1] * dy], limits);
    else if (commands[name]) commands[name]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step(by) {
    const ids = this.#shownIds();
    const at = ids.indexOf(this.#editor.cursor ?? NaN);
    if (ids.length) this.#editor.choose(ids[(at + by + ids.length) % ids.length]);
  }

  // To the nearest point in the direction of the arrow; without a chosen one to the first.
  #walk([right, up]) {
    const { edits, cursor } = this.#editor;
    const spots = new Map(this.#shownIds().map((id) => [id, this.#plane.chart.pixelOf(edits.point(id))]));
    const known = cursor !== undefined && spots.has(cursor);
    this.#editor.choose(known ? nearestTowards(spots, cursor, [right, -up]) : [...spots.keys()][0]);
  }

  // Beside the chosen point, in the middle of the plane where none is chosen.
  #addHere({ x: [left, right], y: [low, high] }) {
    const editor = this.#editor;
    const beside = editor.cursor === undefined ? undefined : editor.edits.point(editor.cursor);
    const x = beside ? beside.x + 0.03 * (right - left) : (left + right) / 2;
    editor.add(Math.min(x, right), beside ? beside.y : (low + high) / 2);
  }
}

/** @type {Record<string, [right: number, up: number]>} the directions of the arrow keys */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The part of an axis that an arrow key moves a point by: finer with Shift, coarser with Ctrl. */
export const stride = ({ shiftKey, ctrlKey }) => (shiftKey ? 0.002 : ctrlKey ? 0.05 : 0.01);

/** Whether a finger that moves over empty space draws with that tool, in place of scrolling the page. */
const isDrawingTool = (tool) => tool === "select" || tool === "spray";

/**
 * The sides [left, right], [top, bottom] of the rectangle with these two corners, and some pixels around it.
 * @returns {[[number, number], [number, number]]}
 */
function boxOf(one, other, around = 0) {
  const sideOf = (/** @type {number} */ axis) => {
    const [low, high] = [one[axis], other[axis]].sort((a, b) => a - b);
    return /** @type {[number, number]} */ ([low - around, high + around]);
  };
  return [sideOf(0), sideOf(1)];
}
