"""Rows as Arrow tables, the form in which DuckDB takes them without copying."""
# pyarrow ships no types
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import SupportsFloat, SupportsInt, cast

import pyarrow as pa

from oldhand.sources.cells import plain_cell, unique_names
from oldhand.sources.workers.reading import RawRow

_MAX_DIGITS = 38
_INT64 = range(-(2**63), 2**63)
_NUMBERS = {int, float, Decimal, bool}
_DATES = {date, datetime}
_SIMPLE: dict[type, pa.DataType] = {
    bool: pa.bool_(),
    float: pa.float64(),
    str: pa.string(),
    bytes: pa.binary(),
    date: pa.date32(),
    time: pa.time64("us"),
    timedelta: pa.duration("us"),
}


def arrow_table(columns: Sequence[str], values: Sequence[RawRow]) -> object:
    """Rows as an Arrow table: types found in the values, every column with a name of its own.

    Numbers of several types become the widest of them; anything else that is mixed becomes text; a column without
    any value has the type `null`, which compares with everything.

    >>> table = arrow_table(("id", "ID", ""), ((1, "a", None), (2.5, 7, None)))
    >>> table.schema.names, list(map(str, table.schema.types))
    (['id', 'ID_2', 'column_3'], ['double', 'string', 'null'])
    """
    names = unique_names(columns)
    found = list(zip(*values, strict=True)) or [()] * len(names)
    return pa.table([_array(column) for column in found], names=list(names))


def _array(values: Sequence[object]) -> pa.Array:
    try:
        if (typed := _typed(values)) is not None:
            return typed
    except (pa.ArrowInvalid, OverflowError, ValueError, UnicodeEncodeError):
        pass  # such as a time with a zone, or a number of 5,000 digits
    return pa.array([_text(value) for value in values], pa.string())


def _typed(values: Sequence[object]) -> pa.Array | None:
    kinds = {type(value) for value in values} - {type(None)}
    if not kinds:
        return pa.nulls(len(values))
    if kinds <= _NUMBERS:
        return _numbers(values, kinds)
    if kinds <= _DATES:
        return _dates(values, kinds)
    simple = _SIMPLE.get(*kinds) if len(kinds) == 1 else None
    return None if simple is None else pa.array(values, simple)


def _numbers(values: Sequence[object], kinds: set[type]) -> pa.Array:
    if kinds == {bool}:
        return pa.array(values, pa.bool_())
    if kinds <= {int, bool}:
        whole = [None if v is None else int(cast("SupportsInt", v)) for v in values]
        if all(v is None or v in _INT64 for v in whole):
            return pa.array(whole, pa.int64())
        return _decimals(whole)
    if float not in kinds:
        return _decimals(values)
    return _floats(values)


def _floats(values: Sequence[object]) -> pa.Array:
    floats = [None if v is None else float(cast("SupportsFloat", v)) for v in values]
    return pa.array(floats, pa.float64())


def _decimals(values: Sequence[object]) -> pa.Array:
    given = cast("Sequence[int | Decimal | None]", values)
    numbers = [None if value is None else Decimal(value) for value in given]
    whole = scale = 0
    for number in numbers:
        if number is None:
            continue
        _, digits, exponent = number.as_tuple()
        if not isinstance(exponent, int):  # NaN or infinite
            return _floats(numbers)
        whole, scale = max(whole, len(digits) + exponent), max(scale, -exponent)
    if whole + scale > _MAX_DIGITS:
        return _floats(numbers)
    return pa.array(numbers, pa.decimal128(max(whole + scale, 1), scale))


def _dates(values: Sequence[object], kinds: set[type]) -> pa.Array:
    if kinds == {date}:
        return pa.array(values, pa.date32())
    return pa.array(list(map(_moment, values)), pa.timestamp("us"))


def _moment(value: object) -> datetime | None:
    """A point in time without a zone; what has a zone is told in UTC."""
    if isinstance(value, datetime):
        return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else None  # noqa: DTZ001


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else value.encode("utf-8", "replace").decode("utf-8")
    return str(plain_cell(value))
