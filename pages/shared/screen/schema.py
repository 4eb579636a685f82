"""Every parameter of a screen, declared once: in the link, in files, in the state of a prompt, and as a control.

`screen.Screen` has what they set together: a field names its `part` there. What depends on other choices (the range of
an option of a problem, the losses for a task) is in `Screen.field`, or is given where a page shows the control.
"""

from pages.shared.screen import own_points
from pages.shared.screen.choices import ISLS, ISLS_NAME, LOSSES, MOST_FEATURES, NO_OUTLIERS, OWN, WALK
from pages.shared.screen.fields import MORE, Check, Chips, Choice, Field, Logarithmic, Number, Several, Slider, Text
from svmcore import kernels
from svmcore.losses.registry import GROUPS
from svmcore.problems import REGISTRY, names, outliers
from svmcore.solvers import router
from svmcore.solvers.nonconvex import admm
from svmcore.studies import contamination
from svmcore.watch import registry
from svmcore.words import capital, percent, readable, spell

TASKS = ("classification", "multiclass", "regression")
TABLES = [key for key, entry in REGISTRY.items() if 2 < entry.n_inputs <= MOST_FEATURES]
PLANAR = [key for task in TASKS for key in names(task, planar=True)]
LARGEST_PARAMETER = 1e3  # of a loss, if its range is unbounded
CLOSEST = 1e-3  # distance to an end that does not belong to the range
NOWHERE = -1  # the moment of a film in a link that says nothing


def of_option(option) -> dict:
    """The range, default and explanation of an option of a problem."""
    return {"default": option.default, "low": option.low, "high": option.high, "step": option.step} | _help(option)


def of_parameter(parameter) -> dict:
    """The range, default and explanation of a parameter of a loss."""
    low = parameter.low + CLOSEST if parameter.low_open else parameter.low
    high = min(parameter.high, LARGEST_PARAMETER)
    return {"default": parameter.default, "low": low, "high": high} | _help(parameter)


def parameter(machines, name) -> Field:
    """The field of a parameter that these machines share, with the range that all their losses have in common."""
    found = [p for machine in machines for p in machine.parameters if p.name == name]
    fields = [PARAMETERS[name].replace(**of_parameter(p)) for p in found]
    return fields[-1].replace(low=max(field.low for field in fields), high=min(field.high for field in fields))


def names_of(parameter) -> dict:
    """The labels of a parameter of a loss: its letter in the formula, with its name where that is a word."""
    letter = parameter.letter
    if spell(letter).startswith(parameter.name):
        return {"label": f"{letter}, parameter of the loss", "short": letter}
    return {"label": f"{letter}, {parameter.name} of the loss", "short": f"{letter}, {parameter.name}"}


def _help(entry):
    return {"help": f"{capital(entry.meaning)}."}


def _by_name(entries):
    """(name, entries with this name) of options or parameters."""
    named = {}
    for entry in entries:
        named.setdefault(entry.name, []).append(entry)
    return named.items()


def _widest(ranges):
    """The last of these ranges, made so wide that it holds all of them."""
    ranges = list(ranges)
    ends = {"low": min(one["low"] for one in ranges), "high": max(one["high"] for one in ranges)}
    return ranges[-1] | ends


def _largest(unit):
    return max(kind.maximum for kind in outliers.KINDS.values() if kind.unit == unit)


# ------------------------------------------------------------------------------------------ points

PROBLEM = Choice(
    "problem", "Problem", part="data", rank=4, resets=False,
    options={**{key: REGISTRY[key].title for key in [*PLANAR, *TABLES, WALK]}, OWN: own_points.TITLE},
)  # fmt: skip
DATA = Text("data", own_points.TITLE, part="option", hideable=False, resets=False)
SEED = Number("seed", "Seed", 0, 0, 10**9, 1, part="data", help="The same seed draws the same points.", rank=MORE)
OPTIONS: dict[str, Field] = {
    name: (Number if isinstance(options[-1].step, int) else Slider)(
        name, options[-1].label, part="option", rank=MORE, **_widest(map(of_option, options))
    )
    for name, options in _by_name([own_points.HOLD_OUT, *(o for entry in REGISTRY.values() for o in entry.options)])
    if name != "flips"  # which has the control of the outliers below
}
SLICE = Choice(
    "slice", "Slice", part="data", terms=("slice",), rank=MORE,
    options={"components": "Principal components", "columns": "Two features", "w": "w and across"},
)  # fmt: skip
_COLUMNS = {str(k): f"feature {k}" for k in range(1, MOST_FEATURES + 1)}
ACROSS = Choice("across", "Feature to the right", options=_COLUMNS, part="data", short="Right", rank=MORE)
UP = Choice("up", "Feature upwards", options=_COLUMNS, default="2", part="data", short="Up", gives_way=True, rank=MORE)
SCALED = Check(
    "scaled", "Standardise", True, part="data", rank=MORE,
    help="Each feature is shifted and scaled to mean 0 and standard deviation 1 of the training points.",
)  # fmt: skip
OF_A_SLICE = (SLICE.name, ACROSS.name, UP.name, SCALED.name)
KIND = Choice(
    "contamination", "Kind of outliers",
    options={NO_OUTLIERS: "None added", **{key: kind.label for key, kind in outliers.KINDS.items()}}, part="data",
    short="Outliers", rank=6,
)  # fmt: skip
FLIPS = Slider("flips", "Number of outliers", 2, 0, _largest("points"), 1, part="points", short="How many", rank=7)
SHARE = Slider("share", "Share of outliers", 0.1, 0.0, _largest("share"), 0.01, part="share", short="Share", rank=7)
HOME_FLIPS = Slider(
    "home_flips", "Flip labels, farthest first", 0, 0, 10, 1, part="points", short="Labels flipped", resets=False,
    rank=1,
)  # fmt: skip
OUTLIERS_ON = Check(
    "outliers_on", "Outliers switched on", True, part="data", attribute="on", short="On", rank=9,
    help="Off: only the clean points. On: a thin grey line shows the boundary without the outliers. In a link, "
    "`outliers_on` is this switch for outliers of every kind; `outliers` is the number of leverage points.",
)  # fmt: skip
EDITS = Text("edits", "Edits of points", part="data", hideable=False, resets=False)
ROOM = Slider(
    "room", "Room around the points", 1.0, 1.0, 5.0, 0.5, part="data",
    help="More room lets you drag an outlier far away.", rank=MORE,
)  # fmt: skip

# ---------------------------------------------------------------------------------------- machines

LOSS = Choice(
    "loss", "Loss", options={key: loss.machine for key, loss in LOSSES.items()} | {ISLS: ISLS_NAME},
    part="machines", terms=("loss",), rank=3, groups={key: GROUPS[loss.group] for key, loss in LOSSES.items()},
)  # fmt: skip
LOSS_LIST = Several("losses", "Losses", options=LOSS.options, groups=LOSS.groups, part="machines", rank=3)
PARAMETERS: dict[str, Field] = {
    name: Number(
        name, step=0.05, part="parameter", rank=8, **names_of(parameters[-1]), **_widest(map(of_parameter, parameters))
    )
    for name, parameters in _by_name(parameter for loss in LOSSES.values() for parameter in loss.parameters)
}
NO_PARAMETER = Number(
    "parameter", "Parameter of the loss", 0, 0, 1, short="Parameter", rank=8, listed=False,
    off="The losses that are chosen have none. That of others, such as τ of the pinball loss, has its place here.",
)  # fmt: skip
C = Logarithmic(
    "C", "C, weight of the loss", 1.0, 1e-6, 1e6, part="setting", powers=(-4, 5), terms=("C",), short="C", rank=1
)
KERNEL = Choice(
    "kernel", "Kernel", options={key: kernel.label for key, kernel in kernels.KERNELS.items() if key != "precomputed"},
    part="setting", terms=("kernel",), rank=5,
)  # fmt: skip
SIGMA = Logarithmic(
    "sigma", "σ, width of the kernel", 1.0, 1e-9, 1e9, part="setting", powers=(-2, 2), terms=("kernel width",),
    short="σ", rank=2,
)  # fmt: skip
DEGREE = Number("degree", "Degree", 3, 1, 12, 1, part="setting", rank=MORE, help="The exponent p in (γ x·z + c₀)^p.")
COEF0 = Number(
    "coef0", "Offset c₀", 1.0, -100.0, 100.0, 0.5, part="setting", rank=MORE,
    help="The constant that is added to γ x·z.",
)  # fmt: skip
INIT = Choice(
    "init", "First weights", part="parameter", terms=("round",), rank=MORE,
    options={
        "absolute": "|β| of the LS-SVM",
        "inverse_square": "1/β², as in later rounds",
        "literal": "β with its sign, as printed",
    },
)  # fmt: skip
STOP = Choice(
    "stop", "Stopping rule", options={"paper": "Paper: |Δβ|/N < 10⁻⁴", "strict": "Strict: β p = 1 to 10⁻⁶"},
    part="parameter", terms=("pruned",), rank=MORE,
)  # fmt: skip

# ----------------------------------- a trail; small multiples; and one label after another, on Compare

TRAIL = Check(
    "trail", "Leave a trail", resets=False, rank=MORE,
    help="While a point is dragged or a control is held, the last thirty boundaries stay as faint lines.",
)  # fmt: skip

BESIDE = Chips(
    "beside", "Section beside the picture",
    options={"none": "none", "study": "Robustness", "map": "Influence", "best": "Best possible", "tune": "Tune"},
    help="Puts this section of the page beside the picture; pressed again, back to its place below.", gives_way=True,
    resets=False,
)  # fmt: skip
MULTIPLES = Check("multiples", "Small multiples", hideable=False, resets=False)
SURFACE = Check("surface", "Surface of f", hideable=False, resets=False)
FLIPPING = Choice(
    "flipping", "Order of the flips",
    options={NO_OUTLIERS: "not shown", **{key: label for key, (label, _) in outliers.ORDERS.items()}},
    default=NO_OUTLIERS, hideable=False,
    resets=False,
)  # fmt: skip
BROKEN = Slider(
    "broken", "Broken: % of the plane changed", 25, 5, 50, 5, hideable=False, resets=False,
    help="A machine counts as broken when this share of the plane has changed class.",
)  # fmt: skip

# ----------------------------------------------------------- feature walk; d_rel and seed are above

WALK_N = Number(
    "walk_n", "Training points", 100, 20, 500, 10, part="walk", attribute="n", help="Both classes together.", rank=3
)
WALK_C = Logarithmic(
    "walk_C", "C, weight of the losses", 0.03, 1e-4, 100.0, part="walk", attribute="C", powers=(-3, 1),
    terms=("C of the walk",), short="C", rank=1,
)  # fmt: skip
ROUNDS = Slider("rounds", "Rounds", 15, 2, 50, 1, part="walk", terms=("RW(t)",), rank=2)
WALK_LOSS = Choice(
    "walk_loss", "Loss of the walk", options={"hinge": "Hinge", "squared_hinge": "Squared hinge"}, part="walk",
    attribute="loss", short="Loss", rank=5,
)  # fmt: skip
CHOOSE = Choice(
    "choose", "C of each machine", options={"validation": "by cross-validation", "fixed": "as above"}, rank=MORE
)

# --------------------------------------------------------------------- contaminated tables, on Robustness

STUDIED = Several(
    "tables", "Tables", rank=3,
    options={key: REGISTRY[key].title for key in contamination.SHIPPED}
    | {key: f"Drawn: {REGISTRY[key].title}" for key in contamination.DRAWN},
)  # fmt: skip
TESTED = Several("tested", "Machines", options={key: LOSSES[key].machine for key in router.SOLVABLE}, rank=2)
SPOILT = Choice(
    "spoilt", "Outliers among the training points", default=contamination.KINDS[0], short="Outliers", rank=1,
    gives_way=True,
    options={key: kind.label for key, kind in outliers.KINDS.items() if key != "flip_share"}
    | {contamination.PROBLEM: "Those of the problem"},
)  # fmt: skip
AT_LEVEL = Choice(
    "at_level", "Level at which machines are compared", default="0.2", short="Level", rank=4,
    options={f"{level:g}": percent(level, "g") for level in contamination.LEVELS},
)  # fmt: skip
REPEATS = Number("repeats", "Splits of each table", 5, 2, 100, 1, short="Splits", rank=5)
TUNED = Choice(
    "tuned", "C and σ", rank=6,
    options={"first": "the same for all splits", "each": "of each split", "given": "given"},
    help="Chosen by cross-validation inside the contaminated training points: for all splits the median of the first "
    "three choices, or in each split by itself. Or given, with the kernel.",
)  # fmt: skip

# ------------------------------------------------------------------------------- runs of the solvers

SHOW = Choice("show", "Show", options={"run": "One run", "race": "A race", "path": "A path"}, resets=False, rank=5)
SOLVER = Choice(
    "solver", "Solver", options={key: description.words.title for key, description in registry.DESCRIPTIONS.items()},
    gives_way=True, rank=5,
)  # fmt: skip
PENALTY = Choice(
    "penalty", "Penalty ρ of ADMM", options={f"{2.0**k:g}": readable(f"2^{k} = {2.0**k:.4g}") for k in range(-7, 8)},
    default="1", rank=MORE, terms=("ADMM penalty",), short="Penalty ρ (σ)",
)  # fmt: skip
ETA = Number(
    "eta", "Step η of the multipliers", admm.RULES["paper"].eta, 0.01, 1.618, 0.1, terms=("ADMM step",),
    short="Step η", rank=MORE,
)  # fmt: skip
ALONG = Choice(
    "along",
    "Along",
    options={field.name: field.label for field in (C, SIGMA)} | {"loss": "From loss to loss"},
    gives_way=True,
    rank=6,
)
RACE = Several("race", "Runs", most=4, rank=3)
CLOCK = Choice(
    "clock", "Clock", options={"iterations": "Iterations", "seconds": "Seconds"}, terms=("iteration",), rank=7
)
STEP = Number("step", "Moment of the film", NOWHERE, NOWHERE, 10**9, 1, hideable=False, resets=False)

# --------------------------------------------------------------------------------- losses and papers

CURVE = Choice(
    "curve", "Curve", options={"value": "Loss", "slope": "Slope", "prox": "Proximal operator"},
    terms=("loss", "slope", "proximal operator"), rank=2,
)  # fmt: skip
PROX_C = Slider("prox_c", "c, weight of the loss", 1.0, 0.1, 5.0, 0.1, terms=("proximal operator",), short="c", rank=5)
LONE_KERNEL = Choice(
    "around", "Kernel of the machines", options=KERNEL.options, terms=("kernel", "leverage"), short="Kernel", rank=4
)
DISTANCE = Slider(
    "distance", "Distance of the outlier", 1.0, 0.0, 10.0, 0.25, rank=1,
    help="In units of the distance between the centres of the classes; at 0 the outlier is at the centre of class +1.",
)  # fmt: skip
PAPER = Choice("paper", "Paper", resets=False)

# ---------------------------------------------------------------------------------- lessons and rooms

LESSON = Text("lesson", "Lesson", hideable=False, resets=False)
TAUGHT = Choice("lesson", "Lesson", resets=False, rank=2, listed=False)  # the same parameter on the Teach page
PROMPT = Text("prompt", "Question of the lesson", hideable=False, resets=False)
ATTEMPT = Number("attempt", "Draw of the question", 0, 0, 1000, 1, hideable=False, resets=False)
GIVEN = Text("given", "Answer that was given", hideable=False, resets=False)
PROGRESS = Text("progress", "Answers to all lessons", hideable=False, resets=False)
SECTION = Choice(
    "section", "Section", resets=False, rank=1,
    options={
        "plan": "Plan",
        "notes": "Lesson for teachers",
        "sheets": "Sheets",
        "exercise": "Exercise sheet",
        "handins": "Read hand-ins",
        "own": "Own lessons",
    },
)  # fmt: skip
LASTS = Choice(
    "lasts", "Time", default="45", resets=False, rank=2,
    options={"20": "20 minutes", "45": "45 minutes", "90": "90 minutes"},
)  # fmt: skip
SUBJECTS = Several(
    "subjects", "Subjects", resets=False, rank=3,
    help="The plan takes the first of them that there is time for; with none chosen, the first of all.",
)  # fmt: skip
CODE = Text("join", "Room", hideable=False, resets=False)
KEY = Text("cockpit", "Key of the room", hideable=False, resets=False)
PROJECTED = Number("projected", "For the projector", 0, 0, 1, hideable=False, resets=False)
PRIVATE = (CODE.name, KEY.name, PROJECTED.name)  # in no link of a screen

# ------------------------------------------------------------------------------------- every page

SUBJECT = Choice("subject", "Subject", resets=False)
HIDE = Several(
    "hide", "Leave out these controls",
    help="For a link to students: a control that is left out keeps its value but is not shown.", hideable=False,
    resets=False,
)  # fmt: skip
PRESENT = Number("present", "Presenter mode", 0, 0, 1, hideable=False, resets=False)
SCENE = Text("scene", "Scene", hideable=False, resets=False)
CLAIMS = Number("claims", "Claim of the scene at once", 0, 0, 1, hideable=False, resets=False)
