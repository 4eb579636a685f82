"""The robustness study beside that of an earlier commit: `python tests/bench/bench_study.py [STUDY ...]`.

20 draws of 100 points at ten shares of flipped labels, linear and Gaussian kernel: the four machines that Compare
begins with, and machines alone. Each version runs in a process of its own, compiled beforehand; they take turns, and a
figure is a ratio of medians of the time on the wall. "processor" is the same ratio of processor time, "at a time" the
processor time divided by the wall time of the present version. The mean errors of the two must be the same.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
BEFORE = "3e679c7^"  # the last commit whose study fitted one machine after the other
CONVEX = "hinge", "least_squares", "least_absolute", "pinball"
STUDIES = {"four convex": CONVEX} | {
    name: (name,) for name in (*CONVEX, "log", "ramp", "truncated_pinball", "sigmoid", "normalized_sigmoid")
}
DRAWS, TURNS = 20, 5

STUDY = """
import json, sys, time
import numpy as np
from svmcore import SVC
from svmcore.studies import robustness

levels = robustness.own_levels("label_flips", {"n": 100}, [round(0.02 * k, 2) for k in range(10)])
for line in sys.stdin:
    kernel, losses, draws = json.loads(line)
    machines = {loss: SVC(loss=loss, kernel=kernel, gamma=1.0) for loss in losses}
    wall, processor = time.perf_counter(), time.process_time()
    rows = list(robustness.study(machines, levels, range(draws)))
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(json.dumps([wall, processor, sum(row.error for row in rows) / len(rows)]), flush=True)
"""


class Version:
    """A process that runs studies with the code at `root`."""

    def __init__(self, root):
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", STUDY],
            cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, kernel, losses, draws):
        """(seconds on the wall, of the processor, mean error)."""
        print(json.dumps([kernel, losses, draws]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def main(names):
    with tempfile.TemporaryDirectory() as folder:
        archive = ["git", "archive", BEFORE, "svmcore", "data"]
        packed = subprocess.run(archive, cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", folder], input=packed, check=True)
        versions = Version(folder), Version(ROOT)
        print(f"{'study':28} {'then, ms':>9} {'now, ms':>9} {'then / now':>10} processor at a time  mean errors")
        for kernel in ("linear", "rbf"):
            for name in names or STUDIES:
                print(f"{kernel + ', ' + name:28} {compared(versions, kernel, STUDIES[name])}", flush=True)


def compared(versions, kernel, losses):
    """The figures of a study, as text."""
    for version in versions:
        version.run(kernel, losses, 1)  # compiles
    turns = [[version.run(kernel, losses, DRAWS) for version in versions] for _ in range(TURNS)]
    then, now = ([median(turn[k][m] for turn in turns) for m in range(3)] for k in range(2))
    return (
        f"{1e3 * then[0]:9.1f} {1e3 * now[0]:9.1f} {then[0] / now[0]:10.2f} {then[1] / now[1]:9.2f} "
        f"{now[1] / now[0]:9.2f}  {then[2]:.4f} {now[2]:.4f}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
