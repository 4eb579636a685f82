"""Every way to a machine beside the best possible one."""

import pytest
from variants import overlapping

from svmcore.solvers.nonconvex import cccp, global_optimum, zero_one
from svmcore.studies import optimality


@pytest.mark.parametrize("loss", global_optimum.LOSSES)
def test_every_method_is_at_or_above_the_optimum(loss):
    X, y = overlapping(30)
    steps = list(optimality.compare(loss, {}, X, y, 1.0))
    last = steps[-1]
    assert last.best.is_proved and last.best.objective == pytest.approx(global_optimum.find(X, y, 1.0, loss).objective)
    assert list(last.found) == list(optimality.METHODS[loss])
    assert all(last.excess(method) >= -1e-9 for method in last.found)
    assert last.is_optimal(optimality.EVERY) == (last.excess(optimality.EVERY) <= 1e-4)
    if loss == "zero_one":
        assert last.is_optimal(optimality.EVERY) and not last.is_optimal("ADMM as printed")


def test_every_start_is_a_method_and_the_excess_relative():
    named = {way["starts"] for way in optimality.METHODS["zero_one"].values() if "starts" in way}
    assert named == set(zero_one.STARTS)
    named = {way["starts"] for way in optimality.METHODS["ramp"].values() if "starts" in way}
    assert named == set(cccp.STARTS) - {"convex"}  # the same machine as the hinge's
    compared = optimality.Compared(global_optimum.Best(10.0, None, 0.0, 1.0), {"a": 15.0, "b": 10.0005})
    assert compared.excess("a") == pytest.approx(0.5) and not compared.is_optimal("a") and compared.is_optimal("b")
