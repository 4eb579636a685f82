"""What the board tells is taken only when it is about these points, and the link only hears what is final."""

from types import SimpleNamespace

import pytest

from pages.shared.page import run
from pages.shared.panels import editing
from pages.shared.screen import codec, editor, edits
from pages.shared.screen.choices import Data
from pages.shared.screen.edits import FLIPPED, MOVED, script

TOY, MOONS = Data("toy_outliers", 0, (("n", 40),)), Data("moons", 0, (("n", 200), ("noise", 0.2)))


class Session:
    """Streamlit's session state, and the one text box that the link is bound to."""

    def __init__(self, monkeypatch):
        self.state, self.notes, self.link = {}, [], ""
        monkeypatch.setattr("streamlit.session_state", self.state)
        self.values = run.session().values
        run.session().run = SimpleNamespace(note=self.notes.append)
        monkeypatch.setattr(editing, "show", lambda field: self.values.setdefault("edits", self.link))

    def run(self, data):
        """A run of the page: what it fits, after it has told the board."""
        edited = editing.with_edits(data)
        editing._answer(edited, editing._message() or {})
        return edited.edits

    @property
    def editor(self):
        """The session's record of its edits."""
        return editor.session_editor(self.state)

    def tell(self, rows, version=None, chosen=None):
        """A message of the board, and what Streamlit calls before the run that it starts."""
        version = self.editor.version if version is None else version
        result = dict(version=version, seq=1, chosen=chosen, step=[-3, -3], edits=rows)
        self.state[editing.POINTS] = {"edits": result}
        editing._take()


@pytest.fixture
def session(monkeypatch):
    return Session(monkeypatch)


def test_an_edit_is_fitted_and_written_to_the_link(session):
    assert session.run(TOY) == edits.NONE
    session.tell([[3, MOVED, 10, 20]])
    assert session.run(TOY) == script((-3, -3), [(3, MOVED, 10, 20)])
    assert codec.decode(session.values["edits"]) == session.run(TOY)


def test_a_message_about_other_points_comes_too_late(session):
    session.run(TOY)
    stale = session.editor.version
    session.run(MOONS)
    session.tell([[3, FLIPPED, 0, 0]], version=stale)
    assert session.run(MOONS) == edits.NONE


def test_the_board_keeps_its_revision_while_only_it_edits(session):
    session.run(TOY)
    version = session.editor.version
    session.tell([[3, MOVED, 10, 20]])
    session.run(TOY)
    assert session.editor.version == version
    editing.remember(TOY.as_drawn, script((-3, -3), [(5, FLIPPED)]))  # as the table does
    session.run(TOY)
    assert session.editor.version != version


def test_too_many_edits_are_refused_in_a_sentence_and_nothing_is_lost(session):
    session.run(TOY)
    session.tell([[3, FLIPPED, 0, 0]])
    before, version = session.run(TOY), session.editor.version
    session.tell([[-k, MOVED, k, k] for k in range(1, 5002)])
    assert session.run(TOY) == before and "5000" in session.notes[-1]
    assert session.editor.version != version


def test_a_broken_link_is_a_note(session):
    session.link = "1garbage"
    assert session.run(TOY) == edits.NONE and len(session.notes) == 1


def test_the_chosen_point_is_that_of_the_draw_and_the_last_one_named(session):
    session.run(TOY)
    session.tell([], chosen=3)
    assert session.editor.chosen_point(TOY) == 3 and session.editor.chosen_point(MOONS) is None
    session.tell([[3, MOVED, 10, 20]])  # a board that has chosen none leaves it
    assert session.editor.chosen_point(TOY) == 3
    editing.choose(TOY, -1)
    assert session.editor.chosen_point(TOY) == -1
    session.tell([], chosen=0)
    assert session.editor.chosen_point(TOY) == 0
    session.tell([], chosen=7, version=1)  # about other points
    assert session.editor.chosen_point(TOY) == 0
    editing.choose(TOY, None)
    assert session.editor.chosen_point(TOY) is None
