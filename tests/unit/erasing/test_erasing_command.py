"""What `oldhand people erase` asks, does and prints."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.command_line import CommandLine
from typer.testing import Result

from oldhand.cli.whole import app

Run = Callable[..., Result]


@pytest.fixture
def oldhand(tmp_path: Path) -> Run:
    """Run a command in a home in which `bo` has asked something."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin')")

    def run(*arguments: str, answer: str | None = None) -> Result:
        environ = {"OLDHAND_HOME": str(tmp_path / "home")}
        return CommandLine().invoke(app, arguments, env=environ, input=answer)

    assert run("db", "add", f"sqlite:///{tmp_path / 'shop.db'}").exit_code == 0
    assert run("ask", "How many customers are there?", "--user", "bo").exit_code == 0
    return run


def asked(oldhand: Run) -> int:
    return len(oldhand("history", "--json").stdout.splitlines())


def test_a_dry_run_says_how_much_and_erases_nothing(oldhand: Run) -> None:
    planned = oldhand("people", "erase", "bo", "--dry-run")
    assert planned.exit_code == 0, planned.output
    assert "It would erase: 1 answers, 0 feedback" in planned.stdout
    assert asked(oldhand) == 1


def test_it_asks_before_it_erases(oldhand: Run) -> None:
    refused = oldhand("people", "erase", "bo", answer="n\n")
    assert refused.exit_code != 0
    assert asked(oldhand) == 1
    done = oldhand("people", "erase", "bo", answer="y\n")
    assert done.exit_code == 0, done.output
    assert asked(oldhand) == 0


def test_machines_say_yes_and_get_json(oldhand: Run) -> None:
    done = oldhand("people", "erase", "bo", "--yes", "--json")
    assert json.loads(done.stdout)["episodes"] == 1


def test_the_owner_and_names_that_are_none_are_usage_errors(oldhand: Run) -> None:
    assert oldhand("people", "erase", "default", "--yes").exit_code == 2
    assert oldhand("people", "erase", "../bo", "--yes").exit_code == 2


def test_a_rebuild_says_what_it_has_changed(oldhand: Run) -> None:
    rebuilt = oldhand("learn", "--anew", "--drop")
    assert rebuilt.exit_code == 0, rebuilt.output
    assert "0 memories changed, 0 withdrawn" in rebuilt.stdout
