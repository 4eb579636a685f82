// The frames of one plane, put into the traces of its figure. Colours are tokens until the theme is known.

/** The frame of a moment. A direct method shows nothing before it is done: then there is no frame, which is -1. */
export const frameAt = ({ at }, tick) => at[tick] ?? -1;

/** The traces of the figure as they are in frame k; `table` has the colours that points take. */
export function tracesInFrame(frames, data, k, table = frames.table) {
  const { z: fields, unit, styles, strips, moves } = frames;
  if (k < 0) return emptyTraces(data, styles);
  const z = fields?.[k].map((row) => Float32Array.from(row, (value) => value * unit[k]));
  return data.map((trace) => {
    if (moves?.[trace.name]) return moveTrace(trace, moves[trace.name], k);
    const value = strips?.[k][trace.name];
    if (value) return { ...trace, z, contours: { ...trace.contours, value } };
    if (trace.type === "contour") return z ? { ...trace, z } : trace;
    const style = styles[trace.name];
    if (!style) return trace;
    const [color, edge, width, symbol] = ["color", "edge", "width", "symbol"].map((name) =>
      Array.from(style[name][k], (row) => table[row]),
    );
    return withMarker(trace, { size: style.size[k], color, symbol, line: { color: edge, width } });
  });
}

/** Where the support value of a point stands in frame k, in words; undefined where that is not known. */
export function pointSentence({ details }, id, k) {
  const row = details?.ids.indexOf(id) ?? -1;
  if (row < 0 || k < 0) return undefined;
  const { alpha, margin, state, states, box } = details;
  const values = [alpha[k][row], margin[k][row], ...(box?.[k].map((bounds) => bounds[row]) ?? [])];
  const [a, m, low, high] = values.map((value) => Number(value.toPrecision(3)));
  const within = Number.isFinite(low) ? ` in its box from ${low} to ${high}` : "";
  const where = a < low || a > high ? `not yet${within}` : `${states[state[k][row]]}${within}`;
  return `Point ${id}: α = ${a}, ${where}; y f = ${m}.`.replaceAll("-", "−");
}

function emptyTraces(data, styles) {
  const shrink = (trace) => withMarker(trace, { size: 6, line: { ...trace.marker.line, width: 0 } });
  return data.filter(({ type }) => type !== "contour").map((trace) => (styles[trace.name] ? shrink(trace) : trace));
}

const withMarker = (trace, marker) => ({ ...trace, marker: { ...trace.marker, ...marker } });

// Of a line its places in frame k, of level lines their level.
function moveTrace(trace, { x, y, level }, k) {
  if (level) return { ...trace, contours: { ...trace.contours, start: level[k], end: level[k] } };
  return { ...trace, x: x?.[k] ?? trace.x, y: y?.[k] ?? trace.y };
}
