// The menu scrolls to the page that is open, once for each link.

import assert from "node:assert/strict";
import { test } from "node:test";
import { revealPage } from "../../pages/shared/plane/web/controls/menu.js";

/** A link whose middle is at 600, in a menu from 0 to 300. */
function link(pathname) {
  const set = new Map();
  return {
    pathname,
    set,
    setAttribute: (name, value) => set.set(name, value),
    removeAttribute: (name) => set.delete(name),
    getBoundingClientRect: () => ({ left: 580, width: 40 }),
  };
}

function menu(links) {
  const found = { scrollLeft: 0, links, setAttribute: () => {}, querySelectorAll: () => found.links };
  return { ...found, getBoundingClientRect: () => ({ left: 0, width: 300 }) };
}

test("it goes to the open page, leaves the reader's own place, and comes back when its links are made anew", () => {
  const links = [link("/lessons"), link("/room")];
  const nav = menu(links);
  globalThis.location = /** @type {any} */ ({ pathname: "/room" });
  globalThis.document = /** @type {any} */ ({ querySelector: () => nav });
  revealPage();
  assert.equal(nav.scrollLeft, 450);
  assert.equal(links[1].set.get("aria-current"), "page");
  assert.equal(links[0].set.has("aria-current"), false);
  nav.scrollLeft = 20; // the reader looks at the other pages
  revealPage();
  assert.equal(nav.scrollLeft, 20);
  nav.scrollWidth = 900; // more pages have come behind the open one
  revealPage();
  assert.equal(nav.scrollLeft, 470);
  nav.scrollLeft = 20;
  revealPage();
  assert.equal(nav.scrollLeft, 20);
  nav.querySelectorAll = () => [link("/lessons"), link("/room")];
  nav.scrollLeft = 0; // as a menu without links
  revealPage();
  assert.equal(nav.scrollLeft, 450);
});
