"""The reader's own points on the pages, without a browser."""

import json
import re

import numpy as np
import pytest
from people import SCRIPT, as_csv, broken, documented, people
from screen import (
    captions,
    choose,
    control,
    healthy,
    html,
    metrics,
    notes,
    offered,
    open_page,
    pictures,
    places,
    press,
    said,
    sent,
    upload,
    value,
)

from pages.shared.controls import download
from pages.shared.files.document import json_text
from pages.shared.files.reading import read_table
from pages.shared.files.table import read_classes
from pages.shared.screen import codec, editor, edits, own_points
from pages.shared.screen.choices import OWN, Data, Machine, Setting
from pages.shared.screen.edits import FLIPPED
from pages.shared.studies import classification, formatting, point_sets, results
from svmcore import SVC

PLAYGROUND, COMPARE, CONVERGENCE = "pages/playground.py", "pages/compare.py", "pages/convergence.py"


@pytest.fixture
def another_server(monkeypatch, own_store):
    """A server whose store is empty."""
    sets = point_sets.Sets()
    monkeypatch.setattr(results, "own_sets", lambda: sets)


# ----------------------------------------------------------------------------------------- the pages


def drawn(app):
    """All pictures as text, to compare them: a nan is a nan there."""
    return json.dumps(pictures(app))


@pytest.mark.usefixtures("warm")
class TestPages:
    @pytest.mark.parametrize("page", [PLAYGROUND, COMPARE, CONVERGENCE])
    def test_the_empty_plane(self, page):
        app = healthy(open_page(page, problem="own"))
        assert len(sent(app, "editor")) == 1  # the toolbar of the hand
        assert list(pictures(app)) == ["bare"] and all(name in app.info[0].value for name in ("+1", "−1"))
        assert pictures(app)["bare"]["layout"]["xaxis"]["range"] == pytest.approx([-3, 3])
        assert len(app.file_uploader) == 1 and len(app.warning) == 0

    def test_points_drawn_on_the_empty_plane(self):
        text = codec.encode(edits.script((-3, -3), [(-1, 0, 1000, 0), (-2, FLIPPED, -1000, 0)]))
        app = healthy(open_page(PLAYGROUND, problem="own", edits=text))
        assert metrics(app)["Support vectors"] == "2 of 2" and metrics(app)["Test error"] == "–"

    @pytest.mark.parametrize("page", [PLAYGROUND, COMPARE])
    def test_a_file_becomes_the_problem_which_a_link_finds_again(self, page):
        app = healthy(upload(open_page(page, problem="own"), "people.csv", as_csv(people())))
        assert value(app, "data") == people().key
        assert value(app, "sigma") == own_points.width(people().X) and value(app, "C") == 1.0
        assert "x1 is height, x2 is weight. +1 is yes, −1 is no." in said(app)
        shown = html(app) + " ".join(metrics(app).values())
        assert "of 30" in shown and "nan" not in shown + said(app)
        for path in (PLAYGROUND, COMPARE):
            app = healthy(open_page(path, problem="own", data=people().key))
            assert len(app.warning) == 0 and "height" in said(app)

    @pytest.mark.parametrize(
        "content, words",
        [
            (b"a,b,c\n1,2,x\n3,nan,y\n", "Row 3, column 'b'"),
            (lambda: broken(edits="1AAAA").encode(), "these edits"),  # a screen that is computed by the test
        ],
    )
    def test_a_bad_file_is_a_sentence_and_nothing_is_lost(self, content, words):
        results.own_sets().put(people())
        app = open_page(PLAYGROUND, problem="own", data=people().key, edits=codec.encode(SCRIPT), C="3")
        before = drawn(app)
        upload(app, "bad*\u202e.csv", content() if callable(content) else content)
        assert [e.value for e in app.exception] == []
        (sentence,) = (error.value for error in app.error)
        assert words in sentence.replace("\\", "") and sentence.startswith("bad\\*\\.csv\\: ")
        assert drawn(app) == before and value(app, "C") == 3.0
        assert value(app, "edits") == codec.encode(SCRIPT)
        app.file_uploader(key="upload").clear().run()
        healthy(app)
        assert drawn(app) == before

    def test_a_pasted_table(self):
        app = open_page(PLAYGROUND, problem="own")
        app.text_area(key="pasted").input("1;2;ja\n3;4;nein\n5,5;6;ja")
        app.button(key="use_pasted").click().run()
        assert metrics(healthy(app))["Support vectors"].endswith("of 3")

    def test_columns_are_chosen(self):
        rng = np.random.default_rng(1)
        rows = [f"{a},{b},{c},{'u' if a > 0 else 'v'},w{k % 4}" for k, (a, b, c) in enumerate(rng.normal(size=(20, 3)))]
        app = upload(open_page(PLAYGROUND, problem="own"), "wide.csv", "\n".join(["p,q,r,s,t", *rows]).encode())
        first = value(app, "data")
        assert app.multiselect(key="column_features").value == [*"pqrt"]
        assert [app.selectbox(key=f"column_{name}").value for name in ("label", "positive")] == ["s", "v"]
        assert results.own_set(first).features == ("p", "q", "r", *(f"t = w{k}" for k in range(4)))
        app.multiselect(key="column_features").set_value(["r"]).run()
        assert len(app.error) == 1 and "got 'r'" in said(app) and value(app, "data") == first
        app.multiselect(key="column_features").set_value(["r", "p"]).run()
        app.selectbox(key="column_positive").select("u").run()
        key = value(app, "data")
        points = results.own_set(key)
        table = read_table("\n".join(["p,q,r,s,t", *rows]))
        X, y, _ = read_classes(table, ("r", "p"), "s", "u")
        assert np.array_equal(points.X, X) and np.array_equal(points.y, y) and key != first
        app.selectbox(key="column_label").select("t").run()
        assert len(app.error) == 1 and "'t'" in said(app) and value(app, "data") == key
        app.selectbox(key="column_label").select("s").run()
        healthy(app)

    def test_a_table_is_fitted_on_all_its_features_and_shown_in_a_slice(self):
        rng = np.random.default_rng(2)
        X = np.round(rng.normal(size=(40, 9)) * np.arange(1, 10), 3)
        rows = [",".join(map(str, [*row, "u" if row[0] + row[1] > 0 else "v"])) for row in X.tolist()]
        head = ",".join(["a", "b (cm)", *"cdefghi", "class"])
        app = upload(open_page(PLAYGROUND, problem="own"), "nine.csv", "\n".join([head, *rows]).encode())
        assert any("slice of 9 features" in caption.value for caption in healthy(app).caption)
        points = own_points.problem(results.own_set(value(app, "data")))
        scaled = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
        assert np.allclose(points.X, scaled) and value(app, "sigma") == own_points.width(scaled)
        app = healthy(open_page(PLAYGROUND, **app.query_params, kernel="linear", slice="columns", across="2", up="9"))
        layout = pictures(app)["plane"]["layout"]
        titles = ["b (cm), standardised", "i, standardised"]
        assert [layout[axis]["title"]["text"] for axis in ("xaxis", "yaxis")] == titles
        assert "b (cm)" in offered(app, "across")
        files = captions(healthy(open_page(PLAYGROUND, {"take": True}, **app.query_params)))
        assert "files have the features standardised" in files
        model = SVC(kernel="linear").fit(scaled, points.y)
        assert metrics(app)["Support vectors"] == f"{len(model.support_)} of 40"
        shown = places(pictures(app)["plane"]["data"])
        assert np.allclose([shown[k] for k in range(40)], scaled[:, [1, 8]], atol=1e-6)
        app = healthy(open_page(PLAYGROUND, **app.query_params, scaled="false"))
        assert value(app, "scaled") is False and pictures(app)["plane"]["layout"]["xaxis"]["title"]["text"] == "b (cm)"

    def test_an_empty_plane_again_and_back(self):
        app = upload(open_page(PLAYGROUND, problem="own"), "people.csv", as_csv(people()))
        choose(app, problem="moons")
        choose(app, problem="own")
        assert value(app, "data") == people().key
        app.button(key="empty_plane").click().run()
        assert list(pictures(healthy(app))) == ["bare"]

    def test_points_that_the_server_forgot_come_back_with_their_edits(self, another_server):
        points = people(seed=77)  # a set of its own: not in the cache
        app = open_page(PLAYGROUND, problem="own", data=points.key, edits=codec.encode(SCRIPT), C="3", sigma="0.5")
        assert points.key in app.warning[0].value and list(pictures(healthy(app))) == ["bare"]
        upload(app, "people.csv", as_csv(points))
        expected = classification.make_problem(Data(OWN, 0, (("data", ""),), edits=SCRIPT), points)
        assert len(app.warning) == 0 and metrics(healthy(app))["Support vectors"].endswith("of 31")
        assert value(app, "C") == 3.0 and value(app, "sigma") == 0.5
        shown = {index: x for index, (x, _) in places(pictures(app)["plane"]["data"]).items()}
        assert shown == pytest.approx(dict(zip(expected.ids.tolist(), expected.X[:, 0], strict=True)), abs=1e-6)

    def test_points_are_held_out(self):
        app = upload(open_page(PLAYGROUND, problem="own"), "people.csv", as_csv(people()))
        choose(app, hold_out=0.2)
        problem = own_points.problem(people(), 0, 0.2)
        assert metrics(healthy(app))["Support vectors"].endswith("of 24") and len(problem.y_test) == 6
        setting = Setting(1.0, "rbf", own_points.width(people().X), 3, 1.0)
        axis = np.linspace(-2, 2, 5)
        expected = classification.fit(problem, Machine("hinge"), setting, axis, axis).numbers
        assert metrics(app)["Test error"] == f"{100 * expected.test_error:.1f}\u202f%"
        before = json.dumps(pictures(app)["plane"])
        assert control(app, "draw")["label"] == "New draw" and "held out" in control(app, "draw")["help"]
        press(app, "draw")
        assert value(app, "seed") == 1 and json.dumps(pictures(healthy(app))["plane"]) != before

    def test_outliers_of_the_laboratory_without_a_test_set(self):
        results.own_sets().put(people())
        link = dict(problem="own", data=people().key, contamination="flip_farthest", flips="3")
        app = healthy(open_page(COMPARE, **link))
        (table,) = (e.proto.body for e in app.get("html") if "plane changed" in e.proto.body)
        assert "nan" not in table and ">–</td>" in table and "nan" not in said(app)
        assert "training error" in said(app)
        (link,) = (one.proto for one in app.get("page_link") if "tables=own" in one.proto.query_string)
        assert f"data={people().key}" in link.query_string and "spoilt=flip_farthest" in link.query_string

    def test_a_curve_has_its_table_and_its_files(self):
        app = healthy(open_page(PLAYGROUND, {"table": True, "take": True}, problem="sinc"))
        (table,) = app.data_editor
        assert list(table.value.columns) == ["point", "x", "y", "outlier", "on"]
        assert "Points (LIBSVM)" in [button.label for button in app.get("download_button")]
        compared = healthy(open_page(COMPARE, {"take": True}, problem="sinc"))
        assert "residuals" in captions(compared)

    @pytest.mark.parametrize("page", [PLAYGROUND, COMPARE])
    def test_a_file_restores_a_screen(self, page, monkeypatch):
        made = {}
        monkeypatch.setattr(download, "button", lambda label, make, *_, **__: made.update({label: make}))
        link = dict(problem="moons", n="60", noise="0.3", seed="2", contamination="flip_random", flips="3")
        link |= dict(C="2.5", kernel="poly", degree="2", loss="pinball", tau="0.2", losses="hinge,pinball", hide="n")
        app = healthy(open_page(page, {"take": True}, **link, edits=codec.encode(SCRIPT)))
        named = "support values and margins of one machine, L1-SVM." in captions(app)
        assert named == (page is COMPARE) and "-0" not in made["Points (CSV)"]().replace("\n", ",").split(",")
        text = made["Everything (JSON)"]()
        assert "hide" not in json.loads(text)["settings"]
        other = upload(open_page(page, problem="own", C="7"), "screen.json", text.encode())
        assert drawn(healthy(other)) == drawn(app) and len(other.warning) == 0
        assert value(other, "edits") == codec.encode(SCRIPT)

    def test_a_file_restores_own_points(self, another_server):
        text, problem, _ = documented(SCRIPT, C=2.0, sigma=0.8)
        app = healthy(upload(open_page(PLAYGROUND, problem="own"), "screen.json", text.encode()))
        assert metrics(app)["Support vectors"].endswith("of 31") and "people" in said(app)
        assert value(app, "sigma") == 0.8

    @pytest.mark.parametrize(
        "page, problem, given, losses",
        [
            (COMPARE, "moons", {"loss": "ramp"}, "ramp,hinge,least_squares,least_absolute,pinball"),
            (COMPARE, "sinc", {"loss": "least_squares"}, "least_squares,epsilon_insensitive,least_absolute"),
            (COMPARE, "own", {"loss": "hinge", "losses": "ramp,hinge"}, "ramp,hinge"),
            (PLAYGROUND, "moons", {"losses": "ramp,hinge"}, "ramp"),
        ],
    )
    def test_the_loss_of_one_page_comes_first_among_those_of_the_other(self, page, problem, given, losses):
        text = json_text({"x1": [0.0], "y": [1.0]}, {"problem": problem} | given, {})
        app = upload(open_page(page, problem="own"), "screen.json", text.encode())
        assert value(app, "losses" if page is COMPARE else "loss") == losses and not notes(app)

    def test_a_file_of_a_regression_replaces_a_loss_of_classes_without_a_note(self):
        settings = {"problem": "sinc", "loss": "epsilon_insensitive"}
        text = json_text({"x1": [0.0], "y": [1.0]}, settings, {})
        app = healthy(upload(open_page(PLAYGROUND, problem="own"), "screen.json", text.encode()))
        assert value(app, "loss") == "epsilon_insensitive" and not notes(app)

    def test_what_a_file_says_of_controls_is_checked(self):
        text = broken(C="banana", sigma=-3, kernel="humbug", loss=["hinge"], outliers_on=3, surprise=5)
        app = upload(open_page(PLAYGROUND, problem="own"), "screen.json", text.encode())
        told = "\n".join(notes(app)).replace("\\", "")
        assert all(name in told for name in ("C =", "sigma =", "kernel =", "loss =")) and "surprise" not in told
        assert value(app, "C") == 1.0 and value(app, "loss") == "hinge"
        healthy(app)

    @pytest.mark.parametrize("count, in_link, note", [(30, True, False), (250, True, False), (900, False, True)])
    def test_long_edits_offer_a_file(self, count, in_link, note):
        rng = np.random.default_rng(0)
        rows = [(-k, FLIPPED * (k % 2), *rng.integers(-3000, 3000, 2)) for k in range(1, count)]
        script = edits.script((-3, -3), rows)
        app = open_page(PLAYGROUND, problem="own")
        app.session_state["editor"].brought = script
        app.run()
        assert (value(app, "edits") != "") == in_link
        assert len(notes(app)) == note
        assert metrics(healthy(app))["Support vectors"].endswith(f"of {count - 1}")
        length = len(codec.encode(script))
        assert (length > 1500) == (count > 30) and (length <= editor.LONGEST) == in_link
        app.session_state["sharing"] = True
        words = said(healthy(app.run()))
        assert (f"{length} characters" in words) == (count > 30)
        assert ("leaves them out" in words) == note

    @pytest.mark.parametrize("page", [PLAYGROUND, COMPARE])
    def test_everything_can_be_taken_along(self, page):
        results.own_sets().put(people())
        app = open_page(page, {"take": True}, problem="own", data=people().key, hold_out="0.2")
        names = [button.label for button in healthy(app).get("download_button")]
        assert names[:4] == ["Points (CSV)", "Test points (CSV)", "Points (LIBSVM)", "Everything (JSON)"]
        assert all('np.genfromtxt("own-' in code.value for code in app.code)

    @pytest.mark.parametrize("page, bare", [(PLAYGROUND, True), (PLAYGROUND, False), (COMPARE, False)])
    def test_the_table_shows_the_points_that_are_there(self, page, bare):
        text = codec.encode(edits.script((-3, -3), [(-1, 0, 1000, 500)]) if bare else SCRIPT)
        app = open_page(page, {"table": True}, problem="own" if bare else "moons", edits=text)
        (table,) = healthy(app).data_editor
        points = results.base(Data("moons", 0, (("n", 200), ("noise", 0.2))))
        expected = [["added point 1", 1.0, 0.5, 1, False, True]]
        if not bare:
            assert len(table.value) == 201 and table.value["x1"][3] == points.X[3, 0]
            expected = [
                ["point 2", 1.5, -0.25, points.y[2], False, True],
                ["point 4", *points.X[4], -points.y[4], True, True],
                ["added point 1", 0.007, 0.009, 1, False, True],
            ]
        assert table.value.iloc[[0] if bare else [2, 4, 200]].to_numpy().tolist() == expected
        assert html(app, "<details>").count("<th scope='row'>added point 1</th>") == 1

    def test_the_table_begins_anew_only_when_the_points_change_elsewhere(self):
        app = open_page(PLAYGROUND, {"table": True}, problem="moons")
        keys = [app.data_editor[0].key]
        choose(app, C=3.0)
        keys.append(app.run().data_editor[0].key)
        app.session_state["editor"].brought = edits.script((-3, -3), [(2, FLIPPED)])
        keys.append(app.run().data_editor[0].key)
        app.session_state["editor"].brought = edits.NONE
        keys.append(app.run().data_editor[0].key)
        assert keys[0] == keys[1] and len(set(keys)) == 3


@pytest.mark.parametrize(
    "rows, names, X",
    [
        ("20,18000,no 50,52000,yes", ("a", "0.001 × b"), [[20, 18], [50, 52]]),
        ("0.001,2,no 0.004,5,yes", ("1000 × a", "b"), [[1, 2], [4, 5]]),
        ("1,2,no 4,30,yes", ("a", "b"), [[1, 2], [4, 30]]),
        ("1,2,no 1,30,yes", ("a", "b"), [[1, 2], [1, 30]]),
        ("1e-8,1e9,no 2e-8,1e9,yes", ("a", "b"), [[1e-8, 1e9], [2e-8, 1e9]]),
        ("1e8,0,no 1.00000001e8,1e9,yes", ("a", "1e-09 × b"), [[1e8, 0], [1.00000001e8, 1]]),
    ],
)
def test_two_features_of_unlike_units_are_brought_to_like_ones_by_a_power_of_ten(rows, names, X):
    table = read_table("\n".join(["a,b,y", *rows.split()]))
    found = own_points.from_columns(table, ("a", "b"), "y")
    assert found.features == names and np.allclose(found.X, X, rtol=1e-12)


def test_text_of_a_file_is_shown_letter_by_letter():
    text = "a*b*_c_ [x](y) $z$ `q` :red[w] <b> #1 ~~s~~ \\"
    shown = formatting.plain(text)
    assert re.sub(r"\\(.)", r"\1", shown) == text and not re.search(r"(?<!\\)[*_$`<\[:~]", shown)


def test_points_survive_a_restart_and_can_be_deleted_by_those_who_loaded_them():
    points = people(seed=4)
    app = healthy(open_page(PLAYGROUND, problem="own"))
    upload(app, "people.csv", as_csv(points))
    key = value(app, "data")
    results.own_sets.cache_clear()  # what a restart does
    other = healthy(open_page(PLAYGROUND, problem="own", data=key))
    assert pictures(other) and notes(other) == []
    upload(other, "people.csv", as_csv(points))
    assert value(other, "data") == key  # they are those of the link now, but not theirs
    assert not any(button.key == "delete_points" for button in healthy(other).button)
    app = healthy(press(app, "delete_points"))
    assert value(app, "data") == ""
    results.own_sets.cache_clear()
    (note,) = notes(open_page(PLAYGROUND, problem="own", data=key))
    assert key in note and "180 days" in note


def test_a_store_that_fails_is_named_where_points_are_loaded(broken_store):
    results.own_sets.cache_clear()
    app = healthy(open_page(PLAYGROUND, problem="own"))
    upload(app, "people.csv", as_csv(people(seed=5)))
    assert pictures(healthy(app)) and "cannot be written" in captions(app)
    results.own_sets.cache_clear()
