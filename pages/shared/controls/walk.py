"""The controls of the Feature walk page. Controls of other problems with the same label have other names."""

from pages.shared.choices import RANGES, Walk
from pages.shared.controls import strip
from pages.shared.controls.kinds import Choice, Logarithmic, Number, Slider
from pages.shared.controls.points import OPTIONS, seed
from pages.shared.studies import glossary
from svmcore.problems import REGISTRY

N = Number("walk_n", "Training points", 100, *RANGES["walk_n"], 10, help="Both classes together.", rank=3)
C = Logarithmic(
    "walk_C",
    "C, weight of the losses",
    0.03,
    *RANGES["walk_C"],
    powers=(-3, 1),
    help=glossary.meaning("C of the walk"),
    short="C",
    rank=1,
)
ROUNDS = Slider("rounds", "Rounds", 15, *RANGES["rounds"], 1, help=glossary.meaning("RW(t)"), rank=2)
CHOOSE = Choice(
    "choose", "C of each machine", {"validation": "by cross-validation", "fixed": "as above"}, rank=strip.MORE
)
LOSS = Choice(
    "walk_loss", "Loss of the walk", {"hinge": "Hinge", "squared_hinge": "Squared hinge"}, short="Loss", rank=5
)


def walk() -> Walk:
    """The problem of relevant features, C, the number of rounds, and the loss."""
    strip.text(REGISTRY["relevant_features"].about)
    return Walk(N(), OPTIONS["d_rel"](rank=4), seed(), C(), ROUNDS(), LOSS())


def choosing() -> str:
    """How C is chosen in the experiment: a key of the options of CHOOSE."""
    return CHOOSE()
