"""Rooms on the pages, without a browser: open, join, follow, vote, reveal, leave."""

import hashlib
import ipaddress
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st
from screen import choose, followed, healthy, html, led, notes, open_page, press, said, sent, session, value, ways

from pages.shared.classroom import polls, rooms
from pages.shared.classroom.screens import following, room_line, room_page, vote_forms
from pages.shared.lessons.reading import built_in_lessons
from pages.shared.page import addresses, callbacks, run
from pages.shared.server import sessions
from pages.shared.server.limits import Limit
from pages.shared.studies import formatting

pytestmark = pytest.mark.usefixtures("warm", "own_store")
ROOM, PLAYGROUND, LOSSES = "pages/room.py", "pages/playground.py", "pages/losses.py"
ASKED = "Which boundary moves?"


def question(code, key, kind="choose", details=None):
    polls.ask(code, key, kind, ASKED, details or {"options": ["LS-SVM", "**L1**"]})
    return rooms.look(code).question


def progress(code):
    return vote_forms.progress(rooms.look(code))


def test_a_room_is_opened_with_a_code_a_picture_of_its_link_and_a_key_that_is_in_no_address():
    app = press(healthy(open_page(ROOM)), "room_open")
    code = value(app, "join")
    assert app.query_params == {"join": code}
    links = [block.value for block in app.code]
    assert any(f"?join={code}" in link and "cockpit" not in link for link in links)
    ((key,),) = [re.findall("cockpit=(.+)", link) for link in links if "cockpit" in link]
    assert rooms.places(code, key) is not None and "data:image/svg" in html(app)
    app.switch_page(PLAYGROUND)
    followed(app, {"join": code, "cockpit": key})
    assert app.query_params == {"join": code} and notes(healthy(app)) == []


def test_the_lecturer_stays_the_lecturer_in_the_same_browser():
    mine = {sessions.STAND_IN: "mine"}
    code = value(press(healthy(open_page(ROOM, mine)), "room_open"), "join")
    for app in (open_page(ROOM, mine, join=code), open_page(PLAYGROUND, mine, join=code)):  # another session
        assert app.toggle(key="room_leads").value and not any(one.key == "room_leave" for one in app.button)
    app = healthy(press(open_page(ROOM, mine), f"room_back_{code}"))
    assert app.query_params == {"join": code} and app.toggle(key="room_leads")
    for link in ({}, {"join": code}):
        other = healthy(open_page(ROOM, {sessions.STAND_IN: "other"}, **link))
        assert not any(one.key == "room_leads" for one in other.toggle)
        assert not any(one.key == f"room_back_{code}" for one in other.button)


def test_the_private_link_makes_another_browser_the_lecturer_and_leaves_the_address():
    code, key = rooms.open_room()
    other = {sessions.STAND_IN: "other"}
    app = healthy(open_page(ROOM, other, join=code, cockpit=key))
    assert app.query_params == {"join": code} and app.toggle(key="room_leads")
    assert healthy(open_page(ROOM, other, join=code)).toggle(key="room_leads")
    assert rooms.keys_of(hashlib.sha256(b"other").hexdigest()[:32]) == {code: key}


@pytest.mark.parametrize(
    "base, outside, link",
    [
        ("http://localhost:8501/room", "10.1.2.3", "http://10.1.2.3:8501/room"),
        ("http://127.0.0.1/room", "", "http://127.0.0.1/room"),
        ("https://lab.example/svm/room", "10.1.2.3", "https://lab.example/svm/room"),
    ],
)
def test_the_links_have_an_address_that_phones_can_open_where_it_is_known(monkeypatch, base, outside, link):
    code, key = rooms.open_room()
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.url", base)
    monkeypatch.setattr("pages.shared.page.addresses.in_network", lambda: outside)
    app = healthy(open_page(ROOM, join=code, cockpit=key))
    assert app.code[0].value == f"{link}?join={code}"
    assert (addresses.LOCAL in said(app)) == (link != base or not outside)
    wall = healthy(open_page(ROOM, join=code, projected="1"))
    assert f"<span>{link.partition('//')[2]}</span>" in html(wall)


def test_the_wall_has_no_word_of_help():
    code, key = rooms.open_room()
    app = healthy(open_page(ROOM, join=code, projected="1"))
    assert session(app).run.hint == "" and not app.info and not app.caption[1:] and value(app, "present") == 1
    rooms.show(code, key, "playground", {})
    app = healthy(open_page(PLAYGROUND, join=code, projected="1"))
    assert session(app).run.hint == "" and not app.info


def test_without_its_key_there_is_no_cockpit():
    code, key = rooms.open_room()
    for link in ({"join": code}, {"join": code, "cockpit": "guess"}):
        app = healthy(open_page(ROOM, **link))
        assert not any(one.key in ("ask", "room_reveal", "room_close") for one in app.button)
        assert (room_page.NO_KEY in said(app)) == ("cockpit" in link)
    app = healthy(open_page(ROOM, join=code, cockpit=key))
    assert room_page.NO_KEY not in said(app) and any(one.key == "ask" for one in app.button)


def test_a_room_that_is_not_there_is_a_sentence_with_a_hint_for_students():
    app, refusal = healthy(open_page(ROOM, join="ABCDE")), vote_forms.refusal(rooms.look, "ABCDE")
    assert "There is no room ABCDE" in refusal in said(app) and app.button(key="room_open")
    assert session(app).run.hint == room_page.ASK and rooms.CODES not in said(app)
    app = healthy(app.button(key="room_join").click().run())  # no code
    assert "ABCDE" not in said(app)
    app = healthy(open_page(PLAYGROUND, join="ABCDE"))
    assert refusal in said(app) and app.button(key="room_leave")
    assert not app.info, "a box above the controls would push the pictures out of the first screen"
    for code in ("AB0DE", "ABC", "![p](//any.address/x.png)"):
        app = healthy(open_page(ROOM, join=code))
        text = "is not the code of a room. A code has 5 letters and digits, none of them I, O, 0 or 1."
        assert text in said(app) and session(app).run.hint == room_page.ASK
    healthy(open_page(PLAYGROUND, join="![p](//any.address/x.png)"))
    for link in ({}, {"join": "ABCDE", "cockpit": "key"}):  # the link is that of a lecturer
        assert "open a room" in session(healthy(open_page(ROOM, **link))).run.hint
    code, _ = rooms.open_room()
    assert session(healthy(open_page(ROOM, join=code))).run.hint == ""


def test_students_see_what_the_lecturer_shows():
    code, key = rooms.open_room()
    lecturer = open_page(ROOM, join=code, cockpit=key)
    lecturer.switch_page(PLAYGROUND)
    followed(lecturer, {"join": code, "problem": "moons", "C": "3"})
    assert rooms.look(code).screen == ("playground", {"problem": "moons", "C": "3"})
    student = healthy(led(healthy(open_page(LOSSES, join=code))))
    assert session(student).run.title == "Playground" and value(student, "C") == 3.0
    assert student.query_params["join"] == code and student.query_params["problem"] == "moons"
    assert not ways(student)
    assert value(choose(student, C=5.0), "C") == 5.0  # one's own changes stay until something else is shown
    student.toggle(key="room_follows").set_value(False).run()
    rooms.show(code, key, "losses", {})
    assert not ways(student.run()) and value(student, "C") == 5.0
    student.toggle(key="room_follows").set_value(True).run()
    assert ways(student) and "led" in student.session_state["room_joined"]
    student.toggle(key="room_follows").set_value(False).run()
    assert not ways(student) and "led" not in student.session_state["room_joined"]  # nor is it asked again
    student.toggle(key="room_follows").set_value(True).run()
    assert session(led(student)).run.title == "Losses"


def test_a_browser_that_was_cut_off_is_led_again_and_one_that_is_there_hears_of_its_own_page(monkeypatch):
    code, key = rooms.open_room()
    rooms.show(code, key, "losses", {"losses": "hinge"})
    student = open_page(PLAYGROUND, join=code)
    scripts = [html(student)]
    for again in (following.AGAIN, 0.0):
        monkeypatch.setattr(following, "AGAIN", again)
        scripts.append(html(student.run()))
    pressed = [re.search(r"<script>([\d.]+)", script)[1] for script in scripts]
    assert pressed[0] == pressed[1] < pressed[2]
    student = led(student)
    rooms.show(code, key, "losses", {"losses": "ramp"})
    student = healthy(led(student.run()))
    assert value(student, "losses") == "ramp" and not ways(student)


@pytest.mark.parametrize("follows, seen", [(True, 3), (False, None)])
def test_a_switch_of_a_page_that_is_gone_turns_nothing(monkeypatch, follows, seen):
    """Streamlit takes it for one that was turned, with the value that it had."""
    mine = {"follows": True, "seen": 3}
    monkeypatch.setattr(room_line, "_lead", lambda *arguments: pytest.fail("it was not turned"))
    monkeypatch.setattr("streamlit.session_state", {"room_joined": mine})
    run.session().seen["room_follows"] = True
    for switch in ({}, {"room_follows": True}, {"room_follows": follows}):
        st.session_state.pop("room_follows", None)
        st.session_state.update(switch)
        callbacks._call_if_changed("room_follows", room_line._follow)
        callbacks._call_if_changed("room_leads", room_line._lead, "ABCDE")
    assert mine == {"follows": follows, "seen": seen}


def test_a_press_that_comes_with_a_change_of_page_takes_no_value_of_the_next_page():
    code, _ = rooms.open_room()
    app = healthy(open_page(ROOM))
    app.text_input(key="room_code").set_value("ABCDE")
    app.button(key="room_join").click()
    app.switch_page(LOSSES)
    assert "join" not in healthy(app.run()).query_params
    app.switch_page(ROOM)
    app.run().text_input(key="room_code").set_value(code)
    assert healthy(press(app, "room_join")).query_params["join"] == code


def test_a_student_who_does_not_follow_leaves_the_room():
    code, _ = rooms.open_room()
    app = healthy(open_page(PLAYGROUND, join=code))
    assert f"Room {code}" in said(app) and rooms.look(code).members == 1
    app = press(app, "room_leave").run()
    assert f"Room {code}" not in said(app) and "join" not in app.query_params


def test_a_vote_is_counted_changed_shown_as_bars_voted_on_again_and_revealed():
    code, key = rooms.open_room()
    asked = question(code, key)
    app = healthy(open_page(PLAYGROUND, join=code))
    assert ASKED in said(app) and progress(code) in said(app)
    radio = app.radio(key=f"vote-{asked.id}-1")
    assert radio.value is None and radio.options == ["LS\\-SVM", "\\*\\*L1\\*\\*"]
    app = radio.set_value(1).run().run()
    assert polls.results(asked) == [[1]] and progress(code) in said(app) and "100\u202f%" not in html(app)
    app = app.radio(key=f"vote-{asked.id}-1").set_value(0).run()
    assert polls.results(asked) == [[0]]
    polls.show_bars(code, key)
    app = app.run()
    assert not app.radio and "1 (100\u202f%)" in html(app) and "**L1**" in html(app) and vote_forms.ENDED in said(app)
    polls.again(code, key)
    app = app.run()
    assert "100\u202f%" not in html(app) and "0 of 1 have voted; first vote: 1 vote" in said(app)
    app = app.radio(key=f"vote-{asked.id}-2").set_value(1).run()
    polls.reveal(code, key)
    assert "vote 1: 1 vote; vote 2: 1 vote" in said(app.run()) and html(app).count("1 (100\u202f%)") == 2


def test_a_reason_is_asked_for_after_the_vote_and_seen_by_all_when_the_lecturer_shows_it():
    code, key = rooms.open_room()
    asked = question(code, key)
    app = healthy(open_page(PLAYGROUND, join=code))
    assert not any(one.key.startswith("reason") for one in app.text_input)
    app = app.radio(key=f"vote-{asked.id}-1").set_value(1).run()
    app = app.text_input(key=f"reason-{asked.id}-1").set_value("It <b>pulls</b>").run()
    assert "Sent." in said(app)
    desk = healthy(open_page(ROOM, {"room_behind": "Reasons"}, join=code, cockpit=key))
    (reason,) = desk.checkbox
    assert "It <b\\>pulls" in reason.label.replace("\\<", "<") and "pulls" not in html(desk)
    wall = healthy(open_page(ROOM, join=code, projected="1"))
    assert "pulls" not in html(wall)
    reason.check().run()
    assert "It &lt;b&gt;pulls" in html(healthy(wall.run()))


def test_the_wall_shows_the_options_until_the_bars_and_both_rounds_side_by_side():
    code, key = rooms.open_room()
    asked = question(code, key)
    link = {"join": code, "projected": "1"}
    wall = healthy(open_page(ROOM, **link))
    assert "1. LS-SVM\n2. **L1**" in said(wall) and progress(code) in html(wall)
    polls.vote(code, "me", asked.id, 1, 1)
    assert "1 of 1 have voted" in html(healthy(wall.run())) and "<meter" not in html(wall)
    polls.show_bars(code, key)
    assert "1. LS-SVM" not in said(healthy(wall.run())) and "<meter" in html(wall)
    polls.again(code, key)
    assert "<meter" not in html(healthy(wall.run())) and progress(code) in html(wall)
    polls.reveal(code, key)
    assert "vote 2</th>" in html(healthy(wall.run()))
    question(code, key, "number", {"low": 0, "high": 9, "unit": "points"})
    assert "1. " not in said(healthy(open_page(ROOM, **link)))
    (field,) = healthy(open_page(ROOM, join=code)).number_input
    told = formatting.plain("Your vote: a number, at least 0, at most 9, in points")
    assert field.label == told and field.proto.format == "%g"


def test_a_clock_is_seen_by_all():
    code, key = rooms.open_room()
    question(code, key)
    polls.set_timer(code, key, 60)
    for path, link in ((ROOM, {"projected": "1"}), (ROOM, {"cockpit": key}), (PLAYGROUND, {})):
        (seconds,) = re.findall(r"--svm-from: (\d+)", html(healthy(open_page(path, join=code, **link))))
        assert 0 < int(seconds) <= 60


def test_the_wall_follows_the_screen_of_the_lecturer_and_comes_back_to_a_question():
    code, key = rooms.open_room()
    wall = open_page(ROOM, join=code, projected="1")
    rooms.show(code, key, "losses", {"losses": "hinge"})
    wall = healthy(led(healthy(wall.run())))
    assert session(wall).run.title == "Losses"
    assert {"join": code, "projected": "1", "present": "1", "losses": "hinge"}.items() <= wall.query_params.items()
    assert code in html(wall) and value(wall, "present") == 1 and not ways(wall)
    question(code, key)
    wall = healthy(led(wall.run()))
    assert session(wall).run.title == "Room" and ASKED in said(wall) and not ways(wall)


def test_the_screen_of_the_lecturer_waits_for_an_open_question_and_the_switch_sends_it_at_once():
    code, key = rooms.open_room()
    lecturer = {sessions.STAND_IN: "mine"}
    open_page(ROOM, lecturer, join=code, cockpit=key)
    question(code, key)
    app = healthy(open_page(LOSSES, lecturer, join=code))
    assert "It waits while there is a question" in said(app) and rooms.look(code).screen is None
    polls.close_question(code, key)
    app = healthy(app.run())
    assert "It waits" not in said(app) and rooms.look(code).screen[0] == "losses"
    rooms.lead(code, key, False)
    app = healthy(open_page(PLAYGROUND, lecturer, join=code))
    assert rooms.look(code).screen[0] == "losses"
    healthy(app.toggle(key="room_leads").set_value(True).run())
    assert rooms.look(code).screen[0] == "playground" and rooms.look(code).follows


def test_the_class_is_not_led_to_the_right_answers():
    code, key = rooms.open_room()
    lecturer = {sessions.STAND_IN: "mine"}
    open_page(ROOM, lecturer, join=code, cockpit=key)
    for link in ({}, {"section": "notes"}, {"section": "handins"}):
        app = healthy(open_page("pages/teach.py", lecturer, join=code, **link))
        assert "the class sees only the exercise sheet" in said(app) and rooms.look(code).screen is None
    healthy(app.toggle(key="room_leads").set_value(False).run())
    healthy(app.toggle(key="room_leads").set_value(True).run())
    assert rooms.look(code).screen is None
    healthy(open_page("pages/teach.py", lecturer, join=code, section="exercise", lesson="errors"))
    assert rooms.look(code).screen[0] == "teach"


def test_the_votes_are_written_outside_of_the_session(monkeypatch):
    made = {}
    monkeypatch.setattr("streamlit.download_button", lambda label, make, *_, **__: made.update({label: make}))
    code, key = rooms.open_room()
    question(code, key)
    polls.vote(code, "one", rooms.look(code).question.id, 1, 0)
    healthy(open_page(ROOM, {"room_behind": "All votes"}, join=code, cockpit=key))
    with ThreadPoolExecutor(1) as threads:  # as Streamlit does when the button is pressed
        text = threads.submit(made["All votes as CSV"]).result()
    assert len(text.splitlines()) == 2 and ASKED in text


def test_a_browser_that_guesses_codes_is_refused(monkeypatch):
    monkeypatch.setattr(rooms, "WRONG", Limit(2, 60))
    code, _ = rooms.open_room()
    guesser = {sessions.STAND_IN: "guesser"}
    for guess in ("AAAAA", "BBBBB"):
        assert vote_forms.refusal(rooms.look, guess) in said(open_page(ROOM, guesser, join=guess))
    for path in (ROOM, PLAYGROUND):
        assert "Too many codes of no room" in said(healthy(open_page(path, guesser, join=code)))
    app = healthy(open_page(PLAYGROUND, {sessions.STAND_IN: "student"}, join=code))
    for guess in ("AAAAA", "BBBBB", "CCCCC"):
        rooms.WRONG.note(guess, hashlib.sha256(b"student").hexdigest()[:32], "")
    assert f"Room {code}" in said(healthy(app.run()))  # who is in a room stays there
    opened = press(healthy(open_page(ROOM, guesser)), "room_open")
    assert opened.toggle(key="room_leads"), "a lecturer whose class mistypes the code"


def test_the_cockpit_says_where_the_browsers_are():
    code, key = rooms.open_room()
    student = {sessions.STAND_IN: "student"}
    for link in ({"lesson": "errors", "prompt": "flip"}, {"lesson": "errors", "prompt": "flip", "given": "1"}):
        app = healthy(open_page("pages/lessons.py", student, join=code, **link))
        rooms.note({(code, "student"): (0.0, *app.session_state["room_joined"]["place"])})
        desk = healthy(open_page(ROOM, {"room_behind": "Where the browsers are"}, join=code, cockpit=key))
        done = "1 of 1" if "given" in link else "0 of 1"
        assert f"{built_in_lessons()['errors'].title}, question 2 of 8" in html(desk) and done in html(desk)
    app = healthy(open_page("pages/lessons.py", student, join=code, lesson="beginning"))
    assert app.session_state["room_joined"]["place"] == ("lessons", False)


def test_a_class_is_not_shown_around():
    code, _ = rooms.open_room()
    for link, tours in (({}, True), ({"join": code}, False)):
        assert bool(sent(healthy(open_page("home.py", **link)), "tour")) == tours


def test_the_cockpit_asks_shows_bars_asks_again_reveals_closes_and_ends():
    code, key = rooms.open_room()
    app = healthy(open_page(ROOM, join=code, cockpit=key))
    app = press(app, "ask")
    assert "1 to 500 characters" in app.columns[-1].info[0].value, "beside the form, which is below the fold"
    app.text_input(key="ask_text").set_value("What turns?")
    app.text_area(key="ask_options").set_value("one\ntwo\n")
    app = press(app, "ask")
    asked = rooms.look(code).question
    assert (asked.text, asked.details) == ("What turns?", {"options": ["one", "two"]})
    polls.vote(code, "me", asked.id, 1, 1)
    app = press(app.run(), "room_bars").run()
    assert rooms.look(code).question.bars and "1 (100\u202f%)" in html(app)
    app = press(app, "room_again").run()
    assert rooms.look(code).question.round == 2 and "100\u202f%" not in html(app)
    press(app, "room_clock_60")
    assert rooms.look(code).question.until
    app = press(app, "room_reveal").run()
    assert rooms.look(code).question.revealed and "1 (100\u202f%)" in html(app)
    assert {one.key for one in app.button if one.key.startswith("room_")} == {"room_next", "room_shut", "room_close"}
    app = press(app, "room_shut")
    assert rooms.look(code).question is None
    press(app, "room_close")
    with pytest.raises(rooms.RoomError):
        rooms.look(code)


def test_a_store_that_fails_is_a_sentence_and_the_page_works(broken_store):
    app = press(healthy(open_page(ROOM)), "room_open")
    refusal = vote_forms.refusal(rooms.look, "ABCDE")
    assert refusal and [refusal] == [note.replace("\\", "") for note in notes(app)]
    assert refusal in said(healthy(open_page(PLAYGROUND, join="ABCDE")))


def test_the_address_in_the_network_is_one_of_numbers_or_none_and_a_link_that_is_too_long_has_no_code():
    found = addresses.in_network()
    assert found == "" or ipaddress.ip_address(found) and not found.startswith("127.")
    link = "http://svm.example/?edits=".ljust(addresses.LONGEST, "a")
    assert addresses.qr_image(link + "a", "too long") == ""
    assert addresses.qr_image(link, "long").startswith("<img") and "its name" in addresses.qr_image("short", "its name")
