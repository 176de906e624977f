import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sources.databases import QueryResult, plain_cell, unique_names

cells = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.decimals(),
    st.dates(), st.datetimes(), st.times(), st.timedeltas(), st.uuids(), st.lists(st.integers()),
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (Decimal(12), 12),
        (Decimal("1E+2"), 100),
        (Decimal("12.00"), 12.0),
        (Decimal("-Infinity"), "-Infinity"),
        (Decimal("NaN"), "NaN"),
        (float("inf"), "Infinity"),
        (datetime(2024, 1, 31, 10, 0, 5), "2024-01-31 10:00:05"),  # noqa: DTZ001
        (date(2024, 1, 31), "2024-01-31"),
        (time(9, 5), "09:05:00"),
        (timedelta(days=2, seconds=1), "48:00:01"),
        (bytearray(b"\xff"), "0xff"),
        (memoryview(b"\x01\x02"), "0x0102"),
        ({"a": [Decimal("1.5"), None]}, '{"a": [1.5, null]}'),
        (True, True),
    ],
)
def test_a_value_becomes_a_plain_cell(value, cell):
    assert plain_cell(value) == cell
    assert type(plain_cell(value)) is type(cell)


@given(st.lists(st.tuples(cells, cells)))
def test_rows_can_always_be_written_as_json(rows):
    result = QueryResult(("a", "b"), tuple(rows))
    assert json.loads(json.dumps(result.rows, allow_nan=False)) == [
        list(row) for row in result.rows
    ]


@given(st.lists(st.sampled_from(["", " ", "a", "A", "a_2", "A_2", "column_1", "column_2", "b"])))
def test_unique_names_differ_and_keep_their_places(names):
    unique = unique_names(names)
    assert len({name.casefold() for name in unique}) == len(names)
    assert all(name.strip() for name in unique)
    assert len(unique) == len(names)
