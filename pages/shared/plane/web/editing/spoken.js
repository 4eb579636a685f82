// Points in the sentences of the editor, which a screen reader reads out.

import { called } from "./edits.js";

/** A coordinate in a sentence, with a minus sign, and none at what is rounded to zero. */
const written = (/** @type {number} */ value, /** @type {number} */ digits) =>
  value
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");

/**
 * What a point is, where, and how it stands.
 * @param {import("./edits.js").Edits} edits
 * @param {Record<string, string>} classes the names of the classes, by their labels
 */
export function inWords(id, edits, classes) {
  const { x, y, label, mark, off } = edits.at(id);
  const digits = (axis) => Math.max(0, -edits.step[axis] - 1);
  const place = `${written(x, digits(0))}, ${written(y, digits(1))}`;
  const kind = edits.labels.length ? `, class ${classes[label]}` : "";
  return `${called(id)}${kind}, at ${place}${mark ? ", outlier" : ""}${off ? ", switched off" : ""}`;
}

export const several = (ids) => (ids.length === 1 ? called(ids[0]) : `${ids.length} points`);
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
