// Presenter mode: nothing but pictures and controls, and letters that can be read from the last row. The key P switches
// it; Escape, and a button that each movement or touch brings up, leave it; page keys (as remote controls for slides
// send them) lead to the scenes beside this one, or through a lesson. A phone, on which it enlarges nothing, has none.

import { make } from "../base/dom.js";

const PHONE = "(max-width: 640px), (max-height: 480px)";
const SEEN = 3000; // milliseconds for which the way out stays in sight
const READABLE = 24 / 12; // from the smallest letters of a figure to those for 1920 pixels of width
const SIZED = new Set(["font", "tickfont", "textfont", "marker"]);
const SHIFTS = new Set(["yshift", "ax", "ay", "standoff"]); // distances in pixels

// what a page key presses: the link to another scene, or the next thing to do in a lesson: the first of these that
// there is, which for a question without an answer is to leave it
const TURNED = {
  PageDown: ".st-key-scene_next a, .svm-commit:enabled:not([hidden]), .svm-next button",
  PageUp: ".st-key-scene_previous a, .svm-back:enabled",
};

let isOn = false;
/** @type {(on: boolean) => void} */
let switchMode = () => {};
/** @type {any} the button that leaves */
let exit;
let exitTimer = 0;

/** The mode from Python, and what to call when a key switches it. */
export function setPresenterMode(wanted, changed) {
  switchMode = changed;
  const now = wanted && !matchMedia(PHONE).matches;
  if (now === isOn) return;
  isOn = now;
  document.documentElement.toggleAttribute("data-svm-present", isOn);
  offerExit();
  dispatchEvent(new Event("resize"));
}

// The way out, for a while; a page in presenter mode has it last among what the keys reach.
function offerExit() {
  if (!isOn) return;
  if (!exit) {
    exit = make("button", { type: "button", className: "svm-exit", textContent: "✕ Leave (P or Esc)" });
    exit.title = "Leave presenter mode: the menu comes back";
    exit.onclick = () => switchMode(false);
    document.body.append(exit);
  }
  exit.toggleAttribute("data-seen", true);
  clearTimeout(exitTimer);
  exitTimer = setTimeout(() => exit.removeAttribute("data-seen"), SEEN);
}

/** By how much letters and lines are enlarged. */
export const enlargement = () => (isOn ? Math.max(1.2, (READABLE * innerWidth) / 1920) : 1);

/** A figure with larger letters, lines and markers, and margins that hold them. */
export function enlarge({ data, layout }, by) {
  if (by === 1) return { data, layout };
  const margin = Object.fromEntries(Object.entries(layout.margin ?? {}).map(([key, value]) => [key, scale(value, by)]));
  return { data: enlargePart(data, by), layout: { ...enlargePart(layout, by), margin } };
}

/** @param {any} value  @param {number} by */
function scale(value, by) {
  if (typeof value === "number") return value * by;
  return ArrayBuffer.isView(value) || Array.isArray(value)
    ? Array.from(/** @type {Iterable<number>} */ (value), (one) => one * by)
    : value;
}

function enlargePart(part, by) {
  if (ArrayBuffer.isView(part) || part === null || typeof part !== "object") return part;
  if (Array.isArray(part)) return typeof part[0] === "object" ? part.map((one) => enlargePart(one, by)) : part;
  const larger = {};
  for (const [key, value] of Object.entries(part)) {
    larger[key] = SHIFTS.has(key) ? scale(value, by) : enlargePart(value, by);
    const field = SIZED.has(key) ? "size" : key === "line" ? "width" : "";
    // letters grow in full, markers and lines by less: they are seen from further away than letters can be read
    const more = key.endsWith("font") ? by : Math.sqrt(by);
    if (value?.[field] !== undefined) larger[key] = { ...larger[key], [field]: scale(value[field], more) };
  }
  return larger;
}

// what a key presses: a page key, or the number of an option of a question
function targetOf(key, typed) {
  if (key in TURNED) return document.querySelector(TURNED[key]);
  if (typed || !/^[1-9]$/.test(key)) return undefined;
  return document.querySelectorAll(".svm-option input:enabled")[Number(key) - 1];
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.composedPath()[0]);
  const busy = target.closest?.("input, select, textarea, .svm-plane, .svm-editor");
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.toLowerCase() === "p" && !busy) switchMode(!isOn);
  if (event.key === "Escape" && isOn) switchMode(false);
  const typed = target.closest?.('input:not([type="radio"]), select, textarea');
  const link = isOn && targetOf(event.key, typed);
  if (!link) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (link).click();
});

for (const name of ["pointermove", "pointerdown"]) document.addEventListener(name, offerExit, true);
