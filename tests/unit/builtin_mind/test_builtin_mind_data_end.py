"""A time after all that is held: the answer tells where the data ends, and the last such time that has some."""

import sqlite3
from contextlib import closing

import pytest

from oldhand import Oldhand
from oldhand.record.answer import Outcome

LAST = "The data ends on 12 June 2023"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("ended")
    with closing(sqlite3.connect(folder / "shop.db")) as shop:
        shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, ordered_on DATE)")
        rows = [(n, n * 2.5, f"2023-{1 + n % 6:02d}-{1 + n % 12:02d}") for n in range(1, 60)]
        shop.executemany("INSERT INTO orders VALUES (?, ?, ?)", rows)
        shop.commit()
    with Oldhand(folder / "home") as old:
        old.databases.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
        yield old


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "How many orders were there last month?",
            f"{LAST}; the last month with data is June 2023.",
        ),
        ("What was the total of orders this year?", f"{LAST}; the last year with data is 2023."),
        ("Show the orders since last month", f"{LAST}."),
        ("How many orders were placed yesterday?", f"{LAST}."),
    ],
)
def test_a_time_after_the_last_day_tells_where_the_data_ends(old: Oldhand, question, told):
    assert told in old.ask(question).text


def test_a_time_with_data_does_not(old: Oldhand):
    assert "The data ends" not in old.ask("How many orders were there in June 2023?").text
    assert "The data ends" not in old.ask("How many orders were there in 2021?").text


@pytest.mark.parametrize(
    "question", ["Show the recent orders", "What is the total of recent orders?"]
)
def test_recent_says_no_day_and_is_not_dropped_in_silence(old: Oldhand, question):
    answer = old.ask(question)
    assert answer.outcome is Outcome.PROPOSED
    assert "I left out 'recent'" in answer.text


@pytest.mark.parametrize(
    "question", ["What is our return policy?", "How many orders will there be next month?"]
)
def test_what_is_not_answered_is_not_sure_of_anything(old: Oldhand, question):
    answer = old.ask(question)
    assert answer.outcome is Outcome.ABSTAINED
    assert answer.confidence == 0
