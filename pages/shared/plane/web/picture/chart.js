// Plotly's part of a plane or a chart: axes, texts, legend and hover boxes, and everything where no canvas lies below.
// Its axes, once drawn, map places to pixels.

import { placeholderAxes } from "./axes.js";
import { isNote } from "./canvas.js";

const CONFIG = { displayModeBar: false, showAxisDragHandles: false, showTips: false, doubleClick: false };
const REST = 120; // milliseconds without a new figure after which hover boxes are renewed
const PATIENCE = 200; // milliseconds for two frames, which a hidden page does not have
const ECHO = 1000; // milliseconds within which a browser makes a mouse's click of a finger's

/**
 * @typedef {[number, number]} Spot pixels from the left and from the top
 * @typedef {object} Heard the callbacks of a chart; an id is that of a training point
 * @property {(id: number | undefined) => void} onHover
 * @property {(place: { x: number, y: number }, id: number | undefined) => void} onClick
 * @property {() => void} onZoom
 * @property {(waiting: boolean) => void} onSettle whether hover boxes are still to be renewed
 */

export class Chart {
  #div;
  #callbacks;
  #drawings = 0;
  /** @type {Promise<any>} */
  #lastDrawing = Promise.resolve();
  /** @type {string | undefined} the layout that is on the screen */
  #frame;
  /** @type {any} axes while Plotly has none, or others */
  #placeholder;
  /** Whether Plotly's axes and texts are not those of the picture on the screen. */
  isAhead = true;
  #restTimer = 0;
  #lastTouch = -Infinity;

  /** @param {any} div where Plotly draws  @param {Heard} heard */
  constructor(div, heard) {
    this.#div = div;
    this.#callbacks = heard;
  }

  /** Plotly's axes; where it has not drawn this picture those of its layout, undefined without one. */
  get axes() {
    const { _fullLayout: drawn } = this.#div;
    return drawn?.xaxis?._length && !this.isAhead ? drawn : this.#placeholder;
  }

  /** Whether a canvas can be drawn on before plotly.js has drawn this layout. */
  placeAxes(layout, size) {
    this.#placeholder = placeholderAxes(layout, size);
    this.isAhead = frameOf(layout) !== this.#frame;
    return Boolean(this.#placeholder) || !this.isAhead;
  }

  /** Draw at once; but where a canvas follows the points and only hover boxes are new, when the hand rests. */
  async draw(figure, { layered }) {
    const Plotly = await loadPlotly();
    const { data, layout } = layered ? plotlyPart(figure) : this.#withCamera(figure);
    const number = ++this.#drawings;
    const react = () => Plotly.react(this.#div, data, layout, CONFIG);
    const frame = frameOf(figure.layout);
    clearTimeout(this.#restTimer);
    const waits = layered && frame === this.#frame;
    this.#callbacks.onSettle(waits);
    if (!waits) {
      await this.#enqueue(react);
      if (!this.#frame) this.#listen();
      this.#frame = frame;
      this.isAhead = false;
      return;
    }
    this.#restTimer = setTimeout(async () => {
      await this.#enqueue(() => number === this.#drawings && react()); // a newer figure has its own boxes
      if (number === this.#drawings) this.#callbacks.onSettle(false);
    }, REST);
  }

  // A surface is seen from where the reader has turned it to.
  #withCamera({ data, layout }) {
    const { camera } = this.#div._fullLayout?.scene ?? {};
    return { data, layout: camera && layout.scene ? { ...layout, scene: { ...layout.scene, camera } } : layout };
  }

  // Never two drawings at once: each begins when the one before it has ended.
  #enqueue(react) {
    this.#lastDrawing = this.#lastDrawing.catch(() => undefined).then(react);
    return this.#lastDrawing;
  }

  #listen() {
    const idOf = (event) => {
      const found = event.points[0].customdata?.[0];
      return Number.isNaN(found) ? undefined : found; // nan: a place without a point
    };
    const { onZoom, onHover, onClick } = this.#callbacks;
    this.#div.on("plotly_relayout", onZoom);
    this.#div.on("plotly_hover", (event) => onHover(idOf(event)));
    this.#div.on("plotly_unhover", () => onHover(undefined));
    this.#div.on("plotly_click", (event) => this.#isEcho(event) || onClick(event.points[0], idOf(event)));
  }

  // Plotly clicks twice for a finger: when it leaves, and for the mouse that the browser makes of it.
  #isEcho({ event }) {
    const touch = event.type.startsWith("touch");
    if (touch) this.#lastTouch = event.timeStamp;
    return !touch && event.timeStamp - this.#lastTouch < ECHO;
  }

  /** @returns {Spot} */
  pixelOf({ x, y }) {
    const { xaxis, yaxis } = this.axes;
    return [xaxis._offset + xaxis.d2p(x), yaxis._offset + yaxis.d2p(y)];
  }

  /** @param {Spot} spot  @returns {[number, number]} x and y */
  dataAt([x, y]) {
    const { xaxis, yaxis } = this.axes;
    return [xaxis.p2d(x - xaxis._offset), yaxis.p2d(y - yaxis._offset)];
  }

  /** @returns {import("../editing/edits.js").Limits} */
  limits() {
    const { xaxis, yaxis } = this.axes;
    return { x: xaxis.range.slice(), y: yaxis.range.slice() };
  }

  /** The rectangle within the axes. @returns {[[left: number, right: number], [top: number, bottom: number]]} */
  box() {
    const ends = ({ _offset, _length }) => /** @type {[number, number]} */ ([_offset, _offset + _length]);
    return [ends(this.axes.xaxis), ends(this.axes.yaxis)];
  }

  /** Whether a spot lies within the axes, or in another rectangle. */
  contains([x, y], [[left, right], [top, bottom]] = this.box()) {
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  /** The pixel of a place on the horizontal axis. A logarithmic one has no zero: a run starts at its left edge. */
  columnOf(place) {
    const { xaxis } = this.axes;
    return xaxis._offset + (xaxis.type === "log" && place <= 0 ? 0 : xaxis.d2p(place));
  }

  /** Turn a surface by these angles, to the right and up; false where there is none. */
  turn(across, up) {
    const { eye } = this.#div._fullLayout?.scene?.camera ?? {};
    if (!eye) return false;
    const flat = Math.hypot(eye.x, eye.y);
    const far = Math.hypot(flat, eye.z);
    const round = Math.atan2(eye.y, eye.x) + across;
    const high = Math.max(-1.5, Math.min(1.5, Math.atan2(eye.z, flat) + up));
    const [x, y, z] = [Math.cos(high) * Math.cos(round), Math.cos(high) * Math.sin(round), Math.sin(high)];
    /** @type {any} */ (window).Plotly.relayout(this.#div, "scene.camera.eye", { x: far * x, y: far * y, z: far * z });
    return true;
  }

  /** The box of what lies below a pointer that was there before Plotly. */
  hover({ clientX, clientY }) {
    const below = clientX === undefined ? null : document.elementFromPoint(clientX, clientY);
    if (!this.#div.contains(below)) return;
    below?.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true }));
  }

  /** A file of the figure, drawn by Plotly alone, at the zoom that is on the screen, of a surface as it was turned. */
  async save(figure, { format, name, size: [width, height] }) {
    const Plotly = await loadPlotly();
    const { data, layout } = this.#withCamera(figure);
    for (const axis of ["xaxis", "yaxis"]) layout[axis].range = [...this.axes[axis].range];
    const scale = format === "png" ? 2 : 1;
    await Plotly.downloadImage({ data, layout }, { format, width, height, scale, filename: name });
  }

  leave() {
    clearTimeout(this.#restTimer);
    if (this.#frame) /** @type {any} */ (window).Plotly.purge(this.#div);
  }
}

/** What Plotly draws of a layout around a picture, and the lines that its legend names, as a text. */
export function frameOf(layout, data = []) {
  const named = data.filter(({ showlegend }) => showlegend).map(({ name, line }) => [name, line]);
  const annotations = layout.annotations?.filter((note) => !isNote(note));
  return JSON.stringify({ ...layout, meta: null, annotations, named });
}

// What is left for Plotly when a canvas shows the traces: axes, other texts, legend, and points that can be hovered but
// have no element of their own.
function plotlyPart({ data, layout }) {
  const hovered = data.filter(({ customdata, hoverinfo }) => customdata && hoverinfo !== "skip");
  const named = data.filter(({ showlegend }) => showlegend);
  const key = { type: "scatter", mode: "lines", x: [null], y: [null], showlegend: true };
  const annotations = layout.annotations?.filter((note) => !isNote(note));
  return {
    data: [
      ...hovered.map((trace) => ({ ...trace, mode: "none" })),
      ...named.map(({ name, line }) => ({ ...key, name, line })),
    ],
    layout: { ...layout, annotations, plot_bgcolor: "transparent", paper_bgcolor: "transparent" },
  };
}

/**
 * A copy of the figure with colours for tokens "var(--svm-...)"; typed arrays are shared, not copied. `known`: words
 * that have been looked at, of which most come a hundred times.
 */
export function replaceTokens(value, colours, known = new Map()) {
  if (typeof value === "string") {
    let found = known.get(value);
    if (found === undefined) {
      found = value.replace(/var\(--svm-([a-z0-9-]+)\)/g, (_, name) => colours[name]);
      known.set(value, found);
    }
    return found;
  }
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    return ArrayBuffer.isView(value[0]) ? value : value.map((item) => replaceTokens(item, colours, known));
  }
  const copy = {};
  for (const key in value) copy[key] = replaceTokens(value[key], colours, known);
  return copy;
}

let source = "";
/** @type {Promise<any> | undefined} */
let loading;

/** Where plotly.js is to be found. */
export function setSource(/** @type {string} */ given) {
  source = given;
}

/** True on a page that has no plotly.js and needs none: its planes are drawn without. */
export const hasNoPlotly = () => !source;

/** plotly.js, loaded once; an Error, in a sentence, where it is nowhere to be found. */
export function loadPlotly() {
  loading ??= import(source).then(() => /** @type {any} */ (window).Plotly);
  return loading.catch(() => {
    throw new Error("plotly.js was not found on the server");
  });
}

/** When what is drawn now is on the screen. */
export const waitForScreen = () =>
  new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
    setTimeout(done, PATIENCE);
  });
