// What Streamlit calls, with every new payload and with every change of theme. A payload (packed by component.py)
// becomes, by what it holds,
// {figure, alt, name, link, height, edit, pick, frames, cursor, ask, live}  a plane or a chart (plane.js);
// {editor, ...}  the toolbar of that point editor: the planes linked to it can be edited (toolbar.js);
// {words}  the place of a film's sentence on its moment, apart from its controls;
// {controls, ...}  the control bar of the page (control_bar.js);
// {question, ...}  a question, whose answer may be drawn on a plane (question.js);
// {chapter, ...}  a text that is read beside its picture (chapter.js);
// {share}  the buttons that copy the link and save the picture (share.js);
// {tour}  a walk over the page, behind a link (tour.js);
// {memory, ...}  what the browser remembers (memory.js);
// {transport, ...}  the controls of that film, which planes with `frames` or a `cursor` follow (transport.js).

import { make } from "./base/dom.js";
import { live } from "./base/live.js";
import { Memory } from "./base/memory.js";
import { unpack } from "./base/unpack.js";
import { ControlBar } from "./controls/control_bar.js";
import { Share } from "./controls/share.js";
import { Tour } from "./controls/tour.js";
import { linkOf } from "./editing/links.js";
import { Toolbar } from "./editing/toolbar.js";
import { files } from "./files.js";
import { filmOf } from "./film/film.js";
import { Transport } from "./film/transport.js";
import { setSource } from "./picture/chart.js";
import { Plane } from "./plane.js";
import { Chapter } from "./question/chapter.js";
import { Question } from "./question/question.js";

/** @type {Record<string, [html: string, open: (root: any, value: any) => any]>} by what a payload holds */
const VIEWS = {
  editor: [files["toolbar.html"], (root, name) => new Toolbar(root, linkOf(name).ensureEditor())],
  transport: [files["transport.html"], (root, name) => new Transport(root, filmOf(name))],
  controls: [files["control_bar.html"], (root) => new ControlBar(root)],
  question: [files["question.html"], (root) => new Question(root)],
  chapter: [files["chapter.html"], (root) => new Chapter(root)],
  share: [files["share.html"], (root) => new Share(root)],
  tour: [files["tour.html"], (root) => new Tour(root)],
  memory: ["<i hidden></i>", () => new Memory()],
  words: [files["words.html"], openWords],
  figure: [files["plane.html"], (root) => new Plane(root)],
};

/** The sentences of a film, apart from its controls, which write them into this place. */
function openWords(root, film) {
  root.dataset.of = film;
  return { receive: () => filmOf(film).transport?.show() };
}

/** @type {WeakMap<Element, { view: any, data: Uint8Array }>} */
const views = new WeakMap();
const styles = ["plane.css", "save.css", "control_bar.css", "question.css"].map((name) => files[name]);
document.head.append(make("style", { textContent: styles.join("\n") })); // before the first picture, which would jump

/** What Streamlit calls: plotly.js is at this address, pictures can be asked for at `channel`. */
export function configure(plotly, channel) {
  setSource(plotly);
  live.address = channel;
  return showPayload;
}

// Nothing for a payload that is already on the screen.
function showPayload({ data, parentElement, setStateValue }) {
  const mount = parentElement.querySelector(".svm-mount");
  const known = views.get(mount);
  const payload = known?.data === data ? null : unpack(data);
  const view = known?.view ?? openView(mount, payload);
  views.set(mount, { view, data });
  view.receive(payload, setStateValue);
  return () => setTimeout(() => mount.isConnected || view.leave?.());
}

function openView(mount, payload) {
  const kind = Object.keys(VIEWS).find((name) => name in payload) ?? "figure";
  const [html, open] = VIEWS[kind];
  mount.innerHTML = html;
  return open(mount.firstElementChild, payload[kind]);
}
