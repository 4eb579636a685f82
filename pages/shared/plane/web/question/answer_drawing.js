// The answer that is drawn on a plane: a line with two handles, chosen points, or the place of a new point. Mouse,
// touch and keys write the answer of the question; after the answer the picture shows what was right. A width,
// which is set in the form, is shown while its slider moves.

import { make, pixelOf, shape } from "../base/dom.js";
import { pageTheme } from "../base/theme.js";
import { nearestTowards } from "../editing/edits.js";
import { ARROWS, stride } from "../editing/gestures.js";
import { answerOf, answerWords, clamp, lineAcross, nearestPoint, newLine, pointWords, pull, toggle } from "./answer.js";

const REACH = { mouse: 14, pen: 16, touch: 26 }; // pixels around a point that belong to it
const SLACK = 6; // pixels that a finger may tremble in a tap
const NUMBERS = { said: "you", is: "it is" };
const KEYS = {
  line: "Arrow keys move it, with Shift in smaller steps.",
  points: "Arrow keys go to the next point, Space chooses it.",
  place: "Arrow keys move it, with Shift in smaller steps.",
};

/**
 * What a plane is asked, and, once it is answered, what was right.
 * @typedef {object} Ask
 * @property {string} form
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

export class AnswerDrawing {
  #plane;
  #drawing = shape("g", { class: "svm-answer-drawing" });
  /** @type {HTMLElement[]} the handles, which have the keys */
  #grips = [];
  /** @type {Ask} */
  #ask;
  #answer;
  #lifetime = new AbortController();
  /** @type {number | undefined} the point at which the keys are */
  #chosenKeyPoint;
  /** @type {[number, number] | undefined} where a press on the plane began */
  #pressSpot;

  /** @param {import("../plane.js").Plane} plane  @param {Ask} ask */
  constructor(plane, ask) {
    const { root, area } = plane;
    this.#plane = plane;
    root.querySelector(".svm-over")?.append(this.#drawing);
    const { signal } = this.#lifetime;
    area.addEventListener("pointerdown", (event) => this.#handleDown(event), { signal });
    area.addEventListener("pointerup", (event) => this.#handleUp(event), { signal });
    area.addEventListener("mousedown", (event) => this.#grips.length && event.preventDefault(), { signal });
    this.#ask = ask;
    this.#answer = answerOf(ask.form);
    this.#answer.addEventListener("change", () => this.draw(), { signal });
    this.receive(ask);
  }

  /** The name of the form. */
  get form() {
    return this.#ask.form;
  }

  /** @param {Ask} ask the same form, perhaps another question */
  receive(ask) {
    const count = ask.locked ? 0 : ({ line: 2, points: 1, place: 1 }[ask.kind] ?? 0);
    if (ask.key !== this.#ask.key || ask.kind !== this.#ask.kind) this.#chosenKeyPoint = undefined;
    this.#ask = ask;
    this.#plane.root.dataset.draws = !ask.locked && count ? ask.kind : "none";
    while (this.#grips.length > count) this.#grips.pop()?.remove();
    while (this.#grips.length < count) this.#grips.push(this.#makeGrip(this.#grips.length));
    this.#answer.receive(ask);
  }

  leave() {
    for (const grip of this.#grips) grip.remove();
    this.#drawing.remove();
    this.#lifetime.abort();
    delete this.#plane.root.dataset.draws;
  }

  // ---------------------------------------------------------------------------------------- handles

  #makeGrip(number) {
    const grip = make("div", { className: "svm-grip", tabIndex: 0, role: "application" });
    grip.onkeydown = (event) => this.#handleKey(event, number);
    grip.onfocus = () => this.draw();
    grip.onpointerdown = (event) => {
      if (this.#ask.kind === "points") return;
      event.preventDefault();
      event.stopPropagation();
      grip.focus({ preventScroll: true });
      grip.setPointerCapture(event.pointerId);
    };
    grip.onpointermove = (event) => {
      if (grip.hasPointerCapture(event.pointerId))
        this.#drag(number, this.#plane.chart.dataAt(pixelOf(this.#plane.area, event)));
    };
    this.#plane.root.append(grip);
    return grip;
  }

  get #line() {
    return this.#answer.given ?? newLine(this.#plane.chart.limits());
  }

  get #place() {
    const { x, y } = this.#plane.chart.limits();
    return this.#answer.given ?? this.#ask.start ?? [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2];
  }

  #drag(number, spot) {
    const limits = this.#plane.chart.limits();
    const line = this.#ask.kind === "line";
    this.#answer.put(line ? pull(this.#line, number, spot, limits) : clamp(spot, limits));
  }

  // ------------------------------------------------------------------------------------------- keys

  #handleKey(event, number) {
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
    const { x, y } = this.#plane.chart.limits();
    const share = stride(event);
    const from = this.#ask.kind === "line" ? this.#line.slice(2 * number) : this.#place;
    this.#drag(number, [from[0] + share * arrow[0] * (x[1] - x[0]), from[1] + share * arrow[1] * (y[1] - y[0])]);
    return true;
  }

  #walk({ key }, arrow) {
    const pixels = this.#pixels;
    const start = this.#keyPoint(pixels);
    if (arrow) {
      this.#chosenKeyPoint = start === undefined ? undefined : nearestTowards(pixels, start, [arrow[0], -arrow[1]]);
      this.#answer.setKeyPlace(this.#wordsOf(this.#chosenKeyPoint));
      return true;
    }
    if (key !== " " && key !== "Enter") return false;
    if (start !== undefined) this.#choose(start);
    this.#answer.setKeyPlace(this.#wordsOf(start));
    return true;
  }

  get #pixels() {
    return new Map([...this.#plane.shownPoints.spots].map(([id, [x, y]]) => [id, this.#plane.chart.pixelOf({ x, y })]));
  }

  // The point of the keys; at first one that the question names, else the one in the middle.
  #keyPoint(pixels) {
    const [[left, right], [top, bottom]] = this.#plane.chart.box();
    if (!pixels.has(this.#chosenKeyPoint)) this.#chosenKeyPoint = this.#ask.marked?.[0];
    if (!pixels.has(this.#chosenKeyPoint))
      this.#chosenKeyPoint = nearestPoint(pixels, [(left + right) / 2, (top + bottom) / 2], Infinity);
    return this.#chosenKeyPoint;
  }

  #choose(id) {
    this.#chosenKeyPoint = id;
    this.#answer.put(toggle(this.#answer.given ?? [], id, this.#ask.most ?? Infinity));
  }

  // ---------------------------------------------------------------------------------------- pointer

  /** Whether a click on the plane answers. */
  get isOpen() {
    return !this.#answer.locked && this.#plane.chart.axes && ["points", "place"].includes(this.#ask.kind);
  }

  #handleDown(event) {
    const spot = pixelOf(this.#plane.area, event);
    this.#pressSpot = event.isPrimary && event.button === 0 && this.isOpen ? spot : undefined;
    // Plotly covers the page while a mouse is down; a finger may yet scroll it
    if (this.#pressSpot && event.pointerType !== "touch") this.#plane.area.setPointerCapture(event.pointerId);
  }

  #handleUp(event) {
    const spot = pixelOf(this.#plane.area, event);
    const from = this.#pressSpot;
    this.#pressSpot = undefined;
    if (!from || !this.isOpen || Math.hypot(spot[0] - from[0], spot[1] - from[1]) > SLACK) return;
    if (!this.#plane.chart.contains(spot)) return;
    if (this.#ask.kind === "place") return this.#drag(0, this.#plane.chart.dataAt(spot));
    const id = nearestPoint(this.#pixels, spot, REACH[event.pointerType] ?? REACH.mouse);
    if (id !== undefined) this.#choose(id);
  }

  // ---------------------------------------------------------------------------------------- drawing

  /** Everything again, where the axes are now. */
  draw() {
    this.#drawing.replaceChildren();
    if (!this.#plane.chart.axes) return;
    const { kind, marked = [] } = this.#ask;
    this.#drawRings(marked, "svm-marked", 15);
    if (kind === "line") this.#drawLine();
    if (kind === "points") this.#drawPoints();
    if (kind === "place") this.#drawPlaces();
    if (kind === "number" && this.#ask.width) this.#drawWidth();
  }

  // A width is a circle about the middle of the points; any other number stands in the form alone.
  #drawWidth() {
    const { given, scale } = this.#answer;
    if (given === undefined) return;
    for (const [name, number] of Object.entries(scale?.marks ?? { said: given })) this.#drawCircle(number, name);
  }

  #drawCircle(radius, name) {
    const spots = [...this.#plane.shownPoints.spots.values()];
    const mean = (/** @type {0 | 1} */ k) => spots.reduce((sum, spot) => sum + spot[k], 0) / spots.length;
    const [x, y] = [mean(0), mean(1)];
    const [left, top] = this.#plane.chart.pixelOf({ x, y });
    const r = this.#plane.chart.pixelOf({ x: x + radius, y })[0] - left;
    this.#addCircle([left, top], r, `svm-width svm-number-${name}`);
    this.#addWord([left, top - r - 8], NUMBERS[name]);
  }

  #drawLine() {
    const line = this.#line;
    const whole = lineAcross(line, this.#plane.chart.limits());
    const untouched = this.#answer.given === undefined;
    if (whole) {
      const [x1, y1] = this.#plane.chart.pixelOf({ x: whole[0], y: whole[1] });
      const [x2, y2] = this.#plane.chart.pixelOf({ x: whole[2], y: whole[3] });
      const names = ["svm-halo", `svm-drawn${untouched ? " svm-untouched" : ""}`];
      for (const name of names) this.#addShape("line", { x1, y1, x2, y2, class: name });
      if (this.#answer.locked) this.#addWord([(x1 + 3 * x2) / 4, (y1 + 3 * y2) / 4 - 12], "you");
    }
    this.#grips.forEach((grip, k) => {
      const place = { x: line[2 * k], y: line[2 * k + 1] };
      this.#placeGrip(grip, this.#plane.chart.pixelOf(place), `${k === 0 ? "First" : "Second"} handle of your line. `);
    });
  }

  #drawPoints() {
    const pixels = this.#pixels;
    const { points } = this.#ask;
    const rings = points ?? { picked: this.#answer.given ?? [] };
    for (const [name, ids] of Object.entries(rings)) this.#drawRings(ids, `svm-${name}`, 13);
    for (const id of points?.extra ?? []) this.#addCross(pixels.get(id));
    const here = this.#grips.length ? this.#keyPoint(pixels) : undefined;
    if (here === undefined) return;
    const spot = /** @type {import("../picture/chart.js").Spot} */ (pixels.get(here));
    this.#placeGrip(this.#grips[0], spot, `${this.#wordsOf(here)} `);
  }

  #wordsOf(id) {
    const spot = this.#plane.shownPoints.spots.get(id);
    const chosen = (this.#answer.given ?? []).includes(id);
    const of = this.#plane.shownPoints.classes.get(id);
    return spot ? pointWords(id, spot, { of, ringed: this.#ask.marked?.includes(id), chosen }) : "";
  }

  #drawPlaces() {
    for (const { at, words } of this.#ask.places ?? []) this.#drawPoint(at, "svm-best", words);
    const untouched = this.#answer.given === undefined;
    this.#drawPoint(this.#place, untouched ? "svm-untouched" : "svm-yours", this.#answer.locked ? "you" : "");
    const [x, y] = this.#place;
    for (const grip of this.#grips)
      this.#placeGrip(grip, this.#plane.chart.pixelOf({ x, y }), "The point that you move. ");
  }

  // A point of the class that is asked about, with words above it.
  #drawPoint([x, y], name, words) {
    const { plus, minus } = pageTheme(this.#plane.root).colours;
    const [left, top] = this.#plane.chart.pixelOf({ x, y });
    if ((this.#ask.label ?? 1) > 0) this.#addShape("circle", { cx: left, cy: top, r: 9, fill: plus, class: name });
    else this.#addShape("rect", { x: left - 8, y: top - 8, width: 16, height: 16, fill: minus, class: name });
    this.#addCircle([left, top], 14, `svm-around ${name}`);
    if (words) this.#addWord([left, top - 20], words);
  }

  #drawRings(ids, name, r) {
    const pixels = this.#pixels;
    for (const id of ids) this.#addCircle(pixels.get(id), r, name);
  }

  #placeGrip(grip, [x, y], words) {
    grip.style.transform = `translate(${x}px, ${y}px)`;
    const { kind } = this.#ask;
    const told = kind === "points" ? "" : `${answerWords(kind, this.#answer.given)} `;
    grip.setAttribute("aria-label", `${words}${told}${KEYS[kind]}`);
  }

  // ----------------------------------------------------------------------------------------- shapes

  /** @param {import("../picture/chart.js").Spot | undefined} spot  nothing is drawn without one */
  #addCircle(spot, r, name) {
    if (spot) this.#addShape("circle", { cx: spot[0], cy: spot[1], r, class: name });
  }

  /** @param {import("../picture/chart.js").Spot | undefined} spot  nothing is drawn without one */
  #addCross(spot) {
    if (spot) this.#addShape("path", { d: `M${spot[0] - 9} ${spot[1] - 9}l18 18m0 -18l-18 18`, class: "svm-crossed" });
  }

  // A text, moved as far as the picture asks for.
  #addWord([x, y], text) {
    const [[left, right], [top, bottom]] = this.#plane.chart.box();
    const half = 5 * text.length;
    const place = {
      x: Math.min(Math.max(x, left + half), right - half),
      y: Math.min(Math.max(y, top + 14), bottom - 6),
    };
    this.#addShape("text", { ...place, class: "svm-word" }).textContent = text;
  }

  #addShape(tag, attributes) {
    return this.#drawing.appendChild(shape(tag, attributes));
  }
}
