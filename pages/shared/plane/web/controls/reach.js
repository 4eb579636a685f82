// A formula that is wider than its place scrolls; the keyboard reaches it only then. The menu says which page is open.

import { revealed } from "./menu.js";

const PAUSE = 200; // milliseconds between two looks at a page that changes
let waiting = 0;
let watched = false;

/** From now on wide formulas can be focused and the menu names the page, as it changes. */
export function reach() {
  if (watched) return;
  watched = true;
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", soon);
  document.fonts.addEventListener("loadingdone", soon); // a formula is wider in its own letters
  soon();
}

function soon() {
  if (!waiting) waiting = setTimeout(update, PAUSE);
}

function update() {
  waiting = 0;
  revealed();
  for (const formula of document.querySelectorAll(".katex-display")) {
    if (formula.scrollWidth > formula.clientWidth) formula.setAttribute("tabindex", "0");
    else formula.removeAttribute("tabindex");
  }
}
