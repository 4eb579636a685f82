// Where the ticks of a linear axis are and what they say, as Plotly chooses them (a browser test compares the two).

const STEPS = [2, 5, 10];
const PLAIN = 5; // powers of ten up to which a number has no exponent
const SPACING = { x: 80, y: 40 }; // pixels from tick to tick, where the layout does not say how many there are
const EDGE = 1e-4; // the share of an axis by which a tick may lie beyond its end

/**
 * Nothing for an axis whose numbers Plotly would write with exponents.
 * @param {any} axis  @param {number} length in pixels  @param {"x" | "y"} letter
 * @returns {{ value: number, text: string }[] | undefined}
 */
export function ticks({ range: [low, high], nticks, tickvals, ticktext }, length, letter) {
  const room = EDGE * (high - low);
  const isInside = ({ value }) => value >= low - room && value <= high + room;
  if (tickvals) return Array.from(tickvals, (value, k) => ({ value, text: ticktext[k] })).filter(isInside);
  if (power(Math.max(Math.abs(low), Math.abs(high))) > PLAIN) return undefined;
  const count = nticks || Math.min(9, Math.max(4, length / SPACING[letter])) + 1;
  const step = roundUp((high - low) / count);
  const digits = Math.max(0, 2 - power(step));
  const first = Math.ceil((low - room) / step);
  const values = Array.from({ length: Math.floor((high + room) / step) - first + 1 }, (_, k) => (first + k) * step);
  return values.map((value) => ({ value, text: formatTick(value, digits) })).filter(isInside);
}

const power = (/** @type {number} */ value) => Math.floor(Math.log10(value) + 0.01);

// The next of 1, 2, 5 times a power of ten.
function roundUp(/** @type {number} */ step) {
  const base = 10 ** Math.floor(Math.log10(step));
  return base * (step <= base ? 1 : (STEPS.find((factor) => factor * base >= step) ?? 10));
}

function formatTick(/** @type {number} */ value, /** @type {number} */ digits) {
  const text = Number(Math.abs(value).toFixed(Math.min(digits, 20))).toString();
  return value < 0 && text !== "0" ? `−${text}` : text;
}
