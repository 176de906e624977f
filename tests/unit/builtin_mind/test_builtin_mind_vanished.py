"""What was asked for is gone from the database: nothing else is answered in its place."""

import sqlite3
from contextlib import closing
from pathlib import Path

from oldhand import Oldhand, Outcome


def test_a_vanished_view_is_not_replaced_by_its_table(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, settled_on TEXT);"
            "INSERT INTO orders VALUES (1, 5, NULL), (2, 6, '2026-01-02'), (3, 7, '2026-01-03');"
            "CREATE VIEW settled_orders AS SELECT * FROM orders WHERE settled_on IS NOT NULL;"
        )
    with Oldhand(home=tmp_path / "home") as old:
        old.databases.add(f"sqlite:///{path}", name="shop")
        with closing(sqlite3.connect(path)) as made:
            made.execute("DROP VIEW settled_orders")
        answer = old.ask("How many settled orders are there?")
    assert answer.outcome is not Outcome.ANSWERED, answer.text
    assert "settled_orders" in answer.text
