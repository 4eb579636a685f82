"""The real Caddy and nginx with the generated configuration, before small servers in the place of the app."""

import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from people import people
from plotly.offline import get_plotlyjs
from serving import answering, running, tool
from waiting import PATIENCE

from deploy import config, serve
from deploy.__main__ import main
from pages.shared.server import static_files
from pages.shared.studies import point_sets

ROOT = Path(__file__).parents[2]
SCRIPT = "export const answer = 42;\n" * 200


class App(BaseHTTPRequestHandler):
    """Says which server it is; takes a socket to itself on request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.headers.get("Upgrade") == "websocket":
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.end_headers()
            self.wfile.flush()
            time.sleep(0.1)  # as the app, which says nothing before it is asked
            self.wfile.write(b"hello from %d" % self.server.server_port)
            self.close_connection = True
            return
        said = {"port": self.server.server_port, "path": self.path, "host": self.headers["Host"], "filler": "x" * 5000}
        said["scheme"] = self.headers["X-Forwarded-Proto"]
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Set-Cookie", "app=1; Path=/; SameSite=Lax")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        expected = int(self.headers["Content-Length"])
        if len(self.rfile.read(expected)) < expected:  # the proxy gave up: as a real app, no answer
            self.close_connection = True
            return
        self.do_GET()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def apps():
    with ExitStack() as stack:
        yield [stack.enter_context(answering(App)) for _ in range(3)]


SENT = ("static/js/own.123.js", static_files.PLOTLY)  # by the proxy


@pytest.fixture(scope="module")
def scripts():
    """A folder that all may read, as nginx does where root has started it, with a script below the sub-path."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        for name in SENT:
            script = Path(folder) / "svm" / name
            script.parent.mkdir(parents=True, exist_ok=True)
            script.write_text(SCRIPT)
            script.with_name(f"{script.name}.gz").write_bytes(gzip.compress(SCRIPT.encode(), 9))
        yield Path(folder)


@pytest.fixture(params=["caddy", "nginx"])
def proxy(request, apps, scripts, tmp_path):
    """A running proxy: its Serving, before all of `apps`."""
    name, path = request.param, tool(*serve.PROXIES[request.param])
    (port,) = serve.free_ports(1)
    serving = config.Serving(tuple(app.server_port for app in apps), port, "127.0.0.1", base="svm")
    with listening(serve._proxy(name, path, serving, tmp_path, scripts), port, tmp_path / "log"):
        yield serving


@contextmanager
def listening(command, port, log, **environment):
    """A proxy that has been started with this command and listens on the port."""
    end = time.monotonic() + PATIENCE
    with running(command, log, **environment) as process:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < end, log.read_text()
                time.sleep(0.05)
        yield


def ask(serving, cookie="", path="x?C=1", **more):
    """(status, headers, body) of a request by way of the proxy."""
    headers = {"Cookie": cookie} if cookie else {}
    with closing(http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE)) as connection:
        connection.request(more.pop("method", "GET"), f"/svm/{path}", more.pop("body", None), headers | more)
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read()


def told(serving, cookie=""):
    """(what the app says, the cookie with which the browser asks from now on)."""
    status, headers, body = ask(serving, cookie)
    assert status == 200
    given = [value.partition(";")[0] for value in headers.get_all("Set-Cookie", ()) if value.startswith(config.COOKIE)]
    return json.loads(body), given[-1] if given else cookie


def test_a_browser_stays_with_its_process_and_browsers_are_spread(proxy):
    given = [told(proxy) for _ in range(40)]
    assert {first["port"] for first, _ in given} == set(proxy.ports)
    for first, cookie in given[:6]:
        assert cookie and {told(proxy, cookie)[0]["port"] for _ in range(3)} == {first["port"]}


def test_path_host_and_scheme_arrive_answers_are_compressed_and_what_is_measured_is_not_told(proxy, request):
    said, _ = told(proxy)
    assert said["path"] == "/svm/x?C=1" and said["host"] == f"127.0.0.1:{proxy.port}" and said["scheme"] == "http"
    if request.node.callspec.params["proxy"] == "nginx":  # HTTPS is the part of what stands before it
        assert json.loads(ask(proxy, **{"X-Forwarded-Proto": "https"})[2])["scheme"] == "https"
    _, headers, body = ask(proxy, **{"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip" and len(body) < 1000 < len(gzip.decompress(body))
    assert ask(proxy, path="_stcore/metrics")[0] == 404
    own = [value for value in ask(proxy)[1].get_all("Set-Cookie") if value.startswith(config.COOKIE)]
    assert len(own) == 1 and own[0].endswith("; Path=/; HttpOnly; SameSite=Lax")


def test_scripts_are_sent_by_the_proxy_itself_and_those_that_it_does_not_have_by_the_app(proxy, apps):
    for path in SENT:
        status, headers, body = ask(proxy, path=path, **{"Accept-Encoding": "gzip"})
        assert status == 200 and headers["Content-Encoding"] == "gzip" and gzip.decompress(body).decode() == SCRIPT
        assert len(body) == len(gzip.compress(SCRIPT.encode(), 9)), "compressed in advance, and once"
        assert headers["Content-Type"].startswith("text/javascript") and "immutable" in headers["Cache-Control"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert ask(proxy, path=path)[2].decode() == SCRIPT
    status, _, body = ask(proxy, path="static/js/other.456.js")
    assert status == 200 and json.loads(body)["path"] == "/svm/static/js/other.456.js"


def test_the_files_of_the_proxy_are_those_of_streamlit(tmp_path, monkeypatch):
    compress = gzip.compress
    monkeypatch.setattr(gzip, "compress", lambda data, level=9: compress(data, 1))  # the quickest
    root = serve.files(tmp_path, "/svm")
    scripts = sorted((root / "svm" / "static" / "js").glob("*.js"))
    assert len(scripts) > 50 and all(path.with_name(f"{path.name}.gz").exists() for path in scripts)
    packed = scripts[0].with_name(f"{scripts[0].name}.gz").read_bytes()
    assert gzip.decompress(packed) == scripts[0].read_bytes()
    plotly = (root / "svm" / static_files.PLOTLY).read_bytes()
    assert gzip.decompress((root / "svm" / f"{static_files.PLOTLY}.gz").read_bytes()) == plotly
    assert plotly.decode() == get_plotlyjs()


def test_sockets_pass_and_reach_the_same_process(proxy):
    first, cookie = told(proxy)
    with socket.create_connection(("127.0.0.1", proxy.port), PATIENCE) as plug:
        asked = ["GET /svm/live HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade", f"Cookie: {cookie}"]
        plug.sendall("\r\n".join([*asked, "", ""]).encode())
        got, wanted = b"", b"hello from %d" % first["port"]
        while wanted not in got and (part := plug.recv(4096)):
            got += part
        assert got.startswith(b"HTTP/1.1 101") and wanted in got


def test_the_readers_of_a_process_that_died_go_to_another_one(proxy, apps):
    first, cookie = told(proxy)
    (dead,) = (app for app in apps if app.server_port == first["port"])
    dead.shutdown()
    dead.server_close()
    for _ in range(5):
        after, cookie = told(proxy, cookie)
        assert after["port"] in set(proxy.ports) - {first["port"]}


def test_large_uploads_are_refused_before_they_reach_the_app(proxy):
    assert ask(proxy, method="POST", body=b"x" * 20_000_000)[0] == 200
    try:
        status = ask(proxy, method="POST", body=b"x" * (config.UPLOAD + 2) * 1_048_576)[0]
    except OSError:  # the proxy closed the connection in the middle
        status = 413
    assert status in (413, 502)


# ------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize("kind", ["caddy", "nginx"])
def test_the_configuration_can_be_had_alone(kind, capsys):
    assert main(["config", kind, "--processes", "2", "--port", "9000", "--base", "svm"]) == 0
    text = capsys.readouterr().out
    assert "127.0.0.1:9001" in text and "127.0.0.1:9002" in text and "server.baseUrlPath=svm" in text


def test_https_and_frames(capsys):
    serving = config.Serving((9001,), domain="lab.example.org", frame=("https://lms.example.org",))
    text = config.caddy(serving)
    assert text.splitlines()[7] == "lab.example.org {" and "SameSite=None; Secure; Partitioned" in text
    assert serving.environment == {"SVM_LAB_FRAMES": "https://lms.example.org"}
    assert "SameSite=Lax; Secure" in config.caddy(serving._replace(frame=()))
    assert "--server.xsrfCookieSameSite=none" in serve.command(serving, 9001)
    assert serving.address == "https://lab.example.org/"
    assert main(["config", "caddy", "--frame", "https://lms.example.org"]) == 0
    assert "#   SVM_LAB_FRAMES='https://lms.example.org' python -m streamlit run" in capsys.readouterr().out
    caddy = shutil.which("caddy")
    if caddy:
        done = subprocess.run([caddy, "adapt", "--config", "/dev/stdin", "--adapter", "caddyfile"], input=text,
                              text=True, capture_output=True)  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_over_https_the_cookie_of_the_proxy_crosses_sites_and_those_of_the_app_stay(apps, tmp_path):
    """Caddy signs the certificate of localhost itself."""
    caddy = tool("caddy")
    (port,) = serve.free_ports(1)
    domain = f"localhost:{port}"
    serving = config.Serving((apps[0].server_port,), port, domain=domain, frame=("https://lms.example.org",))
    command = serve._proxy("caddy", caddy, serving, tmp_path)
    file = tmp_path / "Caddyfile"
    alone = "admin off\n\tskip_install_trust\n\tauto_https disable_redirects\n"  # port 80 is not ours
    file.write_text(file.read_text().replace("admin off\n", alone, 1))
    home = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with listening(command, port, tmp_path / "log", **home):
        end = time.monotonic() + PATIENCE
        while True:
            connection = http.client.HTTPSConnection("localhost", port, context=ssl._create_unverified_context())
            try:
                connection.request("GET", "/x")
                break
            except ssl.SSLError:  # the certificate is still being signed
                assert time.monotonic() < end, (tmp_path / "log").read_text()
                time.sleep(0.1)
        reply = connection.getresponse()
        body, cookies = json.loads(reply.read()), reply.headers.get_all("Set-Cookie")
        connection.close()
    assert body["host"] == domain
    own, others = [one for one in cookies if one.startswith(config.COOKIE)], [one for one in cookies if "app=" in one]
    assert len(own) == 1 and own[0].endswith("; Path=/; HttpOnly; SameSite=None; Secure; Partitioned")
    assert others == ["app=1; Path=/; SameSite=Lax"]


def test_the_address_that_phones_can_open_comes_first(monkeypatch):
    monkeypatch.setattr("deploy.serve.in_network", lambda: "10.1.2.3")
    plain = config.Serving((9001,), base="svm")
    assert serve.addresses(plain).startswith("http://10.1.2.3:8501/svm/ (phones, too)")
    assert serve.addresses(plain).endswith("http://localhost:8501/svm/")
    assert serve.addresses(plain._replace(host="127.0.0.1")) == "http://127.0.0.1:8501/svm/"
    assert serve.addresses(plain._replace(domain="lab.example.org")) == "https://lab.example.org/svm/"
    monkeypatch.setattr("deploy.serve.in_network", lambda: "")
    assert serve.addresses(plain) == plain.address


def test_the_store_is_listed_and_emptied(monkeypatch, own_store, capsys):
    points = people()
    point_sets.Sets().put(points)
    assert main(["store"]) == 0 and points.key in capsys.readouterr().out
    assert main(["store", "delete"]) == 2
    assert main(["store", "list", points.key]) == 2 and "deletes one" in capsys.readouterr().err
    assert [main(["store", "delete", points.key]) for _ in range(2)] == [0, 1] and point_sets.list_sets() == []
    assert main(["store", "delete", "all"]) == 0 and main(["store", "rooms", "ZZZZZZ"]) != 0
    monkeypatch.setenv("SVM_LAB_STORE", "/proc/nowhere/store.sqlite3")
    assert main(["store"]) == 1 and "cannot be written" in capsys.readouterr().err


def test_no_server_is_exit_code_1(capsys):
    (port,) = serve.free_ports(1)
    assert main(["health", "--url", f"http://127.0.0.1:{port}"]) == 1 and "does not answer" in capsys.readouterr().err


def test_what_has_died_is_started_again(monkeypatch, capfd):
    monkeypatch.setattr(serve, "AGAIN", 0.0)
    children = serve.Children()
    children.start("sleeper", ["sleep", "60"])
    before = children.running["sleeper"]
    before.kill()
    before.wait()
    children.watch()
    assert children.running["sleeper"].pid != before.pid and children.running["sleeper"].poll() is None
    children.stop()
    assert children.running["sleeper"].poll() is not None


SLEEPERS = """
import signal
from deploy import config, serve
for number in (signal.SIGHUP, signal.SIGINT):  # which the tests ignore where nohup has begun them
    signal.signal(number, signal.SIG_DFL)
serve._ready, serve.command = lambda *_: True, lambda *_: ["sleep", "60"]
serve.run(config.Serving((1,), {port}, "127.0.0.1"), {proxy!r})
"""


@pytest.mark.parametrize("name", ["caddy", "nginx"])
def test_a_terminal_that_closes_and_an_impatient_hand_leave_no_proxy_behind(name):
    tool(*serve.PROXIES[name])
    (port,) = serve.free_ports(1)
    code = SLEEPERS.format(port=port, proxy=name)
    started = [sys.executable, "-c", code]
    with subprocess.Popen(started, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert "processes behind" in process.stdout.readline()
        os.killpg(process.pid, signal.SIGHUP)
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 1)


def test_a_port_on_which_something_listens_is_named_before_anything_starts(monkeypatch):
    monkeypatch.setattr(serve, "Children", None)
    with socket.create_server(("", 0)) as taken, pytest.raises(SystemExit, match=(port := str(taken.getsockname()[1]))):
        main(["serve", "--port", port])


@pytest.mark.parametrize("wrong", [["--port", "99999"], ["--domain", "https://lab.example.org"], ["--processes", "²"]])
def test_a_wrong_argument_is_named_before_anything_starts(wrong, capsys):
    with pytest.raises(SystemExit):
        main(["config", "caddy", *wrong])
    assert f"argument {wrong[0]}: " in capsys.readouterr().err


def test_the_image_has_what_it_needs():
    text = (ROOT / "Dockerfile").read_text()
    assert "HEALTHCHECK" in text and "python -m deploy health" in text and "USER" in text
    assert re.search(r"^ARG PYTHON=python:[\w.-]+@sha256:[0-9a-f]{64}$", text, re.M), "the base image by its digest"
    for line in text.splitlines():
        if line.startswith("COPY "):
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), source
