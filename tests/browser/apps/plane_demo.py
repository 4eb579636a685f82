"""A small app around the plane component: an LS-SVM solved in a few lines, so that tests need nothing of svmcore."""

import numpy as np
import streamlit as st

from pages.shared.figures.charts.spectrum import spectrum_figure
from pages.shared.figures.charts.sweep import Band, sweep_figure
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.plane import plane_figure
from pages.shared.plane import component
from pages.shared.studies import arrays

st.set_page_config(page_title="Plane demo", layout="wide")


def ls_svm(X, y, C, sigma):
    """(beta, b) of the LS-SVM with a Gaussian kernel."""
    K = np.exp(-np.sum((X[:, None] - X[None]) ** 2, axis=2) / sigma**2)
    system = np.block([[np.zeros((1, 1)), np.ones((1, len(y)))], [np.ones((len(y), 1)), K + np.eye(len(y)) / C]])
    solution = np.linalg.solve(system, np.r_[0.0, y])
    return K, solution[1:], solution[0]


def model(X, y, C, sigma, size):
    """The field and the points of one model; |alpha| > C/2 plays the part of a bound."""
    K, beta, b = ls_svm(X, y, C, sigma)
    xs = np.linspace(-3, 3, size)
    across, up = (np.exp(-((xs[:, None] - X[:, k]) ** 2) / sigma**2) for k in (0, 1))
    field = arrays.Field(xs, xs, (up * beta) @ across.T + b)
    alpha, f = y * beta, K @ beta + b
    alpha = np.where(np.abs(alpha) < 0.02 * np.abs(alpha).max(), 0.0, alpha)
    bound = 0.7 * np.abs(alpha).max()
    alpha = np.clip(alpha, -bound, bound)
    state = np.select([alpha == 0, alpha >= bound, alpha <= -bound], [0, 2, 3], 1)
    kkt = np.array(["zero: beyond the margin", "free: on the margin", "at C: inside the margin", "at −C"])[state]
    points = arrays.Points(X, y, alpha, state, y * f, np.maximum(0, 1 - y * f), kkt, outlier=np.arange(len(y)) < 3)
    return field, points, bound


@st.cache_data
def data(n):
    rng = np.random.default_rng(3)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    angle = rng.uniform(0, np.pi, n)
    ring = np.c_[np.cos(angle), np.sin(angle)] * y[:, None] + np.c_[0.5 * y - 0.0, -0.25 * y] * -1
    return 1.35 * (ring + rng.normal(scale=0.28, size=(n, 2))), y


query = st.query_params
n, size = int(query.get("n", 200)), int(query.get("grid", 100))
height = int(query.get("height", 480))
X, y = data(n)
level = st.slider("log10 C", -2.0, 2.0, 0.0, 0.1, key="level")
C = 10.0**level

if query.get("view", "one") == "one":
    field, points, bound = model(X, y, C, 0.7, size)
    left, right = st.columns(2)
    with left:
        picture = plane_figure(field, points)
        picture.layout["title"] = dict(text=f"LS-SVM, C = {C:.3g}")  # by which a test knows which one it sees
        component.show_figure(picture, key="plane", height=height, link="demo")
    with right:
        spectrum = spectrum_figure(points, (-bound, bound))
        component.show_figure(spectrum, key="spectrum", height=height, link="demo")
else:
    models = [model(X, y, C, sigma, size) for sigma in (0.3, 0.5, 0.8, 1.6, 2.0, 3.0)]
    curves = [Curve(f"variant {k}", field, k) for k, (field, _, _) in enumerate(models)]
    component.show_figure(overlay_figure(curves, models[0][1]), key="overlay", height=height)
    x = np.linspace(0, 0.3, 7)
    bands = [
        Band(f"variant {k}", 0.05 + (k + 1) * x / 4, 0.03 + k * x / 4, 0.07 + (k + 2) * x / 4, k) for k in range(3)
    ]
    component.show_figure(sweep_figure(x, bands, xlabel="share of flips", ylabel="test error"), key="sweep", height=400)
    ghost = plane_figure(models[1][0], models[1][1], ghost=models[3][0])
    component.show_figure(ghost, key="ghost", height=height)

st.button("Run again")
st.caption(f"C = {C:.4g}")
