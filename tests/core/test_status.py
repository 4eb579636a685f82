"""Reasons for ending: words to a user, one list to the code."""

import ast
import pickle
from pathlib import Path

import numpy as np
from sources import nodes_of

from svmcore import SVC
from svmcore.status import SUCCESS, Status, is_success

ROOT = Path(__file__).parents[2]
SOURCES = [p for folder in ("svmcore", "pages") for p in (ROOT / folder).rglob("*.py") if p.name != "status.py"]


def test_a_status_is_the_word_itself_and_may_be_a_success():
    X = np.array([[0.0], [1.0]])
    model = SVC(C=1.0).fit(X, [0, 1])
    assert model.status_ == "converged" and repr(model.status_) == "'converged'" and f"{model.status_}" == "converged"
    assert pickle.loads(pickle.dumps(model.status_)) is Status.CONVERGED is Status("converged")
    assert np.array([model.status_, "other"]).tolist() == ["converged", "other"]
    assert set(SUCCESS) == {Status.CONVERGED, Status.LOCAL_MINIMUM, Status.ALL_ROUNDS}
    for status in Status:
        assert is_success(status) == is_success(str(status)) == (status in SUCCESS)
    assert not is_success("2 of 41 values: converged") and not is_success("HiGHS: unbounded")


def test_reasons_are_written_in_one_place():
    written = {}
    for path in SOURCES:
        words = {node.value for node in nodes_of(path) if isinstance(node, ast.Constant)}
        written[str(path.relative_to(ROOT))] = words & {*Status, *map(str, Status)}
    assert len(written) > 200 and {name: words for name, words in written.items() if words} == {}
