"""Serving a class: several processes of the app behind Caddy or nginx. See README.md in this folder."""
