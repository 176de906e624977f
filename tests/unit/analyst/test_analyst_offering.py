"""What is asked back about: readings that mean different things, never those that only look different."""

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analyst.offering import readings_to_choose
from oldhand.agent.analyst.understanding import Candidate
from oldhand.query.lifting import lift_tree

FIRST = "SELECT t1.name FROM crm.main.customers AS t1 WHERE t1.city = 'Rome'"


def _candidate(sql: str, reading: str, **unused: float) -> Candidate:
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    features = {f"unused.{kind}": amount for kind, amount in unused.items()}
    query = lift_tree(tree, ())
    assert query is not None
    return Candidate(query, 1.0, features, reading, ("crm",))


@pytest.mark.parametrize(
    "second",
    [
        "SELECT DISTINCT t1.name FROM crm.main.customers AS t1 WHERE t1.city = 'Rome'",
        "SELECT t1.name, t1.city FROM crm.main.customers AS t1 WHERE t1.city = 'Rome'",
        "SELECT t1.name FROM crm.main.customers AS t1 WHERE t1.city = 'Rome' ORDER BY t1.name",
        "SELECT t1.name FROM crm.main.customers AS t1 WHERE t1.city = 'Rome' GROUP BY t1.id, t1.name",
        "SELECT t2.name FROM crm.main.regions AS t1 JOIN crm.main.customers AS t2 ON t2.r = t1.id WHERE t2.city = 'Rome'",
    ],
    ids=[
        "repeated rows",
        "a further column",
        "the order of the rows",
        "each row once",
        "a join without need",
    ],
)
def test_nobody_is_asked_about(second):
    offered = readings_to_choose([_candidate(FIRST, "one"), _candidate(second, "two")])
    assert offered == ("one",)


def test_other_conditions_are_worth_asking_about():
    second = "SELECT t1.name FROM crm.main.customers AS t1 WHERE t1.birthplace = 'Rome'"
    assert readings_to_choose([_candidate(FIRST, "one"), _candidate(second, "two")]) == (
        "one",
        "two",
    )


def test_counting_rows_and_counting_keys_is_the_same_question():
    first = "SELECT COUNT(*) FROM crm.main.customers AS t1"
    second = "SELECT COUNT(DISTINCT t1.id) FROM crm.main.customers AS t1"
    assert readings_to_choose([_candidate(first, "one"), _candidate(second, "two")]) == ("one",)


def test_a_reading_that_leaves_out_a_value_is_never_offered():
    second = "SELECT t1.name FROM crm.main.customers AS t1"
    offered = readings_to_choose([_candidate(FIRST, "one"), _candidate(second, "two", value=1.0)])
    assert offered == ("one",)
