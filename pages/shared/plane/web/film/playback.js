// The part of one plane in a film: with frames it shows the frame of the film's moment, with a cursor it marks its
// place.

import { pixelOf } from "../base/dom.js";
import { filmOf } from "./film.js";
import { frameAt, pointSentence, tracesInFrame } from "./frames.js";

/**
 * @typedef {object} Screen the plane
 * @property {(place: number | undefined) => void} mark that place on the horizontal axis
 * @property {(frame: number, sentence: string) => void} show that frame, -1 for none, and its sentence
 */

export class Playback {
  /** @type {number | undefined} the training point that is followed */
  heldPoint;
  /** @type {number | undefined} the frame that is on the screen, -1 for none */
  frame;
  /** @type {import("./film.js").Film | undefined} the film that is followed */
  film;
  /** @type {any} the frames, where there are any, as `film_frames` in component.py sends them */
  frames;

  #screen;
  /** @type {number | undefined} the version of the moments that these are the frames of */
  #version;
  /** @type {number[] | undefined} */
  #places;

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
  }

  /** From now on these frames or places, of the film that they name; none without either. */
  follow(frames, cursor) {
    const { film: name, version } = frames ?? cursor ?? {};
    const film = name ? filmOf(name) : undefined;
    if (film !== this.film) this.leave();
    this.film = film;
    this.film?.viewers.add(this);
    this.frames = frames;
    this.#places = cursor?.places;
    this.#version = version;
    if (!this.film) return;
    this.frame = undefined;
    this.showTick(this.film.tick);
    this.film.transport?.showPoint();
  }

  /** Show a moment of the film, unless it is of a run whose frames this plane does not hold. */
  showTick(tick) {
    if (this.#version !== this.film?.version) return;
    if (this.#places) return this.#screen.mark(this.#places[tick]);
    if (!this.frames) return;
    const k = frameAt(this.frames, tick);
    if (k === this.frame) return;
    this.frame = k;
    this.#screen.show(k, this.step?.sentence ?? "");
  }

  /** Once more what is on the screen: the axes have changed. */
  markAgain() {
    if (this.#places && this.film) this.showTick(this.film.tick);
  }

  /** Whether the frames contain the support values of single points. */
  get hasDetails() {
    return Boolean(this.frames?.details);
  }

  /** Words on the point that is followed. */
  describePoint(tick) {
    const { heldPoint, frames } = this;
    return heldPoint === undefined || !frames ? undefined : pointSentence(frames, heldPoint, frameAt(frames, tick));
  }

  hold(id) {
    this.heldPoint = id;
    if (this.frames) this.film?.transport?.showPoint();
  }

  /** The traces in the frame that is on the screen; a figure comes with the last. */
  traces(data, table) {
    return this.frames && this.frame !== undefined ? tracesInFrame(this.frames, data, this.frame, table) : data;
  }

  /** What the step of this frame is about, if it shows one. */
  get step() {
    return this.frame === undefined ? undefined : this.frames?.marks[this.frame];
  }

  leave() {
    this.film?.viewers.delete(this);
  }
}

/** Clicking or dragging on the area goes to the nearest moment of the film. */
export function enableScrubbing(area, chart, places, film) {
  const nearestTick = (event) => {
    const [x] = pixelOf(area, event);
    const gap = (place) => Math.abs(chart.columnOf(place) - x);
    return places.reduce((best, place, k) => (gap(place) < gap(places[best]) ? k : best), 0);
  };
  area.onpointerdown = (event) => {
    if (event.button !== 0 || !chart.axes) return;
    area.setPointerCapture(event.pointerId);
    film.goTo(nearestTick(event));
  };
  area.onpointermove = (event) => area.hasPointerCapture(event.pointerId) && film.goTo(nearestTick(event));
}
