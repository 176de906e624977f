"""Which pairs are used, and as which query."""

import pytest

from oldhand.agent.analyst.precedents.precedent import precedents_of, stale
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.record.feedback import Source


def written(query: Query | Opaque) -> str:
    assert isinstance(query, Query)
    return to_tree(query).sql()


def test_a_pair_is_read_in_the_letters_of_the_schema_whatever_case_it_was_written_in(shop, confirm):
    pair = confirm("Who lives in Rome?", 'select NAME from Customers as C where c.City = "Rome"')
    (found,) = precedents_of([pair], shop.schemas)
    assert written(found.query) == (
        "SELECT t1.name FROM shop.main.customers AS t1 WHERE t1.city = 'Rome'"
    )


def test_a_star_is_written_out(shop, confirm):
    (found,) = precedents_of(
        [confirm("Show all customers.", "SELECT * FROM customers")], shop.schemas
    )
    assert [output.name for output in found.query.select] == [
        "id", "name", "city", "segment", "age",
    ]  # fmt: skip


def test_sorting_by_a_count_survives_reading(shop, confirm):
    sql = "SELECT city, COUNT(*) FROM customers GROUP BY city ORDER BY COUNT(*) DESC"
    (found,) = precedents_of([confirm("Customers by city?", sql)], shop.schemas)
    assert written(found.query).endswith("GROUP BY t1.city ORDER BY COUNT(*) DESC")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT stars FROM customers",
        "SELECT name FROM patrons",
        "SELECT c.name FROM customers AS c JOIN orders AS o ON o.client = c.id",
        "SELECT name FROM customers WHERE id IN (SELECT customer FROM orders)",
        "WITH old AS (SELECT stars FROM customers) SELECT stars FROM old",
    ],
)
def test_a_pair_that_reads_what_is_gone_is_left_out_and_counted(shop, confirm, sql):
    pair = confirm("Who?", sql)
    assert precedents_of([pair], shop.schemas) == ()
    assert stale([pair], shop.schemas) == ("pair-1",)


def test_a_pair_of_another_database_is_left_out_but_not_outdated(shop, confirm):
    pair = confirm("Who?", "SELECT name FROM people", database="crm")
    assert precedents_of([pair], shop.schemas) == ()
    assert stale([pair], shop.schemas) == ()


def test_what_a_query_defines_itself_is_no_gap_in_the_schema(shop, confirm):
    sql = (
        "WITH rich AS (SELECT customer_id, SUM(amount) AS total FROM orders GROUP BY customer_id) "
        "SELECT name, total FROM customers JOIN rich ON rich.customer_id = customers.id ORDER BY total"
    )
    assert len(precedents_of([confirm("Who spends most?", sql)], shop.schemas)) == 1


def test_only_trusted_people_make_precedents(shop, confirm):
    lessons = [
        confirm("Who?", "SELECT name FROM customers", name=source.value, source=source)
        for source in Source
    ]
    found = precedents_of(lessons, shop.schemas)
    assert {one.id for one in found} == {"owner", "expert"}


def test_a_pair_knows_who_confirmed_it_and_whether_by_a_correction(shop, confirm):
    by_thumb = confirm("Who?", "SELECT name FROM customers", corrected=False)
    by_hand = confirm("Who?", "SELECT name FROM customers", corrected=True)
    thumb, hand = precedents_of([by_thumb, by_hand], shop.schemas)
    assert (thumb.corrected, hand.corrected) == (False, True)
    assert (hand.by, str(hand.on), hand.right) == ("ana", "2026-11-20", True)


def test_a_rejected_pair_is_wrong(shop, reject):
    (found,) = precedents_of([reject("Who?", "SELECT name FROM customers")], shop.schemas)
    assert not found.right


def test_what_the_form_cannot_hold_answers_the_very_same_question(shop, confirm):
    sql = "SELECT name, ROW_NUMBER() OVER (ORDER BY age) FROM customers"
    pair = confirm("Number the patrons.", sql)
    (found,) = precedents_of([pair], shop.schemas)
    assert isinstance(found.query, Opaque)
    assert "ROW_NUMBER() OVER" in shop.sql("Number the patrons.", pair)
    assert "ROW_NUMBER() OVER" not in shop.sql("Number the patrons in Rome.", pair)


def test_a_pair_that_the_form_cannot_hold_is_left_out_where_it_reads_what_is_gone(shop, confirm):
    pair = confirm("Who?", "SELECT stars, ROW_NUMBER() OVER (ORDER BY age) FROM customers")
    assert precedents_of([pair], shop.schemas) == ()
