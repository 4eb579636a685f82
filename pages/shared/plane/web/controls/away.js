// The connection to the server, as Streamlit sees it. While it is away a sentence says so. Streamlit drops what it
// would send meanwhile, and what was on its way when the line broke, but knows the state of everything on the page:
// one run takes it all to Python when the server is back.

import { APP, CONNECTION, DIALOGS, disconnected } from "../base/streamlit.js";

const SAYS =
  "No connection to the server. What you change is kept and sent when the connection is back. " +
  "If a button or an upload then shows no effect, use it again.";
const PAUSE = 1500; // milliseconds without a connection that need no sentence

export class Away {
  #page;
  #browser;
  #away = false;
  #timer = 0;
  /** @type {Set<() => void>} */
  #heard = new Set();
  /** @type {HTMLElement | undefined} */
  #line;

  /**
   * @param {Document} page
   * @param {{ onLine: boolean }} browser
   */
  constructor(page, browser) {
    this.#page = page;
    this.#browser = browser;
  }

  /**
   * Calls `back` each time the server is back.
   * @param {() => void} back
   * @returns {() => void} ends that
   */
  listen(back) {
    this.#heard.add(back);
    if (!this.#line) this.#begin();
    return () => this.#heard.delete(back);
  }

  /** The connection may have come or gone. */
  look() {
    const before = this.#away;
    this.#away = disconnected(this.#page) || !this.#browser.onLine;
    clearTimeout(this.#timer);
    if (this.#away) {
      this.#timer = setTimeout(() => this.#say(SAYS), PAUSE);
      return;
    }
    this.#say("");
    if (before) for (const back of this.#heard) back();
  }

  #begin() {
    const whole = this.#page.querySelector(APP);
    if (!whole) return;
    this.#line = Object.assign(this.#page.createElement("div"), { className: "svm-away" });
    this.#line.setAttribute("role", "status");
    this.#page.body.append(this.#line);
    const look = () => this.look();
    new MutationObserver(look).observe(whole, { attributeFilter: [CONNECTION] });
    for (const name of ["online", "offline"]) addEventListener(name, look);
    new MutationObserver(() => this.#reword()).observe(this.#page.body, { childList: true });
  }

  #say(text) {
    if (this.#line && this.#line.textContent !== text) this.#line.textContent = text;
  }

  // Streamlit's own message asks a question and does not say what becomes of the work.
  #reword() {
    if (!disconnected(this.#page)) return;
    for (const body of this.#page.querySelectorAll(DIALOGS)) body.textContent = SAYS;
  }
}

/** That of this page. */
export const away = new Away(globalThis.document, globalThis.navigator);
