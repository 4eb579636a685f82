"""The plane's modules that need no page, run by node: their own tests, and calls from Python."""

import json
import subprocess
from pathlib import Path

from serving import tool

ROOT = Path(__file__).parents[2]
WEB = "pages/shared/plane/web"


class Modules:
    """The modules of the repository in a process of node, until `close`."""

    def __init__(self):
        self._process = subprocess.Popen(
            [tool("node"), "tests/js/serve.js"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def call(self, module, name, *args):
        """What the function `name` of a module, a path below the root, returns; or the value of that name."""
        self._process.stdin.write(json.dumps({"module": module, "call": name, "args": args}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer.get("result")

    def close(self):
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()
