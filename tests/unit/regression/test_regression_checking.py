"""What a spec expects is compared with what came, and nothing else is."""

import random

import pytest

from oldhand.errors import InvalidSpec
from oldhand.learning.regression import Expected, mismatches, same_rows
from oldhand.record.answer import Outcome, QueryStep
from oldhand.record.route import RouteResponse


def response(**changes: object) -> RouteResponse:
    step = QueryStep(
        number=1, purpose="count", database="shop", sql="SELECT COUNT(*) FROM customers"
    )
    fields = {
        "text": "There are 4 customers.", "model_used": "granite-local", "tools_used": ("sql:shop",),
        "columns": ("n",), "rows": ((4,),), "steps": (step,),
    }  # fmt: skip
    return RouteResponse.model_validate(fields | changes)


def fields(expected: dict[str, object], came: RouteResponse, rows: object = None) -> list[str]:
    run = None if rows is None else (lambda _database, _sql: rows)
    return [one.field for one in mismatches(Expected.model_validate(expected), came, run)]


@pytest.mark.parametrize(
    ("expected", "changes", "wrong"),
    [
        ({"model_used": "granite-local"}, {}, []),
        ({"model_used": "granite-local"}, {"model_used": "claude-opus"}, ["model_used"]),
        ({"cost": 0.0}, {}, []),
        ({"cost": 0.01}, {"cost": 0.002}, []),
        ({"cost": 0.0}, {"cost": 0.03}, ["cost"]),
        ({"tools_used": ["sql:shop"]}, {}, []),
        ({"tools_used": []}, {}, ["tools_used"]),
        ({"tools_used": []}, {"tools_used": ()}, []),
        ({"tools_not_used": ["code_executor"]}, {}, []),
        ({"tools_not_used": ["sql:shop"]}, {}, ["tools_not_used"]),
        ({"response_contains": ["4", "CUSTOMERS"]}, {}, []),
        ({"response_contains": ["5"]}, {}, ["response_contains"]),
        ({"response_not_contains": ["there are"]}, {}, ["response_not_contains"]),
        ({"outcome": "answered"}, {"outcome": Outcome.ABSTAINED}, ["outcome"]),
        ({"database": "shop"}, {}, []),
        ({"database": "crm"}, {}, ["database"]),
        ({"sql_not_contains": ["count( * )"]}, {}, ["sql_not_contains"]),
        ({"sql_not_contains": ["cancelled"]}, {}, []),
        ({"sql_not_equals": ["select COUNT(*)  from customers"]}, {}, ["sql_not_equals"]),
        ({"sql_not_equals": ["SELECT COUNT(*)"]}, {}, []),
        ({"rows": [[4]]}, {}, []),
        ({"rows": [[4.0]]}, {}, []),
        ({"rows": [[5]]}, {}, ["rows"]),
        ({"rows": []}, {"rows": ()}, []),
        ({"rows": [[4]]}, {"truncated": True}, ["rows"]),
    ],
)
def test_each_expectation_is_looked_at(expected, changes, wrong):
    assert fields(expected, response(**changes)) == wrong


def test_the_rows_must_be_those_of_the_corrected_sql():
    expected = {"database": "shop", "sql": "SELECT COUNT(*) FROM customers WHERE tier = 'A1'"}
    assert fields(expected, response(), ((4,),)) == []
    assert fields(expected, response(), ((2,),)) == ["sql"]


def test_the_order_of_rows_counts_when_the_sql_sorts():
    came = response(rows=((1,), (2,)))
    plain = {"database": "shop", "sql": "SELECT a FROM t"}
    sorted_ = {"database": "shop", "sql": "SELECT a FROM t ORDER BY a DESC"}
    turned = ((2,), (1,))
    assert fields(plain, came, turned) == []
    assert fields(sorted_, came, turned) == ["sql"]
    assert fields({**sorted_, "ordered": False}, came, turned) == []


def test_sql_without_anything_to_run_it_is_an_error_and_no_pass():
    with pytest.raises(InvalidSpec):
        fields({"database": "shop", "sql": "SELECT 1"}, response())


def test_rows_are_the_same_in_any_order_of_rows_and_columns():
    draw = random.Random(3)
    for _ in range(200):
        width, height = draw.randint(1, 4), draw.randint(1, 6)
        rows = [
            tuple(draw.choice((1, 2, None, "a", 0.5)) for _ in range(width)) for _ in range(height)
        ]
        order = draw.sample(range(width), width)
        turned = [tuple(row[place] for place in order) for row in draw.sample(rows, height)]
        assert same_rows(rows, turned)
        assert not same_rows(rows, [*turned, turned[0]])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([(1, 2), (3, 4)], [(1, 4), (3, 2)]),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)]),
        ([("1",)], [(1,)]),
        ([(None,)], [(0,)]),
        ([(12345678901,)], [(12345678902,)]),
        ([(1,)], [(1, 1)]),
    ],
)
def test_rows_that_say_something_else_are_not_the_same(one, other):
    assert not same_rows(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [([(0.1 + 0.2,)], [(0.3,)]), ([(3,)], [(2.9999999999999996,)]), ([(True,)], [(1,)]), ([(12345678901.0,)], [(12345678901,)])],
)  # fmt: skip
def test_numbers_that_differ_by_rounding_are_the_same(one, other):
    assert same_rows(one, other)


def test_many_equal_columns_take_no_time():
    rows = [tuple([0] * 30) for _ in range(50)]
    assert same_rows(rows, rows)
    assert not same_rows(rows, [*rows[1:], (1, *rows[0][1:])])
