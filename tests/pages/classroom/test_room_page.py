"""Rooms on the pages, without a browser: open, join, follow, vote, reveal, leave."""

import pytest
import streamlit as st
from screen import ROOT, choose, followed, healthy, html, notes, open_page, session, value
from streamlit.testing.v1 import AppTest

from pages.shared.classroom import polls, rooms
from pages.shared.classroom.screens import room_line
from pages.shared.page import callbacks, run

pytestmark = pytest.mark.usefixtures("warm")
ROOM, PLAYGROUND, LOSSES = "pages/room.py", "pages/playground.py", "pages/losses.py"


@pytest.fixture(autouse=True)
def file(monkeypatch, tmp_path):
    monkeypatch.setenv("SVM_LAB_STORE", str(tmp_path / "store.sqlite3"))


def button(app, key):
    (found,) = (one for one in app.button if one.key == key)
    return found


def said(app):
    text = " ".join(one.value for kind in (app.markdown, app.caption, app.info) for one in kind)
    return text.replace("\\", "")


def question(code, key, kind="choose", details=None):
    polls.ask(code, key, kind, "Which boundary moves?", details or {"options": ["LS-SVM", "**L1**"]})
    return rooms.look(code).question


def test_a_room_is_opened_with_a_code_a_picture_of_its_link_and_a_key_that_is_in_no_other_link():
    app = button(healthy(open_page(ROOM)), "room_open").click().run()
    code, key = value(app, "join"), value(app, "cockpit")
    assert rooms.is_key(code, key) and app.query_params == {"join": code, "cockpit": key}
    links = [block.value for block in app.code]
    assert any(f"?join={code}" in link and "cockpit" not in link for link in links)
    assert sum(key in link for link in links) == 1 and "data:image/svg" in html(app)
    app.switch_page(PLAYGROUND)
    followed(app, {"join": code, "cockpit": key})
    assert app.query_params == {"join": code} and notes(healthy(app)) == []


@pytest.mark.parametrize(
    "base, outside, sentence",
    [
        ("http://localhost:8501/room", "10.1.2.3", "Open the links of this room with `http://10.1.2.3:8501` at"),
        ("http://127.0.0.1/room", "", "with the address that this computer has in its network at"),
        ("http://10.1.2.3:8501/room", "10.1.2.3", ""),
    ],
)
def test_a_code_that_no_phone_can_open_is_said(monkeypatch, base, outside, sentence):
    code, key = rooms.open_room()
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.url", base)
    monkeypatch.setattr("pages.shared.classroom.network.address", lambda: outside)
    for link in ({"cockpit": key}, {"projected": "1"}):
        text = said(healthy(open_page(ROOM, join=code, **link)))
        assert ("Phones cannot open" in text) == bool(sentence) and sentence in text


def test_without_its_key_there_is_no_cockpit():
    code, key = rooms.open_room()
    for link in ({"join": code}, {"join": code, "cockpit": "guess"}):
        app = healthy(open_page(ROOM, **link))
        assert not any(one.key in ("ask", "room_reveal", "room_close") for one in app.button)
        assert ("does not open the cockpit" in said(app)) == ("cockpit" in link)
    assert "does not open the cockpit" not in said(healthy(open_page(ROOM, join=code, cockpit=key)))
    assert any(one.key == "ask" for one in healthy(open_page(ROOM, join=code, cockpit=key)).button)


def test_a_room_that_does_not_exist_is_a_sentence():
    app = healthy(open_page(ROOM, join="ABCDE"))
    assert "There is no room ABCDE" in said(app) and button(app, "room_open")
    assert "There is no room ABCDE" in said(healthy(open_page(PLAYGROUND, join="ABCDE")))


def test_the_hint_of_a_room_that_is_gone_is_for_students_unless_the_link_is_that_of_the_lecturer():
    for link in ({"join": "ABCDE"}, {"join": "no code"}):
        assert "ask your lecturer" in session(healthy(open_page(ROOM, **link))).run.hint
    for link in ({}, {"join": "ABCDE", "cockpit": "key"}):
        assert "open a room" in session(healthy(open_page(ROOM, **link))).run.hint
    code, _ = rooms.open_room()
    assert session(healthy(open_page(ROOM, join=code))).run.hint == ""
    healthy(open_page(PLAYGROUND, join="![p](//any.address/x.png)"))


def test_a_code_that_cannot_be_one_is_a_sentence():
    for code in ("AB0DE", "ABC", "![p](//any.address/x.png)"):
        text = said(healthy(open_page(ROOM, join=code)))
        assert "is not the code of a room. A code has 5 letters and digits, none of them I, O, 0 or 1." in text
    assert "is not the code" not in said(healthy(open_page(ROOM)))


def test_students_see_what_the_lecturer_shows():
    code, key = rooms.open_room()
    lecturer = open_page(ROOM, join=code, cockpit=key)
    lecturer.session_state["room_joined"]["leads"] = True
    lecturer.switch_page(PLAYGROUND)
    followed(lecturer, {"join": code, "problem": "moons", "C": "3"})
    assert rooms.look(code).screen == ("playground", {"problem": "moons", "C": "3"})
    student = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    student.switch_page(LOSSES)
    followed(student, {"join": code})
    assert session(healthy(student)).run.title == "Playground" and value(student, "C") == 3.0
    assert student.query_params["join"] == code and student.query_params["problem"] == "moons"
    student.switch_page(PLAYGROUND)  # AppTest does not know that the page has switched itself
    followed(student, {"join": code, "problem": "moons", "C": "3"})
    assert value(choose(student, C=5.0), "C") == 5.0  # one's own changes stay until something else is shown
    student.toggle(key="room_follows").set_value(False).run()
    rooms.show(code, key, "losses", {})
    assert session(student.run()).run.title == "Playground" and value(student, "C") == 5.0
    student.toggle(key="room_follows").set_value(True).run()
    assert session(student).run.title == "Losses"


@pytest.mark.parametrize("follows, seen", [(True, 3), (False, None)])
def test_a_switch_of_a_page_that_is_gone_turns_nothing(monkeypatch, follows, seen):
    """Streamlit takes it for one that was turned, with the value that it had."""
    mine = {"follows": True, "seen": 3, "leads": True}
    monkeypatch.setattr("streamlit.session_state", {"room_joined": mine})
    run.session().seen["room_follows"] = True
    for switch in ({}, {"room_follows": True}, {"room_follows": follows}):
        st.session_state.pop("room_follows", None)
        st.session_state.update(switch)
        callbacks._call_if_changed("room_follows", room_line._follow)
        callbacks._call_if_changed("room_leads", room_line._lead)
    assert mine == {"follows": follows, "seen": seen, "leads": True}


def test_a_press_that_comes_with_a_change_of_page_takes_no_value_of_the_next_page():
    code, _ = rooms.open_room()
    app = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    app.switch_page(ROOM)
    healthy(app.run()).text_input(key="room_code").set_value("ABCDE")
    button(app, "room_join").click()
    app.switch_page(LOSSES)
    assert "join" not in healthy(app.run()).query_params
    app.switch_page(ROOM)
    app.run().text_input(key="room_code").set_value(code)
    assert healthy(button(app, "room_join").click().run()).query_params["join"] == code


def test_a_student_who_does_not_follow_leaves_the_room():
    code, _ = rooms.open_room()
    app = healthy(open_page(PLAYGROUND, join=code))
    assert f"Room {code}" in said(app) and rooms.look(code).members == 1
    app = button(app, "room_leave").click().run().run()
    assert f"Room {code}" not in said(app) and "join" not in app.query_params


def test_a_vote_is_counted_changed_and_shown_after_the_reveal():
    code, key = rooms.open_room()
    asked = question(code, key)
    app = healthy(open_page(PLAYGROUND, join=code))
    assert "Which boundary moves?" in said(app) and "vote 1: 0 votes" in said(app)
    radio = app.radio(key=f"vote-{asked.id}-1")
    assert radio.value is None and radio.options == ["LS\\-SVM", "\\*\\*L1\\*\\*"]
    app = radio.set_value(1).run().run()
    assert polls.results(asked) == [[1]] and "vote 1: 1 vote" in said(app) and "100\u202f%" not in html(app)
    app = app.radio(key=f"vote-{asked.id}-1").set_value(0).run()
    assert polls.results(asked) == [[0]]
    polls.reveal(code, key)
    app = app.run()
    assert not app.radio and "1 (100\u202f%)" in html(app) and "**L1**" in html(app)
    polls.again(code, key)
    app = app.run()
    assert "100\u202f%" not in html(app)
    app = app.radio(key=f"vote-{asked.id}-2").set_value(1).run()
    polls.reveal(code, key)
    assert "vote 1: 1 vote; vote 2: 1 vote" in said(app.run()) and html(app).count("1 (100\u202f%)") == 2


def test_the_wall_shows_the_options_until_the_reveal():
    code, key = rooms.open_room()
    question(code, key)
    link = {"join": code, "projected": "1"}
    text = said(healthy(open_page(ROOM, **link)))
    assert "1. LS-SVM\n2. **L1**" in text and "vote 1: 0 votes" in text
    polls.reveal(code, key)
    app = healthy(open_page(ROOM, **link))
    assert "1. LS-SVM" not in said(app) and "<meter" in html(app)
    question(code, key, "number", {"low": 0, "high": 9, "unit": "points"})
    assert "1. " not in said(healthy(open_page(ROOM, **link)))


def test_a_number_is_voted_on():
    code, key = rooms.open_room()
    asked = question(code, key, "number", {"low": 0, "high": 90, "unit": "°"})
    app = healthy(open_page(PLAYGROUND, join=code))
    app.number_input(key=f"vote-{asked.id}-1").set_value(12.5).run()
    assert polls.results(asked) == [[12.5]]


def test_the_cockpit_asks_reveals_asks_again_and_ends():
    code, key = rooms.open_room()
    app = healthy(open_page(ROOM, join=code, cockpit=key))
    app = button(app, "ask").click().run()
    assert "1 to 500 characters" in said(app)
    app.text_input(key="ask_text").set_value("What turns?")
    app.text_area(key="ask_options").set_value("one\ntwo\n")
    app = button(app, "ask").click().run()
    asked = rooms.look(code).question
    assert (asked.text, asked.details) == ("What turns?", {"options": ["one", "two"]})
    polls.vote(code, "me", asked.id, 1, 1)
    app = button(app.run(), "room_reveal").click().run().run()
    assert rooms.look(code).question.revealed and "1 (100\u202f%)" in html(app)
    app = button(app, "room_again").click().run().run()
    assert rooms.look(code).question.round == 2
    button(app, "room_close").click().run()
    with pytest.raises(rooms.RoomError):
        rooms.look(code)


def test_the_screen_for_the_projector_shows_code_and_question_but_no_distribution():
    code, key = rooms.open_room()
    asked = question(code, key)
    polls.vote(code, "me", asked.id, 1, 1)
    app = healthy(open_page(ROOM, join=code, projected="1"))
    assert (
        code in said(app)
        and "vote 1: 1 vote" in said(app)
        and "data:image/svg" in html(app)
        and "100\u202f%" not in html(app)
    )
    assert [one.key for one in app.button] == ["presenting"]


def test_a_store_that_fails_is_a_sentence_and_the_page_works(monkeypatch, tmp_path):
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("SVM_LAB_STORE", str(tmp_path / "taken" / "store.sqlite3"))
    app = button(healthy(open_page(ROOM)), "room_open").click().run()
    assert "store does not work" in notes(app)[0]
    app = healthy(open_page(PLAYGROUND, join="ABCDE"))
    assert "store does not work" in said(app)
