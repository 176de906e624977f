"""Constraints on queries: for each a question, a query that breaks it, and one that keeps it."""

from datetime import date

import pytest

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import ChoiceDraft
from oldhand.agent.analyst.candidates.exclusion import summed_once
from oldhand.agent.analyst.constraints import queries
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.constraints.table import MEANING, SENSE, broken
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import Query
from oldhand.query.lifting import lift
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex


def _table(name: str, columns: dict[str, Kind], **references: str) -> Table:
    keys = tuple(
        ForeignKey(
            columns=(column,),
            database="shop",
            schema_name="main",
            table=table,
            target_columns=("id",),
        )
        for column, table in references.items()
    )
    kinds = {"id": Kind.INTEGER} | columns | dict.fromkeys(references, Kind.INTEGER)
    made = tuple(
        Column(name=one, type=kind.value, kind=kind, primary_key=one == "id", nullable=one != "id")
        for one, kind in kinds.items()
    )
    return Table(name=name, schema_name="main", columns=made, foreign_keys=keys)


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        _table("cities", {"name": Kind.TEXT}),
        _table("stores", {"name": Kind.TEXT, "opened_on": Kind.DATE}, city_id="cities"),
        _table(
            "customers",
            {"name": Kind.TEXT, "level": Kind.INTEGER, "country": Kind.TEXT},
            store_id="stores",
        ),
        _table(
            "orders",
            {"ordered_on": Kind.DATE, "closed_at": Kind.DATETIME, "shipping": Kind.NUMBER},
            customer_id="customers",
        ),
        _table("items", {"quantity": Kind.INTEGER, "unit_price": Kind.NUMBER}, order_id="orders"),
        _table("ratings", {"stars": Kind.INTEGER}, store_id="stores"),
    ),
)
VALUES = ValueIndex.in_memory(
    "shop",
    [
        ("main", "cities", "name", ["Rome", "Bonn"]),
        ("main", "customers", "country", ["Italy", "Germany"]),
    ],
)
ORDERS = "FROM orders AS o JOIN customers AS c ON o.customer_id = c.id"
COUNTED = "SELECT c.name, COUNT(*) FROM orders AS o JOIN customers AS c ON o.customer_id = c.id"

SENSELESS = [
    (
        "no_sum_of_keys",
        "SELECT SUM(o.id) FROM orders AS o",
        "SELECT SUM(o.shipping) FROM orders AS o",
    ),
    (
        "no_sum_of_dates",
        "SELECT AVG(o.closed_at) FROM orders AS o",
        "SELECT AVG(o.shipping) FROM orders AS o",
    ),
    (
        "no_sum_over_multiplied_rows",
        f"SELECT AVG(c.level) {ORDERS}",
        f"SELECT AVG(o.shipping) {ORDERS}",
    ),
    (
        "no_contradictory_conditions",
        "SELECT o.id FROM orders AS o WHERE o.closed_at IS NULL AND o.closed_at IS NOT NULL",
        "SELECT o.id FROM orders AS o WHERE o.closed_at IS NULL AND o.ordered_on IS NOT NULL",
    ),
    (
        "measures_restrict_groups",
        "SELECT c.name FROM customers AS c ORDER BY COUNT(*)",
        "SELECT c.name FROM customers AS c GROUP BY c.name ORDER BY COUNT(*)",
    ),
    (
        "one_row_is_not_sorted",
        "SELECT COUNT(*) FROM orders AS o ORDER BY o.shipping",
        "SELECT o.ordered_on, COUNT(*) FROM orders AS o GROUP BY o.ordered_on ORDER BY o.ordered_on",
    ),
    (
        "groups_sorted_by_what_they_share",
        f"{COUNTED} GROUP BY c.name ORDER BY o.shipping LIMIT 1",
        f"{COUNTED} GROUP BY c.name ORDER BY c.name LIMIT 1",
    ),
    (
        "no_sorting_by_a_fixed_value",
        "SELECT c.name FROM customers AS c WHERE c.level = 3 ORDER BY c.level LIMIT 1",
        "SELECT c.name FROM customers AS c WHERE c.level > 3 ORDER BY c.level LIMIT 1",
    ),
    (
        "no_counting_of_one_kind",
        "SELECT COUNT(DISTINCT c.country) FROM customers AS c WHERE c.country = 'Italy'",
        "SELECT COUNT(DISTINCT c.name) FROM customers AS c WHERE c.country = 'Italy'",
    ),
    (
        "no_counting_of_single_rows",
        "SELECT c.name FROM customers AS c GROUP BY c.id, c.name ORDER BY COUNT(*)",
        f"SELECT c.name {ORDERS} GROUP BY c.id, c.name ORDER BY COUNT(*)",
    ),
    (
        "no_counting_of_what_groups_are_of",
        f"SELECT c.name {ORDERS} GROUP BY c.id, c.name HAVING COUNT(DISTINCT o.customer_id) > 3",
        f"SELECT c.name {ORDERS} GROUP BY c.id, c.name HAVING COUNT(*) > 3",
    ),
]
"""A constraint, a query that breaks it, and one that keeps it."""

UNMULTIPLIED = [
    f"SELECT SUM(o.shipping) {ORDERS} WHERE c.country = 'Italy'",
    f"SELECT c.name, SUM(o.shipping) {ORDERS} GROUP BY c.id, c.name",
    f"SELECT COUNT(*) {ORDERS}",
    f"SELECT COUNT(DISTINCT c.id) {ORDERS}",
    f"SELECT MAX(c.level) {ORDERS}",
    f"SELECT AVG(c.level) {ORDERS} WHERE o.shipping > 5",
    f"SELECT o.ordered_on, AVG(c.level) {ORDERS} GROUP BY o.ordered_on",
    "SELECT AVG(c.level) FROM customers AS c WHERE c.id IN (SELECT o.customer_id FROM orders AS o)",
]
"""Sums whose rows no join multiplies, or where a deliberate count, or what multiplies them, tells them apart."""

MISREAD = [
    (
        "nothing_understood_left_out",
        "How many orders of customers are there?",
        "SELECT COUNT(*) FROM orders AS o",
        f"SELECT COUNT(*) {ORDERS}",
    ),
    (
        "cut_in_each_group",
        "Top 3 customers by level per country",
        "SELECT c.name FROM customers AS c ORDER BY c.level DESC LIMIT 3",
        "SELECT c.name FROM customers AS c ORDER BY c.level DESC",
    ),
    (
        "no_groups_of_moments",
        "How many orders does each customer have closed?",
        "SELECT o.closed_at, COUNT(*) FROM orders AS o GROUP BY o.closed_at",
        f"{COUNTED} GROUP BY c.name",
    ),
    (
        "superlative_is_sorted_by",
        "What is the highest shipping of an order?",
        "SELECT o.shipping FROM orders AS o",
        "SELECT MAX(o.shipping) FROM orders AS o",
    ),
    (
        "deed_by_all_its_rows",
        "What is the best rated store?",
        "SELECT s.name FROM ratings AS r JOIN stores AS s ON r.store_id = s.id ORDER BY r.stars DESC LIMIT 1",
        "SELECT s.name FROM ratings AS r JOIN stores AS s ON r.store_id = s.id GROUP BY s.id, s.name ORDER BY AVG(r.stars) DESC LIMIT 1",
    ),
    (
        "things_counted",
        "How many customers do we have?",
        "SELECT SUM(c.level) FROM customers AS c",
        "SELECT COUNT(*) FROM customers AS c",
    ),
    (
        "second_thing_counted_too",
        "What is the number of stores and customers?",
        "SELECT COUNT(*) FROM stores AS s",
        "SELECT COUNT(*), COUNT(DISTINCT c.store_id) FROM customers AS c",
    ),
    (
        "nothing_counted_back",
        "How many orders were there in the last 12 months of 2023?",
        "SELECT COUNT(*) FROM orders AS o",
        None,
    ),
    (
        "time_or_place_or_person_shown",
        "When were the orders shipped?",
        "SELECT o.shipping FROM orders AS o",
        "SELECT o.ordered_on FROM orders AS o",
    ),
    (
        "both_that_are_compared",
        "Compare the number of customers in Italy versus Germany",
        "SELECT COUNT(*) FROM customers AS c WHERE c.country = 'Italy'",
        None,
    ),
    (
        "exclusion_leaves_something_out",
        "Which stores have customers in Italy but not in Germany?",
        "SELECT c.store_id FROM customers AS c WHERE c.country = 'Italy' AND c.country <> 'Germany'",
        "SELECT c.store_id FROM customers AS c WHERE c.country = 'Italy'",
    ),
    (
        "number_of_them_shown",
        "Show each country with the number of customers",
        "SELECT c.country FROM customers AS c GROUP BY c.country ORDER BY COUNT(*)",
        "SELECT c.country, COUNT(*) FROM customers AS c GROUP BY c.country",
    ),
    (
        "extreme_of_its_own_thing",
        "Which orders are of the customer with the most orders?",
        f"SELECT o.id {ORDERS} GROUP BY o.id ORDER BY COUNT(*) DESC LIMIT 1",
        f"SELECT c.name {ORDERS} GROUP BY c.id, c.name ORDER BY COUNT(*) DESC LIMIT 1",
    ),
    (
        "both_kinds_told",
        "Show the names of customers from Italy to Germany",
        "SELECT c.name FROM customers AS c WHERE c.country = 'Italy' INTERSECT SELECT c.name FROM customers AS c WHERE c.country = 'Germany'",
        "SELECT c.name FROM customers AS c WHERE c.country IN ('Italy', 'Germany')",
    ),
    (
        "own_key_shown",
        "Find the ids of the orders",
        "SELECT o.customer_id FROM orders AS o",
        "SELECT o.id FROM orders AS o",
    ),
    (
        "all_of_them_checked",
        "Are all orders closed?",
        "SELECT o.id FROM orders AS o WHERE o.closed_at IS NOT NULL",
        None,
    ),
]
"""A constraint, a question, a query that breaks it, and one that keeps it, where there can be one."""


def _query(sql: str) -> Query:
    found = lift(sql, SHOP)
    assert isinstance(found, Query), found
    return found


def _asked(question: str) -> Asked:
    words = vocabulary((SHOP,))
    return Asked(link(question, words, VALUES, date(2024, 6, 1)), words)


@pytest.mark.parametrize(("name", "wrong", "fine"), SENSELESS, ids=[one[0] for one in SENSELESS])
def test_a_query_that_makes_no_sense_breaks_its_constraint_alone(name, wrong, fine):
    asked = _asked("What is it?")
    assert name in [one.__name__ for one in SENSE if one(asked, _query(wrong))]
    assert not [one.__name__ for one in SENSE if one(asked, _query(fine))]


@pytest.mark.parametrize(
    ("name", "question", "wrong", "fine"), MISREAD, ids=[one[0] for one in MISREAD]
)
def test_a_query_that_misreads_the_question_breaks_a_constraint(name, question, wrong, fine):
    asked = _asked(question)
    assert broken(Hypothesis(asked, _query(wrong), ChoiceDraft())).get(name)
    if fine is not None:
        assert name not in broken(Hypothesis(asked, _query(fine), ChoiceDraft()))


@pytest.mark.parametrize("sql", UNMULTIPLIED)
def test_rows_that_no_join_multiplies_may_be_added_up(sql):
    assert not queries.no_sum_over_multiplied_rows(_asked("What is it?"), _query(sql))


def test_a_sum_is_multiplied_by_all_that_lies_behind_the_many():
    asked, items = _asked("What is it?"), "JOIN items AS i ON i.order_id = o.id"
    twice = _query(f"SELECT SUM(o.shipping) {ORDERS} {items}")
    once = _query(f"SELECT SUM(i.quantity) {ORDERS} {items}")
    assert queries.no_sum_over_multiplied_rows(asked, twice)
    assert not queries.no_sum_over_multiplied_rows(asked, once)


def test_what_only_multiplies_what_is_added_up_becomes_a_condition():
    asked = _asked("What is the average level of customers who have orders?")
    once = summed_once(asked, _query(f"SELECT AVG(c.level) {ORDERS}"))
    orders = "SELECT t2.customer_id FROM shop.main.orders AS t2 WHERE NOT t2.customer_id IS NULL"
    assert spelled(once) == (
        f"SELECT AVG(t1.level) FROM shop.main.customers AS t1 WHERE t1.id IN ({orders})"
    )
    counted = _query(f"SELECT AVG(c.level), COUNT(*) {ORDERS}")
    assert summed_once(asked, counted) == counted


def test_constraints_have_names_of_their_own():
    names = [one.__name__ for one in (*SENSE, *MEANING)]
    assert len(set(names)) == len(names) >= 30
