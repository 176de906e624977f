"""What is not answered is refused with what would help."""

import pytest

from oldhand.agent.analyst.verbalizer.refusals import off_topic, refusal
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table

CITY = Column(name="city", type="TEXT", kind=Kind.TEXT, description="Where the customer lives")
POINTS = Column(name="loyalty_points", type="INT", kind=Kind.INTEGER, description="The bonus")
SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(name="customers", schema_name="main", columns=(CITY, POINTS)),
        Table(name="order_items", schema_name="main", columns=()),
    ),
)
OVERVIEW = "I answer questions about customers and order items. Try: How many customers are there?"
NOTHING = "I found nothing in the question that the databases could answer. I know customers."


@pytest.mark.parametrize(
    "question",
    ["hi", "Hello!", "help", "What can you do?", "what tables are there?", "show tables"],
)
def test_who_does_not_know_what_to_ask_hears_what_there_is(question) -> None:
    assert off_topic(question, (SHOP,)) == OVERVIEW


@pytest.mark.parametrize(
    "question",
    [
        "Which columns does customers have?",
        "what columns are in the customers table?",
        "Describe customers",
        "What do you know about the customers?",
    ],
)
def test_the_columns_of_a_table_are_told(question) -> None:
    assert off_topic(question, (SHOP,)) == "shop.customers has 2 columns: city, loyalty_points."


@pytest.mark.parametrize(
    "question",
    [
        "SELECT * FROM customers",
        "SELECT name\nFROM customers",
        "select count(*) from customers",
        "DELETE FROM customers",
        "drop table customers",
    ],
)
def test_sql_is_told_from_a_question(question) -> None:
    assert (
        off_topic(question, (SHOP,))
        == "That is SQL; ask in plain words, such as: How many customers are there?"
    )


@pytest.mark.parametrize(
    "question",
    ["Select all customers from Berlin", "What can you tell about customers?", "Which help desks?"],
)
def test_a_question_about_the_data_is_left_alone(question) -> None:
    assert off_topic(question, (SHOP,)) == ""


def test_tables_are_listed_only_when_nothing_was_understood() -> None:
    assert refusal(NOTHING, (), (SHOP,)).endswith(OVERVIEW)
    unsure = "I am not sure enough how to read this question. I know customers."
    assert refusal(unsure, (), (SHOP,)) == "I am not sure enough how to read this question."


def test_an_unknown_word_comes_with_the_columns_that_are_nearest() -> None:
    said = refusal("I find nothing about 'bonus' in the databases. I know x.", ("bonus",), (SHOP,))
    assert said == (
        "I find nothing about 'bonus' in the databases. The nearest is shop.customers.loyalty_points;"
        ' if that is meant: `oldhand rule add "bonus means customers.loyalty_points"`.'
    )


def test_an_unknown_word_that_is_like_nothing_comes_with_the_way_to_say_what_it_means() -> None:
    said = refusal("I find nothing about 'unicorn' in the databases.", ("unicorn",), (SHOP,))
    assert said == (
        "I find nothing about 'unicorn' in the databases. Say what it means:"
        ' `oldhand rule add "unicorn means …"`.'
    )
