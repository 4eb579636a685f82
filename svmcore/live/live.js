// SVM Lab: live pictures. BSD-3-Clause. The sources are in pages/shared/plane.
(() => {
const $dom = (() => {
function part(root, name) {
const found = root.querySelector(`.svm-${name}`);
if (!found) throw new Error(`Expected an element .svm-${name} in ${root.className}.`);
return found;
}

function make(tag, properties = {}, ...inside) {
const element = Object.assign(document.createElement(tag), properties);
element.append(...inside);
return element;
}

const shape = (tag, attributes = {}) =>
setAttributes(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);

function setAttributes(element, attributes) {
for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
return element;
}

const face = (path, words) =>
`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}" /></svg><span>${words}</span>`;

function drawIcons(/** @type {ParentNode} */ root) {
for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-icon]"))) {
button.innerHTML = face(button.dataset.icon, button.textContent);
}
}

const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function pixelOf(area, { clientX, clientY }) {
const box = area.getBoundingClientRect();
return [clientX - box.left, clientY - box.top];
}

function shadowSvg(host) {
const svg = shape("svg");
svg.style.cssText = "display: block; width: 100%; height: 100%";
host.attachShadow({ mode: "open" }).append(svg);
return svg;
}

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
return { part, make, shape, setAttributes, face, drawIcons, prefersReducedMotion, pixelOf, shadowSvg };
})();
const $numbers = (() => {

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const THIN = "\u202f"; // a narrow space at which no line is broken

function formatNumber(value, digits = 3) {
if (!Number.isFinite(value)) return "–";
const rounded = Number(value.toPrecision(digits));
const size = Math.abs(rounded);
if (size === 0) return "0";
const sign = rounded < 0 ? "−" : "";
if (size >= 1e-4 && size < 1e6) return sign + size.toString();
const [factor, power] = size.toExponential().split("e");
const raised = String(Math.abs(Number(power))).replace(/\d/g, (digit) => RAISED[Number(digit)]);
return `${sign}${factor === "1" ? "" : `${factor}·`}10${Number(power) < 0 ? "⁻" : ""}${raised}`;
}

function percent(share) {
if (!Number.isFinite(share)) return "–";
const apart = 100 * Math.min(share, 1 - share);
const decimals = apart >= 1e-4 && apart < 0.05 ? -Math.floor(Math.log10(apart)) : 1;
return `${(100 * share).toFixed(decimals)}${THIN}%`;
}
return { formatNumber, percent };
})();
const $theme = (() => {

let themes = {};
function setThemes(given) {
themes = given;
}

function pageTheme(element) {
const style = getComputedStyle(element);
const read = (name) => style.getPropertyValue(name).trim();
const forced = contrast?.matches;
const [page, ink] = forced
? [systemColour(element, "Canvas"), systemColour(element, "CanvasText")]
: [read("--st-background-color"), read("--st-text-color")];
const own = { page, ink, font: read("--st-font") };
const name = brightness(page) > 0.5 ? "light" : "dark";
const forcedColour = (key) => (forced && TEXT.test(key) ? ink : forced && TINT.test(key) ? page : undefined);
const colours = Object.entries({ ...themes[name], ...own });
return {
id: [name, forced, ...Object.values(own)].join("|"),
colours: Object.fromEntries(colours.map(([key, value]) => [key, rgbOf(forcedColour(key) ?? value)])),
};
}

const contrast = globalThis.matchMedia?.("(forced-colors: active)");
const TEXT = /^(muted|grid)$/;
const TINT = /^(veil|field-\w+)$|-(region|inner|pale)$/;

const PRINT = ["beforeprint", "afterprint"];
for (const kind of PRINT) {
globalThis.addEventListener?.(kind, () => document.documentElement.toggleAttribute("data-print", kind === PRINT[0]));
}

function onColourChange(then, /** @type {AbortSignal} */ signal) {
contrast?.addEventListener("change", then, { signal });
for (const kind of PRINT) addEventListener(kind, then, { signal });
}

function systemColour(element, name) {
const probe = document.createElement("i");
probe.style.color = name;
element.append(probe);
const { color } = getComputedStyle(probe);
probe.remove();
return color;
}

function brightness(colour) {
const [r, g, b] = colour.startsWith("#") ? channels(colour) : colour.match(/[\d.]+/g).map(Number);
return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

const rgbOf = (colour) => (/^#[0-9a-f]{6}$/i.test(colour) ? `rgb(${channels(colour)})` : colour);

const channels = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
return { setThemes, pageTheme, onColourChange };
})();
const $edits = (() => {

const FLAGS = Object.freeze({ MOVED: 1, FLIPPED: 2, MARKED: 4, OFF: 8, GONE: 16, TURNED: 32 });
const { MOVED, FLIPPED, MARKED, OFF, GONE, TURNED } = FLAGS;
const UNDOS = 200;


class Edits {
history = { past: [], future: [] };
step = [0, 0];
labels = [];

#base = new Map();
#script = new Map();
#ids;

receive({ base, edits, step, labels }) {
this.step = step;
this.labels = labels;
const { ids, x, y, label, mark } = base;
this.#base = new Map(ids.map((id, k) => [id, { x: x[k], y: y[k], label: label[k], mark: Boolean(mark[k]) }]));
this.restore(edits);
}

rows() {
return [...this.#script].map(([id, { flags, x, y }]) => [id, flags, x, y]);
}

restore(rows) {
this.#script = new Map(rows.map(([id, flags, x, y]) => [id, { flags, x, y }]));
this.#ids = undefined;
}

get ids() {
const addedIds = () => [...this.#script.keys()].filter((id) => id < 0).sort((a, b) => b - a);
const isThere = (id) => !((this.#script.get(id)?.flags ?? 0) & GONE);
this.#ids ??= [...this.#base.keys(), ...addedIds()].filter(isThere);
return this.#ids;
}

point(id) {
const point = this.find(id);
if (!point) throw new Error(`Expected the id of a point, got ${id}.`);
return point;
}

find(id) {
const { flags, x, y } = this.#script.get(id) ?? { flags: 0, x: 0, y: 0 };
const base = this.#base.get(id);
if (flags === 0 && !base) return undefined;
const { label, mark, ...own } = base ?? { x: 0, y: 0, label: this.labels[0] ?? 1, mark: false };
const place = flags & MOVED ? { x: decimalOf(x, this.step[0]), y: decimalOf(y, this.step[1]) } : own;
return {
id,
...place,
label: this.labels[(this.labels.indexOf(label) + turnOf(flags)) % this.labels.length] ?? label,
mark: mark !== Boolean(flags & MARKED),
off: Boolean(flags & OFF),
gone: Boolean(flags & GONE),
};
}

places(ids) {
const points = ids.map((id) => this.point(id));
return new Map(points.map(({ id, x, y }) => [id, [x, y]]));
}


get nextId() {
return Math.min(0, ...this.#script.keys()) - 1;
}

put(id, x, y, label) {
const turn = Math.max(0, this.labels.indexOf(label));
this.#edit(id, () => ({ flags: withTurn(MOVED, turn), ...this.#stepsOf(x, y) }));
}

shift(from, [dx, dy], { x: [left, right], y: [low, high] }) {
const clampShift = (delta, axis, least, most) => {
const all = [...from.values()].map((place) => place[axis]);
return Math.min(Math.max(delta, least - Math.min(...all)), most - Math.max(...all));
};
const [along, up] = [clampShift(dx, 0, left, right), clampShift(dy, 1, low, high)];
for (const [id, [x, y]] of from) this.#move(id, x + along, y + up);
}

jitter(ids, reach, draw) {
for (const [id, [x, y]] of this.places(ids)) this.#move(id, x + reach[0] * draw(), y + reach[1] * draw());
}

flip(ids) {
for (const id of ids) this.#changeFlags(id, (flags) => this.#flipFlags(id, flags));
}

#flipFlags(id, flags) {
const before = turnOf(flags) % this.labels.length;
const after = (before + 1) % this.labels.length;
const leaves = (before === 0) !== (after === 0);
return withTurn(flags, after) ^ (id >= 0 && leaves ? MARKED : 0);
}

mark(ids, on) {
for (const id of ids) if (this.point(id).mark !== on) this.#changeFlags(id, (flags) => flags ^ MARKED);
}

switchOff(ids, off) {
for (const id of ids) this.#changeFlags(id, (flags) => (off ? flags | OFF : flags & ~OFF));
}

remove(ids) {
for (const id of ids) this.#changeFlags(id, (flags) => flags | GONE);
}

snap(ids) {
for (const id of ids) this.#script.delete(id);
this.#ids = undefined;
}


recordStep(what) {
const { past, future } = this.history;
past.push({ what, rows: this.rows() });
if (past.length > UNDOS) past.shift();
future.length = 0;
}

undo() {
return this.#restoreStep(this.history.past, this.history.future);
}

redo() {
return this.#restoreStep(this.history.future, this.history.past);
}

#restoreStep(from, to) {
const last = from.pop();
if (!last) return undefined;
to.push({ what: last.what, rows: this.rows() });
this.restore(last.rows);
return last.what;
}

#move(id, x, y) {
this.#edit(id, ({ flags }) => ({ flags: flags | MOVED, ...this.#stepsOf(x, y) }));
}

#changeFlags(id, change) {
this.#edit(id, ({ flags }) => ({ flags: change(flags) }));
}

#edit(id, change) {
const now = this.#script.get(id) ?? { flags: 0, x: 0, y: 0 };
const next = { ...now, ...change(now) };
if (next.flags) this.#script.set(id, next);
else this.#script.delete(id);
this.#ids = undefined;
}

#stepsOf(x, y) {
return { x: Math.round(x / 10 ** this.step[0]), y: Math.round(y / 10 ** this.step[1]) };
}
}

const turnOf = (flags) => (flags & FLIPPED ? 1 : 0) + (flags & TURNED ? 2 : 0);

const withTurn = (flags, turn) => (flags & ~(FLIPPED | TURNED)) | (turn & 1 ? FLIPPED : 0) | (turn & 2 ? TURNED : 0);

const decimalOf = (count, power) => Number(`${count}e${power}`);

const pointName = (id) => (id < 0 ? `added point ${-id}` : `point ${id}`);

const randomNormal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

function nearestTowards(spots, id, [dx, dy]) {
const [x, y] = spots.get(id) ?? [0, 0];
let [found, least] = [id, Infinity];
for (const [other, [left, top]] of spots) {
const along = (left - x) * dx + (top - y) * dy;
if (other === id || along <= 0) continue;
const aside = Math.abs((left - x) * dy - (top - y) * dx);
const cost = along + 2 * aside;
if (cost < least) [found, least] = [other, cost];
}
return found;
}
return { FLAGS, Edits, pointName, randomNormal, nearestTowards };
})();
const $files = (() => {

const files = /** @type {Record<string, string>} */ (/** @type {unknown} */ ({"plane.html": "<div class=\"svm-plane\" data-drawn=\"0\">\n<div class=\"svm-image\" role=\"img\">\n<canvas class=\"svm-layers\"></canvas>\n<canvas class=\"svm-points\"></canvas>\n<svg class=\"svm-over\" aria-hidden=\"true\">\n<circle class=\"svm-ring\" r=\"12\" /><rect class=\"svm-band\" /><line class=\"svm-cursor\" />\n</svg>\n<div class=\"svm-placeholder\" aria-hidden=\"true\"></div>\n<div class=\"svm-sizes\" aria-hidden=\"true\"></div>\n<div class=\"svm-chart\" aria-hidden=\"true\"></div>\n</div>\n<p class=\"svm-edge\" aria-hidden=\"true\"><strong></strong> <i></i> <span></span></p>\n<p class=\"svm-summary\"></p>\n<div class=\"svm-handle\" tabindex=\"0\" role=\"application\" aria-roledescription=\"point\"></div>\n<p class=\"svm-wait\" role=\"status\">Drawing …</p>\n<details class=\"svm-save\">\n<summary aria-label=\"Save this picture\" title=\"Save this picture\">\n<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10\" /></svg>\n</summary>\n<div><button type=\"button\" value=\"png\">PNG</button><button type=\"button\" value=\"svg\">SVG</button></div>\n</details>\n</div>\n", "toolbar.html": "<div class=\"svm-editor\" role=\"toolbar\" aria-label=\"Edit the points\" aria-orientation=\"vertical\">\n<div class=\"svm-group svm-classes\" role=\"radiogroup\" aria-label=\"Class of a new point\"></div>\n<div class=\"svm-group svm-back\">\n<button type=\"button\" data-command=\"undo\" title=\"Undo (Ctrl+Z)\"\ndata-icon=\"M5.5 3 3 5.5 5.5 8M3 5.5h6a4 4 0 0 1 0 8H6\">Undo</button>\n</div>\n<div class=\"svm-group\">\n<button type=\"button\" class=\"svm-unfold\" title=\"Tools: move, select, spray, flip, delete, mark, redo and more\"\ndata-icon=\"M3 8h.01M8 8h.01M13 8h.01\">Tools</button>\n</div>\n<div class=\"svm-group svm-fold\" role=\"radiogroup\" aria-label=\"What a tap or a drag does\">\n<button type=\"button\" role=\"radio\" data-tool=\"edit\"\ntitle=\"Edit: tap empty space to add a point, drag a point to move it, drag empty space with the mouse to select\"\ndata-icon=\"M3 13l.6-2.8 7.6-7.6a1.4 1.4 0 0 1 2 0l.2.2a1.4 1.4 0 0 1 0 2L5.8 12.4zM9.8 4l2.2 2.2\">Edit</button>\n<button type=\"button\" role=\"radio\" data-tool=\"move\" title=\"Move: click a point, then click where it shall be\"\ndata-icon=\"M8 2v12M2 8h12M6 4l2-2 2 2M6 12l2 2 2-2M4 6 2 8l2 2M12 6l2 2-2 2\">Move</button>\n<button type=\"button\" role=\"radio\" data-tool=\"select\"\ntitle=\"Select: click two opposite corners of a rectangle, or drag it\"\ndata-icon=\"M2.5 5V2.5H5M11 2.5h2.5V5M13.5 11v2.5H11M5 13.5H2.5V11M7 2.5h2M7 13.5h2M2.5 7v2M13.5 7v2\"\n>Select</button>\n<button type=\"button\" role=\"radio\" data-tool=\"spray\" title=\"Spray: each click adds a point nearby; hold to spray\"\ndata-icon=\"M6 6.5h4.5v7H6zM7 6.5V4.5h2.5v2M3.5 3.5h.01M2.5 5.5h.01M3.5 7.5h.01M5 2.5h.01M5 5h.01\">Spray</button>\n</div>\n<div class=\"svm-group svm-fold\">\n<button type=\"button\" class=\"svm-flip\" data-command=\"flip\" title=\"Flip: change the class of the chosen points (X)\"\ndata-icon=\"M3 6h9.5M10 3.5 12.5 6 10 8.5M13 10.5H3.5M6 8 3.5 10.5 6 13\">Flip</button>\n<button type=\"button\" data-command=\"remove\" title=\"Delete the chosen points (Delete)\"\ndata-icon=\"M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.800l.6-8.5M7 7v3.5M9 7v3.5\">Delete</button>\n<button type=\"button\" data-command=\"mark\" data-icon=\"M8 2.5 14 13H2zM8 6.5v3M8 11.300h.01\"\ntitle=\"Outlier: take the chosen points as outliers, or no longer; the grey ghost is the boundary without them (O)\"\n>Outlier</button>\n<button type=\"button\" data-command=\"toggle\" title=\"Switch the chosen points off, or on again (S)\"\ndata-icon=\"M8 2.5V8M5 4.5a5 5 0 1 0 6 0\">Off / on</button>\n<button type=\"button\" data-command=\"jitter\" title=\"Jitter: shake the chosen points, or all (J)\"\ndata-icon=\"M2.5 8 4.5 5l2.5 6 2.5-7 2.5 6 1.5-3\">Jitter</button>\n</div>\n<div class=\"svm-group svm-fold\">\n<button type=\"button\" data-command=\"redo\" title=\"Redo (Ctrl+Shift+Z)\"\ndata-icon=\"M10.5 3 13 5.5 10.5 8M13 5.5H7a4 4 0 0 0 0 8h3\">Redo</button>\n<button type=\"button\" data-command=\"snap\" title=\"Snap back to the problem's own points: the selected ones, or all\"\ndata-icon=\"M3.5 6.5a5 5 0 1 1-.5 3M3 3v3.5h3.5\">Snap back</button>\n</div>\n<div class=\"svm-group svm-fold svm-heard\">\n<button type=\"button\" class=\"svm-tones\"\ntitle=\"Tones: a point that is chosen sounds as high as its support value is large\"></button>\n<button type=\"button\" data-command=\"sweep\" title=\"Sweep: hear the support values of all points, one by one (T)\"\ndata-icon=\"M2.5 9.5v-3M5.5 12V4M8.5 10V6M11.5 13.5v-11M14 9V7\">Sweep</button>\n</div>\n<p class=\"svm-said\" role=\"status\" aria-live=\"polite\"></p>\n</div>\n", "plane.css": ".svm-plane {\ncontain: strict; position: relative; width: 100%; overflow: hidden; font-family: var(--st-font);\ncolor: var(--st-text-color);\n}\n/* from below: fields, markers, ring, chart with its hover boxes, and until that is there, its axes and texts */\n.svm-image, .svm-layers, .svm-points, .svm-placeholder, .svm-sizes, .svm-chart, .svm-over {\nposition: absolute; inset: 0; width: 100%; height: 100%;\n}\n.svm-over, .svm-placeholder, .svm-sizes { pointer-events: none; }\n\n.svm-chart .nsewdrag { cursor: default; }\n\n.svm-over > :is(.svm-ring, .svm-band, .svm-cursor):not(.svm-on) { display: none; }\n.svm-ring { fill: none; stroke: var(--st-text-color); stroke-width: 2.5; }\n.svm-band { fill: var(--st-primary-color); fill-opacity: 0.12; stroke: var(--st-primary-color); }\n.svm-cursor { stroke: var(--st-primary-color); stroke-width: 2; }\n\n/* What is heard alone. */\n.svm-summary, .svm-group button span, .svm-why[data-brief], .svm-question[data-kind=\"order\"] .svm-given {\nposition: absolute; width: 1px; height: 1px; min-height: 0; margin: 0; overflow: hidden; clip-path: inset(50%);\nwhite-space: nowrap;\n}\n\n/* Where the keys are: it never stands in the way of a pointer. */\n.svm-handle {\nposition: absolute; left: -15px; top: -15px; width: 30px; height: 30px; border-radius: 50%; pointer-events: none;\noutline: none;\n}\n.svm-handle:focus-visible { outline: 3px solid var(--st-primary-color); }\n.svm-plane[data-layered] .svm-handle { z-index: -1; } /* its outline crosses no words of a hover box */\n.svm-plane:not([data-editable], [data-drag-handle]) .svm-handle { display: none; }\n.svm-plane:not([data-editable]) .svm-summary { display: none; }\n.svm-plane[data-editable] .svm-image { touch-action: pan-y pinch-zoom; user-select: none; -webkit-user-select: none; }\n.svm-plane[data-editable] .svm-chart .nsewdrag { cursor: crosshair; }\n.svm-plane[data-picks] .svm-chart .nsewdrag { cursor: pointer; }\n.svm-plane[data-dragging] { cursor: grabbing; }\n\n/* The name of a picture and its numbers, in a row above its frame: picture.js makes room for it. */\n.svm-edge {\nposition: absolute; left: var(--svm-left, 0.25rem); top: 0; max-width: calc(100% - var(--svm-left, 0px) - 2rem);\nmin-height: 1.3em; margin: 0; pointer-events: none; font-size: 0.8rem; line-height: 1.3; text-wrap: pretty;\n}\n.svm-edge[hidden] { display: none; }\n.svm-edge i { font-style: normal; white-space: nowrap; }\n.svm-plane[data-layered] .svm-layers { z-index: -2; }\n\n:root[data-print] :is(body, .svm-mount) {\ncolor-scheme: light; --st-background-color: #ffffff; --st-text-color: #16202a;\n--st-secondary-background-color: #f1f4f7; --st-primary-color: #00558a; --st-border-color: #c9d0d6;\n}\n@media print {\n.svm-plane {\nheight: auto !important; max-width: calc(1px * var(--svm-width)); break-inside: avoid;\naspect-ratio: var(--svm-width) / var(--svm-height); container-type: inline-size;\n}\n.svm-edge { font-size: min(0.8rem, calc(100cqw * 12.8 / var(--svm-width))); }\n.svm-plane canvas { opacity: 0.999; }\n}\n\n.svm-wait {\nposition: absolute; inset: 0; display: grid; place-content: center; margin: 0; opacity: 0.65;\nborder-radius: var(--st-base-radius); background: var(--st-secondary-background-color);\n}\n.svm-wait[hidden] { display: none; }\n.svm-plane[data-ahead] .svm-chart { opacity: 0; } /* its axes and texts are those of an earlier picture */\n\n/* What is used now and then comes with the pointer, or with the keys. */\n@media (hover: hover) { .svm-transport:not(:hover, :focus-within) .svm-speed { opacity: 0; } }\n:is(.svm-transport, .svm-turn, .svm-tour, .live-file) :is(button, summary, input, select):focus-visible,\n.svm-question :is(button, .svm-asked, .svm-feedback):focus-visible, .svm-tour-begin:focus-visible {\noutline: 2px solid var(--st-primary-color); outline-offset: 2px;\n}\n\n.svm-editor {\ndisplay: flex; flex-direction: column; gap: 0.4rem; width: 2.75rem; font-family: var(--st-font); font-size: 0.85rem;\ncolor: var(--st-text-color);\n}\n.svm-group {\ndisplay: flex; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius); overflow: hidden;\n}\n.svm-group button {\ndisplay: flex; align-items: center; justify-content: center; gap: 0.35rem; min-height: 2rem; padding: 0.15rem 0.6rem;\nborder: 0; border-right: 1px solid var(--st-border-color); background: none; color: inherit; font: inherit;\ncursor: pointer; touch-action: manipulation;\n}\n.svm-group button:last-child { border-right: 0; }\n.svm-group button:hover { background: var(--st-secondary-background-color); }\n.svm-group button:is([aria-checked=\"true\"], [aria-pressed=\"true\"]) {\nbackground: color-mix(in srgb, var(--st-primary-color) 18%, transparent);\n}\n.svm-group button[aria-checked=\"true\"] { box-shadow: inset 2px 0 var(--st-primary-color); }\n.svm-group button[aria-disabled=\"true\"] { opacity: 0.4; cursor: default; }\n.svm-group button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }\n.svm-editor .svm-group { flex-direction: column; }\n.svm-editor .svm-group button { /* a low window holds all of them, too: 17, and their gaps */\ngap: 0.2rem; min-height: clamp(1.4rem, calc((100vh - 9.6rem - 40px) / 17), 2.15rem); padding: 0; border-right: 0;\nborder-bottom: 1px solid var(--st-border-color);\n}\n.svm-editor .svm-group button:last-child { border-bottom: 0; }\n.svm-editor .svm-group button b { font-weight: 500; }\n.svm-group svg {\nwidth: 1.1rem; height: 1.1rem; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round;\nstroke-linejoin: round;\n}\n.svm-unfold path { stroke-width: 2.4; }\n.svm-group i { width: 0.75rem; height: 0.75rem; background: var(--svm-minus); }\n.svm-group .svm-plus { border-radius: 50%; background: var(--svm-plus); }\n.svm-group .svm-third { clip-path: polygon(50% 0, 100% 100%, 0 100%); background: var(--svm-third); }\n.svm-editor[data-regression] :is(.svm-classes, .svm-flip) { display: none; }\n.svm-editor[data-folded] .svm-fold, .svm-editor[data-folded][data-quiet] .svm-classes { display: none; }\n.svm-editor[data-folded][data-quiet] .svm-group:has([data-command=\"undo\"][aria-disabled=\"true\"]) { visibility: hidden; }\n.svm-editor[data-quiet] .svm-group:has(.svm-unfold) { order: -1; }\n.svm-said { flex: 1 1 14rem; min-height: 1.5em; margin: 0; line-height: 1.5; opacity: 0.8; }\n.svm-editor .svm-said:empty { display: none; }\n@media (pointer: coarse) {\n.svm-group button, .svm-editor .svm-group button { min-width: 2.75rem; min-height: 2.75rem; }\n}\n@media (max-width: 1000px) {\n.svm-editor { flex-flow: row nowrap; width: 100%; overflow-x: auto; scrollbar-width: none; }\n.svm-editor .svm-group { flex: none; flex-direction: row; }\n.svm-editor .svm-group button {\nmin-width: 2.75rem; border-bottom: 0; border-right: 1px solid var(--st-border-color);\n}\n.svm-editor .svm-group button:last-child { border-right: 0; }\n.svm-editor .svm-group button[aria-checked=\"true\"] { box-shadow: inset 0 -2px var(--st-primary-color); }\n}\n\n.svm-transport { outline: none; font-family: var(--st-font); font-size: 0.9rem; color: var(--st-text-color); }\n.svm-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; }\n.svm-scrub { flex: 1 1 8rem; min-width: 4rem; height: 1.75rem; accent-color: var(--st-primary-color); }\n.svm-controls .svm-group button { padding: 0.15rem 0.5rem; }\n.svm-label { min-width: max(6em, calc(var(--svm-letters, 0) * 0.5em)); font-variant-numeric: tabular-nums; }\n.svm-speed {\nfont: inherit; color: inherit; background: var(--st-background-color); border: 1px solid var(--st-border-color);\nborder-radius: var(--st-button-radius); padding: 0.2rem; min-height: 1.75rem;\n}\n.svm-group[hidden], .svm-group button[hidden],\n.svm-transport[data-single] .svm-controls > :not(.svm-label, .svm-chosen) { display: none; }\n.svm-transport [data-act=\"steps\"] { white-space: nowrap; }\n.svm-transport:not([data-playing=\"true\"]) .svm-halt, .svm-transport[data-playing=\"true\"] .svm-go { display: none; }\n.svm-why { margin: 0.4rem 0 0; padding-left: 1.2em; line-height: 1.45; font-variant-numeric: tabular-nums; }\n.svm-why li { margin: 0 0 0.2em; }\n.svm-chosen { flex: 1 1 8rem; margin: 0; line-height: 1.35; font-weight: 600; font-variant-numeric: tabular-nums; }\n.svm-chosen[hidden] { display: none; }\n.svm-chosen:empty::before { content: \"Click a point to follow it.\"; font-weight: 400; opacity: 0.75; }\n.svm-plane[data-film] .svm-image:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }\n@media (max-width: 640px) {\n.svm-transport .svm-group button { padding: 0.15rem 0.45rem; }\n.svm-scrub { order: 1; flex-basis: 100%; }\n.svm-label, .svm-chosen, .svm-scrub ~ .svm-group { order: 2; }\n/* A phone hides its scroll bars: a shadow at an edge says that there is more beyond it. */\n.svm-why {\nheight: min(14em, calc(var(--svm-lines, 1) * 3.2em)); min-height: 0; overflow-y: auto;\nbackground:\nlinear-gradient(var(--st-background-color) 40%, transparent) center top / 100% 3em no-repeat local,\nlinear-gradient(transparent, var(--st-background-color) 60%) center bottom / 100% 3em no-repeat local,\nlinear-gradient(color-mix(in srgb, var(--st-text-color) 30%, transparent), transparent)\ncenter top / 100% 0.7em no-repeat scroll,\nlinear-gradient(transparent, color-mix(in srgb, var(--st-text-color) 30%, transparent))\ncenter bottom / 100% 0.7em no-repeat scroll;\n}\n}\n@media (pointer: coarse) { .svm-scrub, .svm-speed { height: 2.75rem; } }\n/* Where the system asks for high contrast: its colours for all that is drawn, and outlines in place of tints. */\n@media (forced-colors: active) {\n.svm-plane, .svm-editor, .svm-transport, .svm-control-bar, .svm-question {\n--st-background-color: Canvas; --st-text-color: CanvasText; --st-primary-color: Highlight;\n--st-border-color: ButtonBorder;\n}\n.svm-image { outline: 1px solid CanvasText; outline-offset: -1px; }\n.svm-group i { forced-color-adjust: none; }\n.svm-group svg { stroke: ButtonText; }\n.svm-group button:is([aria-checked=\"true\"], [aria-pressed=\"true\"]) {\noutline: 3px solid Highlight; outline-offset: -3px;\n}\n.svm-option:has(:checked) { outline: 2px solid Highlight; }\n:is(.svm-group, .svm-control-bar) button[aria-disabled=\"true\"], .svm-question button:disabled {\nopacity: 1; color: GrayText; border-color: GrayText;\n}\n.svm-group button[aria-disabled=\"true\"] svg { stroke: GrayText; }\n.svm-grip { border: 2px solid CanvasText; }\n}\n.svm-plane[data-scrubs] .svm-over { z-index: 1; }\n.svm-plane[data-scrubs] .svm-image { cursor: ew-resize; touch-action: pan-y; }\n", "live_file.html": "<h1 class=\"svm-title\"></h1>\n<div class=\"svm-controls live-controls\" role=\"group\" aria-label=\"Settings\"></div>\n<p class=\"svm-note live-note\" role=\"status\" hidden></p>\n<div class=\"live-stage st-key-stage\">\n<div class=\"svm-toolbar live-toolbar\"></div>\n<div class=\"svm-pictures live-pictures\"></div>\n</div>\n<p class=\"svm-announcement live-said\" role=\"status\" aria-live=\"polite\"></p>\n<div class=\"live-scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Numbers\"><table class=\"svm-table live-table\"></table></div>\n<section class=\"svm-question live-question\" aria-label=\"Question\">\n<div class=\"svm-asked\"></div>\n<details class=\"svm-reveal\"><summary>Show the answer</summary><div class=\"svm-answer\"></div></details>\n</section>\n<p class=\"svm-elsewhere live-elsewhere\"></p>\n", "live_file.css": ":root {\ncolor-scheme: light dark; --st-font: \"Source Sans\", \"Source Sans 3\", system-ui, -apple-system, \"Segoe UI\", sans-serif;\n--st-base-radius: 0.5rem; --st-button-radius: 0.5rem; --st-background-color: #ffffff; --st-text-color: #16202a;\n--st-secondary-background-color: #f1f4f7; --st-primary-color: #00558a; --st-border-color: #c9d0d6;\n}\n@media (prefers-color-scheme: dark) {\n:root {\n--st-background-color: #10161c; --st-text-color: #f0f4f8; --st-secondary-background-color: #1c252e;\n--st-primary-color: #5ab4f0; --st-border-color: #3a4651;\n}\n}\nbody {\nmargin: 0; padding: 0.6rem; background: var(--st-background-color); color: var(--st-text-color);\nfont: 1rem / 1.45 var(--st-font);\n}\n.live-file h1 { margin: 0 0 0.4rem; font-size: 1.35rem; }\n.live-file [hidden] { display: none; }\n.live-controls { gap: 0.4rem 1.1rem; margin: 0 0 0.5rem; font-size: 0.9rem; }\n.live-controls :is(label, span) {\ndisplay: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.45rem;\n}\n.live-controls :is(select, input[type=\"number\"], button) {\nmin-height: 2rem; padding: 0.15rem 0.5rem; border: 1px solid var(--st-border-color); font: inherit; color: inherit;\nborder-radius: var(--st-button-radius); background: var(--st-background-color);\n}\n.live-controls input[type=\"number\"] { width: 5em; }\n.live-controls input[type=\"range\"] { width: 9rem; accent-color: var(--st-primary-color); }\n.live-controls output { min-width: 3.2em; font-variant-numeric: tabular-nums; }\n.live-controls button, .live-question summary { cursor: pointer; }\n.live-scroll:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }\n.live-stage { display: flex; gap: 0.5rem; min-width: 0; }\n.live-toolbar { flex: none; min-width: 0; }\n.live-toolbar .svm-classes button { flex-wrap: wrap; }\n.live-toolbar .svm-classes i { flex: none; }\n.live-toolbar .svm-class { max-width: 100%; overflow-wrap: break-word; }\n.live-toolbar .svm-editor { position: relative; } /* its hidden words stay within */\n@media (min-width: 1001px) { .live-toolbar .svm-editor { width: min-content; min-width: 2.75rem; max-width: 9rem; } }\n.live-pictures { flex: 1; display: grid; gap: 0.4rem; min-width: 0; align-content: start; }\n.live-pictures:not([data-count=\"1\"]) { grid-template-columns: repeat(2, minmax(0, 1fr)); }\n.live-cell { min-width: 0; }\n.live-file .svm-save { display: none; } /* a file is saved by the browser */\n.live-said { min-height: 1.45em; margin: 0.3rem 0; font-size: 0.9rem; }\n.live-note { margin: 0.3rem 0; font-weight: 600; }\n.live-scroll { overflow-x: auto; }\n.live-table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }\n.live-table :is(th, td) {\npadding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid var(--st-border-color); text-align: left; font-weight: 400;\n}\n.live-table thead th { font-weight: 600; }\n.live-question {\nmargin: 0.7rem 0; padding: 0.6rem 0.8rem; border-radius: var(--st-base-radius);\nbackground: var(--st-secondary-background-color);\n}\n.svm-answer { margin-top: 0.4rem; }\n.live-elsewhere { margin: 0.5rem 0 0; font-size: 0.85rem; opacity: 0.85; }\n.live-elsewhere a { color: var(--st-primary-color); }\n@media (max-width: 1000px) {\n.live-stage { display: block; }\n.live-toolbar { margin-bottom: 0.5rem; }\n}\n@media (max-width: 640px) { .live-controls :is(select, input, button) { min-height: 2.75rem; } }\n@media print { .live-controls, .live-toolbar, .live-said, .live-elsewhere { display: none; } }\n"}));
return { files };
})();
const $data = (() => {

const data = {"losses":[{"key":"hinge","machine":"L1-SVM","parameters":[],"box":{"low":[0.0],"high":[1.0],"curvature":[0.0]}},{"key":"squared_hinge","machine":"L2-SVM","parameters":[],"box":{"low":[0.0],"high":[null],"curvature":[1.0]}},{"key":"least_squares","machine":"LS-SVM","parameters":[],"box":{"low":[null],"high":[null],"curvature":[1.0]}},{"key":"least_absolute","machine":"Least 1-Norm SVM","parameters":[],"box":{"low":[-1.0],"high":[1.0],"curvature":[0.0]}},{"key":"pinball","machine":"Pinball SVM","parameters":[{"name":"tau","label":"τ","heard":"tau","default":0.5,"low":0.0,"high":1.0}],"box":{"low":[0.0,-1.0],"high":[1.0,0.0],"curvature":[0.0,0.0]}},{"key":"huber","machine":"Huberised-hinge SVM","parameters":[{"name":"delta","label":"δ","heard":"delta","default":0.5,"low":0.001,"high":1000.0}],"box":{"low":[0.0,0.0],"high":[1.0,0.0],"curvature":[0.0,1.0]}}],"kernels":[{"key":"linear","label":"Linear","fields":[]},{"key":"poly","label":"Polynomial","fields":["sigma","degree","coef0"]},{"key":"rbf","label":"Gaussian (RBF)","fields":["sigma"]}],"statuses":{"CONVERGED":"converged","ITERATION_LIMIT":"iteration limit","ROUNDING":"rounding errors exceed the tolerance","UNBOUNDED":"unbounded: the kernel is not positive semidefinite","STATIONARY":"stationary point: the kernel matrix is not positive semidefinite","WIDE_GAP":"inaccurate: the violation is within the tolerance, but primal and dual objective are far apart; choose a smaller C or scale the features"},"themes":{"light":{"page":"#ffffff","veil":"rgba(255,255,255,0.8)","ink":"#16202a","muted":"#5b6770","grid":"#e3e8ec","heat":"#9472f8","accent":"#a3157f","haze":"rgba(163,21,127,0.28)","plus":"#d55e00","minus":"#0072b2","third":"#8c1aff","plus-pale":"#f7e2d1","minus-pale":"#d1e6f1","plus-1":"rgba(213,94,0,0.55)","plus-2":"rgba(213,94,0,0.25)","minus-1":"rgba(0,114,178,0.55)","minus-2":"rgba(0,114,178,0.25)","third-1":"rgba(140,26,255,0.55)","third-2":"rgba(140,26,255,0.25)","field-plus":"#e59b61","field-minus":"#61a8cf","plus-deep":"#623919","plus-region":"#faece0","plus-inner":"#f3d2b8","minus-deep":"#0d4160","minus-region":"#e0eef6","minus-inner":"#b8d8e9","third-deep":"#451e7f","third-region":"#f1e4ff","third-inner":"#dfbfff","font":"\"Source Sans\", \"Source Sans 3\", system-ui, -apple-system, \"Segoe UI\", sans-serif","variant-1":"#2929e0","variant-2":"#e43f68","variant-3":"#3ba518","variant-4":"#782b11","variant-5":"#ab6cea","variant-6":"#16202a","variant-7":"#c360aa","variant-8":"#5f1178","faint-1":"rgba(41,41,224,0.22)","faint-2":"rgba(228,63,104,0.22)","faint-3":"rgba(59,165,24,0.22)","faint-4":"rgba(120,43,17,0.22)","faint-5":"rgba(171,108,234,0.22)","faint-6":"rgba(22,32,42,0.22)","faint-7":"rgba(195,96,170,0.22)","faint-8":"rgba(95,17,120,0.22)","pale-1":"rgba(41,41,224,0.5)","pale-2":"rgba(228,63,104,0.5)","pale-3":"rgba(59,165,24,0.5)","pale-4":"rgba(120,43,17,0.5)","pale-5":"rgba(171,108,234,0.5)","pale-6":"rgba(22,32,42,0.5)","pale-7":"rgba(195,96,170,0.5)","pale-8":"rgba(95,17,120,0.5)"},"dark":{"page":"#10161c","veil":"rgba(16,22,28,0.8)","ink":"#f0f4f8","muted":"#a3afb9","grid":"#2a343d","heat":"#812ff4","accent":"#f58fd6","haze":"rgba(245,143,214,0.28)","plus":"#ff8a3d","minus":"#5ab4f0","third":"#8c1aff","plus-pale":"#3b2b22","minus-pale":"#1d3242","plus-1":"rgba(255,138,61,0.55)","plus-2":"rgba(255,138,61,0.25)","minus-1":"rgba(90,180,240,0.55)","minus-2":"rgba(90,180,240,0.25)","third-1":"rgba(140,26,255,0.55)","third-2":"rgba(140,26,255,0.25)","field-plus":"#93562e","field-minus":"#396d91","plus-deep":"#f6caad","plus-region":"#2d2420","plus-inner":"#533625","minus-deep":"#b4daf5","minus-region":"#192935","minus-inner":"#254257","third-deep":"#c89dfb","third-region":"#1f1637","third-inner":"#33175c","font":"\"Source Sans\", \"Source Sans 3\", system-ui, -apple-system, \"Segoe UI\", sans-serif","variant-1":"#8b6cea","variant-2":"#d35091","variant-3":"#55e79e","variant-4":"#8f8f14","variant-5":"#f098f0","variant-6":"#f0f4f8","variant-7":"#9ee755","variant-8":"#3b9b53","faint-1":"rgba(139,108,234,0.22)","faint-2":"rgba(211,80,145,0.22)","faint-3":"rgba(85,231,158,0.22)","faint-4":"rgba(143,143,20,0.22)","faint-5":"rgba(240,152,240,0.22)","faint-6":"rgba(240,244,248,0.22)","faint-7":"rgba(158,231,85,0.22)","faint-8":"rgba(59,155,83,0.22)","pale-1":"rgba(139,108,234,0.5)","pale-2":"rgba(211,80,145,0.5)","pale-3":"rgba(85,231,158,0.5)","pale-4":"rgba(143,143,20,0.5)","pale-5":"rgba(240,152,240,0.5)","pale-6":"rgba(240,244,248,0.5)","pale-7":"rgba(158,231,85,0.5)","pale-8":"rgba(59,155,83,0.5)"}},"templates":{"plain":{"traces":{"field":{"type":"contour","name":"field","zauto":false,"zmin":-2.0,"zmax":2.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":-1.6666666666666667,"end":1.6666666666666667,"size":0.3333333333333333,"showlines":false},"line":{"smoothing":0},"colorscale":[[0.0,"var(--svm-field-minus)"],[0.5,"var(--svm-page)"],[1.0,"var(--svm-field-plus)"]]},"margins":{"type":"contour","name":"margins","zauto":false,"zmin":-1.0,"zmax":1.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":-1,"end":1,"size":2,"coloring":"none"},"line":{"color":"var(--svm-ink)","width":1.2,"dash":"7px,5px","smoothing":0}},"ghost":{"type":"contour","name":"ghost","zauto":false,"zmin":-1.0,"zmax":1.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":0,"end":0,"size":1,"coloring":"none"},"line":{"color":"var(--svm-muted)","width":1.7,"dash":"solid","smoothing":0}},"boundary":{"type":"contour","name":"boundary","zauto":false,"zmin":-1.0,"zmax":1.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":0,"end":0,"size":1,"coloring":"none"},"line":{"color":"var(--svm-ink)","width":3,"dash":"solid","smoothing":0}},"switched off":{"type":"scatter","name":"switched off","showlegend":false,"mode":"markers","marker":{"symbol":"circle-open","size":10.0,"color":"var(--svm-muted)","opacity":1,"line":{"width":1.2}}},"points +1":{"type":"scatter","name":"points +1","showlegend":false,"mode":"markers","marker":{"symbol":"circle","size":20.0,"opacity":1,"line":{}}},"points -1":{"type":"scatter","name":"points -1","showlegend":false,"mode":"markers","marker":{"symbol":"square","size":17.724538509055158,"opacity":1,"line":{}}},"outliers":{"type":"scatter","name":"outliers","showlegend":false,"hoverinfo":"skip","mode":"markers","marker":{"symbol":"circle-open","size":29.0,"color":"var(--svm-accent)","opacity":1,"line":{"width":2}}}},"layout":{"font":{"family":"var(--svm-font)","size":12,"color":"var(--svm-ink)"},"paper_bgcolor":"var(--svm-page)","plot_bgcolor":"var(--svm-page)","xaxis":{"gridcolor":"var(--svm-grid)","linecolor":"var(--svm-grid)","tickfont":{"size":12,"color":"var(--svm-muted)"},"zeroline":false,"ticks":"","exponentformat":"power","minexponent":5,"range":[-1.0,1.0],"constraintoward":"left","showticklabels":true,"showgrid":false,"nticks":5,"constrain":"domain"},"yaxis":{"gridcolor":"var(--svm-grid)","linecolor":"var(--svm-grid)","tickfont":{"size":12,"color":"var(--svm-muted)"},"zeroline":false,"ticks":"","exponentformat":"power","minexponent":5,"range":[-1.0,1.0],"constraintoward":"top","scaleanchor":"x","showticklabels":true,"showgrid":false,"nticks":5,"constrain":"domain"},"margin":{"l":34,"r":8,"t":8,"b":72},"dragmode":false,"hovermode":"closest","hoverlabel":{"bgcolor":"var(--svm-page)","bordercolor":"var(--svm-muted)","font":{"family":"var(--svm-font)","size":12,"color":"var(--svm-ink)"},"align":"left"},"separators":".","meta":{"layers":true},"showlegend":false,"annotations":[{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-muted)\">─</span> without outliers <span style=\"color:var(--svm-accent)\">◯</span> outlier <span style=\"color:var(--svm-muted)\">○</span> switched off<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","showarrow":false,"font":{"size":12,"color":"var(--svm-muted)"},"align":"left","name":"key","x":0,"xref":"x domain","xanchor":"left","y":0,"yref":"y domain","yanchor":"top","yshift":-22}]},"named":{"font":{"family":"var(--svm-font)","size":12,"color":"var(--svm-ink)"},"paper_bgcolor":"var(--svm-page)","plot_bgcolor":"var(--svm-page)","xaxis":{"title":{"text":"x1","font":{"size":12,"color":"var(--svm-muted)"},"standoff":6},"gridcolor":"var(--svm-grid)","linecolor":"var(--svm-grid)","tickfont":{"size":12,"color":"var(--svm-muted)"},"zeroline":false,"ticks":"","exponentformat":"power","minexponent":5,"range":[-1.0,1.0],"constraintoward":"left","showticklabels":true,"showgrid":false,"nticks":5,"constrain":"domain"},"yaxis":{"title":{"text":"x2","font":{"size":12,"color":"var(--svm-muted)"},"standoff":6},"gridcolor":"var(--svm-grid)","linecolor":"var(--svm-grid)","tickfont":{"size":12,"color":"var(--svm-muted)"},"zeroline":false,"ticks":"","exponentformat":"power","minexponent":5,"range":[-1.0,1.0],"constraintoward":"top","scaleanchor":"x","showticklabels":true,"showgrid":false,"nticks":5,"constrain":"domain"},"margin":{"l":50,"r":8,"t":8,"b":88},"dragmode":false,"hovermode":"closest","hoverlabel":{"bgcolor":"var(--svm-page)","bordercolor":"var(--svm-muted)","font":{"family":"var(--svm-font)","size":12,"color":"var(--svm-ink)"},"align":"left"},"separators":".","meta":{"layers":true},"showlegend":false,"annotations":[{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-muted)\">─</span> without outliers <span style=\"color:var(--svm-accent)\">◯</span> outlier <span style=\"color:var(--svm-muted)\">○</span> switched off<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","showarrow":false,"font":{"size":12,"color":"var(--svm-muted)"},"align":"left","name":"key","x":0,"xref":"x domain","xanchor":"left","y":0,"yref":"y domain","yanchor":"top","yshift":-38}]},"keys":{"":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]},"ghost":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-muted)\">─</span> without outliers<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","<span style=\"color:var(--svm-muted)\">─</span> without outliers","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]},"outliers":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-accent)\">◯</span> outlier<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","<span style=\"color:var(--svm-accent)\">◯</span> outlier","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]},"ghost outliers":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-muted)\">─</span> without outliers <span style=\"color:var(--svm-accent)\">◯</span> outlier<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","<span style=\"color:var(--svm-muted)\">─</span> without outliers","<span style=\"color:var(--svm-accent)\">◯</span> outlier","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]},"off":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-muted)\">○</span> switched off<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","<span style=\"color:var(--svm-muted)\">○</span> switched off","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]},"ghost off":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-muted)\">─</span> without outliers <span style=\"color:var(--svm-muted)\">○</span> switched off<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","<span style=\"color:var(--svm-muted)\">─</span> without outliers","<span style=\"color:var(--svm-muted)\">○</span> switched off","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]},"outliers off":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-accent)\">◯</span> outlier <span style=\"color:var(--svm-muted)\">○</span> switched off<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","<span style=\"color:var(--svm-accent)\">◯</span> outlier","<span style=\"color:var(--svm-muted)\">○</span> switched off","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]},"ghost outliers off":{"text":"<span style=\"color:var(--svm-plus)\">●</span> class +1 <span style=\"color:var(--svm-minus)\">■</span> class −1 <span style=\"color:var(--svm-ink)\">━</span> f = 0 <span style=\"color:var(--svm-ink)\">╌</span> f = ±1 <span style=\"color:var(--svm-muted)\">─</span> without outliers <span style=\"color:var(--svm-accent)\">◯</span> outlier <span style=\"color:var(--svm-muted)\">○</span> switched off<br>colours end at |f| = 2; area ∝ |α|<br>filled α > 0; hollow α < 0; dot inside: at a bound","entries":["<span style=\"color:var(--svm-plus)\">●</span> class +1","<span style=\"color:var(--svm-minus)\">■</span> class −1","<span style=\"color:var(--svm-ink)\">━</span> f = 0","<span style=\"color:var(--svm-ink)\">╌</span> f = ±1","<span style=\"color:var(--svm-muted)\">─</span> without outliers","<span style=\"color:var(--svm-accent)\">◯</span> outlier","<span style=\"color:var(--svm-muted)\">○</span> switched off","colours end at |f| = 2","area ∝ |α|","filled α > 0","hollow α < 0","dot inside: at a bound"]}}},"compact":{"traces":{"field":{"type":"contour","name":"field","zauto":false,"zmin":-2.0,"zmax":2.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":-1.5,"end":1.5,"size":0.5,"showlines":false},"line":{"smoothing":0},"colorscale":[[0.0,"var(--svm-field-minus)"],[0.5,"var(--svm-page)"],[1.0,"var(--svm-field-plus)"]]},"margins":{"type":"contour","name":"margins","zauto":false,"zmin":-1.0,"zmax":1.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":-1,"end":1,"size":2,"coloring":"none"},"line":{"color":"var(--svm-ink)","width":0.9,"dash":"7px,5px","smoothing":0}},"ghost":{"type":"contour","name":"ghost","zauto":false,"zmin":-1.0,"zmax":1.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":0,"end":0,"size":1,"coloring":"none"},"line":{"color":"var(--svm-muted)","width":1.3,"dash":"solid","smoothing":0}},"boundary":{"type":"contour","name":"boundary","zauto":false,"zmin":-1.0,"zmax":1.0,"autocontour":false,"showscale":false,"hoverinfo":"skip","contours":{"start":0,"end":0,"size":1,"coloring":"none"},"line":{"color":"var(--svm-ink)","width":2.2,"dash":"solid","smoothing":0}},"switched off":{"type":"scatter","name":"switched off","showlegend":false,"mode":"markers","marker":{"symbol":"circle-open","size":7.0,"color":"var(--svm-muted)","opacity":1,"line":{"width":1.2}}},"points +1":{"type":"scatter","name":"points +1","showlegend":false,"mode":"markers","marker":{"symbol":"circle","size":13.0,"opacity":1,"line":{}}},"points -1":{"type":"scatter","name":"points -1","showlegend":false,"mode":"markers","marker":{"symbol":"square","size":11.520950030885853,"opacity":1,"line":{}}},"outliers":{"type":"scatter","name":"outliers","showlegend":false,"hoverinfo":"skip","mode":"markers","marker":{"symbol":"circle-open","size":19.0,"color":"var(--svm-accent)","opacity":1,"line":{"width":1.5}}}},"layout":{"font":{"family":"var(--svm-font)","size":12,"color":"var(--svm-ink)"},"paper_bgcolor":"var(--svm-page)","plot_bgcolor":"var(--svm-page)","xaxis":{"gridcolor":"var(--svm-grid)","linecolor":"var(--svm-grid)","tickfont":{"size":12,"color":"var(--svm-muted)"},"zeroline":false,"ticks":"","exponentformat":"power","minexponent":5,"range":[-1.0,1.0],"constraintoward":"left","showticklabels":false,"showgrid":false,"nticks":5,"constrain":"domain"},"yaxis":{"gridcolor":"var(--svm-grid)","linecolor":"var(--svm-grid)","tickfont":{"size":12,"color":"var(--svm-muted)"},"zeroline":false,"ticks":"","exponentformat":"power","minexponent":5,"range":[-1.0,1.0],"constraintoward":"top","scaleanchor":"x","showticklabels":false,"showgrid":false,"nticks":5,"constrain":"domain"},"margin":{"l":4,"r":4,"t":4,"b":4},"dragmode":false,"hovermode":"closest","hoverlabel":{"bgcolor":"var(--svm-page)","bordercolor":"var(--svm-muted)","font":{"family":"var(--svm-font)","size":12,"color":"var(--svm-ink)"},"align":"left"},"separators":".","meta":{"layers":true},"showlegend":false}}},"fields":{"C":{"label":"C","low":1e-06,"high":1000000.0,"powers":[-2,3]},"sigma":{"label":"σ","heard":"sigma","low":1e-09,"high":1000000000.0,"powers":[-1,1]},"degree":{"label":"Degree","low":1,"high":12,"step":1},"coef0":{"label":"Offset c₀","low":-100.0,"high":100.0,"step":0.5}}};
return { data };
})();
const $vectors = (() => {

const sum = (values) => values.reduce((all, value) => all + value, 0);

function dot(one, other) {
let all = 0;
for (let k = 0; k < one.length; k++) all += one[k] * other[k];
return all;
}

function solveFactored(L, stride, right) {
const x = Float64Array.from(right);
const m = x.length;
for (let a = 0; a < m; a++) {
for (let c = 0; c < a; c++) x[a] -= L[a * stride + c] * x[c];
x[a] /= L[a * stride + a];
}
for (let a = m - 1; a >= 0; a--) {
x[a] /= L[a * stride + a];
for (let c = 0; c < a; c++) x[c] -= L[a * stride + c] * x[a];
}
return x;
}
return { sum, dot, solveFactored };
})();
const $live = (() => {
const live = {};
return { live };
})();
const $voice = (() => {

const PAUSE = 1000; // milliseconds between sentences on something that moves

class Voice {
#write;
#lastTime = -Infinity;
#timer = 0;

constructor(write) {
this.#write = write;
}

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

function summary(points, { name, labels, classes, numbers, where = "" }) {
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
return { Voice, summary };
})();
const $drag_handle = (() => {
class DragHandle {}
return { DragHandle };
})();
const $playback = (() => {
const enableScrubbing = undefined;
class Playback {
follow() {} markAgain() {} hold(id) { this.heldPoint = id; } traces(data) { return data; }
}
return { enableScrubbing, Playback };
})();
const $axes = (() => {

const SHARES = { left: 0, top: 0, center: 0.5, middle: 0.5, right: 1, bottom: 1 };

function placeholderAxes({ xaxis, yaxis, margin }, [width, height]) {
const linear = [xaxis, yaxis].every(({ type, range }) => range && type !== "log");
const room = [width - margin.l - margin.r, height - margin.t - margin.b];
if (!linear || Math.min(...room) <= 0) return undefined;
const sides = [xaxis, yaxis].map(({ range: [low, high] }) => high - low);
const unit = Math.min(room[0] / sides[0], room[1] / sides[1]);
const lengths = yaxis.scaleanchor ? sides.map((side) => side * unit) : room;
const startOf = (toward, k) => (room[k] - lengths[k]) * SHARES[toward];
const left = margin.l + startOf(xaxis.constraintoward ?? "center", 0);
const top = margin.t + startOf(yaxis.constraintoward ?? "middle", 1);
const [across, down] = [lengths[0] / sides[0], -lengths[1] / sides[1]]; // pixels of a unit
return {
xaxis: axisOf(xaxis.range, xaxis.range[0], across, { _offset: left, _length: lengths[0] }),
yaxis: axisOf(yaxis.range, yaxis.range[1], down, { _offset: top, _length: lengths[1] }),
};
}

const axisOf = ([low, high], start, scale, place) => ({
range: [low, high],
d2p: (value) => (value - start) * scale,
p2d: (pixel) => start + pixel / scale,
...place,
});

function keepRanges(layout, before) {
const { xaxis, yaxis } = layout;
if (yaxis.scaleanchor) return layout;
const axes = { xaxis: keepRange(xaxis, before.xaxis), yaxis: keepRange(yaxis, before.yaxis) };
return { ...layout, ...axes };
}

function keepRange(axis, { range }) {
if (!range || !axis.range || axis.type === "log") return axis;
const [low, high] = axis.range;
const room = (high - low) / 2;
const holds = range[0] <= low && high <= range[1] && range[1] - range[0] <= 8 * room;
return { ...axis, range: holds ? range : [low && low - room, high && high + room] }; // an axis from 0 stays one
}
return { SHARES, placeholderAxes, keepRanges };
})();
const $answer_drawing = (() => {
class AnswerDrawing {}
return { AnswerDrawing };
})();
const $contours = (() => {

function levelPaths(z, level) {
const { used, joined } = partners(z, level);
const seen = new Set();
const follow = (/** @type {number} */ edge) => {
const path = [];
for (let now = edge; now >= 0 && !seen.has(now); ) {
seen.add(now);
path.push(crossing(z, level, now));
now = seen.has(joined[2 * now]) ? joined[2 * now + 1] : joined[2 * now];
}
return path;
};
const open = used.filter((edge) => joined[2 * edge + 1] < 0).map(follow);
const closed = used.filter((edge) => !seen.has(edge)).map((edge) => (seen.has(edge) ? [] : follow(edge)));
return [...open, ...closed.map((path) => [...path, ...path.slice(0, 1)])].filter((path) => path.length > 1);
}

function partners(z, level) {
const [rows, columns] = [z.length, z[0].length];
const joined = new Int32Array(4 * rows * columns).fill(-1);
const used = [];
const note = (one, other) => {
const first = joined[2 * one] < 0;
if (first) used.push(one);
joined[2 * one + (first ? 0 : 1)] = other;
};
const join = (one, other) => {
note(one, other);
note(other, one);
};
for (let r = 0; r < rows - 1; r++) {
const [low, high] = [z[r], z[r + 1]];
for (let c = 0; c < columns - 1; c++) {
const above =
+(low[c] > level) | (+(low[c + 1] > level) << 1) | (+(high[c + 1] > level) << 2) | (+(high[c] > level) << 3);
if (above === 0 || above === 15) continue;
const isAbove = (/** @type {number} */ k) => (above >> (k % 4)) & 1; // from the bottom left, the way round
const node = r * columns + c;
const edges = [2 * node, 2 * node + 3, 2 * (node + columns), 2 * node + 1]; // bottom, right, top, left
const cut = edges.filter((_, side) => isAbove(side) !== isAbove(side + 1));
if (cut.length === 2) join(cut[0], cut[1]);
if (cut.length < 4) continue;
const [bottom, right, top, left] = edges;
const middle = (low[c] + low[c + 1] + high[c] + high[c + 1]) / 4 > level;
const upwards = Boolean(isAbove(0)) === middle; // the bottom left and the top right are on one side of the level
join(bottom, upwards ? right : left);
join(top, upwards ? left : right);
}
}
return { used, joined };
}

function crossing(z, level, edge) {
const columns = z[0].length;
const [r, c] = [Math.floor((edge >> 1) / columns), (edge >> 1) % columns];
const [from, to] = [z[r][c], edge & 1 ? z[r + 1][c] : z[r][c + 1]];
const share = (level - from) / (to - from);
return edge & 1 ? [c, r + share] : [c + share, r];
}
return { levelPaths };
})();
const $presenter = (() => {
const enlargement = () => 1;
const enlarge = (figure) => figure;
return { enlargement, enlarge };
})();
const $streamlit = (() => {

const MAIN = '[data-testid="stMain"]';
const APP = '[data-testid="stApp"]';
const SKIP = '[data-testid="stSkipToContent"]';
const DIALOGS = ".stDialog [role=dialog] > h2 + div div";
const CONNECTION = "data-test-connection-state";

function isDisconnected() {
const state = /** @type {HTMLElement | null} */ (document.querySelector(APP))?.dataset.testConnectionState;
return state !== undefined && state !== "CONNECTED";
}

const scrollOffset = (element) => element.closest(MAIN)?.scrollTop ?? window.scrollY;
return { APP, SKIP, DIALOGS, CONNECTION, isDisconnected, scrollOffset };
})();
const $ticks = (() => {

const STEPS = [2, 5, 10];
const PLAIN = 5; // powers of ten up to which a number has no exponent
const SPACING = { x: 80, y: 40 }; // pixels from tick to tick, where the layout does not say how many there are
const EDGE = 1e-4; // the share of an axis by which a tick may lie beyond its end

function ticks({ range: [low, high], nticks, tickvals, ticktext }, length, letter) {
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

function roundUp(/** @type {number} */ step) {
const base = 10 ** Math.floor(Math.log10(step));
return base * (step <= base ? 1 : (STEPS.find((factor) => factor * base >= step) ?? 10));
}

function formatTick(/** @type {number} */ value, /** @type {number} */ digits) {
const text = Number(Math.abs(value).toFixed(Math.min(digits, 20))).toString();
return value < 0 && text !== "0" ? `−${text}` : text;
}
return { ticks };
})();
const $classes = (() => {


const LOOKS = [
{ ink: "plus", symbol: "circle" },
{ ink: "minus", symbol: "square" },
{ ink: "third", symbol: "triangle-up" },
];

const lookOf = (/** @type {number[]} */ labels, /** @type {number} */ label) =>
LOOKS[Math.max(0, labels.indexOf(label))];
return { LOOKS, lookOf };
})();
const $memoize = (() => {
function memoize(make) {
const values = new Map();
return (name) => {
if (!values.has(name)) values.set(name, make());
return values.get(name);
};
}
return { memoize };
})();
const $exchange = (() => {

const LOST = 10000; // milliseconds after which an unanswered message is taken as lost
const CHOSEN = 250; // milliseconds for which a point is chosen before the choice is sent to Python


class Exchange {
version;
send;
lastAnswer = 0;

#sender;
#live;
#lastSent = 0;
#isDirty = false;
#isMoving = false;
#pushes = 0;
#answeredPushes = 0;
#sentPushes = 0;
#isWaiting = false;
#choiceTimer = 0;
#lossTimer = 0;

constructor(sender, channel) {
this.#sender = sender;
this.#live = channel;
}

acknowledge(ack) {
if (ack >= this.#lastSent) this.#acceptAnswer();
this.lastAnswer = ack;
this.#flush();
}

restart({ again }) {
if (again) {
clearTimeout(this.#lossTimer);
this.#isDirty ||= this.#isWaiting;
this.#isWaiting = false;
} else this.#acceptAnswer();
}

push(moving) {
this.#isMoving = moving;
this.#isDirty = true;
this.#pushes += 1;
const change = { script: () => ({ version: this.version, ...this.#sender.script() }) };
if (moving) this.#live.hold(change);
else this.#live.release(change, () => this.#flush());
this.#sender.onChange();
}

choose(id) {
clearTimeout(this.#choiceTimer);
this.#choiceTimer = 0;
if (id === undefined) return;
this.#choiceTimer = setTimeout(() => {
this.#choiceTimer = 0;
this.#isDirty = true;
this.#flush();
}, CHOSEN);
}

get hasPendingEdits() {
return this.#pushes > this.#answeredPushes;
}

get state() {
return `${this.version}/${this.#pushes}`;
}

get isSettled() {
return !this.#isDirty && !this.#isWaiting && !this.#choiceTimer;
}

#flush() {
if (this.send && this.#isDirty && !this.#isMoving && !this.#isWaiting) {
this.#isDirty = false;
this.#isWaiting = true;
this.#sentPushes = this.#pushes;
this.#lastSent += 1;
this.#lossTimer = setTimeout(() => {
this.#acceptAnswer();
this.#flush();
}, LOST);
this.choose(undefined); // this message contains it
const told = { version: this.version, seq: this.#lastSent, chosen: this.#sender.chosenPoint() };
this.send("edits", { ...told, ...this.#sender.script() });
}
this.#sender.onChange();
}

#acceptAnswer() {
clearTimeout(this.#lossTimer);
this.#isWaiting = false;
this.#answeredPushes = this.#sentPushes;
}
}
return { Exchange };
})();
const $history = (() => {
const recallHistory = () => {};
const rememberHistory = () => {};
return { recallHistory, rememberHistory };
})();
const $memory = (() => {

const PREFIX = "svm-lab ";

function recall(name) {
try {
return localStorage.getItem(PREFIX + name) ?? "";
} catch {
return "";
}
}

function remember(name, text) {
try {
if (text) localStorage.setItem(PREFIX + name, text);
else localStorage.removeItem(PREFIX + name);
} catch {
}
}

class Memory {
#told = false;

receive(payload, send) {
if (!payload) return;
const { memory, text, known } = payload;
const before = recall(memory);
if (!this.#told && !known && before && before !== text) send("memory", { text: before });
else remember(memory, text);
this.#told = true;
}
}
return { recall, remember, Memory };
})();
const $flip_animation = (() => {

const { prefersReducedMotion } = $dom;

const TIME = 400; // milliseconds

class FlipAnimation {
#startTime = -Infinity;
#from = new Map();

get isRunning() {
return performance.now() - this.#startTime < TIME;
}

start(before) {
if (prefersReducedMotion()) return;
this.#from = new Map(before.filter(({ type }) => type === "contour").map((trace) => [trace.name, trace]));
if (this.#from.size) this.#startTime = performance.now();
}

tracesNow(traces) {
if (!this.isRunning) return traces;
const part = (performance.now() - this.#startTime) / TIME;
const share = part * part * (3 - 2 * part);
return traces.map((trace) => this.#blend(trace, share));
}

#blend(trace, share) {
const from = trace.type === "contour" && this.#from.get(trace.name);
if (!from) return trace;
const [columns, rows] = [placesOn(trace.x, from.x), placesOn(trace.y, from.y)];
const z = trace.z.map((row, r) => {
const [low, high, up] = [from.z[rows[r].node], from.z[rows[r].node + 1], rows[r].part];
return Float32Array.from(row, (value, c) => {
const { node, part } = columns[c];
const below = low[node] + part * (low[node + 1] - low[node]);
const above = high[node] + part * (high[node + 1] - high[node]);
return (1 - share) * (below + up * (above - below)) + share * value;
});
});
return { ...trace, z };
}
}

function hasFlip(before, now) {
return [...now.classes].some(([id, name]) => (before.classes.get(id) ?? name) !== name);
}

function placesOn(grid, other) {
const step = (other[other.length - 1] - other[0]) / (other.length - 1);
return Array.from(grid, (value) => {
const place = Math.min(Math.max((value - other[0]) / step, 0), other.length - 1);
const node = Math.min(Math.floor(place), other.length - 2);
return { node, part: place - node };
});
}
return { FlipAnimation, hasFlip };
})();
const $words = (() => {

const { make, setAttributes } = $dom;

const MARK = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[([^\]]+)\]\((\S+?)(?: "([^"]*)")?\)/g;

const CLAUSE = 24; // letters that fit beside one another in the smallest picture

const keepTogether = (line) =>
line.replace(/[^,;]+/g, (clause) => {
const whole = clause.trim().length <= CLAUSE ? clause.replace(/(?<=\S) (?=\S)/g, "\u00a0") : clause;
return whole.replace(/ %/g, "\u00a0%").replace(/(?<=\w)-(?=\w)/g, "-\u2060");
});

const fileName = (path, shown) =>
`svm-lab ${path.split("/").pop()} ${shown}`
.toLowerCase()
.split(/[^\p{L}\p{N}]+/u)
.filter(Boolean)
.join("-");

function parse(text) {
const parts = [];
let end = 0;
for (const found of text.matchAll(MARK)) {
const [whole, strong, stressed, code, words, address, tip] = found;
if (found.index > end) parts.push(text.slice(end, found.index));
end = found.index + whole.length;
if (strong) parts.push(["strong", strong, {}]);
else if (stressed) parts.push(["em", stressed, {}]);
else if (code) parts.push(["code", code, {}]);
else if (/^(?:https?:|[^:]+$)/.test(address)) {
parts.push(["a", words, { href: address, title: tip ?? "", target: "_blank", rel: "noopener" }]);
} else parts.push(words);
}
if (end < text.length) parts.push(text.slice(end));
return parts;
}

function writeMarkdown(element, text) {
const paragraphs = String(text ?? "")
.split(/\n\s*\n/)
.map((part) => part.replace(/\s*\n\s*/g, " ").trim());
const nodes = paragraphs.map((part) => parse(part).map(nodeOf));
element.replaceChildren(...nodes.flatMap((part, k) => (k ? [make("br"), ...part] : part)));
return element;
}

let boxes = 0;

function termElement(words, { href, title }) {
const named = { className: "svm-meaning", id: `svm-meaning-${++boxes}`, popover: "auto" };
const more = nodeOf(["a", "Glossary", { href, target: "_blank", rel: "noopener" }]);
const box = make("span", named, nodeOf(["strong", words, {}]), ` ${title} `, more);
const opens = { title, textContent: words, popoverTargetElement: box };
return make("span", {}, make("button", { type: "button", className: "svm-term", ...opens }), box);
}

function nodeOf(part) {
if (typeof part === "string") return document.createTextNode(part);
const [tag, text, attributes] = part;
if (attributes.title) return termElement(text, attributes);
const given = Object.entries(attributes).filter(([, value]) => value);
return setAttributes(make(tag, { textContent: text }), Object.fromEntries(given));
}
return { keepTogether, fileName, parse, writeMarkdown, termElement };
})();
const $position = (() => {

const { formatNumber } = $numbers;

const STRAIGHT = 1e-3; // of the largest |f| at the frame: the deviation from a plane of a function that counts as linear
const LEVEL = 0.5; // degrees within which a line is horizontal or vertical
const MOST = 3; // places that are named on one edge

function boundarySentence({ xs, ys, f }, [across = "x1", up = "x2"]) {
const grid = { xs: Array.from(xs), ys: Array.from(ys), f, across, up };
const signs = new Set(f.flatMap((row) => Array.from(row, (value) => value >= 0)));
if (signs.size === 1) return `The boundary is outside the picture, all of which is of ${className(f[0][0])}.`;
const plane = linearCoefficients(grid);
if (plane) return lineSentence(plane, grid);
const places = edgeMeetings(grid);
if (!places) return `The boundary is closed within the picture; at the frame all is of ${className(f[0][0])}.`;
return `The boundary ${places}; the lower left corner is of ${className(f[0][0])}.`;
}

function linearCoefficients({ xs, ys, f }) {
const [last, top] = [xs.length - 1, ys.length - 1];
const a = (f[0][last] - f[0][0]) / (xs[last] - xs[0]);
const b = (f[top][0] - f[0][0]) / (ys[top] - ys[0]);
const c = f[0][0] - a * xs[0] - b * ys[0];
let [away, most] = [0, 0];
f.forEach((row, r) => {
for (let k = 0; k < row.length; k++) {
away = Math.max(away, Math.abs(a * xs[k] + b * ys[r] + c - row[k]));
most = Math.max(most, Math.abs(row[k]));
}
});
return away <= STRAIGHT * most ? { a, b, c } : undefined;
}

function lineSentence({ a, b, c }, grid) {
const angle = b ? (Math.atan2(-a * Math.sign(b), Math.abs(b)) * 180) / Math.PI : 90;
const turn = `${angle > 0 ? "rises" : "falls"} to the right at ${Math.abs(angle).toFixed(0)} degrees`;
const steep = Math.abs(angle) > 90 - LEVEL;
const course = steep ? "is vertical" : Math.abs(angle) < LEVEL ? "is horizontal" : turn;
const side = steep ? (a > 0 ? "to its right" : "to its left") : b > 0 ? "above it" : "below it";
return `The boundary ${axisCrossing(a, b, c, grid) || edgeMeetings(grid)} and ${course}; class +1 lies ${side}.`;
}

function axisCrossing(a, b, c, { xs, ys, across, up }) {
const isWithin = (value, along) => along[0] <= value && value <= along[along.length - 1];
if (a && isWithin(0, ys) && isWithin(-c / a, xs))
return `crosses the axis ${up} = 0 at ${across} = ${formatPlace(-c / a, xs)}`;
return b && isWithin(0, xs) && isWithin(-c / b, ys)
? `crosses the axis ${across} = 0 at ${up} = ${formatPlace(-c / b, ys)}`
: "";
}

function edgeMeetings({ xs, ys, f, across, up }) {
const columnOf = (k) => f.map((row) => row[k]);
const edges = [
{ name: `lower edge at ${across}`, along: xs, values: f[0] },
{ name: `right edge at ${up}`, along: ys, values: columnOf(xs.length - 1) },
{ name: `upper edge at ${across}`, along: xs, values: f[ys.length - 1] },
{ name: `left edge at ${up}`, along: ys, values: columnOf(0) },
];
const texts = edges.flatMap(({ name, along, values }) => {
const zeros = crossings(along, values);
const named = zeros.slice(0, MOST).map((zero) => formatPlace(zero, along));
const more = zeros.length > MOST ? ` and ${zeros.length - MOST} more` : "";
return zeros.length ? [`the ${name} = ${named.join(", ")}${more}`] : [];
});
const last = texts.pop();
return last ? `meets ${texts.length ? `${texts.join(", ")} and ${last}` : last}` : "";
}

function crossings(along, values) {
const found = [];
for (let k = 0; k + 1 < along.length; k++) {
const [low, high] = [values[k], values[k + 1]];
if (low >= 0 !== high >= 0) found.push(along[k] + ((along[k + 1] - along[k]) * low) / (low - high));
}
return found;
}

const className = (value) => (value >= 0 ? "class +1" : "class −1");

function formatPlace(value, along) {
const length = along[along.length - 1] - along[0];
const digits = Math.floor(Math.log10(Math.abs(value) || 1e-99)) + 4 - Math.ceil(Math.log10(length));
return digits > 0 ? formatNumber(value, digits) : "0";
}
return { boundarySentence };
})();
const $single_fields = (() => {

const { make } = $dom;
const { formatNumber } = $numbers;

function makeSlider(label, value, range, changed) {
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

function makeNumber(label, value, { low, high, heard = label, step }, changed) {
const input = make("input", { type: "number", min: low, max: high, step, value, ariaLabel: heard });
input.onchange = () => {
const given = Number(input.value);
const kept = Number.isFinite(given) && input.value !== "" ? Math.min(Math.max(given, low), high) : value;
input.value = String(kept);
changed(kept, false);
};
return addLabel(label, input);
}

function makeChoice(label, value, options, changed) {
const offered = options.map(({ key, name }) => make("option", { value: key, textContent: name }));
const input = make("select", { ariaLabel: label }, ...offered);
input.value = value;
input.onchange = () => changed(input.value);
return addLabel(label, input);
}

const addLabel = (label, ...inputs) => make("label", {}, make("span", { textContent: label }), ...inputs);
return { makeSlider, makeNumber, makeChoice };
})();
const $interior = (() => {

const { dot, solveFactored, sum } = $vectors;

const RANK = 1e-10; // of the largest diagonal entry: what is left of the matrix is for the other solver
const ROUNDS = 60;
const TOLERANCE = 1e-10; // of the products of distances and multipliers
const SHORT = 0.995; // of the way to the first bound

function approximateOptimum(K, { lower, upper, ridge, linear }) {
const n = linear.length;
const G = factor(K, n);
const [below, above] = [Array.from(lower, Number.isFinite), Array.from(upper, Number.isFinite)];
const b = Float64Array.from(lower, (low, k) =>
below[k] && above[k] ? (low + upper[k]) / 2 : below[k] ? low + 1 : 0,
);
for (let k = 0; k < n; k++) if (above[k] && !below[k]) b[k] = upper[k] - 1;
const zl = Float64Array.from(below, Number);
const zu = Float64Array.from(above, Number);
const bounds = below.filter(Boolean).length + above.filter(Boolean).length;
let level = 0;
for (let round = 0; round < ROUNDS; round++) {
const slack = b.map((value, k) => (below[k] ? value - lower[k] : 1));
const room = b.map((value, k) => (above[k] ? upper[k] - value : 1));
const mu = (dot(zl, slack) + dot(zu, room)) / bounds;
const image = multiply(G, multiplyTransposed(G, b));
const error = image.map((value, k) => value + ridge[k] * b[k] + linear[k] + level - zl[k] + zu[k]);
if (mu <= TOLERANCE * (1 + Math.abs(dot(linear, b)) / n)) break;
const theta = ridge.map((value, k) => 1 / (value + zl[k] / slack[k] + zu[k] / room[k]));
const solve = inverseOf(G, theta);
const ones = solve(theta.map(() => 1));
const step = (target, firstL, firstU) => {
const left = slack.map((s, k) => (below[k] ? (target - zl[k] * s - firstL[k]) / s : 0));
const right = room.map((s, k) => (above[k] ? (target - zu[k] * s - firstU[k]) / s : 0));
const forced = solve(error.map((value, k) => -value + left[k] - right[k]));
const rise = (sum(forced) + sum(b)) / sum(ones);
const db = forced.map((value, k) => value - rise * ones[k]);
const dl = db.map((d, k) => left[k] - (zl[k] * d) / slack[k]);
const du = db.map((d, k) => right[k] + (zu[k] * d) / room[k]);
let length = 1;
for (let k = 0; k < n; k++) {
if (below[k]) length = Math.min(length, lengthTo(slack[k], db[k]), lengthTo(zl[k], dl[k]));
if (above[k]) length = Math.min(length, lengthTo(room[k], -db[k]), lengthTo(zu[k], du[k]));
}
return { db, dl, du, rise, length };
};
const none = new Float64Array(n);
const { db, dl, du, length } = step(0, none, none);
let after = 0;
for (let k = 0; k < n; k++) {
if (below[k]) after += (slack[k] + length * db[k]) * (zl[k] + length * dl[k]);
if (above[k]) after += (room[k] - length * db[k]) * (zu[k] + length * du[k]);
}
const target = mu * (after / bounds / mu) ** 3;
const [bentL, bentU] = [db.map((d, k) => d * dl[k]), db.map((d, k) => -d * du[k])];
const next = step(target, bentL, bentU);
const far = SHORT * next.length;
if (!(far > 1e-14)) break; // rounding has the last word
for (let k = 0; k < n; k++) {
b[k] += far * next.db[k];
if (below[k]) zl[k] += far * next.dl[k];
if (above[k]) zu[k] += far * next.du[k];
}
level += far * next.rise;
}
return b.map((value, k) => {
const width = below[k] && above[k] ? upper[k] - lower[k] : 1 + Math.abs(value);
if (below[k] && value - lower[k] < zl[k] * width) return lower[k];
return above[k] && upper[k] - value < zu[k] * width ? upper[k] : value;
});
}

const lengthTo = (value, change) => (change < 0 ? -value / change : 1);

function factor(K, n) {
const rest = Float64Array.from({ length: n }, (_, k) => K[k * n + k]);
const columns = [];
const least = RANK * Math.max(...rest);
while (columns.length < n) {
const pivot = rest.indexOf(Math.max(...rest));
if (!(rest[pivot] > least)) break;
const column = K.slice(pivot * n, pivot * n + n);
for (const before of columns) for (let k = 0, by = before[pivot]; k < n; k++) column[k] -= by * before[k];
const root = Math.sqrt(rest[pivot]);
for (let k = 0; k < n; k++) {
column[k] /= root;
rest[k] -= column[k] * column[k];
}
rest[pivot] = 0;
columns.push(column);
}
return columns;
}

const multiplyTransposed = (G, b) => G.map((column) => dot(column, b));

function multiply(G, weights) {
const image = new Float64Array(G[0].length);
G.forEach((column, c) => {
for (let k = 0; k < image.length; k++) image[k] += weights[c] * column[k];
});
return image;
}

function inverseOf(G, theta) {
const rank = G.length;
const L = new Float64Array(rank * rank);
const weighted = new Float64Array(theta.length);
for (let i = 0; i < rank; i++) {
for (let k = 0; k < theta.length; k++) weighted[k] = theta[k] * G[i][k];
for (let j = 0; j <= i; j++) {
let entry = dot(weighted, G[j]) + (i === j ? 1 : 0);
for (let c = 0; c < j; c++) entry -= L[i * rank + c] * L[j * rank + c];
L[i * rank + j] = i === j ? Math.sqrt(entry) : entry / L[j * rank + j];
}
}
return (/** @type {Float64Array} */ right) => {
const scaled = right.map((value, k) => theta[k] * value);
const image = multiply(G, solveFactored(L, rank, multiplyTransposed(G, scaled)));
return scaled.map((value, k) => value - theta[k] * image[k]);
};
}
return { approximateOptimum };
})();
const $canvas = (() => {

const { levelPaths } = $contours;

const OPAQUE = 0xff000000;
const HATCH = 14; // pixels from stroke to stroke


const SHEETS = 4; // sizes of fields for which pixels are kept

function drawFields(canvas, traces, layout, size) {
const { pen, place } = makeSurface(canvas, layout, size);
for (const trace of traces) {
pen.globalAlpha = trace.opacity ?? 1;
if (trace.mode?.includes("lines")) drawPath(pen, trace, place);
if (trace.meta?.between) drawChanged(pen, trace, traces, place);
else if (trace.contours?.type === "constraint") drawStrip(pen, trace, place);
else if (trace.contours?.coloring === "none") drawLevels(pen, trace, place);
else if (trace.contours) drawBands(pen, trace, place, bandColours(trace));
}
pen.globalAlpha = 1;
}

const isNote = ({ name }) => name === "line";

function drawPoints(canvas, traces, layout, size, { now = samePlace, notes = /** @type {any[]} */ ([]) } = {}) {
const { pen, place } = makeSurface(canvas, layout, size);
for (const trace of traces) {
if (trace.mode?.includes("markers")) drawMarkers(pen, trace, place, now);
if (trace.mode === "text") drawTexts(pen, trace, place);
}
for (const note of notes) (note.showarrow ? drawName : drawNote)(pen, note, place);
return { pen, place };
}

const samePlace = (_id, x, y) => ({ x, y });

function makeSurface(canvas, { xaxis, yaxis }, [width, height]) {
const ratio = Math.min(window.devicePixelRatio || 1, 2);
const [across, down] = [Math.floor(width * ratio), Math.floor(height * ratio)];
const pen = canvas.getContext("2d");
if (canvas.width === across && canvas.height === down) pen.reset();
else Object.assign(canvas, { width: across, height: down });
const place = {
x: linearScale(xaxis.range, xaxis._offset, xaxis._offset + xaxis._length),
y: linearScale(yaxis.range, yaxis._offset + yaxis._length, yaxis._offset),
box: [xaxis._offset, yaxis._offset, xaxis._length, yaxis._length],
};
pen.scale(ratio, ratio);
pen.beginPath();
pen.rect(...place.box);
pen.clip();
return { pen, place };
}

function linearScale([low, high], from, to) {
const slope = (to - from) / (high - low);
const map = (value) => from + (value - low) * slope;
map.invert = (pixel) => low + (pixel - from) / slope;
return map;
}

const valueAt = (value, k) => (Array.isArray(value) || ArrayBuffer.isView(value) ? value[k] : value);

function usePen(pen, { color, width, dash = "" }) {
pen.strokeStyle = color;
pen.lineWidth = width;
pen.setLineDash(dash.match(/[\d.]+/g)?.map(Number) ?? []);
pen.beginPath();
}

function drawPath(pen, { x, y, line }, place) {
usePen(pen, line);
let down = false;
for (let k = 0; k < x.length; k++) {
const here = Number.isFinite(x[k]) && Number.isFinite(y[k]);
if (here) pen[down ? "lineTo" : "moveTo"](place.x(x[k]), place.y(y[k]));
down = here;
}
pen.stroke();
}

function drawMarkers(pen, { x, y, marker, customdata = undefined }, place, now) {
const { symbol, size, color, line } = marker;
pen.setLineDash([]);
for (let k = 0; k < x.length; k++) {
const spot = now(customdata?.[k][0], x[k], y[k]);
if (!spot || !valueAt(size, k)) continue;
const [left, top, r] = [place.x(spot.x), place.y(spot.y), valueAt(size, k) / 2];
const form = valueAt(symbol, k);
const open = form.endsWith("-open");
pen.beginPath();
if (form.startsWith("circle")) pen.arc(left, top, r, 0, 2 * Math.PI);
else if (form.startsWith("triangle")) addTriangle(pen, left, top, r);
else pen.rect(left - r, top - r, 2 * r, 2 * r);
pen.fillStyle = valueAt(color, k);
pen.strokeStyle = open ? valueAt(color, k) : valueAt(line.color, k);
pen.lineWidth = valueAt(line.width, k);
if (!open) pen.fill();
if (valueAt(line.width, k) > 0) pen.stroke(); // the pen takes no width of zero
if (form.endsWith("-dot")) drawDot(pen, left, top);
}
}

function drawDot(pen, left, top) {
pen.beginPath();
pen.arc(left, top, 0.5 + pen.lineWidth / 2, 0, 2 * Math.PI);
pen.fillStyle = pen.strokeStyle;
pen.fill();
}

function addTriangle(pen, left, top, r) {
const half = (2 * r) / Math.sqrt(3);
pen.moveTo(left - half, top + r / 2);
pen.lineTo(left + half, top + r / 2);
pen.lineTo(left, top - r);
pen.closePath();
}

function useLetters(pen, { size, family }, align = "center", weight = 400) {
pen.font = `${weight} ${size}px ${family}`;
pen.textAlign = align;
pen.textBaseline = "middle";
}

function drawTexts(pen, { x, y, text, textfont }, place) {
pen.fillStyle = textfont.color;
for (let k = 0; k < x.length; k++) {
const plain = text[k].replace(/<\/?b>/g, "");
useLetters(pen, textfont, "center", plain === text[k] ? 400 : 700);
pen.fillText(plain, place.x(x[k]), place.y(y[k]));
}
}

function drawNote(pen, { text, y, xanchor, yanchor, font, bgcolor }, place) {
const [left, , width] = place.box;
useLetters(pen, font, "right");
const height = 1.5 * font.size;
const middle = place.y(y) + (yanchor === "top" ? 1 : -1) * (height / 2 + 1); // the line itself stays free
const across = pen.measureText(text).width + 4;
const end = xanchor === "right" ? left + width : left + across;
pen.fillStyle = bgcolor;
pen.fillRect(end - across, middle - height / 2, across, height);
pen.fillStyle = font.color;
pen.fillText(text, end - 2, middle + 1);
}

function drawName(pen, { text, x, y, ax, ay, font, bgcolor, bordercolor, borderpad }, place) {
useLetters(pen, font);
const [wide, high] = [pen.measureText(text).width + 2 * borderpad + 2, 1.5 * font.size];
const [left, top] = [place.x(x) + ax, place.y(y) + ay];
const within = Math.min(wide / 2 / Math.abs(ax), high / 2 / Math.abs(ay), 1);
usePen(pen, { color: bordercolor, width: 1 });
pen.moveTo(place.x(x), place.y(y));
pen.lineTo(left - within * ax, top - within * ay);
pen.rect(left - wide / 2, top - high / 2, wide, high);
pen.fillStyle = bgcolor;
pen.fillRect(left - wide / 2, top - high / 2, wide, high);
pen.stroke();
pen.fillStyle = font.color;
pen.fillText(text, left, top + 1);
}

function drawPair(pen, place, [x1, y1], [x2, y2], length, { accent, ink, page, font, by }) {
usePen(pen, { color: accent, width: 2 });
pen.moveTo(place.x(x1), place.y(y1));
pen.lineTo(place.x(x2), place.y(y2));
pen.stroke();
const close = Math.hypot(place.x(x1) - place.x(x2), place.y(y1) - place.y(y2)) < 80 * by;
const middle = [(x1 + x2) / 2, close ? Math.min(y1, y2) : (y1 + y2) / 2];
drawWord(pen, place, middle, Number(length.toPrecision(3)).toString(), { ink, page, font, by }, close ? -22 : 0);
}

function drawWord(pen, place, [x, y], word, { ink, page, font, by }, above = 20) {
useLetters(pen, { size: 12 * by, family: font }, "center", 600);
pen.lineWidth = 4 * by;
pen.lineJoin = "round";
pen.setLineDash([]);
pen.strokeStyle = page;
pen.strokeText(word, place.x(x), place.y(y) - by * above);
pen.fillStyle = ink;
pen.fillText(word, place.x(x), place.y(y) - by * above);
}

function drawCross(pen, place, [x, y], colour) {
const [left, top, r] = [place.x(x), place.y(y), 5.5];
usePen(pen, { color: colour, width: 2 });
for (const side of [-1, 1]) {
pen.moveTo(left - r, top - side * r);
pen.lineTo(left + r, top + side * r);
}
pen.stroke();
}

function drawStrip(pen, trace, place) {
const levels = [trace.contours.value].flat();
const [low, high] = levels;
const size = high === undefined ? 1 : high - low;
const hatch = trace.meta?.hatch;
const tint = hatch ? OPAQUE : packColour(trace.fillcolor.match(/[\d.]+/g).map(Number));
const table = Uint32Array.of(0, tint, high === undefined ? tint : 0);
const layer = { ...trace, contours: { start: low, size } };
if (hatch) drawHatched(pen, layer, place, table);
else drawBands(pen, layer, place, table);
for (const level of trace.line.width ? levels : []) {
drawLevels(pen, { ...trace, contours: { start: level, end: level, size: 1 } }, place);
}
}

function drawHatched(pen, trace, place, table) {
const [left, top, width, height] = place.box.map(Math.round);
const whole = makePen(width, height);
whole.drawImage(bandSheet(trace, place, table), 0, 0);
whole.globalCompositeOperation = "source-in";
const stroke = makePen(HATCH, HATCH);
stroke.strokeStyle = trace.line.color;
for (const shift of [-HATCH, 0, HATCH]) {
stroke.moveTo(shift, trace.meta.hatch > 0 ? HATCH : 0);
stroke.lineTo(shift + HATCH, trace.meta.hatch > 0 ? 0 : HATCH);
}
stroke.stroke();
whole.fillStyle = whole.createPattern(stroke.canvas, "repeat");
whole.fillRect(0, 0, width, height);
pen.drawImage(whole.canvas, left, top);
}

function drawChanged(pen, { meta, fillcolor }, traces, place) {
const [left, top, width, height] = place.box.map(Math.round);
const whole = makePen(width, height);
let [low, high, bottom, upper] = meta.view;
for (const names of meta.between) {
const one = makePen(width, height);
const pair = names.map((name) => traces.find((trace) => trace.name === name));
for (const { x, y, z } of pair) {
const layer = { x, y, z, contours: { start: 0, size: 1 } };
one.globalCompositeOperation = "xor";
one.drawImage(bandSheet(layer, place, Uint32Array.of(0, OPAQUE, OPAQUE)), 0, 0);
[low, high] = [Math.max(low, x[0]), Math.min(high, x[x.length - 1])];
[bottom, upper] = [Math.max(bottom, y[0]), Math.min(upper, y[y.length - 1])];
}
whole.drawImage(one.canvas, 0, 0);
}
whole.globalCompositeOperation = "source-in";
whole.fillStyle = fillcolor;
const [x, y] = [place.x(low), place.y(upper)];
whole.fillRect(x - left, y - top, place.x(high) - x, place.y(bottom) - y);
pen.drawImage(whole.canvas, left, top);
}

function drawBands(pen, trace, place, table) {
pen.drawImage(bandSheet(trace, place, table), Math.round(place.box[0]), Math.round(place.box[1]));
}

function bandSheet(trace, place, table) {
const [left, top, width, height] = place.box.map(Math.round);
const { image, sheet } = sheetOf(width, height);
const pixels = new Uint32Array(image.data.buffer).fill(0);
const { start, size } = trace.contours;
const columns = nodesOf(trace.x, width, (i) => place.x.invert(left + i + 0.5));
const rows = nodesOf(trace.y, height, (j) => place.y.invert(top + j + 0.5));
const [cells, shares, last] = [cellsOf(columns.first), columns.share, table.length - 1];
const steps = new Float64Array(trace.x.length);
for (let j = 0; j < height; j++) {
if (rows.first[j] < 0) continue;
const [low, high, share] = [trace.z[rows.first[j]], trace.z[rows.first[j] + 1], rows.share[j]];
for (let c = 0; c < steps.length; c++) steps[c] = (low[c] + share * (high[c] - low[c]) - start) / size + 1;
const row = j * width;
for (let k = 0; k < cells.length; k++) {
const { node, from, to } = cells[k];
const before = steps[node];
const rise = steps[node + 1] - before;
const one = bandOf(before + shares[from] * rise, last);
const colour = table[one];
if (one === bandOf(before + shares[to - 1] * rise, last))
for (let i = from; i < to; i++) pixels[row + i] = colour;
else for (let i = from; i < to; i++) pixels[row + i] = table[bandOf(before + shares[i] * rise, last)];
}
}
sheet.getContext("2d")?.putImageData(image, 0, 0);
return sheet;
}

const sheets = [];

function sheetOf(/** @type {number} */ width, /** @type {number} */ height) {
const k = sheets.findIndex(({ image }) => image.width === width && image.height === height);
const [found] = k < 0 ? [] : sheets.splice(k, 1);
const one = found ?? { image: new ImageData(width, height), sheet: new OffscreenCanvas(width, height) };
sheets.unshift(one);
sheets.length = Math.min(sheets.length, SHEETS);
return one;
}

const makePen = (width, height) => new OffscreenCanvas(width, height).getContext("2d");

function bandOf(/** @type {number} */ step, /** @type {number} */ last) {
return step > 0 ? (step < last ? step | 0 : last) : step <= 0 ? 0 : -1;
}

function cellsOf(/** @type {Int32Array} */ first) {
const cells = [];
first.forEach((node, i) => {
const cell = cells.at(-1);
if (cell?.node === node) cell.to = i + 1;
else if (node >= 0) cells.push({ node, from: i, to: i + 1 });
});
return cells;
}

function nodesOf(grid, count, value) {
const first = new Int32Array(count);
const share = new Float32Array(count);
const step = (grid.at(-1) - grid[0]) / (grid.length - 1);
for (let k = 0; k < count; k++) {
const position = (value(k) - grid[0]) / step;
const node = Math.min(Math.floor(position), grid.length - 2);
first[k] = position < 0 || position > grid.length - 1 ? -1 : node;
share[k] = position - node;
}
return { first, share };
}

function bandColours({ contours: { start, end, size }, colorscale }) {
const scale = colorscale.map(([position, colour]) => [position, colour.match(/[\d.]+/g).map(Number)]);
const count = Math.round((end - start) / size) + 2;
return Uint32Array.from({ length: count }, (_, k) => {
const share = k / (count - 1);
const found = scale.findIndex(([position]) => position >= share);
const [[from, low], [to, high]] = scale.slice(Math.max(found, 1) - 1);
const mix = (value, channel) => Math.round(value + ((high[channel] - value) * (share - from)) / (to - from));
return packColour(low.map(mix));
});
}

const packColour = ([r, g, b, opacity = 1]) => ((Math.round(255 * opacity) << 24) | (b << 16) | (g << 8) | r) >>> 0;

function drawLevels(pen, { x, y, z, contours: { start, end, size }, line }, place) {
usePen(pen, line);
pen.lineJoin = "round";
for (let level = start; level <= end; level += size) {
for (const path of levelPaths(z, level)) {
path.forEach(([c, r], k) => {
pen[k ? "lineTo" : "moveTo"](place.x(interpolate(x, c)), place.y(interpolate(y, r)));
});
}
}
pen.stroke();
}

function levelLines({ x, y, z }, level) {
return levelPaths(z, level).map((path) => path.map(([c, r]) => [interpolate(x, c), interpolate(y, r)]));
}

function interpolate(grid, position) {
const node = Math.min(Math.floor(position), grid.length - 2);
return grid[node] + (position - node) * (grid[node + 1] - grid[node]);
}
return { drawFields, isNote, drawPoints, valueAt, drawMarkers, drawPair, drawWord, drawCross, levelLines };
})();
const $frame = (() => {

const { scrollOffset } = $streamlit;

const PORTABLE = "Helvetica, Arial, sans-serif"; // a saved picture is drawn without the fonts of the page
const PLACE = { x: 0, xref: "paper", xanchor: "left", y: 1, yref: "paper", yanchor: "bottom" };
const TITLE = { ...PLACE, align: "left", showarrow: false, borderpad: 0 };
const ENTRY = 45; // pixels of an entry of a legend beside its words
const ROW = 20 / 12; // the height of a row of it over that of its letters
const [TITLED, BREAK] = [30, 1.3]; // pixels of the title of a saved picture, and a further line of it over its letters
const WORDS = /(?<=(?<![=<>∝]) )(?![^<]*">|[=<>∝] )/; // behind a space that is not within a tag or a formula
const INDENT = "\u2003"; // of the lines of a text after its first
const LOWEST = 150; // pixels of a picture that shares the height of the window
const ALONE = 240; // and of one that is stacked, below which its legend leaves nothing to see
const TALLEST = 1.3; // its height over its width
const NARROW = 1000; // pixels of a window in which pictures are stacked, see page.css
const FLAT = 0.7; // the height of a stacked chart over its width
const UPRIGHT = 420; // and its least height in pixels, where the window has it
const BELOW = 8; // pixels that are left free at the lower edge of the window
const BESIDE = 56; // and above pictures further down the page

function wantedHeight(root, { height, fill, less }, square = true) {
if (!fill) return height;
const letters = parseFloat(getComputedStyle(document.documentElement).fontSize);
const share = fill * stageHeight(root) - (less * letters) / 16;
const stacked = innerWidth <= NARROW;
const tallest = stacked && !square ? Math.max(FLAT * root.clientWidth, UPRIGHT) : root.clientWidth * TALLEST;
return Math.max(LOWEST, Math.min(Math.max(share, stacked ? ALONE : 0), tallest));
}

function stageHeight(root) {
const top = root.closest(".st-key-stage, .st-key-scene_stage")?.getBoundingClientRect().top ?? 0;
const above = top + scrollOffset(root);
return window.innerHeight - (above > 0 && above < window.innerHeight / 2 ? above : BESIDE) - BELOW;
}

function legendMargin(data, { font, legend, margin, showlegend, width, height }) {
if (!showlegend || legend?.yref !== "container") return margin;
const named = data.filter((trace) => trace.showlegend);
const widths = named.map(({ name }) => ENTRY + lengthOf(name, `${font.size}px ${font.family}`));
const room = width - margin.l - margin.r;
const whole = widths.reduce((sum, one) => sum + one, 0) <= room;
const across = whole ? widths.length : Math.max(1, Math.floor(room / Math.max(...widths)));
const rows = Math.ceil(widths.length / Math.max(1, across));
const most = Math.floor((legend.maxheight * height) / (ROW * font.size)); // it scrolls to the others
return { ...margin, b: margin.b + ROW * font.size * Math.max(0, Math.min(rows, most) - 1) };
}

let pen;

function extentOf(/** @type {string} */ text, /** @type {string} */ font) {
pen ??= document.createElement("canvas").getContext("2d");
if (pen.font !== font) pen.font = font;
const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measureText(text);
return { width, up, down };
}

const lengthOf = (/** @type {string} */ text, /** @type {string} */ font) => extentOf(text, font).width;

function wrap(text, room, long, at = WORDS, indent = INDENT) {
const lines = [""];
for (const part of text.split(at)) {
const line = lines[lines.length - 1];
if (line && long((line + part).trimEnd()) > room) lines.push(indent + part);
else lines[lines.length - 1] = line + part;
}
return lines.map((line) => line.trimEnd());
}

const withPortableFont = (layout) => ({ ...layout, font: { ...layout.font, family: PORTABLE } });

function addTitle({ data, layout }, [width, height], title) {
if (!title) return { figure: { data, layout }, size: [width, height] };
const { font, margin } = layout;
const size = Math.min(1.4 * font.size, Math.max(font.size, width / 20));
const lines = wrap(title, width - margin.l, (words) => lengthOf(words, `${size}px ${font.family}`));
const text = lines.map((line) => line.replace(/&/g, "&amp;").replace(/</g, "&lt;")).join("<br>");
const room = TITLED + BREAK * size * (lines.length - 1);
const annotations = [...(layout.annotations ?? []), { ...TITLE, text, font: { size }, yshift: margin.t }];
const headed = { ...layout, annotations, margin: { ...margin, t: margin.t + room } };
return { figure: { data, layout: headed }, size: [width, height + room] };
}
return { wantedHeight, legendMargin, extentOf, lengthOf, wrap, withPortableFont, addTitle };
})();
const $tones = (() => {

const { face } = $dom;
const { recall, remember } = $memory;

const LOW = 220; // hertz: the tone of the smallest value, two octaves below that of the largest
const HIGH = 880;
const APART = 0.14; // seconds between tones that follow one another
const LOUD = 0.12;
const ATTACK = 0.008; // seconds, as all that follow
const LENGTH = 0.09;
const DECAY = 0.03;
const NAME = "tones";
const NOTES =
"M6 12.5v-9L12.5 2v9M6 12.5a1.9 1.5 0 1 0-3.8 0 1.9 1.5 0 1 0 3.8 0M12.5 11a1.9 1.5 0 1 0-3.8 0 1.9 1.5 0 1 0 3.8 0";

function frequency(share) {
if (typeof share !== "number" || !Number.isFinite(share)) return undefined;
return LOW * (HIGH / LOW) ** Math.min(Math.max(share, 0), 1);
}

function sharesOf(values) {
const largest = Math.max(0, ...[...values.values()].map(Math.abs));
return new Map([...values].map(([key, value]) => [key, largest && Math.abs(value) / largest]));
}

class Tones {
#buttons = new Set();
#source;

get isOn() {
return recall(NAME) === "on";
}

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

playIfOn(shares) {
if (this.isOn) this.play(shares);
}

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

const tones = new Tones();
return { LOW, HIGH, APART, frequency, sharesOf, Tones, tones };
})();
const $solver = (() => {


const { approximateOptimum } = $interior;
const { solveFactored, sum } = $vectors;

const AGAIN = 20; // times the work of a run are allowed after an interior point
const CURVATURE = 1e-12; // the least of a pair, whose kernel may not be positive semidefinite
const DEPENDENT = 1e-11; // of a diagonal entry: a pivot below it belongs to a point that depends on the others
const REFRESHES = 20; // of F: where these do not suffice, rounding moves it by more than the tolerance
const LOST = 1.05; // of the tolerance: what F may lose by its updates, as in svmcore

function solve(K, qp, { beta, tol = 1e-3, work = 2e7, thorough = true } = {}) {
const first = finish(new Run(K, qp, beta), tol, work);
if (first.status !== "ITERATION_LIMIT" || !thorough) return first;
const near = makeFeasible(approximateOptimum(K, qp), qp);
const second = finish(new Run(K, qp, near), tol, AGAIN * work);
return second.violation < first.violation ? second : first;
}

function finish(run, tol, work) {
let status = run.descend(tol, work);
for (let k = 0; status === "CONVERGED"; k++) {
run.refresh();
if (run.violation() <= LOST * tol) break;
status = k === REFRESHES ? "ROUNDING" : run.descend(tol, work);
}
return run.solution(status);
}

function makeFeasible(given, { lower, upper }) {
const beta = given.map((value, k) => (Number.isFinite(value) ? Math.min(Math.max(value, lower[k]), upper[k]) : 0));
let excess = sum(beta);
for (const free of [true, false]) {
for (let k = 0; k < beta.length && excess !== 0; k++) {
if (free !== (beta[k] > lower[k] && beta[k] < upper[k])) continue;
const next = Math.min(Math.max(beta[k] - excess, lower[k]), upper[k]);
excess -= beta[k] - next;
beta[k] = next;
}
}
return beta;
}

class Run {
constructor(K, qp, beta) {
this.K = K;
this.qp = qp;
this.n = qp.linear.length;
this.beta = beta ? Float64Array.from(beta) : new Float64Array(this.n);
this.F = new Float64Array(this.n);
this.warm = Boolean(beta);
this.spent = 0;
this.steps = 0;
this.refresh();
}

refresh() {
const { K, n, beta, F, qp } = this;
for (let k = 0; k < n; k++) F[k] = -qp.linear[k] - qp.ridge[k] * beta[k];
for (let j = 0; j < n; j++) {
if (beta[j] === 0) continue;
for (let k = 0, at = j * n; k < n; k++, at++) F[k] -= beta[j] * K[at];
}
this.spent += n * n;
}

extremes() {
const { beta, F, qp } = this;
let [top, bottom] = [-Infinity, Infinity];
for (let k = 0; k < this.n; k++) {
if (beta[k] < qp.upper[k] && F[k] > top) top = F[k];
if (beta[k] > qp.lower[k] && F[k] < bottom) bottom = F[k];
}
return [top, bottom];
}

violation() {
const [top, bottom] = this.extremes();
return Math.max(top - bottom, 0);
}

descend(tol, work) {
const { qp, n } = this;
const open = qp.lower.every((low, k) => low === -Infinity && qp.upper[k] === Infinity);
let burst = open ? 0 : this.warm ? 4 : 2 * n;
while (this.spent < work) {
const ended = this.takePairSteps(tol, burst);
if (ended) return ended;
this.takeNewtonSteps();
burst = Math.max(4, n >> 3);
}
return this.violation() <= tol ? "CONVERGED" : "ITERATION_LIMIT";
}

takePairSteps(tol, most) {
const { K, n, beta, F, qp } = this;
const { lower, upper, ridge } = qp;
for (let step = 0; ; step++) {
let [i, top] = [-1, -Infinity];
for (let k = 0; k < n; k++) {
if (F[k] > top && beta[k] < upper[k]) {
top = F[k];
i = k;
}
}
if (i < 0) return "CONVERGED";
let [j, best, worst] = [-1, 0, -Infinity];
const at = i * n;
const own = K[at + i] + ridge[i];
for (let k = 0, diagonal = 0; k < n; k++, diagonal += n + 1) {
const excess = top - F[k];
if (excess <= 0 || beta[k] <= lower[k]) continue;
if (excess > worst) worst = excess;
const gain = (excess * excess) / Math.max(own + K[diagonal] + ridge[k] - 2 * K[at + k], CURVATURE);
if (gain > best) {
best = gain;
j = k;
}
}
this.spent += 2 * n;
if (j < 0 || worst <= tol) return "CONVERGED";
if (step >= most) return undefined;
const bend = own + K[j * n + j] + ridge[j] - 2 * K[at + j];
const [rise, fall] = [upper[i] - beta[i], beta[j] - lower[j]];
const length = Math.min((top - F[j]) / Math.max(bend, CURVATURE), rise, fall);
if (bend <= CURVATURE && rise === Infinity && fall === Infinity) return "UNBOUNDED";
beta[i] = length === rise ? upper[i] : beta[i] + length; // the sum may miss the bound by its last digit
beta[j] = length === fall ? lower[j] : beta[j] - length;
for (let k = 0, other = j * n; k < n; k++, other++) F[k] -= length * (K[at + k] - K[other]);
F[i] -= length * ridge[i];
F[j] += length * ridge[j];
this.spent += 2 * n;
this.steps += 1;
}
}

takeNewtonSteps() {
const { n, beta, F, qp } = this;
let free = [];
for (let k = 0; k < n; k++) if (beta[k] > qp.lower[k] && beta[k] < qp.upper[k]) free.push(k);
while (free.length > 1) {
const { kept, direction } = this.newtonDirection(free);
if (kept.length < 2) return;
let [length, first] = [1, -1];
kept.forEach((k, m) => {
const d = direction[m];
const room = d > 0 ? (qp.upper[k] - beta[k]) / d : d < 0 ? (qp.lower[k] - beta[k]) / d : Infinity;
if (room < length) {
length = room;
first = m;
}
});
kept.forEach((k, m) => {
const d = length * direction[m];
beta[k] = Math.min(Math.max(beta[k] + d, qp.lower[k]), qp.upper[k]);
F[k] -= d * qp.ridge[k];
for (let c = 0, at = k * n; c < n; c++, at++) F[c] -= d * this.K[at];
});
this.spent += n * kept.length;
this.steps += 1;
if (first < 0) return;
const bound = kept[first];
beta[bound] = direction[first] > 0 ? qp.upper[bound] : qp.lower[bound];
free = kept.filter((k) => beta[k] > qp.lower[k] && beta[k] < qp.upper[k]);
}
}

newtonDirection(free) {
const { K, n, F, qp } = this;
const m = free.length;
const L = new Float64Array(m * m);
const kept = [];
for (const k of free) {
const rank = kept.length;
const row = rank * m;
let pivot = K[k * n + k] + qp.ridge[k];
const least = DEPENDENT * pivot;
for (let a = 0; a < rank; a++) {
let entry = K[k * n + kept[a]];
const other = a * m;
for (let c = 0; c < a; c++) entry -= L[row + c] * L[other + c];
entry /= L[other + a];
L[row + a] = entry;
pivot -= entry * entry;
}
this.spent += (rank * rank) / 2;
if (pivot <= least) continue;
L[row + rank] = Math.sqrt(pivot);
kept.push(k);
}
const [ones, forces] = [kept.map(() => 1), kept.map((k) => F[k])].map((right) => solveFactored(L, m, right));
const level = sum(forces) / sum(ones);
const direction = forces.map((force, k) => force - level * ones[k]);
direction[0] -= sum(direction); // which is rounding, and would add up
return { kept, direction };
}

solution(status) {
const { beta, F, qp, n } = this;
const [top, bottom] = this.extremes();
let [all, count, objective] = [0, 0, 0];
for (let k = 0; k < n; k++) {
objective += 0.5 * beta[k] * (qp.linear[k] - F[k]);
if (beta[k] > qp.lower[k] && beta[k] < qp.upper[k]) {
all += F[k];
count += 1;
}
}
const ends = [top, bottom].filter(Number.isFinite);
const intercept = count ? all / count : sum(ends) / ends.length;
return { beta, intercept, objective, violation: Math.max(top - bottom, 0), status, steps: this.steps };
}
}
return { solve, makeFeasible };
})();
const $trail = (() => {

const { levelLines } = $canvas;

const MOST = 30; // pictures whose lines stay

class Trail {
#names = [];
#pictures = [];
#isMoving = false;

setNames(names) {
this.#names = names;
return !names.length && this.clear();
}

clear() {
const some = this.#pictures.length > 0;
this.#pictures = [];
return some;
}

addPicture({ data }, moving) {
if (moving && !this.#isMoving) this.clear();
if (moving || this.#isMoving)
this.#pictures.push(data.filter(({ name }) => this.#names.includes(name)).map(pathOf));
this.#pictures.splice(0, this.#pictures.length - MOST);
this.#isMoving = moving;
}

addTrail(figure) {
const first = figure.data.findIndex(({ name }) => this.#names.includes(name));
if (first < 0 || !this.#pictures.length) return figure;
const faint = this.#pictures.flatMap((lines, k) =>
lines.map((one) => ({ ...one, opacity: (0.7 * (k + 1)) / this.#pictures.length })),
);
return { ...figure, data: figure.data.toSpliced(first, 0, ...faint) };
}

get sentence() {
const count = this.#pictures.length;
return count && this.#names.length ? `Faint lines: where it was in the last ${count} pictures.` : "";
}
}

function pathOf({ name, line: pen, x, y, z, contours }) {
const pieces = z ? levelLines({ x, y, z }, contours.start) : [];
const broken = pieces.flatMap((piece) => [...piece, [NaN, NaN]]);
const [across, up] = z ? [0, 1].map((k) => broken.map((place) => place[k])) : [x, y];
const common = { type: "scatter", mode: "lines", hoverinfo: "skip", showlegend: false };
return { ...common, name: `trail of ${name}`, x: across, y: up, line: { ...pen, width: 1.2, dash: "solid" } };
}
return { Trail };
})();
const $shown_points = (() => {

const { valueAt } = $canvas;

const SIZE = 9; // pixels of a marker whose size the figure does not give

class ShownPoints {
#data;
#cachedMarkers;
#cachedTops;
#cachedClasses;

constructor({ data }) {
this.#data = data;
}

get #markers() {
const markersOf = (trace) => Array.from(trace.customdata, ([id], k) => [id, trace, k]);
const isMarked = ({ mode, customdata }) => mode === "markers" && customdata;
this.#cachedMarkers ??= this.#data.filter(isMarked).flatMap(markersOf);
return this.#cachedMarkers;
}

get #topMarkers() {
this.#cachedTops ??= new Map(this.#markers.map((marker) => [marker[0], marker]));
return this.#cachedTops;
}

get spots() {
return new Map(this.#markers.map(([id, { x, y }, k]) => [id, [x[k], y[k]]]));
}

get classes() {
this.#cachedClasses ??= new Map(
this.#markers.flatMap(([id, { name }]) => classOf(name).map((words) => [id, words])),
);
return this.#cachedClasses;
}

has(id) {
return this.#topMarkers.has(id);
}

diameter(id) {
const [, trace, k] = this.#topMarkers.get(id) ?? [0, undefined, 0];
return trace ? valueAt(trace.marker.size, k) : SIZE;
}

values() {
const rows = this.#markers.map(([, { customdata }, k]) => customdata[k]);
return new Map(rows.filter((row) => row.length > 1).map(([id, value]) => [id, value]));
}

supportWords(id) {
for (const { customdata, text } of this.#data) {
const k = Array.from(customdata ?? [], (row) => row[0]).indexOf(id);
if (k < 0 || customdata[k].length < 2) continue;
const value = Number(customdata[k][1].toPrecision(2)).toString().replace("-", "−");
return `support value ${value}${text ? `, ${text[k]}` : ""}`;
}
return undefined;
}

vertex(id) {
for (const { x, y, customdata } of this.#data) {
for (let k = (customdata?.length ?? 0) - 1; k >= 0; k--) {
if (customdata[k][0] === id && !Number.isNaN(x[k])) return { x: x[k], y: y[k] };
}
}
return undefined;
}
}

const classOf = (name = "") =>
name.startsWith("points ") ? [`class ${name.slice("points ".length).replace("-", "−")}`] : [];
return { ShownPoints };
})();
const $overlays = (() => {

const { lookOf } = $classes;
const { part, setAttributes } = $dom;
const { drawCross, drawMarkers, drawPair, drawWord } = $canvas;

let summaries = 0;

class Overlay {
#ring;
#band;
#cursor;
#summary;

handle;

constructor(root) {
this.#ring = part(root, "ring");
this.#band = part(root, "band");
this.#cursor = part(root, "cursor");
this.handle = part(root, "handle");
this.#summary = part(root, "summary");
summaries += 1;
this.#summary.id = `svm-summary-${summaries}`;
this.handle.setAttribute("aria-describedby", this.#summary.id);
}

showRing(spot) {
this.#ring.classList.toggle("svm-on", Boolean(spot));
if (spot) this.#ring.setAttribute("transform", `translate(${spot})`);
}

showBand(box) {
this.#band.classList.toggle("svm-on", Boolean(box));
if (!box) return;
const [[left, right], [top, bottom]] = box;
setAttributes(this.#band, { x: left, y: top, width: right - left, height: bottom - top });
}

showCursor(x, [top, bottom] = [0, 0]) {
this.#cursor.classList.toggle("svm-on", x !== undefined);
if (x !== undefined) setAttributes(this.#cursor, { x1: x, x2: x, y1: top, y2: bottom });
}

summarise(text) {
if (this.#summary.textContent !== text) this.#summary.textContent = text;
}

placeHandle([x, y], editor, plane) {
this.handle.style.transform = `translate(${x}px, ${y}px)`;
const { cursor, edits } = editor;
const point = cursor === undefined ? `${edits.ids.length} points, none chosen` : editor.describe(cursor, [plane]);
const keys = [
"Arrow keys move it, with Alt they go to the nearest point that way, N and P to the next and the one before, ",
{ 0: "", 2: "X flips, " }[edits.labels.length] ?? "X gives it the next class, ",
"O marks an outlier, S switches off, Delete deletes, A adds, T plays the support values, Control Z undoes.",
];
const label = `${point}. ${keys.join("")}`;
if (this.handle.ariaLabel !== label) this.handle.ariaLabel = label;
}
}

function setUpMenu(box, choose) {
const close = () => {
if (box.contains(document.activeElement)) box.querySelector("summary").focus(); // what is hidden would lose it
box.open = false;
};
box.onclick = ({ target }) => {
if (!target.value) return;
choose(target.value);
close();
};
box.onkeydown = ({ key }) => {
if (key === "Escape") close();
};
box.addEventListener("focusout", ({ relatedTarget }) => {
if (!box.contains(relatedTarget)) box.open = false;
});
}

function drawEdits(surface, editor, plane, { ink, ...colours }) {
for (const id of editor.edits.ids) {
const selected = editor.selection.has(id);
if (!selected && plane.shownPoints.has(id)) continue;
const { x, y, label } = { ...editor.edits.point(id), ...plane.placeOf(id) };
if (!plane.shownPoints.has(id) && editor.exchange.hasPendingEdits) {
const { symbol, ink: name } = lookOf(editor.edits.labels, label);
drawMarker(surface, [x, y], { symbol, color: colours[name], size: 9, line: { width: 0 } });
}
if (selected && plane.shows(id)) {
const size = plane.shownPoints.diameter(id) + 8;
drawMarker(surface, [x, y], { symbol: "square-open", size, color: ink, line: { width: 2 } });
}
}
}

function drawStep(surface, { ringed, words, joined, crossed }, spots, { ink, accent, page, font, by }) {
const { pen, place } = surface;
for (const [i, j, length] of joined) {
const [from, to] = [spots.get(i), spots.get(j)];
if (from && to) drawPair(pen, place, from, to, length, { ink, accent, page, font, by });
}
ringed.forEach((id, k) => {
const spot = spots.get(id);
if (!spot) return;
const style = words[k]
? { size: 24, color: accent, line: { width: 2.5 } }
: { size: 17, color: ink, line: { width: 1.8 } };
drawMarker(surface, spot, { symbol: "circle-open", ...style });
if (words[k]) drawWord(pen, place, spot, words[k], { ink, page, font, by });
});
for (const id of crossed) {
const spot = spots.get(id);
if (spot) drawCross(pen, place, spot, ink);
}
}

function drawMarker({ pen, place }, [x, y], marker) {
drawMarkers(pen, { x: [x], y: [y], marker }, place, () => ({ x, y }));
}
return { Overlay, setUpMenu, drawEdits, drawStep };
})();
const $chart = (() => {

const { placeholderAxes } = $axes;
const { isNote } = $canvas;

const CONFIG = { displayModeBar: false, showAxisDragHandles: false, showTips: false, doubleClick: false };
const REST = 120; // milliseconds without a new figure after which hover boxes are renewed
const PATIENCE = 200; // milliseconds for two frames, which a hidden page does not have
const ECHO = 1000; // milliseconds within which a browser makes a mouse's click of a finger's


class Chart {
#div;
#callbacks;
#drawings = 0;
#lastDrawing = Promise.resolve();
#frame;
#placeholder;
isAhead = true;
#restTimer = 0;
#lastTouch = -Infinity;

constructor(div, heard) {
this.#div = div;
this.#callbacks = heard;
}

get axes() {
const { _fullLayout: drawn } = this.#div;
return drawn?.xaxis?._length && !this.isAhead ? drawn : this.#placeholder;
}

placeAxes(layout, size) {
this.#placeholder = placeholderAxes(layout, size);
this.isAhead = frameOf(layout) !== this.#frame;
return Boolean(this.#placeholder) || !this.isAhead;
}

async draw(figure, { layered }) {
const Plotly = await loadPlotly();
const { data, layout } = layered ? plotlyPart(figure) : this.#withCamera(figure);
const number = ++this.#drawings;
const react = () => Plotly.react(this.#div, data, layout, CONFIG);
const frame = frameOf(figure.layout);
clearTimeout(this.#restTimer);
const waits = layered && frame === this.#frame;
this.#callbacks.onSettle(waits);
if (!waits) {
await this.#enqueue(react);
if (!this.#frame) this.#listen();
this.#frame = frame;
this.isAhead = false;
return;
}
this.#restTimer = setTimeout(async () => {
await this.#enqueue(() => number === this.#drawings && react()); // a newer figure has its own boxes
if (number === this.#drawings) this.#callbacks.onSettle(false);
}, REST);
}

#withCamera({ data, layout }) {
const { camera } = this.#div._fullLayout?.scene ?? {};
return { data, layout: camera && layout.scene ? { ...layout, scene: { ...layout.scene, camera } } : layout };
}

#enqueue(react) {
this.#lastDrawing = this.#lastDrawing.catch(() => undefined).then(react);
return this.#lastDrawing;
}

#listen() {
const idOf = (event) => {
const found = event.points[0].customdata?.[0];
return Number.isNaN(found) ? undefined : found; // nan: a place without a point
};
const { onZoom, onHover, onClick } = this.#callbacks;
this.#div.on("plotly_relayout", onZoom);
this.#div.on("plotly_hover", (event) => onHover(idOf(event)));
this.#div.on("plotly_unhover", () => onHover(undefined));
this.#div.on("plotly_click", (event) => this.#isEcho(event) || onClick(event.points[0], idOf(event)));
}

#isEcho({ event }) {
const touch = event.type.startsWith("touch");
if (touch) this.#lastTouch = event.timeStamp;
return !touch && event.timeStamp - this.#lastTouch < ECHO;
}

pixelOf({ x, y }) {
const { xaxis, yaxis } = this.axes;
return [xaxis._offset + xaxis.d2p(x), yaxis._offset + yaxis.d2p(y)];
}

dataAt([x, y]) {
const { xaxis, yaxis } = this.axes;
return [xaxis.p2d(x - xaxis._offset), yaxis.p2d(y - yaxis._offset)];
}

limits() {
const { xaxis, yaxis } = this.axes;
return { x: xaxis.range.slice(), y: yaxis.range.slice() };
}

box() {
const ends = ({ _offset, _length }) => /** @type {[number, number]} */ ([_offset, _offset + _length]);
return [ends(this.axes.xaxis), ends(this.axes.yaxis)];
}

contains([x, y], [[left, right], [top, bottom]] = this.box()) {
return x >= left && x <= right && y >= top && y <= bottom;
}

columnOf(place) {
const { xaxis } = this.axes;
return xaxis._offset + (xaxis.type === "log" && place <= 0 ? 0 : xaxis.d2p(place));
}

turn(across, up) {
const { eye } = this.#div._fullLayout?.scene?.camera ?? {};
if (!eye) return false;
const flat = Math.hypot(eye.x, eye.y);
const far = Math.hypot(flat, eye.z);
const round = Math.atan2(eye.y, eye.x) + across;
const high = Math.max(-1.5, Math.min(1.5, Math.atan2(eye.z, flat) + up));
const [x, y, z] = [Math.cos(high) * Math.cos(round), Math.cos(high) * Math.sin(round), Math.sin(high)];
/** @type {any} */ (window).Plotly.relayout(this.#div, "scene.camera.eye", { x: far * x, y: far * y, z: far * z });
return true;
}

hover({ clientX, clientY }) {
const below = clientX === undefined ? null : document.elementFromPoint(clientX, clientY);
if (!this.#div.contains(below)) return;
below?.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true }));
}

async save(figure, { format, name, size: [width, height] }) {
const Plotly = await loadPlotly();
const { data, layout } = this.#withCamera(figure);
for (const axis of ["xaxis", "yaxis"]) layout[axis].range = [...this.axes[axis].range];
const scale = format === "png" ? 2 : 1;
await Plotly.downloadImage({ data, layout }, { format, width, height, scale, filename: name });
}

leave() {
clearTimeout(this.#restTimer);
if (this.#frame) /** @type {any} */ (window).Plotly.purge(this.#div);
}
}

function frameOf(layout, data = []) {
const named = data.filter(({ showlegend }) => showlegend).map(({ name, line }) => [name, line]);
const annotations = layout.annotations?.filter((note) => !isNote(note));
return JSON.stringify({ ...layout, meta: null, annotations, named });
}

function plotlyPart({ data, layout }) {
const hovered = data.filter(({ customdata, hoverinfo }) => customdata && hoverinfo !== "skip");
const named = data.filter(({ showlegend }) => showlegend);
const key = { type: "scatter", mode: "lines", x: [null], y: [null], showlegend: true };
const annotations = layout.annotations?.filter((note) => !isNote(note));
return {
data: [
...hovered.map((trace) => ({ ...trace, mode: "none" })),
...named.map(({ name, line }) => ({ ...key, name, line })),
],
layout: { ...layout, annotations, plot_bgcolor: "transparent", paper_bgcolor: "transparent" },
};
}

function replaceTokens(value, colours, known = new Map()) {
if (typeof value === "string") {
let found = known.get(value);
if (found === undefined) {
found = value.replace(/var\(--svm-([a-z0-9-]+)\)/g, (_, name) => colours[name]);
known.set(value, found);
}
return found;
}
if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
if (Array.isArray(value)) {
return ArrayBuffer.isView(value[0]) ? value : value.map((item) => replaceTokens(item, colours, known));
}
const copy = {};
for (const key in value) copy[key] = replaceTokens(value[key], colours, known);
return copy;
}

let source = "";
let loading;

function setSource(/** @type {string} */ given) {
source = given;
}

const hasNoPlotly = () => !source;

function loadPlotly() {
loading ??= import(source).then(() => /** @type {any} */ (window).Plotly);
return loading.catch(() => {
throw new Error("plotly.js was not found on the server");
});
}

const waitForScreen = () =>
new Promise((done) => {
requestAnimationFrame(() => requestAnimationFrame(done));
setTimeout(done, PATIENCE);
});
return { Chart, frameOf, replaceTokens, setSource, hasNoPlotly, loadPlotly, waitForScreen };
})();
const $sizes = (() => {

const { placeholderAxes } = $axes;
const { lengthOf } = $frame;

const [LINE, APART, NEAR, TITLE, BUTTON] = [1.3, 10, 3, 12.8, 32];
const AREA = "∝";


function sizeMarks({ meta, annotations = [], font, width }, { xaxis, yaxis }, title = "") {
const { label = "", text = [], marker = { size: [] } } = meta.sizes ?? {};
const key = annotations.find(({ name }) => name === "key");
const lines = key?.text.split("<br>").map((line) => line.replace(/<[^>]*>/g, "")) ?? [];
const measure = (words) => lengthOf(words, `${font.size}px ${font.family}`);
const radii = marker.size.map((size) => size / 2);
const rowOf = (left, y) => {
let x = left;
return text.map((value, k) => {
const one = { x: x + radii[k], y, r: radii[k], text: value };
x += 2 * radii[k] + NEAR + measure(value) + APART;
return one;
});
};
const endOf = (mark) => mark.x + mark.r + NEAR + measure(mark.text);
if (!text.length) return [];
const bottom = yaxis._offset + yaxis._length;
if (key?.yanchor === "bottom") {
const largest = Math.max(...radii);
const high = Math.max(LINE * font.size, 2 * largest + 2);
const last = bottom - lines.length * LINE * font.size - high;
const x = xaxis._offset + xaxis._length + key.xshift + largest;
const marks = text.map((value, k) => ({ x, y: last - k * high, r: radii[k], text: value }));
return last - text.length * high < yaxis._offset ? [] : marks;
}
const said = lines.findIndex((line) => line.includes(AREA));
if (said >= 0) {
const y = bottom - key.yshift + (said + 0.5) * LINE * font.size;
return rowOf(xaxis._offset + measure(lines[said]) + APART, y).filter((mark) => endOf(mark) <= width);
}
const start = { x: 0, y: (LINE * TITLE) / 2, r: 0, text: label };
const marks = rowOf(measure(label) + NEAR + APART / 2, start.y);
const last = marks[marks.length - 1];
const left = width - BUTTON - endOf(last);
const taken = xaxis._offset + (title ? lengthOf(title, `bold ${TITLE}px ${font.family}`) + APART : 0);
if (key || left < taken || yaxis._offset < LINE * TITLE) return [];
return [start, ...marks].map((mark) => ({ ...mark, x: mark.x + left }));
}

function markup(/** @type {Mark[]} */ marks, { font, xaxis: { tickfont } }) {
const parts = marks.map(({ x, y, r, text }) => {
const words = `<text x="${x + (r && r + NEAR)}" y="${y + 0.35 * font.size}">${text}</text>`;
return r ? `<circle cx="${x}" cy="${y}" r="${r}" />${words}` : words;
});
return `<g fill="${tickfont.color}" font-size="${font.size}">${parts.join("")}</g>`;
}

function addSizes(layout) {
const { margin, width, height, font } = layout;
const axes = layout.meta.sizes && placeholderAxes(layout, [width, height]);
if (!axes) return layout;
const marks = sizeMarks(layout, axes);
const paperX = (x) => (x - margin.l) / (width - margin.l - margin.r);
const paperY = (y) => 1 - (y - margin.t) / (height - margin.t - margin.b);
const ink = layout.xaxis.tickfont.color;
const paper = { xref: "paper", yref: "paper" };
const shapes = marks
.filter(({ r }) => r)
.map(({ x, y, r }) => {
const box = { x0: paperX(x - r), x1: paperX(x + r), y0: paperY(y + r), y1: paperY(y - r) };
return { type: "circle", ...paper, ...box, fillcolor: ink, line: { width: 0 } };
});
const letters = { size: font.size, color: ink };
const look = { ...paper, font: letters, showarrow: false, xanchor: "left", yanchor: "middle", borderpad: 0 };
const notes = marks.map(({ x, y, r, text }) => ({ text, ...look, x: paperX(x + (r && r + NEAR)), y: paperY(y) }));
return { ...layout, shapes, annotations: [...(layout.annotations ?? []), ...notes] };
}
return { sizeMarks, markup, addSizes };
})();
const $corner = (() => {

const { placeholderAxes } = $axes;
const { lengthOf } = $frame;

const ENTRY = { height: 19, gap: 5, from: 5, to: 35, text: 40, baseline: 4.68 }; // of a legend, in pixels
const LETTERS = 12; // pixels of letters beside which an entry has that height
const NAME = 100; // points that are covered rather than an end of the name of a line

const isInnerLegend = ({ showlegend, legend }) =>
Boolean(showlegend) && legend.orientation === "v" && legend.yanchor === "bottom" && legend.y === 0;

function placeLegend(data, layout) {
const { legend, font, margin, width, height } = layout;
const axes = isInnerLegend(layout) && placeholderAxes(layout, [width, height]);
if (!axes) return legend;
const named = data.filter((trace) => trace.showlegend);
const size = legend.font.size;
const lengths = named.map(({ name }) => lengthOf(name, `${size}px ${font.family}`));
const across = Math.max(0, ...lengths) + ENTRY.text + ENTRY.gap;
const high = (named.length * ENTRY.height * size) / LETTERS + 2 * ENTRY.gap;
const [left, right] = [axes.xaxis._offset, axes.xaxis._offset + axes.xaxis._length];
const bottom = height - margin.b;
let balance = 0; // points that the left corner covers, less those of the right one
const weigh = (x, y, [aside, down] = [0, 0], weight = 1) => {
const [column, row] = [left + axes.xaxis.d2p(x) + aside, axes.yaxis._offset + axes.yaxis.d2p(y) + down];
if (row < bottom - high || row > bottom) return;
const [first, last] = [column >= left && column <= left + across, column <= right && column >= right - across];
balance += weight * (+first - +last);
};
for (const { mode, x, y } of data) {
if (mode?.includes("markers")) for (let k = 0; k < x.length; k++) weigh(x[k], y[k]);
}
for (const { name, text, x, y, ax, ay } of layout.annotations ?? []) {
const half = name === "line" ? lengthOf(text, `${size}px ${font.family}`) / 2 : 0; // of the name of a line
if (half) for (const end of [ax - half, ax + half]) weigh(x, y, [end, ay], NAME);
}
const share = (right - margin.l) / (width - margin.l - margin.r);
return balance > 0 ? { ...legend, x: share, xanchor: "right" } : legend;
}
return { ENTRY, isInnerLegend, placeLegend };
})();
const $line_names = (() => {

const { placeholderAxes } = $axes;
const { levelLines } = $canvas;
const { lengthOf } = $frame;

const STEP = 10; // pixels between the places of a line that are looked at
const LONGEST = 400; // such places of one stretch of it
const SAME = 2; // pixels between lines that cannot be told apart
const NEAR = 8; // pixels to a line that might be the one that is meant
const SHARE = 0.2; // of the picture that names may cover
const GAPS = [6, 20, 38, 60, 90]; // pixels between an end and its name
const WAYS = [-1, -0.5, 0, 0.5, 1]
.flatMap((right) => [-1, 0, 1].map((down) => ({ right, down })))
.filter(({ right, down }) => Math.abs(right) === 1 || down !== 0);
const COST = { name: 1000, line: 10, shared: 30, marker: 6, change: 12 };
const MOST = 180; // from there on no name stands at its line, but the legend stays
const LEGEND = 20 / 12; // the height of the row that a legend below has left, over that of letters


const isLine = ({ showlegend, mode, contours, meta }) =>
showlegend && !meta?.several && (mode === "lines" || contours?.coloring === "none");

function nameLines(data, layout, chosen = new Map()) {
const named = layout.showlegend ? data.filter(isLine) : [];
if (!named.length) return { data, layout };
const rest = data.map((trace) => (named.includes(trace) ? { ...trace, showlegend: false } : trace));
const showlegend = rest.some((trace) => trace.showlegend);
const { margin, font, width, height, legend, xaxis, yaxis } = layout;
const below = !showlegend && legend?.yref === "container" ? LEGEND * font.size : 0;
const bare = { ...layout, showlegend, margin: { ...margin, b: margin.b - below } };
const scales = { xaxis: linearAxis(xaxis, data, "x"), yaxis: linearAxis(yaxis, data, "y") };
const axes = scales.xaxis && scales.yaxis && placeholderAxes({ ...bare, ...scales }, [width, height]);
if (!axes) return { data, layout };
const sight = sightOf(axes, [xaxis, yaxis]);
const lines = mergeLines(named.map((trace) => lineOf(trace, sight)).filter(({ spots }) => spots.length));
const notes = placeNames(lines, markerSpots(data, sight), { box: sight.box, font, chosen });
if (!notes) return { data, layout };
const look = { name: "line", showarrow: true, arrowhead: 0, arrowwidth: 1, borderwidth: 1, borderpad: 2 };
const bgcolor = legend?.bgcolor ?? layout.paper_bgcolor;
const texts = notes.map(({ at, by: [ax, ay], trace, text }) => {
const [x, y] = [axes.xaxis.p2d(at[0] - axes.xaxis._offset), axes.yaxis.p2d(at[1] - axes.yaxis._offset)];
const { color } = trace.line;
return { ...look, text, x, y, ax, ay, arrowcolor: color, bordercolor: color, bgcolor, font: { size: font.size } };
});
const ranges = { xaxis: { ...xaxis, range: scales.xaxis.range }, yaxis: { ...yaxis, range: scales.yaxis.range } };
const uirevision = xaxis.range && yaxis.range ? layout.uirevision : `${layout.uirevision} named`;
const annotations = [...(layout.annotations ?? []), ...texts];
return { data: rest, layout: { ...bare, ...ranges, uirevision, annotations } };
}


const numbersOf = (values) => (ArrayBuffer.isView(values) || Array.isArray(values) ? /** @type {any} */ (values) : []);

function linearAxis(axis, data, letter) {
if (axis.range) return { ...axis, type: "linear" };
const ends = data.flatMap((trace) => {
const { array = [], arrayminus = [] } = trace[`error_${letter}`] ?? {};
const barEnds = (value, k) => (value === null ? [] : [value - (arrayminus[k] ?? 0), value + (array[k] ?? 0)]);
return Array.from(numbersOf(trace[letter]), barEnds).flat();
});
const known = (axis.type === "log" ? ends.map(Math.log10) : ends).filter(Number.isFinite);
if (!known.length) return undefined;
const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
const tight = letter === "x" && data.every(({ mode }) => mode === "lines");
const room = (tight ? 0 : 0.05 * (high - low)) || +(low === high);
return { ...axis, type: "linear", range: [low - room, high + room] };
}

function sightOf({ xaxis, yaxis }, [across, up]) {
const valueOn = ({ type }, of) => (type === "log" ? Math.log10(of) : of);
const spot = (x, y) =>
/** @type {Spot} */ ([xaxis._offset + xaxis.d2p(valueOn(across, x)), yaxis._offset + yaxis.d2p(valueOn(up, y))]);
const [left, top] = [xaxis._offset, yaxis._offset];
return { spot, box: { left, top, right: left + xaxis._length, bottom: top + yaxis._length } };
}

function lineOf(trace, { spot, box }) {
const parts = trace.contours ? levelLines(trace, trace.contours.start) : piecesOf(trace);
const toPixels = (part) => part.map(([x, y]) => spot(x, y));
const seen = parts.flatMap((part) => visiblePieces(toPixels(part), box));
const { left, top, right, bottom } = box; // Plotly leaves out a note whose place is beyond the axes
const clampToBox = ([x, y]) => /** @type {Spot} */ ([clamp(x, left, right), clamp(y, top, bottom)]);
return { names: [trace.name], trace, spots: seen.flat(), ends: seen.flatMap(endsOf).map(clampToBox) };
}

const clamp = (value, low, high) => Math.max(low + 0.5, Math.min(high - 0.5, value));

function endsOf(/** @type {Spot[]} */ piece) {
const [first, last] = [piece[0], piece[piece.length - 1]];
if (Math.hypot(last[0] - first[0], last[1] - first[1]) > 1) return [first, last];
return [0, 1, 2, 3].map((k) => piece[Math.floor((k * piece.length) / 4)]);
}

function piecesOf({ x, y }) {
const parts = [[]];
for (let k = 0; k < x.length; k++) {
const here = x[k] !== null && y[k] !== null && Number.isFinite(x[k]) && Number.isFinite(y[k]);
if (here) parts[parts.length - 1].push([x[k], y[k]]);
else parts.push([]);
}
return parts;
}

function visiblePieces(part, box) {
const pieces = [];
let inside = false;
const addSpot = (/** @type {Spot} */ spot) => {
const now = contains(box, spot);
if (now && !inside) pieces.push([]);
if (now) pieces[pieces.length - 1].push(spot);
inside = now;
};
part.slice(0, 1).forEach(addSpot);
for (let k = 1; k < part.length; k++) {
const [[x, y], [u, v]] = [part[k - 1], part[k]];
const count = Math.min(Math.ceil(Math.hypot(u - x, v - y) / STEP), LONGEST);
for (let i = 1; i <= count; i++) addSpot([x + ((u - x) * i) / count, y + ((v - y) * i) / count]);
}
return pieces;
}

const contains = ({ left, top, right, bottom }, [x, y], room = 0.5) =>
x >= left - room && x <= right + room && y >= top - room && y <= bottom + room;

function mergeLines(/** @type {Line[]} */ lines) {
const found = [];
for (const line of lines) {
const same = found.find((other) => covers(line, other) && covers(other, line));
if (same) same.names.push(...line.names);
else found.push(line);
}
return found;
}

const covers = (/** @type {Line} */ { spots }, /** @type {Line} */ line) =>
spots.every((spot, k) => k % 4 || distance(spot, line) <= SAME);

function distance([x, y], { spots }) {
let nearest = Infinity;
for (let k = 0; k < spots.length; k++) {
const [[a, b], [c, d]] = [spots[k], spots[Math.min(k + 1, spots.length - 1)]];
const length = Math.hypot(c - a, d - b);
const on = length && length <= 2 * STEP ? ((x - a) * (c - a) + (y - b) * (d - b)) / length ** 2 : 0;
const share = Math.max(0, Math.min(1, on));
nearest = Math.min(nearest, Math.hypot(x - a - share * (c - a), y - b - share * (d - b)));
}
return nearest;
}


function markerSpots(data, { spot, box }) {
const marked = data.filter(({ mode, marker }) => mode?.includes("markers") && marker?.size !== undefined);
const spots = marked.flatMap(({ x, y }) => Array.from(x, (value, k) => spot(value, y[k])));
return spots.filter((one) => contains(box, one));
}

function placeNames(lines, markers, { box, font, chosen }) {
const [wide, high] = [box.right - box.left, box.bottom - box.top];
const texts = lines.map(({ names }) => names.join(" ≈ "));
const sizes = texts.map((text) => [lengthOf(text, `${font.size}px ${font.family}`) + 6, 1.5 * font.size]);
if (sizes.reduce((sum, [w, h]) => sum + w * h, 0) > SHARE * wide * high) return undefined;
const taken = [];
const notes = [];
const order = [...lines.keys()].sort((a, b) => sizes[b][0] - sizes[a][0]); // a long name finds less room
for (const k of order) {
const [line, text] = [lines[k], texts[k]];
const others = lines.filter((other) => other !== line).map(({ spots }) => spots);
const seen = { box, taken, others, own: line.spots, markers, before: chosen.get(text) };
const best = bestPlace(line.ends, sizes[k], seen);
if (!best) return undefined;
chosen.set(text, best.place);
taken.push({ box: best.box, stroke: strokeOf(best.at, best.by) });
notes.push({ text, trace: line.trace, at: best.at, by: best.by });
}
return notes;
}

function bestPlace(ends, [wide, high], { box, taken, others, own, markers, before }) {
let [best, place] = [/** @type {any} */ (undefined), -1];
let least = before === undefined ? MOST : 1.5 * MOST; // to and fro would be restless
const lines = [own, ...others];
for (const at of ends) {
const shared = others.filter((spots) => spots.some(([x, y]) => Math.hypot(x - at[0], y - at[1]) < NEAR)).length;
for (const { right, down } of WAYS) {
for (const gap of GAPS) {
place++;
const by = [right * (wide / 2 + gap), down * (high / 2 + gap)];
const [x, y] = [at[0] + by[0], at[1] + by[1]];
const one = { left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 };
if (!contains(box, [one.left, one.top], -1) || !contains(box, [one.right, one.bottom], -1)) continue;
const faults = [
() => COST.shared * shared + COST.change * +(before !== undefined && before !== place) + gap / 3,
() => COST.name * taken.filter((other) => overlap(one, other.box)).length,
() => COST.name * countMeetings({ box: one, stroke: strokeOf(at, by) }, taken),
() => COST.marker * markers.filter((spot) => contains(one, spot, 3)).length,
() => COST.line * lines.filter((spots) => spots.some((spot) => contains(one, spot, 1))).length,
() => COST.line * others.filter((spots) => crosses(at, by, spots)).length,
];
let cost = 0;
for (const fault of faults) if (cost < least) cost += fault(); // the dear ones seldom
if (cost < least) [least, best] = [cost, { at, by, box: one, place }];
}
}
}
return best;
}

const crosses = (/** @type {Spot} */ [x, y], /** @type {Spot} */ [right, down], /** @type {Spot[]} */ spots) =>
[0.2, 0.4, 0.6, 0.8].some((way) =>
spots.some(([u, v]) => Math.hypot(u - x - way * right, v - y - way * down) < STEP),
);

const strokeOf = (/** @type {Spot} */ [x, y], /** @type {Spot} */ [right, down]) =>
Array.from({ length: 16 }, (_, k) => /** @type {Spot} */ ([x + (k / 16) * right, y + (k / 16) * down]));

function countMeetings(/** @type {PlacedName} */ { box, stroke }, /** @type {PlacedName[]} */ taken) {
const runsThrough = (name, way) => way.some((spot) => contains(name, spot, 1));
return taken.filter(
(other) => runsThrough(other.box, stroke) || runsThrough(box, other.stroke) || strokesCross(stroke, other.stroke),
).length;
}

function strokesCross(/** @type {Spot[]} */ one, /** @type {Spot[]} */ other) {
const [[a, b], [c, d]] = [one, other].map((stroke) => [stroke[0], stroke[stroke.length - 1]]);
return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0;
}

const sideOf = (/** @type {Spot} */ [a, b], /** @type {Spot} */ [c, d], /** @type {Spot} */ [x, y]) =>
Math.sign((c - a) * (y - b) - (d - b) * (x - a));

const overlap = (/** @type {Box} */ a, /** @type {Box} */ b) =>
a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom + 2 && b.top < a.bottom + 2;
return { nameLines };
})();
const $key = (() => {

const { placeholderAxes } = $axes;
const { lengthOf, wrap } = $frame;

const ENTRIES = /(?<=\u2002|; )/; // where the lines of a key may be broken
const LINE = 1.3; // of letters, from line to line
const INSET = 4; // pixels from the axes to a key below them
const GAP = 12; // pixels between plane and key
const NARROWEST = 0.75; // of its longest entry
const WORTH = 1.05; // a plane that is not larger than that stays over its key

function wrapKey(layout) {
const { font, margin, width } = layout;
const key = findKey(layout);
if (!key) return layout;
const long = lineMeasure(key, font);
const lines = key.text.split("<br>");
const held = lines.flatMap((line) => wrap(line, width - margin.l - INSET, long, ENTRIES, ""));
const b = margin.b + (held.length - lines.length) * LINE * key.font.size;
return changeKey(layout, key, { text: held.join("<br>") }, { ...margin, b });
}

function widenForKey(layout) {
const { font, margin, width } = layout;
const key = findKey(layout);
if (!key) return layout;
const start = key.x ? width - margin.r + key.xshift : margin.l + INSET;
const more = Math.max(0, start + Math.max(...key.text.split("<br>").map(lineMeasure(key, font))) - width);
return { ...layout, width: width + more, margin: { ...margin, r: margin.r + more } };
}

const findKey = ({ annotations = [] }) => annotations.find(({ name }) => name === "key");

const changeKey = (layout, key, changes, margin) => ({
...layout,
margin,
annotations: layout.annotations.map((note) => (note === key ? { ...key, ...changes } : note)),
});

const lineMeasure =
({ font: { size } }, { family }) =>
(text) =>
lengthOf(text.replace(/<[^>]*>/g, ""), `${size}px ${family}`);

function placeKey(layout) {
const { font, margin, width, height, yaxis, meta } = layout;
const key = findKey(layout);
const below = key && yaxis.scaleanchor && placeholderAxes(layout, [width, height]);
if (!below) return layout;
const { size } = key.font;
const long = lineMeasure(key, font);
const low = { ...margin, b: -key.yshift }; // what the numbers and the name of the axis take
const tallest = placeholderAxes({ ...layout, margin: low }, [width, height]);
if (!tallest) return layout;
const least = NARROWEST * Math.max(...meta.key.map(long));
const room = width - low.l - low.r - GAP - tallest.xaxis._length;
const lines = meta.key.flatMap((entry) => wrap(entry, Math.max(least, room), long));
const beside = { ...low, r: low.r + GAP + Math.max(...lines.map(long)) };
const axes = placeholderAxes({ ...layout, margin: beside }, [width, height]);
if (!axes || axes.xaxis._length < WORTH * below.xaxis._length) return layout;
if (lines.length * LINE * size > axes.yaxis._length) return layout;
const place = { x: 1, xshift: GAP, y: 0, yshift: 0, yanchor: "bottom", text: lines.join("<br>") };
return changeKey(layout, key, place, beside);
}
return { wrapKey, widenForKey, placeKey };
})();
const $point_editor = (() => {

const { Exchange } = $exchange;
const { live } = $live;
const { sharesOf, tones } = $tones;
const { Edits, pointName, randomNormal } = $edits;
const { recallHistory, rememberHistory } = $history;

const ONE_STROKE = 900; // milliseconds within which moves by arrow keys are one step of undo
const RESTED = 250; // milliseconds without an arrow key after which a move is over


class PointEditor {
edits = new Edits();
selection = new Set();
cursor;
carriedId;
corner;
label = 1;
classes = {};

toolbar;
exchange;

#tool = "edit";
#viewers;
#session;
#draw;
#histories = new Map();
#lastStroke = -Infinity;
#restTimer = 0;

constructor(viewers, channel = live) {
this.#viewers = viewers;
const script = () => ({ step: this.edits.step, edits: this.edits.rows() });
const onChange = () => this.toolbar?.show();
this.exchange = new Exchange({ script, chosenPoint: () => this.cursor ?? null, onChange }, channel);
}


receive({ session, version, draw, ack, base, edits, step, labels, classes }, send) {
this.exchange.send = send;
if (base && version !== this.exchange.version) {
const waits = this.exchange.hasPendingEdits;
const unheard = session !== this.#session && draw === this.#draw && waits; // by a server that began anew
const late = !unheard && this.#draw !== undefined && waits; // an edit of the points before
const isLoaded = draw !== this.#draw && !this.#histories.has(draw);
if (session !== this.#session) this.exchange.restart({ again: unheard });
if (draw !== this.#draw) this.#turnToDraw(draw);
else if (!unheard) this.#recordStep("the change outside the plane");
this.#session = session;
this.exchange.version = version;
this.classes = classes;
const own = { edits: this.edits.rows(), step: this.edits.step };
this.edits.receive({ base, labels, ...(unheard ? own : { edits, step }) });
if (isLoaded) recallHistory(this.edits, draw);
else rememberHistory(this.edits, draw);
if (!labels.includes(this.label)) this.label = labels[0] ?? 1;
this.#refresh();
if (late) this.toolbar?.say("These are other points: they do not have your last edit.");
}
const waited = this.exchange.hasPendingEdits;
this.exchange.acknowledge(ack);
if (waited && !this.exchange.hasPendingEdits) this.#refresh();
else this.toolbar?.show();
}

#turnToDraw(draw) {
if (this.#draw !== undefined) this.#histories.set(this.#draw, this.edits.history);
this.edits.history = this.#histories.get(draw) ?? { past: [], future: [] };
this.#draw = draw;
this.selection.clear();
this.cursor = undefined;
this.#letGo();
}

get isReady() {
return this.exchange.version !== undefined;
}


get tool() {
return this.#tool;
}

set tool(name) {
this.#tool = name;
this.#letGo();
this.#refresh();
}

get isBusy() {
return this.selection.size > 0 || this.carriedId !== undefined || this.corner !== undefined;
}

#letGo() {
this.carriedId = this.corner = undefined;
}


pointWords(id) {
const { x, y, label, mark, off } = this.edits.point(id);
const digits = (axis) => Math.max(0, -this.edits.step[axis] - 1);
const place = `${formatCoordinate(x, digits(0))}, ${formatCoordinate(y, digits(1))}`;
const kind = this.edits.labels.length ? `, class ${this.classes[label]}` : "";
return `${pointName(id)}${kind}, at ${place}${mark ? ", outlier" : ""}${off ? ", switched off" : ""}`;
}

describe(id, shown = this.#editablePlanes()) {
const viewers = this.exchange.hasPendingEdits ? [] : shown;
const known = viewers.map((viewer) => viewer.supportWords?.(id)).filter(Boolean);
return [this.pointWords(id), ...known].join("; ");
}

targets() {
if (this.selection.size) return [...this.selection];
return this.cursor === undefined ? [] : [this.cursor];
}

choose(id) {
this.cursor = id;
this.exchange.choose(id);
this.#refresh();
if (id === undefined) return;
this.#say(`${capitalise(this.describe(id))}.`);
if (!this.exchange.hasPendingEdits)
tones.playIfOn(this.#editablePlanes().map((viewer) => supportShares(viewer).get(id)));
}

sweep(viewer = this.#editablePlanes()[0]) {
const known = supportShares(viewer);
const heard = this.edits.ids.filter((id) => known.has(id)).map((id) => known.get(id));
tones.play(heard);
this.#say(`${heard.length} points are heard, ${heard.filter(Boolean).length} with a support value above zero.`);
}

select(ids, { adding = false } = {}) {
this.#letGo();
if (!adding) this.selection.clear();
for (const id of ids) this.selection.add(id);
this.#say(this.selection.size ? `${pointsPhrase([...this.selection])} selected.` : "Nothing selected.");
this.#refresh();
}

toggleSelection(id) {
if (this.selection.has(id)) this.select([...this.selection].filter((other) => other !== id));
else this.select([id], { adding: true });
}

#refresh() {
const known = new Set(this.edits.ids);
for (const id of this.selection) if (!known.has(id)) this.selection.delete(id);
if (this.cursor !== undefined && !known.has(this.cursor)) this.cursor = undefined;
if (this.carriedId !== undefined && !known.has(this.carriedId)) this.carriedId = undefined;
for (const viewer of this.#viewers) viewer.refresh();
this.toolbar?.show();
}


add(x, y) {
const id = this.edits.nextId;
this.#runCommand("a point added", () => {
this.edits.put(id, x, y, this.label);
this.cursor = id;
return `Added: ${this.pointWords(id)}.`;
});
}

beginBox(x, y) {
this.corner = [x, y];
this.#refresh();
this.#say("First corner set. The next click sets the opposite one and selects the points between; Escape cancels.");
}

carry(id) {
if (!this.selection.has(id)) this.selection.clear();
this.choose(id);
this.carriedId = id;
this.#refresh();
this.#say(`${capitalise(this.describe(id))}. The next click places it; Escape cancels.`);
}

placeCarried(x, y, limits) {
const id = this.carriedId;
if (id === undefined) return;
this.#letGo();
const ids = this.targets();
const { x: left, y: top } = this.edits.point(id);
this.#runCommand(`${pointsPhrase(ids)} moved`, () => {
this.edits.shift(this.edits.places(ids), [x - left, y - top], limits);
return this.#movedSentence(ids);
});
}

#movedSentence(ids) {
return ids.length === 1 ? `Moved: ${this.pointWords(ids[0])}.` : `Moved ${ids.length} points.`;
}

beginSpray() {
this.#recordStep("points sprayed");
}

drop(x, y) {
this.edits.put(this.edits.nextId, x, y, this.label);
this.#refresh();
this.exchange.push(true);
}

endSpray(count) {
this.#endStep();
const kind = this.edits.labels.length ? ` of class ${this.classes[this.label]}` : "";
this.#say(`Sprayed ${count} point${count === 1 ? "" : "s"}${kind}.`);
}

beginDrag(id) {
if (!this.selection.has(id)) this.selection.clear();
this.cursor = id;
const ids = this.targets();
this.#recordStep(`${pointsPhrase(ids)} moved`);
return this.edits.places(ids);
}

shift(from, by, limits) {
this.edits.shift(from, by, limits);
this.#refresh();
this.exchange.push(true);
const [id] = from.keys();
this.#say(from.size === 1 ? capitalise(this.pointWords(id)) : `${from.size} points move.`, { moving: true });
}

settle(ids, after = 0) {
clearTimeout(this.#restTimer);
this.#restTimer = setTimeout(() => {
this.#endStep();
this.#say(this.#movedSentence(ids));
}, after);
}

nudge(by, limits) {
const ids = this.targets();
if (!ids.length) return;
const now = performance.now();
if (now - this.#lastStroke >= ONE_STROKE) this.#recordStep(`${pointsPhrase(ids)} moved`);
this.#lastStroke = now;
this.shift(this.edits.places(ids), by, limits);
this.settle(ids, RESTED);
}


flip(ids = this.targets()) {
const { length } = this.edits.labels;
if (length) this.#applyToEach(ids, length > 2 ? "given the next class" : "flipped", () => this.edits.flip(ids));
}

mark() {
const ids = this.targets();
const on = !ids.every((id) => this.edits.point(id).mark);
this.#applyToEach(ids, on ? "marked as outlier" : "no longer marked as outlier", () => this.edits.mark(ids, on));
}

toggle() {
const ids = this.targets();
const off = !ids.every((id) => this.edits.point(id).off);
this.#applyToEach(ids, off ? "switched off" : "switched on", () => this.edits.switchOff(ids, off));
}

remove() {
const ids = this.targets();
const next = this.edits.ids[Math.max(0, this.edits.ids.indexOf(ids[0]) - 1)];
this.#applyToEach(ids, "deleted", () => this.edits.remove(ids));
if (!this.selection.size && !ids.includes(next)) this.cursor = next;
this.#refresh();
}

jitter(limits = this.#editablePlanes()[0].chart.limits()) {
const ids = this.targets().length ? this.targets() : this.edits.ids;
if (!ids.length) return;
const reach = [limits.x, limits.y].map(([low, high]) => 0.015 * (high - low));
this.#runCommand(`${pointsPhrase(ids)} jittered`, () => {
this.edits.jitter(ids, reach, randomNormal);
return `${capitalise(pointsPhrase(ids))} jittered.`;
});
}

#editablePlanes() {
return [...this.#viewers].filter(({ isEditable }) => isEditable);
}

snap() {
const touched = this.edits.rows().map(([id]) => id);
const ids = this.selection.size ? [...this.selection] : touched;
if (!ids.some((id) => touched.includes(id))) return this.#say("The points are the problem's own.");
this.#runCommand("points snapped back", () => {
this.edits.snap(ids);
return `${capitalise(pointsPhrase(ids))} snapped back to the problem's own.`;
});
}

undo() {
const here = new Set(this.edits.ids);
const what = this.edits.undo();
const [back, ...others] = this.edits.ids.filter((id) => !here.has(id));
if (back !== undefined && !others.length) this.cursor = back; // the one that was deleted is chosen again
this.#finishUndo(what, "Undone", "Nothing to undo.");
}

redo() {
this.#finishUndo(this.edits.redo(), "Done again", "Nothing to redo.");
}

isPossible(command) {
const { past, future } = this.edits.history;
if (command === "undo") return past.length > 0;
if (command === "redo") return future.length > 0;
if (command === "snap") return this.edits.rows().length > 0;
return (command === "sweep" || command === "jitter" ? this.edits.ids : this.targets()).length > 0;
}

#applyToEach(ids, done, act) {
if (!ids.length) return this.#say("Choose a point first: tap it, or go to it with the keys N and P.");
this.#runCommand(`${pointsPhrase(ids)} ${done}`, () => {
act();
const one = ids.length === 1 && !this.edits.point(ids[0]).gone;
return one ? `${capitalise(done)}: ${this.pointWords(ids[0])}.` : `${capitalise(pointsPhrase(ids))} ${done}.`;
});
}

#runCommand(what, act) {
this.#recordStep(what);
const said = act();
this.#refresh();
this.#endStep();
this.#say(said);
}

#endStep() {
this.exchange.push(false);
rememberHistory(this.edits, this.#draw);
}

#recordStep(what) {
this.edits.recordStep(what);
this.#lastStroke = -Infinity;
}

#finishUndo(what, word, otherwise) {
if (what === undefined) return this.#say(otherwise);
this.#lastStroke = -Infinity;
this.#refresh();
this.#endStep();
this.#say(`${word}: ${what}.`);
}

#say(text, how = { moving: false }) {
this.toolbar?.say(text, how);
}
}

const pointsPhrase = (ids) => (ids.length === 1 ? pointName(ids[0]) : `${ids.length} points`);
const capitalise = (text) => text[0].toUpperCase() + text.slice(1);

const formatCoordinate = (/** @type {number} */ value, /** @type {number} */ digits) =>
value
.toFixed(digits)
.replace(/^-(?=.*[1-9])/, "−")
.replace(/^-/, "");

const supportShares = (viewer) => sharesOf(viewer.shownPoints?.values() ?? new Map());
return { PointEditor };
})();
const $toolbar = (() => {

const { LOOKS, lookOf } = $classes;
const { drawIcons, make, part } = $dom;
const { recall, remember } = $memory;
const { pageTheme } = $theme;
const { tones } = $tones;
const { Voice } = $voice;

const OPEN = "tools"; // what the browser remembers of the toolbar: all tools are in sight
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
const COMMANDS = ["flip", "remove", "mark", "toggle", "jitter", "undo", "redo", "snap", "sweep"];

class Toolbar {
#root;
#editor;
#sentence;
#voice = new Voice((text) => this.#writeSentence(text));

constructor(root, editor) {
this.#root = root;
this.#editor = editor;
this.#sentence = part(root, "said");
drawIcons(root);
tones.addSwitch(part(root, "tones"));
root.onclick = ({ target }) => this.#handlePress(/** @type {Element} */ (target).closest("button"));
part(root, "unfold").onclick = () => this.#fold(!root.hasAttribute("data-folded"));
root.addEventListener("keydown", (event) => handleShortcut(event, editor) || this.#moveFocus(event));
document.body.onkeydown = (event) => {
if (root.isConnected && !editor.edits.ids.length) handleShortcut(event, editor);
};
root.addEventListener("focusin", ({ target }) => this.#setStop(/** @type {Element} */ (target).closest("button")));
this.#fold(!recall(OPEN));
}

#fold(on) {
this.#root.toggleAttribute("data-folded", on);
part(this.#root, "unfold").setAttribute("aria-expanded", String(!on));
remember(OPEN, on ? "" : "open");
if (on) this.#editor.tool = "edit";
this.show();
}

get #buttons() {
return [...this.#root.querySelectorAll("button")].filter((button) =>
button.checkVisibility({ visibilityProperty: true }),
);
}

#moveFocus(event) {
const [step, buttons] = [STEPS[event.key], this.#buttons];
if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
const at = buttons.indexOf(event.target.closest("button")) + step;
buttons[Math.min(Math.max(at, 0), buttons.length - 1)].focus();
event.preventDefault();
}

#setStop(button) {
for (const other of this.#root.querySelectorAll("button")) other.tabIndex = other === button ? 0 : -1;
}

receive(payload, send) {
this.#editor.toolbar = this;
const { colours } = pageTheme(this.#root);
for (const { ink } of LOOKS) this.#root.style.setProperty(`--svm-${ink}`, colours[ink]);
if (!payload) return;
this.#root.toggleAttribute("data-quiet", Boolean(payload.quiet));
this.#editor.receive(payload, send);
}

show() {
const editor = this.#editor;
this.#offerClasses(editor);
for (const button of this.#root.querySelectorAll("button")) {
const { label, tool, command } = button.dataset;
const checked = label ? Number(label) === editor.label : tool === editor.tool;
if (label || tool) button.setAttribute("aria-checked", String(checked));
if (command) button.setAttribute("aria-disabled", String(!editor.isPossible(command)));
}
const buttons = this.#buttons;
this.#setStop(buttons.find((button) => button.getAttribute("tabindex") === "0") ?? buttons[0]);
this.#root.dataset.answered = String(editor.exchange.lastAnswer);
this.#root.dataset.settled = String(editor.exchange.isSettled);
}

#offerClasses({ edits: { labels }, classes }) {
this.#root.toggleAttribute("data-regression", !labels.length);
const group = part(this.#root, "classes");
const names = labels.map((label) => classes[label]);
if (String([...group.children].map(({ textContent }) => textContent)) === String(names)) return;
group.replaceChildren(...labels.map((label, k) => classButton(label, names[k], lookOf(labels, label))));
const flip = part(this.#root, "flip");
flip.title = `${labels.length > 2 ? "Next class" : "Flip"}: change the class of the chosen points (X)`;
/** @type {HTMLElement} */ (flip.lastElementChild).textContent = labels.length > 2 ? "Next class" : "Flip";
}

say(text, how) {
this.#voice.say(text, how);
}

#writeSentence(text) {
const line = document.querySelector(".svm-announcement") ?? this.#sentence;
line.dataset.edit = text;
line.textContent = text;
}

#handlePress(button) {
if (!button || button.ariaDisabled === "true") return;
const editor = this.#editor;
const { label, tool, command } = button.dataset;
if (label) {
editor.label = Number(label);
if (editor.tool === "select") editor.tool = "edit";
}
if (tool) editor.tool = tool;
if (COMMANDS.includes(command)) editor[command]();
this.show();
}
}

function classButton(label, name, { ink }) {
const looks = [make("i", { className: `svm-${ink}` }), make("b", { className: "svm-class", textContent: name })];
const button = make("button", { type: "button", role: "radio", title: "New points are of this class" }, ...looks);
button.dataset.label = String(label);
return button;
}

function handleShortcut(event, editor) {
if (!(event.ctrlKey || event.metaKey)) return false;
const key = event.key.toLowerCase();
if (key === "y" || (key === "z" && event.shiftKey)) editor.redo();
else if (key === "z") editor.undo();
else if (key === "a") editor.select(editor.edits.ids);
else return false;
event.preventDefault();
event.stopPropagation();
return true;
}
return { Toolbar, handleShortcut };
})();
const $machine = (() => {

const { makeFeasible, solve } = $solver;
const { dot, sum } = $vectors;

const ZERO = 0; // the position of a support value in its box, as in svmcore/duals.py
const FREE = 1;
const UPPER = 2;
const LOWER = 3;

const WIDE = 1e-2; // the relative gap of primal and dual objective above which no violation is small enough, as in svmcore
const FINEST = 1e-9; // tolerance to close it
const MOVING = 2e7; // multiplications of a fit while a hand moves: some hundredths of a second


function shapeOf({ box, parameters }, params) {
const at = parameters.map(({ name }) => params[name]);
const value = ([constant, ...slopes], infinity) => (constant === null ? infinity : constant + dot(slopes, at));
return { low: value(box.low, -Infinity), high: value(box.high, Infinity), curvature: value(box.curvature, 0) };
}

function lossAt(t, { low, high, curvature }) {
const s = curvature > 0 ? Math.min(Math.max(t / curvature, low), high) : t > 0 ? high : low;
return t === 0 ? 0 : s * t - (curvature * s * s) / 2;
}

function boxOf(label, C, { low, high, curvature }) {
const boundOf = (one, other) => Float64Array.from(label, (y) => (y > 0 ? C * one : -C * other) + 0);
return {
lower: boundOf(low, high),
upper: boundOf(high, low),
ridge: Float64Array.from(label, () => curvature / C),
linear: Float64Array.from(label, (y) => -y),
};
}

function kernelOf({ kernel, sigma, degree, coef0 }) {
const gamma = 1 / sigma ** 2;
if (kernel === "rbf") return (x1, x2, z1, z2) => Math.exp(-gamma * ((x1 - z1) ** 2 + (x2 - z2) ** 2));
if (kernel === "linear") return (x1, x2, z1, z2) => x1 * z1 + x2 * z2;
return (x1, x2, z1, z2) => power(gamma * (x1 * z1 + x2 * z2) + coef0, degree);
}

function power(base, degree) {
let value = 1;
for (let k = 0; k < degree; k++) value *= base;
return value;
}

function gramMatrix({ x, y }, setting) {
const n = x.length;
const k = kernelOf(setting);
const [left, low] = setting.kernel === "linear" ? [mean(x), mean(y)] : [0, 0];
const K = new Float64Array(n * n);
for (let i = 0; i < n; i++) {
for (let j = 0; j <= i; j++) K[i * n + j] = K[j * n + i] = k(x[i] - left, y[i] - low, x[j] - left, y[j] - low);
}
return K;
}

function missingSentence({ label }) {
const absent = [1, -1].filter((sign) => !label.includes(sign));
const names = absent.map((sign) => (sign > 0 ? "+1" : "−1")).join(" and of class ");
return names && `Add points of class ${names}: there is nothing to separate yet.`;
}

function fit(points, shape, setting, { before, moving = false, tol = 1e-3 } = {}) {
const found = fitOnce(points, shape, setting, { before, moving, tol });
const { primal, dual, alpha, status } = found;
const apart = primal - dual > WIDE * Math.max(Math.abs(primal), Math.abs(dual));
if (moving || status !== "CONVERGED" || !apart) return found;
const known = { alpha, C: setting.C };
const finer = tol > FINEST && fit(points, shape, setting, { before: known, tol: tol / 10 });
return finer && finer.status === "CONVERGED" ? finer : { ...found, status: "WIDE_GAP" };
}

function fitOnce(points, shape, setting, { before, moving, tol }) {
const { x, label } = points;
const K = gramMatrix(points, setting);
const qp = boxOf(label, setting.C, shape);
const beta = before && Float64Array.from(label, (sign, i) => (sign * before.alpha[i] * setting.C) / before.C);
const found = solve(K, qp, {
tol,
beta: beta && makeFeasible(beta, qp),
...(moving && { work: MOVING, thorough: false }),
});
const endless = found.status === "UNBOUNDED" || !found.beta.every(Number.isFinite);
if (endless) found.beta.fill(0);
const image = new Float64Array(x.length);
for (let j = 0, n = x.length; j < n; j++) {
if (found.beta[j] !== 0) for (let i = 0; i < n; i++) image[i] += found.beta[j] * K[j * n + i];
}
const [squared, slope] = [dot(found.beta, image), dot(found.beta, label)];
const bent = sum(found.beta.map((b, i) => qp.ridge[i] * b * b));
const level = endless ? 0 : found.intercept;
const alpha = found.beta.map((b, i) => b * label[i] + 0);
const f = image.map((value) => value + level);
const cost = sum(f.map((value, i) => lossAt(1 - label[i] * value, shape)));
return {
points,
setting,
shape,
beta: found.beta,
alpha,
f,
state: Array.from(alpha, (value) => stateOf(value, setting.C, shape)),
intercept: level - shiftOf(points, found.beta, setting),
primal: squared / 2 + setting.C * cost,
dual: slope - squared / 2 - bent / 2,
violation: found.violation,
status: qualifyStatus(endless ? "UNBOUNDED" : found.status, setting),
steps: found.steps,
};
}

function shiftOf({ x, y }, beta, { kernel }) {
if (kernel !== "linear") return 0;
return dot(beta, x) * mean(x) + dot(beta, y) * mean(y);
}

function qualifyStatus(status, { kernel, coef0 }) {
return status === "CONVERGED" && kernel === "poly" && coef0 < 0 ? "STATIONARY" : status;
}

function stateOf(alpha, C, { low, high }) {
if (alpha === 0) return ZERO;
return alpha >= C * high ? UPPER : alpha <= C * low ? LOWER : FREE;
}

const mean = (values) => sum(values) / values.length;

function fieldOf({ points, beta, intercept, setting }, xs, ys) {
const used = points.x.map((_, i) => i).filter((i) => beta[i] !== 0);
if (setting.kernel === "linear") return linearField(used, points, beta, intercept, xs, ys);
const sums = Array.from(ys, () => new Float64Array(xs.length).fill(intercept));
const k = kernelOf(setting);
const gamma = 1 / setting.sigma ** 2;
for (const i of used) {
const [left, low, b] = [points.x[i], points.y[i], beta[i]];
const across = setting.kernel === "rbf" && Float64Array.from(xs, (x) => b * Math.exp(-gamma * (x - left) ** 2));
for (let r = 0; r < ys.length; r++) {
const row = sums[r];
const up = across ? Math.exp(-gamma * (ys[r] - low) ** 2) : 0;
if (across) for (let c = 0; c < row.length; c++) row[c] += across[c] * up;
else for (let c = 0; c < row.length; c++) row[c] += b * k(left, low, xs[c], ys[r]);
}
}
return sums.map((row) => Float32Array.from(row));
}

function linearField(used, { x, y }, beta, intercept, xs, ys) {
const weightedSum = (values) => used.reduce((all, i) => all + beta[i] * values[i], 0);
const [across, up] = [weightedSum(x), weightedSum(y)];
return Array.from(ys, (height) => Float32Array.from(xs, (place) => across * place + up * height + intercept));
}

function changedShare(before, after) {
const differ = before.map((row, r) => row.reduce((all, value, c) => all + +(value >= 0 !== after[r][c] >= 0), 0));
return sum(differ) / (before.length * before[0].length);
}

const linspace = ([low, high], count) =>
Float64Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));
return { ZERO, FREE, UPPER, LOWER, shapeOf, lossAt, boxOf, kernelOf, gramMatrix, missingSentence, fit, fieldOf, changedShare, linspace };
})();
const $placeholder = (() => {

const { shape } = $dom;
const { SHARES } = $axes;
const { isNote } = $canvas;
const { ENTRY, isInnerLegend } = $corner;
const { extentOf } = $frame;
const { ticks } = $ticks;

const LINE = 1.3; // of letters, from line to line
const PADDED = 2; // pixels of padding and border around a note

function drawPlaceholder(svg, { data, layout }, axes) {
const sheet = shape("g"); // not on the page: with each part the browser looks at all styles
const parts = [drawAxes, drawLabels, drawNotes, drawLegend].map((draw) => draw(sheet, layout, axes, data));
const whole = parts.every(Boolean) && !layout.title?.text && !layout.shapes?.length;
svg.replaceChildren(...(whole ? [sheet] : []));
return whole;
}

function drawAxes(svg, layout, { xaxis, yaxis }) {
const [left, top] = [xaxis._offset, yaxis._offset];
const [right, bottom] = [left + xaxis._length, top + yaxis._length];
for (const [axis, { showgrid, gridcolor, ...options }, letter] of [
[xaxis, layout.xaxis, "x"],
[yaxis, layout.yaxis, "y"],
]) {
const drawGridline = (value, colour) => {
const offset = axis.d2p(value);
if (!(offset > 1 && offset < axis._length - 1)) return; // the ends belong to the lines of the axes
const place = offset + axis._offset;
stroke(svg, letter === "x" ? `M${place},${top}V${bottom}` : `M${left},${place}H${right}`, colour);
};
const marks = showgrid === false ? [] : (ticks({ ...options, range: axis.range }, axis._length, letter) ?? []);
for (const { value } of marks) if (value !== 0 || !options.zeroline) drawGridline(value, gridcolor);
if (options.zeroline) drawGridline(0, options.zerolinecolor);
}
stroke(svg, `M${left - 1},${bottom + 0.5}H${right}`, layout.xaxis.linecolor);
stroke(svg, `M${left - 0.5},${top}V${bottom}`, layout.yaxis.linecolor);
return true;
}

function drawLabels(svg, { xaxis, yaxis, font }, axes) {
const [left, bottom] = [axes.xaxis._offset, axes.yaxis._offset + axes.yaxis._length];
const labelAxis = (axis, given, /** @type {"x" | "y"} */ letter, spot) => {
const shown = given.showticklabels === false ? [] : ticks({ ...given, range: axis.range }, axis._length, letter);
const look = { ...font, ...given.tickfont };
const spotAt = (value) => spot(axis._offset + axis.d2p(value), look.size);
return shown?.map(({ value, text }) => writeLines(svg, text, { ...spotAt(value), font: look }));
};
const spotBelow = (x, size) => ({ x, y: bottom + 1.2 * size + 0.5, anchor: "middle" });
const spotBeside = (y, size) => ({ x: left - 0.2 * size - 0.5, y: y + 0.35 * size, anchor: "end" });
const [across, up] = [labelAxis(axes.xaxis, xaxis, "x", spotBelow), labelAxis(axes.yaxis, yaxis, "y", spotBeside)];
if (!across || !up) return false;
const farthest = (labels, far) => Math.max(0, ...labels.map(far));
if (xaxis.title?.text) {
const room = farthest(across, ({ y, height }) => y + height - bottom);
const y = bottom + room + xaxis.title.standoff + 0.7 * xaxis.title.font.size;
const x = left + axes.xaxis._length / 2;
writeLines(svg, xaxis.title.text, { x, y, anchor: "middle", font: { ...font, ...xaxis.title.font } });
}
if (yaxis.title?.text) {
const room = farthest(up, ({ width }) => width) + 0.2 * yaxis.tickfont.size + 0.5;
const x = left - room - yaxis.title.standoff - 0.35 * yaxis.title.font.size;
const y = axes.yaxis._offset + axes.yaxis._length / 2;
const title = writeLines(svg, yaxis.title.text, { x, y, anchor: "middle", font: { ...font, ...yaxis.title.font } });
title.element.setAttribute("transform", `rotate(-90,${x},${y})`);
}
return true;
}

function drawNotes(svg, { annotations = [], font, margin, width, height }, axes) {
const own = annotations.filter((note) => !isNote(note));
const paper = { x: [margin.l, width - margin.l - margin.r], y: [margin.t, height - margin.t - margin.b] };
const pixelOf = (place, reference = "", letter) => {
const axis = axes[`${letter}axis`];
if (reference === "" || reference === letter) return axis._offset + axis.d2p(place);
const [start, length] = reference === "paper" ? paper[letter] : [axis._offset, axis._length];
return start + length * (letter === "x" ? place : 1 - place);
};
for (const note of own) {
if (note.showarrow || !note.xanchor || !note.yanchor) return false;
const box = writeLines(svg, note.text, { x: 0, y: 0, anchor: "start", font: { ...font, ...note.font } });
const x = pixelOf(note.x, note.xref, "x") + (note.xshift ?? 0) - SHARES[note.xanchor] * (box.width + 2 * PADDED);
const y = pixelOf(note.y, note.yref, "y") - (note.yshift ?? 0) - SHARES[note.yanchor] * (box.height + 2 * PADDED);
box.element.setAttribute("transform", `translate(${x + PADDED},${y + PADDED - box.y})`);
}
return true;
}

function drawLegend(svg, layout, _axes, data) {
const { legend: place, showlegend, font, margin, width, height } = layout;
const rows = showlegend ? data.filter((trace) => trace.showlegend) : [];
if (!rows.length) return true;
if (!isInnerLegend(layout)) return false;
const whole = rows.length * ENTRY.height + 2 * ENTRY.gap;
const top = height - margin.b - whole;
const group = add(svg, "g");
const back = add(group, "rect", { x: 0, y: top, height: whole, fill: place.bgcolor });
const lengths = rows.map(({ name, line }, k) => {
const middle = top + ENTRY.gap + (k + 0.5) * ENTRY.height;
const sample = stroke(group, `M${ENTRY.from},${middle}H${ENTRY.to}`, line.color, line.width);
sample.setAttribute("stroke-dasharray", line.dash === "solid" ? "none" : line.dash);
const spot = { x: ENTRY.text, y: middle + ENTRY.baseline, anchor: "start" };
return writeLines(group, name, { ...spot, font: { ...font, ...place.font } }).width;
});
const across = Math.max(...lengths) + ENTRY.text + ENTRY.gap;
back.setAttribute("width", String(across));
const start = margin.l + place.x * (width - margin.l - margin.r) - (place.xanchor === "right" ? across : 0);
group.setAttribute("transform", `translate(${start},0)`);
return true;
}

const add = (parent, tag, attributes) => parent.appendChild(shape(tag, attributes));

const stroke = (svg, d, colour, width = 1) =>
add(svg, "path", { d, stroke: colour, "stroke-width": width, fill: "none", "shape-rendering": "crispEdges" });

function writeLines(svg, text, { x, y, anchor, font }) {
const element = add(svg, "text", { x, y, "text-anchor": anchor, fill: font.color });
element.style.cssText = `font: ${font.size}px ${font.family}; white-space: pre`;
const written = text.split("<br>");
written.forEach((line, k) => {
const row = add(element, "tspan", k ? { x, dy: LINE * font.size } : { x });
for (const [, colour, coloured, plain] of line.matchAll(/<span style="color:([^"]*)">(.*?)<\/span>|(.[^<]*)/g)) {
add(row, "tspan", colour ? { fill: colour } : {}).textContent = coloured ?? plain;
}
});
const sizes = written.map((line) => extentOf(line.replace(/<[^>]*>/g, ""), `${font.size}px ${font.family}`));
const [{ up, down }] = sizes;
const height = up + down + (written.length - 1) * LINE * font.size;
return { element, width: Math.max(...sizes.map(({ width }) => width)), height, y: y - up };
}
return { drawPlaceholder };
})();
const $links = (() => {

const { memoize } = $memoize;
const { PointEditor } = $point_editor;

class Link {
planes = new Set();
editor;

ensureEditor() {
this.editor ??= new PointEditor(this);
return this.editor;
}

[Symbol.iterator]() {
const isBefore = (one, other) => one.root.compareDocumentPosition(other.root) & Node.DOCUMENT_POSITION_FOLLOWING;
return [...this.planes].sort((one, other) => (isBefore(one, other) ? -1 : 1)).values();
}
}

const namedLink = memoize(() => new Link());

const linkOf = (name) => (name ? namedLink(name) : new Link());
return { linkOf };
})();
const $gestures = (() => {

const { pixelOf } = $dom;
const { nearestTowards, randomNormal } = $edits;
const { handleShortcut } = $toolbar;

const REACH = { mouse: 10, pen: 14, touch: 24 }; // pixels around a point that belong to it
const SLACK = 4; // pixels that a finger may tremble in a tap
const LONG = 800; // milliseconds after which a press is no tap on empty space
const HELD = 150; // milliseconds after which a finger has a point in hand; before, a vertical move scrolls the page
const TWICE = 350; // milliseconds between the taps of a double tap
const CORNER = 4; // pixels around the first corner of a rectangle that is drawn by two taps
const ALIASES = { PageDown: "n", PageUp: "p", Backspace: "Delete", Insert: "a" };
const SPRAY = { every: 45, reach: 26 }; // milliseconds, pixels


class Gestures {
#plane;
#editor;
#grip;
#last;

constructor(plane, editor) {
const { area, overlay } = plane;
const { handle } = overlay;
this.#plane = plane;
this.#editor = editor;
area.onpointerdown = (event) => this.#handleDown(event);
area.onpointermove = (event) => this.#handleMove(event);
area.onmousedown = (event) => event.preventDefault(); // which would take the focus from the handle
area.onpointerup = (event) => this.#handleUp(event);
area.onpointercancel = () => this.#cancel();
const keepFromScrolling = (event) => event.cancelable && event.preventDefault();
const isCarried = (event) => this.#grip?.id !== undefined && this.#isInHand(this.#grip, event);
const active = { passive: false };
area.addEventListener("touchstart", (event) => this.#takesTouch(event) && keepFromScrolling(event), active);
area.addEventListener("touchmove", (event) => isCarried(event) && keepFromScrolling(event), active);
handle.onkeydown = (event) => this.#handleKey(event);
handle.onfocus = () => {
const byKeys = handle.matches(":focus-visible") && !this.#grip;
if (byKeys && editor.cursor === undefined) editor.choose(this.#shownIds()[0]);
};
}

#shownIds() {
return this.#editor.edits.ids.filter((id) => this.#plane.shows(id));
}

#pointAt([x, y], kind) {
let found;
let nearest = Infinity;
for (const id of this.#shownIds()) {
const [left, top] = this.#plane.chart.pixelOf(this.#editor.edits.point(id));
const distance = Math.hypot(left - x, top - y) - this.#plane.shownPoints.diameter(id) / 2;
if (distance < nearest) [found, nearest] = [id, distance];
}
return nearest <= (REACH[kind] ?? REACH.mouse) ? found : undefined;
}

#takesTouch({ touches }) {
if (touches.length > 1) return false;
const spot = pixelOf(this.#plane.area, touches[0]);
if (!this.#plane.chart.contains(spot)) return false;
return isDrawingTool(this.#editor.tool) || this.#isKnown(this.#pointAt(spot, "touch"));
}

#isKnown(id) {
return id !== undefined && (this.#editor.cursor === id || this.#editor.selection.has(id));
}

#isInHand({ known, began }, { timeStamp }) {
return known || timeStamp - began >= HELD;
}


#handleDown(event) {
if (event.button !== 0 || !event.isPrimary || !this.#plane.chart.axes || !this.#editor.isReady) return;
const spot = pixelOf(this.#plane.area, event);
if (!this.#plane.chart.contains(spot)) return;
const { pointerId: pointer, pointerType: kind, shiftKey: shift, timeStamp: began } = event;
const { tool } = this.#editor;
const id = tool === "spray" ? undefined : this.#pointAt(spot, kind);
this.#grip = { id, spot, kind, pointer, shift, began, known: this.#isKnown(id), sprayed: 0 };
this.#plane.overlay.handle.focus({ preventScroll: true });
if (tool === "spray") this.#spray(this.#grip);
if (kind !== "touch" || id !== undefined || isDrawingTool(tool)) this.#plane.area.setPointerCapture(pointer);
}

#handleMove(event) {
const grip = this.#grip;
if (!grip) return this.#handleHover(event);
if (event.pointerId !== grip.pointer) return;
const spot = pixelOf(this.#plane.area, event);
grip.now = spot;
if (!grip.moving && Math.hypot(spot[0] - grip.spot[0], spot[1] - grip.spot[1]) < SLACK) return;
if (this.#editor.tool === "spray") return;
const steep = Math.abs(spot[1] - grip.spot[1]) > Math.abs(spot[0] - grip.spot[0]);
if (!grip.moving && grip.kind === "touch" && steep && grip.id !== undefined && !this.#isInHand(grip, event)) return;
if (!grip.moving) this.#beginMove(grip);
if (grip.from) {
const [here, there] = [this.#plane.chart.dataAt(grip.spot), this.#plane.chart.dataAt(spot)];
this.#editor.shift(grip.from, [there[0] - here[0], there[1] - here[1]], this.#plane.chart.limits());
} else if (grip.band) {
grip.box = boxOf(grip.spot, spot);
this.#plane.overlay.showBand(grip.box);
}
}

#beginMove(grip) {
grip.moving = true;
if (grip.id === undefined) {
grip.band = grip.kind !== "touch" || this.#editor.tool === "select";
return;
}
grip.from = this.#editor.beginDrag(grip.id);
this.#plane.root.toggleAttribute("data-dragging", true);
}

refreshBand() {
const corner = this.#grip ? undefined : this.#cornerPixel();
if (!this.#grip) this.#plane.overlay.showBand(corner && boxOf(corner, corner, CORNER));
}

#handleHover(event) {
const corner = this.#cornerPixel();
if (corner) this.#plane.overlay.showBand(boxOf(corner, pixelOf(this.#plane.area, event)));
}

#cornerPixel() {
const [x, y] = this.#editor.corner ?? [];
return x === undefined || !this.#plane.chart.axes ? undefined : this.#plane.chart.pixelOf({ x, y });
}

#handleUp(event) {
const [grip, editor] = [this.#grip, this.#editor];
if (!grip || event.pointerId !== grip.pointer) return;
this.#release();
if (editor.tool === "spray") editor.endSpray(grip.sprayed);
else if (grip.from) editor.settle([...grip.from.keys()]);
else if (grip.box) this.#selectWithin(grip.box, { adding: grip.shift });
else if (!grip.moving) this.#tap(grip, event);
}

#selectWithin(sides, { adding }) {
const isInside = (id) => this.#plane.chart.contains(this.#plane.chart.pixelOf(this.#editor.edits.point(id)), sides);
this.#editor.select(this.#shownIds().filter(isInside), { adding });
}

#tap({ id, spot, shift, began }, { timeStamp }) {
const editor = this.#editor;
const corner = this.#cornerPixel();
if (corner) return this.#selectWithin(boxOf(corner, spot), { adding: shift });
if (editor.carriedId !== undefined)
return editor.placeCarried(...this.#plane.chart.dataAt(spot), this.#plane.chart.limits());
if (id === undefined) {
if (editor.tool === "select") editor.beginBox(...this.#plane.chart.dataAt(spot));
else if (editor.selection.size) editor.select([]);
else if (editor.tool === "edit" && timeStamp - began < LONG) editor.add(...this.#plane.chart.dataAt(spot));
return;
}
const last = this.#last;
const twice = last !== undefined && last.id === id && timeStamp - last.time < TWICE;
this.#last = twice ? undefined : { id, time: timeStamp };
if (twice) return editor.flip([id]);
if (shift) return editor.toggleSelection(id);
if (editor.tool === "move") return editor.carry(id);
if (!editor.selection.has(id)) editor.selection.clear();
editor.choose(id);
}

#spray(grip) {
const editor = this.#editor;
editor.beginSpray();
const scatter = (pixel) => pixel + SPRAY.reach * 0.5 * randomNormal();
const drop = () => {
const spot = (grip.now ?? grip.spot).map(scatter);
if (!this.#plane.chart.contains(spot)) return;
editor.drop(...this.#plane.chart.dataAt(spot));
grip.sprayed += 1;
};
drop();
grip.rain = setInterval(drop, SPRAY.every);
}

#cancel() {
const grip = this.#grip;
this.#release();
if (grip?.from || grip?.sprayed) this.#editor.undo();
}

#release() {
clearInterval(this.#grip?.rain);
this.#grip = undefined;
this.#plane.overlay.showBand(undefined);
this.#plane.root.toggleAttribute("data-dragging", false);
}


#handleKey(event) {
const editor = this.#editor;
if (handleShortcut(event, editor)) return;
const arrow = ARROWS[event.key];
if (event.metaKey || ((event.altKey || event.ctrlKey) && !arrow)) return;
if (event.key === "Escape" && !editor.isBusy) return; // it may leave something else
const limits = this.#plane.chart.limits();
const share = stride(event);
const leastStep = (axis) => 10 ** editor.edits.step[axis]; // places are multiples of it
const [dx, dy] = [limits.x, limits.y].map(([low, high], k) => Math.max(share * (high - low), leastStep(k)));
const commands = {
n: () => this.#step(1),
p: () => this.#step(-1),
Home: () => editor.choose(this.#shownIds()[0]),
End: () => editor.choose(this.#shownIds().at(-1)),
x: () => editor.flip(),
o: () => editor.mark(),
s: () => editor.toggle(),
j: () => editor.jitter(limits),
t: () => editor.sweep(this.#plane),
Delete: () => editor.remove(),
a: () => this.#addHere(limits),
" ": () => editor.cursor === undefined || editor.toggleSelection(editor.cursor),
Escape: () => editor.select([]),
};
const name = ALIASES[event.key] ?? (event.key.length === 1 ? event.key.toLowerCase() : event.key);
if (arrow && event.altKey) this.#walk(arrow);
else if (arrow) editor.nudge([arrow[0] * dx, arrow[1] * dy], limits);
else if (commands[name]) commands[name]();
else return;
event.preventDefault();
event.stopPropagation();
}

#step(by) {
const ids = this.#shownIds();
const at = ids.indexOf(this.#editor.cursor ?? NaN);
if (ids.length) this.#editor.choose(ids[(at + by + ids.length) % ids.length]);
}

#walk([right, up]) {
const { edits, cursor } = this.#editor;
const spots = new Map(this.#shownIds().map((id) => [id, this.#plane.chart.pixelOf(edits.point(id))]));
const known = cursor !== undefined && spots.has(cursor);
this.#editor.choose(known ? nearestTowards(spots, cursor, [right, -up]) : [...spots.keys()][0]);
}

#addHere({ x: [left, right], y: [low, high] }) {
const editor = this.#editor;
const beside = editor.cursor === undefined ? undefined : editor.edits.point(editor.cursor);
const x = beside ? beside.x + 0.03 * (right - left) : (left + right) / 2;
editor.add(Math.min(x, right), beside ? beside.y : (low + high) / 2);
}
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const stride = ({ shiftKey, ctrlKey }) => (shiftKey ? 0.002 : ctrlKey ? 0.05 : 0.01);

const isDrawingTool = (tool) => tool === "select" || tool === "spray";

function boxOf(one, other, around = 0) {
const sideOf = (/** @type {number} */ axis) => {
const [low, high] = [one[axis], other[axis]].sort((a, b) => a - b);
return /** @type {[number, number]} */ ([low - around, high + around]);
};
return [sideOf(0), sideOf(1)];
}
return { Gestures, ARROWS, stride };
})();
const $figure = (() => {

const { formatNumber } = $numbers;
const { LOWER, UPPER, ZERO } = $machine;
const { boundarySentence } = $position;

const AREA_OF_SQUARE = Math.sqrt(Math.PI) / 2;
const FULL = { compact: [13, 4, 0.7, 1.8, 6], plain: [20, 5.5, 0.9, 2.4, 9] }; // pixels, as in marks.py
const SIGNS = { 1: "+1", [-1]: "−1" };
const CROWD = 80; // points from which on markers become smaller


function figureOf(templates, content, { view, compact, classes = SIGNS, features = [] }) {
const { points, off, field } = content;
const template = templates[compact ? "compact" : "plain"];
const { traces, keys } = template;
const layout = (features.length && template.named) || template.layout;
const special = [field?.ghost && "ghost", points.mark.some(Boolean) && "outliers", off.ids.length && "off"];
const grid = field && { x: Float32Array.from(field.xs), y: Float32Array.from(field.ys), z: field.f };
const data = [];
if (field) data.push({ ...traces.field, ...grid }, { ...traces.margins, ...grid });
if (field?.ghost) data.push({ ...traces.ghost, ...grid, z: field.ghost });
if (field) data.push({ ...traces.boundary, ...grid });
const hollow = traces["switched off"];
if (off.ids.length) data.push(traceOf(hollow, off, [...off.ids.keys()], () => hollow.marker.size));
data.push(...markTraces(traces, content, compact));
const key = keys?.[special.filter(Boolean).join(" ")];
const classWords = (_, sign) => `class ${classes[sign === "+1" ? 1 : -1].replace(/</g, "‹")}`;
const renameClasses = (text) => text.replace(/class (\+1|−1)/g, classWords);
const axes = Object.fromEntries(
["x", "y"].map((side, k) => {
const axis = layout[`${side}axis`];
const title = features.length && axis.title && { ...axis.title, text: features[k] };
return [`${side}axis`, { ...axis, range: view[side], ...(title && { title }) }];
}),
);
const where = field ? boundarySentence(field, features) : "";
const sizes = sizeKey(content, compact);
const alt = [describe(content), sizes && `Key of sizes, |α|: ${sizes.text.join(", ")}.`, where];
const entries = key?.entries.map(renameClasses);
const meta = { ...layout.meta, alt: alt.filter(Boolean).join(" "), where, key: entries, sizes };
const annotations = key ? [{ ...layout.annotations[0], text: renameClasses(key.text) }] : undefined;
return { data, layout: { ...layout, ...axes, meta, annotations } };
}

function traceOf(template, { x, y, ids }, rows, /** @type {(i: number) => number} */ size) {
const [across, up] = [x, y].map((places) => rows.map((i) => places[i]));
const marker = { ...template.marker, size: rows.map(size) };
return { ...template, x: across, y: up, customdata: rows.map((i) => [ids[i]]), marker };
}

function markTraces(traces, { points, fit, largest }, compact) {
const all = [...points.ids.keys()];
const size = diameters(fit?.alpha, largest ?? largestAlpha(fit), all.length, compact).map(Math.fround);
const [, , thin, most, around] = FULL[compact ? "compact" : "plain"];
const found = [1, -1].map((label) => {
const template = traces[`points ${label > 0 ? "+1" : "-1"}`];
const [kind, scale] = label > 0 ? ["plus", 1] : ["minus", AREA_OF_SQUARE];
const members = all.filter((i) => points.label[i] === label).sort((i, j) => size[j] - size[i]);
const looks = members.map((i) => {
const dot = Math.min(most, Math.floor(2 * size[i]) / 10);
return look(fit?.alpha[i] ?? 1, fit?.state[i] ?? 1, kind, { thin, dot });
});
const trace = traceOf(template, points, members, (i) => size[i] * scale);
if (fit) trace.customdata = members.map((i) => [points.ids[i], fit.alpha[i]]);
const { symbol } = template.marker;
Object.assign(trace.marker, {
symbol: looks.some(({ bound }) => bound) ? looks.map(({ bound }) => symbol + (bound ? "-dot" : "")) : symbol,
color: looks.map(({ fill }) => fill),
line: { color: looks.map(({ edge }) => edge), width: looks.map(({ width }) => width) },
});
return trace;
});
const ringed = all.filter((i) => points.mark[i]);
return ringed.length ? [...found, traceOf(traces.outliers, points, ringed, (i) => size[i] + around)] : found;
}

function sizeKey({ points, fit, largest = largestAlpha(fit) }, compact) {
if (!fit || !(largest > 0)) return undefined;
const power = 10 ** Math.floor(Math.log10(largest));
const below = [5, 2, 1, 0.5, 0.2, 0.1].map((factor) => factor * power).filter((v) => v <= largest * (1 + 1e-9));
const values = below.slice(0, 3).reverse();
const [dot, ...size] = diameters([0, ...values], largest, points.ids.length, compact).map(Math.fround);
const seen = values.filter((_, k) => size[k] > dot);
const marker = { size: size.filter((one) => one > dot) };
return { label: "|α|", text: seen.map((value) => formatNumber(value)), marker };
}

const largestAlpha = (fit) => (fit ? fit.alpha.reduce((most, value) => Math.max(most, Math.abs(value)), 0) : 0);

function diameters(alpha, largest, count, compact) {
const crowd = Math.min(Math.max(Math.sqrt(CROWD / Math.max(count, 1)), 0.6), 1);
const [full, dot] = FULL[compact ? "compact" : "plain"];
const shareOf = (value) => Math.min(Math.abs(value) / Math.max(largest, 1e-300), 1);
if (!alpha) return Array(count).fill(0.45 * full * crowd);
return Array.from(alpha, (value) => Math.max(full * crowd * Math.sqrt(shareOf(value)), dot));
}

function look(alpha, state, kind, { thin, dot }) {
const token = (name) => `var(--svm-${name})`;
const [bound, negative] = [state === UPPER || state === LOWER, alpha < 0];
return {
bound,
fill: token(negative ? `${kind}-pale` : kind),
edge: token(negative ? kind : bound || state === ZERO ? "page" : `${kind}-deep`),
width: bound ? dot : negative ? 1.7 * thin : thin,
};
}

function describe({ points, off, fit, field }) {
const count = (test) => points.label.filter(test).length;
const plus = count((label) => label > 0);
const outliers = points.mark.filter(Boolean).length;
const parts = [
`Plane: ${plural(points.ids.length, "point")}, ${plus} of class +1 and ${count(() => true) - plus} of class -1.`,
];
if (fit) parts.push(supportSentence(fit));
if (field) parts.push("The field of decision values is coloured by sign; lines mark f = 0 and f = ±1.");
if (field?.ghost) parts.push("A thin grey line shows the boundary without the outliers.");
if (outliers) parts.push(`${plural(outliers, "outlier")} ringed.`);
if (off.ids.length) parts.push(`${plural(off.ids.length, "point")} switched off, hollow and grey.`);
return parts.join(" ");
}

function supportSentence(fit) {
const count = (test) => fit.alpha.reduce((sum, value, i) => sum + +test(value, fit.state[i]), 0);
const used = count((value) => value !== 0);
const has = used === 1 ? "has" : "have";
const text = `${used} of ${fit.alpha.length} ${has} a support value other than zero, largest |alpha| ${formatNumber(largestAlpha(fit))}`;
const negative = count((value) => value < 0);
const bound = count((_, state) => state === UPPER || state === LOWER);
return `${text}${negative ? `, ${negative} negative` : ""}, ${bound} at a bound.`;
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
return { figureOf, largestAlpha };
})();
const $picture = (() => {

const { part, shadowSvg } = $dom;
const { enlarge, enlargement } = $presenter;
const { drawFields, drawPoints, isNote } = $canvas;
const { frameOf, hasNoPlotly, loadPlotly, replaceTokens, waitForScreen } = $chart;
const { placeLegend } = $corner;
const { FlipAnimation, hasFlip } = $flip_animation;
const { addTitle, legendMargin, wantedHeight, withPortableFont } = $frame;
const { placeKey, widenForKey, wrapKey } = $key;
const { nameLines } = $line_names;
const { drawStep } = $overlays;
const { drawPlaceholder } = $placeholder;
const { addSizes, markup, sizeMarks } = $sizes;

const ABOVE = 3; // pixels between the title and the axes
const REST = 500; // milliseconds without another picture after which Plotly draws what moved
const SIGNS = ["pointerover", "pointermove", "pointerleave", "focusin"]; // of a hand, and where it is


class Picture {
theme;
size = [0, 0];
room = { height: 0, fill: 0, less: 0 };

#root;
#layers;
#edge;
#title = 0; // pixels of its title, which never become fewer: new axes cost more than the rest of a picture
#titleRow = 0; // and those that it has: of pictures that ask for the same room none stands lower than the others
#points;
#placeholder;
#sizes;
#wait;
#chart;
#playback;
#over;
#figure;
#shownPoints;
#enlargement = 1;
#drawCount = 0;
#isPlotted = false;
#isWhole = false; // without Plotly
#hand;
#sizesMarkup = ""; // the key of sizes
#frame = ""; // the axes and texts that are drawn without Plotly
#titleLeft = ""; // where the title begins
#isStale = false;
#isBusy = false;
#pointsRequest = 0;
#redrawRequest = 0;
#restTimer = 0;
#traces = [];
#notes = [];
#base;
#table;
#watch;
#flipping = new FlipAnimation();
#namePlaces = new Map();

constructor(root, { chart, playback }, over) {
this.#root = root;
this.#layers = part(root, "layers");
this.#edge = part(root, "edge");
this.#points = part(root, "points");
this.#placeholder = shadowSvg(part(root, "placeholder"));
this.#sizes = shadowSvg(part(root, "sizes"));
this.#wait = part(root, "wait");
this.#chart = chart;
this.#playback = playback;
this.#over = over;
this.#watch = new ResizeObserver(() => this.#resize());
this.#watch.observe(root);
addEventListener("resize", this.#handleResize);
for (const sign of SIGNS) root.addEventListener(sign, this.#noticeHand);
}

#noticeHand = (event) => {
const first = !this.#hand;
this.#hand = event;
if (first) this.draw();
};

setFigure(figure, shown) {
const still = !this.#shownPoints || this.#playback.frames;
if (!still && hasFlip(this.#shownPoints, shown)) this.#flipping.start(this.#flipping.tracesNow(this.#traces));
this.#figure = figure;
this.#shownPoints = shown;
}

get currentFigure() {
return { ...this.#figure, data: this.#playback.traces(this.#figure.data) };
}

get wholeFigure() {
return { ...this.currentFigure, layout: this.#withTitleRow(this.#figure.layout) };
}

get isLayered() {
return this.#traces.length > 0;
}


fit() {
const { margin: own, xaxis, yaxis } = this.#figure.layout;
const height = this.#edge.offsetHeight;
this.#title = height && Math.max(this.#title, height + ABOVE);
this.#align();
const { margin } = this.#withTitleRow(enlarge({ data: [], layout: { margin: own } }, enlargement()).layout);
const rangeOf = (axis) => axis.range[1] - axis.range[0];
const across = this.#root.clientWidth - margin.l - margin.r;
const needed = yaxis.scaleanchor ? (across * rangeOf(yaxis)) / rangeOf(xaxis) + margin.t + margin.b : Infinity;
this.#root.style.height = `${Math.min(wantedHeight(this.#root, this.room, Boolean(yaxis.scaleanchor)), needed)}px`;
}

#align() {
const { fill, less } = this.room;
const row = this.#over.linkedPictures().filter((one) => one.room.fill === fill && one.room.less === less);
const titled = Math.max(this.#title, ...row.map((one) => one.#title));
const others = row.filter((one) => one !== this && one.#titleRow !== titled);
for (const one of [this, ...others]) one.#titleRow = titled;
for (const one of others) {
if (!one.#figure) continue;
one.fit();
one.draw();
}
}

#withTitleRow(layout) {
return { ...layout, margin: { ...layout.margin, t: Math.max(layout.margin.t, this.#titleRow) } };
}

#handleResize = () => {
if (this.#enlargement !== enlargement()) this.size = [0, 0];
this.#enlargement = enlargement();
this.#title = 0;
this.#resize();
};

#resize() {
if (!this.#figure) return;
this.fit();
const { clientWidth, clientHeight } = this.#root;
if (String(this.size) !== String([clientWidth, clientHeight])) this.draw();
}

fitPaper() {
const [width, height] = this.size;
if (!width) return;
this.#root.style.setProperty("--svm-width", String(width));
this.#root.style.setProperty("--svm-height", String(height));
for (const svg of this.#svgs) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

leavePaper() {
for (const svg of this.#svgs) svg.removeAttribute("viewBox");
}

get #svgs() {
return [this.#placeholder, this.#sizes, ...this.#root.querySelectorAll(".svm-over, .main-svg")];
}


async draw(moving = false) {
if (!this.#figure) return;
const start = performance.now();
const first = (moving || !this.#isPlotted) && this.#drawFirst(moving);
clearTimeout(this.#restTimer);
if (first && (moving || hasNoPlotly())) {
if (moving) this.#root.toggleAttribute("data-settling", true);
if (moving) this.#restTimer = setTimeout(() => this.draw(), REST);
return this.#finish(start, moving);
}
this.#isStale = true;
if (this.#isBusy) return;
this.#isBusy = true;
try {
if (first) await waitForScreen(); // plotly.js occupies the page
if (first && this.#isWhole && !this.#hand && !this.#root.matches("[data-picks]")) {
this.#root.toggleAttribute("data-settling", false);
return this.#finish(start);
}
if (this.#root.clientWidth) await loadPlotly();
while (this.#isStale && this.#root.clientWidth) {
this.#isStale = false;
await this.#paint();
}
} catch (error) {
this.#wait.hidden = false;
this.#wait.textContent = `The picture could not be drawn: ${/** @type {Error} */ (error).message}`;
} finally {
this.#isBusy = false;
}
}

async #paint() {
const start = performance.now();
const { figure, layered } = this.#prepare();
await this.#chart.draw(figure, { layered });
if (!this.#isPlotted && this.#hand) this.#chart.hover(this.#hand);
for (const sign of SIGNS) this.#root.removeEventListener(sign, this.#noticeHand);
this.#isPlotted = true;
this.#frame = "";
this.#root.toggleAttribute("data-ahead", false);
this.#placeholder.replaceChildren();
this.#markUp(figure.layout);
this.drawLayers();
this.#playback.markAgain();
this.#finish(start);
}

#drawFirst(moving) {
this.#isWhole = false;
if (!(moving && this.size[0]) && !this.#root.clientWidth) return false;
const { figure, layered } = this.#prepare(moving);
if (!layered || !this.#chart.placeAxes(figure.layout, this.size)) return false;
const { isAhead, axes } = this.#chart;
const frame = isAhead ? frameOf(figure.layout, figure.data) : "";
if (frame !== this.#frame) {
const whole = isAhead && drawPlaceholder(this.#placeholder, figure, axes);
if (isAhead && !whole && this.#isPlotted) return false;
if (!isAhead) this.#placeholder.replaceChildren(); // Plotly has its own
this.#frame = frame;
this.#root.dataset.placeholder = whole ? "whole" : "";
this.#root.toggleAttribute("data-ahead", isAhead);
}
this.#isWhole = this.#root.dataset.placeholder === "whole";
this.#markUp(figure.layout);
this.drawLayers();
if (!this.#wait.hidden) this.#wait.hidden = true; // to hide what is hidden would let the browser look at its style
return true;
}

#prepare(same = false) {
const by = enlargement();
this.#enlargement = by;
const { data: all, layout: given } = enlarge(replaceTokens(this.currentFigure, this.theme.colours), by);
if (!same || !this.size[0]) this.size = [this.#root.clientWidth, this.#root.clientHeight];
const { data, layout } = fitFigure({ data: all, layout: this.#withTitleRow(given) }, this.size, this.#namePlaces);
const layered = Boolean(layout.meta.layers);
this.#traces = layered ? data : [];
this.#root.toggleAttribute("data-layered", layered);
const notes = layered ? (layout.annotations ?? []).filter(isNote) : [];
this.#notes = notes.map((note) => ({ ...note, font: { ...layout.font, ...note.font } }));
const { frames } = this.#playback;
if (frames) {
this.#base = enlarge({ data: replaceTokens(this.#figure.data, this.theme.colours), layout: {} }, by).data;
this.#table = replaceTokens(frames.table, this.theme.colours);
}
return { figure: { data, layout }, layered };
}

#finish(start, moving = false) {
if (!this.#wait.hidden) this.#wait.hidden = true;
this.#root.dataset.ms = (performance.now() - start).toFixed(1);
this.#root.dataset.drawn = String(++this.#drawCount);
if (!moving) this.#over.onPaint();
}


#markUp(layout) {
const { axes } = this.#chart;
const left = `${axes.xaxis._offset}px`;
if (left !== this.#titleLeft) this.#root.style.setProperty("--svm-left", left);
this.#titleLeft = left;
const title = this.#edge.textContent.trim();
const marks = layout.meta.sizes ? markup(sizeMarks(layout, axes, title), layout) : "";
if (marks !== this.#sizesMarkup) this.#sizes.innerHTML = marks;
this.#sizesMarkup = marks;
}

forgetFrames() {
this.#base = undefined;
}

showFrame() {
if (!this.#base) return;
this.#traces = this.#playback.traces(this.#base, this.#table);
this.#redrawRequest ||= requestAnimationFrame(() => this.#redraw());
}

#redraw() {
this.#redrawRequest = 0;
const start = performance.now();
this.drawLayers();
this.#finish(start, this.#flipping.isRunning);
}

refreshPoints() {
this.#pointsRequest ||= requestAnimationFrame(() => this.#drawPoints());
}

drawLayers() {
const { isRunning } = this.#flipping; // asked first: where the flip ends while it is drawn, its end is to come
const traces = this.#flipping.tracesNow(this.#traces);
if (this.isLayered) drawFields(this.#layers, traces, this.#chart.axes, this.size);
this.#drawPoints();
if (isRunning) this.#redrawRequest ||= requestAnimationFrame(() => this.#redraw());
}

#drawPoints() {
this.#pointsRequest = 0;
if (!this.#chart.axes) return;
if (this.isLayered) {
const now = this.#over.placeFinder();
const surface = drawPoints(this.#points, this.#traces, this.#chart.axes, this.size, { notes: this.#notes, now });
this.#over.onPoints(surface);
const { step } = this.#playback;
const style = { ...this.theme.colours, by: this.#enlargement };
if (step) drawStep(surface, step, this.#shownPoints?.spots ?? new Map(), style);
}
this.#over.onPlace();
}


savedFigure(title) {
const figure = replaceTokens(this.currentFigure, this.theme.colours);
const { data, layout } = fitFigure(figure, this.size, this.#namePlaces);
const whole = widenForKey(withPortableFont(layout));
return addTitle({ data, layout: addSizes(whole) }, [whole.width, this.size[1]], title);
}

leave() {
cancelAnimationFrame(this.#pointsRequest);
cancelAnimationFrame(this.#redrawRequest);
clearTimeout(this.#restTimer);
this.#watch.disconnect();
removeEventListener("resize", this.#handleResize);
}
}

function fitFigure({ data: all, layout: given }, [width, height], ends) {
const { data, layout } = nameLines(all, placeKey(wrapKey({ ...given, width, height })), ends);
layout.margin = legendMargin(data, layout);
layout.legend = placeLegend(data, layout);
return { data, layout };
}
return { Picture };
})();
const $plane = (() => {

const { part } = $dom;
const { live } = $live;
const { onColourChange, pageTheme } = $theme;
const { summary } = $voice;
const { fileName, keepTogether } = $words;
const { Gestures } = $gestures;
const { linkOf } = $links;
const { DragHandle } = $drag_handle;
const { enableScrubbing, Playback } = $playback;
const { keepRanges } = $axes;
const { Chart } = $chart;
const { drawEdits, Overlay, setUpMenu } = $overlays;
const { Picture } = $picture;
const { ShownPoints } = $shown_points;
const { Trail } = $trail;
const { AnswerDrawing } = $answer_drawing;


const TURN = Math.PI / 24; // by which an arrow key turns a surface
const HEADED = 24; // pixels of an upper margin that holds a heading

class Plane {
root;
area;
chart;
overlay;
name = "";
shownPoints = new ShownPoints({ data: [] });

#picture;
#lifetime = new AbortController();
#send;

#figure;
#trail = new Trail();
#scene = "";
#passedState;
#version = 0; // of the picture in its scene: what the page sends may be older than what the live channel has brought
#alt = "";
#machineName = "";
#heading = "";

#linkName;
#link = linkOf(undefined);
#gestures;
#drawing;
#dragHandle;
#hoveredPoint;

#playback;

constructor(root) {
this.root = root;
this.area = part(root, "image");
this.overlay = new Overlay(root);
this.chart = new Chart(part(root, "chart"), {
onHover: (id) => this.#highlight({ hovered: this.#picture.isLayered ? id : undefined }),
onClick: (place, id) => this.#pick(place, this.#picture.isLayered ? id : undefined),
onZoom: () => this.#picture.drawLayers(),
onSettle: (waiting) => root.toggleAttribute("data-settling", waiting),
});
this.#playback = new Playback({
mark: (place) => this.#markPlace(place),
show: (frame, sentence) => this.#showFrame(frame, sentence),
});
const parts = { chart: this.chart, playback: this.#playback };
this.#picture = new Picture(root, parts, {
placeFinder: () => this.#placeFinder(),
onPoints: (surface) => this.#editor && drawEdits(surface, this.#editor, this, this.#picture.theme.colours),
onPlace: () => {
this.#drawing?.draw();
this.#dragHandle?.place();
this.#showPoint();
},
onPaint: () => this.#summarise(),
linkedPictures: () => [...this.#link.planes].map((plane) => plane.#picture),
});
const forTests = { figure: { get: () => this.#picture.wholeFigure }, axes: { get: () => this.chart.axes } };
Object.defineProperties(root, forTests); // Plotly has only a part
const { signal } = this.#lifetime;
addEventListener("svm-numbers", () => this.#summarise(), { signal });
onColourChange(() => this.#picture.theme && this.receive(null, this.#send), signal);
addEventListener("beforeprint", () => this.#picture.fitPaper(), { signal });
addEventListener("afterprint", () => this.#picture.leavePaper(), { signal });
setUpMenu(part(root, "save"), (format) => this.#save(format));
}

receive(payload, send) {
this.#send = send;
const theme = pageTheme(this.root);
const same = theme.id === this.#picture.theme?.id;
if (!payload && same) return;
const drawn = Boolean(payload && this.#adopt(payload));
this.#picture.theme = theme;
if (drawn || !same) this.#picture.draw();
else this.#picture.refreshPoints();
}

#adopt(sent) {
const { alt, name, link, height, fill, less, edge, heading, edit, drag_handle, frames, cursor, pick, ask } = sent;
const cleared = this.#trail.setNames(sent.trail ?? []);
const figure = this.#newestFigure(sent) ?? (cleared ? this.#figure : undefined);
this.name = name;
this.#picture.room = { height, fill, less };
this.root.dataset.name = name;
this.#heading = heading;
if ((sent.live?.version ?? 0) >= this.#version) {
this.#alt = alt;
this.#showEdge(edge);
}
if (sent.live) live.join(this, sent.live.scene);
this.#joinLink(link);
if (figure && figure.layout.uirevision !== this.#figure?.layout.uirevision) {
this.#trail.clear(); // another plane: neither the trail nor the point that is held is of it
this.#playback.hold(undefined);
}
if (figure) this.#setFigure(figure);
else this.#describe();
if (!this.#figure) return false;
const headed = Boolean(heading) && this.#figure.layout.margin.t > HEADED;
this.root.toggleAttribute("data-headed", headed);
this.root.toggleAttribute("data-titled", headed || Boolean(edge));
this.root.toggleAttribute("data-picks", Boolean(pick));
this.root.toggleAttribute("data-editable", Boolean(edit));
if (edit) this.#gestures ??= new Gestures(this, this.#link.ensureEditor());
this.#showQuestion(ask);
if (drag_handle) {
this.root.toggleAttribute("data-drag-handle", true);
this.#dragHandle ??= new DragHandle(drag_handle, this);
this.#dragHandle.follow(drag_handle);
}
this.#followFilm(frames, cursor);
if (this.#figure.layout.scene) this.#enableTurning();
this.#picture.fit();
return Boolean(figure);
}

#enableTurning() {
const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
this.#listenToKeys(Object.keys(turns).join(" "), (event) => {
const [across, up] = turns[event.key] ?? [0, 0];
if ((across || up) && this.chart.turn(TURN * across, TURN * up)) event.preventDefault();
});
}

#listenToKeys(keys, act) {
this.area.tabIndex = 0;
this.area.setAttribute("aria-keyshortcuts", keys);
this.area.onkeydown = act;
}

#showQuestion(ask) {
if (ask && this.#drawing && this.#drawing.form === ask.form) return this.#drawing.receive(ask);
this.#drawing?.leave();
this.#drawing = ask && new AnswerDrawing(this, ask);
}

#setFigure(figure, moving = false) {
this.#figure = figure;
if (!moving) this.#describe(); // nobody reads a sentence a frame
this.shownPoints = new ShownPoints(figure);
this.#picture.setFigure(this.#trail.addTrail(figure), this.shownPoints);
}

#describe(...words) {
this.area.setAttribute("aria-label", [this.#alt, ...words, this.#trail.sentence].filter(Boolean).join(" "));
}


follow(figure, version, { moving, edited }) {
if (version <= this.#version) return;
this.#version = version;
this.#passedState = edited ? undefined : this.#link.editor?.exchange.state;
const { layout } = this.#figure;
this.#alt = this.#alt.replace(layout.meta.alt, () => figure.layout.meta.alt);
this.#trail.addPicture(this.#figure, moving);
this.#setFigure(moving ? { ...figure, layout: keepRanges(figure.layout, layout) } : figure, moving);
if (!moving || heightKey(layout) !== heightKey(this.#figure.layout)) this.#picture.fit();
this.#picture.draw(moving);
}

#newestFigure({ figure, name, live: from }) {
if (!from) return figure;
if (from.scene !== this.#scene) this.#version = 0;
this.#scene = from.scene;
if (from.version < this.#version || (!figure && from.version === this.#version)) return undefined;
const found = figure ?? live.picture(from.scene, from.version, name);
if (figure) live.keepPicture(from.scene, from.version, name, figure);
if (found) this.#version = from.version;
else this.#send?.("missing", from.version);
return found;
}

#showEdge(edge) {
const place = part(this.root, "edge");
const [name, line, key] = edge ?? ["", "", ""];
place.hidden = !edge;
this.#machineName = name;
place.firstElementChild.textContent = keepTogether(name);
place.lastElementChild.textContent = keepTogether(line);
place.lastElementChild.dataset.live = key;
}

#joinLink(name) {
if (name === this.#linkName && this.#link.planes.has(this)) return;
this.#link.planes.delete(this);
this.#linkName = name;
this.#link = linkOf(name);
this.#link.planes.add(this);
}


#followFilm(frames, cursor) {
this.root.toggleAttribute("data-film", Boolean(frames ?? cursor));
this.root.toggleAttribute("data-scrubs", Boolean(cursor));
this.#picture.forgetFrames();
this.#playback.follow(frames, cursor);
const { film } = this.#playback;
if (!film) return;
if (cursor) enableScrubbing(this.area, this.chart, cursor.places, film);
this.#listenToKeys("Space ArrowLeft ArrowRight Home End", (event) => film.handleKey(event));
}

#markPlace(place) {
if (!this.chart.axes || place === undefined) return this.overlay.showCursor(undefined);
this.overlay.showCursor(this.chart.columnOf(place), this.chart.box()[1]);
}

#showFrame(frame, sentence) {
this.root.dataset.frame = String(frame);
const moment = this.#playback.film?.ticks[this.#playback.film.tick]?.label;
const now = moment ? `Now: ${moment}.` : "";
this.#describe(now, sentence);
part(this.root, "edge").children[1].innerHTML = this.#playback.step?.dial ?? "";
this.#picture.showFrame();
}


#placeFinder() {
const editor = this.#rulingEditor;
if (!editor) return undefined;
return (id, x, y) => {
if (id === undefined) return { x, y };
const point = editor.edits.find(id);
return point && !point.gone ? point : undefined;
};
}

get #rulingEditor() {
const editor = this.#editor;
return editor?.isReady && editor.exchange.state !== this.#passedState ? editor : undefined;
}

placeOf(id) {
return (this.shows(id) && this.#rulingEditor?.edits.find(id)) || this.shownPoints.vertex(id);
}


#highlight(change) {
for (const plane of this.#link.planes) plane.#showPoint(change);
}

#pick({ x, y }, id) {
if (this.root.hasAttribute("data-picks")) this.#send?.("pick", { x, y, now: performance.now() });
if (!this.#gestures && !this.#drawing?.isOpen && id !== undefined) this.#holdPoint(id);
}

#holdPoint(id) {
const { editor } = this.#link;
const next = (held) => (id === held ? undefined : id);
if (editor) editor.choose(next(editor.cursor));
else this.#highlight({ held: next(this.#playback.heldPoint) });
}

#showPoint(change = {}) {
if ("hovered" in change) this.#hoveredPoint = change.hovered;
if ("held" in change) this.#playback.hold(change.held);
const { editor } = this.#link;
const id = this.#hoveredPoint ?? editor?.cursor ?? this.#playback.heldPoint;
const place = id !== undefined && this.chart.axes && this.placeOf(id); // a plane that is not shown has no pixels
this.overlay.showRing(place ? this.chart.pixelOf(place) : undefined);
if (this.#editor) this.#placeHandle(this.#editor);
}

#placeHandle(editor) {
const [width, height] = this.#picture.size;
const { cursor } = editor;
const point = cursor === undefined ? undefined : (this.placeOf(cursor) ?? editor.edits.point(cursor));
this.overlay.placeHandle(point ? this.chart.pixelOf(point) : [width / 2, height / 2], editor, this);
}

get #editor() {
return this.#gestures && this.#link.editor;
}


get isEditable() {
return Boolean(this.#gestures);
}

refresh() {
this.#gestures?.refreshBand();
this.#picture.refreshPoints();
if (!this.#link.editor?.exchange.hasPendingEdits) this.#summarise();
}

supportWords(id) {
const name = this.#machineName;
const words = this.shownPoints.supportWords(id);
return words && `${name && `${name}: `}${words}`;
}

#summarise() {
const editor = this.#editor;
if (!editor?.isReady || !this.#figure) return;
const { labels } = editor.edits;
const name = this.#machineName || this.#heading;
const shown = [...document.querySelectorAll(".svm-numbers div")];
const told = (part) => (part.querySelector("button") ?? part).textContent; // not what a name means
const numbers = shown.map(({ children }) => [...children].map(told).join(" "));
const points = editor.edits.ids.map((id) => editor.edits.point(id));
const { where } = this.#figure.layout.meta;
this.overlay.summarise(summary(points, { name, labels, classes: editor.classes, numbers, where }));
}

shows(id) {
return this.shownPoints.has(id) || Boolean(this.#editor?.exchange.hasPendingEdits);
}


#save(format) {
const shown = part(this.root, "edge");
const title = shown.textContent.trim() || this.#heading;
const { figure, size } = this.#picture.savedFigure(title);
const name = fileName(location.pathname, this.#machineName || this.#heading || this.name);
return this.chart.save(figure, { format, name, size });
}

leave() {
this.#picture.leave();
this.#playback.leave();
this.#drawing?.leave();
this.#lifetime.abort();
this.#link.planes.delete(this);
live.leave(this);
this.chart.leave();
}
}

const heightKey = ({ margin, xaxis, yaxis }) =>
JSON.stringify([margin, ...(yaxis.scaleanchor ? [xaxis.range, yaxis.range] : [])]);
return { Plane };
})();
const $page = (() => {

const { make, part } = $dom;
const { formatNumber, percent } = $numbers;
const { setThemes } = $theme;
const { writeMarkdown } = $words;
const { makeChoice, makeNumber, makeSlider } = $single_fields;
const { FLAGS } = $edits;
const { linkOf } = $links;
const { PointEditor } = $point_editor;
const { Toolbar } = $toolbar;
const { files } = $files;
const { Plane } = $plane;
const { data } = $data;
const { figureOf, largestAlpha } = $figure;
const { changedShare, fieldOf, fit, linspace, missingSentence, shapeOf } = $machine;

const LINES = 100; // of the grid at rest
const COARSE = 64; // and while a hand moves
const WIDER = 0.1; // of the extent of the points, on each side, as in svmcore/studies/plane.py
const HEADINGS = ["Machine", "Support vectors", "Training error", "Objective", "Violation", "Status", "Plane changed"];


class LivePage {
#root;
#spec;
#setting;
#machines;
#editor;
#toolbar;
#planes = [];
#lastFits = new Map();
#firstFields = [];
#grid;
#frameRequest = 0;

constructor(root, spec) {
this.#root = root;
this.#spec = spec;
this.#setting = { ...spec.setting };
this.#machines = structuredClone(spec.machines);
this.#grid = widerGrid(spec.base);
const link = linkOf("points");
this.#editor = new PointEditor(link, {
hold: () => this.#redraw(true),
release: (_, then) => {
this.#redraw(false);
then();
},
});
link.editor = this.#editor;
root.innerHTML = files["live_file.html"];
this.#showTexts();
this.#addControls();
this.#toolbar = this.#addPlanes();
this.#draw(false);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#recolour());
}


#showTexts() {
const { title, question, answer, link } = this.#spec;
Object.assign(part(this.#root, "title"), { textContent: title, hidden: !title });
part(this.#root, "question").hidden = !question && !answer;
writeMarkdown(part(this.#root, "asked"), question);
part(this.#root, "reveal").hidden = !answer;
writeMarkdown(part(this.#root, "answer"), answer);
const there = link ? `: [open this screen there](${link}).` : ", SVM Lab.";
const away = `Bounded losses (ramp, 0/1), films of the solvers and lessons are in the app${there}`;
writeMarkdown(part(this.#root, "elsewhere"), away);
}

#may = (what) => this.#spec.may.includes(what);

#addControls() {
let shown = this.#makeControls();
if (!shown.length) return;
const title = "The settings with which the page was opened; the arrow of the toolbar brings the points back";
const button = make("button", { type: "button", textContent: "Reset", title });
button.onclick = () => {
this.#setting = { ...this.#spec.setting };
this.#machines = structuredClone(this.#spec.machines);
for (const control of shown) control.remove();
shown = this.#makeControls();
button.before(...shown);
this.#redraw(false);
};
part(this.#root, "controls").append(...shown, button);
}

#makeControls() {
const setting = this.#setting;
const control = (name) => this.#numberControl(setting, { name, ...data.fields[name] });
const shown = this.#machines.flatMap((machine, k) => this.#machineControls(machine, k));
if (this.#may("C")) shown.push(control("C"));
if (!this.#may("kernel")) return shown;
const names = data.kernels.map(({ key, label }) => ({ key, name: label }));
const take = (kernel) => Object.assign(setting, { kernel });
const own = () => data.kernels.find(({ key }) => key === setting.kernel).fields.map(control);
return [...shown, ...this.#choiceControls("Kernel", setting.kernel, names, take, own)];
}

#machineControls(machine, k) {
if (!this.#may("machine") && !this.#may("parameters")) return [];
const names = data.losses.map(({ key, machine: name }) => ({ key, name }));
const label = this.#machines.length > 1 ? `Machine ${k + 1}` : "Machine";
const take = (loss) => Object.assign(machine, { loss, params: defaultParameters(loss) });
const parameters = () => (this.#may("parameters") ? lossOf(machine).parameters : []);
const sliders = () => parameters().map((parameter) => this.#numberControl(machine.params, parameter));
const [chosen, own] = this.#choiceControls(label, machine.loss, names, take, sliders);
return [make("span", {}, ...(this.#may("machine") ? [chosen] : []), own)];
}

#numberControl(values, range) {
return (range.step ? makeNumber : makeSlider)(range.label, values[range.name], range, (value, moving) => {
values[range.name] = value;
this.#redraw(moving);
});
}

#choiceControls(label, value, names, take, controls) {
const own = make("span", {}, ...controls());
const chosen = makeChoice(label, value, names, (key) => {
take(key);
own.replaceChildren(...controls());
this.#redraw(false);
});
return [chosen, own];
}

#addPlanes() {
const { base, edits, step, classes } = this.#spec;
const may = this.#may("points");
const holder = part(this.#root, "toolbar");
holder.innerHTML = files["toolbar.html"];
holder.hidden = !may;
const pictures = part(this.#root, "pictures");
pictures.dataset.count = String(this.#machines.length);
this.#planes = this.#machines.map(() => {
const cell = make("div", { className: "live-cell", innerHTML: files["plane.html"] });
pictures.append(cell);
return new Plane(cell.firstElementChild);
});
const toolbar = new Toolbar(holder.firstElementChild, this.#editor);
const labels = Object.keys(classes)
.map(Number)
.sort((a, b) => b - a);
const told = { session: 1, version: 1, draw: "", ack: 0, base, edits, step, labels, classes };
toolbar.receive(told, (_, { seq }) => {
setTimeout(() => toolbar.receive({ ...told, base: undefined, ack: seq }, ignore));
});
return toolbar;
}


#redraw(moving) {
if (moving) {
this.#frameRequest ||= requestAnimationFrame(() => this.#draw(true));
return;
}
cancelAnimationFrame(this.#frameRequest);
this.#draw(false);
}

#draw(moving) {
this.#frameRequest = 0;
const start = performance.now();
const { points, clean, off } = this.#pointSets();
const absent = missingSentence(points);
Object.assign(part(this.#root, "note"), { textContent: absent, hidden: !absent });
const lines = moving ? COARSE : LINES;
const { view, classes, features } = this.#spec;
const [xs, ys] = [linspace(view.x, lines), linspace(view.y, lines)];
const fits = this.#machines.map((machine, k) => (absent ? undefined : this.#fit(points, machine, `${k}`, moving)));
const largest = Math.max(...fits.map((found) => largestAlpha(found)));
const compact = fits.length > 1;
const rows = fits.map((found, k) => {
const machine = this.#machines[k];
const before =
clean && found && !missingSentence(clean) ? this.#fit(clean, machine, `${k} clean`, moving) : undefined;
const ghost = before && fieldOf(before, xs, ys);
const field = found && { xs, ys, f: fieldOf(found, xs, ys), ghost };
const options = { view, compact, classes, features };
const figure = figureOf(data.templates, { points, off, fit: found, field, largest }, options);
const row = this.#tableRow(machine, found, k, moving);
this.#show(this.#planes[k], figure, moving, compact ? [row[0], `${row[2]} error, ${row[1]}`] : undefined, k);
return row;
});
this.#tabulate(rows);
this.#root.dataset.ms = (performance.now() - start).toFixed(1);
this.#root.dataset.moving = String(moving);
}

#show(plane, figure, moving, edge, k) {
const name = `machine-${k}`;
const sent = { figure, alt: figure.layout.meta.alt, name, link: "points", height: 480, less: 0, heading: "" };
const fill = 1 / Math.ceil(this.#planes.length / 2);
const options = { fill, edge: edge ? [...edge, name] : null, edit: this.#may("points"), pick: false };
plane.receive({ ...sent, ...options }, ignore);
if (moving) plane.refresh();
}

#pointSets() {
const { edits } = this.#editor;
const [points, off, clean] = [emptyColumns(), emptyColumns(), emptyColumns()];
const own = new Map(this.#spec.base.ids.map((id, k) => [id, this.#spec.base.clean[k]]));
const moved = new Set(edits.rows().flatMap(([id, flags]) => (flags & FLAGS.MOVED ? [id] : [])));
for (const id of edits.ids) {
const point = edits.point(id);
addPoint(point.off ? off : points, point);
const flipped = own.has(id) && !moved.has(id) && own.get(id) !== point.label; // its label alone was changed
if (!point.off && !point.mark) addPoint(clean, point);
else if (!point.off && flipped) addPoint(clean, { ...point, label: own.get(id), mark: false });
}
return { points, off, clean: points.mark.some(Boolean) ? clean : undefined };
}

#fit(points, machine, key, moving) {
const setting = { ...this.#setting };
const kind = `${key} ${machine.loss}`;
const last = this.#lastFits.get(kind);
const known = last && { alpha: points.ids.map((id) => last.alpha.get(id) ?? 0), C: last.C };
const before = last?.kernel === setting.kernel ? known : undefined;
const found = fit(points, shapeOf(lossOf(machine), machine.params), setting, { before, moving });
const alpha = new Map(points.ids.map((id, i) => [id, found.alpha[i]]));
this.#lastFits.set(kind, { alpha, C: setting.C, kernel: setting.kernel });
return found;
}


#tableRow(machine, found, k, moving) {
const params = lossOf(machine).parameters.map((p) => `${p.label} = ${formatNumber(machine.params[p.name])}`);
const name = lossOf(machine).machine + (params.length ? ` (${params.join(", ")})` : "");
if (!found) return [name, ...HEADINGS.slice(1).map(() => "–")];
const count = found.alpha.filter((value) => value !== 0).length;
const wrong = found.f.filter((value, i) => value >= 0 !== found.points.label[i] > 0).length;
const [grid, skip] = [this.#grid, moving ? 2 : 1];
const now = fieldOf(found, everyNth(skip, grid.xs), everyNth(skip, grid.ys));
this.#firstFields[k] ??= fieldOf(found, grid.xs, grid.ys); // whole, also where a point is added while a hand moves
const first = everyNth(skip, this.#firstFields[k]).map((row) => everyNth(skip, row));
return [
name,
`${count} of ${found.alpha.length}`,
percent(wrong / found.alpha.length),
formatNumber(found.primal, 6),
formatNumber(found.violation, 2),
data.statuses[found.status],
percent(changedShare(first, now)),
];
}

#tabulate(rows) {
const table = part(this.#root, "table");
if (!table.tBodies.length) {
const cells = HEADINGS.map((text) => make("th", { scope: "col", textContent: text }));
table.append(make("thead", {}, make("tr", {}, ...cells)), make("tbody"));
}
const body = table.tBodies[0];
const cell = (textContent, k) => (k ? make("td", { textContent }) : make("th", { scope: "row", textContent }));
body.replaceChildren(...rows.map((row) => make("tr", {}, ...row.map(cell))));
}


#recolour() {
for (const plane of this.#planes) plane.receive(null, ignore);
this.#toolbar.receive(null, ignore);
}
}

const ignore = () => {}; // what a file is asked for beyond its points is in the app

const everyNth = (step, values) => (step === 1 ? values : values.filter((_, k) => k % step === 0));

const lossOf = ({ loss }) => data.losses.find(({ key }) => key === loss);

const defaultParameters = (loss) => Object.fromEntries(lossOf({ loss }).parameters.map((p) => [p.name, p.default]));

const emptyColumns = () => ({ ids: [], x: [], y: [], label: [], mark: [] });

function addPoint(set, point) {
set.ids.push(point.id);
for (const name of ["x", "y", "label", "mark"]) set[name].push(point[name]);
}

function widerGrid({ x, y }) {
const endsOf = (values) => {
const [low, high] = [Math.min(...values), Math.max(...values)];
const room = WIDER * (high - low) || 1;
return /** @type {[number, number]} */ ([low - room, high + room]);
};
return { xs: linspace(endsOf(x.length ? x : [-3, 3]), LINES), ys: linspace(endsOf(y.length ? y : [-3, 3]), LINES) };
}

function openPictures(page = document) {
setThemes(data.themes);
const style = make("style", { textContent: ["plane.css", "live_file.css"].map((name) => files[name]).join("\n") });
page.head.append(style);
for (const place of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".live-file"))) {
new LivePage(place, JSON.parse(place.querySelector("script")?.textContent ?? ""));
}
}
return { LivePage, openPictures };
})();
$page.openPictures();
})();
