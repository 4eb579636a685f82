"""Firefox, driven by the remote protocol that it speaks itself (WebDriver BiDi): no driver beside it.

A `Page` has the part of Playwright's interface that the helpers in waiting.py use, so that they serve both browsers.
"""

import itertools
import json
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import serving
from websockets.sync.client import connect

PATIENCE = 120.0  # seconds
POLL = 0.05
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.proxy.type": 1,  # the outside world is not there: this proxy does not exist
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "localhost, 127.0.0.1",
    "layout.css.prefers-color-scheme.content-override": 1,
}
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010"} | {
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Shift": "\ue008",
    "Control": "\ue009",
}  # fmt: skip


@contextmanager
def running(folder: Path, **preferences):
    """A `Firefox` with a profile of its own in the empty `folder`, for as long as the `with` lasts."""
    chosen = PREFERENCES | preferences
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in chosen.items())
    (folder / "user.js").write_text("".join(lines))
    path = serving.tool("firefox-esr", "firefox")
    command = [path, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"]
    with (folder / "log.txt").open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    try:
        address = _address(folder, process)
        with connect(f"{address}/session", max_size=None, open_timeout=PATIENCE, proxy=None) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _address(folder, process):
    """Where it listens, which it writes into its profile."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            server = json.loads((folder / "WebDriverBiDiServer.json").read_text())
            return f"ws://{server['ws_host']}:{server['ws_port']}"
        except (OSError, ValueError):  # not yet, or not all of it
            time.sleep(POLL)
    raise RuntimeError(f"Firefox did not start:\n{(folder / 'log.txt').read_text()}")


class Firefox:
    """A session with a Firefox at the other end of this web socket. `events` are what it has reported."""

    def __init__(self, socket):
        self._socket = socket
        self._numbers = itertools.count(1)
        self.events = []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def command(self, method, **parameters):
        """The result of a command of the protocol; RuntimeError with Firefox's message if it fails."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("id") == number:
                break
            if message["type"] == "event":
                self.events.append(message)
        if message["type"] == "error":
            raise RuntimeError(f"{method}: {message['message']}")
        return message["result"]

    def problems(self):
        """What pages have written to the console as errors, and the addresses outside this machine they asked for."""
        texts = [event["params"] for event in self.events if event["method"] == "log.entryAdded"]
        errors = [entry["text"] for entry in texts if entry["level"] == "error" and "/_stcore/" not in entry["text"]]
        asked = [e["params"]["request"]["url"] for e in self.events if e["method"] == "network.beforeRequestSent"]
        local = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "about:")
        return errors, [url for url in asked if not url.startswith(local)]

    def page(self, width=1300, height=1000) -> "Page":
        """A new tab whose inside is so large."""
        tab = self.command("browsingContext.create", type="tab")["context"]
        self.command("browsingContext.setViewport", context=tab, viewport={"width": width, "height": height})
        return Page(self, tab)


class Page:
    """A tab. Scripts are functions of one argument; argument and result are JSON."""

    def __init__(self, firefox, tab):
        self.firefox, self._tab = firefox, tab
        self._at = (0, 0)

    def close(self):
        self.firefox.command("browsingContext.close", context=self._tab)

    def goto(self, url):
        self.firefox.command("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, script, arg=None):
        done = self.firefox.command(
            "script.callFunction",
            functionDeclaration=f"async (arg) => JSON.stringify(await ({script})(JSON.parse(arg)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(arg)}],
            awaitPromise=True,
            target={"context": self._tab},
            userActivation=True,
        )
        if done["type"] == "exception":
            raise RuntimeError(done["exceptionDetails"]["text"])
        return json.loads(done["result"]["value"])

    def wait_for_function(self, script, *, arg=None, timeout=1000 * PATIENCE):
        """The first result of `script` that counts as true; TimeoutError after `timeout` milliseconds."""
        end = time.monotonic() + timeout / 1000
        while not (result := self.evaluate(script, arg)):
            if time.monotonic() > end:
                raise TimeoutError(f"not true within {timeout / 1000:g} s: {script}")
            time.sleep(POLL)
        return SimpleNamespace(json_value=lambda: result)

    def wait_for_timeout(self, milliseconds):
        time.sleep(milliseconds / 1000)

    # ------------------------------------------------------------------------------------- hands

    def centre(self, selector):
        """The middle of the element, in pixels of the window, once it is there and in sight."""
        return self.wait_for_function(
            """(selector) => {
                const element = document.querySelector(selector);
                if (!element?.checkVisibility()) return null;
                element.scrollIntoView({ block: "nearest" });
                const { left, top, width, height } = element.getBoundingClientRect();
                return width && [left + width / 2, top + height / 2];
            }""",
            arg=selector,
        ).json_value()

    def focus(self, selector):
        self.wait_for_function(
            """(selector) => {
                const element = document.querySelector(selector);
                element?.focus();
                return element && document.activeElement === element;
            }""",
            arg=selector,
        )

    def move(self, to, steps=1):
        """The mouse goes to that place of the window."""
        spots = [[a + (b - a) * k / steps for a, b in zip(self._at, to, strict=True)] for k in range(1, steps + 1)]
        self._pointer(*({"type": "pointerMove", "x": round(x), "y": round(y), "duration": 16} for x, y in spots))
        self._at = tuple(to)

    def down(self):
        self._pointer({"type": "pointerDown", "button": 0})

    def up(self):
        self._pointer({"type": "pointerUp", "button": 0})

    def click(self, to):
        """A click on a place of the window, or on the middle of an element."""
        self.move(self.centre(to) if isinstance(to, str) else to)
        self.down()
        self.up()

    def press(self, key):
        """A key, such as "n", "ArrowRight" or "Control+z"."""
        keys = [KEYS.get(part, part) for part in key.split("+")]
        strokes = [("keyDown", k) for k in keys] + [("keyUp", k) for k in reversed(keys)]
        self._act("key", "keys", [{"type": kind, "value": k} for kind, k in strokes])

    def _pointer(self, *actions):
        self._act("pointer", "mouse", list(actions), parameters={"pointerType": "mouse"})

    def _act(self, kind, name, actions, **more):
        source = {"type": kind, "id": name, "actions": actions, **more}
        self.firefox.command("input.performActions", context=self._tab, actions=[source])
