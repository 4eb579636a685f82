"""Serving a class.

python -m deploy serve --processes 2              the app behind Caddy or nginx, on port 8501
python -m deploy config caddy --processes 2       the configuration alone, for a proxy of your own
python -m deploy prepare                          compile the solvers in advance, as an image does
python -m deploy health                           what the process that answers reports; exit code 1 if none does
python -m deploy store                            the sets of points that readers have loaded
python -m deploy store delete KEY | all           delete them
python -m deploy store rooms                      the rooms of classes
python -m deploy store rooms CODE | all           delete them
"""

import argparse
import json
import os
import sys
import urllib.request
from pathlib import Path

from deploy import config, serve
from deploy.launch import port_number
from pages.shared.classroom import rooms
from pages.shared.server import startup, store
from pages.shared.studies import point_sets

COMMAND = "svm-lab" if Path(sys.argv[0]).stem == "svm-lab" else "python -m deploy"


def main(arguments=None) -> int:
    """The exit code of the command."""
    options = _parser().parse_args(arguments)
    return options.do(options)


def _parser():
    parser = argparse.ArgumentParser(COMMAND, description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, do in (("serve", _serve), ("config", _config)):
        one = commands.add_parser(name)
        one.set_defaults(do=do)
        if name == "config":
            one.add_argument("kind", choices=["caddy", "nginx"])
        else:
            one.add_argument("--proxy", choices=["auto", "caddy", "nginx"], default="auto")
        one.add_argument("--processes", type=_count, default=max(2, (os.cpu_count() or 2)), help="one for each core")
        one.add_argument("--port", type=port_number, default=8501)
        one.add_argument("--host", default="", help="the address to listen on; all by default")
        one.add_argument("--domain", type=_domain, default="", help="with HTTPS, for example lab.example.org")
        one.add_argument("--base", default="", help="a sub-path, for example svm")
        one.add_argument("--frame", action="append", default=[], help="a site whose pages may show the app in a frame")
    prepare = commands.add_parser("prepare")
    prepare.set_defaults(do=_prepare)
    health = commands.add_parser("health")
    health.add_argument("--url", default="http://127.0.0.1:8501", help="address and sub-path of the app")
    health.set_defaults(do=_health)
    sets = commands.add_parser("store")
    sets.add_argument("action", nargs="?", choices=["list", "delete", "rooms"], default="list")
    sets.add_argument("key", nargs="?", help="of a set or a room, or all")
    sets.set_defaults(do=_store)
    return parser


def _count(text):
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"expected 1 to 64 processes, got {text}")
    return int(text)


def _domain(text):
    if "/" in text:
        raise argparse.ArgumentTypeError(f"expected a name alone, such as lab.example.org, got {text}")
    return text


def _parse_serving(options, ports):
    return config.Serving(ports, options.port, options.host, options.domain, options.base, tuple(options.frame))


def _serve(options):
    serve.run(_parse_serving(options, serve.free_ports(options.processes)), options.proxy)
    return 0


def _config(options):
    serving = _parse_serving(options, tuple(range(options.port + 1, options.port + 1 + options.processes)))
    print("# the processes, each in a terminal or a service of its own:")
    told = [f"{name}='{value}'" for name, value in serving.environment.items()]
    for port in serving.ports:
        print(f"#   {' '.join([*told, 'python', *serve.command(serving, port)[1:]])}")
    print(config.caddy(serving) if options.kind == "caddy" else config.nginx(serving, Path("/run/svm-lab")))
    return 0


def _prepare(options):
    print("The solvers are being compiled. The first time this takes two or three minutes.", flush=True)
    progress = startup.start()
    progress.compiled.wait()
    print(progress.error or "Ready.", file=sys.stderr if progress.error else sys.stdout)
    return int(bool(progress.error))


def _health(options):
    try:
        with urllib.request.urlopen(f"{options.url.rstrip('/')}/health", timeout=5) as reply:
            print(json.dumps(json.load(reply)))
            return 0
    except (OSError, ValueError) as error:
        print(f"{options.url} does not answer: {error}", file=sys.stderr)
        return 1


def _store(options):
    try:
        return _rooms(options.key) if options.action == "rooms" else _sets(options)
    except store.StoreError as error:
        print(error, file=sys.stderr)
        return 1


def _sets(options):
    if options.action == "delete":
        if not options.key:
            print(f"Say which set to delete: a key from `{COMMAND} store`, or all.", file=sys.stderr)
            return 2
        return _delete(point_sets, options.key)
    if options.key:
        print(f"The list is of all sets; `{COMMAND} store delete {options.key}` deletes one.", file=sys.stderr)
        return 2
    print(store.path())
    for kept in point_sets.list_sets():
        print(f"{kept.key}  {kept.size:8d} bytes  not used for {kept.unused / 86400:.0f} days")
    return 0


def _rooms(code):
    if code:
        read = "all" if code == "all" else rooms.read_code(code)
        if not read:
            print(f"{code} is not the code of a room. {rooms.CODES}", file=sys.stderr)
            return 2
        return _delete(rooms, read)
    print(store.path())
    for kept in rooms.list_rooms():
        hours = f"opened {kept.age / 3600:.1f} hours ago"
        print(f"{kept.code}  {hours}  {kept.members} browsers  {kept.questions} questions  {kept.bytes} bytes")
    return 0


def _delete(kind, key):
    count = kind.delete(None if key == "all" else key)
    print(f"{count} deleted from {store.path()}")
    return 0 if count or key == "all" else 1


if __name__ == "__main__":
    sys.exit(main())
