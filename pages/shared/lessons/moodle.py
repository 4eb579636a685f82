"""The prompts of a lesson as questions for Moodle: its XML format and GIFT, with pictures and feedback.

Options become a multiple choice question with feedback on each, a number a numerical question with a tolerance, an
order a matching question; what is answered in the picture an essay question with notes for graders.
"""

import base64
import re
from collections.abc import Iterable, Iterator
from html import escape as escape_html
from xml.etree import ElementTree

from pages.shared.lessons.asked import KEY, AnsweredPrompt
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
    title = words(lesson.title)
    category = element("question", _text("category", f"$course$/SVM Lab/{title.replace('/', '//')}"), type="category")
    return document(element("quiz", category, *(_question(title, item) for item in asked)))


def _question(title, item):
    packed = base64.b64encode(item.picture.encode()).decode()
    file = [element("file", packed, name=PICTURE, path="/", encoding="base64")] if packed else []
    return element(
        "question",
        _text("name", f"{title}: {item.prompt.id}"),
        _text("questiontext", question_html(item, f"@@PLUGINFILE@@/{PICTURE}"), *file, format="html"),
        _text("generalfeedback", to_html(item.why), format="html"),
        element("defaultgrade", "1"),
        *_ANSWERS[kind(item)](item),
        type=kind(item),
    )


def element(tag: str, *inside: str | ElementTree.Element, **attributes: str) -> ElementTree.Element:
    """An XML element with a text or with other elements inside."""
    made = ElementTree.Element(tag, attributes)
    for part in inside:
        if isinstance(part, str):
            made.text = part
        else:
            made.append(part)
    return made


def document(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def question_html(item: AnsweredPrompt, picture: str) -> str:
    """The question with what to write down, its picture at the address `picture`, and what its marks mean."""
    html = to_html(f"{item.prompt.question}\n\n{item.instruction}")
    if item.picture:
        key = "" if item.prompt.chart_place == "alone" else to_html(KEY)  # the lines of a chart have their names
        html += f'<p><img src="{picture}" alt="{escape_html(item.picture_text)}"></p>{key}'
    return html


def _text(tag, text, *more, **attributes):
    return element(tag, element("text", text), *more, **attributes)


def _answer(right, text, feedback, *more, format="html"):
    said = _text("feedback", to_html(feedback), format="html")
    return _text("answer", text, said, *more, format=format, fraction="100" if right else "0")


def _choices(item):
    yield from (element("single", "true"), element("shuffleanswers", "false"), element("answernumbering", "none"))
    for right, text, feedback in choices(item):
        yield _answer(right, to_html(text), feedback)


def _numbers(item):
    for value, near, right, feedback in intervals(item):
        tolerance = element("tolerance", f"{near:.12g}")
        yield _answer(right, f"{value:.12g}", feedback, tolerance, format="moodle_auto_format")


def _ranks(item):
    yield element("shuffleanswers", "true")
    for place, name in enumerate(item.order, 1):
        yield _text("subquestion", to_html(name), _text("answer", str(place)), format="html")


def _essay(item):
    for tag, text in (("responseformat", "editorfilepicker"), ("responserequired", "1"), ("attachments", "1")):
        yield element(tag, text)
    yield _text("graderinfo", to_html(f"{item.answer_text}\n\n{item.why}"), format="html")


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
