"""Oracles: the protocol of a cell written out once more with scikit-learn; one engine against the other."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from svmcore import SVC, commands, problems
from svmcore.problems import benchmarks, outliers, tables
from svmcore.studies import contamination
from svmcore.studies.__main__ import main
from svmcore.studies.contamination import Cell, Choice, Design, Row
from svmcore.work import Work

ROOT = Path(__file__).parents[3]
SMALL = Design(C=(0.1, 10.0), widths=(0.5, 2.0), folds=3, most=40, tuned=2)
X, Y = benchmarks.table("glass")


def cell(kind="flip_random", level=0.2, split=0, machine="hinge"):
    return Cell("glass", machine, kind, level, split)


def by_hand(at):
    """The points of a cell: drawn by `split` of the clean points, then in the steps of the docstring."""
    clean = contamination.split((X, Y), at._replace(kind="none", level=0.0), SMALL)
    train, labels = outliers.contaminate(at.kind, clean[0], clean[1], at.level, at.split)
    mean, spread = train.mean(axis=0), train.std(axis=0, ddof=1)
    return (train - mean) / spread, labels, (clean[2] - mean) / spread, clean[3]


def test_training_points_are_standardised_and_test_points_are_the_others():
    train, labels, test, truth = contamination.split((X, Y), cell("none", 0.0), SMALL)
    assert train.shape == (40, 9) and len(test) == 174 and train.mean(axis=0) == pytest.approx(np.zeros(9), abs=1e-12)
    assert train.std(axis=0, ddof=1) == pytest.approx(np.ones(9))
    assert np.count_nonzero(labels > 0) + np.count_nonzero(truth > 0) == np.count_nonzero(Y > 0)
    assert abs(np.mean(labels > 0) - np.mean(Y > 0)) < 0.02  # the share of each class
    raw = tables.split(X, Y, 0, 174 / 214)
    assert test == pytest.approx((raw.X_test - raw.X.mean(axis=0)) / raw.X.std(axis=0, ddof=1))
    assert np.array_equal(truth, raw.y_test)


@pytest.mark.parametrize("kind", outliers.KINDS)
def test_outliers_change_the_training_points_only(kind):
    at = cell(kind)
    for ours, hand in zip(contamination.split((X, Y), at, SMALL), by_hand(at), strict=True):
        assert ours == pytest.approx(hand, abs=1e-9)
    clean = contamination.split((X, Y), cell("none", 0.0), SMALL)
    spoilt = contamination.split((X, Y), at, SMALL)
    assert np.array_equal(clean[3], spoilt[3])
    assert clean[0].shape != spoilt[0].shape or not np.allclose(clean[0], spoilt[0]) or np.any(clean[1] != spoilt[1])


@pytest.mark.parametrize("machine", ["hinge", "least_squares", "roboss"])
def test_a_choice_is_the_best_of_the_grid_inside_the_training_points(machine):
    at = cell(machine=machine)
    train, labels, _, _ = by_hand(at)
    params = {"solver_params": {"starts": ("hinge",)}} if machine == "roboss" else {}
    folds = StratifiedKFold(3, shuffle=True, random_state=at.split)
    errors = {}
    for place in itertools.product(range(2), range(2)):
        C, gamma = SMALL.C[place[0]], 1.0 / (SMALL.widths[place[1]] ** 2 * 9)
        model = SVC(loss=machine, C=C, gamma=gamma, **params)
        parts = folds.split(train, labels)
        wrong = [np.mean(model.fit(train[a], labels[a]).predict(train[b]) != labels[b]) for a, b in parts]
        errors[place] = np.mean(wrong), place[0], -place[1]
    found = contamination.choose(contamination.machine(machine), (X, Y), at, SMALL)
    assert found == Choice(at, min(errors, key=errors.get))


def test_a_fit_takes_the_median_of_the_choices_and_a_linear_machine_has_no_width():
    at = cell(split=3)
    row = contamination.fit(contamination.machine("hinge"), (X, Y), at, SMALL, [(0, 1), (1, 1), (1, 0)])
    train, labels, test, truth = by_hand(at)
    sigma = 2.0 * 3.0
    model = SVC(C=10.0, gamma=1.0 / sigma**2).fit(train, labels)
    assert row == Row(*at, np.mean(model.predict(test) != truth), len(model.support_), 10.0, sigma, "converged")
    linear = contamination.machine("hinge", "linear")
    assert contamination.choose(linear, (X, Y), cell(), SMALL).place[1] == 0
    assert contamination.fit(linear, (X, Y), cell(), SMALL, [(1, 0)]).sigma is None


@pytest.mark.parametrize(
    "problem, options, most", [("label_flips", {"noise": 0.2}, 8), ("leverage_outliers", {"outliers": 8}, 8)]
)
def test_each_split_of_a_problem_is_a_draw(problem, options, most):
    unscaled, table = SMALL._replace(scaled=False), contamination.Drawn(problem, (("n", 40),))
    for level, amounts in ((0.0, {name: 0 for name in options}), (0.2, options)):
        drawn = problems.load(problem, 3, n=40, **amounts)
        found = contamination.split(table, cell(contamination.PROBLEM, level, 3), unscaled)
        for ours, theirs in zip(found, (drawn.X, drawn.y, drawn.X_test, drawn.y_test), strict=True):
            assert np.array_equal(ours, theirs)
    clean = problems.load(problem, 3, n=40, **{name: 0 for name in options})
    spoilt = contamination.split(table, cell("flip_random", 0.2, 3), unscaled)
    assert np.count_nonzero(spoilt[1] != clean.y) == most and np.array_equal(spoilt[0], clean.X)
    scaled = contamination.split(table, cell("flip_random", 0.2, 3), SMALL)
    assert scaled[2] == pytest.approx((clean.X_test - clean.X.mean(axis=0)) / clean.X.std(axis=0, ddof=1))
    with pytest.raises(ValueError, match="'moons' has no option for contamination"):
        contamination.split(contamination.Drawn("moons"), cell(contamination.PROBLEM), SMALL)


def test_machines_may_keep_their_C_and_kernel():
    design = SMALL._replace(tuned=None, scaled=False)
    model, table = SVC(loss="ramp", C=3.0, gamma=0.7, kernel="rbf"), contamination.Drawn("moons", (("n", 40),))
    made = list(contamination.study({"moons": table}, {"mine": model}, ["flip_random"], (0.0, 0.2), 2, design))
    assert len(made) == 4 and all(isinstance(row, Row) for row in made)
    train, labels, test, truth = contamination.split(table, made[-1], design)
    begun = SVC(loss="ramp", C=3.0, gamma=0.7, solver_params={"starts": ("hinge",)}).fit(train, labels)
    assert made[-1][5:9] == (np.mean(begun.predict(test) != truth), len(begun.support_), 3.0, 0.7**-0.5)
    assert contamination.read_table("moons") == contamination.Drawn("moons")


def test_clean_points_are_fitted_once_for_all_kinds():
    made = contamination.cells(["a", "b"], ["m", "n"], contamination.KINDS, (0.0, 0.1), 3)
    assert len(made) == len(set(made)) == 2 * 2 * 3 * (1 + 2)
    assert len(contamination.tuned_cells(made, SMALL)) == 2 * 2 * 2 * 3
    assert contamination.tuned_cells(made, SMALL._replace(tuned=0)) == made
    assert [one.split for one in made[:18]] == [0] * 6 + [1] * 6 + [2] * 6


@pytest.mark.parametrize("tuned", [0, 2, 50])
def test_the_command_computes_what_a_screen_shows(tmp_path, tuned):
    design, kinds, levels = SMALL._replace(tuned=tuned), ("flip_random",), (0.2,)
    machines = {name: contamination.machine(name) for name in ("hinge", "least_absolute")}
    made = list(contamination.study({"glass": (X, Y)}, machines, kinds, levels, 3, design))
    rows = [one for one in made if isinstance(one, Row)]
    those = min(tuned, 3)
    assert len(made) - len(rows) == 2 * 2 * (those or 3)
    twice = ["--machines", *machines, *machines, "--kinds", *kinds, *kinds]
    arguments = ["robustness", "--tables", "glass", "glass", *twice, "--levels", "0.2", "0.2"]
    arguments += ["--repeats", "3", "--tuned", str(tuned), "--C", "0.1", "10", "--widths", "0.5", "2", "--most", "40"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    text = (tmp_path / "robustness.csv").read_text()
    found, about = contamination.from_csv(text)
    assert contamination.to_csv(found, about) == text
    assert [row[:5] for row in found] == [row[:5] for row in rows]
    assert [row.error for row in found] == pytest.approx([row.error for row in rows], abs=1e-6)
    assert [row[6:] for row in found] == [row[6:] for row in rows]
    assert about["folds"] == f"3, {contamination.FEWER_FOLDS}"
    assert about["tuned"] == str(those) and "numba" in about["versions"] and about["command"].endswith(str(tmp_path))


def test_a_study_that_was_stopped_goes_on(tmp_path, monkeypatch):
    keep, seen = tmp_path / "cells.jsonl", []
    inner = contamination.choose
    monkeypatch.setattr(contamination, "choose", lambda *given: seen.append(given[2]) or inner(*given))

    def begin():
        return contamination.run(Work(keep=keep), ["glass"], ["hinge", "squared_hinge"], (), (), 2, SMALL)

    for step in itertools.islice(begin(), 3):
        assert step.words.startswith("glass")
    assert len(seen) == 2
    assert list(begin())[-1].done == 4 and len(seen) == len(set(seen)) == 4
    assert list(begin())[-1].done == 4 and len(seen) == 4


@pytest.mark.parametrize("arguments, sentence", [
    (["--machines", "perceptron"], "Unknown machine 'perceptron'"),
    (["--kinds", "gremlins"], "Unknown kind of outliers 'gremlins'"),
    (["--levels", "0.6"], "below 0.5, got 0.6"),
    (["--tables", "nowhere"], "Unknown table 'nowhere'"),
    (["--tables", "missing.csv"], "missing.csv"),
    (["--backend", "dask"], "address of a scheduler"),
    (["--repeats", "0"], "number of splits must be at least 1, got 0"),
    (["--tuned", "-3"], "splits that tune must be at least 0, got -3"),
    (["--folds", "1"], "folds must be at least 2, got 1"),
    (["--most", "3"], "training points must be at least 8, got 3"),
    (["--hold-out", "0"], "must be above 0 and below 1, got 0"),
    (["--hold-out", "nan"], "must be above 0 and below 1, got nan"),
    (["--C", "1", "-1"], "C -1 must be finite and above 0"),
    (["--widths", "0"], "width 0 must be finite and above 0"),
])  # fmt: skip
def test_what_does_not_exist_is_named_before_anything_is_computed(arguments, sentence, capsys, tmp_path):
    assert main(["robustness", "--tables", "glass", *arguments, "--out", str(tmp_path)]) == 1
    assert sentence in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_table_of_ones_own(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("# mine\na,b,label\n" + "".join(f"{k},{k % 7},{3 + k % 2}\n" for k in range(20)))
    points, labels = contamination.read_table(str(path))
    assert points.shape == (20, 2) and sorted(set(labels)) == [-1.0, 1.0]
    path.with_name("three.csv").write_text("# mine\na,b,label\n" + "".join(f"{k},{k},{k % 3}\n" for k in range(20)))
    with pytest.raises(ValueError, match="found 3 labels"):
        contamination.read_table(str(path.with_name("three.csv")))
    with pytest.raises(ValueError, match="at least 10 points"):
        contamination.split((points[:5], labels[:5]), cell(), SMALL)
    bad = path.with_name("bad.csv")
    for text, sentence in (
        ("a,b,y\n1,2,1\n3,4,-1\n", "at least 10 points"),
        ("1,5;2,5;1\n", "bad.csv: .* decimal points"),
    ):
        bad.write_text(text)
        contamination.read_table.cache_clear()
        with pytest.raises(ValueError, match=sentence):
            contamination.check([str(path), str(bad)], [], [], [])


def test_kept_cells_hold_for_the_points_of_a_file_alone(tmp_path):
    path, found = tmp_path / "mine.csv", []
    for period in 2, 2, 5:  # the classes follow the second column, then they no longer do
        path.write_text(
            "# mine\na,b,y\n" + "".join(f"{k % 7},{k % 2},{k % period // (period / 2)}\n" for k in range(40))
        )
        contamination.read_table.cache_clear()  # each run of the command is a process of its own
        work = Work(keep=tmp_path / "cells.jsonl")
        found.append(commands.finish(contamination.run(work, [str(path)], ["hinge"], (), (), 2, SMALL)))
    assert found[0] == found[1] != found[2]


@pytest.mark.slow
def test_two_processes_and_a_cluster_compute_what_one_process_does(tmp_path):
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0", local_directory=tmp_path
    )
    with cluster:
        ways = {"jobs": 1}, {"jobs": 2}, {"backend": "dask", "scheduler": cluster.scheduler_address}
        results = []
        for way in ways:
            steps = contamination.run(
                Work(**way), ["glass", "moons"], ["hinge", "ramp"], ("flip_random",), (0.2,), 2, SMALL
            )
            results.append(commands.finish(steps))
    assert results[0] == results[1] == results[2] and len(results[0]) == 2 * 2 * 2 * 2
