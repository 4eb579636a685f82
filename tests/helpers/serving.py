"""Starting what browser tests and benchmarks need: a Streamlit server on a free loopback port, and a Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLAGS = [
    *"""--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --no-proxy-server""".split(),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",  # the outside world is not there
]


def browser():
    """The path of a Chromium on this machine, None without one."""
    return shutil.which("chromium") or shutil.which("google-chrome")


def start(app, log, port=None):
    """(process, address) of a Streamlit server of `app`, a path below the root, that answers; output goes to `log`.

    `port` is a free one if none is given.
    """
    port = port or free_port()
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / app), *options]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with log.open("w") as out:
        environment = {**os.environ, "PYTHONPATH": path}
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    wait_for(process, url, log)
    return process, url


def free_port():
    """A port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(process, url, log):
    """Wait until the server at `url` answers; RuntimeError with its `log` if it does not."""
    end = time.monotonic() + 60
    while not _answers(f"{url}/_stcore/health"):
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise RuntimeError(f"the server did not start:\n{log.read_text()}")
        time.sleep(0.05)


def _answers(url):
    try:
        with urllib.request.urlopen(url, timeout=1) as reply:
            return reply.status == 200
    except OSError:
        return False
