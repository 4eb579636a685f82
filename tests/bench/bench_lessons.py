"""How long the answer of a lesson's question keeps a reader, beside a run of its page that has it already.

    python tests/bench/bench_lessons.py [--repeat 5] [--think 5]

Milliseconds of three runs in a row: the page with the question; after `--think` seconds the run of the commitment,
which brings the feedback; and the same run once more, when everything is known: the page's own part. Each turn is about
another draw, so that no answer is known beforehand, and the questions take turns. `at once` is the same with no time to
think. Medians of the first, the second and the third, and of the difference of the last two.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers")]

import serving
import visitors

QUESTIONS = {  # an answer of the kind that the question takes
    "errors/flip": "0",
    "width/choice": "0",
    "evidence/distant": "0",
    "evidence/scattered": '["hinge","least_squares","zero_one"]',
    "evidence/bound": "0",
}


async def turn(url, question, draw, think):
    """Seconds of the three runs, in a session of their own."""
    lesson, prompt = question.split("/")
    link = f"lesson={lesson}&prompt={prompt}&attempt={draw}"
    async with visitors.stream(url) as socket:
        reader = visitors.Visitor(url, socket, "lessons")
        asked = await reader.run(link)
        await asyncio.sleep(think)
        return [asked, *[await reader.run(f"{link}&given={QUESTIONS[question]}") for _ in range(2)]]


async def turns(url, repeat, think):
    """Prints the medians of all turns."""
    print(f"{'':22}{'think s':>8}{'question ms':>13}{'feedback ms':>13}{'own run ms':>12}{'beyond':>9}")
    rows = {(question, pause): [] for question in QUESTIONS for pause in (think, 0.0)}
    for k in range(repeat + 1):
        for number, ((question, pause), found) in enumerate(rows.items()):
            found.append(await turn(url.replace("http", "ws"), question, 2 * k + number % 2, pause))
    for (question, pause), found in rows.items():
        runs = 1000 * np.array(found[1:])  # the first one loads what is compiled
        asked, feedback, own, beyond = *np.median(runs, axis=0), np.median(runs[:, 1] - runs[:, 2])
        print(f"{question:22}{pause:8.0f}{asked:13.0f}{feedback:13.0f}{own:12.0f}{beyond:9.0f}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--think", type=float, default=5.0)
    options = arguments.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    process, url = serving.start("app.py", Path(tempfile.mkdtemp()) / "log.txt")
    try:
        asyncio.run(turns(url, options.repeat, options.think))
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
