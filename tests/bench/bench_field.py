"""Slow machines and slow networks: what the slider of C on Playground feels like there, and how soon a page is there.

    python tests/bench/bench_field.py [--only hold,visit,memory] [--places quiet,4x,...] [--seconds 4] [--minutes 10]

hold: the slider of C (moons, N = 200) is moved in each frame by its own input events. Pictures a second; the lag, in
milliseconds from the last event to its picture; the main thread's processor time for a picture; its longest task while
the slider moves. first: seconds from the address to the pictures in a new browser, beside the plain page of Streamlit
with the same contents. visit: megabytes on the wire for a first visit of either. memory: the browser's memory while the
slider is moved for so many minutes, in tenths of that time.

A place is a browser that the DevTools protocol slows down (4x: a quarter of the speed) behind a line of so many
milliseconds in each direction and bytes a second. A line of 120 ms answers no earlier than after 240.
"""

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers")]

import bench_live
import numpy as np
import serving
import waiting
from wire import wire


class Place(NamedTuple):
    """A browser so many times slower, behind a line with a delay in seconds and a rate in bytes a second."""

    slower: float = 1.0
    delay: float = 0.0
    rate: float = float("inf")


PLACES = {
    "quiet": Place(),
    "4x": Place(4),
    "6x": Place(6),
    "30ms": Place(1, 0.03, 3e6),
    "120ms": Place(1, 0.12, 1e6),
    "200ms": Place(1, 0.2, 2e5),
    "4x120ms": Place(4, 0.12, 1e6),
    "4x200ms": Place(4, 0.2, 2e5),
}
OURS, PLAIN = ("app.py", "/playground?problem=moons&n=200"), (bench_live.PLAIN, "/?n=200")
COUNT = 3  # pictures of either page
WATCH = """(() => {
    window.blocks = [];
    const note = (list) => {
        for (const { startTime, duration } of list.getEntries()) blocks.push([startTime, duration]);
    };
    new PerformanceObserver(note).observe({ type: "longtask", buffered: true });
})()"""
HOLD = """async (seconds) => {
    const slider = document.querySelector('.svm-field[data-name="C"] input[type=range]');
    const plane = document.querySelector('.svm-plane[data-name="plane"]');
    const [low, high] = [Number(slider.min), Number(slider.max)], drawn = [];
    const field = () => plane.figure.data.find(({ z }) => z).z;
    let shown = field();
    const watch = new MutationObserver(() => {
        if (field() === shown) return; // drawn again, as when the hand rests
        shown = field();
        drawn.push(performance.now());
    });
    watch.observe(plane, { attributeFilter: ["data-drawn"] });
    const start = performance.now();
    let frames = 0, last = start;
    while (performance.now() - start < 1000 * seconds) {
        await new Promise(requestAnimationFrame);
        const share = 0.5 + 0.3 * Math.sin((performance.now() - start) / 400);
        slider.value = String(low + share * (high - low));
        last = performance.now();
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        frames += 1;
    }
    const taken = (performance.now() - start) / 1000, pictures = drawn.length;
    const rest = async () => {
        const count = drawn.length;
        await new Promise((done) => setTimeout(done, 2000));
        return drawn.length === count || rest();
    };
    await rest();
    watch.disconnect();
    const longest = Math.max(0, ...blocks.filter(([begun]) => begun >= start).map(([, length]) => length));
    const lag = drawn.at(-1) - last;
    return { rate: pictures / taken, lag, frames: frames / taken, pictures: drawn.length, longest };
}"""


def main_thread(network):
    """Seconds of processor time that the main thread of the page has taken so far."""
    metrics = network.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def opened(chromium, place, address, path):
    """(seconds to the first pictures, the page, its session of the DevTools protocol) of a new browser in a place."""
    page = chromium.new_context(viewport=dict(width=1300, height=1100)).new_page()
    network = page.context.new_cdp_session(page)
    network.send("Performance.enable", {"timeDomain": "threadTicks"})
    network.send("Emulation.setCPUThrottlingRate", {"rate": place.slower})
    page.add_init_script(WATCH)
    page.set_default_timeout(1000 * bench_live.LATEST)
    page.set_default_navigation_timeout(1000 * bench_live.LATEST)
    page.goto("about:blank")
    begun = page.evaluate("Date.now()") / 1000
    return bench_live.first_pictures(page, address + path, COUNT) - begun, page, network


def hold(chromium, place, server, seconds, repeat):
    """The line of a place: medians of `repeat` browsers."""
    rows = []
    for _ in range(repeat):
        with ExitStack() as lines:
            ours, plain = (
                lines.enter_context(wire(server(app), delay=place.delay, rate=place.rate)).address
                for app, _ in (OURS, PLAIN)
            )
            of_plain, page, _ = opened(chromium, place, plain, PLAIN[1])
            page.context.close()
            of_ours, page, network = opened(chromium, place, ours, OURS[1])
            waiting.quiet(page)
            waiting.connected(page)
            page.wait_for_timeout(1000)
            page.evaluate(HOLD, 0.5)  # the first pictures while something moves compile what draws them
            before = main_thread(network)
            found = page.evaluate(HOLD, seconds)
            busy = 1000 * (main_thread(network) - before) / max(found["pictures"], 1)
            rows.append([found["rate"], found["lag"], busy, found["longest"], of_ours, of_plain, found["frames"]])
            page.context.close()
    return np.median(rows, axis=0)


def holds(chromium, server, places, seconds, repeat):
    print(f"{'hold':10}{'pictures/s':>11}{'lag':>7}{'ms/picture':>12}{'block':>7}{'first':>7}{'plain':>7}{'frames':>8}")
    for name in places:
        found = hold(chromium, PLACES[name], server, seconds, repeat)
        print(f"{name:10}{'{:11.1f}{:7.0f}{:12.1f}{:7.0f}{:7.1f}{:7.1f}{:8.0f}'.format(*found)}", flush=True)


def visits(server):
    for name, (app, path) in {"ours": OURS, "plain": PLAIN}.items():
        serving.first_visit(server(app) + path)  # the server compresses what it has sent once
        found = serving.first_visit(server(app) + path)
        print(f"visit, {name}: {found.in_all / 1e6:.2f} MB, {found.of_files / 1e6:.2f} of them files", flush=True)


def memory(chromium, server, minutes):
    _, page, network = opened(chromium, Place(), server(OURS[0]), OURS[1])
    waiting.quiet(page)
    waiting.connected(page)
    used = []
    for _ in range(11):
        page.evaluate(HOLD, 6 * minutes)
        network.send("HeapProfiler.collectGarbage")
        used.append(network.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
    print(f"memory in MB, tenths of {minutes:g} minutes:", *(f"{size:.1f}" for size in used), flush=True)
    page.context.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default="hold,visit,memory")
    arguments.add_argument("--places", default=",".join(PLACES))
    arguments.add_argument("--seconds", type=float, default=4.0)
    arguments.add_argument("--repeat", type=int, default=1)
    arguments.add_argument("--minutes", type=float, default=10.0)
    options = arguments.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with bench_live.Servers() as server:
        with serving.chromium() as chromium:
            if "hold" in options.only:
                holds(chromium, server, options.places.split(","), options.seconds, options.repeat)
            if "memory" in options.only:
                memory(chromium, server, options.minutes)
        if "visit" in options.only:
            visits(server)


if __name__ == "__main__":
    main()
