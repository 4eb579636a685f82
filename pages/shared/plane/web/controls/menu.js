// The menu of the pages: it says which one is open, and on a narrow window, where it goes on beyond the edge, shows it.
// The keys leave it out by the first link of the page, which leads to the heading.

import { skipLink } from "../base/streamlit.js";

/** @type {HTMLAnchorElement | undefined} */
let shown;
let wide = 0;

/**
 * As often as the page changes; it scrolls once for each link, because the reader may have scrolled since. Links that
 * Streamlit has made anew have lost their place, and a menu that still grows could not be scrolled far enough.
 */
export function revealed(place = location, page = document) {
  const menu = page.querySelector(".st-key-nav");
  if (!menu) return;
  menu.setAttribute("role", "navigation");
  menu.setAttribute("aria-label", "Pages");
  const link = skipLink(page);
  if (link) link.onclick = skip;
  const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (menu.querySelectorAll("a"))];
  const open = links.filter(({ pathname }) => pathname === place.pathname).at(-1); // the first, home, has no address
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
