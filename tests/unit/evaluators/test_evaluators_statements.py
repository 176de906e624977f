"""Statements that are wrong, by family and dialect, and their neighbours that are right."""

from itertools import product

import pytest
from benchmarks._statements import Statement, shop_schema, statements

from oldhand.evaluators.sql_rules import review_sql

WRONG, RIGHT = list(statements("wrong")), list(statements("right"))
FAMILIES = sorted({one.family for one in WRONG})
NOT_FOUND = {
    "SELECT SUM(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.id",
    "SELECT c.country, AVG(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.country",
    "SELECT name FROM customers UNION SELECT name FROM products ORDER BY price",
}
"""The list only shrinks. A sum over rows that a join repeats is what some questions ask for."""
COLUMNS = {"amount": ("5", "10.5"), "status": ("'paid'", "'open'"), "shipped_on": ("'2024-01-31'", "'2024-06-30'")}  # fmt: skip
DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")


def generated() -> list[Statement]:
    """Ordinary questions over the shop: filters, groups, orders and joins, each in every dialect."""
    conditions = [
        f"{column} {operator} {value}"
        for column, values in COLUMNS.items()
        for operator, value in product(("=", "<>", ">="), values)
    ]
    shapes = [
        "SELECT id FROM orders WHERE {}",
        "SELECT status, COUNT(*) AS n FROM orders WHERE {} GROUP BY status HAVING COUNT(*) > 2 ORDER BY n DESC LIMIT 3",
        "SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.{}",
    ]
    return [
        Statement("generated", dialect, shape.format(condition))
        for dialect, shape, condition in product(DIALECTS, shapes, conditions)
    ]


def test_the_statements_were_found():
    assert len(FAMILIES) >= 18
    assert len({one.sql for one in WRONG}) >= 150
    assert len(RIGHT) >= 400
    assert len(generated()) >= 200


@pytest.mark.parametrize("family", FAMILIES)
def test_wrong_statements_are_found(family: str):
    reviews = [(s, review_sql(s.sql, s.dialect, s.schemas)) for s in WRONG if s.family == family]
    missed = {one.sql for one, review in reviews if not review.errors and not review.advice}
    assert missed <= NOT_FOUND


def test_what_is_not_found_is_known():
    missed = {s.sql for s in WRONG if not (r := review_sql(s.sql, s.dialect, s.schemas)).errors and not r.advice}  # fmt: skip
    assert missed == NOT_FOUND


@pytest.mark.parametrize("family", sorted({one.family for one in RIGHT}))
def test_right_statements_raise_no_alarm(family: str):
    reviews = [
        (s.sql, review_sql(s.sql, s.dialect, s.schemas)) for s in RIGHT if s.family == family
    ]
    assert [(sql, review.errors) for sql, review in reviews if review.errors] == []


def test_generated_statements_raise_no_alarm():
    for one in generated():
        assert review_sql(one.sql, one.dialect, (shop_schema(one.dialect),)).errors == (), one


def test_without_a_dialect_only_what_is_wrong_in_each_is_an_error():
    assert review_sql("SELECT name, MAX(price) FROM products").is_valid
    assert not review_sql("SELECT name, COUNT(*) FROM products").is_valid
    assert not review_sql("SELECT name FROM products WHERE price BETWEEN 10 AND 1").is_valid
