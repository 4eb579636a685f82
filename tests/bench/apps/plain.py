"""What benchmarks compare with: the contents of Playground, Compare or Convergence on a page with st.plotly_chart."""

import streamlit as st

from pages.shared.figures import palette
from pages.shared.figures.film import animated_figure
from pages.shared.live import films, pictures
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.screen import Screen
from pages.shared.studies import results, runs
from svmcore.problems import REGISTRY

st.set_page_config(page_title="Plain", layout="wide")
given = st.query_params
page = given.get("page", "playground")


def film(problem="moons", loss="hinge", solver="", n=None):
    """The film of Convergence with these parameters of its link, which plays as fast as Plotly can."""
    entry = REGISTRY[problem]
    options = {option.name: option.default for option in entry.options} | ({"n": int(n)} if n else {})
    asked = Data(problem, 0, tuple(options.items())), Machine.from_loss(loss, {}), Setting.from_problem(entry)
    first, _ = runs.solvers(results.solver_input(*asked))[0]
    shown = films.run(*asked, solver or first, (), None)
    labels = {k: tick.label for k, tick in enumerate(shown.ticks)}
    chart = animated_figure(shown.screens[0].film, labels)
    chart.layout.updatemenus[0].buttons[0].args[1]["frame"]["duration"] = 0
    st.plotly_chart(chart, key="film")


def still(losses):
    """All figures of the page beside each other, below a slider, and the numbers of its machines."""
    C = 10.0 ** st.slider("log10 C", -2.0, 2.0, 0.0, 0.05)
    machines = tuple(Machine.from_loss(loss, {"tau": 0.5}) for loss in losses)
    data = Data("moons", 0, (("n", int(given.get("n", 200))), ("noise", 0.2)))
    draw = pictures.playground if page == "playground" else pictures.compare
    shown = draw(results.source, Screen(data, machines, Setting(C, "rbf", 0.5)))
    for name, column in zip(shown.figures, st.columns(len(shown.figures)), strict=True):
        column.plotly_chart(palette.resolve(shown.figures[name]), key=name)
    for study in shown.studies:
        st.write(dict(zip(("test", "training", "support vectors"), study.numbers[:3], strict=True)))


if page == "film":
    film(**{name: given[name] for name in given if name != "page"})
else:
    still(["hinge"] if page == "playground" else ["hinge", "least_squares", "least_absolute", "pinball"])
