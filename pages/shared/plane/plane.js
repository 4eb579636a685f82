// Puts a Plotly figure on the page and updates it in place: never two drawings at once, always the newest figure, nothing for
// a figure that is already on the screen. Plotly draws it; of a plane, which has to be fast, layers.js draws the inside.
//
// Streamlit calls the default function again with every new payload and with every change of theme. A payload (packed by
// plane.py) holds {figure, alt, name, link, height}; the figure has tokens "var(--svm-plus)" instead of colours.

const THEMES = "__THEMES__";
const SOURCES = "__SOURCES__";
const CONFIG = { displayModeBar: false, showAxisDragHandles: false, showTips: false, doubleClick: false };
const REST = 120; // milliseconds

const planes = new WeakMap();
const linked = new Map();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".svm-plane");
  if (!planes.has(root)) planes.set(root, new Plane(root));
  const plane = planes.get(root);
  plane.receive(data);
  return () => setTimeout(() => root.isConnected || plane.leave());
}

class Plane {
  constructor(root) {
    const part = (name) => root.querySelector(`.svm-${name}`);
    Object.assign(this, { root, image: part("image"), canvas: part("layers"), chart: part("chart"), ring: part("ring"), wait: part("wait") });
    this.drawn = 0;
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(root);
    listen(part("save"), this);
  }

  receive(bytes) {
    const theme = pageTheme(this.root);
    if (bytes === this.bytes && theme.id === this.theme.id) return;
    if (bytes !== this.bytes) this.adopt(unpack(bytes));
    Object.assign(this, { bytes, theme, stale: true });
    this.draw();
  }

  adopt({ figure, alt, name, link, height }) {
    this.image.setAttribute("aria-label", alt);
    this.root.dataset.name = name;
    if (link !== this.link) {
      linked.get(this.link)?.delete(this);
      if (link) linked.set(link, (linked.get(link) ?? new Set()).add(this));
    }
    this.root.figure = figure; // the whole figure, for tests: Plotly holds only what the layers leave to it
    Object.assign(this, { figure, name, link, height });
    this.fit();
  }

  // Equal units leave the height of a narrow plane blank beyond that of its square.
  fit() {
    const { margin, xaxis, yaxis } = this.figure.layout;
    const side = (axis) => axis.range[1] - axis.range[0];
    const across = this.root.clientWidth - margin.l - margin.r;
    const needed = yaxis.scaleanchor ? (across * side(yaxis)) / side(xaxis) + margin.t + margin.b : this.height;
    this.root.style.height = `${Math.min(this.height, needed)}px`;
  }

  resized() {
    if (this.figure) this.fit();
    const { clientWidth, clientHeight } = this.root;
    if (!this.figure || String(this.size) === String([clientWidth, clientHeight])) return;
    this.stale = true;
    this.draw();
  }

  async draw() {
    if (this.busy) return;
    this.busy = true;
    try {
      const Plotly = await library();
      while (this.stale && this.root.clientWidth) {
        this.stale = false;
        await this.paint(Plotly);
      }
    } catch (error) {
      this.wait.classList.add("svm-failed");
      this.wait.textContent = `The picture could not be drawn: ${error.message}`;
    } finally {
      this.busy = false;
    }
  }

  async paint(Plotly) {
    const start = performance.now();
    const { data, layout } = coloured(this.figure, this.theme.colours);
    this.size = [layout.width, layout.height] = [this.root.clientWidth, this.root.clientHeight];
    this.layers = layout.meta.layers ? data : [];
    await this.chartUp(Plotly, layout.meta.layers ? withoutLayers(data, layout) : { data, layout });
    this.layersUp();
    this.point();
    this.root.dataset.ms = (performance.now() - start).toFixed(1);
    this.root.dataset.drawn = ++this.drawn;
  }

  // The chart at once; but where only the hover boxes behind the layers are new, when the hand rests.
  async chartUp(Plotly, { data, layout }) {
    const react = () => Plotly.react(this.chart, data, layout, CONFIG);
    const frame = JSON.stringify({ ...layout, meta: null });
    clearTimeout(this.later);
    const waits = this.layers.length && frame === this.frame;
    this.root.toggleAttribute("data-settling", Boolean(waits));
    if (!waits) {
      await react();
      if (!this.frame) this.follow();
      this.frame = frame;
      return;
    }
    this.later = setTimeout(() => {
      if (this.busy) return;
      react();
      this.root.removeAttribute("data-settling");
    }, REST);
  }

  layersUp() {
    if (this.layers.length) drawLayers(this.canvas, this.layers, this.chart._fullLayout, this.size);
  }

  // A training point that is hovered (or clicked, which holds it) is ringed in every plane of the same link.
  follow() {
    const index = (event) => (this.layers.length ? event.points[0].customdata?.[0] : undefined);
    this.chart.on("plotly_relayout", () => this.layersUp());
    this.chart.on("plotly_hover", (event) => this.tell({ hovered: index(event) }));
    this.chart.on("plotly_unhover", () => this.tell({ hovered: undefined }));
    this.chart.on("plotly_click", (event) => this.tell({ held: index(event) === this.held ? undefined : index(event) }));
  }

  tell(change) {
    for (const plane of linked.get(this.link) ?? [this]) plane.point(change);
  }

  point(change) {
    Object.assign(this, change);
    const spot = this.locate(this.hovered ?? this.held);
    this.ring.classList.toggle("svm-on", Boolean(spot));
    if (spot) this.ring.setAttribute("transform", `translate(${spot})`);
  }

  // Pixels of a training point, where the last vertex that bears its index is drawn: a marker, or the head of a stem.
  locate(index) {
    if (index === undefined) return null;
    const { xaxis, yaxis } = this.chart._fullLayout;
    for (const { x, y, customdata } of this.figure.data) {
      for (let k = (customdata?.length ?? 0) - 1; k >= 0; k--) {
        if (customdata[k][0] !== index || Number.isNaN(x[k])) continue;
        return [xaxis._offset + xaxis.d2p(x[k]), yaxis._offset + yaxis.d2p(y[k])];
      }
    }
    return null;
  }

  // Plotly draws the whole figure anew for the file, at the zoom that is on the screen.
  async save(format) {
    const Plotly = await library();
    const { data, layout } = coloured(this.figure, this.theme.colours);
    for (const axis of ["xaxis", "yaxis"]) layout[axis].range = [...this.chart._fullLayout[axis].range];
    const [width, height] = this.size;
    await Plotly.downloadImage({ data, layout }, { format, width, height, scale: format === "png" ? 2 : 1, filename: this.name });
  }

  leave() {
    clearTimeout(this.later);
    this.watch.disconnect();
    linked.get(this.link)?.delete(this);
    window.Plotly?.purge(this.chart);
  }
}

// What is left for Plotly when layers.js draws the traces: axes, texts, legend, and points that can be hovered but have no
// element of their own.
function withoutLayers(data, layout) {
  const hovered = data.filter(({ customdata }) => customdata).map((trace) => ({ ...trace, mode: "none" }));
  const named = data.filter(({ showlegend }) => showlegend);
  const keys = named.map(({ name, line }) => ({ type: "scatter", mode: "lines", x: [null], y: [null], name, line, showlegend: true }));
  return { data: [...hovered, ...keys], layout: { ...layout, plot_bgcolor: "transparent", paper_bgcolor: "transparent" } };
}

function listen(menu, plane) {
  menu.onclick = ({ target }) => {
    if (target.value) plane.save(target.value);
    if (target.value) menu.open = false;
  };
  menu.onkeydown = ({ key }) => {
    if (key === "Escape") menu.open = false;
  };
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (!menu.contains(relatedTarget)) menu.open = false;
  });
}

// Length of the JSON, the JSON, the arrays: in the JSON an array is {at, type, shape}; a matrix becomes a list of rows.
const TYPES = { f4: Float32Array, f8: Float64Array, i1: Int8Array, i2: Int16Array, i4: Int32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };

function unpack(bytes) {
  const { buffer } = bytes.slice();
  const start = 4 + new DataView(buffer).getUint32(0, true);
  const known = new Map();
  const array = (at, type, [rows, columns]) => {
    const flat = new TYPES[type](buffer, start + at, rows * (columns ?? 1));
    return columns === undefined ? flat : Array.from({ length: rows }, (_, r) => flat.subarray(r * columns, (r + 1) * columns));
  };
  return JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, start - 4)), (_, value) => {
    if (value?.shape === undefined) return value;
    const id = [value.at, value.type, value.shape].join();
    if (!known.has(id)) known.set(id, array(value.at, value.type, value.shape));
    return known.get(id);
  });
}

// The theme that is on the page, told by its background; page, ink and font are the page's own.
function pageTheme(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(name).trim();
  const own = { page: read("--st-background-color"), ink: read("--st-text-color"), font: read("--st-font") };
  const name = brightness(own.page) > 0.5 ? "light" : "dark";
  return { id: [name, ...Object.values(own)].join("|"), colours: Object.fromEntries(Object.entries({ ...THEMES[name], ...own }).map(([key, value]) => [key, rgb(value)])) };
}

function brightness(colour) {
  const hex = colour.startsWith("#");
  const [r, g, b] = hex ? [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)) : colour.match(/[\d.]+/g).map(Number);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

// "#rrggbb" as "rgb(...)", which plotly.js parses faster, once for each marker.
function rgb(colour) {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `rgb(${[1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16))})` : colour;
}

// A copy of the figure with colours for tokens; typed arrays are shared, not copied.
function coloured(value, colours) {
  if (typeof value === "string") return value.replace(/var\(--svm-([a-z0-9-]+)\)/g, (_, name) => colours[name]);
  if (Array.isArray(value)) return ArrayBuffer.isView(value[0]) ? value : value.map((item) => coloured(item, colours));
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, colours)]));
}

// plotly.js, once: the copy that Streamlit ships for its own charts, or else the one inside the plotly package.
let loading;
function library() {
  loading ??= load();
  return loading;
}

async function load() {
  const root = new URL("../../", [...document.querySelectorAll("script[src]")].map((script) => script.src).find((src) => src.includes("/static/js/")));
  for (const source of SOURCES) {
    if (!window.Plotly) await import(new URL(source, root).href).catch(() => {});
  }
  if (!window.Plotly) throw new Error("plotly.js was not found on the server");
  return window.Plotly;
}
