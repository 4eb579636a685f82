"""What bench_live.py compares with: the contents of Playground or of Compare on a plain page with st.plotly_chart."""

import streamlit as st

from pages.shared import palette, session
from pages.shared.choices import Data, Machine, Setting
from pages.shared.live import drawn

st.set_page_config(page_title="Plain", layout="wide")
page, n = st.query_params.get("page", "playground"), int(st.query_params.get("n", 200))
C = 10.0 ** st.slider("log10 C", -2.0, 2.0, 0.0, 0.05)
losses = ["hinge"] if page == "playground" else ["hinge", "least_squares", "least_absolute", "pinball"]
machines = tuple(Machine.of(loss, {"tau": 0.5}) for loss in losses)
data = Data("moons", 0, (("n", n), ("noise", 0.2)))
shown = drawn.PAGES[page](session.source, drawn.Screen(data, machines, Setting(C, "rbf", 0.5)))
for name, column in zip(shown.figures, st.columns(len(shown.figures)), strict=True):
    column.plotly_chart(palette.resolve(shown.figures[name]), key=name)
for study in shown.studies:
    st.write(dict(zip(("test", "training", "support vectors"), study.numbers[:3], strict=True)))
