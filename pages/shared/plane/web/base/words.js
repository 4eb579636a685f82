// Short texts with **strong**, *stressed* and `code` words and [links](address "tip"), as elements. No HTML.

import { make, setAttributes } from "./dom.js";

const MARK = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[([^\]]+)\]\((\S+?)(?: "([^"]*)")?\)/g;

const CLAUSE = 24; // letters that fit beside one another in the smallest picture

/** A line of short clauses that is broken between them: a number keeps its unit, a machine the angle that it turned. */
export const keepTogether = (line) =>
  line.replace(/[^,;]+/g, (clause) => {
    const whole = clause.trim().length <= CLAUSE ? clause.replace(/(?<=\S) (?=\S)/g, "\u00a0") : clause;
    return whole.replace(/ %/g, "\u00a0%").replace(/(?<=\w)-(?=\w)/g, "-\u2060");
  });

/** The name of the file of a picture, without its ending, by the path of its page and what it shows. */
export const fileName = (path, shown) =>
  `svm-lab ${path.split("/").pop()} ${shown}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join("-");

/** The parts of a text: texts, and [tag, text, attributes]. */
export function parse(text) {
  /** @type {(string | [tag: string, text: string, attributes: Record<string, string>])[]} */
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(MARK)) {
    const [whole, strong, stressed, code, words, address, tip] = found;
    if (found.index > end) parts.push(text.slice(end, found.index));
    end = found.index + whole.length;
    if (strong) parts.push(["strong", strong, {}]);
    else if (stressed) parts.push(["em", stressed, {}]);
    else if (code) parts.push(["code", code, {}]);
    else if (/^(?:https?:|[^:]+$)/.test(address)) {
      parts.push(["a", words, { href: address, title: tip ?? "", target: "_blank", rel: "noopener" }]);
    } else parts.push(words);
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The text as the content of an element; an empty line begins a paragraph of its own. */
export function writeMarkdown(element, text) {
  const paragraphs = String(text ?? "")
    .split(/\n\s*\n/)
    .map((part) => part.replace(/\s*\n\s*/g, " ").trim());
  const nodes = paragraphs.map((part) => parse(part).map(nodeOf));
  element.replaceChildren(...nodes.flatMap((part, k) => (k ? [make("br"), ...part] : part)));
  return element;
}

let boxes = 0;

/** A term opens its meaning in place, for a finger and for keys, too; from there a link leads to the glossary. */
export function termElement(words, { href, title }) {
  const named = { className: "svm-meaning", id: `svm-meaning-${++boxes}`, popover: "auto" };
  const more = nodeOf(["a", "Glossary", { href, target: "_blank", rel: "noopener" }]);
  const box = make("span", named, nodeOf(["strong", words, {}]), ` ${title} `, more);
  const opens = { title, textContent: words, popoverTargetElement: box };
  return make("span", {}, make("button", { type: "button", className: "svm-term", ...opens }), box);
}

function nodeOf(part) {
  if (typeof part === "string") return document.createTextNode(part);
  const [tag, text, attributes] = part;
  if (attributes.title) return termElement(text, attributes);
  const given = Object.entries(attributes).filter(([, value]) => value);
  return setAttributes(make(tag, { textContent: text }), Object.fromEntries(given));
}
