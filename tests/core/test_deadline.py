"""A time limit ends every solver with what it has, says so, and changes nothing of a run that ends in time."""

import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from sklearn.exceptions import ConvergenceWarning
from variants import EACH
from waiting import mostly_slow

from svmcore import SVC, SparseLSSVC, deadline, duals, losses
from svmcore.kernels import Kernel
from svmcore.problems import load
from svmcore.solvers.box_dual import smo
from svmcore.solvers.router import SOLVABLE
from svmcore.status import Status, is_success
from svmcore.warned import silently
from svmcore.watch import registry, trace
from svmcore.watch import smo as watch_smo


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compiling takes longer than any limit of these tests."""
    problem = load("moons", 0, n=30)
    SVC().fit(problem.X, problem.y)
    given = trace.Given.classification(Kernel("rbf"), problem.X, problem.y, "hinge", 1.0)
    registry.DESCRIPTIONS["smo_first"].record(given)


@pytest.fixture
def hard():
    """Points and a machine for which pair updates take minutes."""
    problem = load("checkerboard", 0, n=100, noise=0.0)
    return problem.X, problem.y, {"kernel": "poly", "degree": 3, "gamma": 1e12, "C": 1e4, "max_iter": 10**9}


@pytest.mark.parametrize("loss", mostly_slow(SOLVABLE, EACH))
def test_no_loss_takes_much_longer_than_the_limit(loss, hard):
    X, y, setting = hard
    began = time.process_time()
    with silently(), deadline.time_limit(0.0):
        model = SVC(loss=loss, **setting).fit(X, y)
    assert time.process_time() - began < 30.0
    assert not is_success(model.status_) or losses.LOSSES[loss].solved_by != "box dual"


def test_a_run_that_is_ended_says_so_and_is_a_machine():
    problem = load("label_flips", 0)
    model = SVC(C=1e6, gamma=0.1, tol=1e-9, max_iter=10**9, solver="smo")  # takes more steps than one look at the clock
    with pytest.warns(ConvergenceWarning, match="time limit"), deadline.time_limit(0.02):
        model.fit(problem.X, problem.y)
    assert model.status_ == Status.TIME_LIMIT and model.n_iter_ > 1000
    assert np.all(np.isfinite(model.decision_function(problem.X))) and model.score(problem.X, problem.y) > 0.6
    problem, began = load("moons", 0, n=300), time.process_time()  # computes its gradient again and again
    with silently(), deadline.time_limit(0.02):
        SVC(C=1e9, gamma=0.01, tol=1e-12, max_iter=10**9, solver="smo").fit(problem.X, problem.y)
    assert time.process_time() - began < 30.0
    with silently(), deadline.time_limit(0.0):
        assert SVC(loss="ramp").fit(problem.X, problem.y).n_starts_ == 1  # no further start is begun


def test_the_recorded_run_ends_with_it(hard, monkeypatch):
    monkeypatch.setattr(smo, "PIECE", 10**6)
    monkeypatch.setattr(watch_smo, "MAX_STEPS", 1000)  # what was recorded is replayed after the limit
    X, y, _ = hard
    given = trace.Given.classification(Kernel("poly", 1e12, 3), X, y, "hinge", 1e4)
    began = time.process_time()
    with deadline.time_limit(0.02):
        run = registry.DESCRIPTIONS["smo_first"].record(given, max_iter=10**9)
    assert time.process_time() - began < 30.0 and run.status == Status.TIME_LIMIT


@pytest.mark.parametrize("machine", [*(SVC(loss=loss) for loss in EACH), SparseLSSVC()], ids=repr)
def test_a_run_in_time_is_the_same_to_the_last_bit(machine):
    problem = load("moons", 0, n=30)
    free = machine.fit(problem.X, problem.y).dual_coef_.copy()
    with deadline.time_limit(100.0):
        limited = machine.fit(problem.X, problem.y).dual_coef_
    assert np.array_equal(free, limited)


def test_pieces_are_the_same_run(monkeypatch):
    problem = load("two_spirals", 0)
    K = Kernel("rbf", 0.5)(problem.X[:100])
    qp = duals.hinge(problem.y[:100], np.full(100, 10.0))
    whole = smo.run(K, qp, tol=1e-6)
    monkeypatch.setattr(smo, "PIECE", 10 * 100)
    pieces = smo.run(K, qp, tol=1e-6)
    assert whole.n_iter > 100 and np.array_equal(whole.beta, pieces.beta) and whole.n_iter == pieces.n_iter


def test_the_innermost_limit_that_ends_first_counts_and_one_is_brought_forward_from_another_thread():
    with deadline.time_limit(100.0):
        with deadline.time_limit(0.0):
            assert deadline.is_over()
            with deadline.time_limit(50.0):
                assert deadline.is_over() and deadline.final_status(Status.ITERATION_LIMIT) == Status.TIME_LIMIT
                assert deadline.final_status(Status.CONVERGED) == Status.CONVERGED
        assert not deadline.is_over() and deadline.final_status(Status.ITERATION_LIMIT) == Status.ITERATION_LIMIT
    assert not deadline.is_over()
    limit = deadline.TimeLimit()
    with deadline.time_limit(limit):
        with deadline.time_limit(60.0):
            assert not deadline.is_over()
            thread = threading.Thread(target=limit.end)
            thread.start()
            thread.join()
            assert deadline.is_over()
        assert deadline.is_over()
    assert not deadline.is_over()


def test_time_in_which_numba_compiles_for_the_thread_does_not_count(monkeypatch):
    """Else the first fit of an installation ends before it begins; a lock that another thread holds is waited for."""
    clock = [0.0]
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    def compile_for(seconds):
        with global_compiler_lock:
            with global_compiler_lock:
                clock[0] += seconds / 2
            clock[0] += seconds / 2

    with deadline.time_limit(5.0):
        compile_for(100.0)
        with deadline.time_limit(1.0):
            assert not deadline.is_over()
            clock[0] += 2.0
            assert deadline.is_over()
        assert not deadline.is_over()
        elsewhere = threading.Thread(target=compile_for, args=(10.0,))
        elsewhere.start()
        elsewhere.join()
        assert deadline.is_over()
