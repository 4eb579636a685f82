/**
 * The element of a component's HTML with the class "svm-" + name.
 * @param {Element} root
 * @param {string} name
 * @returns {any} an element, of the kind that the HTML has
 */
export function part(root, name) {
  const found = root.querySelector(`.svm-${name}`);
  if (!found) throw new Error(`Expected an element .svm-${name} in ${root.className}.`);
  return found;
}

/**
 * A new element with these properties, and others inside.
 * @param {string} tag  @param {object} properties  @param {any[]} inside
 * @returns {any}
 */
export function make(tag, properties = {}, ...inside) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
}

/** A new element of an SVG with these attributes. @param {string} tag  @param {object} attributes @returns {any} */
export const shape = (tag, attributes = {}) =>
  setAttributes(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);

/** The element, with these attributes from now on. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The face of a button: a picture of this path, and words, which are heard. */
export const face = (path, words) =>
  `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}" /></svg><span>${words}</span>`;

/** Draws the buttons below this element that have a `data-icon`. */
export function drawIcons(/** @type {ParentNode} */ root) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-icon]"))) {
    button.innerHTML = face(button.dataset.icon, button.textContent);
  }
}

/** Whether the reader asks the system for less motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where a pointer is on an element, in pixels. @param {Element} area @returns {[number, number]} */
export function pixelOf(area, { clientX, clientY }) {
  const box = area.getBoundingClientRect();
  return [clientX - box.left, clientY - box.top];
}

/**
 * A new SVG that fills an element, apart from the rest of the page: some styles of a page depend on what an element
 * has, so that a browser looks at many of them again whenever a part comes or goes; of what is in here they do not.
 * @param {Element} host
 * @returns {SVGSVGElement}
 */
export function shadowSvg(host) {
  const svg = shape("svg");
  svg.style.cssText = "display: block; width: 100%; height: 100%";
  host.attachShadow({ mode: "open" }).append(svg);
  return svg;
}

// An English browser drops a comma that is typed or pasted into a number, so that 0,5 would be 5 or 05. Where the
// reader has named a language that writes numbers with one, it gets the point instead; where the browser keeps the
// comma, it stays.
let typedText = "";
const insertText = (/** @type {string} */ text) => document.execCommand("insertText", false, text);
globalThis.document?.addEventListener("beforeinput", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
  const hasComma = (/** @type {string} */ language) => (0.5).toLocaleString(language).includes(",");
  typedText = (field.type === "number" && navigator.languages.some(hasComma) && event.data?.trim()) || "";
  if (typedText === ",") setTimeout(() => typedText && insertText("."));
});
globalThis.document?.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
  const [without, point] = ["", "."].map((mark) => typedText.replace(",", mark));
  typedText = "";
  if (!without || without === point || field.value !== without) return;
  setTimeout(() => {
    field.select();
    insertText(point);
  });
});
