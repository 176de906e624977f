"""What was corrected in one question says nothing of another one that says itself what was only guessed there."""

import pytest

from oldhand.query.compiling.compile import spelled

MISREAD = [
    (
        "Who was busiest?",
        "SELECT name FROM customers AS c JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, name ORDER BY SUM(o.amount) DESC LIMIT 1",
        "Which customer has the most orders?",
    ),
    (
        "Which customer is the most popular?",
        "SELECT name FROM customers AS c JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, name ORDER BY SUM(o.weight) DESC LIMIT 1",
        "Which customer has the most orders?",
    ),
    (
        "Who is the best customer?",
        "SELECT name FROM customers ORDER BY age DESC LIMIT 1",
        "Which customer has the highest total amount of orders?",
    ),
]


@pytest.mark.parametrize(("question", "right", "other"), MISREAD)
def test_a_correction_leaves_alone_what_another_question_says_outright(
    shop, confirm, reject, question, right, other
):
    alone = shop.read(other)
    lessons = [confirm(question, right)]
    if shop.read(question).queries:
        lessons.append(reject(question, spelled(shop.read(question).queries[0])))
    beside = shop.read(other, *lessons)
    assert alone.answers
    assert (beside.queries[0], beside.confidence) == (alone.queries[0], alone.confidence)


def test_it_still_counts_for_the_same_question_in_other_words(shop, confirm):
    right = "SELECT COUNT(*) FROM customers WHERE age > 18"
    lessons = [confirm("How many customers are there?", right)]
    assert "age > 18" in shop.sql("What is the number of customers?", *lessons)


def test_what_nobody_confirmed_is_believed_no_more_because_another_reading_was_wrong(shop, reject):
    question = "Which customer is the most popular?"
    first = shop.read(question)
    no = reject("Which customer is most popular with us?", spelled(first.queries[0]))
    found = shop.read(question, no)
    assert found.queries[0] == first.queries[0] or not found.answers


def test_who_says_the_same_by_a_word_that_is_nearly_the_same_is_answered_by_the_pair(shop, confirm):
    right = "SELECT name FROM customers WHERE NOT id IN (SELECT customer_id FROM orders WHERE amount > 3)"
    lesson = confirm("Which customers never ordered?", right)
    assert "amount > 3" in shop.sql("Which clients never ordered?", lesson)


def test_what_was_confirmed_is_no_opposite_of_a_question_that_is_read_as_it(shop, confirm):
    question = "Give me every customer by name that has an age above 30."
    alone = shop.read(question)
    lesson = confirm(
        "Show the name of customers with an age of more than 30.",
        "SELECT name FROM customers WHERE age > 30",
    )
    beside = shop.read(question, lesson)
    assert alone.answers
    assert beside.answers


def test_a_condition_on_what_an_old_question_was_read_as_a_condition_on_is_not_silent(
    shop, confirm, reject
):
    question = "How many customers are older than 30?"
    wrong = spelled(shop.read(question).queries[0])
    lessons = [confirm(question, "SELECT COUNT(*) FROM customers WHERE age >= 30"), reject(question, wrong)]  # fmt: skip
    assert "age >= 30" in shop.sql("What is the number of customers older than 30?", *lessons)
