"""Where several databases could answer a question as well, it asks which one is meant, unless something tells it."""

from collections.abc import Callable, Mapping

import pytest

from oldhand import Oldhand, Outcome

SCRIPTS = {
    "shop": """
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, joined DATE);
        CREATE TABLE stores (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
        INSERT INTO customers VALUES (1, 'Ada', 'Berlin', '2024-01-02'), (2, 'Bob', 'Oslo', '2024-03-04');
        INSERT INTO stores VALUES (1, 'North', 'Kiel');
    """,
    "archive_2019": """
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, joined DATE);
        INSERT INTO customers VALUES (1, 'Cy', 'Rome', '2018-01-02'), (2, 'Di', 'Lima', '2018-03-04'), (3, 'Ed', 'Rome', '2019-02-02');
    """,
    "warehouse": """
        CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT, stores INTEGER);
        CREATE TABLE shipments (id INTEGER PRIMARY KEY, customers TEXT, weight REAL);
        INSERT INTO parts VALUES (1, 'Bolt', 4);
        INSERT INTO shipments VALUES (1, 'Ada', 2.5);
    """,
}
COUNT = "How many customers are there?"


@pytest.fixture
def old(old_over: Callable[[Mapping[str, str]], Oldhand]) -> Oldhand:
    return old_over(SCRIPTS)


@pytest.mark.parametrize(
    "question", [COUNT, "List all customers", "customers who joined after 2017"]
)
def test_equal_candidates_are_asked_back_about_and_a_reply_picks_one(old: Oldhand, question: str):
    asked = old.ask(question)
    assert asked.outcome is Outcome.CLARIFY
    names = [option.partition(":")[0] for option in asked.options]
    assert sorted(names) == ["archive_2019", "shop"]
    assert asked.text == f"{' and '.join(names)} could both answer this. Which one is meant?"
    count = {"shop": 2, "archive_2019": 3}
    replies = (
        ("archive_2019", "archive_2019"),
        ("the first one", names[0]),
        (asked.options[1], names[1]),
    )
    for reply, name in replies:
        rows = count[name]
        chosen = old.ask(reply, session_id=old.ask(question).session_id)
        assert chosen.outcome is Outcome.ANSWERED
        assert len(chosen.rows) == rows or chosen.rows == ((rows,),)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many customers live in Rome?", 2),
        ("How many customers live in Berlin?", 1),
        ("How many customers are there in archive_2019?", 3),
        ("How many customers are in the shop database?", 2),
        ("How many stores are there?", 1),
    ],
)
def test_values_tables_and_names_decide(old: Oldhand, question: str, rows: int):
    answer = old.ask(question)
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, ((rows,),)), answer.text


def test_the_conversation_decides(old: Oldhand):
    first = old.ask("How many customers live in Rome?")
    assert old.ask(COUNT, session_id=first.session_id).rows == ((3,),)
    assert old.ask(COUNT).outcome is Outcome.CLARIFY


def test_what_was_confirmed_decides(old: Oldhand):
    asked = old.ask(COUNT)
    chosen = old.ask("archive_2019", session_id=asked.session_id)
    old.feedback(chosen.episode_id, rating=+1)
    assert old.ask(COUNT).rows == ((3,),)


def test_one_database_alone_is_not_asked_about(old: Oldhand):
    assert old.ask(COUNT, databases=["shop"]).rows == ((2,),)
