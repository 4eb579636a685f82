"""Starting what browser tests and benchmarks need: a Streamlit server on a free loopback port, several processes behind
their proxy, and a Chromium; and what they report.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PICTURE = ".svm-plane:not([data-drawn='0']), .stPlotlyChart .main-svg"  # ours, or that of a page of Streamlit alone
PATIENCE = 180  # seconds until a server answers, on a machine that does something else, too
# For each window Chromium loads two pages of its own, the popups of the address bar, in a third of the time that a page
# of the app takes. The last list of features counts alone, so those of Playwright's that matter here are in it.
OFF = """WebUIOmniboxPopup WebUIOmniboxAimPopup AvoidUnnecessaryBeforeUnloadCheckSync HttpsUpgrades LensOverlay
    MediaRouter PaintHolding ThirdPartyStoragePartitioning OptimizationHints AimEnabled""".split()
FLAGS = [
    *"""--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --no-proxy-server""".split(),
    f"--disable-features={','.join(OFF)}",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",  # the outside world is not there
]


def tool(*names):
    """The path of a program, by the first of these names that is found; without one the test is skipped, but fails in
    CI, where `.ci/run` installs it.
    """
    found = next(filter(None, map(shutil.which, names)), None)
    return found or (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {' or '.join(names)} on this machine")


@contextlib.contextmanager
def running(command, log, **environment):
    """A process with this command, until the end of the block; what it says goes to `log`."""
    with log.open("w") as out:
        env = {**os.environ, **environment}
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextlib.contextmanager
def chromium():
    """A Chromium of Playwright's, for which the outside world is not there, until the end of the block."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = tool("chromium", "google-chrome")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class FirstVisit(NamedTuple):
    """What a new browser has fetched for a page with a picture, until it rests: paths below the address, and their
    bytes on the wire; `in_all` with the page itself and its sockets.

    Files of the visitor's own session and what is asked of the server itself are left out.
    """

    paths: list[str]
    of_files: int
    in_all: int

    def like(self, size: int) -> bool:
        """Whether somebody who has received so many bytes of files has fetched the same."""
        return abs(size - self.of_files) < 0.05 * self.of_files


def first_visit(url) -> FirstVisit:
    """What a new browser receives of the page with a picture at `url`."""
    with ThreadPoolExecutor(1) as thread:  # that of the caller may hold a browser, and Playwright allows one a thread
        return thread.submit(_first_visit, url).result()


def _first_visit(url):
    asked, sizes, base = {}, {}, f"{url.partition('?')[0].rpartition('/')[0]}/"
    frames = []
    with chromium() as browser:
        page = browser.new_page()
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on(
            "Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]})
        )
        network.on(
            "Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]})
        )
        taken = lambda event: frames.append(len(event["response"]["payloadData"]) * 3 // 4)  # noqa: E731, in base 64
        network.on("Network.webSocketFrameReceived", taken)
        page.goto(url)
        page.locator(PICTURE).first.wait_for(timeout=1000 * PATIENCE)
        page.wait_for_load_state("networkidle")
    found = {asked.get(key, "").removeprefix(base): size for key, size in sizes.items()}
    files = {path: size for path, size in found.items() if path.startswith(("static/", "plane-", "plotly-"))}
    return FirstVisit(list(files), round(sum(files.values())), round(sum(sizes.values()) + sum(frames)))


@contextlib.contextmanager
def server(app, log, port=None, base=""):
    """(process, address) of a Streamlit server of `app`, a path below the root, that answers until the end of the
    block; output goes to `log`.

    `port` is a free one if none is given; `base` is the path below which it serves.
    """
    port = port or free_port()
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    options += [f"--server.baseUrlPath={base}"] if base else []
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / app), *options]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    url = f"http://127.0.0.1:{port}/{base}".rstrip("/")
    with running(command, log, PYTHONPATH=path) as process:
        wait_for(process, url, log)
        yield process, url


def free_port():
    """A port of this machine that nothing listens on, below those that the system gives to connections.

    So no connection of a browser takes it before the server does, or while the server is away.
    """
    while True:
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", 20_000 + secrets.randbelow(12_000)))
            return probe.getsockname()[1]


def wait_for(process, url, log):
    """Wait until the server at `url` answers; RuntimeError with its `log` if it does not."""
    end = time.monotonic() + PATIENCE
    while not _answers(f"{url}/_stcore/health"):
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise RuntimeError(f"the server did not start:\n{log.read_text()}")
        time.sleep(0.05)


def _answers(url):
    try:
        with urllib.request.urlopen(url, timeout=1) as reply:
            return reply.status == 200
    except OSError:
        return False


@contextlib.contextmanager
def answering(handler):
    """A small server on this machine whose requests the class `handler` answers, until the end of the block."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


@contextlib.contextmanager
def processes(count, folder, *options):
    """The address of so many processes of the app behind the proxy; a sub-path is `"--base", NAME`.

    The store and the log are in `folder`.
    """
    port = free_port()
    address = ["--port", str(port), "--host", "127.0.0.1"]
    command = [sys.executable, "-m", "deploy", "serve", "--processes", str(count), *address, *options]
    base = "/".join(["", *options[1:2]]) if options[:1] == ("--base",) else ""
    url, log = f"http://127.0.0.1:{port}{base}", folder / "log"
    with running(command, log, SVM_LAB_STORE=str(folder / "store.sqlite3")) as process:
        wait_for(process, url, log)
        yield url
        found = pids(url)
    assert not [pid for pid in found if Path(f"/proc/{pid}").exists()]


def health(url) -> dict:
    """What the process that answers reports of itself."""
    with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=30) as reply:
        return json.load(reply)


def pids(url, count=2) -> set[int]:
    """The processes behind a proxy: `count` of them, or what is found in a minute."""
    found, end = set(), time.monotonic() + 60
    while len(found) < count and time.monotonic() < end:
        try:
            found.add(health(url)["process"])
        except OSError:
            time.sleep(0.2)
    return found


def processor(pid) -> float:
    """The seconds of processor time that a process has taken so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
