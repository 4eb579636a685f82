"""What the live channel and the server bring, side by side with a plain st.plotly_chart page of the same contents.

    python tests/bench/bench_live.py [--repeat 5] [--only start,release,drag,clients]

start: seconds from the command to the first picture in a browser that is open, and for a second visitor in a new one.
release: milliseconds from an arrow key on the slider of C to the full new picture. drag: pictures a second of the
slowest plane while a point is dragged for three seconds, with the channel and without it; and while C is held; and
the processor time of the server for a picture. clients: several that hold C at once. Medians; with them the ratio to
the first line of each block.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers"), str(Path(__file__).parent)]

import serving
import waiting
from bench_browser import DRAG
from playwright.sync_api import sync_playwright
from starlette.websockets import WebSocketDisconnect

from pages.shared.choices import Data, Machine, Setting
from pages.shared.live import drawn

PLAIN = "tests/bench/apps/plain.py"
STARTS = {"plain page": (PLAIN, "/?n=40"), "Playground": ("app.py", "/playground")}
RELEASES = {
    "Playground, N = 200": [
        ("plain page", PLAIN, "/?n=200", "log10 C"),
        ("ours", "app.py", "/playground?problem=moons", "C, weight of the loss"),
    ],
    "Compare of four, N = 200": [
        ("plain page", PLAIN, "/?page=compare&n=200", "log10 C"),
        ("ours", "app.py", "/compare?problem=moons", "C, weight of the loss"),
    ],
}
DRAGS = {
    "Playground, N = 40": ("/playground", "plane"),
    "Playground, N = 100": ("/playground?problem=moons&n=100", "plane"),
    "Compare of four, N = 40": ("/compare", "overlay"),
}
PICTURE = ".svm-plane[data-sketched], .svm-plane:not([data-drawn='0']), .stPlotlyChart .main-svg"
WHOLE = ".svm-plane:not([data-drawn='0']), .stPlotlyChart .main-svg"  # with its axes
FIELDS = """() => [...document.querySelectorAll('.js-plotly-plot')].map((chart) => {
    const { figure } = chart.closest('.svm-plane') ?? {};
    const { data } = figure ?? chart;
    const shown = data?.find(({ type }) => type === 'contour') ?? data?.[0];
    return { chart, z: shown?.z ?? shown?.y, size: shown?.z?.length };
})"""
WATCH = f"""() => {{
    const fields = {FIELDS}, before = fields().map(({{ z }}) => z);
    let start;
    addEventListener('keydown', () => {{ start = performance.now(); }}, {{ capture: true, once: true }});
    const done = () => {{
        const now = fields();
        const full = now.every(({{ z, size }}, k) => z && z !== before[k] && (size === undefined || size === 100));
        return start !== undefined && now.length === before.length && full;
    }};
    window.pictured = new Promise((tell) => {{
        const look = async () => {{
            if (!done()) return requestAnimationFrame(look);
            requestAnimationFrame(() => tell(performance.now() - start));
        }};
        look();
    }});
}}"""
HOLD = """async ([key, seconds]) => {
    const modules = [...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href);
    const { ask } = await import(modules.find((href) => href.endsWith('/live.js')));
    const planes = [...document.querySelectorAll('.svm-plane')];
    const counts = () => planes.map((plane) => +plane.dataset.drawn);
    const before = counts(), start = performance.now();
    for (let k = 0; performance.now() - start < 1000 * seconds; k++) {
        if (!ask({ C: 10 ** Math.sin(k / 40) }, { moving: true })) return 0;
        await new Promise(requestAnimationFrame);
    }
    const taken = (performance.now() - start) / 1000;
    return Math.min(...counts().map((count, k) => (count - before[k]) / taken));
}"""


class Servers:
    """One server for each app, started when it is first asked for."""

    def __init__(self):
        self.running = {}

    def __call__(self, app):
        if app not in self.running:
            self.running[app] = serving.start(app, Path(tempfile.mkdtemp()) / "log.txt")
        return self.running[app][1]

    def seconds(self, app):
        """The processor time of the server so far."""
        fields = Path(f"/proc/{self.running[app][0].pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        for process, _ in self.running.values():
            process.terminate()
            process.wait()


def first_picture(page, url):
    """Opens the address again and again until there is a server, and waits for the first picture."""
    while True:
        try:
            page.goto(url)
            break
        except Exception:
            time.sleep(0.02)
    page.wait_for_selector(PICTURE, timeout=120_000)


def starts(chromium, repeat):
    print(f"{'start':28}{'first s':>9}{'second s':>10}")
    rows = {name: [] for name in STARTS}
    for _ in range(repeat):
        for name, (app, path) in STARTS.items():
            page = chromium.new_context().new_page()
            begun = time.perf_counter()
            process, url = serving.start(app, Path(tempfile.mkdtemp()) / "log.txt")
            try:
                first_picture(page, url + path)
                first, visitor = time.perf_counter() - begun, chromium.new_context().new_page()
                begun = time.perf_counter()
                first_picture(visitor, url + path)
                rows[name].append([first, time.perf_counter() - begun])
                page.context.close()
                visitor.context.close()
            finally:
                process.terminate()
                process.wait()
    table({name: np.median(row, axis=0) for name, row in rows.items()}, "{:9.2f}{:10.2f}")


def releases(chromium, server, repeat):
    for title, variants in RELEASES.items():
        print(f"{'release: ' + title:28}{'ms':>9}")
        pages = {}
        for name, app, path, label in variants:
            pages[name] = chromium.new_page(viewport=dict(width=1300, height=1100)), label
            first_picture(pages[name][0], server(app) + path)
            pages[name][0].wait_for_timeout(3000)
        rows = {name: [] for name in pages}
        for _ in range(repeat + 1):
            for name, (page, label) in pages.items():  # in turns: the load of the machine is that of all
                page.bring_to_front()
                page.evaluate(WATCH)
                page.get_by_role("slider", name=label).press("ArrowRight")
                rows[name].append([page.evaluate("() => window.pictured")])
                page.wait_for_timeout(500)
        table({name: np.median(row[1:], axis=0) for name, row in rows.items()}, "{:9.0f}")
        for page, _ in pages.values():
            page.close()


def drags(chromium, server, repeat):
    for title, (path, key) in DRAGS.items():
        print(f"{'drag: ' + title:28}{'pictures/s':>11}{'held':>8}{'server ms/picture':>19}")
        found = {}
        for name in ("by runs", "live channel"):
            page = chromium.new_page(viewport=dict(width=1300, height=1100))
            if name == "by runs":
                page.route_web_socket("**/live", lambda socket: socket.close(code=1011))
            waiting.under_hand(page, server("app.py") + path, key)
            page.wait_for_timeout(1500)
            rows = []
            for _ in range(repeat + 1):
                spent = server.seconds("app.py")
                rate = page.evaluate(DRAG, [key, 3.0])[0]
                rows.append([rate, 1000 * (server.seconds("app.py") - spent) / max(3.0 * rate, 1.0)])
                waiting.answered(page)
            rate, cost = np.median(rows[1:], axis=0)
            found[name] = [rate, page.evaluate(HOLD, [key, 3.0]), cost]
            page.close()
        table(found, "{:11.1f}{:8.1f}{:19.1f}")


class Client:
    """A socket whose browser asks thirty times a second while it holds C, each time after the last answer."""

    headers = {}

    def __init__(self, scene, seconds):
        self.scene, self.end, self.waits = scene, time.perf_counter() + seconds, []
        self.asked = 0.0

    async def accept(self):
        pass

    async def receive_text(self):
        await asyncio.sleep(max(0.0, self.asked + 1 / 30 - time.perf_counter()))
        self.asked = time.perf_counter()
        if self.asked > self.end:
            raise WebSocketDisconnect(1000)
        changes = {"C": 10 ** float(np.sin(len(self.waits) / 40))}
        return json.dumps({"token": self.scene.token, "seq": len(self.waits), "moving": True, "changes": changes})

    async def send_bytes(self, data):
        self.waits.append(time.perf_counter() - self.asked)


def clients(count, seconds=5.0):
    """Pictures a second of as many clients at once, Playground with N = 40, without a network."""
    from pages.shared.live import channel, pictures

    screen = drawn.Screen(Data("toy_outliers", 0, ()), (Machine("hinge"),), Setting(1.0, "linear", 1.0))
    scenes = [pictures.Scene("playground") for _ in range(count)]
    for scene in scenes:
        scene.show(screen, None)
        scene.answer({})
    (route,) = channel.routes()

    async def all_at_once():
        sockets = [Client(scene, seconds) for scene in scenes]
        await asyncio.gather(*(route.endpoint(socket) for socket in sockets))
        return sockets

    spent, sockets = time.process_time(), asyncio.run(all_at_once())
    rates = [len(socket.waits) / seconds for socket in sockets]
    cost = 1000 * (time.process_time() - spent) / (sum(rates) * seconds)
    waits = 1000 * np.concatenate([socket.waits for socket in sockets])
    print(
        f"{count:3} clients: pictures/s of each {min(rates):.1f} to {max(rates):.1f}, {np.median(waits):.0f} ms, "
        f"90th percentile {np.percentile(waits, 90):.0f}; processor {cost:.1f} ms a picture",
        flush=True,
    )


def table(rows, form):
    first = next(iter(rows.values()))
    for name, row in rows.items():
        ratio = f"   x {row[0] / first[0]:.2f}" if row is not first else ""
        print(f"  {name:26}{form.format(*row)}{ratio}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--only", default="start,release,drag,clients")
    options = arguments.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    server = Servers()
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=serving.browser(), args=serving.FLAGS)
            if "start" in options.only:
                starts(chromium, options.repeat)
            if "release" in options.only:
                releases(chromium, server, options.repeat)
            if "drag" in options.only:
                drags(chromium, server, options.repeat)
            chromium.close()
        for count in (1, 5, 20) if "clients" in options.only else ():
            clients(count)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
