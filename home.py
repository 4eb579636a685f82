"""Home: one live picture, one thing to do, three scenes; the table of machines below."""

from pages.shared.page.page import page

with page("SVM Lab", "One problem, many support vector machines. Change the data and see which boundaries stay put."):
    import streamlit as st

    from pages.shared.controls import link, widgets
    from pages.shared.lessons.screens import scene_card
    from pages.shared.live import pictures, scene
    from pages.shared.panels import editing, home
    from pages.shared.plane import component
    from pages.shared.screen import schema
    from pages.shared.screen.screen import Screen
    from pages.shared.studies import scenes

    flips = widgets.show(schema.HOME_FLIPS)
    data = editing.with_edits(home.data(flips))
    link.share(data)
    with editing.show_toolbar(data, quiet=True):
        left, right = st.columns([0.6, 0.4], gap="large")
        with left:
            version = editing.version(data)
            screen = Screen.from_problem(data.problem)._replace(data=data, machines=home.LIVE)
            shown = scene.show(pictures.home, screen, points_version=version)
            edge = "", shown.numbers["claim"], "claim"
            picture, live = shown.figures["live"], shown.live
            component.show_figure(picture, edge=edge, key="live", fill=1, link=editing.POINTS, edit=True, live=live)
        with right:
            home.invitation(flips)
            scene_card.links()
            home.tour()
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        st.markdown(
            "A support vector machine computes a function f(x) = w·φ(x) + b. The sign of f is the predicted class, and "
            "f = 0 is the boundary. Every machine balances a wide margin against its errors; the machines differ in "
            "what an error costs. Flip labels and see how much that matters: the shaded area changes class. Its share "
            "of the plane is written above the picture, and in brackets the range that it has in nine of ten "
            "draws of such points. The faint lines are the boundaries on some of these."
        )
        st.page_link("pages/lessons.py", label="**Lessons**: predict first, then see", icon=":material/school:")
        st.markdown("**A different penalty** instead of the squared norm, for sparser models:")
        home.sparser()
        st.page_link(scenes.PAPERS, label="**The five papers**, our results beside theirs", icon=":material/menu_book:")
    with right:
        st.markdown(
            "**Four machines**, which differ in the constraint and in how they penalise the slack ξ of a point, by "
            "which y f falls short of 1. Open one:"
        )
        home.table()
        st.markdown("**Between these**")
        home.others()
        home.family()
