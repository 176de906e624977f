"""Where the parts of a candidate come from: the words that say them, and what else these could have meant."""

import re

import pytest

from oldhand.query.parts import own_parts


def _origin(company, question: str, kind: str):
    best = company.understand(question).candidates[0]
    (part,) = (one for one in own_parts(best.query) if one.kind == kind)
    return best.origins.origin(part)


@pytest.mark.parametrize(
    ("question", "kind", "word"),
    [
        ("How many customers live in Berlin?", "where", "Berlin"),
        ("How many customers live in Berlin?", "select", "many"),
        ("How many customers live in Berlin?", "relation", "customers"),
        ("Show the names of the three cheapest products", "order", "cheapest"),
        ("Show the names of the three cheapest products", "limit", "three"),
        ("Show the names of products sorted by price", "order", "price"),
        ("How many orders were not paid?", "where", "not"),
        ("Which customers have no tickets?", "where", "no"),
        ("Which customers have more than 2 tickets?", "having", "2"),
        ("What percentage of orders were cancelled?", "select", "cancelled"),
    ],
)
def test_a_part_knows_the_words_that_say_it(company, question, kind, word):
    origin = _origin(company, question, kind)
    said = re.findall(r"\w+", question)
    assert word in [said[place] for place in origin.words]


def test_a_part_knows_what_its_words_could_have_meant_besides(company):
    origin = _origin(company, "How many customers live in Berlin?", "where")
    others = {option.node.left.name for option in origin.options}
    assert "city" in others
    scores = [option.score for option in origin.options]
    assert scores == sorted(scores, reverse=True)


def test_what_follows_from_other_parts_has_no_words(company):
    best = company.understand("How many tickets has each customer?").candidates[0]
    joins = [part for part in own_parts(best.query) if part.kind == "join"]
    assert joins
    assert all(best.origins.origin(part) is None for part in joins)
