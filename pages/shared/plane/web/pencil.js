// The answer that is drawn on a plane: a line with two handles, chosen points, or the place of a new point. Mouse,
// touch and keys write it on the sheet of the question; after the answer the picture shows what was right. A number,
// which is set in the form, is shown while its slider moves.

import { ARROWS, stride } from "./gestures.js";
import {
  across,
  clamped,
  inWords,
  level,
  measured,
  nearest,
  placeOf,
  pointed,
  pulled,
  sheetOf,
  toggled,
  towards,
} from "./sheet.js";
import { pageTheme } from "./theme.js";

const REACH = { mouse: 14, pen: 16, touch: 26 }; // pixels around a point that belong to it
const SLACK = 6; // pixels that a finger may tremble in a tap
const SVG = "http://www.w3.org/2000/svg";
const KEYS = {
  line: "Arrow keys move it, with Shift in smaller steps.",
  points: "Arrow keys go to the next point, Space chooses it.",
  place: "Arrow keys move it, with Shift in smaller steps.",
};
const EDGE = 14; // pixels between a scale and the edge of the picture
const NUMBERS = { said: "you", is: "it is" };

/**
 * What a plane is asked, and, once it is answered, what was right.
 * @typedef {object} Ask
 * @property {string} sheet
 * @property {string} key
 * @property {string} kind line, points or place; otherwise nothing can be drawn
 * @property {boolean} [width] the number is a width on the plane
 * @property {any} given
 * @property {boolean} locked
 * @property {number} [most] points that may be chosen
 * @property {[number, number]} [start] where the point is that is moved
 * @property {number} [label] its class
 * @property {number[]} [marked] the points that the question is about
 * @property {{ right: number[], missed: number[], extra: number[] }} [points]
 * @property {{ at: [number, number], words: string }[]} [places] other places, with what is said of them
 */

export class Pencil {
  #root;
  #area;
  #chart;
  #spots;
  #classes;
  #drawing = document.createElementNS(SVG, "g");
  /** @type {HTMLElement[]} the handles, which have the keys */
  #grips = [];
  /** @type {Ask} */
  #ask;
  #sheet;
  #deaf;
  /** @type {number | undefined} the point at which the keys are */
  #at;
  /** @type {[number, number] | undefined} where a press on the plane began */
  #pressed;

  /**
   * @typedef {object} Parts
   * @property {HTMLElement} area
   * @property {import("./chart.js").Chart} chart
   * @property {() => Map<number, [number, number]>} spots where the points are
   * @property {() => Map<number, string>} classes of the points, in words
   *
   * @param {HTMLElement} root of plane.html
   * @param {Parts} parts
   * @param {Ask} ask
   */
  constructor(root, { area, chart, spots, classes }, ask) {
    this.#root = root;
    this.#area = area;
    this.#chart = chart;
    this.#spots = spots;
    this.#classes = classes;
    this.#drawing.setAttribute("class", "svm-pencil");
    root.querySelector(".svm-over")?.append(this.#drawing);
    area.addEventListener("pointerdown", this.#down);
    area.addEventListener("pointerup", this.#up);
    area.addEventListener("mousedown", this.#still);
    this.#ask = ask;
    this.#sheet = sheetOf(ask.sheet);
    this.#deaf = this.#sheet.listen(() => this.draw());
    this.receive(ask);
  }

  /** The name of the sheet. */
  get sheet() {
    return this.#ask.sheet;
  }

  /** @param {Ask} ask the same sheet, perhaps another question */
  receive(ask) {
    const count = ask.locked ? 0 : ({ line: 2, points: 1, place: 1 }[ask.kind] ?? 0);
    if (ask.key !== this.#ask.key || ask.kind !== this.#ask.kind) this.#at = undefined;
    this.#ask = ask;
    this.#root.dataset.draws = !ask.locked && count ? ask.kind : "none";
    while (this.#grips.length > count) this.#grips.pop()?.remove();
    while (this.#grips.length < count) this.#grips.push(this.#grip(this.#grips.length));
    this.#sheet.receive(ask);
  }

  leave() {
    this.#deaf();
    for (const grip of this.#grips) grip.remove();
    this.#drawing.remove();
    this.#area.removeEventListener("pointerdown", this.#down);
    this.#area.removeEventListener("pointerup", this.#up);
    this.#area.removeEventListener("mousedown", this.#still);
    delete this.#root.dataset.draws;
  }

  // ---------------------------------------------------------------------------------------- handles

  #grip(number) {
    const grip = document.createElement("div");
    grip.className = "svm-grip";
    grip.tabIndex = 0;
    grip.setAttribute("role", "application");
    grip.onkeydown = (event) => this.#key(event, number);
    grip.onfocus = () => this.draw();
    grip.onpointerdown = (event) => {
      if (this.#ask.kind === "points") return;
      event.preventDefault();
      event.stopPropagation();
      grip.focus({ preventScroll: true });
      grip.setPointerCapture(event.pointerId);
    };
    grip.onpointermove = (event) => {
      if (grip.hasPointerCapture(event.pointerId)) this.#drag(number, this.#chart.dataAt(this.#pixel(event)));
    };
    this.#root.append(grip);
    return grip;
  }

  /** @returns {[number, number]} */
  #pixel({ clientX, clientY }) {
    const box = this.#area.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }

  get #line() {
    return this.#sheet.given ?? level(this.#chart.limits());
  }

  get #place() {
    const { x, y } = this.#chart.limits();
    return this.#sheet.given ?? this.#ask.start ?? [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2];
  }

  #drag(number, spot) {
    const limits = this.#chart.limits();
    const line = this.#ask.kind === "line";
    this.#sheet.put(line ? pulled(this.#line, number, spot, limits) : clamped(spot, limits));
  }

  // ------------------------------------------------------------------------------------------- keys

  #key(event, number) {
    const arrow = ARROWS[event.key];
    if (event.metaKey || event.altKey || (event.ctrlKey && !arrow)) return;
    const { kind } = this.#ask;
    if (kind === "points" ? this.#walk(event, arrow) : this.#nudge(event, arrow, number)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #nudge(event, arrow, number) {
    if (!arrow) return false;
    const { x, y } = this.#chart.limits();
    const share = stride(event);
    const from = this.#ask.kind === "line" ? this.#line.slice(2 * number) : this.#place;
    this.#drag(number, [from[0] + share * arrow[0] * (x[1] - x[0]), from[1] + share * arrow[1] * (y[1] - y[0])]);
    return true;
  }

  #walk({ key }, arrow) {
    const pixels = this.#pixels;
    const start = this.#here(pixels);
    if (arrow) {
      this.#at = start === undefined ? undefined : towards(pixels, start, [arrow[0], -arrow[1]]);
      this.#sheet.say(this.#told(this.#at));
      return true;
    }
    if (key !== " " && key !== "Enter") return false;
    if (start !== undefined) this.#choose(start);
    this.#sheet.say(this.#told(start));
    return true;
  }

  get #pixels() {
    return new Map([...this.#spots()].map(([id, [x, y]]) => [id, this.#chart.pixelOf({ x, y })]));
  }

  // The point of the keys; at first one that the question names, else the one in the middle.
  #here(pixels) {
    const [[left, right], [top, bottom]] = this.#chart.box();
    if (!pixels.has(this.#at)) this.#at = this.#ask.marked?.[0];
    if (!pixels.has(this.#at)) this.#at = nearest(pixels, [(left + right) / 2, (top + bottom) / 2], Infinity);
    return this.#at;
  }

  #choose(id) {
    this.#at = id;
    this.#sheet.put(toggled(this.#sheet.given ?? [], id, this.#ask.most ?? Infinity));
  }

  // ---------------------------------------------------------------------------------------- pointer

  #open() {
    return !this.#sheet.locked && this.#chart.axes && ["points", "place"].includes(this.#ask.kind);
  }

  #still = (event) => this.#grips.length && event.preventDefault();

  #down = (event) => {
    const spot = this.#pixel(event);
    this.#pressed = event.isPrimary && event.button === 0 && this.#open() ? spot : undefined;
    // Plotly covers the page while a mouse is down; a finger may yet scroll it
    if (this.#pressed && event.pointerType !== "touch") this.#area.setPointerCapture(event.pointerId);
  };

  #up = (event) => {
    const spot = this.#pixel(event);
    const from = this.#pressed;
    this.#pressed = undefined;
    if (!from || !this.#open() || Math.hypot(spot[0] - from[0], spot[1] - from[1]) > SLACK) return;
    if (!this.#chart.contains(spot)) return;
    if (this.#ask.kind === "place") return this.#drag(0, this.#chart.dataAt(spot));
    const id = nearest(this.#pixels, spot, REACH[event.pointerType] ?? REACH.mouse);
    if (id !== undefined) this.#choose(id);
  };

  // ---------------------------------------------------------------------------------------- drawing

  /** Everything again, where the axes are now. */
  draw() {
    this.#drawing.replaceChildren();
    if (!this.#chart.axes) return;
    const { kind, marked = [] } = this.#ask;
    for (const id of marked) this.#ring(this.#pixels.get(id), "svm-marked", 15);
    if (kind === "line") this.#drawLine();
    if (kind === "points") this.#drawPoints();
    if (kind === "place") this.#drawPlaces();
    if (kind === "number") this.#drawNumber();
  }

  // On a scale along the lower edge; a width is also a circle about the middle of the points.
  #drawNumber() {
    const { given, scale } = this.#sheet;
    if (!scale || given === undefined) return;
    const [[left, right], [, bottom]] = this.#chart.box();
    const y = bottom - EDGE;
    const ends = { x1: left + EDGE, x2: right - EDGE, y1: y, y2: y };
    this.#put("line", { ...ends, class: "svm-halo" });
    this.#put("line", { ...ends, class: "svm-scale" });
    for (const [k, [name, number]] of Object.entries(scale.marks ?? { said: given }).entries()) {
      const x = ends.x1 + placeOf(number, scale) * (ends.x2 - ends.x1);
      this.#put("circle", { cx: x, cy: y, r: 6, class: `svm-number svm-number-${name}` });
      this.#word([x, y - 14 - 18 * k], `${NUMBERS[name]}: ${measured(number, scale)}`);
      if (this.#ask.width) this.#around(number, name);
    }
  }

  #around(radius, name) {
    const spots = [...this.#spots().values()];
    const middle = (/** @type {0 | 1} */ k) => spots.reduce((sum, spot) => sum + spot[k], 0) / spots.length;
    const [x, y] = [middle(0), middle(1)];
    const [cx, cy] = this.#chart.pixelOf({ x, y });
    const r = this.#chart.pixelOf({ x: x + radius, y })[0] - cx;
    this.#put("circle", { cx, cy, r, class: `svm-width svm-number-${name}` });
  }

  #drawLine() {
    const line = this.#line;
    const whole = across(line, this.#chart.limits());
    const untouched = this.#sheet.given === undefined;
    if (whole) {
      const [x1, y1] = this.#chart.pixelOf({ x: whole[0], y: whole[1] });
      const [x2, y2] = this.#chart.pixelOf({ x: whole[2], y: whole[3] });
      const name = `svm-drawn${untouched ? " svm-untouched" : ""}`;
      this.#put("line", { x1, y1, x2, y2, class: "svm-halo" });
      this.#put("line", { x1, y1, x2, y2, class: name });
      if (this.#sheet.locked) this.#word([(x1 + 3 * x2) / 4, (y1 + 3 * y2) / 4 - 12], "you");
    }
    this.#grips.forEach((grip, k) => {
      const place = { x: line[2 * k], y: line[2 * k + 1] };
      this.#stand(grip, this.#chart.pixelOf(place), `${k === 0 ? "First" : "Second"} handle of your line. `);
    });
  }

  #drawPoints() {
    const pixels = this.#pixels;
    const { points } = this.#ask;
    const rings = points
      ? { missed: points.missed, right: points.right, extra: points.extra }
      : { picked: this.#sheet.given ?? [] };
    for (const [name, ids] of Object.entries(rings)) {
      for (const id of ids) this.#ring(pixels.get(id), `svm-${name}`, 13);
    }
    for (const id of points?.extra ?? []) this.#cross(pixels.get(id));
    const here = this.#grips.length ? this.#here(pixels) : undefined;
    if (here === undefined) return;
    const spot = /** @type {import("./chart.js").Spot} */ (pixels.get(here));
    this.#stand(this.#grips[0], spot, `${this.#told(here)} `);
  }

  #told(id) {
    const spot = this.#spots().get(id);
    const chosen = (this.#sheet.given ?? []).includes(id);
    const of = this.#classes().get(id);
    return spot ? pointed(id, spot, { of, ringed: this.#ask.marked?.includes(id), chosen }) : "";
  }

  #drawPlaces() {
    for (const { at, words } of this.#ask.places ?? []) this.#point(at, "svm-best", words);
    const untouched = this.#sheet.given === undefined;
    this.#point(this.#place, untouched ? "svm-untouched" : "svm-yours", this.#sheet.locked ? "you" : "");
    const [x, y] = this.#place;
    for (const grip of this.#grips) this.#stand(grip, this.#chart.pixelOf({ x, y }), "The point that you move. ");
  }

  #point([x, y], name, words) {
    const [left, top] = this.#chart.pixelOf({ x, y });
    const { plus, minus } = pageTheme(this.#root).colours;
    if ((this.#ask.label ?? 1) > 0) this.#put("circle", { cx: left, cy: top, r: 9, fill: plus, class: name });
    else this.#put("rect", { x: left - 8, y: top - 8, width: 16, height: 16, fill: minus, class: name });
    this.#put("circle", { cx: left, cy: top, r: 14, class: `svm-around ${name}` });
    if (words) this.#word([left, top - 20], words);
  }

  #ring(spot, name, r) {
    if (spot) this.#put("circle", { cx: spot[0], cy: spot[1], r, class: name });
  }

  #cross(spot) {
    if (!spot) return;
    const [x, y] = spot;
    this.#put("path", { d: `M${x - 9} ${y - 9}l18 18m0 -18l-18 18`, class: "svm-crossed" });
  }

  #word([x, y], text) {
    const [[left, right], [top, bottom]] = this.#chart.box();
    const half = 5 * text.length;
    const place = {
      x: Math.min(Math.max(x, left + half), right - half),
      y: Math.min(Math.max(y, top + 14), bottom - 6),
    };
    this.#put("text", { ...place, class: "svm-word" }).textContent = text;
  }

  #put(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    this.#drawing.append(element);
    return element;
  }

  #stand(grip, [x, y], words) {
    grip.style.transform = `translate(${x}px, ${y}px)`;
    const { kind } = this.#ask;
    const told = kind === "points" ? "" : `${inWords(kind, this.#sheet.given)} `;
    grip.setAttribute("aria-label", `${words}${told}${KEYS[kind]}`);
  }
}
