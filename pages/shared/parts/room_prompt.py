"""A prompt of a lesson that a room votes on: the vote with its picture, and the picture of what the room has said."""

import json
from collections import Counter
from typing import Any, NamedTuple

import streamlit as st

from pages.shared import figures, plane, session, tables
from pages.shared.lessons import answers, asked, ballot, grading, lesson, outcome
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Lesson, Prompt, Teacher
from pages.shared.lessons.outcome import Round
from pages.shared.lessons.quantities import AFTER, BEFORE, Case
from pages.shared.lessons.tables import LessonError
from pages.shared.parts import lesson_pictures, lesson_question, room_votes
from pages.shared.parts.lesson_flow import FORM, At
from pages.shared.parts.lesson_pictures import Asked
from pages.shared.rooms import rooms, votes
from pages.shared.rooms.rooms import Room, RoomError
from pages.shared.rooms.store import StoreError
from pages.shared.rooms.votes import Question
from pages.shared.studies import tasks

PATIENCE = 1.5  # seconds for which a page waits for what is computed for all
ABOVE = 70  # pixels of the question over the pictures of the votes
HOW = {
    "choose": "Choose one of the options on your phone.",
    "number": "Move the slider on your phone.",
    "line": "Draw a line on your phone.",
    "points": "Choose points on your phone.",
    "place": "Move the point on your phone.",
    "order": "Order the machines on your phone.",
}
COUNTED = "Your vote is counted. Until the reveal you can choose something else and press “Change my vote”."
COMPUTING = "The answer is being computed."


class Outcome(NamedTuple):
    """A prompt and all that was said: the votes of each round, what they came to, and the votes of this browser."""

    question: Question
    prompt: Prompt
    answer: Answer
    rounds: list[list]
    found: tuple[Round, ...]
    mine: list

    @property
    def case(self) -> Case:
        """The set-ups before and after the change."""
        return self.answer.case


def state(room: Room) -> tuple | None:
    """What `stage` depends on, but for the votes; None for a room that votes on no prompt."""
    question = room.question
    return (question.id, question.round, question.revealed) if question and question.asked else None


def stage(room: Room, browser: str = "") -> bool:
    """The vote of the room on a prompt, and the outcome after the reveal; `browser` may vote.

    False if something is not ready: the page should be drawn again.
    """
    try:
        prompt = _prompt(room)
        if room.question.revealed:
            return _revealed(room, prompt, browser)
        session.lesson_answer(prompt, _draw(room), {})  # so that it is ready at the reveal
        _vote(room, prompt, browser)
    except (RoomError, StoreError) as error:
        st.info(tables.plain(str(error)), icon=":material/info:")
    return True


def peek(room: Room) -> None:
    """The outcome so far, for the lecturer alone."""
    try:
        out = _outcome(room, _prompt(room), "")
    except (RoomError, StoreError) as error:
        st.caption(tables.plain(str(error)))
    else:
        if out is None:
            st.caption(COMPUTING)
        else:
            _pictures(out, "peek")


def _draw(room):
    return room.question.asked["draw"]


def _prompt(room):
    try:
        return ballot.prompt(room.question, lambda key: rooms.lesson_text(room.code, key))
    except (KeyError, LessonError) as error:
        raise RoomError("This server does not have the lesson of this question.") from error


def _at(room, prompt: Prompt, given=None):
    """The question as a lesson with one prompt, and a key of its own for each round."""
    name = f"room {room.code} {room.question.id} {room.question.round}"
    one = Lesson(name, "", 1, (), (), (), Teacher("", "", "", ""), (prompt,))
    return At(one, prompt, 0, _draw(room), given, {})


# ------------------------------------------------------------------------------------------ the vote


def _vote(room, prompt, browser):
    at, trouble = _at(room, prompt), ""
    if browser:
        given = rooms.voted(browser, room.question)
        said, trouble = _taken(room, browser, at.key)
        at = at._replace(given=given if said is None else said)
    shown = Asked(at, session.lesson_case(prompt, at.attempt, {}), None, None)
    drawn = ballot.kind(prompt) in PICTURES
    with st.container(key="stage"), st.container(key="room_drawn" if drawn else "room_said"):
        left, right = st.columns([0.46, 0.54] if browser else [0.6, 0.4], gap="medium")
        with right:
            if browser:
                voted = at.given is not None
                commit, place = "Change my vote" if voted else "Vote", f"**Vote {room.question.round}**"
                lesson_question.show(shown, {}, place=place, buttons=[], commit=commit, counted=voted)
                st.caption(tables.plain(trouble) if trouble else COUNTED if voted else "")
            else:
                _read_out(prompt)
            lesson_pictures.words(shown)
        with left:
            lesson_pictures.show(shown, {})


def _taken(room, browser, key):
    """(the vote that the form has sent since the last run, what was wrong with it)."""
    message = (st.session_state.get(FORM) or {}).get("answer")
    if not message or message["id"] == st.session_state.get("answer_taken") or message["key"] != key:
        return None, ""
    st.session_state["answer_taken"] = message["id"]
    return room_votes.cast(room, browser, message["given"])


def _read_out(prompt):
    """The question on a wall."""
    st.markdown(f"### {tables.plain(lesson.plain(prompt.question))}")
    if prompt.options:
        lines = (f"{k}. {tables.plain(lesson.plain(option.text))}" for k, option in enumerate(prompt.options, 1))
        st.markdown("\n".join(lines))
    st.caption(HOW[ballot.kind(prompt)])


# ------------------------------------------------------------------------------------------ the outcome


def _outcome(room, prompt, browser) -> Outcome | None:
    """What came out; None while it is computed. RoomError where it cannot be."""
    question, draw = room.question, _draw(room)
    answered = session.lesson_answer(prompt, draw, {})
    if not _ready(answered):
        return None
    rounds = rooms.results(question)
    compared = session.room_outcome(prompt, draw, json.dumps(rounds))
    if not _ready(compared):
        return None
    mine = [rooms.voted(browser, question._replace(round=k)) if browser else None for k in range(1, question.round + 1)]
    return Outcome(question, prompt, answered.rows[0], rounds, compared.rows[0], mine)


def _ready(job):
    job.wait(PATIENCE)
    if job.error:
        raise RoomError(job.error)
    return bool(job.rows)


def _revealed(room, prompt, browser):
    out = _outcome(room, prompt, browser)
    if out is None:
        st.info(COMPUTING, icon=":material/hourglass_empty:")
        return False
    overlaid = ballot.kind(prompt) in PICTURES
    wide = overlaid and len(out.rounds) > 1  # two pictures need the width of the page
    with st.container(key="stage"), st.container(key="room_drawn" if overlaid else "room_said"):
        st.markdown(f"**{tables.plain(lesson.plain(prompt.question))}**")
        shares = [0.64, 0.36] if overlaid else [0.5, 0.5]
        left, right = (st.container(), st.container()) if wide else st.columns(shares, gap="medium")
        with right:
            if not overlaid:
                _pictures(out, "room")
            st.html(tables.pairs(_facts(out)))
        with left:
            _pictures(out, "room") if overlaid else _what_happened(room, out)
    return True


def _facts(out):
    """(name, text) rows: the votes, what this browser has said, what is, and why."""
    rows = [(f"Vote {k}", one.sentence) for k, one in enumerate(out.found, 1)]
    said = [given for given in out.mine if given is not None]
    feedback = _feedback(out, said[-1]) if said else None
    if feedback:
        return rows + lesson_question.rows(feedback, lesson.plain)
    rows.append(("It is", asked.Asked(out.prompt, out.answer).said))
    rows += [("Perhaps", text) for text in dict.fromkeys(out.prompt.wrong.values())]
    rows.append(("Why", grading.why(out.prompt, out.answer)))
    return [(name, lesson.plain(text)) for name, text in rows]


def _feedback(out, given) -> Feedback | None:
    try:
        return grading.grade(out.prompt, given, out.answer)
    except ValueError:
        return None


def _what_happened(room, out):
    """The picture after the change, for answers that are not drawn."""
    unsaid = Feedback(False, "", "", "", "", "")
    lesson_pictures.show(Asked(_at(room, out.prompt), out.case, out.answer, unsaid), {})


def _pictures(out: Outcome, name: str) -> None:
    """The votes of all rounds, side by side; `name` tells the planes from others."""
    kind = ballot.kind(out.prompt)
    if kind not in PICTURES:
        return TABLES[kind](out, name)
    for k, column in enumerate(st.columns(len(out.rounds), gap="small"), 1):
        with column:
            ask = _own(out, k, kind) if name == "room" else None
            figure = PICTURES[kind](out, k)
            edge = f"Vote {k}", MEANING[kind], ""
            plane.show(figure, key=f"{name}-votes-{k}", fill=1, less=ABOVE, edge=edge, ask=ask)


def _own(out, k, kind) -> dict[str, Any] | None:
    """What this browser has drawn in a round, over the picture, see pencil.js."""
    given = out.mine[k - 1]
    if given is None:
        return None
    name = f"room {out.question.id} {k}"
    ask = {"sheet": name, "key": name, "kind": kind, "given": given, "locked": True, "marked": []}
    if kind == "points":
        feedback = _feedback(out, given)
        ask["points"] = feedback.ids if feedback else None
    if kind == "place":
        ask["label"] = _moved(out)[1]
    return ask


def _moved(out):
    """(row, class) of the point that is moved."""
    row = out.case.row(out.prompt.watch.arguments.get("point", "farthest"), BEFORE)
    return row, float(out.case.problem(BEFORE).y[row])


def _machine(out, of):
    """The picture of the machine whose boundary is true."""
    study = out.case.study(of, out.prompt.watch.arguments.get("loss", ""))
    return figures.picture(study.field, study.points, off=out.case.source.off(out.case.setup(of).data))


def _lines(out, k):
    return figures.room_lines(_machine(out, AFTER), out.rounds[k - 1])


def _points(out, k):
    problem = out.case.problem(AFTER)
    film = out.prompt.kind == "step"  # a machine that is not yet fitted
    bare = tasks.of(problem).bare(problem)
    below = figures.picture(out.case.source.extent(out.case.after.data), bare) if film else _machine(out, AFTER)
    count = Counter(key for given in out.rounds[k - 1] for key in given)
    ids = problem.ids.tolist()
    true = [key in out.answer.value for key in ids]
    return figures.room_points(below, problem.X, [count[key] for key in ids], true)


def _places(out, k):
    x, y, _ = out.answer.value
    return figures.room_places(_machine(out, BEFORE), out.rounds[k - 1], _moved(out)[1], (x, y))


def _bars(out, name):
    """Bars of options or orders: the right one is marked, the others have what their voters may have thought."""
    mine = votes.words(out.question, out.mine[-1]) if out.mine[-1] is not None else ""
    if out.prompt.options:
        labels = out.question.details["options"]
        right = labels[out.answer.true] if out.answer.true is not None else ""
        notes = {label: [lesson.plain(option.wrong)] for label, option in zip(labels, out.prompt.options, strict=True)}
    else:
        right, notes = votes.words(out.question, [key for key, _ in out.answer.value]), {}
    notes[right] = ["✓ it is"]
    notes[mine] = [*notes.get(mine, ()), "← you"]
    room_votes.bars(out.question, out.rounds, notes, right)


def _numbers(out, name):
    found = outcome.histogram(out.prompt, out.rounds)
    said = next((given for given in reversed(out.mine) if given is not None), None)
    figure = figures.room_numbers(
        found.edges, found.counts, names=[f"vote {k}" for k in range(1, len(out.rounds) + 1)],
        true=float(out.answer.value), said=said, log=out.prompt.scale.log, **answers.measure(out.prompt.watch),
    )  # fmt: skip
    plane.show(figure, key=f"{name}-numbers", fill=0.4)


MEANING = {
    "line": "thin: the room; thick: the machine",
    "points": "discs and numbers: votes; thick rings: right",
    "place": "pale: the room; thick ring: most harm",
}
PICTURES = {"line": _lines, "points": _points, "place": _places}
TABLES = {"choose": _bars, "order": _bars, "number": _numbers}
