"""When a correction is the answer's own query, written otherwise."""

import pytest

from oldhand.learning.corrections import is_same_query
from oldhand.testing.records import example_schema


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT name FROM customers", "SELECT c.NAME AS who FROM Customers AS c"),
        (
            "SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id",
            "SELECT b.name FROM orders a, customers b WHERE b.id = a.customer_id",
        ),
        (
            "SELECT name FROM customers WHERE id = 1 OR id = 2",
            "SELECT name FROM customers WHERE id IN (2, 1)",
        ),
        (
            "SELECT name FROM customers WHERE city = 'Rome' AND id > 5",
            "SELECT name FROM customers WHERE 5 < id AND 'Rome' = city",
        ),
        (
            "SELECT name FROM customers UNION SELECT name FROM products",
            "SELECT name FROM products UNION SELECT name FROM customers",
        ),
        ("SELECT total FROM orders WHERE NOT total > 5", "SELECT total FROM orders WHERE total <= 5"),
    ],
)  # fmt: skip
def test_another_spelling_is_the_same_query(one, other):
    assert is_same_query(one, other, example_schema())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT name, city FROM customers", "SELECT city, name FROM customers"),
        ("SELECT name FROM customers", "SELECT DISTINCT name FROM customers"),
        ("SELECT name FROM customers ORDER BY id", "SELECT name FROM customers ORDER BY id DESC"),
        (
            "SELECT name FROM customers EXCEPT SELECT name FROM products",
            "SELECT name FROM products EXCEPT SELECT name FROM customers",
        ),
        (
            "SELECT total FROM orders WHERE total > (SELECT AVG(total) FROM orders)",
            "SELECT total FROM orders WHERE total > (SELECT MAX(total) FROM orders)",
        ),
        (
            "SELECT name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id",
            "SELECT name FROM customers c JOIN orders o ON o.customer_id = c.id",
        ),
        (
            "SELECT name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id",
            "SELECT name FROM orders o LEFT JOIN customers c ON o.customer_id = c.id",
        ),
        ("SELECT (((", "SELECT ))"),
    ],
)
def test_a_query_that_returns_something_else_is_another_one(one, other):
    assert not is_same_query(one, other, example_schema())
