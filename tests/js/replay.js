// Runs commands on the edits of a problem, for the test that compares them with Python's.

import { unpack } from "../../pages/shared/plane/web/base/unpack.js";
import { Edits } from "../../pages/shared/plane/web/editing/edits.js";

/** What stands after each command [name, ...arguments]: the script, and the points that are there. */
export function replay(given, commands) {
  const edits = new Edits();
  edits.receive(given);
  const act = {
    add: (x, y, label) => edits.put(edits.next, x, y, label),
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
      edits.remember(name);
      act[name](...rest);
    }
    return { rows: edits.rows(), points: edits.ids.map((id) => edits.at(id)) };
  });
}

/** What is unpacked of bytes in base64. */
export function unpacked(text) {
  return unpack(new Uint8Array(Buffer.from(text, "base64")));
}
