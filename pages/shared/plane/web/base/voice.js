// Sentences for a live region: while something moves at most one a second, and always the last one.

const PAUSE = 1000; // milliseconds between sentences on something that moves

export class Voice {
  #write;
  #lastTime = -Infinity;
  #timer = 0;

  /** @param {(text: string) => void} write puts a sentence where it is read out */
  constructor(write) {
    this.#write = write;
  }

  /** Say a sentence; one that waits is given up for it. */
  say(text, { moving = false } = {}) {
    clearTimeout(this.#timer);
    const wait = moving ? this.#lastTime + PAUSE - performance.now() : 0;
    if (wait <= 0) return this.#speak(text);
    this.#timer = setTimeout(() => this.#speak(text), wait);
  }

  #speak(text) {
    this.#lastTime = performance.now();
    this.#write(text);
  }
}

/**
 * What a plane with points to edit says of itself: what is shown, the numbers now, what to try.
 * @param {{ label: number, mark: boolean, off: boolean }[]} points
 * @param {object} given
 * @param {string} given.name of the machine
 * @param {number[]} given.labels of the classes
 * @param {Record<string, string>} given.classes
 * @param {string[]} given.numbers with their names
 * @param {string} [given.where] a sentence on the place of the boundary
 */
export function summary(points, { name, labels, classes, numbers, where = "" }) {
  const count = (test) => points.filter(test).length;
  const kinds = labels.map((k) => `${count(({ label }) => label === k)} of class ${classes[k]}`);
  const [marked, off] = [count(({ mark }) => mark), count((point) => point.off)];
  if (marked) kinds.push(`${marked} marked as ${marked === 1 ? "outlier" : "outliers"}`);
  if (off) kinds.push(`${off} switched off`);
  const every = `${points.length} ${points.length === 1 ? "point" : "points"}`;
  const flip = { 0: "", 2: ", or flip its class with X" }[labels.length] ?? ", or give it the next class with X";
  return [
    `Shown${name && `, ${name}`}: ${[every, ...kinds].join(", ")}.`,
    numbers.length && `Now: ${numbers.join(", ")}.`,
    where,
    `To try: choose a point with N or P and move it with the arrow keys${flip}.`,
    "The line below the controls says what that does to the machine.",
  ]
    .filter(Boolean)
    .join(" ");
}
