"""The answer to a prompt as plain fields, and as marks on the picture: for a sheet, where nothing is revealed."""

import streamlit as st

from pages.shared.figures import style
from pages.shared.lessons import quantities
from pages.shared.lessons.asked import ends
from pages.shared.lessons.wording import words
from pages.shared.palette import colour


def field(prompt, case, given, key: str):
    """The field for an answer that begins with `given`; returns the answer as `lessons.grading` has it, or None."""
    if prompt.options:
        return _options(prompt, given, key)
    return FIELDS["points" if prompt.kind == "step" else prompt.kind](prompt, case, given, key)


def _options(prompt, given, key):
    options = range(len(prompt.options))
    index = given if given in options else None
    return st.radio(
        "Your answer",
        options,
        index,
        format_func=lambda k: words(prompt.options[k].text),
        key=key,
        label_visibility="collapsed",
    )


def _number(prompt, case, given, key):
    scale, label = prompt.scale, f"Your answer, {ends(prompt)}"
    value = given if isinstance(given, float) and scale.low <= given <= scale.high else None
    return st.number_input(label, scale.low, scale.high, value, None if scale.log else scale.step, format="%g", key=key)


def _points(prompt, case, given, key):
    ids = case.problem("before").ids.tolist()
    chosen = [row for row in given or () if row in ids]
    picked = st.multiselect("Your points; their numbers are shown under the pointer", ids, chosen, key=key)
    return sorted(picked) or None


def _order(prompt, case, given, key):
    keys = [machine.loss for machine in case.after.machines]
    chosen = [loss for loss in given or () if loss in keys]
    label = "Choose the machines in your order, the largest first"
    picked = st.multiselect(label, keys, chosen, format_func=quantities.named, key=key)
    return picked if len(picked) == len(keys) else None


def _reals(names):
    def fields(prompt, case, given, key):
        begin = given if isinstance(given, list) and len(given) == len(names) else [None] * len(names)
        values = []
        for k, (cell, name) in enumerate(zip(st.columns(len(names)), names, strict=True)):
            with cell:
                values.append(st.number_input(name, value=begin[k], step=0.1, format="%g", key=f"{key} {k}"))
        return None if None in values else values

    return fields


FIELDS = {
    "number": _number,
    "points": _points,
    "order": _order,
    "line": _reals(("x1, one end", "x2, one end", "x1, other end", "x2, other end")),
    "place": _reals(("x1", "x2")),
}


def shown(picture: style.Drawing, prompt, case, given) -> style.Drawing:
    """The picture with the answer drawn into it: a line, a cross at a place, crosses on points."""
    if given is None or prompt.options:
        return picture
    if prompt.kind == "line":
        x, y = given[::2], given[1::2]
    elif prompt.kind == "place":
        x, y = _crosses([given], case)
    elif prompt.kind in ("points", "step"):
        problem = case.problem("before")
        x, y = _crosses(problem.X[[row in given for row in problem.ids.tolist()]].tolist(), case)
    else:
        return picture
    line = style.path(x, y, "your answer", colour("accent"), width=3)
    return picture._replace(traces=[*picture.traces, line])


def _crosses(places, case):
    """The strokes of a cross at each place, with gaps between them."""
    xs, _ = case.source.view(case.before.data)
    arm = 0.02 * float(xs[-1] - xs[0])
    x, y = [], []
    for across, up in places:
        x += [across - arm, across + arm, float("nan"), across - arm, across + arm, float("nan")]
        y += [up - arm, up + arm, float("nan"), up + arm, up - arm, float("nan")]
    return x, y
