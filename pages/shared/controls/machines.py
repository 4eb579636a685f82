"""The controls of a machine: its loss, its parameters, C and the kernel."""

from pages.shared.choices import COMPARED, LOSSES, MACHINES, RANGES, Data, Machine, Setting
from pages.shared.controls import strip
from pages.shared.controls.kinds import Choice, Logarithmic, Number, Several, under
from pages.shared.controls.points import about
from pages.shared.studies import glossary
from svmcore import kernels

LARGEST_PARAMETER = 1e3  # of a loss, if its range is unbounded
CLOSEST = 1e-3  # distance to an end that does not belong to the range


def _range(parameter):
    """The fields of the control of a parameter of a loss."""
    return {
        "default": parameter.default,
        "low": parameter.low + CLOSEST if parameter.low_open else parameter.low,
        "high": min(parameter.high, LARGEST_PARAMETER),
        "help": parameter.meaning[0].upper() + parameter.meaning[1:] + ".",
    }


LOSS = Choice("loss", "Loss", help=glossary.meaning("loss"), rank=3)
LOSS_LIST = Several("losses", "Losses", rank=3)
PARAMETERS = {
    name: Number(name, name, step=0.05, rank=8, **_range(parameter))
    for name, parameter in {p.name: p for loss in LOSSES.values() for p in loss.parameters}.items()
}
C = Logarithmic(
    "C", "C, weight of the loss", 1.0, *RANGES["C"], powers=(-4, 5), help=glossary.meaning("C"), short="C", rank=1
)
KERNEL = Choice(
    "kernel",
    "Kernel",
    {k: kernel.label for k, kernel in kernels.KERNELS.items() if k != "precomputed"},
    help=glossary.meaning("kernel"),
    rank=9,
)
SIGMA = Logarithmic(
    "sigma",
    "σ, width of the kernel",
    1.0,
    *RANGES["sigma"],
    powers=(-2, 2),
    help=glossary.meaning("kernel width"),
    short="σ",
    rank=2,
)
DEGREE = Number("degree", "Degree", 3, *RANGES["degree"], 1, rank=strip.MORE, help="The exponent p in (γ x·z + c₀)^p.")
COEF0 = Number(
    "coef0", "Offset c₀", 1.0, *RANGES["coef0"], 0.5, rank=strip.MORE, help="The constant that is added to γ x·z."
)
MOST_COMPARED = 6


def machine(data: Data, among=None) -> Machine:
    """One loss, of those for the task of the problem or of the keys `among`, with its parameters."""
    with under("Machine"):
        loss = LOSS(options=machine_names(among or MACHINES[data.task]))
        return Machine.of(loss, loss_parameters([loss]))


def machines(data: Data) -> list[Machine]:
    """Two to six losses for the task of the problem, with their parameters."""
    with under("Machines"):
        options = machine_names(MACHINES[data.task])
        chosen = LOSS_LIST(options=options, default=COMPARED[data.task], most=MOST_COMPARED)
        params = loss_parameters(chosen)
    return [Machine.of(loss, params) for loss in chosen]


def colour_index(machine: Machine) -> int:
    """The number of the colour of a machine, the same in all comparisons."""
    return LOSSES[machine.loss].colour


def machine_names(keys) -> dict[str, str]:
    """{key: name of the machine} for the keys of losses."""
    return {key: LOSSES[key].machine for key in keys}


def loss_parameters(chosen) -> dict[str, float]:
    """{name: value} of all parameters of these losses; losses share the control of a parameter with the same name."""
    needed = {p.name: p for loss in chosen for p in LOSSES[loss].parameters}
    return {name: PARAMETERS[name](**_range(parameter)) for name, parameter in needed.items()}


def setting(data: Data) -> Setting:
    """C, the kernel and its parameters; the defaults are those suggested by the problem."""
    suggested = Setting.of(about(data.problem))
    chosen = {"C": C(default=suggested.C), "kernel": KERNEL(default=suggested.kernel)}
    parameters = kernels.KERNELS[chosen["kernel"]].parameters
    if "gamma" in parameters:
        chosen["sigma"] = SIGMA(default=suggested.sigma)
        if chosen["kernel"] != "rbf" and not SIGMA.hidden:
            strip.text("In this kernel γ = 1/σ² multiplies the inner product.")
    if "degree" in parameters:
        chosen["degree"] = DEGREE()
    if "coef0" in parameters:
        chosen["coef0"] = COEF0()
    return suggested._replace(**chosen)
