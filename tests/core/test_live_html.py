"""`svmcore.live`: a fitted machine as one file, on the command line and in a notebook, and what it refuses."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas
import pytest
from written import numbers_in

from svmcore import SVC, SVR, duals, live, problems
from svmcore.live import __main__ as command

MOONS = problems.load("moons", n=40)


def spec_of(text):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', text, re.S)[1])


def test_a_file_holds_the_points_and_the_setting_and_shows_itself_in_a_notebook(tmp_path):
    names = np.where(MOONS.y > 0, "yes", "no")
    X = pandas.DataFrame(MOONS.X, columns=["a <b>", "c"])
    model = SVC(loss="pinball", loss_params={"tau": 0.3}, C=2.0, gamma=4.0, tol=1e-6).fit(X, names)
    words = live.Words("A </script> & title", "Why?", "So.")
    page = live.html(model, X, names, words=words, may=["C"])
    shown, text = page._repr_html_(), page.save(tmp_path / "a.html").read_text(encoding="utf-8")
    assert shown.startswith("<iframe ") and shown.count("<") == 2 and 'srcdoc="&lt;!doctype html&gt;' in shown
    spec = spec_of(text)
    assert spec["machines"] == [{"loss": "pinball", "params": {"tau": 0.3}}] and spec["may"] == ["C"]
    assert spec["setting"] == {"C": 2.0, "kernel": "rbf", "sigma": 0.5, "degree": 3, "coef0": 0.0}
    assert spec["title"] == words.title and spec["classes"] == {"1": "+1 (yes)", "-1": "−1 (no)"}
    assert spec["features"] == ["a ‹b>", "c"]
    assert np.array_equal(np.column_stack([spec["base"]["x"], spec["base"]["y"]]), MOONS.X)
    assert spec["base"]["label"] == MOONS.y.astype(int).tolist()
    assert "<title>A &lt;/script&gt; &amp; title</title>" in text and "default-src 'none'" in text
    assert text.endswith("</html>\n") and live.source() in text


def test_every_loss_with_a_box_dual_and_every_kernel_has_a_file():
    for loss in duals.DUALS:
        for kernel in live.KERNELS:
            model = SVC(loss=loss, kernel=kernel, C=0.1, coef0=1.0).fit(MOONS.X, MOONS.y)
            assert spec_of(live.html(model, MOONS.X, MOONS.y))["setting"]["kernel"] == kernel


REFUSED = {
    "no fit": (lambda p: (SVC(), p.X, p.y), "needs an SVC after its fit"),
    "another estimator": (lambda p: (SVR().fit(p.X, p.y), p.X, p.y), "needs an SVC"),
    "another loss": (lambda p: (SVC("ramp").fit(p.X, p.y), p.X, p.y), "machines L1-SVM, .*, not Ramp-loss SVM"),
    "another kernel": (lambda p: (SVC(kernel=np.inner).fit(p.X, p.y), p.X, p.y), "kernels linear, poly, rbf, not"),
    "other points": (lambda p: (SVC().fit(p.X, p.y), p.X[:-1], p.y[:-1]), "the points of the fit, 40 of them, got 39"),
    "three features": (lambda p: (SVC().fit(np.c_[p.X, p.y], p.y), np.c_[p.X, p.y], p.y), r"shape \(n, 2\)"),
    "three classes": (lambda p: (SVC().fit(p.X, np.arange(40) % 3), p.X, np.arange(40) % 3), "has two classes"),
    "class weights": (lambda p: (SVC(class_weight="balanced").fit(p.X, p.y), p.X, p.y), "no class weights"),
    "other classes": (lambda p: (SVC().fit(p.X, p.y), p.X, 2 * p.y), "has also"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_file_does_not_have_is_a_sentence(name):
    make, sentence = REFUSED[name]
    with pytest.raises(ValueError, match=sentence):
        live.html(*make(MOONS))


def test_too_many_points_unknown_rights_and_a_value_that_json_does_not_have_are_sentences():
    model = SVC().fit(MOONS.X, MOONS.y)
    with pytest.raises(TypeError, match="set cannot be written to a live file"):
        live.html(model, MOONS.X, MOONS.y, words=live.Words("A title", {"Why?"}))
    with pytest.raises(ValueError, match="a reader may change points, machine, .*, got 'sigma'"):
        live.html(model, MOONS.X, MOONS.y, may=["sigma"])
    assert numbers_in(live.refusal(["hinge"], "rbf", 1001)) == [1000, 1001]
    assert numbers_in(live.refusal(["hinge"] * 5, "rbf", 10)) == [4, 5]


def test_the_command_writes_a_file_of_a_table(tmp_path, capsys):
    table = tmp_path / "data.csv"
    table.write_text("x1,x2,y\n0,0,a\n0.1,0.2,a\n1,1,b\n1.2,0.9,b\n", encoding="utf-8")
    out = str(tmp_path / "out.html")
    options = ["--loss", "huber", "--param", "delta=0.2", "--C", "10", "--sigma", "0.5", "-o", out, "--title", "T"]
    assert command.main([str(table), *options]) == 0
    assert capsys.readouterr().out.strip() == out
    spec = spec_of((tmp_path / "out.html").read_text(encoding="utf-8"))
    assert spec["machines"] == [{"loss": "huber", "params": {"delta": 0.2}}] and spec["setting"]["sigma"] == 0.5
    assert spec["base"]["label"] == [-1, -1, 1, 1] and spec["title"] == "T"
    assert spec["classes"] == {"1": "+1 (b)", "-1": "−1 (a)"}


@pytest.mark.parametrize(("text", "sentence"), [
    ("x1,x2,y\n", "expected rows of two numbers and a label"),
    ("1,2\n", "expected rows of two numbers and a label"),
    ("1,two,1\n2,3,1\n", "got the row 1,two,1"),
    ("1,2,1\n2,3,1.0\n", "labels of two classes in the third column, got 1"),
    ("1,2,0.5,1\n2,3,0.6,-1\n3,4,0.7,-1\n", "in the third column, got 3 different"),
])  # fmt: skip
def test_the_command_says_what_is_wrong_with_a_table(tmp_path, capsys, text, sentence):
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    assert command.main([str(tmp_path / "data.csv"), "-o", str(tmp_path / "out.html")]) == 1
    assert sentence in capsys.readouterr().err and not (tmp_path / "out.html").exists()


@pytest.mark.slow
def test_it_needs_nothing_of_the_app():
    others = "{'pages', 'streamlit', 'plotly'}"
    code = f"import sys; from svmcore import live; live.source(); print(*{others} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
