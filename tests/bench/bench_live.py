"""What the live channel and the server bring, side by side with a plain st.plotly_chart page of the same contents.

    python tests/bench/bench_live.py [--repeat 5] [--only start,release,drag,clients]

start: seconds from the command to the first pictures in a browser that is open, and, for visitors of servers that are
at rest, from the address to the pictures in a new browser; each in turns, with the ratio. The pictures are there in the
frame after all of them have their marks and the numbers at their axes, on either page. An empty page of Streamlit says
what is the least.
release: milliseconds from an arrow key on the slider of C to the full new picture. drag: pictures a second of the
slowest plane while a point is dragged for three seconds, and while C is held; and
the processor time of the server for a picture. clients: several that hold C at once, over the network, and what a run
of another session takes meanwhile. Medians; with them the ratio to the first line of each block.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers")]

import serving
import visitors
import waiting

PLAIN = "tests/bench/apps/plain.py"
STARTS = {  # the app, the page, and how many pictures it has
    "plain page": (PLAIN, "/?n=40", 3),
    "Playground": ("app.py", "/playground", 3),
    "a sentence, no picture": ("tests/bench/apps/empty.py", "/", 0),
}
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
    "Playground, N = 200": ("/playground?problem=moons", "plane"),
    "Compare of four, N = 40": ("/compare", "overlay"),
}
DRAG = """async ([key, seconds]) => {
    const planes = [...document.querySelectorAll('.svm-plane[data-editable]')];
    const root = planes.find((plane) => plane.dataset.name === key), area = root.querySelector('.svm-image');
    const { xaxis, yaxis } = root.axes, box = area.getBoundingClientRect();
    const trace = root.figure.data.find(({ name }) => name === 'points +1');
    const x = box.left + xaxis._offset + xaxis.d2p(trace.x[0]), y = box.top + yaxis._offset + yaxis.d2p(trace.y[0]);
    const common = { pointerId: 1, isPrimary: true, pointerType: 'mouse', bubbles: true, button: 0 };
    const fire = (type, dx, dy) => area.dispatchEvent(
        new PointerEvent(type, { ...common, clientX: x + dx, clientY: y + dy }));
    area.setPointerCapture = () => {};
    fire('pointerdown', 0, 0);
    const before = planes.map((plane) => +plane.dataset.drawn), start = performance.now();
    while (performance.now() - start < 1000 * seconds) {
        await new Promise(requestAnimationFrame);
        const share = (performance.now() - start) / (1000 * seconds);
        fire('pointermove', 60 * Math.sin(6 * share), 40 * Math.sin(9 * share));
    }
    const taken = (performance.now() - start) / 1000;
    const rates = planes.map((plane, k) => (+plane.dataset.drawn - before[k]) / taken);
    fire('pointerup', 60, 40);
    return Math.min(...rates);
}"""
PLOTTED = ".svm-plane:not([data-drawn='0']), .stPlotlyChart .main-svg, .stMarkdown"  # by Plotly; or the sentence
PICTURED = """(() => {
    const marked = (chart) => {
        const canvas = chart.querySelector('.svm-layers');
        if (!canvas) return chart.querySelector('.scatterlayer path, .contourlayer path');
        if (!canvas.width || !(chart.dataset.placeholder === 'whole' || +chart.dataset.drawn)) return false;
        return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value);
    };
    const numbers = (chart) => [
        ...(chart.querySelector('.svm-placeholder')?.shadowRoot.querySelectorAll('text') ?? []),
        ...chart.querySelectorAll(':is(.xaxislayer-above, .yaxislayer-above) text'),
    ];
    const whole = (chart) => numbers(chart).length > 5 && marked(chart);
    const there = (count) => {
        if (!count) return document.querySelector('.stMarkdown');
        const charts = [...document.querySelectorAll('.svm-plane, .stPlotlyChart')];
        return charts.length === count && charts.every(whole);
    };
    const painted = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
    window.all = new Promise((tell) => {
        const look = () => requestAnimationFrame(there(COUNT) ? () => painted(() => tell(Date.now())) : look);
        look();
    });
})()"""
LATEST = 120  # seconds after which pictures that are not there will not come
RESTED = 4.0  # seconds, more than a server pauses before it prepares the rest
IDLE = 0.02  # of the time is what a server takes that has nothing to do
VISITS = 2  # of a server at rest, for each start
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
    const { modules } = await import(document.querySelector('script[src*="/plane-"]').src);
    const { live } = modules.live;
    const planes = [...document.querySelectorAll('.svm-plane')];
    const counts = () => planes.map((plane) => +plane.dataset.drawn);
    const before = counts(), start = performance.now();
    for (let k = 0; performance.now() - start < 1000 * seconds; k++) {
        if (!live.hold({ changes: { C: 10 ** Math.sin(k / 40) } })) return 0;
        await new Promise(requestAnimationFrame);
    }
    const taken = (performance.now() - start) / 1000;
    return Math.min(...counts().map((count, k) => (count - before[k]) / taken));
}"""


class Servers(ExitStack):
    """One server for each app, started when it is first asked for, until the end of the block."""

    def __init__(self):
        super().__init__()
        self.running = {}

    def __call__(self, app):
        if app not in self.running:
            server = serving.server(app, Path(tempfile.mkdtemp()) / "log.txt")
            self.running[app] = self.enter_context(server)
        return self.running[app][1]

    def seconds(self, app):
        """The processor time of the server so far."""
        return serving.processor(self.running[app][0].pid)

    def rest(self, app):
        """Waits until the server has nothing left to do."""
        before = -np.inf
        while (now := self.seconds(app)) - before > IDLE * RESTED:
            before = now
            time.sleep(RESTED)


def first_pictures(page, url, count):
    """Opens the address again and again until there is a server; when its pictures were there, as time.time()."""
    page.add_init_script(PICTURED.replace("COUNT", str(count)))
    while True:
        try:
            page.goto(url)
            break
        except Exception:
            time.sleep(0.02)
    return promised(page, "all") / 1000


def promised(page, name):
    """What the promise of that name in the window of the page brings; RuntimeError where it brings nothing."""
    found = page.evaluate(f"() => Promise.race([{name}, new Promise((end) => setTimeout(end, {1000 * LATEST}))])")
    if found is None:
        count = page.locator(".svm-plane, .stPlotlyChart").count()
        raise RuntimeError(f"{page.url}: not all pictures within {LATEST} seconds; there are {count}")
    return found


def starts(chromium, server, repeat):
    rows = {name: [] for name in STARTS}
    for _ in range(repeat):
        for name, (app, path, count) in STARTS.items():
            page = chromium.new_context().new_page()
            begun = time.time()
            with serving.server(app, Path(tempfile.mkdtemp()) / "log.txt") as (_, url):
                rows[name].append([first_pictures(page, url + path, count) - begun])
                page.context.close()
    table("start", f"{'s':>9}", rows, "{:9.2f}")
    rows = {name: [] for name in STARTS}
    for app, path, count in STARTS.values():
        visit(chromium, server(app) + path, count)
    for app, _, _ in STARTS.values():
        server.rest(app)
    for _ in range(repeat * VISITS):
        for name, (app, path, count) in STARTS.items():
            rows[name].append([visit(chromium, server(app) + path, count)])
    table("second visitor", f"{'s':>9}", rows, "{:9.2f}")


def visit(chromium, url, count):
    """Seconds from the address to the pictures in a new browser, whose page is whole before it leaves."""
    page = chromium.new_context().new_page()
    begun = time.time()
    taken = first_pictures(page, url, count) - begun
    page.wait_for_selector(PLOTTED, timeout=1000 * LATEST)  # what is still to be loaded delays no other
    page.context.close()
    return taken


def releases(chromium, server, repeat):
    for title, variants in RELEASES.items():
        pages = {}
        for name, app, path, label in variants:
            pages[name] = chromium.new_page(viewport=dict(width=1300, height=1100)), label
            pages[name][0].goto(server(app) + path)
            pages[name][0].wait_for_selector(PLOTTED, timeout=1000 * LATEST)
        for page, _ in pages.values():
            waiting.quiet(page)
        for _, app, _, _ in variants:
            server.rest(app)
        rows = {name: [] for name in pages}
        for _ in range(repeat + 1):
            for name, (page, label) in pages.items():  # in turns: the load of the machine is that of all
                page.bring_to_front()
                page.evaluate(WATCH)
                page.get_by_role("slider", name=label).press("ArrowRight")
                rows[name].append([promised(page, "pictured")])
                waiting.quiet(page)
        table(f"release: {title}", f"{'ms':>9}", {name: row[1:] for name, row in rows.items()}, "{:9.0f}")
        for page, _ in pages.values():
            page.close()


def drags(chromium, server, repeat):
    for title, (path, key) in DRAGS.items():
        page = chromium.new_page(viewport=dict(width=1300, height=1100))
        waiting.under_hand(page, server("app.py") + path, key)
        page.wait_for_timeout(1500)
        rows = []
        for _ in range(repeat + 1):
            spent = server.seconds("app.py")
            rate = page.evaluate(DRAG, [key, 3.0])
            rows.append([rate, 1000 * (server.seconds("app.py") - spent) / max(3.0 * rate, 1.0)])
            waiting.answered(page)
        held = page.evaluate(HOLD, [key, 3.0])
        head, form = f"{'pictures/s':>11}{'server ms/picture':>19}{'held':>8}", "{:11.1f}{:19.1f}{:8.1f}"
        table(f"drag: {title}", head, {"live channel": [[*row, held] for row in rows[1:]]}, form)
        page.close()


async def hold(visitor, end):
    """Seconds of each answer while C is held: thirty questions a second, each after the last answer."""
    waits = []
    async with visitors.channel(visitor.url) as live:
        while (asked := time.perf_counter()) < end:
            answer = await visitor.ask(live, True, changes={"C": 10 ** float(np.sin(len(waits) / 40))})
            assert b'"refused"' not in answer
            waits.append(time.perf_counter() - asked)
            await asyncio.sleep(max(0.0, 1 / 30 - waits[-1]))
    return waits


async def clients(server, count, seconds=5.0):
    """Pictures a second of as many clients that hold C, and what a run of another session takes meanwhile.

    The processor time of the server for a picture has that of these runs in it.
    """
    url = server("app.py").replace("http", "ws")
    async with AsyncExitStack() as stack:

        async def visitor():
            one = visitors.Visitor(url, await stack.enter_async_context(visitors.stream(url)))
            await one.run()
            return one

        *holding, other = [await visitor() for _ in range(count + 1)]

        async def runs(end):
            taken = []
            while time.perf_counter() < end:
                taken.append(await other.run(f"C={1 + len(taken) % 9}"))
                await asyncio.sleep(0.3)
            return 1000 * float(np.median(taken))

        alone = await runs(time.perf_counter() + 3)
        spent, end = server.seconds("app.py"), time.perf_counter() + seconds
        beside, *waits = await asyncio.gather(runs(end), *(hold(one, end) for one in holding))
        spent = server.seconds("app.py") - spent
    rates, waits = [len(wait) / seconds for wait in waits], 1000 * np.concatenate(waits)
    print(
        f"{count:3} clients: pictures/s of each {min(rates):.1f} to {max(rates):.1f}, {np.median(waits):.0f} ms, "
        f"90th percentile {np.percentile(waits, 90):.0f}, server {1000 * spent / len(waits):.1f} ms/picture; a run of "
        f"another session {beside:.0f} ms, {beside / alone:.1f} times that without them ({alone:.0f})",
        flush=True,
    )


def table(title, head, rows, form):
    """A line of medians for each row, with the ratio of the first one to that of the first row."""
    print(f"{title:28}{head}")
    medians = {name: np.median(row, axis=0) for name, row in rows.items()}
    first = next(iter(medians.values()))
    for name, row in medians.items():
        share = f"   x {row[0] / first[0]:.2f}" if row is not first and first[0] else ""
        print(f"  {name:26}{form.format(*row)}{share}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--only", default="start,release,drag,clients")
    options = arguments.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with Servers() as server:
        with serving.chromium() as chromium:
            if "start" in options.only:
                starts(chromium, server, options.repeat)
            if "release" in options.only:
                releases(chromium, server, options.repeat)
            if "drag" in options.only:
                drags(chromium, server, options.repeat)
        for count in (1, 5, 20) if "clients" in options.only else ():
            asyncio.run(clients(server, count))


if __name__ == "__main__":
    main()
