// Axes, texts and legend of a layered figure in SVG, where Plotly will put its own: with the canvas it is the whole
// picture, before the four megabytes of plotly.js have been run. A browser test compares the two.

import { shape } from "../base/dom.js";
import { SHARES } from "./axes.js";
import { isNote } from "./canvas.js";
import { ENTRY, isInnerLegend } from "./corner.js";
import { extentOf } from "./frame.js";
import { ticks } from "./ticks.js";

const LINE = 1.3; // of letters, from line to line
const PADDED = 2; // pixels of padding and border around a note

/** Whether all of it could be drawn; where not, nothing is. */
export function drawPlaceholder(svg, { data, layout }, axes) {
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

// The words of the layout without an arrow, in lines, with colours of their own.
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

// The legend in a lower corner of a picture: a row for each line that has a name.
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

// Plotly's own markup: lines, and words in a colour of their own. Returns the element, its size and its upper edge.
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
