// Planes with the same link: they show the same points, ring the same one, and share its editor.

import { memoize } from "../base/memoize.js";
import { PointEditor } from "./point_editor.js";

class Link {
  /** @type {Set<import("../plane.js").Plane>} */
  planes = new Set();
  /** @type {PointEditor | undefined} there is one as soon as the points can be edited */
  editor;

  /** The editor of these planes, made when it is first asked for. */
  ensureEditor() {
    this.editor ??= new PointEditor(this);
    return this.editor;
  }

  /** The planes in the order of the page: they join as they are made, in any order. */
  [Symbol.iterator]() {
    const isBefore = (one, other) => one.root.compareDocumentPosition(other.root) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [...this.planes].sort((one, other) => (isBefore(one, other) ? -1 : 1)).values();
  }
}

const namedLink = memoize(() => new Link());

/** The link of that name; without a name, one for a single plane. */
export const linkOf = (name) => (name ? namedLink(name) : new Link());
