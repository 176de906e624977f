"""What a confirmed or rejected pair changes in the next answer."""

from dataclasses import replace

import pytest

from oldhand.agent.analyst.deciding import DecisionKind
from oldhand.query.compiling.compile import spelled
from oldhand.record.effect import Alias
from oldhand.record.feedback import Source
from oldhand.record.lesson import Lesson
from oldhand.record.schema import Column, Kind, Table
from oldhand.sources.databases.values import ValueIndex
from oldhand.testing.records import example_memory

PATRONS = "SELECT COUNT(*) FROM customers WHERE city = 'Rome'"
BEST = (
    "SELECT c.name FROM customers AS c JOIN orders AS o ON o.customer_id = c.id "
    "WHERE o.status = 'paid' GROUP BY c.id ORDER BY SUM(o.amount) DESC LIMIT 1"
)


def test_a_question_that_the_rules_cannot_answer_is_answered_once_it_was_confirmed(shop, confirm):
    question = "Who is our star patron?"
    assert not shop.read(question).answers
    reading = shop.read(question, confirm(question, BEST))
    assert reading.answers
    assert "ORDER BY SUM(t2.amount) DESC LIMIT 1" in spelled(reading.queries[0])
    assert reading.confidence > 0.8


def test_the_same_question_in_other_words_takes_the_confirmed_query(shop, confirm):
    pair = confirm("How many patrons live in Rome?", PATRONS)
    assert shop.sql("What is the number of patrons living in Rome?", pair).endswith(
        "WHERE t1.city = 'Rome'"
    )


@pytest.mark.parametrize(
    "said", ["Please: {}", "Hi, could you please tell me: {} Thanks!", "{} please", "{} ?!"]
)
def test_a_courtesy_makes_no_other_question(shop, confirm, said):
    """Even where the query says less than the question: what a person confirmed for these words is in force."""
    question = "How many business and private customers are there?"
    pair = confirm(question, "SELECT COUNT(*) FROM customers")
    assert shop.sql(said.format(question), pair) == "SELECT COUNT(*) FROM customers AS t1"


def test_a_value_that_sounds_like_a_courtesy_makes_another_question(shop, confirm):
    pair = confirm("How many customers?", "SELECT COUNT(*) FROM customers")
    thanks = ValueIndex.in_memory("shop", [("main", "customers", "segment", ["Thanks", "Kindly"])])
    asked = replace(shop, values=thanks)
    assert "segment" in asked.sql("How many customers Thanks?", pair)
    assert asked.sql("How many customers, please?", pair).endswith("FROM customers AS t1")


def test_an_answer_names_the_pair_that_it_rests_on(shop, confirm):
    reading = shop.read(
        "How many patrons live in Rome?", confirm("How many patrons live in Rome?", PATRONS)
    )
    assert reading.lessons == ("pair-1",)
    assert (
        "Like 'How many patrons live in Rome?', which ana confirmed on 2026-11-20." in reading.notes
    )


def test_another_value_takes_the_place_of_the_old_one(shop, confirm):
    pair = confirm("How many patrons live in Rome?", PATRONS)
    assert shop.sql("How many patrons live in Lyon?", pair).endswith("WHERE t1.city = 'Lyon'")
    notes = shop.read("How many patrons live in Lyon?", pair).notes
    assert any(
        "with 'Lyon' for 'Rome'. If it is not so here, correct this answer." in note
        for note in notes
    )


def test_a_value_of_another_column_brings_its_column_along(shop, confirm):
    pair = confirm("How many patrons are from Rome?", PATRONS)
    sql = shop.sql("How many patrons are from Business?", pair)
    assert sql.endswith("WHERE t1.segment = 'Business'")


def test_another_number_takes_the_place_of_the_old_one(shop, confirm):
    pair = confirm("Which patrons are older than 60?", "SELECT id FROM customers WHERE age > 60")
    assert shop.sql("Which patrons are older than 30?", pair) == (
        "SELECT t1.id FROM customers AS t1 WHERE t1.age > 30"
    )


def test_first_and_last_name_are_put_in_place_of_others(shop, confirm):
    pair = confirm(
        "What did patron 'Linda Smith' spend?",
        "SELECT SUM(amount) FROM orders WHERE status = 'Linda' AND status <> 'Smith'",
    )
    sql = shop.sql("What did patron 'Tracy Kim' spend?", pair)
    assert "'Tracy'" in sql
    assert "'Kim'" in sql
    assert "Linda" not in sql


def test_another_column_takes_the_place_of_the_old_one(shop, confirm):
    pair = confirm(
        "What is the mean amount of settled deals?",
        "SELECT AVG(amount) FROM orders WHERE status = 'paid'",
    )
    sql = shop.sql("What is the mean weight of settled deals?", pair)
    assert sql == "SELECT AVG(t1.weight) FROM orders AS t1 WHERE t1.status = 'paid'"


def test_the_youngest_turns_the_query_for_the_oldest_round(shop, confirm):
    pair = confirm(
        "Which patron has the highest age?", "SELECT name FROM customers ORDER BY age DESC LIMIT 1"
    )
    sql = shop.sql("Which patron has the lowest age?", pair)
    assert "DESC" not in sql
    assert sql.endswith("LIMIT 1")


def test_a_restriction_that_the_pair_does_not_have_is_not_dropped_in_silence(shop, confirm):
    pair = confirm("How many patrons are there?", "SELECT COUNT(*) FROM customers")
    reading = shop.read("How many patrons are there in Mordor?", pair)
    assert not reading.answers


def test_a_word_that_nobody_explained_stays_unknown(shop, confirm):
    pair = confirm("How many patrons live in Rome?", PATRONS)
    assert not shop.read("How many frobnicated patrons live in Rome?", pair).answers


def test_a_rejected_query_is_not_repeated(shop, reject):
    question = "How many customers are there?"
    before = shop.read(question)
    after = shop.read(question, reject(question, "SELECT COUNT(*) FROM customers"))
    assert not after.answers or after.queries[0] != before.queries[0]


def test_when_every_reading_was_rejected_it_does_not_answer(shop, reject):
    question = "How many customers live in Rome?"
    readings = shop.read(question).queries
    lessons = [
        reject(question, spelled(query).replace("shop.main.", ""), name=f"no-{number}")
        for number, query in enumerate(readings)
    ]
    assert not shop.read(question, *lessons).answers


def test_a_correction_wins_over_the_rejected_query(shop, confirm, reject):
    question = "How many customers are there?"
    lessons = (
        reject(question, "SELECT COUNT(*) FROM customers"),
        confirm(question, "SELECT COUNT(*) FROM customers WHERE segment = 'Private'"),
    )
    assert shop.sql(question, *lessons).endswith("WHERE t1.segment = 'Private'")


def test_a_pair_for_the_very_question_stands_whatever_its_words_have_come_to_mean(shop, confirm):
    question, sql = (
        "How many orders are overdue?",
        "SELECT COUNT(*) FROM orders WHERE amount IS NULL",
    )
    meaning = Alias(
        phrase="overdue",
        database="shop",
        schema_name="main",
        table="orders",
        column="status",
        value="nothing",
    )
    word = Lesson(memory=example_memory("word-1", effect=meaning))
    assert "status = 'nothing'" in shop.sql(question, word)
    found = shop.sql(question, confirm(question, sql), word)
    assert found == "SELECT COUNT(*) FROM orders AS t1 WHERE t1.amount IS NULL"


def test_without_lessons_nothing_changes(shop):
    for question in ("How many customers live in Rome?", "Who is our star patron?", ""):
        assert shop.read(question) == shop.read(question, *())


@pytest.mark.parametrize("source", [Source.EXTERNAL, Source.EVALUATOR, Source.EXECUTION])
def test_a_pair_from_anybody_else_is_not_used(shop, confirm, source):
    question = "Who is our star patron?"
    assert shop.read(question, confirm(question, BEST, source=source)) == shop.read(question)


def test_a_pair_whose_column_is_gone_is_not_used(shop, confirm):
    question = "Who is our star patron?"
    gone = confirm(question, "SELECT name FROM customers ORDER BY stars DESC LIMIT 1")
    assert shop.read(question, gone) == shop.read(question)


def test_a_pair_of_another_database_is_not_used(shop, confirm):
    question = "Who is our star patron?"
    assert shop.read(question, confirm(question, BEST, database="crm")) == shop.read(question)


def test_a_query_that_names_its_databases_itself_is_used(shop, confirm):
    question = "How many patrons live in Rome?"
    pair = confirm(
        question,
        "SELECT COUNT(*) FROM shop.main.customers AS c WHERE c.city = 'Rome'",
        database=None,
    )
    assert shop.sql(question, pair).endswith("WHERE t1.city = 'Rome'")


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE customers",
        "SELECT 1; DROP TABLE customers",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x') FROM customers",
        "SELECT (((((",
        "",
        "\x00",
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    ],
)
def test_hostile_sql_in_a_pair_is_not_used(shop, confirm, sql):
    question = "Who is our star patron?"
    assert shop.read(question, confirm(question, sql)) == shop.read(question)


@pytest.mark.parametrize(
    "question", ["", "'; DROP TABLE customers; --", "\x00", "a" * 5000, "客户有多少", "🦊 " * 200]
)
def test_hostile_text_in_a_pair_does_no_harm(shop, confirm, question):
    pair = confirm(question, "SELECT COUNT(*) FROM orders")
    reading = shop.read("How many customers live in Rome?", pair)
    assert "customers" in spelled(reading.queries[0])


def test_a_good_reading_of_the_rules_stands_when_the_pairs_are_about_something_else(shop, confirm):
    pair = confirm("What is the total amount of paid orders?", "SELECT SUM(amount) FROM orders WHERE status = 'paid'")  # fmt: skip
    question = "How many customers live in Rome?"
    reading = shop.read(question, pair)
    assert reading.queries[0] == shop.read(question).queries[0]
    assert reading.decision.kind is DecisionKind.ANSWER
    assert reading.lessons == ()


@pytest.mark.parametrize(
    "question", ["How many elite patrons live in Rome?", "List the elite patrons"]
)
def test_what_a_pair_does_not_account_for_is_not_left_out_in_silence(shop, confirm, question):
    pair = confirm(
        "How many elite patrons are there?", "SELECT COUNT(*) FROM customers WHERE age > 60"
    )
    assert not shop.read(question, pair).answers


def test_a_confirmed_query_is_given_whatever_tables_the_rules_could_not_join(shop, confirm):
    question = "How many premium customers are there?"
    policies = Table(
        name="premiums",
        schema_name="main",
        columns=(Column(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),),
    )
    (plain,) = shop.schemas
    larger = plain.model_copy(update={"tables": (*plain.tables, policies)})
    among = replace(shop, schemas=(larger,))
    assert not among.read(question).answers
    pair = confirm(question, "SELECT COUNT(*) FROM customers WHERE segment = 'Business'")
    assert among.sql(f"Please: {question}", pair).endswith("WHERE t1.segment = 'Business'")
