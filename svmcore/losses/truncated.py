"""Truncated losses, and the 0/1 loss that they approximate. None is convex.

Each is the minimum of a convex loss and a constant on one or both sides, so the prox is one of two points: that of the
convex loss, or z itself where the loss is constant. `truncate` makes the minimum of any convex loss and mu.
"""

import numpy as np

from svmcore.losses.piecewise import TAU, hinge, huber, least_squares, pinball, squared_hinge
from svmcore.losses.registry import Loss, Parameter

MU = Parameter(
    name="mu",
    default=2.0,
    latex=r"\mu",
    meaning="the largest possible loss of a point on the wrong side: towards infinity nothing is truncated",
    low_open=True,
    gentler=1.0,
)
KAPPA = Parameter(
    name="kappa",
    default=0.1,
    latex=r"\kappa",
    meaning="how far beyond the margin the loss still grows: towards infinity nothing is truncated",
    low_open=True,
)


def _better(value_of, z, c, v):
    """v, or z itself where its cost is smaller."""
    return np.where(c * value_of(v) + 0.5 * (v - z) ** 2 <= c * value_of(z), v, z)


def _cut_pinball(t, tau, kappa, mu=np.inf):
    return np.where(t > 0.0, np.minimum(t, mu), tau * np.minimum(-t, kappa))


def _cut_pinball_slope(t, tau, kappa, mu=np.inf):
    return np.where((t > 0.0) & (t < mu), 1.0, np.where((t > -kappa) & (t < 0.0), -tau, 0.0))


def _cut_pinball_prox(z, c, tau, kappa, mu=np.inf):
    return _better(lambda t: _cut_pinball(t, tau, kappa, mu), z, c, pinball.prox_of(z, c, tau))


def truncate(base: Loss, **entry) -> Loss:
    """min(base, mu), with the parameters of the convex loss `base` and mu; `entry` is the rest of its `Loss`."""

    def value_of(t, mu, **own):
        return np.minimum(base.value_of(t, **own), mu)

    return Loss(
        value_of=value_of,
        slope_of=lambda t, mu, **own: np.where(base.value_of(t, **own) < mu, base.slope_of(t, **own), 0.0),
        prox_of=lambda z, c, mu, **own: _better(lambda t: value_of(t, mu, **own), z, c, base.prox_of(z, c, **own)),
        parameters=(*base.parameters, MU),
        base=base,
        weight_of=lambda height, mu, **own: np.where(height < mu, 1.0, 0.0),
        convex=False,
        bounded=True,
        sparse=True,
        **entry,
    )


def quadratic_pieces(loss: Loss, params) -> tuple[np.ndarray, np.ndarray]:
    """The levels of t (m,), ascending, between which min(base, mu) is p0 + p1 t + 1/2 p2 t^2, and its p (m + 1, 3).

    For the bases least_squares, squared_hinge and huber, whose slope is continuous. Raises ValueError for others.
    """
    mu, above = params["mu"], [params["mu"], 0.0, 0.0]
    if loss.base is least_squares:
        cut = np.sqrt(2.0 * mu)
        return np.array([-cut, cut]), np.array([above, [0.0, 0.0, 1.0], above])
    if loss.base not in (squared_hinge, huber):
        raise ValueError(f"{loss.key} is not made of parabolas with a continuous slope between its cuts")
    width = params.get("delta", np.inf)
    bent = [0.0, 0.0, 1.0 if loss.base is squared_hinge else 1.0 / width]
    if mu <= 0.5 * width:
        return np.array([0.0, np.sqrt(2.0 * mu / bent[2])]), np.array([[0.0] * 3, bent, above])
    levels = np.array([0.0, width, mu + 0.5 * width])
    return levels, np.array([[0.0] * 3, bent, [-0.5 * width, 1.0, 0.0], above])


ramp = truncate(
    hinge,
    key="ramp",
    machine="Ramp-loss SVM",
    colour=9,
    latex=r"\min(\max(0,\, t),\, \mu)",
    solved_by="CCCP",
    source="R. Collobert, F. Sinz, J. Weston, L. Bottou (2006). Trading convexity for scalability. "
    "23rd International Conference on Machine Learning (ICML), Pittsburgh, 201-208.",
)

truncated_pinball = Loss(
    key="truncated_pinball",
    machine="Truncated pinball SVM",
    colour=10,
    latex=r"\begin{cases} t & t \ge 0 \\ -\tau t & -\kappa \le t < 0 \\ \tau\kappa & t < -\kappa \end{cases}",
    value_of=_cut_pinball,
    slope_of=_cut_pinball_slope,
    prox_of=_cut_pinball_prox,
    parameters=(TAU, KAPPA),
    convex=False,
    sparse=True,
    solved_by="CCCP",
    source="X. Shen, L. Niu, Z. Qi, Y. Tian (2017). Support vector machine classifier with truncated pinball loss. "
    "Pattern Recognition 68, 199-210.",
)

asymmetric_truncated_pinball = Loss(
    key="asymmetric_truncated_pinball",
    machine="ATP-SVM",
    colour=11,
    latex=r"\begin{cases} \mu & t > \mu \\ t & 0 \le t \le \mu \\ -\tau t & -\kappa \le t < 0 \\"
    r" \tau\kappa & t < -\kappa \end{cases}",
    value_of=_cut_pinball,
    slope_of=_cut_pinball_slope,
    prox_of=_cut_pinball_prox,
    parameters=(TAU, KAPPA, MU),
    convex=False,
    bounded=True,
    sparse=True,
    solved_by="CCCP",
    source="X. Shen, R. Zhou, L. Niu, R. He. Support vector machine classifier with asymmetrical truncated pinball "
    "loss. Manuscript, known from the README of its code, without year or venue.",
)

zero_one = Loss(
    key="zero_one",
    machine="L0/1-SVM",
    colour=14,
    latex=r"\begin{cases} 1 & t > 0 \\ 0 & t \le 0 \end{cases}",
    value_of=lambda t: np.where(t > 0.0, 1.0, 0.0),
    slope_of=np.zeros_like,
    prox_of=lambda z, c: np.where((z > 0.0) & (z * z <= 2.0 * c), 0.0, z),
    convex=False,
    bounded=True,
    sparse=True,
    solved_by="ADMM",
    source="H. Wang, Y. Shao, S. Zhou, C. Zhang, N. Xiu (2022). Support vector machine classifier via L0/1 soft-margin "
    "loss. IEEE Transactions on Pattern Analysis and Machine Intelligence 44(10), 7253-7265.",
)

truncated_least_squares = truncate(
    least_squares,
    key="truncated_least_squares",
    machine="Truncated LS-SVM",
    colour=15,
    latex=r"\min(\tfrac{1}{2}\, t^2,\, \mu)",
    solved_by="re-weighting",
    source="X. Yang, L. Tan, L. He (2014). A robust least squares support vector machine for regression and "
    "classification with noise. Neurocomputing 140, 41-52.",
)

truncated_squared_hinge = truncate(
    squared_hinge,
    key="truncated_squared_hinge",
    machine="Truncated L2-SVM",
    colour=17,
    latex=r"\min(\tfrac{1}{2}\max(0,\, t)^2,\, \mu)",
    solved_by="re-weighting",
    source="H. Wang, H. Zhang, W. Li (2024). Sparse and robust support vector machine with capped squared loss for "
    "large-scale pattern classification. Pattern Recognition 153, 110544.",
)

truncated_huber = truncate(
    huber,
    key="truncated_huber",
    machine="Truncated Huberised-hinge SVM",
    colour=18,
    latex=r"\min(\ell_\delta(t),\, \mu),\; \ell_\delta = "
    r"\begin{cases} 0 & t \le 0 \\ t^2 / (2\delta) & 0 < t \le \delta \\ t - \delta/2 & t > \delta \end{cases}",
    solved_by="re-weighting",
    source="H. Wang, Y. Shao (2022). Fast truncated Huber loss SVM for large scale classification. "
    "Knowledge-Based Systems, 110074, doi 10.1016/j.knosys.2022.110074.",
)
