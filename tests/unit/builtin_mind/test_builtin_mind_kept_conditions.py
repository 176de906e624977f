"""A condition that was understood is never dropped to get an answer, whatever keeps its statement from running."""

from contextlib import closing

import duckdb
import pytest

from oldhand import Oldhand
from oldhand.record.answer import Outcome


@pytest.mark.parametrize(
    "question", ["How many products have the tag red?", "How many red products?"]
)
def test_a_value_inside_of_an_array_is_found_or_not_answered(tmp_path, question):
    with closing(duckdb.connect(str(tmp_path / "shop.duckdb"))) as shop:
        shop.execute("CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, tags VARCHAR[])")
        tags = [["red", "sale"], ["new"], ["red"], []]
        for number in range(12):
            shop.execute(
                "INSERT INTO products VALUES (?, ?, ?)", (number, f"P{number}", tags[number % 4])
            )
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(f"duckdb:///{tmp_path / 'shop.duckdb'}", name="shop")
        answer = old.ask(question)
    assert answer.rows == ((6,),) if answer.outcome is Outcome.ANSWERED else answer.confidence < 0.6
