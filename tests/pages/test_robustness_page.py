"""The Robustness page: its numbers against NumPy on the rows, the stored result, a study of one's own, the script."""

from urllib.parse import parse_qsl

import numpy as np
import pytest
from screen import captions, choose, healthy, html, led, offered, open_page, pictures, upload, value, worked

from pages.shared.figures.charts.ranks import errors_figure, ranks_figure
from pages.shared.panels import contaminated_tables
from pages.shared.screen import codec, edits
from pages.shared.screen.choices import Contamination, Setting
from pages.shared.studies import contaminated, results
from svmcore import SVC, losses, papers, problems
from svmcore.solvers import router
from svmcore.studies import contamination, significance
from svmcore.studies.contamination import CLEAN, LEVELS, Choice, Row
from svmcore.studies.robustness import OWN_LEVELS

pytestmark = pytest.mark.usefixtures("warm")
REQUEST = Contamination(("heart", "glass"), ("hinge", "ramp", "log"), "flip_random", 4, 2)


def rows(request=REQUEST, seed=0):
    rng = np.random.default_rng(seed)
    made = contamination.cells(request.tables, request.machines, [request.kind], LEVELS, request.repeats)
    worse = {"hinge": 0.0, "ramp": 0.0, "log": 0.275}  # 5.5 percentage points at 20 %
    return [Row(*c, 0.2 + c.level * worse[c.machine] + 0.02 * rng.random(), 5, 1.0, 2.0, "converged") for c in made]


def error(found, table, machine, level, split=None):
    kind = REQUEST.kind if level else CLEAN
    wanted = (table, machine, kind, level)
    return 100 * np.mean([row.error for row in found if row[:4] == wanted and split in (None, row.split)])


def test_errors_are_those_of_the_rows():
    found = rows()
    errors = contaminated.errors_of(found, REQUEST)
    assert list(errors) == ["heart", "glass"] and errors["glass"].shape == (3, 5, 4)
    assert errors["glass"][1, 3, 2] == pytest.approx(error(found, "glass", "ramp", 0.2, 2))
    assert contaminated.at_level(errors, 0.3)[0, 2] == pytest.approx(error(found, "heart", "log", 0.3))
    assert contaminated.excess(errors, 0.3).min(axis=1) == pytest.approx([0.0, 0.0])
    assert contaminated.about(errors, REQUEST, 0.2).startswith("2 tables, 4 splits each; at most 150 training points")
    mean, low, high = contaminated.curves(errors)
    lowest = [min(error(found, table, machine, 0.0) for machine in REQUEST.machines) for table in REQUEST.tables]
    both = [error(found, table, "hinge", 0.1) - low for table, low in zip(REQUEST.tables, lowest, strict=True)]
    assert (mean[0, 2], low[0, 2], high[0, 2]) == pytest.approx((np.mean(both), *np.percentile(both, [10, 90])))


def test_of_a_table_in_progress_only_whole_splits_count():
    found = [Choice(None, (0, 0)), *rows()]
    split = len(found[1:]) // 8
    first = contaminated.errors_of(found[: split + 3], REQUEST)
    assert first["heart"].shape == (3, 5, 1)
    given = REQUEST._replace(setting=Setting(1e6, "rbf", 1.0, 3, 1.0))
    assert contaminated.about(first, given, 0.2).startswith("1 table, 1 split each, with C = 10⁶, ")
    assert contaminated.errors_of(found[:split], REQUEST) == {}
    (mean, low, high) = contaminated.curves(contaminated.errors_of(found[: 2 * split + 1], REQUEST))
    one = [error(found[1:], "heart", "log", 0.3, split) for split in (0, 1)]
    assert (mean[2, 4], low[2, 4]) == pytest.approx((np.mean(one), np.percentile(one, 10)))


def summary(errors, request):
    found = contaminated.comparison(errors, 0.3, request)
    return contaminated.summary(found, errors, contaminated.support_of(rows(request), request, 0.3), 0.3, request)


def verdict(errors, request):
    return contaminated.verdict(contaminated.comparison(errors, 0.3, request), errors, 0.3, request)


def test_the_summary_says_what_the_statistics_say():
    request = REQUEST._replace(tables=tuple(contamination.SHIPPED[:8]))
    errors = contaminated.errors_of(rows(request), request)
    found = significance.compare(contaminated.at_level(errors, 0.3), ("L1-SVM", "Ramp-loss SVM", "Logistic"))
    lines = summary(errors, request)
    assert [line[1] for line in lines] == [f"{rank:.2f}" for rank in sorted(found.ranks)]
    last = lines[-1]
    assert last[0] == losses.LOSSES["log"].machine and last[4:7] == ["5", "20\u202f%", "8 of 8"]
    assert lines[0][5] == "not up to 30 %" and lines[0][7] == "best" and f"{found.effects[2].shift:.1f} [" in last[7]
    assert f"it is established that {last[0]} is worse" in verdict(errors, request)
    two = {table: values[:2] for table, values in errors.items()}
    assert contaminated.comparison(two, 0.3, request._replace(machines=("hinge", "ramp"))) is not None
    one = {"heart": errors["heart"]}
    assert verdict(one, request).startswith("On this table")
    assert contaminated.comparison(one, 0.3, request) is None and summary(one, request)[0][1] == "–"


def test_the_pictures_show_ranks_and_errors():
    found = significance.compare(np.array([[1.0, 2.0, 9.0], [2.0, 1.0, 8.0]] * 8), ("a", "b", "c"))
    bars, ranks, apart = ranks_figure(found).plotly.data
    assert list(ranks.x) == sorted(found.ranks) and list(bars.x) == [1.0, 1.0 + found.critical]
    assert list(apart.x) == [1.5, 1.5, None]
    (heat,) = errors_figure([[1.0, 2.0]], ["t"], ["a", "b"], measure="error").plotly.data
    assert heat.z[0].tolist() == [1.0, 2.0] and list(heat.text[0]) == ["1.0", "2.0"]


def test_the_stored_result_is_whole_and_shown_at_once(monkeypatch):
    made = {}
    monkeypatch.setattr(contaminated_tables.download, "button", lambda label, make, *_: made.update({label: make}))
    found, about = contaminated.stored_study()
    names = {row.table for row in found}
    assert {row.machine for row in found} == set(router.SOLVABLE) and names == set(contamination.SHIPPED)
    splits = int(about["seeds"].split()[2].rstrip(",")) + 1
    cells = contamination.cells(names, router.SOLVABLE, contamination.KINDS, LEVELS, splits)
    assert {row[:5] for row in found} == set(cells) and len(found) == len(cells)
    assert "svmcore" in about["versions"] and "/" not in about["command"]
    app = healthy(open_page("pages/robustness.py"))
    assert set(pictures(app)) == {"errors", "ranks", "heat"} and about["date"] in captions(app)
    assert len(pictures(app)["heat"]["data"][0]["y"]) == len(names)
    (code,) = (one.value for one in app.code if "contamination.study" in one.value)
    assert f"{LEVELS}, {splits}\n" in code and f"Design(tuned={about['tuned']}, " in code
    assert contamination.from_csv(made["Study (CSV)"]())[1] == about
    choose(app, spoilt="leverage_cluster", at_level="0.3")
    assert "30\u202f%" in captions(healthy(app)) and html(app).count("<tr>") == 8
    missing = [problems.REGISTRY[key].title for key in ("moons", "circles")]
    assert not any(name in captions(app) for name in missing)
    choose(app, tables="heart,sonar,moons,circles")
    assert " and ".join(missing) in captions(healthy(app)) and f"2 tables, {splits} splits" in captions(app)
    choose(app, spoilt="cell_outliers")
    assert contaminated_tables.NOT_STORED in captions(healthy(app)) and not pictures(app)


def test_a_cell_of_the_stored_result_is_computed_again():
    found, about = contaminated.stored_study()
    row = next(row for row in found if row[:5] == ("titanic", "least_squares", "flip_random", 0.2, 1))
    design = contamination.Design(tuned=int(about["tuned"]))
    assert about["C"] == " ".join(map(str, design.C)) and about["most"] == str(design.most)
    points = contamination.read_table("titanic")
    model = contamination.machine("least_squares")
    cells = [contamination.Cell(*row[:4], split) for split in range(design.tuned)]
    places = [contamination.choose(model, points, cell, design).place for cell in cells]
    assert contamination.fit(model, points, contamination.Cell(*row[:5]), design, places).error == pytest.approx(
        row.error, abs=1e-6
    )


def line(table, request, errors):
    """What the script prints of a table."""
    return " ".join([table, *(f"{key} {error:.2f} %" for key, error in zip(request.machines, errors, strict=True))])


def test_a_link_restores_a_study_and_its_script_computes_it(capsys):
    link = dict(
        tables="glass,iris", tested="hinge,huber", spoilt="flip_farthest", at_level="0.1", repeats="2", tuned="each"
    )
    app = open_page("pages/robustness.py", **link)
    assert "iris" in app.warning[0].value and contaminated_tables.NOT_STORED in captions(app)
    request = Contamination(("glass",), ("hinge", "huber"), "flip_farthest", 2, 0)
    exec(contaminated.script(request, 0.1), {})
    printed = capsys.readouterr().out
    job = contaminated_tables.begin(request)
    job.wait(60)
    assert job.is_finished and len(job.rows) == job.total == contaminated.n_cells(request) == 2 * 2 * 5 * 2
    found = contaminated.errors_of(job.rows, request)
    errors = contaminated.at_level(found, 0.1)
    said = contaminated.verdict(None, found, 0.1, request).replace("Huberised-hinge SVM", "huber")
    said = said.replace("L1-SVM", "hinge")
    assert printed == f"{line('glass', request, errors[0])}\n{said}\n"


def nine(n=60, seed=0):
    """A file of nine features, one of words, and of two named classes."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    X = rng.normal(size=(n, 8)) + 1.5 * y[:, None]
    head = [*(f"f{k}" for k in range(1, 9)), "colour", "class"]
    lines = [
        [*(f"{x:.3f}" for x in row), ("red", "blue")[k % 2], ("ill", "well")[int(y[k])]] for k, row in enumerate(X)
    ]
    return "\n".join(",".join(line) for line in [head, *lines]).encode()


def test_a_loaded_table_is_one_of_the_tables(capsys, monkeypatch, tmp_path):
    app = open_page("pages/robustness.py", tested="hinge,huber", repeats="2", tuned="each")
    upload(app, "my nine.csv", nine())
    assert value(healthy(app), "tables") == "own" and offered(app, "tables")[-1] == "my nine.csv"
    choose(app, tables="glass,own")
    app, job = studied(app)
    assert pictures(app)["heat"]["layout"]["yaxis"]["ticktext"] == [contaminated.table_name("glass"), "my nine.csv"]
    assert {row.table for row in job.rows if isinstance(row, Row)} == {"glass", "my nine.csv"}
    request = job.key
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my nine.csv").write_text(contaminated.own_csv(results.own_set(request.own.key)))
    exec(contaminated.script(request, 0.2), {})
    errors = contaminated.at_level(contaminated.errors_of(job.rows, request), 0.2)
    assert f"{line('my nine.csv', request, errors[1])}\n" in capsys.readouterr().out
    link = open_page("pages/robustness.py", tables="own", data=request.own.key, tested="hinge,huber")
    assert value(healthy(link), "tables") == "own" and contaminated_tables.NOT_STORED in captions(link)
    link.button(key="empty_plane").click().run()
    assert value(healthy(link), "tables") == ",".join(contamination.SHIPPED) and "stored result" in captions(link)
    assert not link.warning


@pytest.mark.parametrize(
    "text, words",
    [("a,b,y\n" + "1,2,1\n3,4,2\n5,6,3\n" * 5, "two classes"), ("a,b,y\n1,2,0\n3,4,1\n", "at least 10 points")],
    ids=["three classes", "two points"],
)
def test_a_table_that_cannot_be_studied_gets_a_sentence(text, words):
    app = open_page("pages/robustness.py")
    upload(app, "broken.csv", text.encode())
    assert words in captions(healthy(app))
    assert not any(button.key == "contamination_start" for button in app.button)


def test_nothing_chosen_is_a_sentence():
    app = healthy(open_page("pages/robustness.py", tables=""))
    assert "at least one table" in captions(app) and not pictures(app)


def studied(app):
    """The Robustness page and its study when it has run."""
    return app, worked(app.button(key="contamination_start").click().run(), "contamination")


def test_the_study_of_compare_has_its_problem_and_its_machines(monkeypatch, capsys):
    made = {}
    monkeypatch.setattr(contaminated_tables.download, "button", lambda label, make, *_: made.update({label: make}))
    monkeypatch.setattr(contaminated, "SEEDS", 3)
    of = dict(problem="label_flips", n="40", losses="hinge,pinball", tau="0.3", C="2", beside="study")
    compared = healthy(open_page("pages/compare.py", **of))
    assert not compared.warning and "beside" not in compared.query_params
    (offer,) = (one.proto for one in compared.get("page_link") if one.proto.label == contaminated_tables.OFFER)
    link = dict(parse_qsl(offer.query_string))
    assert offer.page == "robustness"
    assert link.items() >= dict(problem="label_flips", n="40", losses="hinge,pinball", tau="0.3").items()
    app, job = studied(healthy(open_page("pages/robustness.py", **link)))
    assert not app.warning and value(app, "tau") == 0.3 and value(app, "tuned") == "given"
    assert job.key.machines == ("hinge", "pinball") and len(job.rows) == job.total == 2 * 5 * 3
    kept, about = contamination.from_csv(made["Study (CSV)"]())
    assert len(kept) == len(job.rows) and about["kernel"] == "linear"
    row, drawn = job.rows[-1], problems.load("label_flips", 2, n=40, noise=0.3)
    model = SVC(loss="pinball", loss_params={"tau": 0.3}, C=2.0, kernel="linear", tol=1e-6).fit(drawn.X, drawn.y)
    assert row[:5] == ("label_flips", "pinball", "problem", 0.3, 2) and row.C == 2.0
    assert row.error == pytest.approx(1 - model.score(drawn.X_test, drawn.y_test))
    name = "Pinball SVM (τ = 0.3)"
    assert pictures(app)["errors"]["layout"]["xaxis"]["title"]["text"].startswith(OWN_LEVELS["label_flips"][0])
    assert name in [trace["name"] for trace in pictures(app)["errors"]["data"]] and name in html(app)
    assert "1 drawn problem, 3 draws each, with C = 2, Linear kernel; contaminated" in captions(app)
    assert papers.get("l01.flips").shows in captions(app) and papers.l01.NOT_OURS in captions(app)
    (more,) = (one.proto for one in app.get("page_link") if one.proto.label == contaminated_tables.MORE)
    assert (more.page, more.query_string) == ("papers", "paper=l01")
    errors = contaminated.at_level(contaminated.errors_of(job.rows, job.key), 0.2)
    exec(contaminated.script(job.key, 0.2), {})
    assert f"{line('label_flips', job.key, errors[0])}\n" in capsys.readouterr().out
    choose(app, spoilt="leverage_cluster", tables="moons")
    assert contaminated_tables.NOT_STORED in captions(healthy(app)) and value(app, "spoilt") == "leverage_cluster"


def test_points_set_by_hand_become_a_table(monkeypatch):
    rows = [(-k, edits.MOVED + edits.FLIPPED * (k % 2), 100 * k + 2000 * (k % 2), 300 * k) for k in range(1, 13)]
    monkeypatch.setattr(contaminated, "SEEDS", 2)
    text = codec.encode(edits.script((-3, -3), rows))
    app = healthy(open_page("pages/compare.py", problem="own", edits=text, losses="hinge,ramp"))
    app = led(healthy(app.button(key="to_robustness").click().run()))
    assert app.query_params["problem"] == "own" and "edits" not in app.query_params
    own = results.own_set(app.query_params["data"])
    assert sorted(map(tuple, own.X)) == sorted((x / 1000, y / 1000) for *_, x, y in rows)
    _, job = studied(healthy(app))
    assert job.key.own.n == 12 and not job.key.scaled and len(job.rows) == 2 * 5 * 2
