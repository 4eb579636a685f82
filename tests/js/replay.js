// What tests in Python compare with the same in Python, and bytes as Python packs them.

import { fieldOf, fit, shapeOf } from "../../pages/shared/plane/live_file/machine.js";
import { unpack } from "../../pages/shared/plane/web/base/unpack.js";
import { Edits } from "../../pages/shared/plane/web/editing/edits.js";

/** What stands after each command [name, ...arguments]: the script, and the points that are there. */
export function replay(given, commands) {
  const edits = new Edits();
  edits.receive(given);
  const act = {
    add: (x, y, label) => edits.put(edits.nextId, x, y, label),
    shift: (ids, by, limits) => edits.shift(edits.places(ids), by, limits),
    flip: (ids) => edits.flip(ids),
    mark: (ids, on) => edits.mark(ids, on),
    switchOff: (ids, off) => edits.switchOff(ids, off),
    remove: (ids) => edits.remove(ids),
    snap: (ids) => edits.snap(ids),
  };
  return commands.map(([name, ...rest]) => {
    if (name === "undo" || name === "redo") edits[name]();
    else {
      edits.recordStep(name);
      act[name](...rest);
    }
    return { rows: edits.rows(), points: edits.ids.map((id) => edits.point(id)) };
  });
}

/** The whole fit of a live file as plain numbers, with f at the places of a grid. */
export function fitOnGrid(points, loss, params, setting, { xs, ys, ...options }) {
  const found = fit(points, shapeOf(loss, params), setting, options);
  return { ...found, field: fieldOf(found, xs, ys) };
}

/** What is unpacked of bytes in base64. */
export const unpackBase64 = (text) => unpack(new Uint8Array(Buffer.from(text, "base64")));

/** As `pack` in component.py has it: length of the JSON, the JSON padded to 8 with the length, the arrays. */
export function pack(spec, ...arrays) {
  const json = new TextEncoder().encode(JSON.stringify(spec));
  const start = Math.ceil((json.length + 4) / 8) * 8;
  const bytes = new Uint8Array(start + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)).fill(32);
  new DataView(bytes.buffer).setUint32(0, start - 4, true);
  bytes.set(json, 4);
  let at = start;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer), at);
    at += array.byteLength;
  }
  return bytes;
}
