// The training points that a figure shows: where, how large, of which class and with which support value.

import { valueAt } from "./canvas.js";

const SIZE = 9; // pixels of a marker whose size the figure does not give

export class Shown {
  /** @type {Map<number, [number, number]>} where the figure shows the points */
  spots;
  /** @type {Map<number, string>} the classes of these points, in words */
  classes;

  #data;
  /** @type {[number, any, number][]} [id, trace, place in the trace] */
  #markers;
  /** @type {Map<number, number>} */
  #diameters;

  /** @param {{ data: any[] }} figure */
  constructor({ data }) {
    /** @type {(trace: any) => [number, any, number][]} */
    const marked = (trace) => Array.from(trace.customdata, ([id], k) => [id, trace, k]);
    const traces = data.filter(({ mode, customdata }) => mode === "markers" && customdata);
    this.#data = data;
    this.#markers = traces.flatMap(marked);
    this.#diameters = new Map(this.#markers.map(([id, { marker }, k]) => [id, valueAt(marker.size, k)]));
    this.spots = new Map(this.#markers.map(([id, { x, y }, k]) => [id, [x[k], y[k]]]));
    this.classes = new Map(this.#markers.flatMap(([id, { name }]) => classOf(name).map((words) => [id, words])));
  }

  /** Whether the figure has a marker for that point. */
  has(id) {
    return this.#diameters.has(id);
  }

  /** The diameter of its marker, in pixels. */
  diameter(id) {
    return this.#diameters.get(id) ?? SIZE;
  }

  /** The support values of the points, where the figure has them. @returns {Map<number, number>} */
  values() {
    const rows = this.#markers.map(([, { customdata }, k]) => customdata[k]);
    return new Map(rows.filter((row) => row.length > 1).map(([id, value]) => [id, value]));
  }

  /** The support value of a point in words, as the figure has it. */
  support(id) {
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
