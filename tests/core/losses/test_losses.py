"""Losses against their definitions: prox by brute force, slope by differences, limits as identities."""

import copy
import pickle
import sys
from dataclasses import replace

import numpy as np
import pytest
from variants import ALL
from written import formula

from svmcore import duals, losses
from svmcore.losses import regression

LOSSES = losses.LOSSES | regression.LOSSES
HAWKEYE = {"epsilon": 0.3, "a": 1.7, "height": 0.8}
# every loss at odd parameters and at its defaults, and where a formula has a special case
SPECIAL = [
    ("pinball", {"tau": 0.0}),
    ("pinball", {"tau": 1.0}),
    ("insensitive_pinball", {"tau": 0.0, "epsilon": 0.25}),
    ("insensitive_pinball", {"tau": 0.5, "epsilon": 0.25}),
    ("huber", {"delta": 3.0}),
    ("ramp", {"mu": 0.5}),
    ("truncated_pinball", {"tau": 0.8, "kappa": 2.0}),
    ("asymmetric_truncated_pinball", {"tau": 0.9, "kappa": 2.0, "mu": 0.5}),
    ("sigmoid", {"a": 0.7}),
    ("sigmoid", {"a": 6.0}),
    ("normalized_sigmoid", {"lam": 1.3}),
    ("truncated_huber", {"delta": 0.7, "mu": 0.2}),
    ("truncated_huber", {"delta": 1.0, "mu": 1.5}),
    ("rescaled_hinge", {"width": 0.2}),
    ("roboss", {"a": 6.0, "height": 4.0}),
    ("wave", {"skew": 0.0, "damping": 2.0}),
    ("wave", {"skew": 3.0, "damping": 0.2}),
    ("welsch", {"width": 0.4}),
    ("epsilon_insensitive", {"epsilon": 0.0}),
    ("epsilon_insensitive", {"epsilon": 0.3}),
    ("epsilon_insensitive", {"epsilon": 1.0}),
    ("hawkeye", HAWKEYE),
]
CASES = sorted([*ALL.items(), *SPECIAL], key=lambda case: list(LOSSES).index(case[0]))


def parametrized(cases):
    return pytest.mark.parametrize("key, params", cases, ids=[f"{k}{list(p.values())}" for k, p in cases])


every_case = parametrized(CASES)
T = np.linspace(-4.0, 4.0, 321)

# (t, loss) worked out by hand from the table of losses
BY_HAND = [
    ("hinge", {}, [-2.0, 0.0, 3.0], [0.0, 0.0, 3.0]),
    ("squared_hinge", {}, [-2.0, 0.0, 3.0], [0.0, 0.0, 4.5]),
    ("least_squares", {}, [-2.0, 0.0, 3.0], [2.0, 0.0, 4.5]),
    ("least_absolute", {}, [-2.0, 0.0, 3.0], [2.0, 0.0, 3.0]),
    ("pinball", {"tau": 0.25}, [-2.0, 0.0, 3.0], [0.5, 0.0, 3.0]),
    ("insensitive_pinball", {"tau": 0.5, "epsilon": 0.25}, [-2.0, -0.5, 0.0, 0.25, 3.0], [0.75, 0.0, 0.0, 0.0, 2.75]),
    ("huber", {"delta": 2.0}, [-1.0, 1.0, 2.0, 3.0], [0.0, 0.25, 1.0, 2.0]),
    ("huber", {"delta": 1e-300}, [-2.0, 0.0, 3.0], [0.0, 0.0, 3.0]),
    ("exponential", {}, [1.0, 2.0, 52.0], [1.0, np.e, 2.0 * np.exp(50.0)]),
    ("log", {}, [1.0, 1.0 + np.log(3.0), 800.0], [np.log(2.0), np.log(4.0), 799.0]),
    ("ramp", {"mu": 2.0}, [-2.0, 0.0, 1.5, 3.0], [0.0, 0.0, 1.5, 2.0]),
    ("truncated_pinball", {"tau": 0.5, "kappa": 1.0}, [-2.0, -0.5, 0.0, 3.0], [0.5, 0.25, 0.0, 3.0]),
    ("asymmetric_truncated_pinball", {"tau": 0.5, "kappa": 1, "mu": 2}, [-2, -0.5, 0, 1.5, 3], [0.5, 0.25, 0, 1.5, 2]),
    ("sigmoid", {"a": 2.0}, [-800.0, 1.0, 1.0 + np.log(3.0) / 2.0, 800.0], [0.0, 0.5, 0.75, 1.0]),
    ("normalized_sigmoid", {"lam": 2.0}, [-800.0, 0.5, 1.0, 800.0], [0.0, 1.0 - np.tanh(1.0), 1.0, 2.0]),
    ("zero_one", {}, [-1.0, 0.0, 1e-9, 3.0], [0.0, 0.0, 1.0, 1.0]),
    ("truncated_least_squares", {"mu": 2.0}, [-3.0, -1.0, 0.0, 1.0, 3.0], [2.0, 0.5, 0.0, 0.5, 2.0]),
    ("truncated_squared_hinge", {"mu": 2.0}, [-3.0, 0.0, 1.0, 3.0], [0.0, 0.0, 0.5, 2.0]),
    ("truncated_huber", {"delta": 2.0, "mu": 1.5}, [-1.0, 1.0, 2.0, 2.25, 9.0], [0.0, 0.25, 1.0, 1.25, 1.5]),
    # eta = 2 with e^(-1 / width) = 1/2
    ("rescaled_hinge", {"width": 1.0 / np.log(2.0)}, [-1.0, 0.0, 1.0, 2.0, 800.0], [0.0, 0.0, 1.0, 1.5, 2.0]),
    ("roboss", {"a": 2.0, "height": 3.0}, [-1.0, 0.0, 0.5, 400.0], [0.0, 0.0, 3.0 - 6.0 / np.e, 3.0]),
    (
        "wave",
        {"skew": 1.0, "damping": 0.5},
        [-2.0, 0.0, 2.0, 800.0],
        [2.0 / (1.0 + np.exp(2.0) / 2.0), 0.0, 2.0 - 2.0 / (1.0 + 2.0 * np.exp(2.0)), 2.0],
    ),
    ("welsch", {"width": 2.0}, [-2.0, 0.0, 4.0], [2.0 - 2.0 / np.e, 0.0, 2.0 - 2.0 * np.exp(-4.0)]),
    ("epsilon_insensitive", {"epsilon": 0.25}, [-2.0, -0.25, 0.1, 0.25, 3.0], [1.75, 0.0, 0.0, 0.0, 2.75]),
    ("hawkeye", HAWKEYE, [-3.0, 0.2, 0.3, 1.3], 0.8 - 0.8 * np.array([5.59 * np.exp(-4.59), 1, 1, 2.7 * np.exp(-1.7)])),
]


def test_the_group_of_a_loss_says_what_it_is():
    kinds = {"hinge": "convex", "log": "smooth", "ramp": "bounded", "truncated_pinball": "unbounded", "wave": "recent"}
    assert {key: losses.LOSSES[key].group for key in kinds} == kinds
    later = replace(losses.LOSSES["hinge"], source="A. Author (2031). A loss.")
    assert later.group == "recent" and {loss.group for loss in losses.LOSSES.values()} == set(kinds.values())


def test_no_loss_is_left_out_of_the_teaching_order():
    modules = [module for name, module in sys.modules.items() if name.startswith("svmcore.losses.")]
    declared = {one.key for module in modules for one in vars(module).values() if isinstance(one, losses.Loss)}
    assert sorted(declared - set(LOSSES)) == [], "these need a place in TEACHING_ORDER"


@pytest.mark.parametrize("key", LOSSES)
def test_values_by_hand(key):
    rows = [row for name, *row in BY_HAND if name == key]
    assert rows, f"BY_HAND needs a line for {key}: its values at three points"
    for params, t, expected in rows:
        assert LOSSES[key](t, **params) == pytest.approx(expected, abs=1e-15)


@every_case
def test_the_shown_formula_is_the_computed_loss(key, params):
    loss, numbers = LOSSES[key], LOSSES[key].check(**params)
    symbols = {parameter.latex: numbers[parameter.name] for parameter in loss.parameters}
    for shown in formula(loss.latex, {"t": T, "r": T, "y": 1.0, "f": 1.0 - T, **symbols}):
        assert shown == pytest.approx(loss(T, **params), abs=1e-12), f"{key} is shown as {loss.latex}"


@every_case
def test_slope_and_curvature_are_derivatives_away_from_kinks(key, params):
    loss, h, t = LOSSES[key], 1e-6, T + 0.00137  # away from the kinks, of the loss or of its slope
    differences = (loss(t + h, **params) - loss(t - h, **params)) / (2 * h)
    assert loss.slope(t, **params) == pytest.approx(differences, abs=1e-8)
    assert (loss.curvature_of is not None) == (loss.solved_by == "quasi-Newton" or key == "rescaled_hinge")
    if loss.curvature_of:
        differences = (loss.slope(t + h, **params) - loss.slope(t - h, **params)) / (2 * h)
        assert loss.curvature_of(t, **params) == pytest.approx(differences, abs=1e-7)


@every_case
def test_slope_at_a_kink_is_the_one_nearest_to_zero(key, params):
    loss, t, h = LOSSES[key], np.round(T, 3), 1e-9  # with the kinks among them
    beside = [loss.slope(t - h, **params), loss.slope(t + h, **params)]
    nearest = np.clip(0.0, np.min(beside, axis=0), np.max(beside, axis=0))
    assert loss.slope(t, **params) == pytest.approx(nearest, abs=1e-6)


@every_case
def test_prox_by_brute_force(key, params):
    """Any place and any weight up to ten thousand, also one that is nothing or nearly so, against places near and far
    from z and from the margin, and all the way between them.
    """
    rng, loss, steps = np.random.default_rng(0), LOSSES[key], 10.0 ** np.linspace(-4.0, 3.0, 60)
    z = rng.choice([-1.0, 1.0], 1000) * 10.0 ** rng.uniform(-2.0, 1.7, 1000)
    c = 10.0 ** np.where(rng.random(1000) < 0.2, rng.uniform(-12.0, -1.0, 1000), rng.uniform(-1.0, 4.0, 1000))
    z[::10], c[5::10], steps = np.round(z[::10]), 0.0, np.concatenate([-steps, [0.0], steps])
    v = np.hstack([np.tile(steps, (1000, 1)), z[:, None] + steps, z[:, None] * np.linspace(0.0, 1.0, 200)])
    found, other = (c * loss(x, **params) + 0.5 * (x - z) ** 2 for x in (loss.prox(z, c, **params), v.T))
    assert np.all(found <= other + 1e-12 * np.maximum(1.0, z * z))


@parametrized([case for case in CASES if not LOSSES[case[0]].convex and LOSSES[case[0]].solved_by == "quasi-Newton"])
def test_the_prox_where_its_two_minima_part(key, params):
    """Weights from which on there are two, at the place where the slope falls fastest: there a formula needs the place
    itself, far from it one nearby does.
    """
    loss, t = LOSSES[key], np.linspace(0.0, 10.0, 100_001)
    bend = loss.curvature_of(t, **loss.check(**params))
    steepest, excess = t[bend.argmin()], np.geomspace(0.01, 1.0, 30)[:, None]
    c = (1.0 + excess) / -bend.min() + np.zeros(41)
    z = steepest + c * loss.slope(steepest, **params) + excess * steepest * np.linspace(-1.0, 1.0, 41)
    v = z * np.linspace(0.0, 1.0, 1001)[:, None, None]
    found, other = (c * loss(x, **params) + 0.5 * (x - z) ** 2 for x in (loss.prox(z, c, **params), v))
    assert np.all(found <= other + 1e-12 * np.maximum(1.0, z * z)), f"{key}: its slope falls fastest at {steepest:.6g}"


@parametrized([case for case in CASES if not LOSSES[case[0]].convex])
def test_both_places_between_which_the_prox_jumps_cost_the_same(key, params):
    """For each z the weight from which on the prox is nearer to the margin than to z."""
    loss, z = LOSSES[key], np.linspace(-8.0, 8.0, 401)
    low, high = np.full(z.shape, 1e-3), np.full(z.shape, 1e5)
    for _ in range(45):
        c = np.sqrt(low * high)
        v = loss.prox(z, c, **params)
        nearer = np.abs(v) < np.abs(v - z)
        low, high = np.where(nearer, low, c), np.where(nearer, c, high)
    ends = (loss.prox(z, near, **params) for near in (low, high))
    one, other = (c * loss(v, **params) + 0.5 * (v - z) ** 2 for v in ends)
    assert one == pytest.approx(other, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("key, params", [("sigmoid", {"a": 3.0}), ("normalized_sigmoid", {"lam": 40.0}), ("log", {})])
def test_prox_far_out(key, params):
    """Weights and places where a formula would overflow or cancel."""
    loss = LOSSES[key]
    z = np.array([-1e8, -1e3, 0.0, 1.0, 1e3, 1e8])
    for c in (1e-300, 1e-9, 1e9):
        found = loss.prox(z, c, **params)
        assert np.all((z - c * max(params.values(), default=1.0) <= found) & (found <= z))
        assert np.all(c * loss(found, **params) + 0.5 * (found - z) ** 2 <= c * loss(z, **params) * (1 + 1e-12))


def test_the_exponential_loss_goes_on_as_a_line_and_the_prox_of_the_count():
    loss, t = losses.exponential, np.array([50.9, 51.0, 51.1, 1e200])
    assert loss(t)[:2] == pytest.approx(np.exp(t[:2] - 1.0)) and np.all(loss.slope(t[1:]) == np.exp(50.0))
    assert loss(t)[2] - loss(t)[1] == pytest.approx(0.1 * np.exp(50.0)) and np.isfinite(loss(t)).all()
    assert loss.prox(1e30, 2.0) == pytest.approx(1e30 - 2.0 * np.exp(50.0))
    # just before the line begins: v + c exp(v - 1) = z
    assert loss.prox(50.0 + 2.0 * np.exp(49.0), 2.0) == pytest.approx(50.0, rel=1e-12)
    found = losses.zero_one.prox([-1.0, 0.0, 0.5, np.sqrt(2.0) - 1e-15, 1.5], 1.0)
    assert np.array_equal(found, [-1.0, 0.0, 0.0, 0.0, 1.5])


@every_case
def test_prox_takes_one_weight_per_entry_and_any_shape(key, params):
    loss = LOSSES[key]
    z = np.linspace(-2.0, 2.0, 6).reshape(2, 3)
    c = np.linspace(0.1, 2.0, 6).reshape(2, 3)
    one_by_one = [loss.prox(zi, ci, **params) for zi, ci in zip(z.flat, c.flat, strict=True)]
    assert np.array_equal(loss.prox(z, c, **params), np.reshape(one_by_one, (2, 3)))
    assert loss(z, **params).shape == loss.slope(z, **params).shape == (2, 3)


@every_case
def test_flags_say_what_the_function_does(key, params):
    loss = LOSSES[key]
    convex = bool(np.all(np.diff(loss(T, **params), 2) >= -1e-12))
    assert loss.convex == convex, f"{key} is{'' if convex else ' not'} convex"
    far, farther = (loss(np.array([-t, t]), **params) for t in (1e6, 1e12))
    bounded = bool(np.all(farther - far < 1e-3))
    assert loss.bounded == bounded, f"{key} is{'' if bounded else ' not'} bounded: it needs bounded={bounded}"
    if params not in ({"tau": 0.0}, {"epsilon": 0.0}):  # there the pinball loss is the hinge, and the tube has no width
        flat = bool(np.sum(loss.slope(T, **params) == 0.0) > 2)
        assert loss.sparse == flat, f"{key} is{'' if flat else ' not'} flat on an interval: it needs sparse={flat}"


@parametrized([case for case in CASES if LOSSES[case[0]].base])
def test_a_loss_with_a_base_lies_below_its_tangents_in_the_height_of_the_base(key, params):
    loss = LOSSES[key]
    params = loss.check(**params)
    height = loss.base(T, **loss.base_params(params))
    weight = loss.weight_of(height, **params)
    assert loss.base.convex and np.all(weight >= 0.0)
    assert weight * loss.base.slope(T, **loss.base_params(params)) == pytest.approx(loss.slope(T, **params), abs=1e-14)
    tangents = loss(T, **params)[:, None] + weight[:, None] * (height - height[:, None])
    assert np.all(loss(T, **params) <= tangents + 1e-12)
    gentler = loss.gentler(params, 4.0)
    assert set(gentler) == set(params)


@pytest.mark.parametrize("key, loss", losses.LOSSES.items(), ids=list(losses.LOSSES))
def test_an_entry_is_complete(key, loss):
    assert losses.get(key) is losses.get(loss) is loss and loss.key == key and getattr(losses, key) is loss
    assert loss.latex and loss.source and all(parameter.default in parameter for parameter in loss.parameters)
    assert pickle.loads(pickle.dumps(loss)) is copy.deepcopy(loss) is loss
    assert loss.colour in range(32), f"{key}: charts have 32 line styles, and colour={loss.colour} is one of them again"
    for attribute in ("machine", "colour"):
        twins = [other.key for other in losses.LOSSES.values() if getattr(other, attribute) == getattr(loss, attribute)]
        assert twins == [key], f"{' and '.join(twins)} have the same {attribute}"
    assert (loss.solved_by == "box dual") == (key in duals.DUALS), "a loss with a box dual has a function in DUALS"
    nonconvex = ("CCCP", "re-weighting", "quasi-Newton", "ADMM")
    assert loss.solved_by in (*nonconvex, "box dual", "doubled box dual")
    assert loss.convex or loss.solved_by in nonconvex


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


@pytest.mark.parametrize("key, params, message", [
    ("pinball", {"tau": 1.7}, r"^pinball: tau must lie in \[0, 1\], got 1\.7; tau is the slope"),
    ("pinball", {"tau": np.nan}, r"tau must lie in \[0, 1\], got nan"),
    ("pinball", {"tau": "half"}, r"tau must lie in \[0, 1\], got half"),
    ("huber", {"delta": 0.0}, r"delta must lie in \(0, inf\), got 0\.0"),
    ("huber", {"delta": np.inf}, r"delta must lie in \(0, inf\), got inf"),
    ("pinball", {"delta": 1.0}, r"^pinball: unknown parameter 'delta'; it takes tau"),
    ("ramp", {"mu": 0.0}, r"^ramp: mu must lie in \(0, inf\), got 0\.0; mu is the largest possible loss"),
    ("asymmetric_truncated_pinball", {"s": 2.0}, r"unknown parameter 's'; it takes tau, kappa, mu"),
    ("hinge", {"tau": 0.5}, r"^hinge: unknown parameter 'tau'; it takes no parameters"),
])  # fmt: skip
def test_wrong_parameters_are_sentences(key, params, message):
    loss = losses.get(key)
    for call, arguments in ((loss.check, ()), (loss, (T,)), (loss.slope, (T,)), (loss.prox, (T, 1.0))):
        with pytest.raises(ValueError, match=message):
            call(*arguments, **params)
