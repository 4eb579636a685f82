import assert from "node:assert/strict";
import { mock, test } from "node:test";

test("presenter mode enlarges letters, lines and markers, and nothing else", async () => {
  mock.timers.enable({ apis: ["setTimeout"] }); // what fades later would keep node running
  const element = () => ({ append() {}, toggleAttribute() {}, removeAttribute() {} });
  const parts = { createElement: element, documentElement: element(), body: element() };
  globalThis.document = { addEventListener() {}, ...parts };
  let phone = true;
  globalThis.matchMedia = () => ({ matches: phone });
  globalThis.dispatchEvent = () => true;
  globalThis.innerWidth = 1920;
  const {
    enlarge: enlarged,
    enlargement,
    setPresenterMode: present,
  } = await import("../../pages/shared/plane/web/controls/presenter.js");
  const figure = {
    data: [
      { contours: { size: 2 }, line: { width: 4 }, marker: { size: new Float32Array([9]) }, z: new Float32Array(3) },
    ],
    layout: {
      xaxis: { tickfont: { size: 12 }, range: [0, 1] },
      margin: { l: 10 },
      annotations: [{ font: { size: 12 }, yshift: -20 }],
    },
  };
  assert.equal(enlargement(), 1);
  assert.equal(enlarged(figure, 1).data, figure.data);
  present(true, () => {});
  assert.equal(enlargement(), 1, "a phone has no presenter mode");
  phone = false;
  present(true, () => {});
  const by = enlargement();
  const { data, layout } = enlarged(figure, by);
  assert.ok(12 * by >= 24 - 1e-9);
  assert.deepEqual([layout.xaxis.tickfont.size, layout.annotations[0].font.size], [12 * by, 12 * by]);
  assert.deepEqual([data[0].contours.size, layout.xaxis.range, layout.margin.l], [2, [0, 1], 10 * by]);
  assert.equal(layout.annotations[0].yshift, -20 * by);
  assert.ok(data[0].line.width > 4 && data[0].marker.size[0] > 9 && data[0].z === figure.data[0].z);
  assert.equal(figure.data[0].line.width, 4);
});
