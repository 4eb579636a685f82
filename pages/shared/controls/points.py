"""Which points: the problem, how it is drawn, what spoils it, and the reader's own."""

import streamlit as st

from pages.shared import carried, session
from pages.shared.choices import COMPARED, MACHINES, NO_OUTLIERS, OWN, Data
from pages.shared.controls import upload
from pages.shared.controls.widgets import bring, choice, linked, note, number, place, slider
from pages.shared.points import own_points
from svmcore import problems
from svmcore.problems import REGISTRY, outliers

OPTION_LABELS = {"n": "Points", "noise": "Noise", "outliers": "Leverage points", "hold_out": "Hold out for testing"}


def data() -> Data:
    """The problem, and how it is drawn; `outliers` adds what is wrong with it."""
    with st.sidebar:
        key = choice(
            "problem",
            "Problem",
            [*problems.names("classification", planar=True), *problems.names("regression", planar=True), OWN],
            _problem_label,
            on_change=_suggest,
        )
        st.caption(about(key).about)
        values = {"data": _own_set()} if key == OWN else {}
        entry = about(key)
        options = {option.name: option for option in entry.options if option.name != "flips"}
        drawn = values.get("data") != ""
        row = (st if drawn else st.container(key="hidden-seeds")).columns(
            [0.42, 0.42, 0.16] if "n" in options else [0.84, 0.16], vertical_alignment="bottom", gap="small"
        )
        if "n" in options:
            with row[0]:
                values["n"] = _option(options["n"])
        with row[-2]:
            seed = number("seed", "Seed", 0, 0, 10**9, step=1, help="The same seed draws the same points.")
        with row[-1], place("seed", "again"):
            st.button("", on_click=_next_seed, icon=":material/casino:", help="Draw anew: the next seed", key="draw")
        for name in options:
            if name != "n":
                values[name] = _option(options[name])
    return Data(key, seed, tuple(values.items()))


def _own_set():
    """The key of the set that the reader has brought, "" for the empty plane; and how another one is brought."""
    key = linked("data", "")
    if session.own_set(key) is None:
        note(
            f"The server does not have the points of this link (data = {key}): it keeps {own_points.MOST_SETS} sets, "
            "those used last, until it is restarted. Choose their file again, and the edits come back, too."
        )
        key = ""
    st.session_state["own_shown"] = key
    with place("problem", "own"):
        upload.panel(key)
    return key


def about(name):
    """What the registry says of a problem, or the set of the reader's own points of itself."""
    if name != OWN:
        return REGISTRY[name]
    return own_points.entry(session.own_set(st.session_state.get("data", "")) or own_points.EMPTY)


def outlier(data: Data) -> Data:
    """The data with the outliers of the laboratory: which kind, how many; none where no class has a point to spoil."""
    with st.sidebar:
        if data.task == "classification" and not session.most_outliers(data):
            return data
        st.subheader("Outliers", anchor=False)
        if data.task == "regression":
            st.caption("There are no labels to flip. Drag points away, and mark them as outliers.")
            return data
        kind = choice(
            "contamination",
            "Kind",
            [NO_OUTLIERS, *outliers.KINDS],
            lambda k: "None added" if k == NO_OUTLIERS else outliers.KINDS[k].label,
        )
        if kind != NO_OUTLIERS:
            data = data._replace(contamination=kind, amount=_amount(outliers.KINDS[kind], data))
    return data


def view(data: Data) -> Data:
    """Whether the outliers are switched on, and how much room the plane leaves around the points."""
    with st.sidebar:
        if session.problem(data).outlier.any():
            bring("outliers_on", lambda value: isinstance(value, bool), "true or false")
            on = st.toggle(
                "Outliers switched on",
                value=True,
                key="outliers_on",
                bind="query-params",
                help="Off: the clean points. On: what the clean points gave stays as a grey ghost.",
            )
            data = data._replace(on=on)
        room = slider("room", "Room around the points", 1.0, 1.0, 5.0, 0.5, "To drag an outlier far away.")
    return data._replace(room=room)


def _amount(kind, data):
    if kind.unit == "share":
        return slider("share", "Share", float(kind.default), 0.0, float(kind.maximum), 0.01, kind.meaning)
    most = min(int(kind.maximum), session.most_outliers(data))
    return slider("flips", "How many", min(int(kind.default), most), 0, most, 1, kind.meaning)


def _option(option):
    label = OPTION_LABELS.get(option.name, option.name)
    help = option.meaning[0].upper() + option.meaning[1:] + "."
    if isinstance(option.step, int):
        return number(option.name, label, option.default, option.low, option.high, step=option.step, help=help)
    low, high = float(option.low), float(option.high)
    return slider(option.name, label, float(option.default), low, high, option.step, help)


def _problem_label(key):
    entry = about(key)
    kind = "Regression: " if entry.task == "regression" else ""
    return kind + entry.title + ("" if entry.available() else " (to be fetched)")


def _suggest():
    """A new problem brings its own kernel, C, sigma and options, and losses where the chosen ones do not suit it.

    The reader's own points are those that were seen last.
    """
    if st.session_state.problem == OWN:
        carried.give("data", st.session_state.get("own_shown", ""))
    entry = about(st.session_state.problem)
    chosen = {"C": float(entry.C), "sigma": float(entry.sigma), "kernel": entry.kernel}
    chosen |= {o.name: o.default for o in entry.options if o.name != "flips"} | _suited(entry.task)
    for name, value in chosen.items():
        st.session_state[name] = value


def _suited(task):
    """The losses of the task, for one machine and for several, where the chosen ones are not all among them."""
    own = {"loss": MACHINES[task][0], "losses": ",".join(COMPARED[task])}
    kept = st.session_state.get("kept", {})
    chosen = {name: st.session_state.get(name, kept.get(name, own[name])) for name in own}
    return {name: own[name] for name in own if not set(chosen[name].split(",")) <= set(MACHINES[task])}


def _next_seed():
    st.session_state.seed = st.session_state.get("seed", 0) + 1
