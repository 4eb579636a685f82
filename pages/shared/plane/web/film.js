// Playing a film: the frames lie in the browser, one transport moves all planes and curves that share its name.

const SPEEDS = [2, 5, 12, 30, 60]; // frames a second

export const films = new Map();

export function filmOf(name) {
  if (!films.has(name)) films.set(name, new Film(name));
  return films.get(name);
}

// `ticks` of {label, words}; a viewer has `showTick(tick)`.
export class Film {
  constructor(name) {
    Object.assign(this, { name, viewers: new Set(), ticks: [], tick: 0, speed: 12, playing: false });
  }

  receive({ rev, ticks, start, steps }, send) {
    this.send = send;
    if (rev === this.rev) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    Object.assign(this, { rev, ticks, steps, playing: false });
    this.jump(start ?? (still ? ticks.length - 1 : 0));
  }

  get last() {
    return Math.max(this.ticks.length - 1, 0);
  }

  jump(tick) {
    this.tick = Math.min(Math.max(Math.round(tick), 0), this.last);
    for (const viewer of this.viewers) viewer.showTick(this.tick);
    this.transport?.show();
  }

  // Beyond the last of a window of single steps lies the next window.
  step(by) {
    this.pause();
    const beyond = this.tick + by;
    if (this.steps && (beyond < 0 || beyond > this.last)) this.ask({ steps: true, iteration: this.ticks[this.tick].iteration });
    else this.jump(beyond);
  }

  ask(message) {
    this.send?.("film", { ...message, rev: this.rev, asked: performance.now() });
  }

  play() {
    if (this.playing) return this.pause();
    if (this.tick === this.last) this.jump(0);
    this.playing = true;
    let [began, from] = [performance.now(), this.tick];
    let speed = this.speed;
    const next = (now) => {
      if (!this.playing) return;
      if (speed !== this.speed) [began, from, speed] = [now, this.tick, this.speed];
      const tick = from + Math.floor(((now - began) * speed) / 1000);
      if (tick !== this.tick) this.jump(tick);
      if (this.tick >= this.last) return this.pause();
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    this.transport?.show();
  }

  pause() {
    this.playing = false;
    for (const viewer of this.viewers) viewer.rested?.();
    this.transport?.show();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      " ": () => this.play(),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  go(tick) {
    this.pause();
    this.jump(tick);
  }
}

export class Transport {
  constructor(root, film) {
    const part = (name) => root.querySelector(`.svm-${name}`);
    Object.assign(this, { root, film, scrub: part("scrub"), label: part("label"), why: part("why"), speed: part("speed"), playing: part("play") });
    film.transport = this;
    root.onclick = ({ target }) => this.press(target.closest("button"));
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
    this.show();
  }

  press(button) {
    const { film } = this;
    const actions = {
      first: () => film.go(0),
      back: () => film.step(-1),
      play: () => film.play(),
      forward: () => film.step(1),
      last: () => film.go(film.last),
      steps: () => film.ask({ steps: !film.steps, iteration: film.ticks[film.tick].iteration }),
    };
    actions[button?.dataset.act]?.();
  }

  show() {
    const { film } = this;
    const { label = "", words = [] } = film.ticks[film.tick] ?? {};
    Object.assign(this.scrub, { max: film.last, value: film.tick });
    this.scrub.setAttribute("aria-valuetext", label);
    this.label.textContent = label;
    this.playing.textContent = film.playing ? "Pause" : "Play";
    this.why.replaceChildren(...words.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    this.why.setAttribute("aria-live", film.playing ? "off" : "polite");
    const steps = this.root.querySelector("[data-act=steps]");
    steps.hidden = film.steps === null || film.steps === undefined;
    steps.setAttribute("aria-pressed", Boolean(film.steps));
    this.root.dataset.tick = film.tick;
    this.root.dataset.playing = film.playing;
  }

  leave() {
    this.film.pause();
  }
}

// The frames of one plane, put into the traces of its figure. Colours are tokens until the theme is known.
export class Reel {
  constructor({ z, unit, styles, table, marks, at }) {
    Object.assign(this, { z, unit, styles, table, marks, at });
    this.fields = new Map();
  }

  // A direct method shows nothing before it is done: then there is no frame.
  frame(tick) {
    return this.at[tick] ?? -1;
  }

  field(k) {
    const field = this.z[k].map((row) => Float32Array.from(row, (value) => value * this.unit));
    return field;
  }

  traces(data, k, colours = this.table) {
    if (k < 0) return data.filter(({ type }) => type !== "contour").map((trace) => (this.styles[trace.name] ? { ...trace, marker: { ...trace.marker, size: 6, line: { ...trace.marker.line, width: 0 } } } : trace));
    const z = this.field(k);
    return data.map((trace) => {
      if (trace.type === "contour") return { ...trace, z };
      const style = this.styles[trace.name];
      if (!style) return trace;
      const named = (indices) => Array.from(indices, (c) => colours[c]);
      return { ...trace, marker: { ...trace.marker, size: style.size[k], color: named(style.color[k]), line: { color: named(style.edge[k]), width: style.width[k] } } };
    });
  }
}
