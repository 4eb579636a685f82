"""The live file: pictures a second while a point is dragged in Chromium, and its solver beside the SVMs of npm.

    python tests/bench/bench_live_file.py [--peers FOLDER]

pictures: moons, one plane; a point is moved in each frame for `FRAMES` frames. "ms" is the median of a whole picture:
the fit, 64 x 64 values of f, and drawing. peers: milliseconds of processor time of a cold fit in node, in turns,
median, and how far the dual objective is above the optimum; FOLDER is where these packages were installed:
`npm install --no-save svm libsvm-js`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]

import serving
from variants import expanded

from svmcore import SVC, duals, kernels, live, problems

FRAMES = 120
GAMMA = 2.0
PEERS = ("ours", "libsvm-js (asm)", "libsvm-js (wasm)", "svm")
DRAG = """async (frames) => {
  const area = document.querySelector(".svm-image"), file = document.querySelector(".live-file");
  const box = area.getBoundingClientRect(), times = [];
  area.setPointerCapture = () => {};
  const paths = [...document.querySelector(".svm-placeholder").shadowRoot.querySelectorAll("path")]
    .map((path) => path.getAttribute("d"));
  const numbers = (path, pattern) => path.match(pattern).slice(1).map(Number);
  const [left, , right] = numbers(paths.at(-2), /M([-\\d.]+),([-\\d.]+)H([-\\d.]+)/);
  const [, top, bottom] = numbers(paths.at(-1), /M([-\\d.]+),([-\\d.]+)V([-\\d.]+)/);
  const { data, layout } = area.parentElement.figure, marks = data.find((trace) => trace.name === "points +1");
  const share = (value, [low, high]) => (value - low) / (high - low);
  const x = box.left + left + 1 + share(marks.x[0], layout.xaxis.range) * (right - left - 1);
  const y = box.top + bottom - share(marks.y[0], layout.yaxis.range) * (bottom - top);
  const send = (type, dx, dy) =>
    area.dispatchEvent(new PointerEvent(type, {
      clientX: x + dx, clientY: y + dy, pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0, bubbles: true,
    }));
  send("pointerdown", 0, 0);
  const began = performance.now();
  for (let k = 1; k <= frames; k++) {
    send("pointermove", 6 + k, k / 2);
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done));
    times.push(Number(file.dataset.ms));
  }
  const seconds = (performance.now() - began) / 1000;
  send("pointerup", 6 + frames, frames / 2);
  times.sort((a, b) => a - b);
  return { ms: times[frames >> 1], rate: frames / seconds };
}"""


def pictures(folder):
    """Print the pictures a second for every loss with a box dual."""
    with serving.chromium() as browser:
        for n in (100, 300):
            drawn = problems.load("moons", n=n)
            for C in (1.0, 100.0):
                for loss in duals.DUALS:
                    model = SVC(loss=loss, C=C, gamma=GAMMA).fit(drawn.X, drawn.y)
                    live.html(model, drawn.X, drawn.y).save(folder / "picture.html")
                    page = browser.new_page(viewport=dict(width=1000, height=900))
                    page.goto((folder / "picture.html").as_uri())
                    page.wait_for_timeout(300)
                    found = page.evaluate(DRAG, FRAMES)
                    print(f"N = {n}, C = {C:5g}, {loss:20} {found['rate']:5.1f} a second, {found['ms']:5.1f} ms each")
                    page.close()


def peers(folder):
    """Print time and objective of cold fits beside the packages of npm that are installed in `folder`."""
    cases, optima = [], []
    for n in (100, 300):
        drawn = problems.load("moons", n=n, noise=0.25)
        K = kernels.Kernel("rbf", GAMMA)(drawn.X)
        for C in (1.0, 100.0):
            x, y = drawn.X.T.tolist()
            cases.append(dict(x=x, y=y, label=drawn.y.tolist(), C=C, gamma=GAMMA))
            beta = expanded(SVC(kernel="precomputed", C=C, tol=1e-9).fit(K, drawn.y), n)
            optima.append((n, C, K, drawn.y, objective(K, drawn.y, beta * drawn.y)))
    there = [name for name in PEERS if name == "ours" or (folder / "node_modules" / name.partition(" ")[0]).exists()]
    script = Path(__file__).with_name("live_file_peers.mjs")
    done = subprocess.run(
        ["node", script, *there], cwd=folder, input=json.dumps(cases), stdout=subprocess.PIPE, text=True, check=True
    )
    for line in done.stdout.splitlines():
        found = json.loads(line)
        n, C, K, y, best = optima[found["case"]]
        alpha = np.asarray(found["alpha"], dtype=float)
        above = (objective(K, y, alpha) - best) / abs(best)
        print(f"N = {n}, C = {C:5g}, {found['name']:17} {found['ms']:8.2f} ms, objective {above:.1e} above")


def objective(K, y, alpha):
    """The dual objective, to be minimised, of alpha (N,)."""
    beta = alpha * y
    return 0.5 * beta @ K @ beta - alpha.sum()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, help="folder with the packages of npm; without it only our solver")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        peers(arguments.peers or Path(folder))
        pictures(Path(folder))
