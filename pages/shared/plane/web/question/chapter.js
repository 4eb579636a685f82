// A text beside a picture that sticks: the section in view is that of the picture, and a number in the text lights up
// when the picture changes it. The live channel draws; Python hears of the section, and of a slider, when they rest.

import { make, part } from "../base/dom.js";
import { live } from "../base/live.js";
import { recall, remember } from "../base/memory.js";
import { writeMarkdown } from "../base/words.js";
import { makeSlider } from "../controls/single_fields.js";

const REST = 300; // milliseconds for which a section is in view before Python hears of it
const READ = "chapter"; // the section, by which the browser goes on where its reader was
const LIT = 1500; // milliseconds for which a number that has changed stays lit
const LINES = { wide: "-45% 0px -54% 0px", narrow: "-60% 0px -39% 0px" }; // where a section is read

/** @typedef {{ key: string, title: string, text: string, control?: any }} Section */

export class Chapter {
  #root;
  #send;
  /** @type {HTMLElement[]} */
  #sections = [];
  /** @type {Record<string, number>} of the sliders, and the section */
  #values = { step: 0 };
  #restTimer = 0;
  /** @type {IntersectionObserver | undefined} */
  #sectionObserver;
  #narrow = matchMedia("(max-width: 1000px)");
  #numberObserver = new MutationObserver((found) => {
    for (const { target } of found) this.#lightUp(target);
  });

  /** @param {HTMLElement} root of chapter.html */
  constructor(root) {
    this.#root = root;
    part(root, "before").onclick = () => this.#goBy(-1);
    part(root, "after").onclick = () => this.#goBy(1);
    this.#narrow.addEventListener("change", this.#watch);
  }

  receive(payload, send) {
    this.#send = send;
    if (!payload) return;
    const { sections, step, values, numbers } = payload;
    if (!this.#sections.length) {
      this.#values = { ...values, step };
      const at = step || Number(recall(READ));
      this.#sections = sections.map((section, k) => this.#makeSection(section, k));
      part(this.#root, "sections").append(...this.#sections);
      this.#watch();
      this.#showSection(step);
      if (at) this.#sections[at]?.scrollIntoView();
    }
    for (const place of /** @type {NodeListOf<any>} */ (this.#root.querySelectorAll("[data-live]"))) {
      const text = numbers[place.dataset.live];
      if (text !== place.textContent) place.textContent = text;
    }
    this.#numberObserver.observe(this.#root, { subtree: true, childList: true, characterData: true });
  }

  #makeSection({ key, title, text, control }, k) {
    const heading = make("h2", { textContent: title, tabIndex: -1, id: `svm-section-${key}` });
    const paragraphs = text.trim().split(/\n\s*\n/);
    const section = make("section", {}, heading, ...paragraphs.map(makeParagraph));
    section.setAttribute("aria-labelledby", heading.id);
    section.dataset.step = String(k);
    if (control) section.append(this.#makeControl(control));
    return section;
  }

  #makeControl({ name, label, low, high }) {
    const range = { low, high, powers: /** @type {[number, number]} */ ([low, high]), step: 0.02 };
    const slider = makeSlider(`${label} =`, this.#values[name], range, (value, moving) => {
      this.#values[name] = value;
      this.#show(!moving);
    });
    slider.className = "svm-pull";
    return slider;
  }

  #watch = () => {
    this.#sectionObserver?.disconnect();
    const rootMargin = this.#narrow.matches ? LINES.narrow : LINES.wide;
    this.#sectionObserver = new IntersectionObserver((found) => this.#noteReading(found), { rootMargin });
    for (const section of this.#sections) this.#sectionObserver.observe(section);
  };

  #noteReading(found) {
    const seen = found.find(({ isIntersecting }) => isIntersecting);
    const step = Number(seen?.target.dataset.step ?? this.#values.step);
    if (step === this.#values.step) return;
    this.#values.step = step;
    this.#showSection(step);
    this.#show(false);
    this.#restTimer = setTimeout(() => this.#show(true), REST);
  }

  // The picture of the section with the sliders as they are; what rests is also told to Python.
  #show(rests) {
    clearTimeout(this.#restTimer);
    const changes = { ...this.#values };
    if (rests) live.release({ changes }, () => this.#send?.("place", { ...this.#values }));
    else live.hold({ changes });
  }

  #showSection(step) {
    this.#root.dataset.step = String(step);
    remember(READ, String(step || ""));
    const { id, textContent } = this.#sections[step].children[0];
    this.#root.dataset.section = id.slice("svm-section-".length);
    for (const section of this.#sections) section.toggleAttribute("data-read", section.dataset.step === String(step));
    const { length } = this.#sections;
    part(this.#root, "at").textContent = `${step + 1} of ${length}: ${textContent}`;
    part(this.#root, "before").disabled = step === 0;
    part(this.#root, "after").disabled = step === length - 1;
  }

  #goBy(by) {
    const section = this.#sections[this.#values.step + by];
    section.scrollIntoView({ block: "start" });
    section.querySelector("h2")?.focus({ preventScroll: true });
  }

  #lightUp(place) {
    const element = place instanceof Element ? place : place.parentElement;
    if (!element?.matches("[data-live]")) return;
    element.setAttribute("data-lit", "");
    clearTimeout(element.going);
    element.going = setTimeout(() => element.removeAttribute("data-lit"), LIT);
  }

  leave() {
    clearTimeout(this.#restTimer);
    this.#sectionObserver?.disconnect();
    this.#numberObserver.disconnect();
    this.#narrow.removeEventListener("change", this.#watch);
  }
}

// A paragraph whose {names} are places of numbers.
function makeParagraph(text) {
  const whole = text.replace(/ = (?=\S)/g, "\u00a0=\u00a0").replace(/\{\w+\}/g, "`$&`");
  const element = writeMarkdown(make("p"), whole);
  for (const place of element.querySelectorAll("code")) {
    const number = make("b");
    number.dataset.live = place.textContent.slice(1, -1);
    place.replaceWith(number);
  }
  return element;
}
