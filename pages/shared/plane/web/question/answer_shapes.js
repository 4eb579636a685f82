// The shapes in which an answer is drawn over a picture: lines, rings, points, words and a scale, in pixels.

import { pageTheme } from "../base/theme.js";
import { measured, placeOf } from "./answer.js";

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 14; // pixels between a scale and the edge of the picture
const NUMBERS = { said: "you", is: "it is" };

/** @typedef {[number, number]} Spot pixels */

export class AnswerShapes {
  #root;
  #chart;
  #drawing = document.createElementNS(SVG, "g");

  /**
   * @param {HTMLElement} root of plane.html
   * @param {import("../picture/chart.js").Chart} chart
   */
  constructor(root, chart) {
    this.#root = root;
    this.#chart = chart;
    this.#drawing.setAttribute("class", "svm-answer-drawing");
    root.querySelector(".svm-over")?.append(this.#drawing);
  }

  clear() {
    this.#drawing.replaceChildren();
  }

  leave() {
    this.#drawing.remove();
  }

  /** A line on a halo. @param {Spot} from  @param {Spot} to */
  line([x1, y1], [x2, y2], name) {
    this.#put("line", { x1, y1, x2, y2, class: "svm-halo" });
    this.#put("line", { x1, y1, x2, y2, class: name });
  }

  /** @param {Spot | undefined} spot  nothing is drawn without one */
  circle(spot, r, name) {
    if (spot) this.#put("circle", { cx: spot[0], cy: spot[1], r, class: name });
  }

  /** @param {Spot | undefined} spot  nothing is drawn without one */
  cross(spot) {
    if (!spot) return;
    const [x, y] = spot;
    this.#put("path", { d: `M${x - 9} ${y - 9}l18 18m0 -18l-18 18`, class: "svm-crossed" });
  }

  /** A point of the class `label`, 1 or -1, with words above it. */
  point([x, y], label, name, words) {
    const { plus, minus } = pageTheme(this.#root).colours;
    if (label > 0) this.#put("circle", { cx: x, cy: y, r: 9, fill: plus, class: name });
    else this.#put("rect", { x: x - 8, y: y - 8, width: 16, height: 16, fill: minus, class: name });
    this.circle([x, y], 14, `svm-around ${name}`);
    if (words) this.word([x, y - 20], words);
  }

  /** A text, moved as far as the picture asks for. */
  word([x, y], text) {
    const [[left, right], [top, bottom]] = this.#chart.box();
    const half = 5 * text.length;
    const place = {
      x: Math.min(Math.max(x, left + half), right - half),
      y: Math.min(Math.max(y, top + 14), bottom - 6),
    };
    this.#put("text", { ...place, class: "svm-word" }).textContent = text;
  }

  /**
   * A scale along the lower edge with the number that is given, or with all that have marks.
   * @param {import("./answer.js").Scale} scale
   */
  scale(scale, given) {
    const [[left, right], [, bottom]] = this.#chart.box();
    const y = bottom - EDGE;
    const [low, high] = [left + EDGE, right - EDGE];
    this.line([low, y], [high, y], "svm-scale");
    for (const [k, [name, number]] of Object.entries(scale.marks ?? { said: given }).entries()) {
      const x = low + placeOf(number, scale) * (high - low);
      this.circle([x, y], 6, `svm-number svm-number-${name}`);
      this.word([x, y - 14 - 18 * k], `${NUMBERS[name]}: ${measured(number, scale)}`);
    }
  }

  #put(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    this.#drawing.append(element);
    return element;
  }
}
