// Puts a Plotly figure on the page and updates it in place: never two drawings at once, always the newest figure.
// Plotly draws it (chart.js); of a plane, which has to be fast, canvas.js draws the inside. The figure has tokens
// "var(--svm-plus)" instead of colours.

import { steady } from "./axes.js";
import { drawFields, drawPoints, isNote, valueAt } from "./canvas.js";
import { Chart, coloured, library, ready } from "./chart.js";
import { part } from "./dom.js";
import { roomed, titled, wanted } from "./frame.js";
import { Gestures } from "./gestures.js";
import { linkOf } from "./links.js";
import { live } from "./live.js";
import { drawEdits, drawStep, menu, Overlay } from "./overlays.js";
import { Pencil } from "./pencil.js";
import { Playback, scrubs } from "./playback.js";
import { enlarged, enlargement } from "./present.js";
import { Rail } from "./rail.js";
import { contrasting, pageTheme } from "./theme.js";
import { summary } from "./voice.js";

/** @typedef {{ hovered?: number, held?: number }} Change */

const HEADED = 24; // pixels of an upper margin that holds a heading
const SIZE = 9; // pixels of a marker whose size the figure does not give

export class Plane {
  /** @type {Uint8Array | undefined} what was shown last */
  bytes;

  #root;
  /** @type {HTMLElement} */
  #image;
  #layers;
  #points;
  #wait;
  #overlay;
  #chart;
  #watch;
  #plain;
  /** @type {((state: string, value: object) => void) | undefined} */
  #send;
  #drawn = 0;

  // the figure as it came, and what is drawn of it
  /** @type {any} */
  #figure;
  /** @type {any} the figure that the page has sent, while the live channel shows another one */
  #sent;
  #asked = 0; // a question that is older than what the page has sent is of no interest
  #theme;
  #alt = "";
  #name = "";
  #heading = "";
  #by = 1;
  #room = { height: 0, fill: 0, less: 0 };
  /** @type {[number, number]} */
  #size = [0, 0];
  #stale = false;
  #busy = false;
  #fresh = 0;
  /** @type {object[]} the traces that the canvas shows */
  #layered = [];
  /** @type {object[]} and the notes beside their lines */
  #notes = [];
  /** @type {Map<number, number>} the diameters of the markers that the figure shows */
  #diameters = new Map();
  /** @type {Map<number, [number, number]>} where it shows them */
  #spots = new Map();
  /** @type {Map<number, string>} the classes of these points, in words */
  #classes = new Map();

  // the planes that show the same points
  #linkName;
  #link = linkOf(undefined);
  /** @type {Gestures | undefined} */
  #gestures;
  /** @type {Pencil | undefined} */
  #pencil;
  /** @type {Rail | undefined} of a point that moves a control */
  #rail;
  /** @type {number | undefined} */
  #hovered;

  #playback;
  /** @type {object[] | undefined} the traces and the colours of points that frames are put into */
  #base;
  #table;
  #again = 0;

  /** @param {HTMLElement} root of plane.html */
  constructor(root) {
    this.#root = root;
    this.#image = part(root, "image");
    this.#layers = part(root, "layers");
    this.#points = part(root, "points");
    this.#wait = part(root, "wait");
    this.#overlay = new Overlay(root);
    this.#chart = new Chart(part(root, "chart"), {
      hovered: (id) => this.#tell({ hovered: this.#layered.length ? id : undefined }),
      clicked: (place, id) => this.#pick(place, this.#layered.length ? id : undefined),
      zoomed: () => this.#layersUp(),
      settling: (waiting) => root.toggleAttribute("data-settling", waiting),
    });
    this.#playback = new Playback({
      mark: (place) => this.#mark(place),
      show: (frame, sentence) => this.#turn(frame, sentence),
    });
    Object.defineProperty(root, "figure", { get: () => this.#now }); // the whole one, for tests: Plotly has only a part
    this.#watch = new ResizeObserver(() => this.#resized());
    this.#watch.observe(root);
    addEventListener("resize", this.#windowed);
    addEventListener("svm-numbers", this.#told);
    this.#plain = contrasting(() => this.#theme && this.receive(null, this.bytes, this.#send));
    menu(part(root, "save"), (format) => this.#save(format));
  }

  receive(payload, bytes, send) {
    this.#send = send;
    const theme = pageTheme(this.#root);
    if (!payload && theme.id === this.#theme.id) return;
    if (payload) this.#adopt(payload);
    this.bytes = bytes;
    this.#theme = theme;
    this.#stale = true;
    this.#draw();
  }

  #adopt(sent) {
    const { figure, alt, name, link, height, fill, less, edge, heading, edit, rail, reel, cursor, pick, ask } = sent;
    this.#sent = undefined;
    this.#asked = live.asked;
    this.#alt = alt;
    this.#name = name;
    this.#room = { height, fill, less };
    this.#root.dataset.name = name;
    this.#label(edge);
    this.#heading = heading;
    // where there is room for it above the axes, the heading stands within the picture
    this.#root.toggleAttribute("data-headed", Boolean(heading) && figure.layout.margin.t > HEADED);
    if (sent.live) live.join(this, sent.live);
    this.#join(link);
    this.#pictured(figure);
    this.#root.toggleAttribute("data-picks", Boolean(pick));
    this.#root.toggleAttribute("data-editable", Boolean(edit));
    const board = edit && this.#link.edited();
    const parts = { area: this.#image, chart: this.#chart, overlay: this.#overlay };
    if (edit) this.#gestures ??= new Gestures(this, board, parts);
    this.#question(ask);
    if (rail) this.#slides(rail);
    this.#follow(reel, cursor);
    this.#fit();
  }

  // What the reader is asked to draw, if anything.
  #question(ask) {
    if (ask && this.#pencil && this.#pencil.sheet === ask.sheet) return this.#pencil.receive(ask);
    this.#pencil?.leave();
    const parts = { area: this.#image, chart: this.#chart, spots: () => this.#spots, classes: () => this.#classes };
    this.#pencil = ask && new Pencil(this.#root, parts, ask);
  }

  #slides(track) {
    const { handle } = this.#overlay;
    const parts = { area: this.#image, chart: this.#chart, handle, dragging: (on) => this.dragging(on) };
    this.#root.toggleAttribute("data-rail", true);
    this.#rail ??= new Rail(track, parts);
    this.#rail.follow(track);
  }

  #pictured(figure) {
    this.#figure = figure;
    this.#image.setAttribute("aria-label", this.#alt);
    const shown = markers(figure);
    this.#diameters = new Map(shown.map(([id, { marker }, k]) => [id, valueAt(marker.size, k)]));
    this.#spots = new Map(shown.map(([id, { x, y }, k]) => [id, [x[k], y[k]]]));
    this.#classes = new Map(shown.flatMap(([id, { name }]) => classOf(name).map((words) => [id, words])));
  }

  // ------------------------------------------------------------------------------------------ live

  get name() {
    return this.#name;
  }

  /** The live channel's answer to the question `asked`; while something is `moving` the axes stay where they can. */
  follow(figure, { asked, moving }) {
    if (asked <= this.#asked) return;
    this.#sent ??= this.#figure;
    this.#turnTo(moving ? { ...figure, layout: steady(figure.layout, this.#figure.layout) } : figure);
  }

  revert() {
    if (this.#sent) this.#turnTo(this.#sent);
    this.#sent = undefined;
  }

  #turnTo(figure) {
    this.#alt = this.#alt.replace(this.#figure.layout.meta.alt, () => figure.layout.meta.alt);
    this.#pictured(figure);
    this.#fit();
    this.#stale = true;
    this.#draw();
  }

  // Name and numbers at the edge of the picture, which the alt text has, too.
  #label(edge) {
    const place = part(this.#root, "edge");
    const [name, line, key] = edge ?? ["", "", ""];
    place.hidden = !name && !line;
    place.firstElementChild.textContent = name;
    place.lastElementChild.textContent = line;
    place.lastElementChild.dataset.live = key;
  }

  #join(name) {
    if (name === this.#linkName && this.#link.planes.has(this)) return;
    this.#link.planes.delete(this);
    this.#linkName = name;
    this.#link = linkOf(name);
    this.#link.planes.add(this);
  }

  // ------------------------------------------------------------------------------------------ film

  #follow(reel, cursor) {
    this.#root.toggleAttribute("data-film", Boolean(reel ?? cursor));
    this.#root.toggleAttribute("data-scrubs", Boolean(cursor));
    this.#base = undefined;
    this.#playback.follow(reel, cursor);
    const { film } = this.#playback;
    if (!film) return;
    if (cursor) scrubs(this.#image, this.#chart, cursor.places, film);
    this.#image.tabIndex = 0;
    this.#image.setAttribute("aria-keyshortcuts", "Space ArrowLeft ArrowRight Home End");
    this.#image.onkeydown = (event) => film.key(event);
  }

  #mark(place) {
    if (!this.#chart.axes || place === undefined) return this.#overlay.cursor(undefined);
    this.#overlay.cursor(this.#chart.column(place), this.#chart.box()[1]);
  }

  #turn(frame, sentence) {
    this.#root.dataset.frame = String(frame);
    const moment = this.#playback.film?.ticks[this.#playback.film.tick]?.label;
    const now = moment ? `Now: ${moment}.` : "";
    this.#image.setAttribute("aria-label", [this.#alt, now, sentence].filter(Boolean).join(" "));
    if (!this.#base) return;
    this.#layered = this.#playback.traces(this.#base, this.#table);
    this.#again ||= requestAnimationFrame(() => this.#redraw());
  }

  // The figure with the frame that is on the screen.
  get #now() {
    return { ...this.#figure, data: this.#playback.traces(this.#figure.data) };
  }

  // --------------------------------------------------------------------------------------- drawing

  // Equal units leave the height of a narrow plane blank beyond that of its square.
  #fit() {
    const { margin: own, xaxis, yaxis } = this.#figure.layout;
    const margin = enlarged({ data: [], layout: { margin: own } }, enlargement()).layout.margin;
    const side = (axis) => axis.range[1] - axis.range[0];
    const across = this.#root.clientWidth - margin.l - margin.r;
    const needed = yaxis.scaleanchor ? (across * side(yaxis)) / side(xaxis) + margin.t + margin.b : Infinity;
    this.#root.style.height = `${Math.min(wanted(this.#root, this.#room, Boolean(yaxis.scaleanchor)), needed)}px`;
  }

  #windowed = () => {
    if (this.#by !== enlargement()) this.#size = [0, 0];
    this.#by = enlargement();
    this.#resized();
  };

  #resized() {
    if (!this.#figure) return;
    this.#fit();
    const { clientWidth, clientHeight } = this.#root;
    if (String(this.#size) === String([clientWidth, clientHeight])) return;
    this.#stale = true;
    this.#draw();
  }

  async #draw() {
    if (!ready()) this.#sketch();
    if (this.#busy) return;
    this.#busy = true;
    try {
      await library();
      while (this.#stale && this.#root.clientWidth) {
        this.#stale = false;
        await this.#paint();
      }
    } catch (error) {
      this.#wait.classList.add("svm-failed");
      this.#wait.textContent = `The picture could not be drawn: ${/** @type {Error} */ (error).message}`;
    } finally {
      this.#busy = false;
    }
  }

  async #paint() {
    const start = performance.now();
    const { figure, layered } = this.#prepared();
    await this.#chart.draw(figure, { layered });
    this.#layersUp();
    this.#playback.remark();
    this.#painted(start);
  }

  // All but axes, texts and legend, while plotly.js is on its way.
  #sketch() {
    if (!this.#root.clientWidth) return;
    const { figure, layered } = this.#prepared();
    if (!layered || !this.#chart.sketch(figure.layout, this.#size)) return;
    this.#layersUp();
    this.#root.toggleAttribute("data-sketched", true);
  }

  #prepared() {
    const by = enlargement();
    this.#by = by;
    const { data, layout } = enlarged(coloured(this.#now, this.#theme.colours), by);
    this.#size = [layout.width, layout.height] = [this.#root.clientWidth, this.#root.clientHeight];
    layout.margin = roomed(data, layout);
    const layered = Boolean(layout.meta.layers);
    this.#layered = layered ? data : [];
    const notes = layered ? (layout.annotations ?? []).filter(isNote) : [];
    this.#notes = notes.map((note) => ({ ...note, font: { ...layout.font, ...note.font } }));
    const { reel } = this.#playback;
    if (reel) {
      this.#base = enlarged({ data: coloured(this.#figure.data, this.#theme.colours), layout: {} }, by).data;
      this.#table = coloured(reel.table, this.#theme.colours);
    }
    return { figure: { data, layout }, layered };
  }

  #redraw() {
    this.#again = 0;
    const start = performance.now();
    this.#layersUp();
    this.#painted(start);
  }

  #painted(start) {
    this.#root.dataset.ms = (performance.now() - start).toFixed(1);
    this.#root.dataset.drawn = String(++this.#drawn);
    this.#told();
  }

  #layersUp() {
    if (this.#layered.length) drawFields(this.#layers, this.#layered, this.#chart.axes, this.#size, this.#notes);
    this.#pointsUp();
  }

  // Markers, ring and handle where the points stand at this moment.
  #pointsUp() {
    this.#fresh = 0;
    if (!this.#chart.axes) return;
    const board = this.#edited;
    if (this.#layered.length) {
      const now = board?.ready ? (id, x, y) => standing(board, id, x, y) : undefined;
      const sheet = drawPoints(this.#points, this.#layered, this.#chart.axes, this.#size, now);
      if (board) drawEdits(sheet, board, this, this.#theme.colours);
      const { step } = this.#playback;
      if (step) drawStep(sheet, step, this.#spots, { ...this.#theme.colours, by: this.#by });
    }
    this.#pencil?.draw();
    this.#rail?.place();
    this.#point();
  }

  // ---------------------------------------------------------------------------- one point, and all

  // A training point that is hovered (or clicked, which holds it) is ringed in every plane of the same link.
  #tell(change) {
    for (const plane of this.#link.planes) plane.#point(change);
  }

  #pick({ x, y }, id) {
    if (this.#root.hasAttribute("data-picks")) this.#send?.("pick", { x, y, now: performance.now() });
    if (!this.#gestures && id !== undefined) this.#hold(id);
  }

  // The point that a board has chosen is the one that is held; a second click lets it go.
  #hold(id) {
    const { board } = this.#link;
    const next = (held) => (id === held ? undefined : id);
    if (board) board.choose(next(board.cursor));
    else this.#tell({ held: next(this.#playback.held) });
  }

  /** @param {Change} change */
  #point(change = {}) {
    if ("hovered" in change) this.#hovered = change.hovered;
    if ("held" in change) this.#playback.hold(change.held);
    const { board } = this.#link;
    this.#overlay.ring(this.#locate(this.#hovered ?? board?.cursor ?? this.#playback.held));
    if (this.#edited) this.#grasp(this.#edited);
  }

  #grasp(board) {
    const [width, height] = this.#size;
    const point = board.cursor === undefined ? undefined : board.edits.at(board.cursor);
    this.#overlay.grasp(point ? this.#chart.pixelOf(point) : [width / 2, height / 2], board, this);
  }

  // Pixels of a training point, where the last vertex that bears its index is drawn: a marker, or the head of a stem.
  #locate(id) {
    if (id === undefined) return undefined;
    const now = this.shows(id) && this.#edited?.edits.find(id);
    if (now) return this.#chart.pixelOf(now);
    for (const { x, y, customdata } of this.#figure.data) {
      for (let k = (customdata?.length ?? 0) - 1; k >= 0; k--) {
        if (customdata[k][0] === id && !Number.isNaN(x[k])) return this.#chart.pixelOf({ x: x[k], y: y[k] });
      }
    }
    return undefined;
  }

  // The board, where the points can be edited on this plane.
  get #edited() {
    return this.#gestures && this.#link.board;
  }

  // -------------------------------------------------------------- what gestures and the board need

  get editable() {
    return Boolean(this.#gestures);
  }

  /** Called as often as the board likes; drawn once a frame. */
  moved() {
    this.#gestures?.moved();
    this.#fresh ||= requestAnimationFrame(() => this.#pointsUp());
  }

  limits() {
    return this.#chart.limits();
  }

  /** Whether the figure has a marker for that point. */
  draws(id) {
    return this.#diameters.has(id);
  }

  /** The support values of the points that the figure shows, where it has them. */
  values() {
    const rows = markers(this.#figure).map(([, { customdata }, k]) => customdata[k]);
    return new Map(rows.filter((row) => row.length > 1).map(([id, value]) => [id, value]));
  }

  /** The support value of a point in words, as the figure has it; the name of the machine where there are several. */
  support(id) {
    for (const { customdata, text } of this.#figure.data) {
      const k = Array.from(customdata ?? [], (row) => row[0]).indexOf(id);
      if (k < 0 || customdata[k].length < 2) continue;
      const name = part(this.#root, "edge").firstElementChild.textContent;
      const value = Number(customdata[k][1].toPrecision(2)).toString().replace("-", "−");
      return `${name && `${name}: `}support value ${value}${text ? `, ${text[k]}` : ""}`;
    }
    return undefined;
  }

  #told = () => {
    const board = this.#edited;
    if (!board?.ready) return;
    const { labels } = board.edits;
    const name = part(this.#root, "edge").firstElementChild.textContent || this.#heading;
    const shown = [...document.querySelectorAll(".svm-numbers div")];
    const numbers = shown.map(
      ({ children }) => /** @type {[string, string]} */ ([...children].map((c) => c.textContent)),
    );
    const points = board.edits.ids.map((id) => board.edits.at(id));
    const { where } = this.#figure.layout.meta;
    this.#overlay.summarise(summary(points, { name, labels, classes: board.classes, numbers, where }));
  };

  diameter(id) {
    return this.#diameters.get(id) ?? SIZE;
  }

  /** A figure may leave points out, such as outliers that are switched off. */
  shows(id) {
    return this.draws(id) || Boolean(this.#edited?.waits);
  }

  dragging(on) {
    this.#root.toggleAttribute("data-dragging", on);
  }

  // ---------------------------------------------------------------------------------- save, leave

  #save(format) {
    const shown = part(this.#root, "edge");
    const title = shown.hidden ? this.#heading : shown.textContent.trim();
    const { data, layout } = coloured(this.#now, this.#theme.colours);
    const margin = roomed(data, { ...layout, width: this.#size[0] });
    const { figure, size } = titled({ data, layout: { ...layout, margin } }, this.#size, title);
    return this.#chart.save(figure, { format, name: this.#name, size });
  }

  leave() {
    cancelAnimationFrame(this.#fresh);
    cancelAnimationFrame(this.#again);
    this.#playback.leave();
    this.#pencil?.leave();
    this.#watch.disconnect();
    removeEventListener("resize", this.#windowed);
    removeEventListener("svm-numbers", this.#told);
    this.#plain();
    this.#link.planes.delete(this);
    live.leave(this);
    this.#chart.leave();
  }
}

// The training points that a figure shows: [id, trace, place in the trace].
// "points -1" has the points of class −1.
const classOf = (name) =>
  [...(/^points ([+-])1$/.exec(name)?.slice(1) ?? [])].map((sign) => `class ${sign.replace("-", "−")}1`);

function markers({ data }) {
  const shown = data.filter(({ mode, customdata }) => mode === "markers" && customdata);
  return shown.flatMap((trace) => Array.from(trace.customdata, ([id], k) => [id, trace, k]));
}

// Where a point of the figure stands now, according to the board while an answer is on its way.
function standing(board, id, x, y) {
  if (id === undefined) return { x, y };
  const point = board.edits.find(id);
  return point && !point.gone ? point : undefined;
}
