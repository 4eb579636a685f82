"""The controls of single pages: Losses, Convergence, Sparsity and Papers."""

from pages.shared import carried
from pages.shared.choices import MACHINES, Machine, Reweighting
from pages.shared.controls import strip
from pages.shared.controls.kinds import Choice, Number, Several, Slider, under
from pages.shared.controls.machines import LOSS_LIST, SIGMA, C, loss_parameters, machine_names
from pages.shared.studies import glossary
from svmcore import kernels, losses
from svmcore.solvers import admm
from svmcore.watch import registry
from svmcore.words import readable

HIGHLIGHTED = ("hinge", "least_squares", "least_absolute", "ramp", "zero_one")
CURVE = Choice(
    "curve",
    "Curve",
    {"value": "Loss", "slope": "Slope", "prox": "Proximal operator"},
    help=glossary.meaning("loss", "slope", "proximal operator"),
    rank=2,
)
PROX_C = Slider(
    "prox_c",
    "c, weight of the loss",
    1.0,
    0.1,
    5.0,
    0.1,
    help=glossary.meaning("proximal operator"),
    short="c",
    rank=5,
)
LONE_KERNEL = Choice(
    "around", "Kernel of the machines", help=glossary.meaning("kernel", "leverage"), short="Kernel", rank=4
)
DISTANCE = Slider(
    "distance",
    "Distance of the outlier",
    3.0,
    0.0,
    10.0,
    0.25,
    short="Distance of the outlier",
    rank=1,
    help="In units of the distance between the centres of the classes; at 0 the outlier is at the centre of class +1.",
)
PAPER = Choice("paper", "Paper", resets=False)

HOME_FLIPS = Slider("home_flips", "Flip labels, farthest first", 2, 0, 6, 1, short="Labels flipped", rank=1)
SHOW = Choice("show", "Show", {"run": "One run", "race": "A race", "path": "A path"}, resets=False, rank=5)
SOLVER = Choice("solver", "Solver", gives_way=True, rank=6)
PENALTY = Choice(
    "penalty",
    "Penalty ρ of ADMM",
    {f"{2.0**k:g}": readable(f"2^{k} = {2.0**k:.4g}") for k in range(-7, 8)},
    default="1",
    help="The window of the working set has the width √(2C/ρ). The paper calls it σ and searches this grid; for ρ ≥ 2C "
    "the printed algorithm ends at w = 0 at once.",
    rank=strip.MORE,
)
ETA = Number(
    "eta",
    "Step η of the multipliers",
    1.618,
    0.01,
    1.618,
    0.1,
    help="λ changes by η ρ times the error of the constraint. The paper prints 1.618, the authors' program uses 1.",
    rank=strip.MORE,
)
ALONG = Choice("along", "Along", gives_way=True, rank=6)
RACES = {
    "First against second order": ["hinge:smo_first", "hinge:smo_second"],
    "LS-SVM three ways": ["least_squares:smo_first", "least_squares:cg", "least_squares:direct"],
    "Least 1-Norm against LS-SVM": ["least_absolute:smo_first", "least_squares:smo_first"],
}
RACES_ABOUT = (
    "The third race is that of Table 2 of López and Dorronsoro (2010), where either machine can take fewer steps."
)
RACE = Several("race", "Runs", default=next(iter(RACES.values())), most=4, rank=3)
CLOCK = Choice(
    "clock", "Clock", {"iterations": "Iterations", "seconds": "Seconds"}, help=glossary.meaning("iteration"), rank=7
)
INIT = Choice(
    "init",
    "First weights",
    {
        "absolute": "|α| of the LS-SVM",
        "inverse_square": "1/α², as in later rounds",
        "literal": "α with its sign, as printed",
    },
    help=glossary.meaning("round"),
    rank=6,
)
STOP = Choice(
    "stop",
    "Stopping rule",
    {"paper": "Paper: |Δα|/N < 10⁻⁴", "strict": "Strict: α p = 1 to 10⁻⁶"},
    help=glossary.meaning("pruned"),
    rank=7,
)


def flipped() -> int:
    """How many labels are flipped on the home page."""
    return HOME_FLIPS()


def highlighted() -> tuple[list[Machine], list[Machine]]:
    """Every loss with its parameters, in teaching order; and the highlighted ones among them."""
    with under("Highlighted losses"):
        names = machine_names(losses.LOSSES)
        chosen = LOSS_LIST(options=names, default=HIGHLIGHTED, help="The others are drawn faint.")
        params = loss_parameters(chosen)
    every = {
        key: Machine(key, tuple((p.name, params.get(p.name, p.default)) for p in loss.parameters))
        for key, loss in losses.LOSSES.items()
    }
    return list(every.values()), [every[key] for key in every if key in chosen]


def curve() -> tuple[str, float]:
    """The kind of curve of the losses, and the weight of the loss in its proximal operator."""
    kind = CURVE()
    return kind, PROX_C() if kind == "prox" else 1.0


def lone_outlier(names, distances) -> tuple[str, float]:
    """The kernel of the machines with the lone outlier, and its distance."""
    kernel = LONE_KERNEL(options={name: kernels.KERNELS[name].label for name in names})
    return kernel, DISTANCE(low=distances[0], high=distances[-1], step=distances[1] - distances[0])


def paper(titles) -> str:
    """One of the papers {key: title}."""
    return PAPER(options=titles)


def show() -> str:
    """The view of the Convergence page: one run, a race, or the path of a hyperparameter."""
    return SHOW()


def solver(serving) -> str:
    """One of the (key, title) solvers whose run can be recorded."""
    return SOLVER(options=dict(serving))


def solver_options(solver) -> tuple[tuple[str, float], ...]:
    """(name, value) pairs of the options of a solver, a key of `registry.DESCRIPTIONS`: of ADMM, sigma and eta."""
    if not registry.DESCRIPTIONS[solver].options:
        return ()
    usual = admm.RULES[solver.removeprefix("admm_")]
    return ("sigma", float(PENALTY(default=f"{usual.sigma:g}"))), ("eta", ETA(default=usual.eta))


def entrants(serving) -> tuple[tuple[tuple[Machine, str, str], ...], str]:
    """The (machine, solver, label) of a race, four at most, and its clock. `serving` gives a loss its (key, title)
    solvers.
    """
    names = machine_names(MACHINES["classification"])
    for name, runners in RACES.items():
        if not RACE.hidden and strip.button(name, name, help=RACES_ABOUT):
            carried.give(RACE.name, ",".join(runners))
    chosen = RACE(
        options={f"{loss}:{key}": f"{name}, {title}" for loss, name in names.items() for key, title in serving(loss)}
    )
    clock = CLOCK()
    params = loss_parameters(dict.fromkeys(key.partition(":")[0] for key in chosen))
    entries = []
    for key in chosen:
        loss, _, name = key.partition(":")
        machine = Machine.of(loss, params)
        entries.append((machine, name, f"{machine.name}, {dict(serving(loss))[name]}"))
    return tuple(entries), clock


def reweighting() -> Reweighting:
    """The first weights and the stopping rule of ISLS."""
    return Reweighting(INIT(), STOP())


def along(kernel) -> str:
    """The hyperparameter of a path."""
    controls = [C, SIGMA] if "gamma" in kernels.KERNELS[kernel].parameters else [C]
    return ALONG(options={control.name: control.label for control in controls})
