// The colours of the page. Python has their names (pages/shared/palette.py), for a light and a dark page.

let themes = {};
export function know(given) {
  themes = given;
}

// The theme that is on the page, recognised by its background; page, ink and font are the page's own.
export function pageTheme(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(name).trim();
  const own = { page: read("--st-background-color"), ink: read("--st-text-color"), font: read("--st-font") };
  const name = brightness(own.page) > 0.5 ? "light" : "dark";
  return {
    id: [name, ...Object.values(own)].join("|"),
    colours: Object.fromEntries(Object.entries({ ...themes[name], ...own }).map(([key, value]) => [key, rgb(value)])),
  };
}

function brightness(colour) {
  const hex = colour.startsWith("#");
  const [r, g, b] = hex
    ? [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16))
    : colour.match(/[\d.]+/g).map(Number);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

// "#rrggbb" as "rgb(...)", which plotly.js parses faster, once for each marker.
function rgb(colour) {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `rgb(${[1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16))})` : colour;
}
