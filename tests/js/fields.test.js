import assert from "node:assert/strict";
import { test } from "node:test";

test("numbers are written as one writes them", async () => {
  globalThis.document = { createElement: () => ({}) };
  const { short } = await import("../../pages/shared/plane/web/controls/fields.js");
  const said = [0.7079, 1, 1000, 100000, 0.001, 1e-6, 1e9, 0, -0.5, 1234567].map(short);
  assert.deepEqual(said, ["0.7079", "1", "1000", "100000", "0.001", "1e-6", "1e9", "0", "-0.5", "1.23e6"]);
});
