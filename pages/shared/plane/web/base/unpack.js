// The inverse of `pack` in component.py: length of the JSON, the JSON, the arrays. In the JSON an array is {at, type,
// shape}, with a unit where its numbers are whole multiples of it, or the words that stand at the places that it has.

const TYPES = {
  f4: Float32Array,
  f8: Float64Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
};

/**
 * What was packed: a list of numbers becomes a typed array, a matrix a list of such rows, and so on.
 * @param {Uint8Array} bytes
 */
export function unpack(bytes) {
  const { buffer } = bytes.slice(); // at an offset of 0, as typed arrays want it
  const start = 4 + new DataView(buffer).getUint32(0, true);
  const arrays = new Map();
  const split = (flat, /** @type {number[]} */ shape) => {
    const [count, ...rest] = shape;
    if (!rest.length) return flat;
    const size = flat.length / count;
    return Array.from({ length: count }, (_, k) => split(flat.subarray(k * size, (k + 1) * size), rest));
  };
  const readArray = ({ at, type, shape, unit, words }) => {
    const count = shape.reduce((a, b) => a * b, 1);
    const flat = new TYPES[type](buffer, start + at, count);
    if (words) return Array.from(flat, (place) => words[place]);
    return split(unit === undefined ? flat : new Float32Array(flat).map((steps) => steps * unit), shape);
  };
  const fillArrays = (value) => {
    if (value.shape === undefined) {
      for (const key in value) if (value[key] && typeof value[key] === "object") value[key] = fillArrays(value[key]);
      return value;
    }
    const id = JSON.stringify(value);
    if (!arrays.has(id)) arrays.set(id, readArray(value));
    return arrays.get(id);
  };
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, start - 4));
  return fillArrays(JSON.parse(text)); // a reviver would be called for each number and word, three times as slow
}
