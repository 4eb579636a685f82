import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { summary, Voice } from "../../pages/shared/plane/web/base/voice.js";

describe("what is read out", () => {
  /** @type {Voice} */
  let voice;
  let said = [];
  let now = 0;
  const wait = (ms) => {
    now += ms;
    mock.timers.tick(ms);
  };
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    [said, now] = [[], 0];
    mock.method(performance, "now", () => now);
    voice = new Voice((text) => said.push(text));
  });
  afterEach(() => mock.timers.reset());

  test("while something moves one sentence a second, and the last one", () => {
    for (let k = 0; k <= 24; k++) {
      voice.say(`at ${k}`, { moving: true });
      wait(100);
    }
    assert.deepEqual(said, ["at 0", "at 9", "at 19"]);
    wait(1000);
    assert.deepEqual(said, ["at 0", "at 9", "at 19", "at 24"]);
  });

  test("what has been done at once, in place of a sentence that waits", () => {
    voice.say("at 1", { moving: true });
    voice.say("at 2", { moving: true });
    voice.say("Moved.");
    voice.say("Flipped.");
    wait(5000);
    assert.deepEqual(said, ["at 1", "Moved.", "Flipped."]);
  });
});

describe("the description of a plane", () => {
  const point = { label: 1, mark: false, off: false };
  const classes = { 1: "+1", "-1": "−1" };

  test("what is shown, the numbers now, what to try", () => {
    const points = [point, { ...point, label: -1, mark: true }, { ...point, off: true }];
    const numbers = ["Test error 0.5 %", "Support vectors 3 of 40"];
    const where = "The boundary is horizontal.";
    assert.equal(
      summary(points, { name: "L1-SVM", labels: [1, -1], classes, numbers, where }),
      "Shown, L1-SVM: 3 points, 2 of class +1, 1 of class −1, 1 marked as outlier, 1 switched off. " +
        "Now: Test error 0.5 %, Support vectors 3 of 40. " +
        "The boundary is horizontal. " +
        "To try: choose a point with N or P and move it with the arrow keys, or flip its class with X. " +
        "The line below the controls says what that does to the machine.",
    );
  });

  test("points of a regression have no class to flip", () => {
    const text = summary([point], { name: "", labels: [], classes, numbers: [] });
    assert.match(text, /^Shown: 1 point\. To try: choose a point with N or P and move it with the arrow keys\./);
  });
});
