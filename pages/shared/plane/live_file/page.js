// A picture of the app in a file of its own: the same planes, points and gestures; where the app asks Python, solver.js
// answers. The page says in JSON what it shows, see svmcore/live/__init__.py.

import { make, part } from "../web/base/dom.js";
import { formatNumber, percent } from "../web/base/numbers.js";
import { setThemes } from "../web/base/theme.js";
import { writeMarkdown } from "../web/base/words.js";
import { makeChoice, makeNumber, makeSlider } from "../web/controls/single_fields.js";
import { FLAGS } from "../web/editing/edits.js";
import { linkOf } from "../web/editing/links.js";
import { PointEditor } from "../web/editing/point_editor.js";
import { Toolbar } from "../web/editing/toolbar.js";
import { files } from "../web/files.js";
import { Plane } from "../web/plane.js";
import { data } from "./data.js";
import { figureOf, largestAlpha } from "./figure.js";
import { changedShare, fieldOf, fit, linspace, missingSentence, shapeOf } from "./machine.js";

const LINES = 100; // of the grid at rest
const COARSE = 64; // and while a hand moves
const WIDER = 0.1; // of the extent of the points, on each side, as in svmcore/studies/plane.py
const HEADINGS = ["Machine", "Support vectors", "Training error", "Objective", "Violation", "Status", "Plane changed"];

/**
 * @typedef {object} Spec
 * @property {{ ids: number[], x: number[], y: number[], label: number[], mark: boolean[], clean: number[] }} base
 * @property {import("../web/editing/edits.js").Row[]} edits  @property {[number, number]} step
 * @property {{ loss: string, params: Record<string, number> }[]} machines
 * @property {import("./machine.js").Setting} setting
 * @property {{ x: [number, number], y: [number, number] }} view
 * @property {string[]} may what can be changed: points, machine, parameters, C, kernel
 * @property {Record<string, string>} classes names of the classes, by their labels
 * @property {string[]} features their names, none for x1 and x2
 * @property {string} title  @property {string} question  @property {string} answer  @property {string} link
 */

export class LivePage {
  #root;
  /** @type {Spec} */
  #spec;
  /** @type {import("./machine.js").Setting} */
  #setting;
  /** @type {Spec["machines"]} */
  #machines;
  #editor;
  #toolbar;
  /** @type {Plane[]} */
  #planes = [];
  /** @type {Map<string, { alpha: Map<number, number>, C: number, kernel: string }>} where the next run of a machine begins */
  #lastFits = new Map();
  /** @type {Float32Array[][]} what each machine said of the plane when the page was opened */
  #firstFields = [];
  #grid;
  #frameRequest = 0;

  /** @param {HTMLElement} root  @param {Spec} spec */
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

  // ------------------------------------------------------------------------------------ the page

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

  // Where there are controls, a button brings back the settings with which the page was opened.
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

  // The controls that the reader may use, with the values of now.
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

  // The loss of a plane with its parameters.
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

  // A number among these values: a slider, or a field where it has steps.
  #numberControl(values, range) {
    return (range.step ? makeNumber : makeSlider)(range.label, values[range.name], range, (value, moving) => {
      values[range.name] = value;
      this.#redraw(moving);
    });
  }

  // A choice, and the controls that go with what is chosen.
  #choiceControls(label, value, names, take, controls) {
    const own = make("span", {}, ...controls());
    const chosen = makeChoice(label, value, names, (key) => {
      take(key);
      own.replaceChildren(...controls());
      this.#redraw(false);
    });
    return [chosen, own];
  }

  // The toolbar and the planes, which share the points.
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

  // ------------------------------------------------------------------------------------- changes

  // What moves is drawn with the next frame of the screen, what rests at once.
  #redraw(moving) {
    if (moving) {
      this.#frameRequest ||= requestAnimationFrame(() => this.#draw(true));
      return;
    }
    cancelAnimationFrame(this.#frameRequest);
    this.#draw(false);
  }

  /** The machines of the points as they stand, and their pictures. */
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

  // The points that are fitted, those without the outliers if there are any, and those that are switched off.
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

  // ------------------------------------------------------------------------------------- numbers

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

  // -------------------------------------------------------------------------------------- colours

  #recolour() {
    for (const plane of this.#planes) plane.receive(null, ignore);
    this.#toolbar.receive(null, ignore);
  }
}

const ignore = () => {}; // what a file is asked for beyond its points is in the app

const everyNth = (step, values) => (step === 1 ? values : values.filter((_, k) => k % step === 0));

const lossOf = ({ loss }) => data.losses.find(({ key }) => key === loss);

const defaultParameters = (loss) => Object.fromEntries(lossOf({ loss }).parameters.map((p) => [p.name, p.default]));

/** @returns {{ ids: number[], x: number[], y: number[], label: number[], mark: boolean[] }} */
const emptyColumns = () => ({ ids: [], x: [], y: [], label: [], mark: [] });

function addPoint(set, point) {
  set.ids.push(point.id);
  for (const name of ["x", "y", "label", "mark"]) set[name].push(point[name]);
}

// The rectangle of these points, widened, on which it is counted where the class changes.
function widerGrid({ x, y }) {
  const endsOf = (values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = WIDER * (high - low) || 1;
    return /** @type {[number, number]} */ ([low - room, high + room]);
  };
  return { xs: linspace(endsOf(x.length ? x : [-3, 3]), LINES), ys: linspace(endsOf(y.length ? y : [-3, 3]), LINES) };
}

/** Opens every live picture of the document. */
export function openPictures(page = document) {
  setThemes(data.themes);
  const style = make("style", { textContent: ["plane.css", "live_file.css"].map((name) => files[name]).join("\n") });
  page.head.append(style);
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".live-file"))) {
    new LivePage(place, JSON.parse(place.querySelector("script")?.textContent ?? ""));
  }
}
