"""The prompts of a lesson as questions for Moodle: its XML format and GIFT, with pictures and feedback.

Options become a multiple choice question with feedback on each, a number a numerical question with a tolerance, an
order a matching question; what is answered in the picture an essay question with notes for graders.
"""

import base64
import re
from collections.abc import Iterable, Iterator
from html import escape as escape_html
from xml.etree import ElementTree

from pages.shared.lessons.asked import AnsweredPrompt
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.wording import to_html, words

CHOICE, NUMBER, ORDER, ESSAY = "multichoice", "numerical", "matching", "essay"
KINDS = {"choose": CHOICE, "number": NUMBER, "order": ORDER}  # of answers; the others are drawn
SPECIAL = re.compile(r"([~=#{}:\\])")  # of GIFT
PICTURE = "picture.svg"


def kind(item: AnsweredPrompt) -> str:
    return KINDS.get(item.prompt.answer_kind, ESSAY)


def choices(item: AnsweredPrompt) -> Iterator[tuple[bool, str, str]]:
    """(whether it is right, text, feedback) of each option; ValueError, a sentence, if none is right."""
    true = item.answer.true
    if true is None:
        raise ValueError(
            f"The prompt “{item.prompt.id}” has no right option: the computed value is {item.answer.text}, and no "
            "option holds for it. Add one, or change the state of the prompt."
        )
    for k, option in enumerate(item.prompt.options):
        yield k == true, option.text, item.why if k == true else option.wrong or item.why


def xml(lesson: Lesson, asked: Iterable[AnsweredPrompt]) -> str:
    """The questions in Moodle's XML format, in a category that is called after the lesson."""
    quiz = ElementTree.Element("quiz")
    category = ElementTree.SubElement(quiz, "question", type="category")
    _text(category, "category", f"$course$/SVM Lab/{words(lesson.title).replace('/', '//')}")
    for item in asked:
        question = ElementTree.SubElement(quiz, "question", type=kind(item))
        _text(question, "name", f"{words(lesson.title)}: {item.prompt.id}")
        text = _text(question, "questiontext", question_html(item, f"@@PLUGINFILE@@/{PICTURE}"), "html")
        if item.picture:
            file = ElementTree.SubElement(text, "file", name=PICTURE, path="/", encoding="base64")
            file.text = base64.b64encode(item.picture.encode()).decode()
        _text(question, "generalfeedback", to_html(item.why), "html")
        ElementTree.SubElement(question, "defaultgrade").text = "1"
        _ANSWERS[kind(item)](question, item)
    return document(quiz)


def document(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def question_html(item: AnsweredPrompt, picture: str) -> str:
    """The question with what to write down, its picture at the address `picture`, and what its marks mean."""
    html = to_html(f"{item.prompt.question}\n\n{item.instruction}")
    if item.picture:
        html += f'<p><img src="{picture}" alt="{escape_html(item.picture_text)}"></p>{to_html(item.key)}'
    return html


def _text(parent, tag, text, form=None):
    element = ElementTree.SubElement(parent, tag, {"format": form} if form else {})
    ElementTree.SubElement(element, "text").text = text
    return element


def _answer(question, right, text, feedback, form="html"):
    element = _text(question, "answer", to_html(text) if form == "html" else text, form)
    element.set("fraction", "100" if right else "0")
    _text(element, "feedback", to_html(feedback), "html")
    return element


def _choices(question, item):
    ElementTree.SubElement(question, "single").text = "true"
    ElementTree.SubElement(question, "shuffleanswers").text = "false"
    ElementTree.SubElement(question, "answernumbering").text = "none"
    for right, text, feedback in choices(item):
        _answer(question, right, text, feedback)


def _numbers(question, item):
    for value, near, right, feedback in intervals(item):
        element = _answer(question, right, f"{value:.12g}", feedback, "moodle_auto_format")
        ElementTree.SubElement(element, "tolerance").text = f"{near:.12g}"


def _ranks(question, item):
    ElementTree.SubElement(question, "shuffleanswers").text = "true"
    for place, name in enumerate(item.order, 1):
        pair = _text(question, "subquestion", to_html(name), "html")
        _text(pair, "answer", str(place))


def _essay(question, item):
    ElementTree.SubElement(question, "responseformat").text = "editorfilepicker"
    ElementTree.SubElement(question, "responserequired").text = "1"
    ElementTree.SubElement(question, "attachments").text = "1"
    _text(question, "graderinfo", to_html(f"{item.answer_text}\n\n{item.why}"), "html")


_ANSWERS = {CHOICE: _choices, NUMBER: _numbers, ORDER: _ranks, ESSAY: _essay}


def intervals(item: AnsweredPrompt) -> Iterator[tuple[float, float, bool, str]]:
    """(middle, half width, whether it is right, feedback) of the answers to a number: the right ones come first.

    On a scale of powers of ten they reach as far as the smaller side of the factor.
    """
    value, close, scale = float(item.answer.value), item.prompt.close, item.prompt.scale
    near = abs(value) * (1 - 1 / max(close, 1)) if scale.log else close
    yield value, near, True, item.why
    for name, start, end in (("too_low", scale.low, value - near), ("too_high", value + near, scale.high)):
        if start < end:
            yield (start + end) / 2, (end - start) / 2, False, item.prompt.wrong[name]


# -------------------------------------------------------------------------------------------- GIFT


def gift(lesson: Lesson, asked: Iterable[AnsweredPrompt]) -> str:
    """The questions in the GIFT format; pictures are part of the texts, as data addresses."""
    title = words(lesson.title)
    parts = [f"$CATEGORY: SVM Lab/{escape(title.replace('/', ' '))}"]
    for item in asked:
        packed = base64.b64encode(item.picture.encode()).decode()
        question = escape(question_html(item, f"data:image/svg+xml;base64,{packed}"))
        general = f"####{escape(to_html(item.why))}"
        parts.append(f"::{escape(f'{title}: {item.prompt.id}')}::[html]{question}{{{_inner(item)}{general}}}")
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """A text in which nothing is a mark of GIFT, in one line."""
    return SPECIAL.sub(r"\\\1", text).replace("\n", "\\n")


def _inner(item):
    """Text between the brackets of a question, before the general feedback."""
    if kind(item) == CHOICE:
        return "".join(
            f"{'=' if right else '~'}{escape(to_html(text))}#{escape(to_html(feedback))}"
            for right, text, feedback in choices(item)
        )
    if kind(item) == NUMBER:
        return "#" + "".join(
            f"={'' if right else '%0%'}{value:.12g}:{near:.12g}#{escape(to_html(feedback))}"
            for value, near, right, feedback in intervals(item)
        )
    if kind(item) == ORDER:
        return "".join(f"={escape(to_html(name))} -> {place}" for place, name in enumerate(item.order, 1))
    return ""
