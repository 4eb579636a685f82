// The looks of classes, in the order of their list, as figures/marks.py has them.

/** @typedef {{ ink: string, symbol: string }} Look the name of a colour, and the symbol of a marker */

/** @type {Look[]} */
export const LOOKS = [
  { ink: "plus", symbol: "circle" },
  { ink: "minus", symbol: "square" },
  { ink: "third", symbol: "triangle-up" },
];

/** The look of a class; points of a regression have that of the first. */
export const lookOf = (/** @type {number[]} */ labels, /** @type {number} */ label) =>
  LOOKS[Math.max(0, labels.indexOf(label))];
