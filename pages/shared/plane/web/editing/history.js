// The history of the edits in the memory of the browser, for a page that is loaded anew: of the points edited last.

import { recall, remember } from "../base/memory.js";

const NAME = "history";
const REMEMBERED = 20; // steps of undo, and as many of redo

/** @typedef {import("./edits.js").Edits} Edits */

/** The history that led to these edits of this draw, if it is what the browser remembers. @param {Edits} edits */
export function recallHistory(edits, draw) {
  try {
    const { past, future, ...led } = JSON.parse(recall(NAME));
    const isHere = JSON.stringify(led) === JSON.stringify({ draw, script: scriptOf(edits) });
    if (isHere && [past, future].every(areSteps)) edits.history = { past, future };
  } catch {
    // nothing was remembered, or another program has written it
  }
}

/** @param {Edits} edits of this draw */
export function rememberHistory(edits, draw) {
  const [past, future] = [edits.history.past, edits.history.future].map((steps) => steps.slice(-REMEMBERED));
  remember(NAME, JSON.stringify({ draw, script: scriptOf(edits), past, future }));
}

// Without the order in which points were touched, which Python does not keep.
const scriptOf = (edits) => [edits.step, edits.rows().sort(([one], [other]) => one - other)];

const areSteps = (steps) => Array.isArray(steps) && steps.every(isStep);

const isStep = ({ what, rows }) => typeof what === "string" && Array.isArray(rows) && rows.every(isRow);

const isRow = (row) => Array.isArray(row) && row.length === 4 && row.every(Number.isInteger);
