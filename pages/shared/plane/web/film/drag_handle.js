// A point that lies on a straight line and moves a control: it is dragged along the line, or goes with the arrow keys.

import { pixelOf } from "../base/dom.js";

/**
 * @typedef {object} Track what Python sends
 * @property {string} name of the control
 * @property {string} label of the point
 * @property {number} low @property {number} high @property {number} step
 * @property {number} value where the point is
 * @property {[[number, number], [number, number]]} ends the places of the lowest and of the highest value
 */

const REACH = { mouse: 14, pen: 18, touch: 28 }; // pixels around the point that belong to it
const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 4, PageDown: -4 };

/** The value for a drag from one spot to another that began at `value`, on a line with these ends in pixels. */
export function valueAfterDrag({ low, high, step, value }, [[x1, y1], [x2, y2]], [fromX, fromY], [toX, toY]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const share = ((toX - fromX) * dx + (toY - fromY) * dy) / (dx * dx + dy * dy);
  const steps = Math.round((value - low + share * (high - low)) / step);
  return Math.min(Math.max(low + steps * step, low), high);
}

export class DragHandle {
  /** @type {Track} */
  #track;
  #plane;
  #value;
  /** @type {{ pointer: number, spot: [number, number], track: Track } | undefined} what a drag began with */
  #grip;
  #isKeyHeld = false;

  /** @param {Track} track  @param {import("../plane.js").Plane} plane */
  constructor(track, plane) {
    const { area, overlay } = plane;
    const { handle } = overlay;
    this.#track = track;
    this.#value = track.value;
    this.#plane = plane;
    area.onpointerdown = (event) => this.#handleDown(event);
    area.onpointermove = (event) => {
      if (this.#grip?.pointer !== event.pointerId) return; // another finger
      this.#holdValue(valueAfterDrag(this.#grip.track, this.#endPixels, this.#grip.spot, pixelOf(area, event)));
    };
    area.onlostpointercapture = (event) => this.#grip?.pointer === event.pointerId && this.#handleUp();
    const holdTouch = (event) => {
      const [touch, ...others] = event.touches;
      if (!others.length && this.#isHit(pixelOf(area, touch), "touch")) event.preventDefault();
    };
    area.addEventListener("touchstart", holdTouch, { passive: false });
    handle.setAttribute("role", "slider");
    handle.onkeydown = (event) => this.#handleKey(event);
    handle.onkeyup = handle.onblur = () => this.#finishKeys();
  }

  /** From now on this is what Python says; a point that is held stays in the hand. */
  follow(/** @type {Track} */ track) {
    this.#track = track;
    if (!this.#grip && !this.#isKeyHeld) this.#value = track.value;
    this.place();
  }

  /** The handle stands at the point, at the edge of the picture where that lies outside. */
  place() {
    if (!this.#plane.chart.axes) return;
    const { label, low, high } = this.#track;
    const told = { label, valuemin: low, valuemax: high, valuenow: this.#value };
    for (const [name, value] of Object.entries(told))
      this.#plane.overlay.handle.setAttribute(`aria-${name}`, String(value));
    this.#plane.overlay.handle.style.transform = `translate(${this.#spot.map((pixel) => `${pixel}px`).join()})`;
  }

  get #endPixels() {
    return /** @type {[[number, number], [number, number]]} */ (
      this.#track.ends.map(([x, y]) => this.#plane.chart.pixelOf({ x, y }))
    );
  }

  // Where the point is seen: an arrow at the edge points to one that lies outside.
  get #spot() {
    const { low, high } = this.#track;
    const [[x1, y1], [x2, y2]] = this.#endPixels;
    const share = (this.#value - low) / (high - low);
    const place = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
    const sides = this.#plane.chart.box();
    const middle = sides.map(([from, to]) => (from + to) / 2);
    const beyond = sides.map(([from, to], k) => Math.abs(place[k] - middle[k]) / ((to - from) / 2));
    const far = Math.max(1, ...beyond);
    return /** @type {[number, number]} */ (place.map((pixel, k) => middle[k] + (pixel - middle[k]) / far));
  }

  #isHit([x, y], kind) {
    if (!this.#plane.chart.axes) return false;
    const [left, top] = this.#spot;
    return Math.hypot(left - x, top - y) <= (REACH[kind] ?? REACH.mouse);
  }

  #handleDown(event) {
    const spot = pixelOf(this.#plane.area, event);
    if (event.button !== 0 || !event.isPrimary || !this.#isHit(spot, event.pointerType)) return;
    this.#grip = { pointer: event.pointerId, spot, track: { ...this.#track, value: this.#value } };
    this.#plane.area.setPointerCapture(event.pointerId);
    this.#plane.overlay.handle.focus({ preventScroll: true });
    this.#plane.root.toggleAttribute("data-dragging", true);
  }

  #handleUp() {
    this.#grip = undefined;
    this.#plane.root.toggleAttribute("data-dragging", false);
    this.#field?.letGo(this.#value);
  }

  #handleKey(event) {
    const by = KEYS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#isKeyHeld = true;
    const { low, high, step } = this.#track;
    this.#holdValue(Math.min(Math.max(this.#value + by * step, low), high));
  }

  // A key that is held is one change, when it is let go.
  #finishKeys() {
    if (this.#isKeyHeld) this.#field?.letGo(this.#value);
    this.#isKeyHeld = false;
  }

  // The control in the control bar, which follows and sends the change.
  get #field() {
    const root = document.querySelector(`.svm-field[data-name="${this.#track.name}"]`);
    return /** @type {any} */ (root)?.field;
  }

  #holdValue(value) {
    if (value === this.#value) return;
    this.#value = value;
    this.place();
    this.#field?.pull(value);
  }
}
