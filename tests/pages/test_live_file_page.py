"""The button that saves a screen as a live file: where it is, what it says, and what it writes."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
import screen

from pages.shared.screen import edits
from pages.shared.screen.choices import Machine
from pages.shared.screen.screen import Screen
from pages.shared.studies import live_scene
from pages.shared.studies.source import Source
from svmcore import live
from svmcore.problems import Names


def opened(page, **link):
    return screen.healthy(screen.open_page(f"pages/{page}.py", {"sharing": True}, **link))


@pytest.mark.parametrize(
    ("page", "link", "sentence"),
    [
        ("playground", {"problem": "sinc"}, "A live file shows two classes."),
        ("playground", {"problem": "three_clouds"}, "A live file shows two classes."),
        (
            "playground",
            {"problem": "titanic"},
            "A live file shows points of two features; those of this screen have more.",
        ),
        ("playground", {"loss": "ramp"}, "not Ramp-loss SVM"),
        ("playground", {"kernel": "sigmoid"}, "not sigmoid"),
        ("compare", {"losses": "hinge,ramp,least_squares"}, "It has no room for the Ramp-loss SVM."),
    ],
)
def test_what_a_file_does_not_have_is_said(page, link, sentence):
    assert sentence in screen.captions(opened(page, **link))


def test_what_the_link_hides_may_not_be_changed():
    app = opened("playground", hide="C,sigma")
    assert app.multiselect(key="live_may_share").value == ["points", "machine", "parameters"]


def test_the_scene_is_the_screen_with_its_edits():
    chosen = Screen.read({"problem": "leverage_outliers", "outliers": "4", "losses": "hinge,pinball", "tau": "0.3"})
    data = chosen.data._replace(edits=edits.script((-2, -2), [(1, 1, 150, -25), (-1, 1, 0, 5)]))
    source = Source()
    scene = live_scene.scene(source, data, chosen.machines, chosen.setting)
    assert scene.edits == [[-1, 1, 0, 5], [1, 1, 150, -25]] and scene.step == (-2, -2)
    assert [machine["loss"] for machine in scene.machines] == ["hinge", "pinball"]
    assert scene.machines[1]["params"] == {"tau": 0.3}
    assert sum(scene.base["mark"]) == 4 and len(scene.base["ids"]) == len(source.base(data.base).y)
    clean = live_scene.scene(source, data._replace(on=False), chosen.machines, chosen.setting)
    assert not any(clean.base["mark"]) and len(clean.base["ids"]) == len(scene.base["ids"]) - 4
    named = replace(source.base(data.base), named=Names(classes=("yes", "no")))
    called = live_scene.scene(SimpleNamespace(base=lambda _: named, view=source.view), data, [], chosen.setting)
    assert called.classes == {1: "+1 (yes)", -1: "−1 (no)"}
    text = live.page(scene)
    spec = json.loads(re.search(r'<script type="application/json">(.*?)</script>', text, re.S)[1])
    assert spec["setting"]["kernel"] == chosen.setting.kernel
    assert live_scene.kept_machines([Machine("ramp"), *[Machine("hinge")] * 5]) == [Machine("hinge")] * 4
