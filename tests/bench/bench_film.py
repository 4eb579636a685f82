"""Films in Chromium: `python tests/bench/bench_film.py [--repeat 12]`.

For runs on N points: megabytes of the film on the websocket (at most 1.5), milliseconds from the release of the slider
of C to the painted page with its film and four curves (at most 300), pictures a second while it plays at sixty, with
the curves' cursors moving (60 where the browser allows it), and the median milliseconds of drawing one. Every value of
C is a new one. In the same run a plain page plays the frames of the film with Plotly, as st.plotly_chart does, without
curves and as fast as it can: its pictures a second, and how many times as many ours has (at least 2).
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "helpers")]

import bench_browser  # noqa: E402
import serving  # noqa: E402
import waiting  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

CASES = {
    "moons, N = 200": "/convergence?problem=moons",
    "moons, N = 200, conjugate": "/convergence?problem=moons&solver=smo_conjugate",
    "two spirals, N = 360": "/convergence?problem=two_spirals",
    "two spirals, N = 360, LS-SVM by CG": "/convergence?problem=two_spirals&loss=least_squares&solver=cg",
    "moons, N = 1000": "/convergence?problem=moons&n=1000",
}
CHARTS = 5

PLAY = """async () => {
    const film = document.querySelector('.svm-plane[data-name="film-0"]'), began = +film.dataset.drawn;
    const transport = document.querySelector('.svm-transport'), taken = [];
    document.querySelector('.svm-speed').value = 60;
    document.querySelector('.svm-speed').onchange();
    document.querySelector('[data-act=first]').click();
    await probe.frame();
    const start = performance.now();
    document.querySelector('[data-act=play]').click();
    while (transport.dataset.playing === 'true') {
        await probe.frame();
        taken.push(+film.dataset.ms);
    }
    const seconds = (performance.now() - start) / 1000;
    return [(+film.dataset.drawn - began) / seconds, taken.sort((a, b) => a - b)[taken.length >> 1]];
}"""


PLAIN = "tests/bench/apps/plain.py"
PLAY_PLAIN = """async () => {
    const film = document.querySelector('.js-plotly-plot');
    const last = film._transitionData._frames.at(-1).name;
    let [count, start] = [0, 0];
    const ended = new Promise((tell) => {
        film.on('plotly_animatingframe', ({ name }) => {
            start ||= performance.now();
            count += 1;
            if (name === last) requestAnimationFrame(() => tell((count - 1) / ((performance.now() - start) / 1000)));
        });
    });
    film.querySelector('.updatemenu-button').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const rate = await ended;
    film.removeAllListeners('plotly_animatingframe');
    return rate;
}"""


class Wire:
    """The largest message of each run of the page."""

    def __init__(self, page):
        self.largest = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))

    def _frame(self, data):
        self.largest = max(self.largest, len(data))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=12)
    arguments.add_argument("--case", default="", help="only the cases whose name holds this")
    options = arguments.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    (process, url), (plain, beside) = (
        serving.start(app, Path(tempfile.mkdtemp()) / "log.txt") for app in ("app.py", PLAIN)
    )
    print(f"{'':36}{'MB':>6}{'painted':>9}{'p90':>6}{'message':>9}{'fps':>6}{'draw':>6}{'plain fps':>11}{'ratio':>7}")
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=serving.browser(), args=serving.FLAGS)
            for name, path in CASES.items():
                if options.case not in name:
                    continue
                page = chromium.new_page(viewport=dict(width=1300, height=1100))
                page.add_init_script(bench_browser.PROBE)
                wire = Wire(page)
                waiting.open_page(page, url + path)
                painted, message, _ = bench_browser.measure(page, CHARTS, options.repeat, bench_browser.C).T
                peer = chromium.new_page(viewport=dict(width=1300, height=1100))
                peer.goto(f"{beside}/?page=film&{path.partition('?')[2]}")
                peer.wait_for_function("() => document.querySelector('.updatemenu-button')", timeout=240_000)
                plays = []
                for _ in range(5):  # in turns: the load of the machine is that of both
                    page.bring_to_front()
                    ours = page.evaluate(PLAY)
                    peer.bring_to_front()
                    plays.append([*ours, peer.evaluate(PLAY_PLAIN)])
                rate, draw, other = np.median(plays, axis=0)
                ratio = np.median([ours / plainly for ours, _, plainly in plays])
                line = [np.median(painted), np.percentile(painted, 90), np.median(message), rate, draw]
                widths = (9, 6, 9, 6, 6)
                cells = "".join(f"{value:{width}.0f}" for value, width in zip(line, widths, strict=True))
                print(f"{name:36}{wire.largest / 1e6:6.2f}{cells}{other:11.1f}{ratio:7.1f}", flush=True)
                page.close()
                peer.close()
            chromium.close()
    finally:
        for one in (process, plain):
            one.terminate()
            one.wait()


if __name__ == "__main__":
    main()
