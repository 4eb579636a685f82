// The hand on one plane: mouse, touch and keys become commands of the board. Plotly keeps the axes, which turn pixels into data.

import { gaussian, shortcuts } from "./board.js";

const REACH = { mouse: 10, pen: 14, touch: 24 }; // pixels around a point that belong to it
const SLACK = 4; // pixels that a finger may tremble in a tap
const TWICE = 350; // milliseconds between the taps of a double tap
const SPRAY = { every: 45, reach: 26 }; // milliseconds, pixels

export class Hand {
  constructor(plane, board) {
    Object.assign(this, { plane, board, area: plane.image, handle: plane.handle, band: plane.band });
    const { area, handle } = this;
    area.onpointerdown = (event) => this.down(event);
    area.onpointermove = (event) => this.move(event);
    area.onmousedown = (event) => event.preventDefault(); // which would take the focus from the handle
    area.onpointerup = (event) => this.up(event);
    area.onpointercancel = () => this.cancel();
    // a finger on a point, or one that draws, does not scroll the page
    area.addEventListener("touchstart", (event) => this.holds(event) && event.preventDefault(), { passive: false });
    handle.onkeydown = (event) => this.key(event);
    handle.onfocus = () => handle.matches(":focus-visible") && (this.board.cursor ?? this.board.choose(this.shown()[0]));
  }

  shown() {
    return this.board.ids.filter((id) => this.plane.shows(id));
  }

  pixel({ clientX, clientY }) {
    const box = this.area.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }

  inside([x, y]) {
    const { xaxis, yaxis } = this.plane.axes();
    return x >= xaxis._offset && x <= xaxis._offset + xaxis._length && y >= yaxis._offset && y <= yaxis._offset + yaxis._length;
  }

  hit([x, y], kind) {
    let [found, nearest] = [undefined, Infinity];
    for (const id of this.shown()) {
      const [left, top] = this.plane.pixelOf(this.board.at(id));
      const distance = Math.hypot(left - x, top - y) - this.plane.radius(id) / 2;
      if (distance < nearest) [found, nearest] = [id, distance];
    }
    return nearest <= (REACH[kind] ?? REACH.mouse) ? found : undefined;
  }

  holds({ touches }) {
    if (touches.length > 1) return false;
    const spot = this.pixel(touches[0]);
    return this.inside(spot) && (this.board.tool !== "edit" || this.hit(spot, "touch") !== undefined);
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary || !this.plane.ready()) return;
    const spot = this.pixel(event);
    if (!this.inside(spot)) return;
    this.handle.focus({ preventScroll: true });
    const id = this.board.tool === "spray" ? undefined : this.hit(spot, event.pointerType);
    this.grip = { id, spot, kind: event.pointerType, pointer: event.pointerId, shift: event.shiftKey, began: event.timeStamp };
    if (this.board.tool === "spray") this.spray();
    // a finger on empty space may yet scroll the page; Plotly must not see the rest of any other gesture
    if (event.pointerType !== "touch" || id !== undefined || this.board.tool !== "edit") this.area.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { grip, board } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    const spot = this.pixel(event);
    grip.now = spot;
    if (!grip.moving && Math.hypot(spot[0] - grip.spot[0], spot[1] - grip.spot[1]) < SLACK) return;
    if (board.tool === "spray") return;
    if (!grip.moving) this.begin();
    if (grip.from) {
      const [here, there] = [this.plane.dataAt(grip.spot), this.plane.dataAt(spot)];
      board.shift(grip.from, [there[0] - here[0], there[1] - here[1]], this.plane.limits());
    } else if (grip.band) {
      this.stretch(spot);
    }
  }

  begin() {
    const { grip, board } = this;
    grip.moving = true;
    if (grip.id === undefined) {
      grip.band = grip.kind !== "touch" || board.tool === "select";
      return;
    }
    if (!board.selected.has(grip.id)) board.selected.clear();
    board.cursor = grip.id;
    const ids = board.selected.size ? [...board.selected] : [grip.id];
    board.remember(`${board.several(ids)} moved`);
    grip.from = board.places(ids);
    this.plane.root.dataset.dragging = "";
  }

  stretch(spot) {
    const [x, y] = [0, 1].map((axis) => [this.grip.spot[axis], spot[axis]].sort((a, b) => a - b));
    for (const [name, value] of Object.entries({ x: x[0], y: y[0], width: x[1] - x[0], height: y[1] - y[0] })) this.band.setAttribute(name, value);
    this.band.classList.add("svm-on");
    this.grip.box = [x, y];
  }

  up(event) {
    const { grip, board } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    this.release();
    if (board.tool === "spray") return this.sprayed(grip);
    if (grip.from) return board.settle([...grip.from.keys()]);
    if (grip.box) return this.within(grip);
    if (!grip.moving) this.tap(grip, event);
  }

  within({ box: [[left, right], [top, bottom]], shift }) {
    const inside = (id) => {
      const [x, y] = this.plane.pixelOf(this.board.at(id));
      return x >= left && x <= right && y >= top && y <= bottom;
    };
    this.board.select(this.shown().filter(inside), { adding: shift });
  }

  tap({ id, spot, shift, began }, { timeStamp }) {
    const { board } = this;
    if (id === undefined) {
      if (board.selected.size) return board.select([]);
      if (board.tool === "edit" && timeStamp - began < 800) board.add(...this.plane.dataAt(spot));
      return;
    }
    const twice = id === this.last?.id && timeStamp - this.last.time < TWICE;
    this.last = twice ? undefined : { id, time: timeStamp };
    if (twice) return board.flip([id]);
    if (shift) return board.selected.has(id) ? board.select([...board.selected].filter((other) => other !== id)) : board.select([id], { adding: true });
    if (board.selected.size && !board.selected.has(id)) board.selected.clear();
    board.choose(id);
  }

  // Points rain around the pointer while it is held down; one step of undo.
  spray() {
    const { board, grip } = this;
    board.remember("points sprayed");
    grip.sprayed = 0;
    const drop = () => {
      const [x, y] = grip.now ?? grip.spot;
      const spot = [x + SPRAY.reach * 0.5 * gaussian(), y + SPRAY.reach * 0.5 * gaussian()];
      if (!this.inside(spot)) return;
      board.put(Math.min(0, ...board.edits.keys()) - 1, ...this.plane.dataAt(spot), board.label);
      grip.sprayed += 1;
      board.relist();
      board.push(true);
    };
    drop();
    grip.rain = setInterval(drop, SPRAY.every);
  }

  sprayed({ sprayed }) {
    this.board.push(false);
    this.board.say(`Sprayed ${sprayed} point${sprayed === 1 ? "" : "s"}${this.board.regression ? "" : ` of class ${this.board.classes[this.board.label]}`}.`);
  }

  // The browser took the gesture over, to scroll: what had moved goes back.
  cancel() {
    const { grip, board } = this;
    this.release();
    if (grip?.from || grip?.sprayed) board.undo();
  }

  release() {
    clearInterval(this.grip?.rain);
    this.grip = undefined;
    this.band.classList.remove("svm-on");
    delete this.plane.root.dataset.dragging;
  }

  key(event) {
    const { board } = this;
    if (shortcuts(event, board)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const limits = this.plane.limits();
    const share = event.shiftKey ? 0.05 : 0.01;
    const [dx, dy] = ["x", "y"].map((axis) => share * (limits[axis][1] - limits[axis][0]));
    const moves = { ArrowLeft: [-dx, 0], ArrowRight: [dx, 0], ArrowUp: [0, dy], ArrowDown: [0, -dy] };
    const commands = {
      n: () => this.step(1),
      PageDown: () => this.step(1),
      p: () => this.step(-1),
      PageUp: () => this.step(-1),
      Home: () => board.choose(this.shown()[0]),
      End: () => board.choose(this.shown().at(-1)),
      x: () => board.flip(),
      o: () => board.mark(),
      s: () => board.toggle(),
      j: () => board.jitter(limits),
      Delete: () => board.remove(),
      Backspace: () => board.remove(),
      a: () => this.addHere(limits),
      Insert: () => this.addHere(limits),
      " ": () => this.hold(),
      Escape: () => board.select([]),
    };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (moves[name]) board.nudge(moves[name], limits);
    else if (commands[name]) commands[name]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(by) {
    const ids = this.shown();
    const at = ids.indexOf(this.board.cursor);
    if (ids.length) this.board.choose(ids[(at + by + ids.length) % ids.length]);
  }

  hold() {
    const { board } = this;
    if (board.cursor === undefined) return;
    const held = board.selected.has(board.cursor);
    board.select(held ? [...board.selected].filter((id) => id !== board.cursor) : [board.cursor], { adding: !held });
  }

  // Beside the chosen point, in the middle of the plane where none is chosen.
  addHere({ x: [left, right], y: [low, high] }) {
    const { board } = this;
    const beside = board.cursor === undefined ? undefined : board.at(board.cursor);
    const x = beside ? beside.x + 0.03 * (right - left) : (left + right) / 2;
    board.add(Math.min(x, right), beside ? beside.y : (low + high) / 2);
  }
}
