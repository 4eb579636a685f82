// The points of the planes with one link, while they are edited. The browser owns them: what is done is seen at once in
// every plane, and Python gets the whole script (exchange.js). Python replaces the points only with a new version.

import { Exchange } from "../base/exchange.js";
import { live } from "../base/live.js";
import { sharesOf, tones } from "../base/tones.js";
import { called, Edits, gaussian, newHistory } from "./edits.js";

const ONE_STROKE = 900; // milliseconds within which moves by arrow keys are one step of undo
const RESTED = 250; // milliseconds without an arrow key after which a move is over

/**
 * A plane that shows the points.
 * @typedef {object} Viewer
 * @property {boolean} editable whether the points can be edited on it
 * @property {(id: number) => string | undefined} [support] the support value of a point in words, where it is known
 * @property {{ values: () => Map<number, number> }} [shown] the points that are shown, with their support values
 * @property {() => void} moved the points, or what is chosen, have changed
 * @property {() => import("./edits.js").Limits} limits the part of the plane that is on the screen
 *
 * A message from Python, see `point_editor` in component.py; from `base` on it is missing while a point moves.
 * @typedef {object} Told
 * @property {number} session
 * @property {number} version
 * @property {string} draw
 * @property {number} ack
 * @property {import("./edits.js").Columns} [base]
 * @property {import("./edits.js").Row[]} edits
 * @property {[number, number]} step
 * @property {number[]} labels of the classes, none in a regression
 * @property {Record<string, string>} classes their names
 */

export class PointEditor {
  edits = new Edits();
  /** @type {Set<number>} */
  selected = new Set();
  /** @type {number | undefined} the point that was chosen last, if it is still there */
  cursor;
  /** @type {number | undefined} the point that the next tap places */
  carried;
  /** @type {[number, number] | undefined} the first corner of a rectangle whose second one the next tap sets */
  corner;
  /** The class of a new point. */
  label = 1;
  /** @type {Record<string, string>} what the classes are called, by their labels */
  classes = {};

  /**
   * @type {{ show: () => void, say: (text: string, how?: { moving: boolean }) => void } | undefined} shows which
   *   commands are possible, and the sentence on the last one
   */
  toolbar;
  /** What Python hears of the edits. */
  exchange;

  #tool = "edit";
  /** @type {Iterable<Viewer>} */
  #viewers;
  /** @type {number | undefined} */
  #session;
  /** @type {string | undefined} */
  #draw;
  /** @type {Map<string, Edits["history"]>} one for each draw of a problem */
  #histories = new Map();
  #stroke = -Infinity;
  #resting = 0;

  /** @param {Iterable<Viewer>} viewers  @param {import("../base/exchange.js").Channel} channel */
  constructor(viewers, channel = live) {
    this.#viewers = viewers;
    const script = () => ({ step: this.edits.step, edits: this.edits.rows() });
    const changed = () => this.toolbar?.show();
    this.exchange = new Exchange({ script, chosen: () => this.cursor ?? null, changed }, channel);
  }

  // ---------------------------------------------------------------- between browser and Python

  /** @param {Told} told */
  receive({ session, version, draw, ack, base, edits, step, labels, classes }, send) {
    this.exchange.send = send;
    if (base && version !== this.exchange.version) {
      const { waits } = this.exchange;
      const unheard = session !== this.#session && draw === this.#draw && waits; // by a server that began anew
      const late = !unheard && this.#draw !== undefined && waits; // an edit of the points before
      if (session !== this.#session) this.exchange.restart({ again: unheard });
      if (draw !== this.#draw) this.#turnTo(draw);
      else if (!unheard) this.#remember("the change outside the plane");
      this.#session = session;
      this.exchange.version = version;
      this.classes = classes;
      const own = { edits: this.edits.rows(), step: this.edits.step };
      this.edits.receive({ base, labels, ...(unheard ? own : { edits, step }) });
      if (!labels.includes(this.label)) this.label = labels[0] ?? 1;
      this.#changed();
      if (late) this.toolbar?.say("These are other points: they do not have your last edit.");
    }
    const waited = this.exchange.waits;
    this.exchange.answer(ack);
    // the support values of a figure are those of these points again
    if (waited && !this.exchange.waits) this.#changed();
    else this.toolbar?.show();
  }

  // Another draw has a history of its own, and coming back brings the first one back.
  #turnTo(draw) {
    if (this.#draw !== undefined) this.#histories.set(this.#draw, this.edits.history);
    this.edits.history = this.#histories.get(draw) ?? newHistory();
    this.#draw = draw;
    this.selected.clear();
    this.cursor = undefined;
    this.#letGo();
  }

  /** Whether Python has sent any points. */
  get ready() {
    return this.exchange.version !== undefined;
  }

  // ------------------------------------------------------------------------------------------ tools

  /** What a tap or a drag does: edit, move, select or spray. */
  get tool() {
    return this.#tool;
  }

  set tool(name) {
    this.#tool = name;
    this.#letGo();
    this.#changed();
  }

  /** Whether anything is selected, carried or half drawn, which Escape gives up. */
  get begun() {
    return this.selected.size > 0 || this.carried !== undefined || this.corner !== undefined;
  }

  #letGo() {
    this.carried = this.corner = undefined;
  }

  // ------------------------------------------------------------------------------ what a point is

  /** What a point is, where, and how it stands. */
  words(id) {
    const { x, y, label, mark, off } = this.edits.at(id);
    const digits = (axis) => Math.max(0, -this.edits.step[axis] - 1);
    const place = `${written(x, digits(0))}, ${written(y, digits(1))}`;
    const kind = this.edits.labels.length ? `, class ${this.classes[label]}` : "";
    return `${called(id)}${kind}, at ${place}${mark ? ", outlier" : ""}${off ? ", switched off" : ""}`;
  }

  /** As `words`, and its support value in the machines of these planes, by default of all that are shown. */
  described(id, shown = this.#editable()) {
    const viewers = this.exchange.waits ? [] : shown;
    const known = viewers.map((viewer) => viewer.support?.(id)).filter(Boolean);
    return [this.words(id), ...known].join("; ");
  }

  /** What a command acts on: the selected points, else the chosen one. */
  targets() {
    if (this.selected.size) return [...this.selected];
    return this.cursor === undefined ? [] : [this.cursor];
  }

  /** @param {number | undefined} id */
  choose(id) {
    this.cursor = id;
    this.exchange.choose(id);
    this.#changed();
    if (id === undefined) return;
    this.#say(`${capital(this.described(id))}.`);
    if (!this.exchange.waits) tones.hear(this.#editable().map((viewer) => shares(viewer).get(id)));
  }

  /** The support values of all points on a plane as tones, in the order of the keys; by default of the first. */
  sweep(viewer = this.#editable()[0]) {
    const known = shares(viewer);
    const heard = this.edits.ids.filter((id) => known.has(id)).map((id) => known.get(id));
    tones.play(heard);
    this.#say(`${heard.length} points are heard, ${heard.filter(Boolean).length} with a support value above zero.`);
  }

  select(ids, { adding = false } = {}) {
    this.#letGo();
    if (!adding) this.selected.clear();
    for (const id of ids) this.selected.add(id);
    this.#say(this.selected.size ? `${several([...this.selected])} selected.` : "Nothing selected.");
    this.#changed();
  }

  /** A point that was selected is no longer, and the other way round. */
  reselect(id) {
    if (this.selected.has(id)) this.select([...this.selected].filter((other) => other !== id));
    else this.select([id], { adding: true });
  }

  // What is not there any more is neither selected nor chosen.
  #changed() {
    const known = new Set(this.edits.ids);
    for (const id of this.selected) if (!known.has(id)) this.selected.delete(id);
    if (this.cursor !== undefined && !known.has(this.cursor)) this.cursor = undefined;
    if (this.carried !== undefined && !known.has(this.carried)) this.carried = undefined;
    for (const viewer of this.#viewers) viewer.moved();
    this.toolbar?.show();
  }

  // ------------------------------------------------------------------------------------ add, move

  add(x, y) {
    const id = this.edits.next;
    this.#command("a point added", () => {
      this.edits.put(id, x, y, this.label);
      this.cursor = id;
      return `Added: ${this.words(id)}.`;
    });
  }

  /** The next tap sets the corner that lies across from [x, y], see `select`. */
  begin(x, y) {
    this.corner = [x, y];
    this.#changed();
    this.#say("First corner set. The next click sets the opposite one and selects the points between; Escape cancels.");
  }

  /** The next tap places the point `id`, with all that are selected if it is one of them. */
  carry(id) {
    if (!this.selected.has(id)) this.selected.clear();
    this.choose(id);
    this.carried = id;
    this.#changed();
    this.#say(`${capital(this.described(id))}. The next click places it; Escape cancels.`);
  }

  /** The carried point moves to (x, y), and all that are selected with it. */
  place(x, y, limits) {
    const { carried: id } = this;
    if (id === undefined) return;
    this.#letGo();
    const ids = this.targets();
    const { x: left, y: top } = this.edits.at(id);
    this.#command(`${several(ids)} moved`, () => {
      this.edits.shift(this.edits.places(ids), [x - left, y - top], limits);
      return this.#moved(ids);
    });
  }

  #moved(ids) {
    return ids.length === 1 ? `Moved: ${this.words(ids[0])}.` : `Moved ${ids.length} points.`;
  }

  /** Points are about to rain: one step of undo. */
  beginSpray() {
    this.#remember("points sprayed");
  }

  drop(x, y) {
    this.edits.put(this.edits.next, x, y, this.label);
    this.#changed();
    this.exchange.push(true);
  }

  endSpray(count) {
    this.exchange.push(false);
    const kind = this.edits.labels.length ? ` of class ${this.classes[this.label]}` : "";
    this.#say(`Sprayed ${count} point${count === 1 ? "" : "s"}${kind}.`);
  }

  /**
   * The point `id` is dragged, with all that are selected if it is one of them.
   * @returns the places where they begin, for `shift`
   */
  beginDrag(id) {
    if (!this.selected.has(id)) this.selected.clear();
    this.cursor = id;
    const ids = this.targets();
    this.#remember(`${several(ids)} moved`);
    return this.edits.places(ids);
  }

  /** Points `from` their places by [dx, dy], kept inside the limits. */
  shift(from, by, limits) {
    this.edits.shift(from, by, limits);
    this.#changed();
    this.exchange.push(true);
    const [id] = from.keys();
    this.#say(from.size === 1 ? capital(this.words(id)) : `${from.size} points move.`, { moving: true });
  }

  /** The points rest: after so many milliseconds the full picture is asked for. */
  settle(ids, after = 0) {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.exchange.push(false);
      this.#say(this.#moved(ids));
    }, after);
  }

  /** A step of an arrow key; the picture is completed when the keys rest. */
  nudge(by, limits) {
    const ids = this.targets();
    if (!ids.length) return;
    const now = performance.now();
    if (now - this.#stroke >= ONE_STROKE) this.#remember(`${several(ids)} moved`);
    this.#stroke = now;
    this.shift(this.edits.places(ids), by, limits);
    this.settle(ids, RESTED);
  }

  // ------------------------------------------------------------------------------------- commands

  flip(ids = this.targets()) {
    const { length } = this.edits.labels;
    if (length) this.#each(ids, length > 2 ? "given the next class" : "flipped", () => this.edits.flip(ids));
  }

  mark() {
    const ids = this.targets();
    const on = !ids.every((id) => this.edits.at(id).mark);
    this.#each(ids, on ? "marked as outlier" : "no longer marked as outlier", () => this.edits.mark(ids, on));
  }

  toggle() {
    const ids = this.targets();
    const off = !ids.every((id) => this.edits.at(id).off);
    this.#each(ids, off ? "switched off" : "switched on", () => this.edits.switchOff(ids, off));
  }

  remove() {
    const ids = this.targets();
    const next = this.edits.ids[Math.max(0, this.edits.ids.indexOf(ids[0]) - 1)];
    this.#each(ids, "deleted", () => this.edits.remove(ids));
    if (!this.selected.size && !ids.includes(next)) this.cursor = next;
    this.#changed();
  }

  /** @param {import("./edits.js").Limits} limits by default those of the first plane on which points can be edited */
  jitter(limits = this.#editable()[0].limits()) {
    const ids = this.targets().length ? this.targets() : this.edits.ids;
    if (!ids.length) return;
    const reach = [limits.x, limits.y].map(([low, high]) => 0.015 * (high - low));
    this.#command(`${several(ids)} jittered`, () => {
      this.edits.jitter(ids, reach, gaussian);
      return `${capital(several(ids))} jittered.`;
    });
  }

  #editable() {
    return [...this.#viewers].filter(({ editable }) => editable);
  }

  /** The problem's own points: the selected ones, or all. Added points go. */
  snap() {
    const touched = this.edits.rows().map(([id]) => id);
    const ids = this.selected.size ? [...this.selected] : touched;
    if (!ids.some((id) => touched.includes(id))) return this.#say("The points are the problem's own.");
    this.#command("points snapped back", () => {
      this.edits.snap(ids);
      return `${capital(several(ids))} snapped back to the problem's own.`;
    });
  }

  undo() {
    const here = new Set(this.edits.ids);
    const what = this.edits.undo();
    const [back, ...others] = this.edits.ids.filter((id) => !here.has(id));
    if (back !== undefined && !others.length) this.cursor = back; // the one that was deleted is chosen again
    this.#went(what, "Undone", "Nothing to undo.");
  }

  redo() {
    this.#went(this.edits.redo(), "Done again", "Nothing to redo.");
  }

  /** Whether the button for a command would do anything. */
  possible(command) {
    const { past, future } = this.edits.history;
    if (command === "undo") return past.length > 0;
    if (command === "redo") return future.length > 0;
    if (command === "snap") return this.edits.size > 0;
    return (command === "sweep" || command === "jitter" ? this.edits.ids : this.targets()).length > 0;
  }

  // What was done to points one by one.
  #each(ids, done, act) {
    if (!ids.length) return this.#say("Choose a point first: tap it, or go to it with the keys N and P.");
    this.#command(`${several(ids)} ${done}`, () => {
      act();
      const one = ids.length === 1 && !this.edits.at(ids[0]).gone;
      return one ? `${capital(done)}: ${this.words(ids[0])}.` : `${capital(several(ids))} ${done}.`;
    });
  }

  // `what` finishes the sentence "Undone: ..."; `act` returns the sentence that is read out.
  #command(what, act) {
    this.#remember(what);
    const said = act();
    this.#changed();
    this.exchange.push(false);
    this.#say(said);
  }

  #remember(what) {
    this.edits.remember(what);
    this.#stroke = -Infinity;
  }

  #went(what, word, otherwise) {
    if (what === undefined) return this.#say(otherwise);
    this.#stroke = -Infinity;
    this.#changed();
    this.exchange.push(false);
    this.#say(`${word}: ${what}.`);
  }

  #say(text, how = { moving: false }) {
    this.toolbar?.say(text, how);
  }
}

const several = (ids) => (ids.length === 1 ? called(ids[0]) : `${ids.length} points`);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** A coordinate in a sentence, with a minus sign, and none at what is rounded to zero. */
const written = (/** @type {number} */ value, /** @type {number} */ digits) =>
  value
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");

// How large the support value of each point is beside the largest on the plane.
const shares = (viewer) => sharesOf(viewer.shown?.values() ?? new Map());
