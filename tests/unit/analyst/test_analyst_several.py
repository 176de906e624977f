"""The number of a noun tells how many of the first ones are shown: `which customers have the most orders` shows five."""

import pytest

from oldhand.agent.analyst.candidates.superlative import SEVERAL
from oldhand.query.form import Query

ROWS = {
    "Which customers have the most orders?": SEVERAL,
    "Which customer has the most orders?": 1,
    "which customers ordered most?": SEVERAL,
    "What are the most expensive products?": SEVERAL,
    "What is the most expensive product?": 1,
    "the best paid employees": SEVERAL,
    "names of the employees with the highest salary": SEVERAL,
    "Which employee in the stores has the highest salary?": 1,
    "Which city has the most customers?": 1,
    "Which cities have the most customers?": SEVERAL,
    "What is the category with the most products?": 1,
    "Which 3 customers have the most orders?": 3,
    "Which customers have the most orders, and who looks after it?": 1,
    "top products by price": SEVERAL,
}


@pytest.mark.parametrize(("question", "rows"), ROWS.items())
def test_a_plural_shows_several(company, question, rows):
    query = company.understand(question).candidates[0].query
    assert isinstance(query, Query)
    assert query.limit == rows
