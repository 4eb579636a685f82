"""The Papers page: what it says are the committed numbers, and what is committed is what the experiments make."""

import functools
import re
import threading
from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from screen import healthy, html, open_page, pictures, press
from waiting import mostly_slow

from pages.shared.page import page as frame
from pages.shared.papers import stored_results
from pages.shared.papers.screens import exhibits, result_tables
from pages.shared.papers.screens.exhibits import EXHIBITS
from pages.shared.papers.stored_results import PAPERS, experiments
from pages.shared.studies import formatting
from svmcore import SVC, papers, problems
from svmcore.papers import COMPARED, MEASURED, REGISTRY, Table, isls, least_1_norm, summary, walk

pytestmark = pytest.mark.usefixtures("warm")

PAGE = "pages/papers.py"
RECORD = dict(zip(COMPARED, (10.0, 3.0, 5, 12.0, 1.0, -1.44, 0.8), strict=True))


def stored(name):
    """The committed result; the test is skipped where a checkout has none."""
    table = stored_results.load_result(name)
    return table or pytest.skip(f"data/results/{name}.csv is not here")


def text(app):
    """Everything that the page says, and its tables."""
    return "\n".join(
        [element.value for kind in (app.markdown, app.caption, app.info) for element in kind] + [html(app)]
    )


@functools.cache
def opened(key):
    """The page of a paper, which is only read."""
    return healthy(open_page(PAGE, paper=key))


# ---- numbers in words ----


@pytest.mark.parametrize(
    "value, words",
    [
        (None, ""), ("titanic", "titanic"), (3, "3"), (150.0, "150"), (54351.49, "54351"), (-841.74, "−841.7"),
        (22.7806, "22.8"), (1.15367, "1.15"), (0.0957, "0.10"), (0.0342, "0.034"), (7.5e-10, "7.5·10⁻¹⁰"), (0.0, "0"),
        (float("nan"), "–"), (float("inf"), "–"),
    ],
)  # fmt: skip
def test_numbers_are_short(value, words):
    assert stored_results.number(value) == words


def test_a_difference_says_whether_the_numbers_agree():
    assert stored_results.difference(RECORD) == "−2, z = −1.4, ✓ agrees"
    assert stored_results.difference({**RECORD, "theirs": 6.0, "z": 2.9}) == "+4, z = 2.9, ✗ differs"
    assert stored_results.difference({**RECORD, "theirs": 9.0, "z": float("inf")}) == "+1, z = ∞, ✗ differs"
    assert stored_results.difference({**RECORD, "theirs": None, "z": None}) == "–"
    assert stored_results.difference({**RECORD, "z": -2.03}) == "−2, z = −2.03, ✗ differs"
    assert stored_results.difference({**RECORD, "z": 1.96}) == "−2, z = 2.0, ✓ agrees"


@pytest.mark.parametrize("name", ["least_1_norm.table2", "isls.table1"])
def test_each_verdict_follows_from_the_z_that_is_shown(name):
    shown = re.findall(r"z = (−?[\d.]+), (.)", " ".join(row[-2] for row in stored_results.sheet(stored(name))[1]))
    assert len(shown) == 24
    assert [mark for z, mark in shown if (abs(float(z.replace("−", "-"))) <= 2.0) != (mark == "✓")] == []
    assert stored_results.difference({**RECORD, "spread": None, "z": None}) == "−2"


def test_a_sheet_has_the_paper_where_it_prints_a_number():
    bare = ("german", 2.0, 1.5, None, 1, None, None, None, None)
    table = Table(("set", "x", *COMPARED), (("heart", 0.5, *RECORD.values()), bare))
    head, rows = stored_results.sheet(table)
    assert head == ["set", "x", "ours", "paper", "ours − paper", "runs"]
    assert rows == [
        ["heart", "0.5", "10 ± 3", "12 ± 1", "−2, z = −1.4, ✓ agrees", "5"],
        ["german", "2", "1.50", "–", "–", "1"],
    ]
    sentence = stored_results.tally(table)
    assert "1 of the 1 numbers" in sentence and "agree in 0.80." in sentence and "|z| ≤ 2" in sentence
    empty = Table(("set", "x", *MEASURED), (("german", 2.0, None, None, 0),))
    assert stored_results.sheet(empty) == (["set", "x", "ours", "runs"], [["german", "2", "–", "0"]])
    assert stored_results.tally(empty) == ""
    table = Table(("machine", *MEASURED), (("SVM", *summary([float("nan")])), ("LS-SVM", *summary([1.0]))))
    assert stored_results.sheet(table) == (["machine", "ours", "runs"], [["SVM", "–", "0"], ["LS-SVM", "1", "1"]])
    with pytest.raises(ValueError, match="its own name"):
        Table(("runs", *COMPARED), ())


def test_letters_are_written_as_on_the_other_pages_and_settings_as_they_were_chosen():
    assert [stored_results.setting_text(v) for v in (0.125, 10000.0, "heart", 3)] == ["0.125", "10000", "heart", "3"]
    assert stored_results.symbols("sigma = gamma = 1, r^2 |alpha|") == "σ = γ = 1, r² |α|"
    assert stored_results.symbols("sigmoid, svmcore.papers") == "sigmoid, svmcore.papers"
    table = Table(("gamma", "measure", *MEASURED), ((1.0, "mean |alpha|", 1.0, None, 1),))
    assert stored_results.sheet(table) == (["γ (our C)", "measure", "ours", "runs"], [["1", "mean |α|", "1", "1"]])
    assert stored_results.sheet(Table(("sigma", "name"), ((0.5, "beta"),))) == (["σ", "name"], [["0.50", "β"]])


# ---- what is committed ----


@pytest.mark.parametrize("name", REGISTRY)
def test_every_experiment_has_a_full_result(name):
    table = stored_results.load_result(name)
    assert table, f"python -m svmcore.papers run {name} --out data/results stores what it shows"
    assert table.name == name and not table.quick and table.seed == 0 and table.seconds > 0
    assert table.command == f"python -m svmcore.papers run {name} --seed 0"
    assert table.title == f"{REGISTRY[name].paper}, {REGISTRY[name].title}"
    assert table.notes and re.match(r"\d{4}-\d\d-\d\d$", table.date)
    assert set(table.versions) >= {"svmcore", "numpy", "numba"}
    assert len((stored_results.FOLDER / f"{name}.csv").read_bytes()) < 40_000


RECOMPUTED = ["ls_svm.fig1", "least_1_norm.fig1", "ls_svm.fig2", "ls_svm.vc_bound"]


@pytest.mark.parametrize("name", mostly_slow(RECOMPUTED, RECOMPUTED[:2]))
def test_what_is_committed_is_what_is_computed(name):
    """The splits of a quick run are among those of the full one, where the columns have no mean over them."""
    full, quick = stored(name), papers.final_table(REGISTRY[name].run(quick=True))
    assert full.columns == quick.columns
    if full.columns[-3:] == MEASURED:
        keys = full.columns[:-3]
        known = {tuple(r[k] for k in keys): r for r in full.records()}
        for row in quick.records():
            whole = known[tuple(row[k] for k in keys)]
            if row["runs"] > 1:
                allowed = 4 * (whole["spread"] or 0) / np.sqrt(row["runs"]) + 1e-6
                assert abs(row["ours"] - whole["ours"]) <= allowed
        return
    keys = 4 if name == "ls_svm.vc_bound" else 2
    known = {row[:keys]: row[keys:] for row in full.rows}
    for row in Table.from_csv(quick.to_csv()).rows:
        assert known[row[:keys]] == pytest.approx(row[keys:], rel=1e-5)


def test_the_papers_numbers_are_in_the_files():
    table = stored("least_1_norm.table2")
    for r in table.records():
        printed = dict(zip(least_1_norm.MEASURES, least_1_norm.THEIRS[r["set"]].get(r["machine"], ()), strict=False))
        assert (r["theirs"], r["their spread"]) == printed.get(r["measure"], (None, None))
    table = stored("isls.table1")
    assert set(table.column("set")) == set(isls.SETS)
    for r in table.records():
        k = 1 if r["measure"] == "support vectors" else 0
        assert r["theirs"] == pytest.approx(isls.THEIRS[r["set"]][r["machine"]][k])
    table = stored("walk.table2")
    for r in table.records():
        base = next(name for name in (walk.EXPONENTIALS, *walk.GENES, *walk.OTHERS) if r["set"].startswith(name))
        printed = dict(zip(walk.MACHINES, walk.THEIRS.get(base, ()), strict=False))
        theirs = printed.get(r["machine"], (None, None))
        assert (r["theirs"], r["their spread"]) == (theirs if r["measure"] == "accuracy %" else (None, None))


# ---- the page ----


@pytest.mark.parametrize("key", PAPERS)
def test_a_paper_shows_all_that_it_has(key):
    app = opened(key)
    paper, sentence, drawn = PAPERS[key], text(app), pictures(app)
    assert len(re.findall(r"[.!?](?:\s|$)", paper.idea)) == 3 and paper.idea in sentence and paper.source in sentence
    headings = [element.value for element in app.header]
    entries = experiments(key)
    assert headings == [e.title[0].upper() + e.title[1:] for e in entries] + ["Claims of the paper"]
    for entry in entries:
        table = stored_results.load_result(entry.name)
        if table is None:
            assert stored_results.missing_sentence(entry.name) in sentence
            continue
        assert f"`{table.command}`" in sentence and all(
            formatting.plain(stored_results.symbols(note)) in sentence for note in table.notes
        )
        count = len(EXHIBITS[entry.name].pictures(table))
        assert sum(name.startswith(f"{entry.name}-") for name in drawn) == count
    records = [r for r in stored("claims").records() if r["paper"].startswith(f"{paper.title} (")]
    assert len(records) >= 6 and f"Of {len(records)} claims, quick tests confirm" in sentence
    assert "1 remain open" not in sentence
    for verdict in ("refuted", "open"):
        assert sentence.count(f"*{verdict.capitalize()}:*") == sum(r["verdict"] == verdict for r in records)


def test_a_table_of_ours_beside_theirs_is_on_the_page():
    sentence, rows = text(opened("least_1_norm")), stored_results.sheet(stored("least_1_norm.table2"))[1]
    for row in rows:
        assert "".join(f"<td>{cell}</td>" for cell in row[1:]) in sentence
    assert stored_results.tally(stored("least_1_norm.table2")) in sentence


def test_the_nearest_place_stands_beside_the_chosen_one():
    sentence = text(opened("least_1_norm"))
    table, places = stored("least_1_norm.table2"), stored("least_1_norm.places")
    chosen = least_1_norm.chosen_places(table)
    for name, own in least_1_norm.THEIRS.items():
        for machine in own:
            there, near = (
                [r for r in one.records() if (r["set"], r["machine"]) == (name, machine)][:3] for one in (table, places)
            )
            numbers = [
                [stored_results.number(r[side]) for r in rows]
                for rows, side in ((there, "ours"), (near, "ours"), (near, "theirs"))
            ]
            cells = [
                ", ".join(map(stored_results.number, chosen[name][machine])),
                "; ".join(numbers[0]),
                ", ".join(stored_results.number(near[0][key]) for key in ("C", "sigma")),
                *map("; ".join, numbers[1:]),
            ]
            assert "".join(f"<td>{cell}</td>" for cell in (machine, *cells)) in sentence
            theirs = [mean for mean, _ in own[machine]]
            gaps = [
                np.linalg.norm([r["ours"] / mean - 1 for r, mean in zip(rows, theirs, strict=True)])
                for rows in (there, near)
            ]
            assert gaps[1] <= gaps[0] + 0.01, "the search is over fewer splits"


def test_curves_are_the_numbers_of_the_table():
    drawn = pictures(opened("l01"))
    records = stored("l01.leverage").records()
    for place, measure in enumerate(("accuracy %", "support vectors")):
        for trace in drawn[f"l01.leverage-{place}"]["data"]:
            mine = [r for r in records if (r["machine"], r["measure"]) == (trace["name"], measure)]
            assert trace["x"] == [r["outliers"] for r in mine] and len(mine) >= 5
            assert trace["y"] == pytest.approx([r["ours"] for r in mine], rel=1e-6)


def test_flips_are_drawn_for_the_most_points():
    accuracy, _ = EXHIBITS["l01.flips"].pictures(stored("l01.flips"))
    (hinge,) = [trace for trace in accuracy.figure.plotly.data if trace.name == "L1-SVM"]
    wanted = (1000, "L1-SVM", "accuracy %")
    mine = [r["ours"] for r in stored("l01.flips").records() if (r["n"], r["machine"], r["measure"]) == wanted]
    assert list(hinge.y) == pytest.approx(mine)


def test_a_square_says_what_matters_most():
    head, rows = EXHIBITS["ls_svm.fig2"].digest[1](stored("ls_svm.fig2"))
    assert head[0] == "σ" and "1000" in head and rows[0][0] == "0.125" and rows[0][1] == "0"
    head, rows = EXHIBITS["walk.table2"].digest[1](stored("walk.table2"))
    assert head[1:] == [*walk.MACHINES, walk.CHOSEN]
    (sonar,) = [row for row in rows if row[0] == "sonar"]
    assert re.fullmatch(r"[\d.]+ \| 73\.3 [✓✗]", sonar[1])
    (texts,) = [row for row in rows if row[0] == "pc_mac"]
    assert re.fullmatch(r"[\d.]+", texts[1])


def test_sparse_models_are_drawn_as_the_table_says():
    for row in stored("isls.fig1").records():
        if not problems.available(row["set"]):
            continue
        field, points = exhibits.sparse_model(row["set"], row["C"], row["sigma"])
        weights = points.alpha if row["set"] in isls.CLASSIFICATION else points.beta
        assert np.count_nonzero(weights) == row["support vectors"]
        assert np.all(np.isfinite(field.f)) and field.f.std() > 0


def test_a_result_that_has_gone_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(stored_results, "FOLDER", tmp_path)
    app = healthy(open_page(PAGE, paper="ls_svm"))
    sentence = text(app)
    assert "python -m svmcore.papers run ls_svm.vc_bound --out data/results" in sentence
    assert sentence.count("missing") == 4
    assert set(pictures(app)) == {"ls_svm.fig1-0", "ls_svm.fig1-1", "ls_svm.fig2-0"}  # machines need no result


def test_the_smallest_ball_is_drawn_around_the_points():
    *_, (title, drawing, _) = exhibits.bound(stored("ls_svm.vc_bound"))
    ball = next(trace for trace in drawing.traces if trace["name"].startswith("the smallest ball, r = "))
    points = problems.load("toy_outliers", 0)
    inside = RegularGridInterpolator((ball["y"], ball["x"]), ball["z"])(points.X[:, ::-1])
    assert inside.min() > -0.01 and np.sum(inside < 0.005) in (2, 3)  # a ball in the plane rests on two or three points
    model = SVC(kernel="linear", tol=1e-5).fit(points.X, points.y)
    smallest = np.min(points.y * model.decision_function(points.X))
    radius = float(ball["name"].rpartition(" ")[2])
    value = (radius * np.linalg.norm(model.coef_) / smallest) ** 2
    assert float(title.rpartition(" ")[2]) == pytest.approx(value, rel=0.02)


def test_every_experiment_has_a_link_to_the_same_setting():
    named = [name for name in REGISTRY if name != result_tables.CLAIMS]
    assert sorted(EXHIBITS) == sorted(named) and all(exhibit.links for exhibit in EXHIBITS.values())


@pytest.mark.parametrize("name", ["ls_svm.vc_bound", "least_1_norm.table2", "isls.table1", "isls.fig1", "walk.fig3"])
def test_a_link_opens_a_healthy_screen(name):
    """The others are scenes, which have tests of their own."""
    for _, page, query in EXHIBITS[name].links:
        assert page in frame.MENU
        app = healthy(open_page(page, **query))
        assert not app.warning, app.warning[0].value


# ---- again, while one waits ----


@pytest.fixture
def slowly(monkeypatch):
    """The first experiment waits in the middle until it is let go."""
    go = threading.Event()

    def make(work, quick, seed):
        yield papers.Progress(1, 4, "draws")
        go.wait(20)
        yield papers.Progress(2, 4, "draws")
        return Table(("machine", *COMPARED), (("LS-SVM", 1.25, 0.5, 3, 1.5, None, -0.8, 0.9),))

    monkeypatch.setitem(REGISTRY, "ls_svm.fig1", replace(REGISTRY["ls_svm.fig1"], make=make))
    yield go
    go.set()


def job_of(app, name):
    return app.session_state[f"paper-{name}_jobs"]["papers"]


def test_a_quick_recomputation_is_watched_and_shown(slowly):
    app = open_page(PAGE, paper="ls_svm")
    press(app, "paper-ls_svm.fig1_start")
    job = job_of(app, "ls_svm.fig1")
    app.run()
    assert [b.disabled for b in app.button if b.key.startswith("paper-ls_svm.fig1")] == [True, False]
    slowly.set()
    job.wait(10)
    sentence = text(healthy(app.run()))
    assert re.search(r"\*\*Quick run\*\*, finished in \d+ s\.", sentence)
    assert "<td>1.25 ± 0.50</td><td>1.50</td><td>−0.25, z = −0.8, ✓ agrees</td>" in sentence
    assert [b.disabled for b in app.button if b.key.startswith("paper-ls_svm.fig1")] == [False]  # no stop
