import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { parse } from "../../pages/shared/plane/web/base/words.js";
import { nearestTowards } from "../../pages/shared/plane/web/editing/edits.js";
import {
  Answer,
  answerOf,
  answerWords,
  lineAcross,
  moveEntry,
  nearestPoint,
  newLine,
  numberAt,
  numberWithUnit,
  pointWords,
  pull,
  scaleShare,
  toggle,
} from "../../pages/shared/plane/web/question/answer.js";

/** @type {{ x: [number, number], y: [number, number] }} */
const LIMITS = { x: [-2, 2], y: [-1, 1] };
const ASKED = { key: "a", kind: "choose", given: null, locked: false };

describe("a answer", () => {
  /** @type {Answer} */
  let answer;
  beforeEach(() => {
    answer = new Answer();
    answer.receive(ASKED);
  });

  test("is ready when something is chosen, and not when all of it is taken back", () => {
    assert.equal(answer.isReady, false);
    answer.put(0);
    assert.equal(answer.isReady, true);
    answer.put([]);
    assert.equal(answer.isReady, false);
    answer.put([3]);
    assert.equal(answer.isReady, true);
  });

  test("keeps what was begun while the same question is sent again, and drops it for another one", () => {
    answer.put(2);
    answer.receive(ASKED);
    assert.equal(answer.given, 2);
    answer.receive({ ...ASKED, key: "b" });
    assert.deepEqual([answer.given, answer.isReady], [undefined, false]);
  });

  test("takes nothing any more once it is locked, and shows the answer that Python has", () => {
    answer.put(2);
    answer.receive({ ...ASKED, given: 1, locked: true });
    answer.put(0);
    assert.deepEqual([answer.given, answer.isReady, answer.locked], [1, false, true]);
    answer.receive(ASKED);
    assert.deepEqual([answer.given, answer.locked], [undefined, false]);
  });

  test("tells those that listen, under whatever name of it", () => {
    let heard = 0;
    const answer = answerOf("shared");
    answer.addEventListener("change", () => (heard += 1));
    answerOf("shared").put(1);
    assert.equal(heard, 1);
  });
});

describe("an answer that is not locked in", () => {
  /** @type {any} */
  const page = globalThis;
  const held = new Map();
  beforeEach(() => {
    held.clear();
    page.localStorage = {
      getItem: (name) => held.get(name) ?? null,
      setItem: (name, text) => held.set(name, text),
      removeItem: (name) => held.delete(name),
    };
    const before = new Answer();
    before.receive(ASKED);
    before.put([1, 0.5]);
    before.keepDraft();
  });
  afterEach(() => delete page.localStorage);

  const afterReload = (asked) => {
    const answer = new Answer();
    answer.receive(asked);
    return answer;
  };

  test("is there when the page is loaded again, for the same question alone", () => {
    assert.deepEqual(afterReload(ASKED).given, [1, 0.5]);
    assert.equal(afterReload({ ...ASKED, key: "b" }).given, undefined);
    assert.equal(afterReload({ ...ASKED, given: 2 }).given, 2);
    assert.equal(afterReload({ ...ASKED, locked: true }).given, undefined);
  });

  test("is forgotten once it is", () => {
    afterReload(ASKED).dropDraft();
    assert.deepEqual([afterReload(ASKED).given, held.size], [undefined, 0]);
  });
});

describe("a line", () => {
  test("begins level, inside the picture", () => {
    const line = newLine(LIMITS);
    assert.deepEqual(
      line.map((place) => Number(place.toFixed(12))),
      [-1.2, 0, 1.2, 0],
    );
  });

  test("reaches from edge to edge", () => {
    assert.deepEqual(lineAcross([-1, -0.5, 1, 0.5], LIMITS), [-2, -1, 2, 1]);
    assert.deepEqual(lineAcross([0.5, 0, 0.5, 0.1], LIMITS), [0.5, -1, 0.5, 1]);
    assert.deepEqual(lineAcross([-1, 0.25, 1, 0.25], LIMITS), [-2, 0.25, 2, 0.25]);
  });

  test("is nowhere where it does not cross the picture", () => {
    assert.equal(lineAcross([3, 0, 3, 1], LIMITS), undefined);
    assert.equal(lineAcross([-1, 5, 1, 5], LIMITS), undefined);
    assert.equal(lineAcross([0, 0, 0, 0], LIMITS), undefined);
    assert.equal(lineAcross([-2, 3, 2, 2], LIMITS), undefined);
  });

  test("keeps its handles inside, and apart", () => {
    assert.deepEqual(pull([-1, 0, 1, 0], 0, [-9, 9], LIMITS), [-2, 1, 1, 0]);
    assert.deepEqual(pull([-1, 0, 1, 0], 1, [0.5, -0.5], LIMITS), [-1, 0, 0.5, -0.5]);
    assert.deepEqual(pull([-1, 0, 1, 0], 1, [-1, 0], LIMITS), [-1, 0, 1, 0]);
  });
});

describe("points", () => {
  test("are chosen and let go, in order; of two at the most the first gives way", () => {
    assert.deepEqual(toggle([2, 9], 4), [2, 4, 9]);
    assert.deepEqual(toggle([2, 4, 9], 4), [2, 9]);
    assert.deepEqual(toggle([9, 2], 4, 2), [2, 4]);
    assert.deepEqual(toggle([9, 2], 9, 2), [2]);
  });

  const spots = new Map([
    [1, [0, 0]],
    [2, [10, 1]],
    [3, [30, 0]],
    [4, [12, 40]],
  ]);

  test("are found under a finger, the nearest one, within reach", () => {
    assert.equal(nearestPoint(/** @type {any} */ (spots), [7, 0], 10), 2);
    assert.equal(nearestPoint(/** @type {any} */ (spots), [7, 0], 2), undefined);
  });

  test("are reached by arrow keys: the next one in that direction", () => {
    const go = (id, way) => nearestTowards(/** @type {any} */ (spots), id, way);
    assert.equal(go(1, [1, 0]), 2);
    assert.equal(go(2, [1, 0]), 3);
    assert.equal(go(2, [0, 1]), 4);
    assert.equal(go(1, [-1, 0]), 1);
  });
});

test("an entry of a list goes to another place, at most to its ends", () => {
  assert.deepEqual(moveEntry(["a", "b", "c"], 0, 2), ["b", "c", "a"]);
  assert.deepEqual(moveEntry(["a", "b", "c"], 2, 0), ["c", "a", "b"]);
  assert.deepEqual(moveEntry(["a", "b", "c"], 1, 9), ["a", "c", "b"]);
  assert.deepEqual(moveEntry(["a", "b", "c"], 1, -9), ["b", "a", "c"]);
});

test("a number has its unit, a share is in per cent, and a place between the ends of its scale", () => {
  assert.equal(numberWithUnit(-0.125, { unit: "%", factor: 100 }), "−12.5\u202f%");
  assert.equal(numberWithUnit(15.5, { unit: "°" }), "15.5°");
  assert.equal(numberWithUnit(7, { unit: "points" }), "7 points");
  assert.equal(numberWithUnit(1, { unit: "points" }), "1 point");
  assert.equal(numberWithUnit(0.1, {}), "0.1");
  const scale = { low: 0.1, high: 1000, step: 0.1, log: true };
  assert.deepEqual([scaleShare(10, scale), scaleShare(1e9, scale)], [0.5, 1]);
  assert.equal(scaleShare(3, { low: 2, high: 6, step: 1, log: false }), 0.25);
});

test("a slider of powers of ten has whole numbers where the step is whole", () => {
  assert.equal(numberAt(1.88, { log: true, step: 1 }), 76);
  assert.equal(numberAt(-0.52, { log: true, step: 0.01 }), 0.3);
  assert.equal(numberAt(0.30000000000000004, { log: false, step: 0.1 }), 0.3);
});

test("the scale of a number stays for the picture, until another question comes", () => {
  const answer = new Answer();
  const scale = { low: 0, high: 1, step: 0.1, log: false };
  answer.receive({ key: "a", kind: "number", given: null, locked: false, scale });
  answer.receive({ key: "a", kind: "number", given: null, locked: false });
  assert.equal(answer.scale, scale);
  answer.receive({ key: "b", kind: "choose", given: null, locked: false });
  assert.equal(answer.scale, undefined);
});

test("the point of the keys is said with its class and its place", () => {
  const point = pointWords(7, [1.234, -2], { of: "class −1", ringed: true, chosen: false });
  assert.equal(point, "Point 7, class −1, at (1.23, −2), ringed, not chosen.");
  const answer = new Answer();
  answer.receive({ key: "a", kind: "points", given: null, locked: false });
  answer.setKeyPlace(point);
  assert.equal(answer.here, point);
  answer.put([7]);
  assert.equal(answer.here, "", "a point that is clicked is not that of the keys");
});

test("what is drawn is also said", () => {
  assert.equal(answerWords("line", [-1, 0.12345, 1, 0]), "Your line goes through (−1, 0.123) and (1, 0).");
  assert.equal(answerWords("line", [0.000107, 4, 4, -2.4e-5]), "Your line goes through (0, 4) and (4, 0).");
  assert.equal(answerWords("place", [-0.00123, 0.00456]), "The point goes to (−0.00123, 0.00456).");
  assert.equal(answerWords("points", [4]), "1 point chosen.");
  assert.equal(answerWords("points", []), "No point chosen.");
  assert.equal(answerWords("place", [1, -2]), "The point goes to (1, −2).");
  assert.equal(answerWords("line", undefined), "");
});

describe("texts", () => {
  test("have strong, stressed and code words, and links", () => {
    assert.deepEqual(parse('A **b** *c* `d` [e](help?x=1 "f").'), [
      "A ",
      ["strong", "b", {}],
      " ",
      ["em", "c", {}],
      " ",
      ["code", "d", {}],
      " ",
      ["a", "e", { href: "help?x=1", title: "f", target: "_blank", rel: "noopener" }],
      ".",
    ]);
  });

  test("have no HTML and no script", () => {
    assert.deepEqual(parse("<b>1 < 2</b>"), ["<b>1 < 2</b>"]);
    assert.deepEqual(parse("[x](javascript:alert)"), ["x"]);
    assert.deepEqual(parse("[x](data:text/html,1)"), ["x"]);
  });
});
