// When a label flips, lines and fields move from where they are to where they belong, and the area that changes class
// grows with them. Whoever asks the system for less motion gets the new ones at once.

import { prefersReducedMotion } from "../base/dom.js";

const TIME = 400; // milliseconds

export class FlipAnimation {
  #startTime = -Infinity;
  /** @type {Map<string, any>} the fields as they were, by the names of their traces */
  #from = new Map();

  /** Whether something is on its way. */
  get isRunning() {
    return performance.now() - this.#startTime < TIME;
  }

  /** From now on the traces come from what they were `before`. */
  start(before) {
    if (prefersReducedMotion()) return;
    this.#from = new Map(before.filter(({ type }) => type === "contour").map((trace) => [trace.name, trace]));
    if (this.#from.size) this.#startTime = performance.now();
  }

  /** The traces as they are at this moment. */
  tracesNow(traces) {
    if (!this.isRunning) return traces;
    const part = (performance.now() - this.#startTime) / TIME;
    const share = part * part * (3 - 2 * part);
    return traces.map((trace) => this.#blend(trace, share));
  }

  #blend(trace, share) {
    const from = trace.type === "contour" && this.#from.get(trace.name);
    if (!from) return trace;
    const [columns, rows] = [placesOn(trace.x, from.x), placesOn(trace.y, from.y)];
    const z = trace.z.map((row, r) => {
      const [low, high, up] = [from.z[rows[r].node], from.z[rows[r].node + 1], rows[r].part];
      return Float32Array.from(row, (value, c) => {
        const { node, part } = columns[c];
        const below = low[node] + part * (low[node + 1] - low[node]);
        const above = high[node] + part * (high[node + 1] - high[node]);
        return (1 - share) * (below + up * (above - below)) + share * value;
      });
    });
    return { ...trace, z };
  }
}

/** Whether a point of both pictures has another class in the second one. */
export function hasFlip(before, now) {
  return [...now.classes].some(([id, name]) => (before.classes.get(id) ?? name) !== name);
}

// Where the nodes of a grid lie on another one, which may be coarser, or end before.
function placesOn(grid, other) {
  const step = (other[other.length - 1] - other[0]) / (other.length - 1);
  return Array.from(grid, (value) => {
    const place = Math.min(Math.max((value - other[0]) / step, 0), other.length - 1);
    const node = Math.min(Math.floor(place), other.length - 2);
    return { node, part: place - node };
  });
}
