"""The recipes of the manual, carried out as written: in a copy of the project, whose own tests judge the addition."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = ("svmcore", "pages", "tests", "docs")  # folders that a recipe may change; others are linked
OUTCOME = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.M)


def block(path, kind):
    """The first code block of that kind in a file of the manual, without its fences."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.search(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)[1]


class Copy:
    """A copy of the project in `folder`, with the compiled functions."""

    def __init__(self, folder: Path):
        self.folder = folder
        for path in ROOT.iterdir():
            if path.name in COPIED and path.is_dir():
                shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("node_modules"))
            elif path.is_dir() and path.name != ".git":
                (folder / path.name).symlink_to(path)
            elif path.is_file():
                shutil.copy2(path, folder)

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    def write(self, path: str, code: str) -> None:
        (self.folder / path).write_text(code, encoding="utf-8")

    def append(self, path: str, code: str) -> None:
        self.write(path, f"{self.read(path)}\n\n{code}")

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace a text wherever it stands in a file. Raises AssertionError if it does not."""
        text = self.read(path)
        assert old in text, f"{path} has no {old!r}"
        self.write(path, text.replace(old, new))

    def run(self, *arguments: str) -> str:
        """The output of a Python command in the copy. Raises AssertionError if it ends with more than failed tests."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment |= {"NO_COLOR": "1", "PYTHONPATH": ""}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode in (0, 1), done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def failures(self, *arguments: str) -> list[str]:
        """Names of the tests that fail. Raises AssertionError if none ran."""
        return OUTCOME.findall(self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments))
