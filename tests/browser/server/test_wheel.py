"""The wheel, in an environment of its own, as a user without rights to write there runs it."""

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
import serving

import svmcore

ROOT = Path(__file__).parents[3]
# the administrator may write everywhere, unless this right is given up
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.getuid() == 0 else []
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel as pip builds it, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel):
    """The folder of an environment with the wheel; what it depends on comes from the environment of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "env"
        venv.create(place, symlinks=True)
        (own,) = place.glob("lib/python*/site-packages")
        pip = [sys.executable, "-m", "pip", "--python", place, "install", "-q", "--no-deps", "--no-index", wheel]
        subprocess.run(pip, check=True, capture_output=True, text=True)
        (own / "tests.pth").write_text(sysconfig.get_path("purelib"))
        (Path(folder) / "home").mkdir()
        for path in [own, *own.rglob("*")]:
            path.chmod(path.stat().st_mode & ~0o222)
        yield place


def run(installed, *command, **options):
    """A process in that environment and another folder, which cannot write to what is installed."""
    home = installed.parent / "home"
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    program = [*BOUND, installed / "bin" / command[0], *command[1:]]
    return subprocess.Popen(program, cwd=home, env=environment, text=True, **options)


def output(installed, *command):
    process = run(installed, *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text, _ = process.communicate(timeout=300)
    assert process.returncode == 0, text
    return text


def test_the_wheel_holds_the_app_the_core_and_the_data(wheel):
    names = set(ZipFile(wheel).namelist())
    for folder in "svmcore", "pages", "data", "docs":
        home = "" if folder == "svmcore" else "svmcore/" if folder == "data" else "svm_lab/"
        command = ["git", "ls-files", folder, ":!docs/live"]
        tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split()
        assert tracked and {home + name for name in tracked} <= names
    assert {"svm_lab/app.py", "svm_lab/home.py", "svm_lab/.streamlit/config.toml"} <= names
    assert not [name for name in names if "docs/live/" in name]  # without their script they would be dead
    assert not [name for name in names if name.startswith(("tests", "pages", "data")) or "__pycache__" in name]


def test_the_installed_core_computes_with_nothing_of_the_app_and_the_command_knows_its_version(installed):
    code = (
        "import sys; sys.modules['streamlit'] = sys.modules['plotly'] = None\n"
        "from svmcore import SVC, problems\n"
        "p = problems.load('ripley')\n"
        "print(SVC(C=1.0).fit(p.X, p.y).score(p.X_test, p.y_test) > 0.85, problems.__file__)"
    )
    answer, place = output(installed, "python", "-c", code).split()
    assert answer == "True" and place.startswith(str(installed))
    assert output(installed, "svm-lab", "--version").strip() == f"SVM Lab {svmcore.__version__}"
    assert "isls.table1" in output(installed, "svm-lab", "papers")


def test_the_installed_app_shows_its_pages(installed, page):
    port = serving.free_port()
    with (installed.parent / "log.txt").open("w") as log:
        process = run(installed, "svm-lab", "--no-browser", "--port", str(port), stdout=log, stderr=log)
    try:
        serving.wait_for(process, f"http://127.0.0.1:{port}", installed.parent / "log.txt")
        for path, text in {
            "playground": "Support vectors",
            "papers": "Table",
            "help": "Five minutes with the app",
        }.items():
            page.goto(f"http://127.0.0.1:{port}/{path}")
            page.get_by_text(text).first.wait_for(timeout=90_000)
            assert page.locator('[data-testid="stException"]').count() == 0
    finally:
        process.terminate()
        process.wait()
