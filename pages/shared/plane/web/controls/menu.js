// What the keys reach on a page. The menu of the pages says which one is open, and on a narrow window, where it goes on
// beyond the edge, shows it; the first link of the page, which leads to the heading, leaves it out. A formula that is
// wider than its place scrolls, and is reached only then. A button that its press removes or disables leaves the focus
// to what comes in its place.

import { SKIP } from "../base/streamlit.js";

const PAUSE = 200; // milliseconds between two looks at a page that changes

/** @type {HTMLAnchorElement | undefined} */
let shownLink;
let shownWidth = 0;
let timer = 0;
let isWatching = false;
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
export function revealPage() {
  const menu = document.querySelector(".st-key-nav");
  if (!menu) return;
  menu.setAttribute("role", "navigation");
  menu.setAttribute("aria-label", "Pages");
  const link = /** @type {HTMLElement | null} */ (document.querySelector(SKIP));
  if (link) link.onclick = skipToHeading;
  const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (menu.querySelectorAll("a"))];
  const open = links.filter(({ pathname }) => pathname === location.pathname).at(-1); // the first, home, has no address
  for (const link of links) {
    if (link !== open) link.removeAttribute("aria-current");
    else if (link.ariaCurrent !== "page") link.setAttribute("aria-current", "page");
  }
  if (!open || (open === shownLink && menu.scrollWidth === shownWidth)) return;
  [shownLink, shownWidth] = [open, menu.scrollWidth];
  const [outer, inner] = [menu.getBoundingClientRect(), open.getBoundingClientRect()];
  menu.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}

/** @param {Event} event */
function skipToHeading(event) {
  const heading = /** @type {HTMLElement | null} */ (document.querySelector(".st-key-heading h1"));
  if (!heading) return;
  event.preventDefault();
  event.stopPropagation(); // Streamlit would take the focus to what begins with the menu
  heading.tabIndex = -1;
  heading.focus();
}

/** From now on wide formulas can be focused, the menu names the page, and no press loses the focus, as it changes. */
export function watchPage() {
  if (isWatching) return;
  isWatching = true;
  const attributeFilter = ["disabled"];
  new MutationObserver(updateSoon).observe(document.body, { childList: true, subtree: true, attributeFilter });
  addEventListener("click", noteSuccessor, true);
  addEventListener("resize", updateSoon);
  document.fonts.addEventListener("loadingdone", updateSoon); // a formula is wider in its own letters
  updateSoon();
}

// "Summary" of a lesson opens a heading; the work of a job panel is begun and stopped in two places; a room is opened,
// joined and left, which changes the page, and what its lecturer does with a question changes the row of buttons.
function noteSuccessor({ target }) {
  const [, kind, act] = /st-key-(\S+)_(start|stop)\b/.exec(target.closest("[class*=st-key-]")?.className) ?? [];
  const other = act && `.st-key-${kind}_${act === "start" ? "stop" : "start"} button:enabled`;
  successor = other ?? Object.entries(NEXT).find(([place]) => target.closest(place))?.[1] ?? "";
}

function focusSuccessor() {
  const lost = successor && document.activeElement === document.body;
  const next = /** @type {HTMLElement | null} */ (lost ? document.querySelector(successor) : null);
  if (!next) return;
  successor = "";
  if (next.localName !== "button") next.tabIndex = -1;
  next.focus();
}

function updateSoon() {
  if (!timer) timer = setTimeout(update, PAUSE);
}

function update() {
  timer = 0;
  revealPage();
  focusSuccessor();
  for (const formula of document.querySelectorAll(".katex-display")) {
    if (formula.scrollWidth > formula.clientWidth) formula.setAttribute("tabindex", "0");
    else formula.removeAttribute("tabindex");
  }
}
