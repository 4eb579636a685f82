"""From the 2-norm to the 1-norm SVM: in two features, in all, and for different numbers of relevant features."""

from pages.shared.page.page import page

with page("Feature walk", "From the 2-norm SVM, which uses every feature, to the 1-norm SVM, which picks a few."):
    import streamlit as st

    from pages.shared.controls.page_controls import choose_walk
    from pages.shared.figures.charts.weights import weights_figure
    from pages.shared.figures.drawing import with_films
    from pages.shared.live import films
    from pages.shared.panels import player, relevance_study
    from pages.shared.plane import component
    from pages.shared.studies import feature_walk, formatting

    walk = choose_walk()

    steps, flat = films.walk(walk)
    names = feature_walk.names(steps, walk.d_rel)
    film = with_films(feature_walk.two_features(flat, walk, names))
    with st.container(key="stage"):
        columns = st.container(key="exhibit_flat").columns(2, gap="small")
        version = player.transport(film.ticks, "flat", walk, speed=feature_walk.SPEED)
    for column, screen, key in zip(columns, film.screens, feature_walk.KEYS, strict=True):
        with column:
            size = dict(edge=(screen.name, "", ""), fill=1, less=player.UNDER + 8)
            frames = component.film_frames(screen.film, "flat", version)
            component.show_figure(screen.film.figure, key=key, **size, link="flat", frames=frames)
    st.header("Two features", anchor=False)
    st.markdown(feature_walk.IDEA)
    st.caption(feature_walk.IN_TWO.format(*names))
    player.downloads(film, "feature-walk", key="take_flat")

    st.header("All features", anchor=False, divider="gray")
    st.caption(feature_walk.IN_ALL)
    film = feature_walk.all_features(steps, walk)
    version = player.transport(film.ticks, "walk", walk, linked=False, speed=feature_walk.SPEED)
    left, right = st.columns(2, gap="medium")
    with left:
        cursor = {"film": "walk", "version": version, "places": [tick.iteration for tick in film.ticks]}
        weights = weights_figure(*feature_walk.sizes(steps, walk), xlabel="round")
        component.show_figure(weights, heading="All weights", key="weights", height=440, cursor=cursor)
        st.html(formatting.grid(*feature_walk.table(steps, walk), tips=feature_walk.TIPS))
    with right:
        for chart in film.charts:
            player.chart(chart, "walk", version, key=f"walk-{chart.ylabel}", height=256)

    st.header("How many features are relevant", anchor=False, divider="gray")
    relevance_study.section(walk)
