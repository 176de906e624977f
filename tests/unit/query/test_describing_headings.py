"""Outputs bear readable names."""

import pytest
from tests.unit.query.forms import form_of

from oldhand.query.compiling.compile import compile_query
from oldhand.query.compiling.tree import to_tree
from oldhand.query.describing.headings import headings

O = "FROM shop.main.orders AS o"  # noqa: E741
C = "FROM shop.main.customers AS c"

CASES = [
    (f"SELECT COUNT(*) {O}", ("number_of_orders",)),
    (f"SELECT COUNT(DISTINCT c.city) {C}", ("number_of_cities",)),
    (f"SELECT COUNT(DISTINCT o.customer_id) {O}", ("number_of_customers",)),
    (f"SELECT AVG(o.price), SUM(o.quantity) {O}", ("average_price", "total_quantity")),
    (f"SELECT MAX(o.price), MIN(o.price) {O}", ("highest_price", "lowest_price")),
    (f"SELECT MAX(o.ordered_on), MIN(o.ordered_on) {O}", ("latest_ordered_on", "earliest_ordered_on")),
    (f"SELECT SUM(o.total_amount) {O}", ("total_amount",)),
    (f"SELECT SUM(CAST(o.cost AS DECIMAL)) {O}", ("total_cost",)),
    (f"SELECT TIME_TO_STR(o.ordered_on, '%Y'), COUNT(*) {O} GROUP BY 1", ("year", "number_of_orders")),
    (f"SELECT o.total / o.quantity {O}", ("result",)),
    (f"SELECT COUNT(*), COUNT(*) {O}", ("number_of_orders", "number_of_orders_2")),
    ("SELECT c.name, s.name FROM shop.main.customers AS c JOIN shop.main.stores AS s ON c.id = s.id", ("customer_name", "store_name")),
    (f"SELECT COUNT(*) FROM (SELECT c.city {C} GROUP BY c.city) AS found", ("number_of_cities",)),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), CASES, ids=[", ".join(case[1]) for case in CASES])
def test_each_output_has_a_readable_heading(sql, expected) -> None:
    query, schema = form_of(sql)
    assert headings(query, (schema,)) == expected


def test_only_computed_outputs_get_another_name() -> None:
    query, schema = form_of(f"SELECT c.city, COUNT(*) {C} GROUP BY c.city ORDER BY COUNT(*) DESC")
    written = compile_query(query, (schema,), "sqlite", headings(query, (schema,)))
    assert " ".join(written.split()) == (
        "SELECT t1.city, COUNT(*) AS number_of_customers FROM customers AS t1"
        " GROUP BY t1.city ORDER BY COUNT(*) DESC"
    )


def test_the_first_part_of_a_set_operation_names_the_outputs() -> None:
    query, schema = form_of(f"SELECT MAX(c.age) {C} UNION SELECT MAX(o.total) {O}")
    names = headings(query, (schema,))
    assert names == ("highest_age",)
    assert to_tree(query, names).selects[0].alias == "highest_age"
