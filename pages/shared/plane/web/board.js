// The points under the reader's hand. The browser owns them: what is done is seen at once in every plane of the board, and
// Python is told the whole list of edits, at most one message in flight and always the newest. Python replaces the points only
// with a new revision. The edits are those of pages/shared/points/edits.py: id, flags, and a place in whole decimal steps.

import { pageTheme } from "./theme.js";

const [MOVED, FLIPPED, MARKED, OFF, GONE] = [1, 2, 4, 8, 16];
const UNDOS = 200;
const LOST = 10000; // milliseconds after which an unanswered message is taken as lost
const ONE_STROKE = 900; // milliseconds within which moves by arrow keys are one step of undo

export const boards = new Map();
export const linked = new Map(); // name of a link: the set of its planes

export function boardOf(name) {
  if (!boards.has(name)) boards.set(name, new Board(name));
  return boards.get(name);
}

class Board {
  constructor(name) {
    Object.assign(this, { name, edits: new Map(), base: new Map(), selected: new Set(), histories: new Map() });
    Object.assign(this, { cursor: undefined, tool: "edit", label: 1, sent: 0, answered: 0, step: [0, 0], ids: [], regression: false });
  }

  // ---------------------------------------------------------------- between browser and Python

  // `base` is missing while a point moves: it cannot have changed.
  receive({ rev, draw, ack, base, edits, step, regression, classes }, send) {
    this.send = send;
    if (base && rev !== this.rev) {
      const redrawn = draw !== this.draw;
      if (redrawn) this.forget(draw);
      else if (this.rev) this.remember("the change outside the plane");
      Object.assign(this, { rev, draw, step, regression, classes });
      this.base = new Map(base.ids.map((id, k) => [id, { x: base.x[k], y: base.y[k], label: base.label[k], mark: Boolean(base.mark[k]) }]));
      this.restore(edits);
    }
    if (ack >= this.sent || performance.now() - this.sentAt > LOST) this.waiting = false;
    this.answered = ack;
    this.flush();
    this.toolbar?.show();
  }

  forget(draw) {
    if (this.draw !== undefined) this.histories.set(this.draw, { past: this.past, future: this.future });
    Object.assign(this, this.histories.get(draw) ?? { past: [], future: [] });
    this.selected.clear();
    this.cursor = undefined;
  }

  push(moving) {
    Object.assign(this, { moving, dirty: true });
    this.flush();
    this.toolbar?.show();
  }

  // What is final overtakes a message about a point on its way: Streamlit then gives that run up.
  flush() {
    const { rev, moving, step } = this;
    const busy = this.waiting && performance.now() - this.sentAt < LOST && (moving || !this.sentMoving);
    if (!this.dirty || !this.send || busy) return;
    Object.assign(this, { dirty: false, waiting: true, sent: this.sent + 1, sentAt: performance.now(), sentMoving: moving });
    this.send("hand", { rev, seq: this.sent, moving: Boolean(moving), chosen: this.cursor ?? null, step, edits: this.rows() });
  }

  rows() {
    return [...this.edits].map(([id, { flags, x, y }]) => [id, flags, x, y]);
  }

  restore(rows) {
    this.edits = new Map(rows.map(([id, flags, x, y]) => [id, { flags, x, y }]));
    this.relist();
  }

  waits() {
    return Boolean(this.dirty || this.waiting);
  }

  limits() {
    return [...linked.get(this.name)].find(({ hand }) => hand).limits();
  }

  relist() {
    const there = (id) => !(this.edits.get(id)?.flags & GONE);
    this.ids = [...this.base.keys(), ...[...this.edits.keys()].filter((id) => id < 0).sort((a, b) => b - a)].filter(there);
    const known = new Set(this.ids);
    for (const id of this.selected) if (!known.has(id)) this.selected.delete(id);
    if (!known.has(this.cursor)) this.cursor = undefined;
    this.changed();
  }

  changed() {
    for (const plane of linked.get(this.name) ?? []) plane.moved();
    this.toolbar?.show();
  }

  // ------------------------------------------------------------------------------ what a point is

  at(id) {
    const { flags, x, y } = this.edits.get(id) ?? { flags: 0 };
    const base = this.base.get(id) ?? { label: 1, mark: false };
    if (flags === 0 && !this.base.has(id)) return undefined;
    const own = flags & MOVED ? { x: decimal(x, this.step[0]), y: decimal(y, this.step[1]) } : base;
    return { id, x: own.x, y: own.y, label: flags & FLIPPED ? -base.label : base.label, mark: base.mark !== Boolean(flags & MARKED), off: Boolean(flags & OFF), gone: Boolean(flags & GONE) };
  }

  called(id) {
    return id < 0 ? `added point ${-id}` : `point ${id}`;
  }

  words(id) {
    const { x, y, label, mark, off } = this.at(id);
    const place = [x, y].map((value, axis) => value.toFixed(Math.max(0, -this.step[axis] - 1))).join(", ");
    const kind = this.regression ? "" : `, class ${this.classes[label]}`;
    return `${this.called(id)}${kind}, at ${place}${mark ? ", outlier" : ""}${off ? ", switched off" : ""}`;
  }

  several(ids) {
    return ids.length === 1 ? this.called(ids[0]) : `${ids.length} points`;
  }

  // What a command acts on: the selected points, else the chosen one.
  targets() {
    return this.selected.size ? [...this.selected] : this.cursor === undefined ? [] : [this.cursor];
  }

  choose(id) {
    this.cursor = id;
    this.changed();
    if (id === undefined) return;
    this.say(capital(this.words(id)));
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.dirty || this.moving || this.push(false), 250);
  }

  select(ids, { adding = false } = {}) {
    if (!adding) this.selected.clear();
    for (const id of ids) this.selected.add(id);
    this.say(this.selected.size ? `${this.several([...this.selected])} selected.` : "Nothing selected.");
    this.changed();
  }

  // ------------------------------------------------------------------------------------- commands

  edit(id, change) {
    const now = this.edits.get(id) ?? { flags: 0, x: 0, y: 0 };
    const next = { ...now, ...change(now) };
    if (next.flags || id < 0) this.edits.set(id, next);
    else this.edits.delete(id);
  }

  // `what` finishes the sentence "Undone: ..."; `act` returns the sentence that is read out.
  command(what, act) {
    this.remember(what);
    const said = act();
    this.relist();
    this.push(false);
    this.say(said);
  }

  remember(what) {
    this.past.push({ what, rows: this.rows() });
    if (this.past.length > UNDOS) this.past.shift();
    this.future.length = 0;
    this.stroke = 0;
  }

  add(x, y, label = this.label) {
    const id = Math.min(0, ...this.edits.keys()) - 1;
    this.command("a point added", () => {
      this.put(id, x, y, label);
      this.relist();
      this.cursor = id;
      return `Added: ${this.words(id)}.`;
    });
    return id;
  }

  put(id, x, y, label) {
    this.edit(id, () => ({ flags: MOVED | (label < 0 && !this.regression ? FLIPPED : 0), x: steps(x, this.step[0]), y: steps(y, this.step[1]) }));
  }

  // Points `from` their places (Map of id to [x, y]) by (dx, dy), kept inside the limits of the plane.
  shift(from, [dx, dy], { x: [left, right], y: [low, high] }) {
    const kept = (delta, axis, least, most) => {
      const all = [...from.values()].map((place) => place[axis]);
      return Math.min(Math.max(delta, least - Math.min(...all)), most - Math.max(...all));
    };
    const by = [kept(dx, 0, left, right), kept(dy, 1, low, high)];
    for (const [id, [x, y]] of from) {
      this.edit(id, ({ flags }) => ({ flags: flags | MOVED, x: steps(x + by[0], this.step[0]), y: steps(y + by[1], this.step[1]) }));
    }
    this.changed();
    this.push(true);
  }

  places(ids) {
    return new Map(ids.map((id) => [id, [this.at(id).x, this.at(id).y]]));
  }

  // A step of an arrow key; the picture is completed when the keys rest.
  nudge(by, limits) {
    const ids = this.targets();
    if (!ids.length) return;
    const now = performance.now();
    if (!(now - this.stroke < ONE_STROKE)) this.remember(`${this.several(ids)} moved`);
    this.stroke = now;
    this.shift(this.places(ids), by, limits);
    this.settle(ids, 250);
  }

  settle(ids, after = 0) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.push(false);
      this.say(ids.length === 1 ? `Moved: ${this.words(ids[0])}.` : `Moved ${ids.length} points.`);
    }, after);
  }

  each(ids, done, change) {
    if (!ids.length) return this.say("Choose a point first: tap it, or go to it with the keys N and P.");
    const several = this.several(ids);
    this.command(`${several} ${done}`, () => {
      for (const id of ids) this.edit(id, change(id));
      const one = ids.length === 1 && !this.at(ids[0]).gone;
      return one ? `${capital(done)}: ${this.words(ids[0])}.` : `${capital(several)} ${done}.`;
    });
  }

  flip(ids = this.targets()) {
    if (this.regression) return;
    this.each(ids, "flipped", (id) => ({ flags }) => ({ flags: flags ^ (id < 0 ? FLIPPED : FLIPPED | MARKED) }));
  }

  mark(ids = this.targets()) {
    const all = ids.every((id) => this.at(id).mark);
    this.each(ids, all ? "no longer marked as outlier" : "marked as outlier", (id) => ({ flags }) => ({ flags: this.at(id).mark === all ? flags ^ MARKED : flags }));
  }

  toggle(ids = this.targets()) {
    const all = ids.every((id) => this.at(id).off);
    this.each(ids, all ? "switched on" : "switched off", () => ({ flags }) => ({ flags: all ? flags & ~OFF : flags | OFF }));
  }

  remove(ids = this.targets()) {
    const next = this.ids[Math.max(0, this.ids.indexOf(ids[0]) - 1)];
    this.each(ids, "deleted", () => ({ flags }) => ({ flags: flags | GONE }));
    if (!this.selected.size && !ids.includes(next)) this.cursor = next;
    this.changed();
  }

  jitter(limits, ids = this.targets()) {
    const all = ids.length ? ids : this.ids;
    if (!all.length) return;
    const reach = ["x", "y"].map((axis) => 0.015 * (limits[axis][1] - limits[axis][0]));
    this.command(`${this.several(all)} jittered`, () => {
      for (const [id, [x, y]] of this.places(all)) {
        this.edit(id, ({ flags }) => ({ flags: flags | MOVED, x: steps(x + reach[0] * gaussian(), this.step[0]), y: steps(y + reach[1] * gaussian(), this.step[1]) }));
      }
      return `${capital(this.several(all))} jittered.`;
    });
  }

  // The problem's own points: the selected ones, or all. Added points go.
  snap() {
    const ids = this.selected.size ? [...this.selected] : [...this.edits.keys()];
    if (!ids.some((id) => this.edits.has(id))) return this.say("The points are the problem's own.");
    this.command("points snapped back", () => {
      for (const id of ids) this.edits.delete(id);
      return `${capital(this.several(ids))} snapped back to the problem's own.`;
    });
  }

  undo(from = this.past, to = this.future, word = "Undone") {
    const last = from.pop();
    if (!last) return this.say(word === "Undone" ? "Nothing to undo." : "Nothing to redo.");
    to.push({ what: last.what, rows: this.rows() });
    this.stroke = 0;
    this.restore(last.rows);
    this.push(false);
    this.say(`${word}: ${last.what}.`);
  }

  redo() {
    this.undo(this.future, this.past, "Done again");
  }

  say(text) {
    this.toolbar?.say(text);
  }
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const steps = (value, power) => Math.round(value / 10 ** power);
const decimal = (count, power) => Number(`${count}e${power}`);
export const gaussian = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

// --------------------------------------------------------------------------------------- toolbar

const COMMANDS = {
  flip: (board) => board.flip(),
  remove: (board) => board.remove(),
  mark: (board) => board.mark(),
  toggle: (board) => board.toggle(),
  jitter: (board) => board.jitter(board.limits()),
  undo: (board) => board.undo(),
  redo: (board) => board.redo(),
  snap: (board) => board.snap(),
};

export class Toolbar {
  constructor(root, board) {
    Object.assign(this, { root, board, said: root.querySelector(".svm-said"), buttons: [...root.querySelectorAll("button")] });
    root.onclick = ({ target }) => this.press(target.closest("button"));
    root.addEventListener("keydown", (event) => shortcuts(event, board));
  }

  press(button) {
    if (!button || button.disabled) return;
    const { board } = this;
    const { label, tool, command } = button.dataset;
    if (label) Object.assign(board, { label: Number(label), tool: board.tool === "select" ? "edit" : board.tool });
    if (tool) board.tool = tool;
    if (command) COMMANDS[command](board);
    this.show();
  }

  show() {
    const { board } = this;
    this.root.toggleAttribute("data-regression", board.regression);
    for (const button of this.buttons) {
      const { label, tool, command } = button.dataset;
      if (label) button.querySelector("span").textContent = board.classes?.[label] ?? "";
      if (label || tool) button.setAttribute("aria-checked", label ? Number(label) === board.label : tool === board.tool);
      if (command) button.disabled = !this.possible(command);
    }
    this.root.dataset.answered = board.answered;
    this.root.dataset.settled = !board.waits() && !board.moving;
  }

  receive(payload, bytes, send) {
    this.bytes = bytes;
    this.board.toolbar = this;
    const { plus, minus } = pageTheme(this.root).colours;
    this.root.style.setProperty("--svm-plus", plus);
    this.root.style.setProperty("--svm-minus", minus);
    if (payload) this.board.receive(payload, send);
  }

  leave() {}

  possible(command) {
    const { board } = this;
    if (command === "undo") return board.past?.length > 0;
    if (command === "redo") return board.future?.length > 0;
    if (command === "snap") return board.edits.size > 0;
    return command === "jitter" ? board.ids.length > 0 : board.targets().length > 0;
  }

  say(text) {
    this.said.textContent = text;
  }
}

// Keys that mean the same on a plane and on the toolbar; true if the key was one of them.
export function shortcuts(event, board) {
  if (!(event.ctrlKey || event.metaKey)) return false;
  const key = event.key.toLowerCase();
  if (key === "z") event.shiftKey ? board.redo() : board.undo();
  else if (key === "y") board.redo();
  else if (key === "a") board.select(board.ids);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
