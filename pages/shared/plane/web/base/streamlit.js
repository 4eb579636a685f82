// What our scripts look for in a page of Streamlit 1.67, whose manual promises none of it; without it the sentence
// on a lost connection stays away, a scrolled page has lower pictures, and the first link leads to the menu. The
// layout's part of it is in page.css.

const APP = '[data-testid="stApp"]';
const MAIN = '[data-testid="stMain"]';
const SKIP = '[data-testid="stSkipToContent"]';
const DIALOG = ".stDialog [role=dialog] > h2 + div div";

/** The attribute of the app that changes with its connection. */
export const CONNECTION = "data-test-connection-state";

/**
 * The element with the whole app.
 * @param {Document} page  @returns {HTMLElement | null}
 */
export function app(page) {
  return page.querySelector(APP);
}

/** True where the app says that it has lost its server. */
export function disconnected(page) {
  const state = app(page)?.dataset.testConnectionState;
  return state !== undefined && state !== "CONNECTED";
}

/**
 * The first link of a page, which leads to what Streamlit takes for its content.
 * @param {Document} page  @returns {HTMLElement | null}
 */
export function skipLink(page) {
  return page.querySelector(SKIP);
}

/** The texts of the dialogs that are open. */
export function dialogs(page) {
  return page.querySelectorAll(DIALOG);
}

/** Pixels by which the page around an element is scrolled. */
export function scrolled(element) {
  return element.closest(MAIN)?.scrollTop ?? window.scrollY;
}
