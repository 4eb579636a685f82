"""The Teach page: every section draws, a sheet becomes a code, a class of codes becomes a table, a file a lesson."""

from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
import waiting
from screen import healthy, html, notes, open_page, pictures, strip

from pages.shared.controls.teaching import SECTION
from pages.shared.lessons import answers, handin, lesson, moodle, own, sheet
from pages.shared.parts import printed_pictures

pytestmark = pytest.mark.usefixtures("warm")
PAGE = "pages/teach.py"
ERRORS = lesson.shipped()["errors"]


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


def said(app):
    return "\n".join(element.value for element in app.markdown)


@pytest.mark.parametrize("section", SECTION.options)
def test_a_link_opens_every_section(section):
    app = healthy(open_page(PAGE, section=section, lesson="errors"))
    assert notes(app) == []


def test_the_plan_fills_its_lectures():
    shown = html(open_page(PAGE), "minutes")
    assert all(found.title in shown for found in lesson.shipped().values()) and "0:00" in shown


def test_the_notes_name_every_prompt_with_its_wrong_answers():
    app = healthy(open_page(PAGE, section="notes", lesson="errors"))
    text = said(app)
    for prompt in ERRORS.prompts:
        assert lesson.plain(prompt.question) in text and lesson.plain(prompt.goal) in text
        for reply in [*(option.wrong for option in prompt.options), *prompt.wrong.values()]:
            assert lesson.plain(reply) in text
    assert [element.value for element in app.latex] == [f"$$\n{ERRORS.teacher.equation}\n$$"]


def test_the_link_for_students_opens_the_exercise_sheet_alone():
    link = healthy(open_page(PAGE, section="sheets", lesson="errors")).code[0].value
    app = healthy(open_page(PAGE, **dict(parse_qsl(link.partition("?")[2]))))
    assert notes(app) == [] and app.text_input(key="exercise_number")
    assert "section" not in {item["name"] for item in strip(app)}


def answered(app, part):
    return app.button_group(key="exercise_part").set_value(part).run()


def test_a_sheet_becomes_a_code():
    app = open_page(PAGE, section="exercise", lesson="errors")
    assert not app.code and not pictures(app)
    app.text_input(key="exercise_number").set_value("47 11").run()
    healthy(app)
    drawn = pictures(app)["exercise"]
    app.radio[0].set_value(2).run()
    answered(app, "4").number_input[0].set_value(1.0).run()
    answered(app, "Short answers").text_area[1].set_value("The slope has no ceiling.").run()
    found = handin.read(healthy(answered(app, "Code")).code[0].value)
    assert found.number == "4711" and found.texts[0] == "The slope has no ceiling."
    assert found.given == (2, None, None, 1.0, None, None, None, None)
    assert "Not answered yet: 2, 3, 5, 6, 7, 8." in app.info[0].value
    app.text_input(key="exercise_number").set_value("4712").run()
    assert pictures(healthy(answered(app, "1")))["exercise"] != drawn and app.radio[0].value is None


@pytest.mark.parametrize("key", waiting.mostly_slow(lesson.shipped(), ("support",)))
def test_every_prompt_of_every_lesson_can_be_answered_on_a_sheet(key):
    app = open_page(PAGE, section="exercise", lesson=key)
    app.text_input(key="exercise_number").set_value("815").run()
    for number, prompt in enumerate(lesson.shipped()[key].prompts, 1):
        healthy(answered(app, str(number)))
        assert lesson.plain(prompt.question) in said(app)
        assert len([*app.radio, *app.number_input, *app.multiselect]) >= 1
        assert pictures(app) or answers.case(prompt).before.walk


@pytest.mark.slow
@pytest.mark.parametrize("key", lesson.shipped())
def test_every_lesson_goes_to_paper_and_to_moodle(key):
    found = lesson.shipped()[key]
    asked = list(printed_pictures.asked(found))
    quiz = ElementTree.fromstring(moodle.xml(found, asked))
    assert len(quiz) == 1 + len(found.prompts) and moodle.gift(found, asked).count("\n\n::") == len(found.prompts)
    for item in asked:
        assert all(ElementTree.fromstring(picture) is not None for picture in (item.picture, item.after) if picture)
    assert sheet.page(found, asked, True).count("<svg") == 2 * sum(bool(item.after) for item in asked)


def test_a_code_restores_a_sheet():
    app = open_page(PAGE, section="exercise", lesson="errors")
    app.text_area(key="exercise_code").set_value(code("99", own_side=1, pull=2.5, draw=[0.0, 1.0, 2.0, 3.5]).lower())
    app.button(key="exercise_restore").click().run()
    assert healthy(app).text_input(key="exercise_number").value == "99" and app.radio[0].value == 1
    assert answered(app, "4").number_input[0].value == 2.5
    assert [field.value for field in answered(app, "3").number_input] == [0.0, 1.0, 2.0, 3.5]
    line = next(trace for trace in pictures(app)["exercise"]["data"] if trace["name"] == "your answer")
    assert list(line["x"]) == [0.0, 2.0] and list(line["y"]) == [1.0, 3.5]


def test_a_broken_code_restores_nothing_and_says_why():
    app = open_page(PAGE, section="exercise", lesson="errors")
    app.text_area(key="exercise_code").set_value(code()[:30])
    app.button(key="exercise_restore").click().run()
    assert "too short" in unbroken(app).error[0].value and app.text_input(key="exercise_number").value == ""


def read(app, text):
    app.text_area(key="handins_pasted").set_value(text)
    return unbroken(app.button(key="handins_read").click().run())


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
    assert "line 4: The same code as in line 1" in said(app).replace("\\", "")
    assert ERRORS.prompt("flip").options[0].wrong in said(app)


def test_a_text_without_codes_keeps_what_was_read():
    app = read(open_page(PAGE, section="handins", lesson="errors"), code("1", **right("1")))
    read(app, "nothing here")
    assert "There is no" in app.error[0].value and "**1 of 1 hand-in read**" in said(app)


def test_a_shipped_lesson_can_be_copied_changed_and_checked():
    app = open_page(PAGE, section="own")
    app.button(key="own_copy").click().run()
    assert "can be read" in healthy(app).success[0].value
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
