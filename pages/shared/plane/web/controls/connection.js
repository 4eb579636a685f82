// The connection to the server, as Streamlit sees it. While it is away a sentence says so. Streamlit drops what it
// would send meanwhile, and what was on its way when the line broke, but knows the state of everything on the page:
// one run takes it all to Python when the server is back.

import { make } from "../base/dom.js";
import { APP, CONNECTION, DIALOGS, isDisconnected } from "../base/streamlit.js";

const SAYS =
  "No connection to the server. What you change is kept and sent when the connection is back. " +
  "If a button or an upload then shows no effect, use it again.";
const PAUSE = 1500; // milliseconds without a connection that need no sentence

/** Its event "back" says that the server is back. */
export class Connection extends EventTarget {
  #isLost = false;
  #timer = 0;
  /** @type {HTMLElement | undefined} */
  #line;

  /** The connection may have come or gone. */
  check() {
    const before = this.#isLost;
    this.#isLost = isDisconnected() || !navigator.onLine;
    clearTimeout(this.#timer);
    if (this.#isLost) this.#timer = setTimeout(() => this.#say(SAYS), PAUSE);
    else this.#say("");
    if (before && !this.#isLost) this.dispatchEvent(new Event("back"));
  }

  /** From now on it looks by itself, once the app is there. */
  start() {
    const whole = document.querySelector(APP);
    if (this.#line || !whole) return;
    this.#line = document.body.appendChild(make("div", { className: "svm-away", role: "status" }));
    const check = () => this.check();
    new MutationObserver(check).observe(whole, { attributeFilter: [CONNECTION] });
    for (const name of ["online", "offline"]) addEventListener(name, check);
    new MutationObserver(() => this.#rewordDialogs()).observe(document.body, { childList: true });
  }

  #say(text) {
    if (this.#line && this.#line.textContent !== text) this.#line.textContent = text;
  }

  // Streamlit's own message asks a question and does not say what becomes of the work.
  #rewordDialogs() {
    if (!isDisconnected()) return;
    for (const body of document.querySelectorAll(DIALOGS)) body.textContent = SAYS;
  }
}

/** That of this page. */
export const connection = new Connection();
