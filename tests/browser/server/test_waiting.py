"""What the other tests wait for: one plane of a name, however many a run leaves beside each other for a moment."""

import waiting

TWO = """<div class="svm-plane" data-name="p" data-drawn="1" title="old"></div>
         <div class="svm-plane" data-name="p" data-drawn="2" title="new"></div>"""
LATER = """() => {
    const [old, late] = document.querySelectorAll('.svm-plane');
    late.figure = { data: [{ name: 'points', x: [3], y: [4], customdata: [[7]] }, { name: 'field', z: [[1]] }] };
    setTimeout(() => old.remove(), 300);
}"""


def test_the_old_plane_is_never_asked_and_an_answer_may_be_nothing(page):
    for ask, answer in (
        (lambda: waiting.ask(page, "p", "(root, more) => root.title + more", "!"), "new!"),
        (lambda: waiting.plane(page, "p").get_attribute("title"), "new"),
        (lambda: waiting.points(page, "p"), {7: (3, 4, None)}),
        (lambda: waiting.figure(page, "p", ["field"]), {"field": {"z": [[1]]}}),
        (lambda: waiting.drawn(page, "p"), 2),
    ):
        page.set_content(TWO)
        page.evaluate(LATER)
        assert ask() == answer
    page.set_content('<div class="svm-plane" data-name="p"></div>')
    assert waiting.ask(page, "p", "() => undefined") is None
    assert waiting.ask(page, "p", "() => false") is False
