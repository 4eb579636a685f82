"""CCCP and the ADMM of the L0/1-SVM watched: the same run to the bit, and every sentence true of it."""

import re

import numpy as np
import pytest
from variants import LINEAR, every_truncated
from written import numbers_in

from svmcore import duals, losses, problems
from svmcore.solvers import router
from svmcore.solvers.nonconvex import admm, expansions
from svmcore.status import Status
from svmcore.watch import cccp as watch_cccp
from svmcore.watch import registry, sentences, trace


def given_of(loss, kernel=LINEAR, n=120, C=1.0, **params):
    drawn = problems.load("leverage_outliers", 0, outliers=20, n=n)
    return trace.Given.classification(kernel, drawn.X, drawn.y, loss, C, **params)


@pytest.mark.parametrize("start", ["convex", "means"])
@every_truncated
def test_a_round_has_the_box_of_each_point_sub_steps_and_true_sentences(loss, params, start):
    """Who lies beyond a cut on the machine before is crossed, then the boxes move, then they are solved."""
    given = given_of(loss, C=2.0, **params)
    description = registry.DESCRIPTIONS[f"cccp_{start}"]
    seen, full = description.record(given, tol=1e-6), losses.get(loss).check(**params)
    tau, mu, kappa = full.get("tau", 0.0), full.get("mu", np.inf), full.get("kappa", np.inf)
    band = 1.0 - mu, 1.0 + full.get("kappa", 0.0)
    assert np.all(np.diff(seen.objective) <= 1e-9 * seen.objective[0])  # P never rises
    first = {"convex": "there is no machine yet", "means": "the machine between the means"}[start]
    assert description.why(seen, 0, given)[0].startswith(f"The start: {first}")
    for row in range(1, len(seen.iteration)):
        cut, low, high = (seen.events[name][row] for name in ("cut", "low", "high"))
        shift = np.where(cut > 0, -2.0, np.where(cut < 0, 2.0 * tau, 0.0))
        assert (np.sum(cut > 0), np.sum(cut < 0)) == (seen.events["above"][row], seen.events["below"][row])
        assert low == pytest.approx(shift - 2.0 * tau) and high == pytest.approx(shift + 2.0)
        alpha = given.y * seen.iterates[row]
        assert np.all(alpha >= low - 1e-12) and np.all(alpha <= high + 1e-12)
        state = seen.events["state"][row]
        assert np.array_equal(state == duals.ZERO, alpha == 0.0)
        assert np.array_equal(state == duals.UPPER, (alpha == high) & (alpha != 0.0))
        assert np.array_equal(state == duals.LOWER, (alpha == low) & (alpha != 0.0))
        if row > 1 or start == "means":  # the cuts of a round are those of the machine before it
            t = 1.0 - given.y * (given.K @ seen.iterates[row - 1] + seen.intercepts[row - 1])
            assert np.array_equal(cut, (t > mu).astype(int) - (t < -kappa))
        else:
            assert not cut.any()
        look, move, solve = description.substeps(seen, row, given)
        assert (look.name, move.name, solve.name) == description.words.substeps
        shown = [(row - 1, row - 1), (row - 1, row), (row, row)]
        for step, places in zip((look, move, solve), shown, strict=True):
            assert (step.shown, step.boxed) == places
            assert step.marks.crossed == tuple(np.flatnonzero(cut)) and step.marks.band == band
        before = seen.events["cut"][row - 1] if row > 1 else 0 * cut  # round 1 begins with no box moved
        assert np.array_equal(move.marks.points, np.flatnonzero(cut != before))
        assert look.marks.points == solve.marks.points == () and description.marks(seen, row, given) == move.marks
        said = description.why(seen, row, given)
        assert [*move.sentences, *solve.sentences] == said
        fresh, back = np.flatnonzero((cut != 0) & (cut != before)), np.flatnonzero((cut == 0) & (before != 0))
        text = " ".join(said)
        for some in (fresh[cut[fresh] > 0], fresh[cut[fresh] < 0], back):
            assert not len(some) or f"{sentences.capital(sentences.list_points(some))} lie" in text
        moves = watch_cccp._cuts(before, cut)
        assert said[: len(moves)] == moves and (moves == watch_cccp._cuts(cut, cut)) == (not len(fresh) + len(back))
        assert int(re.search(r"took (\d+) step", text)[1]) == seen.events["steps"][row]
        assert sentences.objective(seen.objective[row - 1] - seen.objective[row], seen.objective[row]) in text
        for count, side in ((seen.events["above"][row], "above μ"), (seen.events["below"][row], "below −κ")):
            assert (side in look.sentences[0]) == bool(count)
        assert np.array_equal(trace.box(seen, row), [low, high])
    assert description.substeps(seen, 0, given) == [] and np.all(np.isnan(trace.box(seen, 0)))
    assert "local minimum" in said[-1]
    assert watch_cccp._cuts(np.array([1, 0]), np.array([0, -1])) == [
        "Point 1 lies below −κ: truncated, the box of α moves up by τ C and 0 is its lower end.",
        "Point 0 lies between: no longer truncated, the box of α moves back.",
    ]


@pytest.mark.parametrize("rules", ["robust", "authors", "paper"])
def test_iterations_are_those_of_the_solver_in_their_sub_steps(rules):
    """Against the solver's own states: T by the window over the machine before, with multipliers; who lies below."""
    given, weight = given_of("zero_one"), np.linspace(1.0, 2.0, 140)
    given = given._replace(C=weight)
    description = registry.DESCRIPTIONS[f"admm_{rules}"]
    seen = description.record(given, tol=1e-5, max_iter=60)
    form, kept = expansions.Gram(given.K, given.y, 1.0, weight), admm.rules(rules, tol=1e-5)
    states = [admm.start(form, kept), *admm.iterate(form, kept, max_iter=60)]
    assert np.array_equal(seen.iteration, np.arange(len(states))) and description.substeps(seen, 0, given) == []
    outside = 0
    for before, now in zip(states, states[1:], strict=False):
        row = {name: column[now.iteration] for name, column in seen.events.items()}
        assert np.array_equal(row["T"], now.T) and row["size"] == now.size and row["joint"] == now.joint
        assert (row["sigma"], row["window"]) == (now.sigma, now.window)
        assert [row[name] for name in admm.Residuals._fields] == list(now.strict)
        assert (row["violators"], row["accuracy"]) == (now.n_violators, now.accuracy)
        assert np.array_equal(seen.iterates[now.iteration], now.beta)
        assert seen.intercepts[now.iteration] == now.intercept
        assert np.array_equal(row["state"] == duals.ZERO, now.beta == 0.0)
        update, solve, multiply = steps = description.substeps(seen, now.iteration, given)
        assert [step.name for step in steps] == list(admm.SUBSTEPS) == list(description.words.substeps)
        assert [step.shown for step in steps] == [now.iteration - 1, now.iteration, now.iteration]
        for step, state in ((update, before), (solve, now), (multiply, now)):
            assert step.marks.points == tuple(np.flatnonzero(now.T)) and step.boxed == now.iteration
            assert step.marks.band == (1.0 - now.window, 1.0)
            below = given.y * (given.K @ state.beta + state.intercept) < 1.0 - now.window
            assert step.marks.crossed == tuple(np.flatnonzero(below & ~now.T))
        # T is the band over the machine before, with y f + lam / (sigma c) for y f
        margin = 1.0 - before.slack
        shifted = margin + before.lam / (now.sigma * weight)
        assert np.array_equal(now.T, (shifted < 1.0) & (shifted >= 1.0 - now.window))
        carried = int(np.sum(now.T & ~((margin < 1.0) & (margin >= 1.0 - now.window))))
        outside += carried
        said = " ".join(update.sentences)
        assert f"holds {sentences.with_count(now.size, 'point')}." in said
        assert (f"{sentences.with_count(carried, 'point')} of the last T" in said) == bool(carried)
        assert ("together" in solve.sentences[0]) == now.joint
        assert f"{now.n_violators} are violators" in solve.sentences[1]
        assert f"feasibility {sentences.number(now.strict.feasibility)}" in multiply.sentences[1]
        marks = description.marks(seen, now.iteration, given)
        assert marks == solve.marks == multiply.marks
    assert outside and seen.status in description.substeps(seen, seen.n_iter, given)[-1].sentences[-1]


def test_hinge_as_a_start_is_trapped_and_the_means_are_not():
    given = given_of("ramp", n=200)
    trapped, free = (registry.DESCRIPTIONS[f"cccp_{start}"].record(given) for start in ("convex", "means"))
    assert trapped.objective[-1] > free.objective[-1] + 10.0
    assert free.events["cut"][0][-20:].all() and not free.iterates[-1][-20:].any()  # the clump is cut off


def test_the_sentences_on_an_iteration():
    given = given_of("zero_one")
    description = registry.DESCRIPTIONS["admm_robust"]
    seen = description.record(given)
    assert "window reaches from y f = 1 down to −2." in description.why(seen, 0, given)[-1]
    for t in range(1, seen.n_iter + 1):
        said, row = description.why(seen, t, given), {name: column[t] for name, column in seen.events.items()}
        heads = [sentence.partition(":")[0].partition(";")[0] for sentence in said]
        at = [heads.index(name) for name in ("Update T", "Solve w and b", "Update λ")]
        assert at == sorted(at)  # in the order of the sub-steps
        *_, edge, size, violators = numbers_in(said[0])
        assert edge == pytest.approx(1.0 - row["window"], rel=6e-3, abs=1e-3)
        assert (size, violators) == (row["size"], row["violators"])
        same = np.array_equal(row["T"], seen.events["T"][t - 1])
        assert bool(numbers_in(said[1])) != same
        assert ("together" in said[2]) == row["joint"]
    assert "local minimum" in description.why(seen, seen.n_iter, given)[-1]
    kept = np.r_[0:10, 20 : len(seen.iteration)]  # where iterations were thinned there are no sub-steps
    thin = seen._replace(
        iteration=seen.iteration[kept], iterates=seen.iterates[kept], intercepts=seen.intercepts[kept],
        objective=seen.objective[kept], events={name: column[kept] for name, column in seen.events.items()},
    )  # fmt: skip
    assert description.substeps(thin, 20, given) == []
    assert len(description.substeps(thin, 9, given)) == len(description.substeps(thin, 21, given)) == 3


def test_how_a_run_ended_is_said_as_it_is():
    given = given_of("zero_one")
    authors = registry.DESCRIPTIONS["admm_authors"].record(given)
    assert authors.status == Status.UNCERTIFIED and authors.violation[-1] > 0.01
    few = registry.DESCRIPTIONS["admm_robust"].record(given, max_iter=5)
    assert few.status == Status.ITERATION_LIMIT and few.n_iter == 5
    trivial = registry.DESCRIPTIONS["admm_paper"].record(given_of("zero_one", n=200), max_iter=1000)
    assert trivial.status.endswith("the trivial solution") and not trivial.frame_beta[-1].any()
    short = registry.DESCRIPTIONS["cccp_convex"].record(given_of("ramp"), max_iter=1)
    assert short.status == Status.ROUND_LIMIT and short.n_iter == 1
    endless = registry.DESCRIPTIONS["admm_robust"].record(given._replace(C=1e-4), max_iter=10**6)
    assert endless.n_iter == router.MOST_ADMM and endless.status in (Status.ITERATION_LIMIT, Status.CYCLING)
