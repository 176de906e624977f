"""Whether one has more than another is answered with yes or no; means and numbers of partners are said as they are."""

import pytest
from tests.unit.query.forms import form_of

from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.headings import headings
from oldhand.query.describing.sentences import phrase

CITIES = (
    "SELECT c.city, COUNT(*) FROM shop.main.customers AS c "
    "WHERE c.city IN ('Rome', 'Oslo') GROUP BY c.city"
)
BOTH = "Number of customers by city: Oslo 3, Rome 7."


def said(question: str, sql: str, *rows: tuple[object, ...]) -> str:
    query, schema = form_of(sql)
    found = FoundRows(headings(query), rows, len(rows))  # type: ignore[arg-type]
    return phrase(question, query, found, (schema,))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Do we have more customers in Rome than in Oslo?", "Yes: Rome has 7 customers, Oslo 3."),
        ("Are there more customers in Oslo than in Rome?", "No: Oslo has 3 customers, Rome 7."),
        ("Does Oslo have fewer customers than Rome?", "Yes: Oslo has 3 customers, Rome 7."),
        ("Does Rome have twice more customers than Oslo?", BOTH),
        ("Doesn't Rome have more customers than Oslo?", BOTH),
        ("Do we have more than usual in Rome and Oslo?", BOTH),
        ("Compare customers in Rome and Oslo", BOTH),
    ],
)
def test_which_has_more_is_said_only_where_it_is_asked(question: str, sentence: str) -> None:
    assert said(question, CITIES, ("Oslo", 3), ("Rome", 7)) == sentence


def test_a_group_without_rows_has_none() -> None:
    question = "Do we have more customers in Rome than in Oslo?"
    assert said(question, CITIES, ("Oslo", 3)) == "No: Rome has 0 customers, Oslo 3."
    equal = said(question, CITIES, ("Oslo", 3), ("Rome", 3))
    assert equal == "No: Rome and Oslo both have 3 customers."


def test_other_values_than_numbers_of_things_stay_as_they_are() -> None:
    sql = CITIES.replace("COUNT(*)", "AVG(c.age)")
    sentence = said("Is the age higher in Rome than in Oslo?", sql, ("Oslo", 30.5), ("Rome", 41.5))
    assert sentence == "Yes: average age by city: Oslo 30.5, Rome 41.5."


def test_a_mean_of_values_is_no_number_of_things() -> None:
    sql = (
        "SELECT CAST(SUM(i.price * i.quantity) AS REAL) / NULLIF(COUNT(DISTINCT i.order_id), 0) "
        "FROM shop.main.order_items AS i"
    )
    sentence = said("What is the average order value?", sql, (136.5,))
    assert sentence == "The average value for each order with order items is 136.5."


NUMEROUS = (
    "SELECT COUNT(*) FROM shop.main.orders AS o WHERE o.order_id IN (SELECT {key} FROM "
    "shop.main.orders AS p JOIN shop.main.items AS i ON i.order_id = p.order_id "
    "GROUP BY {key} HAVING COUNT(*) {limit})"
)


@pytest.mark.parametrize(
    ("key", "limit", "sentence"),
    [
        ("p.order_id", "> 3", "There are 2 orders with more than 3 items."),
        ("p.order_id", ">= 1", "There are 2 orders with at least 1 item."),
        ("p.order_id", "< 3", "There are 2 orders with items, but fewer than 3."),
    ],
)
def test_how_many_partners_there_must_be_is_repeated(key: str, limit: str, sentence: str) -> None:
    assert said("How many?", NUMEROUS.format(key=key, limit=limit), (2,)) == sentence


def test_partners_of_something_else_than_the_rows_are_not_claimed() -> None:
    sql = NUMEROUS.format(key="p.city", limit="> 3").replace("o.order_id IN", "o.city IN")
    what = "orders with city among the city of orders with more than 3 items"
    assert said("How many?", sql, (2,)) == f"There are 2 {what}."


def test_what_is_not_true_is_said_plainly() -> None:
    sql = "SELECT COUNT(*) FROM shop.main.products AS p WHERE p.discontinued <> TRUE"
    assert said("How many?", sql, (2,)) == "There are 2 products that are not discontinued."


def test_ten_names_are_written_out() -> None:
    sql = (
        "SELECT c.name FROM shop.main.customers AS c JOIN shop.main.orders AS o "
        "ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY COUNT(*) DESC LIMIT 10"
    )
    names = [f"N{number}" for number in range(10)]
    assert all(name in said("?", sql, *((name,) for name in names)) for name in names)
