"""A picture that leaves the app: one HTML file that needs nothing else."""

import html

import plotly.graph_objects as go

from pages.shared.figures import palette
from pages.shared.figures.style import Drawing


def to_html(figure: Drawing) -> str:
    """A self-contained HTML document (plotly.js inside, about 5 MB, works offline) of `figure`, on a light page."""
    return html_document(palette.resolve(figure))


def html_document(picture: go.Figure) -> str:
    """The document of `to_html` for a Figure of Plotly that has the colours of a light page, such as a film's."""
    colours, layout = palette.THEMES["light"], picture.layout
    title, alt = html.escape(layout.title.text or "SVM Lab"), html.escape(layout.meta["alt"])
    parts = dict(full_html=False, include_plotlyjs=True, auto_play=False, default_height="min(100vw, 96vh)")
    config = dict(responsive=True, displaylogo=False, toImageButtonOptions=dict(format="svg"))
    body = picture.to_html(**parts, config=config)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width">'
        f"<style>body{{margin:0;background:{colours['page']};color:{colours['ink']}}}</style></head>\n"
        f'<body><main role="img" aria-label="{alt}">{body}</main></body></html>\n'
    )
