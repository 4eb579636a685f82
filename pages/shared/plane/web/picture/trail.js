// The trail of a picture: while something moves, the lines that it leaves behind stay for a while, fainter and fainter.

import { levelLines } from "./canvas.js";

const MOST = 30; // pictures whose lines stay

export class Trail {
  /** @type {string[]} the traces that leave a trail */
  #names = [];
  /** @type {object[][]} the lines of each picture, the oldest first */
  #pictures = [];
  #isMoving = false;

  /**
   * From now on the traces with these names leave a trail.
   * @param {string[]} names
   * @returns {boolean} whether lines have gone that were on the screen
   */
  setNames(names) {
    this.#names = names;
    return !names.length && this.clear();
  }

  /** @returns {boolean} whether there were lines */
  clear() {
    const some = this.#pictures.length > 0;
    this.#pictures = [];
    return some;
  }

  /** A figure gives way to the next one. A new movement begins a new trail, which stays after its end. */
  addPicture({ data }, moving) {
    if (moving && !this.#isMoving) this.clear();
    if (moving || this.#isMoving)
      this.#pictures.push(data.filter(({ name }) => this.#names.includes(name)).map(pathOf));
    this.#pictures.splice(0, this.#pictures.length - MOST);
    this.#isMoving = moving;
  }

  /** The figure with the trail under its own lines. */
  addTrail(figure) {
    const first = figure.data.findIndex(({ name }) => this.#names.includes(name));
    if (first < 0 || !this.#pictures.length) return figure;
    const faint = this.#pictures.flatMap((lines, k) =>
      lines.map((one) => ({ ...one, opacity: (0.7 * (k + 1)) / this.#pictures.length })),
    );
    return { ...figure, data: figure.data.toSpliced(first, 0, ...faint) };
  }

  /** A sentence for those who do not see it. */
  get sentence() {
    const count = this.#pictures.length;
    return count && this.#names.length ? `Faint lines: where it was in the last ${count} pictures.` : "";
  }
}

// A level line as a path: its places are computed once.
function pathOf({ name, line: pen, x, y, z, contours }) {
  const pieces = z ? levelLines({ x, y, z }, contours.start) : [];
  const broken = pieces.flatMap((piece) => [...piece, [NaN, NaN]]);
  const [across, up] = z ? [0, 1].map((k) => broken.map((place) => place[k])) : [x, y];
  const common = { type: "scatter", mode: "lines", hoverinfo: "skip", showlegend: false };
  return { ...common, name: `trail of ${name}`, x: across, y: up, line: { ...pen, width: 1.2, dash: "solid" } };
}
