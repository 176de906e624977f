"""The page about the stream in the documentation: its tables and its pictures are made here, its words are not."""

import platform
import re
from pathlib import Path

from benchmarks._stream.plot import draw
from benchmarks._stream.tables import Results, report

FOLDER = Path(__file__).parents[2] / "docs" / "benchmarks"
TABLES = re.compile(r"(<!-- tables -->\n).*?(<!-- end -->)", re.DOTALL)


def write_page(results: Results) -> None:
    """Put the tables into the page, and the plot beside it."""
    put_tables("stream.md", report(results))
    draw(results, FOLDER / "stream.png")


def put_tables(name: str, tables: str) -> None:
    """Put tables into a page of the documentation, between its marks, and on what they were made."""
    page = FOLDER / name
    made = f"Made with Python {platform.python_version()} on {platform.system()}, {platform.machine()}."
    text = page.read_text("utf-8")
    told = f"\n{tables}\n\n{made}\n\n"
    page.write_text(TABLES.sub(lambda found: found[1] + told + found[2], text), "utf-8")
