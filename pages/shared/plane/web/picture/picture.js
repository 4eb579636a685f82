// The drawing of a figure: never two at once, always the newest figure at the present size. Plotly draws it (chart.js);
// of a plane, which has to be fast, canvas.js draws the inside. The figure has tokens "var(--svm-plus)" instead of
// colours.

import { part, sheltered } from "../base/dom.js";
import { enlarged, enlargement } from "../controls/present.js";
import { drawFields, drawPoints, isNote } from "./canvas.js";
import { coloured, frameOf, library, onScreen, unaided } from "./chart.js";
import { cornered } from "./corner.js";
import { ended } from "./ends.js";
import { Flipping, flipped } from "./flipping.js";
import { lettered, roomed, titled, wanted } from "./frame.js";
import { keyed, uncut, widened } from "./key.js";
import { drawStep } from "./overlays.js";
import { drawPlaceholder } from "./placeholder.js";
import { markup, sizeMarks, withSizes } from "./sizes.js";

const ABOVE = 3; // pixels between the title and the axes
const REST = 500; // milliseconds without another picture after which Plotly draws what moved
const SIGNS = ["pointerover", "pointermove", "pointerleave", "focusin"]; // of a hand, and where it is

/**
 * What lies over the picture.
 * @typedef {object} Over
 * @property {() => ((id: number | undefined, x: number, y: number) => any) | undefined}
 *   standing where a point of the figure stands now, if not where the figure has it
 * @property {(surface: import("./canvas.js").Surface) => void} drawn the points are on the canvas
 * @property {() => void} placed the axes or the points have moved
 * @property {() => void} painted a whole picture is on the screen
 * @property {() => Picture[]} linked the pictures of the same points, this one among them
 */

export class Picture {
  theme;
  /** @type {[number, number]} pixels */
  size = [0, 0];
  /** The size that the page asks for, as `wanted` in frame.js takes it. */
  room = { height: 0, fill: 0, less: 0 };

  #root;
  #layers;
  #edge;
  #title = 0; // pixels of its title, which never become fewer: new axes cost more than the rest of a picture
  #titled = 0; // and those that it has: of pictures that ask for the same room none stands lower than the others
  #points;
  #placeholder;
  #sizes;
  #wait;
  #chart;
  #playback;
  #over;
  #figure;
  /** @type {import("./shown.js").Shown | undefined} */
  #shown;
  #by = 1;
  #drawn = 0;
  #plotted = false;
  #whole = false; // without Plotly
  /** @type {any} the last sign of a hand, for whom Plotly has hover boxes: nobody else waits for its four megabytes */
  #hand;
  #sized = ""; // the key of sizes
  #frame = ""; // the axes and texts that are drawn without Plotly
  #left = ""; // where the title begins
  #stale = false;
  #busy = false;
  #fresh = 0;
  #again = 0;
  #resting = 0;
  /** @type {object[]} the traces that the canvas shows */
  #layered = [];
  /** @type {object[]} and the notes beside their lines */
  #notes = [];
  /** @type {object[] | undefined} the traces and the colours of points that frames are put into */
  #base;
  #table;
  #watch;
  #flipping = new Flipping();
  /** @type {Map<string, number>} */
  #ends = new Map();

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
    this.#placeholder = sheltered(part(root, "placeholder"));
    this.#sizes = sheltered(part(root, "sizes"));
    this.#wait = part(root, "wait");
    this.#chart = chart;
    this.#playback = playback;
    this.#over = over;
    this.#watch = new ResizeObserver(() => this.#resized());
    this.#watch.observe(root);
    addEventListener("resize", this.#windowed);
    for (const sign of SIGNS) root.addEventListener(sign, this.#near);
  }

  #near = (event) => {
    const first = !this.#hand;
    this.#hand = event;
    if (first) this.draw();
  };

  /** From now on this figure, of which these points are `shown`; it is on the screen with the next `draw`. */
  hang(figure, shown) {
    const still = !this.#shown || this.#playback.frames;
    if (!still && flipped(this.#shown, shown)) this.#flipping.begin(this.#flipping.at(this.#layered));
    this.#figure = figure;
    this.#shown = shown;
  }

  /** The figure with the frame that is on the screen. */
  get now() {
    return { ...this.#figure, data: this.#playback.traces(this.#figure.data) };
  }

  /** The same with the row of its title. */
  get whole() {
    return { ...this.now, layout: this.#headed(this.#figure.layout) };
  }

  /** Whether a canvas shows the inside. */
  get layered() {
    return this.#layered.length > 0;
  }

  // ------------------------------------------------------------------------------------------ size

  /** Equal units leave the height of a narrow plane blank beyond that of its square. */
  fit() {
    const { margin: own, xaxis, yaxis } = this.#figure.layout;
    const height = this.#edge.offsetHeight;
    this.#title = height && Math.max(this.#title, height + ABOVE);
    this.#align();
    const { margin } = this.#headed(enlarged({ data: [], layout: { margin: own } }, enlargement()).layout);
    const side = (axis) => axis.range[1] - axis.range[0];
    const across = this.#root.clientWidth - margin.l - margin.r;
    const needed = yaxis.scaleanchor ? (across * side(yaxis)) / side(xaxis) + margin.t + margin.b : Infinity;
    this.#root.style.height = `${Math.min(wanted(this.#root, this.room, Boolean(yaxis.scaleanchor)), needed)}px`;
  }

  #align() {
    const { fill, less } = this.room;
    const row = this.#over.linked().filter((one) => one.room.fill === fill && one.room.less === less);
    const titled = Math.max(this.#title, ...row.map((one) => one.#title));
    const others = row.filter((one) => one !== this && one.#titled !== titled);
    for (const one of [this, ...others]) one.#titled = titled;
    for (const one of others) {
      if (!one.#figure) continue;
      one.fit();
      one.draw();
    }
  }

  // With a row for the title above the axes, on which no point lies.
  #headed(layout) {
    return { ...layout, margin: { ...layout.margin, t: Math.max(layout.margin.t, this.#titled) } };
  }

  #windowed = () => {
    if (this.#by !== enlargement()) this.size = [0, 0];
    this.#by = enlargement();
    this.#title = 0;
    this.#resized();
  };

  #resized() {
    if (!this.#figure) return;
    this.fit();
    const { clientWidth, clientHeight } = this.#root;
    if (String(this.size) !== String([clientWidth, clientHeight])) this.draw();
  }

  // --------------------------------------------------------------------------------------- drawing

  /**
   * The whole picture, as soon as the drawing that runs has ended. Plotly has no part in it while something moves, nor
   * before a hand comes near where the picture is whole without.
   */
  async draw(moving = false) {
    if (!this.#figure) return;
    const start = performance.now();
    const first = (moving || !this.#plotted) && this.#drawFirst(moving);
    clearTimeout(this.#resting);
    if (first && (moving || unaided())) {
      if (moving) this.#root.toggleAttribute("data-settling", true);
      if (moving) this.#resting = setTimeout(() => this.draw(), REST);
      return this.#painted(start, moving);
    }
    this.#stale = true;
    if (this.#busy) return;
    this.#busy = true;
    try {
      if (first) await onScreen(); // plotly.js occupies the page
      if (first && this.#whole && !this.#hand && !this.#root.matches("[data-picks]")) {
        this.#root.toggleAttribute("data-settling", false);
        return this.#painted(start);
      }
      if (this.#root.clientWidth) await library();
      while (this.#stale && this.#root.clientWidth) {
        this.#stale = false;
        await this.#paint();
      }
    } catch (error) {
      this.#wait.hidden = false;
      this.#wait.textContent = `The picture could not be drawn: ${/** @type {Error} */ (error).message}`;
    } finally {
      this.#busy = false;
    }
  }

  async #paint() {
    const start = performance.now();
    const { figure, layered } = this.#prepared();
    await this.#chart.draw(figure, { layered });
    if (!this.#plotted && this.#hand) this.#chart.hover(this.#hand);
    for (const sign of SIGNS) this.#root.removeEventListener(sign, this.#near);
    this.#plotted = true;
    this.#frame = "";
    this.#root.toggleAttribute("data-ahead", false);
    this.#placeholder.replaceChildren();
    this.#markUp(figure.layout);
    this.layersUp();
    this.#playback.remark();
    this.#painted(start);
  }

  // The picture without Plotly, where that has not drawn these axes; data-placeholder says whether it is whole, or
  // without texts.
  #drawFirst(moving) {
    this.#whole = false;
    if (!(moving && this.size[0]) && !this.#root.clientWidth) return false;
    const { figure, layered } = this.#prepared(moving);
    if (!layered || !this.#chart.placeAxes(figure.layout, this.size)) return false;
    const { ahead, axes } = this.#chart;
    const frame = ahead ? frameOf(figure.layout, figure.data) : "";
    if (frame !== this.#frame) {
      const whole = ahead && drawPlaceholder(this.#placeholder, figure, axes);
      if (ahead && !whole && this.#plotted) return false;
      if (!ahead) this.#placeholder.replaceChildren(); // Plotly has its own
      this.#frame = frame;
      this.#root.dataset.placeholder = whole ? "whole" : "";
      this.#root.toggleAttribute("data-ahead", ahead);
    }
    this.#whole = this.#root.dataset.placeholder === "whole";
    this.#markUp(figure.layout);
    this.layersUp();
    if (!this.#wait.hidden) this.#wait.hidden = true; // to hide what is hidden would let the browser look at its style
    return true;
  }

  // Of the same size as before, or of that on the page: to ask for it may cost more than all the rest.
  #prepared(same = false) {
    const by = enlargement();
    this.#by = by;
    const { data: all, layout: given } = enlarged(coloured(this.now, this.theme.colours), by);
    if (!same || !this.size[0]) this.size = [this.#root.clientWidth, this.#root.clientHeight];
    const { data, layout } = fitted({ data: all, layout: this.#headed(given) }, this.size, this.#ends);
    const layered = Boolean(layout.meta.layers);
    this.#layered = layered ? data : [];
    this.#root.toggleAttribute("data-layered", layered);
    const notes = layered ? (layout.annotations ?? []).filter(isNote) : [];
    this.#notes = notes.map((note) => ({ ...note, font: { ...layout.font, ...note.font } }));
    const { frames } = this.#playback;
    if (frames) {
      this.#base = enlarged({ data: coloured(this.#figure.data, this.theme.colours), layout: {} }, by).data;
      this.#table = coloured(frames.table, this.theme.colours);
    }
    return { figure: { data, layout }, layered };
  }

  #painted(start, moving = false) {
    if (!this.#wait.hidden) this.#wait.hidden = true;
    this.#root.dataset.ms = (performance.now() - start).toFixed(1);
    this.#root.dataset.drawn = String(++this.#drawn);
    if (!moving) this.#over.painted();
  }

  // ------------------------------------------------------------------------- canvas, once a frame

  // The title, which begins with the axes, and the key of sizes. To set the same would let the browser look at all
  // styles of the plane again.
  #markUp(layout) {
    const { axes } = this.#chart;
    const left = `${axes.xaxis._offset}px`;
    if (left !== this.#left) this.#root.style.setProperty("--svm-left", left);
    this.#left = left;
    const title = this.#edge.textContent.trim();
    const marks = layout.meta.sizes ? markup(sizeMarks(layout, axes, title), layout) : "";
    if (marks !== this.#sized) this.#sizes.innerHTML = marks;
    this.#sized = marks;
  }

  /** Other frames come: the ones that were prepared are not to be used any more. */
  rewind() {
    this.#base = undefined;
  }

  /** The film is at another frame. */
  turn() {
    if (!this.#base) return;
    this.#layered = this.#playback.traces(this.#base, this.#table);
    this.#again ||= requestAnimationFrame(() => this.#redraw());
  }

  #redraw() {
    this.#again = 0;
    const start = performance.now();
    this.layersUp();
    this.#painted(start, this.#flipping.runs);
  }

  /** The points have moved. */
  moved() {
    this.#fresh ||= requestAnimationFrame(() => this.#pointsUp());
  }

  /** Fields and points, where the axes are now. */
  layersUp() {
    const { runs } = this.#flipping; // asked first: where the flip ends while it is drawn, its end is still to come
    const traces = this.#flipping.at(this.#layered);
    if (this.layered) drawFields(this.#layers, traces, this.#chart.axes, this.size);
    this.#pointsUp();
    if (runs) this.#again ||= requestAnimationFrame(() => this.#redraw());
  }

  // Markers, ring and handle where the points stand at this moment.
  #pointsUp() {
    this.#fresh = 0;
    if (!this.#chart.axes) return;
    if (this.layered) {
      const now = this.#over.standing();
      const surface = drawPoints(this.#points, this.#layered, this.#chart.axes, this.size, { notes: this.#notes, now });
      this.#over.drawn(surface);
      const { step } = this.#playback;
      if (step) drawStep(surface, step, this.#shown?.spots ?? new Map(), { ...this.theme.colours, by: this.#by });
    }
    this.#over.placed();
  }

  // ---------------------------------------------------------------------------------- save, leave

  /** The figure and the size with which it is saved under a title. */
  saved(title) {
    const { data, layout } = fitted(coloured(this.now, this.theme.colours), this.size, this.#ends);
    const whole = widened(lettered(layout));
    return titled({ data, layout: withSizes(whole) }, [whole.width, this.size[1]], title);
  }

  leave() {
    cancelAnimationFrame(this.#fresh);
    cancelAnimationFrame(this.#again);
    clearTimeout(this.#resting);
    this.#watch.disconnect();
    removeEventListener("resize", this.#windowed);
  }
}

// The figure for so many pixels: the place of the key, the names of lines, the margins, the corner of the legend.
function fitted({ data: all, layout: given }, [width, height], ends) {
  const { data, layout } = ended(all, keyed(uncut({ ...given, width, height })), ends);
  layout.margin = roomed(data, layout);
  layout.legend = cornered(data, layout);
  return { data, layout };
}
