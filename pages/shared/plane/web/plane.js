// One picture on the page, with all that belongs to it: the points under the hand, the film, the question, the other
// planes of the same points. picture.js draws its figure, shown.js knows the points of it.

import { part } from "./base/dom.js";
import { live } from "./base/live.js";
import { contrasting, pageTheme } from "./base/theme.js";
import { summary } from "./base/voice.js";
import { kept } from "./base/words.js";
import { Gestures } from "./editing/gestures.js";
import { linkOf } from "./editing/links.js";
import { DragHandle } from "./film/drag_handle.js";
import { Playback, scrubs } from "./film/playback.js";
import { steady } from "./picture/axes.js";
import { Chart } from "./picture/chart.js";
import { drawEdits, menu, Overlay } from "./picture/overlays.js";
import { Picture } from "./picture/picture.js";
import { Shown } from "./picture/shown.js";
import { Trail } from "./picture/trail.js";
import { AnswerDrawing } from "./question/answer_drawing.js";

/** @typedef {{ hovered?: number, held?: number }} Change */

const TURN = Math.PI / 24; // by which an arrow key turns a surface
const HEADED = 24; // pixels of an upper margin that holds a heading

export class Plane {
  root;
  /** @type {HTMLElement} the part that pointers are on */
  area;
  chart;
  overlay;
  name = "";
  /** The points that the figure shows. */
  shown = new Shown({ data: [] });

  #picture;
  #left = new AbortController();
  #send;

  /** @type {any} the figure as it came */
  #figure;
  #trail = new Trail();
  #scene = "";
  /** @type {string | undefined} the state of the editor whose points the figure has passed */
  #passed;
  #version = 0; // of the picture in its scene: what the page sends may be older than what the live channel has brought
  #alt = "";
  #called = "";
  #heading = "";

  // the planes that show the same points
  #linkName;
  #link = linkOf(undefined);
  /** @type {Gestures | undefined} */
  #gestures;
  /** @type {AnswerDrawing | undefined} */
  #drawing;
  /** @type {DragHandle | undefined} of a point that moves a control */
  #dragHandle;
  #hovered;

  #playback;

  /** @param {HTMLElement} root of plane.html */
  constructor(root) {
    this.root = root;
    this.area = part(root, "image");
    this.overlay = new Overlay(root);
    this.chart = new Chart(part(root, "chart"), {
      hovered: (id) => this.#tell({ hovered: this.#picture.layered ? id : undefined }),
      clicked: (place, id) => this.#pick(place, this.#picture.layered ? id : undefined),
      zoomed: () => this.#picture.layersUp(),
      settling: (waiting) => root.toggleAttribute("data-settling", waiting),
    });
    this.#playback = new Playback({
      mark: (place) => this.#mark(place),
      show: (frame, sentence) => this.#turn(frame, sentence),
    });
    const parts = { chart: this.chart, playback: this.#playback };
    this.#picture = new Picture(root, parts, {
      standing: () => this.#standing(),
      drawn: (surface) => this.#edited && drawEdits(surface, this.#edited, this, this.#picture.theme.colours),
      placed: () => {
        this.#drawing?.draw();
        this.#dragHandle?.place();
        this.#point();
      },
      painted: () => this.#told(),
      linked: () => [...this.#link.planes].map((plane) => plane.#picture),
    });
    const forTests = { figure: { get: () => this.#picture.whole }, axes: { get: () => this.chart.axes } };
    Object.defineProperties(root, forTests); // Plotly has only a part
    const { signal } = this.#left;
    addEventListener("svm-numbers", () => this.#told(), { signal });
    contrasting(() => this.#picture.theme && this.receive(null, this.#send), signal);
    menu(part(root, "save"), (format) => this.#save(format));
  }

  receive(payload, send) {
    this.#send = send;
    const theme = pageTheme(this.root);
    const same = theme.id === this.#picture.theme?.id;
    if (!payload && same) return;
    const drawn = Boolean(payload && this.#adopt(payload));
    this.#picture.theme = theme;
    if (drawn || !same) this.#picture.draw();
    else this.#picture.moved();
  }

  // Returns whether there is another figure to draw.
  #adopt(sent) {
    const { alt, name, link, height, fill, less, edge, heading, edit, drag_handle, frames, cursor, pick, ask } = sent;
    const cleared = this.#trail.name(sent.trail ?? []);
    const figure = this.#newest(sent) ?? (cleared ? this.#figure : undefined);
    this.name = name;
    this.#picture.room = { height, fill, less };
    this.root.dataset.name = name;
    this.#heading = heading;
    if ((sent.live?.version ?? 0) >= this.#version) {
      this.#alt = alt;
      this.#label(edge);
    }
    if (sent.live) live.join(this, sent.live.scene);
    this.#join(link);
    if (figure && figure.layout.uirevision !== this.#figure?.layout.uirevision) {
      this.#trail.clear(); // another plane: neither the trail nor the point that is held is of it
      this.#playback.hold(undefined);
    }
    if (figure) this.#pictured(figure);
    else this.#describe();
    if (!this.#figure) return false;
    // where there is room for it above the axes, the heading stands within the picture
    this.root.toggleAttribute("data-headed", Boolean(heading) && this.#figure.layout.margin.t > HEADED);
    this.root.toggleAttribute("data-picks", Boolean(pick));
    this.root.toggleAttribute("data-editable", Boolean(edit));
    if (edit) this.#gestures ??= new Gestures(this, this.#link.edited());
    this.#question(ask);
    if (drag_handle) {
      this.root.toggleAttribute("data-drag-handle", true);
      this.#dragHandle ??= new DragHandle(drag_handle, this);
      this.#dragHandle.follow(drag_handle);
    }
    this.#follow(frames, cursor);
    if (this.#figure.layout.scene) this.#turns();
    this.#picture.fit();
    return Boolean(figure);
  }

  // The arrow keys turn a surface.
  #turns() {
    const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    this.#keyed(Object.keys(turns).join(" "), (event) => {
      const [across, up] = turns[event.key] ?? [0, 0];
      if ((across || up) && this.chart.turn(TURN * across, TURN * up)) event.preventDefault();
    });
  }

  #keyed(keys, act) {
    this.area.tabIndex = 0;
    this.area.setAttribute("aria-keyshortcuts", keys);
    this.area.onkeydown = act;
  }

  // What the reader is asked to draw, if anything.
  #question(ask) {
    if (ask && this.#drawing && this.#drawing.form === ask.form) return this.#drawing.receive(ask);
    this.#drawing?.leave();
    this.#drawing = ask && new AnswerDrawing(this, ask);
  }

  #pictured(figure, moving = false) {
    this.#figure = figure;
    if (!moving) this.#describe(); // nobody reads a sentence a frame
    this.shown = new Shown(figure);
    this.#picture.hang(this.#trail.under(figure), this.shown);
  }

  #describe(...words) {
    this.area.setAttribute("aria-label", [this.#alt, ...words, this.#trail.words].filter(Boolean).join(" "));
  }

  // ------------------------------------------------------------------------------------------ live

  /**
   * An answer of the live channel; while something is `moving` the axes stay where they can. One to a control may be of
   * other points than the editor's, which has them after the run: until then, or an edit, those of the figure count.
   */
  follow(figure, version, { moving, edited }) {
    if (version <= this.#version) return;
    this.#version = version;
    this.#passed = edited ? undefined : this.#link.editor?.exchange.state;
    const { layout } = this.#figure;
    this.#alt = this.#alt.replace(layout.meta.alt, () => figure.layout.meta.alt);
    this.#trail.leave(this.#figure, moving);
    this.#pictured(moving ? { ...figure, layout: steady(figure.layout, layout) } : figure, moving);
    if (!moving || shape(layout) !== shape(this.#figure.layout)) this.#picture.fit();
    this.#picture.draw(moving);
  }

  // The figure of a payload; nothing where the live channel has brought a newer one, or this one, which is not sent.
  #newest({ figure, name, live: from }) {
    if (!from) return figure;
    if (from.scene !== this.#scene) this.#version = 0;
    this.#scene = from.scene;
    if (from.version < this.#version || (!figure && from.version === this.#version)) return undefined;
    const found = figure ?? live.picture(from.scene, from.version, name);
    if (figure) live.keep(from.scene, from.version, name, figure);
    if (found) this.#version = from.version;
    else this.#send?.("missing", from.version);
    return found;
  }

  // Name and numbers at the edge of the picture, which the alt text has, too.
  #label(edge) {
    const place = part(this.root, "edge");
    const [name, line, key] = edge ?? ["", "", ""];
    place.hidden = !edge;
    this.#called = name;
    place.firstElementChild.textContent = kept(name);
    place.lastElementChild.textContent = kept(line);
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

  #follow(frames, cursor) {
    this.root.toggleAttribute("data-film", Boolean(frames ?? cursor));
    this.root.toggleAttribute("data-scrubs", Boolean(cursor));
    this.#picture.rewind();
    this.#playback.follow(frames, cursor);
    const { film } = this.#playback;
    if (!film) return;
    if (cursor) scrubs(this.area, this.chart, cursor.places, film);
    this.#keyed("Space ArrowLeft ArrowRight Home End", (event) => film.key(event));
  }

  #mark(place) {
    if (!this.chart.axes || place === undefined) return this.overlay.cursor(undefined);
    this.overlay.cursor(this.chart.column(place), this.chart.box()[1]);
  }

  #turn(frame, sentence) {
    this.root.dataset.frame = String(frame);
    const moment = this.#playback.film?.ticks[this.#playback.film.tick]?.label;
    const now = moment ? `Now: ${moment}.` : "";
    this.#describe(now, sentence);
    part(this.root, "edge").children[1].innerHTML = this.#playback.step?.dial ?? "";
    this.#picture.turn();
  }

  // -------------------------------------------------------------------------------- over the picture

  // Where a point of the figure stands now, according to the editor while an answer is on its way.
  #standing() {
    const editor = this.#ruling;
    if (!editor) return undefined;
    return (id, x, y) => {
      if (id === undefined) return { x, y };
      const point = editor.edits.find(id);
      return point && !point.gone ? point : undefined;
    };
  }

  // The editor, while its points are at least as new as those of the figure.
  get #ruling() {
    const editor = this.#edited;
    return editor?.ready && editor.exchange.state !== this.#passed ? editor : undefined;
  }

  /** Where a point stands in the picture, if it does. */
  place(id) {
    return (this.shows(id) && this.#ruling?.edits.find(id)) || this.shown.vertex(id);
  }

  // ---------------------------------------------------------------------------- one point, and all

  // A training point that is hovered (or clicked, which holds it) is ringed in every plane of the same link.
  #tell(change) {
    for (const plane of this.#link.planes) plane.#point(change);
  }

  #pick({ x, y }, id) {
    if (this.root.hasAttribute("data-picks")) this.#send?.("pick", { x, y, now: performance.now() });
    if (!this.#gestures && !this.#drawing?.open && id !== undefined) this.#hold(id);
  }

  // The point that a editor has chosen is the one that is held; a second click lets it go.
  #hold(id) {
    const { editor } = this.#link;
    const next = (held) => (id === held ? undefined : id);
    if (editor) editor.choose(next(editor.cursor));
    else this.#tell({ held: next(this.#playback.held) });
  }

  /** @param {Change} change */
  #point(change = {}) {
    if ("hovered" in change) this.#hovered = change.hovered;
    if ("held" in change) this.#playback.hold(change.held);
    const { editor } = this.#link;
    const id = this.#hovered ?? editor?.cursor ?? this.#playback.held;
    const place = id !== undefined && this.chart.axes && this.place(id); // a plane that is not shown has no pixels
    this.overlay.ring(place ? this.chart.pixelOf(place) : undefined);
    if (this.#edited) this.#grasp(this.#edited);
  }

  #grasp(editor) {
    const [width, height] = this.#picture.size;
    const { cursor } = editor;
    const point = cursor === undefined ? undefined : (this.place(cursor) ?? editor.edits.at(cursor));
    this.overlay.grasp(point ? this.chart.pixelOf(point) : [width / 2, height / 2], editor, this);
  }

  // The editor, where the points can be edited on this plane.
  get #edited() {
    return this.#gestures && this.#link.editor;
  }

  // -------------------------------------------------------------- what gestures and the editor need

  get editable() {
    return Boolean(this.#gestures);
  }

  /** Called as often as the editor likes; drawn once a frame. */
  moved() {
    this.#gestures?.moved();
    this.#picture.moved();
    // a run may have brought the points; those of a hand have a picture
    if (!this.#link.editor?.exchange.waits) this.#told();
  }

  limits() {
    return this.chart.limits();
  }

  /** The support value of a point in words; with the name of the machine where there are several. */
  support(id) {
    const name = this.#called;
    const words = this.shown.support(id);
    return words && `${name && `${name}: `}${words}`;
  }

  #told() {
    const editor = this.#edited;
    if (!editor?.ready || !this.#figure) return;
    const { labels } = editor.edits;
    const name = this.#called || this.#heading;
    const shown = [...document.querySelectorAll(".svm-numbers div")];
    const numbers = shown.map(({ children }) => [...children].map((part) => part.textContent).join(" "));
    const points = editor.edits.ids.map((id) => editor.edits.at(id));
    const { where } = this.#figure.layout.meta;
    this.overlay.summarise(summary(points, { name, labels, classes: editor.classes, numbers, where }));
  }

  /** A figure may leave points out, such as outliers that are switched off. */
  shows(id) {
    return this.shown.has(id) || Boolean(this.#edited?.exchange.waits);
  }

  // ---------------------------------------------------------------------------------- save, leave

  #save(format) {
    const shown = part(this.root, "edge");
    const title = shown.textContent.trim() || this.#heading;
    const { figure, size } = this.#picture.saved(title);
    return this.chart.save(figure, { format, name: this.name, size });
  }

  leave() {
    this.#picture.leave();
    this.#playback.leave();
    this.#drawing?.leave();
    this.#left.abort();
    this.#link.planes.delete(this);
    live.leave(this);
    this.chart.leave();
  }
}

/** What the height of a plane depends on: of a chart, whose units are not equal, not on its ranges. */
const shape = ({ margin, xaxis, yaxis }) =>
  JSON.stringify([margin, ...(yaxis.scaleanchor ? [xaxis.range, yaxis.range] : [])]);
