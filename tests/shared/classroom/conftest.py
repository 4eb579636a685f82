"""A room that is asked a question."""

import pytest

from pages.shared.classroom import polls, rooms


@pytest.fixture
def asked(own_store):
    """asked(kind, details) -> (code, key, question) of a room in which this is asked."""

    def ask(kind="choose", details=None):
        code, key = rooms.open_room()
        polls.ask(code, key, kind, "What?", {"options": ["a", "b"]} if details is None else details)
        return code, key, rooms.look(code).question

    return ask
