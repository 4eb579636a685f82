"""The prompts of a lesson as a zip in IMS QTI 1.2.1, which Canvas, ILIAS, OpenOlat and Blackboard read.

As in Moodle's formats, but an order has every order as an option, and an essay its answer as feedback. Pictures are
files of the zip.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator
from itertools import permutations
from xml.etree import ElementTree

from pages.shared.lessons import moodle
from pages.shared.lessons.asked import AnsweredPrompt
from pages.shared.lessons.lesson import Lesson
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
_add = ElementTree.SubElement


def package(lesson: Lesson, asked: Iterable[AnsweredPrompt]) -> bytes:
    """The zip: its manifest, the questions and their pictures; ValueError, a sentence, as `moodle.choices`."""
    asked = list(asked)
    files = {QUESTIONS: questions(lesson, asked)}
    files |= {_picture(k): item.picture for k, item in enumerate(asked) if item.picture}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"imsmanifest.xml": _manifest(lesson, list(files)), **files}.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), text.encode(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def questions(lesson: Lesson, asked: Iterable[AnsweredPrompt]) -> str:
    root = ElementTree.Element("questestinterop", xmlns=NAMESPACE)
    assessment = _add(root, "assessment", ident=f"svm_lab_{lesson.id}", title=words(lesson.title))
    section = _add(assessment, "section", ident="root_section")
    for k, item in enumerate(asked):
        _question(section, k, item)
    return moodle.document(root)


def _manifest(lesson, files):
    root = ElementTree.Element("manifest", identifier=f"svm_lab_{lesson.id}_manifest", xmlns=PACKAGE)
    metadata = _add(root, "metadata")
    _add(metadata, "schema").text = "IMS Content"
    _add(metadata, "schemaversion").text = "1.1.3"
    _add(root, "organizations")
    resources = _add(root, "resources")
    resource = _add(resources, "resource", identifier="questions", type="imsqti_xmlv1p2", href=QUESTIONS)
    for name in files:
        _add(resource, "file", href=name)
    return moodle.document(root)


def _picture(number):
    return f"picture_{number + 1}.svg"


def _question(section, number, item):
    kind = moodle.kind(item)
    element = _add(section, "item", ident=f"question_{number + 1}", title=words(item.prompt.id))
    fields = _add(_add(element, "itemmetadata"), "qtimetadata")
    for label, entry in (("question_type", TYPES[kind]), ("points_possible", "1")):
        field = _add(fields, "qtimetadatafield")
        _add(field, "fieldlabel").text, _add(field, "fieldentry").text = label, entry
    presentation = _add(element, "presentation")
    _text(presentation, moodle.question_html(item, _picture(number)))
    outcomes = {moodle.NUMBER: _numbers, moodle.ESSAY: _essay}.get(kind, _choices)(presentation, item)
    processing = _add(element, "resprocessing")
    score = {"varname": "SCORE", "vartype": "Decimal", "minvalue": "0", "maxvalue": "100"}
    _add(_add(processing, "outcomes"), "decvar", score)
    for name, condition, right, _ in outcomes:
        row = _add(processing, "respcondition", {"continue": "No"})
        tests = _add(row, "conditionvar")
        for tag, value in condition:
            _add(tests, tag, respident=RESPONSE).text = value
        if not condition:
            _add(tests, "other")
        if right:
            _add(row, "setvar", action="Set", varname="SCORE").text = "100"
        _add(row, "displayfeedback", feedbacktype="Response", linkrefid=f"{name}_fb")
    for name, _, _, feedback in outcomes:
        _text(_add(_add(element, "itemfeedback", ident=f"{name}_fb"), "flow_mat"), to_html(feedback))


def _text(parent, html):
    _add(_add(parent, "material"), "mattext", texttype="text/html").text = html


def _choices(presentation, item) -> list[tuple]:
    """Adds the options. Returns (name, conditions, whether it is right, feedback) of each."""
    response = _add(presentation, "response_lid", ident=RESPONSE, rcardinality="Single")
    render = _add(response, "render_choice", shuffle="No")
    outcomes = []
    for k, (right, text, feedback) in enumerate(_options(item)):
        name = f"option_{k}"
        _text(_add(render, "response_label", ident=name), to_html(text))
        outcomes.append((name, [("varequal", name)], right, feedback))
    return outcomes


def _options(item) -> Iterator[tuple[bool, str, str]]:
    """(whether it is right, text, feedback): the options, or all orders of the machines."""
    if item.prompt.options:
        yield from moodle.choices(item)
        return
    for names in permutations(sorted(item.order)):
        right = names == item.order
        yield right, ", ".join(names), item.why if right else item.prompt.wrong["order"]


def _field(presentation, fibtype):
    response = _add(presentation, "response_str", ident=RESPONSE, rcardinality="Single")
    _add(_add(response, "render_fib", fibtype=fibtype), "response_label", ident="answer1")


def _numbers(presentation, item):
    _field(presentation, "Decimal")
    return [
        (f"answer_{k}", [("vargte", f"{value - near:.12g}"), ("varlte", f"{value + near:.12g}")], right, feedback)
        for k, (value, near, right, feedback) in enumerate(moodle.intervals(item))
    ]


def _essay(presentation, item):
    _field(presentation, "String")
    return [("general", [], False, f"{item.answer_text}\n\n{item.why}")]
