// Values as tones, for those who switch them on: the objective of each moment of a film, and the support values of
// points. The browser remembers the switch.

import { face } from "./dom.js";
import { recall, remember } from "./memory.js";

export const LOW = 220; // hertz: the tone of the smallest value, two octaves below that of the largest
export const HIGH = 880;
export const APART = 0.14; // seconds between tones that follow one another
const LOUD = 0.12;
const ATTACK = 0.008; // seconds, as all that follow
const LENGTH = 0.09;
const DECAY = 0.03;
const NAME = "tones";
const NOTES =
  "M6 12.5v-9L12.5 2v9M6 12.5a1.9 1.5 0 1 0-3.8 0 1.9 1.5 0 1 0 3.8 0M12.5 11a1.9 1.5 0 1 0-3.8 0 1.9 1.5 0 1 0 3.8 0";

/**
 * The tone of a value at this part of its range, from 0 to 1; equal steps are equal intervals.
 * @param {number | null | undefined} share
 * @returns {number | undefined} hertz; undefined, which is silence, without a finite value
 */
export function frequency(share) {
  if (typeof share !== "number" || !Number.isFinite(share)) return undefined;
  return LOW * (HIGH / LOW) ** Math.min(Math.max(share, 0), 1);
}

/**
 * The sizes |value| as parts of the largest one, under the same keys; 0 where all are zero.
 * @param {Map<number, number>} values
 */
export function sharesOf(values) {
  const largest = Math.max(0, ...[...values.values()].map(Math.abs));
  return new Map([...values].map(([key, value]) => [key, largest && Math.abs(value) / largest]));
}

export class Tones {
  /** @type {Set<HTMLElement>} the buttons that switch them */
  #buttons = new Set();
  /** @type {{ context: AudioContext, oscillator: OscillatorNode, gain: GainNode } | undefined} */
  #source;

  get isOn() {
    return recall(NAME) === "on";
  }

  /** From now on this button switches the tones, and shows whether they are on. */
  addSwitch(button) {
    button.innerHTML = face(NOTES, "Tones");
    button.onclick = () => this.toggle();
    this.#buttons.add(button);
    this.#showState();
  }

  toggle() {
    remember(NAME, this.isOn ? "" : "on");
    this.#showState();
    if (this.isOn) this.play([0, 1]);
    else this.stop();
  }

  #showState() {
    for (const button of this.#buttons) button.setAttribute("aria-pressed", String(this.isOn));
  }

  /** The values, as parts of their range, one after the other, if the tones are on. */
  playIfOn(shares) {
    if (this.isOn) this.play(shares);
  }

  /** The same without a look at the switch: the reader has asked for these. What sounds now ends. */
  play(shares) {
    this.#source ??= this.#startSource();
    const { context, oscillator, gain } = this.#source;
    context.resume(); // a browser starts it only after a key or a click
    this.stop();
    shares.map(frequency).forEach((hertz, k) => {
      if (hertz === undefined) return;
      const at = context.currentTime + k * APART;
      oscillator.frequency.setValueAtTime(hertz, at);
      gain.gain.setTargetAtTime(LOUD, at, ATTACK);
      gain.gain.setTargetAtTime(0, at + LENGTH, DECAY);
    });
  }

  /** Silence, also of what was to come. */
  stop() {
    if (!this.#source) return;
    const { context, oscillator, gain } = this.#source;
    for (const param of [oscillator.frequency, gain.gain]) param.cancelScheduledValues(context.currentTime);
    gain.gain.setTargetAtTime(0, context.currentTime, DECAY);
  }

  #startSource() {
    const context = new AudioContext();
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    oscillator.type = "triangle";
    gain.gain.value = 0;
    oscillator.connect(gain).connect(context.destination);
    oscillator.start();
    return { context, oscillator, gain };
  }
}

/** Those of the page. */
export const tones = new Tones();
