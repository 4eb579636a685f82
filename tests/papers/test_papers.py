"""The framework of the papers: splits are computed once, anywhere; a table says how it was made."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_experiment import broken, square, toy

from svmcore.papers import COMPARED, REGISTRY, Progress, Table, agrees, comparison, final_table, get, summary
from svmcore.papers.__main__ import main
from svmcore.work import Kept, Work


def computed(folder):
    """How often each square was computed."""
    return sorted(int(path.name.split(".")[0]) for path in Path(folder).iterdir())


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ran").mkdir()
    return str(tmp_path / "ran")


def test_a_run_yields_progress_then_its_table(folder):
    *steps, table = toy(folder).run()
    assert all(isinstance(step, Progress) for step in steps)
    assert [tuple(step) for step in steps] == [(k, 6, w) for w in ("squares", "halves") for k in range(7)]
    assert table.column("half") == [0, 0.5, 2, 4.5, 8, 12.5]
    assert (table.name, table.title, table.quick, table.seed) == ("toy.squares", "Toy, squares", False, 0)
    assert table.command == "python -m svmcore.papers run toy.squares --seed 0"
    assert set(table.versions) >= {"svmcore", "numpy", "python"} and table.seconds > 0


def test_a_killed_run_goes_on_without_a_split_twice(folder, tmp_path):
    out = tmp_path / "out"
    steps = toy(folder).run(out=out)
    for step in steps:
        if step.words == "squares" and step.done == 4:
            break
    steps.close()
    assert computed(folder) == [0, 1, 2, 3]

    *steps, table = toy(folder).run(out=out)
    assert tuple(steps[0]) == (4, 6, "squares")
    assert computed(folder) == [0, 1, 2, 3, 4, 5]
    again = final_table(toy(folder).run(out=out))
    assert computed(folder) == [0, 1, 2, 3, 4, 5] and again.rows == table.rows
    kept = Kept(out / "toy.squares.splits.jsonl").lines.values()
    assert again.seconds == table.seconds == pytest.approx(sum(seconds for _, seconds in kept))


def test_a_line_that_a_kill_cut_off_is_computed_again(folder, tmp_path):
    out = tmp_path / "out"
    whole = final_table(toy(folder).run(out=out))
    file = out / "toy.squares.splits.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    again = final_table(toy(folder).run(out=out))
    assert computed(folder) == [0, 1, 2, 3, 3, 4, 4, 5, 5]
    assert again.column("half") == whole.column("half")
    assert len(Kept(file).lines) == 12


def test_quick_splits_and_other_seeds_share_what_is_the_same(folder, tmp_path):
    quick = final_table(toy(folder).run(quick=True, out=tmp_path / "out"))
    assert quick.quick and len(quick.rows) == 2 and quick.command.endswith("--quick --seed 0")
    final_table(toy(folder).run(out=tmp_path / "out"))
    other = final_table(toy(folder).run(seed=3, out=tmp_path / "out"))
    assert other.column("half")[:2] == [15.0, 15.5]
    assert computed(folder) == [0, 1, 2, 3, 4, 5]


def test_a_new_version_of_the_software_computes_anew(folder, tmp_path, monkeypatch):
    final_table(toy(folder).run(quick=True, out=tmp_path / "out"))
    monkeypatch.setattr("svmcore.__version__", "9.9")
    final_table(toy(folder).run(quick=True, out=tmp_path / "out"))
    assert computed(folder) == [0, 0, 1, 1]


def test_what_is_finished_before_an_error_is_kept(folder, tmp_path):
    steps = broken(folder).run(out=tmp_path)
    with pytest.raises(ValueError, match="three has no half"):
        final_table(steps)
    assert len(Kept(tmp_path / "toy.broken.splits.jsonl").lines) == 2


@pytest.mark.slow
def test_two_processes_give_the_same_table(folder, tmp_path):
    alone = final_table(toy(folder).run())
    together = final_table(toy(folder).run(jobs=2, out=tmp_path / "out"))
    assert alone.column("half") == together.column("half")
    assert not set(alone.column("process")) & set(together.column("process"))
    assert computed(folder) == sorted([*range(6), *range(6)])
    final_table(toy(folder).run(jobs=2, out=tmp_path / "out"))
    assert len(computed(folder)) == 12


def test_without_dask_a_sentence_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match="pip install distributed"):
        final_table(toy(folder).run(backend="dask", scheduler="tcp://127.0.0.1:1"))


@pytest.mark.parametrize(
    "options, words",
    [
        (dict(jobs=0), "number of jobs"), (dict(jobs=1.5), "number of jobs"), (dict(backend="slurm"), "loky, dask"),
        (dict(backend="dask"), "address of a scheduler"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said_in_a_sentence(options, words):
    with pytest.raises(ValueError, match=words):
        Work(**options)


@pytest.mark.parametrize("seed", [-1, 0.5, True])
def test_a_seed_is_a_whole_number(folder, seed):
    with pytest.raises(ValueError, match="whole number"):
        final_table(toy(folder).run(seed=seed))


# ---- the table ----


def test_a_table_comes_back_from_its_file(folder):
    table = final_table(toy(folder).run())
    rows = ((1, 2.5, "a, b", None), (3, 1e-7, 'say "x"', float("nan")), (4, 123456.75, "", 5))
    table = replace(table, columns=("i", "x", "words", "n"), rows=rows, notes=("One: two.", "Three, four."))
    text = table.to_csv()
    again = Table.from_csv(text)
    assert again.rows[0] == rows[0] and again.rows[1] == (3, 1e-7, 'say "x"', None)
    assert again.rows[2] == (4, 123457.0, None, 5)
    for name in ("columns", "notes", "name", "title", "command", "quick", "seed", "date", "versions"):
        assert getattr(again, name) == getattr(table, name), name
    assert again.seconds == pytest.approx(table.seconds, abs=0.06) and again.to_csv() == text


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "# name: x\n# quick: no\n# seed: 0\n# seconds: 1\na,b\n1\n"])
def test_a_file_that_is_no_table_is_met_with_a_sentence(text):
    with pytest.raises(ValueError, match="Expected the csv file of an experiment"):
        Table.from_csv(text)


def test_the_spread_is_that_of_the_values_or_of_their_mean():
    assert summary([1.0, 3.0]) == (2.0, pytest.approx(np.sqrt(2)), 2)
    assert summary([1.0, 3.0], of_mean=True)[1] == pytest.approx(1.0)
    assert summary([4.0]) == (4.0, None, 1)
    assert summary([1.0, float("nan")])[2] == 1
    assert summary([])[0] is None


def test_ours_beside_theirs_and_without_spread_they_agree_if_they_are_equal():
    entries = dict(zip(COMPARED, comparison([1.0, 3.0], 2.5, 0.1, 10), strict=True))
    assert (entries["ours"], entries["theirs"], entries["their spread"]) == (2.0, 2.5, 0.1)
    assert entries["z"] == pytest.approx(-0.5 / np.hypot(1.0, 0.1 / np.sqrt(10)))
    assert comparison([1.0, 3.0], 2.5, 1.0, 10, of_mean=True)[5] == pytest.approx(-0.5 / np.sqrt(2))
    assert comparison([1.0, 3.0], 2.5, None, 8)[5] == pytest.approx(-0.5 / np.hypot(1.0, np.sqrt(2 / 8)))
    assert comparison([1.0, 3.0])[3:] == (None, None, None, None)
    assert comparison([4.0], 3.0, 1.0, 10)[5:] == (None, None)
    for spread in (0.0, None):
        assert comparison([150.0, 150.0], 150.0, spread, 100)[5:] == (0.0, 1.0)
    assert comparison([150.0, 150.0], 149.0, 0.0, 100)[5] == np.inf


@pytest.mark.parametrize("z, answer", [(2.0, True), (-2.0, True), (2.1, False), (-np.inf, False), (None, None)])
def test_two_standard_errors_decide(z, answer):
    assert agrees({"z": z}) is answer


@pytest.mark.parametrize("runs, theirs, printed", [(4, 40, True), (3, 3, False)])
def test_a_perfect_copy_agrees_as_often_as_expected(runs, theirs, printed):
    rng, found = np.random.default_rng(0), []
    for _ in range(800):
        paper, values = rng.normal(5.0, 2.0, theirs), rng.normal(5.0, 2.0, runs)
        spread = float(paper.std(ddof=1)) if printed else None
        found.append(dict(zip(COMPARED, comparison(values.tolist(), float(paper.mean()), spread, theirs), strict=True)))
    share, expected = np.mean([agrees(record) for record in found]), np.mean([record["expected"] for record in found])
    assert share == pytest.approx(expected, abs=0.02) and 0.8 < expected < 0.96


# ---- the command line ----


def test_the_list_names_every_experiment_and_a_wrong_name_brings_the_nearest(capsys, tmp_path):
    assert main([]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(REGISTRY)
    assert main(["run", "lssvm.fig2", "--out", str(tmp_path)]) == 1
    result = capsys.readouterr().err
    assert "Unknown experiment 'lssvm.fig2'; the nearest are: ls_svm.fig2" in result
    with pytest.raises(ValueError, match="choose one of: ls_svm.fig1"):
        get("????")


def test_run_writes_a_csv_file_and_shows_progress(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(REGISTRY, "toy.squares", toy(folder))
    assert main(["run", "toy.squares", "--quick", "--out", str(tmp_path / "out")]) == 0
    result = capsys.readouterr()
    path = tmp_path / "out" / "toy.squares.quick.csv"
    assert str(path) in result.out and "squares: 2 of 2" in result.err
    assert Table.from_csv(path.read_text()).column("half") == [0, 0.5]
    assert computed(folder) == [0, 1]
    assert main(["run", "toy.squares", "--out", str(tmp_path / "out")]) == 0
    assert computed(folder) == [0, 1, 2, 3, 4, 5] and (tmp_path / "out" / "toy.squares.csv").is_file()


def test_a_run_that_is_interrupted_says_what_is_kept(folder, tmp_path, capsys, monkeypatch):
    def interrupted(work, quick, seed):
        yield from work("squares", square, [{"folder": folder, "x": 1}])
        raise KeyboardInterrupt

    monkeypatch.setitem(REGISTRY, "toy.squares", replace(toy(folder), make=interrupted))
    assert main(["run", "toy.squares", "--out", str(tmp_path)]) == 130
    assert str(tmp_path) in capsys.readouterr().err
