// Draws the traces of a plane or a spectrum (contours, markers, lines) on a canvas that lies under the Plotly chart, in
// a few milliseconds.
//
// plotly.js builds an SVG element for each marker and each contour: 40 ms for 200 points and a 100 x 100 field, too
// slow to follow a slider, a finger or an animation. So the component gives it the axes, texts and hover boxes, and
// reads the same traces here. A browser test compares this picture with Plotly's own, which exports use.
//
// Lines and fields lie on one canvas, markers on another above it, so that a point can follow the pointer at the rate
// of the screen while the field below waits for its answer.

import { levelPaths } from "./contours.js";

const OPAQUE = 0xff000000;
const HATCH = 14; // pixels from stroke to stroke

/**
 * @typedef {{ (value: number): number, invert: (pixel: number) => number }} Scale data to pixels, and back
 * @typedef {{ x: Scale, y: Scale, box: [number, number, number, number] }} Place where data lies on a canvas
 * @typedef {{ pen: CanvasRenderingContext2D, place: Place }} Surface a canvas that can be drawn on
 */

const SHEETS = 4; // sizes of fields for which pixels are kept

/** The lines and fields among the traces, on a clean canvas. */
export function drawFields(canvas, traces, layout, size) {
  const { pen, place } = makeSurface(canvas, layout, size);
  for (const trace of traces) {
    pen.globalAlpha = trace.opacity ?? 1;
    if (trace.mode?.includes("lines")) drawPath(pen, trace, place);
    if (trace.meta?.between) drawChanged(pen, trace, traces, place);
    else if (trace.contours?.type === "constraint") drawStrip(pen, trace, place);
    else if (trace.contours?.coloring === "none") drawLevels(pen, trace, place);
    else if (trace.contours) drawBands(pen, trace, place, bandColours(trace));
  }
  pen.globalAlpha = 1;
}

/** Whether a note of the layout names a line of the traces: it changes as often as they do. */
export const isNote = ({ name }) => name === "line";

/**
 * The markers among the traces, on a clean canvas, and over them notes; `now(id, x, y)` returns where the point with
 * that id is at this moment, nothing where it is gone.
 * @returns {Surface} for what is drawn over them
 */
export function drawPoints(canvas, traces, layout, size, { now = samePlace, notes = /** @type {any[]} */ ([]) } = {}) {
  const { pen, place } = makeSurface(canvas, layout, size);
  for (const trace of traces) {
    if (trace.mode?.includes("markers")) drawMarkers(pen, trace, place, now);
    if (trace.mode === "text") drawTexts(pen, trace, place);
  }
  for (const note of notes) (note.showarrow ? drawName : drawNote)(pen, note, place);
  return { pen, place };
}

const samePlace = (_id, x, y) => ({ x, y });

// A clean canvas: its pen, kept inside the axes, and the place of data on it.
function makeSurface(canvas, { xaxis, yaxis }, [width, height]) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const [across, down] = [Math.floor(width * ratio), Math.floor(height * ratio)];
  const pen = canvas.getContext("2d");
  if (canvas.width === across && canvas.height === down) pen.reset();
  else Object.assign(canvas, { width: across, height: down });
  /** @type {Place} */
  const place = {
    x: linearScale(xaxis.range, xaxis._offset, xaxis._offset + xaxis._length),
    y: linearScale(yaxis.range, yaxis._offset + yaxis._length, yaxis._offset),
    box: [xaxis._offset, yaxis._offset, xaxis._length, yaxis._length],
  };
  pen.scale(ratio, ratio);
  pen.beginPath();
  pen.rect(...place.box);
  pen.clip();
  return { pen, place };
}

/** @returns {Scale} a linear map with its inverse */
function linearScale([low, high], from, to) {
  const slope = (to - from) / (high - low);
  const map = (value) => from + (value - low) * slope;
  map.invert = (pixel) => low + (pixel - from) / slope;
  return map;
}

/** The value of the k-th point, where each has its own. */
export const valueAt = (value, k) => (Array.isArray(value) || ArrayBuffer.isView(value) ? value[k] : value);

function usePen(pen, { color, width, dash = "" }) {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.setLineDash(dash.match(/[\d.]+/g)?.map(Number) ?? []);
  pen.beginPath();
}

// A broken line: where a value is missing the pen is lifted.
function drawPath(pen, { x, y, line }, place) {
  usePen(pen, line);
  let down = false;
  for (let k = 0; k < x.length; k++) {
    const here = Number.isFinite(x[k]) && Number.isFinite(y[k]);
    if (here) pen[down ? "lineTo" : "moveTo"](place.x(x[k]), place.y(y[k]));
    down = here;
  }
  pen.stroke();
}

/** The markers of one trace, each where `now` places its point. */
export function drawMarkers(pen, { x, y, marker, customdata = undefined }, place, now) {
  const { symbol, size, color, line } = marker;
  pen.setLineDash([]);
  for (let k = 0; k < x.length; k++) {
    const spot = now(customdata?.[k][0], x[k], y[k]);
    if (!spot || !valueAt(size, k)) continue;
    const [left, top, r] = [place.x(spot.x), place.y(spot.y), valueAt(size, k) / 2];
    const form = valueAt(symbol, k);
    const open = form.endsWith("-open");
    pen.beginPath();
    if (form.startsWith("circle")) pen.arc(left, top, r, 0, 2 * Math.PI);
    else if (form.startsWith("triangle")) addTriangle(pen, left, top, r);
    else pen.rect(left - r, top - r, 2 * r, 2 * r);
    pen.fillStyle = valueAt(color, k);
    pen.strokeStyle = open ? valueAt(color, k) : valueAt(line.color, k);
    pen.lineWidth = valueAt(line.width, k);
    if (!open) pen.fill();
    if (valueAt(line.width, k) > 0) pen.stroke(); // the pen takes no width of zero
    if (form.endsWith("-dot")) drawDot(pen, left, top);
  }
}

// In the middle, as large as Plotly's, which is part of the outline.
function drawDot(pen, left, top) {
  pen.beginPath();
  pen.arc(left, top, 0.5 + pen.lineWidth / 2, 0, 2 * Math.PI);
  pen.fillStyle = pen.strokeStyle;
  pen.fill();
}

// As large as Plotly's.
function addTriangle(pen, left, top, r) {
  const half = (2 * r) / Math.sqrt(3);
  pen.moveTo(left - half, top + r / 2);
  pen.lineTo(left + half, top + r / 2);
  pen.lineTo(left, top - r);
  pen.closePath();
}

function useLetters(pen, { size, family }, align = "center", weight = 400) {
  pen.font = `${weight} ${size}px ${family}`;
  pen.textAlign = align;
  pen.textBaseline = "middle";
}

function drawTexts(pen, { x, y, text, textfont }, place) {
  pen.fillStyle = textfont.color;
  for (let k = 0; k < x.length; k++) {
    const plain = text[k].replace(/<\/?b>/g, "");
    useLetters(pen, textfont, "center", plain === text[k] ? 400 : 700);
    pen.fillText(plain, place.x(x[k]), place.y(y[k]));
  }
}

// Beside a line, at the edge where it is anchored.
function drawNote(pen, { text, y, xanchor, yanchor, font, bgcolor }, place) {
  const [left, , width] = place.box;
  useLetters(pen, font, "right");
  const height = 1.5 * font.size;
  const middle = place.y(y) + (yanchor === "top" ? 1 : -1) * (height / 2 + 1); // the line itself stays free
  const across = pen.measureText(text).width + 4;
  const end = xanchor === "right" ? left + width : left + across;
  pen.fillStyle = bgcolor;
  pen.fillRect(end - across, middle - height / 2, across, height);
  pen.fillStyle = font.color;
  pen.fillText(text, end - 2, middle + 1);
}

// The name of a line in a frame of its colour, which a stroke joins to the end of the line.
function drawName(pen, { text, x, y, ax, ay, font, bgcolor, bordercolor, borderpad }, place) {
  useLetters(pen, font);
  const [wide, high] = [pen.measureText(text).width + 2 * borderpad + 2, 1.5 * font.size];
  const [left, top] = [place.x(x) + ax, place.y(y) + ay];
  const within = Math.min(wide / 2 / Math.abs(ax), high / 2 / Math.abs(ay), 1);
  usePen(pen, { color: bordercolor, width: 1 });
  pen.moveTo(place.x(x), place.y(y));
  pen.lineTo(left - within * ax, top - within * ay);
  pen.rect(left - wide / 2, top - high / 2, wide, high);
  pen.fillStyle = bgcolor;
  pen.fillRect(left - wide / 2, top - high / 2, wide, high);
  pen.stroke();
  pen.fillStyle = font.color;
  pen.fillText(text, left, top + 1);
}

/** Two points joined by a line that bears the length of the step; where they are too close, it stands below them. */
export function drawPair(pen, place, [x1, y1], [x2, y2], length, { accent, ink, page, font, by }) {
  usePen(pen, { color: accent, width: 2 });
  pen.moveTo(place.x(x1), place.y(y1));
  pen.lineTo(place.x(x2), place.y(y2));
  pen.stroke();
  const close = Math.hypot(place.x(x1) - place.x(x2), place.y(y1) - place.y(y2)) < 80 * by;
  /** @type {[number, number]} */
  const middle = [(x1 + x2) / 2, close ? Math.min(y1, y2) : (y1 + y2) / 2];
  drawWord(pen, place, middle, Number(length.toPrecision(3)).toString(), { ink, page, font, by }, close ? -22 : 0);
}

/** A word above a point, `by` times as large as on a page that is not presented. */
export function drawWord(pen, place, [x, y], word, { ink, page, font, by }, above = 20) {
  useLetters(pen, { size: 12 * by, family: font }, "center", 600);
  pen.lineWidth = 4 * by;
  pen.lineJoin = "round";
  pen.setLineDash([]);
  pen.strokeStyle = page;
  pen.strokeText(word, place.x(x), place.y(y) - by * above);
  pen.fillStyle = ink;
  pen.fillText(word, place.x(x), place.y(y) - by * above);
}

/** Two strokes over a point that is left out. */
export function drawCross(pen, place, [x, y], colour) {
  const [left, top, r] = [place.x(x), place.y(y), 5.5];
  usePen(pen, { color: colour, width: 2 });
  for (const side of [-1, 1]) {
    pen.moveTo(left - r, top - side * r);
    pen.lineTo(left + r, top + side * r);
  }
  pen.stroke();
}

// Where f lies between two levels, or above one: tinted, with the levels as lines.
function drawStrip(pen, trace, place) {
  const levels = [trace.contours.value].flat();
  const [low, high] = levels;
  const size = high === undefined ? 1 : high - low;
  const hatch = trace.meta?.hatch;
  const tint = hatch ? OPAQUE : packColour(trace.fillcolor.match(/[\d.]+/g).map(Number));
  const table = Uint32Array.of(0, tint, high === undefined ? tint : 0);
  const layer = { ...trace, contours: { start: low, size } };
  if (hatch) drawHatched(pen, layer, place, table);
  else drawBands(pen, layer, place, table);
  for (const level of trace.line.width ? levels : []) {
    drawLevels(pen, { ...trace, contours: { start: level, end: level, size: 1 } }, place);
  }
}

// Strokes in the colour of the lines, to one side or the other: two bands that overlap stay apart.
function drawHatched(pen, trace, place, table) {
  const [left, top, width, height] = place.box.map(Math.round);
  const whole = makePen(width, height);
  whole.drawImage(bandSheet(trace, place, table), 0, 0);
  whole.globalCompositeOperation = "source-in";
  const stroke = makePen(HATCH, HATCH);
  stroke.strokeStyle = trace.line.color;
  for (const shift of [-HATCH, 0, HATCH]) {
    stroke.moveTo(shift, trace.meta.hatch > 0 ? HATCH : 0);
    stroke.lineTo(shift + HATCH, trace.meta.hatch > 0 ? 0 : HATCH);
  }
  stroke.stroke();
  whole.fillStyle = whole.createPattern(stroke.canvas, "repeat");
  whole.fillRect(0, 0, width, height);
  pen.drawImage(whole.canvas, left, top);
}

// What changes class: where, of a pair of lines, one has a place on its upper side and the other has not. It ends with
// the rectangle on which the share is measured, and with the fields.
function drawChanged(pen, { meta, fillcolor }, traces, place) {
  const [left, top, width, height] = place.box.map(Math.round);
  const whole = makePen(width, height);
  let [low, high, bottom, upper] = meta.view;
  for (const names of meta.between) {
    const one = makePen(width, height);
    const pair = names.map((name) => traces.find((trace) => trace.name === name));
    for (const { x, y, z } of pair) {
      const layer = { x, y, z, contours: { start: 0, size: 1 } };
      one.globalCompositeOperation = "xor";
      one.drawImage(bandSheet(layer, place, Uint32Array.of(0, OPAQUE, OPAQUE)), 0, 0);
      [low, high] = [Math.max(low, x[0]), Math.min(high, x[x.length - 1])];
      [bottom, upper] = [Math.max(bottom, y[0]), Math.min(upper, y[y.length - 1])];
    }
    whole.drawImage(one.canvas, 0, 0);
  }
  whole.globalCompositeOperation = "source-in";
  whole.fillStyle = fillcolor;
  const [x, y] = [place.x(low), place.y(upper)];
  whole.fillRect(x - left, y - top, place.x(high) - x, place.y(bottom) - y);
  pen.drawImage(whole.canvas, left, top);
}

// The field in steps of colour: f interpolated between the nodes of an even grid, one value for each pixel. In most
// cells of a row all pixels have one colour, which their ends tell.
function drawBands(pen, trace, place, table) {
  pen.drawImage(bandSheet(trace, place, table), Math.round(place.box[0]), Math.round(place.box[1]));
}

function bandSheet(trace, place, table) {
  const [left, top, width, height] = place.box.map(Math.round);
  const { image, sheet } = sheetOf(width, height);
  const pixels = new Uint32Array(image.data.buffer).fill(0);
  const { start, size } = trace.contours;
  const columns = nodesOf(trace.x, width, (i) => place.x.invert(left + i + 0.5));
  const rows = nodesOf(trace.y, height, (j) => place.y.invert(top + j + 0.5));
  const [cells, shares, last] = [cellsOf(columns.first), columns.share, table.length - 1];
  const steps = new Float64Array(trace.x.length);
  for (let j = 0; j < height; j++) {
    if (rows.first[j] < 0) continue;
    const [low, high, share] = [trace.z[rows.first[j]], trace.z[rows.first[j] + 1], rows.share[j]];
    for (let c = 0; c < steps.length; c++) steps[c] = (low[c] + share * (high[c] - low[c]) - start) / size + 1;
    const row = j * width;
    for (let k = 0; k < cells.length; k++) {
      const { node, from, to } = cells[k];
      const before = steps[node];
      const rise = steps[node + 1] - before;
      const one = bandOf(before + shares[from] * rise, last);
      const colour = table[one];
      if (one === bandOf(before + shares[to - 1] * rise, last))
        for (let i = from; i < to; i++) pixels[row + i] = colour;
      else for (let i = from; i < to; i++) pixels[row + i] = table[bandOf(before + shares[i] * rise, last)];
    }
  }
  sheet.getContext("2d")?.putImageData(image, 0, 0);
  return sheet;
}

// The last ones used first: one of a megabyte for each picture of a move is work.
/** @type {{ image: ImageData, sheet: OffscreenCanvas }[]} */
const sheets = [];

function sheetOf(/** @type {number} */ width, /** @type {number} */ height) {
  const k = sheets.findIndex(({ image }) => image.width === width && image.height === height);
  const [found] = k < 0 ? [] : sheets.splice(k, 1);
  const one = found ?? { image: new ImageData(width, height), sheet: new OffscreenCanvas(width, height) };
  sheets.unshift(one);
  sheets.length = Math.min(sheets.length, SHEETS);
  return one;
}

/** The pen of a canvas that is on no page. @returns {any} */
const makePen = (width, height) => new OffscreenCanvas(width, height).getContext("2d");

/** The whole part of a step, from 0 to the last; -1 for nan. */
function bandOf(/** @type {number} */ step, /** @type {number} */ last) {
  return step > 0 ? (step < last ? step | 0 : last) : step <= 0 ? 0 : -1;
}

// The pixels from and up to which values lie between the same two nodes, of which this is the first.
function cellsOf(/** @type {Int32Array} */ first) {
  /** @type {{ node: number, from: number, to: number }[]} */
  const cells = [];
  first.forEach((node, i) => {
    const cell = cells.at(-1);
    if (cell?.node === node) cell.to = i + 1;
    else if (node >= 0) cells.push({ node, from: i, to: i + 1 });
  });
  return cells;
}

// For each pixel the node before it and the share of the way to the next; -1 outside the grid.
function nodesOf(grid, count, value) {
  const first = new Int32Array(count);
  const share = new Float32Array(count);
  const step = (grid.at(-1) - grid[0]) / (grid.length - 1);
  for (let k = 0; k < count; k++) {
    const position = (value(k) - grid[0]) / step;
    const node = Math.min(Math.floor(position), grid.length - 2);
    first[k] = position < 0 || position > grid.length - 1 ? -1 : node;
    share[k] = position - node;
  }
  return { first, share };
}

// The colour of each band as a little-endian RGBA number: the scale from the first band to the last, as Plotly has it.
function bandColours({ contours: { start, end, size }, colorscale }) {
  const scale = colorscale.map(([position, colour]) => [position, colour.match(/[\d.]+/g).map(Number)]);
  const count = Math.round((end - start) / size) + 2;
  return Uint32Array.from({ length: count }, (_, k) => {
    const share = k / (count - 1);
    const found = scale.findIndex(([position]) => position >= share);
    const [[from, low], [to, high]] = scale.slice(Math.max(found, 1) - 1);
    const mix = (value, channel) => Math.round(value + ((high[channel] - value) * (share - from)) / (to - from));
    return packColour(low.map(mix));
  });
}

const packColour = ([r, g, b, opacity = 1]) => ((Math.round(255 * opacity) << 24) | (b << 16) | (g << 8) | r) >>> 0;

function drawLevels(pen, { x, y, z, contours: { start, end, size }, line }, place) {
  usePen(pen, line);
  pen.lineJoin = "round";
  for (let level = start; level <= end; level += size) {
    for (const path of levelPaths(z, level)) {
      path.forEach(([c, r], k) => {
        pen[k ? "lineTo" : "moveTo"](place.x(interpolate(x, c)), place.y(interpolate(y, r)));
      });
    }
  }
  pen.stroke();
}

/**
 * The places of a level line of a trace, each piece by itself; drawLevels makes no list of them for each picture.
 * @returns {[number, number][][]}
 */
export function levelLines({ x, y, z }, level) {
  return levelPaths(z, level).map((path) => path.map(([c, r]) => [interpolate(x, c), interpolate(y, r)]));
}

// The value at a place between the nodes of a grid.
function interpolate(grid, position) {
  const node = Math.min(Math.floor(position), grid.length - 2);
  return grid[node] + (position - node) * (grid[node + 1] - grid[node]);
}
