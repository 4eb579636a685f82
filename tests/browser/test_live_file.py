"""Live files, opened from the file system without a network: points are dragged, settings moved, numbers read."""

import re
from pathlib import Path

import numpy as np
import pytest
import waiting
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import expect
from written import number_in

from docs import live_pictures
from pages.shared.figures import palette
from pages.shared.figures.export import to_html
from pages.shared.figures.plane import plane_figure
from pages.shared.screen.screen import Screen
from pages.shared.studies import arrays, live_scene
from pages.shared.studies.source import Source
from svmcore import SVC, live, problems
from svmcore.studies import plane

AXE = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
COLUMNS = ("machine", "support", "error", "objective", "violation", "status", "changed")
MOONS = {"problem": "moons", "n": "60", "C": "10", "loss": "hinge"}
FOUR = {"problem": "leverage_outliers", "outliers": "4", "losses": "least_squares,squared_hinge,hinge,pinball"}
PIXEL = """([plane, x, y]) => {
    const { figure } = plane, box = plane.getBoundingClientRect();
    const { shadowRoot } = plane.querySelector('.svm-placeholder');
    const lines = [...shadowRoot.querySelectorAll('path')].map((line) => line.getAttribute('d'));
    const [across, up] = lines.filter((d) => d.startsWith('M')).slice(-2).map((d) => d.match(/-?[\\d.]+/g).map(Number));
    const [left, right, top, bottom] = [across[0] + 1, across[2], up[1], up[2]];
    const share = ({ range: [low, high] }, value) => (value - low) / (high - low);
    return [box.left + left + share(figure.layout.xaxis, x) * (right - left),
            box.top + bottom - share(figure.layout.yaxis, y) * (bottom - top)];
}"""


def file_of(query, folder, words=live.NO_WORDS, may=live.MAY):
    screen = Screen.read(query)
    scene = live_scene.scene(Source(), screen.data, screen.machines, screen.setting)
    return live.page(scene, words, may).save(folder / "live.html")


def opened(page, path):
    page.goto(Path(path).as_uri())
    expect(page.locator(".live-table tbody tr").first).to_be_visible()
    return page


def rows(page):
    """The numbers below the pictures, a dict for each machine."""
    read = "(rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent))"
    return [dict(zip(COLUMNS, row, strict=True)) for row in page.locator(".live-table tbody tr").evaluate_all(read)]


def place(page, x, y):
    return page.evaluate(PIXEL, [page.locator(".svm-plane").first.element_handle(), x, y])


def point(page, name="points +1", row=0):
    """Where a point of the picture stands: (id, x, y)."""
    read = f"(plane) => {{ const t = plane.figure.data.find(({{ name }}) => name === '{name}'); "
    read += f"return [t.customdata[{row}][0], t.x[{row}], t.y[{row}]]; }}"
    return page.locator(".svm-plane").first.evaluate(read)


def drag(page, start, end):
    waiting.drag(page, start, end, 2)
    expect(page.locator(".live-file")).to_have_attribute("data-moving", "false")


def percent(text):
    return float(text.partition("\u202f")[0])


def test_a_point_is_dragged_and_the_machine_is_that_of_svmcore(new_page, tmp_path):
    page = opened(new_page(offline=True), file_of(MOONS, tmp_path))
    problem = problems.load("moons", n=60)
    model = SVC(C=10.0, gamma=0.7**-2.0).fit(problem.X, problem.y)
    (before,) = rows(page)
    assert before["machine"] == "L1-SVM" and before["status"] == "converged" and percent(before["changed"]) == 0.0
    assert before["support"].endswith(" of 60")
    assert float(before["objective"]) == pytest.approx(model.objective_, rel=1e-3)
    key, x, y = point(page)
    drag(page, place(page, x, y), place(page, 1.5, -0.4))
    (after,) = rows(page)
    new_id, new_x, new_y = next(found for found in (point(page, row=k) for k in range(30)) if found[0] == key)
    assert (new_x, new_y) == (pytest.approx(1.5, abs=0.02), pytest.approx(-0.4, abs=0.02))
    X = problem.X.copy()
    X[int(key)] = new_x, new_y
    again = SVC(C=10.0, gamma=0.7**-2.0).fit(X, problem.y)
    assert float(after["objective"]) == pytest.approx(again.objective_, rel=1e-3)
    assert abs(int(after["support"].split()[0]) - len(again.support_)) <= 1
    assert after["status"] == "converged" and number_in(after["violation"]) <= 1.05e-3
    share = plane.change(model, again, problem.X)
    assert 0.0 < percent(after["changed"]) == pytest.approx(100 * share, abs=0.3)
    expect(page.locator(".live-said")).to_contain_text(f"Moved: point {int(key)}, class +1")
    page.keyboard.press("Control+z")
    expect(page.locator(".live-said")).to_contain_text("Undone")
    (back,) = rows(page)
    assert float(back["objective"]) == pytest.approx(float(before["objective"]), rel=1e-3)
    assert (back["error"], back["status"]) == (before["error"], before["status"]) and percent(back["changed"]) < 0.2


def test_points_are_added_flipped_and_deleted_by_keys_and_settings_moved(new_page, tmp_path):
    page = opened(new_page(offline=True), file_of(MOONS, tmp_path))
    handle = page.locator(".svm-handle")
    handle.focus()
    for keys, count in ((["a"], 61), (["x"], 61), (["Delete"], 60), (["Control+z"], 61)):
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator(".live-table tbody td").first).to_have_text(re.compile(f" of {count}$"))
    page.get_by_label("Machine", exact=True).select_option("pinball")
    expect(page.locator(".live-table tbody th")).to_have_text("Pinball SVM (τ = 0.5)")
    assert rows(page)[0]["support"] == "61 of 61"
    opened_with = page.get_by_role("slider", name="C").get_attribute("aria-valuetext")
    assert page.get_by_role("slider", name="C").get_attribute("max") == "3"  # a power of ten
    page.get_by_role("slider", name="C").fill("-1")
    assert page.get_by_role("slider", name="C").get_attribute("aria-valuetext") == "0.1"
    small = float(rows(page)[0]["objective"])
    page.get_by_label("Kernel", exact=True).select_option("linear")
    expect(page.get_by_role("slider", name="sigma")).to_have_count(0)
    page.get_by_label("Kernel", exact=True).select_option("poly")
    page.get_by_label("Degree").fill("2")
    page.get_by_label("Degree").blur()
    assert float(rows(page)[0]["objective"]) != small
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".live-table tbody th")).to_have_text("L1-SVM")
    expect(page.get_by_role("slider", name="C")).to_have_attribute("aria-valuetext", opened_with)
    expect(page.get_by_role("slider", name="sigma")).to_have_count(1)
    expect(page.get_by_role("button", name="Reset")).to_be_focused()
    handle.focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    expect(page.locator(".live-note")).to_contain_text("Add points of class +1 and of class −1")
    assert rows(page)[0]["objective"] == "–"
    page.keyboard.press("Control+z")
    expect(page.locator(".live-note")).to_be_hidden()


@pytest.mark.slow
def test_a_teacher_decides_what_may_be_changed(new_page, tmp_path):
    words = live.Words("Moons <b>", "Why **this** one?", "Because.", "https://example.org/playground?C=1")
    page = opened(new_page(offline=True), file_of(MOONS, tmp_path, words, ["C"]))
    expect(page.get_by_role("heading", level=1)).to_have_text("Moons <b>")
    expect(page.locator(".live-question strong")).to_have_text("this")
    expect(page.get_by_text("Because.")).to_be_hidden()
    page.get_by_text("Show the answer").click()
    expect(page.get_by_text("Because.")).to_be_visible()
    assert page.locator(".live-elsewhere a").get_attribute("href") == words.link
    expect(page.locator(".svm-editor")).to_be_hidden()
    assert page.locator(".live-controls select").count() == 0 and page.locator(".live-controls input").count() == 1
    key, x, y = point(page)
    drag(page, place(page, x, y), place(page, 0.0, 0.0))
    assert point(page) == [key, x, y]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(live_pictures.pictures()))
def test_every_picture_of_the_manual_opens_and_moves(new_page, name):
    page = opened(new_page(offline=True), live_pictures.FOLDER / f"{name}.html")
    assert page.locator(".svm-plane").count() == len(rows(page)) >= 1
    assert {row["status"] for row in rows(page)} == {"converged"}
    before = rows(page)
    _, x, y = point(page)
    (left, top), box = place(page, x, y), page.locator(".svm-plane").first.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(page, (left, top), (left + 0.6 * (middle[0] - left), top + 0.6 * (middle[1] - top)))
    assert {row["status"] for row in rows(page)} == {"converged"}
    assert [row["objective"] for row in rows(page)] != [row["objective"] for row in before]


CASES = [(query, scheme, width) for query in (MOONS, FOUR) for scheme in ("light", "dark") for width in (1280, 390)]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]}-{case[2]}")
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(new_page, tmp_path, case):
    query, scheme, width = case
    words = live.Words("A title", "A question?", "An answer.", "https://example.org")
    page = opened(new_page(offline=True, width=width, height=844, color_scheme=scheme), file_of(query, tmp_path, words))
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    alt = page.locator(".svm-image").first.get_attribute("aria-label")
    assert "have a support value other than zero" in alt and "The boundary" in alt


@pytest.mark.slow
def test_no_word_of_a_class_is_broken_on_its_button(new_page, tmp_path):
    problem = problems.load("moons", n=60)
    y = np.where(problem.y > 0, "Iris versicolor", "Iris setosa")
    made = live.html(SVC().fit(problem.X, y), problem.X, y).save(tmp_path / "live.html")
    for name in opened(new_page(offline=True), made).locator(".svm-class").all():
        width = name.evaluate("e => e.offsetWidth")
        assert width >= name.evaluate("e => { e.style.width = 'min-content'; return e.offsetWidth; }") > 44


@pytest.mark.slow
def test_the_theme_follows_the_system_and_paper_is_white(new_page, tmp_path):
    page = opened(new_page(offline=True), file_of(MOONS, tmp_path))
    drawn = "() => document.querySelector('.svm-points').toDataURL()"
    light = page.evaluate(drawn)
    page.emulate_media(color_scheme="dark")
    page.evaluate(waiting.PAINTED)
    dark = page.evaluate(drawn)
    assert light != dark
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.evaluate(waiting.PAINTED)
    assert page.evaluate(drawn) == light
    page.emulate_media(media="print")
    expect(page.locator(".live-controls")).to_be_hidden()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.evaluate(waiting.PAINTED)
    assert page.evaluate(drawn) == dark


# ------------------------------------------------------------------------------- beside the app

PICTURE = "(plane) => ['layers', 'points'].map((name) => plane.querySelector('.svm-' + name).toDataURL())"
DIFFERENT = """async ([plane, theirs]) => {
    const pixels = async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d');
        pen.drawImage(image, 0, 0);
        return [image.width, image.height, pen.getImageData(0, 0, image.width, image.height).data];
    };
    const shares = [];
    for (const [k, name] of ['layers', 'points'].entries()) {
        const [w, h, mine] = await pixels(plane.querySelector('.svm-' + name).toDataURL());
        const [v, g, other] = await pixels(theirs[k]);
        if (w !== v || h !== g) return [[w, h], [v, g]];
        let count = 0;
        const differ = (at) => [0, 1, 2, 3].some((c) => Math.abs(mine[at + c] - other[at + c]) > 16);
        for (let at = 0; at < mine.length; at += 4) count += differ(at);
        shares.push(count / (w * h));
    }
    return shares;
}"""


@pytest.mark.slow
def test_the_picture_is_that_of_the_app_pixel_for_pixel(app, new_page, page, tmp_path):
    """Fields, lines and markers; axes and texts, which the app leaves to Plotly, have a test of their own."""
    query = {**MOONS, "loss": "least_squares"}  # both solve it directly, so that f differs in its last digits only
    link = "&".join(f"{name}={value}" for name, value in query.items())
    waiting.open_page(page, f"{app}/playground?{link}")
    waiting.quiet(page)
    shown = page.locator('[data-name="plane"]')
    theirs, box = shown.evaluate(PICTURE), shown.bounding_box()
    mine = opened(new_page(offline=True), file_of(query, tmp_path))
    size = f".svm-plane {{ width: {box['width']}px !important; height: {box['height']}px !important }}"
    mine.add_style_tag(content=size)
    waiting.until(mine, lambda: mine.locator(".svm-plane").bounding_box()["height"] == box["height"])
    mine.evaluate(waiting.PAINTED)
    shares = mine.evaluate(DIFFERENT, [mine.locator(".svm-plane").element_handle(), theirs])
    assert shares[0] <= 1e-3 and shares[1] <= 1e-3, shares


@pytest.mark.slow
@pytest.mark.parametrize("where", ["Share", "Download"])
def test_the_app_saves_its_screen_as_a_file(app, new_page, page, tmp_path, where):
    waiting.open_page(page, f"{app}/playground?problem=moons&n=40&loss=huber&C=5&edits=")
    waiting.quiet(page)
    if where == "Share":
        page.get_by_role("button", name="Share").click()
    else:
        page.get_by_text("Download: data, figure, code").click()
    waiting.quiet(page)
    page.get_by_label("Question", exact=True).fill("What happens?")
    page.get_by_label("Question", exact=True).press("Enter")
    waiting.quiet(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as one live file").click()
    saved.value.save_as(tmp_path / "saved.html")
    mine = opened(new_page(offline=True), tmp_path / "saved.html")
    (row,) = rows(mine)
    assert row["machine"] == "Huberised-hinge SVM (δ = 0.5)" and row["support"].endswith("of 40")
    expect(mine.get_by_text("What happens?")).to_be_visible()
    assert "playground?" in mine.locator(".live-elsewhere a").get_attribute("href")


def test_an_exported_html_file_opens_offline(page, tmp_path):
    rng = np.random.default_rng(0)
    xs = np.linspace(-3, 3, 50)
    points = arrays.Points(rng.normal(size=(20, 2)), np.where(np.arange(20) % 2, 1.0, -1.0), rng.normal(size=20))
    picture = plane_figure(arrays.Field(xs, xs, np.add.outer(xs, xs)), points)
    (tmp_path / "alone.html").write_text(to_html(picture), encoding="utf-8")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "alone.html").as_uri())
    expect(page.locator(".scatterlayer .point")).to_have_count(20)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert palette.THEMES["light"]["page"] == "#ffffff"
    assert all(request.startswith(("file:", "data:", "blob:")) for request in requests)
