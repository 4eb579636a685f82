// Playing a film: the frames lie in the browser, one transport moves all planes and curves that share its name.

const SPEEDS = [2, 5, 12, 30, 60]; // frames a second
const PATIENCE = 3000; // milliseconds until a question is asked again

const films = new Map();

export function filmOf(name) {
  if (!films.has(name)) films.set(name, new Film(name));
  return films.get(name);
}

// `ticks` of {label, words, iteration}; a viewer has `showTick(tick)` and `chosen(tick)`, words on a point.
class Film {
  constructor(name) {
    Object.assign(this, { name, viewers: new Set(), ticks: [], tick: 0, speed: 12, playing: false });
  }

  receive({ rev, run, ticks, start, steps, beyond, speed }, send) {
    this.send = send;
    if (!this.rev) this.speed = speed ?? this.speed;
    if (rev === this.rev) return;
    const goesOn = this.asked?.goesOn && run === this.run;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    Object.assign(this, { rev, run, ticks, steps, beyond, playing: false, asked: undefined });
    this.jump(start ?? (still ? this.last : 0));
    if (goesOn) this.play();
  }

  get last() {
    return Math.max(this.ticks.length - 1, 0);
  }

  jump(tick) {
    this.tick = Math.min(Math.max(Math.round(tick), 0), this.last);
    for (const viewer of this.viewers) viewer.showTick(this.tick);
    this.transport?.show();
  }

  step(by) {
    this.pause();
    if (!this.leaves(by)) this.jump(this.tick + by);
  }

  // Beyond the end of a window of single steps lies the next window.
  leaves(by, goesOn = false) {
    if (this.tick + by >= 0 && this.tick + by <= this.last) return false;
    if (!this.beyond?.[by < 0 ? 0 : 1]) return false;
    this.ask(this.ticks[this.tick].iteration, by, goesOn);
    return true;
  }

  // The first or the last of all moments, in this window or not.
  end(side) {
    this.pause();
    if (this.beyond?.[side]) this.ask(side ? Number.MAX_SAFE_INTEGER : 0, 0);
    else this.jump(side ? this.last : 0);
  }

  ask(iteration, by = 0, goesOn = false, steps = this.steps) {
    const now = performance.now();
    if (this.asked?.rev === this.rev && now - this.asked.now < PATIENCE) return;
    this.asked = { rev: this.rev, now, goesOn };
    this.send?.("film", { run: this.run, steps, iteration, by, now });
  }

  play() {
    if (this.playing) return this.pause();
    if (this.tick === this.last && !this.leaves(1, true)) this.jump(0);
    if (this.asked) return;
    this.playing = true;
    let [began, from, speed] = [performance.now(), this.tick, this.speed];
    const next = (now) => {
      if (!this.playing) return;
      if (speed !== this.speed) [began, from, speed] = [now, this.tick, this.speed];
      const tick = Math.min(from + Math.floor((Math.max(now - began, 0) * speed) / 1000), this.last);
      if (tick !== this.tick) this.jump(tick);
      if (this.tick < this.last) return requestAnimationFrame(next);
      this.pause();
      this.leaves(1, true);
    };
    requestAnimationFrame(next);
    this.transport?.show();
  }

  pause() {
    this.playing = false;
    if (this.asked) this.asked.goesOn = false;
    this.transport?.show();
  }

  // Space on a button presses the button.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key === " " && event.target.tagName === "BUTTON")) return;
    const keys = {
      " ": () => this.play(),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      Home: () => this.end(0),
      End: () => this.end(1),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  go(tick) {
    this.pause();
    this.jump(tick);
  }
}

export class Transport {
  constructor(root, film) {
    const part = (name) => root.querySelector(`.svm-${name}`);
    Object.assign(this, { root, film, scrub: part("scrub"), label: part("label"), why: part("why"), chosen: part("chosen"), speed: part("speed"), playing: part("play") });
    this.steps = root.querySelector("[data-act=steps]");
    root.onclick = (event) => this.press(event);
    root.addEventListener("keydown", (event) => event.target.tagName === "SELECT" || film.key(event));
    this.scrub.oninput = () => film.go(Number(this.scrub.value));
    this.speed.innerHTML = SPEEDS.map((rate) => `<option value="${rate}">${rate} a second</option>`).join("");
    this.speed.value = film.speed;
    this.speed.onchange = () => Object.assign(film, { speed: Number(this.speed.value) });
  }

  receive(payload, bytes, send) {
    this.bytes = bytes;
    this.film.transport = this;
    if (payload) this.film.receive(payload, send);
    this.fit();
    this.show();
  }

  // Room for the longest list of words: what lies below does not jump while the film plays.
  fit() {
    const { ticks, steps } = this.film;
    this.root.toggleAttribute("data-single", ticks.length < 2);
    this.steps.parentElement.hidden = steps === null || steps === undefined;
    this.steps.setAttribute("aria-pressed", Boolean(steps));
    this.label.style.setProperty("--svm-letters", Math.max(0, ...ticks.map(({ label }) => label.length)));
    this.speed.value = this.film.speed;
    this.why.style.setProperty("--svm-lines", Math.max(0, ...ticks.map(({ words }) => words.length)));
  }

  // After a click of the pointer the keys belong to the film, after the keyboard's to the button.
  press(event) {
    const { film } = this;
    const button = event.target.closest("button");
    const actions = {
      first: () => film.end(0),
      back: () => film.step(-1),
      play: () => film.play(),
      forward: () => film.step(1),
      last: () => film.end(1),
      steps: () => film.ask(film.ticks[film.tick].iteration, 0, false, !film.steps),
    };
    actions[button?.dataset.act]?.();
    if (button && event.detail) this.root.focus({ preventScroll: true });
  }

  show() {
    const { film } = this;
    const { label = "", words = [] } = film.ticks[film.tick] ?? {};
    Object.assign(this.scrub, { max: film.last, value: film.tick });
    this.scrub.setAttribute("aria-valuetext", label);
    this.label.textContent = label;
    this.playing.textContent = film.playing ? "Pause" : "Play";
    this.why.setAttribute("aria-live", film.playing ? "off" : "polite");
    this.why.replaceChildren(...words.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    this.about();
    this.root.dataset.tick = film.tick;
    this.root.dataset.iteration = film.ticks[film.tick]?.iteration;
    this.root.dataset.playing = film.playing;
  }

  about() {
    const { film } = this;
    this.chosen.hidden = ![...film.viewers].some((viewer) => viewer.reel?.told);
    this.chosen.textContent = [...film.viewers].map((viewer) => viewer.chosen(film.tick)).find(Boolean) ?? "";
  }

  leave() {
    this.film.pause();
  }
}

// The frames of one plane, put into the traces of its figure. Colours are tokens until the theme is known.
export class Reel {
  constructor({ z, unit, styles, table, marks, strips, told, moves, at }) {
    Object.assign(this, { z, unit, styles, table, marks, strips, told, moves: moves ?? {}, at });
  }

  // A direct method shows nothing before it is done: then there is no frame.
  frame(tick) {
    return this.at[tick] ?? -1;
  }

  traces(data, k, table = this.table) {
    if (k < 0) return data.filter(({ type }) => type !== "contour").map((trace) => (this.styles[trace.name] ? styled(trace, { size: 6, line: { ...trace.marker.line, width: 0 } }) : trace));
    const z = this.z?.[k].map((row) => Float32Array.from(row, (value) => value * this.unit));
    return data.map((trace) => {
      if (this.moves[trace.name]) return moved(trace, this.moves[trace.name], k);
      const value = this.strips?.[k][trace.name];
      if (value) return { ...trace, z, contours: { ...trace.contours, value } };
      if (trace.type === "contour") return z ? { ...trace, z } : trace;
      const style = this.styles[trace.name];
      if (!style) return trace;
      const [color, edge, width] = ["color", "edge", "width"].map((name) => Array.from(style[name][k], (row) => table[row]));
      return styled(trace, { size: style.size[k], color, line: { color: edge, width } });
    });
  }

  // What is ringed and crossed in frame k, in words.
  said(k) {
    return this.marks[k]?.said ?? "";
  }

  // Where the support value of a point stands in frame k.
  words(id, k) {
    const row = this.told?.ids.indexOf(id) ?? -1;
    if (row < 0 || k < 0) return undefined;
    const { alpha, margin, state, states, box } = this.told;
    const [a, m, low, high] = [alpha[k][row], margin[k][row], ...(box?.[k].map((bounds) => bounds[row]) ?? [])].map((value) => Number(value.toPrecision(3)));
    const within = Number.isFinite(low) ? ` in its box from ${low} to ${high}` : "";
    const where = a < low || a > high ? `not yet${within}` : `${states[state[k][row]]}${within}`;
    return `Point ${id}: α = ${a}, ${where}; y f = ${m}.`.replaceAll("-", "−");
  }
}

function styled(trace, marker) {
  return { ...trace, marker: { ...trace.marker, ...marker } };
}

// Of a line its places in frame k, of level lines their level.
function moved(trace, { x, y, level }, k) {
  if (level) return { ...trace, contours: { ...trace.contours, start: level[k], end: level[k] } };
  return { ...trace, x: x?.[k] ?? trace.x, y: y?.[k] ?? trace.y };
}
