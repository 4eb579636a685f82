"""Fixtures: a Streamlit server for each app, one Chromium, a page that notes errors and refuses the outside world."""

import contextlib
import functools
from urllib.parse import urlsplit

import firefox
import pytest
import serving
import waiting

HAND = """new MutationObserver(() => {
    for (const plane of document.querySelectorAll('.svm-plane')) plane.dispatchEvent(new Event('pointerover'));
}).observe(document, { subtree: true, childList: true });"""


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """serve("app.py") -> the address of a running server of that app, started on first use."""
    with contextlib.ExitStack() as stack:

        @functools.cache
        def start(app):
            return stack.enter_context(serving.server(app, tmp_path_factory.mktemp("server") / "log.txt"))[1]

        yield start


@pytest.fixture
def app(serve):
    """The address of the app."""
    return serve("app.py")


@pytest.fixture(scope="session")
def chromium():
    """One Chromium for the session; without one the tests are skipped, but fail in CI."""
    with serving.chromium() as browser:
        from playwright.sync_api import expect

        expect.set_options(timeout=1000 * waiting.PATIENCE)
        yield browser


@pytest.fixture(scope="session")
def fox(tmp_path_factory):
    """One Firefox for the session; without one the tests are skipped, but fail in CI."""
    with firefox.running(tmp_path_factory.mktemp("firefox")) as session:
        yield session


def context(browser, width=1300, height=1000, **options):
    """Something like a browser of its own, without cache, cookies or storage; less motion and light by default.

    Unless it is its `first_visit`, the toolbar shows all tools, a film all sentences, and a hand is near each plane.
    """
    first, options = options.pop("first_visit", False), {"reduced_motion": "reduce", "color_scheme": "light", **options}
    made = browser.new_context(viewport=dict(width=width, height=height), **options)
    made.set_default_timeout(1000 * waiting.PATIENCE)
    if not first:
        made.add_init_script("for (const part of ['tools', 'why']) localStorage.setItem(`svm-lab ${part}`, 'open')")
        made.add_init_script(HAND)
    return made


@pytest.fixture(scope="session")
def shared_context(chromium):
    """One for all tests that need no other: it loads Streamlit's files and Plotly once."""
    shared = context(chromium)
    yield shared
    shared.close()


@pytest.fixture
def watch():
    """watch(page) -> the page, which must end without errors and without a request to the outside world.

    `page.expected` is the pattern of the errors that a test brings about, as late as the browser may report them.
    """
    pages = []

    def watch(page):
        page.problems, page.foreign, page.expected = [], [], None
        page.on("pageerror", lambda error: page.problems.append(f"page error: {error}"))
        page.on("console", lambda line: _is_problem(line) and page.problems.append(f"console: {line.text}"))
        page.on("request", lambda request: _outside(request.url) and page.foreign.append(request.url))
        page.on("websocket", lambda socket: _outside(socket.url) and page.foreign.append(socket.url))
        pages.append(page)
        return page

    yield watch
    assert [page.foreign for page in pages if page.foreign] == []
    found = ((page.expected, problem) for page in pages for problem in page.problems)
    assert [problem for expected, problem in found if not (expected and expected.search(problem))] == []


@pytest.fixture
def new_page(chromium, watch):
    """new_page(width=..., **options) -> a watched page in a context of its own."""
    contexts = []

    def make(**options):
        contexts.append(context(chromium, **options))
        return watch(contexts[-1].new_page())

    yield make
    for made in contexts:
        made.close()


@pytest.fixture
def page(shared_context, watch):
    """A watched page 1300 x 1000 in the light theme, in the context that tests share."""
    page = watch(shared_context.new_page())
    yield page
    page.close()


def _is_problem(line):
    """An error on the console, but for Streamlit's own search for its base path on a deep link."""
    probe = line.location.get("url", "").endswith(("/_stcore/health", "/_stcore/host-config"))
    return line.type == "error" and not probe


def _outside(url):
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", "localhost")
