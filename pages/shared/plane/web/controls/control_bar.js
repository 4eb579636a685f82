// The control bar: the controls of a page as native form elements, the numbers below them, and what is under "More".
// The values belong to Python. What the reader changes is kept here until a run has taken it, and sent as one message.

import { make, part } from "../base/dom.js";
import { live } from "../base/live.js";
import { termElement } from "../base/words.js";
import { connection } from "./connection.js";
import { Field, fieldOf } from "./fields.js";
import { revealPage, watchPage } from "./menu.js";
import { setPresenterMode } from "./presenter.js";

const GLOSSARY = "help?subject=glossary";
const NO_MOUSE = globalThis.matchMedia?.("(hover: none)");
const NOT_LIVE = "Live pictures do not reach this browser: pictures change when you let go.";

export class ControlBar {
  #root;
  #bar;
  #more;
  /** @type {Map<string, Field>} in the order of Python's list */
  #fields = new Map();
  /** @type {Record<string, any>} what no run has taken yet */
  #pending = {};
  #messageId = "";
  #names = ""; // of the numbers that are shown, with what they mean
  /** @type {{ id: string, values: Record<string, any>, action: string | null } | undefined} not yet acknowledged */
  #message;
  #send;
  #watch;
  #lifetime = new AbortController();
  /** @type {{ sentence?: string, hint?: string, changed: string[] }} what Python said last */
  #payload = { changed: [] };

  /** @param {HTMLElement} root of control_bar.html */
  constructor(root) {
    this.#root = root;
    this.#bar = part(root, "bar");
    this.#more = part(root, "more");
    part(root, "reset").onclick = ({ currentTarget }) => {
      if (currentTarget.ariaDisabled === "true") return;
      this.#pending = {};
      this.press("reset");
      const names = this.#payload.changed.join(", ");
      const text = `Reset: ${names}. Edited points stay; “Snap back” in the toolbar resets them.`;
      part(root, "announcement").dataset.edit = text;
      this.#announce();
    };
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.#closeMenus(event));
    const { signal } = this.#lifetime;
    document.addEventListener("pointerdown", (event) => this.#closeOutside(event), { capture: true, signal });
    this.#watch = new ResizeObserver(() => this.#arrange());
    this.#watch.observe(root);
    connection.start();
    connection.addEventListener("back", () => this.#resend(), { signal });
    live.addEventListener("lost", () => this.#announce(), { signal });
    watchPage();
  }

  receive(payload, send) {
    this.#send = send;
    if (!payload) return;
    this.#payload = payload;
    if (payload.ack === this.#messageId) {
      this.#pending = {};
      this.#message = undefined;
    }
    this.#showControls(payload.controls);
    this.#root.toggleAttribute("data-empty", !payload.controls.length);
    this.#showReset(payload);
    this.#showNumbers(payload.numbers);
    this.#announce();
    setPresenterMode(payload.present, (on) => this.change("present", Number(on)));
    this.#arrange();
    revealPage();
  }

  #showControls(specs) {
    const before = this.#fields;
    const fields = specs.map((spec) => {
      const known = before.get(spec.name);
      const field = known?.spec.kind === spec.kind ? known : fieldOf(spec, this);
      field.show(spec, spec.name in this.#pending);
      return field;
    });
    this.#fields = new Map(fields.map((field) => [field.name, field]));
    for (const [name, field] of before) if (this.#fields.get(name) !== field) field.root.remove();
  }

  #showReset({ changed, resets }) {
    const button = part(this.#root, "reset");
    // a button that is `disabled` would lose the focus
    button.setAttribute("aria-disabled", String(!changed.length));
    button.tabIndex = changed.length ? 0 : -1;
    button.title = changed.length ? `Reset: ${changed.join(", ")}` : "All controls are as the problem suggests";
    button.hidden = !resets;
  }

  // What was edited and what that did; before the first edit what there is to do.
  #announce() {
    const { sentence, hint } = this.#payload;
    const line = part(this.#root, "announcement");
    const text = [line.dataset.edit, sentence].filter(Boolean).join(" ") || (live.isLost ? NOT_LIVE : hint);
    if (line.textContent !== text) line.textContent = text;
    this.#root.toggleAttribute("data-silent", !text && !part(this.#root, "numbers").childElementCount);
  }

  // The controls that have no room are under "More", those that are used least first.
  #arrange() {
    const held = /** @type {HTMLElement} */ (document.activeElement);
    this.#bar.removeAttribute("data-laid"); // until it is known what has room, each field is as narrow as it can be
    this.#more.hidden = false; // it takes room, too
    const { columnGap, paddingLeft, paddingRight } = getComputedStyle(this.#bar);
    const room = this.#bar.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (!(room > 0)) return;
    const fields = [...this.#fields.values()];
    const chips = fields.filter(({ spec }) => spec.kind === "chips");
    placeFields(part(this.#root, "line"), chips, null);
    const shown = fields.filter((field) => field.spec.rank < 99 && !chips.includes(field));
    const tail = [...this.#bar.children].filter((part) => !("field" in part));
    const gap = parseFloat(columnGap) || 0;
    placeFields(this.#bar, shown, tail[0]);
    const takenWidth = () => shown.reduce((sum, { root }) => sum + root.offsetWidth + gap, 0);
    const beside = tail.reduce((sum, part) => sum + part.offsetWidth + gap, 0);
    while (shown.length > 1 && takenWidth() + beside > room + gap) {
      const last = shown.reduce((worst, field) => (field.spec.rank >= worst.spec.rank ? field : worst));
      shown.splice(shown.indexOf(last), 1);
      last.root.remove();
    }
    const under = fields.filter((field) => !shown.includes(field) && !chips.includes(field));
    placeFields(part(this.#root, "panel"), under, null);
    this.#more.hidden = !under.length;
    this.#bar.toggleAttribute("data-laid", true);
    // an element that is moved loses the focus
    if (this.#root.contains(held) && document.activeElement !== held) held.focus({ preventScroll: true });
  }

  // What a name means is a tip of the mouse; for a finger the name opens it, and stays there while its number changes.
  #showNumbers(pairs) {
    const names = JSON.stringify(pairs.map(([key, name, , tip]) => [key, name, tip]));
    const list = part(this.#root, "numbers");
    if (names !== this.#names) {
      const rows = pairs.map(([key, name, , tip]) => {
        const shown = make("dd");
        shown.dataset.live = key;
        const term = tip && NO_MOUSE?.matches ? termElement(name, { href: GLOSSARY, title: tip }) : name;
        return make("div", { title: tip }, make("dt", {}, term), shown);
      });
      list.replaceChildren(...rows);
      this.#names = names;
    }
    for (const [k, shown] of list.querySelectorAll("dd").entries()) shown.textContent = pairs[k][2];
    dispatchEvent(new Event("svm-numbers")); // the descriptions of the planes have them, too
  }

  #closeOutside({ target }) {
    const within = this.#root.contains(target);
    for (const open of this.#openMenus)
      if (!(within && open === this.#more) && !open.contains(target)) open.open = false;
  }

  // The focus goes from what is hidden to what opens it again.
  #closeMenus(event) {
    const opened = this.#openMenus;
    if (opened.length) event.preventDefault();
    const left = opened.find((one) => one.contains(document.activeElement));
    for (const open of opened) open.open = false;
    left?.querySelector("summary")?.focus();
  }

  get #openMenus() {
    return /** @type {HTMLDetailsElement[]} */ ([...this.#root.querySelectorAll("details[open]")]);
  }

  // ------------------------------------------------------------------------- what the reader changes

  /** A value while its slider is held: the pictures follow over the live channel, if it is there. */
  hold(name, value) {
    live.hold({ changes: { [name]: value } });
  }

  /** A value that the reader has left: first its picture, then the run, which keeps the browser busy for longer. */
  change(name, value) {
    delete this.#pending[name]; // in the order of the changes: the later ones outlast what another problem suggests
    this.#pending[name] = value;
    this.#startMessage();
    if (typeof value === "number") live.release({ changes: { [name]: value } }, () => this.#flush());
    else this.#flush();
  }

  /** A button of the bar; null where none was pressed, and what is pending is sent anew. */
  press(action) {
    this.#startMessage();
    this.#post(action);
  }

  // From now on an answer to what was sent before is no answer to what is pending.
  #startMessage() {
    delete part(this.#root, "announcement").dataset.edit;
    this.#messageId = crypto.randomUUID?.() ?? String(Date.now() + Math.random());
  }

  #flush() {
    const told = this.#message?.id === this.#messageId || !Object.keys(this.#pending).length;
    if (!told) this.#post(null);
  }

  #post(action) {
    this.#message = { id: this.#messageId, values: { ...this.#pending }, action };
    this.#send?.("update", this.#message);
  }

  // The server is back: a run of the page, with what it may not have heard.
  #resend() {
    live.reconnect();
    if (this.#message) this.#send?.("update", this.#message);
    else this.press(null);
  }

  leave() {
    this.#flush();
    this.#watch.disconnect();
    this.#lifetime.abort();
  }
}

// Only what stands elsewhere is moved: a control that is held keeps the focus.
function placeFields(box, fields, before) {
  let next = before;
  for (const { root } of [...fields].reverse()) {
    if (root.parentElement !== box || root.nextSibling !== next) box.insertBefore(root, next);
    next = root;
  }
}
