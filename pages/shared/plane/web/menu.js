// The menu of the pages on a narrow window: it goes on beyond the edge, and the page that is open must be in sight.

let shown = "";

/** Once for each page: the reader may have scrolled the menu since. */
export function revealed(place = location, page = document) {
  if (place.pathname === shown) return;
  const menu = page.querySelector(".st-key-nav");
  menu?.setAttribute("role", "navigation");
  menu?.setAttribute("aria-label", "Pages");
  const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (page.querySelectorAll(".st-key-nav a"))];
  const link = links.filter(({ pathname }) => pathname === place.pathname).at(-1); // the first, home, has no address
  if (!menu || !link) return;
  shown = place.pathname;
  const [outer, inner] = [menu.getBoundingClientRect(), link.getBoundingClientRect()];
  menu.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}
