"""The live channel in the browser: pictures follow the hand without a run, and end as those of a fresh page."""

import asyncio
import itertools
import json
import re
from contextlib import AsyncExitStack

import loop
import pytest
import screen
import visitors
import waiting
from desk import Channel, without_workers
from waiting import connected, drawn, figure, under_hand, until
from wire import wire

from pages.shared.server.sessions import PULSE

LIVE = """async (changes) => {
    const { modules } = await import(document.querySelector('script[src*="/plane-"]').src);
    const [values, { moving }] = changes;
    if (moving) return modules.live.live.hold({ changes: values });
    modules.live.live.release({ changes: values }, () => {});
    return modules.live.live.isOpen;
}"""

PATIENT = """{
    const later = window.setTimeout;  // on a slow machine, too, the run waits for the picture
    window.setTimeout = (act, time, ...rest) => later(act, time === 150 ? 60000 : time, ...rest);
}"""


def drag(page, key, index, steps, enough=lambda: True):
    """The point `index` is dragged that often to the right; the button stays pressed.

    Then it goes up and down until that is `enough`: a slow server answers fewer questions while the hand moves.
    """
    x, y = waiting.spot(page, key, index)
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, steps + 1):
        page.mouse.move(x + 8 * k, y)
        page.wait_for_timeout(40)
    ways = itertools.cycle((4, 0))

    def moved():
        if not enough():
            page.mouse.move(x + 8 * steps, y + next(ways))
        return enough()

    until(page, moved)


def as_fresh(page, fresh, keys):
    """The pictures and numbers of the page are, in the end, those of a fresh page with its link."""
    under_hand(fresh, page.url, keys[0])
    for name in keys:
        until(page, lambda name=name: figure(page, name) == figure(fresh, name))
    until(page, lambda: live_numbers(page) == live_numbers(fresh))


def live_numbers(page):
    return page.locator("[data-live]").all_inner_texts()


PAGES = {
    "/playground?problem=moons": ("plane", ["plane", "spectrum"]),
    "/compare?problem=moons&losses=hinge,least_squares": ("overlay", ["plane-hinge", "plane-least_squares", "overlay"]),
    "/sparsity": ("machine-LS-SVM", ["machine-LS-SVM", "machine-Sparse LS-SVM (ISLS)", "machine-L1-SVM"]),
}


@pytest.mark.slow  # by default a drag is tested in test_gestures.py
@pytest.mark.parametrize("link", PAGES)
def test_a_dragged_point_ends_as_on_a_fresh_page(new_page, app, link):
    key, keys = PAGES[link]
    page, fresh = new_page(), new_page()
    channel = Channel(page)
    runs = under_hand(page, app + link, key)
    connected(page)
    before, begun = {name: figure(page, name) for name in keys}, runs.begun
    drag(page, key, 0, 12, enough=lambda: channel.answers >= 3)
    assert runs.begun == begun, "a point that is dragged starts no run"
    until(page, lambda: all(figure(page, name) != before[name] for name in keys))
    fields = [trace["z"] for trace in figure(page, key).values() if "z" in trace]
    assert all(len(z) == 50 for z in fields)
    with runs.another():
        page.mouse.up()
    waiting.answered(page)
    assert [question["moving"] for question in channel.asked][-2:] == [True, False]
    assert {question["scene"] for question in channel.asked} == {channel.asked[0]["scene"]}
    assert channel.asked[0]["scene"] not in page.url
    as_fresh(page, fresh, [key, *(name for name in keys if name != key)])


def test_a_held_control_is_followed_without_a_run(page, app):
    runs = under_hand(page, app + "/playground?problem=moons&C=1")
    connected(page)
    shown, numbers, begun = figure(page, "plane"), live_numbers(page), runs.begun
    for C in (0.5, 0.1, 0.01):
        assert page.evaluate(LIVE, [{"C": C}, {"moving": True}])
        until(page, lambda shown=shown: figure(page, "plane") != shown)
        shown = figure(page, "plane")
    until(page, lambda: live_numbers(page) != numbers)
    assert runs.begun == begun
    assert waiting.ask(page, "spectrum", "(root) => !root.querySelector('.annotation')"), "Plotly draws none of it"
    assert page.evaluate(LIVE, [{"C": 0.02}, {"moving": False}])
    until(page, lambda: len(figure(page, "plane", ["field"])["field"]["z"]) == 100)
    released, numbers = figure(page, "plane"), live_numbers(page)
    under_hand(page, app + "/playground?problem=moons&C=0.02")
    assert (figure(page, "plane"), live_numbers(page)) == (released, numbers)


HOLD = """async (slider) => {
    for (let k = 0; k < 60; k++) {
        slider.value = String(Number(slider.min) + (0.3 + k / 200) * (slider.max - slider.min));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
    }
}"""


@pytest.mark.slow
def test_a_picture_of_a_held_control_leaves_the_styles_of_the_page_alone(page, app):
    """Some of them depend on what elements have: a text that changes must not let the browser look at all of them."""
    under_hand(page, app + "/playground?problem=moons&C=1")
    connected(page)
    drawn = "() => Number(document.querySelector('.svm-plane[data-name=\"plane\"]').dataset.drawn)"
    slider = page.locator('.svm-field[data-name="C"] input[type=range]')
    slider.evaluate(HOLD)
    before = page.evaluate(drawn)
    page.context.browser.start_tracing(
        page=page, categories=["disabled-by-default-devtools.timeline", "devtools.timeline"]
    )
    slider.evaluate(HOLD)
    events = json.loads(page.context.browser.stop_tracing())["traceEvents"]
    pictures = page.evaluate(drawn) - before
    looked_at = sum(event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree")
    assert pictures > 5 and 0 < looked_at < 60 * pictures, (
        "100 and more on a page of its own; see `shadowSvg` in dom.js"
    )


@pytest.mark.slow
def test_far_from_the_server_questions_wait_for_no_answer_and_pictures_are_light(page, app):
    under_way, sizes = [], []
    page.expected = re.compile("Failed to load resource")  # what is still fetched when the line ends

    class Noted(Channel):
        def _answer(self, data):
            under_way.append(len(self.asked) - self.answers)
            sizes.append((self.asked[self.answers].get("light", False), len(data)))
            super()._answer(data)

    channel = Noted(page)
    with wire(app, delay=0.1, rate=1e6) as line:
        under_hand(page, line.address + "/playground?problem=moons")
        connected(page)
        slider = page.get_by_role("slider", name="C, weight of the loss")
        for _ in range(3):
            slider.evaluate(HOLD)
        until(page, lambda: channel.answers == len(channel.asked))
        last = channel.asked[-1]["changes"]["C"]
        slider.dispatch_event("change")
        waiting.answered(page)
        until(page, lambda: len(figure(page, "plane", ["field"])["field"]["z"]) == 100)
        until(page, lambda: f"C={last:g}" in page.url)
    assert max(under_way) > 2
    drawn = [size for light, size in sizes if light and size > 1000]
    assert drawn and max(drawn) < 25_000 < max(size for light, size in sizes if not light)


@pytest.mark.slow
def test_a_released_control_shows_its_picture_before_the_page_runs(page, app):
    page.add_init_script(PATIENT)
    channel = Channel(page)
    runs = under_hand(page, app + "/playground?problem=moons&C=1")
    connected(page)
    with runs.another():
        page.get_by_role("slider", name="C, weight of the loss").press("ArrowRight")
        until(page, lambda: channel.answers >= 2)
    assert [question["moving"] for question in channel.asked] == [True, False]
    C = channel.asked[-1]["changes"]["C"]
    assert f"C={C:g}" in page.url and C > 1


@pytest.mark.slow
def test_an_answer_that_comes_after_the_page_s_own_picture_is_dropped(page, app):
    """The plane of the page has a new figure, for a question that was asked before it: the figure stays."""
    held, late = [], []

    def keep(socket):
        server = socket.connect_to_server()
        server.on_message(lambda data: held.append((socket, data)) if late and data != PULSE else socket.send(data))
        socket.on_message(server.send)

    without_workers(page)
    page.route_web_socket("**/live", keep)
    waiting.opened(page, app + "/playground?problem=moons", "plane")
    connected(page)
    first = figure(page, "plane")
    assert page.evaluate(LIVE, [{"C": 3.0}, {"moving": False}])
    until(page, lambda: figure(page, "plane") != first)
    waiting.settled(page)
    late.append(True)
    before = figure(page, "plane")
    assert page.evaluate(LIVE, [{"C": 900.0}, {"moving": True}])
    page.get_by_role("slider", name="C, weight of the loss").press("ArrowRight")
    until(page, lambda: held and figure(page, "plane") != before)
    own, drawings = figure(page, "plane"), drawn(page, "plane")
    late.clear()
    for socket, data in held:
        socket.send(data)
    page.wait_for_timeout(1000)
    assert figure(page, "plane") == own and len(own["field"]["z"]) == 100
    assert drawn(page, "plane") == drawings, "a late answer was drawn"
    page.evaluate(LIVE, [{"C": 0.05}, {"moving": True}])
    until(page, lambda: figure(page, "plane") != own)


@pytest.mark.slow
def test_twenty_clients_drag_at_once_and_each_ends_with_its_own_picture(app):
    """Without browsers: the picture of each release is the one that its scene draws when nothing else is asked."""
    ends = loop.run(all_drag(app.replace("http", "ws"), 20))
    for k, (placed, released, alone) in enumerate(ends):
        assert json.dumps(released) == json.dumps(alone), k  # as text a nan is equal to a nan
        data = released["planes"]["plane"]["data"]
        points = [trace for trace in data if trace["name"].startswith("points")]
        at = {row[0]: spot for t in points for row, *spot in zip(t["customdata"], t["x"], t["y"], strict=True)}
        assert at[k] == pytest.approx(placed)
        assert len(next(trace for trace in data if trace["name"] == "field")["z"]) == 100
    assert len({json.dumps(released["planes"]) for _, released, _ in ends}) == len(ends)


async def all_drag(url, count):
    """For each client: where its point was left, the picture of that, and the same once more, asked alone."""
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(count):
            clients.append(visitors.Visitor(url, await stack.enter_async_context(visitors.stream(url))))
            await clients[-1].run("problem=moons")
        sockets = [await stack.enter_async_context(visitors.channel(url)) for _ in clients]
        released = await asyncio.gather(*(dragged(*one) for one in zip(clients, sockets, range(count), strict=True)))
        alone = [await asked(*one, moved(one[0], k)) for k, one in enumerate(zip(clients, sockets, strict=True))]
        placed = [[place * 10.0**step for place, step in zip((400 + k, 300), one.editor["step"], strict=True)]
                  for k, one in enumerate(clients)]  # fmt: skip
        return list(zip(placed, released, alone, strict=True))


async def dragged(client, live, k):
    """The client drags point k, and each picture comes before the next question; the answer to its release."""
    for way in range(15, 0, -1):
        await client.ask(live, True, **moved(client, k, 10 * way))
    return await asked(client, live, moved(client, k))


def moved(client, k, short=0):
    step, version = client.editor["step"], client.editor["version"]
    return {"version": version, "step": step, "edits": [[k, 1, 400 + k - short, 300]], "changes": {}}


async def asked(client, live, question):
    """The answer to a question about a release, asked again where the server had no time; without its version."""
    for _ in range(round(waiting.PATIENCE)):
        answer = screen.unpacked(await client.ask(live, False, **question))
        if "refused" not in answer:
            break
        await asyncio.sleep(1.0)
    return {key: value for key, value in answer.items() if key != "version"}
