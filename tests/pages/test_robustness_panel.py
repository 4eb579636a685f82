"""The robustness study: bands and tables against numpy on the rows, what a stopped one may show, and the page of it."""

import csv

import numpy as np
import pytest
from screen import captions, choose, healthy, open_page, pictures

import svmcore
from pages.shared.panels import robustness_study
from pages.shared.screen.choices import NO_OUTLIERS, Data, Machine, Setting
from pages.shared.studies import snippet
from svmcore import SVC, problems
from svmcore.problems import outliers, splits
from svmcore.studies import robustness
from svmcore.studies.robustness import Row

SETTING = Setting(1.0, "linear", 2.0, 3, 1.0)
MACHINES = [Machine("hinge"), Machine("least_squares")]


def rows(stop=None, seeds=5):
    rng = np.random.default_rng(0)
    found = [
        Row(machine, level, seed, float(rng.random()), int(rng.integers(50)), 7, float(rng.random()), "converged")
        for seed in range(seeds)
        for level in (0.0, 0.1, 0.2)
        for machine in ("a", "b")
    ]
    return found[:stop]


LEVELS = robustness.own_levels("label_flips", values=(0.0, 0.1, 0.2))


def test_bands_are_mean_and_percentiles():
    levels, (a, b) = robustness_study.bands(rows(), {"a": 4, "b": 1})
    assert levels.tolist() == [0.0, 0.1, 0.2]
    assert (a.name, a.index, b.index) == ("a", 4, 1)
    at = [100 * row.error for row in rows() if row.machine == "b" and row.level == 0.1]
    assert b.mean[1] == pytest.approx(np.mean(at))
    assert (b.low[1], b.high[1]) == pytest.approx(np.percentile(at, [10, 90]))


@pytest.mark.parametrize("stop, levels", [(1, [0.0]), (2, [0.0]), (3, [0.0]), (4, [0.0, 0.1]), (6, [0.0, 0.1, 0.2])])
def test_a_stopped_study_shows_what_every_machine_has_reached(stop, levels):
    found, lines = robustness_study.bands(rows(stop), {"a": 0, "b": 1})
    if stop == 1:
        assert [line.name for line in lines] == ["a"]
    assert found.tolist() == levels and all(len(line.mean) == len(levels) for line in lines)
    accuracy = robustness_study.measure_rows(rows(stop), LEVELS, ["a", "b"])["Accuracy on clean points, %"]
    known = [[cell != "–" for cell in line[1:]] for line in accuracy]
    assert sum(map(sum, known)) == stop and "±" not in str(accuracy)  # a single draw has no spread


def test_the_tables_are_mean_and_deviation():
    tables = robustness_study.measure_rows(rows(), LEVELS, ["b", "a"])
    assert [line[0] for line in tables["Support vectors"]] == ["0\u202f%", "10\u202f%", "20\u202f%"]
    for column, name in ((1, "b"), (2, "a")):
        for line, level in enumerate((0.0, 0.1, 0.2)):
            at = [row for row in rows() if (row.machine, row.level) == (name, level)]
            accuracy = 100 - 100 * np.array([row.error for row in at])
            expected = f"{accuracy.mean():.1f} ± {accuracy.std(ddof=1):.1f}"
            assert tables["Accuracy on clean points, %"][line][column] == expected
            support = np.array([row.n_support for row in at])
            assert tables["Support vectors"][line][column] == f"{support.mean():.1f} ± {support.std(ddof=1):.1f}"
            low, middle, high = 1e3 * np.percentile([row.seconds for row in at], [10, 50, 90])
            assert tables["Time of a fit"][line][column] == f"{middle:.0f} ms ({low:.0f} ms to {high:.0f} ms)"


def test_a_study_is_csv():
    of = asked("label_flips", ("n", 60), ("noise", 0.3))
    head, *lines = csv.reader(robustness_study.to_csv(rows(), of).splitlines())
    count = len(Row._fields)
    assert head[:count] == list(Row._fields) and len(lines) == 30
    assert lines[0][:3] == ["a", "0.0", "0"] and float(lines[0][3]) == rows()[0].error
    for line in lines:  # each can be taken out of the file and still says where it is from
        made = dict(zip(head[count:], line[count:], strict=True))
        assert (made["problem"], made["options"], made["outliers"]) == ("label_flips", "n=60 noise=0.3", "none")
        assert (made["C"], made["kernel"], made["svmcore"], made["numpy"]) == (
            "1.0", "linear", svmcore.__version__, np.__version__,
        )  # fmt: skip


def test_the_verdict_is_that_of_paired_differences():
    found = [row._replace(error=0.1 + 0.01 * row.seed + 0.02 * (row.machine == "b")) for row in rows()]
    found = [row._replace(error=0.5) if row.level == 0.1 else row for row in found]
    sentence = robustness_study.verdict(found, LEVELS)
    assert "At 20\u202f% the a has the smallest mean error on clean points, 12.00\u202f%." in sentence
    assert "b +2.00 ± 0.00 " in sentence and "same 5 draws" in sentence
    gaps = [0.0, 0.01, 0.03, 0.0, 0.01]
    found = [
        row._replace(error=0.2 + (row.machine == "a") * gaps[row.seed]) if row.level == 0.2 else row for row in rows()
    ]
    error = 100 * np.std(gaps, ddof=1) / np.sqrt(5)
    assert "the b has" in (sentence := robustness_study.verdict(found, LEVELS))
    assert f"a +{100 * np.mean(gaps):.2f} ± {error:.2f} " in sentence
    wider = 100 * np.std(gaps, ddof=1) * np.sqrt(1 / 5 + 3 / 7)  # of splits that test on 30 % of the same points
    sentence = robustness_study.verdict(found, LEVELS, 3 / 7)
    assert f" ± {wider:.2f} " in sentence and "same 5 splits, which share points" in sentence
    assert robustness_study.verdict(rows(4), LEVELS) == "" and robustness_study.verdict(rows()[::2], LEVELS) == ""


@pytest.mark.parametrize(
    "of",
    [("label_flips", ("n", 40), ("noise", 0.1)), ("toy_outliers",)],
    ids=["own contamination", "flips"],
)
def test_the_study_in_python_has_the_rows_of_the_page(of, capsys, monkeypatch):
    monkeypatch.setattr(robustness_study, "SEEDS", 3)
    request = asked(*of)._replace(machines=(Machine("hinge"), Machine("pinball", (("tau", 0.3),))))
    job = robustness_study.begin(request)
    job.wait(60)
    own = {}
    exec(snippet.study(*request, robustness_study.SEEDS), own)
    assert len(own["rows"]) == request.total
    assert [row._replace(seconds=0) for row in own["rows"]] == [row._replace(seconds=0) for row in job.rows]
    assert f"{request.levels.values[-1]} Pinball SVM (tau = 0.3) error " in capsys.readouterr().out


def own_points_on(n, monkeypatch, **data):
    """Data of n own points, one of them added as an outlier and one with a label that was changed."""
    rng = np.random.default_rng(1)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    clean = splits.split(rng.normal(size=(n, 2)) + y[:, None], y, 0, dict(data.get("options", ())).get("hold_out", 0.0))
    shown = outliers.add(outliers.flip(clean, [0]), np.array([[9.0, 9.0]]), [-1.0])
    monkeypatch.setattr(robustness_study.results, "problem", lambda data: shown)
    return Data("own", 3, **({"options": ()} | data))


def test_own_points_are_split_and_their_clean_labels_spoiled(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(robustness_study, "SEEDS", 3)
    request, other = (
        robustness_study.request_of(own_points_on(40, monkeypatch, options=options), MACHINES, SETTING)
        for options in ((), (("hold_out", 0.3),))
    )
    assert request.shared_points == pytest.approx(3 / 7) and asked("moons").shared_points == 0.0
    assert request == other and len(request.points) == 40, "the outliers, or the points held out on the page, matter"
    drawn = [request.levels.draw(0.0, seed) for seed in range(2)]
    assert {tuple(row) for row in np.vstack([drawn[0].X, drawn[0].X_test])} == {row[:2] for row in request.points}
    assert [int(np.sum(one.y_test == label)) for one in drawn for label in (-1.0, 1.0)] == [6] * 4
    assert not np.array_equal(drawn[0].X_test, drawn[1].X_test)
    spoiled = request.levels.draw(0.25, 0)
    assert np.array_equal(spoiled.X, drawn[0].X) and np.sum(spoiled.y != drawn[0].y) == 7  # a quarter of 28
    assert np.array_equal(spoiled.y_test, drawn[0].y_test)
    assert "3 random splits of your points" in (words := robustness_study.about(request))
    assert "the 30\u202f% of each class that a split holds out" in words

    job = robustness_study.begin(request)
    job.wait(60)
    monkeypatch.chdir(tmp_path)
    (tmp_path / snippet.STUDIED).write_text(robustness_study.points_csv(request))
    own = {}
    exec(snippet.study(*request, robustness_study.SEEDS), own)
    assert [row._replace(seconds=0) for row in own["rows"]] == [row._replace(seconds=0) for row in job.rows]
    assert len(job.rows) == request.total == 2 * 7 * 3 and "0.3 LS-SVM error" in capsys.readouterr().out


def test_too_few_own_points_are_named(monkeypatch):
    ten, nine, none = (
        robustness_study.request_of(own_points_on(n, monkeypatch), MACHINES, SETTING) for n in (10, 9, 1)
    )
    assert robustness_study.too_few(ten) == robustness_study.too_few(asked("moons")) == ""
    assert robustness_study.too_few(nine).endswith("in each class; the smaller has 4.")
    assert robustness_study.too_few(none).endswith("in each class; the smaller has 0.")


def asked(problem, *options, kind=NO_OUTLIERS):
    return robustness_study.request_of(Data(problem, 3, options, kind, 4), MACHINES, SETTING)


def test_what_is_studied():
    flips = asked("label_flips", ("n", 60), ("noise", 0.3))
    assert (flips.levels.values, flips.levels.unit) == ((0.0, 0.05, 0.1, 0.15, 0.2), "share")
    assert flips.total == 2 * 5 * robustness_study.SEEDS
    drawn, by_hand = flips.levels.draw(0.2, 4), problems.load("label_flips", 4, n=60, noise=0.2)
    assert np.array_equal(drawn.X, by_hand.X) and np.array_equal(drawn.y, by_hand.y)
    far = asked("leverage_outliers", ("n", 60), ("outliers", 20))
    assert far.levels.values == (0, 2, 4, 7, 10, 15, 20) and len(far.levels.draw(7, 0).y) == 67
    assert [robustness_study.level_text(far.levels, k) for k in (0, 1, 20)] == ["0 points", "1 point", "20 points"]
    # what the page's outliers are comes first, and other problems have labels to flip
    assert asked("label_flips", kind="leverage_cluster").kind == "leverage_cluster"
    assert asked("moons").kind == "flip_share" and asked("moons").levels.values == robustness.SHARES


def test_what_is_said_of_it():
    flips = robustness_study.about(asked("label_flips"))
    assert "Training labels flipped, 0\u202f% to 20\u202f%: each machine above is fitted to 20 draws" in flips
    assert "with C = 1 and the kernel of this page (Linear), and tested on clean points." in flips
    assert "0 points to 20 points: " in robustness_study.about(asked("leverage_outliers"))
    assert "Flip a share, 0\u202f% to 30\u202f% of the points: " in robustness_study.about(asked("moons"))
    for problem, claim in (("label_flips", "far fewer support vectors"), ("leverage_outliers", "filter out outliers")):
        sentence = robustness_study.published_claim(asked(problem))
        assert sentence.startswith("L0/1-SVM (Wang et al. 2019): ") and claim in sentence and "no number" in sentence
    assert robustness_study.published_claim(asked("moons")) == ""
    assert robustness_study.published_claim(asked("label_flips", kind="flip_share")) == ""


def test_the_rows_are_those_of_the_page_s_machines(monkeypatch):
    monkeypatch.setattr(robustness_study, "SEEDS", 2)
    of = asked("leverage_outliers", ("n", 40), ("outliers", 3))
    job = robustness_study.begin(of)
    job.wait(60)
    assert job.is_finished and len(job.rows) == of.total == 2 * 7 * 2 and job.error is None
    last, drawn = job.rows[-1], problems.load("leverage_outliers", 1, n=40, outliers=20)
    model = SVC(loss="least_squares", kernel="linear").fit(drawn.X, drawn.y)
    assert (last.machine, last.level, last.seed) == ("LS-SVM", 20, 1)
    assert last.error == pytest.approx(1 - model.score(drawn.X_test, drawn.y_test))


@pytest.mark.usefixtures("warm")
def test_the_page_of_a_study(monkeypatch):
    monkeypatch.setattr(robustness_study, "SEEDS", 2)
    link = dict(problem="label_flips", n="40", losses="hinge,least_squares")
    app = healthy(open_page("pages/compare.py", **link))
    app.button(key="study_start").click().run()
    job = app.session_state["study_jobs"]["compare"]
    job.wait(60)
    healthy(app.run())
    tables = [element.proto.body for element in app.get("html") if "training labels flipped" in element.proto.body]
    assert len(tables) == 3 and all(f"<th scope='row'>{share}\u202f%</th>" in tables[0] for share in (0, 5, 10, 15, 20))
    assert "L1-SVM" in tables[0] and "±" in tables[0] and " ms to " in tables[2]
    drawn = pictures(app)["sweep"]  # in the units of the tables
    assert drawn["layout"]["xaxis"]["title"]["text"] == "training labels flipped, %"
    assert drawn["layout"]["yaxis"]["title"]["text"] == "error on clean points, %"
    (line,) = (trace for trace in drawn["data"] if trace["name"] == "L1-SVM")
    assert line["x"] == [0, 5, 10, 15, 20]
    errors = [100 * row.error for row in job.rows if (row.machine, row.level) == ("L1-SVM", 0.2)]
    assert line["y"][-1] == pytest.approx(np.mean(errors))
    sentence = captions(app)
    assert (
        "standard deviation over the draws" in sentence and "Stopped" not in sentence and "have changed" not in sentence
    )
    assert app.button(key="study_start").disabled
    (link,) = (element.proto for element in app.get("page_link") if element.proto.label == robustness_study.MORE)
    assert link.page == "papers" and link.query_string == "paper=l01"
    choose(app, kernel="poly")
    assert "have changed since" in captions(healthy(app))
    assert not app.button(key="study_start").disabled
