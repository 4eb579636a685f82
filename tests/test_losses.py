"""Losses against their definitions: prox by brute force, slope by differences, limits as identities."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmcore import losses

# not 0.5: there tau and 1 - tau cannot be told apart
CASES = [
    ("hinge", {}),
    ("squared_hinge", {}),
    ("least_squares", {}),
    ("least_absolute", {}),
    ("pinball", {"tau": 0.0}),
    ("pinball", {"tau": 0.3}),
    ("pinball", {"tau": 1.0}),
    ("huber", {"delta": 0.4}),
    ("huber", {"delta": 3.0}),
]
KINKS = {"hinge": [0.0], "least_absolute": [0.0], "pinball": [0.0]}
every_case = pytest.mark.parametrize("key, params", CASES, ids=[f"{k}{list(p.values())}" for k, p in CASES])
T = np.linspace(-4.0, 4.0, 321)

# (t, loss) worked out by hand from the table of losses
BY_HAND = [
    ("hinge", {}, [-2.0, 0.0, 3.0], [0.0, 0.0, 3.0]),
    ("squared_hinge", {}, [-2.0, 0.0, 3.0], [0.0, 0.0, 4.5]),
    ("least_squares", {}, [-2.0, 0.0, 3.0], [2.0, 0.0, 4.5]),
    ("least_absolute", {}, [-2.0, 0.0, 3.0], [2.0, 0.0, 3.0]),
    ("pinball", {"tau": 0.25}, [-2.0, 0.0, 3.0], [0.5, 0.0, 3.0]),
    ("huber", {"delta": 2.0}, [-1.0, 1.0, 2.0, 3.0], [0.0, 0.25, 1.0, 2.0]),
]


@pytest.mark.parametrize("key, params, t, expected", BY_HAND)
def test_values_by_hand(key, params, t, expected):
    assert losses.get(key)(t, **params) == pytest.approx(expected, abs=1e-15)


@every_case
def test_slope_is_the_derivative_away_from_kinks(key, params):
    loss = losses.get(key)
    t = T + 0.00137
    h = 1e-6
    differences = (loss(t + h, **params) - loss(t - h, **params)) / (2 * h)
    assert loss.slope(t, **params) == pytest.approx(differences, abs=1e-8)


@every_case
def test_slope_is_a_subgradient_everywhere(key, params):
    loss = losses.get(key)
    at = np.append(T, KINKS.get(key, []))
    values, slopes = loss(at, **params), loss.slope(at, **params)
    tangents = values[:, None] + slopes[:, None] * (T - at[:, None])
    assert np.all(tangents <= loss(T, **params) + 1e-12)


@pytest.mark.parametrize("key, params", [("hinge", {}), ("least_absolute", {}), ("pinball", {"tau": 0.3})])
def test_slope_at_a_kink_is_the_one_nearest_to_zero(key, params):
    assert losses.get(key).slope(0.0, **params) == 0.0


@every_case
@pytest.mark.parametrize("c", [0.0, 0.2, 1.0, 3.7])
def test_prox_by_brute_force(key, params, c):
    loss = losses.get(key)
    z = np.linspace(-5.0, 5.0, 101)
    v = np.linspace(-6.0, 6.0, 4801)

    def objective(v):
        return c * loss(v, **params) + 0.5 * (v - z[:, None]) ** 2

    found = loss.prox(z, c, **params)
    reached = objective(found[:, None])[:, 0]
    on_grid = objective(v)
    assert np.all(reached <= on_grid.min(axis=1) + 1e-12)
    # the grid has a step of 2.5e-3 and holds every kink
    assert np.abs(found - v[on_grid.argmin(axis=1)]).max() < 2.5e-3


@every_case
@given(z=st.floats(-50.0, 50.0), c=st.floats(1e-6, 1e3))
def test_prox_leaves_a_subgradient(key, params, z, c):
    """(z - v) / c must lie between the one-sided slopes at v = prox(z)."""
    loss = losses.get(key)
    v = float(loss.prox(z, c, **params))
    h = 1e-9 * max(1.0, abs(v))
    # z - v is known to an ulp of z, and the quadratic losses bend within h
    slack = 1e-13 * max(1.0, abs(z)) / c + 1e-7
    slope = (z - v) / c
    assert loss.slope(v - h, **params) - slack <= slope <= loss.slope(v + h, **params) + slack


@every_case
def test_prox_takes_one_weight_per_entry_and_any_shape(key, params):
    loss = losses.get(key)
    z = np.linspace(-2.0, 2.0, 6).reshape(2, 3)
    c = np.linspace(0.1, 2.0, 6).reshape(2, 3)
    one_by_one = [loss.prox(zi, ci, **params) for zi, ci in zip(z.flat, c.flat, strict=True)]
    assert np.array_equal(loss.prox(z, c, **params), np.reshape(one_by_one, (2, 3)))
    assert loss(z, **params).shape == loss.slope(z, **params).shape == (2, 3)


def both_equal(one, other, **params):
    """The same value, slope and prox, bit for bit."""
    for c in (0.3, 2.0):
        assert np.array_equal(one.prox(T, c, **params), other.prox(T, c))
    return np.array_equal(one(T, **params), other(T)) and np.array_equal(one.slope(T, **params), other.slope(T))


def test_pinball_is_hinge_at_zero_and_absolute_at_one():
    assert both_equal(losses.pinball, losses.hinge, tau=0.0)
    assert both_equal(losses.pinball, losses.least_absolute, tau=1.0)


def test_huber_between_hinge_and_squared_hinge():
    # delta -> 0 is the hinge: they differ by at most delta / 2
    assert losses.huber(T, delta=1e-6) == pytest.approx(losses.hinge(T), abs=5.1e-7)
    assert losses.huber(T, delta=1e-300) == pytest.approx(losses.hinge(T), abs=1e-15)
    # delta times the loss is the squared hinge up to t = delta
    assert 4.0 * losses.huber(T, delta=4.0) == pytest.approx(losses.squared_hinge(T), abs=1e-14)
    assert losses.huber.prox(T, 4.0 * 0.7, delta=4.0)[T < 4.0] == pytest.approx(
        losses.squared_hinge.prox(T, 0.7)[T < 4.0], abs=1e-14
    )


@every_case
def test_flags_say_what_the_function_does(key, params):
    loss = losses.get(key)
    far = np.array([-1e6, 1e6])
    values = loss(T, **params)
    assert loss.convex == bool(np.all(np.diff(values, 2) >= -1e-12))
    assert loss.bounded == bool(np.all(loss(far, **params) < 10.0))
    if params != {"tau": 0.0}:  # there the pinball loss is the hinge
        assert loss.sparse == bool(np.sum(loss.slope(T, **params) == 0.0) > 2)


def test_registry():
    assert list(losses.LOSSES) == ["hinge", "squared_hinge", "least_squares", "least_absolute", "pinball", "huber"]
    assert all(losses.get(key) is loss and loss.key == key for key, loss in losses.LOSSES.items())
    assert losses.get(losses.huber) is losses.huber
    assert [loss.machine for loss in losses.LOSSES.values()] == [
        "L1-SVM",
        "L2-SVM",
        "LS-SVM",
        "Least 1-Norm SVM",
        "Pinball SVM",
        "Huberised-hinge SVM",
    ]
    for loss in losses.LOSSES.values():
        assert loss.latex and loss.source
        assert all(parameter.default in parameter for parameter in loss.parameters)


def test_the_four_types_of_machine():
    """Table 1 of López and Dorronsoro (2010)."""
    table = {(loss.slack, loss.constraint): loss.machine for loss in losses.LOSSES.values() if loss.slack}
    assert table == {
        ("squared", "inequality"): "L2-SVM",
        ("absolute", "inequality"): "L1-SVM",
        ("squared", "equality"): "LS-SVM",
        ("absolute", "equality"): "Least 1-Norm SVM",
    }


@pytest.mark.parametrize("wrong", ["hing", "", None, 3, ["hinge"]])
def test_unknown_name_lists_the_names(wrong):
    with pytest.raises(ValueError, match="choose one of hinge, squared_hinge, .*huber"):
        losses.get(wrong)


def test_check_fills_in_defaults():
    assert losses.hinge.check() == {}
    assert losses.pinball.check() == {"tau": 0.5}
    assert losses.pinball.check(tau=1) == {"tau": 1.0}
    assert losses.huber.check(delta=np.float64(2.0)) == {"delta": 2.0}
    assert losses.pinball(-1.0) == 0.5


@pytest.mark.parametrize(
    "key, params, message",
    [
        ("pinball", {"tau": 1.7}, r"^pinball: tau must lie in \[0, 1\], got 1\.7; tau is the price"),
        ("pinball", {"tau": -0.1}, r"tau must lie in \[0, 1\], got -0\.1"),
        ("pinball", {"tau": np.nan}, r"tau must lie in \[0, 1\], got nan"),
        ("pinball", {"tau": "half"}, r"tau must lie in \[0, 1\], got half"),
        ("pinball", {"tau": None}, r"tau must lie in \[0, 1\], got None"),
        ("huber", {"delta": 0.0}, r"delta must lie in \(0, inf\), got 0\.0"),
        ("huber", {"delta": np.inf}, r"delta must lie in \(0, inf\), got inf"),
        ("pinball", {"delta": 1.0}, r"^pinball: unknown parameter 'delta'; it takes tau"),
        ("hinge", {"tau": 0.5}, r"^hinge: unknown parameter 'tau'; it takes no parameters"),
    ],
)
def test_wrong_parameters_are_told_in_a_sentence(key, params, message):
    loss = losses.get(key)
    for call, arguments in ((loss.check, ()), (loss, (T,)), (loss.slope, (T,)), (loss.prox, (T, 1.0))):
        with pytest.raises(ValueError, match=message):
            call(*arguments, **params)


def test_a_loss_survives_pickle_and_copy_as_the_same_object():
    for loss in losses.LOSSES.values():
        assert pickle.loads(pickle.dumps(loss)) is loss
        assert copy.deepcopy(loss) is loss
