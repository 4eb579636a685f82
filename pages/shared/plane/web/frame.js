// The size of a picture on the page, and its frame where it is saved.

const PORTABLE = "Helvetica, Arial, sans-serif"; // a saved picture is drawn without the fonts of the page
const TITLE = { x: 0, xref: "paper", xanchor: "left", y: 1, yref: "container", yanchor: "top", pad: { t: 8 } };
const TITLED = 30; // pixels of the title of a saved picture
const LOWEST = 150; // pixels of a picture that shares the height of the window
const TALLEST = 1.3; // its height over its width
const BELOW = 8; // pixels that are left free at the lower edge of the window
const BESIDE = 56; // and above pictures further down the page

/** The height that the page asks for: pixels, or a share of what the window has below the controls. */
export function wanted(root, { height, fill, less }) {
  if (!fill) return height;
  const share = fill * stage(root) - less;
  return Math.max(LOWEST, Math.min(share, root.clientWidth * TALLEST));
}

function stage(root) {
  const top = root.closest(".st-key-stage, .st-key-scene_stage")?.getBoundingClientRect().top ?? 0;
  const scrolled = root.closest('[data-testid="stMain"]')?.scrollTop ?? window.scrollY;
  const above = top + scrolled;
  return window.innerHeight - (above > 0 && above < window.innerHeight / 2 ? above : BESIDE) - BELOW;
}

/**
 * A figure of that size as it is saved: with its title, and letters that are as wide as they were measured.
 * @param {{ data: any[], layout: any }} figure  @param {[number, number]} size  @param {string} title
 * @returns {{ figure: any, size: [number, number] }}
 */
export function titled({ data, layout }, [width, height], title) {
  const font = { ...layout.font, family: PORTABLE };
  if (!title) return { figure: { data, layout: { ...layout, font } }, size: [width, height] };
  const text = title.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const margin = { ...layout.margin, t: layout.margin.t + TITLED };
  return {
    figure: { data, layout: { ...layout, font, margin, title: { ...TITLE, text } } },
    size: [width, height + TITLED],
  };
}
