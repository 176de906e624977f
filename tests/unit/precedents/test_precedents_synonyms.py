"""A question that is said again in synonyms is the same question."""

import pytest

from oldhand.agent.analyst.precedents.comparing import difference
from oldhand.agent.analyst.precedents.gist import gist
from oldhand.agent.analyst.words.vocabulary import vocabulary


def is_the_same(shop, new: str, old: str) -> bool:
    words = vocabulary(shop.schemas)
    read = (gist(said, words, shop.values, None) for said in (new, old))
    return difference(*read).identical


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("How many clients live in Rome?", "How many customers live in Rome?"),
        ("Which town has the most buyers", "Which city has the most customers?"),
        ("Show the cust of each OS.", "Show the customers of each operating system."),
        ("Name the three oldest clients, please.", "Name the 3 oldest customers."),
        ("Show the head office of the customers", "Show headquarters of clients."),
    ],
)
def test_synonyms_and_short_forms_say_the_same(shop, new, old):
    assert is_the_same(shop, new, old)
    assert is_the_same(shop, old, new)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("How many clients live in Rome?", "How many customers live in Lyon?"),
        ("What is the total weight of orders?", "What is the total amount of orders?"),
        ("Who is the youngest customer?", "Who is the oldest customer?"),
        ("How many male customers are there?", "How many female customers are there?"),
        ("Which mothers live in Rome?", "Which fathers live in Rome?"),
        ("How many clients don't live in Rome?", "How many customers live in Rome?"),
        ("How many mechanics live in Rome?", "How many customers live in Rome?"),
        ("Clients with orders", "Customers with paid orders"),
    ],
)
def test_other_things_values_and_ends_are_others(shop, new, old):
    assert not is_the_same(shop, new, old)


def test_a_correction_holds_for_the_same_question_in_synonyms(shop, confirm):
    sql = "SELECT COUNT(DISTINCT name) FROM customers WHERE city = 'Rome'"
    pair = confirm("How many customers live in Rome?", sql)
    assert "DISTINCT" in shop.sql("How many clients live in Rome?", pair)


def test_who_does_a_thing_and_what_is_done_are_things_though_the_verb_says_little(shop):
    for asked in ("performers", "suppliers", "applications", "assignments", "computers"):
        assert shop.read(f"Show the names of the customers and the {asked}.").missing == (asked,)
    for asked in ("performed", "supplied", "assigned"):
        assert not shop.read(f"Show the names of the customers that are {asked}.").missing
