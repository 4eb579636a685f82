// What lies over a picture and is not of it: the ring around a point, the rectangle that selects, the place of a
// moment, the handle of the keys; and, on the canvas of the points, what no figure shows yet or what a step of a run is
// about.

import { lookOf } from "../base/classes.js";
import { part, setAttributes } from "../base/dom.js";
import { drawCross, drawMarkers, drawPair, drawWord } from "./canvas.js";

let summaries = 0;

/** The elements over a plane. */
export class Overlay {
  #ring;
  #band;
  #cursor;
  #summary;

  /** The element that has the keys. */
  handle;

  /** @param {HTMLElement} root of plane.html */
  constructor(root) {
    this.#ring = part(root, "ring");
    this.#band = part(root, "band");
    this.#cursor = part(root, "cursor");
    this.handle = part(root, "handle");
    this.#summary = part(root, "summary");
    summaries += 1;
    this.#summary.id = `svm-summary-${summaries}`;
    this.handle.setAttribute("aria-describedby", this.#summary.id);
  }

  /** @param {import("./chart.js").Spot | undefined} spot */
  showRing(spot) {
    this.#ring.classList.toggle("svm-on", Boolean(spot));
    if (spot) this.#ring.setAttribute("transform", `translate(${spot})`);
  }

  /** The rectangle [left, right], [top, bottom] that selects; none without a box. */
  showBand(box) {
    this.#band.classList.toggle("svm-on", Boolean(box));
    if (!box) return;
    const [[left, right], [top, bottom]] = box;
    setAttributes(this.#band, { x: left, y: top, width: right - left, height: bottom - top });
  }

  /** A line from top to bottom at the pixel x; none without one. */
  showCursor(x, [top, bottom] = [0, 0]) {
    this.#cursor.classList.toggle("svm-on", x !== undefined);
    if (x !== undefined) setAttributes(this.#cursor, { x1: x, x2: x, y1: top, y2: bottom });
  }

  /** What readers of the page's text hear about the plane. */
  summarise(text) {
    if (this.#summary.textContent !== text) this.#summary.textContent = text;
  }

  /**
   * The handle stands at the chosen point, in the middle of a plane without one, and its label describes the point, in
   * the machine of this plane, and the keys.
   */
  placeHandle([x, y], editor, plane) {
    this.handle.style.transform = `translate(${x}px, ${y}px)`;
    const { cursor, edits } = editor;
    const point = cursor === undefined ? `${edits.ids.length} points, none chosen` : editor.describe(cursor, [plane]);
    const keys = [
      "Arrow keys move it, with Alt they go to the nearest point that way, N and P to the next and the one before, ",
      { 0: "", 2: "X flips, " }[edits.labels.length] ?? "X gives it the next class, ",
      "O marks an outlier, S switches off, Delete deletes, A adds, T plays the support values, Control Z undoes.",
    ];
    const label = `${point}. ${keys.join("")}`;
    if (this.handle.ariaLabel !== label) this.handle.ariaLabel = label;
  }
}

/** A menu over a picture, which closes when something was chosen, with Escape, and when the focus leaves it. */
export function setUpMenu(box, choose) {
  const close = () => {
    if (box.contains(document.activeElement)) box.querySelector("summary").focus(); // what is hidden would lose it
    box.open = false;
  };
  box.onclick = ({ target }) => {
    if (!target.value) return;
    choose(target.value);
    close();
  };
  box.onkeydown = ({ key }) => {
    if (key === "Escape") close();
  };
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (!box.contains(relatedTarget)) box.open = false;
  });
}

/**
 * What the figure does not show yet: points just added, and which are selected.
 * @param {import("./canvas.js").Surface} surface
 * @param {import("../editing/point_editor.js").PointEditor} editor
 * @param {import("../plane.js").Plane} plane
 */
export function drawEdits(surface, editor, plane, { ink, ...colours }) {
  for (const id of editor.edits.ids) {
    const selected = editor.selection.has(id);
    if (!selected && plane.shownPoints.has(id)) continue;
    const { x, y, label } = { ...editor.edits.point(id), ...plane.placeOf(id) };
    if (!plane.shownPoints.has(id) && editor.exchange.hasPendingEdits) {
      const { symbol, ink: name } = lookOf(editor.edits.labels, label);
      drawMarker(surface, [x, y], { symbol, color: colours[name], size: 9, line: { width: 0 } });
    }
    if (selected && plane.shows(id)) {
      const size = plane.shownPoints.diameter(id) + 8;
      drawMarker(surface, [x, y], { symbol: "square-open", size, color: ink, line: { width: 2 } });
    }
  }
}

/**
 * What the step is about: its points ringed, large where they are named, and joined by its length; those left out are
 * crossed.
 * @param {import("./canvas.js").Surface} surface
 * @param {{ ringed: number[], words: string[], joined: [number, number, number][], crossed: number[] }} step
 * @param {Map<number, [number, number]>} spots where the points stand
 */
export function drawStep(surface, { ringed, words, joined, crossed }, spots, { ink, accent, page, font, by }) {
  const { pen, place } = surface;
  for (const [i, j, length] of joined) {
    const [from, to] = [spots.get(i), spots.get(j)];
    if (from && to) drawPair(pen, place, from, to, length, { ink, accent, page, font, by });
  }
  ringed.forEach((id, k) => {
    const spot = spots.get(id);
    if (!spot) return;
    const style = words[k]
      ? { size: 24, color: accent, line: { width: 2.5 } }
      : { size: 17, color: ink, line: { width: 1.8 } };
    drawMarker(surface, spot, { symbol: "circle-open", ...style });
    if (words[k]) drawWord(pen, place, spot, words[k], { ink, page, font, by });
  });
  for (const id of crossed) {
    const spot = spots.get(id);
    if (spot) drawCross(pen, place, spot, ink);
  }
}

function drawMarker({ pen, place }, [x, y], marker) {
  drawMarkers(pen, { x: [x], y: [y], marker }, place, () => ({ x, y }));
}
