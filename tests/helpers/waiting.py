"""Waiting for Streamlit: count the `script_finished` messages on the websocket.

The attribute data-test-script-state is not enough: a run of a few milliseconds may never show "running".
"""

import base64
import io
import time
from contextlib import contextmanager

import numpy as np
import pytest
from PIL import Image
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PATIENCE = 120.0  # seconds for any condition: no test may depend on the speed of the machine
IDLE = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    return app?.getAttribute('data-test-script-state') === 'notRunning'
        && app.getAttribute('data-test-connection-state') === 'CONNECTED';
}"""
LIVE = """async () => {
    const { modules } = await import(document.querySelector('script[src*="/plane-"]').src);
    const { live } = modules.live;
    return live.isOpen;
}"""
QUIET = """() => new Promise((done) => {
    const rest = () => { watch.disconnect(); done(); };
    let still = setTimeout(rest, 300);
    const watch = new MutationObserver(() => { clearTimeout(still); still = setTimeout(rest, 300); });
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def mostly_slow(values, quick) -> list:
    """The parameters of a test of which the default suite runs only those in `quick`, the slow checks the others."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values]


def until(page, condition):
    """Wait until `condition()` holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not true within {PATIENCE:g} s")
        page.wait_for_timeout(20)


def connected(page):
    """Wait until the live channel of the page takes questions."""
    until(page, lambda: page.evaluate(LIVE))


def quiet(page):
    """Wait until no run is under way and nothing on the page has changed for 300 milliseconds."""
    page.wait_for_function(IDLE)
    page.evaluate(QUIET)
    page.wait_for_function(IDLE)


class Runs:
    """Counts the script runs of one page; attach it before the first `goto`.

    `begun` is how many runs have begun, `finished` how many ran to their end, of the whole page: a part that runs by
    itself, such as the progress of a first start, finishes nothing. `newest` is the number of the run finished last.
    """

    def __init__(self, page):
        self.page, self.begun, self.finished, self.newest = page, 0, 0, 0
        page.on("websocket", self._listen)

    def _listen(self, socket):
        if "/_stcore/" in socket.url:  # the live channel has a socket of its own
            socket.on("framereceived", self._frame)

    def _frame(self, data):
        if isinstance(data, str):
            return
        message = ForwardMsg()
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.begun += 1
        if kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.finished, self.newest = self.finished + 1, self.begun

    def wait_for(self, number, timeout=PATIENCE):
        """Until the run with this number, or a later one, has finished and the page has painted what it sent."""
        end = time.monotonic() + timeout
        while self.newest < number:
            if time.monotonic() > end:
                raise TimeoutError(f"script run {number} expected within {timeout} s, {self.newest} is the newest")
            self.page.wait_for_timeout(5)
        self.page.wait_for_function(IDLE)
        self.page.evaluate(PAINTED)

    @contextmanager
    def another(self):
        """`with runs.another(): press something` leaves when a run that began inside has been painted."""
        before = self.begun
        yield
        self.wait_for(before + 1)


def open_page(page, url):
    """Open `url` and wait for its first run; returns the page's `Runs`."""
    runs = Runs(page)
    page.goto(url)
    runs.wait_for(1)
    return runs


def opened(page, url, *keys):
    """Open `url` and wait until the planes with these keys have drawn; returns the page's `Runs`."""
    runs = open_page(page, url)
    for key in keys:
        drawn(page, key)
    return runs


def under_hand(page, url, key="plane"):
    """Open `url` and wait until the points of the plane with `key` can be moved; returns the page's `Runs`."""
    runs = opened(page, url, key)
    page.wait_for_function("() => document.querySelector('.svm-editor')?.dataset.answered")
    return runs


def plane(page, key):
    """The locator of the plane component with `key`, when one is left of that name (see `ask`)."""
    ask(page, key, "() => true")
    return page.locator(_selector(key))


def _selector(key):
    return f'.svm-plane[data-name="{key}"]'


def ask(page, key, script, arg=None):
    """What `script`, a function of the root of the plane with `key` and of `arg`, returns.

    While a run replaces a part of the page, Streamlit keeps the old plane beside the new one: wait until one is left,
    and ask it in the same step.
    """
    result = page.wait_for_function(
        f"""([selector, arg]) => {{
            const found = document.querySelectorAll(selector);
            return found.length === 1 && {{ result: ({script})(found[0], arg) }};
        }}""",
        arg=[_selector(key), arg],
    )
    return result.json_value().get("result")


def pixels(page, key):
    """The canvases of the plane with `key`, one upon the other, as an array (height, width, 4)."""
    stacked = """(root) => {
        const canvases = [...root.querySelectorAll('canvas')], { width, height } = canvases[0];
        const sheet = Object.assign(document.createElement('canvas'), { width, height });
        for (const canvas of canvases) sheet.getContext('2d').drawImage(canvas, 0, 0);
        return sheet.toDataURL();
    }"""
    url = ask(page, key, stacked)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))))


def figure(page, key, names=None):
    """The traces of the plane with `key`, by name: {"x", "y", "z", "customdata"} as lists, where a trace has them.

    With `names` only those.
    """
    return ask(
        page,
        key,
        """(root, names) => {
            const list = (value) =>
                Array.isArray(value) ? value.map(list) : ArrayBuffer.isView(value) ? [...value] : value;
            const parts = (trace) => ['x', 'y', 'z', 'customdata'].filter((part) => trace[part]);
            const content = (trace) => Object.fromEntries(parts(trace).map((part) => [part, list(trace[part])]));
            const wanted = root.figure.data.filter((trace) => !names || names.includes(trace.name));
            return Object.fromEntries(wanted.map((trace) => [trace.name, content(trace)]));
        }""",
        names,
    )


def drawn(page, key, count=1):
    """Wait until the plane with `key` has drawn at least `count` times; returns how often it has drawn."""
    result = page.wait_for_function(
        """([selector, count]) => {
            const found = document.querySelectorAll(selector);
            return found.length === 1 && +found[0].dataset.drawn >= count && found[0].dataset.drawn;
        }""",
        arg=[_selector(key), count],
    )
    return int(result.json_value())


def settled(page):
    """Wait until no plane has hover boxes left to renew, and the page has painted."""
    page.wait_for_function("() => !document.querySelector('.svm-plane[data-settling]')")
    page.evaluate(PAINTED)


def spot(page, key, index):
    """Page coordinates of the marker of the training point `index` in the plane with `key`."""
    found = """(root, index) => {
        for (const { x, y, customdata } of root.figure.data) {
            const k = [...(customdata ?? [])].findLastIndex(([id], k) => id === index && !Number.isNaN(x[k]));
            if (k >= 0) return [x[k], y[k]];
        }
    }"""
    return place(page, key, *ask(page, key, found, index))


def place(page, key, x, y):
    """Page coordinates of the place (x, y) of the plane with `key`."""
    return ask(
        page,
        key,
        """(root, [x, y]) => {
            const box = root.querySelector('.svm-chart').getBoundingClientRect(), { xaxis, yaxis } = root.axes;
            return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)];
        }""",
        [x, y],
    )


def points(page, key):
    """{id: (x, y, label)} of the points that are fitted, as the figure of the plane with `key` shows them.

    The points of a regression have the label None.
    """
    labels = {"points +1": 1, "points -1": -1, "points": None, **{f"points {k}": k for k in (1, 2, 3)}}
    found, traces = {}, figure(page, key, [*labels])
    for name, label in labels.items():
        trace = traces.get(name, {"customdata": [], "x": [], "y": []})
        for (index, *_), x, y in zip(trace["customdata"], trace["x"], trace["y"], strict=True):
            found[int(index)] = (x, y, label)
    return found


def answered(page):
    """Wait until the board has sent all edits, and the full picture of them is drawn."""
    page.wait_for_function("() => document.querySelector('.svm-editor')?.dataset.settled === 'true'")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
    )
    settled(page)


def menu(page, title):
    """The link of the menu to the page with this title."""
    name = "SVM Lab" if title == "Home" else title
    return page.locator(".st-key-nav").get_by_role("link", name=name, exact=True)


@contextmanager
def held(page, start, end=None, steps=8):
    """With the mouse, from one place of the page to another; the button is released on leaving."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*(end or start), steps=steps)
    yield
    page.mouse.up()


def drag(page, start, end, steps=4):
    """`held`, and released at once."""
    with held(page, start, end, steps):
        pass


def swipe(page, start, end, steps=8, hold=0):
    """A finger from `start`, where it rests for `hold` milliseconds, to `end`.

    It stops before it leaves: else the page scrolls on for seconds, and no touch can be kept from scrolling then.
    """
    cdp = page.context.new_cdp_session(page)
    for k in range(steps + 1):
        x, y = (a + (b - a) * k / steps for a, b in zip(start, end, strict=True))
        kind = "touchStart" if k == 0 else "touchMove"
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(hold if hold and k == 0 else 16)
    page.wait_for_timeout(150)
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
