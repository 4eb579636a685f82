"""Strips and hard margins. Oracles: exhaustive search and scikit-learn's hard margin."""

import numpy as np
import pytest
import sklearn.svm
from five_points import flips
from hypothesis import given, settings
from hypothesis import strategies as st

from svmcore import kernels
from svmcore.solvers.nonconvex import expansions, local_search, zero_one


def brute_strip(form, values, squared_norm):
    """Every pair of edges."""
    best = np.inf
    for h in values[form.y > 0]:
        for m in values[form.y < 0]:
            if h > m:
                lost = form.weight[(form.y > 0) & (values < h)].sum() + form.weight[(form.y < 0) & (values > m)].sum()
                best = min(best, 2 * squared_norm / (h - m) ** 2 + form.C * lost)
    return best


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 40), st.booleans(), st.floats(0.01, 10.0))
def test_the_best_strip_is_that_of_an_exhaustive_search(seed, n, ties, C):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    values = rng.normal(size=n) + y * rng.random()
    values = np.round(2 * values) / 2 if ties else values
    form = expansions.Linear(values[:, None], y, C, rng.integers(1, 4, n))
    found = local_search.strip(form, values, 0.3)
    best = brute_strip(form, values, 0.3)
    if best == np.inf:
        assert found is None
        return
    assert found.objective == pytest.approx(best)
    kept = found.room >= 0.0
    assert found.objective == pytest.approx(0.5 * found.squared_norm + C * form.weight[~kept].sum())
    assert local_search.strip(form, values, 0.3, below=best * (1 - 1e-9)) is None
    again = local_search.strip(form, values, 0.3, below=best * (1 + 1e-9))
    assert again.objective == found.objective and again.key == found.key


@pytest.mark.parametrize("decimals", [9, 1, 0])
def test_the_smallest_come_to_the_front_each_with_its_price(decimals):
    """In Python, without the compiler; the sizes reach beyond those that are sorted by insertion."""
    rng = np.random.default_rng(0)
    for n in (1, 2, 16, 17, 40, 300):
        for count in {1, n // 3 + 1, n}:
            whole = rng.normal(size=n).round(decimals)
            key, place = whole.copy(), np.arange(float(n))
            local_search._bring_to_front.py_func(key, place, count)
            assert np.array_equal(key[:count], np.sort(whole)[:count])
            assert np.array_equal(whole[place.astype(int)], key) and len(set(place)) == n


@pytest.mark.parametrize("patience", [50, 0])  # without patience the interior point method does it
@pytest.mark.parametrize("gamma", [None, 0.5])
def test_the_hard_margin_is_that_of_scikit_learn(gamma, patience, monkeypatch):
    monkeypatch.setattr(local_search, "PATIENCE", patience)
    X, y = flips(0, 300, 0.0)
    K = X @ X.T if gamma is None else kernels.Kernel("rbf", gamma=gamma)(X)
    machine = sklearn.svm.SVC(C=1.0, kernel="precomputed").fit(K, y)
    values = K[:, machine.support_] @ machine.dual_coef_[0]
    form = expansions.Linear(X, y, 1.0) if gamma is None else expansions.Gram(K, y, 1.0)
    strip = local_search.strip(form, values, float(machine.dual_coef_[0] @ values[machine.support_]))
    kept = strip.room >= 0.0
    found = local_search.hard_margin(form, strip.room, strip.squared_norm)
    hard = sklearn.svm.SVC(C=1e7, kernel="precomputed", tol=1e-7).fit(K[np.ix_(kept, kept)], y[kept])
    f = K[:, np.flatnonzero(kept)[hard.support_]] @ hard.dual_coef_[0] + hard.intercept_
    assert found.values + found.intercept == pytest.approx(f, abs=1e-4)
    assert found.squared_norm == pytest.approx(np.abs(found.beta).sum()) and found.squared_norm <= strip.squared_norm
    assert found.objective == pytest.approx(
        0.5 * found.squared_norm + np.sum(y * (found.values + found.intercept) < 1 - 1e-6)
    )
    assert local_search.hard_margin(form, strip.room, 1e-3 * found.squared_norm) is None  # a limit that is too low


def test_following_a_strip_never_raises_the_objective():
    X, y = flips(5, 200, 0.2)
    form, known = expansions.Linear(X, y, 4.0), {}
    for angle in np.linspace(0, 2 * np.pi, 25):
        w = np.array([np.cos(angle), np.sin(angle)])
        strip = local_search.strip(form, X @ w, 1.0)
        if strip is None:
            continue
        end = local_search.follow(form, strip, known)
        assert end.objective <= strip.objective * (1 + 1e-9)
        beta = np.zeros(200)
        beta[end.idx] = end.beta
        assert zero_one.certificate(form, beta, end.intercept) is not None
        assert local_search.follow(form, strip, known) is end
    assert len(known) > 3 and local_search.strip(form, np.zeros(200), 0.0) is None, "no direction has no strip"
