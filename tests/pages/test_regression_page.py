"""Regression on the pages without a browser: what is drawn is read from the payload."""

import hashlib
import re

import numpy as np
import pytest
from screen import (
    board,
    captions,
    choose,
    control,
    followed,
    formulas,
    healthy,
    html,
    metrics,
    offered,
    open_page,
    pictures,
    places,
    traces,
    value,
)

from pages.shared.controls.points import UNFLIPPED
from pages.shared.screen import codec, edits, own_points
from pages.shared.screen.choices import COMPARED, Data, Machine
from pages.shared.screen.edits import MARKED, MOVED, OFF
from pages.shared.studies import classification, formatting, regression
from svmcore import SVR, losses, problems, words
from svmcore.losses import regression as regression_losses
from svmcore.problems import fetched

pytestmark = pytest.mark.usefixtures("warm")

PLAYGROUND, COMPARE = "pages/playground.py", "pages/compare.py"
LOSSES = list(regression_losses.LOSSES)


@pytest.fixture
def fossil(monkeypatch, tmp_path):
    """A set of the shape of fossil; ask for seeds of its own, the pages keep what they once read."""
    monkeypatch.setenv("SVMCORE_DATA", str(tmp_path))
    fetched.store("fossil", published())


def published():
    rng = np.random.default_rng(0)
    x = rng.uniform(91.0, 124.0, 106)
    y = 0.70735 + 1e-4 * np.sin(x / 5) + 2e-5 * rng.standard_normal(106)
    rows = "".join(f"{a!r} {b!r}\n" for a, b in np.column_stack([x, y]).tolist())
    return ("age strontium.ratio\n" + rows).encode()


FORMULAS = {"least_squares": r"\ell(r) = \tfrac{1}{2}\, r^2", "least_absolute": r"\ell(r) = |r|$"}
FORMULAS |= {"epsilon_insensitive": r"\ell(r) = \max(0,\, |r| - \varepsilon)"}
CURVES = [*(("sinc", 1.0, loss) for loss in LOSSES), ("motorcycle", 100.0, "hawkeye"), ("fossil", 1e-4, LOSSES[0])]


@pytest.mark.parametrize("name, unit, loss", CURVES)
def test_the_curve_on_the_page_is_what_the_model_predicts(name, unit, loss, fossil):
    few = {} if name == "fossil" else {"n": 60}
    app = healthy(open_page(PLAYGROUND, problem=name, loss=loss, seed="7", **few))
    problem = problems.load(name, 7, **few)
    model = SVR(loss, C=problem.C, gamma=problem.sigma**-2).fit(problem.X, problem.y / unit)
    drawn = traces(app, "plane")
    x, y = np.array(drawn["curve"]["x"]), np.array(drawn["curve"]["y"])
    assert len(x) == 600 and y == pytest.approx(unit * model.predict(x[:, None]), rel=1e-12)
    beta = np.zeros(len(problem.y))
    beta[model.support_] = model.dual_coef_[0]
    points = drawn["points"]
    order = [int(told[0]) for told in points["customdata"]]
    assert sorted(order) == list(range(len(problem.y)))
    assert points["x"] == problem.X[order, 0].tolist() and points["y"] == problem.y[order].tolist()
    assert [told[1] for told in points["customdata"]] == pytest.approx(beta[order], rel=1e-6)
    rmse = np.sqrt(np.mean((problem.y_test - unit * model.predict(problem.X_test)) ** 2))
    shown = metrics(app)
    assert shown["Test RMSE"] == words.number(rmse, ".4g")
    assert shown["Support vectors"] == f"{len(model.support_)} of {len(beta)}"
    assert shown["Solver"] == ("local minimum" if loss in ("welsch", "hawkeye") else "converged") and not app.warning
    assert FORMULAS.get(loss, r"\ell(r) = ") in formulas(app)
    has_tube = loss in ("epsilon_insensitive", "hawkeye")
    assert ("tube" in drawn) == has_tube and ("truth" in drawn) == (name == "sinc")
    said = [caption.value for caption in app.caption if "measures y in units of" in caption.value]
    assert [f"{unit:g}" in text for text in said] == ([] if unit == 1.0 else [True])
    assert all(("ε" in text) == has_tube and "‖w‖, the intercept" in text for text in said)


@pytest.mark.parametrize("name", ["sinc", "motorcycle", "fossil"])
def test_compare_shows_every_machine(name, fossil):
    app = healthy(open_page(COMPARE, problem=name, seed="8"))
    assert set(pictures(app)) == {"overlay", *(f"plane-{loss}" for loss in COMPARED["regression"])}
    for loss in COMPARED["regression"]:
        key, label = f"plane-{loss}", Machine(loss, (("epsilon", 0.1),) if loss == LOSSES[0] else ()).name
        assert traces(app, "overlay")[label]["y"] == traces(app, key)["curve"]["y"]
    shown = html(app)
    assert "test RMSE" in shown and "Σ |β|" in shown and "error" not in shown and "largest change" not in shown
    assert not [
        one for one in app.get("page_link") if one.proto.page == "robustness" and "tables" in one.proto.query_string
    ]
    said = [caption.value for caption in app.caption if "measures y in units of" in caption.value]
    assert ["ε" in text for text in said] == ([] if name == "sinc" else [True])


@pytest.mark.parametrize(
    "link, words",
    [
        ({"problem": "sinc", "loss": "hinge"}, "“Loss” must be one of ε-SVR (epsilon_insensitive)"),
        ({"loss": "epsilon_insensitive"}, f"“Loss” must be one of the {len(losses.LOSSES)} in its list; "),
    ],
)
def test_a_loss_that_does_not_suit_falls_back_with_a_note(link, words):
    app = healthy(open_page(PLAYGROUND, **link))
    assert [words in warning.value.replace("\\", "") for warning in app.warning] == [True]
    assert metrics(app) == metrics(open_page(PLAYGROUND, **{k: v for k, v in link.items() if k == "problem"}))


def test_losses_that_do_not_suit_are_left_out_with_a_note():
    app = healthy(open_page(COMPARE, problem="sinc", losses="hinge,least_squares,least_absolute"))
    assert ["'hinge'" in warning.value for warning in app.warning] == [True]
    assert set(pictures(app)) == {"overlay", "plane-least_squares", "plane-least_absolute"}


def test_a_problem_of_the_other_task_brings_losses_that_suit_it():
    app = open_page(PLAYGROUND)
    choose(app, loss="pinball")
    choose(app, problem="sinc")
    assert value(app, "loss") == "epsilon_insensitive" and len(healthy(app).warning) == 0
    keys = ["epsilon_insensitive", "least_squares", "least_absolute", "welsch", "hawkeye"]
    assert [key for key, _ in control(app, "loss")["options"]] == keys
    choose(app, loss="least_squares")
    choose(app, problem="moons")
    assert value(app, "loss") == "least_squares" and len(healthy(app).warning) == 0  # it suits both
    app.switch_page(COMPARE).run()
    assert {"plane-hinge", "plane-pinball"} < set(pictures(app)) and len(app.warning) == 0
    choose(app, problem="motorcycle")
    assert set(pictures(healthy(app))) == {"overlay", *(f"plane-{loss}" for loss in COMPARED["regression"])}
    assert len(app.warning) == 0


def test_the_menu_marks_regression_whose_labels_cannot_be_flipped_and_what_is_to_be_fetched():
    options = offered(open_page(PLAYGROUND), "problem")
    tables = [option for option in options if option.startswith("Table: ")]
    regression = ["Regression: Sinc", "Regression: Motorcycle", "Regression: Fossil (needs a download)"]
    assert options[-len(tables) - 4 : -1] == [*regression, *tables] and "Table: Heart" in tables
    for key, mark in (("fourclass", " (needs a download)"), ("toy_outliers", "")):
        assert problems.REGISTRY[key].title + mark in options
    assert len(options) == len(problems.names(planar=True)) + len(tables) + 1 and options[-1] == own_points.TITLE
    app = healthy(open_page(PLAYGROUND, problem="sinc", contamination="flip_random", flips="3"))
    assert control(app, "contamination")["off"] == UNFLIPPED["regression"] and "outliers" not in traces(app, "plane")


# -------------------------------------------------------------------------------------- by hand


def test_the_board_receives_places_and_steps_of_each_axis(fossil):
    for name, steps in (("sinc", [-2, -3]), ("fossil", [-2, -7])):
        told = board(open_page(PLAYGROUND, problem=name, seed="9"))
        problem = problems.load(name, 9)
        assert told["labels"] == [] and told["step"] == steps
        assert told["base"]["x"] == problem.X[:, 0].tolist() and told["base"]["y"] == problem.y.tolist()
        assert set(told["base"]["label"]) == {1.0} and not any(told["base"]["mark"])


def test_edits_in_a_link_move_the_points_of_the_curve():
    script = edits.script((-2, -3), [(3, MOVED | MARKED, 150, 2500), (5, OFF), (-1, 0, -200, 777)])
    app = healthy(open_page(PLAYGROUND, problem="sinc", n="50", loss="least_squares", edits=codec.encode(script)))
    drawn = traces(app, "plane")
    at = places([drawn["points"]])
    assert at[3] == (1.5, 2.5) and at[-1] == (-2.0, 0.777) and 5 not in at and len(at) == 50
    assert drawn["outliers"]["customdata"] == [[3]] and drawn["switched off"]["customdata"] == [[5]]
    problem = classification.make_problem(Data("sinc", 0, (("n", 50), ("noise", 0.1)), edits=script))
    x = np.array(drawn["curve"]["x"])
    for kept, name in ((problem.ids != 99, "curve"), (problem.ids != 3, "ghost")):
        model = SVR("least_squares", C=100.0, gamma=0.25).fit(problem.X[kept], problem.y[kept])
        line = drawn[name]
        assert line["y"] == pytest.approx(model.predict(np.array(line["x"])[:, None]), abs=1e-9)
    assert x[0] < -9 and pictures(app)["plane"]["layout"]["yaxis"]["range"][1] > 2.5
    choose(app, outliers_on=False)
    assert "ghost" not in traces(app, "plane") and traces(app, "plane")["curve"]["y"] == drawn["ghost"]["y"]


def test_compare_says_how_far_each_curve_moved():
    script = edits.script((-2, -3), [(3, MOVED | MARKED, 0, 5000)])
    app = healthy(open_page(COMPARE, problem="sinc", n="50", edits=codec.encode(script)))
    shown = html(app)
    head = re.findall(r"<th scope='col'>(.*?)</th>", shown)
    assert head[:5] == ["machine", *regression.TASK.words.movement, "test RMSE"]
    assert f": {', '.join(head[1:4])}." in captions(app)
    moved = dict(re.findall(r"<tr><th scope='row'>(.*?)</th><td[^>]*>(.*?)</td>", shown))
    assert float(moved["LS-SVM"]) > 5 * float(moved["Least 1-Norm SVM"])
    assert captions(app).count("moved by up to") == 3
    assert all("ghost" in traces(app, f"plane-{loss}") for loss in COMPARED["regression"])


def test_without_points_the_plane_stays_in_reach():
    script = edits.script((0, 0), [(k, OFF) for k in range(10)])
    app = healthy(open_page(PLAYGROUND, problem="sinc", n="10", edits=codec.encode(script)))
    bare = traces(app, "bare")
    assert len(app.info) == 1 and len(bare["switched off"]["x"]) == 10 and "curve" not in bare


# --------------------------------------------------------------------------------- fetched sets


@pytest.mark.parametrize("path", [PLAYGROUND, COMPARE])
def test_a_set_that_is_not_there_can_be_given(path, monkeypatch, tmp_path):
    monkeypatch.setenv("SVMCORE_DATA", str(tmp_path))
    app = open_page(path, problem="fossil", seed="10" if path == PLAYGROUND else "11")
    (refused,) = (e.value for e in app.error)
    assert [e.value for e in app.exception] == [] and "python -m svmcore.problems fetch fossil" in refused
    upload = app.file_uploader(key="upload-fossil")
    assert fetched.address("fossil") in upload.label
    upload.set_value(("fossil.txt", b"age y\n1 2\n", "text/plain")).run()
    assert formatting.plain("This is not the set 'fossil'") in app.error[1].value and not problems.available("fossil")
    app.file_uploader(key="upload-fossil").set_value(("fossil.txt", published(), "text/plain")).run()
    assert pictures(healthy(app)) and not app.get("file_uploader")
    assert not problems.available("fossil")  # these numbers are not the published ones
    other = open_page(path, problem="fossil", seed="10" if path == PLAYGROUND else "11")
    assert other.error[0].value == refused and not pictures(other)
    assert str(tmp_path) not in other.error[0].value


def test_a_file_in_the_place_of_a_set_is_found_on_the_next_page(monkeypatch, tmp_path):
    monkeypatch.setenv("SVMCORE_DATA", str(tmp_path))
    app = open_page(PLAYGROUND, problem="fossil", seed="12")
    app.file_uploader(key="upload-fossil").set_value(("fossil.txt", published(), "text/plain")).run()
    assert pictures(healthy(app))
    for path in ("pages/lessons.py", COMPARE):  # Lessons has a control of its own called "given"
        followed(app.switch_page(path), {"problem": "fossil", "seed": "12", "given": "2"})
        healthy(app)
    assert pictures(app) and not app.get("file_uploader")


def test_the_published_file_serves_all(monkeypatch, tmp_path):
    monkeypatch.setenv("SVMCORE_DATA", str(tmp_path))
    table = fetched.check_content("fossil", published())
    digest = hashlib.sha256(table.astype("<f8").tobytes()).hexdigest()
    monkeypatch.setitem(fetched.SOURCES, "fossil", fetched.SOURCES["fossil"]._replace(digest=digest))
    app = open_page(PLAYGROUND, problem="fossil", seed="14")
    app.file_uploader(key="upload-fossil").set_value(("fossil.txt", published(), "text/plain")).run()
    assert pictures(healthy(app)) and problems.available("fossil")
    assert pictures(healthy(open_page(PLAYGROUND, problem="fossil", seed="14")))


@pytest.mark.parametrize("text", [None, "", "# what\n", "# what\nx,y\n", "# what\nx,y\n1\n2\n", "# what\nx,y\n1,2\n3"])
def test_a_damaged_or_missing_file_of_the_project_is_a_sentence_without_a_folder(text, monkeypatch, tmp_path):
    from svmcore.problems import tables

    monkeypatch.setattr(tables, "DATA", tmp_path)
    if text is not None:
        (tmp_path / "motorcycle.csv").write_text(text)
    app = open_page(PLAYGROUND, problem="motorcycle", seed="4712")
    assert [e.value for e in app.exception] == [] and not app.get("file_uploader")
    assert "motorcycle.csv" in app.error[0].value and ("is damaged" in app.error[0].value) == (text is not None)
    assert str(tmp_path) not in app.error[0].value


def test_a_damaged_set_can_be_given_again(fossil, tmp_path):
    kept = tmp_path / "fossil.csv"
    kept.write_text("".join(kept.read_text().splitlines(keepends=True)[:-1]))
    app = open_page(PLAYGROUND, problem="fossil", seed="12")
    assert "is damaged" in app.error[0].value
    app.file_uploader(key="upload-fossil").set_value(("fossil.txt", published(), "text/plain")).run()
    assert pictures(healthy(app))
