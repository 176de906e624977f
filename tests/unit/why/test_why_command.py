"""What `oldhand why` prints."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.command_line import CommandLine
from typer.testing import Result

from oldhand.cli.whole import app

QUESTION = "How many VIPs live in Berlin?"
RIGHT = "SELECT COUNT(*) FROM customers WHERE name <> 'Bo' AND city = 'Berlin'"
Run = Callable[..., Result]


@pytest.fixture
def oldhand(tmp_path: Path) -> Run:
    """Run a command in a home in which a shop is registered."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)")
        connection.execute("INSERT INTO customers (name, city) VALUES ('Ana', 'Berlin')")

    def run(*arguments: str) -> Result:
        return CommandLine().invoke(app, arguments, env={"OLDHAND_HOME": str(tmp_path / "home")})

    added = run("db", "add", f"sqlite:///{tmp_path / 'shop.db'}")
    assert added.exit_code == 0, added.output
    return run


def test_the_chain_is_printed_with_its_ids(oldhand: Run) -> None:
    oldhand("ask", QUESTION)
    oldhand("feedback", "last", "--correction", RIGHT)
    oldhand("ask", QUESTION)
    printed = oldhand("why", "last")
    assert printed.exit_code == 0, printed.output
    first, again = [json.loads(line) for line in oldhand("history", "--json").stdout.splitlines()][
        ::-1
    ]
    for text in (again["id"][:8], first["id"][:8], "lesson example-", "feedback ", "used", RIGHT):
        assert text in printed.stdout
    told = json.loads(oldhand("why", "last", "--json").stdout)
    assert told["causes"][0]["because"][0]["kind"] == "feedback"
    assert told["causes"][0]["recalled"]["used"] is True


def test_that_nothing_learned_was_used_is_printed(oldhand: Run) -> None:
    oldhand("ask", QUESTION)
    assert "Nothing learned was used." in oldhand("why", "last").stdout


def test_an_unknown_answer_is_a_usage_error(oldhand: Run) -> None:
    assert oldhand("why", "nothing-like-this").exit_code == 2
    assert oldhand("why", "last").exit_code == 2
