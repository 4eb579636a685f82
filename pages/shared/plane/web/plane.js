// One picture on the page, with all that belongs to it: the points under the hand, the film, the question, the other
// planes of the same points. picture.js draws its figure, shown_points.js knows the points of it.

import { part } from "./base/dom.js";
import { live } from "./base/live.js";
import { onColourChange, pageTheme } from "./base/theme.js";
import { summary } from "./base/voice.js";
import { fileName, keepTogether } from "./base/words.js";
import { Gestures } from "./editing/gestures.js";
import { linkOf } from "./editing/links.js";
import { DragHandle } from "./film/drag_handle.js";
import { enableScrubbing, Playback } from "./film/playback.js";
import { keepRanges } from "./picture/axes.js";
import { Chart } from "./picture/chart.js";
import { drawEdits, Overlay, setUpMenu } from "./picture/overlays.js";
import { Picture } from "./picture/picture.js";
import { ShownPoints } from "./picture/shown_points.js";
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
  shownPoints = new ShownPoints({ data: [] });

  #picture;
  #lifetime = new AbortController();
  #send;

  /** @type {any} the figure as it came */
  #figure;
  #trail = new Trail();
  #scene = "";
  /** @type {string | undefined} the state of the editor whose points the figure has passed */
  #passedState;
  #version = 0; // of the picture in its scene: what the page sends may be older than what the live channel has brought
  #alt = "";
  #machineName = "";
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
  #hoveredPoint;

  #playback;

  /** @param {HTMLElement} root of plane.html */
  constructor(root) {
    this.root = root;
    this.area = part(root, "image");
    this.overlay = new Overlay(root);
    this.chart = new Chart(part(root, "chart"), {
      onHover: (id) => this.#highlight({ hovered: this.#picture.isLayered ? id : undefined }),
      onClick: (place, id) => this.#pick(place, this.#picture.isLayered ? id : undefined),
      onZoom: () => this.#picture.drawLayers(),
      onSettle: (waiting) => root.toggleAttribute("data-settling", waiting),
    });
    this.#playback = new Playback({
      mark: (place) => this.#markPlace(place),
      show: (frame, sentence) => this.#showFrame(frame, sentence),
    });
    const parts = { chart: this.chart, playback: this.#playback };
    this.#picture = new Picture(root, parts, {
      placeFinder: () => this.#placeFinder(),
      onPoints: (surface) => this.#editor && drawEdits(surface, this.#editor, this, this.#picture.theme.colours),
      onPlace: () => {
        this.#drawing?.draw();
        this.#dragHandle?.place();
        this.#showPoint();
      },
      onPaint: () => this.#summarise(),
      linkedPictures: () => [...this.#link.planes].map((plane) => plane.#picture),
    });
    const forTests = { figure: { get: () => this.#picture.wholeFigure }, axes: { get: () => this.chart.axes } };
    Object.defineProperties(root, forTests); // Plotly has only a part
    const { signal } = this.#lifetime;
    addEventListener("svm-numbers", () => this.#summarise(), { signal });
    onColourChange(() => this.#picture.theme && this.receive(null, this.#send), signal);
    addEventListener("beforeprint", () => this.#picture.fitPaper(), { signal });
    addEventListener("afterprint", () => this.#picture.leavePaper(), { signal });
    setUpMenu(part(root, "save"), (format) => this.#save(format));
  }

  receive(payload, send) {
    this.#send = send;
    const theme = pageTheme(this.root);
    const same = theme.id === this.#picture.theme?.id;
    if (!payload && same) return;
    const drawn = Boolean(payload && this.#adopt(payload));
    this.#picture.theme = theme;
    if (drawn || !same) this.#picture.draw();
    else this.#picture.refreshPoints();
  }

  // Returns whether there is another figure to draw.
  #adopt(sent) {
    const { alt, name, link, height, fill, less, edge, heading, edit, drag_handle, frames, cursor, pick, ask } = sent;
    const cleared = this.#trail.setNames(sent.trail ?? []);
    const figure = this.#newestFigure(sent) ?? (cleared ? this.#figure : undefined);
    this.name = name;
    this.#picture.room = { height, fill, less };
    this.root.dataset.name = name;
    this.#heading = heading;
    if ((sent.live?.version ?? 0) >= this.#version) {
      this.#alt = alt;
      this.#showEdge(edge);
    }
    if (sent.live) live.join(this, sent.live.scene);
    this.#joinLink(link);
    if (figure && figure.layout.uirevision !== this.#figure?.layout.uirevision) {
      this.#trail.clear(); // another plane: neither the trail nor the point that is held is of it
      this.#playback.hold(undefined);
    }
    if (figure) this.#setFigure(figure);
    else this.#describe();
    if (!this.#figure) return false;
    // where there is room for it above the axes, the heading stands within the picture
    const headed = Boolean(heading) && this.#figure.layout.margin.t > HEADED;
    this.root.toggleAttribute("data-headed", headed);
    this.root.toggleAttribute("data-titled", headed || Boolean(edge));
    this.root.toggleAttribute("data-picks", Boolean(pick));
    this.root.toggleAttribute("data-editable", Boolean(edit));
    if (edit) this.#gestures ??= new Gestures(this, this.#link.ensureEditor());
    this.#showQuestion(ask);
    if (drag_handle) {
      this.root.toggleAttribute("data-drag-handle", true);
      this.#dragHandle ??= new DragHandle(drag_handle, this);
      this.#dragHandle.follow(drag_handle);
    }
    this.#followFilm(frames, cursor);
    if (this.#figure.layout.scene) this.#enableTurning();
    this.#picture.fit();
    return Boolean(figure);
  }

  // The arrow keys turn a surface.
  #enableTurning() {
    const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    this.#listenToKeys(Object.keys(turns).join(" "), (event) => {
      const [across, up] = turns[event.key] ?? [0, 0];
      if ((across || up) && this.chart.turn(TURN * across, TURN * up)) event.preventDefault();
    });
  }

  #listenToKeys(keys, act) {
    this.area.tabIndex = 0;
    this.area.setAttribute("aria-keyshortcuts", keys);
    this.area.onkeydown = act;
  }

  // What the reader is asked to draw, if anything.
  #showQuestion(ask) {
    if (ask && this.#drawing && this.#drawing.form === ask.form) return this.#drawing.receive(ask);
    this.#drawing?.leave();
    this.#drawing = ask && new AnswerDrawing(this, ask);
  }

  #setFigure(figure, moving = false) {
    this.#figure = figure;
    if (!moving) this.#describe(); // nobody reads a sentence a frame
    this.shownPoints = new ShownPoints(figure);
    this.#picture.setFigure(this.#trail.addTrail(figure), this.shownPoints);
  }

  #describe(...words) {
    this.area.setAttribute("aria-label", [this.#alt, ...words, this.#trail.sentence].filter(Boolean).join(" "));
  }

  // ------------------------------------------------------------------------------------------ live

  /**
   * An answer of the live channel; while something is `moving` the axes stay where they can. One to a control may be of
   * other points than the editor's, which has them after the run: until then, or an edit, those of the figure count.
   */
  follow(figure, version, { moving, edited }) {
    if (version <= this.#version) return;
    this.#version = version;
    this.#passedState = edited ? undefined : this.#link.editor?.exchange.state;
    const { layout } = this.#figure;
    this.#alt = this.#alt.replace(layout.meta.alt, () => figure.layout.meta.alt);
    this.#trail.addPicture(this.#figure, moving);
    this.#setFigure(moving ? { ...figure, layout: keepRanges(figure.layout, layout) } : figure, moving);
    if (!moving || heightKey(layout) !== heightKey(this.#figure.layout)) this.#picture.fit();
    this.#picture.draw(moving);
  }

  // The figure of a payload; nothing where the live channel has brought a newer one, or this one, which is not sent.
  #newestFigure({ figure, name, live: from }) {
    if (!from) return figure;
    if (from.scene !== this.#scene) this.#version = 0;
    this.#scene = from.scene;
    if (from.version < this.#version || (!figure && from.version === this.#version)) return undefined;
    const found = figure ?? live.picture(from.scene, from.version, name);
    if (figure) live.keepPicture(from.scene, from.version, name, figure);
    if (found) this.#version = from.version;
    else this.#send?.("missing", from.version);
    return found;
  }

  // Name and numbers at the edge of the picture, which the alt text has, too.
  #showEdge(edge) {
    const place = part(this.root, "edge");
    const [name, line, key] = edge ?? ["", "", ""];
    place.hidden = !edge;
    this.#machineName = name;
    place.firstElementChild.textContent = keepTogether(name);
    place.lastElementChild.textContent = keepTogether(line);
    place.lastElementChild.dataset.live = key;
  }

  #joinLink(name) {
    if (name === this.#linkName && this.#link.planes.has(this)) return;
    this.#link.planes.delete(this);
    this.#linkName = name;
    this.#link = linkOf(name);
    this.#link.planes.add(this);
  }

  // ------------------------------------------------------------------------------------------ film

  #followFilm(frames, cursor) {
    this.root.toggleAttribute("data-film", Boolean(frames ?? cursor));
    this.root.toggleAttribute("data-scrubs", Boolean(cursor));
    this.#picture.forgetFrames();
    this.#playback.follow(frames, cursor);
    const { film } = this.#playback;
    if (!film) return;
    if (cursor) enableScrubbing(this.area, this.chart, cursor.places, film);
    this.#listenToKeys("Space ArrowLeft ArrowRight Home End", (event) => film.handleKey(event));
  }

  #markPlace(place) {
    if (!this.chart.axes || place === undefined) return this.overlay.showCursor(undefined);
    this.overlay.showCursor(this.chart.columnOf(place), this.chart.box()[1]);
  }

  #showFrame(frame, sentence) {
    this.root.dataset.frame = String(frame);
    const moment = this.#playback.film?.ticks[this.#playback.film.tick]?.label;
    const now = moment ? `Now: ${moment}.` : "";
    this.#describe(now, sentence);
    part(this.root, "edge").children[1].innerHTML = this.#playback.step?.dial ?? "";
    this.#picture.showFrame();
  }

  // -------------------------------------------------------------------------------- over the picture

  // Where a point of the figure stands now, according to the editor while an answer is on its way.
  #placeFinder() {
    const editor = this.#rulingEditor;
    if (!editor) return undefined;
    return (id, x, y) => {
      if (id === undefined) return { x, y };
      const point = editor.edits.find(id);
      return point && !point.gone ? point : undefined;
    };
  }

  // The editor, while its points are at least as new as those of the figure.
  get #rulingEditor() {
    const editor = this.#editor;
    return editor?.isReady && editor.exchange.state !== this.#passedState ? editor : undefined;
  }

  /** Where a point stands in the picture, if it does. */
  placeOf(id) {
    return (this.shows(id) && this.#rulingEditor?.edits.find(id)) || this.shownPoints.vertex(id);
  }

  // ---------------------------------------------------------------------------- one point, and all

  // A training point that is hovered (or clicked, which holds it) is ringed in every plane of the same link.
  #highlight(change) {
    for (const plane of this.#link.planes) plane.#showPoint(change);
  }

  #pick({ x, y }, id) {
    if (this.root.hasAttribute("data-picks")) this.#send?.("pick", { x, y, now: performance.now() });
    if (!this.#gestures && !this.#drawing?.isOpen && id !== undefined) this.#holdPoint(id);
  }

  // The point that an editor has chosen is the one that is held; a second click lets it go.
  #holdPoint(id) {
    const { editor } = this.#link;
    const next = (held) => (id === held ? undefined : id);
    if (editor) editor.choose(next(editor.cursor));
    else this.#highlight({ held: next(this.#playback.heldPoint) });
  }

  /** @param {Change} change */
  #showPoint(change = {}) {
    if ("hovered" in change) this.#hoveredPoint = change.hovered;
    if ("held" in change) this.#playback.hold(change.held);
    const { editor } = this.#link;
    const id = this.#hoveredPoint ?? editor?.cursor ?? this.#playback.heldPoint;
    const place = id !== undefined && this.chart.axes && this.placeOf(id); // a plane that is not shown has no pixels
    this.overlay.showRing(place ? this.chart.pixelOf(place) : undefined);
    if (this.#editor) this.#placeHandle(this.#editor);
  }

  #placeHandle(editor) {
    const [width, height] = this.#picture.size;
    const { cursor } = editor;
    const point = cursor === undefined ? undefined : (this.placeOf(cursor) ?? editor.edits.point(cursor));
    this.overlay.placeHandle(point ? this.chart.pixelOf(point) : [width / 2, height / 2], editor, this);
  }

  // The editor, where the points can be edited on this plane.
  get #editor() {
    return this.#gestures && this.#link.editor;
  }

  // -------------------------------------------------------------- what gestures and the editor need

  get isEditable() {
    return Boolean(this.#gestures);
  }

  /** Called as often as the editor likes; drawn once a frame. */
  refresh() {
    this.#gestures?.refreshBand();
    this.#picture.refreshPoints();
    // a run may have brought the points; those of a hand have a picture
    if (!this.#link.editor?.exchange.hasPendingEdits) this.#summarise();
  }

  /** The support value of a point in words; with the name of the machine where there are several. */
  supportWords(id) {
    const name = this.#machineName;
    const words = this.shownPoints.supportWords(id);
    return words && `${name && `${name}: `}${words}`;
  }

  #summarise() {
    const editor = this.#editor;
    if (!editor?.isReady || !this.#figure) return;
    const { labels } = editor.edits;
    const name = this.#machineName || this.#heading;
    const shown = [...document.querySelectorAll(".svm-numbers div")];
    const told = (part) => (part.querySelector("button") ?? part).textContent; // not what a name means
    const numbers = shown.map(({ children }) => [...children].map(told).join(" "));
    const points = editor.edits.ids.map((id) => editor.edits.point(id));
    const { where } = this.#figure.layout.meta;
    this.overlay.summarise(summary(points, { name, labels, classes: editor.classes, numbers, where }));
  }

  /** A figure may leave points out, such as outliers that are switched off. */
  shows(id) {
    return this.shownPoints.has(id) || Boolean(this.#editor?.exchange.hasPendingEdits);
  }

  // ---------------------------------------------------------------------------------- save, leave

  #save(format) {
    const shown = part(this.root, "edge");
    const title = shown.textContent.trim() || this.#heading;
    const { figure, size } = this.#picture.savedFigure(title);
    const name = fileName(location.pathname, this.#machineName || this.#heading || this.name);
    return this.chart.save(figure, { format, name, size });
  }

  leave() {
    this.#picture.leave();
    this.#playback.leave();
    this.#drawing?.leave();
    this.#lifetime.abort();
    this.#link.planes.delete(this);
    live.leave(this);
    this.chart.leave();
  }
}

/** What the height of a plane depends on: of a chart, whose units are not equal, not on its ranges. */
const heightKey = ({ margin, xaxis, yaxis }) =>
  JSON.stringify([margin, ...(yaxis.scaleanchor ? [xaxis.range, yaxis.range] : [])]);
