"""Duals: the four vectors are the conjugate of the loss, by hand and on a grid."""

import inspect
import re

import numpy as np
import pytest
from variants import every_variant

from svmcore import duals, losses

BY_HAND = {  # parameters; lower, upper and ridge for a positive and a negative sample with C = 2 and 4
    "hinge": ({}, [0, -4], [2, 0], [0, 0]),
    "squared_hinge": ({}, [0, -np.inf], [np.inf, 0], [0.5, 0.25]),
    "least_squares": ({}, [-np.inf, -np.inf], [np.inf, np.inf], [0.5, 0.25]),
    "least_absolute": ({}, [-2, -4], [2, 4], [0, 0]),
    "pinball": ({"tau": 0.3}, [-0.6, -4], [2, 1.2], [0, 0]),
    "huber": ({"delta": 0.7}, [0, -4], [2, 0], [0.35, 0.175]),
}


@every_variant
def test_the_four_vectors_are_the_conjugate(loss, params):
    """C loss*(alpha / C) = ridge alpha^2 / 2 inside the box, and grows without limit outside."""
    value, C = losses.get(loss), 1.7
    qp = duals.build(loss, [1.0], C, **params)
    t = np.linspace(-60.0, 60.0, 240_001)

    def conjugate(alpha):
        return np.max(alpha * t - C * value(t, **params))

    low, high = np.clip(qp.lower[0], -5.0, None), np.clip(qp.upper[0], None, 5.0)
    for alpha in np.linspace(low, high, 9):
        assert conjugate(alpha) == pytest.approx(0.5 * qp.ridge[0] * alpha**2, abs=1e-6)
    for outside in (qp.lower[0] - 0.1, qp.upper[0] + 0.1):
        if np.isfinite(outside):
            assert conjugate(outside) > 5.0


@pytest.mark.parametrize("key", duals.DUALS)
def test_bounds_by_hand_are_the_box_and_what_the_manual_says_of_it(key):
    """Such as "-tau C <= alpha <= C, and delta/C on the diagonal"."""
    params, *expected = BY_HAND[key]
    qp = duals.build(key, np.array([1.0, -1.0]), np.array([2.0, 4.0]), **params)
    assert [column.tolist() for column in qp] == [*map(pytest.approx, expected), [-1.0, 1.0]]
    assert all(column.dtype == np.float64 and column.shape == (2,) for column in qp)
    words = duals.DUALS[key].__doc__.partition(": ")[2]
    low, high = re.match(r"(?:(\S+(?: C)?) <= alpha(?: <= (\w+))?|no box)\b", words).groups()
    ridge = re.search(r"(\w+/C) on the diagonal", words)
    said = [-np.inf if low is None else low, np.inf if high is None else high, ridge[1] if ridge else 0.0]
    names = {"C": 2.0, **params}
    said = [eval(one.replace(" C", " * C"), names.copy()) if isinstance(one, str) else one for one in said]
    assert said == pytest.approx([qp.lower[0], qp.upper[0], qp.ridge[0]]), f"the docstring of {key} says: {words}"


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_build_is_the_function_of_that_name_with_its_defaults():
    y, C = np.where(np.arange(14) % 3 > 0, 1.0, -1.0), np.linspace(0.3, 3.0, 14)
    assert list(duals.DUALS) == [key for key in losses.LOSSES if key in duals.DUALS]
    for key, dual in duals.DUALS.items():
        defaults = {
            name: parameter.default
            for name, parameter in inspect.signature(dual).parameters.items()
            if parameter.default is not inspect.Parameter.empty
        }
        assert defaults == losses.get(key).check()
        assert same(duals.build(key, y, C), dual(y, C))
        assert same(duals.build(losses.get(key), y, C), dual(y, C))


@pytest.mark.parametrize("call, message", [
    (lambda y: duals.build("hing", y, 1.0), "unknown loss 'hing'; choose one of hinge"),
    (lambda y: duals.build("ramp", y, 1.0), "ramp has no box dual; the losses that have one are hinge"),
    (lambda y: duals.build("pinball", y, 1.0, tau=2.0), r"tau must lie in \[0, 1\], got 2\.0"),
    (lambda y: duals.pinball(y, 1.0, tau=-0.5), r"tau must lie in \[0, 1\], got -0\.5"),
    (lambda y: duals.huber(y, 1.0, delta=0.0), r"delta must lie in \(0, inf\)"),
    (lambda y: duals.hinge(y, 0.0), "C must be positive and finite.*14 samples, got 0;"),
    (lambda y: duals.hinge(y, -1.0), "C must be positive and finite.*got -1;"),
    (lambda y: duals.hinge(y, np.inf), "C must be positive and finite.*got inf;"),
    (lambda y: duals.hinge(y, np.nan), "C must be positive and finite.*got nan;"),
    (lambda y: duals.hinge(y, np.r_[np.ones(13), 0.0]), r"smallest entry 0; leave out samples of weight zero"),
    (lambda y: duals.hinge(y, np.ones(3)), r"one for each of the 14 samples, got an array of shape \(3,\)"),
    (lambda y: duals.hinge((y + 1) / 2, 1.0), "labels -1 and"),
    (lambda y: duals.hinge(y[:, None], 1.0), r"y must be a vector of finite numbers, got an array of shape \(14"),
    (lambda y: duals.least_squares(y * np.nan, 1.0), "y must be a vector of finite numbers"),
    (lambda y: duals.insensitive_pinball(y, 1.0, 0.5, -1.0), r"epsilon must lie in \[0, inf\), got -1"),
    (lambda y: duals.hinge([], 1.0), r"y must be a vector of finite numbers, got an array of shape \(0,\)"),
])  # fmt: skip
def test_wrong_input_is_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.where(np.arange(14) % 3 > 0, 1.0, -1.0))


def test_the_box_that_moves():
    y, C = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0]), np.array([1.0, 2.0, 4.0] * 2)
    above, below = np.array([True, False, False] * 2), np.array([False, True, False] * 2)
    qp = duals.truncated_box(y, C, 0.25, above, below)
    low, high = np.array([-1.25, 0.0, -1.0]), np.array([0.0, 2.5, 4.0])
    assert qp.lower == pytest.approx(np.append(low, -high)) and qp.upper == pytest.approx(np.append(high, -low))
    assert np.array_equal(qp.linear, -y) and not qp.ridge.any()
    with pytest.raises(ValueError, match="labels -1 and"):
        duals.truncated_box(0.5 * y, C, 1.0, above, below)  # uncut and with tau = 1 the sign of y would not matter
    nowhere = np.zeros(6, bool)
    assert same(duals.truncated_box(y, C, 0.25, nowhere, nowhere), duals.pinball(y, C, 0.25))
