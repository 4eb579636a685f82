import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, keepTogether } from "../../pages/shared/plane/web/base/words.js";

const showBreaks = (line) => keepTogether(line).replaceAll("\u00a0", "_").replaceAll("\u2060", "");

test("a line is broken between its clauses, not within a short one", () => {
  assert.equal(showBreaks("test error 0.4 %, turned 7.7°"), "test_error_0.4_%, turned_7.7°");
  assert.equal(showBreaks("LS-SVM turned 15.5°; L1-SVM turned 7.7°"), "LS-SVM_turned_15.5°; L1-SVM_turned_7.7°");
});

test("a long clause may be broken, but not before its per cent, nor after a hyphen", () => {
  assert.equal(showBreaks("the error on the clean points is 12.5 %"), "the error on the clean points is 12.5_%");
  assert.equal(keepTogether("L1-SVM"), "L1-\u2060SVM");
  assert.equal(keepTogether("from -1 to 1"), "from\u00a0-1\u00a0to\u00a01");
});

test("a saved picture is called by its page and by what it shows", () => {
  assert.equal(fileName("/course/convergence", "Dual objective"), "svm-lab-convergence-dual-objective");
  assert.equal(fileName("/losses", "α of the outlier"), "svm-lab-losses-α-of-the-outlier");
  assert.equal(
    fileName("/sparsity", "Step of the coefficients, |Δβ| / N?"),
    "svm-lab-sparsity-step-of-the-coefficients-δβ-n",
  );
  assert.equal(fileName("/", "live"), "svm-lab-live");
});

test("numbers are written as one writes them", async () => {
  globalThis.document = { createElement: () => ({}) };
  const { shortNumber: short } = await import("../../pages/shared/plane/web/controls/fields.js");
  const said = [0.7079, 1, 1000, 100000, 0.001, 1e-6, 1e9, 0, -0.5, 1234567].map(short);
  assert.deepEqual(said, ["0.7079", "1", "1000", "100000", "0.001", "1e-6", "1e9", "0", "-0.5", "1.23e6"]);
});
