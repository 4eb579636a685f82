"""The pages without a browser: every control, every link, every sentence. What is drawn is read from the payload."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from screen import ROOT, choose, formulas, healthy, html, metrics, notes, open_page, pictures, value
from written import number_in

from pages.shared.panels import machine_numbers
from pages.shared.server import run_queue
from pages.shared.studies.scenes import SCENES
from svmcore import SVC, losses, problems
from svmcore.kernels import KERNELS
from svmcore.solvers import router
from svmcore.status import Status
from svmcore.warned import silently

pytestmark = pytest.mark.usefixtures("warm")

PAGES = ["home.py", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "pages").glob("*.py") if p.stem != "__init__")]


@pytest.mark.parametrize("problem", ["moons", "sinc", "three_clouds", "own"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_answers_a_link_with_other_points(path, problem):
    """Two classes, a curve, three classes, and an empty plane: a page without a picture of them says so (`guards`)."""
    healthy(open_page(path, problem=problem))


def test_the_menu_lists_every_page():
    from pages.shared.page import page as frame

    assert set(frame.MENU) == set(PAGES)
    assert list(frame.MENU)[0] == "home.py" and list(frame.MENU)[-1] == "pages/help.py"


def test_a_problem_brings_its_suggestions_but_for_what_is_changed_after_it():
    """On a slow line both travel in one message."""
    entry = problems.REGISTRY["two_spirals"]
    for first, last in (({}, {}), ({"C": 3.0}, {"sigma": 0.7})):
        app = healthy(choose(open_page("pages/playground.py"), **first, problem="two_spirals", **last))
        assert value(app, "sigma") == last.get("sigma", entry.sigma)
        assert (value(app, "kernel"), value(app, "n")) == (entry.kernel, 360)
        assert value(app, "C") == entry.C != 3.0


@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "precomputed"])
def test_the_formula_shown_is_the_kernel_computed(kernel):
    link = dict(kernel=kernel, sigma="0.8", degree="2", coef0="0.5")
    app = open_page("pages/playground.py", problem="moons", n="40", **link)
    problem = problems.load("moons", n=40)
    model = SVC(kernel=kernel, gamma=1 / 0.8**2, degree=2, coef0=0.5, max_iter=10)
    with silently():
        model.fit(problem.X, problem.y)
    assert f"k(x, z) = {model.kernel_.latex}" in formulas(app)


@pytest.mark.parametrize("loss", ["hinge", "log", "ramp", "zero_one"])
def test_the_error_shown_belongs_to_the_line_drawn(loss):
    """Read the sign of every training point off the picture, and count."""
    app = open_page("pages/playground.py", problem="moons", noise="0.35", loss=loss)
    traces = {trace["name"]: trace for trace in pictures(app)["plane"]["data"]}
    field = traces["boundary"]
    f = RegularGridInterpolator((field["y"], field["x"]), np.array(field["z"]))
    wrong = total = 0
    for name, label in (("points +1", 1), ("points -1", -1)):
        points = np.column_stack([traces[name]["y"], traces[name]["x"]])
        wrong += np.sum(np.sign(f(points)) != label)
        total += len(points)
    assert total == 200 and field["contours"] == {"start": 0, "end": 0, "size": 1, "coloring": "none"}
    assert 100 * wrong / total == pytest.approx(float(metrics(app)["Training error"].split()[0]), abs=0.6)


@pytest.mark.parametrize("sigma, words", [("1e-9", "memorises the data"), ("1e9", "nearly linear")])
def test_a_hopeless_sigma_gets_advice(sigma, words):
    app = healthy(open_page("pages/playground.py", problem="moons", sigma=sigma))
    assert words in app.info[0].value and "Try σ between" in app.info[0].value


def test_an_indefinite_kernel_is_named():
    app = healthy(open_page("pages/playground.py", problem="moons", kernel="sigmoid", sigma="0.5"))
    assert "stationary point" in app.info[0].value and "an offset below 0 with a larger σ" in app.info[0].value
    assert not healthy(choose(app, coef0=-2.0, sigma=20.0)).info  # what it says helps
    assert "an offset of 0 or more" in healthy(choose(app, kernel="poly")).info[0].value
    assert not healthy(choose(app, coef0=0.0)).info


def w_squared(loss):
    """The square of w of the machine below: no square of a length where the kernel is not positive semidefinite."""
    problem = problems.load("moons", 0, n=60)
    with silently():
        model = SVC(loss, kernel="sigmoid", gamma=1 / 0.3**2, coef0=0.0).fit(problem.X, problem.y)
    beta = model.dual_coef_[0]
    return beta @ model.kernel_(model.support_vectors_, model.support_vectors_) @ beta


@pytest.mark.parametrize("loss", ["hinge", "least_absolute", "huber"])
def test_there_is_no_gap_where_there_is_no_bound(loss):
    link = dict(problem="moons", n="60", kernel="sigmoid", sigma="0.3", coef0="0")
    app = healthy(open_page("pages/playground.py", **link, loss=loss))
    shown = table(app)
    assert shown["status"] == Status.STATIONARY and metrics(app)["Solver"] == "not converged"
    assert shown["duality gap"] == shown["dual objective"] == "–" and float(shown["objective"]) > 0.0
    assert shown["‖w‖, intercept"].startswith("–, ") == (w_squared(loss) < 0.0)
    assert any("stationary point" in note for note in notes(app))


def finite_numbers(value):
    """All finite numbers in nested dicts and lists."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in finite_numbers(item)]
    return [value] if isinstance(value, (int, float)) and np.isfinite(value) else []


@pytest.mark.parametrize("page", ["playground", "compare"])
def test_no_number_of_a_run_without_end_is_shown(page):
    link = dict(problem="moons", kernel="sigmoid", sigma="0.3", coef0="0", loss="squared_hinge")
    app = healthy(open_page(f"pages/{page}.py", **link, losses="squared_hinge,hinge"))
    assert "unbounded" in html(app) and not re.search(r"e\+[1-9]\d", html(app) + " ".join(notes(app)))
    numbers = [abs(value) for picture in pictures(app).values() for value in finite_numbers(picture["data"])]
    assert len(numbers) > 100 and max(numbers) < 1e6
    if page == "playground":
        assert machine_numbers.ENDLESS in notes(app) and metrics(app)["Test error"] == "–"
        shown = table(app)
        assert [shown[name] for name in ("objective", "dual objective", "duality gap")] == ["–"] * 3
        assert shown["violation, tolerance"] == "–, 0.001" and shown["‖w‖, intercept"] == "–, –"


@pytest.mark.parametrize("C", ["1000", "100000"])
def test_the_objective_is_that_of_the_optimum(C):
    """Two spirals with C = 1e5: "converged" stood beside an objective of 2559, the optimum is 106.7."""
    shown = table(healthy(open_page("pages/playground.py", problem="two_spirals", C=C)))
    assert shown["status"] == "converged" and float(shown["objective"]) == pytest.approx(106.71, rel=0.011)
    assert number_in(shown["duality gap"]) < 1.1


def test_small_multiples_share_one_scale():
    """Equal support values have equal markers in every panel, and the largest of all panels sets the scale, whose key
    the overlay has, and tells.
    """
    found, keyed = {}, []
    for name, figure in pictures(open_page("pages/compare.py", losses="hinge,least_squares")).items():
        meta = figure["layout"]["meta"]
        keyed += [name] * ("sizes" in meta) + [name] * ("Key of sizes" in meta["alt"])
        for trace in figure["data"]:
            if name.startswith("plane-") and trace["name"] == "points +1":
                sizes = np.broadcast_to(trace["marker"]["size"], len(trace["x"]))
                found[name] = max(zip(sizes, np.abs(np.array(trace["customdata"])[:, 1]), strict=True))
    assert keyed == ["overlay", "overlay"]
    (small, less), (large, more) = sorted(found.values())
    assert less < more and small == pytest.approx(large * np.sqrt(less / more), rel=0.02)


def table(app):
    """name -> value of all tables of pairs."""
    return dict(re.findall(r"<th scope='row'>(.*?)</th><td>(.*?)</td>", html(app)))


def test_a_local_minimum_is_called_one():
    app = healthy(open_page("pages/playground.py", problem="leverage_outliers", loss="zero_one"))
    assert metrics(app)["Solver"] == table(app)["status"] == "local minimum" and len(app.warning) == 0
    assert table(app)["this minimum"] == "found from 3 of 6 starts"
    assert table(app)["dual objective"] == table(app)["duality gap"] == "–"
    problem = problems.load("leverage_outliers")
    model = SVC("zero_one", kernel="linear").fit(problem.X, problem.y)
    bound = float(table(app)["certificate"].removeprefix("P-stationary for every ADMM penalty &gt; "))
    assert model.certificate_ <= bound <= 1.002 * model.certificate_
    assert float(table(app)["objective"]) == pytest.approx(model.objective_)
    trivial = float(table(app)["objective of w = 0: C min(N₊, N₋)"])
    assert trivial == min((problem.y > 0).sum(), (problem.y < 0).sum()) > model.objective_
    hinge = table(open_page("pages/playground.py", problem="leverage_outliers", loss="hinge"))
    assert "certificate" not in hinge and "this minimum" not in hinge and not [k for k in hinge if "w = 0" in k]


def test_beside_the_trivial_solution_stands_a_C_above_which_it_is_not_the_best():
    row = "w = 0 is not the optimum for"
    link = {"problem": "label_flips", "loss": "zero_one", "kernel": "linear", "n": "60"}
    shown = table(healthy(open_page("pages/playground.py", **link, C="0.001")))
    bound = float(shown[row].removeprefix("C &gt; "))
    assert Status.TRIVIAL.startswith(shown["status"].partition(";")[0]) and bound > 0.001
    shown = table(healthy(open_page("pages/playground.py", **link, C=f"{1.5 * bound:.4g}")))
    assert row not in shown and float(shown["‖w‖, intercept"].partition(",")[0]) > 0.0


def test_a_constant_f_gets_advice():
    app = healthy(open_page("pages/playground.py", problem="moons", loss="zero_one", C="1e-5"))
    assert metrics(app)["Solver"] == "not converged"
    assert "the trivial solution, w = 0, is the best found." in app.warning[0].value
    assert "larger C" in app.warning[0].value
    indefinite = healthy(choose(app, kernel="sigmoid", C=1.0))
    assert Status.NOT_POSITIVE in indefinite.warning[0].value and "larger C" not in indefinite.warning[0].value


@pytest.mark.parametrize("loss", router.SOLVABLE)
def test_every_loss_has_its_formula_and_its_numbers(loss):
    app = healthy(open_page("pages/playground.py", problem="moons", n="40", noise="0.35", loss=loss, C="3"))
    known = losses.get(loss)
    assert known.latex in formulas(app) and f'loss="{loss}"' in app.caption[-1].value + app.caption[-2].value
    assert metrics(app)["Solver"] in ("converged" if known.convex else "local minimum")
    assert all(f"{p.latex} = {p.default:g}" in formulas(app) for p in known.parameters)


def test_the_cards_and_scenes_of_home_lead_where_they_say():
    links = [element.proto for element in open_page("home.py").get("page_link")]
    cards = {link.label: link.query_string for link in links if link.query_string.startswith("loss=")}
    machines_shown = {label.strip("*"): query for label, query in cards.items()}
    for key, loss in losses.LOSSES.items():
        assert machines_shown[loss.machine] == f"loss={key}"
    for key, scene in SCENES.items():
        (link,) = [link for link in links if scene.title in link.label]
        assert link.page in scene.page and dict(parse_qsl(link.query_string)) == scene.query | {"scene": key}
    for label, page in (("Sparse LS-SVM", "sparsity"), ("1-norm SVM", "feature_walk"), ("The five papers", "papers")):
        assert [link.page for link in links if f"**{label}**" in link.label] == [page]


@pytest.mark.parametrize("query, words", [({"losses": "hinge"}, "two to six"), ({"problem": "own"}, "+1")])
def test_a_page_that_ends_early_gives_its_turn_back(query, words):
    app = healthy(open_page("pages/compare.py", **query))
    assert words in app.info[0].value and run_queue.queue.counts == (0, 0)
