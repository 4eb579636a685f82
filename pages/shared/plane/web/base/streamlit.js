// What our scripts look for in a page of Streamlit 1.67, whose manual promises none of it; without it the sentence
// on a lost connection stays away, a scrolled page has lower pictures, and the first link leads to the menu. The
// layout's part of it is in page.css.

const MAIN = '[data-testid="stMain"]';
/** The whole app. */
export const APP = '[data-testid="stApp"]';
/** The first link of a page, which leads to what Streamlit takes for its content. */
export const SKIP = '[data-testid="stSkipToContent"]';
/** The texts of the dialogs that are open. */
export const DIALOGS = ".stDialog [role=dialog] > h2 + div div";
/** The attribute of the app that changes with its connection. */
export const CONNECTION = "data-test-connection-state";

/** True where the app says that it has lost its server. */
export function isDisconnected() {
  const state = /** @type {HTMLElement | null} */ (document.querySelector(APP))?.dataset.testConnectionState;
  return state !== undefined && state !== "CONNECTED";
}

/** Pixels by which the page around an element is scrolled. */
export const scrollOffset = (element) => element.closest(MAIN)?.scrollTop ?? window.scrollY;
