"""The Teach page: every section draws, a sheet becomes a code, a class of codes becomes a table, a file a lesson."""

import codecs
import hashlib
import re
from collections import Counter
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
import waiting
from questions import DRAWN, act, asked, film, form, true_answer
from screen import choose, healthy, html, led, notes, open_page, pictures, press, said, session, strip

from pages.shared.classroom import rooms
from pages.shared.classroom.screens import hand_in_table, teaching_sheets
from pages.shared.lessons import answers, draft, grading, handin, lesson, moodle, own, plan, reading, sheet
from pages.shared.lessons.screens import printed_pictures
from pages.shared.lessons.wording import stack_parts
from pages.shared.screen.schema import SECTION
from pages.shared.server import sessions

pytestmark = pytest.mark.usefixtures("warm")
PAGE = "pages/teach.py"
SVG = "{http://www.w3.org/2000/svg}"
ERRORS = reading.built_in_lessons()["errors"]


@pytest.fixture(autouse=True)
def whole(monkeypatch):
    """A page waits until all is made, on a slow machine, too."""
    for part in (hand_in_table, teaching_sheets):
        monkeypatch.setattr(part, "PATIENCE", 60.0)


def code(number="4711", texts=("", "", ""), **given):
    """The code of a sheet of the lesson `errors` with these answers."""
    answers = tuple(given.get(prompt.id) for prompt in ERRORS.prompts)
    return handin.write(handin.Handin("errors", handin.edition(ERRORS), number, answers, texts))


def right(number):
    """The right options on the points of this number."""
    chosen = [prompt for prompt in ERRORS.prompts if prompt.options]
    return {prompt.id: answers.answer(prompt, handin.seed(number)).true for prompt in chosen}


def unbroken(app):
    """The page, on which errors are sentences."""
    assert [found.value for found in app.exception] == []
    return app


@pytest.mark.parametrize("section", SECTION.options)
def test_a_link_opens_every_section(section):
    app = healthy(open_page(PAGE, section=section, lesson="errors"))
    assert notes(app) == []


@pytest.mark.parametrize("minutes, subjects", [("20", "support"), ("45", "")])
def test_each_line_of_a_plan_opens_its_question(minutes, subjects):
    app = healthy(open_page(PAGE, lasts=minutes, subjects=subjects))
    lessons = reading.built_in_lessons()
    steps = plan.plan(lessons, int(minutes), subjects.split(",") if subjects else list(lessons))
    links = [dict(parse_qsl(link.proto.query_string)) for link in app.get("page_link")]
    assert [(link["lesson"], link["prompt"]) for link in links if "prompt" in link] == [step.key for step in steps]
    opened = healthy(open_page("pages/lessons.py", **{name: links[-1][name] for name in ("lesson", "prompt")}))
    assert form(opened)["key"].startswith("/".join(steps[-1].key))
    left = {prompt.id for prompt in steps[0].lesson.prompts} - {step.prompt.id for step in steps}
    assert left and f"of “{steps[0].lesson.title}”" in said(app)


def test_a_plan_is_stepped_through_in_a_room(own_store):
    mine = {sessions.STAND_IN: "mine"}
    app = healthy(open_page(PAGE, mine, lasts="20", subjects="width"))
    healthy(led(press(app, "plan_room")))
    assert session(app).run.title == "Room"
    ((code, _),) = rooms.keys_of(hashlib.sha256(b"mine").hexdigest()[:32]).items()
    steps = plan.plan(reading.built_in_lessons(), 20, ["width"])
    assert list(rooms.look(code).plan) == [step.key for step in steps]
    press(healthy(open_page(PAGE, mine, lasts="20", subjects="support")), "plan_room")  # the same room, another plan
    assert [one.code for one in rooms.list_rooms()] == [code] and rooms.look(code).plan[0] == ("support", "click")


def test_the_notes_name_every_prompt_with_its_answers_and_lead_to_the_lesson():
    app = healthy(open_page(PAGE, section="notes", lesson="errors"))
    text = said(app)
    for prompt in ERRORS.prompts:
        assert lesson.plain(prompt.question) in text and lesson.plain(prompt.goal) in text
        for reply in [*(option.wrong for option in prompt.options), *prompt.wrong.values()]:
            assert lesson.plain(reply) in text
        for option in prompt.options:
            assert (f"**Right:** {lesson.plain(option.text)}" in text) == (not option.wrong)
    assert [element.value for element in app.latex] == [f"$$\n{stack_parts(ERRORS.teacher.equation)}\n$$"]
    labels = ("Present this lesson", "Open it as a student")
    links = [dict(parse_qsl(link.proto.query_string)) for link in app.get("page_link") if link.proto.label in labels]
    for link in links:
        opened = healthy(open_page("pages/lessons.py", **link))
        assert opened.query_params == link and form(opened), "else the page is entered twice in the browser's history"
    assert len(links) == 2


def test_the_link_for_students_opens_the_exercise_sheet_alone_from_their_computers(monkeypatch):
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.url", "http://localhost:8501/teach")
    monkeypatch.setattr("pages.shared.page.addresses.in_network", lambda: "10.1.2.3")
    link = healthy(open_page(PAGE, section="sheets", lesson="errors")).code[0].value
    assert link.startswith("http://10.1.2.3:8501/teach?")
    app = healthy(open_page(PAGE, **dict(parse_qsl(link.partition("?")[2]))))
    assert notes(app) == [] and app.text_input(key="exercise_number")
    assert "section" not in {item["name"] for item in strip(app)}


def turned_to(app, part):
    return healthy(app.button_group(key="exercise_part").set_value(part).run())


def sheet_of(number, key="errors"):
    """The first prompt of the sheet of a student."""
    app = open_page(PAGE, section="exercise", lesson=key)
    assert not app.code and not pictures(app)
    return healthy(app.text_input(key="exercise_number").set_value(number).run())


def handed_in(app):
    return handin.read(turned_to(app, "Code").code[0].value)


def test_a_sheet_becomes_a_code():
    app = sheet_of("47 11")
    drawn = pictures(app)["asked"]
    act(app, "keep", 2)
    turned_to(app, "4")
    act(app, "keep", 1)
    text = "The slope has no ceiling."
    turned_to(app, "Short answers").text_area[1].set_value(text).run()
    found = handed_in(app)
    assert found.number == "4711" and found.texts[0] == text
    assert found.given == (2, None, None, 1.0, None, None, None, None) and isinstance(found.given[3], float)
    assert "2, 3, 5, 6, 7, 8." in app.info[0].value
    app.text_input(key="exercise_number").set_value("4712").run()
    assert pictures(turned_to(app, "1"))["asked"] != drawn and form(app)["given"] is None


def test_the_form_of_a_sheet_keeps_every_change_locks_nothing_in_and_leads_to_the_code():
    app = sheet_of("815")
    assert [form(app)[name] for name in ("commit", "locked", "first", "feedback")] == ["", False, True, False]
    told = app.caption[-1].value, act(app, "keep", 1).caption[-1].value
    assert told == ("Not answered yet.", "Kept. You can change it until you hand in.")
    assert form(app)["given"] == 1 and not form(app)["locked"] and form(app)["note"] == ""
    act(app, "next", 0)
    assert form(app)["place"] == "2 of 8" and form(act(app, "before"))["given"] == 0
    other = form(act(app, "next", 0))["key"]
    act(act(app, "before"), "keep", 2, key=other)
    assert form(app)["given"] == 0 and form(turned_to(app, "2"))["given"] == 2, "an answer belongs to its question"
    act(turned_to(app, "8"), "next")
    assert app.text_area and form(app) is None
    assert healthy(app.button(key="exercise_next").click().run()).code


def test_what_is_drawn_on_a_sheet_is_drawn_on_the_plane():
    app = sheet_of("815")
    turned_to(app, "3")
    assert asked(app)["kind"] == "line" == form(app)["kind"] and asked(app)["form"] == form(app)["question"]
    act(app, "keep", [0.0, 1.0, 2.0, 3.5])
    turned_to(app, "6")
    assert asked(app)["kind"] == "points" and asked(app)["most"] == 2
    act(app, "keep", [31, 4])
    assert handed_in(app).given[2] == [0.0, 1.0, 2.0, 3.5] and handed_in(app).given[5] == [4, 31]
    act(turned_to(app, "6"), "keep", [])
    assert handed_in(app).given[5] is None


def test_a_film_on_a_sheet_ends_before_the_answer():
    app = turned_to(sheet_of("815", "solvers"), "2")
    labels, start = film(app)
    assert start == len(labels) - 1 and asked(app)["kind"] == "points"
    act(app, "keep", [25, 38])
    assert film(app) == (labels, start) and not form(app)["locked"]
    assert handed_in(app).given[1] == [25, 38]


@pytest.mark.parametrize("key", waiting.mostly_slow(reading.built_in_lessons(), ("support",)))
def test_every_prompt_of_every_lesson_can_be_answered_on_a_sheet(key):
    app, lesson_, seed = sheet_of("815", key), reading.built_in_lessons()[key], handin.seed("815")
    true = [answers.answer(prompt, seed) for prompt in lesson_.prompts]
    for number, (prompt, answer) in enumerate(zip(lesson_.prompts, true, strict=True), 1):
        turned_to(app, str(number))
        asks = re.sub(r"\[([^]]*)\]\(.*?\"\)", r"\1", form(app)["asked"])  # its terms are links
        assert lesson.plain(prompt.question) == asks and pictures(app)
        assert form(app)["kind"] not in DRAWN or asked(app)["kind"] == form(app)["kind"]
        act(app, "keep", true_answer(prompt, answer))
    for prompt, answer, given in zip(lesson_.prompts, true, handed_in(app).given, strict=True):
        assert given is None if answer.true is None and prompt.options else grading.grade(prompt, given, answer).right


@pytest.mark.slow
@pytest.mark.parametrize("key", reading.built_in_lessons())
def test_every_lesson_goes_to_paper_and_to_moodle(key):
    found = reading.built_in_lessons()[key]
    asked = list(printed_pictures.printed_prompts(found))
    quiz = ElementTree.fromstring(moodle.xml(found, asked))
    assert len(quiz) == 1 + len(found.prompts) and moodle.gift(found, asked).count("\n\n::") == len(found.prompts)
    for item in asked:
        assert all(ElementTree.fromstring(picture) is not None for picture in (item.picture, item.after) if picture)
        assert item.picture and item.after and (item.picture != item.after) == (item.prompt.shows != "disputed")
    assert sheet.page(found, asked, True).count("<figure") == len(asked)


def printed(key, prompt):
    """The pictures of one prompt on paper, with its answer."""
    found = reading.built_in_lessons()[key]
    (item,) = printed_pictures.printed_prompts(found._replace(prompts=(found.prompt(prompt),)))
    return item, ElementTree.fromstring(item.picture), ElementTree.fromstring(item.after)


def words_in(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def rings(picture):
    """How many rings are drawn around points."""
    return sum(circle.get("fill") == "none" and float(circle.get("r")) > 1 for circle in picture.iter(f"{SVG}circle"))


def test_paper_shows_the_frame_before_the_step_and_the_one_after_it():
    item, before, after = printed("solvers", "pair")
    (*_, first), (*_, then) = words_in(before), words_in(after)
    assert first.startswith("pair update 0 of ") and then == first.replace(" 0 ", " 1 ")
    assert rings(before) == 1, "the point that the question names"
    assert rings(after) == len(item.answer.value) == 2
    assert not list(before.iter(f"{SVG}polyline")) and list(after.iter(f"{SVG}polyline"))


def test_paper_shows_both_planes_and_rings_what_is_asked_for():
    item, before, after = printed("support", "far")
    assert all({"L1-SVM", "LS-SVM"} <= set(words_in(picture)) for picture in (before, after))
    assert int(before.get("width")) > 2 * 400 and "class=wide" in sheet.page(ERRORS, [item])
    item, before, after = printed("errors", "who")
    outliers = int(item.answer.case.problem().outlier.sum())
    assert rings(before) == 0, "a ring would tell the answer"
    assert outliers == 2 and rings(after) == outliers + len(item.answer.value)


def test_a_code_restores_a_sheet_and_a_broken_one_restores_nothing_and_says_why():
    app = sheet_of("99")
    act(app, "keep", 0)
    key, begun = form(app)["key"], form(app)["question"]
    app.text_area(key="exercise_code").set_value(code("99", own_side=1, pull=2.5, draw=[0.0, 1.0, 2.0, 3.5]).lower())
    app.button(key="exercise_restore").click().run()
    assert healthy(app).text_input(key="exercise_number").value == "99" and form(app)["given"] == 1
    app.session_state["question"] = {"answer": {"id": "late", "form": begun, "key": key, "action": "keep", "given": 2}}
    assert form(healthy(app.run()))["given"] == 1, "what the browser held before is no longer the answer"
    assert form(turned_to(app, "4"))["given"] == 2.5
    assert asked(turned_to(app, "3"))["given"] == [0.0, 1.0, 2.0, 3.5]
    given = handin.read(code())
    for text, why in (
        (code()[:30], "too short"),
        (handin.write(given._replace(lesson="price")), "the price of slack”: choose"),
        (handin.write(given._replace(edition="0" * 8)), "another edition"),
    ):
        app.text_area(key="exercise_code").set_value(text)
        app.button(key="exercise_restore").click().run()
        (shown,) = unbroken(app).get("popover")[-1].get("error")  # below it nobody would see it
        assert why in shown.value and app.text_input(key="exercise_number").value == "99"


def read(app, text):
    app.text_area(key="handins_pasted").set_value(text)
    return unbroken(app.button(key="handins_read").click().run())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_button_reads_an_uploaded_file_too_and_the_table_opens_in_a_spreadsheet(monkeypatch, encoding):
    made = {}
    monkeypatch.setattr("pages.shared.controls.download.button", lambda label, make, *_: made.update({label: make}))
    app = open_page(PAGE, section="handins", lesson="errors")
    table = f"name;code\nMüller;{code('1', **right('1'))}"
    app.file_uploader(key="handins_file").set_value(("class.csv", table.encode(encoding), "text/csv")).run()
    app = unbroken(app.button(key="handins_read").click().run())
    assert not app.error and html(app, "beside the code").count("✓") == len(right("1"))
    text = made["Table (CSV)"]().encode()
    assert text.startswith(codecs.BOM_UTF8) and "Müller" in text.decode("utf-8-sig")


def test_a_class_of_codes_becomes_a_table():
    app = open_page(PAGE, section="handins", lesson="errors")
    altered = code("3", own_side=1)
    altered = altered[:40] + ("A" if altered[40] != "A" else "B") + altered[41:]
    wrong = right("2") | {"flip": 0}
    codes = [code("1", **right("1")), code("2", **wrong), altered, code("1", **right("1")), "none"]
    read(app, "\n".join(codes))
    assert "**3 of 5 hand-ins read**, of 2 students; 3 with a remark." in said(app)
    table = html(app, "beside the code")
    assert table.count("✓") == 11 and table.count("✗") == 1 and table.count("<tr>") == 6 and "altered" in table
    assert all(f"- line {k}" in said(app) for k in (3, 4, 5))
    assert ERRORS.prompt("flip").options[0].wrong in said(app)
    read(app, "nothing here")
    assert app.error and html(app, "beside the code") == table, "what was read stays"


def test_a_shipped_lesson_can_be_copied_changed_and_checked():
    app = open_page(PAGE, section="own")
    app.selectbox(key="own_model").set_value("errors").run()
    app.button(key="own_copy").click().run()
    assert ERRORS.title in healthy(app).success[0].value
    text = app.text_area(key="own_text").value
    app.text_area(key="own_text").set_value(text.replace('kind = "line"', 'kind = "lines"')).run()
    error, line = unbroken(app).error[0].value.replace("\\", ""), text.splitlines().index('kind = "line"') + 1
    assert f"Line {line}:" in error and "kind" in error and 'kind = "lines"' in app.code[0].value
    mine = text.replace('id = "errors"', 'id = "mine"')
    app.text_area(key="own_text").set_value(mine.replace("What an", "*<b>*")).run()
    assert "HTML" in unbroken(app).error[0].value
    app.text_area(key="own_text").set_value(mine.replace("What an", "*An*")).run()
    assert healthy(app).success and list(app.session_state[own.OWN]) == ["errors", "mine"]
    assert "*An*" in app.session_state[own.OWN]["mine"].title and "\\*An\\*" in app.success[0].value
    written = app.text_area(key="own_text").value
    app.button(key="own_copy").click().run()  # over what stands there
    assert app.text_area(key="own_text").value == text
    assert healthy(app.button(key="own_back").click().run()).text_area(key="own_text").value == written
    assert app.button(key="own_back").click().run().text_area(key="own_text").value == text
    assert choose(app, section="sheets").query_params["lesson"] == "errors", "the other sections are about it"


@pytest.mark.parametrize("memory, shown", [({"text": "id ="}, "id ="), ({"text": "\ud800"}, ""), ({}, ""), ([1], "")])
def test_the_editor_begins_with_what_the_browser_remembers_if_that_is_a_text(memory, shown):
    app = open_page(PAGE, {"own_memory": {"memory": memory}}, section="own")
    assert unbroken(app).text_area(key="own_text").value == shown


def with_lesson(text):
    """The state of a session with the lesson in this text."""
    session = {}
    own.keep(session, text)
    return session


def exported(text):
    """The sheets of a lesson of one's own, when its prompts have been tried."""
    app = open_page(PAGE, state=with_lesson(text), section="sheets", lesson="mine")
    app.session_state["export_jobs"]["teach"].wait(120)
    return unbroken(app.run())


BROKEN = (reading.FOLDER / "errors.toml").read_text(encoding="utf-8").replace('id = "errors"', 'id = "mine"', 1)
PLAIN = 'problem = "toy_outliers", loss = "least_squares", C = 1.0'
BROKEN = BROKEN.replace(f"{PLAIN} }}", f'{PLAIN}, kernel = "rbf" }}', 2)


def test_all_answers_are_computed_and_those_that_are_not_as_expected_are_told():
    text = BROKEN.replace("[[prompt]]", '[[prompt]]\ndraws = "fixed"', 1)
    app = press(open_page(PAGE, state={own.EDITOR: text}, section="own"), "own_lesson_start")
    app.session_state["own_lesson_jobs"]["teach"].wait(120)
    told = html(unbroken(app.run()))
    assert all(f"draw {k}: " in told for k in range(5))
    assert Counter(re.findall(r"\d of \d", told)) == {"0 of 1": 1, "0 of 5": 1, "5 of 5": len(ERRORS.prompts) - 2}


def test_a_lesson_that_cannot_be_exported_says_which_prompt_and_why_as_does_the_lessons_page():
    app = exported(BROKEN)
    sentence = app.error[0].value.replace("\\", "")
    (key,) = [p.id for p in own.read(BROKEN).prompts if p.state.get("kernel") == "rbf" and p.watch.name == "angle"][:1]
    assert re.search("“(.+?)”.*'rbf'", sentence), sentence
    assert not app.get("download_button"), "a download that fails says nothing"
    app = unbroken(open_page("pages/lessons.py", state=with_lesson(BROKEN), lesson="mine", prompt=key, given="0"))
    assert f"“{key}”" in app.error[0].value.replace("\\", "")


def test_a_lesson_of_ones_own_is_exported_and_students_are_sent_to_where_they_can_load_it():
    """A link that names it would open another lesson: a new session does not have it."""
    app = exported(BROKEN.replace(', kernel = "rbf"', ""))
    assert len(app.get("download_button")) == 5 and not app.error
    link = dict(parse_qsl(app.code[0].value.partition("?")[2]))
    assert link == {"section": "own"}
    assert "own_file" in {found.key for found in open_page(PAGE, **link).file_uploader}


@pytest.mark.parametrize(
    "page, link, without",
    [
        ("playground", {}, {"machine", "order"}),
        ("playground", {"kernel": "rbf"}, {"machine", "order", "line"}),
        ("compare", {"losses": "hinge,ramp"}, set()),
    ],
)
def test_a_question_can_be_of_the_kinds_that_the_screen_has(page, link, without):
    app = healthy(open_page(f"pages/{page}.py", {"ask_here": True}, **link))
    kinds = app.selectbox(key="ask_kind")
    assert set(kinds.options) == {words for kind, (words, _) in draft.KINDS.items() if kind not in without}
    assert ("ask_loss" in [box.key for box in app.selectbox]) == (page == "compare")
    answer = app.text_input(key="ask_limits").set_value("").run().markdown[-1].value
    assert answer.startswith("**The answer:** ") and healthy(app).button(key="ask_add").disabled
    if not without:
        kinds.select("order").run()
        assert "ask_loss" not in [box.key for box in healthy(app).selectbox]


def test_a_question_asked_about_a_screen_is_in_the_editor():
    app = open_page("pages/playground.py", {"ask_here": True}, C="2")
    assert app.button(key="ask_add").disabled, "there is no question yet"
    app.selectbox(key="ask_kind").set_value("number").run()
    app.number_input(key="ask_high").set_value(1.0).run()
    app.text_input(key="ask_question").set_value("How many points hold the line?").run()
    assert "0 and 1" in app.info[-1].value and "ask_add" not in [button.key for button in app.button]
    app.number_input(key="ask_high").set_value(40.0).run()
    app.button(key="ask_add").click().run()
    (mine,) = app.session_state[own.OWN].values()
    assert any(f"1 of “{mine.title}”" in note.value for note in healthy(app).success)
    asked, answer = mine.prompts[0], answers.answer(mine.prompts[0])
    assert asked.state["C"] == 2.0 and f"support vectors: {answer.text}." in " ".join(m.value for m in app.markdown)
    text = app.session_state[own.EDITOR]
    teach = open_page(PAGE, state={own.EDITOR: text}, section="own")
    assert mine.title in healthy(teach).success[0].value
