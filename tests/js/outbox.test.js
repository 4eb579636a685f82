import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Outbox } from "../../pages/shared/plane/web/outbox.js";

let now = 0;
/** @type {Outbox} */
let outbox;
beforeEach(() => {
  now = 5;
  outbox = new Outbox(() => now);
});

test("nothing is sent before there is something to say", () => {
  assert.equal(outbox.take(), undefined);
  assert.deepEqual([outbox.waits, outbox.settled, outbox.answered], [false, true, 0]);
});

test("one message is on its way, then the newest of those that came meanwhile", () => {
  outbox.put(true);
  assert.deepEqual(outbox.take(), { seq: 1, moving: true });
  outbox.put(true);
  outbox.put(true);
  assert.equal(outbox.take(), undefined);
  outbox.answer(1);
  assert.deepEqual([outbox.take(), outbox.answered], [{ seq: 2, moving: true }, 1]);
});

test("what is final does not wait for a point on its way, but for another final one", () => {
  outbox.put(true);
  outbox.take();
  outbox.put(false);
  assert.deepEqual(outbox.take(), { seq: 2, moving: false });
  outbox.put(false);
  assert.equal(outbox.take(), undefined);
});

test("one that began anew gets the message again that it has not answered, if it is of interest", () => {
  for (const again of [false, true]) {
    outbox = new Outbox(() => now);
    outbox.put(false);
    outbox.take();
    outbox.restart({ again });
    assert.deepEqual([outbox.settled, outbox.take()], again ? [false, { seq: 2, moving: false }] : [true, undefined]);
  }
});

test("one that began anew gets no message again that was answered", () => {
  outbox.put(false);
  outbox.take();
  outbox.answer(1);
  outbox.restart({ again: true });
  assert.equal(outbox.take(), undefined);
});

test("an answer to an older message answers nothing", () => {
  outbox.put(true);
  outbox.take();
  outbox.put(false);
  outbox.take();
  outbox.answer(1);
  assert.equal(outbox.waits, true);
  outbox.answer(2);
  assert.deepEqual([outbox.waits, outbox.settled], [false, true]);
});

test("while a point moves nothing is settled, answered or not", () => {
  outbox.put(true);
  outbox.take();
  outbox.answer(1);
  assert.deepEqual([outbox.waits, outbox.settled, outbox.pending], [false, false, true]);
  outbox.put(false);
  outbox.take();
  assert.deepEqual([outbox.waits, outbox.settled, outbox.pending], [true, false, false]);
});

test("a message without an answer is taken as lost after ten seconds", () => {
  outbox.put(false);
  outbox.take();
  outbox.put(false);
  now += 9999;
  assert.equal(outbox.take(), undefined);
  now += 1;
  assert.deepEqual(outbox.take(), { seq: 2, moving: false });
});
