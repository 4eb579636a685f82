"""The controls of the points: the problem, how it is drawn, its outliers, and the reader's own points."""

import streamlit as st

from pages.shared import carried, session
from pages.shared.choices import COMPARED, MACHINES, NO_OUTLIERS, OWN, RANGES, Data
from pages.shared.controls import strip, upload
from pages.shared.controls.kinds import Check, Choice, Number, Slider, Text, note, quoted, under
from pages.shared.points import own_points
from pages.shared.rooms import sets
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
    """Kernel, C, sigma and options become those that the new problem suggests; so do losses that do not suit it.

    The reader's own points are those shown last.
    """
    if PROBLEM.value == OWN:
        carried.give("data", st.session_state.get("own_shown", ""))
    for name in ("C", "sigma", "kernel", *OPTIONS, *_unsuited(about(PROBLEM.value).task)):
        carried.forget(name)


PROBLEM = Choice("problem", "Problem", then=_suggest, rank=4, resets=False)
DATA = Text("data", own_points.TITLE, hideable=False, resets=False)
EDITS = Text("edits", "Edits of points", hideable=False, resets=False)
SEED = Number("seed", "Seed", 0, *RANGES["seed"], 1, help="The same seed draws the same points.", rank=strip.MORE)
KIND = Choice(
    "contamination",
    "Kind of outliers",
    {NO_OUTLIERS: "None added", **{key: kind.label for key, kind in outliers.KINDS.items()}},
    short="Outliers",
    rank=6,
)
FLIPS = Slider("flips", "Number of outliers", 2, 0, 50, 1, short="Outliers", rank=5)
SHARE = Slider("share", "Share of outliers", 0.1, 0.0, 0.4, 0.01, short="Share", rank=5)
OUTLIERS_ON = Check(
    "outliers_on",
    "Outliers switched on",
    True,
    short="Outliers on",
    rank=7,
    help="Off: only the clean points. On: a dashed grey line shows the boundary without the outliers. In a link, "
    "`outliers_on` is this switch for outliers of every kind; `outliers` is the number of leverage points.",
)
ROOM = Slider(
    "room",
    "Room around the points",
    1.0,
    *RANGES["room"],
    0.5,
    help="More room lets you drag an outlier far away.",
    rank=strip.MORE,
)
UNFLIPPED = {
    "regression": "A regression has no labels to flip. Drag points away and mark them as outliers.",
    "multiclass": "Outliers are added to two classes. With more, drag points away, or give them another class.",
}
OPTIONS = {
    option.name: (Number if isinstance(option.step, int) else Slider)(
        option.name, option.label, rank=strip.MORE, **_range(option)
    )
    for option in {
        option.name: option
        for option in (own_points.HOLD_OUT, *(o for entry in REGISTRY.values() for o in _drawn_by(entry)))
    }.values()
}


def data() -> Data:
    """The problem and how it is drawn; `outlier` adds the outliers."""
    tasks = ("classification", "multiclass", "regression")
    keys = [*(key for task in tasks for key in problems.names(task, planar=True)), OWN]
    key = PROBLEM(options={key: _problem_label(key) for key in keys})
    values = {"data": _own_set()} if key == OWN else {}
    options = {option.name: option for option in _drawn_by(about(key))}
    if "n" in options:
        values["n"] = OPTIONS["n"](**_range(options.pop("n")))
    chosen = seed(drawn=values.get("data") != "")
    values |= {name: OPTIONS[name](**_range(option)) for name, option in options.items()}
    if not PROBLEM.hidden:
        strip.text(about(key).about)
    given = st.session_state.get("given", {}).get(key, "")
    own = session.own_set(values["data"]) if key == OWN else own_points.EMPTY
    return Data(key, chosen, tuple(values.items()), given=given, n_classes=len(own.classes))


def seed(drawn=True) -> int:
    """The seed, and before it the button for the next one; neither is shown where nothing is `drawn`."""
    if not drawn:
        value = SEED.at().current()
        strip.put(SEED, value, visible=False)
        return value
    if not SEED.hidden and strip.button("draw", "New points", help="Draw new points with the next seed"):
        carried.give(SEED.name, SEED.current() + 1)
    return SEED()


def _own_set():
    """The key of the reader's own set, "" for the empty plane, with the panel for loading another one."""
    key = DATA()
    if session.own_set(key) is None:
        note(
            f"The server does not have the points of this link (data = {quoted(key)[1:-1]}): it deletes sets that were "
            f"not used for {sets.AGE / 86400:.0f} days. Choose their file again; the edits are then restored, too."
        )
        key = ""
    st.session_state["own_shown"] = key
    with st.session_state["aside"], st.popover("Load points", icon=":material/upload_file:", key="own_points"):
        upload.panel(key)
    return key


def about(name) -> Entry:
    """The registry entry of a problem; for the reader's own points an entry made from the set."""
    if name != OWN:
        return REGISTRY[name]
    return own_points.entry(session.own_set(DATA.value) or own_points.EMPTY)


def outlier(data: Data) -> Data:
    """The data with the kind and number of outliers; without any if a class has too few points."""
    with under("Outliers"):
        if data.task == "classification" and not session.most_outliers(data):
            return data
        if data.task in UNFLIPPED:
            if not KIND.hidden:
                strip.text(UNFLIPPED[data.task])
            return data
        kind = KIND()
        if kind != NO_OUTLIERS:
            data = data._replace(contamination=kind, amount=_amount(outliers.KINDS[kind], data))
    return data


def view(data: Data) -> Data:
    """The data with the switch of the outliers, and the room that the plane leaves around the points."""
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
    kind = {"regression": "Regression: ", "multiclass": "More classes: "}.get(entry.task, "")
    return kind + entry.title + ("" if entry.available() else " (needs a download)")


def _unsuited(task):
    """The names of the controls of losses, for one machine and for several, whose choice does not suit the task."""
    chosen = {"loss": MACHINES[task][0], "losses": ",".join(COMPARED[task])}
    chosen |= {name: text for name, text in carried.settings().items() if name in chosen}
    return [name for name, text in chosen.items() if not set(text.split(",")) <= set(MACHINES[task])]
