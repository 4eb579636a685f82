"""One-click scenes: a link to a page and what it shows there; tests check each claim."""

from typing import NamedTuple

from svmcore.problems.tables import load_texts


class Scene(NamedTuple):
    """`query` are the parameters of the link; controls that it leaves out take their defaults. `first` is what to do
    first on the page that it opens.
    """

    title: str
    claim: str
    page: str
    query: dict[str, str]
    first: str = ""


PLAYGROUND, COMPARE, CONVERGENCE = "pages/playground.py", "pages/compare.py", "pages/convergence.py"
SPARSITY, FEATURE_WALK, PAPERS = "pages/sparsity.py", "pages/feature_walk.py", "pages/papers.py"

SCENES = {key: Scene(**entry) for key, entry in load_texts("scenes").items()}


def neighbours(key: str) -> tuple[str | None, str | None]:
    """The keys of the scenes before and after the scene `key`, None at the ends."""
    keys = list(SCENES)
    at = keys.index(key)
    return (keys[at - 1] if at else None), (keys[at + 1] if at + 1 < len(keys) else None)
