// The trail of a picture: while something moves, the lines that it leaves behind stay for a while, fainter and fainter.

import { levelLines } from "./canvas.js";

const MOST = 30; // pictures whose lines stay

export class Trail {
  /** @type {string[]} the traces that leave a trail */
  #names = [];
  /** @type {object[][]} the lines of each picture, the oldest first */
  #left = [];
  #moving = false;

  /**
   * From now on the traces with these names leave a trail.
   * @param {string[]} names
   * @returns {boolean} whether lines have gone that were on the screen
   */
  name(names) {
    this.#names = names;
    return !names.length && this.clear();
  }

  /** @returns {boolean} whether there were lines */
  clear() {
    const some = this.#left.length > 0;
    this.#left = [];
    return some;
  }

  /** A figure gives way to the next one. A new movement begins a new trail, which stays after its end. */
  leave({ data }, moving) {
    if (moving && !this.#moving) this.clear();
    if (moving || this.#moving) this.#left.push(data.filter(({ name }) => this.#names.includes(name)).map(line));
    this.#left.splice(0, this.#left.length - MOST);
    this.#moving = moving;
  }

  /** The figure with the trail under its own lines. */
  under(figure) {
    const first = figure.data.findIndex(({ name }) => this.#names.includes(name));
    if (first < 0 || !this.#left.length) return figure;
    const faint = this.#left.flatMap((lines, k) =>
      lines.map((one) => ({ ...one, opacity: (0.7 * (k + 1)) / this.#left.length })),
    );
    return { ...figure, data: figure.data.toSpliced(first, 0, ...faint) };
  }

  /** A sentence for those who do not see it. */
  get words() {
    const count = this.#left.length;
    return count && this.#names.length ? `Faint lines: where it was in the last ${count} pictures.` : "";
  }
}

// A level line as a path: its places are computed once.
function line({ name, line: pen, x, y, z, contours }) {
  const pieces = z ? levelLines({ x, y, z }, contours.start) : [];
  const broken = pieces.flatMap((piece) => [...piece, [NaN, NaN]]);
  const [across, up] = z ? [0, 1].map((k) => broken.map((place) => place[k])) : [x, y];
  const common = { type: "scatter", mode: "lines", hoverinfo: "skip", showlegend: false };
  return { ...common, name: `trail of ${name}`, x: across, y: up, line: { ...pen, width: 1.2, dash: "solid" } };
}
