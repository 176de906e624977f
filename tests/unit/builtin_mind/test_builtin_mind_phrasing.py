"""Sentences say what the rows say, in plain English, and no more."""

import pytest
from sqlglot import parse_one

from oldhand.agent.analyst.phrasing import Rows, phrase
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table

KEY = ForeignKey(
    columns=("customer_id",), database="shop", schema_name="main", table="customers", target_columns=("id",)
)  # fmt: skip
ID = Column(name="id", type="INT", kind=Kind.INTEGER)
SCHEMA = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(name="customers", schema_name="main", columns=(ID,)),
        Table(name="orders", schema_name="main", columns=(ID,), foreign_keys=(KEY,)),
    ),
)
C = "FROM shop.main.customers AS c"
O = "FROM shop.main.orders AS o"  # noqa: E741
BOTH = "FROM shop.main.customers AS c JOIN shop.main.orders AS o ON o.customer_id = c.id"


def said(sql: str, *rows: tuple[object, ...], question: str = "", truncated: bool = False) -> str:
    query = parse_one(sql)
    columns = tuple(output.alias_or_name for output in query.selects)
    found = Rows(columns, rows, len(rows), truncated)  # type: ignore[arg-type]
    return phrase(question, query, found, (SCHEMA,))


CASES = [
    (f"SELECT COUNT(*) {C}", (1234,), "There are 1,234 customers."),
    (f"SELECT COUNT(*) {C} WHERE c.city = 'Berlin'", (42,), "There are 42 customers in Berlin."),
    (f"SELECT COUNT(*) {C} WHERE c.city = 'Berlin'", (1,), "There is 1 customer in Berlin."),
    (f"SELECT COUNT(*) {C} WHERE c.city = 'Berlin'", (0,), "There are no customers in Berlin."),
    (f"SELECT COUNT(*) {O} WHERE o.status = 'paid' AND o.total > 1000", (7,), "There are 7 orders with status paid and total above 1,000."),
    (f"SELECT COUNT(*) {O} WHERE o.placed >= '2023-01-01' AND o.placed < '2024-01-01'", (3,), "There are 3 orders placed in 2023."),
    (f"SELECT COUNT(*) {O} WHERE o.due_date >= '2023-05-01' AND o.due_date < '2023-06-01'", (3,), "There are 3 orders with due date in May 2023."),
    (f"SELECT COUNT(*) {O} WHERE o.placed > '2023-05-01'", (3,), "There are 3 orders placed after 2023-05-01."),
    (f"SELECT COUNT(*) {O} WHERE o.status <> 'paid'", (3,), "There are 3 orders with status other than paid."),
    (f"SELECT COUNT(*) {O} WHERE o.status = 'paid' OR o.status = 'open'", (3,), "There are 3 orders with status paid or with status open."),
    (f"SELECT COUNT(*) {C} WHERE c.city IN ('Berlin', 'Bonn')", (3,), "There are 3 customers in Berlin or Bonn."),
    (f"SELECT COUNT(*) {C} WHERE c.name LIKE 'A%'", (3,), "There are 3 customers with name starting with A."),
    (f"SELECT COUNT(*) {C} WHERE c.email IS NULL", (3,), "There are 3 customers without an email."),
    (f"SELECT COUNT(*) {C} WHERE NOT c.id IN (SELECT o.customer_id {O} WHERE NOT o.customer_id IS NULL)", (3,), "There are 3 customers without orders."),
    (f"SELECT COUNT(*) {C} WHERE c.age BETWEEN 20 AND 30", (3,), "There are 3 customers with age between 20 and 30."),
    (f"SELECT COUNT(*) {BOTH} WHERE c.city = 'Berlin'", (9,), "There are 9 orders of customers in Berlin."),
    (f"SELECT COUNT(DISTINCT c.city) {C}", (4,), "There are 4 different cities."),
    (f"SELECT COUNT(*) {O} WHERE ABS(o.total - o.paid) > 3", (2,), "There are 2 orders that match."),
    (f"SELECT AVG(o.total) {O}", (12.3456,), "The average total of orders is 12.35."),
    (f"SELECT SUM(o.total) {O} WHERE o.status = 'open'", (None,), "There is no total total of orders with status open: no row has a value."),
    (f"SELECT MAX(o.year) {O}", (2023,), "The highest year of orders is 2023."),
    (f"SELECT c.name {C} ORDER BY c.age DESC LIMIT 1", ("Ann",), "The customer with the highest age is Ann."),
    (f"SELECT c.city {C} GROUP BY c.city ORDER BY COUNT(*) DESC LIMIT 1", ("Bonn",), "The city with the most customers is Bonn."),
    (f"SELECT c.name {BOTH} GROUP BY c.name ORDER BY COUNT(*) LIMIT 1", ("Bo",), "The customer with the fewest orders is Bo."),
    (f"SELECT c.email {C} WHERE c.id = 3", (None,), "The email is not recorded."),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "row", "sentence"), CASES, ids=[case[2] for case in CASES])
def test_one_value_becomes_a_sentence(sql, row, sentence) -> None:
    assert said(sql, row) == sentence


def test_a_short_list_is_written_out() -> None:
    rows = [("Ann",), ("Bob",), ("Cid",)]
    assert said(f"SELECT c.name {C}", *rows) == "3 customers: Ann, Bob and Cid."
    assert said(f"SELECT DISTINCT c.city {C}", ("Bonn",), ("Ulm",)) == "2 cities: Bonn and Ulm."


def test_a_long_list_names_the_first() -> None:
    rows = [(f"N{i}",) for i in range(1200)]
    assert said(f"SELECT c.name {C}", *rows) == "1,200 customers; the first are N0, N1 and N2."


def test_a_cut_result_claims_no_total() -> None:
    rows = [(f"N{i}",) for i in range(3)]
    sentence = said(f"SELECT c.name {C}", *rows, truncated=True)
    assert sentence == "More than 3 customers; the first are N0, N1 and N2."


def test_groups_are_written_out_with_their_value() -> None:
    sql = f"SELECT c.city, AVG(c.age) {C} GROUP BY c.city"
    assert said(sql, ("Bonn", 31.5), ("Ulm", 40.0)) == "Average age by city: Bonn 31.5, Ulm 40."


def test_a_table_shows_its_first_row() -> None:
    sql = f"SELECT c.name, c.city {C}"
    assert said(sql, ("Ann", "Bonn"), ("Bo", None)) == "2 customers; the first is Ann (city Bonn)."


def test_nothing_found_says_what_was_looked_for() -> None:
    assert (
        said(f"SELECT c.name {C} WHERE c.city = 'Oz'")
        == "None found: there are no customers in Oz."
    )
    assert said(f"SELECT c.name {C}") == "There are no customers."
    assert (
        said(f"SELECT c.name {C} WHERE LENGTH(c.name) > 3 + c.id")
        == "None found: no customers match."
    )


def test_words_of_the_question_that_were_not_understood_are_not_claimed() -> None:
    sentence = said(f"SELECT COUNT(*) {C}", (5,), question="How many happy customers are there?")
    assert sentence == "There are 5 customers."


def test_without_a_query_the_first_row_is_shown() -> None:
    found = Rows(("city", "n"), (("Bonn", 3), ("Ulm", 2)), 2)
    assert phrase("?", None, found) == "2 rows; the first is city Bonn, n 3."
