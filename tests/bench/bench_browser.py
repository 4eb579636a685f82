"""How fast the pages answer, in Chromium: a slider that is released, a point that is dragged.

    python tests/bench/bench_browser.py [--repeat 20] [--case NAME]

Slider: milliseconds from `pointerup` to the second animation frame in which every chart of the page has drawn its new
figure: median, 90th percentile; inside it the round trip to the last message of the server, and the longest draw.

Drag: pictures a second of each chart while a point is moved for three seconds, one move a frame; frames a second in
which the point itself moves; milliseconds from the release to the full picture in every plane, median and 90th
percentile.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))

import serving  # noqa: E402
import waiting  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

DEMO = "tests/browser/apps/plane_demo_app.py"
C = "C, weight of the loss"
CASES = {
    "Playground, N = 200": ("app.py", "/playground?problem=moons", 2, C),
    "Compare, four machines, N = 200": ("app.py", "/compare?problem=moons", 5, C),
    "Convergence, sixty frames, N = 200": ("app.py", "/convergence?problem=moons", 5, C),
    "bare: plane + spectrum, N = 200": (DEMO, "/?n=200", 2, "log10 C"),
    "bare: four planes, N = 200": (DEMO, "/?n=200&view=four", 4, "log10 C"),
}

DRAGS = {
    "Playground, N = 40": ("/playground", "plane"),
    "Playground, N = 100": ("/playground?problem=moons&n=100", "plane"),
    "Compare, four machines, N = 40": ("/compare", "overlay"),
    "Compare, four machines, N = 100": ("/compare?problem=moons&n=100", "overlay"),
}

DRAG = """async ([key, seconds]) => {
    const planes = [...document.querySelectorAll('.svm-plane[data-editable]')];
    const root = planes.find((plane) => plane.dataset.name === key), area = root.querySelector('.svm-image');
    const { xaxis, yaxis } = root.querySelector('.svm-chart')._fullLayout, box = area.getBoundingClientRect();
    const trace = root.figure.data.find(({ name }) => name === 'points +1');
    const x = box.left + xaxis._offset + xaxis.d2p(trace.x[0]), y = box.top + yaxis._offset + yaxis.d2p(trace.y[0]);
    const common = { pointerId: 1, isPrimary: true, pointerType: 'mouse', bubbles: true, button: 0 };
    const fire = (type, dx, dy) => area.dispatchEvent(
        new PointerEvent(type, { ...common, clientX: x + dx, clientY: y + dy }));
    const frame = () => new Promise(requestAnimationFrame);
    const full = () => planes.every((plane) => {
        const { z } = plane.figure.data.find(({ type }) => type === 'contour');
        return z.length === 100 && +plane.dataset.drawn > counts.get(plane);
    });
    const counts = new Map();
    area.setPointerCapture = () => {};
    fire('pointerdown', 0, 0);
    const before = planes.map((plane) => +plane.dataset.drawn), start = performance.now();
    let frames = 0;
    while (performance.now() - start < 1000 * seconds) {
        await frame();
        const share = (performance.now() - start) / (1000 * seconds);
        fire('pointermove', 60 * Math.sin(6 * share), 40 * Math.sin(9 * share));
        frames += 1;
    }
    const taken = (performance.now() - start) / 1000;
    const rates = planes.map((plane, k) => (+plane.dataset.drawn - before[k]) / taken);
    for (const plane of planes) counts.set(plane, +plane.dataset.drawn);
    const released = performance.now();
    fire('pointerup', 60, 40);
    while (!full() && performance.now() - released < 5000) await frame();
    await frame();
    return [Math.min(...rates), frames / taken, performance.now() - released];
}"""

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
    track = page.locator(f'[role=group][aria-label="{label}"], .svm-range[aria-label="{label}"]').bounding_box()
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


def sliders(chromium, server, cases, repeat):
    print(f"{'slider':34}{'median':>8}{'p90':>8}{'message':>9}{'draw':>8}")
    for name, (app, path, charts, label) in cases.items():
        page = chromium.new_page(viewport=dict(width=1300, height=1100))
        page.add_init_script(PROBE)
        waiting.open_page(page, server(app) + path)
        painted, message, draw = measure(page, charts, repeat, label).T
        line = [np.median(painted), np.percentile(painted, 90), np.median(message), np.median(draw)]
        print(f"{name:34}{line[0]:8.0f}{line[1]:8.0f}{line[2]:9.0f}{line[3]:8.0f}", flush=True)
        page.close()


def drags(chromium, server, cases, repeat):
    print(f"{'drag':34}{'pictures/s':>11}{'frames/s':>10}{'release':>9}{'p90':>8}")
    for name, (path, key) in cases.items():
        page = chromium.new_page(viewport=dict(width=1300, height=1100))
        waiting.open_page(page, server("app.py") + path)
        waiting.drawn(page, key)
        waiting.answered(page)
        rows = []
        for k in range(repeat + 1):
            rows.append(page.evaluate(DRAG, [key, 3.0 if k < 2 else 0.4]))
            waiting.answered(page)
        rates, frames, release = np.array(rows[1:]).T
        line = [rates[0], np.median(frames), np.median(release), np.percentile(release, 90)]
        print(f"{name:34}{line[0]:11.1f}{line[1]:10.0f}{line[2]:9.0f}{line[3]:8.0f}", flush=True)
        page.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=20)
    arguments.add_argument("--case", default="", help="only the cases whose name holds this")
    options = arguments.parse_args()
    servers = {}
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the demo's numpy solve would spin on the browser's cores

    def server(app):
        if app not in servers:
            servers[app] = serving.start(app, Path(tempfile.mkdtemp()) / "log.txt")
        return servers[app][1]

    def chosen(cases):
        return {name: case for name, case in cases.items() if options.case in name}

    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=serving.browser(), args=serving.FLAGS)
            sliders(chromium, server, chosen(CASES), options.repeat)
            drags(chromium, server, chosen(DRAGS), options.repeat)
            chromium.close()
    finally:
        for process, _ in servers.values():
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
