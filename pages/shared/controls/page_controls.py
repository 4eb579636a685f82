"""The controls of single pages, such as Losses, Convergence, Robustness, Feature walk and Help."""

from urllib.parse import urlencode

import streamlit as st

from pages.shared.controls import strip
from pages.shared.controls.machines import choose_loss_parameters, choose_setting
from pages.shared.controls.points import choose_own_set, choose_seed, entry_of
from pages.shared.controls.widgets import ask, raw_value, show
from pages.shared.page import run, url_state
from pages.shared.screen import schema
from pages.shared.screen.choices import MACHINES, OWN, WALK, Contamination, Machine, OwnTable, Walk
from pages.shared.screen.screen import Screen
from pages.shared.studies import contaminated
from svmcore import losses
from svmcore.problems import REGISTRY
from svmcore.solvers.nonconvex import admm
from svmcore.studies import contamination, robustness
from svmcore.watch import registry

HIGHLIGHTED = ("hinge", "least_squares", "least_absolute", "ramp", "zero_one")
RACES = {
    "First against second order": ["hinge:smo_first", "hinge:smo_second"],
    "LS-SVM three ways": ["least_squares:smo_first", "least_squares:cg", "least_squares:direct"],
    "Least 1-Norm against LS-SVM": ["least_absolute:smo_first", "least_squares:smo_first"],
}
TESTED = ("hinge", "squared_hinge", "least_squares", "least_absolute", "ramp", "truncated_least_squares", "roboss")
RACES_ABOUT = (
    "The third race is that of Table 2 of López and Dorronsoro (2010), where either machine can take fewer steps."
)


def choose_losses() -> tuple[list[Machine], list[Machine]]:
    """Every loss with its parameters, in teaching order; and the highlighted ones among them."""
    listed = schema.LOSS_LIST.only(losses.LOSSES)
    chosen = show(listed, default=HIGHLIGHTED, help="The others are drawn faint.")
    params = choose_loss_parameters(chosen)
    every = {key: Machine.from_loss(key, params) for key in losses.LOSSES}
    return list(every.values()), [every[key] for key in every if key in chosen]


def choose_solver_options(solver) -> tuple[tuple[str, float], ...]:
    """(name, value) pairs of the options of a solver, a key of `registry.DESCRIPTIONS`: of ADMM, sigma and eta."""
    if not registry.DESCRIPTIONS[solver].options:
        return ()
    usual = admm.RULES[solver.removeprefix("admm_")]
    sigma = float(show(schema.PENALTY, default=f"{usual.sigma:g}"))
    return ("sigma", sigma), ("eta", show(schema.ETA, default=usual.eta))


def choose_race(serving) -> tuple[tuple[tuple[Machine, str, str], ...], str]:
    """The (machine, solver, label) of a race, four at most, and its clock. `serving` gives a loss its (key, title)
    solvers.
    """
    names = {key: schema.LOSS.options[key] for key in MACHINES["classification"]}
    for name, runners in RACES.items():
        if not strip.hidden(schema.RACE) and strip.button(name, name, help=RACES_ABOUT):
            url_state.give(schema.RACE.name, ",".join(runners))
    runs = {f"{loss}:{key}": f"{name}, {title}" for loss, name in names.items() for key, title in serving(loss)}
    chosen = show(schema.RACE, options=runs, default=tuple(next(iter(RACES.values()))))
    clock = show(schema.CLOCK)
    params = choose_loss_parameters(dict.fromkeys(key.partition(":")[0] for key in chosen))
    entries = []
    for key in chosen:
        loss, _, name = key.partition(":")
        machine = Machine.from_loss(loss, params)
        entries.append((machine, name, f"{machine.name}, {dict(serving(loss))[name]}"))
    return tuple(entries), clock


def choose_walk() -> Walk:
    """The problem of relevant features, C, the number of rounds, and the loss."""
    strip.text(REGISTRY[WALK].about)
    screen = ask(ask(Screen.from_problem(WALK), "walk_n"), "d_rel", rank=4).replace("seed", choose_seed())
    for name in ("walk_C", "rounds", "walk_loss"):
        screen = ask(screen, name)
    return screen.walk


def choose_contamination() -> tuple[Contamination, float]:
    """A study of contaminated tables, and the level at which its machines are compared."""
    own = _choose_own_table()
    options = schema.STUDIED.options | ({OWN: own.name} if own else {})
    chosen = show(schema.STUDIED, options=options, default=contamination.SHIPPED)
    tables = tuple(own.name if key == OWN else key for key in chosen)
    alone = chosen[0] if len(chosen) == 1 else ""
    kinds = [key for key in schema.SPOILT.options if key != contamination.PROBLEM or alone in robustness.OWN_LEVELS]
    spoilt, tested = show(schema.SPOILT.only(kinds)), show(schema.TESTED, default=TESTED)
    level, repeats = float(show(schema.AT_LEVEL)), show(schema.REPEATS)
    tuned = {"first": contamination.Design().tuned, "each": 0, "given": None}[show(schema.TUNED)]
    screen = Screen.from_problem(entry_of(alone or contamination.SHIPPED[0]))
    setting = choose_setting(screen.data) if tuned is None else None
    drawn = [name for name, _ in screen.data.options if alone in contamination.DRAWN]
    for name in drawn:
        screen = ask(screen, name)
    usual = {name: value for key in tested for name, value in Machine.from_loss(key).params}
    params = choose_loss_parameters(tested)
    return Contamination(
        tables,
        tuple(tested),
        spoilt,
        repeats,
        tuned,
        own if OWN in chosen else None,
        screen.data.options if drawn else (),
        tuple((name, value) for name, value in params.items() if value != usual[name]),
        setting,
        show(schema.SCALED),
    ), level


def _choose_own_table() -> OwnTable | None:
    """The table that the reader has loaded, or None. One that was just loaded joins the tables that were chosen."""
    before = st.session_state.get("own_shown", "")
    key = choose_own_set("Load a table", "Remove this table")
    if key != before and not run.current().arrived:
        chosen = raw_value(schema.STUDIED) or ""
        others = [name for name in chosen.split(",") if name != OWN and chosen != ",".join(contamination.SHIPPED)]
        url_state.give(schema.STUDIED.name, ",".join([*others, OWN] if key else others) or None)
    return contaminated.own_table(key) if key else None


def subject_address(key) -> str:
    """The query of this screen with another subject of the manual, so that no setting is lost."""
    return f"?{urlencode({**st.query_params.to_dict(), schema.SUBJECT.name: key})}"
