// The points of the planes with one link, while they are edited. The browser owns them: what is done is seen at once in
// every plane, and Python gets the whole script (exchange.js). Python replaces the points only with a new version.

import { Exchange } from "../base/exchange.js";
import { live } from "../base/live.js";
import { sharesOf, tones } from "../base/tones.js";
import { Edits, pointName, randomNormal } from "./edits.js";
import { recallHistory, rememberHistory } from "./history.js";

const ONE_STROKE = 900; // milliseconds within which moves by arrow keys are one step of undo
const RESTED = 250; // milliseconds without an arrow key after which a move is over

/**
 * @typedef {Iterable<import("../plane.js").Plane>} Planes that show the points
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
  selection = new Set();
  /** @type {number | undefined} the point that was chosen last, if it is still there */
  cursor;
  /** @type {number | undefined} the point that the next tap places */
  carriedId;
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
  /** @type {Planes} */
  #viewers;
  /** @type {number | undefined} */
  #session;
  /** @type {string | undefined} */
  #draw;
  /** @type {Map<string, Edits["history"]>} one for each draw of a problem */
  #histories = new Map();
  #lastStroke = -Infinity;
  #restTimer = 0;

  /** @param {Planes} viewers  @param {import("../base/exchange.js").Channel} channel */
  constructor(viewers, channel = live) {
    this.#viewers = viewers;
    const script = () => ({ step: this.edits.step, edits: this.edits.rows() });
    const onChange = () => this.toolbar?.show();
    this.exchange = new Exchange({ script, chosenPoint: () => this.cursor ?? null, onChange }, channel);
  }

  // ---------------------------------------------------------------- between browser and Python

  /** @param {Told} told */
  receive({ session, version, draw, ack, base, edits, step, labels, classes }, send) {
    this.exchange.send = send;
    if (base && version !== this.exchange.version) {
      const waits = this.exchange.hasPendingEdits;
      const unheard = session !== this.#session && draw === this.#draw && waits; // by a server that began anew
      const late = !unheard && this.#draw !== undefined && waits; // an edit of the points before
      // the page is new, or these points are
      const isLoaded = draw !== this.#draw && !this.#histories.has(draw);
      if (session !== this.#session) this.exchange.restart({ again: unheard });
      if (draw !== this.#draw) this.#turnToDraw(draw);
      else if (!unheard) this.#recordStep("the change outside the plane");
      this.#session = session;
      this.exchange.version = version;
      this.classes = classes;
      const own = { edits: this.edits.rows(), step: this.edits.step };
      this.edits.receive({ base, labels, ...(unheard ? own : { edits, step }) });
      if (isLoaded) recallHistory(this.edits, draw);
      else rememberHistory(this.edits, draw);
      if (!labels.includes(this.label)) this.label = labels[0] ?? 1;
      this.#refresh();
      if (late) this.toolbar?.say("These are other points: they do not have your last edit.");
    }
    const waited = this.exchange.hasPendingEdits;
    this.exchange.acknowledge(ack);
    // the support values of a figure are those of these points again
    if (waited && !this.exchange.hasPendingEdits) this.#refresh();
    else this.toolbar?.show();
  }

  // Another draw has a history of its own, and coming back brings the first one back.
  #turnToDraw(draw) {
    if (this.#draw !== undefined) this.#histories.set(this.#draw, this.edits.history);
    this.edits.history = this.#histories.get(draw) ?? { past: [], future: [] };
    this.#draw = draw;
    this.selection.clear();
    this.cursor = undefined;
    this.#letGo();
  }

  /** Whether Python has sent any points. */
  get isReady() {
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
    this.#refresh();
  }

  /** Whether anything is selected, carried or half drawn, which Escape gives up. */
  get isBusy() {
    return this.selection.size > 0 || this.carriedId !== undefined || this.corner !== undefined;
  }

  #letGo() {
    this.carriedId = this.corner = undefined;
  }

  // ------------------------------------------------------------------------------ what a point is

  /** What a point is, where, and how it stands. */
  pointWords(id) {
    const { x, y, label, mark, off } = this.edits.point(id);
    const digits = (axis) => Math.max(0, -this.edits.step[axis] - 1);
    const place = `${formatCoordinate(x, digits(0))}, ${formatCoordinate(y, digits(1))}`;
    const kind = this.edits.labels.length ? `, class ${this.classes[label]}` : "";
    return `${pointName(id)}${kind}, at ${place}${mark ? ", outlier" : ""}${off ? ", switched off" : ""}`;
  }

  /** As `pointWords`, and its support value in the machines of these planes, by default of all that are shown. */
  describe(id, shown = this.#editablePlanes()) {
    const viewers = this.exchange.hasPendingEdits ? [] : shown;
    const known = viewers.map((viewer) => viewer.supportWords?.(id)).filter(Boolean);
    return [this.pointWords(id), ...known].join("; ");
  }

  /** What a command acts on: the selected points, else the chosen one. */
  targets() {
    if (this.selection.size) return [...this.selection];
    return this.cursor === undefined ? [] : [this.cursor];
  }

  /** @param {number | undefined} id */
  choose(id) {
    this.cursor = id;
    this.exchange.choose(id);
    this.#refresh();
    if (id === undefined) return;
    this.#say(`${capitalise(this.describe(id))}.`);
    if (!this.exchange.hasPendingEdits)
      tones.playIfOn(this.#editablePlanes().map((viewer) => supportShares(viewer).get(id)));
  }

  /** The support values of all points on a plane as tones, in the order of the keys; by default of the first. */
  sweep(viewer = this.#editablePlanes()[0]) {
    const known = supportShares(viewer);
    const heard = this.edits.ids.filter((id) => known.has(id)).map((id) => known.get(id));
    tones.play(heard);
    this.#say(`${heard.length} points are heard, ${heard.filter(Boolean).length} with a support value above zero.`);
  }

  select(ids, { adding = false } = {}) {
    this.#letGo();
    if (!adding) this.selection.clear();
    for (const id of ids) this.selection.add(id);
    this.#say(this.selection.size ? `${pointsPhrase([...this.selection])} selected.` : "Nothing selected.");
    this.#refresh();
  }

  /** A point that was selected is no longer, and the other way round. */
  toggleSelection(id) {
    if (this.selection.has(id)) this.select([...this.selection].filter((other) => other !== id));
    else this.select([id], { adding: true });
  }

  // What is not there any more is neither selected nor chosen.
  #refresh() {
    const known = new Set(this.edits.ids);
    for (const id of this.selection) if (!known.has(id)) this.selection.delete(id);
    if (this.cursor !== undefined && !known.has(this.cursor)) this.cursor = undefined;
    if (this.carriedId !== undefined && !known.has(this.carriedId)) this.carriedId = undefined;
    for (const viewer of this.#viewers) viewer.refresh();
    this.toolbar?.show();
  }

  // ------------------------------------------------------------------------------------ add, move

  add(x, y) {
    const id = this.edits.nextId;
    this.#runCommand("a point added", () => {
      this.edits.put(id, x, y, this.label);
      this.cursor = id;
      return `Added: ${this.pointWords(id)}.`;
    });
  }

  /** The next tap sets the corner that lies across from [x, y], see `select`. */
  beginBox(x, y) {
    this.corner = [x, y];
    this.#refresh();
    this.#say("First corner set. The next click sets the opposite one and selects the points between; Escape cancels.");
  }

  /** The next tap places the point `id`, with all that are selected if it is one of them. */
  carry(id) {
    if (!this.selection.has(id)) this.selection.clear();
    this.choose(id);
    this.carriedId = id;
    this.#refresh();
    this.#say(`${capitalise(this.describe(id))}. The next click places it; Escape cancels.`);
  }

  /** The carried point moves to (x, y), and all that are selected with it. */
  placeCarried(x, y, limits) {
    const id = this.carriedId;
    if (id === undefined) return;
    this.#letGo();
    const ids = this.targets();
    const { x: left, y: top } = this.edits.point(id);
    this.#runCommand(`${pointsPhrase(ids)} moved`, () => {
      this.edits.shift(this.edits.places(ids), [x - left, y - top], limits);
      return this.#movedSentence(ids);
    });
  }

  #movedSentence(ids) {
    return ids.length === 1 ? `Moved: ${this.pointWords(ids[0])}.` : `Moved ${ids.length} points.`;
  }

  /** Points are about to rain: one step of undo. */
  beginSpray() {
    this.#recordStep("points sprayed");
  }

  drop(x, y) {
    this.edits.put(this.edits.nextId, x, y, this.label);
    this.#refresh();
    this.exchange.push(true);
  }

  endSpray(count) {
    this.#endStep();
    const kind = this.edits.labels.length ? ` of class ${this.classes[this.label]}` : "";
    this.#say(`Sprayed ${count} point${count === 1 ? "" : "s"}${kind}.`);
  }

  /**
   * The point `id` is dragged, with all that are selected if it is one of them.
   * @returns the places where they begin, for `shift`
   */
  beginDrag(id) {
    if (!this.selection.has(id)) this.selection.clear();
    this.cursor = id;
    const ids = this.targets();
    this.#recordStep(`${pointsPhrase(ids)} moved`);
    return this.edits.places(ids);
  }

  /** Points `from` their places by [dx, dy], kept inside the limits. */
  shift(from, by, limits) {
    this.edits.shift(from, by, limits);
    this.#refresh();
    this.exchange.push(true);
    const [id] = from.keys();
    this.#say(from.size === 1 ? capitalise(this.pointWords(id)) : `${from.size} points move.`, { moving: true });
  }

  /** The points rest: after so many milliseconds the full picture is asked for. */
  settle(ids, after = 0) {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      this.#endStep();
      this.#say(this.#movedSentence(ids));
    }, after);
  }

  /** A step of an arrow key; the picture is completed when the keys rest. */
  nudge(by, limits) {
    const ids = this.targets();
    if (!ids.length) return;
    const now = performance.now();
    if (now - this.#lastStroke >= ONE_STROKE) this.#recordStep(`${pointsPhrase(ids)} moved`);
    this.#lastStroke = now;
    this.shift(this.edits.places(ids), by, limits);
    this.settle(ids, RESTED);
  }

  // ------------------------------------------------------------------------------------- commands

  flip(ids = this.targets()) {
    const { length } = this.edits.labels;
    if (length) this.#applyToEach(ids, length > 2 ? "given the next class" : "flipped", () => this.edits.flip(ids));
  }

  mark() {
    const ids = this.targets();
    const on = !ids.every((id) => this.edits.point(id).mark);
    this.#applyToEach(ids, on ? "marked as outlier" : "no longer marked as outlier", () => this.edits.mark(ids, on));
  }

  toggle() {
    const ids = this.targets();
    const off = !ids.every((id) => this.edits.point(id).off);
    this.#applyToEach(ids, off ? "switched off" : "switched on", () => this.edits.switchOff(ids, off));
  }

  remove() {
    const ids = this.targets();
    const next = this.edits.ids[Math.max(0, this.edits.ids.indexOf(ids[0]) - 1)];
    this.#applyToEach(ids, "deleted", () => this.edits.remove(ids));
    if (!this.selection.size && !ids.includes(next)) this.cursor = next;
    this.#refresh();
  }

  /** @param {import("./edits.js").Limits} limits by default those of the first plane on which points can be edited */
  jitter(limits = this.#editablePlanes()[0].chart.limits()) {
    const ids = this.targets().length ? this.targets() : this.edits.ids;
    if (!ids.length) return;
    const reach = [limits.x, limits.y].map(([low, high]) => 0.015 * (high - low));
    this.#runCommand(`${pointsPhrase(ids)} jittered`, () => {
      this.edits.jitter(ids, reach, randomNormal);
      return `${capitalise(pointsPhrase(ids))} jittered.`;
    });
  }

  #editablePlanes() {
    return [...this.#viewers].filter(({ isEditable }) => isEditable);
  }

  /** The problem's own points: the selected ones, or all. Added points go. */
  snap() {
    const touched = this.edits.rows().map(([id]) => id);
    const ids = this.selection.size ? [...this.selection] : touched;
    if (!ids.some((id) => touched.includes(id))) return this.#say("The points are the problem's own.");
    this.#runCommand("points snapped back", () => {
      this.edits.snap(ids);
      return `${capitalise(pointsPhrase(ids))} snapped back to the problem's own.`;
    });
  }

  undo() {
    const here = new Set(this.edits.ids);
    const what = this.edits.undo();
    const [back, ...others] = this.edits.ids.filter((id) => !here.has(id));
    if (back !== undefined && !others.length) this.cursor = back; // the one that was deleted is chosen again
    this.#finishUndo(what, "Undone", "Nothing to undo.");
  }

  redo() {
    this.#finishUndo(this.edits.redo(), "Done again", "Nothing to redo.");
  }

  /** Whether the button for a command would do anything. */
  isPossible(command) {
    const { past, future } = this.edits.history;
    if (command === "undo") return past.length > 0;
    if (command === "redo") return future.length > 0;
    if (command === "snap") return this.edits.rows().length > 0;
    return (command === "sweep" || command === "jitter" ? this.edits.ids : this.targets()).length > 0;
  }

  // What was done to points one by one.
  #applyToEach(ids, done, act) {
    if (!ids.length) return this.#say("Choose a point first: tap it, or go to it with the keys N and P.");
    this.#runCommand(`${pointsPhrase(ids)} ${done}`, () => {
      act();
      const one = ids.length === 1 && !this.edits.point(ids[0]).gone;
      return one ? `${capitalise(done)}: ${this.pointWords(ids[0])}.` : `${capitalise(pointsPhrase(ids))} ${done}.`;
    });
  }

  // `what` finishes the sentence "Undone: ..."; `act` returns the sentence that is read out.
  #runCommand(what, act) {
    this.#recordStep(what);
    const said = act();
    this.#refresh();
    this.#endStep();
    this.#say(said);
  }

  #endStep() {
    this.exchange.push(false);
    rememberHistory(this.edits, this.#draw);
  }

  #recordStep(what) {
    this.edits.recordStep(what);
    this.#lastStroke = -Infinity;
  }

  #finishUndo(what, word, otherwise) {
    if (what === undefined) return this.#say(otherwise);
    this.#lastStroke = -Infinity;
    this.#refresh();
    this.#endStep();
    this.#say(`${word}: ${what}.`);
  }

  #say(text, how = { moving: false }) {
    this.toolbar?.say(text, how);
  }
}

const pointsPhrase = (ids) => (ids.length === 1 ? pointName(ids[0]) : `${ids.length} points`);
const capitalise = (text) => text[0].toUpperCase() + text.slice(1);

/** A coordinate in a sentence, with a minus sign, and none at what is rounded to zero. */
const formatCoordinate = (/** @type {number} */ value, /** @type {number} */ digits) =>
  value
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");

// How large the support value of each point is beside the largest on the plane.
const supportShares = (viewer) => sharesOf(viewer.shownPoints?.values() ?? new Map());
