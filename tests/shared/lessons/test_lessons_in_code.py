"""The notebook that the Lessons page hands out: its checks pass with the ten lines, and fail without or with others."""

import json
import re

import pytest

from pages.shared.lessons import reading

CELLS = [
    cell for cell in json.loads(reading.NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"
]
SOLUTION = {
    "slacks": "return np.maximum(0, 1 - y * f)",
    "primal": "return 0.5 * beta @ K @ beta + C * slacks(f, y).sum()",
    "dual": "return y @ beta - 0.5 * beta @ K @ beta",
    "scaled": "return (X - X_train.mean(axis=0)) / X_train.std(axis=0)",
    "choose": """pairs = [(C, sigma) for C in CS for sigma in SIGMAS]
    scores = [cross_val_score(SVC(C=C, gamma=sigma**-2), X, y, cv=5).mean() for C, sigma in pairs]
    return pairs[np.argmax(scores)]""",
}
WRONG = {
    "slacks": ["return 1 - y * f", "return np.maximum(0, 1 - f)"],
    "primal": ["return beta @ K @ beta + C * slacks(f, y).sum()", "return 0.5 * beta @ K @ beta + slacks(f, y).sum()"],
    "dual": ["return y @ beta - beta @ K @ beta", "return beta.sum() - 0.5 * beta @ K @ beta"],
    "scaled": ["return X", "return X / X_train.std(axis=0)", "return (X - X.mean(axis=0)) / X.std(axis=0)"],
    "choose": ["return 100.0, 0.03", "return 0.1, 2.0", "return 1, 1"],
}


def run(solution):
    """Executes the notebook with these bodies of its functions."""
    names = {}
    for cell in CELLS:
        source = "".join(cell["source"])
        for name, body in solution.items():
            source = re.sub(
                rf"(def {name}\(.*\n    )raise NotImplementedError\(.*\)", lambda m, body=body: m[1] + body, source
            )
        exec(source, names)


def test_the_checks_pass_with_ten_lines(capsys):
    assert sum(body.count("\n") + 1 for body in SOLUTION.values()) + 2 <= 10
    run(SOLUTION)
    assert "%" in capsys.readouterr().out
    tags = [tag for cell in CELLS for tag in cell["metadata"]["tags"]]
    assert tags == ["given", *["task", "check"] * 4] and not any(cell["outputs"] for cell in CELLS)


@pytest.mark.parametrize("name", SOLUTION)
def test_the_checks_fail_without(name):
    with pytest.raises(NotImplementedError):
        run({key: body for key, body in SOLUTION.items() if key != name})


@pytest.mark.parametrize("name, body", [(name, body) for name, bodies in WRONG.items() for body in bodies])
def test_the_checks_fail_with_the_usual_mistakes(name, body):
    with pytest.raises(AssertionError):
        run(SOLUTION | {name: body})
