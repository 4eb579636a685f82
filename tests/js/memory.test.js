import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Memory, recall, remember } from "../../pages/shared/plane/web/base/memory.js";

/** @type {any} */
const page = globalThis;
let held = new Map();

beforeEach(() => {
  held = new Map();
  page.localStorage = {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, text) => held.set(name, text),
    removeItem: (name) => held.delete(name),
  };
});
afterEach(() => {
  delete page.localStorage;
});

describe("what the browser remembers", () => {
  test("a text by its name, and nothing once it is empty", () => {
    remember("lessons", "errors.r");
    assert.deepEqual([recall("lessons"), recall("tour")], ["errors.r", ""]);
    remember("lessons", "");
    assert.deepEqual([recall("lessons"), held.size], ["", 0]);
  });

  test("nothing in a browser that stores nothing, without an error", () => {
    page.localStorage = {
      getItem: () => {
        throw new Error("forbidden");
      },
      setItem: () => {
        throw new Error("full");
      },
    };
    remember("lessons", "errors.r");
    assert.equal(recall("lessons"), "");
  });
});

describe("the memory of a page", () => {
  const sent = [];
  const send = (name, value) => sent.push([name, value]);
  const receive = (memory, text, known = false) => memory.receive({ memory: "lessons", text, known }, send);
  beforeEach(() => sent.splice(0));

  test("tells once what an earlier visit left, and then keeps what the page says", () => {
    remember("lessons", "errors.r");
    const memory = new Memory();
    receive(memory, "");
    assert.deepEqual(sent, [["memory", { text: "errors.r" }]]);
    assert.equal(recall("lessons"), "errors.r", "nothing is lost before the page has taken it");
    receive(memory, "errors.rn");
    assert.deepEqual([sent.length, recall("lessons")], [1, "errors.rn"]);
  });

  test("says nothing where nothing was left, or the page knows it, or that it has forgotten", () => {
    receive(new Memory(), "errors.n");
    assert.deepEqual([sent, recall("lessons")], [[], "errors.n"]);
    receive(new Memory(), "errors.n");
    for (const known of ["support.r", ""]) {
      receive(new Memory(), known, true);
      assert.deepEqual([sent, recall("lessons")], [[], known]);
    }
  });
});
