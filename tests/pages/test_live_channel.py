"""The live channel draws what the script draws, refuses what no page asks, and dies with its session."""

import functools
import gc
import json
import re
import zlib
from contextlib import nullcontext
from html import unescape

import numpy as np
import pytest
import screen
from screen import board, choose, healthy, open_page
from visitors import talk

from pages.shared.live import channel, pictures
from pages.shared.live import scene as scenes
from pages.shared.panels import outlier_sweep
from pages.shared.screen.choices import Data, Setting
from pages.shared.server import cache
from pages.shared.studies import results
from svmcore import deadline

pytestmark = pytest.mark.usefixtures("warm")
PLAYGROUND, COMPARE = "pages/playground.py", "pages/compare.py"
HOME, SPARSITY, LOSSES = "home.py", "pages/sparsity.py", "pages/losses.py"
FEW = {"n": "40"}
MOONS = {"problem": "moons", **FEW}


def scene(app):
    *_, found = app.session_state["scenes"].values()  # the home page, where a test begins, has one, too
    return found


def ask(app, **question):
    return screen.unpacked(scene(app).answer(question))


@pytest.fixture(autouse=True)
def all_fits_at_once(monkeypatch):
    monkeypatch.setattr(outlier_sweep, "PATIENCE", 60)


def figures_sent(app):
    """{key: bytes} of the figures that the script has sent, as the channel would pack them."""
    return {name: typed(payload) for payload in payloads(app) for name in [header(payload).get("name")] if name}


def payloads(app):
    return [component.proto.bytes for component in app.get("bidi_component")]


def header(payload):
    length = int.from_bytes(payload[:4], "little")
    return json.loads(payload[4 : 4 + length])


def typed(payload, *path):
    """A part of a payload, with the types, shapes and bytes of its arrays."""
    result = screen.unpacked(payload, lambda array: (array.dtype.str, array.shape, array.tobytes()))
    for key in path or ("figure",):
        result = result[key]
    return result


def same_as_the_script(app, answer):
    """The answer has all planes that the channel draws, to the byte."""
    sent, planes = figures_sent(app), header(answer)["planes"]
    assert planes and planes.keys() == versions(app).keys()
    assert [key for key in planes if typed(answer, "planes", key) != sent[key]] == []


CHANGES = [
    (HOME, {}, {"home_flips": 5}),
    (PLAYGROUND, MOONS, {"C": 2.5}),
    (PLAYGROUND, MOONS, {"sigma": 0.4, "C": 7}),
    (PLAYGROUND, MOONS, {"noise": 0.35}),
    (PLAYGROUND, {"problem": "moons"}, {"n": 60}),
    (PLAYGROUND, MOONS, {"room": 2.0}),
    (PLAYGROUND, {**MOONS, "loss": "pinball"}, {"tau": 0.25}),
    (PLAYGROUND, {**MOONS, "kernel": "poly"}, {"degree": 2, "coef0": 0.5}),
    (PLAYGROUND, {**MOONS, "contamination": "flip_random"}, {"flips": 7}),
    (PLAYGROUND, {"problem": "sinc", **FEW}, {"epsilon": 0.3}),
    (PLAYGROUND, {"problem": "three_clouds", **FEW, "loss": "pinball", "kernel": "rbf"}, {"tau": 0.25, "C": 5}),
    (COMPARE, {"losses": "hinge,pinball", **MOONS}, {"tau": 0.25, "C": 0.3}),
    (SPARSITY, FEW, {"C": 20}),
    (LOSSES, {"losses": "hinge,ramp"}, {"distance": 7.5}),
    (LOSSES, {"losses": "hinge,ramp", "around": "rbf"}, {"distance": 0}),
]


def test_the_feedback_of_a_lesson_follows_a_held_control_and_the_chapter_has_its_own_pictures():
    link = dict(lesson="width", prompt="islands", given="0")
    app = healthy(open_page("pages/lessons.py", **link))

    def told(some):
        (form,) = [header(payload) for payload in payloads(some) if header(payload).get("feedback")]
        return {f"row-{name}": text for name, text in form["feedback"]["rows"]}

    assert ask(app)["numbers"] == {"row-Perhaps": "", **told(app)}
    held = ask(app, changes={"sigma": 1.5})["numbers"]
    assert held["row-It is"] != told(app)["row-It is"] and held["row-Perhaps"]
    assert held == told(healthy(open_page("pages/lessons.py", **link, sigma="1.5")))
    app = healthy(open_page("pages/lessons.py", lesson="beginning"))  # its pictures are called the same
    app.query_params |= {"lesson": "width", "prompt": "islands"}
    answer = ask(healthy(app.run()))
    assert "planes" in answer and answer["numbers"] == {}


@pytest.mark.parametrize("path, link, changes", CHANGES)
def test_a_held_control_shows_what_its_release_shows(path, link, changes):
    app = healthy(open_page(path, **link))
    same_as_the_script(app, scene(app).answer({"moving": False}))
    answer = scene(app).answer({"changes": changes})
    released = healthy(open_page(path, **link, **{name: str(value) for name, value in changes.items()}))
    same_as_the_script(released, answer)
    shown = {**ask(app)["numbers"], **header(answer)["numbers"]}
    assert shown == header(answer)["numbers"]
    if path == COMPARE:
        table = {unescape(key): text for key, text in re.findall(r' data-live="(.*?)">(.*?)<', screen.html(released))}
        assert len(table) > 20 and table.items() <= shown.items()
    if path == PLAYGROUND:
        assert list(shown.values()) == list(screen.metrics(released).values())


def test_what_the_channel_has_fitted_is_fitted_for_no_run_and_no_other_session_again(monkeypatch):
    made = []

    class Counted(cache.Cache):
        def compute(self, kind, key, make, *bounds):
            return super().compute(kind, key, lambda: made.append(key[2].C) or make(), *bounds)

    app = open_page(PLAYGROUND, **MOONS, C="3")
    monkeypatch.setattr(cache, "RESULTS", Counted(1000.0, 1000.0))
    ask(app, changes={"C": 7.0})
    ask(app, changes={"C": 7.5}, moving=True)  # coarse, and kept by nobody
    assert made == [7.0]
    choose(app, C=7.0)
    assert made == [7.0]
    other = open_page(PLAYGROUND, **MOONS, C="7")
    assert made.count(7.0) == 1 and healthy(app) and healthy(other)


@pytest.mark.parametrize("seconds, said", [(results.SLOW, ["Solving …"]), (results.SLOW / 2, [])])
def test_a_page_says_that_it_is_solving_where_the_last_fit_took_long(monkeypatch, seconds, said):
    texts = []
    app = open_page(PLAYGROUND, **MOONS)
    monkeypatch.setattr(results, "_seconds", {("moons", "hinge", "rbf"): seconds})
    monkeypatch.setattr(cache.st, "spinner", lambda text: texts.append(text) or nullcontext())
    choose(app, C=123.0 + seconds)
    assert texts == said and results._seconds[("moons", "hinge", "rbf")] != seconds


def test_the_advice_on_a_kernel_is_the_same_for_all_C(monkeypatch):
    data = Data("moons", 0, ())
    narrow = results.advice(data, Setting(1.0, "rbf", 1e-4))
    monkeypatch.setattr(results.classification, "advice", None)
    assert "σ" in narrow and results.advice(data, Setting(55.0, "rbf", 1e-4)) == narrow


def versions(app):
    """{key: (version, whether the figure was sent)} of the planes of the page."""
    specs = [header(payload) for payload in payloads(app)]
    return {spec["name"]: (spec["live"]["version"], spec["figure"] is not None) for spec in specs if spec.get("live")}


def test_the_run_after_a_release_draws_and_sends_nothing_that_the_browser_has(monkeypatch):
    drawings = []

    def counted(*asked):
        drawings.append(asked)
        return pictures.playground(*asked)

    monkeypatch.setitem(pictures.PLAYGROUND, (False, False), counted)
    app = healthy(open_page(PLAYGROUND, **MOONS))
    assert set(versions(app).values()) == {(1, True)}
    drawings.clear()
    ask(app, changes={"C": 3.0}, moving=True)
    answer = ask(app, changes={"C": 7.0})
    choose(app, C=7.0)
    assert len(drawings) == 2 and set(versions(app).values()) == {(answer["version"], False)}
    assert list(answer["numbers"].values()) == list(screen.metrics(app).values())
    healthy(app.run())
    assert len(drawings) == 2 and set(versions(app).values()) == {(answer["version"], False)}
    app.session_state["plane"] = {"missing": answer["version"]}
    healthy(app.run())
    assert versions(app)["plane"] == (answer["version"], True)


def test_a_run_sends_its_pictures_where_the_channel_has_shown_others_since():
    app = healthy(open_page(PLAYGROUND, **MOONS))
    ask(app, changes={"C": 7.0})
    ask(app, changes={"C": 8.0}, moving=True)
    choose(app, C=7.0)
    (now,) = set(versions(app).values())
    assert now == (4, True)
    ask(app, changes={"C": -1.0})
    healthy(app.run())  # the same screen: what the channel has shown of a move is replaced
    assert set(versions(app).values()) == {(6, True)}
    payload = payloads(app)
    healthy(app.run())
    assert payloads(app) == payload


@functools.cache
def moons():
    """A page that is asked and never changed."""
    return healthy(open_page(PLAYGROUND, **MOONS))


def answers(app, *, moving=True, **how):
    """(bytes, what they say) of the answer, about another C if no `changes` are given."""
    sent = scene(app).answer({"moving": moving, "changes": {"C": 3.0}, **how})
    return len(sent), screen.unpacked(zlib.decompress(sent) if how.get("light") and moving else sent)


def made(value, difference):
    """What the browser makes of it, see `applyDifference` in live.js."""
    if isinstance(difference, list):
        return difference[0]
    places = value if isinstance(value, dict) else {str(k): item for k, item in enumerate(value)}
    found = {place: made(places[place], other) for place, other in difference.items()}
    return places | found if isinstance(value, dict) else list((places | found).values())


def leaves(value):
    for item in value.values() if isinstance(value, dict) else value:
        yield from leaves(item) if isinstance(item, dict | list) else [item]


def test_a_light_picture_is_small_and_differs_in_rounding_alone():
    app = moons()
    (size, whole), (light_size, light) = answers(app), answers(app, light=True)
    assert light_size < size / 3.5
    for key, plane in whole["planes"].items():
        for trace, like in zip(plane["data"], light["planes"][key]["data"], strict=True):
            z, like_z = trace.pop("z", ()), like.pop("z", ())
            assert np.clip(z, -4.0, 4.0) == pytest.approx(np.array(like_z), abs=0.02)
    numbers, words = (
        [[one for one in leaves(told) if isinstance(one, float) is kind] for told in (whole, light)]
        for kind in (True, False)
    )
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-3, nan_ok=True)
    assert np.nanmax(np.abs(np.subtract(*numbers))) > 0.0
    assert words[0][1:] == words[1][1:], "but for the version"
    assert "planes" in answers(app, moving=False, light=True)[1], "what was released is whole"


@pytest.mark.parametrize("path, link, changes", CHANGES)
def test_a_picture_is_told_as_what_differs_from_the_full_one_that_the_browser_has(path, link, changes):
    app = healthy(open_page(path, **link))
    full = {spec["name"]: spec["figure"] for spec in screen.sent(app, "figure") if spec["live"]}
    version = scene(app).full[0]
    for released in (False, True):
        if released:
            full = (told := answers(app, moving=False, changes=changes))[1]["planes"]
            version = told[1]["version"]
        (size, whole), (less, told) = answers(app, changes=changes), answers(app, changes=changes, known=version)
        assert less < size and told["of"] == version
        planes = {name: made(full[name], plane) for name, plane in told["planes"].items()}
        assert json.dumps(planes) == json.dumps(whole["planes"])
        assert all("of" not in answers(app, known=other)[1] for other in (version - 1, None))


def test_a_moved_point_is_moved():
    app = moons()
    version, step = board(app)["version"], board(app)["step"]
    answer = ask(app, version=version, step=step, edits=[[0, 1, 400, 300]])
    at = screen.places(answer["planes"]["plane"]["data"])
    assert at[0] == pytest.approx((400 * 10.0 ** step[0], 300 * 10.0 ** step[1]))
    assert "other points" in ask(app, version=version - 1, step=step, edits=[[0, 1, 400, 300]])["refused"]


INF, NAN, HUGE = float("inf"), float("nan"), 10**400


@pytest.mark.parametrize(
    "question",
    [
        *({"changes": {"C": value}} for value in (0, -1, 1e7, INF, NAN, HUGE, True, None, "1", [1], {}, "e" * 9999)),
        *({"changes": changes} for changes in ([], 3, "C", None, {"humbug": 1}, {"step": 3}, {"tau": 0.1}, {"": 1})),
        {"changes": {"n": 1e9}},
        {"changes": {"degree": 3.5, "nothing": 1}},
        *({"edits": rows} for rows in (None, 3, [3], [[1]], [[0, 1, 2.5, 3]], [[0, 1, NAN, 0]], [[0, 1, HUGE, 0]])),
        {"edits": [[0, 1, 0, 0]], "step": None},
        {"edits": [[0, 1, 0, 0]], "step": [500, 500]},
        {"edits": [[0, 1, 0, 0], [0, 1, 1, 1]]},
        {"edits": [[k, 16, 0, 0] for k in range(200)]},
        {"edits": [[-k, 1, k, k] for k in range(1, 6000)]},
        {"edits": [], "version": "humbug"},
        {"edits": [], "version": None},
    ],
    ids=str,
)
def test_what_no_page_asks_is_refused_with_a_sentence(question, caplog):
    app = moons()
    question = {"version": board(app)["version"], "step": board(app)["step"], **question}
    answer = ask(app, **question)
    assert set(answer) == {"refused"} and answer["refused"].endswith(".")
    assert not [record for record in caplog.records if record.name == scenes.__name__]


def test_an_error_of_our_own_is_a_sentence_too(monkeypatch, caplog):
    app = healthy(open_page(PLAYGROUND))

    def broken(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(scene(app), "draw", broken)
    answer = ask(app)
    assert set(answer) == {"refused"} and answer["refused"].endswith(".")
    assert "could not draw <function" in caplog.text


# ---------------------------------------------------------------------------------------- the session


def test_two_tabs_ask_about_their_own_screens_and_a_rerun_keeps_the_scene():
    one, two = (healthy(open_page(PLAYGROUND, **MOONS, C=C)) for C in ("0.1", "9"))
    for app in (one, two):
        same_as_the_script(app, scene(app).answer({}))
    assert figures_sent(one) != figures_sent(two)
    ids = [scene(app).id for app in (one, two)]
    assert ids[0] != ids[1] and all(len(name) >= 32 for name in ids)
    assert not [name for name in ids if name in str(one.query_params) + str(two.query_params)]
    assert {spec["live"]["scene"] for spec in screen.sent(one, "figure")} == {ids[0]}
    choose(one, C=3.0)
    assert scene(one).id == ids[0]
    same_as_the_script(one, scene(one).answer({}))


def test_a_scene_dies_with_its_session():
    app = open_page(PLAYGROUND)
    known = scene(app).id
    assert channel._scenes.get(known) is not None
    del app.session_state["scenes"]
    gc.collect()
    assert channel._scenes.get(known) is None
    assert talk({"scene": known}).closed == channel.UNKNOWN


def test_a_picture_that_was_cut_short_is_not_that_of_the_run():
    app = healthy(open_page(PLAYGROUND, **MOONS))
    for limit, known in ((0.0, False), (60.0, True)):
        with deadline.time_limit(limit):
            scene(app).answer({"changes": {"C": 3.0}})
        _, drawn = scene(app).register(scene(app).screen.replace("C", 3.0))
        assert (drawn is not None) is known
