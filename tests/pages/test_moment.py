"""The moment of a film in the link: written where the film rests, opened there, kept in proportion by a changed C."""

import screen
from screen import choose, open_page, transports

PAGE = "pages/convergence.py"
LINK = dict(problem="toy_outliers", loss="hinge")


def film(app):
    return transports(app)["film"]


def step(app):
    value = app.query_params.get("step")
    return value and int(value[0] if isinstance(value, list) else value)


def rests(app, tick):
    """The browser tells that the film has come to rest at this moment."""
    shown = film(app)
    state = {"run": shown["run"], "iteration": shown["ticks"][tick]["iteration"]}
    app.session_state["film"] = {"moment": state}
    return app.run()


def test_a_film_at_rest_is_in_the_link_and_the_link_opens_there():
    app = open_page(PAGE, **LINK)
    assert step(app) is None and film(app)["start"] is None
    app = rests(app, 5)
    iteration = film(app)["ticks"][5]["iteration"]
    assert step(app) == iteration and film(app)["start"] is None, "the film is there already"
    again = open_page(PAGE, **LINK, step=iteration)
    assert film(again)["start"] == 5 and step(again) == iteration
    assert film(again.run())["start"] is None and step(again) == iteration


def test_a_changed_c_keeps_the_part_of_the_way_also_in_the_link():
    app = open_page(PAGE, **LINK)
    last = len(film(app)["ticks"]) - 1
    app = choose(rests(app, last // 2), C=5.0)
    ticks = film(app)["ticks"]
    assert film(app)["start"] is None and film(app)["ends"], "the browser keeps the part of the way by itself"
    assert step(app) == ticks[round(last // 2 / last * (len(ticks) - 1))]["iteration"]


def test_a_moment_that_is_none_is_refused_and_one_beyond_the_end_is_the_last():
    app = open_page(PAGE, **LINK, step="soon")
    assert film(app)["start"] is None and step(app) is None
    assert any("step" in note and "soon" in note for note in screen.notes(app))
    app = open_page(PAGE, **LINK, step=10**8)
    assert film(app)["start"] == len(film(app)["ticks"]) - 1


def test_the_menu_leaves_the_moment_behind():
    app = rests(open_page(PAGE, **LINK), 5)
    app = app.run()
    links = [link.proto.query_string for link in app.get("page_link") if link.proto.page.endswith("sparsity")]
    assert links and not any("step=" in link for link in links)
