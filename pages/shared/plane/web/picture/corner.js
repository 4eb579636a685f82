// The legend inside a picture: its size, and the lower corner in which it covers fewer points.

import { placeholderAxes } from "./axes.js";
import { lengthOf } from "./frame.js";

export const ENTRY = { height: 19, gap: 5, from: 5, to: 35, text: 40, baseline: 4.68 }; // of a legend, in pixels
const LETTERS = 12; // pixels of letters beside which an entry has that height
const NAME = 100; // points that are covered rather than an end of the name of a line

/** Whether the legend lies inside the picture, in its lower left corner. */
export const isInnerLegend = ({ showlegend, legend }) =>
  Boolean(showlegend) && legend.orientation === "v" && legend.yanchor === "bottom" && legend.y === 0;

/** The legend of a layout, moved to the lower right corner where it covers fewer names and points there. */
export function placeLegend(data, layout) {
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
