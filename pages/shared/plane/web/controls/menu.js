// What the keys reach on a page. The menu of the pages says which one is open, and on a narrow window, where it goes on
// beyond the edge, shows it; the first link of the page, which leads to the heading, leaves it out. A formula that is
// wider than its place scrolls, and is reached only then. A button that its press removes or disables leaves the focus
// to what comes in its place.

import { SKIP } from "../base/streamlit.js";

const PAUSE = 200; // milliseconds between two looks at a page that changes

/** @type {HTMLAnchorElement | undefined} */
let shown;
let wide = 0;
let waiting = 0;
let watched = false;
/** What comes in the place of the button that was pressed last, a selector, once it is there; none for most of them. */
let successor = "";
const NEXT = {
  ".svm-question": ".st-key-lessons_summary h2",
  ".st-key-room_buttons, .st-key-ask_prompt": ".st-key-room_buttons button",
  "[class*='st-key-room_'] button": ".st-key-heading h1",
};

/**
 * As often as the page changes; it scrolls once for each link, because the reader may have scrolled since. Links that
 * Streamlit has made anew have lost their place, and a menu that still grows could not be scrolled far enough.
 */
export function revealed() {
  const menu = document.querySelector(".st-key-nav");
  if (!menu) return;
  menu.setAttribute("role", "navigation");
  menu.setAttribute("aria-label", "Pages");
  const link = /** @type {HTMLElement | null} */ (document.querySelector(SKIP));
  if (link) link.onclick = skip;
  const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (menu.querySelectorAll("a"))];
  const open = links.filter(({ pathname }) => pathname === location.pathname).at(-1); // the first, home, has no address
  for (const link of links) {
    if (link !== open) link.removeAttribute("aria-current");
    else if (link.ariaCurrent !== "page") link.setAttribute("aria-current", "page");
  }
  if (!open || (open === shown && menu.scrollWidth === wide)) return;
  [shown, wide] = [open, menu.scrollWidth];
  const [outer, inner] = [menu.getBoundingClientRect(), open.getBoundingClientRect()];
  menu.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}

/** @param {Event} event */
function skip(event) {
  const heading = /** @type {HTMLElement | null} */ (document.querySelector(".st-key-heading h1"));
  if (!heading) return;
  event.preventDefault();
  event.stopPropagation(); // Streamlit would take the focus to what begins with the menu
  heading.tabIndex = -1;
  heading.focus();
}

/** From now on wide formulas can be focused, the menu names the page, and no press loses the focus, as it changes. */
export function reach() {
  if (watched) return;
  watched = true;
  const attributeFilter = ["disabled"];
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true, attributeFilter });
  addEventListener("click", press, true);
  addEventListener("resize", soon);
  document.fonts.addEventListener("loadingdone", soon); // a formula is wider in its own letters
  soon();
}

// "Summary" of a lesson opens a heading; the work of a job panel is begun and stopped in two places; a room is opened,
// joined and left, which changes the page, and what its lecturer does with a question changes the row of buttons.
function press({ target }) {
  const [, kind, act] = /st-key-(\S+)_(start|stop)\b/.exec(target.closest("[class*=st-key-]")?.className) ?? [];
  const other = act && `.st-key-${kind}_${act === "start" ? "stop" : "start"} button:enabled`;
  successor = other ?? Object.entries(NEXT).find(([place]) => target.closest(place))?.[1] ?? "";
}

function succeed() {
  const lost = successor && document.activeElement === document.body;
  const next = /** @type {HTMLElement | null} */ (lost ? document.querySelector(successor) : null);
  if (!next) return;
  successor = "";
  if (next.localName !== "button") next.tabIndex = -1;
  next.focus();
}

function soon() {
  if (!waiting) waiting = setTimeout(update, PAUSE);
}

function update() {
  waiting = 0;
  revealed();
  succeed();
  for (const formula of document.querySelectorAll(".katex-display")) {
    if (formula.scrollWidth > formula.clientWidth) formula.setAttribute("tabindex", "0");
    else formula.removeAttribute("tabindex");
  }
}
