"""Pages without a browser: open one, read what stands on it, press what can be pressed. What is drawn is read from
the payload that travels to the browser.
"""

import json
import re
import struct
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def open_page(path, state=None, **link):
    """The AppTest of a page, by a link with these settings and by way of home; `state` is what its session holds."""
    app = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    followed(app, link)
    for name, value in (state or {}).items():
        app.session_state[name] = value
    if path != "home.py":
        app.switch_page(path)
        followed(app, link)
    return app


def followed(app, link):
    for name, value in link.items():
        app.query_params[name] = value
    return app.run()


def healthy(app):
    assert [e.value for e in app.exception] == []
    assert [e.value for e in app.error] == []
    return app


def press(app, name):
    """The page after a click on the button with this label or key."""
    (button,) = (one for one in app.button if name in (one.label, one.key))
    return button.click().run()


def sent(app):
    """What each component of the page was sent, unpacked."""
    return [unpacked(component.proto.bytes) for component in app.get("bidi_component")]


def pictures(app):
    """name -> figure (dict) of every plane component on the page."""
    return {spec["name"]: spec["figure"] for spec in sent(app) if "figure" in spec}


def traces(app, name):
    """name -> trace of one picture."""
    return {trace["name"]: trace for trace in pictures(app)[name]["data"]}


def transports(app):
    """name -> what the controls of a film were sent."""
    return {spec["transport"]: spec for spec in sent(app) if "transport" in spec}


def unpacked(payload):
    """The inverse of `plane.pack`, with lists for arrays."""
    (length,) = struct.unpack_from("<I", payload)
    arrays = memoryview(payload)[4 + length :]

    def read(value):
        if isinstance(value, dict) and set(value) == {"at", "type", "shape"}:
            count = int(np.prod(value["shape"]))
            flat = np.frombuffer(arrays, "<" + value["type"], count, offset=value["at"])
            return flat.reshape(value["shape"]).tolist()
        if isinstance(value, dict):
            return {key: read(item) for key, item in value.items()}
        return [read(item) for item in value] if isinstance(value, list) else value

    return read(json.loads(payload[4 : 4 + length]))


def notes(app):
    return [warning.value for warning in app.warning]


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def html(app, about=""):
    """All tables and numbers of the page, or those that contain the text `about`, as HTML without the tips of terms."""
    bodies = (re.sub("</?abbr.*?>", "", element.proto.body) for element in app.get("html"))
    return "\n".join(text for text in bodies if about in text)


def metrics(app):
    """name -> value of the row of big numbers."""
    return dict(re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", html(app)))
