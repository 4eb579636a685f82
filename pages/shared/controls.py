"""Every widget of the app, declared once; each owns one parameter of the link.

A value travels as `?name=value`. What a link says and no control can take falls back to the default, with a note on the
page. `hide` names controls that a link leaves out: they keep their value but are not shown.
"""

import math
from contextlib import contextmanager, nullcontext
from urllib.parse import urlencode

import streamlit as st

from pages.shared import edits, export, frame, own, session, tables, upload
from pages.shared.choices import LOSSES, NO_OUTLIERS, OWN, Data, Machine, Setting
from svmcore import duals, kernels, losses, outliers, problems, regression_losses
from svmcore.problems import REGISTRY
from svmcore.solvers.machines import SOLVABLE

C_RANGE = (1e-6, 1e6)
SIGMA_RANGE = (1e-9, 1e9)
C_SLIDER = (-4, 5)  # powers of ten
SIGMA_SLIDER = (-2, 2)
KERNELS = [name for name in kernels.KERNELS if name != "precomputed"]
MACHINES = {"classification": list(SOLVABLE), "regression": list(regression_losses.LOSSES)}
COMPARED = {
    "classification": ["hinge", "least_squares", "least_absolute", "pinball"],
    "regression": MACHINES["regression"],
}
MOST_COMPARED = 6
COLOURED = [*duals.DUALS, *(key for key in losses.LOSSES if key not in duals.DUALS)]  # in the order of their colours
LOSS_PARAMETERS = {p.name: p for loss in LOSSES.values() for p in loss.parameters}
HIDEABLE = {
    "problem": "Problem",
    "seed": "Seed",
    "n": "Number of points",
    "noise": "Noise",
    "hold_out": "Held out for testing",
    "outliers": "Outliers",
    "contamination": "Kind of outliers",
    "flips": "Outlier amount",
    "share": "Outlier share",
    "room": "Room around the points",
    "loss": "Machine",
    "losses": "Machines",
    "C": "C",
    "kernel": "Kernel",
    "sigma": "Sigma",
    "degree": "Degree",
    "coef0": "Offset",
    **{name: parameter.meaning for name, parameter in LOSS_PARAMETERS.items()},
    "show": "Show",
    "solver": "Solver",
    "race": "Who runs",
    "clock": "Clock",
    "along": "Along",
    "curve": "Curve of the losses",
    "prox_c": "Weight in the proximal operator",
    "around": "Kernel around the outlier",
    "distance": "Distance of the outlier",
}
SHOWS = {"run": "One run", "race": "A race", "path": "A path"}
MOST_RACING = 4
RACES = {
    "First against second order": ["hinge:smo_first", "hinge:smo_second"],
    "LS-SVM three ways": ["least_squares:smo_first", "least_squares:cg", "least_squares:direct"],
    "Least 1-Norm against LS-SVM": ["least_absolute:smo_first", "least_squares:smo_first"],
}
RACES_ABOUT = "The third: Table 2 of López and Dorronsoro (2010), where now the one, now the other takes fewer steps."
LOOKED_AT = ["hinge", "least_squares", "least_absolute", "ramp", "zero_one"]
CURVES = {"value": "Loss", "slope": "Slope", "prox": "Proximal operator"}
OPTION_LABELS = {"n": "Points", "noise": "Noise", "outliers": "Leverage points", "hold_out": "Hold out for testing"}
KNOWN = {*HIDEABLE, "hide", "outliers_on", "edits", "data"}
LONG = 1500  # characters of edits in a link that are still passed on without a second thought


# ------------------------------------------------------------------------------------------- data


def data() -> Data:
    """The problem, and how it is drawn; `outliers` adds what is wrong with it."""
    with st.sidebar:
        key = _choice(
            "problem",
            "Problem",
            [*problems.names("classification"), *problems.names("regression"), OWN],
            _problem_label,
            on_change=_suggest,
        )
        st.caption(_entry(key).about)
        values = {"data": _own_set()} if key == OWN else {}
        entry = _entry(key)
        options = {option.name: option for option in entry.options if option.name != "flips"}
        drawn = values.get("data") != ""
        row = (st if drawn else st.container(key="hidden-seeds")).columns(
            [0.42, 0.42, 0.16] if "n" in options else [0.84, 0.16], vertical_alignment="bottom", gap="small"
        )
        if "n" in options:
            with row[0]:
                values["n"] = _option(options["n"])
        with row[-2]:
            seed = _number("seed", "Seed", 0, 0, 10**9, step=1, help="The same seed draws the same points.")
        with row[-1], _place("seed", "again"):
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
            f"The server does not have the points of this link (data = {key}): it keeps {own.MOST_SETS} sets, those "
            "used last, until it is restarted. Choose their file again, and the edits come back, too."
        )
        key = ""
    st.session_state["own_shown"] = key
    with _place("problem", "own"):
        upload.panel(key)
    return key


def _entry(name):
    """What the registry says of a problem, or the set of the reader's own points of itself."""
    if name != OWN:
        return REGISTRY[name]
    return own.entry(session.own_set(st.session_state.get("data", "")) or own.EMPTY)


def outlier(data: Data) -> Data:
    """The data with the outliers of the laboratory: which kind, how many; none where no class has a point to spoil."""
    with st.sidebar:
        if data.task == "classification" and not session.most_outliers(data):
            return data
        st.subheader("Outliers", anchor=False)
        if data.task == "regression":
            st.caption("There are no labels to flip. Drag points away, and mark them as outliers.")
            return data
        kind = _choice(
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
            _bring("outliers_on", lambda value: isinstance(value, bool), "true or false")
            on = st.toggle(
                "Outliers switched on",
                value=True,
                key="outliers_on",
                bind="query-params",
                help="Off: the clean points. On: what the clean points gave stays as a grey ghost.",
            )
            data = data._replace(on=on)
        room = _slider("room", "Room around the points", 1.0, 1.0, 5.0, 0.5, "To drag an outlier far away.")
    return data._replace(room=room)


def _amount(kind, data):
    if kind.unit == "share":
        return _slider("share", "Share", float(kind.default), 0.0, float(kind.maximum), 0.01, kind.meaning)
    most = min(int(kind.maximum), session.most_outliers(data))
    return _slider("flips", "How many", min(int(kind.default), most), 0, most, 1, kind.meaning)


def _option(option):
    label = OPTION_LABELS.get(option.name, option.name)
    help = option.meaning[0].upper() + option.meaning[1:] + "."
    if isinstance(option.step, int):
        return _number(option.name, label, option.default, option.low, option.high, step=option.step, help=help)
    low, high = float(option.low), float(option.high)
    return _slider(option.name, label, float(option.default), low, high, option.step, help)


def _problem_label(key):
    entry = _entry(key)
    kind = "Regression: " if entry.task == "regression" else ""
    return kind + entry.title + ("" if entry.available() else " (to be fetched)")


def _suggest():
    """A new problem brings its own kernel, C, sigma and options, and losses where the chosen ones do not suit it.

    The reader's own points are those that were seen last.
    """
    if st.session_state.problem == OWN:
        frame.give("data", st.session_state.get("own_shown", ""))
    entry = _entry(st.session_state.problem)
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


# ---------------------------------------------------------------------------------------- machine


def machine(data: Data, among=None) -> Machine:
    """One loss of those that suit the problem, or of the keys `among`, and its parameters."""
    with st.sidebar:
        st.subheader("Machine", anchor=False)
        loss = _choice("loss", "Loss", among or MACHINES[data.task], _machine_label)
        return Machine(loss, _loss_parameters([loss]))


def machines(data: Data) -> list[Machine]:
    """Two to six losses of those that suit the problem, and their parameters."""
    with st.sidebar:
        st.subheader("Machines", anchor=False)
        options = MACHINES[data.task]
        chosen = _named("losses", options, COMPARED[data.task], MOST_COMPARED)
        with _place("losses"):
            _pick_several("losses", "Losses", chosen, options, _machine_label, MOST_COMPARED)
        params = dict(_loss_parameters(chosen))
    return [Machine(loss, tuple((p.name, params[p.name]) for p in LOSSES[loss].parameters)) for loss in chosen]


def colour_index(machine: Machine) -> int:
    """A machine keeps its colour whatever it is compared with; the tube has that of the hinge, never beside it."""
    return COLOURED.index({"epsilon_insensitive": "hinge"}.get(machine.loss, machine.loss))


def _machine_label(loss):
    return LOSSES[loss].machine


def _loss_parameters(chosen):
    found = []
    for loss in chosen:
        for p in LOSSES[loss].parameters:
            if p.name in dict(found):
                continue
            low = p.low if not p.low_open else p.low + 1e-3
            high = min(p.high, 1e3)
            found.append((p.name, _number(p.name, p.name, p.default, low, high, step=0.05, help=p.meaning)))
    return tuple(found)


def setting(data: Data) -> Setting:
    """C, the kernel and its numbers; the problem's own suggestions are the defaults."""
    entry = _entry(data.problem)
    with st.sidebar:
        C = _logarithmic("C", "C, weight of the loss", entry.C, C_RANGE, C_SLIDER)
        kernel = _choice("kernel", "Kernel", KERNELS, lambda k: kernels.KERNELS[k].label, default=entry.kernel)
        parameters = kernels.KERNELS[kernel].parameters
        sigma, degree, coef0 = float(entry.sigma), 3, 1.0
        if "gamma" in parameters:
            sigma = _logarithmic("sigma", "σ, width of the kernel", entry.sigma, SIGMA_RANGE, SIGMA_SLIDER)
            if kernel != "rbf":
                st.caption("Here γ = 1/σ² multiplies the inner product.")
        if "degree" in parameters:
            degree = _number("degree", "Degree", 3, 1, 12, step=1, help="p in (γ x·z + c₀)^p")
        if "coef0" in parameters:
            coef0 = _number("coef0", "Offset c₀", 1.0, -100.0, 100.0, step=0.5, help="added to γ x·z")
    return Setting(C, kernel, sigma, degree, coef0)


# ----------------------------------------------------------------------------------------- losses


def looked_at() -> tuple[list[Machine], list[Machine]]:
    """Every loss with its parameters, in teaching order; and those that the reader looks at."""
    with st.sidebar:
        st.subheader("What to look at", anchor=False)
        options = list(losses.LOSSES)
        chosen = _named("losses", options, LOOKED_AT)
        with _place("losses"):
            _pick_several("losses", "Losses in colour", chosen, options, _machine_label)
        params = dict(_loss_parameters(chosen))
    every = {
        key: Machine(key, tuple((p.name, params.get(p.name, p.default)) for p in loss.parameters))
        for key, loss in losses.LOSSES.items()
    }
    return list(every.values()), [every[key] for key in every if key in chosen]


def curve() -> tuple[str, float]:
    """Which curve of the losses is drawn, and the weight of the loss in its proximal operator."""
    with st.sidebar:
        what = _choice("curve", "Curve", list(CURVES), CURVES.get)
        if what != "prox":
            return what, 1.0
        return what, _slider(
            "prox_c", "c, weight of the loss", 1.0, 0.1, 5.0, 0.1, "argmin over v of c ℓ(v) + (v − z)²/2"
        )


def lone_outlier(names, distances) -> tuple[str, float]:
    """Under which kernel the one outlier goes its way, and how far it is; both lie on the page itself."""
    left, right = st.columns([0.3, 0.7], gap="medium", vertical_alignment="bottom")
    with left:
        kernel = _choice("around", "Kernel", list(names), lambda k: kernels.KERNELS[k].label)
    with right:
        step = distances[1] - distances[0]
        help = "In units of the distance between the centres of the classes. 0: in the middle of class +1."
        at = _slider("distance", "Distance of the outlier", 3.0, distances[0], distances[-1], step, help)
    return kernel, at


# ------------------------------------------------------------------------------------------ watch


def show() -> str:
    """What the Convergence page shows: one run, a race, or the path of a hyperparameter."""
    return _choice("show", "Show", list(SHOWS), SHOWS.get)


def solver(serving) -> str:
    """One of the (key, title) solvers that can be watched."""
    titles = dict(serving)
    _drop("solver", titles)
    return _choice("solver", "Solver", list(titles), titles.get)


def entrants(serving):
    """The (machine, solver, label) of a race, four at most, and its clock. `serving` gives a loss its (key, title)
    solvers.
    """
    titles = {
        f"{loss}:{key}": f"{_machine_label(loss)}, {title}"
        for loss in MACHINES["classification"]
        for key, title in serving(loss)
    }
    first, *_ = RACES.values()
    chosen = _named("race", list(titles), first, MOST_RACING)
    with _place("race"):
        _pick_several("race", "Who runs", chosen, list(titles), titles.get, MOST_RACING)
        for name, runners in RACES.items():
            st.button(name, key=name, help=RACES_ABOUT, on_click=_enter, args=(runners,), width="stretch")
    clock = _choice("clock", "Clock", ["iterations", "seconds"], str.capitalize)
    params = dict(_loss_parameters(dict.fromkeys(key.partition(":")[0] for key in chosen)))
    found = []
    for key in chosen:
        loss, _, name = key.partition(":")
        machine = Machine(loss, tuple((p.name, params[p.name]) for p in LOSSES[loss].parameters))
        found.append((machine, name, f"{machine.name}, {dict(serving(loss))[name]}"))
    return tuple(found), clock


def _enter(runners):
    st.session_state["race"] = ",".join(runners)


def along(kernel) -> str:
    """The hyperparameter of a path."""
    names = {"C": "C, weight of the loss"}
    if "gamma" in kernels.KERNELS[kernel].parameters:
        names["sigma"] = "σ, width of the kernel"
    _drop("along", names)
    return _choice("along", "Along", list(names), names.get)


def _drop(name, options):
    """What was chosen for another machine or kernel, and this one does not have, gives way to the first option."""
    if name in st.session_state and st.session_state[name] not in options:
        st.session_state[name] = next(iter(options))


# ------------------------------------------------------------------------------------------- link


def share(data: Data | None = None):
    """The link of this screen, and which controls it leaves out. Call it after all other controls.

    `data` are the points of the page, whose edits may be too long for a link.
    """
    hidden = _named("hide", list(HIDEABLE), [])
    frame.keep(KNOWN)
    with (
        st.sidebar,
        st.popover(
            "Share this screen", icon=":material/link:", width="stretch", key="sharing", on_change="rerun"
        ) as box,
    ):
        if box.open:
            st.markdown("This link restores the whole screen. It is the address in your browser, too.")
            if data:
                _too_long(data)
            st.code(link(), language=None, wrap_lines=True, height=180 if len(link()) > LONG else "content")
            _pick_several(
                "hide",
                "Leave out these controls",
                hidden,
                list(HIDEABLE),
                HIDEABLE.get,
                help="A link for students: what is left out keeps its value but is not shown.",
            )
    for name in sorted(set(st.query_params) - KNOWN):
        note(f"The link says {name} = {st.query_params[name]!r}, which this app does not know; it was ignored.")


def link():
    """Address and query of this screen, as far as this run's controls have declared it."""
    base = (st.context.url or "").split("?")[0]
    query = urlencode(dict(sorted(st.query_params.to_dict().items())))
    return f"{base}?{query}" if query else base


def _too_long(data):
    """A file instead of a link that nobody wants to pass on."""
    length = len(edits.encode(data.edits))
    if length > LONG:
        left_out = "" if st.session_state.get("edits") else ", and it leaves them out"
        st.markdown(
            f"The edits of points by hand make this link {length} characters longer{left_out}. Pass on a file instead: "
            f"whoever chooses it under “{own.TITLE}” has the whole screen."
        )
        export.screen(data)


def note(text):
    """A sentence at the top of the page: something was asked for that could not be done."""
    st.session_state["notes"].warning(text, icon=":material/info:")


# ---------------------------------------------------------------------------------------- widgets


def _hidden(name):
    return name in (st.session_state.get("hide") or st.query_params.get("hide", "")).split(",")


def _place(name, part=""):
    """Where a control goes; one that is left out still exists, so that its value and its link parameter do."""
    return st.container(key=f"hidden-{name}{part}") if _hidden(name) else nullcontext()


def _bring(name, fits, kind, make=lambda value: value):
    """What a file says of a control is taken when the control is declared next, if it fits."""
    brought = st.session_state.get("settings_brought", {})
    if name not in brought:
        return
    value = brought.pop(name)
    if fits(value):
        frame.give(name, make(value))
    else:
        note(tables.plain(f"The file says {name} = {value!r}, but it must be {kind}; it was left out."))


@contextmanager
def _noting(name, low, high, whole):
    """Streamlit drops what a number cannot take; say so in the run in which it happens."""
    kind = f"a{' whole' * whole} number from {low:g} to {high:g}"
    _bring(name, lambda value: _is_number(value, low, high, whole), kind, int if whole else float)
    raw = st.query_params.get(name)
    yield
    if raw is not None and not _is_number(raw, low, high, whole):
        note(f"The link says {name} = {raw!r}, but {name} must be {kind}; {st.session_state[name]:g} is used.")


def _is_number(raw, low, high, whole):
    """Whether a text of the link, or a value of a file, is one."""
    try:
        return type(raw) is not bool and low <= (int(raw) if whole else float(raw)) <= high
    except (TypeError, ValueError):
        return False


def linked(name, default):
    """A text that the link carries. Streamlit links a select box by its visible label; a link should say the key."""
    _bring(name, lambda value: isinstance(value, str), "a text")
    with st.session_state["links"]:
        return st.text_input(name, default, key=name, bind="query-params")


def _choice(name, label, options, words, default=None, on_change=None):
    default = default or options[0]
    value = linked(name, default)
    if value not in options:
        note(f"The link says {name} = {value!r}, but {name} must be one of {', '.join(options)}; {default} is used.")
        value = default
    picker = f"{name}_choice"
    _show(picker, value)
    with _place(name):
        st.selectbox(label, options, format_func=words, key=picker, on_change=_take, args=(name, picker, on_change))
    return value


def _named(name, options, default, most=None):
    """The options that the link names, separated by commas; what is no option is noted and left out."""
    named = [part for part in linked(name, ",".join(default)).split(",") if part]
    for part in named:
        if part not in options:
            note(f"The link says {name} = {part!r}, but {name} must be among {', '.join(options)}; it was left out.")
    return [part for part in dict.fromkeys(named) if part in options][:most]


def _pick_several(name, label, chosen, options, words, most=None, help=None):
    picker = f"{name}_choice"
    _show(picker, chosen)
    st.multiselect(
        label,
        options,
        format_func=words,
        key=picker,
        max_selections=most,
        help=help,
        on_change=_take,
        args=(name, picker),
    )


def _show(widget, value):
    """Give a widget its value, only where it has another: what is set anew is sent and drawn anew."""
    if st.session_state.get(widget) != value:
        st.session_state[widget] = value


def _take(name, picker, then=None):
    picked = st.session_state[picker]
    st.session_state[name] = ",".join(picked) if isinstance(picked, list) else picked
    if then:
        then()


def _number(name, label, default, low, high, *, step, help):
    whole = isinstance(default, int)
    with _noting(name, low, high, whole), _place(name):
        return st.number_input(
            label,
            min_value=low,
            max_value=high,
            value=default,
            step=step,
            key=name,
            help=help,
            format=None if whole else "%g",
            bind="query-params",
        )


def _slider(name, label, default, low, high, step, help):
    with _noting(name, low, high, isinstance(default, int)), _place(name):
        return st.slider(label, low, high, default, step, key=name, help=help, bind="query-params")


def _logarithmic(name, label, default, limits, powers):
    """A slider over powers of ten beside a field for any number; the field owns the link parameter."""
    low, high = limits
    with _noting(name, low, high, False), _place(name):
        left, right = st.columns([0.6, 0.4], vertical_alignment="bottom", gap="small")
        with right:
            value = st.number_input(
                label,
                low,
                high,
                float(default),
                key=name,
                format="%g",
                bind="query-params",
                label_visibility="hidden",
                step=None,
            )
        slider = f"{name}_power"
        _show(slider, round(min(max(math.log10(value), powers[0]), powers[1]), 2))
        with left:
            st.slider(
                label,
                float(powers[0]),
                float(powers[1]),
                step=0.05,
                key=slider,
                format="10^%.2f",
                on_change=_take_power,
                args=(name, slider),
            )
    return value


def _take_power(name, slider):
    st.session_state[name] = float(f"{10.0 ** st.session_state[slider]:.3g}")
