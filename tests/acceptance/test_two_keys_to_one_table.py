"""A correction about one of two keys to the same table teaches nothing of the other one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import Oldhand
from oldhand.record.join_path import JoinPath

_TABLES = """
    CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE crossings (
        id INTEGER PRIMARY KEY, origin_id INTEGER NOT NULL REFERENCES towns (id),
        target_id INTEGER NOT NULL REFERENCES towns (id), fare REAL NOT NULL);
    INSERT INTO towns VALUES (1, 'Kiel'), (2, 'Oslo'), (3, 'Bergen');
    INSERT INTO crossings VALUES (1, 1, 2, 30), (2, 1, 3, 40), (3, 2, 1, 35), (4, 1, 2, 25), (5, 3, 2, 20), (6, 3, 2, 10);
"""
RIGHT = "SELECT COUNT(*) FROM crossings c JOIN towns t ON t.id = c.{} WHERE t.name = '{}'"


@pytest.fixture
def old(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "line.db")) as made, made:
        made.executescript(_TABLES)
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(f"sqlite:///{tmp_path / 'line.db'}", name="line")
        yield old


@pytest.mark.parametrize(
    ("verb", "end", "other", "other_end"),
    [("arrive at", "target_id", "leave", "origin_id"), ("leave", "origin_id", "arrive at", "target_id")],
)  # fmt: skip
def test_a_way_to_join_is_learned_with_the_words_that_tell_it(old, verb, end, other, other_end):
    beside = f"How many crossings {other} Oslo?"
    before = old.ask(beside)
    answer = old.ask(f"How many crossings {verb} Kiel?")
    receipt = old.feedback(answer, correction=RIGHT.format(end, "Kiel"))
    rules = [one.effect for one in receipt.learned if isinstance(one.effect, JoinPath)]
    assert all(one.when and one.when[0] == verb.split()[0] for one in rules)
    assert old.ask(beside).rows == before.rows
    asked = old.ask(f"How many crossings {verb} Bergen?")
    assert asked.steps
    assert end in asked.steps[-1].sql
    old.feedback(old.ask(beside), correction=RIGHT.format(other_end, "Oslo"))
    again = old.ask(f"How many crossings {verb} Bergen?")
    assert end in again.steps[-1].sql
