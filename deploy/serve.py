"""Starts the processes and the proxy before them, starts again what has died, and ends all of them together."""

import contextlib
import gzip
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from importlib.util import find_spec
from pathlib import Path

from deploy import config
from deploy.config import Serving
from pages.shared.page.addresses import in_network
from pages.shared.server import static_files

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120.0  # seconds until a process answers, on a machine that compiles the solvers for the first time
AGAIN = 1.0  # seconds before something that has died is started again
LEVEL, PACKED = 6, (".js", ".css", ".svg")  # of compression, of these files
ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
PROXIES = {"caddy": ("caddy",), "nginx": ("nginx", "/usr/sbin/nginx")}


def proxy_of(wanted: str) -> tuple[str, str]:
    """(name, path) of the proxy: the one that is wanted, or with "auto" the first on this machine."""
    for name, places in PROXIES.items():
        for place in places:
            path = shutil.which(place)
            if path and wanted in ("auto", name):
                return name, path
    raise SystemExit(
        f"There is no {' and no '.join(PROXIES) if wanted == 'auto' else wanted} on this machine; on Debian and Ubuntu "
        "`apt-get install caddy` brings one."
    )


def free_ports(count: int) -> tuple[int, ...]:
    """Ports of this machine that nothing listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return tuple(one.getsockname()[1] for one in sockets)


def command(serving: Serving, port: int) -> list[str]:
    """One process of the app on its port of this machine."""
    options = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
    }
    if serving.base:
        options["server.baseUrlPath"] = serving.base.strip("/")
    if serving.domain:
        options |= {"browser.serverAddress": serving.domain, "browser.serverPort": 443}
    if serving.frame:
        options["server.xsrfCookieSameSite"] = "none"
    flags = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), *flags]


def answers(port: int, path: str = "") -> bool:
    """True if the process on this port serves pages."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}/health", timeout=2) as reply:
            return reply.status == 200
    except OSError:
        return False


def addresses(serving: Serving) -> str:
    """Sentence on the addresses at which the app opens."""
    other = in_network()
    if serving.domain or serving.host or not other:
        return serving.address
    return f"{serving._replace(host=other).address} (phones, too) or, on this computer alone, {serving.address}"


class Children:
    """The processes by their names, each with the command that starts it."""

    def __init__(self):
        self.commands, self.running, self.died = {}, {}, {}

    def start(self, name: str, command: list[str]) -> None:
        """Start a process; `watch` starts it again."""
        self.commands[name] = command
        self.running[name] = self._start_child(name)

    def watch(self) -> None:
        """Start again what has died."""
        for name, process in self.running.items():
            if process.poll() is None:
                continue
            since = self.died.setdefault(name, time.monotonic())
            if time.monotonic() - since >= AGAIN:
                del self.died[name]
                print(f"{name} ended with {process.returncode} and is started again", flush=True)
                self.running[name] = self._start_child(name)

    def _start_child(self, name):
        """Without what it prints, such as an address behind the proxy; what goes wrong is on the stream of errors."""
        return subprocess.Popen(self.commands[name], cwd=ROOT, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        """End all of them: politely, and after five seconds at once."""
        for process in self.running.values():
            process.terminate()
        end = time.monotonic() + 5.0
        for process in self.running.values():
            try:
                process.wait(max(end - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def run(serving: Serving, proxy: str) -> None:
    """Serve until the terminal or the system ends it."""
    if not serving.domain:
        _check_port(serving)
    name, path = proxy_of(proxy)
    if name == "nginx" and serving.domain:
        raise SystemExit("HTTPS with a domain is Caddy's part here: use --proxy caddy, or put nginx behind your own.")
    os.environ.setdefault("PYTHONPATH", str(ROOT))
    os.environ.update(serving.environment)
    for end in ENDS:
        if signal.getsignal(end) != signal.SIG_IGN:  # a terminal that closes ends nothing under nohup
            signal.signal(end, _interrupt)
    children = Children()
    with tempfile.TemporaryDirectory(prefix="svm-lab-") as folder:
        try:
            for number, port in enumerate(serving.ports, 1):
                children.start(f"process {number}", command(serving, port))
            if not _ready(serving, children):
                raise SystemExit("The app did not start; its messages are above.")
            children.start(name, _proxy(name, path, serving, Path(folder), files(Path(folder), serving.path)))
            time.sleep(1.0)
            if children.running[name].poll() is not None:
                raise SystemExit(f"{name} did not start; its messages are above.")
            print(f"SVM Lab: {len(serving.ports)} processes behind {name}. Open {addresses(serving)}", flush=True)
            while True:
                children.watch()
                time.sleep(0.2)
        except KeyboardInterrupt:
            pass
        finally:
            children.stop()


def _check_port(serving):
    """The proxy would say it after a minute, when all processes have started."""
    try:
        socket.create_server((serving.host, serving.port)).close()
    except OSError as error:
        raise SystemExit(
            f"Nothing can listen on {serving.host or 'this machine'}, port {serving.port} ({error.strerror}): end what "
            "does, or choose another with --port."
        ) from error


def _interrupt(*_):
    for end in ENDS:
        signal.signal(end, signal.SIG_IGN)  # another Ctrl-C would leave the proxy behind
    raise KeyboardInterrupt


def _ready(serving, children):
    """Wait until each process answers."""
    end = time.monotonic() + PATIENCE
    for port in serving.ports:
        while not answers(port, serving.path):
            if time.monotonic() > end or any(process.poll() is not None for process in children.running.values()):
                return False
            time.sleep(0.1)
    return True


def files(folder: Path, base: str) -> Path:
    """A folder inside `folder` with plotly.js and Streamlit's scripts and styles, as the proxy sends them."""
    root, source = folder / "files", Path(find_spec("streamlit").origin).parent / "static"
    for file in (source / "static").rglob("*"):
        if not file.is_file():
            continue
        place = root / base.strip("/") / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(file)
        if file.suffix in PACKED:
            place.with_name(f"{place.name}.gz").write_bytes(gzip.compress(file.read_bytes(), LEVEL))
    plotly, packed = root / base.strip("/") / static_files.PLOTLY, static_files.plotly_script()
    plotly.write_bytes(gzip.decompress(packed))
    plotly.with_name(f"{plotly.name}.gz").write_bytes(packed)
    folder.chmod(0o755)  # nginx reads as another user where root has started it
    return root


def _proxy(name, path, serving, folder, files=None):
    """Write the configuration; the command that runs the proxy with it."""
    file = folder / ("Caddyfile" if name == "caddy" else "nginx.conf")
    file.write_text(config.caddy(serving, files) if name == "caddy" else config.nginx(serving, folder, files))
    if name == "caddy":
        return [path, "run", "--config", str(file), "--adapter", "caddyfile"]
    return [path, "-c", str(file), "-e", str(folder / "error.log")]
