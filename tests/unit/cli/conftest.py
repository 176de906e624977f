"""A small real company behind the commands."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from oldhand.cli.whole import app

Run = Callable[..., object]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A SQLite file with customers."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("""
            CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
            INSERT INTO customers (name, city) VALUES
                ('Ana', 'Berlin'), ('Bo', 'Oslo'), ('Cy', 'Berlin'), ('[red]Di[/]', NULL);
        """)
    return path


@pytest.fixture
def oldhand(tmp_path: Path) -> Run:
    """Run a command in a home of its own, in this process."""

    def run(*arguments: str, **options: object) -> object:
        environ = {"OLDHAND_HOME": str(tmp_path / "home"), "COLUMNS": "120"}
        return CommandLine().invoke(app, arguments, env=environ, **options)

    return run


@pytest.fixture
def home(oldhand: Run, shop: Path, tmp_path: Path) -> Path:
    """A home in which the shop is registered."""
    added = oldhand("db", "add", f"sqlite:///{shop}", "--description", "A shop")
    assert added.exit_code == 0, added.output
    return tmp_path / "home"
