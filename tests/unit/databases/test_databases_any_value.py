"""Values that no type of Python or JSON holds become text, and cross between processes as they are."""

import json
import math
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sources.cells import plain_cell
from oldhand.sources.databases import QueryResult, open_workspace
from oldhand.sources.workers.wire import packed, unpacked

DATES = (
    st.dates()
    | st.datetimes()
    | st.datetimes(timezones=st.just(UTC))
    | st.timedeltas()
    | st.times()
)
NUMBERS = (
    st.integers()
    | st.floats()
    | st.decimals(allow_nan=True, allow_infinity=True)
    | st.builds(
        lambda digits, power: Decimal(digits).scaleb(power),
        st.integers(),
        st.integers(-99_999, 99_999),
    )
    | st.builds(lambda power: 10**power, st.integers(0, 6_000))
)
CELLS = (
    st.none()
    | st.booleans()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary()
    | DATES
    | NUMBERS
    | st.uuids()
)
VALUES = st.recursive(
    CELLS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)


@given(VALUES)
def test_any_value_becomes_a_cell_that_json_can_carry(value):
    cell = plain_cell(value)
    assert cell is None or type(cell) in (str, int, float, bool)
    text = json.dumps(cell, allow_nan=False)
    assert json.loads(text) == cell


@given(st.lists(CELLS, max_size=5))
def test_any_values_cross_to_a_worker_as_they_are(values):
    (found,) = unpacked(packed((values,)))
    assert isinstance(found, list)
    assert list(map(plain_cell, found)) == list(map(plain_cell, values))


@pytest.fixture(scope="module")
def workspace():
    with open_workspace() as opened:
        yield opened


@given(values=st.lists(VALUES, max_size=4))
def test_any_column_fits_into_the_workspace(workspace, values):
    workspace.add("step_1", QueryResult(("v",), tuple((value,) for value in values)))
    found = workspace.fetch("SELECT * FROM step_1", rows=10, seconds=60)
    assert len(found.rows) == len(values)
    assert json.dumps(found.rows, allow_nan=False)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Decimal("1E+5000"), "1E+5000"),
        (Decimal("9" * 5000), f"{'9' * 40}… (5,000 digits)"),
        (10**400, f"1{'0' * 39}… (401 digits)"),
        (Decimal("1E-400"), "1E-400"),
        (math.inf, "Infinity"),
        (Decimal("sNaN"), "NaN"),
        (date(2024, 2, 29), "2024-02-29"),
        (datetime(2024, 1, 1, tzinfo=UTC), "2024-01-01 00:00:00+00:00"),
        (timedelta(days=-1), "-24:00:00"),
        (10**300, 10**300),
    ],
)
def test_what_no_type_holds_is_text(value, shown):
    assert plain_cell(value) == shown
