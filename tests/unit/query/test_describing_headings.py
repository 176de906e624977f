"""Outputs bear readable names."""

import pytest
from oldhand.agent.analyst.rendering.headings import headed, tree_headings
from sqlglot import parse_one
from tests.unit.query.forms import form_of, schema_of

from oldhand.query.compiling.render import render
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
    sql = f"SELECT c.city, COUNT(*) {C} GROUP BY c.city ORDER BY COUNT(*) DESC"
    query = parse_one(sql)
    written = render(headed(query, tree_headings(query, (schema_of(sql),))), "sqlite").split()
    assert " ".join(written) == (
        "SELECT c.city, COUNT(*) AS number_of_customers FROM customers AS c"
        " GROUP BY c.city ORDER BY COUNT(*) DESC"
    )


def test_the_first_part_of_a_set_operation_names_the_outputs() -> None:
    sql = f"SELECT MAX(c.age) {C} UNION SELECT MAX(o.total) {O}"
    query = parse_one(sql)
    assert headed(query, tree_headings(query, (schema_of(sql),))).selects[0].alias == "highest_age"


def test_headings_that_do_not_fit_change_nothing() -> None:
    query = parse_one(f"SELECT COUNT(*) {O}")
    assert headed(query, ("a", "b")) == query


def test_trees_that_the_form_cannot_hold_have_plain_headings() -> None:
    tree = parse_one(f"SELECT c.city, ROW_NUMBER() OVER (ORDER BY c.city), c.city {C}")
    assert tree_headings(tree) == ("city", "result", "city_2")
