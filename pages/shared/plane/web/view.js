// What Streamlit calls, with every new payload and with every change of theme. A payload (packed by plane.py) becomes,
// by what it holds,
// {figure, alt, name, link, height, edit, pick, reel, cursor, ask, live}  a plane or a chart (plane.js);
// {board, ...}  the toolbar of that board: the planes linked to it can be edited (toolbar.js);
// {words}  the place of a film's sentence on its moment, apart from its controls;
// {strip, ...}  the controls of the page (strip.js);
// {question, ...}  a question, whose answer may be drawn on a plane (question.js);
// {tour}  a walk over the page on the first visit (tour.js);
// {memory, ...}  what the browser remembers (memory.js);
// {transport, ...}  the controls of that film, which planes with a `reel` or a `cursor` follow (transport.js).

import { find } from "./chart.js";
import { files } from "./files.js";
import { filmOf } from "./film.js";
import { linkOf } from "./links.js";
import { live } from "./live.js";
import { Memory } from "./memory.js";
import { Plane } from "./plane.js";
import { Question } from "./question.js";
import { Strip } from "./strip.js";
import { Toolbar } from "./toolbar.js";
import { Tour } from "./tour.js";
import { Transport } from "./transport.js";
import { unpack } from "./unpack.js";

const mounted = new WeakMap();
const parts = ["plane", "toolbar", "transport", "strip", "question", "tour"].map((name) => files[`${name}.html`]);
const style = document.createElement("style"); // there before the first picture, which would jump
style.textContent = ["plane.css", "strip.css", "question.css"].map((name) => files[name]).join("\n");
document.head.append(style);

/** What Streamlit calls: plotly.js is at one of the `sources`, pictures can be asked for at `channel`. */
export function view(sources, channel) {
  find(sources);
  live.at(channel);
  return show;
}

// Nothing for a payload that is already on the screen.
function show({ data, parentElement, setStateValue }) {
  const mount = parentElement.querySelector(".svm-mount");
  const payload = mounted.get(mount)?.bytes === data ? null : unpack(data);
  if (!mounted.has(mount)) mounted.set(mount, opened(mount, payload));
  const view = mounted.get(mount);
  view.receive(payload, data, setStateValue);
  return () => setTimeout(() => mount.isConnected || view.leave());
}

function opened(mount, { board, transport, strip, question, tour, memory, words }) {
  if (words) return wordsOf(mount, words);
  if (memory) return new Memory(mount);
  mount.innerHTML = parts[board ? 1 : transport ? 2 : strip ? 3 : question ? 4 : tour ? 5 : 0];
  const root = mount.firstElementChild;
  if (board) return new Toolbar(root, linkOf(board).edited());
  if (strip) return new Strip(root);
  if (question) return new Question(root);
  if (tour) return new Tour(root);
  return transport ? new Transport(root, filmOf(transport)) : new Plane(root);
}

function wordsOf(mount, film) {
  mount.innerHTML =
    '<ul class="svm-why" tabindex="0" aria-label="What happens at this moment" aria-live="polite"></ul>';
  mount.firstElementChild.dataset.of = film;
  return { bytes: undefined, receive: () => filmOf(film).retell(), leave() {} };
}
