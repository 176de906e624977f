"""How a question reads without its conversation: only what makes sense alone may be learned."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import Oldhand, Outcome


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Oldhand]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.executescript(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
            "INSERT INTO customers VALUES (1, 'Ana', 'Berlin'), (2, 'Bo', 'Rome'), (3, 'Cy', 'Rome');"
        )
    with Oldhand(tmp_path / "home") as made:
        made.databases.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
        yield made


def test_a_whole_question_stands_alone_also_in_a_conversation(old: Oldhand) -> None:
    first = old.ask("How many customers live in Berlin?")
    again = old.ask("How many customers live in Rome?", session_id=first.session_id)
    assert first.standalone == "How many customers live in Berlin?"
    assert again.standalone == "How many customers live in Rome?"


@pytest.mark.parametrize("question", ["And in Rome?", "Which ones?", "Only the first one"])
def test_a_follow_up_never_stands_alone_in_its_bare_words(old: Oldhand, question: str) -> None:
    first = old.ask("Show the customers in Rome")
    follow = old.ask(question, session_id=first.session_id)
    assert follow.standalone != question


def test_a_follow_up_without_a_conversation_does_not_stand_alone(old: Oldhand) -> None:
    asked = old.ask("And in Rome?")
    assert asked.outcome is not Outcome.ANSWERED
    assert asked.standalone is None
