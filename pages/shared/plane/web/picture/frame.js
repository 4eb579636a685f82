// The size of a picture on the page, and its frame where it is saved.

import { scrollOffset } from "../base/streamlit.js";

const PORTABLE = "Helvetica, Arial, sans-serif"; // a saved picture is drawn without the fonts of the page
const PLACE = { x: 0, xref: "paper", xanchor: "left", y: 1, yref: "paper", yanchor: "bottom" };
const TITLE = { ...PLACE, align: "left", showarrow: false, borderpad: 0 };
const ENTRY = 45; // pixels of an entry of a legend beside its words
const ROW = 20 / 12; // the height of a row of it over that of its letters
const [TITLED, BREAK] = [30, 1.3]; // pixels of the title of a saved picture, and a further line of it over its letters
const WORDS = /(?<=(?<![=<>∝]) )(?![^<]*">|[=<>∝] )/; // behind a space that is not within a tag or a formula
const INDENT = "\u2003"; // of the lines of a text after its first
const LOWEST = 150; // pixels of a picture that shares the height of the window
const ALONE = 240; // and of one that is stacked, below which its legend leaves nothing to see
const TALLEST = 1.3; // its height over its width
const NARROW = 1000; // pixels of a window in which pictures are stacked, see page.css
const FLAT = 0.7; // the height of a stacked chart over its width
const UPRIGHT = 420; // and its least height in pixels, where the window has it
const BELOW = 8; // pixels that are left free at the lower edge of the window
const BESIDE = 56; // and above pictures further down the page

/**
 * The height that the page asks for: pixels, or a share of what the window has below the controls, less what stands
 * below the picture in letters of 16 pixels. Stacked charts whose units are not equal, not `square`, are flat.
 */
export function wantedHeight(root, { height, fill, less }, square = true) {
  if (!fill) return height;
  const letters = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const share = fill * stageHeight(root) - (less * letters) / 16;
  const stacked = innerWidth <= NARROW;
  const tallest = stacked && !square ? Math.max(FLAT * root.clientWidth, UPRIGHT) : root.clientWidth * TALLEST;
  return Math.max(LOWEST, Math.min(Math.max(share, stacked ? ALONE : 0), tallest));
}

function stageHeight(root) {
  const top = root.closest(".st-key-stage, .st-key-scene_stage")?.getBoundingClientRect().top ?? 0;
  const above = top + scrollOffset(root);
  return window.innerHeight - (above > 0 && above < window.innerHeight / 2 ? above : BESIDE) - BELOW;
}

/**
 * The margin of a layout that holds its legend, which takes more than one row below a narrow picture, as far as the
 * legend may be high.
 */
export function legendMargin(data, { font, legend, margin, showlegend, width, height }) {
  if (!showlegend || legend?.yref !== "container") return margin;
  const named = data.filter((trace) => trace.showlegend);
  const widths = named.map(({ name }) => ENTRY + lengthOf(name, `${font.size}px ${font.family}`));
  const room = width - margin.l - margin.r;
  const whole = widths.reduce((sum, one) => sum + one, 0) <= room;
  const across = whole ? widths.length : Math.max(1, Math.floor(room / Math.max(...widths)));
  const rows = Math.ceil(widths.length / Math.max(1, across));
  const most = Math.floor((legend.maxheight * height) / (ROW * font.size)); // it scrolls to the others
  return { ...margin, b: margin.b + ROW * font.size * Math.max(0, Math.min(rows, most) - 1) };
}

let pen;

/** Pixels of a line of text in that font: its width, and how far letters may reach up and down from it. */
export function extentOf(/** @type {string} */ text, /** @type {string} */ font) {
  pen ??= document.createElement("canvas").getContext("2d");
  if (pen.font !== font) pen.font = font;
  const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measureText(text);
  return { width, up, down };
}

/** Pixels of a text in that font. */
export const lengthOf = (/** @type {string} */ text, /** @type {string} */ font) => extentOf(text, font).width;

/** The lines of a text whose parts are so `long`, in that much room; it may be broken `at`. */
export function wrap(text, room, long, at = WORDS, indent = INDENT) {
  const lines = [""];
  for (const part of text.split(at)) {
    const line = lines[lines.length - 1];
    if (line && long((line + part).trimEnd()) > room) lines.push(indent + part);
    else lines[lines.length - 1] = line + part;
  }
  return lines.map((line) => line.trimEnd());
}

/** The layout with the letters of a saved picture, in which its texts are measured. */
export const withPortableFont = (layout) => ({ ...layout, font: { ...layout.font, family: PORTABLE } });

/** A figure of that size as it is saved: with its title. @returns {{ figure: any, size: [number, number] }} */
export function addTitle({ data, layout }, [width, height], title) {
  if (!title) return { figure: { data, layout }, size: [width, height] };
  const { font, margin } = layout;
  const size = Math.min(1.4 * font.size, Math.max(font.size, width / 20));
  const lines = wrap(title, width - margin.l, (words) => lengthOf(words, `${size}px ${font.family}`));
  const text = lines.map((line) => line.replace(/&/g, "&amp;").replace(/</g, "&lt;")).join("<br>");
  const room = TITLED + BREAK * size * (lines.length - 1);
  const annotations = [...(layout.annotations ?? []), { ...TITLE, text, font: { size }, yshift: margin.t }];
  const headed = { ...layout, annotations, margin: { ...margin, t: margin.t + room } };
  return { figure: { data, layout: headed }, size: [width, height + room] };
}
