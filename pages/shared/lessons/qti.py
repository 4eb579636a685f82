"""The prompts of a lesson as a zip in IMS QTI 1.2.1, which Canvas, ILIAS, OpenOlat and Blackboard read.

As in Moodle's formats, but an order has every order as an option, and an essay its answer as feedback. Pictures are
files of the zip.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator
from itertools import permutations

from pages.shared.lessons import moodle
from pages.shared.lessons.asked import AnsweredPrompt
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.moodle import element
from pages.shared.lessons.wording import to_html, words

NAMESPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
TYPES = {
    moodle.CHOICE: "multiple_choice_question",
    moodle.ORDER: "multiple_choice_question",
    moodle.NUMBER: "numerical_question",
    moodle.ESSAY: "essay_question",
}
QUESTIONS = "questions.xml"
RESPONSE = "response1"
DATE = (1980, 1, 1, 0, 0, 0)  # of all files, so that the same questions make the same zip


def package(lesson: Lesson, asked: Iterable[AnsweredPrompt]) -> bytes:
    """The zip: its manifest, the questions and their pictures; ValueError, a sentence, as `moodle.choices`."""
    asked = list(asked)
    files = {QUESTIONS: questions(lesson, asked)}
    files |= {_picture(k): item.picture for k, item in enumerate(asked, 1) if item.picture}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"imsmanifest.xml": _manifest(lesson, list(files)), **files}.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), text.encode(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def questions(lesson: Lesson, asked: Iterable[AnsweredPrompt]) -> str:
    section = element("section", *(_question(k, item) for k, item in enumerate(asked, 1)), ident="root_section")
    assessment = element("assessment", section, ident=f"svm_lab_{lesson.id}", title=words(lesson.title))
    return moodle.document(element("questestinterop", assessment, xmlns=NAMESPACE))


def _manifest(lesson, files):
    metadata = element("metadata", element("schema", "IMS Content"), element("schemaversion", "1.1.3"))
    named = (element("file", href=name) for name in files)
    resource = element("resource", *named, identifier="questions", type="imsqti_xmlv1p2", href=QUESTIONS)
    parts = metadata, element("organizations"), element("resources", resource)
    return moodle.document(element("manifest", *parts, identifier=f"svm_lab_{lesson.id}_manifest", xmlns=PACKAGE))


def _picture(number):
    return f"picture_{number}.svg"


def _question(number, item):
    kind = moodle.kind(item)
    response, outcomes = {moodle.NUMBER: _numbers, moodle.ESSAY: _essay}.get(kind, _choices)(item)
    fields = (
        element("qtimetadatafield", element("fieldlabel", label), element("fieldentry", entry))
        for label, entry in (("question_type", TYPES[kind]), ("points_possible", "1"))
    )
    score = element("decvar", varname="SCORE", vartype="Decimal", minvalue="0", maxvalue="100")
    return element(
        "item",
        element("itemmetadata", element("qtimetadata", *fields)),
        element("presentation", _material(moodle.question_html(item, _picture(number))), response),
        element("resprocessing", element("outcomes", score), *(_condition(*outcome) for outcome in outcomes)),
        *(
            element("itemfeedback", element("flow_mat", _material(to_html(feedback))), ident=f"{name}_fb")
            for name, _, _, feedback in outcomes
        ),
        ident=f"question_{number}",
        title=words(item.prompt.id),
    )


def _condition(name, tests, right, _):
    found = [element(tag, value, respident=RESPONSE) for tag, value in tests] or [element("other")]
    score = [element("setvar", "100", action="Set", varname="SCORE")] if right else []
    feedback = element("displayfeedback", feedbacktype="Response", linkrefid=f"{name}_fb")
    return element("respcondition", element("conditionvar", *found), *score, feedback, **{"continue": "No"})


def _material(html):
    return element("material", element("mattext", html, texttype="text/html"))


def _choices(item) -> tuple:
    """The options, and (name, conditions, whether it is right, feedback) of each."""
    labels, outcomes = [], []
    for k, (right, text, feedback) in enumerate(_options(item)):
        name = f"option_{k}"
        labels.append(element("response_label", _material(to_html(text)), ident=name))
        outcomes.append((name, [("varequal", name)], right, feedback))
    render = element("render_choice", *labels, shuffle="No")
    return element("response_lid", render, ident=RESPONSE, rcardinality="Single"), outcomes


def _options(item) -> Iterator[tuple[bool, str, str]]:
    """(whether it is right, text, feedback): the options, or all orders of the machines."""
    if item.prompt.options:
        yield from moodle.choices(item)
        return
    for names in permutations(sorted(item.order)):
        right = names == item.order
        yield right, ", ".join(names), item.why if right else item.prompt.wrong["order"]


def _field(fibtype):
    render = element("render_fib", element("response_label", ident="answer1"), fibtype=fibtype)
    return element("response_str", render, ident=RESPONSE, rcardinality="Single")


def _numbers(item):
    return _field("Decimal"), [
        (f"answer_{k}", [("vargte", f"{value - near:.12g}"), ("varlte", f"{value + near:.12g}")], right, feedback)
        for k, (value, near, right, feedback) in enumerate(moodle.intervals(item))
    ]


def _essay(item):
    return _field("String"), [("general", [], False, f"{item.answer_text}\n\n{item.why}")]
