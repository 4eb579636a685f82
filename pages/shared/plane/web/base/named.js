/**
 * What is made once for each name, when it is first asked for.
 * @template T
 * @param {() => T} make
 * @returns {(name: string) => T}
 */
export function named(make) {
  const known = new Map();
  return (name) => {
    if (!known.has(name)) known.set(name, make());
    return known.get(name);
  };
}
