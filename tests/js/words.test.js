import assert from "node:assert/strict";
import { test } from "node:test";
import { kept } from "../../pages/shared/plane/web/base/words.js";

const seen = (line) => kept(line).replaceAll("\u00a0", "_").replaceAll("\u2060", "");

test("a line is broken between its clauses, not within a short one", () => {
  assert.equal(seen("test error 0.4 %, turned 7.7°"), "test_error_0.4_%, turned_7.7°");
  assert.equal(seen("LS-SVM turned 15.5°; L1-SVM turned 7.7°"), "LS-SVM_turned_15.5°; L1-SVM_turned_7.7°");
});

test("a long clause may be broken, but not before its per cent, nor after a hyphen", () => {
  assert.equal(seen("the error on the clean points is 12.5 %"), "the error on the clean points is 12.5_%");
  assert.equal(kept("L1-SVM"), "L1-\u2060SVM");
  assert.equal(kept("from -1 to 1"), "from\u00a0-1\u00a0to\u00a01");
});
