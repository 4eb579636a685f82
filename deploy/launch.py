"""The command `svm-lab` of the installed package: starts the app, or computes without it.

svm-lab [--port PORT] [--no-browser]      the app, in your browser
svm-lab papers [run NAME]                 a list of the experiments, or one of them; as `python -m svmcore.papers`
svm-lab problems [fetch NAME]             a list of the problems, or a download of data; as `python -m svmcore.problems`
svm-lab serve | prepare | config | health | store     as `python -m deploy` in the folder of the project
"""

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import svmcore

APP = Path(__file__).resolve().parents[1] / "app.py"
DEPLOY = ("serve", "config", "prepare", "health", "store")
COMMANDS = {"papers": "svmcore.papers.__main__", "problems": "svmcore.problems.__main__"}


def main(arguments=None) -> int:
    """Run the command line (a list of strings, the process's own by default); returns the code of the process."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if arguments and arguments[0] in COMMANDS:
        return import_module(COMMANDS[arguments[0]]).main(arguments[1:])
    options = None if arguments and arguments[0] in DEPLOY else _parser().parse_args(arguments)
    missing = [name for name in ("streamlit", "plotly") if find_spec(name) is None]
    if missing:
        print(
            f"The app needs {' and '.join(missing)}, not found here. "
            "In the folder of the project, `pip install '.[app]'` adds what is missing.",
            file=sys.stderr,
        )
        return 1
    if options is None:
        sys.path.insert(0, str(APP.parent))  # the modules of the app have common names, so they stand in a package
        return import_module("deploy.__main__").main(arguments)
    return _start(options)


def _start(options):
    """Serve the app in this process until it is interrupted."""
    from streamlit.web import cli

    flags = ["--server.headless", str(options.no_browser).lower()]
    if options.port is not None:
        flags += ["--server.port", str(options.port)]
    return cli.main(["run", str(APP), *flags], prog_name="streamlit", standalone_mode=False) or 0


def port_number(text: str) -> int:
    """A port as an argument of a command."""
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"a port is a whole number from 1 to 65535, got {text!r}")
    return int(text)


def _parser():
    verbs = ",".join((*COMMANDS, *DEPLOY))
    usage = f"svm-lab [-h] [--version] [--port PORT] [--no-browser]\n       svm-lab {{{verbs}}} ..."
    parser = argparse.ArgumentParser(
        prog="svm-lab", usage=usage, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"SVM Lab {svmcore.__version__}")
    parser.add_argument("--port", type=port_number, help="of the server (default 8501)")
    parser.add_argument("--no-browser", action="store_true", help="only serve; print the address")
    return parser


if __name__ == "__main__":
    sys.exit(main())
