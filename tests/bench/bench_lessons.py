"""How long a reader of a lesson waits for the feedback, beside what the page takes for a run of its own.

    python tests/bench/bench_lessons.py [--repeat 5] [--think 5]

Milliseconds from the click on "Lock in my answer" to the feedback on the screen, after `--think` seconds with the
question, and from a key that only runs the page again to the end of that run. Each turn is about another draw, so that
no answer is known beforehand. Medians, and their difference, which is what the answer costs.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers")]

import serving
import waiting
from playwright.sync_api import sync_playwright

PROMPTS = ("errors/flip", "evidence/distant", "evidence/scattered", "evidence/bound")
LOCKED = '.svm-question[data-locked="true"]'
FEEDBACK = f"""() => new Promise((tell) => {{
    const begun = performance.now();
    const look = () => document.querySelector('{LOCKED}') ? tell(performance.now() - begun) : requestAnimationFrame(look);
    document.querySelector('.svm-commit').click();
    look();
}})"""
RERUN = """() => new Promise((tell) => {
    const app = document.querySelector('[data-testid="stApp"]');
    let ran = false;
    new MutationObserver((_, observer) => {
        const running = app.getAttribute('data-test-script-state') === 'running';
        if (ran && !running) (observer.disconnect(), tell(performance.now() - begun));
        ran ||= running;
    }).observe(app, { attributes: true });
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', code: 'KeyR', keyCode: 82, bubbles: true }));
})"""


def turn(page, url, prompt, draw, think):
    """(milliseconds to the feedback, milliseconds of a run of the page)."""
    lesson, key = prompt.split("/")
    waiting.opened(page, f"{url}/lessons?lesson={lesson}&prompt={key}&attempt={draw}", "asked")
    form = page.locator(".svm-question")
    if form.get_attribute("data-kind") == "order":
        form.locator('.svm-order button[title$="down"]').first.click()
    else:
        form.locator(".svm-option").first.click()
    page.wait_for_timeout(1000 * think)
    taken = page.evaluate(FEEDBACK)
    waiting.settled(page)
    page.wait_for_timeout(1500)
    return taken, page.evaluate(RERUN)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--think", type=float, default=5.0)
    options = arguments.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    process, url = serving.start("app.py", Path(tempfile.mkdtemp()) / "log.txt")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=serving.browser(), args=serving.FLAGS)
            context = browser.new_context(viewport=dict(width=1280, height=800))
            context.add_init_script("localStorage.setItem('svm-lab tour', 'seen')")
            page = context.new_page()
            print(f"{'':22}{'feedback ms':>13}{'own run ms':>12}{'beyond':>9}")
            rows = {prompt: [] for prompt in PROMPTS}
            for draw in range(options.repeat + 1):  # in turns: the load of the machine is that of all
                for prompt, found in rows.items():
                    found.append(turn(page, url, prompt, draw, options.think))
            for prompt, found in rows.items():
                feedback, own = np.median(found[1:], axis=0)  # the first one loads what is compiled
                print(f"{prompt:22}{feedback:13.0f}{own:12.0f}{feedback - own:9.0f}", flush=True)
            browser.close()
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
