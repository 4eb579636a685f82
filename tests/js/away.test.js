// What the reader does without a connection is sent when it is back; a sentence says that it is away.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Away } from "../../pages/shared/plane/web/controls/away.js";

/** A page with a line for the sentence; `dialogs` are the texts of Streamlit's own. */
function paged() {
  const app = { dataset: { testConnectionState: "CONNECTED" } };
  const line = { textContent: "", setAttribute: () => {} };
  const dialogs = [{ textContent: "Are you connected to the internet?" }];
  const page = {
    body: { append: () => {} },
    createElement: () => line,
    querySelector: () => app,
    querySelectorAll: () => dialogs,
  };
  return { app, line, dialogs, page: /** @type {any} */ (page) };
}

test("a run follows each time without a connection, which may have swallowed what was sent just before", (context) => {
  /** @type {(() => void)[]} */
  const changes = [];
  context.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.MutationObserver = /** @type {any} */ (
    class {
      constructor(/** @type {() => void} */ change) {
        changes.push(change);
      }
      observe() {}
    }
  );
  globalThis.addEventListener ??= () => {};
  const { app, line, dialogs, page } = paged();
  const [browser, back] = [{ onLine: true }, mock.fn()];
  const away = new Away(page, browser);
  const deaf = away.listen(back);
  const [look, reword] = changes;
  const state = (/** @type {string} */ name) => {
    app.dataset.testConnectionState = name;
    look();
  };

  look(); // the line was there all the time
  assert.equal(back.mock.callCount(), 0);
  state("PINGING_SERVER");
  context.mock.timers.tick(1000);
  assert.equal(line.textContent, "", "a short pause needs no words");
  state("CONNECTED");
  context.mock.timers.tick(5000);
  assert.deepEqual([line.textContent, back.mock.callCount()], ["", 1]);

  state("PINGING_SERVER");
  context.mock.timers.tick(2000);
  assert.match(line.textContent, /is kept and sent when/);
  reword();
  assert.equal(dialogs[0].textContent, line.textContent);
  state("CONNECTED");
  assert.deepEqual([line.textContent, back.mock.callCount()], ["", 2]);

  browser.onLine = false;
  look();
  context.mock.timers.tick(2000);
  assert.match(line.textContent, /No connection/);
  browser.onLine = true;
  look();
  assert.deepEqual([line.textContent, back.mock.callCount()], ["", 3]);

  deaf();
  state("PINGING_SERVER");
  state("CONNECTED");
  assert.equal(back.mock.callCount(), 3);
});
