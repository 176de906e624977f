"""A confirmed pair never answers a question that means the opposite, and small words don't keep it from answering its own."""

import pytest

from oldhand.agent.analyst.precedents.gist import gist
from oldhand.agent.analyst.precedents.precedent import precedents_of
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.values import ValueIndex

_CHANNELS = DatabaseSchema(
    name="tv",
    dialect="sqlite",
    tables=(
        Table(
            name="channels",
            schema_name="main",
            columns=tuple(
                Column(name=name, type="TEXT", kind=Kind.TEXT)
                for name in ("name", "package_option")
            ),
        ),
    ),
)
TELEVISION = (
    vocabulary((_CHANNELS,)),
    ValueIndex.in_memory("tv", [("main", "channels", "name", ["Sky", "Option"])]),
)
LOST = "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE status = 'paid')"
STAR = "SELECT COUNT(*) FROM customers WHERE age > 40"
TAKINGS = "SELECT SUM(o.amount) FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE c.city = 'Rome'"
RATIO = "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer_id) FROM orders"
EITHER = "SELECT COUNT(*) FROM customers WHERE city IN ('Rome', 'Lyon') AND age > 18"
TRIPS = "SELECT COUNT(*) FROM orders WHERE status = 'open' AND weight > 3"
BIG = "SELECT name FROM customers WHERE age > 60 AND segment = 'Private'"
LISTED = "SELECT name FROM customers WHERE segment = 'Private' ORDER BY age"
RANKED = "SELECT name FROM customers WHERE segment = 'Private' ORDER BY age DESC LIMIT 1"

MOST = "SELECT city FROM customers WHERE age > 40 GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1"
OFTEN = "SELECT name FROM customers AS c JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, name HAVING COUNT(*) > 4"
YIELD = "SELECT AVG(s) FROM (SELECT SUM(amount) AS s FROM orders GROUP BY customer_id) AS y"
FIRST = "SELECT name FROM customers WHERE age > 18 ORDER BY id LIMIT 1"

ENDS = (
    "SELECT MAX(c.age), MIN(o.weight) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id"
)

OPPOSITES = [
    ("Which customers count as lost?", LOST, "Which customers do not count as lost?"),
    ("Which customers count as lost?", LOST, "Which customers never count as lost?"),
    ("How many star customers are there?", STAR, "How many non star customers are there?"),
    ("How many starred customers are there?", STAR, "How many unstarred customers are there?"),
    ("What are the takings from Rome?", TAKINGS, "What are the takings outside Rome?"),
    ("What are the takings from Rome?", TAKINGS, "What are the average takings from Rome?"),
    ("What is the number of orders per customer?", RATIO, "What is the number of customers per order?"),
    ("How many patrons are in Rome or Lyon?", EITHER, "How many patrons are in both Rome and Lyon?"),
    ("How many patrons are in Rome or Lyon?", EITHER, "How many patrons are neither in Rome nor Lyon?"),
    ("How many trips went from Rome to Lyon?", TRIPS, "How many trips went from Lyon to Rome?"),
    ("Which patrons are above the average age?", BIG, "Which patrons are below the average age?"),
    ("Who is the most senior patron?", RANKED, "Who is the least senior patron?"),
    ("Which city has the most star customers?", MOST, "Which city has the highest share of star customers?"),
    ("Which city has the most star customers?", MOST, "What share of star customers does each city have?"),
    ("What share of customers are star customers?", f"SELECT 100.0 * ({STAR}) / COUNT(*) FROM customers", "How many customers are star customers?"),
    ("Who was the first patron?", FIRST, "Who is the best patron?"),
    ("Which customers are star customers?", OFTEN, "How many star customers are there?"),
    ("What is the average yield of a customer?", YIELD, "Which customer has the highest yield?"),
    ("Who was the first patron?", FIRST, "Which patron has the fewest orders?"),
    ("List the private patrons, sorted by age.", LISTED, "List the private patrons, sorted by city."),
    ("Show the highest age and the lowest weight.", ENDS, "Show the highest age and the highest weight."),
    ("Show the highest age and the lowest weight.", ENDS, "Show the lowest age and the highest weight."),
    ("Who has more than 4 orders and more than 2 segments?", STAR, "Who has more than 2 orders and more than 4 segments?"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql", "opposite"), OPPOSITES)
def test_the_stored_answer_is_not_given_to_the_opposite(shop, confirm, question, sql, opposite):
    pair = confirm(question, sql)
    assert shop.read(question, pair).answers
    (stored,) = precedents_of([pair], shop.schemas)
    reading = shop.read(opposite, pair)
    assert not reading.answers or stored.query not in reading.queries[:1]


@pytest.mark.parametrize(
    "paraphrase",
    [
        "Which are the customers that count as lost?",
        "Show the customers who count as lost.",
        "Whatever happens, which customers count as lost?",
    ],
)
def test_words_that_say_nothing_do_not_keep_a_pair_from_being_used(shop, confirm, paraphrase):
    pair = confirm("Which customers count as lost?", LOST)
    assert shop.read(paraphrase, pair).lessons == (pair.id,)


def test_a_word_for_a_name_in_the_same_context_is_read_as_that_name(shop, confirm):
    pair = confirm("What amount did Rome and Lyon spend on status open?", TRIPS)
    assert shop.read("What money did Rome and Lyon spend on status open?", pair).answers


def test_a_pronoun_stands_for_what_was_named_before():
    asked = gist(
        "How many orders were there, and how often were each of them paid?", *TELEVISION, None
    )
    assert "each" not in asked.signs.objects


def test_a_word_of_a_columns_full_name_is_no_value():
    asked = gist("What is the package option of channel Sky?", *TELEVISION, None)
    assert [slot.key for slot in asked.slots] == ["sky"]
    asked = gist("Which channels have the name Option?", *TELEVISION, None)
    assert [slot.key for slot in asked.slots] == ["option"]


def test_one_more_word_with_content_is_not_passed_over(shop, confirm):
    pair = confirm("How many star customers are there?", STAR)
    assert not shop.read("How many vegan star customers are there?", pair).answers
    assert not shop.read("How many star suppliers are there?", pair).answers


@pytest.mark.parametrize(
    ("sql", "adapted"),
    [
        ("ordered >= '2024-01-01' AND ordered < '2025-01-01'", ("2023-01-01", "2024-01-01")),
        ("ordered BETWEEN '2024-01-01' AND '2024-12-31'", ("2023-01-01", "2023-12-31")),
        ("strftime('%Y', ordered) = '2024'", ("2023",)),
    ],
)
def test_a_pair_for_one_year_is_adapted_to_another(dated, confirm, sql, adapted):
    pair = confirm("How busy were we in 2024?", f"SELECT COUNT(*) FROM orders WHERE {sql}")
    found = dated.sql("How busy were we in 2023?", pair)
    assert all(f"'{day}'" in found or day in found for day in adapted)
    assert "2025" not in found


@pytest.mark.parametrize("when", ["before 2024", "after 2024", "since 2024"])
def test_in_a_year_is_not_before_or_after_it(dated, confirm, when):
    sql = "SELECT COUNT(*) FROM orders WHERE strftime('%Y', ordered) = '2024' AND weight > 3"
    pair = confirm("How busy were we in 2024?", sql)
    assert pair.id not in dated.read(f"How busy were we {when}?", pair).lessons


def test_what_can_be_turned_round_in_the_form_is_turned_round(shop, confirm):
    pair = confirm("Who is the most senior patron?", RANKED)
    assert "ORDER BY t1.age" in shop.sql("Who is the least senior patron?", pair)
    assert "DESC" not in shop.sql("Who is the least senior patron?", pair)


def test_a_pair_about_something_else_changes_nothing(shop, confirm):
    pair = confirm("Which customers count as lost?", LOST)
    for question in ("How many orders are open?", "What is the average age of customers?"):
        alone, beside = shop.read(question), shop.read(question, pair)
        assert (beside.queries[:1], beside.confidence) == (alone.queries[:1], alone.confidence)
