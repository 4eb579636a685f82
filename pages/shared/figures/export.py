"""A picture that leaves the app: one HTML file that needs nothing else."""

import html

from pages.shared import palette
from pages.shared.figures.style import alt_text


def to_html(figure, theme="light"):
    """A self-contained HTML document (plotly.js inside, about 5 MB, works offline) of `figure` in "light" or "dark"."""
    picture = palette.resolve(figure, theme)
    colours = palette.THEMES[theme]
    title = html.escape(figure.layout.get("title", {}).get("text") or "SVM Lab")
    body = picture.to_html(
        full_html=False,
        include_plotlyjs=True,
        auto_play=False,
        default_height="min(100vw, 96vh)",
        config=dict(responsive=True, displaylogo=False, toImageButtonOptions=dict(format="svg")),
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width">'
        f"<style>body{{margin:0;background:{colours['page']};color:{colours['ink']}}}</style></head>\n"
        f'<body><main role="img" aria-label="{html.escape(alt_text(figure))}">{body}</main></body></html>\n'
    )
