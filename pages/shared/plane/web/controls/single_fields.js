// Controls apart from the control bar, in the first chapter and in a live file: elements of the browser with a label.

import { make } from "../base/dom.js";
import { formatNumber } from "../base/numbers.js";

/**
 * A slider with its number. `changed(value, moving)` hears of every position, and of the one at which it rests.
 * @param {string} label  @param {number} value
 * @param {{ low: number, high: number, heard?: string, powers?: [number, number], step?: number }} range
 *   with `powers` of ten the steps are equal ratios; `heard` is the label of screen readers, if it is another
 * @param {(value: number, moving: boolean) => void} changed
 */
export function makeSlider(label, value, range, changed) {
  const { low, high, heard = label, powers, step = powers ? 0.05 : (high - low) / 100 } = range;
  const shown = make("output", { ariaLive: "off" }); // a slider says its value itself
  const [from, to] = powers ?? [low, high];
  const read = (text) => (powers ? Number((10 ** Number(text)).toPrecision(3)) : Number(text));
  const input = make("input", { type: "range", min: from, max: to, step, ariaLabel: heard });
  const show = (number) => {
    shown.textContent = formatNumber(number, 4);
    input.setAttribute("aria-valuetext", shown.textContent);
  };
  input.value = String(powers ? Math.log10(value) : value);
  show(value);
  input.oninput = () => {
    show(read(input.value));
    changed(read(input.value), true);
  };
  input.onchange = () => changed(read(input.value), false);
  return addLabel(label, input, shown);
}

/** A number with its arrows. */
export function makeNumber(label, value, { low, high, heard = label, step }, changed) {
  const input = make("input", { type: "number", min: low, max: high, step, value, ariaLabel: heard });
  input.onchange = () => {
    const given = Number(input.value);
    const kept = Number.isFinite(given) && input.value !== "" ? Math.min(Math.max(given, low), high) : value;
    input.value = String(kept);
    changed(kept, false);
  };
  return addLabel(label, input);
}

/**
 * A choice of one.
 * @param {string} label  @param {string} value  @param {{ key: string, name: string }[]} options
 * @param {(key: string) => void} changed
 */
export function makeChoice(label, value, options, changed) {
  const offered = options.map(({ key, name }) => make("option", { value: key, textContent: name }));
  const input = make("select", { ariaLabel: label }, ...offered);
  input.value = value;
  input.onchange = () => changed(input.value);
  return addLabel(label, input);
}

const addLabel = (label, ...inputs) => make("label", {}, make("span", { textContent: label }), ...inputs);
