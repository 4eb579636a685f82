"""The controls of the points: the problem, how it is drawn, its outliers, and the reader's own points."""

import streamlit as st

from pages.shared import carried, session
from pages.shared.choices import COMPARED, MACHINES, NO_OUTLIERS, OWN, Data
from pages.shared.controls import upload
from pages.shared.controls.kinds import Check, Choice, Number, Slider, Text, note, under
from pages.shared.points import own_points
from svmcore import problems
from svmcore.problems import REGISTRY, Entry, outliers


def _drawn_by(entry):
    """The options of a problem that have their own controls; flips have that of the outliers below."""
    return [option for option in entry.options if option.name != FLIPS.name]


def _range(option):
    """The fields of the control of an option of a problem."""
    meaning = option.meaning[0].upper() + option.meaning[1:] + "."
    return {"default": option.default, "low": option.low, "high": option.high, "step": option.step, "help": meaning}


def _suggest():
    """Set kernel, C, sigma and options as the new problem suggests, and its losses if the chosen ones do not suit it.

    The reader's own points are those shown last.
    """
    if PROBLEM.value == OWN:
        carried.give("data", st.session_state.get("own_shown", ""))
    entry = about(PROBLEM.value)
    chosen = {"C": float(entry.C), "sigma": float(entry.sigma), "kernel": entry.kernel}
    chosen |= {option.name: option.default for option in _drawn_by(entry)} | _suited(entry.task)
    for name, value in chosen.items():
        st.session_state[name] = value


PROBLEM = Choice("problem", "Problem", then=_suggest)
DATA = Text("data", own_points.TITLE, hideable=False)
EDITS = Text("edits", "Edits of points", hideable=False)
SEED = Number("seed", "Seed", 0, 0, 10**9, 1, help="The same seed draws the same points.")
KIND = Choice(
    "contamination",
    "Kind of outliers",
    {NO_OUTLIERS: "None added", **{key: kind.label for key, kind in outliers.KINDS.items()}},
)
FLIPS = Slider("flips", "Number of outliers", 2, 0, 50, 1)
SHARE = Slider("share", "Share of outliers", 0.1, 0.0, 0.4, 0.01)
OUTLIERS_ON = Check(
    "outliers_on",
    "Outliers switched on",
    True,
    help="Off: only the clean points. On: a dashed grey line shows the boundary without the outliers. In a link, "
    "`outliers_on` is this switch for outliers of every kind; `outliers` is the number of leverage points.",
)
ROOM = Slider("room", "Room around the points", 1.0, 1.0, 5.0, 0.5, help="More room lets you drag an outlier far away.")
OPTIONS = {
    option.name: (Number if isinstance(option.step, int) else Slider)(option.name, option.label, **_range(option))
    for option in {
        option.name: option
        for option in (own_points.HOLD_OUT, *(o for entry in REGISTRY.values() for o in _drawn_by(entry)))
    }.values()
}


def data() -> Data:
    """The problem and how it is drawn; `outlier` adds the outliers."""
    with st.sidebar:
        keys = [*problems.names("classification", planar=True), *problems.names("regression", planar=True), OWN]
        key = PROBLEM(options={key: _problem_label(key) for key in keys})
        with PROBLEM.place("about"):
            st.caption(about(key).about)
        values = {"data": _own_set()} if key == OWN else {}
        options = {option.name: option for option in _drawn_by(about(key))}
        drawn = values.get("data") != ""
        row = (st if drawn else st.container(key="hidden-seeds")).columns(
            [0.42, 0.42, 0.16] if "n" in options else [0.84, 0.16], vertical_alignment="bottom", gap="small"
        )
        if "n" in options:
            with row[0]:
                values["n"] = OPTIONS["n"](**_range(options.pop("n")))
        chosen = seed(*row[-2:])
        values |= {name: OPTIONS[name](**_range(option)) for name, option in options.items()}
    return Data(key, chosen, tuple(values.items()))


def seed(place, beside) -> int:
    """The seed, and beside it the button for the next one; both places are containers."""
    with place:
        value = SEED()
    with beside, SEED.place("again"):
        st.button(
            "", on_click=_next_seed, icon=":material/casino:", help="Draw new points with the next seed", key="draw"
        )
    return value


def _next_seed():
    st.session_state[SEED.name] = SEED.value + 1


def _own_set():
    """The key of the reader's own set, "" for the empty plane, with the panel for loading another one."""
    key = DATA()
    if session.own_set(key) is None:
        note(
            f"The server does not have the points of this link (data = {key}): it keeps the {own_points.MOST_SETS} "
            "sets that were used last, until it is restarted. Choose their file again; the edits are then restored, "
            "too."
        )
        key = ""
    st.session_state["own_shown"] = key
    with PROBLEM.place("own"):
        upload.panel(key)
    return key


def about(name) -> Entry:
    """The registry entry of a problem; for the reader's own points an entry made from the set."""
    if name != OWN:
        return REGISTRY[name]
    return own_points.entry(session.own_set(DATA.value) or own_points.EMPTY)


def outlier(data: Data) -> Data:
    """The data with the kind and number of outliers; without any if a class has too few points."""
    with st.sidebar, under("Outliers"):
        if data.task == "classification" and not session.most_outliers(data):
            return data
        if data.task == "regression":
            with KIND.place("none"):
                st.caption("A regression has no labels to flip. Drag points away and mark them as outliers.")
            return data
        kind = KIND()
        if kind != NO_OUTLIERS:
            data = data._replace(contamination=kind, amount=_amount(outliers.KINDS[kind], data))
    return data


def view(data: Data) -> Data:
    """The data with the switch of the outliers, and the room that the plane leaves around the points."""
    with st.sidebar:
        if session.problem(data).outlier.any():
            data = data._replace(on=OUTLIERS_ON())
        return data._replace(room=ROOM())


def _amount(kind, data):
    if kind.unit == "share":
        return SHARE(default=kind.default, high=kind.maximum, help=kind.meaning)
    most = min(int(kind.maximum), session.most_outliers(data))
    return FLIPS(default=min(int(kind.default), most), high=most, help=kind.meaning)


def _problem_label(key):
    entry = about(key)
    kind = "Regression: " if entry.task == "regression" else ""
    return kind + entry.title + ("" if entry.available() else " (needs a download)")


def _suited(task):
    """The default losses of the task, for one machine and for several, if the chosen ones do not suit the task."""
    defaults = {"loss": MACHINES[task][0], "losses": ",".join(COMPARED[task])}
    carried_over = st.session_state.get("kept", {})
    chosen = {name: st.session_state.get(name, carried_over.get(name, defaults[name])) for name in defaults}
    return {name: defaults[name] for name in defaults if not set(chosen[name].split(",")) <= set(MACHINES[task])}
