// The training points that a figure shows: where, how large, of which class and with which support value.

import { valueAt } from "./canvas.js";

const SIZE = 9; // pixels of a marker whose size the figure does not give

export class ShownPoints {
  #data;
  /** @type {[number, any, number][] | undefined} [id, trace, place in the trace]; a ringed point has two */
  #cachedMarkers;
  /** @type {Map<number, [number, any, number]> | undefined} the uppermost one of each point */
  #cachedTops;
  /** @type {Map<number, string> | undefined} */
  #cachedClasses;

  /** @param {{ data: any[] }} figure */
  constructor({ data }) {
    this.#data = data;
  }

  // Of the pictures of a move hardly any is asked.
  get #markers() {
    /** @type {(trace: any) => [number, any, number][]} */
    const markersOf = (trace) => Array.from(trace.customdata, ([id], k) => [id, trace, k]);
    const isMarked = ({ mode, customdata }) => mode === "markers" && customdata;
    this.#cachedMarkers ??= this.#data.filter(isMarked).flatMap(markersOf);
    return this.#cachedMarkers;
  }

  get #topMarkers() {
    this.#cachedTops ??= new Map(this.#markers.map((marker) => [marker[0], marker]));
    return this.#cachedTops;
  }

  /** Where the figure shows the points. @returns {Map<number, [number, number]>} */
  get spots() {
    return new Map(this.#markers.map(([id, { x, y }, k]) => [id, [x[k], y[k]]]));
  }

  /** The classes of these points, in words. @returns {Map<number, string>} */
  get classes() {
    this.#cachedClasses ??= new Map(
      this.#markers.flatMap(([id, { name }]) => classOf(name).map((words) => [id, words])),
    );
    return this.#cachedClasses;
  }

  /** Whether the figure has a marker for that point. */
  has(id) {
    return this.#topMarkers.has(id);
  }

  /** The diameter of its marker, in pixels. */
  diameter(id) {
    const [, trace, k] = this.#topMarkers.get(id) ?? [0, undefined, 0];
    return trace ? valueAt(trace.marker.size, k) : SIZE;
  }

  /** The support values of the points, where the figure has them. @returns {Map<number, number>} */
  values() {
    const rows = this.#markers.map(([, { customdata }, k]) => customdata[k]);
    return new Map(rows.filter((row) => row.length > 1).map(([id, value]) => [id, value]));
  }

  /** The support value of a point in words, as the figure has it. */
  supportWords(id) {
    for (const { customdata, text } of this.#data) {
      const k = Array.from(customdata ?? [], (row) => row[0]).indexOf(id);
      if (k < 0 || customdata[k].length < 2) continue;
      const value = Number(customdata[k][1].toPrecision(2)).toString().replace("-", "−");
      return `support value ${value}${text ? `, ${text[k]}` : ""}`;
    }
    return undefined;
  }

  /** Where the last vertex that bears the index of a point is drawn: a marker, or the head of a stem. */
  vertex(id) {
    for (const { x, y, customdata } of this.#data) {
      for (let k = (customdata?.length ?? 0) - 1; k >= 0; k--) {
        if (customdata[k][0] === id && !Number.isNaN(x[k])) return { x: x[k], y: y[k] };
      }
    }
    return undefined;
  }
}

// "points -1" has the points of class −1, "points 2" those of class 2, and "points" those of a regression.
const classOf = (name = "") =>
  name.startsWith("points ") ? [`class ${name.slice("points ".length).replace("-", "−")}`] : [];
