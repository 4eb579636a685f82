"""The controls of the points: the problem, how it is drawn, its outliers, and the reader's own points."""

import streamlit as st

from pages.shared.controls import strip, upload
from pages.shared.controls.widgets import ask, checked_value, keep, quote, raw_value, show
from pages.shared.page import run, url_state
from pages.shared.screen import own_points, schema
from pages.shared.screen.choices import MACHINES, OWN, Data
from pages.shared.screen.screen import Screen
from pages.shared.studies import point_sets, results
from svmcore.problems import REGISTRY, Entry

UNFLIPPED = {
    "regression": "A regression has no labels to flip. Drag points away and mark them as outliers.",
    "multiclass": "Outliers are added to two classes. With more, drag points away, or give them another class.",
}
OF_OWN_DRAWS = ("New draw", "Draw with the next seed which points are held out, and the outliers that are added")
NOT_HERE = "These points need a download first."
TOO_FEW = "A class has too few points for outliers."
NO_KIND = "Choose a kind of outliers first."


def choose_data(served=schema.TASKS) -> Data:
    """The problem, of one of the tasks that the page serves, and how it is drawn; `outlier` adds the outliers.

    A problem of another task is listed only where a link has chosen it.
    """
    chosen = raw_value(schema.PROBLEM)
    offered = [key for key in [*schema.PLANAR, *schema.TABLES] if REGISTRY[key].task in served or key == chosen] + [OWN]
    problem = schema.PROBLEM.replace(options={key: _problem_label(key) for key in offered})
    key = show(problem, then=_suggest)
    brought = choose_own_set() if key == OWN else ""
    screen = Screen.from_problem(entry_of(key))
    words = OF_OWN_DRAWS if key == OWN else ()
    screen = ask(screen, "n").replace("seed", choose_seed(key != OWN or brought, *words))
    for name, _ in screen.data.options:
        screen = screen.replace("data", brought) if name == "data" else screen if name == "n" else ask(screen, name)
    if not strip.hidden(schema.PROBLEM):
        strip.text(entry_of(key).about)
    file = run.session().files.get(key)
    own = results.own_set(brought) if key == OWN else own_points.EMPTY
    data = screen.data._replace(given=file.key if file else "", n_classes=len(own.classes))
    return _with_slice(screen._replace(data=data)) if data.is_table else data


def _with_slice(screen):
    """The data with the slice that the plane shows of a table."""
    screen = ask(screen, "slice")
    if screen.applies("across"):
        names = dict(enumerate(results.feature_names(screen.data), 1))
        options = {str(k): name for k, name in names.items()}
        screen = ask(screen, "across", options=options, default="1")
        others = {key: name for key, name in options.items() if key != screen.data.across}
        screen = ask(screen, "up", options=others, default="2" if "2" in others else "1")
    return ask(screen, "scaled").data


def _suggest():
    """Kernel, C, sigma and options become those that the new problem suggests; so do losses that do not suit it.

    The reader's own points are those shown last.
    """
    problem = raw_value(schema.PROBLEM)
    if problem == OWN:
        url_state.give("data", st.session_state.get("own_shown", ""))
    suggested = ("C", "sigma", "kernel", *schema.OF_A_SLICE, *schema.OPTIONS)
    losses = {name: text for name, text in url_state.settings().items() if name in ("loss", "losses")}
    served = {*MACHINES[entry_of(problem).task]}
    for name in (*suggested, *(name for name, text in losses.items() if not served.issuperset(text.split(",")))):
        url_state.forget(name)


def choose_seed(drawn=True, label="New points", meaning="Draw new points with the next seed") -> int:
    """The seed, and before it the button for the next one; neither is shown where nothing is `drawn`."""
    if not drawn:
        return keep(schema.SEED)
    pressed = not strip.hidden(schema.SEED) and strip.button("draw", label, help=meaning)
    if pressed:
        url_state.give(schema.SEED.name, checked_value(schema.SEED) + 1)
    return show(schema.SEED)


def choose_own_set(load="Load points", leave="Start with an empty plane") -> str:
    """The key of the reader's own set, "" for none, with the panel for loading another one; `load` and `leave` are the
    words on its buttons.
    """
    key = show(schema.DATA)
    if results.own_set(key) is None:
        run.current().note(
            f"The server does not have the points of this link (data = {quote(key)[1:-1]}): it deletes sets that have "
            f"not been used for {point_sets.AGE / 86400:.0f} days. Choose their file again to restore the screen."
        )
        key = ""
    st.session_state["own_shown"] = key
    with run.current().places.beside_strip, st.popover(load, icon=":material/upload_file:", key="own_points"):
        upload.panel(key, leave)
    return key


def entry_of(name) -> Entry:
    """The registry entry of a problem; for the reader's own points an entry made from the set."""
    if name != OWN:
        return REGISTRY[name]
    return own_points.entry(results.own_set(raw_value(schema.DATA)) or own_points.EMPTY)


def with_outliers(data: Data, **changes) -> Data:
    """The data with the kind and number of outliers; without any if a class has too few points. The fields of both
    have these `changes`.
    """
    entry = entry_of(data.problem)
    screen, missing = Screen.from_problem(entry)._replace(data=data), "" if entry.available() else NOT_HERE
    off = missing or UNFLIPPED.get(data.task) or ("" if results.most_outliers(data) else TOO_FEW)
    if off:
        show(schema.KIND, off=off, **changes)
    else:
        screen = ask(screen, "contamination", **changes)
    if screen.applies("flips"):
        most = min(screen.kind.maximum, results.most_outliers(data))
        return ask(screen, "flips", high=most, default=min(screen.kind.default, most), **changes).data
    if screen.applies("share"):
        return ask(screen, "share", **changes).data
    for field in () if strip.hidden(schema.KIND) else (schema.FLIPS, *[schema.OUTLIERS_ON] * bool(missing)):
        show(field, off=off or NO_KIND, **changes)
    return screen.data


def with_view(data: Data, **changes) -> Data:
    """The data with the switch of the outliers, whose field has these `changes`, and the room around the points."""
    screen = Screen.from_problem(entry_of(data.problem))._replace(data=data)
    if results.problem(data).outlier.any():
        screen = ask(screen, "outliers_on", **changes)
    elif not strip.hidden(schema.KIND):
        show(schema.OUTLIERS_ON, off="No point is marked as an outlier.", **changes)
    return ask(screen, "room").data


def _problem_label(key):
    entry = entry_of(key)
    kind = {"regression": "Regression: ", "multiclass": "More classes: "}.get(entry.task, "")
    kind = "Table: " if key in schema.TABLES else kind
    return kind + entry.title + ("" if entry.available() else " (needs a download)")
