"""Fixtures: a Streamlit server for each app, one Chromium, a page that notes errors and refuses the outside world."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import serving


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """serve("app.py") -> the address of a running server of that app, started on first use."""
    running = {}

    def start(app):
        if app not in running:
            running[app] = serving.start(app, tmp_path_factory.mktemp("server") / "log.txt")
        return running[app][1]

    yield start
    for process, _ in running.values():
        process.terminate()
    for process, _ in running.values():
        process.wait(timeout=10)


@pytest.fixture(scope="session")
def chromium():
    """One Chromium for the session; without one the tests are skipped, but fail in CI."""
    if serving.browser() is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no chromium or google-chrome on the PATH")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=serving.browser(), args=serving.FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium):
    """new_page(width=..., **options) -> a page in a fresh context that must end without errors or outside requests."""
    contexts, pages = [], []

    def make(width=1300, height=1000, **options):
        options = {"reduced_motion": "reduce", "color_scheme": "light", **options}
        context = chromium.new_context(viewport=dict(width=width, height=height), **options)
        page = context.new_page()
        page.problems, page.foreign = [], []
        page.on("pageerror", lambda error: page.problems.append(f"page error: {error}"))
        page.on("console", lambda line: _is_problem(line) and page.problems.append(f"console: {line.text}"))
        context.route(_outside, lambda route: (page.foreign.append(route.request.url), route.abort()))
        contexts.append(context)
        pages.append(page)
        return page

    yield make
    for context in contexts:
        context.close()
    assert [page.foreign for page in pages if page.foreign] == []
    assert [page.problems for page in pages if page.problems] == []


def _is_problem(line):
    """An error on the console, but for Streamlit's own search for its base path on a deep link."""
    probe = line.location.get("url", "").endswith(("/_stcore/health", "/_stcore/host-config"))
    return line.type == "error" and not probe


def _outside(url):
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", "localhost")


@pytest.fixture
def page(new_page):
    """A page 1300 x 1000 in the light theme."""
    return new_page()
