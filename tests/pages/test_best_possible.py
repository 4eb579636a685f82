"""The best possible machine on Compare and on Losses: searched in the background, and what is said of it."""

import re

import numpy as np
import pytest
from screen import choose, healthy, html, open_page, press, said, worked

from pages.shared.panels import best_possible, movement
from pages.shared.screen.choices import Data, Machine
from pages.shared.server.jobs import Job
from pages.shared.studies import lone_outlier
from svmcore import problems
from svmcore.solvers.nonconvex import global_optimum
from svmcore.solvers.nonconvex.global_optimum import Best
from svmcore.studies import optimality
from svmcore.studies.optimality import EVERY, Compared

pytestmark = pytest.mark.usefixtures("warm")
ZERO_ONE, RAMP = Machine("zero_one"), Machine("ramp", (("mu", 1.5),))
FLIPS = {"problem": "label_flips", "noise": "0.2", "n": "40", "kernel": "linear"}


def test_compare_searches_on_demand_and_shows_the_proof():
    app = healthy(open_page("pages/compare.py", losses="hinge,zero_one,ramp", mu="1.5", C="2", **FLIPS))
    assert not app.session_state["best_jobs"] and "global optimum" in said(app)
    job = worked(press(app, "best_start"), "best")
    problem = problems.load("label_flips", 0, n=40, noise=0.2)
    latest = dict(job.rows)
    assert list(latest) == [ZERO_ONE, RAMP]
    for machine, row in latest.items():
        best = global_optimum.find(problem.X, problem.y, 2.0, machine.loss, dict(machine.params))
        assert row.best.is_proved and row.best.objective == pytest.approx(best.objective, rel=1e-9)
        assert f"{machine.name}**" in said(app) and "(proved)" in said(app)
        assert list(row.found) == list(optimality.METHODS[machine.loss])
        assert all(objective >= best.objective * (1 - 1e-9) for objective in row.found.values())
    rows = html(app, ">steps<").split("<tr>")
    lines = {name: line for line in rows for name in re.findall("<th scope='row'>(.*?)</th>", line)}
    proved = {name for name, line in lines.items() if movement.BEST in line}
    assert proved == {machine.name for machine, row in latest.items() if row.is_optimal(EVERY)} and len(lines) == 3
    assert proved and movement.BEST not in html(healthy(choose(app, C=3.0)))


def test_losses_search_by_themselves_beside_the_outlier():
    app = open_page("pages/losses.py", losses="zero_one,hinge", distance="3")
    ((machine, row),) = dict(worked(app, "best").rows).items()
    X, y = lone_outlier.contaminated_points(3.0)
    setting = lone_outlier.setting("linear")
    assert X.shape == (41, 2) and y[-1] == -1.0 and machine == ZERO_ONE
    assert row.best.objective == pytest.approx(global_optimum.find(X, y, setting.C, "zero_one").objective, rel=1e-9)
    assert best_possible.sentences([(machine, row)])[0] in said(app)


TABLE = {"problem": "titanic", "n": "40", "kernel": "linear"}


NOT_PROVED = (FLIPS | {"kernel": "rbf"}, FLIPS | {"n": "300"}, TABLE)


@pytest.mark.parametrize("losses, link", [*(("zero_one,hinge", link) for link in NOT_PROVED), ("hinge,log", FLIPS)])
def test_where_nothing_can_be_proved_this_is_said_and_convex_machines_need_no_search(losses, link):
    app = healthy(open_page("pages/compare.py", losses=losses, **link))
    assert (best_possible.ELSEWHERE in said(app)) == ("zero_one" in losses) and "global optimum" not in said(app)


def row(objective, examined=1.0, bound=0.0, **found):
    return Compared(Best(objective, np.zeros(2), 0.0, examined, bound), found)


def test_what_is_said_while_it_runs_and_at_the_end():
    every = {EVERY: 12.4}
    sentences = best_possible.sentences(
        [(ZERO_ONE, row(12.3, 0.2, **every)), (ZERO_ONE, row(12.1, 0.4, 11.011, **every))]
    )
    assert sentences == [
        "**L0/1-SVM**: ADMM 12.4, lowest so far 12.1, none below 11.011, gap 9.0\u202f%; "
        "40.0\u202f% of the candidates examined"
    ]
    (sentence,) = best_possible.sentences([(ZERO_ONE, row(12.1, **every))])
    assert sentence == "**L0/1-SVM**: ADMM 12.4, best possible 12.1 (proved), gap 2.5\u202f%"
    (sentence,) = best_possible.sentences([(RAMP, row(12.4, **every))])
    assert sentence.endswith(": CCCP 12.4, the best possible (proved)")
    lines = best_possible.lines([(ZERO_ONE, row(10.0, **{"a": 15.0, "b": 10.0}))])
    assert [line[1:] for line in lines] == [["a", "15", "50.0\u202f%"], ["b", "10", "0\u202f%"]]


def test_progress_counts_all_machines_that_can_be_searched():
    machines = best_possible.searchable([Machine("hinge"), ZERO_ONE, RAMP])
    assert machines == (ZERO_ONE, RAMP)
    request = best_possible.BestRequest(machines, 1.0, Data("moons", 0, ()))
    job = Job(request, iter([(ZERO_ONE, row(1.0, 0.5))]), 9)
    job.wait()
    share, words = best_possible._progress(job)
    assert share == 0.25 and words.startswith("25.0\u202f%")
