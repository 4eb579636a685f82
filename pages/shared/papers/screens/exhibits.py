"""Exhibits: the pictures, the digest and the links with which the page shows an experiment of the papers."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from pages.shared.papers.screens import exhibit_figures
from pages.shared.papers.screens.exhibit_figures import Picture
from pages.shared.papers.stored_results import comparison_text, nearest_beside_chosen, number, square
from pages.shared.studies.scenes import COMPARE, CONVERGENCE, FEATURE_WALK, PLAYGROUND, SCENES, SPARSITY
from svmcore.papers import Table


class Link(NamedTuple):
    """A link to a page with the same setting: its text, the page, and the parameters of the link."""

    words: str
    page: str
    query: dict[str, str]


class Exhibit(NamedTuple):
    """Display of an experiment.

    links: to the same setting on other pages; draw: makes its pictures from its table, None if it has none; live: the
    pictures are machines fitted now, which need no table; digest: a heading, and the function from its table to the
    (head, rows) of its main part; contaminates: the problem whose contamination it studies.
    """

    links: list[Link]
    draw: Callable[[Table | None], list[Picture]] | None = None
    live: bool = False
    digest: tuple[str, Callable[[Table], tuple[list[str], list[list[str]]]]] | None = None
    contaminates: str | None = None

    def pictures(self, table: Table | None) -> list[Picture]:
        """The pictures from left to right; none if the result is missing."""
        return self.draw(table) if self.draw and (self.live or table is not None) else []


def _scene(key):
    return Link(SCENES[key].title, SCENES[key].page, SCENES[key].query)


RACE = Link(
    "The same race of iterations on the toy problem",
    CONVERGENCE,
    {"show": "race", "race": "least_absolute:smo_first,least_squares:smo_first"},
)
EXHIBITS = {
    "ls_svm.fig1": Exhibit([_scene("ls_svm_fig1")], exhibit_figures.support_values, live=True),
    "ls_svm.fig2": Exhibit(
        [_scene("ls_svm_fig2")],
        exhibit_figures.spirals,
        live=True,
        digest=(
            "Test error in %, by σ (rows) and γ, our C (columns)",
            partial(square, down="sigma", across="gamma", cell=lambda record: number(record["test error %"])),
        ),
    ),
    "ls_svm.vc_bound": Exhibit(
        [
            Link(
                "An LS-SVM on Ripley's data", PLAYGROUND, {"problem": "ripley", "loss": "least_squares", "sigma": "0.5"}
            )
        ],
        exhibit_figures.bound,
    ),
    "least_1_norm.fig1": Exhibit([_scene("least_1_norm_fig1")], exhibit_figures.outliers, live=True),
    "least_1_norm.table2": Exhibit([RACE]),
    "least_1_norm.places": Exhibit(
        [RACE],
        digest=(
            "Places picked by the paper's numbers: test error in %; support vectors; SMO iterations",
            nearest_beside_chosen,
        ),
    ),
    "isls.table1": Exhibit(
        [
            Link("LS-SVM and SVM on Ripley's data", COMPARE, {"problem": "ripley", "losses": "least_squares,hinge"}),
            Link("ISLS on Ripley's data", SPARSITY, {"problem": "ripley"}),
        ]
    ),
    "isls.fig1": Exhibit(
        [
            Link("The LS-SVM on the motorcycle data", PLAYGROUND, {"problem": "motorcycle", "loss": "least_squares"}),
            Link("ISLS on the motorcycle data", SPARSITY, {"problem": "motorcycle"}),
        ],
        exhibit_figures.sparse_models,
    ),
    "l01.flips": Exhibit([_scene("wrong_labels")], exhibit_figures.flips, contaminates="label_flips"),
    "l01.leverage": Exhibit(
        [_scene("ignored_outliers"), _scene("leverage")], exhibit_figures.leverage, contaminates="leverage_outliers"
    ),
    "l01.optimum": Exhibit(
        [
            Link(
                "The best possible machine for one of these draws",
                COMPARE,
                {"problem": "label_flips", "n": "60", "noise": "0.2", "kernel": "linear", "losses": "zero_one,ramp"},
            )
        ]
    ),
    "walk.fig2": Exhibit(
        [Link("The objective over the rounds", FEATURE_WALK, {"rounds": "20"})], exhibit_figures.convergence
    ),
    "walk.table1": Exhibit([Link("The features of a synthetic set", FEATURE_WALK, {})]),
    "walk.table2": Exhibit(
        [Link("The features of each round", FEATURE_WALK, {"d_rel": "5"})],
        digest=(
            "Accuracy in %: ours | the paper's",
            partial(square, down="set", across="machine", cell=comparison_text, measure="accuracy %"),
        ),
    ),
    "walk.fig3": Exhibit(
        [Link("Any number of relevant features", FEATURE_WALK, {"walk_n": "100", "choose": "validation"})],
        exhibit_figures.relevant,
    ),
}
