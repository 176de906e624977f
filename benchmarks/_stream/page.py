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
    page = FOLDER / "stream.md"
    made = f"Made with Python {platform.python_version()} on {platform.system()}, {platform.machine()}."
    tables = f"\n{report(results)}\n\n{made}\n\n"
    text = page.read_text("utf-8")
    page.write_text(TABLES.sub(lambda found: found[1] + tables + found[2], text), "utf-8")
    draw(results, FOLDER / "stream.png")
