"""The breakdown meter on Compare: its film and its numbers against the fits, the link that opens it, other settings."""

import numpy as np
import pytest
from screen import captions, choose, healthy, html, notes, open_page, sent, transports, value

from pages.shared.panels import breakdown as panel
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import many_draws
from svmcore import problems
from svmcore.studies import breakdown

MACHINES = (Machine("hinge"), Machine("least_squares"))


def test_a_film_ends_when_all_machines_are_broken():
    made = many_draws.flip_labels(
        problems.load("toy_outliers", 0, n=20), "farthest", 0, MACHINES, Setting(1.0, "linear", 2.0)
    )
    assert made.shares.shape == (2, 11) and (made.shares[:, 0] == 0.0).all()
    for share in (0.05, 0.25, 2.0):
        at, view = made.broken_at(share), made.view(share)
        assert at == [next((k for k in range(11) if row[k] >= share), np.inf) for row in made.shares]
        end = 11 if np.inf in at else int(max(at)) + 1
        assert len(view.ticks) == end == len(view.charts[0].places) == len(view.screens[0].at)
        assert all(("broken at" in word) == (k <= end - 1) for k, word in zip(at, view.ticks[-1].words, strict=True))
    last = made.films[0].frames[3]
    assert len(last.ringed) == 3 and made.films[0].points.y.sum() == 0  # the clean labels, and the flipped ones ringed


def test_numbers_are_percentiles_with_what_does_not_break():
    assert panel.numbers(np.array([3.0, 1.0, 2.0])) == ["3", "2", "1 to 3", "0 of 3"]
    assert panel.numbers(np.array([4.0, np.inf, np.inf])) == ["4", "–", "4 to –", "2 of 3"]


@pytest.mark.usefixtures("warm")
def test_the_page_of_a_race(monkeypatch):
    monkeypatch.setattr(panel, "DRAWS", 2)
    link = dict(n="20", losses="hinge,least_squares", contamination="flip_random")
    app = healthy(open_page("pages/compare.py", **link))
    assert "flipping" not in app.query_params and not [b for b in app.button if b.key == "breakdown_start"]
    app = healthy(open_page("pages/compare.py", **link, flipping="central", broken="10"))
    assert notes(app) == [] and "film" not in transports(app)
    app.button(key="breakdown_start").click().run()
    job = app.session_state["breakdown_jobs"]["compare"]
    job.wait(60)
    healthy(app.run())
    assert job.is_finished and len(job.rows) == job.total == 2 * 2 * 11
    assert not any(problems.load("toy_outliers", s, n=20).outlier.any() for s in (0, 1))
    assert job.rows == list(
        breakdown.race(
            {m.name: panel.classification.estimator(m, Setting(1.0, "linear", 2.0)) for m in MACHINES},
            lambda seed: problems.load("toy_outliers", seed, n=20), "central", (0, 1),
        )
    )  # fmt: skip
    for name, at in breakdown.broken_at(job.rows, 0.1).items():
        assert f"{name}</th>" + "".join(f"<td>{text}</td>" for text in panel.numbers(at)) in html(app, "percentile")
    film = transports(app)["film"]
    assert film["plays"] and film["start"] == 0 and "labels flipped" in film["ticks"][-1]["label"]
    assert len([spec for spec in sent(app) if spec.get("frames")]) == 2
    assert app.query_params["flipping"] == "central" and value(app, "broken") == 10
    choose(app, C=7.0)
    assert "have changed since these labels were flipped" in captions(healthy(app)) and "film" not in transports(app)


def test_a_request_starts_from_clean_points(monkeypatch):
    data = Data("label_flips", 3, (("n", 40), ("noise", 0.2)))
    request = panel.BreakdownRequest(panel.robustness_study.request_of(data, MACHINES, Setting(1.0, "linear", 2.0)),
                                     "random", 3)  # fmt: skip
    assert not request.draw(3).outlier.any()
