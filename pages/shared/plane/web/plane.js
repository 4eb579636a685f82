// Puts a Plotly figure on the page and updates it in place: never two drawings at once, always the newest figure, nothing for
// a figure that is already on the screen. Plotly draws it; of a plane, which has to be fast, layers.js draws the inside.
//
// Streamlit calls the default function again with every new payload and with every change of theme. A payload (packed by
// plane.py) holds {figure, alt, name, link, height, edit, pick}; the figure has tokens "var(--svm-plus)" instead of colours. Or it
// holds {board, ...}: then the mount becomes the toolbar of that board, and the planes linked to it can be edited (hand.js);
// or {transport, ...}: then it becomes the controls of that film, and planes with a `reel` or a `cursor` follow it (film.js).

import { Toolbar, boardOf, boards, linked } from "./board.js";
import { Reel, Transport, filmOf } from "./film.js";
import { Hand } from "./hand.js";
import { drawCross, drawFields, drawMarkers, drawPair, drawPoints, drawWord, valueAt } from "./layers.js";
import { pageTheme } from "./theme.js";

const CONFIG = { displayModeBar: false, showAxisDragHandles: false, showTips: false, doubleClick: false };
const REST = 120; // milliseconds

const mounted = new WeakMap();
const parts = await Promise.all(["plane", "board", "transport"].map((name) => fetch(new URL(`${name}.html`, import.meta.url)).then((reply) => reply.text())));
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("plane.css", import.meta.url).href }));

// What Streamlit calls. `sources` are the places where plotly.js may be found.
let sources = [];
export function view(given) {
  sources = given;
  return show;
}

function show({ data, parentElement, setStateValue }) {
  const mount = parentElement.querySelector(".svm-mount");
  const payload = mounted.get(mount)?.bytes === data ? null : unpack(data);
  if (!mounted.has(mount)) mounted.set(mount, opened(mount, payload));
  const view = mounted.get(mount);
  view.receive(payload, data, setStateValue);
  return () => setTimeout(() => mount.isConnected || view.leave());
}

function opened(mount, { board, transport }) {
  mount.innerHTML = parts[board ? 1 : transport ? 2 : 0];
  const root = mount.firstElementChild;
  if (board) return new Toolbar(root, boardOf(board));
  return transport ? new Transport(root, filmOf(transport)) : new Plane(root);
}

class Plane {
  constructor(root) {
    const part = (name) => root.querySelector(`.svm-${name}`);
    for (const name of ["image", "layers", "points", "chart", "ring", "band", "cursor", "handle", "wait"]) this[name] = part(name);
    Object.assign(this, { root, fresh: 0 });
    this.drawn = 0;
    Object.defineProperty(root, "figure", { get: () => this.now }); // the whole figure, for tests: Plotly holds only what the layers leave to it
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(root);
    listen(part("save"), this);
  }

  receive(payload, bytes, send) {
    this.send = send;
    const theme = pageTheme(this.root);
    if (!payload && theme.id === this.theme.id) return;
    if (payload) this.adopt(payload);
    Object.assign(this, { bytes, theme, stale: true });
    this.draw();
  }

  adopt({ figure, alt, name, link, height, edit, reel, cursor, pick }) {
    this.alt = alt;
    this.image.setAttribute("aria-label", alt);
    this.root.dataset.name = name;
    if (link !== this.link) {
      linked.get(this.link)?.delete(this);
      if (link) linked.set(link, (linked.get(link) ?? new Set()).add(this));
    }
    Object.assign(this, { figure, name, link, height });
    this.diameters = new Map();
    for (const { mode, customdata, marker } of figure.data) {
      if (mode === "markers") customdata?.forEach(([id], k) => this.diameters.set(id, valueAt(marker.size, k)));
    }
    this.root.toggleAttribute("data-picks", Boolean(pick));
    this.root.toggleAttribute("data-editable", Boolean(edit));
    if (edit) this.hand ??= new Hand(this, boardOf(link));
    this.follows(reel, cursor);
    this.fit();
  }

  // A plane with a reel shows the frame of the film's tick, a chart with a cursor marks its place.
  follows(reel, cursor) {
    const { film: name, rev } = reel ?? cursor ?? {};
    if (this.film && this.film.name !== name) this.film.viewers.delete(this);
    this.film = name && filmOf(name);
    this.film?.viewers.add(this);
    this.reel = reel && new Reel(reel);
    this.places = cursor?.places;
    this.rev = rev;
    this.root.toggleAttribute("data-film", Boolean(name));
    this.root.toggleAttribute("data-scrubs", Boolean(cursor));
    if (!name) return;
    this.shown = this.base = undefined;
    this.showTick(this.film.tick);
    this.film.transport?.about();
    if (cursor) scrubs(this);
    this.image.tabIndex = 0;
    this.image.setAttribute("aria-keyshortcuts", "Space ArrowLeft ArrowRight Home End");
    this.image.onkeydown = (event) => this.film.key(event);
  }

  // A tick of another run than this plane has the frames of is none of its own.
  showTick(tick) {
    if (this.rev !== this.film.rev) return;
    if (this.places) return this.mark(tick);
    const k = this.reel.frame(tick);
    if (k === this.shown) return;
    this.shown = k;
    this.root.dataset.frame = k;
    this.image.setAttribute("aria-label", `${this.alt} ${this.reel.said(k)}`.trim());
    if (!this.base) return;
    this.layered = this.reel.traces(this.base, k, this.table);
    this.again ||= requestAnimationFrame(() => this.redraw());
  }

  // The figure with the frame that is on the screen; the one it came with shows the last.
  get now() {
    if (!this.reel || this.shown === undefined) return this.figure;
    return { ...this.figure, data: this.reel.traces(this.figure.data, this.shown) };
  }

  chosen(tick) {
    return this.held === undefined ? undefined : this.reel?.words(this.held, this.reel.frame(tick));
  }

  redraw() {
    this.again = 0;
    const start = performance.now();
    this.layersUp();
    this.pointsUp();
    this.painted(start);
  }

  painted(start) {
    this.root.dataset.ms = (performance.now() - start).toFixed(1);
    this.root.dataset.drawn = ++this.drawn;
  }

  mark(tick) {
    const axes = this.chart._fullLayout;
    const place = this.places[tick];
    const on = axes && place !== undefined;
    this.cursor.classList.toggle("svm-on", Boolean(on));
    if (!on) return;
    const x = axes.xaxis._offset + pixels(axes.xaxis, place);
    const [top, bottom] = [axes.yaxis._offset, axes.yaxis._offset + axes.yaxis._length];
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: top, y2: bottom })) this.cursor.setAttribute(name, value);
  }

  // Equal units leave the height of a narrow plane blank beyond that of its square.
  fit() {
    const { margin, xaxis, yaxis } = this.figure.layout;
    const side = (axis) => axis.range[1] - axis.range[0];
    const across = this.root.clientWidth - margin.l - margin.r;
    const needed = yaxis.scaleanchor ? (across * side(yaxis)) / side(xaxis) + margin.t + margin.b : this.height;
    this.root.style.height = `${Math.min(this.height, needed)}px`;
  }

  resized() {
    if (this.figure) this.fit();
    const { clientWidth, clientHeight } = this.root;
    if (!this.figure || String(this.size) === String([clientWidth, clientHeight])) return;
    this.stale = true;
    this.draw();
  }

  async draw() {
    if (this.busy) return;
    this.busy = true;
    try {
      const Plotly = await library();
      while (this.stale && this.root.clientWidth) {
        this.stale = false;
        await this.paint(Plotly);
      }
    } catch (error) {
      this.wait.classList.add("svm-failed");
      this.wait.textContent = `The picture could not be drawn: ${error.message}`;
    } finally {
      this.busy = false;
    }
  }

  async paint(Plotly) {
    const start = performance.now();
    const { data, layout } = coloured(this.now, this.theme.colours);
    this.size = [layout.width, layout.height] = [this.root.clientWidth, this.root.clientHeight];
    this.layered = layout.meta.layers ? data : [];
    if (this.reel) {
      this.base = coloured(this.figure.data, this.theme.colours);
      this.table = coloured(this.reel.table, this.theme.colours);
    }
    await this.chartUp(Plotly, layout.meta.layers ? withoutLayers(data, layout) : { data, layout });
    this.layersUp();
    this.pointsUp();
    if (this.places) this.showTick(this.film.tick);
    this.painted(start);
  }

  // The chart at once; but where only the hover boxes behind the layers are new, when the hand rests.
  async chartUp(Plotly, { data, layout }) {
    const react = () => Plotly.react(this.chart, data, layout, CONFIG);
    const frame = JSON.stringify({ ...layout, meta: null });
    clearTimeout(this.later);
    const waits = this.layered.length && frame === this.frame;
    this.root.toggleAttribute("data-settling", Boolean(waits));
    if (!waits) {
      await react();
      if (!this.frame) this.follow();
      this.frame = frame;
      return;
    }
    this.later = setTimeout(() => {
      if (this.busy) return;
      react();
      this.root.removeAttribute("data-settling");
    }, REST);
  }

  layersUp() {
    if (this.layered.length) drawFields(this.layers, this.layered, this.axes(), this.size);
  }

  // Markers, ring and handle where the points stand at this moment.
  pointsUp() {
    this.fresh = 0;
    if (!this.chart._fullLayout) return;
    if (this.layered.length) {
      const { board } = this.hand ?? {};
      const sheet = drawPoints(this.points, this.layered, this.axes(), this.size, board && ((id, x, y) => standing(board, id, x, y)));
      if (board) this.overPoints(board, sheet);
      if (this.reel && this.shown >= 0) this.overStep(this.reel.marks[this.shown], sheet);
    }
    this.point();
  }

  // What the figure does not show yet: points just added, and which are selected.
  overPoints(board, { pen, place }) {
    const { plus, minus, accent } = this.theme.colours;
    for (const id of board.ids) {
      const held = board.selected.has(id);
      if (!held && this.diameters.has(id)) continue;
      const { x, y, label } = board.at(id);
      if (!this.diameters.has(id) && board.waits()) drawMarkers(pen, { x: [x], y: [y], marker: { symbol: label > 0 ? "circle" : "square", size: 9, color: label > 0 ? plus : minus, line: { width: 0 } } }, place, () => ({ x, y }));
      if (held && this.shows(id)) drawMarkers(pen, { x: [x], y: [y], marker: { symbol: "circle-open", size: this.radius(id) + 8, color: accent, line: { width: 2 } } }, place, () => ({ x, y }));
    }
  }

  // What the step is about: its points ringed, large where they are named, and joined by its length; who is left out.
  overStep({ ringed, words, joined, crossed }, { pen, place }) {
    const spot = (id) => this.spots.get(id);
    const { ink, accent, page, font } = this.theme.colours;
    for (const [i, j, length] of joined) if (spot(i) && spot(j)) drawPair(pen, place, spot(i), spot(j), length, { ink, accent, page, font });
    ringed.forEach((id, k) => {
      if (!spot(id)) return;
      const [x, y] = spot(id);
      drawMarkers(pen, { x: [x], y: [y], marker: { symbol: "circle-open", size: words[k] ? 24 : 17, color: words[k] ? accent : ink, line: { width: words[k] ? 2.5 : 1.8 } } }, place, () => ({ x, y }));
      if (words[k]) drawWord(pen, place, [x, y], words[k], { ink, page, font });
    });
    for (const id of crossed) if (spot(id)) drawCross(pen, place, spot(id), ink);
  }

  get spots() {
    if (this.spotsOf === this.figure) return this.known;
    this.known = new Map();
    for (const { x, y, customdata, mode } of this.figure.data) {
      if (mode === "markers") customdata?.forEach(([id], k) => this.known.set(id, [x[k], y[k]]));
    }
    this.spotsOf = this.figure;
    return this.known;
  }

  // Called as often as the board likes; drawn once a frame.
  moved() {
    this.fresh ||= requestAnimationFrame(() => this.pointsUp());
  }

  // A training point that is hovered (or clicked, which holds it) is ringed in every plane of the same link.
  follow() {
    const index = (event) => {
      const id = event.points[0].customdata?.[0]; // nan: a place without a point
      return this.layered.length && !Number.isNaN(id) ? id : undefined;
    };
    this.chart.on("plotly_relayout", () => this.layersUp() ?? this.pointsUp());
    this.chart.on("plotly_hover", (event) => this.tell({ hovered: index(event) }));
    this.chart.on("plotly_unhover", () => this.tell({ hovered: undefined }));
    this.chart.on("plotly_click", (event) => this.echo(event) || this.pick(event.points[0], index(event)));
  }

  // Plotly clicks twice for a finger: when it leaves, and for the mouse that the browser makes of it.
  echo({ event }) {
    const touch = event.type.startsWith("touch");
    if (touch) this.touched = event.timeStamp;
    return !touch && event.timeStamp - this.touched < 1000;
  }

  pick({ x, y }, index) {
    if (this.root.hasAttribute("data-picks")) this.send("pick", { x, y, now: performance.now() });
    if (!this.hand && index !== undefined) this.hold(index);
  }

  // The point that a board has chosen is the one that is held.
  hold(index) {
    const board = boards.get(this.link);
    const next = (held) => (index === held ? undefined : index);
    if (board) board.choose(next(board.cursor));
    else this.tell({ held: next(this.held) });
  }

  tell(change) {
    for (const plane of linked.get(this.link) ?? [this]) plane.point(change);
  }

  point(change) {
    Object.assign(this, change);
    const board = boards.get(this.link);
    const spot = this.locate(this.hovered ?? board?.cursor ?? this.held);
    this.ring.classList.toggle("svm-on", Boolean(spot));
    if (spot) this.ring.setAttribute("transform", `translate(${spot})`);
    if (this.hand) this.grasp(board);
    if (this.reel && change && "held" in change) this.film.transport?.about();
  }

  // The handle that the keys move: at the chosen point, in the middle of a plane without one.
  grasp(board) {
    const point = board.cursor === undefined ? undefined : board.at(board.cursor);
    const [x, y] = point ? this.pixelOf(point) : [this.root.clientWidth / 2, this.root.clientHeight / 2];
    this.handle.style.transform = `translate(${x}px, ${y}px)`;
    const words = point ? board.words(board.cursor) : `${board.ids.length} points, none chosen`;
    this.handle.setAttribute("aria-label", `${words}. Arrow keys move it, N and P go to the next and the one before, ${board.regression ? "" : "X flips, "}O marks an outlier, S switches off, Delete deletes, A adds, Control Z undoes.`);
  }

  // Pixels of a training point, where the last vertex that bears its index is drawn: a marker, or the head of a stem.
  locate(index) {
    if (index === undefined) return null;
    const now = this.hand && this.shows(index) && this.hand.board.at(index);
    if (now) return this.pixelOf(now);
    const { xaxis, yaxis } = this.axes();
    for (const { x, y, customdata } of this.figure.data) {
      for (let k = (customdata?.length ?? 0) - 1; k >= 0; k--) {
        if (customdata[k][0] !== index || Number.isNaN(x[k])) continue;
        return [xaxis._offset + xaxis.d2p(x[k]), yaxis._offset + yaxis.d2p(y[k])];
      }
    }
    return null;
  }

  axes() {
    return this.chart._fullLayout;
  }

  ready() {
    return Boolean(this.axes()) && this.hand.board.rev !== undefined;
  }

  pixelOf({ x, y }) {
    const { xaxis, yaxis } = this.axes();
    return [xaxis._offset + xaxis.d2p(x), yaxis._offset + yaxis.d2p(y)];
  }

  dataAt([x, y]) {
    const { xaxis, yaxis } = this.axes();
    return [xaxis.p2d(x - xaxis._offset), yaxis.p2d(y - yaxis._offset)];
  }

  limits() {
    const { xaxis, yaxis } = this.axes();
    return { x: [...xaxis.range], y: [...yaxis.range] };
  }

  radius(id) {
    return this.diameters.get(id) ?? 9;
  }

  // A figure may leave points out, such as outliers that are switched off.
  shows(id) {
    return this.diameters.has(id) || this.hand.board.waits();
  }

  // Plotly draws the whole figure anew for the file, at the zoom that is on the screen.
  async save(format) {
    const Plotly = await library();
    const { data, layout } = coloured(this.now, this.theme.colours);
    for (const axis of ["xaxis", "yaxis"]) layout[axis].range = [...this.chart._fullLayout[axis].range];
    const [width, height] = this.size;
    await Plotly.downloadImage({ data, layout }, { format, width, height, scale: format === "png" ? 2 : 1, filename: this.name });
  }

  leave() {
    clearTimeout(this.later);
    cancelAnimationFrame(this.fresh);
    cancelAnimationFrame(this.again);
    this.film?.viewers.delete(this);
    this.watch.disconnect();
    linked.get(this.link)?.delete(this);
    window.Plotly?.purge(this.chart);
  }
}

// What is left for Plotly when layers.js draws the traces: axes, texts, legend, and points that can be hovered but have no
// element of their own.
function withoutLayers(data, layout) {
  const hovered = data.filter(({ customdata, hoverinfo }) => customdata && hoverinfo !== "skip").map((trace) => ({ ...trace, mode: "none" }));
  const named = data.filter(({ showlegend }) => showlegend);
  const keys = named.map(({ name, line }) => ({ type: "scatter", mode: "lines", x: [null], y: [null], name, line, showlegend: true }));
  return { data: [...hovered, ...keys], layout: { ...layout, plot_bgcolor: "transparent", paper_bgcolor: "transparent" } };
}

// Where a point of the figure stands now, which the board knows better while an answer is on its way.
function standing(board, id, x, y) {
  if (id === undefined || board.rev === undefined) return { x, y };
  const point = board.at(id);
  return point && !point.gone ? point : undefined;
}

// A logarithmic axis has no zero: the start of a run is at its left edge.
function pixels(axis, place) {
  return axis.type === "log" && place <= 0 ? 0 : axis.d2p(place);
}

// Clicking or dragging on a curve goes to the nearest moment.
function scrubs(plane) {
  const nearest = ({ clientX }) => {
    const { xaxis } = plane.chart._fullLayout;
    const x = clientX - plane.image.getBoundingClientRect().left - xaxis._offset;
    const gap = (place) => Math.abs(pixels(xaxis, place) - x);
    return plane.places.reduce((best, place, k) => (gap(place) < gap(plane.places[best]) ? k : best), 0);
  };
  plane.image.onpointerdown = (event) => {
    if (event.button !== 0 || !plane.chart._fullLayout) return;
    plane.image.setPointerCapture(event.pointerId);
    plane.film.go(nearest(event));
  };
  plane.image.onpointermove = (event) => plane.image.hasPointerCapture(event.pointerId) && plane.film.go(nearest(event));
}

function listen(menu, plane) {
  menu.onclick = ({ target }) => {
    if (target.value) plane.save(target.value);
    if (target.value) menu.open = false;
  };
  menu.onkeydown = ({ key }) => {
    if (key === "Escape") menu.open = false;
  };
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (!menu.contains(relatedTarget)) menu.open = false;
  });
}

// Length of the JSON, the JSON, the arrays: in the JSON an array is {at, type, shape}; a matrix becomes a list of rows, and so on.
const TYPES = { f4: Float32Array, f8: Float64Array, i1: Int8Array, i2: Int16Array, i4: Int32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };

function unpack(bytes) {
  const { buffer } = bytes.slice();
  const start = 4 + new DataView(buffer).getUint32(0, true);
  const known = new Map();
  const split = (flat, [count, ...rest]) => {
    const size = flat.length / count;
    return rest.length ? Array.from({ length: count }, (_, k) => split(flat.subarray(k * size, (k + 1) * size), rest)) : flat;
  };
  const array = (at, type, shape) => split(new TYPES[type](buffer, start + at, shape.reduce((a, b) => a * b, 1)), shape);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, start - 4)), (_, value) => {
    if (value?.shape === undefined) return value;
    const id = [value.at, value.type, value.shape].join();
    if (!known.has(id)) known.set(id, array(value.at, value.type, value.shape));
    return known.get(id);
  });
}

// A copy of the figure with colours for tokens; typed arrays are shared, not copied.
function coloured(value, colours) {
  if (typeof value === "string") return value.replace(/var\(--svm-([a-z0-9-]+)\)/g, (_, name) => colours[name]);
  if (Array.isArray(value)) return ArrayBuffer.isView(value[0]) ? value : value.map((item) => coloured(item, colours));
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, colours)]));
}

// plotly.js, once: the copy that Streamlit ships for its own charts, or else the one inside the plotly package.
let loading;
function library() {
  loading ??= load();
  return loading;
}

async function load() {
  for (const source of sources) {
    if (!window.Plotly) await import(source).catch(() => {});
  }
  if (!window.Plotly) throw new Error("plotly.js was not found on the server");
  return window.Plotly;
}
