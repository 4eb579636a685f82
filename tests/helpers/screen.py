"""Pages without a browser: open one, read what stands on it, press what can be pressed. What is drawn is read from
the payload that travels to the browser.
"""

import itertools
import json
import re
import struct
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.shared.page.run import KEY

ROOT = Path(__file__).parents[2]
MESSAGES = itertools.count(1)  # numbers of what the strip says


def open_page(path, state=None, **link):
    """The AppTest of a page, by a link with these settings; `state` is what its session holds."""
    app = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    for name, value in (state or {}).items():
        app.session_state[name] = value
    if path != "home.py":
        app.switch_page(path)
    return followed(app, link)


def followed(app, link):
    for name, value in link.items():
        app.query_params[name] = value
    return app.run()


def ways(app):
    """The links that the page has its browser press: one, or none."""
    return [link.proto for link in app.get("page_link") if link.proto.label == "Go on"]


def led(app):
    """The page that this one leads its browser to, with the link."""
    (link,) = ways(app)
    app.switch_page(f"pages/{link.page}.py" if link.page else "home.py")
    app.query_params.clear()
    return followed(app, dict(parse_qsl(link.query_string)))


def healthy(app):
    assert [e.value for e in app.exception] == []
    assert [e.value for e in app.error] == []
    return app


def press(app, name):
    """The page after a click on the button with this label or key, on the page itself or in its strip of controls."""
    if name in (item["name"] for item in strip(app) if item["kind"] == "button") or name == "reset":
        return updated(app, {}, name)
    (button,) = (one for one in app.button if name in (one.label, one.key))
    return button.click().run()


def edges(app):
    """What stands inside the frames of the pictures: their names and numbers."""
    return [" ".join(spec["edge"][:2]) for spec in sent(app, "edge") if spec["edge"]]


def strip(app):
    """What the strip of controls was sent: its controls, buttons and texts; nothing on a page without one."""
    return next((spec["controls"] for spec in sent(app, "controls")), [])


def control(app, name):
    """The control with this name, as the strip was sent it."""
    (found,) = (item for item in strip(app) if item["name"] == name)
    return found


def offered(app, name):
    """The labels of the options of a control."""
    return [label for _, label in control(app, name)["options"]]


def session(app):
    """What the app keeps for this session; its `run` is the last run of the page."""
    return app.session_state[KEY]


def value(app, name):
    """The value of a control."""
    return session(app).values[name]


def upload(app, name, content):
    """The page after a file has been given to it."""
    app.file_uploader(key="upload").set_value((name, content, "text/csv")).run()
    return app


def choose(app, **values):
    """The page after a change of controls, {name: value} as the strip sends them."""
    return updated(app, values, None)


def updated(app, values, action):
    app.session_state["strip"] = {"update": {"id": str(next(MESSAGES)), "values": values, "action": action}}
    return app.run()


def sent(app, part):
    """What each component of the page that has this part was sent, unpacked; to unpack a picture takes long."""
    payloads = (component.proto.bytes for component in app.get("bidi_component"))
    specs = (unpacked(payload) for payload in payloads if f'"{part}"'.encode() in payload)
    return [spec for spec in specs if part in spec]


def board(app):
    """What the toolbar for editing points was sent."""
    (spec,) = sent(app, "editor")
    return spec


def pictures(app):
    """name -> figure (dict) of every plane component on the page."""
    return {spec["name"]: spec["figure"] for spec in sent(app, "figure")}


def traces(app, name):
    """name -> trace of one picture."""
    return {trace["name"]: trace for trace in pictures(app)[name]["data"]}


def places(drawn):
    """id -> (x, y) of the points among these traces."""
    dots = [trace for trace in drawn if trace["name"].startswith("points")]
    rows = [row for one in dots for row in zip(one["customdata"], one["x"], one["y"], strict=True)]
    return {int(index): (x, y) for (index, *_), x, y in rows}


def transports(app):
    """name -> what the controls of a film were sent."""
    return {spec["transport"]: spec for spec in sent(app, "transport")}


def unpacked(payload, kept=np.ndarray.tolist):
    """The inverse of `component.pack`; `kept` is what it has for an array."""
    start = 4 + struct.unpack_from("<I", payload)[0]

    def read(value):
        if not {"at", "type", "shape"} <= set(value) <= {"at", "type", "shape", "unit", "words"}:
            return value
        flat = np.frombuffer(payload, "<" + value["type"], int(np.prod(value["shape"])), offset=start + value["at"])
        if "words" in value:
            return [value["words"][place] for place in flat]
        return kept((flat * value.get("unit", 1)).reshape(value["shape"]))

    return json.loads(payload[4:start], object_hook=read)


def said(app):
    """All sentences of the page as they are read, without the marks that hide them from Markdown."""
    kinds = app.markdown, app.info, app.warning, app.error
    return "\n".join([captions(app), *(one.value for kind in kinds for one in kind)]).replace("\\", "")


def worked(app, kind):
    """The only job of this kind of the session, when it has run to its end and the page has been made with it."""
    (job,) = app.session_state[f"{kind}_jobs"].values()
    job.wait(300)  # in a new clone it compiles
    healthy(app.run())
    assert job.is_finished, job.error
    return job


def notes(app):
    return [warning.value for warning in app.warning]


def captions(app):
    """All captions of the page, the texts of its strip, and what stands at the edges of its pictures."""
    texts = [item["label"] for item in strip(app) if item["kind"] == "text"]
    return " ".join([*texts, *edges(app), *(caption.value for caption in app.caption)])


def formulas(app):
    """The formulas of the machine on the page: objective, loss and kernel."""
    return next(one.value for one in app.markdown if one.value.startswith(r"$\displaystyle"))


def html(app, about=""):
    """All tables and numbers of the page, or those that contain the text `about`, as HTML without the tips of terms."""
    bodies = (re.sub("</?abbr.*?>", "", element.proto.body) for element in app.get("html"))
    return "\n".join(text for text in bodies if about in text)


def metrics(app):
    """name -> value of the numbers below the strip."""
    return {name: shown for spec in sent(app, "controls") for _, name, shown, _ in spec["numbers"]}
