// The level lines of a field on a grid, by marching squares.
//
// An edge of the grid has the number 2 node + (0 to the right, 1 upwards). Each square joins two of its edges (or four,
// in pairs); from the partners of an edge chains are made.

/**
 * The lines z = level.
 * @param {ArrayLike<number>[]} z one row of the grid after the other
 * @param {number} level
 * @returns {[column: number, row: number][][]} chains of places between the nodes; a closed one ends where it begins
 */
export function levelPaths(z, level) {
  const { used, joined } = partners(z, level);
  const seen = new Set();
  const follow = (/** @type {number} */ edge) => {
    const path = [];
    for (let now = edge; now >= 0 && !seen.has(now); ) {
      seen.add(now);
      path.push(crossing(z, level, now));
      now = seen.has(joined[2 * now]) ? joined[2 * now + 1] : joined[2 * now];
    }
    return path;
  };
  const open = used.filter((edge) => joined[2 * edge + 1] < 0).map(follow);
  const closed = used.filter((edge) => !seen.has(edge)).map((edge) => (seen.has(edge) ? [] : follow(edge)));
  return [...open, ...closed.map((path) => [...path, ...path.slice(0, 1)])].filter((path) => path.length > 1);
}

/**
 * The edges that the lines cross, in any order, and for each edge of the grid the two that follow it, -1 for none.
 * @param {ArrayLike<number>[]} z
 * @param {number} level
 */
function partners(z, level) {
  const [rows, columns] = [z.length, z[0].length];
  const joined = new Int32Array(4 * rows * columns).fill(-1);
  /** @type {number[]} */
  const used = [];
  const note = (one, other) => {
    const first = joined[2 * one] < 0;
    if (first) used.push(one);
    joined[2 * one + (first ? 0 : 1)] = other;
  };
  const join = (one, other) => {
    note(one, other);
    note(other, one);
  };
  for (let r = 0; r < rows - 1; r++) {
    const [low, high] = [z[r], z[r + 1]];
    for (let c = 0; c < columns - 1; c++) {
      const above =
        +(low[c] > level) | (+(low[c + 1] > level) << 1) | (+(high[c + 1] > level) << 2) | (+(high[c] > level) << 3);
      if (above === 0 || above === 15) continue;
      const isAbove = (/** @type {number} */ k) => (above >> (k % 4)) & 1; // from the bottom left, the way round
      const node = r * columns + c;
      const edges = [2 * node, 2 * node + 3, 2 * (node + columns), 2 * node + 1]; // bottom, right, top, left
      const cut = edges.filter((_, side) => isAbove(side) !== isAbove(side + 1));
      if (cut.length === 2) join(cut[0], cut[1]);
      if (cut.length < 4) continue;
      const [bottom, right, top, left] = edges;
      const middle = (low[c] + low[c + 1] + high[c] + high[c + 1]) / 4 > level;
      const upwards = Boolean(isAbove(0)) === middle; // the bottom left and the top right are on one side of the level
      join(bottom, upwards ? right : left);
      join(top, upwards ? left : right);
    }
  }
  return { used, joined };
}

/** Where the line crosses an edge. @returns {[column: number, row: number]} */
function crossing(z, level, edge) {
  const columns = z[0].length;
  const [r, c] = [Math.floor((edge >> 1) / columns), (edge >> 1) % columns];
  const [from, to] = [z[r][c], edge & 1 ? z[r + 1][c] : z[r][c + 1]];
  const share = (level - from) / (to - from);
  return edge & 1 ? [c, r + share] : [c + share, r];
}
