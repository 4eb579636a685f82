"""The form of a prompt: the question, what can be answered, and the feedback."""

import re
from collections.abc import Callable

from pages.shared.lessons import answers, grading, wording
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Prompt, with_terms
from pages.shared.lessons.quantities.registry import machine_name
from pages.shared.lessons.screens.asked_pictures import PromptView
from pages.shared.lessons.screens.navigation import FORM
from pages.shared.lessons.screens.prompt_pictures import PromptAttempt
from pages.shared.plane import component
from pages.shared.studies import glossary
from pages.shared.studies.source import Source

HELP = "help?subject=glossary"  # where terms lead, from any page of the app
HINTS = {
    "line": "Drag the two handles on the picture, or reach them with Tab and move them with the arrow keys.",
    "points": "Click or tap points on the picture, again to take one back. With keys: Tab to the picture, arrow keys "
    "to a point, Space.",
    "place": "Click or tap a place on the picture, or drag the point. With keys: Tab to the point, then arrow keys.",
}
LATE = "The answer could not be computed in time. Yours is kept and not judged: lock it in again in a moment."
RINGS = "Solid ring: right. Dashed ring: missed. Crossed ring: one too many."


def show(
    asked: PromptAttempt, place: str, buttons=(), commit="Lock in my answer", counted=False, first=True, late=False
) -> None:
    """The form, with the feedback once the answer is locked in.

    `place` stands above the question; `buttons` are (action, label, whether it is the main one); `commit` is the label
    of the button that gives the answer; once an answer is `counted`, only another one can be given. The `first`
    question has no way back; a `late` answer is one that the solvers are not ready to judge. A form without a label
    sends every change of the answer, as the action "keep", and can be changed again: nothing is locked in.
    """
    prompt, locked = asked.prompt, asked.look.answered
    message = {
        "question": asked.form,
        "key": asked.key,
        "kind": prompt.answer_kind,
        "given": asked.look.given,
        "locked": locked,
        "counted": counted,
        "place": place,
        "asked": link_terms(prompt.question),
        "first": first,
        "hint": RINGS if locked and asked.feedback.ids else "" if locked else _hint(prompt),
        "options": [link_terms(option.text) for option in prompt.options],
        "right": asked.answer.true if locked else None,
        "feedback": locked and {"right": asked.feedback.right, "rows": rows(asked.feedback)},
        "note": _note(asked.look.changes) if locked else LATE if late else "",
        "buttons": list(buttons),
        "commit": commit,
    }
    if prompt.kind == "number":
        message["scale"] = _scale(asked)
    if prompt.kind == "order":
        losses = [machine.loss for machine in asked.case.after.machines]
        message["entries"] = [[loss, machine_name(loss)] for loss in losses]
    component.question_form(message, key=FORM)


def link_terms(text: str) -> str:
    """The text with its terms as links to the glossary, which say what they mean under the pointer."""
    return with_terms(text, _link)


def _link(words, term):
    entry = glossary.TERMS[term]
    tip = f"{entry.text} {entry.formula}".strip().replace('"', "”")
    return f'[{words}]({HELP} "{tip}")'


def rows(feedback: Feedback, written: Callable[[str], str] = link_terms) -> list[tuple[str, str]]:
    """The feedback as (name, text): what was said, what is, and why; `written` writes a text with its terms."""
    right, said, is_, why, misconception, gap, _, exact = feedback
    told = not gap or re.search(rf"(?<!\w){re.escape(gap)}(?!\w)", is_)
    beside = "" if told else f" ({gap})"
    judged = " – correct." if exact else " – close enough."
    found = [("You said", written(said.removesuffix(".")) + judged if right else written(said))]
    found.append(("It is", written(is_) + beside))
    if misconception:
        found.append(("Perhaps", written(misconception)))
    found.append(("Why", written(why)))
    return found


def feedback_texts(look: PromptView, source: Source) -> dict[str, str]:
    """The rows of the feedback while a control is held, {key of question.js: text}; none before the answer, and where
    these settings have no answer.
    """
    if not look.answered:
        return {}
    try:
        found = answers.answer(look.prompt, look.draw, look.changes, source)
        shown = rows(grading.grade(look.prompt, look.given, found), wording.words)
    except ValueError:
        return {}
    return {f"row-{name}": text for name, text in [("Perhaps", ""), *shown]}


def _hint(prompt):
    text = HINTS.get(prompt.answer_kind, "")
    return text if prompt.any_draw else f"{text} This question is about exactly these points.".strip()


def _note(changes):
    """Note on results for other settings than those of the lesson."""
    if not changes:
        return ""
    now = ", ".join(
        f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}" for name, value in changes.items()
    )
    return f"With your setting {now} the answer was computed again; this is what is true now."


def _scale(asked):
    """The slider of a number, and, once it is answered, the marks on it."""
    prompt: Prompt = asked.prompt
    scale = prompt.scale._asdict() | answers.measure(prompt.watch)
    if asked.look.answered:
        said, is_ = (answers.round_value(prompt.watch, number) for number in (asked.look.given, asked.answer.value))
        scale["marks"] = {"said": said, "is": is_}
    return scale
