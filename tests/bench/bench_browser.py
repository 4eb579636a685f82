"""From the release of a slider to the painted picture, in Chromium.

    python tests/bench/bench_browser.py [--repeat 20] [--case NAME]

Milliseconds from `pointerup` to the second animation frame in which every chart of the page has drawn its new figure:
median, 90th percentile; inside it the round trip to the last message of the server, and the longest single draw.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))

import serving  # noqa: E402
import waiting  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

DEMO = "tests/browser/apps/plane_demo.py"
C = "C, weight of the loss"
CASES = {
    "Playground, N = 200": ("app.py", "/playground?problem=moons", 2, C),
    "Compare, four machines, N = 200": ("app.py", "/compare?problem=moons", 5, C),
    "Convergence, sixty frames, N = 200": ("app.py", "/convergence?problem=moons", 5, C),
    "bare: plane + spectrum, N = 200": (DEMO, "/?n=200", 2, "log10 C"),
    "bare: four planes, N = 200": (DEMO, "/?n=200&view=four", 4, "log10 C"),
}

PROBE = """(() => {
    window.probe = { released: 0, received: 0 };
    addEventListener('pointerup', () => { probe.released = performance.now(); }, true);
    window.WebSocket = class extends WebSocket {
        constructor(...all) {
            super(...all);
            this.addEventListener('message', () => { probe.received = performance.now(); });
        }
    };
    probe.frame = () => new Promise(requestAnimationFrame);
    probe.planes = () => [...document.querySelectorAll('.svm-plane')];
    probe.painted = async (before) => {
        const start = performance.now();
        while (performance.now() - start < 10000) {
            if (probe.planes().every((plane, k) => +plane.dataset.drawn > before[k])) {
                await probe.frame();
                const draws = probe.planes().map((plane) => +plane.dataset.ms);
                return [performance.now() - probe.released, probe.received - probe.released, Math.max(...draws)];
            }
            await probe.frame();
        }
        throw new Error('nothing new was drawn');
    };
})()"""


def measure(page, charts, repeat, label):
    """(repeat, 3) of milliseconds: painted, last message, longest draw."""
    page.wait_for_function(f"() => probe.planes().filter((plane) => +plane.dataset.drawn).length === {charts}")
    track = page.locator(f'[role=group][aria-label="{label}"]').bounding_box()
    rows = []
    for k in range(repeat + 3):
        share = 0.2 + 0.6 * ((k * 0.618034) % 1)
        page.mouse.move(track["x"] + share * track["width"], track["y"] + track["height"] / 2)
        page.mouse.down()
        page.wait_for_timeout(60)
        before = page.evaluate("() => probe.planes().map((plane) => +plane.dataset.drawn)")
        result = page.evaluate_handle("(before) => ({ done: probe.painted(before) })", before)
        page.mouse.up()
        rows.append(result.evaluate("(result) => result.done"))
        page.wait_for_timeout(150)
    return np.array(rows[3:])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=20)
    arguments.add_argument("--case", default="", help="only the cases whose name holds this")
    options = arguments.parse_args()
    cases = {name: case for name, case in CASES.items() if options.case in name}
    servers = {}
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the demo's numpy solve would spin on the browser's cores
    print(f"{'':34}{'median':>8}{'p90':>8}{'message':>9}{'draw':>8}")
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=serving.browser(), args=serving.FLAGS)
            for name, (app, path, charts, label) in cases.items():
                if app not in servers:
                    servers[app] = serving.start(app, Path(tempfile.mkdtemp()) / "log.txt")
                page = chromium.new_page(viewport=dict(width=1300, height=1100))
                page.add_init_script(PROBE)
                waiting.open_page(page, servers[app][1] + path)
                painted, message, draw = measure(page, charts, options.repeat, label).T
                line = [np.median(painted), np.percentile(painted, 90), np.median(message), np.median(draw)]
                print(f"{name:34}{line[0]:8.0f}{line[1]:8.0f}{line[2]:9.0f}{line[3]:8.0f}", flush=True)
                page.close()
            chromium.close()
    finally:
        for process, _ in servers.values():
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
