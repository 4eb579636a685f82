"""The Help page: every subject is shown as it stands in docs/, its links stay on the page, no setting is lost."""

import base64
import re
from urllib.parse import parse_qs

import pytest
from screen import ROOT, healthy, notes, open_page, value

from pages.shared.studies import glossary, manual

pytestmark = pytest.mark.usefixtures("warm")
PAGE = "pages/help.py"


def headings(text):
    """Those below the title; a line of code that looks like one is none."""
    return re.findall(r"^(##+ .+)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)


@pytest.mark.parametrize("key", manual.subjects())
def test_a_link_opens_every_subject_whose_links_keep_the_settings(key):
    """Streamlit opens the links of its Markdown in a new tab; these stay in the same one."""
    app = healthy(open_page(PAGE, subject=key, problem="moons", C="3"))
    assert notes(app) == [] and value(app, "subject") == key
    text = max((element.value for element in app.markdown), key=len)
    assert "<!--" not in text and "](.." not in text and ".md)" not in text
    if key == manual.GLOSSARY:
        assert all(f"**{entry.name}.** {entry.text}" in text for entry in glossary.TERMS.values())
    else:
        source = (ROOT / "docs" / f"{key}.md").read_text(encoding="utf-8")
        code = re.findall(r"^```.*?^```$", source, re.M | re.S)
        assert [part for part in code if part not in text] == []
        assert headings(text) == headings(source) != []
    links = re.findall(r'<a href="\?([^"#]*)(?:#[\w-]+)?" target="([^"]*)">', text)
    assert len(links) == text.count("<a ") and (links or key != "quick-start")
    for query, target in links:
        found = parse_qs(query)
        assert target == "_self" and found["subject"][0] in manual.subjects() and found["problem"] == ["moons"]


def test_pictures_are_included_links_rewritten_and_code_is_kept(tmp_path, monkeypatch):
    code = "```python\n# one\n## two\nx[a](b)\n```\n"
    words = "![A picture](some.svg) and [one](other.md#there), [two](../LICENSE), [README](../README.md#start)"
    (tmp_path / "some.md").write_text(f"# Some\n\n{words}\n\n{code}")
    (tmp_path / "some.svg").write_text("<svg/>")
    monkeypatch.setattr(manual, "DOCS", tmp_path)
    packed = base64.b64encode(b"<svg/>").decode()
    assert manual.text("some", "?subject={}".format).strip() == (
        f"![A picture](data:image/svg+xml;base64,{packed}) and "
        '<a href="?subject=other#there" target="_self">one</a>, two (`LICENSE`), `README.md`\n\n' + code.strip()
    )
