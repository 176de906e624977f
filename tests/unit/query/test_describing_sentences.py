"""Sentences say what the rows say, in plain English, and no more."""

import pytest
from tests.unit.query.forms import form_of

from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.headings import headings
from oldhand.query.describing.sentences import phrase

C = "FROM shop.main.customers AS c"
O = "FROM shop.main.orders AS o"  # noqa: E741
BOTH = "FROM shop.main.customers AS c JOIN shop.main.orders AS o ON o.customer_id = c.id"


def said(sql: str, *rows: tuple[object, ...], question: str = "", truncated: bool = False) -> str:
    query, schema = form_of(sql)
    found = FoundRows(headings(query), rows, len(rows), truncated)  # type: ignore[arg-type]
    return phrase(question, query, found, (schema,))


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
    (f"SELECT COUNT(*) {O} WHERE ABS(o.total - o.paid) > 3", (2,), "There are 2 orders with absolute total minus paid above 3."),
    (f"SELECT AVG(o.total) {O}", (12.3456,), "The average total of orders is 12.35."),
    (f"SELECT SUM(o.total) {O} WHERE o.status = 'open'", (None,), "There is no total of orders with status open: no row has a value."),
    (f"SELECT MAX(o.year) {O}", (2023,), "The latest year of orders is 2023."),
    (f"SELECT c.name {C} ORDER BY c.age DESC LIMIT 1", ("Ann",), "The customer with the highest age is Ann."),
    (f"SELECT c.city {C} GROUP BY c.city ORDER BY COUNT(*) DESC LIMIT 1", ("Bonn",), "The city with the most customers is Bonn."),
    (f"SELECT c.name {BOTH} GROUP BY c.name ORDER BY COUNT(*) LIMIT 1", ("Bo",), "The customer with the fewest orders is Bo."),
    (f"SELECT c.name {C} WHERE c.city = 'Bonn'", ("Jorge",), "1 customer in Bonn: Jorge."),
    (f"SELECT COUNT(*) {C} WHERE c.loyalty_points IS NULL", (3,), "There are 3 customers without loyalty points."),
    (f"SELECT COUNT(*) {C} WHERE c.manager_id IS NULL", (3,), "There are 3 customers without a manager."),
    (f"SELECT COUNT(*) {O} WHERE o.closed_at IS NULL", (3,), "There are 3 orders not closed."),
    (f"SELECT COUNT(*) {O} WHERE o.ordered_on >= '2024-03-01' AND o.ordered_on < '2024-04-01'", (133,), "There are 133 orders in March 2024."),
    (f"SELECT COUNT(*) {O} WHERE o.placed >= '2024-03-01' AND o.placed < '2024-03-09'", (4,), "There are 4 orders placed from 2024-03-01 to 2024-03-08."),
    (f"SELECT COUNT(*) {C} WHERE c.salary > (SELECT AVG(d.salary) FROM shop.main.customers AS d)", (52,), "There are 52 customers with salary above the average."),
    (f"SELECT COUNT(*) {C} WHERE c.salary > (SELECT AVG(d.salary) FROM shop.main.customers AS d WHERE d.city = 'Bonn')", (52,), "There are 52 customers with salary above the average salary of customers in Bonn."),
    (f"SELECT COUNT(DISTINCT c.cheap) {C}", (3,), "There are 3 different values of cheap."),
    (f"SELECT COUNT(*) FROM (SELECT c.city {C} GROUP BY c.city) AS found", (4,), "There are 4 cities."),
    (f"SELECT MAX(o.ordered_on) {O}", ("2026-06-30",), "Orders were last ordered on 2026-06-30."),
    (f"SELECT o.ordered_on {O} ORDER BY o.ordered_on LIMIT 1", ("2023-01-01",), "Orders were first ordered on 2023-01-01."),
    (f"SELECT c.name {BOTH} ORDER BY o.opened_at DESC LIMIT 1", ("Ann",), "The customer of the order opened last is Ann."),
    (f"SELECT c.opened_on {C} ORDER BY c.hired_on DESC LIMIT 1", ("2022-01-01",), "The opened on of the customer hired last is 2022-01-01."),
    (f"SELECT COUNT(*) {C} WHERE c.signed_up_on >= '2024-01-01' AND c.signed_up_on < '2025-01-01'", (7,), "There are 7 customers that signed up in 2024."),
    (f"SELECT MIN(c.birth_date) {C}", ("1950-01-01",), "The earliest birth date of customers is 1950-01-01."),
    (f"SELECT c.email {C} WHERE c.id = 3", (None,), "The email is not recorded."),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "row", "sentence"), CASES, ids=[case[2] for case in CASES])
def test_one_value_becomes_a_sentence(sql, row, sentence) -> None:
    assert said(sql, row) == sentence


def test_a_short_list_is_written_out() -> None:
    rows = [("Ann",), ("Bob",), ("Cid",)]
    assert said(f"SELECT c.name {C}", *rows) == "3 customers: Ann, Bob and Cid."
    assert said(f"SELECT DISTINCT c.city {C}", ("Bonn",), ("Ulm",)) == "2 cities: Bonn and Ulm."


def test_several_first_rows_are_in_the_plural() -> None:
    top = f"SELECT c.city {C} GROUP BY c.city ORDER BY COUNT(*) DESC LIMIT 2"
    assert said(top, ("Bonn",), ("Ulm",)) == "The 2 cities with the most customers: Bonn and Ulm."
    rows = f"SELECT c.city {C} ORDER BY c.age DESC LIMIT 2"
    assert said(rows, ("Bonn",), ("Bonn",)) == "2 cities: Bonn and Bonn."


def test_many_groups_tell_the_highest_only_when_there_is_one() -> None:
    sql = f"SELECT c.city, COUNT(*) {C} GROUP BY c.city"
    rows = [(f"Town {letter}", number) for number, letter in enumerate("abcdefg", 1)]
    assert said(sql, *rows) == "Number of customers by city (7 rows), highest: Town g 7."
    tied = [*rows, ("Town h", 7)]
    start = "Number of customers by city (8 rows), the first: Town a 1."
    assert said(sql, *tied) == start
    assert "highest" not in said(sql, *rows, truncated=True)
    assert "highest" not in said(f"{sql} ORDER BY COUNT(*) LIMIT 7", *rows)


def test_groups_that_are_told_by_their_name_are_called_what_they_are() -> None:
    sql = f"SELECT c.name, COUNT(*) {BOTH} GROUP BY c.id, c.name"
    assert said(sql, ("Ann", 7)) == "Number of orders by customer: Ann 7."


def test_a_group_without_a_value_is_unknown() -> None:
    sql = f"SELECT c.city, COUNT(*) {C} GROUP BY c.city"
    assert said(sql, (None, 206)) == "Number of customers by city: unknown 206."


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
        == "None found: there are no customers with length of name above 3 plus id."
    )


def test_words_of_the_question_that_were_not_understood_are_not_claimed() -> None:
    sentence = said(f"SELECT COUNT(*) {C}", (5,), question="How many happy customers are there?")
    assert sentence == "There are 5 customers."


def test_without_a_query_the_first_row_is_shown() -> None:
    found = FoundRows(("city", "n"), (("Bonn", 3), ("Ulm", 2)), 2)
    assert phrase("?", None, found) == "2 rows; the first is city Bonn, n 3."


def test_things_that_are_only_shown_once_each_are_no_groups() -> None:
    each = f"SELECT c.name {BOTH} WHERE c.city = 'Bonn' AND o.status = 'paid' GROUP BY c.id, c.name"
    question = "Did anybody in Bonn pay?"
    yes = "Yes: 2 customers in Bonn and with orders with status paid: Ann and Bob."
    assert said(each, ("Ann",), ("Bob",), question=question) == yes
    none = "No: there are no customers in Bonn and with orders with status paid."
    assert said(each, question=question) == none
    most = f"SELECT c.city {C} GROUP BY c.city ORDER BY COUNT(*) DESC LIMIT 1"
    assert (
        said(most, ("Bonn",), question="Is Bonn the largest?")
        == "The city with the most customers is Bonn."
    )
