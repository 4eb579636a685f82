"""A prompt of a lesson that a room votes on: the vote with its picture, and the picture of what the room has said."""

import json
from collections import Counter
from typing import Any, NamedTuple

import streamlit as st

from pages.shared.classroom import ballot, polls, votes
from pages.shared.classroom.rooms import Room, RoomError
from pages.shared.classroom.screens import vote_forms
from pages.shared.classroom.votes import Question
from pages.shared.figures.charts import room as room_charts
from pages.shared.figures.picture import machine_figure
from pages.shared.lessons import answers, asked, grading, lesson
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.case import AFTER, BEFORE, Case
from pages.shared.lessons.screens import asked_pictures, prepared_answers, prompt_pictures, question_form
from pages.shared.lessons.screens.asked_pictures import PromptView
from pages.shared.lessons.screens.navigation import take_message
from pages.shared.lessons.screens.prepared_answers import lesson_answer
from pages.shared.lessons.screens.prompt_pictures import PromptAttempt
from pages.shared.lessons.tables import LessonError
from pages.shared.plane import component
from pages.shared.server.cache import shared_cache
from pages.shared.server.jobs import Job
from pages.shared.studies import formatting, tasks

PATIENCE = 1.5  # seconds for which a page waits for what is computed for all
ABOVE = 70  # pixels of the question over the pictures of the votes
COUNTED = "Your vote is counted. While the vote is open you can choose something else and press “Change my vote”."
COMPUTING = "The answer is being computed."


class Outcome(NamedTuple):
    """A prompt and all that was said: the votes of each round and those of this browser, in the set-ups of a case.

    `answer` and what the votes came to, `found`, are None and empty while the bars alone are shown.
    """

    question: Question
    prompt: Prompt
    case: Case
    rounds: list[list]
    mine: list
    answer: Answer | None = None
    found: tuple[str, ...] = ()


def state(room: Room) -> tuple | None:
    """Everything that `stage` depends on, except the votes; None for a room that votes on no prompt."""
    question = room.question
    if question is None or not question.lesson_prompt:
        return None
    return question.id, question.round, question.revealed, question.bars


def stage(room: Room, browser: str = "") -> bool:
    """The vote of the room on a prompt, its bars, and the outcome after the reveal; `browser` may vote.

    Nothing where no prompt is asked. False if something is not ready: the page should be drawn again.
    """
    if state(room) is None:
        return True
    with vote_forms.explain_refusals(vote_forms.show_refusal):
        question, prompt, out = room.question, _prompt(room), None
        if not question.revealed:
            prepared_answers.lesson_answer(prompt, _draw(room), {})  # so that it is ready at the reveal
        if not question.is_open and (out := _outcome(room, prompt, browser, question.revealed)) is None:
            st.info(COMPUTING, icon=":material/hourglass_empty:")
            return False
        overlaid = prompt.answer_kind in PICTURES
        with st.container(key="stage"), st.container(key="room_drawn" if overlaid else "room_said"):
            _show_outcome(room, out, browser, overlaid) if out else _vote(room, prompt, browser)
    return True


def peek(room: Room) -> None:
    """The outcome so far, for the lecturer alone; raises RoomError and StoreError."""
    out = _outcome(room, _prompt(room))
    _pictures(out, "peek") if out else st.caption(COMPUTING)


def _draw(room):
    return room.question.lesson_prompt["draw"]


def _prompt(room):
    try:
        return ballot.prompt(room.question, lambda key: polls.lesson_text(room.code, key))
    except (KeyError, LessonError) as error:
        raise RoomError("This server does not have the lesson of this question.") from error


def _key(room, prompt):
    """Key that tells this vote from all others, also from that of another round."""
    return f"room {room.code} {room.question.id} {room.question.round}/{prompt.id}/{_draw(room)}"


# ------------------------------------------------------------------------------------------ the vote


def _vote(room, prompt, browser):
    question, key, given, trouble = room.question, _key(room, prompt), None, ""
    if browser:
        if (message := take_message()) and message["key"] == key:
            cast = room.code, browser, question.id, question.round, message["given"]
            trouble = vote_forms.refusal(polls.vote, *cast)
        given = polls.find_vote(browser, question)
    look = PromptView(prompt, _draw(room), given)
    shown = PromptAttempt(key, look, prepared_answers.lesson_case(prompt, look.draw, {}))
    left, right = st.columns([0.46, 0.54] if browser else [0.6, 0.4], gap="medium")
    with right:
        if browser:
            voted = given is not None
            commit, place = "Change my vote" if voted else "Vote", f"**Vote {question.round}**"
            question_form.show(shown, place=place, commit=commit, counted=voted)
            st.caption(formatting.plain(trouble) if trouble else COUNTED if voted else "")
            if voted:
                vote_forms.reason_form(room, browser)
        else:  # to be read
            st.markdown(f"### {formatting.plain(lesson.plain(prompt.question))}")
            if prompt.options:
                vote_forms.options(lesson.plain(option.text) for option in prompt.options)
    with left:
        prompt_pictures.show(shown)


# ------------------------------------------------------------------------------------------ the outcome


def _outcome(room, prompt, browser="", told=True) -> Outcome | None:
    """Outcome of the votes, with the answer if it is `told`; None while that is computed. RoomError if it cannot be."""
    question, draw, rounds = room.question, _draw(room), polls.results(room.question)
    numbers = range(1, question.round + 1)
    mine = [polls.find_vote(browser, question._replace(round=k)) if browser else None for k in numbers]
    if not told:
        return Outcome(question, prompt, prepared_answers.lesson_case(prompt, draw, {}), rounds, mine)
    if not _ready(answered := prepared_answers.lesson_answer(prompt, draw, {})):
        return None
    if not _ready(compared := room_outcome(prompt, draw, json.dumps(rounds))):
        return None
    answer = answered.rows[0]
    return Outcome(question, prompt, answer.case, rounds, mine, answer, compared.rows[0])


def _ready(job):
    job.wait(PATIENCE)
    if job.error:
        raise RoomError(job.error)
    return bool(job.rows)


def _show_outcome(room, out, browser, overlaid):
    """The votes beside the picture of the question, or over it; with the answer what it is and why."""
    prompt, told = out.prompt, out.answer is not None
    st.markdown(f"**{formatting.plain(lesson.plain(prompt.question))}**")
    if browser and not told:
        st.caption(vote_forms.ENDED)
    if overlaid and not told:  # the pictures have the width of the page
        left, right = st.container(), st.container()
    else:
        share = 0.64 if overlaid else 0.45 if prompt_pictures.has_two(prompt) else 0.35
        left, right = st.columns([share, 1 - share], gap="medium")
    with right:
        if not overlaid:
            _pictures(out, "room")
        if told:
            st.html(formatting.pairs(_facts(out)))
    with left:
        if overlaid:
            return _pictures(out, "room")
        look = PromptView(prompt, _draw(room), answered=told)
        prompt_pictures.show(PromptAttempt(_key(room, prompt), look, out.case, out.answer, form="room outcome"))


def _facts(out):
    """(name, text) rows: what this browser has said, what is, and why, which a wall has room for; then the votes."""
    counts = [(f"Vote {k}", sentence) for k, sentence in enumerate(out.found, 1)]
    said = [given for given in out.mine if given is not None]
    feedback = ballot.feedback(out.prompt, out.answer, said[-1]) if said else None
    if feedback:
        rings = [("Rings", question_form.RINGS)] if feedback.ids else []
        return question_form.rows(feedback, lesson.plain) + rings + counts
    rows = [("Why", grading.why(out.prompt, out.answer))]
    if not out.prompt.options:  # of these the bars say it
        rows = [("It is", asked.AnsweredPrompt(out.prompt, out.answer).answer_text), *rows, *counts]
    if len(out.rounds) == 1:  # for more a wall has no room
        rows += [("Perhaps", text) for text in dict.fromkeys(out.prompt.wrong.values())]
    return [(name, lesson.plain(text)) for name, text in rows]


def _pictures(out: Outcome, name: str) -> None:
    """The votes of all rounds, side by side; `name` tells the planes from others."""
    kind = out.prompt.answer_kind
    if kind not in PICTURES:
        return TABLES[kind](out, name)
    for k, column in enumerate(st.columns(len(out.rounds), gap="small"), 1):
        with column:
            ask = _own(out, k, kind) if name == "room" else None
            figure = PICTURES[kind](out, k)
            edge = f"Vote {k}", MEANING[kind] if out.answer else "", ""
            component.show_figure(figure, key=f"{name}-votes-{k}", fill=1, less=ABOVE, edge=edge, ask=ask)


def _own(out, k, kind) -> dict[str, Any] | None:
    """Show over the picture what this browser has drawn in a round, see answer_drawing.js."""
    given = out.mine[k - 1]
    if given is None:
        return None
    name = f"room {out.question.id} {k}"
    ask = {"form": name, "key": name, "kind": kind, "given": given, "locked": True, "marked": []}
    if kind == "points":
        feedback = ballot.feedback(out.prompt, out.answer, given) if out.answer else None
        ask["points"] = feedback.ids if feedback else None
    if kind == "place":
        ask["label"] = asked_pictures.moved_point(out.prompt, out.case)[1]
    return ask


def _question_picture(out):
    """The picture of the question, which tells nothing of the answer."""
    return asked_pictures.planes(out.prompt, out.case)[0].drawing


def _machine_picture(out):
    """The picture of the machine whose boundary is true; before the answer that of the question."""
    if out.answer is None:
        return _question_picture(out)
    study = out.case.study(AFTER, out.prompt.watch.arguments.get("loss", ""))
    return machine_figure(study.field, study.points, off=out.case.source.points_off(out.case.after.data))


def _lines(out, k):
    return room_charts.room_lines_figure(_machine_picture(out), out.rounds[k - 1])


def _points(out, k):
    of = AFTER if out.answer else BEFORE
    problem = out.case.problem(of)
    if out.prompt.kind == "step":  # a machine that is not yet fitted
        bare = tasks.task_of(problem).bare(problem)
        below = machine_figure(out.case.source.extent(out.case.setup(of).data), bare)
    else:
        below = _machine_picture(out)
    count = Counter(key for given in out.rounds[k - 1] for key in given)
    ids = problem.ids.tolist()
    true = [out.answer is not None and key in out.answer.value for key in ids]
    return room_charts.room_points_figure(below, problem.X, [count[key] for key in ids], true)


def _places(out, k):
    best = out.answer.value[:2] if out.answer else None
    below = _question_picture(out)
    if best:  # with the point there: the boundary that it makes, and the plane that changes class
        moved = asked_pictures.move_point(out.prompt, out.case, best)
        below = asked_pictures.planes(out.prompt, moved, answered=True)[0].drawing
    label = asked_pictures.moved_point(out.prompt, out.case)[1]
    return room_charts.room_places_figure(below, out.rounds[k - 1], label, best)


def _bars(out, name):
    """Bars of options or orders: the right one is marked, the others have what their voters may have thought."""
    mine = votes.words(out.question, out.mine[-1]) if out.mine[-1] is not None else ""
    if out.answer is None:
        return vote_forms.bars(out.question, out.rounds, {mine: ["← you"]})
    if out.prompt.options:
        labels = out.question.details["options"]
        right = labels[out.answer.true] if out.answer.true is not None else ""
        notes = {label: [lesson.plain(option.wrong)] for label, option in zip(labels, out.prompt.options, strict=True)}
    else:
        right, notes = votes.words(out.question, [key for key, _ in out.answer.value]), {}
    notes[right] = ["✓ it is"]
    notes[mine] = [*notes.get(mine, ()), "← you"]
    vote_forms.bars(out.question, out.rounds, notes, right)


def _numbers(out, name):
    edges, counts = ballot.histogram(out.prompt, out.rounds)
    said = next((given for given in reversed(out.mine) if given is not None), None)
    figure = room_charts.room_numbers_figure(
        edges, counts, names=[f"vote {k}" for k in range(1, len(out.rounds) + 1)],
        true=float(out.answer.value) if out.answer else None, said=said,
        log=out.prompt.scale.log, **answers.measure(out.prompt.watch),
    )  # fmt: skip
    component.show_figure(figure, key=f"{name}-numbers", fill=0.4)


MEANING = {
    "line": "thin: the room; thick: the machine",
    "points": "discs and numbers: votes; thick rings: right",
    "place": "pale: the room; thick ring: most harm",
}
PICTURES = {"line": _lines, "points": _points, "place": _places}
TABLES = {"choose": _bars, "order": _bars, "number": _numbers}


@shared_cache(64, timed=False)
def room_outcome(prompt: Prompt, draw, rounds) -> Job:
    """Compute the outcome of a room, one row as in `ballot.outcome`; waits for the result of `lesson_answer`.

    `rounds` is the JSON of the votes of each round.
    """
    answered = lesson_answer(prompt, draw, {})
    answered.wait()

    def compute():
        if answered.error:
            raise ValueError(answered.error)
        yield ballot.outcome(prompt, answered.rows[0], json.loads(rounds))

    return Job(prompt.id, compute(), 1)
