"""Templates: what they can use, and how text of people is made safe."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from math import isnan
from pathlib import Path
from typing import cast

import nh3
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from oldhand import __version__
from oldhand.record.base import Cell
from oldhand.record.document import Citation, place_in
from oldhand.record.monitoring import PassageStanding
from oldhand.server.next_steps import next_steps

_HERE = Path(__file__).parent
_MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
_TAGS = {
    "p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "h1", "h2", "h3", "h4",
    "hr", "a", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_CITED = r'<a href="#" class="cite" data-cites="\1" aria-label="Passage \1">[\1]</a>'
_YEAR = re.compile(r"(^|_)(year|id|zip|postcode|code)$", re.IGNORECASE)
PLOTLY = "plotly.min.js"


def markdown(text: str) -> Markup:
    r"""Markdown as HTML, with nothing in it that a browser would run or load.

    >>> markdown("**4** <script>alert(1)</script> [x](javascript:alert(1))")
    Markup('<p><strong>4</strong> &lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1))</p>\n')
    """
    made = nh3.clean(_MARKDOWN.render(text), tags=_TAGS, attributes={"a": {"href"}})
    return Markup(made)  # noqa: S704 - it was just cleaned


def citing(text: Markup, citations: Sequence[Citation]) -> Markup:
    """The numbers of citations in a text as links; `text` is HTML that was cleaned."""
    numbers = "|".join(str(one.number) for one in citations)
    return Markup(re.sub(rf"\[({numbers})\]", _CITED, str(text))) if numbers else text  # noqa: S704 - only digits are added


def marked(text: str, quote: str) -> Markup:
    r"""A text in which the sentences of a quote stand out, however they are broken into lines.

    >>> marked("Goods come\nback. Not hats. Within <30> days.", "Goods come back. Within <30> days.")
    Markup('<mark>Goods come\nback.</mark> Not hats. <mark>Within &lt;30&gt; days.</mark>')
    """
    sentences = (re.escape(one) for one in re.split(r"(?<=[.!?])\s+", quote.strip()) if one)
    either = "|".join(re.sub(r"(\\\s)+", r"\\s+", one) for one in sentences)
    if not either:
        return escape(text)
    parts = re.split(f"({either})", text)
    said = (Markup("<mark>{}</mark>").format(one) if n % 2 else escape(one) for n, one in enumerate(parts))  # fmt: skip
    return Markup("").join(said)


def place(one: Citation | PassageStanding) -> str:
    """Where a citation or another passage stands."""
    return place_in(one.document, one.place)


def cell(value: Cell, column: str = "") -> str:
    """A value of a table as people read it; years and ids without separators.

    >>> cell(12345.678), cell(2024, "order_year"), cell(None), cell(True), cell(1e20)
    ('12,345.68', '2024', '', 'yes', '1e+20')
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value) if _YEAR.search(column) else f"{value:,}"
        case float() if abs(value) >= 1e15 or isnan(value):
            return f"{value:g}"
        case float():
            return f"{value:,.2f}" if abs(value) >= 1 or not value else f"{value:.4g}"
        case str():
            return value


def percent(value: float | None) -> str:
    """A share as people read it; a dash where there is none.

    >>> percent(0.654), percent(None)
    ('65 %', '\u2013')
    """
    return "\u2013" if value is None else f"{value:.0%}".replace("%", " %")


def when(moment: datetime | None) -> Markup:
    """A moment, which the page shows in the time of its reader."""
    if moment is None:
        return Markup("\u2013")
    said = f"{moment:%Y-%m-%d %H:%M}"
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(), said)


def seconds(value: float) -> str:
    """A span of time.

    >>> seconds(0.043), seconds(3.14), seconds(75)
    ('43 ms', '3.1 s', '1 min 15 s')
    """
    if value < 1:
        return f"{value * 1000:.0f} ms"
    minutes, left = divmod(round(value), 60)
    return f"{minutes} min {left} s" if minutes else f"{value:.1f} s"


@cache
def static_files() -> Mapping[str, Path]:
    """Every file that pages load, by name; the script that draws charts comes from its own package."""
    found = {one.name: one for one in sorted((_HERE / "static").iterdir())}
    try:
        charts = Path(str(distribution("plotly").locate_file(f"plotly/package_data/{PLOTLY}")))
    except PackageNotFoundError:
        return found
    return {**found, PLOTLY: charts}


@cache
def stamp() -> str:
    """Changes with every file that pages load, so that a browser may keep them for ever."""
    known = sha256(__version__.encode())
    for one in static_files().values():
        known.update(one.read_bytes() if one.name != PLOTLY else str(one.stat().st_size).encode())
    return known.hexdigest()[:12]


def static(name: str) -> str:
    """The address of a file that pages load."""
    return f"/static/{stamp()}/{name}"


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (markdown, citing, marked, place, cell, percent, when, seconds, next_steps)
    cast("dict[str, object]", made.filters).update({one.__name__: one for one in filters})
    cast("dict[str, object]", made.globals).update(static=static, version=__version__)
    return made


def rendered(template: str, values: Mapping[str, object], status: int = 200) -> HTMLResponse:
    """A template as a response; what people see is theirs alone, and never older than their last click."""
    text = _templates().get_template(template).render(values)
    return HTMLResponse(text, status, {"Cache-Control": "private, no-cache"})
