"""The Dockerfile without Docker: each of its lines is done in a fresh folder, with no other packages than it installs.

The folders / of the image are below `tmp_path`; Debian's packages and the user are those of this machine, and the
packages of Python come from this environment, of which only what requirements.lock leads to is linked.
"""

import importlib
import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest
import serving
import waiting
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from serving import ROOT

import svmcore
from deploy.config import Serving

pytestmark = pytest.mark.slow
OF_THE_SYSTEM = ("apt-get update ", "useradd ")  # lines that change the machine
KNOWN = {"ARG", "FROM", "RUN", "WORKDIR", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}


def lines():
    """(instruction, rest) of the Dockerfile."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    found = [line.partition(" ")[::2] for line in text.splitlines() if line and not line.startswith("#")]
    assert {name for name, _ in found} <= KNOWN
    return found


def linked(requirements, venv):
    """Links what these requirements lead to into the environment at `venv`, and nothing else."""
    asked = [venv / "bin/python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    place = Path(subprocess.check_output(asked, text=True).strip())
    texts = re.findall(r"^[\w.-]+==[\w.]+", requirements.read_text(encoding="utf-8"), re.M)
    waits, done = [Requirement(text) for text in texts], set()
    while waits:
        wanted = waits.pop()
        name = canonicalize_name(wanted.name)
        if name in done:
            continue
        done.add(name)
        found = metadata.distribution(wanted.name)
        extras = [{"extra": extra} for extra in wanted.extras | {""}]
        needed = map(Requirement, found.requires or ())
        waits += [one for one in needed if not one.marker or any(map(one.marker.evaluate, extras))]
        tops = {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            there = Path(found.locate_file(top))
            if not (place / top).exists():
                (place / top).symlink_to(there)


def pin_here(pin):
    """The pin of the version that is here: a release since the lock was written is not this test's subject."""
    return f"{pin[1]}=={metadata.version(pin[1])}"


class Image:
    """What the lines have made so far: folders below `root`, the environment of a process."""

    def __init__(self, root):
        self.root, self.folder = root, root
        self.venv = root / "python"
        subprocess.check_call([sys.executable, "-m", "venv", self.venv])
        self.environment = {"PATH": f"{self.venv}/bin:/usr/sbin:/usr/bin:/bin", "HOME": str(root / "home")}
        if "LANG" in os.environ:
            self.environment["LANG"] = os.environ["LANG"]
        (root / "home").mkdir()

    def place(self, path):
        """A path of the image on this machine."""
        return self.root / path[1:] if path.startswith("/") else self.folder / path

    def run(self, command):
        """Run a command as a line of the image does, and wait for it; returns what it prints."""
        options = dict(cwd=self.folder, env=self.environment, capture_output=True, text=True)
        done = subprocess.run(command, shell=isinstance(command, str), **options)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    def do(self, instruction, rest):
        """One line of the Dockerfile that is done when the image is built."""
        if instruction == "WORKDIR":
            self.folder = self.place(rest)
            self.folder.mkdir(parents=True)
        elif instruction == "COPY":
            *sources, to = rest.split()
            for source in sources:
                self._copy(ROOT / source, self.place(to))
        elif instruction == "ENV":
            name, _, value = rest.partition("=")
            self.environment[name] = str(self.place(value)) if value.startswith("/") else value
        elif instruction == "VOLUME":
            self.place(rest).mkdir()
        elif instruction == "RUN" and not rest.startswith(OF_THE_SYSTEM):
            if rest.startswith("pip install "):
                pinned = self.folder / rest.split("-r ")[1]
                pinned.write_text(re.sub(r"^([\w.-]+)==[\w.]+", pin_here, pinned.read_text("utf-8"), flags=re.M))
                linked(pinned, self.venv)
                rest = rest.replace("pip install ", "python -m pip install --no-index ")
            self.run(rest)

    def _copy(self, source, to):
        ignored = shutil.ignore_patterns("__pycache__", ".git", ".venv", "node_modules")
        if source.is_dir():
            shutil.copytree(source, to, ignore=ignored)
        else:
            shutil.copy(source, to / source.name if to.is_dir() else to)


def compiled_functions():
    """ "module.function" of all compiled functions of svmcore that numba keeps, as it names their files."""
    names = set()
    for module in pkgutil.walk_packages(svmcore.__path__, "svmcore."):
        if not module.name.endswith("__main__"):
            for found in vars(importlib.import_module(module.name)).values():
                if isinstance(found, Dispatcher) and not isinstance(found._cache, NullCache):
                    names.add(f"{found.__module__.rpartition('.')[2]}.{found.__name__}")
    assert len(names) > 50
    return sorted(names)


def test_every_line_of_the_dockerfile_does_what_it_says(tmp_path):
    serving.tool("caddy")
    told = lines()
    image = Image(tmp_path)
    for instruction, rest in told:
        image.do(instruction, rest)
    last = dict(told)
    assert int(last["EXPOSE"]) == Serving(()).port
    port = serving.free_port()
    command = [*json.loads(last["CMD"]), "--port", str(port), "--host", "127.0.0.1"]
    check = [*shlex.split(last["HEALTHCHECK"].partition("CMD ")[2]), "--url", f"http://127.0.0.1:{port}"]
    log = tmp_path / "log"
    with log.open("w") as out:
        streams = dict(stdout=out, stderr=subprocess.STDOUT)
        server = subprocess.Popen(command, cwd=image.folder, env=image.environment, **streams)
    try:
        end = time.monotonic() + waiting.PATIENCE
        while subprocess.run(check, cwd=image.folder, env=image.environment, capture_output=True).returncode:
            assert server.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(1)
        assert json.loads(image.run(check))["status"] == "ok"
        store = image.run(["python", "-m", "deploy", "store"])
        assert store.startswith(f"{image.place('/data')}/")
        missing = [name for name in compiled_functions() if not [*image.place("/compiled").rglob(f"{name}-*.nbi")]]
        assert not missing, "a reader would wait for their compilation"
    finally:
        server.terminate()
        server.wait(waiting.PATIENCE)
    assert server.returncode == 0, log.read_text()
