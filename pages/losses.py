"""All losses in one chart, a card for each, and the effect of one outlier on each machine."""

from pages.shared import frame

frame.begin("Losses", "How each loss penalises a point, and how its machine responds to an outlier.")

from functools import partial

import streamlit as st

from pages.shared import controls, plane, tables
from pages.shared.live import pictures
from pages.shared.parts import best_possible, guards, loss_cards, loss_graph, outlier_sweep
from pages.shared.studies import lone_outlier

every, chosen = controls.highlighted()
kind, weight = controls.curve()

with guards.guarded():
    kernel, distance = controls.lone_outlier(lone_outlier.KERNELS, lone_outlier.DISTANCES)
    controls.share(lone_outlier.DATA)
    with st.container(key="stage"):
        left, right = st.columns([0.48, 0.52], gap="small")
    graph = loss_graph.Graph(loss_graph.curves(every, chosen, kind, weight), kind)
    known = outlier_sweep.begun(chosen, kernel, distance, graph)
    shown = pictures.show("losses", known)
    with left:
        plane.show(shown.figures["curves"], key="curves", fill=1, live=shown.token)
        st.caption(f"{loss_graph.MEANING[kind]} {loss_graph.MARKED[kind]}")
        with st.container(key="cards"):
            loss_cards.cards(chosen)
            loss_cards.folded([machine for machine in every if machine not in chosen])
            with st.expander("All losses in one table: the dual box, and how each is solved"):
                st.html(tables.grid(loss_cards.HEAD, loss_cards.rows(every), tips=loss_cards.TIPS))
    with right:
        if not chosen:
            guards.end("Choose a loss to see the effect of the outlier on its machine.", "tune")
        outlier_sweep.section(chosen, known, shown, partial(pictures.show, "losses"))
        if kernel == "linear":
            best_possible.beside_the_outlier(chosen, distance)
        st.header("Moving one outlier away", anchor=False)
        st.markdown(outlier_sweep.SET_UP)
        st.markdown(outlier_sweep.LESSONS[kernel])
