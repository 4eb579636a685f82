"""The form of a question on a page without a browser: what it asks, and what a reader sends with it."""

import itertools

from screen import healthy, sent

from pages.shared.lessons import grading

MESSAGES = itertools.count(1)
DRAWN = {"line", "points", "place"}  # the kinds of answers that are drawn on a plane


def form(app):
    """What the form was sent, None on a page without one."""
    return next(iter(sent(app, "question")), None)


def asked(app):
    """What the first plane is asked that is asked anything."""
    return next(spec["ask"] for spec in sent(app, "ask") if spec["ask"])


def film(app):
    """(the labels of the moments that can be played, the moment that is shown first)."""
    spec = sent(app, "transport")[0]
    return [tick["label"] for tick in spec["ticks"]], spec["start"]


def act(app, action, given=None, key=None):
    """The page after a button of the form, or, with "keep", after a change of the answer."""
    message = {"id": str(next(MESSAGES)), "form": form(app)["question"], "key": key or form(app)["key"]}
    message |= {"action": action, "given": given}
    app.session_state["question"] = {"answer": message}
    return healthy(app.run())


def true_answer(prompt, answer):
    """What a reader says who knows the answer."""
    ready = {"order": lambda: [key for key, _ in answer.value], "place": lambda: answer.value[:2]}
    return answer.true if prompt.options else ready.get(prompt.kind, lambda: answer.value)()


def wrong_answers(prompt, answer):
    """What readers say who do not know it: answers that are graded as wrong, at least one."""
    if prompt.options:
        return [k for k in range(len(prompt.options)) if k != answer.true]
    if prompt.kind == "number":
        return [end for end in prompt.scale[:2] if not grading.grade(prompt, end, answer).right]
    field = answer.case.study().field if prompt.kind in ("line", "place") else None
    if prompt.kind == "line":
        x, y = field.xs, field.ys
        lines = [(x[5], y[0], x[5], y[-1]), (x[0], y[5], x[-1], y[5]), (x[-5], y[0], x[-5], y[-1])]
        return [list(map(float, line)) for line in lines if not grading.grade(prompt, line, answer).right]
    if prompt.kind == "place":
        return [answer.case.problem().X.mean(axis=0).tolist()]
    if prompt.kind == "order":
        return [true_answer(prompt, answer)[::-1]]
    ids = answer.case.problem().ids.tolist()
    others = [key for key in ids if key not in answer.value]
    return [others[:2], [], ids] if len(answer.value) < len(ids) - prompt.close else [others[:2], []]
