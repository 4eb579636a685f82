"""The table of a prompt as points and machines, and as a link."""

import numpy as np
import pytest

from pages.shared.lessons import answers, reading, state
from pages.shared.lessons.lesson import Watch
from pages.shared.lessons.quantities.boundary import ends_in_frame, harm, worst_place
from pages.shared.lessons.quantities.case import Case
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.quantities.registry import KINDS
from pages.shared.screen import codec

TOY = {"problem": "toy_outliers", "loss": "hinge"}


def test_a_table_is_points_and_a_link_and_a_machine_or_several_with_their_own_parameters():
    made = state.setup({**TOY, "C": 2, "contamination": "flip_farthest", "flips": 1, "n": 20}, draw=3)
    assert (made.data.problem, made.data.seed, made.data.options) == ("toy_outliers", 3, (("n", 20),))
    assert (made.data.contamination, made.data.amount, made.setting.C) == ("flip_farthest", 1, 2.0)
    assert made.page == "pages/playground.py" and made.query["seed"] == "3" and made.query["flips"] == "1"
    assert int(state.SOURCE.problem(made.data).outlier.sum()) == 1
    made = state.setup({"problem": "ripley", "losses": ["hinge", "ramp"], "mu": 3})
    assert [machine.loss for machine in made.machines] == ["hinge", "ramp"] and made.page == "pages/compare.py"
    assert dict(made.machine("ramp").params) == {"mu": 3.0} and made.query["losses"] == "hinge,ramp"


def test_edits_in_words():
    clean = state.SOURCE.problem(state.setup(TOY).data)
    rows = [{"point": "farthest", "flip": True}, {"point": 3, "delete": True}, {"point": "nearest", "beyond": 2.0}]
    made = state.setup({**TOY, "edit": rows})
    changed = state.SOURCE.problem(made.data)
    assert len(changed.y) == len(clean.y) - 1 and codec.decode(made.query["edits"]) == made.data.edits
    far = state.row_of("farthest", state.setup(TOY))
    assert clean.y[far] == 1.0 and changed.y[changed.ids == far] == [-1.0]
    near = state.row_of("nearest", state.setup(TOY))
    own, other = (clean.X[clean.y == label].mean(axis=0) for label in (1.0, -1.0))
    assert changed.X[changed.ids == near][0] == pytest.approx(own + 2 * (other - own), abs=0.02)


def test_names_refer_to_the_points_before_the_edits():
    moved = state.setup({**TOY, "edit": [{"point": "nearest", "beyond": 5.0}]})
    assert state.row_of("nearest", moved) == state.row_of("nearest", state.setup(TOY))
    again = state.setup({**TOY, "edit": [{"point": "nearest", "beyond": 9.0}]}, before=moved)
    assert [edit.id for edit in again.data.edits.edits] == [state.row_of("nearest", moved)]
    assert state.row_of("outlier", again) == state.row_of("nearest", moved)


def test_points_named_after_their_support_values():
    at = state.setup(TOY)
    points = state.SOURCE.fit(at.data, at.machines[0], at.setting).points
    assert points.alpha[state.row_of("unused", at)] == 0.0
    assert points.alpha[state.row_of("used", at)] == points.alpha.max()
    with pytest.raises(ValueError, match="every point has a support value"):
        state.row_of("unused", state.setup({**TOY, "loss": "least_squares"}))
    with pytest.raises(ValueError, match="no outlier"):
        state.row_of("outlier", at)


def test_the_ends_of_a_boundary_lie_on_it_and_on_the_frame():
    xs, ys = np.array([-1.0, 1.0]), np.array([-2.0, 2.0])
    found = ends_in_frame(np.array([1.0, 1.0]), 0.0, xs, ys)
    assert found == pytest.approx([-1.0, 1.0, 1.0, -1.0])
    assert ends_in_frame(np.array([1.0, 0.0]), -0.5, xs, ys) == pytest.approx([0.5, -2.0, 0.5, 2.0])
    with pytest.raises(ValueError, match="outside the picture"):
        ends_in_frame(np.array([1.0, 0.0]), -5.0, xs, ys)


def test_the_worst_place_is_at_least_as_harmful_as_any_other_cell():
    at = state.setup({**TOY, "n": 20})
    case = Case(at, at)
    x, y, share = worst_place(case)
    assert share == pytest.approx(harm(case, (x, y)), abs=0.005) and share > 0.02
    xs, ys = state.SOURCE.view(at.data)
    assert all(harm(case, at_place) <= share + 0.02 for at_place in [(xs[5], ys[5]), (xs[-5], ys[50])])


@pytest.mark.parametrize("key", REGISTRY)
def test_every_quantity_is_computed_and_written(key):
    quantity = REGISTRY[key]
    assert quantity.key == key and quantity.kind in KINDS and quantity.words
    if quantity.compute.__module__.endswith(".width"):
        table = {"problem": "moons", "n": 40, "noise": 0.1, "loss": "least_squares", "sigma": 0.3}
    elif quantity.compute.__module__.endswith(".walk"):
        table = {"problem": "relevant_features", "rounds": 5}
    else:
        table = {**TOY, "n": 20, "losses": "hinge,least_squares", "solver": "smo_second"}
    rounds = key in ("dropped", "n_dropped", "n_left", "kept_of_largest", "n_rounds")
    if rounds:
        table = {"problem": "ripley_mixture", "n": 60, "loss": "isls"}
    flips = {"contamination": "flip_farthest", "flips": 2} if table["problem"] == "toy_outliers" else {}
    made = state.setup({**table, **flips})
    case = Case(state.setup(table), made, at=1)
    arguments = {"draws": 2} if key in ("mean", "spread") else {}
    value = answers.compute(case, Watch(key, arguments))
    number = isinstance(value, (int, float))
    assert number == (quantity.kind == "number") and (not number or np.isfinite(value))
    assert isinstance(value, str) == (quantity.kind == "key")
    assert answers.words(Watch(key, arguments), value) not in ("", "–", "nan")


def test_a_second_plane_lies_over_the_first():
    prompt = reading.built_in_lessons()["errors"].prompt("flip")._replace(second={"loss": "hinge"})
    second = answers.second(prompt, draw=2)
    assert second.after.machines[0].loss == "hinge"
    assert second.after.data == answers.case(prompt, 2).after.data
    assert answers.second(prompt._replace(second=None)) is None
