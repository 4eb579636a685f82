"""What the board tells is taken only when it is about these points, and the link only hears what is final."""

from types import SimpleNamespace

import pytest

from pages.shared import controls
from pages.shared.choices import Data
from pages.shared.parts import editing
from pages.shared.points import codec, editor, edits
from pages.shared.points.edits import FLIPPED, MOVED, script

TOY, MOONS = Data("toy_outliers", 0, (("n", 40),)), Data("moons", 0, (("n", 200), ("noise", 0.2)))


class Session:
    """Streamlit's session state, and the one text box that the link is bound to."""

    def __init__(self, monkeypatch):
        self.state, self.notes, self.link = {}, [], ""
        monkeypatch.setattr(editing, "st", SimpleNamespace(session_state=self.state))
        monkeypatch.setattr(controls, "EDITS", lambda: self.state.setdefault("edits", self.link))
        monkeypatch.setattr(controls, "note", self.notes.append)

    def run(self, data):
        """A run of the page: what it fits, after it has told the board."""
        edited = editing.edited(data)
        editing._answer(edited, editing._message() or {})
        return edited.edits

    @property
    def editor(self):
        """The session's record of its edits."""
        return editor.of(self.state)

    def tell(self, rows, moving=False, rev=None, chosen=None):
        """A message of the board, and what Streamlit calls before the run that it starts."""
        rev = self.editor.revision if rev is None else rev
        result = dict(rev=rev, seq=1, moving=moving, chosen=chosen, step=[-3, -3], edits=rows)
        self.state[editing.BOARD] = {"edits": result}
        editing._take()


@pytest.fixture
def session(monkeypatch):
    return Session(monkeypatch)


def test_an_edit_is_fitted_and_written_to_the_link(session):
    assert session.run(TOY) == edits.NONE
    session.tell([[3, MOVED, 10, 20]])
    assert session.run(TOY) == script((-3, -3), [(3, MOVED, 10, 20)])
    assert codec.decode(session.state["edits"]) == session.run(TOY)


def test_a_moving_point_is_fitted_but_the_link_waits(session):
    session.run(TOY)
    session.tell([[3, MOVED, 10, 20]], moving=True)
    assert session.run(TOY).edits and session.state["edits"] == ""


def test_a_message_about_other_points_comes_too_late(session):
    session.run(TOY)
    stale = session.editor.revision
    session.run(MOONS)
    session.tell([[3, FLIPPED, 0, 0]], rev=stale)
    assert session.run(MOONS) == edits.NONE


def test_the_board_keeps_its_revision_while_only_it_edits(session):
    session.run(TOY)
    revision = session.editor.revision
    session.tell([[3, MOVED, 10, 20]])
    session.run(TOY)
    assert session.editor.revision == revision
    editing.remember(TOY.drawn, script((-3, -3), [(5, FLIPPED)]))  # as the table does
    session.run(TOY)
    assert session.editor.revision != revision


def test_each_draw_has_its_own(session):
    session.run(TOY)
    session.tell([[3, FLIPPED, 0, 0]])
    first = session.run(TOY)
    assert session.run(MOONS) == edits.NONE and session.state["edits"] == ""
    session.tell([[-1, MOVED, 1, 1]])
    second = session.run(MOONS)
    assert session.run(TOY) == first and codec.decode(session.state["edits"]) == first
    assert session.run(MOONS) == second


def test_an_echo_of_the_text_before_does_not_undo_an_edit(session):
    session.run(TOY)
    session.tell([[3, FLIPPED, 0, 0]])
    edited = session.run(TOY)
    session.state["edits"] = ""  # a slider that was moved before the page heard of the new text
    assert session.run(TOY) == edited
    session.state["edits"] = text = codec.encode(script((-3, -3), [(7, FLIPPED)]))
    assert codec.encode(session.run(TOY)) == text  # but another link is another link


def test_edits_too_long_for_a_link_stay_with_the_session(session):
    session.run(TOY)
    session.tell([[-k, MOVED, 7 * k, 9 * k] for k in range(1, 1500)])
    assert len(session.run(TOY).edits) == 1499 and session.state["edits"] == ""
    session.run(MOONS)
    assert len(session.run(TOY).edits) == 1499


def test_too_many_edits_are_refused_in_a_sentence_and_nothing_is_lost(session):
    session.run(TOY)
    session.tell([[3, FLIPPED, 0, 0]])
    before, revision = session.run(TOY), session.editor.revision
    session.tell([[-k, MOVED, k, k] for k in range(1, 5002)])
    assert session.run(TOY) == before and "5000" in session.notes[-1]
    assert session.editor.revision != revision


def test_a_broken_link_is_a_note(session):
    session.link = "1garbage"
    assert session.run(TOY) == edits.NONE and "could not be read" in session.notes[-1]


def test_the_chosen_point_is_that_of_the_draw_and_the_last_one_named(session):
    session.run(TOY)
    session.tell([], chosen=3)
    assert session.editor.chosen(TOY) == 3 and session.editor.chosen(MOONS) is None
    session.tell([[3, MOVED, 10, 20]])  # a board that has chosen none leaves it
    assert session.editor.chosen(TOY) == 3
    editing.choose(TOY, -1)
    assert session.editor.chosen(TOY) == -1
    session.tell([], chosen=0)
    assert session.editor.chosen(TOY) == 0
    session.tell([], chosen=7, rev=1)  # about other points
    assert session.editor.chosen(TOY) == 0
    editing.choose(TOY, None)
    assert session.editor.chosen(TOY) is None
