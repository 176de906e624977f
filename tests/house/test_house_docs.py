"""Docs cannot lie: every Python block runs, every link leads somewhere, the glossary is in order."""

import re
import sqlite3
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:|#)([^)#\s]+)")

PYTHON_BLOCKS = [
    pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(FENCE.findall(page.read_text("utf-8")), 1)
]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with the database that the examples of the docs ask."""
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(
            """
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL,
                                 customer_id INTEGER REFERENCES customers (id));
            INSERT INTO customers VALUES (1, 'Ana', 'Berlin'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Berlin');
            INSERT INTO orders VALUES (1, 20.5, 1), (2, 10.0, 1), (3, 7.25, 2);
            """
        )
    connection.close()
    return tmp_path


def test_there_are_blocks_to_run():
    assert len(PYTHON_BLOCKS) >= 2


@pytest.mark.parametrize("block", PYTHON_BLOCKS)
def test_python_blocks_of_the_docs_run(block, shop, monkeypatch):
    monkeypatch.chdir(shop)
    exec(compile(block, "docs", "exec"), {"__name__": "docs"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    broken = [
        link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()
    ]
    assert broken == []


def test_the_glossary_is_in_order():
    words = re.findall(
        r"^\| \*\*(.+?)\*\*", (ROOT / "docs/glossary/README.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(words) > 30
    assert words == sorted(words, key=str.casefold)
