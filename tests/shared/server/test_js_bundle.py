"""The script of the component means what its modules mean, and its name changes with it."""

import json
import re
import subprocess
from graphlib import CycleError

import pytest
from javascript import ROOT, WEB
from serving import tool

from pages.shared.server import js_bundle

USED = """
import { modules } from "./bundle.mjs";
console.log(JSON.stringify([modules.last.all(), await modules.first.later(), Object.keys(modules.first)]));
"""


def written(folder, **files):
    """The folder with these files, by their names with "_" for the dot."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def test_modules_keep_their_own_names_and_share_what_they_export(tmp_path):
    folder = written(
        tmp_path / "web",
        entry_js='import { no } from "./gone.js";',
        last_js="""import {
  count as counted,
  first,
} from "./first.js";
import { files } from "./texts.js";

const own = "last";
export function all() {
  first.add();
  return [own, counted(), new Kind().name, files["a.html"]];
}
export class Kind {
  name = "kind";
}
""",
        first_js="""const own = { added: 0 };
export const first = { add: () => (own.added += 1) };
export const count = () => own.added;
export async function later() {
  return "later";
}
""",
        texts_js='export const files = "__FILES__";\n',
        a_html='<b class="x">\\ $& ü</b>\n',
    )
    script = js_bundle.script(folder)
    (tmp_path / "bundle.mjs").write_text(script, encoding="utf-8")
    (tmp_path / "used.mjs").write_text(USED, encoding="utf-8")
    done = subprocess.run([tool("node"), tmp_path / "used.mjs"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (own, count, kind, text), later, exported = json.loads(done.stdout)
    assert (own, count, kind, later) == ("last", 1, "kind", "later") and exported == ["first", "count", "later"]
    assert text == (folder / "a.html").read_text(encoding="utf-8")


def test_all_imports_and_exports_of_the_component_are_understood():
    script = js_bundle.script()
    assert not re.findall(r"^\s*import\b(?!\()", script, re.MULTILINE)
    assert re.findall(r"^export .*", script, re.MULTILINE) == [script.splitlines()[-1]]
    assert not re.findall(r"^export let|^import [^{]", "".join(p.read_text() for p in (ROOT / WEB).rglob("*.js")), re.M)
    names = {path.stem for path in (ROOT / WEB).rglob("*.js")} - {"entry"}
    assert set(re.findall(r"(\w+): \$\1", script.splitlines()[-1])) == names
    done = subprocess.run(
        [tool("node"), "--input-type=module", "--check"], input=script, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_modules_that_import_each_other_are_refused(tmp_path):
    one, other = 'import { b } from "./b.js";\n', 'import { a } from "./a.js";\n'
    with pytest.raises(CycleError):
        js_bundle.script(written(tmp_path, a_js=one, b_js=other))


def test_the_name_of_what_is_served_changes_with_it(tmp_path):
    """A browser keeps what has a name for as long as it likes: another content, or another file, is another name."""
    files = [{}, dict(a_js="1"), dict(a_js="2"), dict(a_js="2", b_js="2"), dict(a_js="2", c_js="2")]
    files += [dict(a_js='"__FILES__"', **texts) for texts in ({}, dict(b_html="1"), dict(b_html="2"), dict(c_html="2"))]
    folders = [written(tmp_path / str(k), **texts) for k, texts in enumerate([*files, files[-1]])]
    names = [js_bundle.path(folder) for folder in folders]
    assert len(set(names)) == len(files) and names[-1] == names[-2]
    assert all(re.fullmatch(r"plane-[0-9a-f]{8}\.js", name) for name in names)
