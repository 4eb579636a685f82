// The colours of the page. Python has their names (pages/shared/figures/palette.py), for a light and a dark page.

let themes = {};
export function setThemes(given) {
  themes = given;
}

// The theme that is on the page, recognised by its background; page, ink and font are the page's own. Where the system
// asks for high contrast, page and ink are the system's, all texts have the ink, and nothing is tinted.
export function pageTheme(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(name).trim();
  const forced = contrast?.matches;
  const [page, ink] = forced
    ? [systemColour(element, "Canvas"), systemColour(element, "CanvasText")]
    : [read("--st-background-color"), read("--st-text-color")];
  const own = { page, ink, font: read("--st-font") };
  const name = brightness(page) > 0.5 ? "light" : "dark";
  const forcedColour = (key) => (forced && TEXT.test(key) ? ink : forced && TINT.test(key) ? page : undefined);
  const colours = Object.entries({ ...themes[name], ...own });
  return {
    id: [name, forced, ...Object.values(own)].join("|"),
    colours: Object.fromEntries(colours.map(([key, value]) => [key, rgbOf(forcedColour(key) ?? value)])),
  };
}

const contrast = globalThis.matchMedia?.("(forced-colors: active)");
const TEXT = /^(muted|grid)$/;
const TINT = /^(veil|field-\w+)$|-(region|inner|pale)$/;

// Paper is white, whatever the theme: the attribute comes before the listeners below, which read the colours.
const PRINT = ["beforeprint", "afterprint"];
for (const kind of PRINT) {
  globalThis.addEventListener?.(kind, () => document.documentElement.toggleAttribute("data-print", kind === PRINT[0]));
}

/**
 * Calls `then`, until the signal, when the colours have changed without a word of Streamlit's: the system begins, or
 * ceases, to ask for high contrast, or the page is printed.
 */
export function onColourChange(then, /** @type {AbortSignal} */ signal) {
  contrast?.addEventListener("change", then, { signal });
  for (const kind of PRINT) addEventListener(kind, then, { signal });
}

// A colour of the system as rgb(...), as it is at an element.
function systemColour(element, name) {
  const probe = document.createElement("i");
  probe.style.color = name;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function brightness(colour) {
  const [r, g, b] = colour.startsWith("#") ? channels(colour) : colour.match(/[\d.]+/g).map(Number);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

// "#rrggbb" as "rgb(...)", which plotly.js parses faster, once for each marker.
const rgbOf = (colour) => (/^#[0-9a-f]{6}$/i.test(colour) ? `rgb(${channels(colour)})` : colour);

const channels = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
