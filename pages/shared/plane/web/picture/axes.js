// The axes of a figure, from its layout alone: where Plotly will put them, so that the picture is on the screen before
// the four megabytes of plotly.js are (a browser test compares them with Plotly's own), and which stay during a move.

/** The share of a length at which something is anchored. */
export const SHARES = { left: 0, top: 0, center: 0.5, middle: 0.5, right: 1, bottom: 1 };

/** The axes of a figure of that size as Plotly keeps them; nothing where the layout does not say all of it. */
export function placeholderAxes({ xaxis, yaxis, margin }, [width, height]) {
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

/**
 * The layout with the ranges of the one `before`, where they still hold the new picture and are not far too large: a
 * change of an axis costs more than all the rest of the picture. New ones have room, so that they change seldom.
 */
export function keepRanges(layout, before) {
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
