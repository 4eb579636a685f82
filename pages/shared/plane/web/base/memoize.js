/**
 * What is made once for each name, when it is first asked for.
 * @template T
 * @param {() => T} make
 * @returns {(name: string) => T}
 */
export function memoize(make) {
  const values = new Map();
  return (name) => {
    if (!values.has(name)) values.set(name, make());
    return values.get(name);
  };
}
