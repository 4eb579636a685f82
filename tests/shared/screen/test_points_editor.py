"""The record of a session's edits: what it takes from the page, the board and files, and what it tells them."""

import random

import pytest

from pages.shared.screen import codec, edits
from pages.shared.screen.editor import Editor
from pages.shared.screen.edits import FLIPPED, OFF

ONE, TWO = "one draw", "another draw"
A, B, C = (edits.script((-3, -3), [(k, FLIPPED)]) for k in (1, 2, 3))
a, b, c = map(codec.encode, (A, B, C))


class Page:
    """A page that holds the link's text, and a session that keeps what the page sent or what it was told itself."""

    def __init__(self, text=""):
        self.editor, self.text, self.state, self.answers = Editor(), text, text, []

    def request(self):
        """What the page holds arrives with it."""
        self.state = self.text

    def do(self, script, draw=ONE):
        """Something on the page, before its run, makes these the edits of the draw."""
        self.state = self.editor.remember(draw, script, self.state)

    def run(self, draw=ONE, address=None):
        """A run: what it fits. With `address` the reader went back in the browser's history, to that text."""
        result = self.editor.begin(draw, self.state)
        self.state = result if result is not None else self.state
        self.state = self.state if address is None else address
        self.answers.append(self.state)
        return self.editor.read(draw, self.state)

    def ask(self, draw=ONE, script=None):
        """A run that the page asks for; `script`: what something on it has made the edits of the draw."""
        self.request()
        if script is not None:
            self.do(script, draw)
        return self.run(draw)

    def hear(self):
        """The page hears the oldest answer that it has not heard."""
        self.text = self.answers.pop(0)


@pytest.fixture
def page():
    return Page()


def test_an_edit_is_heard_as_well(page):
    """What the page sends along with an edit is what it holds: the texts before that are forgotten."""
    page.run()
    page.hear()
    for script in (A, B, C):
        page.ask(script=script)
        page.hear()
    page.text = a
    assert page.ask() == A


def test_a_page_without_a_text_has_the_one_of_its_address():
    """A page from the menu: the state has no text for it yet, and the address may name another draw."""
    page = Page()
    page.do(A)
    page.run()
    page.state = None
    assert page.run(TWO, address=a) == A and page.editor.script(TWO) == A


def test_going_back_in_the_history_is_not_an_echo(page):
    """The browser's address wins over what the page holds, whether the page has heard of the newest text or not."""
    page.run()
    page.ask(script=A)
    page.request()
    assert page.run(address="") == edits.NONE
    page.hear(), page.hear(), page.hear()
    assert page.ask() == edits.NONE


def test_a_file_brings_edits_for_the_draw_that_its_controls_make_and_may_come_before_anything_else(page):
    page.editor.brought = A
    assert page.run() == A and page.answers == [a]
    page.request()  # it still holds no edits
    assert page.text == "" and page.run() == A
    page = Page()
    page.run()
    page.editor.brought = A
    assert page.ask(TWO) == A and page.answers[-1] == a and page.editor.brought is None
    assert page.ask(TWO) == A


def test_a_text_that_cannot_be_read_is_an_error_once():
    page = Page("1garbage")
    with pytest.raises(ValueError, match="these edits"):
        page.run()
    assert page.editor.script(ONE) == edits.NONE
    assert page.ask() == edits.NONE


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_done_and_heard_the_last_edit_of_a_draw_stands(seed):
    """Random edits, changes of the draw and delays of the page, but no link from outside."""
    rng, page, expected = random.Random(seed), Page(), {ONE: edits.NONE, TWO: edits.NONE}
    page.run()
    draw = ONE
    for _ in range(60):
        page.request()
        kind = rng.choice(["edit", "edit", "draw", "slider", "hear", "hear"])
        if kind == "hear" and page.answers:
            page.hear()
            continue
        if kind == "edit":
            expected[draw] = rng.choice([A, B, C, edits.NONE])
            page.do(expected[draw], draw)
        if kind == "draw":
            draw = rng.choice([ONE, TWO])
        assert page.run(draw) == expected[draw], kind


# ----------------------------------------------------------------------------------------------- board


def message(rows, version, chosen=None):
    return dict(version=version, seq=1, chosen=chosen, step=[-3, -3], edits=rows)


@pytest.fixture
def editor():
    """A record whose board shows the points of ONE, without edits."""
    editor = Editor()
    editor.read(ONE, "")
    editor.version_of("base", edits.NONE)
    return editor


def test_the_revision_is_the_time_of_the_points():
    times = iter([5000, 9000])
    clock = Editor()
    assert [clock.version_of(base, A, lambda: next(times)) for base in ("x", "x", "y")] == [5, 5, 9]


def test_a_refused_script_leaves_everything_and_the_board_takes_it_back(editor):
    editor.take(message([[3, OFF, 0, 0]], editor.version), "")
    before, version = editor.script(ONE), editor.version
    bad = message([[3, OFF, 0, 0], [3, OFF, 0, 0]], version, chosen=3)
    assert editor.take(bad, "") is None and "twice" in editor.refused
    assert editor.script(ONE) == before and editor.chosen_point(ONE) is None
    assert editor.take(message([], version), "") is None  # still about what it has to take back
    assert editor.script(ONE) == before and editor.version_of("base", before) != version
