"""Exports are files that a course page can read: well formed, complete, with the right answer marked."""

import base64
import io
import re
import zipfile
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from written import numbers_in

from pages.shared.lessons import answers, lesson, moodle, qti, reading, sheet
from pages.shared.lessons.asked import KEY, AnsweredPrompt, ends
from pages.shared.lessons.wording import mathml, stack_parts, to_html, words

ERRORS = reading.built_in_lessons()["errors"]
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>a &lt; b</title></svg>'
NASTY = (
    "]]> & <script>alert(1)</script> {~=#:} \\ ünï \u0007\ud800 **bold** [a](http://x.example) ![b](c) [d](term:margin)"
)


@pytest.fixture(scope="module")
def asked():
    return [AnsweredPrompt(prompt, answers.answer(prompt), PICTURE, PICTURE) for prompt in ERRORS.prompts]


def nasty(asked):
    """The lesson with every text replaced by one that has all marks."""
    made = []
    for item in asked:
        options = tuple(
            option._replace(text=f"{k} {NASTY}", wrong=option.wrong and NASTY)
            for k, option in enumerate(item.prompt.options)
        )
        prompt = item.prompt._replace(question=NASTY, why=NASTY.replace("{", "{{").replace("}", "}}"), options=options)
        prompt = prompt._replace(wrong=dict.fromkeys(prompt.wrong, NASTY), goal=NASTY)
        made.append(item._replace(prompt=prompt))
    return ERRORS._replace(title=NASTY, objectives=(NASTY,)), made


def questions(text):
    """The questions of an XML file, without its category."""
    root = ElementTree.fromstring(text)
    assert root.tag == "quiz" and root[0].get("type") == "category"
    return root[1:]


def text_of(element, path):
    return element.findtext(f"{path}/text")


KINDS = ["multichoice", "multichoice", "essay", "numerical", "multichoice", "essay", "multichoice", "matching"]


def test_xml_has_every_prompt_with_its_picture_marks_the_right_option_and_asks_for_the_order_of_machines(asked):
    found = questions(moodle.xml(ERRORS, asked))
    assert [question.get("type") for question in found] == KINDS
    for question, item in zip(found, asked, strict=True):
        assert item.prompt.id in text_of(question, "name")
        assert to_html(item.prompt.question) in text_of(question, "questiontext")
        assert '"@@PLUGINFILE@@/picture.svg" alt="a &lt; b"' in text_of(question, "questiontext")
        assert to_html(KEY) in text_of(question, "questiontext"), "which colour is class +1, what lines and rings mean"
        file = question.find("questiontext/file")
        assert file.get("name") == "picture.svg" and base64.b64decode(file.text).decode() == PICTURE
        assert text_of(question, "generalfeedback") == to_html(item.why)
        for k, option in enumerate(item.prompt.options):
            answer = question.findall("answer")[k]
            assert answer.get("fraction") == ("100" if k == item.answer.true else "0")
            assert text_of(answer, "feedback") == to_html(option.wrong or item.why)
    pairs = found[-1].findall("subquestion")
    assert [text_of(pair, "answer") for pair in pairs] == ["1", "2", "3"]
    assert [text_of(pair, ".") for pair in pairs] == [f"<p>{name}</p>" for name in asked[-1].order]


def test_xml_takes_the_numbers_that_the_lesson_takes_and_a_factor_on_its_smaller_side(asked):
    item = asked[3]
    found = questions(moodle.xml(ERRORS, asked))[3].findall("answer")
    right, low, high = [
        (float(answer.findtext("text")), float(answer.findtext("tolerance")), answer.get("fraction"))
        for answer in found
    ]
    assert right == (pytest.approx(item.answer.value), item.prompt.close, "100")
    assert low[0] - low[1] == pytest.approx(item.prompt.scale.low) and low[0] + low[1] == pytest.approx(0.9)
    assert high[0] + high[1] == pytest.approx(item.prompt.scale.high) and high[0] - high[1] == pytest.approx(1.1)
    assert [text_of(answer, "feedback") for answer in found[1:]] == [
        to_html(item.prompt.wrong[name]) for name in ("too_low", "too_high")
    ]
    prompt = item.prompt._replace(close=2.0, scale=lesson.Scale(0.1, 100.0, 0.1, True))
    assert next(moodle.intervals(item._replace(prompt=prompt, answer=item.answer._replace(value=8.0))))[1] == 4.0


def gift_questions(text):
    """{title: (question, inside of the brackets)} of a GIFT file, as Moodle splits it."""
    found = {}
    for part in re.split(r"\n\s*\n", text.strip())[1:]:
        title, rest = re.fullmatch(r"::((?:\\.|[^:])*)::(.*)", part, re.DOTALL).groups()
        marks = [match.start() for match in re.finditer(r"(?<!\\)(?:\\\\)*[{}]", rest)]
        assert len(marks) == 2 and rest.endswith("}")
        found[plain(title)] = rest[: marks[0]], rest[marks[0] + 1 : -1]
    return found


def plain(text):
    return re.sub(r"\\(.)", r"\1", text)


def parts(text):
    """What stands between the unescaped marks = and ~ of an answer."""
    return re.split(r"(?<!\\)(?=[=~])", text)


def test_gift_has_every_prompt_with_its_answers(asked):
    found = gift_questions(moodle.gift(ERRORS, asked))
    assert len(found) == len(asked)
    for (title, (question, inner)), item in zip(found.items(), asked, strict=True):
        assert item.prompt.id in title and plain(question).startswith(f"[html]{to_html(item.prompt.question)}")
        assert base64.b64encode(PICTURE.encode()).decode() in plain(question)
        inner, general = inner.split("####")
        assert plain(general) == to_html(item.why)
        if item.prompt.options:
            marks = [part[0] for part in parts(inner) if part]
            assert marks == ["=" if k == item.answer.true else "~" for k in range(len(item.prompt.options))]
            for part, option in zip(parts(inner)[-len(marks) :], item.prompt.options, strict=True):
                text, feedback = re.split(r"(?<!\\)#", part[1:])
                assert plain(text) == to_html(option.text) and plain(feedback) == to_html(option.wrong or item.why)


def test_nothing_in_a_text_is_taken_for_a_mark(asked):
    changed, items = nasty(asked)
    xml, gift = moodle.xml(changed, items), moodle.gift(changed, items)
    assert [question.get("type") for question in questions(xml)] == KINDS
    for text in (text_of(question, "questiontext") for question in questions(xml)):
        assert "<script" not in text and "x.example" not in text and "<strong>bold</strong>" in text and "d" in text
    found = gift_questions(gift)
    assert len(found) == len(items) and not [part for parts in found.values() for part in parts if "<script" in part]
    assert "x.example" not in gift
    assert xml.encode() and gift.encode()


class Tags(HTMLParser):
    """All tags are closed; nothing is fetched."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.addresses = [], [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("with_answers", [False, True])
def test_a_sheet_needs_nothing_else_and_keeps_its_tags_in_order(asked, with_answers):
    for found, items in ((ERRORS, asked), nasty(asked)):
        page, tags = sheet.page(found, items, with_answers), Tags()
        tags.feed(page)
        assert tags.open == [] and tags.addresses == [] and "script" not in tags.seen and "@page { size: A4" in page
        assert tags.seen.count("figure") == len(items) == page.count(PICTURE)


def test_only_the_teachers_copy_has_answers(asked):
    blank, solved = sheet.page(ERRORS, asked), sheet.page(ERRORS, asked, True)
    assert "☒" not in blank and solved.count("☒") == sum(bool(prompt.options) for prompt in ERRORS.prompts)
    for item in asked:
        assert to_html(item.why) in solved and to_html(item.why) not in blank
        assert to_html(item.prompt.question)[:-4] in blank
    assert all(text in blank for text in sheet.questions(ERRORS)) and "Number</span>" in blank
    for text in ("Too low", "Too high", "Another line", "Points missed", "Too many points", "Another order"):
        assert f"<em>{text}</em> → You may have" in solved
    assert re.search(r"The line f = 0 from \(−\d", solved), "wrong answers and the right one in words"


def test_a_prompt_without_a_right_option_is_no_question(asked):
    item = asked[0]._replace(answer=asked[0].answer._replace(true=None))
    for write in (moodle.xml, moodle.gift, qti.package):
        with pytest.raises(ValueError, match="own_side.*no option holds.*Add one"):
            write(ERRORS, [item])


def test_texts_are_words_and_simple_marks():
    assert to_html("a *b* **c** `d` $3 or $4 < f\n\ng") == (
        "<p>a <em>b</em> <strong>c</strong> <code>d</code> $3 or $4 &lt; f</p><p>g</p>"
    )
    assert words("[support value](term:support value) 2*3*4 \x00") == "support value 2*3*4"
    assert to_html("2 * 3 * 4, a*b*c") == "<p>2 * 3 * 4, a*b*c</p>"


def test_a_number_says_its_ends_and_what_a_share_is():
    prompt = ERRORS.prompt("pull")
    assert ends(prompt) == "from 0 to 4"
    assert ends(prompt._replace(watch=lesson.Watch("n_support", {}))) == ends(prompt) + " points"
    share = prompt._replace(watch=lesson.Watch("test_error", {}), scale=lesson.Scale(0.0, 0.6, 0.01))
    assert numbers_in(ends(share)) == [0, 0.6, 0.6, 60] and "60.0\u202f%" in ends(share)


FORMULAS = [
    (r"\frac{a}{b}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"),
    (r"\alpha_i < C", "<mo>&lt;</mo>"),
    (r"\text{<script>alert(1)</script>} & x", "&lt;script&gt;"),
    (r"\href{javascript:alert(1)}{x}", "<mi>x</mi>"),
    (r"\style{background:url(//x)}{b}", "<mi>b</mi>"),
]


@pytest.mark.parametrize("latex, part", FORMULAS)
def test_a_formula_is_harmless_mathml(latex, part):
    written = mathml(latex)
    root = ElementTree.fromstring(written)
    assert root.tag.endswith("}math") and part in written
    assert not [name for element in root.iter() for name in element.attrib if name in ("href", "style", "class")]


@pytest.mark.parametrize("whole", [r"a = b, \qquad \text{so}", r"\lambda \leftarrow 1, \qquad u = w"])
def test_the_parts_of_a_formula_stand_on_lines_of_their_own_but_none_is_cut(whole):
    first, second = whole.split(r" \qquad ")
    assert stack_parts(whole) == rf"\begin{{gathered}}{first} \\ {second}\end{{gathered}}"
    for cut in (r"\sqrt{%s}", r"\left(%s\right)", r"\begin{matrix}%s\end{matrix}", r"x"):
        assert stack_parts(cut.replace("%s", whole)) == cut.replace("%s", whole)


@pytest.mark.parametrize("latex", ["}{", r"\begin{matrix} a<b", "^"])
def test_what_is_no_latex_stays_as_it_is(latex):
    assert mathml(latex) == f"<code>{latex.replace('<', '&lt;')}</code>"


def test_paper_has_the_equation_of_the_lesson(asked):
    page = sheet.page(ERRORS, asked[:1], True)
    assert page.count('display="block"') == 1 + page.count('math[display="block"]') and "\\alpha" not in page


# ------------------------------------------------------------------------------------------ QTI

# the children of an element in the order of the schema ims_qtiasiv1p2p1, as far as they are used, and its attributes
QTI = {
    "questestinterop": ("assessment", ""),
    "assessment": ("(section )+", "ident title"),
    "section": ("(item )*", "ident"),
    "item": ("(itemmetadata )?(presentation )?(resprocessing )*(itemfeedback )*", "ident title"),
    "itemmetadata": ("(qtimetadata )*", ""),
    "qtimetadata": ("(qtimetadatafield )+", ""),
    "qtimetadatafield": ("fieldlabel fieldentry", ""),
    "presentation": ("((material|response_lid|response_str) )+", ""),
    "response_lid": ("(material )?render_choice", "ident rcardinality"),
    "response_str": ("(material )?render_fib", "ident rcardinality"),
    "render_choice": ("((material|response_label) )+", "shuffle"),
    "render_fib": ("((material|response_label) )*", "fibtype"),
    "response_label": ("(material )*", "ident"),
    "material": ("(mattext )+", ""),
    "resprocessing": ("outcomes (respcondition )+", ""),
    "outcomes": ("(decvar )+", ""),
    "respcondition": ("conditionvar (setvar )*(displayfeedback )*", "continue"),
    "conditionvar": ("((other|varequal|vargte|varlte) )+", ""),
    "itemfeedback": ("((flow_mat|material) )+", "ident"),
    "flow_mat": ("(material )+", ""),
    **{name: ("", names) for name, names in (
        ("fieldlabel", ""), ("fieldentry", ""), ("mattext", "texttype"), ("other", ""), ("setvar", "action varname"),
        ("decvar", "varname vartype minvalue maxvalue"), ("displayfeedback", "feedbacktype linkrefid"),
        *((name, "respident") for name in ("varequal", "vargte", "varlte")),
    )},
}  # fmt: skip


def invalid(element):
    """What the schema does not allow in an element, as sentences."""
    name = element.tag.partition("}")[2]
    children, attributes = QTI[name]
    inside = "".join(f"{child.tag.partition('}')[2]} " for child in element)
    wrong = [] if re.fullmatch(children.rstrip() + " ?", inside) else [f"{name} has {inside}"]
    wrong += [f"{name} has the attribute {key}" for key in element.attrib if key not in attributes.split()]
    return wrong + [sentence for child in element for sentence in invalid(child)]


def unzipped(asked, found=ERRORS):
    archive = zipfile.ZipFile(io.BytesIO(qti.package(found, asked)))
    return {name: archive.read(name).decode() for name in archive.namelist()}


def local(root, name):
    return [element for element in root.iter() if element.tag.partition("}")[2] == name]


def test_a_qti_package_is_valid_and_names_all_its_files(asked):
    for found, items in ((ERRORS, asked), nasty(asked)):
        files = unzipped(items, found)
        assert invalid(ElementTree.fromstring(files["questions.xml"])) == []
        named = [file.get("href") for file in local(ElementTree.fromstring(files["imsmanifest.xml"]), "file")]
        assert sorted(files) == sorted(["imsmanifest.xml", *named]) and len(named) == 1 + len(items)
        assert qti.package(found, items) == qti.package(found, items)
        assert "<script" not in files["questions.xml"].replace("&lt;script&gt;", "")
    assert invalid(ElementTree.fromstring(files["questions.xml"].replace("<outcomes>", "<other />\n<outcomes>", 1)))


def grade(item, given):
    """The score and the feedback that a reader of QTI gives: the first condition that holds decides."""
    for row in local(item, "respcondition"):
        tests = {test.tag.partition("}")[2]: test.text for test in local(row, "conditionvar")[0]}
        if (
            "other" in tests
            or tests.get("varequal", given if "vargte" in tests else None) == given
            and float(tests.get("vargte", "-inf")) <= float(given if "vargte" in tests else 0)
            and float(given if "varlte" in tests else 0) <= float(tests.get("varlte", "inf"))
        ):
            name = local(row, "displayfeedback")[0].get("linkrefid")
            (feedback,) = [one for one in local(item, "itemfeedback") if one.get("ident") == name]
            return [one.text for one in local(row, "setvar")] == ["100"], local(feedback, "mattext")[0].text
    return None


def test_qti_grades_as_the_lesson_does(asked):
    files = unzipped(asked)
    items = local(ElementTree.fromstring(files["questions.xml"]), "item")
    for k, (element, item) in enumerate(zip(items, asked, strict=True)):
        shown = local(element, "mattext")[0].text
        assert f'src="picture_{k + 1}.svg" alt="a &lt; b"' in shown and to_html(item.prompt.question)[:-4] in shown
        labels = [label.get("ident") for label in local(element, "response_label")]
        if item.prompt.options:
            told = [grade(element, label) for label in labels]
            assert [right for right, _ in told] == [n == item.answer.true for n in range(len(labels))]
            assert [text for _, text in told] == [to_html(one.wrong or item.why) for one in item.prompt.options]
        elif item.prompt.kind == "order":
            assert [grade(element, label)[0] for label in labels].count(True) == 1 and len(labels) == 6
        elif item.prompt.kind == "number":
            value, near = item.answer.value, item.prompt.close
            assert grade(element, f"{value + 0.9 * near}") == (True, to_html(item.why))
            assert grade(element, f"{value + 2 * near}") == (False, to_html(item.prompt.wrong["too_high"]))
            assert grade(element, f"{value - 2 * near}") == (False, to_html(item.prompt.wrong["too_low"]))
        else:
            assert grade(element, "anything")[0] is False and item.answer_text[:20] in grade(element, "")[1]
