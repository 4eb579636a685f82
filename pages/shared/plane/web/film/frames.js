// The frames of one plane, put into the traces of its figure. Colours are tokens until the theme is known.

/** What `film_frames` in component.py sends. */
export class Frames {
  constructor({ z, unit, styles, table, marks, strips, details, moves, at }) {
    this.z = z;
    this.unit = unit;
    this.styles = styles;
    this.table = table;
    this.marks = marks;
    this.strips = strips;
    this.details = details;
    this.moves = moves ?? {};
    this.at = at;
  }

  /** The frame of a moment. A direct method shows nothing before it is done: then there is no frame, which is -1. */
  frame(tick) {
    return this.at[tick] ?? -1;
  }

  /** Whether it contains the support values of single points. */
  get detailed() {
    return Boolean(this.details);
  }

  /** The traces of the figure as they are in frame k; `table` has the colours that points take. */
  traces(data, k, table = this.table) {
    return k < 0 ? this.#blank(data) : this.#framed(data, k, table);
  }

  #blank(data) {
    const bare = (trace) => styled(trace, { size: 6, line: { ...trace.marker.line, width: 0 } });
    return data
      .filter(({ type }) => type !== "contour")
      .map((trace) => (this.styles[trace.name] ? bare(trace) : trace));
  }

  #framed(data, k, table) {
    const z = this.z?.[k].map((row) => Float32Array.from(row, (value) => value * this.unit[k]));
    return data.map((trace) => {
      if (this.moves[trace.name]) return moved(trace, this.moves[trace.name], k);
      const value = this.strips?.[k][trace.name];
      if (value) return { ...trace, z, contours: { ...trace.contours, value } };
      if (trace.type === "contour") return z ? { ...trace, z } : trace;
      const style = this.styles[trace.name];
      if (!style) return trace;
      const [color, edge, width, symbol] = ["color", "edge", "width", "symbol"].map((name) =>
        Array.from(style[name][k], (row) => table[row]),
      );
      return styled(trace, { size: style.size[k], color, symbol, line: { color: edge, width } });
    });
  }

  /** What is ringed and crossed in frame k, in words. */
  sentence(k) {
    return this.marks[k]?.sentence ?? "";
  }

  /** Where the support value of a point stands in frame k; undefined where that is not known. */
  words(id, k) {
    const row = this.details?.ids.indexOf(id) ?? -1;
    if (row < 0 || k < 0) return undefined;
    const { alpha, margin, state, states, box } = this.details;
    const values = [alpha[k][row], margin[k][row], ...(box?.[k].map((bounds) => bounds[row]) ?? [])];
    const [a, m, low, high] = values.map((value) => Number(value.toPrecision(3)));
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
