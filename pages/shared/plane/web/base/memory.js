// What the browser remembers between visits: short texts by name. A browser that stores nothing forgets them.

const PREFIX = "svm-lab ";

/** @returns {string} what was remembered under that name, "" without anything */
export function recall(name) {
  try {
    return localStorage.getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

export function remember(name, text) {
  try {
    if (text) localStorage.setItem(PREFIX + name, text);
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // a private window, or storage that is full or forbidden
  }
}

/** A place without a picture: it tells Python once what was remembered, then it remembers what Python says. */
export class Memory {
  #told = false;

  receive(payload, send) {
    if (!payload) return;
    const { memory, text, known } = payload;
    const before = recall(memory);
    if (!this.#told && !known && before && before !== text) send("memory", { text: before });
    else remember(memory, text);
    this.#told = true;
  }
}
