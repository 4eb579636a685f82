// The drawing of a figure: never two at once, always the newest figure at the present size. Plotly draws it (chart.js);
// of a plane, which has to be fast, canvas.js draws the inside. The figure has tokens "var(--svm-plus)" instead of
// colours.

import { part, shadowSvg } from "../base/dom.js";
import { enlarge, enlargement } from "../controls/presenter.js";
import { drawFields, drawPoints, isNote } from "./canvas.js";
import { frameOf, hasNoPlotly, loadPlotly, replaceTokens, waitForScreen } from "./chart.js";
import { placeLegend } from "./corner.js";
import { FlipAnimation, hasFlip } from "./flip_animation.js";
import { addTitle, legendMargin, wantedHeight, withPortableFont } from "./frame.js";
import { placeKey, widenForKey, wrapKey } from "./key.js";
import { nameLines } from "./line_names.js";
import { drawStep } from "./overlays.js";
import { drawPlaceholder } from "./placeholder.js";
import { addSizes, markup, sizeMarks } from "./sizes.js";

const ABOVE = 3; // pixels between the title and the axes
const REST = 500; // milliseconds without another picture after which Plotly draws what moved
const SIGNS = ["pointerover", "pointermove", "pointerleave", "focusin"]; // of a hand, and where it is

/**
 * What lies over the picture.
 * @typedef {object} Over
 * @property {() => ((id: number | undefined, x: number, y: number) => any) | undefined}
 *   placeFinder where a point of the figure stands now, if not where the figure has it
 * @property {(surface: import("./canvas.js").Surface) => void} onPoints the points are on the canvas
 * @property {() => void} onPlace the axes or the points have moved
 * @property {() => void} onPaint a whole picture is on the screen
 * @property {() => Picture[]} linkedPictures the pictures of the same points, this one among them
 */

export class Picture {
  theme;
  /** @type {[number, number]} pixels */
  size = [0, 0];
  /** The size that the page asks for, as `wantedHeight` in frame.js takes it. */
  room = { height: 0, fill: 0, less: 0 };

  #root;
  #layers;
  #edge;
  #title = 0; // pixels of its title, which never become fewer: new axes cost more than the rest of a picture
  #titleRow = 0; // and those that it has: of pictures that ask for the same room none stands lower than the others
  #points;
  #placeholder;
  #sizes;
  #wait;
  #chart;
  #playback;
  #over;
  #figure;
  /** @type {import("./shown_points.js").ShownPoints | undefined} */
  #shownPoints;
  #enlargement = 1;
  #drawCount = 0;
  #isPlotted = false;
  #isWhole = false; // without Plotly
  /** @type {any} the last sign of a hand, for whom Plotly has hover boxes: nobody else waits for its four megabytes */
  #hand;
  #sizesMarkup = ""; // the key of sizes
  #frame = ""; // the axes and texts that are drawn without Plotly
  #titleLeft = ""; // where the title begins
  #isStale = false;
  #isBusy = false;
  #pointsRequest = 0;
  #redrawRequest = 0;
  #restTimer = 0;
  /** @type {object[]} the traces that the canvas shows */
  #traces = [];
  /** @type {object[]} and the notes beside their lines */
  #notes = [];
  /** @type {object[] | undefined} the traces and the colours of points that frames are put into */
  #base;
  #table;
  #watch;
  #flipping = new FlipAnimation();
  /** @type {Map<string, number>} */
  #namePlaces = new Map();

  /**
   * @param {HTMLElement} root of plane.html
   * @param {{ chart: import("./chart.js").Chart, playback: import("../film/playback.js").Playback }} parts
   * @param {Over} over
   */
  constructor(root, { chart, playback }, over) {
    this.#root = root;
    this.#layers = part(root, "layers");
    this.#edge = part(root, "edge");
    this.#points = part(root, "points");
    this.#placeholder = shadowSvg(part(root, "placeholder"));
    this.#sizes = shadowSvg(part(root, "sizes"));
    this.#wait = part(root, "wait");
    this.#chart = chart;
    this.#playback = playback;
    this.#over = over;
    this.#watch = new ResizeObserver(() => this.#resize());
    this.#watch.observe(root);
    addEventListener("resize", this.#handleResize);
    for (const sign of SIGNS) root.addEventListener(sign, this.#noticeHand);
  }

  #noticeHand = (event) => {
    const first = !this.#hand;
    this.#hand = event;
    if (first) this.draw();
  };

  /** From now on this figure, of which these points are `shown`; it is on the screen with the next `draw`. */
  setFigure(figure, shown) {
    const still = !this.#shownPoints || this.#playback.frames;
    if (!still && hasFlip(this.#shownPoints, shown)) this.#flipping.start(this.#flipping.tracesNow(this.#traces));
    this.#figure = figure;
    this.#shownPoints = shown;
  }

  /** The figure with the frame that is on the screen. */
  get currentFigure() {
    return { ...this.#figure, data: this.#playback.traces(this.#figure.data) };
  }

  /** The same with the row of its title. */
  get wholeFigure() {
    return { ...this.currentFigure, layout: this.#withTitleRow(this.#figure.layout) };
  }

  /** Whether a canvas shows the inside. */
  get isLayered() {
    return this.#traces.length > 0;
  }

  // ------------------------------------------------------------------------------------------ size

  /** Equal units leave the height of a narrow plane blank beyond that of its square. */
  fit() {
    const { margin: own, xaxis, yaxis } = this.#figure.layout;
    const height = this.#edge.offsetHeight;
    this.#title = height && Math.max(this.#title, height + ABOVE);
    this.#align();
    const { margin } = this.#withTitleRow(enlarge({ data: [], layout: { margin: own } }, enlargement()).layout);
    const rangeOf = (axis) => axis.range[1] - axis.range[0];
    const across = this.#root.clientWidth - margin.l - margin.r;
    const needed = yaxis.scaleanchor ? (across * rangeOf(yaxis)) / rangeOf(xaxis) + margin.t + margin.b : Infinity;
    this.#root.style.height = `${Math.min(wantedHeight(this.#root, this.room, Boolean(yaxis.scaleanchor)), needed)}px`;
  }

  #align() {
    const { fill, less } = this.room;
    const row = this.#over.linkedPictures().filter((one) => one.room.fill === fill && one.room.less === less);
    const titled = Math.max(this.#title, ...row.map((one) => one.#title));
    const others = row.filter((one) => one !== this && one.#titleRow !== titled);
    for (const one of [this, ...others]) one.#titleRow = titled;
    for (const one of others) {
      if (!one.#figure) continue;
      one.fit();
      one.draw();
    }
  }

  // With a row for the title above the axes, on which no point lies.
  #withTitleRow(layout) {
    return { ...layout, margin: { ...layout.margin, t: Math.max(layout.margin.t, this.#titleRow) } };
  }

  #handleResize = () => {
    if (this.#enlargement !== enlargement()) this.size = [0, 0];
    this.#enlargement = enlargement();
    this.#title = 0;
    this.#resize();
  };

  #resize() {
    if (!this.#figure) return;
    this.fit();
    const { clientWidth, clientHeight } = this.#root;
    if (String(this.size) !== String([clientWidth, clientHeight])) this.draw();
  }

  /**
   * On paper the picture of the screen is scaled to the width that is there: nothing can be drawn anew meanwhile.
   *
   * Chromium prints what was drawn a moment before stroke by stroke, and with it the clearing of the canvas, which
   * would wipe out the canvas below: in plane.css each has an opacity, and so is a group of its own.
   */
  fitPaper() {
    const [width, height] = this.size;
    if (!width) return;
    this.#root.style.setProperty("--svm-width", String(width));
    this.#root.style.setProperty("--svm-height", String(height));
    for (const svg of this.#svgs) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  leavePaper() {
    for (const svg of this.#svgs) svg.removeAttribute("viewBox");
  }

  get #svgs() {
    return [this.#placeholder, this.#sizes, ...this.#root.querySelectorAll(".svm-over, .main-svg")];
  }

  // --------------------------------------------------------------------------------------- drawing

  /**
   * The whole picture, as soon as the drawing that runs has ended. Plotly has no part in it while something moves, nor
   * before a hand comes near where the picture is whole without.
   */
  async draw(moving = false) {
    if (!this.#figure) return;
    const start = performance.now();
    const first = (moving || !this.#isPlotted) && this.#drawFirst(moving);
    clearTimeout(this.#restTimer);
    if (first && (moving || hasNoPlotly())) {
      if (moving) this.#root.toggleAttribute("data-settling", true);
      if (moving) this.#restTimer = setTimeout(() => this.draw(), REST);
      return this.#finish(start, moving);
    }
    this.#isStale = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      if (first) await waitForScreen(); // plotly.js occupies the page
      if (first && this.#isWhole && !this.#hand && !this.#root.matches("[data-picks]")) {
        this.#root.toggleAttribute("data-settling", false);
        return this.#finish(start);
      }
      if (this.#root.clientWidth) await loadPlotly();
      while (this.#isStale && this.#root.clientWidth) {
        this.#isStale = false;
        await this.#paint();
      }
    } catch (error) {
      this.#wait.hidden = false;
      this.#wait.textContent = `The picture could not be drawn: ${/** @type {Error} */ (error).message}`;
    } finally {
      this.#isBusy = false;
    }
  }

  async #paint() {
    const start = performance.now();
    const { figure, layered } = this.#prepare();
    await this.#chart.draw(figure, { layered });
    if (!this.#isPlotted && this.#hand) this.#chart.hover(this.#hand);
    for (const sign of SIGNS) this.#root.removeEventListener(sign, this.#noticeHand);
    this.#isPlotted = true;
    this.#frame = "";
    this.#root.toggleAttribute("data-ahead", false);
    this.#placeholder.replaceChildren();
    this.#markUp(figure.layout);
    this.drawLayers();
    this.#playback.markAgain();
    this.#finish(start);
  }

  // The picture without Plotly, where that has not drawn these axes; data-placeholder says whether it is whole, or
  // without texts.
  #drawFirst(moving) {
    this.#isWhole = false;
    if (!(moving && this.size[0]) && !this.#root.clientWidth) return false;
    const { figure, layered } = this.#prepare(moving);
    if (!layered || !this.#chart.placeAxes(figure.layout, this.size)) return false;
    const { isAhead, axes } = this.#chart;
    const frame = isAhead ? frameOf(figure.layout, figure.data) : "";
    if (frame !== this.#frame) {
      const whole = isAhead && drawPlaceholder(this.#placeholder, figure, axes);
      if (isAhead && !whole && this.#isPlotted) return false;
      if (!isAhead) this.#placeholder.replaceChildren(); // Plotly has its own
      this.#frame = frame;
      this.#root.dataset.placeholder = whole ? "whole" : "";
      this.#root.toggleAttribute("data-ahead", isAhead);
    }
    this.#isWhole = this.#root.dataset.placeholder === "whole";
    this.#markUp(figure.layout);
    this.drawLayers();
    if (!this.#wait.hidden) this.#wait.hidden = true; // to hide what is hidden would let the browser look at its style
    return true;
  }

  // Of the same size as before, or of that on the page: to ask for it may cost more than all the rest.
  #prepare(same = false) {
    const by = enlargement();
    this.#enlargement = by;
    const { data: all, layout: given } = enlarge(replaceTokens(this.currentFigure, this.theme.colours), by);
    if (!same || !this.size[0]) this.size = [this.#root.clientWidth, this.#root.clientHeight];
    const { data, layout } = fitFigure({ data: all, layout: this.#withTitleRow(given) }, this.size, this.#namePlaces);
    const layered = Boolean(layout.meta.layers);
    this.#traces = layered ? data : [];
    this.#root.toggleAttribute("data-layered", layered);
    const notes = layered ? (layout.annotations ?? []).filter(isNote) : [];
    this.#notes = notes.map((note) => ({ ...note, font: { ...layout.font, ...note.font } }));
    const { frames } = this.#playback;
    if (frames) {
      this.#base = enlarge({ data: replaceTokens(this.#figure.data, this.theme.colours), layout: {} }, by).data;
      this.#table = replaceTokens(frames.table, this.theme.colours);
    }
    return { figure: { data, layout }, layered };
  }

  #finish(start, moving = false) {
    if (!this.#wait.hidden) this.#wait.hidden = true;
    this.#root.dataset.ms = (performance.now() - start).toFixed(1);
    this.#root.dataset.drawn = String(++this.#drawCount);
    if (!moving) this.#over.onPaint();
  }

  // ------------------------------------------------------------------------- canvas, once a frame

  // The title, which begins with the axes, and the key of sizes. To set the same would let the browser look at all
  // styles of the plane again.
  #markUp(layout) {
    const { axes } = this.#chart;
    const left = `${axes.xaxis._offset}px`;
    if (left !== this.#titleLeft) this.#root.style.setProperty("--svm-left", left);
    this.#titleLeft = left;
    const title = this.#edge.textContent.trim();
    const marks = layout.meta.sizes ? markup(sizeMarks(layout, axes, title), layout) : "";
    if (marks !== this.#sizesMarkup) this.#sizes.innerHTML = marks;
    this.#sizesMarkup = marks;
  }

  /** Other frames come: the ones that were prepared are not to be used any more. */
  forgetFrames() {
    this.#base = undefined;
  }

  /** The film is at another frame. */
  showFrame() {
    if (!this.#base) return;
    this.#traces = this.#playback.traces(this.#base, this.#table);
    this.#redrawRequest ||= requestAnimationFrame(() => this.#redraw());
  }

  #redraw() {
    this.#redrawRequest = 0;
    const start = performance.now();
    this.drawLayers();
    this.#finish(start, this.#flipping.isRunning);
  }

  /** The points have moved. */
  refreshPoints() {
    this.#pointsRequest ||= requestAnimationFrame(() => this.#drawPoints());
  }

  /** Fields and points, where the axes are now. */
  drawLayers() {
    const { isRunning } = this.#flipping; // asked first: where the flip ends while it is drawn, its end is to come
    const traces = this.#flipping.tracesNow(this.#traces);
    if (this.isLayered) drawFields(this.#layers, traces, this.#chart.axes, this.size);
    this.#drawPoints();
    if (isRunning) this.#redrawRequest ||= requestAnimationFrame(() => this.#redraw());
  }

  // Markers, ring and handle where the points stand at this moment.
  #drawPoints() {
    this.#pointsRequest = 0;
    if (!this.#chart.axes) return;
    if (this.isLayered) {
      const now = this.#over.placeFinder();
      const surface = drawPoints(this.#points, this.#traces, this.#chart.axes, this.size, { notes: this.#notes, now });
      this.#over.onPoints(surface);
      const { step } = this.#playback;
      const style = { ...this.theme.colours, by: this.#enlargement };
      if (step) drawStep(surface, step, this.#shownPoints?.spots ?? new Map(), style);
    }
    this.#over.onPlace();
  }

  // ---------------------------------------------------------------------------------- save, leave

  /** The figure and the size with which it is saved under a title. */
  savedFigure(title) {
    const figure = replaceTokens(this.currentFigure, this.theme.colours);
    const { data, layout } = fitFigure(figure, this.size, this.#namePlaces);
    const whole = widenForKey(withPortableFont(layout));
    return addTitle({ data, layout: addSizes(whole) }, [whole.width, this.size[1]], title);
  }

  leave() {
    cancelAnimationFrame(this.#pointsRequest);
    cancelAnimationFrame(this.#redrawRequest);
    clearTimeout(this.#restTimer);
    this.#watch.disconnect();
    removeEventListener("resize", this.#handleResize);
  }
}

// The figure for so many pixels: the place of the key, the names of lines, the margins, the corner of the legend.
function fitFigure({ data: all, layout: given }, [width, height], ends) {
  const { data, layout } = nameLines(all, placeKey(wrapKey({ ...given, width, height })), ends);
  layout.margin = legendMargin(data, layout);
  layout.legend = placeLegend(data, layout);
  return { data, layout };
}
