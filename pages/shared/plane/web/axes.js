// Where Plotly will put the axes of a plane, told from its layout alone: so the picture is on the screen before the
// four megabytes of plotly.js are. A browser test compares them with Plotly's own.

const SHARES = { left: 0, top: 0, center: 0.5, middle: 0.5, right: 1, bottom: 1 };

/**
 * The axes of a figure of that size as Plotly keeps them; nothing where the layout does not say all of it.
 * @param {any} layout  @param {[number, number]} size
 */
export function sketched({ xaxis, yaxis, margin }, [width, height]) {
  const linear = [xaxis, yaxis].every(({ type, range }) => range && type !== "log");
  const room = [width - margin.l - margin.r, height - margin.t - margin.b];
  if (!linear || Math.min(...room) <= 0) return undefined;
  const sides = [xaxis, yaxis].map(({ range: [low, high] }) => high - low);
  const unit = Math.min(room[0] / sides[0], room[1] / sides[1]);
  const lengths = yaxis.scaleanchor ? sides.map((side) => side * unit) : room;
  const start = (toward, k) => (room[k] - lengths[k]) * SHARES[toward];
  const left = margin.l + start(xaxis.constraintoward ?? "center", 0);
  const top = margin.t + start(yaxis.constraintoward ?? "middle", 1);
  return { xaxis: across(xaxis.range, left, lengths[0]), yaxis: down(yaxis.range, top, lengths[1]) };
}

function across([low, high], offset, length) {
  const scale = length / (high - low);
  const back = (pixel) => low + pixel / scale;
  return { range: [low, high], _offset: offset, _length: length, d2p: (value) => (value - low) * scale, p2d: back };
}

function down([low, high], offset, length) {
  const scale = length / (high - low);
  const back = (pixel) => high - pixel / scale;
  return { range: [low, high], _offset: offset, _length: length, d2p: (value) => (high - value) * scale, p2d: back };
}
