"""Who answers where there are documents and databases: what only documents have a word for is asked of them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
from tests.acceptance.inn import make_inn

from oldhand import Oldhand
from oldhand.record.answer import Outcome

HANDBOOK = """# Handbook

## Leaving us

The notice period is six weeks. During probation it is two weeks.

## Leave

Parental leave lasts up to 24 weeks, and is paid in full for the first 8 weeks.

## Tickets and stays

Urgent tickets are answered within 4 hours. Late stays are charged by the manager.

## Contracts

A warranty can be asked for at the end of each quarter.
"""
TICKETS = """
INSERT INTO employees VALUES (1, 'Ida Holm', 'Technician', 'Service', 42000, 1, NULL, '2020-02-01');
INSERT INTO tickets VALUES (1, 7, 1, 'repair', 'urgent', '2026-01-02 08:00', '2026-01-04 08:00', 4, '20'),
  (2, 8, 1, 'repair', 'low', '2026-01-03 08:00', '2026-01-09 08:00', 5, '30');
"""


def make_tickets(path: Path) -> None:
    ddl = (files("oldhand.demo") / "ddl" / "support.sql").read_text("utf-8")
    with closing(sqlite3.connect(path)) as support, support:
        support.executescript(ddl + TICKETS)


@pytest.fixture(scope="module", params=[make_tickets, make_inn])
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oldhand]:  # fmt: skip
    folder = tmp_path_factory.mktemp("who")
    request.param(folder / "held.db")
    (folder / "handbook.md").write_text(HANDBOOK)
    with Oldhand(folder / "home") as old:
        old.databases.add(f"sqlite:///{folder / 'held.db'}", name="held")
        old.documents.add(folder / "handbook.md")
        yield old


def test_what_only_documents_have_a_word_for_is_asked_of_them(old: Oldhand) -> None:
    for question, says in (
        ("How long is the notice period?", "six weeks"),
        ("How long is parental leave?", "24 weeks"),
        ("How many weeks of parental leave do employees get?", "24 weeks"),
    ):
        answer = old.ask(question)
        assert says in answer.text, question
        assert answer.citations
        assert not answer.steps


def test_where_documents_have_the_word_and_no_answer_no_rows_are_offered_instead(
    old: Oldhand,
) -> None:
    answer = old.ask("How long does the warranty of the roof take?")
    assert answer.outcome is Outcome.ABSTAINED
    assert "Handbook, Contracts" in answer.text


def test_what_databases_read_to_the_last_word_stays_with_them(old: Oldhand) -> None:
    held = {table.name for schema in old.databases.schemas() for table in schema.tables}
    question, of = (
        ("How long do tickets take?", "opened")
        if "tickets" in held
        else ("What is the average price of stays?", "price")
    )
    answer = old.ask(question)
    assert answer.rows
    assert of in answer.text
    assert not answer.citations


@pytest.fixture(scope="module")
def gym(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oldhand]:
    folder = tmp_path_factory.mktemp("gym")
    with closing(sqlite3.connect(folder / "gym.db")) as held, held:
        held.executescript(
            "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, hall TEXT, minutes INTEGER, visited_on DATE);"
            "INSERT INTO visits VALUES (1, 'A', 50, '2026-01-02'), (2, 'B', 70, '2026-01-03'), (3, 'B', 80, '2026-02-03');"
        )
    (folder / "rules.md").write_text(
        "# Halls\n\nHall A is 1,200 square metres large.\n\nHall B is 640 square metres large.\n"
    )
    with Oldhand(folder / "home") as opened:
        opened.databases.add(f"sqlite:///{folder / 'gym.db'}", name="gym")
        opened.documents.add(folder / "rules.md")
        yield opened


def test_keys_of_rows_are_no_answer_where_a_passage_has_one(gym: Oldhand):
    assert "640" in gym.ask("How large is Hall B?").text
    assert "1,200" in gym.ask("How large is Hall A?").text


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many visits were there in Hall B?", ((2,),)),
        ("Which visits were in Hall A?", ((1,),)),
        ("What is the average of minutes in Hall B?", ((75.0,),)),
    ],
)
def test_rows_that_are_asked_for_are_counted_as_before(gym: Oldhand, question: str, rows):
    assert gym.ask(question).rows == rows


@pytest.fixture(scope="module")
def branches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oldhand]:
    folder = tmp_path_factory.mktemp("branches")
    with closing(sqlite3.connect(folder / "branches.db")) as held, held:
        held.executescript(
            "CREATE TABLE branches (id INTEGER PRIMARY KEY, city TEXT, post_code TEXT);"
            "INSERT INTO branches VALUES (1, 'Berlin', '10115'), (2, 'Oslo', '0150');"
        )
    (folder / "letters.md").write_text(
        "# Branches\n\nThe post code of a branch is written on each letter. The branch in Berlin has a post code that starts with a one.\n"
    )
    with Oldhand(folder / "home") as opened:
        opened.databases.add(f"sqlite:///{folder / 'branches.db'}", name="branches")
        opened.documents.add(folder / "letters.md")
        yield opened


def test_a_key_that_is_asked_for_is_an_answer(branches: Oldhand):
    assert branches.ask("What is the post code of the branch in Berlin?").rows == (("10115",),)
