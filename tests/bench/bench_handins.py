"""How long "Read hand-ins" takes: `python tests/bench/bench_handins.py [--codes 500] [--lesson KEY] [--prompts]`.

Codes of as many students, each with points of their own, so that nothing is known beforehand. For each shipped lesson:
seconds in all, with as many threads as there are processors, processor seconds, and a ratio: how many processors were
at work. `--prompts`: also processor milliseconds of each prompt for each student, on one thread.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[2]))

from pages.shared.lessons import collected, handin
from pages.shared.lessons.reading import shipped

GIVEN = {"choose": 0, "line": [0.0, 0.0, 1.0, 1.0], "points": [0], "place": [0.0, 0.0]}


def given(prompt):
    """Some answer of the kind that a prompt takes; grading costs the same whichever it is."""
    if prompt.options:
        return 0
    if prompt.kind == "number":
        return prompt.scale.low
    return list(prompt.state["losses"]) if prompt.kind == "order" else GIVEN.get(prompt.kind, [0])


def sheet(lesson, number):
    """The code of one student who has answered every prompt."""
    answers = tuple(given(prompt) for prompt in lesson.prompts)
    return handin.write(handin.Handin(lesson.id, handin.edition(lesson), f"{number}", answers, ("", "", "")))


def read(lesson, first, codes):
    """Wall seconds and processor seconds of so many hand-ins."""
    text = "\n".join(sheet(lesson, first + k) for k in range(codes))
    wall, processor = time.perf_counter(), time.process_time()
    rows = list(collected.rows(collected.entries(text), lesson))
    assert all(result.outcome in (collected.RIGHT, collected.WRONG) for row in rows for result in row.results), rows[0]
    return time.perf_counter() - wall, time.process_time() - processor


def of_prompts(lesson, students=10):
    """Median processor milliseconds of each prompt, for students whose points are new; the first prompt makes them."""
    for prompt in lesson.prompts:
        taken = []
        for seed in range(10**6, 10**6 + students):
            start = time.process_time()
            collected.graded(prompt, given(prompt), seed)
            taken.append(1e3 * (time.process_time() - start))
        print(f"    {prompt.id:16}{prompt.watch.name:20}{np.median(taken):8.1f} ms", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--codes", type=int, default=500)
    arguments.add_argument("--lesson")
    arguments.add_argument("--prompts", action="store_true")
    options = arguments.parse_args()
    print(f"{options.codes} hand-ins{'':8}{'seconds':>10}{'processor s':>13}{'ratio':>8}")
    for key, lesson in shipped().items():
        if options.lesson in (None, key):
            read(lesson, 1, 2)  # loads what is compiled
            wall, processor = read(lesson, 1000, options.codes)
            print(f"{key:20}{wall:12.1f}{processor:13.1f}{processor / wall:8.2f}", flush=True)
            if options.prompts:
                of_prompts(lesson)


if __name__ == "__main__":
    main()
