"""The JavaScript, HTML and CSS of the plane's component as one script.

They are sixty small files for those who change them. A browser has six connections to a server and would fetch them
ten rounds long, before the pictures. So the server puts them together when it starts: each module becomes a function
that is called once, after those that it imports, and returns what it exports.
"""

import gzip
import hashlib
import json
import re
from functools import lru_cache
from graphlib import TopologicalSorter
from pathlib import Path

WEB = Path(__file__).parents[1] / "plane" / "web"
ENTRY = "entry.js"  # travels with each figure and loads the rest
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/(?:\w+/)*(\w+)\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)


@lru_cache(16)
def script(folder: Path = WEB) -> str:
    """The script, which exports `modules`: {name: {exported name: value}}.

    A string "__FILES__" in a module becomes the texts of the other files by their names. `graphlib.CycleError` for
    modules that import each other.
    """
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.*")) if path.name != ENTRY}
    modules = {Path(name).stem: files.pop(name) for name in list(files) if name.endswith(".js")}
    names = ", ".join(f"{name}: ${name}" for name in modules)
    return f"{join_modules(modules, files)}\nexport const modules = {{ {names} }};\n"


def join_modules(modules: dict[str, str], files: dict[str, str]) -> str:
    """The modules {name: text} as constants `$name`, each after those that it imports; `files` as in `script`."""
    before = {name: [imported for _, _, imported in _IMPORT.findall(text)] for name, text in modules.items()}
    parts = [_module_constant(name, modules[name]) for name in TopologicalSorter(before).static_order()]
    return "\n".join(parts).replace('"__FILES__"', json.dumps(files, ensure_ascii=False))


def reachable_modules(entry: Path, replaced: dict[str, str]) -> dict[str, str]:
    """The module in this file and all that it imports, {name: text}, some of them `replaced` by another text."""
    found, paths = {}, [entry.resolve()]
    while paths:
        path = paths.pop()
        if path.stem not in found:
            found[path.stem] = text = replaced.get(path.stem) or path.read_text(encoding="utf-8")
            paths += [(path.parent / other).resolve() for _, other, _ in _IMPORT.findall(text)]
    return found


def _module_constant(name, text):
    """The module as a constant `$name`, the object of what it exports."""
    exported = _EXPORT.findall(text)
    imported = _IMPORT.sub(lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = ${found[3]};", text)
    body = _EXPORT.sub("", imported)
    return f"const ${name} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();"


@lru_cache(16)
def path(folder: Path = WEB) -> str:
    """Path of the script below the server's root. It changes with the content, so that browsers may keep it."""
    return f"plane-{hashlib.sha1(script(folder).encode()).hexdigest()[:8]}.js"


@lru_cache(16)
def gzip_script() -> bytes:
    """The script by gzip."""
    return gzip.compress(script().encode())
