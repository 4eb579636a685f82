"""From the 2-norm to the 1-norm SVM: in two features, in all, and for different numbers of relevant features."""

from pages.shared import frame

frame.begin("Feature walk", "From the 2-norm SVM, which uses every feature, to the 1-norm SVM, which picks a few.")

import streamlit as st

from pages.shared import controls, figures, plane, session, tables
from pages.shared.parts import guards, player, relevance_study, walk_films
from pages.shared.studies import feature_walk

walk = controls.walk()

with guards.guarded():
    steps, flat = session.walk(walk)
    names = feature_walk.names(steps, walk.d_rel)
    film = figures.drawn(feature_walk.two_features(flat, walk, names))
    with st.container(key="stage"):
        columns = st.columns(2, gap="small")
        rev = player.transport(film.ticks, "flat", walk, speed=walk_films.SPEED)
    for column, screen, key in zip(columns, film.screens, walk_films.KEYS, strict=True):
        with column:
            size = dict(edge=(screen.name, "", ""), fill=1, less=player.UNDER + 8)
            reel = plane.reel(screen.film, "flat", rev)
            plane.show(screen.film.figure, key=key, **size, link="flat", reel=reel)
    st.header("Two features", anchor=False)
    st.markdown(walk_films.IDEA)
    st.caption(walk_films.IN_TWO.format(*names))
    player.take_along(dict(zip(walk_films.FILES, film.screens, strict=True)), film.ticks, key="take_flat")

    st.header("All features", anchor=False, divider="gray")
    st.caption(walk_films.IN_ALL)
    film = feature_walk.all_features(steps, walk)
    rev = player.transport(film.ticks, "walk", walk, linked=False, speed=walk_films.SPEED)
    left, right = st.columns(2, gap="medium")
    with left:
        cursor = {"film": "walk", "rev": rev, "places": [tick.iteration for tick in film.ticks]}
        weights = figures.weights(*feature_walk.sizes(steps, walk), xlabel="round")
        plane.show(weights, heading="All weights", key="weights", height=440, cursor=cursor)
        st.html(tables.grid(*feature_walk.table(steps, walk), tips=feature_walk.TIPS))
    with right:
        for chart in film.charts:
            player.chart(chart, "walk", rev, key=f"walk-{chart.ylabel}", height=256)

    st.header("How many features are relevant", anchor=False, divider="gray")
    relevance_study.section(walk)
    controls.share()
