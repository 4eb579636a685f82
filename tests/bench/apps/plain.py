"""What benchmarks compare with: the contents of Playground or Compare on a page with st.plotly_chart,
all its figures beside each other, below a slider, and the numbers of its machines.
"""

import streamlit as st

from pages.shared.figures import palette
from pages.shared.live import pictures
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.screen import Screen
from pages.shared.studies import results

st.set_page_config(page_title="Plain", layout="wide")
given = st.query_params
page = given.get("page", "playground")
losses = ["hinge"] if page == "playground" else ["hinge", "least_squares", "least_absolute", "pinball"]
C = 10.0 ** st.slider("log10 C", -2.0, 2.0, 0.0, 0.05)
machines = tuple(Machine.from_loss(loss, {"tau": 0.5}) for loss in losses)
data = Data("moons", 0, (("n", int(given.get("n", 200))), ("noise", 0.2)))
draw = pictures.playground if page == "playground" else pictures.compare
shown = draw(results.source, Screen(data, machines, Setting(C, "rbf", 0.5)))
for name, column in zip(shown.figures, st.columns(len(shown.figures)), strict=True):
    column.plotly_chart(palette.resolve(shown.figures[name]), key=name)
for study in shown.studies:
    st.write(dict(zip(("test", "training", "support vectors"), study.numbers[:3], strict=True)))
