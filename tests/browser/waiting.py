"""Waiting for Streamlit: count the `script_finished` messages on the websocket.

The attribute data-test-script-state is not enough: a run of a few milliseconds may never show "running".
"""

import time
from contextlib import contextmanager

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

IDLE = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    return app?.getAttribute('data-test-script-state') === 'notRunning'
        && app.getAttribute('data-test-connection-state') === 'CONNECTED';
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Runs:
    """Counts the finished script runs of one page; attach it before the first `goto`."""

    def __init__(self, page):
        self.page, self.finished = page, 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))

    def _frame(self, data):
        if isinstance(data, str):
            return
        message = ForwardMsg()
        message.ParseFromString(data)
        early = ForwardMsg.FINISHED_EARLY_FOR_RERUN
        if message.WhichOneof("type") == "script_finished" and message.script_finished != early:
            self.finished += 1

    def wait_for(self, count, timeout=20.0):
        """Until `count` runs have finished and the page has painted what they sent."""
        end = time.monotonic() + timeout
        while self.finished < count:
            if time.monotonic() > end:
                raise TimeoutError(f"{count} script runs expected within {timeout} s, {self.finished} finished")
            self.page.wait_for_timeout(5)
        self.page.wait_for_function(IDLE)
        self.page.evaluate(PAINTED)

    @contextmanager
    def another(self, count=1):
        """`with runs.another(): press something` leaves when a run that began inside has been painted."""
        before = self.finished
        yield
        self.wait_for(before + count)


def open_page(page, url):
    """Open `url` and wait for its first run; returns the page's `Runs`."""
    runs = Runs(page)
    page.goto(url)
    runs.wait_for(1)
    return runs


def plane(page, key):
    """The locator of the plane component with `key`."""
    return page.locator(f'.svm-plane[data-name="{key}"]')


def figure(page, key):
    """The traces of the plane with `key`, by name: {"x", "y", "z", "customdata"} as lists, where a trace has them."""
    return plane(page, key).evaluate("""(root) => {
        const list = (value) => Array.isArray(value) ? value.map(list) : ArrayBuffer.isView(value) ? [...value] : value;
        const parts = (trace) => ['x', 'y', 'z', 'customdata'].filter((part) => trace[part]);
        const told = (trace) => Object.fromEntries(parts(trace).map((part) => [part, list(trace[part])]));
        return Object.fromEntries(root.figure.data.map((trace) => [trace.name, told(trace)]));
    }""")


def drawn(page, key, count=1):
    """Wait until the plane with `key` has drawn at least `count` times; returns how often it has drawn."""
    selector = f'.svm-plane[data-name="{key}"]'
    page.wait_for_function("([s, n]) => +document.querySelector(s)?.dataset.drawn >= n", arg=[selector, count])
    return int(plane(page, key).get_attribute("data-drawn"))


def settled(page):
    """Wait until no plane has hover boxes left to renew, and the page has painted."""
    page.wait_for_function("() => !document.querySelector('.svm-plane[data-settling]')")
    page.evaluate(PAINTED)
