"""A further measure: a row in `query.aggregates`, its words as a cue, and this test."""

from statistics import stdev

import pytest
from tests.unit.analyst.worlds import World

from oldhand.agent.analyst import DecisionKind


@pytest.mark.parametrize(
    ("question", "prices"),
    [
        (
            "What is the standard deviation of the price of products?",
            "SELECT price FROM sales.products",
        ),
        ("standard deviation of salary of employees", "SELECT salary FROM places.employees"),
    ],
)
def test_a_standard_deviation_is_that_of_the_sample(company: World, question: str, prices: str):
    reading = company.read(question)
    assert reading.decision.kind is DecisionKind.ANSWER
    ((found,),) = company.rows(reading.queries[0])
    assert found == pytest.approx(stdev(price for (price,) in company.rows(prices)))
    assert reading.candidates[0].reading.startswith("standard deviation of ")


def test_it_is_worked_out_for_each_group(company: World):
    reading = company.read("standard deviation of salary per job title")
    found = dict(company.rows(reading.queries[0]))
    titles = company.rows("SELECT job_title, salary FROM places.employees")
    several = {title for title, _ in titles if sum(title == other for other, _ in titles) > 1}
    assert several
    for title in several:
        assert found[title] == pytest.approx(stdev(pay for other, pay in titles if other == title))
