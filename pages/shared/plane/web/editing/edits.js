// The edits of a problem's points: the script of what was done to them, what stands after it, and the commands that
// change it. No page, no sentences, no clock. The rules are those of pages/shared/screen/edits.py; a test holds the two
// together.

export const FLAGS = Object.freeze({ MOVED: 1, FLIPPED: 2, MARKED: 4, OFF: 8, GONE: 16, TURNED: 32 });
const { MOVED, FLIPPED, MARKED, OFF, GONE, TURNED } = FLAGS;
const UNDOS = 200;

/**
 * A row of the script: the point, its flags, and its place in whole steps, 0 where it has not moved. An id is the row
 * of the problem's training point, or -1, -2, ... for an added one.
 * @typedef {[id: number, flags: number, x: number, y: number]} Row
 * @typedef {{ id: number, x: number, y: number, label: number, mark: boolean, off: boolean, gone: boolean }} Point
 * @typedef {{ ids: number[], x: number[], y: number[], label: number[], mark: boolean[] }} Columns
 * @typedef {{ x: [number, number], y: [number, number] }} Limits
 * @typedef {{ what: string, rows: Row[] }} Step what was done, in words, and the rows before it
 */

export class Edits {
  /** @type {{ past: Step[], future: Step[] }} what can be undone and done again */
  history = { past: [], future: [] };
  /** @type {[number, number]} the powers of ten that places are multiples of */
  step = [0, 0];
  /** @type {number[]} the labels of the classes, in their order; none in a regression */
  labels = [];

  /** @type {Map<number, { x: number, y: number, label: number, mark: boolean }>} */
  #base = new Map();
  /** @type {Map<number, { flags: number, x: number, y: number }>} */
  #script = new Map();
  /** @type {number[] | undefined} */
  #ids;

  /**
   * Other points of the problem, or another script for them; the history stays.
   * @param {{ base: Columns, edits: Row[], step: [number, number], labels: number[] }} given
   */
  receive({ base, edits, step, labels }) {
    this.step = step;
    this.labels = labels;
    const { ids, x, y, label, mark } = base;
    this.#base = new Map(ids.map((id, k) => [id, { x: x[k], y: y[k], label: label[k], mark: Boolean(mark[k]) }]));
    this.restore(edits);
  }

  /** @returns {Row[]} the script, in the order in which points were first touched */
  rows() {
    return [...this.#script].map(([id, { flags, x, y }]) => [id, flags, x, y]);
  }

  /** @param {Row[]} rows */
  restore(rows) {
    this.#script = new Map(rows.map(([id, flags, x, y]) => [id, { flags, x, y }]));
    this.#ids = undefined;
  }

  /** The points that are there, switched off or not: the problem's own, then those added, the last one last. */
  get ids() {
    const addedIds = () => [...this.#script.keys()].filter((id) => id < 0).sort((a, b) => b - a);
    const isThere = (id) => !((this.#script.get(id)?.flags ?? 0) & GONE);
    this.#ids ??= [...this.#base.keys(), ...addedIds()].filter(isThere);
    return this.#ids;
  }

  /** What a point of `ids`, or one that was deleted, is now. */
  point(id) {
    const point = this.find(id);
    if (!point) throw new Error(`Expected the id of a point, got ${id}.`);
    return point;
  }

  /** @returns {Point | undefined} what a point is now, deleted or not; undefined for an id that was never there */
  find(id) {
    const { flags, x, y } = this.#script.get(id) ?? { flags: 0, x: 0, y: 0 };
    const base = this.#base.get(id);
    if (flags === 0 && !base) return undefined;
    const { label, mark, ...own } = base ?? { x: 0, y: 0, label: this.labels[0] ?? 1, mark: false };
    const place = flags & MOVED ? { x: decimalOf(x, this.step[0]), y: decimalOf(y, this.step[1]) } : own;
    return {
      id,
      ...place,
      label: this.labels[(this.labels.indexOf(label) + turnOf(flags)) % this.labels.length] ?? label,
      mark: mark !== Boolean(flags & MARKED),
      off: Boolean(flags & OFF),
      gone: Boolean(flags & GONE),
    };
  }

  /** @param {number[]} ids  @returns {Map<number, [number, number]>} */
  places(ids) {
    const points = ids.map((id) => this.point(id));
    return new Map(points.map(({ id, x, y }) => [id, [x, y]]));
  }

  // ------------------------------------------------------------------------------------- commands

  /** The id that the next added point has. */
  get nextId() {
    return Math.min(0, ...this.#script.keys()) - 1;
  }

  /** A point of its own at (x, y), which has the id `id` from now on. */
  put(id, x, y, label) {
    const turn = Math.max(0, this.labels.indexOf(label));
    this.#edit(id, () => ({ flags: withTurn(MOVED, turn), ...this.#stepsOf(x, y) }));
  }

  /**
   * Points `from` their places by (dx, dy), less where a point would leave the limits.
   * @param {Map<number, [number, number]>} from
   * @param {[number, number]} by
   * @param {Limits} limits
   */
  shift(from, [dx, dy], { x: [left, right], y: [low, high] }) {
    const clampShift = (delta, axis, least, most) => {
      const all = [...from.values()].map((place) => place[axis]);
      return Math.min(Math.max(delta, least - Math.min(...all)), most - Math.max(...all));
    };
    const [along, up] = [clampShift(dx, 0, left, right), clampShift(dy, 1, low, high)];
    for (const [id, [x, y]] of from) this.#move(id, x + along, y + up);
  }

  /** Every point by a random step: `draw()` times the reach [x, y]. */
  jitter(ids, reach, draw) {
    for (const [id, [x, y]] of this.places(ids)) this.#move(id, x + reach[0] * draw(), y + reach[1] * draw());
  }

  /** The next class, of two the other one; a point of the problem that has left its own counts as an outlier. */
  flip(ids) {
    for (const id of ids) this.#changeFlags(id, (flags) => this.#flipFlags(id, flags));
  }

  #flipFlags(id, flags) {
    const before = turnOf(flags) % this.labels.length;
    const after = (before + 1) % this.labels.length;
    const leaves = (before === 0) !== (after === 0);
    return withTurn(flags, after) ^ (id >= 0 && leaves ? MARKED : 0);
  }

  mark(ids, on) {
    for (const id of ids) if (this.point(id).mark !== on) this.#changeFlags(id, (flags) => flags ^ MARKED);
  }

  switchOff(ids, off) {
    for (const id of ids) this.#changeFlags(id, (flags) => (off ? flags | OFF : flags & ~OFF));
  }

  remove(ids) {
    for (const id of ids) this.#changeFlags(id, (flags) => flags | GONE);
  }

  /** The problem's own points again: added ones go. */
  snap(ids) {
    for (const id of ids) this.#script.delete(id);
    this.#ids = undefined;
  }

  // ----------------------------------------------------------------------------------------- undo

  /** From here on one step of undo; `what` finishes the sentence "Undone: ...". */
  recordStep(what) {
    const { past, future } = this.history;
    past.push({ what, rows: this.rows() });
    if (past.length > UNDOS) past.shift();
    future.length = 0;
  }

  /** @returns {string | undefined} what was undone, undefined where there is nothing to undo */
  undo() {
    return this.#restoreStep(this.history.past, this.history.future);
  }

  /** @returns {string | undefined} what was done again */
  redo() {
    return this.#restoreStep(this.history.future, this.history.past);
  }

  /** @param {Step[]} from @param {Step[]} to */
  #restoreStep(from, to) {
    const last = from.pop();
    if (!last) return undefined;
    to.push({ what: last.what, rows: this.rows() });
    this.restore(last.rows);
    return last.what;
  }

  #move(id, x, y) {
    this.#edit(id, ({ flags }) => ({ flags: flags | MOVED, ...this.#stepsOf(x, y) }));
  }

  #changeFlags(id, change) {
    this.#edit(id, ({ flags }) => ({ flags: change(flags) }));
  }

  #edit(id, change) {
    const now = this.#script.get(id) ?? { flags: 0, x: 0, y: 0 };
    const next = { ...now, ...change(now) };
    if (next.flags) this.#script.set(id, next);
    else this.#script.delete(id);
    this.#ids = undefined;
  }

  #stepsOf(x, y) {
    return { x: Math.round(x / 10 ** this.step[0]), y: Math.round(y / 10 ** this.step[1]) };
  }
}

/** By how many places the class of a point is further in the list of classes. */
const turnOf = (flags) => (flags & FLIPPED ? 1 : 0) + (flags & TURNED ? 2 : 0);

const withTurn = (flags, turn) => (flags & ~(FLIPPED | TURNED)) | (turn & 1 ? FLIPPED : 0) | (turn & 2 ? TURNED : 0);

/** The decimal nearest to `count` steps of 10**power. */
const decimalOf = (count, power) => Number(`${count}e${power}`);

/** What a point is called, here and in Python. */
export const pointName = (id) => (id < 0 ? `added point ${-id}` : `point ${id}`);

/** A random number from the standard normal distribution. */
export const randomNormal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

/**
 * The id of the next spot in a direction: near, and not far to the side. The same id where there is none.
 * @param {Map<number, [number, number]>} spots pixels  @param {number} id  @param {[number, number]} direction
 */
export function nearestTowards(spots, id, [dx, dy]) {
  const [x, y] = spots.get(id) ?? [0, 0];
  let [found, least] = [id, Infinity];
  for (const [other, [left, top]] of spots) {
    const along = (left - x) * dx + (top - y) * dy;
    if (other === id || along <= 0) continue;
    const aside = Math.abs((left - x) * dy - (top - y) * dx);
    const cost = along + 2 * aside;
    if (cost < least) [found, least] = [other, cost];
  }
  return found;
}
