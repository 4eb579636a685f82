// One picture on the page, with all that belongs to it: the points under the hand, the film, the question, the other
// planes of the same points. picture.js draws its figure, shown.js knows the points of it.

import { steady } from "./axes.js";
import { Chart } from "./chart.js";
import { part } from "./dom.js";
import { Gestures } from "./gestures.js";
import { linkOf } from "./links.js";
import { live } from "./live.js";
import { drawEdits, menu, Overlay } from "./overlays.js";
import { Pencil } from "./pencil.js";
import { Picture } from "./picture.js";
import { Playback, scrubs } from "./playback.js";
import { Rail } from "./rail.js";
import { Shown } from "./shown.js";
import { contrasting, pageTheme } from "./theme.js";
import { summary } from "./voice.js";
import { kept } from "./words.js";

/** @typedef {{ hovered?: number, held?: number }} Change */

const HEADED = 24; // pixels of an upper margin that holds a heading

export class Plane {
  /** @type {Uint8Array | undefined} what was shown last */
  bytes;

  #root;
  /** @type {HTMLElement} */
  #image;
  #overlay;
  #chart;
  #picture;
  #plain;
  /** @type {((state: string, value: object) => void) | undefined} */
  #send;

  /** @type {any} the figure as it came */
  #figure;
  #shown = new Shown({ data: [] });
  /** @type {any} the figure that the page has sent, while the live channel shows another one */
  #sent;
  #asked = 0; // a question that is older than what the page has sent is of no interest
  #alt = "";
  #name = "";
  #called = "";
  #heading = "";

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

  /** @param {HTMLElement} root of plane.html */
  constructor(root) {
    this.#root = root;
    this.#image = part(root, "image");
    this.#overlay = new Overlay(root);
    this.#chart = new Chart(part(root, "chart"), {
      hovered: (id) => this.#tell({ hovered: this.#picture.layered ? id : undefined }),
      clicked: (place, id) => this.#pick(place, this.#picture.layered ? id : undefined),
      zoomed: () => this.#picture.layersUp(),
      settling: (waiting) => root.toggleAttribute("data-settling", waiting),
    });
    this.#playback = new Playback({
      mark: (place) => this.#mark(place),
      show: (frame, sentence) => this.#turn(frame, sentence),
    });
    const parts = { chart: this.#chart, playback: this.#playback };
    this.#picture = new Picture(root, parts, {
      standing: () => this.#standing(),
      drawn: (sheet) => this.#edited && drawEdits(sheet, this.#edited, this, this.#picture.theme.colours),
      placed: () => this.#placed(),
      painted: this.#told,
    });
    const whole = { get: () => this.#picture.now }; // for tests: Plotly has only a part
    Object.defineProperty(root, "figure", whole);
    addEventListener("svm-numbers", this.#told);
    this.#plain = contrasting(() => this.#picture.theme && this.receive(null, this.bytes, this.#send));
    menu(part(root, "save"), (format) => this.#save(format));
  }

  receive(payload, bytes, send) {
    this.#send = send;
    const theme = pageTheme(this.#root);
    if (!payload && theme.id === this.#picture.theme.id) return;
    if (payload) this.#adopt(payload);
    this.bytes = bytes;
    this.#picture.theme = theme;
    this.#picture.draw();
  }

  #adopt(sent) {
    const { figure, alt, name, link, height, fill, less, edge, heading, edit, rail, reel, cursor, pick, ask } = sent;
    this.#sent = undefined;
    this.#asked = live.asked;
    this.#alt = alt;
    this.#name = name;
    this.#picture.room = { height, fill, less };
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
    this.#picture.fit();
  }

  // What the reader is asked to draw, if anything.
  #question(ask) {
    if (ask && this.#pencil && this.#pencil.sheet === ask.sheet) return this.#pencil.receive(ask);
    this.#pencil?.leave();
    const parts = { area: this.#image, chart: this.#chart, shown: () => this.#shown };
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
    this.#shown = new Shown(figure);
    this.#picture.hang(figure, this.#shown);
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
    this.#picture.fit();
    this.#picture.draw();
  }

  // Name and numbers at the edge of the picture, which the alt text has, too.
  #label(edge) {
    const place = part(this.#root, "edge");
    const [name, line, key] = edge ?? ["", "", ""];
    place.hidden = !name && !line;
    this.#called = name;
    place.firstElementChild.textContent = kept(name);
    place.lastElementChild.textContent = kept(line);
    place.lastElementChild.dataset.live = key;
  }

  /** Where it is on the page. */
  get element() {
    return this.#root;
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
    this.#picture.rewind();
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
    this.#picture.turn();
  }

  // -------------------------------------------------------------------------------- over the picture

  // Where a point of the figure stands now, according to the board while an answer is on its way.
  #standing() {
    const board = this.#edited;
    if (!board?.ready) return undefined;
    return (id, x, y) => {
      if (id === undefined) return { x, y };
      const point = board.edits.find(id);
      return point && !point.gone ? point : undefined;
    };
  }

  #placed() {
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
    const [width, height] = this.#picture.size;
    const point = board.cursor === undefined ? undefined : board.edits.at(board.cursor);
    this.#overlay.grasp(point ? this.#chart.pixelOf(point) : [width / 2, height / 2], board, this);
  }

  // Pixels of a training point.
  #locate(id) {
    if (id === undefined) return undefined;
    const place = (this.shows(id) && this.#edited?.edits.find(id)) || this.#shown.vertex(id);
    return place && this.#chart.pixelOf(place);
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
    this.#picture.moved();
  }

  limits() {
    return this.#chart.limits();
  }

  /** Whether the figure has a marker for that point. */
  draws(id) {
    return this.#shown.has(id);
  }

  /** The support values of the points that the figure shows, where it has them. */
  values() {
    return this.#shown.values();
  }

  /** The support value of a point in words; with the name of the machine where there are several. */
  support(id) {
    const name = this.#called;
    const words = this.#shown.support(id);
    return words && `${name && `${name}: `}${words}`;
  }

  #told = () => {
    const board = this.#edited;
    if (!board?.ready) return;
    const { labels } = board.edits;
    const name = this.#called || this.#heading;
    const shown = [...document.querySelectorAll(".svm-numbers div")];
    const numbers = shown.map(
      ({ children }) => /** @type {[string, string]} */ ([...children].map((c) => c.textContent)),
    );
    const points = board.edits.ids.map((id) => board.edits.at(id));
    const { where } = this.#figure.layout.meta;
    this.#overlay.summarise(summary(points, { name, labels, classes: board.classes, numbers, where }));
  };

  diameter(id) {
    return this.#shown.diameter(id);
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
    const { figure, size } = this.#picture.saved(title);
    return this.#chart.save(figure, { format, name: this.#name, size });
  }

  leave() {
    this.#picture.leave();
    this.#playback.leave();
    this.#pencil?.leave();
    removeEventListener("svm-numbers", this.#told);
    this.#plain();
    this.#link.planes.delete(this);
    live.leave(this);
    this.#chart.leave();
  }
}
