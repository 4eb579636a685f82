"""What surrounds every page: an error anywhere inside it, and what is done in the end all the same."""

from collections import deque

import pytest
from screen import open_page, pictures, sent, session, value

from pages.shared.server.run_queue import queue

pytestmark = pytest.mark.usefixtures("warm")
PAGE = "pages/playground.py"


@pytest.fixture(params=[ValueError, RuntimeError])
def broken(request, monkeypatch):
    """The page after an error among its controls, one of svmcore or one that nobody expects; its turn is given back."""

    def fail(*_, **__):
        raise request.param(PAGE)

    before = len(queue.seconds)
    monkeypatch.setattr(queue, "seconds", deque(queue.seconds))  # of the turns that were given back
    with monkeypatch.context() as patch:
        patch.setattr("pages.shared.controls.machines.entry_of", fail)
        app = open_page(PAGE, seed="3")
    assert len(queue.seconds) == before + 1
    return app


def test_an_error_among_the_controls_is_shown_and_the_page_is_ended(broken):
    assert [shown.value for shown in (*broken.error, *broken.exception)] == [PAGE]
    assert sent(broken, "controls") and not session(broken).run.hint


def test_after_an_error_the_next_run_has_the_link_as_it_was(broken):
    assert broken.query_params["seed"] in ("3", ["3"])
    assert pictures(broken.run()) and value(broken, "seed") == 3
