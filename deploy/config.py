"""The configuration of Caddy and of nginx: sticky by cookie, compressed, under a sub-path, in a frame of another site.

By cookie and never by address: a lecture hall behind one router is one address. A browser whose process has died is
sent to another one. The proxy itself sends Streamlit's scripts and plotly.js, which are most of what a new browser
fetches and would hold up the processes: `files` is the folder with them, laid out as their addresses, compressed ones
(`.gz`) beside.
"""

from pathlib import Path
from typing import NamedTuple

COOKIE = "svm_lab_process"
UPLOAD = 25  # MB of a request: the app takes files of 20 MB
KEPT = "public, immutable, max-age=31536000"  # their names change with their contents
TYPES = "text/css text/plain application/javascript text/javascript application/json image/svg+xml"  # beside HTML


class Serving(NamedTuple):
    """Settings of a deployment: the processes and their addresses.

    ports: of the processes, on this machine; port: of the proxy; host: the address that it listens on, "" for all;
    domain: of a public server with HTTPS, whose certificate Caddy gets by itself, "" without one; base: the sub-path,
    such as "svm", "" for none; frame: the sites whose pages may show the app in a frame, such as an LMS.
    """

    ports: tuple[int, ...]
    port: int = 8501
    host: str = ""
    domain: str = ""
    base: str = ""
    frame: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The sub-path with a slash before it, "" for none."""
        return f"/{self.base.strip('/')}" if self.base.strip("/") else ""

    @property
    def environment(self) -> dict[str, str]:
        """Environment of each process: the sites whose pages may show the app in a frame."""
        return {"SVM_LAB_FRAMES": " ".join(self.frame)} if self.frame else {}

    @property
    def address(self) -> str:
        """Address at which a browser finds the app."""
        place = f"https://{self.domain}" if self.domain else f"http://{self.host or 'localhost'}:{self.port}"
        return f"{place}{self.path}/"


def caddy(serving: Serving, files: Path | None = None) -> str:
    """A Caddyfile."""
    site = serving.domain or f"http://:{serving.port}"
    bind = f"\tbind {serving.host}\n" if serving.host else ""
    sent = _caddy_files(serving, files) if files else ""
    backends = " ".join(f"127.0.0.1:{port}" for port in serving.ports)
    # in a frame of another site a browser only sends cookies that say so, and only over HTTPS
    crossing = "SameSite=None; Secure; Partitioned" if serving.frame else "SameSite=Lax; Secure"
    flags = f"Path=/; HttpOnly; {crossing if serving.domain else 'SameSite=Lax'}"
    # `defer`: the cookie is set by what stands below; ">Set-Cookie" means the same to Caddy 2.7 and later alone
    inside = f'\theader {{\n\t\tSet-Cookie "^({COOKIE}=[^;]*).*$" "$1; {flags}"\n\t\tdefer\n\t}}\n'
    return f"""{{
\tadmin off
\tlog {{
\t\tlevel WARN
\t}}
}}

{site} {{
{bind}\tencode zstd gzip
\trequest_body {{
\t\tmax_size {UPLOAD}MB
\t}}
\trespond {serving.path}/_stcore/metrics 404
{sent}{inside}\treverse_proxy {backends} {{
\t\tlb_policy cookie {COOKIE}
\t\tlb_try_duration 5s
\t\tlb_try_interval 100ms
\t\tfail_duration 2s
\t\tflush_interval -1
\t}}
}}
"""


def _caddy_files(serving, files):
    return f"""\t@files {{
\t\tpath {serving.path}/static/* {serving.path}/plotly-*.js
\t\tfile {{
\t\t\troot {files}
\t\t}}
\t}}
\thandle @files {{
\t\troot * {files}
\t\theader Cache-Control "{KEPT}"
\t\theader X-Content-Type-Options nosniff
\t\tfile_server {{
\t\t\tprecompressed gzip
\t\t}}
\t}}
"""


def nginx(serving: Serving, folder: Path, files: Path | None = None) -> str:
    """A nginx.conf for `nginx -c FILE`, which writes to `folder`; HTTPS is left to what stands before it."""
    servers = "\n".join(f"        server 127.0.0.1:{port} max_fails=1 fail_timeout=2s;" for port in serving.ports)
    secure = "SameSite=None; Secure; Partitioned" if serving.frame else "SameSite=Lax"
    passed = f"""            proxy_pass http://processes;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $forwarded_proto;
            proxy_read_timeout 1d;
            proxy_buffering off;
            proxy_request_buffering off;
            proxy_next_upstream error timeout;
            add_header Set-Cookie "{COOKIE}=$process; Path=/; HttpOnly; {secure}" always;
"""
    return f"""daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes auto;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    map $http_upgrade $connection_upgrade {{ default upgrade; "" ""; }}
    map $http_x_forwarded_proto $forwarded_proto {{ "" $scheme; default $http_x_forwarded_proto; }}
    map $cookie_{COOKIE} $process {{ "" $request_id; default $cookie_{COOKIE}; }}
    upstream processes {{
        hash $process consistent;
{servers}
    }}
    server {{
        listen {f"{serving.host}:" if serving.host else ""}{serving.port};
        client_max_body_size {UPLOAD}m;
        gzip on;
        gzip_proxied any;
        gzip_min_length 1000;
        gzip_types {TYPES};
        location = {serving.path}/_stcore/metrics {{ return 404; }}
        location / {{
{passed}        }}
{_nginx_files(serving, files, passed) if files else ""}    }}
}}
"""


def _nginx_files(serving, files, passed):
    return f"""        location ~ ^{serving.path}/(static/|plotly-[0-9.]+\\.js$) {{
            root {files};
            types {{
                text/javascript js;
                text/css css;
                font/woff2 woff2;
                image/svg+xml svg;
                application/wasm wasm;
            }}
            gzip_static on;
            add_header Cache-Control "{KEPT}";
            add_header X-Content-Type-Options nosniff;
            try_files $uri @processes;
        }}
        location @processes {{
{passed}        }}
"""
