"""The Losses page: curves are the losses' own, the outlier does what SVC says, and every sentence holds by numbers."""

import functools
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from screen import captions, choose, healthy, html, open_page, pictures, traces

from pages.shared.live import loss_pictures
from pages.shared.page import page
from pages.shared.panels import best_possible, loss_cards, outlier_sweep
from pages.shared.screen import schema
from pages.shared.screen.choices import Machine
from pages.shared.studies import lone_outlier, loss_curves, results
from svmcore import SVC, duals, losses, problems
from svmcore.studies import plane, robustness

pytestmark = pytest.mark.usefixtures("warm", "no_search")

ODD = {"tau": 0.3, "epsilon": 0.2, "delta": 0.7, "mu": 1.5, "kappa": 0.4, "a": 3.0, "lam": 2.0}


def machine(key, **odd):
    return Machine(key, tuple((p.name, odd.get(p.name, p.default)) for p in losses.get(key).parameters))


every = pytest.mark.parametrize("key", losses.LOSSES)


@pytest.fixture(scope="module")
def no_search():
    """The best possible machine is searched for in tests/pages/test_best_possible.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_possible, "beside_the_outlier", lambda machines, distance: None)
        yield


def steps(key, kernel):
    """The steps of that machine with its own parameters, which all sessions share."""
    return list(results.outlier_sweep(machine(key), kernel))


# ------------------------------------------------------------------------------------------ curves


@every
@pytest.mark.parametrize("what", ["value", "slope", "prox"])
def test_a_curve_is_the_losss_own_formula_and_broken_exactly_where_it_jumps(key, what):
    loss, own = losses.get(key), machine(key, **ODD)
    drawn, params = loss_curves.curve(own, what, 0.8), dict(own.params)
    formula = {"value": loss, "slope": loss.slope, "prox": lambda z, **p: loss.prox(z, 0.8, **p)}[what]
    seen = ~np.isnan(drawn.x)
    assert np.array_equal(drawn.y[seen], formula(drawn.x[seen], **params))
    assert np.all(np.diff(drawn.x[seen]) >= 0) and (drawn.x[0], drawn.x[-1]) == (-3.0, 4.0)
    assert np.array_equal(np.isnan(drawn.x), np.isnan(drawn.y))
    gaps = np.flatnonzero(np.isnan(drawn.y))
    assert np.all(drawn.x[gaps + 1] - drawn.x[gaps - 1] < 1e-12)
    assert np.all(np.abs(drawn.y[gaps + 1] - drawn.y[gaps - 1]) > 0.01)
    step, size = np.diff(drawn.x), np.abs(np.diff(drawn.y))
    assert np.nanmax(size / np.maximum(step, 1e-3)) < 25.0  # e^3 is the steepest that any of them gets


def test_ends_that_belong_to_the_curve_are_told_from_those_that_do_not():
    step = loss_curves.curve(machine("zero_one"), "value")
    assert (step.closed.tolist(), step.open.tolist()) == ([[0.0, 0.0]], [[0.0, 1.0]])
    sign = loss_curves.curve(machine("least_absolute"), "slope")
    assert (sign.closed.tolist(), sign.open.tolist()) == ([[0.0, 0.0]], [[0.0, -1.0], [0.0, 1.0]])
    ramp = loss_curves.curve(machine("ramp", mu=1.5), "slope")
    assert (ramp.closed.tolist(), ramp.open.tolist()) == ([[0.0, 0.0], [1.5, 0.0]], [[0.0, 1.0], [1.5, 1.0]])
    window = loss_curves.curve(machine("zero_one"), "prox", 2.0)  # (8) of the L0/1 paper: both answers at sqrt(2 c)
    assert window.closed == pytest.approx(np.array([[2.0, 0.0], [2.0, 2.0]])) and not len(window.open)
    alone = loss_curves.sample_curve(lambda t: np.where(np.abs(t - 1.0) < 1e-12, 5.0, np.sign(t - 1.0)))
    assert [1.0, 5.0] in alone.closed.tolist()


@pytest.mark.parametrize("key", duals.DUALS)
def test_the_box_is_the_range_of_the_slope_and_the_ridge_that_of_the_dual(key):
    own = machine(key, **ODD)
    qp, box = duals.build(key, np.array([1.0]), 2.0, **dict(own.params)), loss_curves.box(own)
    ends = losses.get(key).slope(np.array([-1e12, 1e12]), **dict(own.params))
    assert box[:2] == pytest.approx(np.where(np.abs(ends) < 1e6, ends, np.copysign(np.inf, ends)))
    assert box.ridge / 2 == pytest.approx(qp.ridge[0])


@every
def test_the_ring_lies_on_the_loss_and_its_line_has_the_slope_alpha_by_C(key):
    own, C, loss = machine(key), lone_outlier.setting("linear").C, losses.get(key)
    graph = loss_pictures.LossGraph((own,), (own,), "value", 1.0)
    for step in steps(key, "linear"):
        (ring,) = (one for one in loss_pictures.curves_figure(graph, {own: step}, C).traces if one["name"] == "marked")
        ((name, t, slope),) = ring["customdata"]
        assert (name, t, C * slope) == (f"{own.name}: the outlier", step.t, step.alpha)
        if -3 < t < 4:
            assert ring["y"] == pytest.approx(np.clip(loss(step.t, **dict(own.params)), -0.2, 4.0), abs=0.1)


def test_the_boxes_outside_the_table():
    assert loss_curves.box(machine("insensitive_pinball", tau=0.3)) == pytest.approx((-0.3, 1.0, None))
    assert loss_curves.box(machine("log")) == pytest.approx((0.0, 1.0, None))
    assert loss_curves.box(machine("exponential"))[:2] == (0.0, np.inf)
    assert [key for key in losses.LOSSES if loss_curves.box(machine(key)) is None] == [
        key for key, loss in losses.LOSSES.items() if not loss.convex
    ]


@pytest.mark.parametrize(
    "key, words",
    [
        ("hinge", ["0 .. C", "0"]),
        ("squared_hinge", ["0 .. inf", "1/C"]),
        ("least_squares", ["−inf .. inf", "1/C"]),
        ("least_absolute", ["−C .. C", "0"]),
        ("pinball", ["−0.3 C .. C", "0"]),
        ("huber", ["0 .. C", "0.7/C"]),
        ("log", ["0 .. C", "–"]),
        ("ramp", ["–", "–"]),
    ],
)
def test_the_box_in_words(key, words):
    assert loss_cards.box_text(loss_curves.box(machine(key, **ODD))) == words


# ----------------------------------------------------------------------------------------- outlier


def test_the_outlier_starts_in_the_middle_of_the_other_class_and_leaves_off_the_line():
    X, y = lone_outlier.points()
    towards = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    start, end = lone_outlier.place(0.0, X, y), lone_outlier.place(10.0, X, y)
    assert start == pytest.approx(X[y > 0].mean(axis=0))
    assert np.linalg.norm(end - start) == pytest.approx(10 * np.linalg.norm(towards))
    assert robustness.angle(towards, end - start) == pytest.approx(60.0)
    assert schema.DISTANCE.default < lone_outlier.IN_SIGHT, "on the first screen it lies inside the picture"
    entry = problems.REGISTRY["toy_outliers"]
    assert (lone_outlier.setting("rbf").C, lone_outlier.setting("rbf").sigma) == (entry.C, entry.sigma) == (1.0, 2.0)


@pytest.mark.parametrize("kernel", lone_outlier.KERNELS)
@pytest.mark.parametrize("key", ["hinge", "least_squares", "least_absolute", "log", "sigmoid", "ramp", "zero_one"])
def test_the_numbers_are_those_of_svc(key, kernel):
    step = steps(key, kernel)[1]
    X, y = lone_outlier.points()
    place = lone_outlier.place(2.5, X, y)
    clean, spoiled = (
        SVC(key, tol=1e-4, C=1.0, kernel=kernel, gamma=0.25).fit(points, labels)
        for points, labels in ((X, y), (np.vstack([X, place]), np.append(y, -1.0)))
    )
    alpha = dict(zip(spoiled.support_, spoiled.dual_coef_[0], strict=True)).get(40, 0.0) * -1.0
    assert step.alpha == pytest.approx(alpha, abs=1e-9)
    assert step.t == pytest.approx(1.0 + spoiled.decision_function(place[None])[0], abs=1e-9)
    xs, ys = plane.view(X)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    changed = np.mean(clean.predict(grid) != spoiled.predict(grid))
    assert step.share == pytest.approx(changed, abs=1e-12)
    if kernel == "linear":
        turned = robustness.angle(clean.coef_[0], spoiled.coef_[0])
        assert step.turned == pytest.approx(turned, abs=1e-4)  # arccos near 1
    else:
        assert np.isnan(step.turned)


def test_what_other_readers_have_computed_comes_first():
    known, new = machine("hinge"), machine("huber", delta=0.123)
    list(results.outlier_sweep(known, "rbf"))
    job = outlier_sweep.begin(((new, known), "rbf"))
    job.wait(60)
    expected = [(own, distance) for own in (known, new) for distance in lone_outlier.DISTANCES]
    assert [(own, step.distance) for own, step in job.rows] == expected and job.total == len(job.rows)


# Bounded losses that are symmetric in t, or whose bound is high, are among these.
@pytest.mark.parametrize("kernel", lone_outlier.KERNELS)
def test_what_is_said_of_a_loss_is_what_its_sweep_shows(kernel):
    made = {machine(key): steps(key, kernel) for key in losses.LOSSES}
    always, partly, never = "**Ignored at every", "**Ignored at some", "**Followed**"
    said = outlier_sweep.statements(made, kernel)
    for key in losses.LOSSES:
        own, mine = machine(key), steps(key, kernel)
        ignored = [abs(step.alpha) < 0.1 and step.share < 0.005 for step in mine]
        group = always if all(ignored) else partly if any(ignored) else never
        named = [text for text in said if re.search(rf"[:,] {re.escape(own.name)}( \(|,|\.)", text)]
        assert [text for text in named if "exceeds C" not in text] == [text for text in said if group in text], key
    assert any("exceeds C" in text and machine("least_squares").name in text for text in said)
    assert any("Nothing changes" in text for text in said) == (kernel == "rbf")


def test_another_sweep_says_something_else():
    """Nothing is said by the name of a loss, nor of a sweep that is not complete."""
    welsch, follower = machine("welsch"), steps("least_squares", "linear")
    assert "Ignored" in outlier_sweep.statements({welsch: steps("welsch", "linear")}, "linear")[0]
    assert "Followed" in outlier_sweep.statements({welsch: follower}, "linear")[0]
    assert outlier_sweep.statements({welsch: follower[:-1]}, "linear") == []


# -------------------------------------------------------------------------------------------- page


def finished(app):
    """The page after its work in the background."""
    for job in app.session_state[f"{outlier_sweep.PANEL.kind}_jobs"].values():
        job.wait(300)  # in a new clone it compiles
    if app.get("progress"):
        app.run()
    assert not app.get("progress"), "the work in the background did not end"
    return healthy(app)


def test_all_losses_at_once():
    for key in losses.LOSSES:
        steps(key, "linear")
    app = finished(open_page("pages/losses.py", losses=",".join(losses.LOSSES), tau="0.5", around="linear"))
    assert set(pictures(app)) == {"curves", "alpha", "moved", "boundaries"}
    names = [machine(key).name for key in losses.LOSSES]
    for picture in ("curves", "alpha", "moved", "boundaries"):
        assert set(names) <= set(traces(app, picture))
    assert machine("asymmetric_truncated_pinball", tau=0.25).name == "ATP-SVM (τ = 0.25, κ = 0.1, μ = 2)"
    looks = {(t["line"]["color"], t["line"]["dash"]) for n, t in traces(app, "alpha").items() if n in names}
    assert len(looks) == len(names)
    text = html(app)
    for key, loss in losses.LOSSES.items():
        (row,) = re.findall(rf"{re.escape(machine(key).name)}</th><td>(?=yes|no)(.*?)</tr>", text)
        cells = re.findall("(?:^|<td>)(.*?)</td>", row)
        assert cells[:3] == [("no", "yes")[flag] for flag in (loss.convex, loss.bounded, loss.sparse)]
        assert cells[-1] == loss.solved_by


def test_a_run_draws_its_pictures_once(monkeypatch):
    drawn, losses = [], loss_pictures.losses

    @functools.wraps(losses)
    def counted(source, sweep, moving):
        drawn.append(sweep)
        return losses(source, sweep, moving)

    monkeypatch.setattr(loss_pictures, "losses", counted)
    app = finished(open_page("pages/losses.py", losses="hinge,least_squares", distance="2.5"))
    drawn.clear()
    app.run()
    assert [sweep.steps_made for sweep in drawn] == [
        {machine("hinge"): len(lone_outlier.DISTANCES), machine("least_squares"): len(lone_outlier.DISTANCES)}
    ]


def test_a_sweep_of_which_more_is_known_or_another_is_shown_is_another():
    hinge, made = machine("hinge"), steps("hinge", "linear")
    sweep = loss_pictures.Sweep({hinge: made}, "linear", 2.5, loss_pictures.LossGraph((hinge,), (hinge,), "value", 1.0))
    assert sweep == sweep._replace(steps={hinge: [*made]})
    others = [{"steps": {hinge: made[:1]}}, {"kernel": "rbf"}, {"at": 5.0}, {"graph": sweep.graph._replace(weight=2.0)}]
    assert not any(sweep == other for other in [None, *(sweep._replace(**changed) for changed in others)])


def test_where_the_01_loss_jumps_every_slope_from_zero_is_one():
    assert loss_curves.rises(machine("zero_one")).tolist() == [0.0]
    assert not any(len(loss_curves.rises(machine(key))) for key in losses.LOSSES if key != "zero_one")
    app = finished(open_page("pages/losses.py", losses="zero_one", curve="slope"))
    drawn = traces(app, "curves")["L0/1-SVM"]
    x, y = np.array(drawn["x"], float), np.array(drawn["y"], float)
    assert (x[-2:].tolist(), y[-2], y[-1] > 3.2) == ([0.0, 0.0], 0.0, True)  # to the upper end of the axis
    assert not np.any(np.nan_to_num(y[:-2])) and loss_pictures.MEANING["slope"] in captions(app)
    app = finished(open_page("pages/losses.py", losses="zero_one", curve="value"))
    slashes = [t for name, t in traces(app, "curves").items() if "slope" in name and "at t = 0" in name]
    assert len(slashes) == 3 and all((t["x"][0], t["y"][0]) == (0.0, 0.0) and t["y"][1] > 0.0 for t in slashes)
    app = finished(open_page("pages/losses.py", losses="ramp", curve="value"))
    assert not [name for name in traces(app, "curves") if "slope" in name and "at t" in name]
    app = finished(open_page("pages/losses.py", losses="zero_one", curve="prox", prox_c="2"))
    assert "marked" not in traces(app, "curves"), "a prox has no place for the outlier"


@pytest.mark.parametrize("chosen, beside", [("hinge,zero_one", " 3 lines from below at a jump"), ("hinge,ramp", "")])
def test_the_words_on_the_losses_count_the_others_and_without_a_loss_the_page_asks_for_one(chosen, beside):
    alt = pictures(open_page("pages/losses.py", losses=chosen))["curves"]["layout"]["meta"]["alt"]
    assert alt.partition(", where")[0].endswith(f"; faint behind: {len(losses.LOSSES) - 2} others.{beside}")
    app = healthy(open_page("pages/losses.py", losses=" "))
    assert set(pictures(app)) == {"curves"} and "Choose a loss" in app.info[0].value


def test_the_slider_moves_the_mark_and_the_table():
    app = finished(open_page("pages/losses.py", losses="least_squares,hinge", distance="2.5"))
    for distance in (2.5, 7.5):
        choose(app, distance=distance)
        here = [step for step in steps("least_squares", "linear") if step.distance == distance][0]
        now = traces(app, "alpha")["now"]
        assert set(now["x"]) == {distance} and now["y"][1] == pytest.approx(here.alpha)
        assert traces(app, "moved")["now"]["y"][1] == pytest.approx(here.turned)
        assert pictures(app)["alpha"]["layout"]["xaxis"].get("type") != "log"
        row = re.findall(r"LS-SVM</th>(.*?)</tr>", html(app))[-1]
        cells = re.findall("<td>(.*?)</td>", row)
        largest = max(step.alpha for step in steps("least_squares", "linear"))
        t = f"{here.t:.2f}".replace("-", "−")
        assert cells[:4] == [f"{here.alpha:.3f}", f"{largest:.3f}", t, f"{here.turned:.1f}°"]
        assert cells[5] == "converged"


@pytest.mark.parametrize("distance, arrows", [(0.0, []), (2.5, []), (5.0, ["the outlier"])])
def test_the_outlier_is_ringed_among_the_points_or_pointed_to(distance, arrows):
    app = finished(open_page("pages/losses.py", losses="hinge", distance=str(distance)))
    picture = pictures(app)["boundaries"]
    points = {trace["name"]: trace for trace in picture["data"]}
    assert len(points["L1-SVM"]["z"]) == lone_outlier.RESOLUTION
    place = lone_outlier.place(distance, *lone_outlier.points())
    assert len(points["points -1"]["x"]) == 21 and len(points["points +1"]["x"]) == 20
    assert (points["outliers"]["x"][0], points["outliers"]["y"][0]) == pytest.approx(tuple(place), rel=1e-6)
    assert [note["text"] for note in picture["layout"]["annotations"]] == arrows


def test_under_a_gaussian_the_page_counts_the_plane():
    app = finished(open_page("pages/losses.py", losses="hinge", around="rbf", distance="5"))
    shares = [100 * step.share for step in steps("hinge", "rbf")]
    assert traces(app, "moved")["L1-SVM"]["y"] == pytest.approx(shares)
    assert outlier_sweep.WHY["rbf"] in [text.value for text in app.markdown]
    assert any("**Followed**" in text.value and "L1-SVM (" in text.value for text in app.markdown)


def test_every_card_leads_to_its_machine():
    app = finished(open_page("pages/losses.py", losses="hinge,huber", delta="0.7", problem="own", data="abc"))
    menu = {label for label, _ in page.MENU.values()}
    links = {e.proto.label: e.proto for e in app.get("page_link") if e.proto.label not in menu}
    kept = dict(losses="hinge,huber", delta="0.7", problem="own", data="abc")
    assert {name: dict(parse_qsl(link.query_string)) for name, link in links.items()} == {
        "**L1-SVM**": kept | {"loss": "hinge"},
        "**Huberised-hinge SVM**": kept | {"loss": "huber"},
    }
    curve = finished(open_page("pages/losses.py", losses="hinge", problem="sinc"))
    (link,) = (e.proto for e in curve.get("page_link") if e.proto.label == "**L1-SVM**")
    assert link.query_string == "loss=hinge"  # a machine that a curve does not have
    assert all(link.page.endswith("playground") for link in links.values())
    sentence = captions(app)
    assert losses.huber.latex + r",\; \allowbreak {\delta = 0.7}$" in sentence and losses.huber.source in sentence
    assert f"convex, unbounded, sparse; solved by {losses.hinge.solved_by}." in sentence
