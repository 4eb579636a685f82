// Lets Python call the modules that need no page: a line of JSON {module, call, args} in, {result} or {error} out.

import { createInterface } from "node:readline";

const root = new URL("../../", import.meta.url);
const plain = (_, value) => (ArrayBuffer.isView(value) ? [.../** @type {any} */ (value)] : value);

for await (const line of createInterface({ input: process.stdin })) {
  const { module, call, args } = JSON.parse(line);
  const answer = await import(new URL(module, root))
    .then((found) => ({ result: typeof found[call] === "function" ? found[call](...args) : found[call] }))
    .catch((error) => ({ error: String(error) }));
  console.log(JSON.stringify(answer, plain));
}
