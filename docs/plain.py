"""SVM Lab in about 60 lines of plain Streamlit: one problem, one slider, one fit, one picture.

Run it with `streamlit run docs/plain.py`. It imports the same core as the app and nothing of `pages/`. Read it before
the rest: the app does these five steps on every page, for more problems and machines, and faster while a hand moves.
"""

import sys
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[1]))  # `streamlit run` adds the folder of this file alone
from svmcore import SVC, problems

VERMILION, BLUE = "#d55e00", "#0072b2"  # distinguishable with a colour vision deficiency, too

st.title("A support vector machine")

# 1. The problem: labels y of -1 and +1, and a kernel width that suits the points.
problem = problems.load("moons")
X, y = problem.X, problem.y

# 2. The control. The address of the page keeps its value, so that a link restores the screen.
power = st.slider("log₁₀ C, the cost of errors", -2.0, 4.0, 0.0, 0.1, key="C", bind="query-params")

# 3. The fit. f(x) = sum of beta_j k(x_j, x) + b, and 0 <= y_j beta_j <= C bounds the influence of each point.
machine = SVC(C=10.0**power, gamma=1 / problem.sigma**2).fit(X, y)
influence = np.zeros(len(y))
influence[machine.support_] = np.abs(machine.dual_coef_[0]) / machine.C

# 4. The picture: f on a grid, its zero line, and the points with an area that is proportional to |beta_j|.
margin = 0.3
x1, x2 = (np.linspace(low, high, 80) for low, high in zip(X.min(0) - margin, X.max(0) + margin, strict=True))
f = machine.decision_function(np.stack(np.meshgrid(x1, x2), -1).reshape(-1, 2)).reshape(80, 80)
figure = go.Figure(layout={"xaxis_title": "x₁", "yaxis_title": "x₂", "yaxis_scaleanchor": "x", "height": 520})
for name, level, dash in ("f = −1", -1, "dash"), ("boundary f = 0", 0, "solid"), ("f = +1", 1, "dash"):
    figure.add_contour(
        x=x1,
        y=x2,
        z=f,
        name=name,
        contours={"type": "constraint", "operation": "=", "value": level},
        line={"color": "gray", "width": 2, "dash": dash},
    )
for label, colour, symbol in (1, VERMILION, "circle"), (-1, BLUE, "square"):
    mine = y == label
    area = {"size": influence[mine], "sizemode": "area", "sizeref": 1 / 18**2, "sizemin": 2}
    marker = {"color": colour, "symbol": symbol, **area}
    figure.add_scatter(x=X[mine, 0], y=X[mine, 1], mode="markers", marker=marker, name=f"y = {label:+d}")
st.plotly_chart(figure)

# 5. The numbers, with the reason why the solver stopped: a run that reached its limit never looks like a solution.
errors = np.mean(machine.predict(problem.X_test) != problem.y_test)
st.write(f"{len(machine.support_)} support vectors, test error {errors:.1%}. Solver: {machine.status_}.")
