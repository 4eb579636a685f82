// A formula that is wider than its place scrolls; the keyboard reaches it only then.

const PAUSE = 200; // milliseconds without a change
let waiting = 0;
let watched = false;

/** From now on wide formulas can be focused, as the page changes. */
export function reach() {
  if (watched) return;
  watched = true;
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", soon);
  soon();
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(update, PAUSE);
}

function update() {
  for (const formula of document.querySelectorAll(".katex-display")) {
    if (formula.scrollWidth > formula.clientWidth) formula.setAttribute("tabindex", "0");
    else formula.removeAttribute("tabindex");
  }
}
