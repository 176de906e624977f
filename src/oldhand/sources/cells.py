"""Values of a database as every face shows them."""

import json
import math
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import singledispatch
from typing import TypeAlias, cast

Cell: TypeAlias = str | int | float | bool | None
"""One value of a row, as JSON has it."""
_SHOWN_BYTES = 16
_PLAIN = {str, bool}
_SHOWN_DIGITS = 40
_LARGE = 10**308
"""Larger numbers, and smaller ones than its inverse, become text: no float holds them, and no reader of JSON."""


def plain_cell(value: object) -> Cell:
    """One value as every face shows it.

    Dates and times become ISO text, decimals whole numbers or floats, bytes a short hex note, lists and structures
    JSON text. Numbers that JSON cannot carry become text: `NaN`, `Infinity`, `-Infinity`, or the first digits of one of
    more than 308 and how many there are.

    >>> [plain_cell(v) for v in (Decimal("12"), Decimal("0.10"), date(2024, 2, 29), float("nan"), None)]
    [12, 0.1, '2024-02-29', 'NaN', None]
    >>> plain_cell(b"PNG"), plain_cell(bytes(1000)), plain_cell([1, date(2024, 1, 2)])
    ('0x504e47', '0x00000000000000000000000000000000… (1,000 bytes)', '[1, "2024-01-02"]')
    """
    if value is None or type(value) in _PLAIN:
        return cast("Cell", value)
    if type(value) is int and -_LARGE < value < _LARGE:
        return value
    return _plain(value)


def plain_duration(value: timedelta) -> str:
    """A duration as SQL writes it.

    >>> plain_duration(timedelta(hours=30, minutes=5)), plain_duration(timedelta(seconds=-1.5))
    ('30:05:00', '-00:00:01.500000')
    """
    sign = "-" if value < timedelta(0) else ""
    whole, micros = divmod(abs(value) // timedelta(microseconds=1), 1_000_000)
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{micros:06}" if micros else ""
    return f"{sign}{hours:02}:{minutes:02}:{seconds:02}{fraction}"


def unique_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Names that differ also when letter case is ignored; a blank one is named after its place.

    >>> unique_names(["name", "Name", "name_2", " "])
    ('name', 'Name_3', 'name_2', 'column_4')
    """
    given = {name.casefold() for name in columns}
    names: list[str] = []
    taken: set[str] = set()
    for place, column in enumerate(columns, start=1):
        base = name = column if column.strip() else f"column_{place}"
        number = 2
        while name.casefold() in taken or (name != column and name.casefold() in given):
            name, number = f"{base}_{number}", number + 1
        taken.add(name.casefold())
        names.append(name)
    return tuple(names)


@singledispatch
def _plain(value: object) -> Cell:
    return str(value)


@_plain.register
def _(value: str) -> Cell:
    return str(value)  # such as an enum's member


@_plain.register
def _(value: int) -> Cell:
    return int(value) if -_LARGE < value < _LARGE else _shortened(Decimal(value))


@_plain.register
def _(value: float) -> Cell:
    return float(value) if math.isfinite(value) else _not_finite(value)


@_plain.register
def _(value: Decimal) -> Cell:
    if not value.is_finite():
        return _not_finite(float("nan") if value.is_nan() else float(value))
    if value and abs(value.adjusted()) >= 308:
        return _shortened(value)
    exponent = value.as_tuple().exponent
    return int(value) if isinstance(exponent, int) and exponent >= 0 else float(value)


@_plain.register
def _(value: datetime) -> Cell:
    return value.isoformat(" ")


@_plain.register(date)
@_plain.register(time)
def _(value: date | time) -> Cell:
    return value.isoformat()


_plain.register(timedelta, plain_duration)


@_plain.register(bytes)
@_plain.register(bytearray)
@_plain.register(memoryview)
def _(value: bytes) -> Cell:
    shown = "0x" + bytes(value[:_SHOWN_BYTES]).hex()
    return shown if len(value) <= _SHOWN_BYTES else f"{shown}… ({len(value):,} bytes)"


@_plain.register(list)
@_plain.register(tuple)
@_plain.register(dict)
@_plain.register(set)
def _(value: object) -> Cell:
    return json.dumps(_plain_nested(value), ensure_ascii=False)


def _shortened(value: Decimal) -> str:
    """A number as text.

    >>> _shortened(Decimal("1.5E+400")), _shortened(Decimal(10) ** 20)
    ('1.5E+400', '100000000000000000000')
    """
    text = str(value)
    digits = len(value.as_tuple().digits)
    return text if len(text) <= _SHOWN_DIGITS else f"{text[:_SHOWN_DIGITS]}… ({digits:,} digits)"


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _plain_nested(value: object) -> object:
    if isinstance(value, dict):
        known = cast("dict[object, object]", value)
        return {str(plain_cell(key)): _plain_nested(inner) for key, inner in known.items()}
    if isinstance(value, list | tuple | set):
        return [_plain_nested(inner) for inner in cast("list[object]", value)]
    return plain_cell(value)
