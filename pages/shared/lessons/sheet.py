"""A lesson on paper: an HTML page that prints on A4, with or without answers, its pictures inside."""

import re
from collections.abc import Iterable
from html import escape

from pages.shared.lessons.asked import KEY, AnsweredPrompt, mistakes
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.wording import mathml, to_html, words

STYLE = """
@page { size: A4; margin: 18mm 16mm; }
body { font: 11pt/1.4 system-ui, "Segoe UI", sans-serif; color: #16202a; background: #fff; }
body { max-width: 178mm; margin: 8mm auto; }
h1 { font-size: 18pt; margin: 0 0 2mm; } h2 { font-size: 12pt; margin: 0 0 1mm; } p { margin: 0 0 2mm; }
section { break-inside: avoid; padding: 4mm 0; border-top: 0.3mm solid #5b6770; }
section::after { content: ""; display: block; clear: both; }
figure { float: right; width: 72mm; margin: 0 0 2mm 5mm; } figure svg { width: 100%; height: auto; }
figure.wide { float: none; width: 140mm; margin: 0 0 2mm; } math[display="block"] { margin: 2mm 0; }
.small { font-size: 9pt; color: #5b6770; }
ul { list-style: none; padding: 0; margin: 2mm 0; } li { margin: 0 0 1.5mm 6mm; text-indent: -6mm; }
.line { border-bottom: 0.3mm solid #16202a; height: 8mm; display: flow-root; }
.fields { display: flex; gap: 8mm; margin: 4mm 0; }
.fields span { flex: 1; border-bottom: 0.3mm solid #16202a; padding-top: 6mm; }
.answer { border-left: 1mm solid #5b6770; padding-left: 3mm; margin: 2mm 0; }
.answer li { margin-left: 0; text-indent: 0; }
@media print { body { margin: 0; max-width: none; } }
"""
WIDE = 1.4  # a picture that is so many times as wide as high has a line of its own
LINES = {"number": 1, "order": 2}  # to write on
SHORT_ANSWERS = (
    "Which answer surprised you most? Say in one or two sentences what happened, and why.",
    "What would you measure to decide between the machines of this lesson on data of your own?",
)


def questions(lesson: Lesson) -> tuple[str, ...]:
    """The short free answers that a sheet of this lesson asks for."""
    aim = (
        f"In your own words, give an example of this aim: “{words(lesson.objectives[0])}”" if lesson.objectives else ""
    )
    return (aim, *SHORT_ANSWERS)


def page(lesson: Lesson, asked: Iterable[AnsweredPrompt], answers: bool = False) -> str:
    """The sheet as an HTML document that needs nothing else; with `answers` it is the teacher's copy."""
    title = escape(words(lesson.title))
    parts = [_prompt(k, item, answers) for k, item in enumerate(asked, 1)]
    for text in () if answers else questions(lesson):
        parts.append(f"<section><h2>{len(parts) + 1}</h2>{to_html(text)}{'<div class=line></div>' * 3}</section>")
    head = "".join(f"<p>{_inline(text)}</p>" for text in lesson.objectives)
    fields = "" if answers else '<div class="fields"><span>Name</span><span>Number</span><span>Date</span></div>'
    notes = _teacher(lesson) if answers else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title} · SVM Lab</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body><main>\n'
        f"<h1>{title}{' · answers' * answers}</h1>\n{head}<p class='small'>About {lesson.time}. {KEY}</p>\n"
        f"{fields}{notes}" + "\n".join(parts) + "\n</main></body></html>\n"
    )


def _inline(text):
    return to_html(text).removeprefix("<p>").removesuffix("</p>")


def _teacher(lesson):
    teacher = lesson.teacher
    goal, source, skip = (
        f"<p><strong>{name}.</strong> {_inline(text)}</p>" if text else ""
        for name, text in (("Goal", teacher.goal), ("Source", teacher.source), ("To leave out", teacher.skip))
    )
    return f"{goal}{teacher.equation and mathml(teacher.equation)}{source}{skip}"


def _prompt(number, item, answers):
    prompt = item.prompt
    transfer = " · on a new problem" if prompt.closing else ""
    parts = [f"<h2>{number}{transfer}</h2>", _figure(item.after or item.picture if answers else item.picture)]
    parts.append(to_html(f"{prompt.question}\n\n{item.instruction}"))
    if prompt.options:
        boxes = ("☒" if answers and k == item.answer.true else "☐" for k in range(len(prompt.options)))
        rows = (f"<li>{box} {_inline(option.text)}</li>" for box, option in zip(boxes, prompt.options, strict=True))
        parts.append(f"<ul>{''.join(rows)}</ul>")
    if answers:
        parts.append(_answer(item))
    else:
        parts.append('<div class="line"></div>' * LINES.get(prompt.kind, 0))
    return f"<section>{''.join(parts)}</section>"


def _answer(item):
    prompt = item.prompt
    goal = f"<p class='small'>{_inline(prompt.goal)}</p>" if prompt.goal else ""
    said = ((escape(words(name)), _inline(text)) for name, text in mistakes(prompt))
    rows = "".join(f"<li><em>{name}</em> → {text}</li>" for name, text in said)
    return (
        f'<div class="answer"><p><strong>{_inline(item.answer_text)}</strong></p>{to_html(item.why)}{goal}'
        f"<p class='small'>Usual wrong answers, and what to say:</p><ul>{rows}</ul></div>"
    )


def _figure(svg):
    if not svg:
        return ""
    width, height = (int(size) for size in re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    return f"<figure{' class=wide' if width > WIDE * height else ''}>{svg}</figure>"
